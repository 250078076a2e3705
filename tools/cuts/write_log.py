"""The record that QEMU's block driver blklogwrites makes of a disk, and what a disk holds when its power is cut.

The format is that of Linux' dm-log-writes (Documentation/admin-guide/device-mapper/log-writes.rst): a sector with the head, then for each entry a
sector that describes it and its data. All numbers are little-endian.

A cut at entry n leaves what was written before the last flush that had ended by then, and of what came later each sector of 512 octets as it was or
as it was written, by chance: that is what a drive promises, and no more.
"""

import dataclasses
import itertools
import mmap
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


class Written:
    """What of a record is on the disk after a cut: pieces of (offset in the disk, octets). Only forward."""

    def __init__(self, record, entries):
        with open(record, "rb") as file:
            self.record = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.entries, self.settled = entries, 0

    def settle(self, until):
        """What the entries before `until` wrote, and is on the disk for good; not again what an earlier call gave."""
        for entry in self.entries[self.settled:until]:
            if entry.writes:
                yield entry.sector * SECTOR, self.record[entry.data:entry.end]
        self.settled = max(self.settled, until)

    def survivors(self, at, chance, ignored=0):
        """Of what is not settled, and was written before entry `at`: each sector by chance."""
        for entry in self.entries[self.settled:at]:
            if entry.writes:
                sure = not ignored and entry.flags & FUA
                for number in range(entry.sectors):
                    begin = entry.data + number * SECTOR
                    if sure or chance.random() < 0.5:
                        yield (entry.sector + number) * SECTOR, self.record[begin:begin + SECTOR]


class Disk:
    """The disk's octets, brought forward entry by entry, and looked at as they are after a cut."""

    def __init__(self, base, record, entries):
        self.octets, self.written = bytearray(pathlib.Path(base).read_bytes()), Written(record, entries)

    def cut(self, at, chance, ignored=0):
        """The octets after a cut behind entry `at`. `ignored`: of a drive that did nothing for its last n flushes, and said it had."""
        put(self.octets, self.written.settle(last_flush(self.written.entries, at, ignored)))
        octets = bytearray(self.octets)
        put(octets, self.written.survivors(at, chance, ignored))
        return octets


def put(octets, pieces):
    for offset, piece in pieces:
        octets[offset:offset + len(piece)] = piece


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
