"""How busy the processors of this machine were, whatever ran on them."""

import pathlib


def parse(text):
    """(busy, all) ticks of the first line of /proc/stat. Waiting for a disk is not busy; a guest's time is in that of the user."""
    user, nice, system, idle, iowait, irq, softirq, steal = map(int, text.split("\n", 1)[0].split()[1:9])
    busy = user + nice + system + irq + softirq + steal
    return busy, busy + idle + iowait


class Processors:
    """Counts from when it is made."""

    def __init__(self):
        self.begin = self._look()

    def busy_share(self):
        busy, of_all = (now - then for now, then in zip(self._look(), self.begin))
        return busy / of_all if of_all else 0.0

    @staticmethod
    def _look():
        return parse(pathlib.Path("/proc/stat").read_text())
