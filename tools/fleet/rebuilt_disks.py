"""The recorded disks of a fleet, as they may be after a power cut: images, cut at one moment of all records, with their file systems repaired."""

import random

from cuts import image, write_log


class RebuiltDisks:
    """Each call is for a later moment than the one before, or the same one. `names`: the disks that are wanted; all by default.
    `folder`: for files of its own."""

    def __init__(self, disks, records, folder, names=None):
        self.wanted = []
        for number, (disk, record) in enumerate(zip(disks, records)):
            if names is None or disk.name in names:
                entries = write_log.read(record.record)
                self.wanted.append((number, disk, image.LargeDisk(record.base, record.record, entries, folder / f"{disk.name}.settled")))

    def images(self, moment, seed, ignored, folder):
        """[(disk, image, what is wrong with its file system)]. `ignored`: the last flushes, by which a bad drive did nothing."""
        made = []
        for number, disk, large in self.wanted:
            at = write_log.entries_before(large.written.entries, moment.sizes[number])
            file = folder / f"{disk.name}.img"
            large.cut(at, random.Random(f"{seed} {at} {disk.name}"), ignored, file)
            made.append((disk, file, [f"{disk.name}: {problem}" for problem in image.repair(file)]))
        return made
