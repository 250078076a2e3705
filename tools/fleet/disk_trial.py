"""The disk of the primary is full while messages come: each box accepts and sends, and the cluster keeps messages again when there is room."""

import collections
import time

from . import small_disk, sql
from .boxes import MODEMS
from .load import Load
from .outcome import Outcome
from .verdict import longest_idle

MARK = 6
RATE = 25            # messages per second to a box: more than its modems send, so that they have firm work
BEFORE_S = 20
FULL_S = 40
WHOLE_S = 120
CALM_S = 10
IDLE_S = 1
LOG_FILES = 12       # of the log, begun one after the other: what was left of it on the disk is used up


class DiskTrial:
    def __init__(self, engine, boxes, say):
        self.engine, self.boxes, self.say, self.outcome = engine, boxes, say, Outcome()
        self.load = Load(boxes, dict.fromkeys(boxes.all, RATE), MARK)

    def fill(self):
        """The disk of the primary, and what its log has left."""
        node = self.engine.primary()
        small_disk.fill(node)
        self.say(f"the disk of the primary is full ({node.name})")
        for _ in range(LOG_FILES):
            try:
                sql.run(self.engine.local(node), "SELECT pg_switch_wal()", account=self.engine.account, seconds=5)
                sql.run(self.engine.local(node), "SELECT txid_current()", account=self.engine.account, seconds=5)
            except sql.FAILED:
                break
        return node

    def full(self):
        """Until the engine is whole again. Patroni starts the same primary again and again: no other one is expected."""
        node, begin, primaries = self.fill(), time.monotonic(), set()
        while time.monotonic() < begin + FULL_S:
            primary = self.engine.primary()
            primaries |= {primary.name} if primary else set()
            time.sleep(0.5)
        room = time.monotonic()
        small_disk.make_room(node)
        self.engine.wait("the whole engine", self.engine.is_whole, WHOLE_S)
        time.sleep(CALM_S)
        self.report(begin, room, ", ".join(primaries - {node.name}) or "no other machine")

    def report(self, begin, room, primary):
        accepted = self.load.accepted()
        meanwhile = collections.Counter(message.kept for message in accepted if begin < message.when < room)
        again = min((message.when - room for message in accepted if message.kept == "cluster" and message.when > room), default=None)
        idle = longest_idle(self.load.submits(), set(range(len(self.boxes.all) * MODEMS)), begin, room)
        kept = ", ".join(f"{count} {word}" for word, count in sorted(meanwhile.items()))
        self.outcome.note(f"full for {room - begin:.0f} s ({primary} became the primary): accepted {kept}; no modem idle for more than {idle:.1f} s")
        self.outcome.note(f"kept by the cluster again {'never' if again is None else f'{again:.0f} s after there was room'}")
        self.outcome.expect(again is not None, "no message was kept by the cluster after there was room")
        self.outcome.expect(idle <= IDLE_S, f"a modem was idle for {idle:.1f} s")

    def run(self):
        with self.load:
            time.sleep(BEFORE_S)
            self.full()
        account = self.load.settle()
        here = {box.name: box.get("/v1/cluster")["kept_here"] for box in self.boxes.all}
        self.outcome.expect(not any(here.values()), f"messages that the engine does not have at the end: {here}")
        self.outcome.note(str(account))
        account.tell(self.outcome)
        return self.outcome


def run(engine, boxes, say):
    if not small_disk.has_own_mounts():
        return Outcome(skipped="a small disk can't be mounted here; root may, where the kernel allows it")
    small_disk.move_all(engine)
    return DiskTrial(engine, boxes, say).run()
