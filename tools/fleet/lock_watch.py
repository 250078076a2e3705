"""How long each box waits for a lock of the engine, as the engine has it."""

import contextlib

from lab.peers.processes import ProcessError

from . import sql
from .worker import Worker

LOOK_S = 0.1
WAITS = """SELECT coalesce(string_agg(client_dn || '=' || seconds, ' '), '-') FROM (
SELECT s.client_dn, max(extract(epoch FROM clock_timestamp() - l.waitstart)) AS seconds
FROM pg_locks l JOIN pg_stat_ssl s USING (pid) WHERE NOT l.granted AND l.waitstart IS NOT NULL GROUP BY s.client_dn) w;""".replace("\n", " ")


class LockWatch(Worker):
    """`longest`: seconds, by the name of the box."""

    def __init__(self, engine):
        super().__init__()
        self.conninfo, self.longest = engine.conninfo("box", "box-3"), {}

    def work(self):
        with contextlib.closing(sql.Session(self.conninfo)) as session:
            while not self.stopped.wait(LOOK_S):
                answer = session.ask(WAITS)
                if answer is None:
                    raise ProcessError("the engine does not say who waits for a lock")
                for words in answer.split() if answer != "-" else ():
                    name, seconds = words.removeprefix("/CN=").split("=")
                    self.longest[name] = max(float(seconds), self.longest.get(name, 0.0))

    def of_others(self, box):
        return max((seconds for name, seconds in self.longest.items() if name != box.name), default=0.0)
