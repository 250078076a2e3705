"""A machine's serial console over a Unix socket: what it says is kept, waited for, and answered."""

import os
import re
import select
import socket
import time

TERMINAL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>78]|\r")


class Silence(Exception):
    """What was waited for did not come; the text says what, and what the machine said last."""


def limit(seconds):
    """A limit for a quiet machine, times SMSRACK_SLOW where that is set."""
    return seconds * float(os.environ.get("SMSRACK_SLOW", "1"))


class Console:
    """`again` is called when the machine ends by itself, and makes another one that listens at `path`; without it that is a fault."""

    def __init__(self, path, log, again=None):
        self.path, self.again = path, again
        self.log = open(log, "ab", buffering=0)
        self.text = ""      # everything since the last start, without colours
        self.seen = 0       # up to here a wait has looked
        self.commands = 0
        self.socket = None
        self._connect()

    def _connect(self):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        deadline = time.monotonic() + limit(10)
        while True:
            try:
                self.socket.connect(str(self.path))
                return
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def close(self):
        self.socket.close()
        self.log.close()

    def _read(self, seconds):
        """False: the machine is gone."""
        if not select.select([self.socket], [], [], max(0.0, seconds))[0]:
            return True
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError:
            data = b""
        if not data and self.again:
            self.socket.close()
            self.again()
            self._connect()
            return True
        self.log.write(data)
        self.text += TERMINAL.sub("", data.decode(errors="replace"))
        return bool(data)

    def wait(self, pattern, seconds, unless=None):
        """The match of the regular expression in what was not looked at yet; Silence after limit(seconds), or when `unless` comes before."""
        deadline = time.monotonic() + limit(seconds)
        found, bad = re.compile(pattern, re.MULTILINE), re.compile(unless, re.MULTILINE) if unless else None
        while True:
            if match := found.search(self.text, self.seen):
                self.seen = match.end()
                return match
            wrong = bad and bad.search(self.text, self.seen)
            left = deadline - time.monotonic()
            if wrong or left <= 0 or not self._read(min(left, 1.0)):
                why = f"{wrong[0]!r} came instead" if wrong else "not after " + f"{limit(seconds):.0f} s" if left <= 0 else "the machine ended"
                raise Silence(f"waited for {pattern!r}: {why}. It said last:\n" + "\n".join(self.text.splitlines()[-12:]))

    def type(self, line):
        self.socket.sendall(line.encode() + b"\n")

    def login(self, seconds):
        """Waits for the shell of an image built with --debug. It may have said its prompt before, so it is asked for one."""
        deadline = time.monotonic() + limit(seconds)
        while True:
            self.type("")
            try:
                self.wait(r"root@[\w-]+:[^\n]*# ", 5)
                break
            except Silence:
                if time.monotonic() > deadline:
                    raise
        self.type("stty -echo cols 400; PS1='' PS2=''; dmesg -n 1; set +m")
        self.command("true", 30)

    def command(self, line, seconds, may_fail=False):
        """What the command prints. Silence when it fails, unless `may_fail`: then (exit code, text)."""
        self.commands += 1
        number = self.commands
        self.type(f"{{ {line}\n}} 2>&1; echo \"<\"end {number} $?\">\"")
        begun = self.seen
        match = self.wait(rf"<end {number} (\d+)>", seconds)
        said = self.text[begun:match.start()].strip("\n")
        if may_fail:
            return int(match[1]), said
        if match[1] != "0":
            raise Silence(f"`{line}` ended with code {match[1]}:\n{said}")
        return said
