"""The store of one box after a cut: it is brought up as at a start, checked, and says what it has."""

import contextlib
import dataclasses
import pathlib
import sqlite3

from cuts import judge

BEGUN = range(2, 8)      # "sending" to "failed": see the states of messages in the store


@dataclasses.dataclass
class Box:
    states: dict      # by number
    broken: list      # sentences


def recovered(programs, state):
    """`state`: its folder, on a file system that is mounted."""
    database = pathlib.Path(state) / "smsrack.db"
    if not database.exists():
        return Box({}, ["there is no database"])
    broken = judge.database_problems(programs, database)
    try:
        with contextlib.closing(sqlite3.connect(database)) as db:
            return Box(dict(db.execute("SELECT '+' || ltrim(to_addr, '+'), state FROM messages")), broken)
    except sqlite3.DatabaseError as problem:
        return Box({}, [*broken, f"sqlite: {problem}"])
