"""Figures of a fleet, measured in one run next to a single box: a table with the bound of each, and the end."""

import dataclasses

from . import bulk_figures, drain_figures, events_figures, idle_figures, post_figures, rate_figures
from .boxes import Boxes
from .figure import table, write_json
from .single_box import SingleBox

SERVICE = "fixed"    # of the modems: so a rate has no chance in it
MORE = "\n[priority]\nprotect = false\n"    # of each box: a backlog of hours is accepted
PARTS = {            # in this order: the first wants boxes that have done nothing, the last leaves work behind
    "idle": ("memory, and the link to the engine, idle", idle_figures.run),
    "drain": ("a box is drained", drain_figures.run),
    "post": ("messages one by one", post_figures.run),
    "rate": ("messages at the network", rate_figures.run),
    "bulk": ("NDJSON, and memory with a backlog", bulk_figures.run),
    "events": ("events of which few are new", events_figures.run),
}


@dataclasses.dataclass(frozen=True)
class Rig:
    """What the parts measure."""
    engine: object
    boxes: Boxes
    single: SingleBox
    say: object

    def processor_time(self):
        """Seconds, of all programs of the rig."""
        programs = [self.single.network, self.boxes.network, *(box.program for box in (self.single, *self.boxes.all))]
        return sum(node.cpu() for node in self.engine.nodes) + sum(program.cpu() for program in programs)

    def wait_sent(self, journal, count, seconds):
        """Until the network has got `count` messages in all."""
        self.boxes.wait("the messages at the network", lambda: len(journal.update().submits) >= count, seconds)


def measured(rig, wanted):
    """`wanted`: names of PARTS; empty: all."""
    found = []
    for key, (name, part) in PARTS.items():
        if not wanted or key in wanted:
            rig.say(f"figures: {name}")
            new = part(rig)
            found += new
            for line in table(new)[1:]:
                rig.say(line)
    return found


def run(engine, folder, args, say):
    """The exit code: 1 with --strict where a figure misses its bound."""
    programs = args.programs.resolve()
    with Boxes(folder, engine, programs, say, MORE, SERVICE) as boxes, SingleBox(folder / "single", programs, MORE, SERVICE) as single:
        found = measured(Rig(engine, boxes, single, say), args.figures)
    print("\n".join(table(found)))
    if args.json:
        write_json(args.json, found)
    return 1 if args.strict and any(figure.is_met() is False for figure in found) else 0
