"""The database of one node after a cut: it recovers alone, as at a start, says what it has, and is checked to its last page.

The primary recovers from its log; a standby replays all the log that it has, and becomes a primary. Single-user mode of PostgreSQL: nothing listens.
"""

import dataclasses
import pathlib
import re
import subprocess

BIN = pathlib.Path("/usr/lib/postgresql/15/bin")
RECOVERED_S = 120
WRONG = re.compile(r"\b(?:ERROR|FATAL|PANIC):.*")
SETTINGS = {"fsync": "off", "synchronous_standby_names": "", "primary_conninfo": "", "primary_slot_name": "", "restore_command": "/bin/false",
            "hot_standby": "off", "ssl": "off", "logging_collector": "off", "log_destination": "stderr", "log_min_messages": "warning"}
INDEXES = """SELECT bt_index_check(c.oid, true) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
WHERE a.amname = 'btree' AND c.relpersistence = 'p' AND i.indisvalid"""
ROWS = "SELECT m.id, m.state, w.holder, w.firm FROM smsrack.messages m LEFT JOIN smsrack.work w ON w.id = m.id"


@dataclasses.dataclass(frozen=True)
class Place:
    """Where the engine has a message: it has ended, or a box holds it, firmly or not; holder 0: none does."""
    ended: bool
    holder: int
    firm: bool


@dataclasses.dataclass
class Node:
    was_primary: bool
    places: dict      # Place, by the id of the message
    broken: list      # sentences


def recovered(data, account, scratch):
    """`data` is on a file system that is mounted. `scratch` is an empty folder of the account."""
    was_primary = not (data / "standby.signal").exists()
    if not was_primary:
        (data / "standby.signal").rename(data / "recovery.signal")
    (data / "postmaster.pid").unlink(missing_ok=True)    # of a machine that is gone
    rows = scratch / "rows"
    commands = [f"COPY ({ROWS}) TO '{rows}'", "CREATE EXTENSION amcheck", INDEXES]
    settings = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
    ran = run([BIN / "postgres", "--single", "-j", "-D", data, *settings, "smsrack"], account, "".join(f"{command};\n\n" for command in commands))
    broken = WRONG.findall(ran.stderr) or ([] if ran.returncode == 0 else [f"postgres ended with code {ran.returncode}: {ran.stderr[-300:]}"])
    if not broken:
        broken = pages_problems(data, account)
    return Node(was_primary, read(rows) if rows.exists() else {}, broken)


def pages_problems(data, account):
    ran = run([BIN / "pg_checksums", "--check", "-D", data], account)
    return [] if ran.returncode == 0 else [f"pg_checksums: {(ran.stderr or ran.stdout).strip()[-300:]}"]


def run(words, account, typed=""):
    return subprocess.run([str(word) for word in words], input=typed, capture_output=True, text=True, check=False, timeout=RECOVERED_S, cwd="/",
                          env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}, **account.rights())


def read(rows):
    found = {}
    for line in rows.read_text().splitlines():
        number, state, holder, firm = line.split("\t")
        found[int(number)] = Place(state != r"\N", 0 if holder == r"\N" else int(holder), firm == "t")
    return found
