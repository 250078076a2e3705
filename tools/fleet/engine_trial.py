"""What the engine promises alone: the loss of its primary, of the power, a standby that fell behind. No acknowledged row may be missing."""

import signal
import subprocess
import sys
import time

from lab.peers.processes import ProcessError

from . import sql
from .engine import OWNER
from .node import kill_all, wait_gone
from .node_after_cut import BIN
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
        there = set(map(int, sql.run(self.owner, "SELECT n FROM trial ORDER BY n").split()))
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
            whole = self._seconds_until_whole(struck)
        pause, lost = writer.longest_pause(begin), self.lost(writer)
        self.note(name, f"no commit for {pause:.1f} s, whole after {whole}; {lost} of {len(writer.acknowledged)} rows lost")
        self.expect(pause <= bound, f"{name}: no commit for {pause:.1f} s")
        self.expect(lost == 0, f"{name}: {lost} acknowledged rows are lost")

    def _seconds_until_whole(self, moment):
        """One that does not become whole may have lost rows, which are counted all the same."""
        try:
            self.engine.wait("the whole engine", self.engine.is_whole, WHOLE_S)
        except ProcessError as problem:
            self.faults.append(str(problem))
            return "never"
        return f"{time.monotonic() - moment:.0f} s"

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

    def replace_primary(self):
        """Its machine is lost with the disk; another one gets its name and address."""
        node = self.engine.primary()
        node.wipe()
        return lambda: self._join_etcd(node)

    def _join_etcd(self, node):
        """What `etcdctl member remove` and `member add` do."""
        other = next(other for other in self.engine.nodes if other is not node)
        members = other.ask_etcd("/cluster/member/list")["members"]
        left = next(member for member in members if member.get("name") == node.name)
        other.ask_etcd("/cluster/member/remove", ID=left["ID"])
        other.ask_etcd("/cluster/member/add", peerURLs=left["peerURLs"])
        node.start()

    def restore(self):
        """A backup of a while ago becomes the engine, as docs/fleet.md says. What was committed since is gone, and no more; a person has added a row."""
        sql.run(self.owner, "DROP TABLE IF EXISTS trial; CREATE TABLE trial (n bigint PRIMARY KEY); INSERT INTO trial VALUES (1)")
        self.engine.wait("the whole engine", self.engine.is_whole, WHOLE_S)
        node = self.engine.nodes[0]
        backup = node.folder / "backup"
        standby = next(other for other in self.engine.nodes if other is not self.engine.primary())
        self._as_engine("pg_basebackup", "-h", standby.socket, "-p", standby.postgres_port, "-U", "replicator", "-c", "fast", "-D", backup)
        sql.run(self.owner, "INSERT INTO trial VALUES (2)")
        began = time.monotonic()
        for other in self.engine.nodes:
            other.kill_patroni()
            self._as_engine("rm", "-r", other.data)
        self.engine.wait("the lock of the primary to end", lambda: "Leader" not in self._patronictl(node, "list"))
        self._patronictl(node, "remove", "smsrack", typed="smsrack\nYes I am aware\n")
        self._as_engine("mv", backup, node.data)
        self._as_engine("rm", "-f", node.data / "standby.signal")
        # As a person closes it there, before anyone can connect.
        self._as_engine(BIN / "postgres", "--single", "-c", "synchronous_standby_names=", "-D", node.data, "smsrack", typed="INSERT INTO trial VALUES (3)\n")
        node.start()
        self.engine.wait("the primary", self.engine.primary)
        self._start_all()
        self.engine.wait("the whole engine", self.engine.is_whole, WHOLE_S)
        self.note("restored from a backup", f"whole after {time.monotonic() - began:.0f} s")
        found = sql.run(self.owner, "SELECT n FROM trial ORDER BY n").split()
        self.expect(found == ["1", "3"], f"the engine that was restored has the rows {found}")

    def _as_engine(self, *words, typed=""):
        subprocess.run([str(word) for word in words], input=typed, check=True, capture_output=True, text=True, cwd="/", **self.engine.account.rights())

    def _patronictl(self, node, *words, typed=""):
        done = subprocess.run(["patronictl", "-c", node.folder / "patroni.yml", *words], input=typed, capture_output=True, text=True, check=True, cwd="/",
                              **self.engine.account.rights())
        return done.stdout

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
    trial.strike("machine of the primary replaced", trial.replace_primary)
    trial.fall_behind()
    trial.restore()
    width = max(len(name) for name, _ in trial.rows)
    for name, figure in trial.rows:
        print(f"{name:{width}}  {figure}")
    for fault in trial.faults:
        print(f"fleet-rig: {fault}", file=sys.stderr)
    return 1 if trial.faults else 0
