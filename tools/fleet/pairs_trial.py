"""A pair of number and topic at three boxes at once has one message: one event after the other, and as streams."""

import collections
import json
import time

from .at_once import AtOnce
from .outcome import Outcome

PAIRS = 1000
SENT_S = 120
TRIGGER = """
[[trigger]]
name     = "welcome"
template = "Welcome to {topic}!"
batch_s  = 0
"""
TARGET = "/v1/triggers/welcome/events"
NUMBERS = [f"+3362{n:07d}" for n in range(PAIRS)]


def events(topic):
    return [json.dumps({"number": number, "topic": topic}) + "\n" for number in NUMBERS]


def feed(boxes, requests):
    """Each request to every box at the same moment. Gives what the boxes counted, and the seconds that it took."""
    counts, begin = collections.Counter(), time.monotonic()
    with AtOnce(boxes.all) as asker:
        for request in requests:
            for status, body in asker.post(TARGET, dict.fromkeys(boxes.all, request), "application/x-ndjson").values():
                counts.update({name: n for name, n in json.loads(body).items() if isinstance(n, int)} if status == 200 else {"refusals": 1})
    return counts, time.monotonic() - begin


def codes(boxes):
    """Of the messages that the boxes made for the pairs: how many have which code. None: no fault."""
    wanted = set(NUMBERS)
    made = {number: message["code"] for box in boxes.all for number, message in box.messages().items() if message["to"] in wanted}
    return collections.Counter(made.values())


def run(_engine, boxes, say):
    """The second pass has other topics for the same numbers. Each box makes a message of an event; the engine lets one of them be sent."""
    outcome, others = Outcome(), len(boxes.all) - 1
    passes = (("one by one", "paris", events("paris")), ("as a stream", "nice", ["".join(events("nice"))]))
    for number, (how, topic, requests) in enumerate(passes, 1):
        counts, seconds = feed(boxes, requests)
        say(f"pairs, {how}: {dict(counts)}")
        times = boxes.sent_times(NUMBERS, number * PAIRS, SENT_S)
        outcome.note(f"{PAIRS} pairs at {len(boxes.all)} boxes {how}: {sum(times.values()) - (number - 1) * PAIRS} messages, "
                     f"{PAIRS * len(boxes.all) / seconds:.0f} events/s")
        outcome.expect(counts["accepted"] == PAIRS * len(boxes.all), f"{how}: the boxes say {dict(counts)}")
        bad = {to: count for to, count in times.items() if count != number}
        outcome.expect(not bad, f"{how}: {len(bad)} pairs of {topic} were not sent once, such as {list(bad.items())[:3]}")
        made = codes(boxes)
        outcome.expect(made == {None: number * PAIRS, "seen": number * PAIRS * others}, f"{how}: codes of the messages are {dict(made)}")
    return outcome
