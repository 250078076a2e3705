"""A box without [cluster], with modems like those of a box of the fleet. Started on entry, ended on exit."""

import time

from lab.peers.journal import Journal
from lab.peers.processes import ProcessError

from . import recipe
from .box import Box
from .boxes import MODEMS, READY_S, modem_rack

TEMPLATE = recipe.RECIPE.parent / "single_box.toml"


class SingleBox(Box):
    """`more`: tables of its configuration. `service`: how the service time of its modems is distributed."""

    def __init__(self, folder, programs, more, service):
        self.rack, self.more, self.service = folder / "modems", more, service
        super().__init__(folder, folder.name, programs, [self.rack / f"modem{n}" for n in range(MODEMS)])
        self.journal, self.network = Journal(self.rack / "network.jsonl"), None

    def __enter__(self):
        try:
            self.prepare()
            self.rack.mkdir()
            self.network = modem_rack(self.programs, self.rack, MODEMS, self.service, self.journal)
            self.wait("the simulated modems", lambda: all(port.exists() for port in self.ports), READY_S)
            self.start()
            self.wait("the box", self.is_ready, READY_S)
            self.wait("its modems", lambda: all(modem["link"] == "active" for modem in self.get("/v1/modems")["modems"]), READY_S)
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        self.kill()
        if self.network:
            self.network.kill()

    def prepare(self):
        (self.folder / "state").mkdir(parents=True, mode=0o700)
        self.config.write_text(recipe.filled(TEMPLATE, folder=self.folder) + self.more + self.modem_tables())

    def wait(self, what, condition, seconds):
        deadline = time.monotonic() + seconds
        while not condition():
            self.network.check_alive()
            self.check_alive()
            if time.monotonic() > deadline:
                raise ProcessError(f"{what}: not there after {seconds} s; log: {self.folder}/smsrackd.log")
            time.sleep(0.1)
