"""Moments that several recorded disks have in common: the sizes of all their records at one time.

The daemon writes an entry into its record before the program that wrote hears of it. So what one disk has in answer to another one's write can't be
there without it, if both sizes are of the same time.
"""

import dataclasses
import time

TRIES = 1000


@dataclasses.dataclass(frozen=True)
class Moment:
    """`when`: seconds of the steady clock; what a program knew by then is before it. `sizes`: of each record, in order."""
    when: float
    sizes: tuple


def moment(disks, now=time.monotonic):
    """Records only grow: where two looks at all of them find the same, they were so between the two. None: they never rest."""
    before = None
    for _ in range(TRIES):
        when = now()
        sizes = tuple(disk.size() for disk in disks)
        if sizes == before:
            return Moment(earlier, sizes)
        before, earlier = sizes, when
    return None
