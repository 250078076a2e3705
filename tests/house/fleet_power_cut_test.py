"""tools/fleet-rig --power-cut: disks are cut at one moment, and what is missing or may begin again is found."""

import contextlib
import io
import pathlib
import random
import struct
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from cuts import common_moments, image, write_log  # noqa: E402
from fleet import __main__ as rig  # noqa: E402
from fleet import cut_judge, fleet_disks, node_after_cut, power_cut, rebuilt_disks, whole_cut  # noqa: E402
from fleet.box_after_cut import Box  # noqa: E402
from fleet.cut_facts import Begun, Facts, Heard  # noqa: E402
from fleet.node_after_cut import Node, Place  # noqa: E402
from lab.peers.journal import Submit  # noqa: E402
from lab.peers.processes import ProcessError  # noqa: E402


class Growing:
    """A record whose size is the next of these in each look; the last one stays."""

    def __init__(self, *sizes):
        self.sizes = list(sizes)

    def size(self):
        return self.sizes.pop(0) if len(self.sizes) > 1 else self.sizes[0]


class Moments(unittest.TestCase):
    def moment(self, *disks):
        clock = iter(range(10 * common_moments.TRIES))
        return common_moments.moment(disks, now=lambda: next(clock))

    def test_a_moment_is_one_at_which_no_record_grew_between_two_looks(self):
        self.assertEqual(self.moment(Growing(7), Growing(9)), common_moments.Moment(0, (7, 9)))

    def test_what_was_known_before_the_first_of_these_looks_is_before_it(self):
        self.assertEqual(self.moment(Growing(1, 1, 2), Growing(1, 2)), common_moments.Moment(2, (2, 2)))

    def test_records_that_never_rest_give_none(self):
        self.assertIsNone(self.moment(Growing(*range(2 * common_moments.TRIES))))


def record(chance, entries):
    octets = struct.pack("<QQQI", write_log.MAGIC, 1, entries, 512).ljust(512, b"\0")
    for number in range(entries):
        kind = chance.choice((0, 0, 0, write_log.FLUSH, write_log.FUA, write_log.DISCARD))
        sectors = 0 if kind == write_log.FLUSH else chance.randint(1, 3)
        octets += struct.pack("<QQQQ", chance.randint(0, 30), sectors, kind, 0).ljust(512, b"\0")
        octets += bytes([number + 1]) * (512 * sectors) if kind != write_log.DISCARD else b""
    return octets


