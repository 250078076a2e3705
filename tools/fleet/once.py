"""Messages through three boxes while one is killed, the engine's primary dies, one is upgraded and one drained: none may be lost, none sent twice."""

import collections
import contextlib
import itertools
import sys
import time

from .boxes import MODEMS
from .client import Client
from .verdict import judge, longest_idle

SHARES = (0.37, 0.26, 0.37)    # of the messages, to each box
RATE = 18                      # messages per second to a box: more than its modems send
BURST_RATE = 100               # to the box that is killed, so that much waits there
KILL_AT = 0.95                 # of its messages accepted: the client has some left for when it is back
NODE_AWAY_S = 25
ENDED_S = 300                  # after the last event
SETTLE_S = 5                   # a second copy would be seen by then


def message(n):
    """To a number of its own."""
    return {"to": f"+336{n:08d}", "text": f"Message {n}", "ref": f"fleet-{n}"}


class Run:
    def __init__(self, engine, boxes, messages, say):
        self.engine, self.boxes, self.say = engine, boxes, say
        numbers = iter(range(messages))
        shares = [list(map(message, itertools.islice(numbers, round(share * messages)))) for share in SHARES[:-1]]
        shares.append(list(map(message, numbers)))
        self.victim, self.upgraded = boxes.all[1], boxes.all[2]
        self.clients = [Client(box, share, BURST_RATE if box is self.victim else RATE) for box, share in zip(boxes.all, shares)]
        self.messages, self.begin, self.marks = messages, 0.0, []
        self.killed_at = self.silent_at = self.back_at = self.primary_died_at = self.writable_at = None
        self.cost = self.drained = ""

    def accepted(self):
        return [message for client in self.clients for message in list(client.accepted)]

    def mark(self, words):
        self.marks.append((time.monotonic() - self.begin, words))
        self.say(f"[{self.marks[-1][0]:5.1f} s] {words}")

    def drive(self):
        """All that happens. A box is killed and others do its work; the primary dies; both come back; a box is upgraded, one drained."""
        self.begin = time.monotonic()
        with contextlib.ExitStack() as undo:
            for client in self.clients:
                undo.enter_context(client)
            with self.counted_cost():
                self.wait(f"the messages of {self.victim.name}", lambda: self.client_of(self.victim).share() >= KILL_AT)
            self.kill_box()
            self.kill_primary()
            self.victim.start()
            self.back_at = time.monotonic()
            self.mark(f"{self.victim.name} started again")
            changed = self.upgraded.upgrade()
            self.mark(f"{self.upgraded.name} upgraded" + ("" if changed else ", and its process is the same"))
            self.wait("the last message accepted", lambda: all(client.share() == 1 for client in self.clients))
            self.mark("the last message accepted")
            self.drain()

    def kill_box(self):
        self.victim.kill()
        self.killed_at = time.monotonic()
        self.mark(f"{self.victim.name} killed")
        self.wait(f"the other boxes to see that {self.victim.name} is silent", self.is_silent)
        self.silent_at = time.monotonic()
        self.mark(f"{self.victim.name} is silent for the others")

    def kill_primary(self):
        primary = self.engine.primary()
        primary.kill()
        self.primary_died_at = time.monotonic()
        self.mark(f"the machine of the primary killed ({primary.name})")
        self.wait("another primary", self.engine.primary)
        self.writable_at = time.monotonic()
        self.mark("another one is the primary")
        self.wait("the machine to return", lambda: time.monotonic() >= self.primary_died_at + NODE_AWAY_S)
        primary.start()
        self.mark(f"{primary.name} started again")

    def drain(self):
        """The box that was away has most work left: it gives it to the others."""
        firm = next(row["firm"] for row in self.victim.get("/v1/cluster/boxes")["boxes"] if row["self"])
        begin = time.monotonic()
        self.victim.said_by("--socket", self.victim.socket, "cluster", "drain", self.victim.name)
        self.drained = f"{self.victim.name} drained: it had {firm} messages, and none after {time.monotonic() - begin:.1f} s"
        self.mark(self.drained)

    def is_silent(self):
        states = {row["name"]: row["state"] for row in self.upgraded.get("/v1/cluster/boxes")["boxes"]}
        return states[self.victim.name] == "silent"

    def taken_over(self):
        """When other boxes sent messages that the killed one had accepted, while it was away."""
        home = {message.to for message in self.client_of(self.victim).accepted}
        return [s.at for s in self.boxes.journal.update().submits
                if self.killed_at < s.at < (self.back_at or s.at + 1) and s.to in home and self.boxes.of_modem(s.modem) is not self.victim]

    def client_of(self, box):
        return next(client for client in self.clients if client.box is box)

    def wait(self, what, condition):
        self.boxes.wait(what, condition, ENDED_S)

    @contextlib.contextmanager
    def counted_cost(self):
        """What the engine uses meanwhile."""
        begin, cpu = time.monotonic(), sum(node.cpu() for node in self.engine.nodes)
        yield
        rate = len(self.accepted()) / (time.monotonic() - begin)
        used = (sum(node.cpu() for node in self.engine.nodes) - cpu) / (time.monotonic() - begin)
        largest = max(sum(node.pss().values()) for node in self.engine.nodes)
        self.cost = f"engine at {rate:.0f} messages/s: {used:.0%} of a processor on all nodes, {largest >> 20} MB PSS the largest node"

    def told(self):
        """What each box says of the messages that it accepted."""
        return {(box, number): (message["state"], message.get("code")) for box in self.boxes.all for number, message in box.messages().items()}

    def settle(self):
        """Waits until every message has ended, as far as it does."""
        deadline = time.monotonic() + ENDED_S
        while time.monotonic() < deadline:
            verdict = judge(self.accepted(), self.boxes.journal.update().submits, self.told())
            if not verdict.lost and not verdict.denied:
                break
            time.sleep(1)
        self.mark("every message has ended" if not verdict.lost and not verdict.denied else f"{ENDED_S} s later not every message has ended")
        time.sleep(SETTLE_S)
        return judge(self.accepted(), self.boxes.journal.update().submits, self.told())


