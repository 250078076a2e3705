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
    """Of each box: its events in any order, with the first ones of its pairs spread over the whole stream. All are as long."""
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


def unkept(boxes):
    """Messages that the engine has not answered yet."""
    return sum(box.get("/v1/cluster")["kept_here"] for box in boxes)


def messages_of_pairs(boxes):
    """Those that the fleet keeps, and those that it refused since the pair has one: by the boxes' rows."""
    made = {}
    for box in boxes:
        for number, message in box.messages().items():
            if message["to"].startswith("+3363"):
                made[number] = made.get(number) or message["code"]
    return collections.Counter("seen" if code == "seen" else "kept" for code in made.values())


def run(rig):
    rig.boxes.restart(more=pairs_trial.TRIGGER)
    boxes = rig.boxes.all
    counts, seconds = fed(boxes)
    begin = time.monotonic()
    rig.boxes.wait("the answers of the engine", lambda: unkept(boxes) == 0, PUT_S)
    put = time.monotonic() - begin + seconds
    made = messages_of_pairs(boxes)
    return [Figure(f"{EVENTS:,} events to three boxes at once, {PAIRS / EVENTS:.0%} new pairs: events/s answered", EVENTS / seconds, "/s", RATE_MIN,
                   at_least=True, note=f"{counts['new']} new at their box, {counts['seen']} seen there; one pair in {ROAMING} comes to two boxes"),
            Figure("the same: messages/s that the engine has", made.total() / put, "/s"),
            Figure("the same: pairs without exactly one message in the fleet", abs(made["kept"] - PAIRS), "", 0,
                   note=f"{made['kept']} messages, {made['seen']} refused as seen at another box")]