class Disks(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def written(self, seed, name="disk"):
        """Base, record and entries."""
        base, log = self.folder / f"{name}.base", self.folder / f"{name}.log"
        base.write_bytes(bytes(40 * 512))
        log.write_bytes(record(random.Random(seed), 40))
        return base, log, write_log.read(log)

    def test_a_large_disk_has_what_a_disk_in_memory_has(self):
        for seed in range(12):
            base, log, entries = self.written(seed)
            for ignored in (0, 2):
                small, large = write_log.Disk(base, log, entries), image.LargeDisk(base, log, entries, self.folder / "settled")
                for at in (3, 17, 17, 40):
                    large.cut(at, random.Random(at), ignored, self.folder / "cut")
                    self.assertEqual((self.folder / "cut").read_bytes(), bytes(small.cut(at, random.Random(at), ignored)))

    def test_each_disk_is_cut_where_its_own_record_was_at_the_moment(self):
        disks, records, entries = [], [], []
        for number in range(2):
            base, log, found = self.written(number, f"disk-{number}")
            entries.append(found)
            disks.append(fleet_disks.FleetDisk(f"disk-{number}", self.folder, 1))
            records.append(unittest.mock.Mock(base=base, record=log))
        moment = common_moments.Moment(0.0, (entries[0][4].end, entries[1][30].end))
        cuts = []

        def noted(large, at, *_):
            cuts.append(at)
            self.assertIn(large, (wanted[2] for wanted in rebuilt.wanted))

        rebuilt = rebuilt_disks.RebuiltDisks(disks, records, self.folder)
        with unittest.mock.patch.object(image.LargeDisk, "cut", noted), unittest.mock.patch.object(image, "repair", lambda _: ["torn"]):
            made = rebuilt.images(moment, 1, 0, self.folder)
        self.assertEqual(cuts, [5, 31])
        self.assertEqual([problems for _, _, problems in made], [["disk-0: torn"], ["disk-1: torn"]])

    def test_every_database_of_a_fleet_has_a_disk_of_its_own(self):
        nodes = [unittest.mock.Mock(data=self.folder / name / "data", folder=self.folder / name) for name in ("engine-1", "engine-2", "engine-3")]
        boxes = [unittest.mock.Mock(folder=self.folder / name) for name in ("box-1", "box-2", "box-3")]
        for machine in (*nodes, *boxes):
            machine.name = machine.folder.name
        disks = fleet_disks.of_fleet(unittest.mock.Mock(nodes=nodes), unittest.mock.Mock(all=boxes))
        self.assertEqual({disk.name.partition(".")[2] for disk in disks}, {"data", "etcd", "state"})
        for part in ("name", "folder", "place"):
            self.assertEqual(len({getattr(disk, part) for disk in disks}), 9)


WAITS, HELD, FIRM, ENDED = Place(False, 0, False), Place(False, 1, False), Place(False, 1, True), Place(True, 0, False)
QUEUED, SENDING, ELSEWHERE = 1, 2, 10


class Judge(unittest.TestCase):
    """One message, "a" with the id 7, which box-1 accepted at second 1 and gave to a modem at second 2; the power goes at second 3."""

    def judged(self, kept="cluster", state=SENDING, primary=FIRM, standbys=(FIRM, FIRM), when=3.0, begun=True):
        facts = Facts([], [Heard(1.0, "a", 7, "box-1", kept)], [Begun(2.0, "a", "box-1")] if begun else [], {"box-1": 1, "box-2": 2}, "engine-1")
        nodes = {f"engine-{n + 1}": Node(n == 0, {} if place is None else {7: place}, []) for n, place in enumerate((primary, *standbys))}
        boxes = {"box-1": Box({} if state is None else {"a": state}, []), "box-2": Box({}, [])}
        return cut_judge.judge(facts, when, nodes, boxes)

    def test_what_is_lost_and_what_may_begin_again(self):
        for what, words, lost, again in (
                ("all have it", {}, 0, 0),
                ("one standby has it, which is enough", {"standbys": (None, FIRM)}, 0, 0),
                ("its box does not have it", {"state": None}, 1, 1),
                ("the primary does not", {"primary": None}, 1, 0),
                ("no standby does", {"standbys": (None, None)}, 1, 0),
                ("it was on one disk of the engine", {"kept": "one_disk", "standbys": (None, None)}, 0, 0),
                ("it was on one disk of the engine, and is not", {"kept": "one_disk", "primary": None}, 1, 0),
                ("it was in its box alone", {"kept": "here", "primary": None, "standbys": (None, None)}, 0, 0),
                ("its box would begin it", {"state": QUEUED}, 0, 1),
                ("its box thinks that another one has it", {"state": ELSEWHERE}, 0, 1),
                ("another box may take it", {"primary": HELD}, 0, 1),
                ("another box may take it, from any standby", {"standbys": (WAITS, HELD)}, 0, 1),
                ("another box has it", {"primary": Place(False, 2, True)}, 0, 1),
                ("it has ended", {"primary": ENDED, "standbys": (ENDED, ENDED), "state": 5}, 0, 0),
                ("it waits and was not begun", {"begun": False, "state": QUEUED, "primary": WAITS, "standbys": (WAITS, WAITS)}, 0, 0),
                ("the power went before anyone knew of it", {"when": 0.5, "state": None, "primary": None, "standbys": (None, None)}, 0, 0),
                ("the power went before a modem had it", {"when": 1.5, "state": QUEUED, "primary": WAITS}, 0, 0)):
            with self.subTest(what):
                found = self.judged(**words)
                self.assertEqual((len(found.lost), len(found.again), found.broken), (lost, again, []))
                self.assertEqual(found.is_good(), not lost and not again)

    def test_damage_is_said_with_its_place_and_there_is_one_primary(self):
        nodes = {"engine-1": Node(True, {}, ["PANIC: no checkpoint"]), "engine-2": Node(True, {}, [])}
        found = cut_judge.judge(Facts([], [], [], {}, "engine-1"), 1.0, nodes, {"box-1": Box({}, ["torn page"])})
        self.assertEqual(found.broken, ["engine-1: PANIC: no checkpoint", "box-1: torn page", "2 nodes were primaries"])

    def test_rows_of_a_node_are_read_as_postgresql_writes_them(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = pathlib.Path(folder) / "rows"
            rows.write_text("7\t\\N\t1\tt\n8\t4\t\\N\t\\N\n9\t\\N\t0\tf\n")
            self.assertEqual(node_after_cut.read(rows), {7: FIRM, 8: ENDED, 9: WAITS})

    def test_an_error_of_recovery_is_seen_and_a_notice_is_not(self):
        self.assertEqual(node_after_cut.WRONG.findall("x LOG:  redo done\nx PANIC:  could not locate\nx WARNING:  torn"), ["PANIC:  could not locate"])


class WholeCuts(unittest.TestCase):
    def found(self, state, after, begun):
        """Of one message that was accepted before the cut."""
        box = unittest.mock.Mock(messages=lambda: {"7": {"state": state}})
        box.name = "box-1"
        boxes = unittest.mock.Mock(all=[box])
        boxes.journal.update.return_value.submits = boxes.journal.submits = [Submit(9.0, 0, "a", 0.5)] * after
        cut = whole_cut.WholeCut(None, boxes, [], None, 0, None)
        with unittest.mock.patch.object(whole_cut, "MORE", 0):
            return cut.judged([Heard(1.0, "a", 7, "box-1", "cluster")], [Begun(2.0, "a", "box-1")] * begun, 5.0)

    def test_what_a_modem_had_before_the_cut_must_not_go_out_after_it(self):
        for what, state, after, begun, faults, uncertain in (
                ("sent after the cut alone", "sent", 1, 0, 0, 0), ("given to a modem, and shown as uncertain", "uncertain", 0, 1, 0, 1),
                ("given to a modem, and sent again", "sent", 1, 1, 1, 0), ("sent twice after the cut", "sent", 2, 0, 1, 0),
                ("never sent", "queued", 0, 0, 1, 0), ("its box would send it again", "queued", 0, 1, 1, 0)):
            with self.subTest(what):
                found = self.found(state, after, begun)
                self.assertEqual((len(found.faults), found.uncertain), (faults, uncertain))

    def test_a_node_that_does_not_come_back_is_not_started_and_the_others_are_enough(self):
        started = []
        nodes = [unittest.mock.Mock(start=lambda n=n: started.append(n)) for n in range(3)]
        for number, node in enumerate(nodes):
            node.name = f"engine-{number + 1}"
        engine = unittest.mock.Mock(nodes=nodes, wait=lambda *_: None)
        for away, streaming, whole in ((None, 2, True), ("engine-2", 1, True), ("engine-2", 0, False)):
            with self.subTest(away=away, streaming=streaming):
                started.clear()
                engine.streaming.return_value, engine.is_whole.return_value = streaming, away is None
                cut = whole_cut.WholeCut(engine, unittest.mock.Mock(all=[]), [], None, 0, away)
                cut.start()
                self.assertEqual(started, [0, 1, 2] if away is None else [0, 2])
                self.assertEqual(cut.is_whole(), whole)


class Command(unittest.TestCase):
    def test_it_is_an_option_of_its_own_and_cuts_at_least_once(self):
        for words in (("--power-cut", "--once"), ("--power-cut", "--promises"), ("--power-cut", "--engine-only"), ("--power-cut", "--cuts", "0"),
                      ("--power-cut", "--ignoring", "0"), ("--power-cut", "--whole", "0"), ("--once", "--without-fsync")):
            with self.subTest(words), unittest.mock.patch.object(sys, "argv", ["fleet-rig", "--programs", "bin", *words]), \
                    contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as refused:
                rig.options()
            self.assertEqual(refused.exception.code, 2)

    def test_moments_come_in_order_and_none_from_the_time_in_which_little_was_accepted(self):
        moments = [common_moments.Moment(float(n), ()) for n in range(100)]
        chosen = power_cut.chosen(moments, 50, random.Random(1))
        self.assertEqual(chosen, sorted(chosen, key=lambda moment: moment.when))
        self.assertEqual((len(chosen), chosen[0].when >= 10), (50, True))

    def test_a_record_without_a_moment_is_a_failure(self):
        with self.assertRaisesRegex(ProcessError, "no moment"):
            power_cut.chosen([], 1, random.Random(1))


if __name__ == "__main__":
    unittest.main(verbosity=2)
