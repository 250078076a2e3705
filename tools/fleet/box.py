"""One box: smsrackd with its modems, its configuration and its state in a folder of its own."""

import json
import os
import pathlib
import signal
import subprocess

from lab.peers import processes
from lab.peers.processes import ProcessError, Program
from lab.peers.smsrack import UnixConnection

from . import recipe

TEMPLATE = pathlib.Path(__file__).resolve().with_name("box.toml")
COMMAND_S = 120


class Box:
    """`ports`: of its modems."""

    def __init__(self, folder, name, programs, ports):
        self.folder, self.name, self.programs, self.ports = pathlib.Path(folder), name, programs, ports
        self.socket, self.config = self.folder / "smsrack.sock", self.folder / "smsrack.toml"
        self.program = None

    def prepare(self, engine, more=""):
        (self.folder / "state").mkdir(parents=True, mode=0o700)
        self.configure(engine, more=more)

    def configure(self, engine, cluster="", more=""):
        """`cluster`: further lines of [cluster]; `more`: further tables."""
        self.config.write_text(recipe.filled(TEMPLATE, folder=self.folder, name=self.name, engine=engine) + cluster + more + self.modem_tables())

    def modem_tables(self):
        return "".join(f'\n[[modem]]\nname = "m{n}"\nport = "{port}"\n' for n, port in enumerate(self.ports))

    def join(self, owner=None):
        """With `owner` it makes the engine's schema first."""
        self.said_by("cluster", "join", "--config", self.config, *(["--owner", owner] if owner else []))

    def start(self):
        self.program = Program([self.programs / "smsrackd", "--config", self.config], self.folder / "smsrackd.log", folder=self.folder)

    def is_ready(self):
        try:
            return self.request("GET", "/readyz")[0] == 200
        except OSError:
            return False

    def kill(self):
        """kill -9. Its modems stay, as modems do."""
        if self.program is not None:
            self.program.kill()
            self.program = None

    def signal(self, number):
        """SIGSTOP and SIGCONT: its machine is paused. Its modems are not."""
        for stat in processes.members(self.program.session):
            os.kill(stat.pid, number)

    def upgrade(self):
        """To the same binary; the process changes, and with it nothing that a client sees."""
        before = self.process()
        self.said_by("--socket", self.socket, "upgrade", self.programs / "smsrackd")
        return self.process() != before

    def process(self):
        """The process of the service, which is another one after an upgrade; None: it does not run."""
        return next((stat.pid for stat in processes.members(self.program.session)), None) if self.program else None

    def check_alive(self):
        if self.program is not None and self.process() is None:
            raise ProcessError(f"{self.name} has ended; its log: {self.program.log}")

    def said_by(self, *words):
        done = subprocess.run([self.programs / "smsrack", *words], capture_output=True, text=True, check=False, timeout=COMMAND_S)
        if done.returncode != 0:
            raise ProcessError(f"smsrack {' '.join(map(str, words[:2]))} of {self.name} ended with code {done.returncode}: "
                               f"{(done.stderr or done.stdout).strip()}")
        return done.stdout

    def request(self, method, target, body=None):
        client = UnixConnection(self.socket)
        try:
            client.request(method, target, body)
            answer = client.getresponse()
            return answer.status, answer.read()
        finally:
            client.close()

    def get(self, target):
        status, body = self.request("GET", target)
        if status != 200:
            raise ProcessError(f"{self.name}: GET {target}: {status} {body[:200]!r}")
        return json.loads(body)

    def messages(self):
        """What it says of each message that it knows, by id."""
        found, cursor = {}, None
        while True:
            page = self.get(f"/v1/messages?limit=1000{f'&cursor={cursor}' if cursor else ''}")
            found.update((message["id"], message) for message in page["messages"])
            cursor = page.get("next")
            if cursor is None:
                return found

    def stop(self):
        """As its service would be stopped; it finishes what its modems send."""
        pid = self.process()
        if pid:
            os.kill(pid, signal.SIGTERM)
            self.program.stop()
        self.program = None
