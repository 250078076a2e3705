"""NDJSON, in turn at the single box and at a box of the fleet; and the memory of boxes when that much waits in the engine."""

import collections
import time

from . import idle_figures, memory
from .figure import Figure
from .handing_in import HandingIn, in_words, new_messages

ROUNDS = 3
WARM_UP, MESSAGES = 1000, 10_000    # of a round
SHARE_MIN = 0.5
SETTLE_S = 10


def rate_of(box, kept):
    """Messages accepted per second."""
    with HandingIn(box) as client:
        client.many(new_messages(WARM_UP))
        seconds = client.many(new_messages(MESSAGES))
        kept.update(client.kept)
    return MESSAGES / seconds


def run(rig):
    first, other = rig.boxes.all[0], rig.boxes.all[1]
    before = {box: memory.of_process(box.process()) for box in (first, other, rig.single)}
    kept, alone, shared = collections.Counter(), [], []
    for _ in range(ROUNDS):
        alone.append(rate_of(rig.single, collections.Counter()))
        shared.append(rate_of(first, kept))
    time.sleep(SETTLE_S)
    waiting = first.get("/v1/cluster")["waiting"]
    one, of_fleet = sum(alone) / ROUNDS, sum(shared) / ROUNDS
    found = [Figure("NDJSON at a box of the fleet against the single box", of_fleet / one, "times", SHARE_MIN, at_least=True,
                    note=f"{of_fleet:,.0f}/s against {one:,.0f}/s; {in_words(kept)}"),
             *idle_figures.more_memory(rig, "with a backlog")]
    for name, box in (("the box that accepted the backlog", first), ("another box", other), ("the single box with as much", rig.single)):
        now = memory.of_process(box.process())
        found.append(Figure(f"RSS of {name}, more than before", (now.rss - before[box].rss) / memory.MIB, "MiB",
                            note=f"{waiting} wait in the engine; PSS {(now.pss - before[box].pss) / memory.MIB:+.1f}"))
    return found
