"""tools/fleet-rig: the recipe of an engine is whole, and is what docs/fleet.md shows."""

import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from fleet import __main__ as rig  # noqa: E402
from fleet import guard, lock_watch, ports, promises, recipe, refs_trial, small_disk, verdict, worker  # noqa: E402
from fleet.client import Accepted, Client  # noqa: E402
from fleet.load import Load  # noqa: E402
from fleet.outcome import Outcome  # noqa: E402
from lab.peers.journal import Submit  # noqa: E402
from lab.peers.processes import ProcessError  # noqa: E402

ADDRESSES = ("10.0.0.11", "10.0.0.12", "10.0.0.13")


def script(name):
    """A script of the recipe as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(recipe.RECIPE / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


class Recipe(unittest.TestCase):
    def test_a_machine_gets_files_in_which_every_name_is_filled(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([recipe.RECIPE / "for_machine", "2", *ADDRESSES], cwd=folder, check=True)
            written = {file.name: file.read_text() for file in pathlib.Path(folder).iterdir()}
        self.assertEqual(set(written), {"etcd.env", "patroni.yml"})
        self.assertIn("engine-1=https://10.0.0.11:2380,engine-2=https://10.0.0.12:2380", written["etcd.env"])
        self.assertIn("listen: 10.0.0.12:5432", written["patroni.yml"])
        for text in written.values():
            self.assertNotRegex(text, r"\$[a-z{]")

    def test_a_machine_has_one_of_three_numbers(self):
        for words in (("4", *ADDRESSES), ("1", "10.0.0.11"), ()):
            ran = subprocess.run([recipe.RECIPE / "for_machine", *words], capture_output=True, check=False)
            self.assertEqual(ran.returncode, 64)

    def test_a_name_that_is_not_filled_is_an_error(self):
        with self.assertRaises(KeyError):
            recipe.filled("patroni.yml", name="engine-1")

    def test_variables_are_read_as_systemd_reads_them(self):
        self.assertEqual(recipe.environment('# a comment\nA=one\n\nB="two words"\n'), {"A": "one", "B": "two words"})

    def test_the_primary_changes_before_a_lease_ends(self):
        text = (recipe.RECIPE / "patroni.yml").read_text()
        ttl, loop_wait, retry = (int(re.search(rf"\b{name}: (\d+)", text)[1]) for name in ("ttl", "loop_wait", "retry_timeout"))
        self.assertLessEqual(loop_wait + 2 * retry, ttl)    # or Patroni gives the lock away while it still tries
        self.assertLess(ttl, 15)

    def test_the_document_shows_the_files_that_the_rig_runs(self):
        document = (ROOT / "docs/fleet.md").read_text()
        for file in ("etcd.env", "patroni.yml", "roles.sql"):
            with self.subTest(file):
                self.assertIn(f"```\n{(recipe.RECIPE / file).read_text()}```", document)


class RebuildStandby(unittest.TestCase):
    SEGMENT = 16 * 1024 * 1024

    def setUp(self):
        self.script = script("rebuild_standby")

    def machine(self, member, received):
        """A primary with two standbys: engine-2 follows, and `member` is what Patroni says of engine-3."""
        test = self

        class Machine:
            name, api = "engine-1", "10.0.0.11:8008"

            def rows(self, command):
                return ["engine-2"] if "replication" in command else ["00000002000000000000000A", "000000020000000100000000"]

            def ask(self, api, method, target, body=None):
                if target == "/cluster":
                    return test.script.json.dumps({"members": [{"name": "engine-1", "role": "leader", "state": "running"},
                                                               {"name": "engine-2", "role": "sync_standby", "state": "running"},
                                                               {"name": "engine-3", "role": "replica", "api_url": "https://10.0.0.13:8008/patroni", **member}]})
                return test.script.json.dumps({"xlog": {"received_location": received}})

        return Machine()

    def test_the_log_begins_with_the_oldest_file_of_any_timeline(self):
        self.assertEqual(self.script.oldest_octet(["000000020000000100000000", "0000000100000000000000FF"]), 255 * self.SEGMENT)

    def test_a_standby_whose_log_is_gone_is_copied_again_and_no_other(self):
        gone, there = 10 * self.SEGMENT - 1, 10 * self.SEGMENT
        for what, member, received, wanted in (("its log is gone", {"state": "running"}, gone, ["engine-3"]),
                                               ("its log is there", {"state": "running"}, there, []),
                                               ("it is being copied", {"state": "creating replica"}, gone, []),
                                               ("it says nothing of where it is", {"state": "running"}, 0, [])):
            with self.subTest(what):
                self.assertEqual([name for name, _ in self.script.left_behind(self.machine(member, received))], wanted)


def accepted(to, box="box-1"):
    return Accepted(to, f"id of {to}", box, "cluster", 0.0)


class Judge(unittest.TestCase):
    def judged(self, submits, state, code=None):
        """Of one message that box-1 accepted."""
        return verdict.judge([accepted("a")], submits, {("box-1", "id of a"): (state, code)} if state else {})

    def test_what_became_of_a_message(self):
        once = [Submit(1.0, 0, "a", 0.5)]
        twice = [*once, Submit(2.0, 9, "a", 0.5)]
        good = ([], [], [], [])
        for what, submits, state, code, wanted in (
                ("sent once, by whichever box", once, "delivered", None, good),
                ("never sent, and said to be", [], "sent", None, (["a"], [], [], [])),
                ("never sent, and it waits", [], "elsewhere", None, (["a"], [], [], [])),
                ("never sent, and its box has forgotten it", [], None, None, (["a"], [], [], [])),
                ("never sent, and its box says that it may have been", [], "uncertain", None, ([], [], ["a"], [])),
                ("the same, decided", [], "failed", "outcome_unknown", ([], [], ["a"], [])),
                ("never sent, refused", [], "failed", "cms_42", (["a"], [], [], [])),
                ("sent by two boxes", twice, "sent", None, ([], ["a"], [], [])),
                ("sent, and its box does not know", once, "elsewhere", None, ([], [], [], ["a"]))):
            with self.subTest(what):
                found = self.judged(submits, state, code)
                self.assertEqual((found.lost, found.twice, found.unknown, found.denied), wanted)

    def test_what_was_sent_without_an_answer_to_the_client_counts_only_where_it_is_twice(self):
        self.assertEqual(verdict.judge([], [Submit(1.0, 0, "b", 0.5)], {}).twice, [])
        self.assertEqual(verdict.judge([], [Submit(1.0, 0, "b", 0.5)] * 2, {}).twice, ["b"])

    def test_idle_is_from_an_answer_to_the_next_submit_of_the_same_modem(self):
        submits = [Submit(1.0, 0, "a", 0.5), Submit(1.2, 1, "b", 0.5), Submit(4.5, 0, "c", 0.5), Submit(9.0, 1, "d", 0.5)]
        self.assertAlmostEqual(verdict.longest_idle(submits, {0}, 0, 10), 3.0)
        self.assertAlmostEqual(verdict.longest_idle(submits, {0, 1}, 0, 10), 7.3)
        self.assertEqual(verdict.longest_idle(submits, {0}, 5, 10), 0.0)


class Answers(unittest.TestCase):
    def test_a_message_is_accepted_once_and_refused_for_good_only_by_its_own_fault(self):
        for status, body, taken, refusals in ((202, '{"id":"7","kept":"here"}', True, 0), (200, '{"id":"7","kept":"cluster"}', True, 0),
                                              (503, "later", False, 1), (409, "another body", True, 1)):
            with self.subTest(status):
                client = Client("box-1", [], 1)
                self.assertEqual(client._is_taken({"to": "a"}, status, body.encode()), taken)
                self.assertEqual(len(client.refused), refusals)
                self.assertEqual(len(client.accepted), 1 - refusals)


class Works(worker.Worker):
    """`what` gets the event that ends it."""

    def __init__(self, what):
        super().__init__()
        self.what = what

    def work(self):
        self.what(self.stopped)


class Workers(unittest.TestCase):
    def setUp(self):
        self.printed = self.enterContext(unittest.mock.patch("threading.excepthook"))

    def fails(self, _stopped):
        raise KeyError("box-9")

    def test_it_works_until_the_end(self):
        with Works(lambda stopped: stopped.wait(60)) as works:
            self.assertTrue(works.is_alive())
        self.assertFalse(works.is_alive())
        self.printed.assert_not_called()

    def test_what_it_failed_with_is_printed_and_ends_the_work(self):
        with self.assertRaisesRegex(ProcessError, "Works failed: KeyError.*box-9"), Works(self.fails):
            pass
        self.printed.assert_called_once()

    def test_a_failure_hides_no_other_one(self):
        with self.assertRaisesRegex(OSError, "the box is away"), Works(self.fails):
            raise OSError("the box is away")

    def test_one_that_does_not_end_is_not_waited_for_without_a_bound(self):
        ends = threading.Event()
        self.addCleanup(ends.set)
        with unittest.mock.patch.object(worker, "END_S", 0.01), self.assertRaisesRegex(ProcessError, "did not end"), Works(lambda _: ends.wait(60)):
            pass

    def test_a_watch_that_gets_no_answer_fails_since_it_would_see_no_lock(self):
        with unittest.mock.patch("fleet.sql.Session", return_value=unittest.mock.Mock(ask=lambda _: None)) as session, \
                self.assertRaisesRegex(ProcessError, "LockWatch failed"), lock_watch.LockWatch(unittest.mock.Mock()) as watch:
            watch.join(10)
        session.return_value.close.assert_called_once()


class Options(unittest.TestCase):
    def asked(self, *words):
        with unittest.mock.patch.object(sys, "argv", ["fleet-rig", "--programs", "bin", *words]), contextlib.redirect_stderr(io.StringIO()):
            return rig.options()

    def test_all_promises_are_tried_or_those_that_are_named(self):
        self.assertIsNone(self.asked("--once").promises)
        self.assertEqual(self.asked("--promises").promises, [])
        self.assertEqual(self.asked("--promises", "refs", "disk").promises, ["refs", "disk"])

    def test_an_unknown_promise_and_one_without_boxes_are_refused(self):
        for words in (("--promises", "moon"), ("--promises", "--engine-only"), ("--promises", "--once")):
            with self.subTest(words), self.assertRaises(SystemExit) as refused:
                self.asked(*words)
            self.assertEqual(refused.exception.code, 2)


class Promises(unittest.TestCase):
    def ran(self, trials, *wanted):
        """The exit code, and what was printed."""
        said = io.StringIO()
        with unittest.mock.patch.object(promises, "TRIALS", trials), contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            return promises.run(None, None, wanted, lambda _: None), said.getvalue()

    def test_the_code_is_1_where_one_of_them_does_not_hold_or_does_not_end(self):
        def stuck(*_):
            raise ProcessError("the engine: not there after 60 s")

        good, bad = Outcome(figures=["40 refs"]), Outcome(faults=["2 messages sent twice"])
        skipped = Outcome(skipped="only root can")
        trials = {"good": ("a good one", lambda *_: good), "bad": ("a bad one", lambda *_: bad), "stuck": ("a stuck one", stuck),
                  "skipped": ("a skipped one", lambda *_: skipped)}
        for wanted, code, words in ((("good", "skipped"), 0, ["held    40 refs", "skipped only root can"]), (("bad",), 1, ["2 messages sent twice"]),
                                    (("stuck",), 1, ["not there after 60 s"]), ((), 1, ["a good one", "a bad one", "a stuck one", "a skipped one"])):
            with self.subTest(wanted):
                found, said = self.ran(trials, *wanted)
                self.assertEqual(found, code)
                for word in words:
                    self.assertIn(word, said)

    def test_two_answers_to_one_request_name_one_message_and_of_two_requests_one_is_refused(self):
        accepted, other, conflict = (202, b'{"id":"7"}'), (202, b'{"id":"8"}'), (409, b"{}")
        self.assertEqual(refs_trial.one_message([accepted, accepted]), "7")
        for answers in ([accepted, other], [accepted, conflict], [conflict, conflict]):
            with self.subTest(answers):
                self.assertIsNone(refs_trial.one_message(answers))
        self.assertTrue(refs_trial.is_conflict([conflict, accepted]))
        self.assertFalse(refs_trial.is_conflict([accepted, accepted]))

    def test_what_is_shown_as_uncertain_is_neither_lost_nor_denied(self):
        load = Load(boxes_that_say({"a": ("uncertain", None), "b": ("failed", "outcome_unknown"), "c": ("failed", None), "d": ("sent", None)},
                                   sent=["b", "d", "d"]), {}, 3)
        with unittest.mock.patch.object(load, "accepted", lambda: [accepted(load.prefix + name, load.boxes.all[0]) for name in "abcd"]):
            account = load.account()
        parts = (account.lost, account.twice, account.unknown, account.doubted, account.denied)
        found = [[to.removeprefix(load.prefix) for to in part] for part in parts]
        self.assertEqual(found, [["c"], ["d"], ["a"], ["b"], []])
        self.assertTrue(account.is_over())
        outcome, repeats = Outcome(), Outcome()
        account.tell(outcome)
        self.assertEqual(len(outcome.faults), 2)
        account.tell(repeats, may_repeat=[load.prefix + "d"])
        self.assertEqual(len(repeats.faults), 1)

    def test_a_full_disk_has_no_block_left_and_then_room_again(self):
        with tempfile.TemporaryDirectory() as folder:
            node = unittest.mock.Mock(data=pathlib.Path(folder) / "data")
            free = unittest.mock.Mock(f_bavail=3, f_frsize=4096)
            with unittest.mock.patch("os.statvfs", return_value=free):
                small_disk.fill(node)
            self.assertEqual(small_disk.used(folder), 3 * 4096)
            small_disk.make_room(node)
            self.assertEqual(small_disk.used(folder), 0)


def boxes_that_say(states, sent):
    """One box that accepted a message to each of these, and a network that got some."""
    def number(to):
        return f"+3363{to}"

    box = unittest.mock.Mock()
    box.messages = lambda: {f"id of {number(to)}": {"state": state, "code": code} for to, (state, code) in states.items()}
    boxes = unittest.mock.Mock(all=[box])
    boxes.journal.update.return_value.submits = [Submit(1.0, 0, number(to), 0.5) for to in sent]
    return boxes


class Guard(unittest.TestCase):
    def test_only_a_program_that_outlives_the_rig_is_ended_and_only_below_its_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            below = pathlib.Path(folder).resolve() / "box-1"
            below.mkdir()
            copies = {}
            for name in ("smsrackd", "bystander"):    # "bystander": a person's shell in that folder
                shutil.copy("/bin/sleep", below / name)
                copies[name] = subprocess.Popen([below / name, "60"], cwd=below)
            elsewhere = subprocess.Popen([below / "smsrackd", "60"], cwd="/")
            try:
                self.assertEqual(list(guard.outliving(below.parent)), [copies["smsrackd"].pid])
            finally:
                for process in (*copies.values(), elsewhere):
                    process.kill()
                    process.wait()


class Ports(unittest.TestCase):
    def test_free_ports_are_different_ones(self):
        found = ports.free_ports(12)
        self.assertEqual(len(set(found)), 12)


if __name__ == "__main__":
    unittest.main()
