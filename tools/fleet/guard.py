"""Does what init does for the servers of PostgreSQL; ends what runs when the rig was killed and could not.

A server outlives the Patroni that starts it, and a box that was upgraded the process that it was before. All else gets SIGKILL from the kernel when
the rig ends (lab.peers.processes).
"""

import os
import pathlib
import signal

from lab.peers import processes

OUTLIVING = ("postgres", "smsrackd")


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


def watch(folder):
    """Leaves a process behind that kills what outlives this one, below the folder. Children of a server end with it."""
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
    for pid in outliving(folder.resolve()):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    os._exit(0)


def outliving(folder):
    """By name too: someone who looks at a rig may have a shell in its folder."""
    for stat in processes.all_processes():
        try:
            if name_of(stat.pid) in OUTLIVING and folder in pathlib.Path(os.readlink(f"/proc/{stat.pid}/cwd")).parents:
                yield stat.pid
        except OSError:
            continue
