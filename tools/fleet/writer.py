"""A client of the engine that writes one row after the other, and notes which were acknowledged and when."""

import time

from . import sql
from .worker import Worker

PAUSE_S = 0.1    # before it connects again


class Writer(Worker):
    def __init__(self, conninfo):
        super().__init__()
        self.conninfo = f"{conninfo}&connect_timeout=2&tcp_user_timeout=3000"
        self.acknowledged = []    # (row, moment)

    def work(self):
        session, row = None, 0
        while not self.stopped.is_set():
            session = session or sql.Session(self.conninfo)
            row += 1
            # A commit for which no standby was waited gives a warning: it is not acknowledged.
            if session.ask(f"INSERT INTO trial VALUES ({row}) RETURNING n;") == str(row):
                self.acknowledged.append((row, time.monotonic()))
            else:
                session.close()
                session = None
                self.stopped.wait(PAUSE_S)
        if session:
            session.close()

    def wrote_after(self, moment):
        return bool(self.acknowledged) and self.acknowledged[-1][1] > moment

    def longest_pause(self, moment):
        """Seconds between two acknowledged rows, from the last one before that moment on."""
        times = [when for _, when in self.acknowledged]
        return max((b - a for a, b in zip(times, times[1:]) if b > moment), default=0)
