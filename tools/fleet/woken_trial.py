"""A box is stopped until others have decided about its firm messages, and woken: it begins none of them."""

import signal
import time

from . import sql
from .engine import OWNER
from .load import Load
from .outcome import Outcome

LEASE_S, ALONE_S, UNCERTAIN_S = 6, 12, 5
CLUSTER = f"lease_s = {LEASE_S}\nalone_s = {ALONE_S}\n"
QUEUE = f'\n[queue]\nuncertain_s = {UNCERTAIN_S}\nuncertain   = "{{}}"\n'
POLICIES = {"report": 4, "resend": 5}    # each with the mark of its load
RATES = (45, 8, 8)
BEFORE_S = 15
DECIDED_S = 60
CALM_S = 5


class WokenTrial:
    def __init__(self, engine, boxes, say, policy, outcome):
        self.engine, self.boxes, self.say, self.policy, self.outcome = engine, boxes, say, policy, outcome
        self.stopped = boxes.all[0]
        self.owner = engine.conninfo(OWNER, OWNER)
        self.load = Load(boxes, dict(zip(boxes.all, RATES)), POLICIES[policy])

    def firm(self):
        return set(sql.run(self.owner, f"SELECT id FROM smsrack.work WHERE holder = {self.number} AND firm").split())

    def stop_and_wake(self):
        """Gives the ids of the messages that others decided about meanwhile, and when it was stopped and woken."""
        self.number = self.stopped.get("/v1/cluster")["number"]
        self.stopped.signal(signal.SIGSTOP)
        begin = time.monotonic()
        try:
            firm = self.firm()
            self.say(f"{self.stopped.name} stopped; {len(firm)} messages are firm")
            self.boxes.wait("a decision of the other boxes", lambda: not self.firm(), DECIDED_S)
            decided = time.monotonic() - begin
            time.sleep(CALM_S)
        finally:
            self.stopped.signal(signal.SIGCONT)
        woken = time.monotonic()
        self.outcome.note(f"{self.policy}: others decided about {len(firm)} firm messages after {decided:.0f} s; woken after {woken - begin:.0f} s")
        self.outcome.expect(firm, f"{self.policy}: nothing was firm, so nothing was tried")
        self.outcome.expect(decided >= ALONE_S + UNCERTAIN_S, f"{self.policy}: they were decided after {decided:.1f} s, which is too early")
        return firm, begin, woken

    def run(self):
        self.boxes.restart(CLUSTER, QUEUE.format(self.policy))
        with self.load:
            time.sleep(BEFORE_S)
            firm, begin, woken = self.stop_and_wake()
            time.sleep(CALM_S)
        account = self.load.settle()
        decided = {to for number, to in self.load.numbers().items() if number in firm}
        own = [submit for submit in self.load.submits() if submit.to in decided and self.boxes.of_modem(submit.modem) is self.stopped]
        late = {submit.to for submit in own if submit.at - submit.service > woken}
        in_flight = {submit.to for submit in own if submit.at > begin} - late
        self.outcome.note(f"{len(in_flight)} of them were in flight, {len(late)} it began after that; {account}")
        if self.policy == "report":
            self.outcome.expect(not late, f"{self.stopped.name} began {len(late)} messages that others had decided about: {sorted(late)[:3]}")
        # With "resend" another box sends what was in flight when the box was stopped: the policy says so. The box may get others back.
        account.tell(self.outcome, may_repeat=in_flight if self.policy == "resend" else ())


def run(engine, boxes, say):
    outcome = Outcome()
    for policy in POLICIES:
        WokenTrial(engine, boxes, say, policy, outcome).run()
    boxes.restart()
    return outcome
