"""How long each box waits for a lock of the engine, as the engine has it."""

import threading
import time

from . import sql

LOOK_S = 0.1
WAITS = """SELECT coalesce(string_agg(client_dn || '=' || seconds, ' '), '-') FROM (
SELECT s.client_dn, max(extract(epoch FROM clock_timestamp() - l.waitstart)) AS seconds
FROM pg_locks l JOIN pg_stat_ssl s USING (pid) WHERE NOT l.granted AND l.waitstart IS NOT NULL GROUP BY s.client_dn) w;""".replace("\n", " ")


class LockWatch:
    """Looks from `with` to its end. `longest`: seconds, by the name of the box."""

    def __init__(self, engine):
        self.conninfo, self.longest, self.looks = engine.conninfo("box", "box-3"), {}, 0
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        self.thread.join()

    def _look(self):
        session = sql.Session(self.conninfo)
        while not self.stopped.wait(LOOK_S):
            answer = session.ask(WAITS)
            if answer is None:
                break
            self.looks += 1
            for words in answer.split() if answer != "-" else ():
                name, seconds = words.removeprefix("/CN=").split("=")
                self.longest[name] = max(float(seconds), self.longest.get(name, 0.0))
        session.close()

    def of_others(self, box):
        return max((seconds for name, seconds in self.longest.items() if name != box.name), default=0.0)
