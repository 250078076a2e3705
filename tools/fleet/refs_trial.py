"""One `ref` at two boxes at once is one message; with two bodies, one of them is refused."""

import collections
import itertools
import json

from .at_once import AtOnce
from .outcome import Outcome

ROUNDS = 6
REFS = 40        # of a round
SENT_S = 120
TARGET = "/v1/messages"


def message(number, text):
    return json.dumps({"to": f"+3361{number:07d}", "text": text, "ref": f"ref {number}"})


def one_message(answers):
    """Of two answers to the same request: the id, or None where they do not name one message."""
    ids = {json.loads(body)["id"] if status in (200, 202) else None for status, body in answers}
    return ids.pop() if len(ids) == 1 else None


def is_conflict(answers):
    """Of two answers to different requests: one is accepted, the other one refused."""
    return sorted(status for status, _ in answers) == [202, 409]


def run(_engine, boxes, _say):
    outcome, numbers, wrong, statuses = Outcome(), itertools.count(), [], collections.Counter()
    pairs = itertools.cycle(itertools.combinations(boxes.all, 2))
    for number_of_round in range(ROUNDS + 1):
        differ = number_of_round == ROUNDS
        pair = next(pairs)
        with AtOnce(pair) as asker:
            for number in itertools.islice(numbers, REFS):
                texts = ("one", "other" if differ else "one")
                answers = list(asker.post(TARGET, {box: message(number, text) for box, text in zip(pair, texts)}).values())
                statuses[tuple(sorted(status for status, _ in answers))] += 1
                if not (is_conflict if differ else one_message)(answers):
                    wrong.append(f"ref {number}: {answers}")
    last = (ROUNDS + 1) * REFS
    times = sent_times(boxes, last)
    outcome.note(f"{ROUNDS * REFS} refs with one body, {REFS} with two: {sum(times.values())} messages at the network")
    outcome.note("answers " + ", ".join(f"{one} and {other}: {count}" for (one, other), count in sorted(statuses.items())))
    outcome.expect(not wrong, f"{len(wrong)} refs were answered wrongly, such as {wrong[:1]}")
    bad = {to: count for to, count in times.items() if count != 1}
    outcome.expect(not bad, f"{len(bad)} refs were not sent once, such as {list(bad.items())[:3]}")
    return outcome


def sent_times(boxes, count):
    """How often the network got the message of each ref, when all were there or SENT_S is over."""
    wanted = [json.loads(message(number, ""))["to"] for number in range(count)]
    return boxes.sent_times(wanted, count, SENT_S)
