"""What became of messages: what the network got of them, against what the boxes promised and say."""

import collections
import dataclasses

WENT_OUT = ("sent", "delivered", "undelivered")


@dataclasses.dataclass
class Verdict:
    lost: list       # accepted, and the network never got it, without a word
    twice: list      # the network got it more than once
    unknown: list    # the network did not get it, and its box says that it may have
    denied: list     # the network got it, and its box says something else


def judge(accepted, submits, told):
    """`told`: what the accepting box says of each message, by (box, id): the state and the code."""
    times = collections.Counter(submit.to for submit in submits)
    verdict = Verdict([], [to for to, count in times.items() if count > 1], [], [])
    for message in accepted:
        state, code = told.get((message.box, message.id), ("gone", None))
        if times[message.to] == 0:
            doubtful = state == "uncertain" or (state == "failed" and code == "outcome_unknown")
            (verdict.unknown if doubtful else verdict.lost).append(message.to)
        elif state not in WENT_OUT:
            verdict.denied.append(message.to)
    return verdict


def longest_idle(submits, modems, begin, end):
    """Seconds that one of the modems had nothing to send, from one answer to the next submit, within [begin, end)."""
    lines = collections.defaultdict(list)
    for submit in sorted(submits, key=lambda s: s.at):
        if submit.modem in modems:
            lines[submit.modem].append(submit)
    return max((later.at - later.service - earlier.at for line in lines.values() for earlier, later in zip(line, line[1:])
                if later.at >= begin and earlier.at < end), default=0.0)
