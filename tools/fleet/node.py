"""One machine of the engine: etcd, Patroni and the PostgreSQL that Patroni runs, in a folder of their own."""

import http.client
import json
import os
import pathlib
import shutil
import signal
import ssl
import time

from lab.peers import processes
from lab.peers.processes import ProcessError, Program

from . import guard, recipe

ADDRESS = "127.0.0.1"
KILL_S = 10
ASK_S = 3


class Node:
    """`places`: what the templates want besides what is the node's own."""

    def __init__(self, folder, number, account, ports):
        self.folder, self.number, self.account = pathlib.Path(folder), number, account
        self.name = f"engine-{number}"
        self.etcd_port, self.etcd_peer_port, self.api_port, self.postgres_port = ports
        self.data, self.pki, self.socket = self.folder / "data", self.folder / "pki", self.folder / "run"
        self.etcd = self.patroni = None

    def prepare(self, authority, values):
        """Folders, certificate and configuration. `authority`: where the certificates are made."""
        for path in (self.folder, self.pki, self.socket, self.folder / "etcd"):
            path.mkdir(mode=0o700)
        recipe.make_certificate(authority, self.name, ADDRESS, "localhost")
        for file in ("ca.pem", f"{self.name}.pem", f"{self.name}.key"):
            (self.pki / file).write_bytes((authority / file).read_bytes())
            (self.pki / file).chmod(0o600)
        own = {"name": self.name, "address": ADDRESS, "account": self.account.name, "pki": self.pki, "passes": self.folder, "data_folder": self.data,
               "socket_folder": self.socket, "etcd_folder": self.folder / "etcd", "etcd_port": self.etcd_port, "etcd_peer_port": self.etcd_peer_port,
               "api_port": self.api_port, "postgres_port": self.postgres_port, **values}
        for file in ("etcd.env", "patroni.yml"):
            (self.folder / file).write_text(recipe.filled(file, **own))
        self.account.own(self.folder)

    def start(self):
        """What is not running of it."""
        if self.etcd is None:
            self.etcd = self._program("etcd", ["/usr/bin/etcd"], recipe.environment((self.folder / "etcd.env").read_text()))
        if self.patroni is None:
            self.patroni = self._program("patroni", ["/usr/bin/patroni", self.folder / "patroni.yml"])

    def _program(self, name, words, environment=None):
        rights = (self.account.uid, self.account.gid) if os.geteuid() == 0 else None
        return Program(words, self.folder / f"{name}.log", {"HOME": str(self.folder), **(environment or {})}, account=rights, folder=self.folder)

    def check_alive(self):
        for program in (self.etcd, self.patroni):
            if program is not None:
                program.check_alive()

    def servers(self):
        """The processes of PostgreSQL: the postmaster first."""
        first = guard.postmaster(self.data)
        return [first, *(stat.pid for stat in processes.children_of(first))] if first else []

    def kill(self):
        """As a machine without power, but for what the kernel has of its files: kill -9 of every process at once."""
        servers = self.servers()
        for program in filter(None, (self.patroni, self.etcd)):
            os.kill(program.process.pid, signal.SIGKILL)
        kill_all(servers)
        for program in filter(None, (self.patroni, self.etcd)):
            program.kill()
        kill_all(self.servers())    # one that Patroni started meanwhile
        wait_gone(servers)
        self.patroni = self.etcd = None

    def signal_all(self, number):
        """SIGSTOP and SIGCONT: as a virtual machine that its host pauses."""
        own = [stat.pid for program in (self.patroni, self.etcd) for stat in processes.members(program.session)]
        for pid in (*own, *self.servers()):
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue

    def kill_patroni(self):
        """With the servers that it runs."""
        self.patroni.kill()
        servers = self.servers()
        kill_all(servers)
        wait_gone(servers)
        self.patroni = None

    def kill_etcd(self):
        self.etcd.kill()
        self.etcd = None

    def pss(self):
        """Octets of memory, by program. What processes share counts in part for each."""
        return {"etcd": self.etcd.pss(), "patroni": self.patroni.pss(), "postgres": sum(pss_of(pid) for pid in self.servers())}

    def cpu(self):
        """Seconds of the processor, of what runs now and what it has waited for."""
        servers = self.servers()
        return self.etcd.cpu() + self.patroni.cpu() + sum(stat.cpu for stat in processes.all_processes() if stat.pid in servers)

    def ask(self, target, method="GET", body=None):
        """Patroni's answer, or None where it gives none."""
        return self._ask(self.api_port, method, target, body)

    def ask_etcd(self, target, **values):
        return self._ask(self.etcd_port, "POST", f"/v3{target}", values)

    def _ask(self, port, method, target, body):
        trust = ssl.create_default_context(cafile=self.pki / "ca.pem")
        trust.load_cert_chain(self.pki / f"{self.name}.pem", self.pki / f"{self.name}.key")
        client = http.client.HTTPSConnection(ADDRESS, port, timeout=ASK_S, context=trust)
        try:
            client.request(method, target, None if body is None else json.dumps(body), {"Content-Type": "application/json"})
            return json.loads(client.getresponse().read())
        except (OSError, ValueError, http.client.HTTPException):
            return None
        finally:
            client.close()

    def wipe(self):
        """As a new machine that has only its certificate and configuration."""
        self.kill()
        for path in (self.data, self.folder / "etcd"):
            shutil.rmtree(path)
        (self.folder / "etcd").mkdir(mode=0o700)
        self.account.own(self.folder / "etcd")
        config = self.folder / "etcd.env"
        config.write_text(config.read_text().replace("ETCD_INITIAL_CLUSTER_STATE=new", "ETCD_INITIAL_CLUSTER_STATE=existing"))


def pss_of(pid):
    try:
        return processes.parse_pss(pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text())
    except (OSError, StopIteration):
        return 0


def kill_all(pids):
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def wait_gone(pids):
    """Servers whose parent has ended are ours, and are waited for."""
    deadline = time.monotonic() + KILL_S
    while left := [pid for pid in pids if is_there(pid)]:
        if time.monotonic() > deadline:
            raise ProcessError(f"still there {KILL_S} s after kill -9: {left}")
        time.sleep(0.01)


def is_there(pid):
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        pass
    return pathlib.Path(f"/proc/{pid}").exists()
