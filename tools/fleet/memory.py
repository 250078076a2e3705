"""Memory of one process, or of a node of the engine, in octets."""

import dataclasses
import pathlib
import re

MIB = 1 << 20


@dataclasses.dataclass(frozen=True)
class Memory:
    rss: int    # with the pages that other processes have, too
    pss: int    # of such pages, its part
    own: int    # what it has written: no other process has it, and no file


def parse(rollup):
    """Of /proc/PID/smaps_rollup."""
    sizes = {name: int(kib) << 10 for name, kib in re.findall(r"^(Rss|Pss|Private_Dirty):\s+(\d+) kB$", rollup, re.MULTILINE)}
    return Memory(rss=sizes["Rss"], pss=sizes["Pss"], own=sizes["Private_Dirty"])


def of_process(pid):
    return parse(pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text())


def of_largest_node(engine):
    """PSS of all programs of the node that has most."""
    return max(sum(node.pss().values()) for node in engine.nodes)
