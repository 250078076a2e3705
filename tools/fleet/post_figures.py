"""Messages one by one, in turn at the single box and at a box of the fleet: time to the answer, and octets of the links."""

import collections
import time

from lab.peers.figures import percentile

from .figure import Figure
from .handing_in import HandingIn, in_words, new_messages
from .link_meter import LinkMeter

ROUNDS = 6
WARM_UP, MESSAGES = 20, 200    # of a round
MEDIAN_MAX_MS, SLOW_MAX_MS = 5, 25
OCTETS_MAX = 1500              # of a message
SENT_S = 240
SETTLE_S = 4                   # reports, and word of them to other boxes


def round_of(box, kept):
    """Milliseconds of each message but the first ones."""
    with HandingIn(box) as client:
        times = [1000 * client.one(message) for message in new_messages(WARM_UP + MESSAGES)]
        kept.update(client.kept)
    return times[WARM_UP:]


def times_of(name, times, note, bounds=(None, None)):
    for p, bound in zip((50, 99), bounds):
        yield Figure(f"POST one by one at {name}, p{p}", percentile(times, p), "ms", bound, note=note)


def run(rig):
    boxes, single, meter = rig.boxes, rig.single, LinkMeter(rig.boxes.all)
    before = {journal: len(journal.update().submits) for journal in (boxes.journal, single.journal)}
    kept, alone, shared = collections.Counter(), [], []
    for number in range(ROUNDS):
        alone += round_of(single, collections.Counter())
        shared += round_of(boxes.all[number % len(boxes.all)], kept)
    count = ROUNDS * (WARM_UP + MESSAGES)
    rig.wait_sent(boxes.journal, before[boxes.journal] + count, SENT_S)
    time.sleep(SETTLE_S)
    octets = meter.of_all()
    rig.wait_sent(single.journal, before[single.journal] + count, SENT_S)
    return [*times_of("the single box", alone, f"{len(alone)} messages"),
            *times_of("a box of the fleet", shared, in_words(kept), (MEDIAN_MAX_MS, SLOW_MAX_MS)),
            Figure("links of a message to the engine, all boxes, both directions", octets.both() / count, "octets", OCTETS_MAX,
                   note=f"to the engine {octets.sent / count:.0f}, from it {octets.received / count:.0f}")]
