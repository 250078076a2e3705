"""The workloads: each starts a fresh simulator and a fresh gateway, and gives figures by row name.

Unit: seconds. Each message goes to a number of its own, so the journal tells which reached the network, and how often.
"""

import contextlib
import dataclasses
import random
import shutil
import time

from . import figures, journal
from .gateway import Context
from .simulator import Simulator

TEXT = "Your code is 482913. Do not tell anyone."  # 40 characters of the default alphabet, as smsrack-bench has
SERVICE_MS = 500
MODEMS = 8
LOOK_S = 0.05
WARM_UP_S = 120  # until each modem has sent: four turns of one that looks for work every 30 s
WAKE_S = 45      # one that looks for work every 30 s has then seen it
LONGEST_CYCLE_S = 2.7  # of Kannel: a kill must be able to hit each moment between two messages, also where all modems are in step
SETTLE_S = 3     # idle before memory is read


@dataclasses.dataclass(frozen=True)
class Scale:
    """How long and how much."""
    window_s: float = 20        # of a rate
    poisson_s: float = 45
    poisson_rate: float = 3.86  # 8 modems of 0.5 s: 24 % busy
    inbound: int = 16
    inbound_wait_s: float = 60  # for the last of them
    kill_messages: int = 400
    kills: int = 5
    hung_messages: int = 240
    hung_window_s: float = 20
    quiet_s: float = 75         # no submit for so long: nothing more is coming (gammu's lease is 60 s, Kannel's turn less)
    longest_s: float = 400      # of a kill or hung run


QUICK = Scale(window_s=8, poisson_s=15, inbound=6, inbound_wait_s=35, kill_messages=160, kills=2, hung_messages=90, hung_window_s=8,
              quiet_s=10, longest_s=90)


class Run:
    """One gateway in front of one simulator."""

    def __init__(self, kind, programs, folder, modems, service_ms, scale):
        self.scale, self.serial, self.gateway = scale, 0, None
        self.simulator = Simulator(programs, folder / "sim", modems, service_ms)
        self.make_gateway = lambda: kind(Context(programs, folder / "gateway", self.simulator.ports))

    def start(self):
        """Warm when it comes back."""
        self.simulator.start()
        self.gateway = self.make_gateway()
        self.gateway.start()
        self.warm_up()

    def messages(self, count):
        first, self.serial = self.serial, self.serial + count
        return [(f"+3361{n:07d}", TEXT) for n in range(first, first + count)]

    def submits(self):
        return self.simulator.journal.update().submits

    def until(self, condition, seconds):
        """Until `condition()` or the time is over; gives whether it came."""
        deadline = time.monotonic() + seconds
        while not condition():
            self.simulator.program.check_alive()
            if time.monotonic() > deadline:
                return False
            time.sleep(LOOK_S)
        return True

    def warm_up(self):
        """Messages until each modem has sent one, so that no start is in a figure. RuntimeError where one never does."""
        handed = []

        def all_sent():
            submits = self.submits()
            if len(submits) >= len(handed):
                handed.extend(self.messages(2 * self.simulator.modems))
                self.gateway.hand_in(handed[-2 * self.simulator.modems:])
            return len({s.modem for s in submits}) == self.simulator.modems

        if not self.until(all_sent, WARM_UP_S):
            raise RuntimeError(f"only {len({s.modem for s in self.submits()})} of {self.simulator.modems} modems sent within {WARM_UP_S} s")
        self.until(lambda: len(self.submits()) >= len(handed), WAKE_S)

    def wait_quiet(self, wanted):
        """Until no submit has come for `quiet_s`: what is missing then is missing, and what was to come twice has come."""
        begin = last = time.monotonic()
        seen = len(self.submits())
        while time.monotonic() - last < self.scale.quiet_s and time.monotonic() - begin < self.scale.longest_s:
            time.sleep(LOOK_S)
            if len(self.submits()) != seen:
                seen, last = len(self.submits()), time.monotonic()
        return journal.fate(wanted, self.submits())

    def stop(self):
        try:
            if self.gateway is not None:
                self.gateway.stop()
        finally:
            self.simulator.stop()


@contextlib.contextmanager
def running(kind, programs, folder, modems, service_ms, scale, keep):
    """Started and warm; stopped in any case. The folder goes, unless it went wrong or is wanted."""
    run, well = Run(kind, programs, folder, modems, service_ms, scale), False
    try:
        run.start()
        yield run
        well = True
    finally:
        run.stop()
        if well and not keep:
            shutil.rmtree(folder, ignore_errors=True)


def backlog(run, rate_at_most):
    """A list of messages, each handed in alone; then, once each modem is at work, a window in which they always have some."""
    scale, gateway = run.scale, run.gateway
    messages = run.messages(int(rate_at_most * (scale.window_s + 4)) + 2 * MODEMS)
    before = gateway.cpu()
    gateway.hand_in(messages)
    intake = (gateway.cpu() - before) / len(messages)
    begin = time.monotonic()
    run.until(lambda: len({s.modem for s in run.submits() if s.at > begin}) == run.simulator.modems, WAKE_S)
    begin, before, sent = time.monotonic(), gateway.cpu(), len(run.submits())
    time.sleep(scale.window_s)
    end, used, sent = time.monotonic(), gateway.cpu() - before, len(run.submits()) - sent
    submits = run.submits()
    gap = figures.percentile(journal.idle_gaps(submits, begin, end), 50)
    return {"rate": journal.steady_rate(submits, begin, end),
            "gap": None if gap is None else gap * 1000,
            "cpu": (intake + used / sent) * 1000 if sent else None}


