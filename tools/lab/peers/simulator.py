"""smsrack-sim in a folder of its own: the modems, the network behind them, and its journal."""

import json
import pathlib
import socket
import time

from .journal import Journal
from .processes import Program

START_S = 20

# The same for every gateway. gammu waits for an OK after +CPIN, and for no restart after AT+CFUN=1; the others don't mind.
FLAGS = ("--cpin-ok", "--cfun1-keeps", "--report-ms", "-1", "--service-dist", "fixed", "--seed", "1")


class Simulator:
    def __init__(self, programs, folder, modems, service_ms, baud=115200):
        self.folder, self.modems, self.program = pathlib.Path(folder), modems, None
        self.ports = [self.folder / f"modem{n}" for n in range(modems)]
        self.control, log = self.folder / "control.sock", self.folder / "network.jsonl"
        self.words = [programs / "smsrack-sim", "--modems", modems, "--dir", self.folder, "--service-ms", service_ms,
                      "--baud", baud, "--log", log, "--control", self.control, *FLAGS]
        self.journal = Journal(log)

    def start(self):
        self.folder.mkdir(parents=True)
        self.program = Program(self.words, self.folder / "smsrack-sim.log")
        deadline = time.monotonic() + START_S
        while not (self.control.exists() and all(p.exists() for p in self.ports)):
            self.program.check_alive()
            if time.monotonic() > deadline:
                raise TimeoutError(f"smsrack-sim is not ready after {START_S} s; its log: {self.program.log}")
            time.sleep(0.02)

    def order(self, **words):
        """One line to the control socket (docs/smsrack-sim.md, "The control socket")."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as control:
            control.settimeout(10)
            control.connect(str(self.control))
            control.sendall(json.dumps(words).encode() + b"\n")
            answer = json.loads(control.makefile().readline() or "{}")
        if not answer.get("ok"):
            raise RuntimeError(f"smsrack-sim refuses {words['do']}: {answer.get('error', 'no answer')}")

    def stop(self):
        if self.program is not None:
            self.program.stop()
