"""What a fleet does while its disks are recorded: clients submit, boxes send, each node writes its pages, and the engine is away for a while."""

import contextlib
import itertools
import signal
import time

from . import cut_facts, sql
from .client import Client
from .cut_facts import Facts, Moments
from .worker import Worker

RATE = 16              # messages per second to a box: what its modems send
CHECKPOINT_S = 2.5     # from one node to the next
AWAY_S = 4             # less than ttl of the recipe: no other primary
AWAY_AT = (0.4, 0.75)  # of the time
RESTS_S = 4            # at the end: what a modem has at the last moment is in its log
MOST = 100_000


def messages(prefix):
    return [{"to": f"+336{prefix}{n:06d}", "text": f"Message {n} for all that is recorded", "ref": f"cut {prefix} {n}"} for n in range(MOST)]


class Checkpoints(Worker):
    """Orders one of each node in turn: without them a node would write no page of its tables in this time."""

    def __init__(self, engine):
        super().__init__()
        self.engine = engine

    def work(self):
        for node in itertools.cycle(self.engine.nodes):
            if self.stopped.wait(CHECKPOINT_S):
                return
            with contextlib.suppress(*sql.FAILED):
                sql.run(self.engine.local(node), "CHECKPOINT", account=self.engine.account, seconds=20)


def freeze(engine):
    """Boxes accept alone meanwhile."""
    for number in (signal.SIGSTOP, signal.SIGCONT):
        for node in engine.nodes:
            node.signal_all(number)
        time.sleep(AWAY_S if number == signal.SIGSTOP else 0)


def do(engine, boxes, records, seconds, seed, say):
    """The facts."""
    numbers = {box.name: box.get("/v1/cluster")["number"] for box in boxes.all}
    primary = engine.primary()
    begin = time.monotonic()
    with contextlib.ExitStack() as undo:
        moments = undo.enter_context(Moments(records, seed))
        undo.enter_context(Checkpoints(engine))
        clients = [undo.enter_context(Client(box, messages(f"7{n}"), RATE)) for n, box in enumerate(boxes.all)]
        for share in AWAY_AT:
            time.sleep(max(0.0, begin + share * seconds - time.monotonic()))
            say("the engine is away")
            freeze(engine)
        time.sleep(max(0.0, begin + seconds - time.monotonic()))
    time.sleep(RESTS_S)
    if engine.primary() is not primary:
        say(f"{primary.name} is not the primary any more")
    return Facts(moments.all, cut_facts.heard_by(clients), cut_facts.begun_by(boxes, boxes.journal.update().submits), numbers, primary.name)
