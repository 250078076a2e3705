"""The engine: three nodes on the loopback. Started on entry, all its processes ended on exit."""

import pathlib
import signal
import subprocess
import time

from lab.peers.processes import ProcessError

from . import account, guard, recipe, sql
from .node import ADDRESS, Node
from .ports import free_ports

NODES = 3
PORTS_OF_NODE = 4
READY_S = 120    # initdb, and two copies of it
WRITABLE_S = 60
BOXES = ("box-1", "box-2", "box-3")
OWNER = "owner"


class Engine:
    """`folder` is new, and may be entered by other accounts. `say` gets each step."""

    def __init__(self, folder, say):
        self.folder, self.say = pathlib.Path(folder), say
        self.account = account.of_engine()
        ports = free_ports(NODES * PORTS_OF_NODE)
        self.nodes = [Node(self.folder / f"engine-{n + 1}", n + 1, self.account, ports[n * PORTS_OF_NODE:(n + 1) * PORTS_OF_NODE]) for n in range(NODES)]
        self.clients = self.folder / "clients"

    def __enter__(self):
        signal.signal(signal.SIGCHLD, guard.reap_servers)
        try:
            self._prepare()
            for node in self.nodes:
                node.start()
            self.say("waiting for a primary and two standbys")
            self.wait("the engine", self.is_whole, READY_S)
            self._make_roles()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        for node in self.nodes:
            node.kill()

    def _prepare(self):
        self.say(f"certificates and configuration of {NODES} nodes, which run as {self.account.name}")
        self.clients.mkdir(mode=0o700)
        etcd_cluster = ",".join(f"{node.name}=https://{ADDRESS}:{node.etcd_peer_port}" for node in self.nodes)
        for node in self.nodes:
            own_first = [node, *(other for other in self.nodes if other is not node)]
            etcd_hosts = ",".join(f"{ADDRESS}:{other.etcd_port}" for other in own_first)
            node.prepare(self.clients, {"etcd_cluster": etcd_cluster, "etcd_hosts": etcd_hosts})
        for name in (*BOXES, OWNER):
            recipe.make_certificate(self.clients, name)

    def _make_roles(self):
        self.say("roles and database")
        sql.run(self.local(self.primary()), file=recipe.RECIPE / "roles.sql", account=self.account)

    def conninfo(self, role, certificate):
        """For libpq, as from another machine."""
        hosts = ",".join(f"{ADDRESS}:{node.postgres_port}" for node in self.nodes)
        return (f"postgresql://{role}@{hosts}/smsrack?target_session_attrs=read-write&sslmode=verify-full&sslrootcert={self.clients}/ca.pem"
                f"&sslcert={self.clients}/{certificate}.pem&sslkey={self.clients}/{certificate}.key")

    def local(self, node, database="postgres"):
        """For libpq of the engine's account, on that node."""
        return f"host={node.socket} port={node.postgres_port} user=postgres dbname={database}"

    def members(self):
        """What Patroni knows of the nodes, by name; empty where no Patroni answers."""
        for node in self.nodes:
            answer = node.ask("/cluster") if node.patroni else None
            if answer and "members" in answer:
                return {member["name"]: member for member in answer["members"]}
        return {}

    def primary(self):
        """The node that takes commits now, or None."""
        for node in self.nodes:
            answer = node.ask("/patroni") if node.patroni else None
            if answer and answer.get("role") in ("master", "primary") and answer.get("state") == "running":
                return node
        return None

    def is_whole(self):
        """A primary, every node follows it, and one of them is the synchronous standby."""
        members = self.members()
        states = [member.get("state") for member in members.values()]
        roles = [member.get("role") for member in members.values()]
        return len(members) == NODES and set(states) <= {"running", "streaming"} and "leader" in roles and "sync_standby" in roles \
            and self.primary() is not None and self.streaming() == NODES - 1

    def streaming(self):
        """How many standbys follow the primary."""
        try:
            return int(sql.run(self.local(self.primary()), "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'",
                               account=self.account, seconds=10))
        except (subprocess.SubprocessError, AttributeError):
            return 0

    def tend(self):
        """What the timer of each machine does each minute. Gives what it said."""
        said = ""
        for node in self.nodes:
            if node.patroni and guard.postmaster(node.data):
                done = subprocess.run([recipe.RECIPE / "rebuild_standby", node.folder / "patroni.yml"], capture_output=True, text=True, check=False,
                                      cwd="/", **self.account.rights())
                said += done.stdout
        return said

    def wait(self, what, condition, seconds=WRITABLE_S):
        begin = time.monotonic()
        while not condition():
            for node in self.nodes:
                node.check_alive()
            if time.monotonic() > begin + seconds:
                raise ProcessError(f"{what}: not there after {seconds} s; logs: {self.folder}/engine-*/*.log")
            time.sleep(0.2)
        return time.monotonic() - begin
