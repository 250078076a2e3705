"""tools/fleet-rig --figures: what it reads from the kernel, how it judges, and what it prints."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import types
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from fleet import __main__ as rig  # noqa: E402
from fleet import drain_figures, figures, handing_in, link_meter, memory, processors, rate_figures  # noqa: E402
from fleet.figure import Figure, number, table, write_json  # noqa: E402
from fleet.link_meter import LinkMeter, Octets  # noqa: E402

CONNECTIONS = """\
0 0 127.0.0.1:40000 127.0.0.1:20001 users:(("smsrackd",pid=70,fd=9)) cubic rto:204 bytes_sent:{sent} bytes_acked:101 bytes_received:{received} segs_out:2
0 0 127.0.0.1:40002 127.0.0.1:20001 users:(("smsrackd",pid=71,fd=9)) cubic bytes_sent:9 bytes_received:8
0 0 127.0.0.1:20001 127.0.0.1:40000 users:(("postgres",pid=700,fd=9)) cubic bytes_sent:5 bytes_received:4
"""


class Kernel(unittest.TestCase):
    def test_a_connection_is_that_of_the_process_and_a_count_of_zero_is_not_printed(self):
        self.assertEqual(link_meter.parse(CONNECTIONS.format(sent=100, received=250), 70), {("127.0.0.1:40000", "127.0.0.1:20001"): Octets(100, 250)})
        self.assertEqual(link_meter.parse('0 0 a:1 b:2 users:(("smsrackd",pid=70,fd=9)) cubic bytes_sent:7', 70), {("a:1", "b:2"): Octets(7, 0)})

    def test_a_meter_counts_from_when_it_was_made_and_a_new_connection_from_its_begin(self):
        box = unittest.mock.Mock()
        box.process.return_value = 70
        later = CONNECTIONS.format(sent=130, received=260) + '0 0 a:1 b:2 users:(("smsrackd",pid=70,fd=10)) cubic bytes_sent:4 bytes_received:1\n'
        looks = [types.SimpleNamespace(stdout=text) for text in (CONNECTIONS.format(sent=100, received=250), later)]
        with unittest.mock.patch("subprocess.run", side_effect=looks):
            self.assertEqual(LinkMeter([box]).of_all(), Octets(34, 11))

    def test_memory_is_read_as_octets(self):
        self.assertEqual(memory.parse("5600-5700 ---p 00 00:00 0 [rollup]\nRss:    9000 kB\nPss:    7000 kB\nPss_Anon:  1 kB\nPrivate_Dirty: 3 kB\n"),
                         memory.Memory(rss=9000 << 10, pss=7000 << 10, own=3 << 10))

    def test_a_processor_that_waits_for_a_disk_is_not_busy(self):
        self.assertEqual(processors.parse("cpu  10 1 5 50 20 2 3 4 99 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n"), (25, 95))


class Judging(unittest.TestCase):
    def test_a_figure_is_met_where_it_is_on_the_right_side_of_its_bound(self):
        for what, figure, wanted in (("at the most", Figure("a", 5, "ms", 5), True), ("above it", Figure("a", 5.1, "ms", 5), False),
                                     ("at the least", Figure("a", 2.9, "times", 2.9, at_least=True), True),
                                     ("below it", Figure("a", 2.8, "times", 2.9, at_least=True), False), ("without a bound", Figure("a", 1, "ms"), None)):
            with self.subTest(what):
                self.assertIs(figure.is_met(), wanted)

    def test_numbers_have_three_digits_that_count(self):
        self.assertEqual([number(value) for value in (0.12345, 2.901, 43.21, 298.7, 12345.6, 5, -3.456)],
                         ["0.123", "2.9", "43.2", "299", "12,346", "5", "-3.46"])

    def test_a_line_has_what_was_seen_and_whether_the_bound_was_met(self):
        heading, good, bad = table([Figure("drain", 5.5, "s", 10, note="two rounds"), Figure("ratio", 2.5, "times", 2.9, at_least=True)])
        self.assertEqual(heading.split(), ["what", "bound", "seen"])
        self.assertEqual(good.split(), ["drain", "<=", "10", "s", "5.5", "s", "met", "two", "rounds"])
        self.assertEqual(bad.split(), ["ratio", ">=", "2.9", "times", "2.5", "times", "not", "met"])

    def test_the_file_has_each_figure_with_its_verdict(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "figures.json"
            write_json(path, [Figure("drain", 12, "s", 10)])
            (figure,) = json.loads(path.read_text())["figures"]
        self.assertEqual((figure["what"], figure["seen"], figure["bound"], figure["met"]), ("drain", 12, 10, False))

    def test_modems_have_work_for_the_whole_window(self):
        sent = (rate_figures.WARM_UP_S + rate_figures.WINDOW_S) * rate_figures.MODEMS * 1000 / rate_figures.SERVICE_MS
        self.assertGreater(rate_figures.OF_A_BOX, sent)
        self.assertGreaterEqual(drain_figures.MESSAGES, drain_figures.HELD)


class Parts(unittest.TestCase):
    def code(self, *wanted, strict=False):
        """Of a run whose parts are stand-ins, and what it printed."""
        parts = {"good": ("a good one", lambda _: [Figure("good", 1, "s", 2)]), "bad": ("a bad one", lambda _: [Figure("bad", 3, "s", 2)])}
        args = types.SimpleNamespace(programs=pathlib.Path("bin"), figures=wanted, json=None, strict=strict)
        said = io.StringIO()
        with unittest.mock.patch.multiple(figures, PARTS=parts, Boxes=unittest.mock.MagicMock(), SingleBox=unittest.mock.MagicMock()), \
                contextlib.redirect_stdout(said):
            return figures.run(None, pathlib.Path("folder"), args, lambda _: None), said.getvalue()

    def test_a_missed_bound_is_printed_and_counts_where_that_is_asked_for(self):
        self.assertEqual([self.code()[0], self.code(strict=True)[0], self.code("good", strict=True)[0]], [0, 1, 0])
        self.assertIn("not met", self.code()[1])

    def test_only_the_parts_that_are_named_are_measured(self):
        self.assertNotIn("bad", self.code("good")[1])


class HandingIn(unittest.TestCase):
    def test_no_two_messages_have_one_number_and_each_fills_a_segment(self):
        messages = handing_in.new_messages(3) + handing_in.new_messages(2)
        self.assertEqual(len({message["to"] for message in messages}), 5)
        self.assertEqual({len(message["text"]) for message in messages}, {160})


class Options(unittest.TestCase):
    def asked(self, *words):
        with unittest.mock.patch.object(sys, "argv", ["fleet-rig", "--programs", "bin", *words]), contextlib.redirect_stderr(io.StringIO()):
            return rig.options()

    def test_all_figures_are_measured_or_those_that_are_named(self):
        self.assertIsNone(self.asked("--once").figures)
        self.assertEqual(self.asked("--figures", "--strict").figures, [])
        self.assertEqual(self.asked("--figures", "post", "rate", "--json", "f").figures, ["post", "rate"])

    def test_an_unknown_part_and_options_that_do_not_fit_are_refused(self):
        for words in (("--figures", "moon"), ("--figures", "--once"), ("--figures", "--promises"), ("--once", "--strict"), ("--json", "f")):
            with self.subTest(words), self.assertRaises(SystemExit) as refused:
                self.asked(*words)
            self.assertEqual(refused.exception.code, 2)


if __name__ == "__main__":
    unittest.main()
