"""Octets that boxes and their engine exchange, as the kernel counts them for each connection.

What TCP carries, so with TLS and without the headers of packets; what was sent again counts again.
"""

import dataclasses
import re
import subprocess


@dataclasses.dataclass(frozen=True)
class Octets:
    sent: int = 0
    received: int = 0

    def __add__(self, other):
        return Octets(self.sent + other.sent, self.received + other.received)

    def __sub__(self, other):
        return Octets(self.sent - other.sent, self.received - other.received)

    def both(self):
        return self.sent + self.received


def parse(text, pid):
    """{(own address, other address): Octets} of the connections of the process in the output of `ss -HOtinp state established`."""
    found = {}
    for line in text.splitlines():
        if f"pid={pid}," in line:
            own, other = line.split()[2:4]
            counted = dict(re.findall(r"\b(bytes_sent|bytes_received):(\d+)", line))
            found[own, other] = Octets(int(counted.get("bytes_sent", 0)), int(counted.get("bytes_received", 0)))
    return found


class LinkMeter:
    """Counts from when it is made. What a connection carried between the last look and its end is missing."""

    def __init__(self, boxes):
        self.boxes = boxes
        self.begin = {box: self._look(box) for box in boxes}

    def octets(self, box):
        """Of its connections until now."""
        begin = self.begin[box]
        return sum((octets - begin.get(ends, Octets()) for ends, octets in self._look(box).items()), Octets())

    def of_all(self):
        return sum((self.octets(box) for box in self.boxes), Octets())

    @staticmethod
    def _look(box):
        text = subprocess.run(["ss", "-HOtinp", "state", "established"], check=True, capture_output=True, text=True).stdout
        return parse(text, box.process())
