"""The judge: what smsrack-sim wrote of what reached the network (docs/smsrack-sim.md, "The log").

Unit: seconds on this machine's monotonic clock; messages per second.
"""

import collections
import dataclasses
import json


@dataclasses.dataclass(frozen=True)
class Submit:
    """The network accepted a message; the modem's answer left at `at`, `service` after the PDU was whole."""
    at: float
    modem: int
    to: str
    service: float


@dataclasses.dataclass(frozen=True)
class Inbound:
    """A message reached a modem at `at`, which then told its host."""
    at: float
    modem: int
    text: str


class Journal:
    """The log of one simulator, read on as it grows."""

    def __init__(self, path):
        self.path, self.offset, self.start = path, 0, None
        self.submits, self.inbound = [], []

    def update(self):
        """Takes what is new; a last line without its end waits for the next time. Gives the journal itself."""
        with open(self.path, "rb") as file:
            file.seek(self.offset)
            new = file.read()
        whole = new[:new.rfind(b"\n") + 1]
        self.offset += len(whole)
        for line in whole.splitlines():
            self._take(json.loads(line))
        return self

    def _take(self, entry):
        if entry["event"] == "start":
            self.start = entry["steady_us"] / 1e6
        elif entry["event"] == "submit":
            self.submits.append(Submit(self.start + entry["t"], entry["modem"], entry["to"], entry["service_us"] / 1e6))
        elif entry["event"] == "inbound_given" or (entry["event"] == "inbound" and entry["how"] in ("stored", "direct")):
            self.inbound.append(Inbound(self.start + entry["t"], entry["modem"], entry["text"]))


def by_modem(submits):
    """{modem: its submits in order of time}."""
    lines = collections.defaultdict(list)
    for submit in sorted(submits, key=lambda s: s.at):
        lines[submit.modem].append(submit)
    return lines


def steady_rate(submits, begin, end):
    """Messages per second in [begin, end): of each modem what lies between its first and its last, so that the window's edges cost nothing."""
    rate = 0.0
    for line in by_modem(s for s in submits if begin <= s.at < end).values():
        if len(line) > 1:
            rate += (len(line) - 1) / (line[-1].at - line[0].at)
    return rate


def idle_gaps(submits, begin, end):
    """Seconds for which a modem's radio had nothing to do between two messages: from answer to answer, less the service."""
    gaps = []
    for line in by_modem(s for s in submits if begin <= s.at < end).values():
        gaps += [later.at - earlier.at - later.service for earlier, later in zip(line, line[1:])]
    return gaps


def times_in_system(due, submits, now):
    """Seconds from when each of {number: due} was due to its first acceptance. What has not come by `now` counts as coming then: at least so long."""
    first = {}
    for submit in submits:
        first[submit.to] = min(submit.at, first.get(submit.to, submit.at))
    return [first.get(to, now) - moment for to, moment in due.items()]


@dataclasses.dataclass(frozen=True)
class Fate:
    """What became of messages that a gateway took."""
    missing: int
    repeated: int  # submits beyond the first of the same message


def fate(numbers, submits):
    """Of the messages to `numbers`, one each: which the network never got, and how many it got again."""
    times = collections.Counter(s.to for s in submits)
    return Fate(missing=sum(1 for n in numbers if times[n] == 0), repeated=sum(max(0, times[n] - 1) for n in numbers))
