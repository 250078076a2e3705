"""Debian's packages of the peers: installed where they are missing, without any service of theirs left running or enabled."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys

from . import processes

LIST = pathlib.Path(__file__).resolve().parents[3] / "toolchain/packages.txt"
SERVICES = ("gammu-smsd", "smstools", "kannel")  # named as their packages
POLICY = pathlib.Path("/usr/sbin/policy-rc.d")
NO_SERVICES = "#!/bin/sh\n# tools/bench-peers, while it installs packages: starts no service (invoke-rc.d(8)).\nexit 101\n"
LOCK_S = 300  # another apt may be at work


class InstallError(Exception):
    """A package could not be installed; the text says what to do."""


def wanted():
    """The packages of the group `peers`."""
    lines = (line.split() for line in LIST.read_text().splitlines())
    return [words[1] for words in lines if words[:1] == ["peers"]]


def versions():
    """{package: version} of those that are installed."""
    run = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package} ${Version}\n", *wanted()],
                         capture_output=True, text=True, check=False)
    return parse_versions(run.stdout)


def parse_versions(text):
    lines = (line.split() for line in text.splitlines())
    return {words[1]: words[2] for words in lines if len(words) == 3 and words[0] == "installed"}


def install_missing():
    """Installs what is not there; InstallError says what to type where that can't be."""
    there = versions()
    missing = [package for package in wanted() if package not in there]
    if not missing:
        return
    root = _as_root(missing)
    how = "with sudo" if root else "as root"
    print(f"bench-peers: installing {how}: {' '.join(missing)}; none of their services is started", file=sys.stderr)
    with _not_called_off() as called_off, _no_services_started(root):
        for words in (["update"], ["install", "-y", "--no-install-recommends", *missing]):
            command = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", f"DPkg::Lock::Timeout={LOCK_S}", *words]
            if called_off:
                return
            if _undisturbed(command, stdout=sys.stderr).returncode != 0:
                raise InstallError(f"apt-get {' '.join(words)} failed (above). Install the packages yourself, then run this again.")
        for package in missing:
            if package in SERVICES:  # those that were there before are not ours to disable
                _undisturbed([*root, "update-rc.d", package, "disable"], capture_output=True)


@contextlib.contextmanager
def _not_called_off():
    """Ctrl-C holds when apt has ended: dpkg would continue without us, and start services that no policy forbids any more."""
    called = []    # is silent: where the terminal is gone, a word to it would raise in the middle of apt
    before = {number: signal.signal(number, lambda number, _: called.append(number)) for number in processes.STOPPED_BY}
    try:
        yield called
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if called:
            signal.raise_signal(called[0])


def _undisturbed(command, **how):
    """A terminal tells Ctrl-C to whatever runs in it; this one hears nothing."""
    def deaf():
        for number in processes.STOPPED_BY:
            signal.signal(number, signal.SIG_IGN)

    return subprocess.run(command, check=False, preexec_fn=deaf, **how)


def _as_root(missing):
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and (sys.stdin.isatty() or subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0):
        return ["sudo"]
    raise InstallError(f"packages are missing and this is not root. As root: apt-get install --no-install-recommends {' '.join(missing)}")


@contextlib.contextmanager
def _no_services_started(root):
    """policy-rc.d says no, as in a container, unless there is one already: that one is left."""
    if POLICY.exists():
        yield
        return
    try:
        if _undisturbed([*root, "sh", "-c", f"cat >{POLICY} && chmod 755 {POLICY}"], input=NO_SERVICES, text=True).returncode != 0:
            raise InstallError(f"{POLICY} can't be written, without which the services would be started")
        yield
    finally:
        if POLICY.exists():
            _undisturbed([*root, "rm", "-f", str(POLICY)])
