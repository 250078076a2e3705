"""The record that QEMU's block driver blklogwrites makes of a disk, and what a disk holds when its power is cut.

The format is that of Linux' dm-log-writes (Documentation/admin-guide/device-mapper/log-writes.rst): a sector with the head, then for each entry a
sector that describes it and its data. All numbers are little-endian.

A cut at entry n leaves what was written before the last flush that had ended by then, and of what came later each sector of 512 octets as it was or
as it was written, by chance: that is what a drive promises, and no more.
"""

import dataclasses
import itertools
import pathlib
import random
import struct

MAGIC = 0x6A736677736872
HEAD = struct.Struct("<QQQI")
ENTRY = struct.Struct("<QQQQ")
FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8
SECTOR = 512


class NoRecord(Exception):
    """The file is no such record; the text says why."""


@dataclasses.dataclass(frozen=True)
class Entry:
    sector: int   # of the disk
    sectors: int
    flags: int
    data: int     # offset of its data in the record
    end: int      # offset of what follows

    @property
    def writes(self):
        return self.sectors > 0 and not self.flags & (DISCARD | MARK)


def read(path):
    """Its entries, in order. An entry that was not whole when the recording ended is left away."""
    with open(path, "rb") as file:
        head = file.read(HEAD.size)
        size = file.seek(0, 2)
        if len(head) < HEAD.size or HEAD.unpack(head)[0] != MAGIC:
            raise NoRecord(f"{path}: no record of a disk's writes")
        unit = HEAD.unpack(head)[3]
        if unit != SECTOR:
            raise NoRecord(f"{path}: sectors of {unit} octets; {SECTOR} are known")
        entries, at = [], SECTOR
        while at + SECTOR <= size:
            file.seek(at)
            sector, sectors, flags, _ = ENTRY.unpack(file.read(ENTRY.size))
            data = at + SECTOR
            at = data + (0 if flags & (DISCARD | MARK) else sectors * SECTOR)
            if at > size:
                break
            entries.append(Entry(sector, sectors, flags, data, at))
    if not any(entry.writes for entry in entries):
        raise NoRecord(f"{path}: nothing was written")
    return entries


class Disk:
    """The disk's octets, brought forward entry by entry, and looked at as they are after a cut."""

    def __init__(self, base, record, entries):
        self.octets = bytearray(pathlib.Path(base).read_bytes())
        self.record, self.entries, self.settled = pathlib.Path(record).read_bytes(), entries, 0

    def _pieces(self, entry):
        """(offset in the disk, octets) of each of its sectors."""
        for number in range(entry.sectors):
            begin = entry.data + number * SECTOR
            yield (entry.sector + number) * SECTOR, self.record[begin:begin + SECTOR]

    def settle(self, until):
        """What the entries before `until` wrote is on the disk for good. Only forward."""
        for entry in self.entries[self.settled:until]:
            if entry.writes:
                begin = entry.sector * SECTOR
                self.octets[begin:begin + entry.sectors * SECTOR] = self.record[entry.data:entry.end]
        self.settled = max(self.settled, until)

    def cut(self, at, chance, ignored=0):
        """The octets after a cut behind entry `at`. `ignored`: of a drive that did nothing for its last n flushes, and said it had."""
        self.settle(last_flush(self.entries, at, ignored))
        octets = bytearray(self.octets)
        for entry in self.entries[self.settled:at]:
            if entry.writes:
                sure = not ignored and entry.flags & FUA
                for offset, piece in self._pieces(entry):
                    if sure or chance.random() < 0.5:
                        octets[offset:offset + SECTOR] = piece
        return octets


def last_flush(entries, at, ignored=0):
    """How many of the first `at` entries were before the end of a flush that counts: all but the last `ignored`."""
    ends = (n for n in range(at, 0, -1) if entries[n - 1].flags & FLUSH)
    return next(itertools.islice(ends, ignored, None), 0)


def moments(entries, count, seed, first=0):
    """This many places to cut, in order, not before entry `first`."""
    chance = random.Random(seed)
    return sorted(chance.randint(max(first, 1), len(entries)) for _ in range(count))


def entries_before(entries, offset):
    """How many entries were whole when the record had this size."""
    low, high = 0, len(entries)
    while low < high:
        middle = (low + high) // 2
        if entries[middle].end <= offset:
            low = middle + 1
        else:
            high = middle
    return low
