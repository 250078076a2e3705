"""What was known while a fleet was recorded: what clients heard, what modems were given, and the moments at which its power may be cut."""

import dataclasses
import random

from cuts import common_moments

from .worker import Worker

SHORTEST_S, LONGEST_S = 0.004, 0.04    # from one moment to the next


@dataclasses.dataclass(frozen=True)
class Heard:
    """A client had the answer at `when`: that box accepted the message, and keeps it as `kept` says."""
    when: float
    to: str
    id: int
    box: str
    kept: str


@dataclasses.dataclass(frozen=True)
class Begun:
    """A modem of that box had the whole message at `when`, so it may be sent from then on."""
    when: float
    to: str
    box: str


@dataclasses.dataclass
class Facts:
    moments: list
    heard: list
    begun: list
    numbers: dict     # of each box in the engine, by name
    primary: str      # name of the node

    def before(self, when):
        """What was known then."""
        return [fact for fact in self.heard if fact.when < when], [fact for fact in self.begun if fact.when < when]


def heard_by(clients):
    return [Heard(message.when, message.to, int(message.id), message.box.name, message.kept) for client in clients for message in client.accepted]


def begun_by(boxes, submits):
    return [Begun(submit.at - submit.service, submit.to, boxes.of_modem(submit.modem).name) for submit in submits]


class Moments(Worker):
    """Takes moments of the recorded disks."""

    def __init__(self, records, seed):
        super().__init__()
        self.records, self.chance, self.all = records, random.Random(seed), []

    def work(self):
        while not self.stopped.wait(self.chance.uniform(SHORTEST_S, LONGEST_S)):
            moment = common_moments.moment(self.records)
            if moment:
                self.all.append(moment)
