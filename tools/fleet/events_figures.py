"""Events of which few are new, to all boxes at once: what is answered a second, and that a pair has one message in the whole fleet."""

import collections
import json
import random
import time

from lab.peers.processes import ProcessError

from . import pairs_trial
from .at_once import AtOnce
from .figure import Figure

PAIRS = 70_000
EVENTS = 20 * PAIRS        # 5 % of them are new in the fleet
ROAMING = 10               # one pair in as many comes to two boxes
RATE_MIN = 70_000
TOPICS = 40
PUT_S = 300


def pair(number):
    return {"number": f"+3363{number:07d}", "topic": f"city{number % TOPICS}"}


def streams(boxes):
    """Of each box: its events in any order, so that most new pairs come early."""
    chance = random.Random(1)
    of_box = [[] for _ in boxes]
    for number in range(PAIRS):
        line = json.dumps(pair(number)) + "\n"
        homes = [number % len(boxes)]
        if number % ROAMING == 0:
            homes.append((number + 1) % len(boxes))
        for n in range(EVENTS // PAIRS):
            of_box[homes[n % len(homes)]].append(line)
    for lines in of_box:
        chance.shuffle(lines)
    return {box: "".join(lines).encode() for box, lines in zip(boxes, of_box)}


def fed(boxes):
    """What the boxes counted, and seconds to the last answer."""
    bodies, counts = streams(boxes), collections.Counter()
    with AtOnce(boxes) as asker:
        begin = time.monotonic()
        for box, (status, body) in asker.post(pairs_trial.TARGET, bodies, "application/x-ndjson").items():
            if status != 200:
                raise ProcessError(f"{box.name}: {status} {body[:200]!r}")
            counts.update({name: n for name, n in json.loads(body).items() if isinstance(n, int)})
    return counts, time.monotonic() - begin


def check_counts(counts):
    if counts["new"] + counts["seen"] != EVENTS:
        raise ProcessError(f"of {EVENTS} events not all are new or seen: {dict(counts)}")


def unkept(boxes):
    """Messages that the engine has not answered yet."""
    return sum(box.get("/v1/cluster")["kept_here"] for box in boxes)


def messages_of_pairs(boxes):
    """By the boxes' rows: how many messages each number has, and how many were refused since its pair has one. Each pair has a number of its own."""
    made = {}
    for box in boxes:
        for number, message in box.messages().items():
            code = made[number][1] if number in made else None
            made[number] = message["to"], code or message["code"]
    kept = collections.Counter(to for to, code in made.values() if code != "seen")
    return kept, sum(code == "seen" for _, code in made.values())


def run(rig):
    rig.boxes.restart(more=pairs_trial.TRIGGER)
    boxes = rig.boxes.all
    counts, seconds = fed(boxes)
    check_counts(counts)
    begin = time.monotonic()
    rig.boxes.wait("the answers of the engine", lambda: unkept(boxes) == 0, PUT_S)
    put = time.monotonic() - begin + seconds
    kept, seen = messages_of_pairs(boxes)
    wrong = sum(kept[pair(number)["number"]] != 1 for number in range(PAIRS))
    return [Figure(f"{EVENTS:,} events to three boxes at once, {PAIRS / EVENTS:.0%} new pairs: events/s answered", EVENTS / seconds, "/s", RATE_MIN,
                   at_least=True, note=f"{counts['new']} new at their box, {counts['seen']} seen there; one pair in {ROAMING} comes to two boxes"),
            Figure("the same: messages/s that the engine has", (kept.total() + seen) / put, "/s"),
            Figure("the same: pairs without exactly one message in the fleet", wrong, "", 0,
                   note=f"{kept.total()} messages, {seen} refused as seen at another box")]
