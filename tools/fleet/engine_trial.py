"""What the engine promises alone: the loss of its primary, of the power, a standby that fell behind. No acknowledged row may be missing."""

import signal
import sys
import time

from . import sql
from .engine import OWNER
from .node import kill_all, wait_gone
from .writer import Writer

SETTLE_S = 2            # of writing, before something happens
AWAY_S = 20             # etcd, twice the ttl of the recipe
STRUCK_S = 1            # a row that was under way when it happened is behind us then
CHANGE_S = 30           # a primary must take commits again
POWER_S = 60            # the same, where all three start
WHOLE_S = 120           # all three follow again
IDLE_PSS = 120 << 20    # octets of a node
# What a promise depends on, as the engine itself has it.
SETTINGS = {"synchronous_commit": "on", "fsync": "on", "full_page_writes": "on", "data_checksums": "on", "ssl": "on"}
BELOW_LEASE_MS = ("idle_in_transaction_session_timeout", "lock_timeout", "tcp_user_timeout", "wal_sender_timeout")
LEASE_MS = 15000


class Trial:
    def __init__(self, engine, say):
        self.engine, self.say, self.faults, self.rows = engine, say, [], []
        self.owner = engine.conninfo(OWNER, OWNER)

    def expect(self, good, what):
        if not good:
            self.faults.append(what)

    def note(self, name, figure):
        self.rows.append((name, figure))
        self.say(f"{name}: {figure}")

    def memory_idle(self):
        time.sleep(5)
        for node in self.engine.nodes:
            parts = node.pss()
            total = sum(parts.values())
            self.note(f"memory of {node.name}, idle", f"{total >> 20} MB PSS ({', '.join(f'{name} {octets >> 20}' for name, octets in parts.items())})")
            self.expect(total <= IDLE_PSS, f"{node.name} uses {total >> 20} MB while it is idle")

    def settings(self):
        primary = self.engine.local(self.engine.primary())
        for name, wanted in SETTINGS.items():
            value = sql.run(primary, f"SHOW {name}", account=self.engine.account)
            self.expect(value == wanted, f"{name} is {value}, not {wanted}")
        for name in BELOW_LEASE_MS:
            # Over TCP: on a local socket the server has no tcp_user_timeout.
            value = int(sql.run(self.owner, f"SELECT setting FROM pg_settings WHERE name = '{name}'"))
            self.expect(0 < value < LEASE_MS, f"{name} is {value} ms, and a lease {LEASE_MS}")
        keep = sql.run(primary, "SHOW max_slot_wal_keep_size", account=self.engine.account)
        self.expect(keep != "-1", "max_slot_wal_keep_size is not set")
        config = self.engine.nodes[0].ask("/config")
        for name in ("synchronous_mode", "synchronous_mode_strict", "failsafe_mode"):
            self.expect(config.get(name) is True, f"Patroni's {name} is not on")

    def lost(self, writer):
        """How many acknowledged rows are not there."""
        self.engine.wait("a primary", self.engine.primary)
        there = set(map(int, sql.run(self.owner, "SELECT n FROM trial").split()))
        return sum(row not in there for row, _ in writer.acknowledged)

    def strike(self, name, blow, bound=CHANGE_S):
        """Writes, lets `blow` happen, and waits until a row is acknowledged again. `blow` may return what to do after that."""
        sql.run(self.owner, "DROP TABLE IF EXISTS trial; CREATE TABLE trial (n bigint PRIMARY KEY)")
        with Writer(self.owner) as writer:
            self.engine.wait("the first row", lambda: writer.acknowledged)
            time.sleep(SETTLE_S)
            begin = time.monotonic()
            after = blow()
            struck = time.monotonic()
            self.engine.wait("a row after it", lambda: writer.wrote_after(struck + STRUCK_S))
            if after:
                after()
            self.engine.wait("the whole engine", self.engine.is_whole, WHOLE_S)
            whole = time.monotonic() - struck
        pause, lost = writer.longest_pause(begin), self.lost(writer)
        self.note(name, f"no commit for {pause:.1f} s, whole after {whole:.0f} s; {lost} of {len(writer.acknowledged)} rows lost")
        self.expect(pause <= bound, f"{name}: no commit for {pause:.1f} s")
        self.expect(lost == 0, f"{name}: {lost} acknowledged rows are lost")

    def kill_primary(self):
        node = self.engine.primary()
        node.kill()
        return node.start

    def kill_servers_of_primary(self):
        servers = self.engine.primary().servers()
        kill_all(servers)
        wait_gone(servers)

    def freeze_primary(self):
        """It wakes up and believes that it is the primary, while another one is."""
        node = self.engine.primary()
        node.signal_all(signal.SIGSTOP)
        return lambda: (time.sleep(SETTLE_S), node.signal_all(signal.SIGCONT))

    def kill_etcd(self):
        """Everywhere, for longer than the lock of the primary holds without it."""
        for node in self.engine.nodes:
            node.kill_etcd()
        time.sleep(AWAY_S)
        return self._start_all

    def _start_all(self):
        for node in self.engine.nodes:
            node.start()

    def kill_standby(self):
        members = self.engine.members()
        node = next(n for n in self.engine.nodes if members[n.name]["role"] == "sync_standby")
        node.kill()
        return node.start

    def cut_power(self):
        for node in self.engine.nodes:
            node.kill()
        self._start_all()

    def move_primary(self):
        node, members = self.engine.primary(), self.engine.members()
        target = next(name for name, member in members.items() if member["role"] == "sync_standby")
        node.ask("/switchover", "POST", {"leader": node.name, "candidate": target})

    def fall_behind(self):
        """A standby that comes back after its log has gone is copied again, by rebuild_standby."""
        members = self.engine.members()
        away = next(n for n in self.engine.nodes if members[n.name]["role"] == "replica")
        self._keep_log("32MB")
        away.kill()
        self.engine.wait("the place of the standby given up", lambda: away.name not in self.engine.members())
        for _ in range(8):
            sql.run(self.owner, "CREATE TABLE filler AS SELECT repeat('x', 1000) FROM generate_series(1, 20000); DROP TABLE filler")
        primary = self.engine.primary()
        sql.run(self.engine.local(primary), "CHECKPOINT", account=self.engine.account)
        away.start()
        self.engine.wait("the standby to run", lambda: self.engine.members().get(away.name, {}).get("state") == "running")
        began = time.monotonic()
        self.engine.wait("a standby that needs its copy", lambda: away.name in self.engine.tend())
        self.engine.wait("the standby copied again", self.engine.is_whole, WHOLE_S)
        self.note("standby that fell behind", f"copied again {time.monotonic() - began:.0f} s after it ran")
        self._keep_log("256MB")

    def _keep_log(self, size):
        parameters = {"wal_keep_size": size, "max_slot_wal_keep_size": "1GB" if size == "256MB" else size}
        self.engine.nodes[0].ask("/config", "PATCH", {"postgresql": {"parameters": parameters}})
        self.engine.wait("the setting", lambda: sql.run(self.engine.local(self.engine.primary()), "SHOW wal_keep_size", account=self.engine.account) == size)


def run(engine, say):
    """The exit code."""
    trial = Trial(engine, say)
    trial.memory_idle()
    trial.settings()
    trial.strike("machine of the primary killed", trial.kill_primary)
    trial.strike("machine of the primary frozen, and woken", trial.freeze_primary)
    trial.strike("etcd away for 20 s", trial.kill_etcd)
    trial.strike("PostgreSQL of the primary killed", trial.kill_servers_of_primary)
    trial.strike("machine of the synchronous standby killed", trial.kill_standby)
    trial.strike("primary moved by the operator", trial.move_primary)
    trial.strike("all three killed at once", trial.cut_power, bound=POWER_S)
    trial.fall_behind()
    width = max(len(name) for name, _ in trial.rows)
    for name, figure in trial.rows:
        print(f"{name:{width}}  {figure}")
    for fault in trial.faults:
        print(f"fleet-rig: {fault}", file=sys.stderr)
    return 1 if trial.faults else 0
