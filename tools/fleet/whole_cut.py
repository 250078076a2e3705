"""A fleet starts again on its disks after a power cut of all of it, goes through its messages, and accepts more."""

import contextlib
import dataclasses
import pathlib
import tempfile
import time

from lab.peers.processes import ProcessError

from . import boot_id, cut_facts, fleet_disks, verdict
from .boxes import READY_S
from .client import Client
from .load import DOUBTFUL, OVER

WHOLE_S = 120
ENDED_S = 180
SETTLE_S = 3           # a second copy would be seen by then
MORE, RATE = 20, 10    # messages to each box after the start


@dataclasses.dataclass
class Found:
    """Of one cut. Sentences in `faults`."""
    away: str        # the node that did not come back
    known: int       # messages accepted before the cut
    before: int      # of these, given to a modem by then
    after: int       # messages that the network got after the start
    uncertain: int
    whole_s: float   # until the engine had a primary again, and each other node that came back followed it
    faults: list


class WholeCut:
    """`away`: the name of a node that does not come back, or None."""

    def __init__(self, engine, boxes, disks, facts, number, away):
        self.engine, self.boxes, self.disks, self.facts, self.number, self.away = engine, boxes, disks, facts, number, away

    def run(self, images, moment):
        """`images`: of the disks, in order."""
        with tempfile.TemporaryDirectory(dir=self.engine.folder) as folder, fleet_disks.mounted(self.disks, images), \
                boot_id.another(pathlib.Path(folder)):
            try:
                begin = time.monotonic()
                self.start()
                return self.look(moment, time.monotonic() - begin)
            except ProcessError as problem:
                return Found(self.away, len(self.facts.before(moment.when)[0]), 0, 0, 0, 0.0, [f"it does not start: {problem}"])
            finally:
                stop(self.engine, self.boxes)

    def start(self):
        """All at once, as when the power returns."""
        self.boxes.start_network(f"network-{self.number}")
        for machine in (*self.engine.nodes, *self.boxes.all):
            if machine.name != self.away:
                machine.start()
        self.engine.wait("the engine after a power cut", self.is_whole, WHOLE_S)
        self.boxes.wait("the boxes after a power cut", lambda: all(box.is_ready() for box in self.boxes.all), READY_S)

    def is_whole(self):
        if self.away is None:
            return self.engine.is_whole()
        return self.engine.primary() is not None and self.engine.streaming() == len(self.engine.nodes) - 2

    def look(self, moment, whole_s):
        heard, begun = self.facts.before(moment.when)
        with contextlib.ExitStack() as undo:
            clients = [undo.enter_context(Client(box, self.more(place), RATE)) for place, box in enumerate(self.boxes.all)]
            self.boxes.wait("answers to new messages", lambda: all(client.share() == 1 for client in clients), READY_S)
        heard += cut_facts.heard_by(clients)
        deadline = time.monotonic() + ENDED_S
        while not self.is_over(heard, begun) and time.monotonic() < deadline:
            time.sleep(1)
        time.sleep(SETTLE_S)
        return self.judged(heard, begun, whole_s)

    def more(self, place):
        return [{"to": f"+3368{self.number:02d}{place}{n:04d}", "text": "After the power cut"} for n in range(MORE)]

    def states(self):
        return {(box.name, int(number)): (message["state"], message.get("code")) for box in self.boxes.all for number, message in box.messages().items()}

    def verdict(self, heard, begun):
        """A message that a modem had before the cut counts as sent, so one that the network gets after it is the second copy."""
        states = self.states()
        return states, verdict.judge(heard, [*begun, *self.boxes.journal.update().submits], states)

    def is_over(self, heard, begun):
        states, found = self.verdict(heard, begun)
        of = {fact.to: states.get((fact.box, fact.id), ("gone", None)) for fact in heard}
        return all(of[to][0] in OVER for to in found.lost + found.denied)

    def judged(self, heard, begun, whole_s):
        states, found = self.verdict(heard, begun)
        of = {fact.to: states.get((fact.box, fact.id), ("gone", None)) for fact in heard}
        doubted = [to for to in found.denied if any(word in DOUBTFUL for word in of[to])]
        denied = [to for to in found.denied if to not in doubted]
        faults = [f"{len(numbers)} messages {what}, such as {numbers[0]} {of.get(numbers[0], '')}"
                  for what, numbers in (("lost", found.lost), ("sent twice", found.twice), ("sent, and their boxes do not say so", denied)) if numbers]
        return Found(self.away, len(heard) - MORE * len(self.boxes.all), len(begun), len(self.boxes.journal.submits), len(found.unknown) + len(doubted), whole_s, faults)


def stop(engine, boxes):
    """kill -9 of everything."""
    boxes.end()
    engine.end()
