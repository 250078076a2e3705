"""A transaction in which a box froze: psql with the certificate of the box does what a box does, and stops before the commit."""

import os
import signal

from lab.peers.processes import ProcessError

from . import sql

SEQUENCE_BITS = 53    # of an id, below the number of its box
UNUSED = (1 << SEQUENCE_BITS) - 1
# A new message: the fence of the box, and its count. What the box does not say is NULL.
PUT = """smsrack.put_messages(p_box => {box}, p_epoch => {epoch}, p_ids => '{{{id}}}', p_alone => '{{t}}', p_stages => '{{1}}', p_grps => NULL,
p_levels => '{{3}}', p_batches => NULL, p_stickies => NULL, p_forms => NULL, p_refs => NULL, p_prints => NULL, p_recipients => NULL,
p_exempt => NULL, p_texts => NULL, p_windows => NULL, p_hours => NULL, p_days => NULL, p_clients => NULL, p_client_max => NULL,
p_pairs => NULL, p_pair_free => NULL)""".replace("\n", " ")
# An order to another box: that one's fence waits for it.
ORDER = "smsrack.set_life({box}, {epoch}, '{other}', 0)"


class OpenTransaction:
    """From `with` on; the engine ends it, or the end of `with`. `seat`: number and epoch of the box. `other`: gets an order of it."""

    def __init__(self, engine, box, seat, other=None):
        self.look = engine.conninfo("box", "box-3")
        self.session = sql.Session(engine.conninfo("box", box.name))
        values = {"box": seat[0], "epoch": seat[1], "id": (seat[0] << SEQUENCE_BITS) + UNUSED, "other": other and other.name}
        calls = ", ".join([PUT, ORDER][:2 if other else 1]).format(**values)
        self.command = f"BEGIN; SELECT 'open' FROM {calls};"

    def __enter__(self):
        self.server = self.session.ask("SELECT pg_backend_pid();")
        answer = self.session.ask(self.command)
        if answer != "open":
            self.session.close()
            raise ProcessError(f"a transaction with the fence was not begun: {answer}")
        os.kill(self.session.process.pid, signal.SIGSTOP)
        return self

    def __exit__(self, *_):
        os.kill(self.session.process.pid, signal.SIGCONT)
        self.session.close()

    def has_ended(self):
        return sql.run(self.look, f"SELECT count(*) FROM pg_stat_activity WHERE pid = {self.server}") == "0"
