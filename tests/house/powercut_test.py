"""tools/powercut: what a cut leaves of what was written, and that a loss is found where there is one."""

import json
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from cuts import write_log  # noqa: E402

STORED = pathlib.Path(__file__).resolve().with_name("powercut_record.tar.xz")
FLUSH, FUA, DISCARD = write_log.FLUSH, write_log.FUA, write_log.DISCARD


def sector(letter):
    return letter.encode() * 512


def record(*entries):
    """entries: (sector, data, flags)"""
    octets = struct.pack("<QQQI", write_log.MAGIC, 1, len(entries), 512).ljust(512, b"\0")
    for begin, data, flags in entries:
        octets += struct.pack("<QQQQ", begin, len(data) // 512, flags, 0).ljust(512, b"\0")
        octets += data if not flags & DISCARD else b""
    return octets


class Always:
    def __init__(self, number):
        self.random = lambda: number


KEPT, LOST = Always(0.0), Always(0.9)


class InAFolder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="powercut-test-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def disk(self, *entries):
        (self.folder / "base").write_bytes(sector("-") * 4)
        (self.folder / "log").write_bytes(record(*entries))
        return write_log.Disk(self.folder / "base", self.folder / "log", write_log.read(self.folder / "log"))


class Cuts(InAFolder):
    def test_what_was_flushed_is_there_and_what_came_later_is_there_by_chance_sector_by_sector(self):
        for chance, expected in ((KEPT, "aBC-"), (LOST, "a---")):
            disk = self.disk((0, sector("a"), 0), (0, b"", FLUSH), (1, sector("B") + sector("C"), 0))
            self.assertEqual(disk.cut(3, chance), b"".join(map(sector, expected)))
        seen = {bytes(self.disk((0, b"", FLUSH), (1, sector("B") + sector("C"), 0)).cut(2, random.Random(seed))[::512]) for seed in range(40)}
        self.assertEqual(seen, {b"----", b"-B--", b"--C-", b"-BC-"})

    def test_what_comes_after_the_cut_is_not_there(self):
        disk = self.disk((0, sector("a"), 0), (0, b"", FLUSH), (0, sector("b"), 0), (0, b"", FLUSH))
        self.assertEqual(disk.cut(2, KEPT)[:512], sector("a"))
        self.assertEqual(disk.cut(3, LOST)[:512], sector("a"))
        self.assertEqual(disk.cut(4, LOST)[:512], sector("b"))

    def test_a_write_with_forced_unit_access_is_there_without_a_flush(self):
        disk = self.disk((0, sector("a"), 0), (1, sector("b"), FUA))
        self.assertEqual(disk.cut(2, LOST), b"".join(map(sector, "-b--")))

    def test_a_drive_that_ignores_flushes_may_lose_what_was_flushed(self):
        entries = (0, sector("a"), 0), (0, b"", FLUSH), (1, sector("b"), FUA)
        self.assertEqual(self.disk(*entries).cut(3, LOST, ignored=1), sector("-") * 4)
        self.assertEqual(self.disk(*entries).cut(3, KEPT, ignored=1), b"".join(map(sector, "ab--")))

    def test_it_ignores_the_last_ones_alone(self):
        disk = self.disk((0, sector("a"), 0), (0, b"", FLUSH), (1, sector("b"), 0), (0, b"", FLUSH), (2, sector("c"), 0))
        self.assertEqual(disk.cut(5, LOST, ignored=1), b"".join(map(sector, "a---")))

    def test_what_was_discarded_has_no_data_in_the_record(self):
        disk = self.disk((2, sector("x"), DISCARD), (3, sector("d"), 0), (0, b"", FLUSH))
        self.assertEqual(disk.cut(3, LOST), b"".join(map(sector, "---d")))


class Records(InAFolder):
    def test_an_entry_that_is_not_whole_is_left_away(self):
        (self.folder / "log").write_bytes(record((0, sector("a"), 0), (1, sector("b"), 0))[:-1])
        self.assertEqual(len(write_log.read(self.folder / "log")), 1)

    def test_a_size_tells_which_entries_were_whole(self):
        (self.folder / "log").write_bytes(record((0, sector("a"), 0), (0, b"", FLUSH), (1, sector("b"), 0)))
        entries = write_log.read(self.folder / "log")
        self.assertEqual([write_log.entries_before(entries, size) for size in (512, 1535, 1536, 2047, 2048, 3071, 3072)], [0, 0, 1, 1, 2, 2, 3])

    def test_what_is_no_record_is_refused(self):
        for octets, why in ((b"hello", "no record"), (record((0, b"", FLUSH)), "nothing was written"),
                            (struct.pack("<QQQI", write_log.MAGIC, 1, 0, 4096).ljust(512, b"\0"), "sectors of 4096")):
            (self.folder / "log").write_bytes(octets)
            with self.assertRaisesRegex(write_log.NoRecord, why):
                write_log.read(self.folder / "log")


@unittest.skipUnless(os.environ.get("SMSRACK_BIN_DIR"), "wants the programs")
class TheStoredRecord(InAFolder):
    """60 messages out and 15 in, recorded with `tools/powercut --record`."""

    def powercut(self, *words):
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "tools"), "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
        return subprocess.run([sys.executable, "-B", "-m", "cuts", "--programs", os.environ["SMSRACK_BIN_DIR"], *map(str, words)],
                              capture_output=True, text=True, env=environment)

    def unpack(self):
        subprocess.run(["tar", "-xf", STORED, "-C", self.folder], check=True)

    def test_no_cut_loses_anything_and_a_drive_without_flushes_does(self):
        ran = self.powercut("--replay", STORED, "--cuts", 60, "--ignoring", 6)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertIn("60 messages accepted, 60 at the network, 15 received", ran.stdout)
        self.assertIn("60 cuts: 0 facts lost, 0 integrity errors", ran.stdout)

    def test_a_message_that_was_accepted_before_it_was_on_the_disk_is_found(self):
        self.unpack()
        facts = self.folder / "facts.jsonl"
        for kind in ("accepted", "sent", "received"):
            wrong = {"kind": kind, "what": "+33600000000" if kind == "sent" else "99", "size": 4096}  # before the database was made
            lines = facts.read_text()
            facts.write_text(json.dumps(wrong) + "\n")
            ran = self.powercut("--replay", self.folder, "--cuts", 4, "--ignoring", 1)
            facts.write_text(lines)
            self.assertEqual(ran.returncode, 1, kind)
            self.assertIn(f"1 {kind} and not there", ran.stdout)

    def test_a_database_that_is_damaged_is_found(self):
        self.unpack()
        octets = bytearray((self.folder / "writes.log").read_bytes())
        for entry in write_log.read(self.folder / "writes.log"):
            if entry.writes and octets[entry.data:entry.data + 15] == b"SQLite format 3":
                octets[entry.data + 100:entry.data + 512] = bytes(412)  # the root of its schema
        for head in (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83"):
            octets = octets.replace(head, bytes(4))  # no log, in which that page is whole
        (self.folder / "writes.log").write_bytes(octets)
        ran = self.powercut("--replay", self.folder, "--cuts", 6, "--ignoring", 1)
        self.assertEqual(ran.returncode, 1)
        self.assertNotIn(" 0 integrity errors", ran.stdout)

    def test_wrong_words_and_wrong_files_are_told(self):
        self.assertEqual(self.powercut("--cuts", 0).returncode, 64)
        ran = self.powercut("--replay", self.folder / "nowhere")
        self.assertEqual((ran.returncode, "nowhere" in ran.stderr), (65, True))
        self.unpack()
        (self.folder / "writes.log").write_bytes(b"nothing")
        self.assertEqual(self.powercut("--replay", self.folder).returncode, 65)


if __name__ == "__main__":
    unittest.main(verbosity=2)