def one(run):
    return {"one-modem": backlog(run, 2)["rate"]}


def eight(run):
    found = backlog(run, 2 * MODEMS)
    return {"eight-modems": found["rate"], "idle-gap": found["gap"], "cpu": found["cpu"]}


def ceiling(run):
    """Batches, so that a gateway always has enough and hardly more: a spool of thousands would slow those that look through it."""
    begin = time.monotonic()
    handed = len(run.submits())
    batch = 8 * MODEMS
    while time.monotonic() - begin < run.scale.window_s:
        if handed - len(run.submits()) < batch // 2:
            run.gateway.hand_in_many(run.messages(batch))
            handed += batch
            batch = min(4096, max(batch, 2 * int(len([s for s in run.submits() if s.at > time.monotonic() - 1]))))
        time.sleep(0.01)
    return {"ceiling": journal.steady_rate(run.submits(), begin + 2, time.monotonic())}


def poisson(run):
    """The same arrivals for every gateway; from the moment at which a message was due to the network's acceptance."""
    scale, chance = run.scale, random.Random(1)
    due, at = {}, time.monotonic() + 0.2
    end = at + scale.poisson_s
    while at < end:
        message = run.messages(1)
        time.sleep(max(0.0, at - time.monotonic()))
        due[message[0][0]] = at
        run.gateway.hand_in(message)
        at += chance.expovariate(scale.poisson_rate)
    everything = set(due)
    run.until(lambda: everything <= {s.to for s in run.submits()}, scale.poisson_s + 60)
    times = [seconds * 1000 for seconds in journal.times_in_system(due, run.submits(), time.monotonic())]
    time.sleep(SETTLE_S)
    return {"poisson": figures.mean(times), "poisson-p99": figures.percentile(times, 99), "memory": run.gateway.pss() / 2**20}


def inbound(run):
    """One by one, at moments that no polling can be in step with, each on the next modem."""
    chance, gateway = random.Random(2), run.gateway
    gateway.listen()
    for number in range(run.scale.inbound):
        time.sleep(chance.uniform(0.5, 2.5))  # the first too: what a gateway does when it begins is another question
        run.simulator.order(do="inbound", modem=number % run.simulator.modems, **{"from": f"+336112233{number:02d}"},
                            text=f"Reply {number}: yes please, tomorrow at ten")
    run.until(lambda: len(gateway.heard) >= run.scale.inbound, run.scale.inbound_wait_s)
    arrived = {int(i.text.split()[1].rstrip(":")): i.at for i in run.simulator.journal.update().inbound}
    times = [(moment - arrived[number]) * 1000 for number, moment in gateway.heard.items()]
    if len(times) < run.scale.inbound:
        raise RuntimeError(f"{run.scale.inbound - len(times)} of {run.scale.inbound} received messages never came out")
    return {"inbound": figures.percentile(times, 50), "inbound-max": max(times)}


def kill(run):
    """kill -9 of the whole gateway while it sends, and a start at once, again and again."""
    scale, chance = run.scale, random.Random(3)
    messages = run.messages(scale.kill_messages)
    already = len(run.submits())
    run.gateway.hand_in(messages)
    for number in range(scale.kills):
        enough = already + scale.kill_messages * (number + 1) // (scale.kills + 1)
        run.until(lambda enough=enough: len(run.submits()) >= enough, scale.longest_s / scale.kills)
        time.sleep(chance.uniform(0, LONGEST_CYCLE_S))
        run.gateway.kill()
        run.gateway.start()
    fate = run.wait_quiet([to for to, _ in messages])
    return {"kill-lost": fate.missing, "kill-twice": fate.repeated}


def hung(run):
    """A modem takes nothing and says nothing from some moment in a backlog on; what it held the network has."""
    scale = run.scale
    messages = run.messages(scale.hung_messages)
    already = len(run.submits())
    run.gateway.hand_in(messages)
    run.until(lambda: len(run.submits()) >= already + MODEMS, 60)
    run.simulator.order(do="hang", modem=3)
    begin = time.monotonic()
    # As long as there is work for all: else the last messages would be the rate.
    enough = already + scale.hung_messages - 2 * MODEMS
    run.until(lambda: len(run.submits()) >= enough, scale.hung_window_s)
    rate = journal.steady_rate([s for s in run.submits() if s.modem != 3], begin, time.monotonic())
    fate = run.wait_quiet([to for to, _ in messages])
    return {"hung": rate, "hung-lost": fate.missing, "hung-twice": fate.repeated}


@dataclasses.dataclass(frozen=True)
class Scenario:
    work: object
    modems: int = MODEMS
    service_ms: int = SERVICE_MS


SCENARIOS = {
    "one": Scenario(one, modems=1),
    "eight": Scenario(eight),
    "ceiling": Scenario(ceiling, service_ms=0),
    "poisson": Scenario(poisson),
    "inbound": Scenario(inbound),
    "kill": Scenario(kill),
    "hung": Scenario(hung),
}


def measure(name, kind, programs, folder, scale, keep=False):
    """{row: figure} of one scenario and one gateway."""
    scenario = SCENARIOS[name]
    with running(kind, programs, folder, scenario.modems, scenario.service_ms, scale, keep) as run:
        return scenario.work(run)
