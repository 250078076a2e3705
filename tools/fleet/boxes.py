"""The boxes of a fleet, and the one network that their simulated modems send into. Started on entry, ended on exit."""

import collections
import pathlib
import time

from lab.peers.journal import Journal
from lab.peers.processes import ProcessError, Program

from .box import Box
from .engine import BOXES, OWNER

MODEMS = 8          # of each box
SERVICE_MS = 500    # of a submit, on average
READY_S = 60
SETTLE_S = 3        # a second copy would be seen by then


def modem_rack(programs, folder, modems, service, journal):
    """smsrack-sim with its ports in the folder. `service`: exp or fixed."""
    return Program([programs / "smsrack-sim", "--modems", modems, "--dir", folder, "--service-ms", SERVICE_MS, "--service-dist", service,
                    "--report-ms", 500, "--seed", 1, "--log", journal.path, "--control", folder / "control.sock"], folder / "smsrack-sim.log")


class Boxes:
    """`more`: tables of the configuration of each box. `service`: how the service time of the modems is distributed."""

    def __init__(self, folder, engine, programs, say, more="", service="exp"):
        self.folder, self.engine, self.programs, self.say, self.more = pathlib.Path(folder), engine, programs, say, more
        self.service = service
        self.modems = self.folder / "modems"
        self.journal = self.network = None
        self.all = [Box(self.folder / name, name, programs, [self.modems / f"modem{n}" for n in range(i * MODEMS, (i + 1) * MODEMS)])
                    for i, name in enumerate(BOXES)]

    def __enter__(self):
        try:
            self.start_network("network")
            self._join()
            self.say(f"{len(self.all)} boxes with {MODEMS} modems each")
            self.start()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        for box in self.all:
            box.kill()
        if self.network:
            self.network.kill()
            self.network = None

    def start(self):
        for box in self.all:
            box.start()
        self.wait("the boxes", lambda: all(box.is_ready() for box in self.all), READY_S)
        self.wait("the modems", lambda: all(modem["link"] == "active" for box in self.all for modem in box.get("/v1/modems")["modems"]), READY_S)

    def restart(self, cluster="", more=""):
        """With further lines of [cluster], and further tables."""
        for box in self.all:
            box.stop()
            box.configure(self.engine.conninfo("box", box.name), cluster, self.more + more)
        self.start()

    def start_network(self, journal):
        """One simulator for all, so that no SIM is in two boxes. `journal`: the name of a new one."""
        self.modems.mkdir(exist_ok=True)
        self.journal = Journal(self.modems / f"{journal}.jsonl")
        self.network = modem_rack(self.programs, self.modems, MODEMS * len(self.all), self.service, self.journal)
        self.wait("the simulated modems", lambda: all(port.exists() for box in self.all for port in box.ports), READY_S)

    def _join(self):
        self.say("the boxes join; the first makes the schema")
        owner = self.engine.conninfo(OWNER, OWNER)
        for box in self.all:
            box.prepare(self.engine.conninfo("box", box.name), self.more)
            box.join(owner if box is self.all[0] else None)

    def of_modem(self, modem):
        """The box that has it."""
        return self.all[modem // MODEMS]

    def sent_times(self, numbers, count, seconds):
        """How often the network got a message to each number, when it got `count` in all and a while is over; `seconds` at most."""
        deadline = time.monotonic() + seconds
        while True:
            sent = collections.Counter(submit.to for submit in self.journal.update().submits)
            times = {number: sent[number] for number in numbers}
            if sum(times.values()) >= count:
                deadline = min(deadline, time.monotonic() + SETTLE_S)
                count = float("inf")
            if time.monotonic() > deadline:
                return times
            time.sleep(0.2)

    def wait(self, what, condition, seconds):
        deadline = time.monotonic() + seconds
        while not condition():
            self.network.check_alive()
            for box in self.all:
                box.check_alive()
            if time.monotonic() > deadline:
                raise ProcessError(f"{what}: not there after {seconds} s; logs: {self.folder}/box-*/smsrackd.log")
            time.sleep(0.1)