def table(run):
    """Lines of at most 80 columns."""
    home = {message.to: message.box for message in run.accepted()}
    own, others = collections.Counter(), collections.Counter()
    for submit in run.boxes.journal.submits:
        box = run.boxes.of_modem(submit.modem)
        (own if home.get(submit.to) is box else others)[box] += 1
    lines = [f"{'':10}{'accepted, and kept':>30}{'sent, of':>20}",
             f"{'box':10}{'cluster':>10}{'one disk':>10}{'here':>10}{'itself':>10}{'others':>10}{'epoch':>10}"]
    for client in run.clients:
        kept = collections.Counter(message.kept for message in client.accepted)
        epoch = client.box.get("/v1/cluster")["epoch"]
        lines.append(row(client.box.name, kept, own[client.box], others[client.box], epoch))
    kept = collections.Counter(message.kept for message in run.accepted())
    return [*lines, row("all", kept, sum(own.values()), sum(others.values()), "")]


def row(name, kept, own, others, epoch):
    return f"{name:10}{kept['cluster']:>10}{kept['one_disk']:>10}{kept['here']:>10}{own:>10}{others:>10}{epoch:>10}".rstrip()


def figures(run):
    """What the events cost, in sentences."""
    yield run.cost
    yield (f"{run.victim.name} killed: silent for the others after {run.silent_at - run.killed_at:.0f} s; they sent {len(run.taken_over())} of its "
           "messages until it was back")
    submits = run.boxes.journal.submits
    alive = {n for n in range(len(run.boxes.all) * MODEMS) if run.boxes.of_modem(n) is not run.victim}
    idle = longest_idle(submits, alive, run.primary_died_at, run.primary_died_at + NODE_AWAY_S)
    yield f"primary killed: another one after {run.writable_at - run.primary_died_at:.0f} s; no modem was idle for more than {idle:.1f} s meanwhile"
    there = [m for m in run.accepted() if m.box is not run.victim and m.when > run.primary_died_at]
    poor = [m.when for m in there if m.kept != "cluster"]
    rich = [m.when for m in there if m.kept == "cluster" and m.when > max(poor, default=run.primary_died_at)]
    if poor and rich:
        yield f"  {len(poor)} messages kept on one box alone; kept by the cluster again after {min(rich) - run.primary_died_at:.0f} s"
    yield run.drained


def run(engine, boxes, messages, say):
    """The exit code."""
    once = Run(engine, boxes, messages, say)
    once.drive()
    verdict = once.settle()
    refused = [refusal for client in once.clients for refusal in client.refused]
    print("\n".join([*table(once), "", *figures(once)]))
    print(f"{len(once.accepted())} accepted, {len(refused)} refusals; {len(verdict.lost)} lost, {len(verdict.twice)} sent twice, "
          f"{len(verdict.unknown)} of unknown outcome")
    faults = [f"{len(found)} messages {what}, such as {found[0]}"
              for what, found in (("lost", verdict.lost), ("sent twice", verdict.twice), ("sent, and their boxes do not say so", verdict.denied)) if found]
    faults += [f"refused: {status} {body}" for _, status, body in refused[:3]]
    for fault in faults:
        print(f"fleet-rig: {fault}", file=sys.stderr)
    return 1 if faults else 0
