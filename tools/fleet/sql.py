"""psql, asked one line after the other on one connection."""

import select
import subprocess

FAILED = (subprocess.CalledProcessError, subprocess.TimeoutExpired)    # no answer of run()
ANSWER_S = 5    # a server that is frozen gives none, and its kernel keeps the connection


class Session:
    """Ends with the first error: what a command without an answer did is unknown."""

    def __init__(self, conninfo):
        self.process = subprocess.Popen(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", conninfo], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, bufsize=1, start_new_session=True, cwd="/")

    def ask(self, command):
        """The first line of the answer, which is a warning where there is one; None where none comes in time."""
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except OSError:
            return None
        if not select.select([self.process.stdout], [], [], ANSWER_S)[0]:
            return None
        return self.process.stdout.readline().rstrip("\n") or None

    def close(self):
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                pipe.close()
            except OSError:
                continue


def run(conninfo, command=None, file=None, account=None, seconds=60):
    """The answer of one psql; CalledProcessError and TimeoutExpired where there is none."""
    words = ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", *(["-c", command] if command else ["-f", file]), conninfo]
    rights = account.rights() if account else {}
    return subprocess.run(words, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=seconds, cwd="/", **rights).stdout.strip()
