"""A box froze inside a transaction, and a box froze altogether: no other box waits for long, and each message is sent once."""

import random
import signal
import time

from . import sql
from .engine import OWNER
from .load import Load
from .lock_watch import LockWatch
from .open_transaction import OpenTransaction
from .outcome import Outcome

MARK = 3
RATES = (45, 10, 10)     # more waits at the first box than it sends
LEASE_S = 15             # by default
IDLE_S = 5               # idle_in_transaction_session_timeout and lock_timeout of the recipe
SLACK_S = 3              # of looks, and of a busy machine
BEFORE_S = 20            # of messages
CAUGHT_S = 14            # of the silence of a box: the next box that wants its work meets the fence
FROZEN_S = 2 * LEASE_S + 6
CALM_S = 5
TRIES = 100


class FenceTrial:
    def __init__(self, engine, boxes, say):
        self.engine, self.boxes, self.say, self.outcome = engine, boxes, say, Outcome()
        self.frozen, self.other, self.third = boxes.all
        self.owner = engine.conninfo(OWNER, OWNER)
        self.load = Load(boxes, dict(zip(boxes.all, RATES)), MARK)

    def seat(self):
        """Number and epoch of the box that freezes, as another box sees it."""
        row = next(row for row in self.other.get("/v1/cluster/boxes")["boxes"] if row["name"] == self.frozen.name)
        return row["number"], row["epoch"]

    def inside_transaction(self):
        """It has the fences of two boxes and a count. Each waits a while for it, and continues."""
        seat = self.seat()
        with LockWatch(self.engine) as watch, OpenTransaction(self.engine, self.frozen, seat, self.other) as transaction:
            begin = time.monotonic()
            ended = self.engine.wait("the end of a transaction", transaction.has_ended)
            time.sleep(CALM_S)
        waited = max(watch.longest.values(), default=0.0)
        pause = max(self.longest_pause(box, begin) for box in self.boxes.all)
        self.outcome.note(f"transaction ended by the engine after {ended:.1f} s; boxes waited {waited:.1f} s for its locks, clients {pause:.1f} s")
        self.outcome.expect(ended <= IDLE_S + SLACK_S, f"the engine ended the transaction only after {ended:.1f} s")
        self.outcome.expect(0 < waited <= IDLE_S + SLACK_S, f"boxes waited {waited:.1f} s for a lock: {watch.longest}")
        self.outcome.expect(pause < LEASE_S, f"a client waited {pause:.1f} s for an answer")
        for box in self.boxes.all:
            self.outcome.expect(self.keeps_in_cluster(box, begin + ended), f"{box.name} keeps nothing in the cluster after that")

    def longest_pause(self, box, since):
        """Between two messages that it accepted."""
        times = [message.when for message in list(self.load.clients[box].accepted) if message.when > since]
        return max((later - earlier for earlier, later in zip(times, times[1:])), default=0.0)

    def keeps_in_cluster(self, box, since):
        return any(message.kept == "cluster" and message.when > since for message in list(self.load.clients[box].accepted))

    def freeze(self, number):
        """At a moment when it holds something that is not firm: that lasts for milliseconds. Gives its ids, and when it was."""
        for _ in range(TRIES):
            self.frozen.signal(signal.SIGSTOP)
            begin = time.monotonic()
            held = sql.run(self.owner, f"SELECT id FROM smsrack.work WHERE holder = {number} AND NOT firm").split()
            if held:
                break
            self.frozen.signal(signal.SIGCONT)
            time.sleep(random.uniform(0.05, 0.2))
        else:
            self.frozen.signal(signal.SIGSTOP)
        return held, begin

    def altogether(self):
        """The whole box; and just before its lease ends, a transaction of it holds the fence."""
        number, epoch = self.seat()
        held, begin = self.freeze(number)
        try:
            self.say(f"{self.frozen.name} frozen; it held {len(held)} messages that were not firm")
            self.outcome.expect(held, f"{self.frozen.name} held nothing that was not firm: that others begin it was not tried")
            time.sleep(max(0.0, begin + CAUGHT_S - time.monotonic()))
            with LockWatch(self.engine) as watch:
                with OpenTransaction(self.engine, self.frozen, (number, epoch)):
                    time.sleep(max(0.0, begin + FROZEN_S - time.monotonic()))
        finally:
            self.frozen.signal(signal.SIGCONT)
        woken = time.monotonic()
        waited = watch.of_others(self.frozen)
        first = self.first_begun(held, begin, woken)
        self.outcome.note(f"box frozen for {woken - begin:.0f} s: others began its {len(held)} held messages after "
                          f"{'no time' if first is None else f'{first:.1f} s'}, and waited for a lock for {waited:.1f} s")
        if held:
            self.outcome.expect(first is not None and first <= 2 * LEASE_S, f"others began none of {len(held)} messages within {2 * LEASE_S} s")
        self.outcome.expect(waited <= IDLE_S + SLACK_S, f"another box waited {waited:.1f} s for a lock")
        self.boxes.wait(f"{self.frozen.name} in the fleet again", lambda: self.frozen.get("/v1/cluster")["seat"] == "seated", 60)
        self.say(f"{self.frozen.name} is back {time.monotonic() - woken:.1f} s after it was woken")

    def first_begun(self, held, begin, end):
        """Seconds until another box sent one of these; None: none did."""
        numbers = self.load.numbers()
        wanted = {numbers.get(number) for number in held}
        return min((submit.at - begin for submit in self.load.submits()
                    if begin < submit.at < end and submit.to in wanted and self.boxes.of_modem(submit.modem) is not self.frozen), default=None)

    def run(self):
        with self.load:
            time.sleep(BEFORE_S)
            self.inside_transaction()
            self.altogether()
            time.sleep(CALM_S)
        account = self.load.settle()
        self.outcome.note(str(account))
        account.tell(self.outcome)
        return self.outcome


def run(engine, boxes, say):
    return FenceTrial(engine, boxes, say).run()
