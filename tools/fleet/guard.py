"""Does what init does for the servers of PostgreSQL, and ends them when the rig was killed and could not.

Patroni starts a server so that it outlives Patroni. All else gets SIGKILL from the kernel when the rig ends (lab.peers.processes).
"""

import os
import pathlib
import signal

from lab.peers import processes


def postmaster(data):
    """The process that has this data folder, or None. A pid that was used again has another one."""
    try:
        pid = int((data / "postmaster.pid").read_text().split()[0])
        return pid if pathlib.Path(os.readlink(f"/proc/{pid}/cwd")) == data.resolve() else None
    except (OSError, IndexError, ValueError):
        return None


def reap_servers(*_):
    """Waits for servers that have ended: for Patroni, one that was not waited for still runs. For SIGCHLD."""
    for stat in processes.children_of(os.getpid()):
        if stat.state == "Z" and name_of(stat.pid) == "postgres":
            try:
                os.waitpid(stat.pid, os.WNOHANG)
            except ChildProcessError:
                continue


def name_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def watch(folders):
    """Leaves a process behind that kills the servers of the data folders once this process has ended. Its children end with a server."""
    reader, writer = os.pipe()
    if os.fork() != 0:
        os.close(reader)
        return writer    # closed by our end
    os.close(writer)
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):    # or a pipe that our caller reads would not end
        os.dup2(nothing, stream)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    os.read(reader, 1)
    for data in folders:
        pid = postmaster(data)
        if pid:
            os.kill(pid, signal.SIGKILL)
    os._exit(0)
