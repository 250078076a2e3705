"""gammu-smsd: one daemon for each modem. As its manual recommends for several modems they share a database; tuned, each has its folders."""

import contextlib
import sqlite3

from .gateway import Gateway, configuration, new_files

SCHEMA = "/usr/share/doc/gammu-smsd/examples/sqlite.sql"
INSERT = "INSERT INTO outbox (DestinationNumber, TextDecoded, CreatorID, Coding) VALUES (?, ?, 'bench-peers', 'Default_No_Compression')"
BUSY_S = 60


class Gammu(Gateway):
    name = "gammu"
    package = "gammu-smsd"
    conf = "gammu-manual.conf"

    def prepare(self):
        self.known = 0
        for number, port in enumerate(self.context.ports):
            # Its files know nothing of several modems: each has its own.
            (self.folder / f"smsdrc{number}").write_text(configuration(self.conf, [], folder=self.folder, number=number, port=port))
        with open(SCHEMA, encoding="utf-8") as schema, contextlib.closing(self._database()) as database:
            database.executescript(schema.read())

    def commands(self):
        return [(["/usr/bin/gammu-smsd", "-c", self.folder / f"smsdrc{n}"], {"LC_ALL": "C.UTF-8"}) for n in range(len(self.context.ports))]

    def hand_in(self, messages):
        """By SQL, as gammu-smsd-tables(7) says under "Injecting a message using SQL": a commit for each."""
        with contextlib.closing(self._database()) as database:
            for message in messages:
                database.execute(INSERT, message)

    def hand_in_many(self, messages):
        with contextlib.closing(self._database()) as database:
            database.execute("BEGIN")
            database.executemany(INSERT, messages)
            database.execute("COMMIT")

    def look_for_received(self):
        with contextlib.closing(self._database()) as database:
            rows = database.execute("SELECT ID, TextDecoded FROM inbox WHERE ID > ? ORDER BY ID", (self.known,)).fetchall()
        if rows:
            self.known = rows[-1][0]
        return [text for _, text in rows]

    def _database(self):
        return sqlite3.connect(self.folder / "smsd.db", timeout=BUSY_S, isolation_level=None)


class GammuTuned(Gateway):
    """Folders of its own for each daemon ("FILES backend"): no database to wait for. Messages are dealt out in turn."""

    name = "gammu-tuned"
    package = "gammu-smsd"
    conf = "gammu-tuned.conf"

    def prepare(self):
        self.serial, self.known = 0, set()
        for number, port in enumerate(self.context.ports):
            for name in ("inbox", "outbox", "sent", "error"):
                (self.folder / str(number) / name).mkdir(parents=True)
            (self.folder / f"smsdrc{number}").write_text(configuration(self.conf, [], folder=self.folder, number=number, port=port))

    def commands(self):
        return [(["/usr/bin/gammu-smsd", "-c", self.folder / f"smsdrc{n}"], {"LC_ALL": "C.UTF-8"}) for n in range(len(self.context.ports))]

    def hand_in(self, messages):
        """Named as gammu-smsd-files(7) says, and moved in whole."""
        for to, text in messages:
            outbox = self.folder / str(self.serial % len(self.context.ports)) / "outbox"
            self.serial += 1
            file = self.folder / "message"
            file.write_text(text)
            file.rename(outbox / f"OUTC20260101_000000_{self.serial:07d}_{to}_x.txt")

    def look_for_received(self):
        texts = []
        for number in range(len(self.context.ports)):
            texts += new_files(self.folder / str(number) / "inbox", self.known)
        return texts
