"""A box of a fleet that has nothing to do: its memory against that of a single box, and what it says to the engine."""

import time

from . import memory
from .figure import Figure
from .link_meter import LinkMeter

SETTLE_S = 20    # after the start
LINK_S = 60
MORE_MAX_MIB = 6
LINK_MAX = 300       # octets per second
NODE_MAX_MIB = 120


def more_memory(rig, when):
    """Of the box of the fleet that has most, against the single box."""
    single = memory.of_process(rig.single.process())
    boxes = [memory.of_process(box.process()) for box in rig.boxes.all]
    for kind, name, bound in (("rss", "RSS", MORE_MAX_MIB), ("pss", "PSS", None), ("own", "memory written", None)):
        most, alone = max(getattr(one, kind) for one in boxes) / memory.MIB, getattr(single, kind) / memory.MIB
        yield Figure(f"{name} of a box more than that of the single box, {when}", most - alone, "MiB", bound,
                     note=f"{most:.1f} against {alone:.1f}")


def link(rig):
    meter, begin = LinkMeter(rig.boxes.all), time.monotonic()
    time.sleep(LINK_S)
    seconds = time.monotonic() - begin
    most = max((meter.octets(box) for box in rig.boxes.all), key=lambda octets: octets.both())
    return Figure("link of an idle box to the engine, both directions", most.both() / seconds, "octets/s", LINK_MAX,
                  note=f"to the engine {most.sent / seconds:.0f}, from it {most.received / seconds:.0f}, in {seconds:.0f} s")


def run(rig):
    time.sleep(SETTLE_S)
    found = [*more_memory(rig, "idle"), link(rig)]
    found.append(Figure("PSS of the largest node of the engine, idle", memory.of_largest_node(rig.engine) / memory.MIB, "MiB", NODE_MAX_MIB))
    return found
