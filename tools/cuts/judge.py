"""What a disk says after a cut: is its file system whole, its database well, and is everything there that was acknowledged?"""

import contextlib
import dataclasses
import json
import pathlib
import sqlite3
import subprocess

from .image import repair

STATE = "state"          # the service's folder on the disk
BEGUN = 2                # "sending" and what follows: see the states of messages in the store


@dataclasses.dataclass
class Verdict:
    lost: list           # facts that are not on the disk
    broken: list         # sentences: file system, database


def extract(image, folder):
    """The service's folder of the disk, after the journal of ext4 was replayed. Sentences, where that can't be done."""
    broken = repair(image)
    if not broken:
        subprocess.run(["debugfs", "-R", f"rdump /{STATE} {folder}", str(image)], capture_output=True, text=True)
    return broken


def database_problems(programs, database):
    """What smsrackd and `smsrack db check` say of it. Where a later version looks at an old record, its migration is on the way."""
    migrated = subprocess.run([programs / "smsrackd", "--try-migration", database], capture_output=True, text=True)
    if migrated.returncode != 0:
        return [f"smsrackd: {migrated.stderr.strip()}"]
    checked = subprocess.run([programs / "smsrack", "--json", "db", "check", "--db", database], capture_output=True, text=True)
    try:
        problems = json.loads(checked.stdout)["problems"]
    except ValueError:
        problems = []
    return problems or ([] if checked.returncode == 0 else [f"smsrack db check: {checked.stderr.strip()}"])


def missing(database, facts):
    """Which of the facts its rows do not know."""
    with contextlib.closing(sqlite3.connect(database)) as db:
        states = dict(db.execute("SELECT '+' || ltrim(to_addr, '+'), state FROM messages"))
        texts = {row[0] for row in db.execute("SELECT from_addr FROM inbox")}
    known = {
        "accepted": lambda to: to in states,
        "sent": lambda to: states.get(to, 0) >= BEGUN,  # else the next start would send it once more
        "received": lambda number: f"+337{int(number):08}" in texts,
    }
    return [fact for fact in facts if not known[fact.kind](fact.what)]


def judge(programs, image, scratch, facts):
    """`facts`: those that were known when the power went. `scratch` is an empty folder."""
    broken = extract(image, scratch)
    database = pathlib.Path(scratch) / STATE / "smsrack.db"
    if broken or not database.exists():
        return Verdict(lost=list(facts), broken=broken)
    broken = database_problems(programs, database)
    try:
        lost = missing(database, facts)
    except sqlite3.DatabaseError as problem:
        return Verdict(lost=list(facts), broken=[*broken, f"sqlite: {problem}"])
    return Verdict(lost=lost, broken=broken)
