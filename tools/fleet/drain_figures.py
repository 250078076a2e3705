"""A box with 200 messages is drained: until it has none."""

import time

from .figure import Figure
from .handing_in import HandingIn, new_messages

ROUNDS = 2
HELD = 200
MESSAGES = 300      # it sends some before the fleet has counted them
DRAIN_MAX_S = 10    # and what is in flight
COUNTED_S = 10      # a beat says it, each 3 s
SENT_S = 120


def row_of(box):
    return next(row for row in box.get("/v1/cluster/boxes")["boxes"] if row["self"])


def has(box):
    row = row_of(box)
    return row["held"] + row["firm"]


def drained(rig, box):
    """Seconds, how many messages it had as it last said, and how many it had not sent then."""
    journal = rig.boxes.journal
    wanted = len(journal.update().submits) + MESSAGES
    with HandingIn(box) as client:
        client.many(new_messages(MESSAGES))
    rig.boxes.wait("the messages in the count of the box", lambda: has(box) >= HELD, COUNTED_S)
    had, begin = has(box), time.monotonic()
    box.said_by("--socket", box.socket, "cluster", "drain", box.name)
    seconds = time.monotonic() - begin
    left = wanted - len(journal.update().submits)
    rig.wait_sent(journal, wanted, SENT_S)
    box.said_by("--socket", box.socket, "cluster", "resume", box.name)
    rig.boxes.wait("the box to take work again", lambda: row_of(box)["state"] == "running", COUNTED_S)
    return seconds, had, left


def run(rig):
    found = [drained(rig, rig.boxes.all[0]) for _ in range(ROUNDS)]
    return [Figure("a box is drained, longest", max(seconds for seconds, _, _ in found), "s", DRAIN_MAX_S,
                   note="; ".join(f"{seconds:.1f} s of {had} messages, {left} left for others" for seconds, had, left in found))]
