"""An image file of a disk after a cut, and its file system, repaired as at a start."""

import contextlib
import subprocess

from . import write_log
from .recorder import tool

REPAIRED = (0, 1)        # e2fsck: nothing to do, or it repaired all


def write_sparse(path, octets, block=65536):
    zeros = bytes(block)
    with open(path, "wb") as file:
        file.truncate(len(octets))
        for begin in range(0, len(octets), block):
            piece = octets[begin:begin + block]
            if piece != zeros[:len(piece)]:
                file.seek(begin)
                file.write(piece)


class LargeDisk:
    """As write_log.Disk, for a disk that is mostly empty: in `file`, which only has room for what was written."""

    def __init__(self, base, record, entries, file):
        self.file, self.written = file, write_log.Written(record, entries)
        tool("cp", "--sparse=always", base, file)

    def cut(self, at, chance, ignored, path):
        """Into the file `path`."""
        put(self.file, self.written.settle(write_log.last_flush(self.written.entries, at, ignored)))
        tool("cp", "--sparse=auto", self.file, path)
        put(path, self.written.survivors(at, chance, ignored))


def put(path, pieces):
    with open(path, "r+b") as file:
        for offset, piece in pieces:
            file.seek(offset)
            file.write(piece)


def repair(image):
    """Replays the journal of ext4. Sentences, where that can't be done."""
    check = subprocess.run(["e2fsck", "-fy", str(image)], capture_output=True, text=True)
    return [] if check.returncode in REPAIRED else [f"e2fsck: {check.stdout.strip()[-400:]}"]


@contextlib.contextmanager
def mounted(image, place):
    tool("mount", "-o", "loop,noatime", image, place)
    try:
        yield place
    finally:
        tool("umount", place)
