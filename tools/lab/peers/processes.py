"""Programs that we start, each in a session of its own; what a session uses; and its end, by process id.

A gateway forks and some lose their parent, so what belongs to it is whatever is in its session. If we die, what we started gets SIGKILL.
"""

import ctypes
import dataclasses
import os
import pathlib
import signal
import subprocess
import time

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
TICKS = os.sysconf("SC_CLK_TCK")
STOP_S = 30   # a gateway may end what a modem is sending first
KILL_S = 10
STOPPED_BY = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LIBC = ctypes.CDLL(None, use_errno=True)


class ProcessError(Exception):
    """A program did not do what it should; the text says which, and where its log is."""


def adopt_orphans():
    """Children of a killed gateway become ours, so that they are waited for and not left as zombies."""
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


@dataclasses.dataclass(frozen=True)
class Stat:
    """What /proc/PID/stat says."""
    pid: int
    state: str
    parent: int
    session: int
    cpu: float  # seconds, with those of its children that it has waited for


def parse_stat(text):
    """The name in brackets may hold blanks and brackets."""
    words = text[text.rindex(")") + 1:].split()
    return Stat(pid=int(text[:text.index(" ")]), state=words[0], parent=int(words[1]), session=int(words[3]), cpu=sum(map(int, words[11:15])) / TICKS)


def parse_pss(text):
    """Octets of the line "Pss:" of /proc/PID/smaps_rollup."""
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")) * 1024


def all_processes():
    """Every process there is, ended ones that were not waited for, too."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                found.append(parse_stat((entry / "stat").read_text()))
            except OSError:
                continue  # it ended while we looked
    return found


def session_of(session):
    """Every process of the session, ended ones that were not waited for, too."""
    return [stat for stat in all_processes() if stat.session == session]


def children_of(parent):
    """Every process whose parent it is, ended ones that were not waited for, too."""
    return [stat for stat in all_processes() if stat.parent == parent]


def members(session):
    """Every living process of the session."""
    return [stat for stat in session_of(session) if stat.state not in "ZX"]


def end_children():
    """kill -9 of whatever is still ours, adopted ones too: also what was called off between its fork and the moment when anyone could know it."""
    deadline = time.monotonic() + KILL_S
    while ours := children_of(os.getpid()):
        if time.monotonic() > deadline:
            raise ProcessError(f"still there {KILL_S} s after kill -9: {', '.join(str(stat.pid) for stat in ours)}")
        for stat in ours:
            try:
                os.kill(stat.pid, signal.SIGKILL)
                os.waitpid(stat.pid, os.WNOHANG)
            except (ProcessLookupError, ChildProcessError):
                continue
        time.sleep(0.02)


class Program:
    """One program that runs in the foreground, with whatever it forks. `account`: (uid, gid) to run as; `folder`: where it starts."""

    def __init__(self, words, log, environment=None, account=None, folder=None):
        self.name, self.log = pathlib.Path(words[0]).name, pathlib.Path(log)
        rights = {"user": account[0], "group": account[1], "extra_groups": []} if account else {}
        with self.log.open("ab") as out:
            self.process = subprocess.Popen([str(w) for w in words], stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=folder,
                                            start_new_session=True, preexec_fn=_die_with_us, env={**os.environ, **(environment or {})}, **rights)
        self.session = self.process.pid

    def check_alive(self):
        if self.process.poll() is not None:
            tail = "\n".join(self.log.read_text(errors="replace").splitlines()[-5:])
            raise ProcessError(f"{self.name} ended with code {self.process.returncode}; its last lines ({self.log}):\n{tail}")

    def cpu(self):
        return sum(stat.cpu for stat in members(self.session))

    def pss(self):
        total = 0
        for stat in members(self.session):
            try:
                total += parse_pss(pathlib.Path(f"/proc/{stat.pid}/smaps_rollup").read_text())
            except OSError:
                continue
        return total

    def kill(self):
        """kill -9 of all of them at once."""
        self._signal_all(signal.SIGKILL)
        self._wait_empty(KILL_S)

    def stop(self):
        """Asks the first one to end, as its service would; what is left after STOP_S is killed."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        if not self._wait_empty(STOP_S):
            self.kill()

    def _signal_all(self, number):
        for stat in members(self.session):
            try:
                os.kill(stat.pid, number)
            except ProcessLookupError:
                continue

    def _wait_empty(self, seconds):
        deadline = time.monotonic() + seconds
        while True:
            self.process.poll()
            self._reap_adopted()
            if not members(self.session):
                self.process.wait()
                return True
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)

    def _reap_adopted(self):
        for stat in session_of(self.session):
            if stat.state == "Z" and stat.parent == os.getpid() and stat.pid != self.process.pid:
                os.waitpid(stat.pid, os.WNOHANG)


def _die_with_us():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
