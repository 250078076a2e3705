"""Messages at the network: three boxes against one, in turn, in a steady window while all modems have work."""

import os
import time

from lab.peers.journal import steady_rate

from . import memory
from .boxes import MODEMS, SERVICE_MS
from .figure import Figure
from .handing_in import HandingIn, new_messages
from .processors import Processors

ROUNDS = 2
WARM_UP_S, WINDOW_S = 4, 16
TIMES_MIN = 2.9
NODE_MAX_MIB = 250
SENT_S = 120
OF_A_BOX = round((WARM_UP_S + WINDOW_S + 3) * MODEMS * 1000 / SERVICE_MS)    # more than its modems send in that time


def rate_of(rig, journal, handed_in):
    """Messages per second, and in words how busy the machine was. `handed_in`: (box, number of messages) each."""
    wanted = len(journal.update().submits) + sum(count for _, count in handed_in)
    for box, count in handed_in:
        with HandingIn(box) as client:
            client.many(new_messages(count))
    time.sleep(WARM_UP_S)
    of_all, of_rig, begin = Processors(), rig.processor_time(), time.monotonic()
    time.sleep(WINDOW_S)
    end = time.monotonic()
    own = (rig.processor_time() - of_rig) / (end - begin) / os.cpu_count()
    busy = f"processors busy {of_all.busy_share():.0%}, {own:.0%} with this"
    rig.wait_sent(journal, wanted, SENT_S)
    return steady_rate(journal.submits, begin, end), busy


def mean(values):
    return sum(values) / len(values)


def run(rig):
    boxes, single = rig.boxes, rig.single
    alone, shared, pss = [], [], []
    for _ in range(ROUNDS):
        alone.append(rate_of(rig, single.journal, [(single, OF_A_BOX)]))
        shared.append(rate_of(rig, boxes.journal, [(box, OF_A_BOX) for box in boxes.all]))
        pss.append(memory.of_largest_node(rig.engine))
    at_one = rate_of(rig, boxes.journal, [(boxes.all[0], OF_A_BOX * len(boxes.all))])
    one, three = mean([rate for rate, _ in alone]), mean([rate for rate, _ in shared])
    return [Figure("three boxes against the single box, messages/s at the network", three / one, "times", TIMES_MIN, at_least=True,
                   note=f"{three:.1f}/s against {one:.1f}/s; {shared[-1][1]}"),
            Figure("the same, all handed in at one box", at_one[0] / one, "times", note=f"{at_one[0]:.1f}/s; {at_one[1]}"),
            Figure("PSS of the largest node of the engine after that", max(pss) / memory.MIB, "MiB", NODE_MAX_MIB)]
