"""What the service does while its disk is recorded, and what it acknowledged: each fact with the size of the record when it was known.

A fact that was known when the record had n octets must be found on every disk that is cut at n or later.
"""

import dataclasses
import json
import pathlib
import threading
import time

from lab.peers.gateway import Context, configuration
from lab.peers.simulator import Simulator
from lab.peers.smsrack import Smsrack, UnixConnection

MODEMS = 8
CLIENTS = 4
SERVICE_MS = 30
LOOK_S = 0.002
LIMIT_S = 600


@dataclasses.dataclass(frozen=True)
class Fact:
    """kind: "accepted" (202, of message `what`), "sent" (the network has the message to number `what`), "received" (a client had the event of the
    message whose text is `what`)."""
    kind: str
    what: str
    size: int


class Facts:
    def __init__(self, size):
        self.size, self.all, self.lock = size, [], threading.Lock()

    def known(self, kind, what):
        size = self.size()  # after it happened: never too early
        with self.lock:
            self.all.append(Fact(kind, str(what), size))

    def count(self, kind):
        with self.lock:
            return sum(fact.kind == kind for fact in self.all)

    def write(self, path):
        with self.lock:
            pathlib.Path(path).write_text("".join(json.dumps(dataclasses.asdict(fact)) + "\n" for fact in self.all))


def read_facts(path):
    return [Fact(**json.loads(line)) for line in pathlib.Path(path).read_text().splitlines()]


class OnDisk(Smsrack):
    """smsrackd whose state is on the recorded disk."""

    def __init__(self, context, state):
        self.state = state
        super().__init__(context)

    def prepare(self):
        self.socket, self.connection, self.events, self.rest = self.folder / "smsrack.sock", None, None, b""
        self.state.mkdir()
        text = configuration(self.conf, self.context.ports, folder=self.folder)
        (self.folder / "smsrack.toml").write_text(text.replace(str(self.folder / "state"), str(self.state)))


def hand_in(rack, numbers, facts, failed):
    """A program of its own: each message when the one before was accepted."""
    connection = UnixConnection(rack.socket)
    try:
        for number in numbers:
            connection.request("POST", "/v1/messages", json.dumps({"to": f"+336{number:08}", "text": f"Message {number} of many"}))
            answer = connection.getresponse()
            body = json.loads(answer.read())
            if answer.status != 202:
                raise RuntimeError(f"refused: {answer.status} {body}")
            facts.known("accepted", f"+336{number:08}")
    except (OSError, RuntimeError, ValueError) as problem:
        failed.append(problem)
    finally:
        connection.close()


class Watch(threading.Thread):
    """Notes what the network has, and what clients heard."""

    def __init__(self, rack, modems, facts):
        super().__init__(daemon=True)
        self.rack, self.modems, self.facts, self.ended = rack, modems, facts, threading.Event()

    def run(self):
        sent, heard = 0, set()
        while not self.ended.wait(LOOK_S):
            submits = self.modems.journal.update().submits
            for submit in submits[sent:]:
                self.facts.known("sent", submit.to)
            sent = len(submits)
            for number in sorted(set(self.rack.heard) - heard):
                self.facts.known("received", number)
                heard.add(number)


def receive(modems, count, failed):
    try:
        for number in range(count):
            modems.order(do="inbound", modem=number % MODEMS, **{"from": f"+337{number:08}", "text": f"Reply {number}: yes"})
            time.sleep(0.03)
    except (OSError, RuntimeError) as problem:
        failed.append(problem)


def wait(rack, condition, what):
    deadline = time.monotonic() + LIMIT_S
    while not condition():
        rack.check_alive()
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not done after {LIMIT_S} s")
        time.sleep(0.05)


def do(programs, folder, disk, state, messages):
    """This many messages out and a quarter as many in, while the disk is recorded. The facts."""
    facts, failed = Facts(disk.size), []
    modems = Simulator(programs, folder / "modems", MODEMS, SERVICE_MS)
    modems.start()
    rack = None
    try:
        rack = OnDisk(Context(programs=programs, folder=folder / "smsrack", ports=modems.ports), state)
        rack.start()
        rack.listen()
        watch = Watch(rack, modems, facts)
        watch.start()
        workers = [threading.Thread(target=hand_in, args=(rack, range(first, messages, CLIENTS), facts, failed)) for first in range(CLIENTS)]
        workers.append(threading.Thread(target=receive, args=(modems, messages // 4, failed)))
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        if failed:
            raise RuntimeError(f"the work went wrong: {failed[0]}")
        wait(rack, lambda: facts.count("sent") >= messages and facts.count("received") >= messages // 4, "sending and receiving")
        watch.ended.set()
        watch.join()
    finally:
        if rack is not None:
            rack.stop()
        modems.stop()
    return facts
