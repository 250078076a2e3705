"""tools/bench-peers: the judge, the arithmetic, the configurations, and that whatever is started is ended."""

import io
import json
import math
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from lab.peers import __main__ as command  # noqa: E402
from lab.peers import catalogue, figures, gateway, install, journal, processes, profile, scenarios  # noqa: E402


def setUpModule():
    # Where this is run in the background, it is ignored, and would be by all that is started here. A handler does not outlive an exec.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def submit(at, modem, to="+33610000000", service=0.5):
    return journal.Submit(at, modem, to, service)


def entry(event, t, **members):
    return json.dumps({"t": t, "wall": 0, "event": event, **members}) + "\n"


def row(name):
    return next(r for r in figures.ROWS if r.name == name)


class InAFolder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="peers-test-"))
        self.addCleanup(shutil.rmtree, self.folder)


class Judge(InAFolder):
    def test_the_log_is_read_on_as_it_grows_and_half_a_line_waits(self):
        log = self.folder / "network.jsonl"
        log.write_text(entry("start", 0.0, steady_us=5_000_000) + entry("fault", 0.1, modem=0, fault="hang")
                       + entry("submit", 1.5, modem=3, pdu="00", mr=7, to="+33610000001", service_us=500_000) + '{"t": 2.0, "ev')
        read = journal.Journal(log)
        self.assertEqual(read.update().submits, [journal.Submit(6.5, 3, "+33610000001", 0.5)])
        with log.open("a") as more:
            more.write('ent": "inbound", "modem": 1, "how": "stored", "text": "Reply 4: yes"}\n')
        self.assertEqual(read.update().inbound, [journal.Inbound(7.0, 1, "Reply 4: yes")])
        self.assertEqual(len(read.submits), 1)

    def test_a_pushed_message_counts_from_when_the_modem_began_to_give_it(self):
        log = self.folder / "network.jsonl"
        log.write_text(entry("start", 0.0, steady_us=5_000_000)
                       + entry("inbound_given", 1.0, modem=1, how="given", text="pushed")
                       + entry("inbound", 1.5, modem=1, how="acknowledged", text="pushed")
                       + entry("inbound", 2.0, modem=2, how="direct", text="not confirmed"))
        self.assertEqual(journal.Journal(log).update().inbound,
                         [journal.Inbound(6.0, 1, "pushed"), journal.Inbound(7.0, 2, "not confirmed")])

    def test_a_rate_counts_what_lies_between_the_first_and_the_last_of_each_modem_in_the_window(self):
        two_a_second = [submit(n * 0.5, 0) for n in range(20)]
        one_a_second = [submit(n * 1.0, 1) for n in range(10)]
        self.assertAlmostEqual(journal.steady_rate(two_a_second + one_a_second, 2.2, 8.7), 3.0)
        self.assertEqual(journal.steady_rate([submit(3, 0)], 0, 10), 0)  # one message is no rate

    def test_an_idle_gap_is_what_a_modem_waits_beyond_its_service(self):
        gaps = journal.idle_gaps([submit(0, 0), submit(0.1, 1), submit(0.52, 0), submit(1.1, 1), submit(9, 0)], 0, 5)
        self.assertEqual([round(g, 3) for g in sorted(gaps)], [0.02, 0.5])

    def test_what_became_of_messages(self):
        submits = [submit(1, 0, "a"), submit(2, 1, "b"), submit(3, 0, "b"), submit(4, 0, "b"), submit(5, 0, "another run's")]
        self.assertEqual(journal.fate(["a", "b", "c"], submits), journal.Fate(missing=1, repeated=2))


    def test_a_time_in_system_ends_with_the_first_acceptance_and_what_never_came_is_not_left_out(self):
        times = journal.times_in_system({"a": 1.0, "b": 2.0}, [submit(9, 0, "a"), submit(1.5, 1, "a"), submit(3, 1, "another")], now=60.0)
        self.assertEqual(times, [0.5, 58.0])


class Arithmetic(unittest.TestCase):
    def test_percentiles_are_of_the_nearest_rank(self):
        values = [15, 20, 35, 40, 50]
        for p, value in ((5, 15), (30, 20), (40, 20), (50, 35), (99, 50), (100, 50)):
            with self.subTest(p):
                self.assertEqual(figures.percentile(values, p), value)
        self.assertIsNone(figures.percentile([], 50))

    def test_the_median_of_turns_leaves_out_what_was_not_measured(self):
        self.assertEqual(figures.median([3, None, 1, 2]), 2)
        self.assertEqual(figures.median([4, 1]), 1)
        self.assertIsNone(figures.median([None]))

    def test_a_ratio_says_how_many_times_better_ours_is(self):
        rate, gap = row("eight-modems"), row("idle-gap")
        self.assertEqual(figures.ratio(rate, 15, 5), 3)
        self.assertEqual(figures.ratio(gap, 15, 5), 1 / 3)
        self.assertEqual(figures.ratio(row("kill-twice"), 0, 4), math.inf)
        self.assertEqual(figures.ratio(row("kill-twice"), 0, 0), 1)
        self.assertEqual(figures.ratio(row("kill-twice"), 2, 0), 0)
        self.assertIsNone(figures.ratio(rate, 15, None))

    def test_the_table_has_the_rows_that_were_measured_and_names_where_a_peer_is_better(self):
        results = {"eight-modems": {"smsrack": 15.5, "kannel": 3.1}, "cpu": {"smsrack": 1.0, "kannel": 0.8}, "kill-twice": {"smsrack": 0, "kannel": 4}}
        text = figures.table(results, ["smsrack", "kannel"])
        self.assertIn("| 15.50 | 3.10 (5.00) |", text)
        self.assertIn("| 1.00 | 0.80 (0.80) |", text)
        self.assertIn("| 0 | 4 |", text)
        self.assertEqual(text.count("\n"), 5)
        self.assertEqual([(r.name, g) for r, g, _ in figures.behind(results)], [("cpu", "kannel")])

    def test_each_row_comes_from_a_workload(self):
        self.assertEqual({r.scenario for r in figures.ROWS}, set(scenarios.SCENARIOS))


class Profile(unittest.TestCase):
    LINES = """
    1,000 (100.0%)  PROGRAM TOTALS
      500 (50.00%)  ???:sqlite3VdbeExec [/usr/lib/x86_64-linux-gnu/libsqlite3.so.0.8.6]
      300 (30.00%)  build/release/src/wire/json_writer.cpp:smsrack::wire::quote(std::string_view) [build/release/bin/smsrackd]
      150 (15.00%)  /usr/include/c++/12/bits/char_traits.h:smsrack::rules::is_blank(char32_t) [build/release/bin/smsrackd]
       50 ( 5.00%)  build/release/db/../db/ledger.cpp:smsrack::db::Ledger::append()
"""

    def test_every_line_of_the_profile_is_read_but_its_total(self):
        rows = profile.parse(self.LINES)
        self.assertEqual([row[0] for row in rows], [500, 300, 150, 50])
        self.assertEqual(rows[1][2], "smsrack::wire::quote(std::string_view)")

    def test_instructions_are_a_modules_or_a_librarys(self):
        parts = [profile.part_of(file, library) for _, file, _, library in profile.parse(self.LINES)]
        self.assertEqual(parts, ["libsqlite3.so.0.8.6", "src/wire", "headers (C++, boost, fmt)", "db"])

    def test_the_table_counts_for_a_message(self):
        words = "\n".join(profile.table(profile.parse(self.LINES), 10, 2))
        self.assertRegex(words, r"\b100  instructions a message")
        self.assertRegex(words, r"\b50  50.0 %  libsqlite3")
        self.assertNotIn("is_blank", words)  # not among the first two


class Configurations(InAFolder):
    def context(self, modems):
        return gateway.Context(pathlib.Path("bin"), self.folder / "gateway", [f"/ports/modem{n}" for n in range(modems)])

    def make(self, name, modems=2):
        made = catalogue.GATEWAYS[name](self.context(modems))
        if hasattr(made, "server"):
            self.addCleanup(made.server.server_close)
            self.addCleanup(made.server.shutdown)
        return made

    def texts(self, pattern):
        return [file.read_text() for file in sorted((self.folder / "gateway").glob(pattern))]

    def test_each_modem_has_its_part(self):
        for name, pattern, marks in (("smsrack", "smsrack.toml", "[[modem]]"), ("smstools", "smsd.conf", "[M"), ("smstools-tuned", "smsd.conf", "[M"),
                                     ("gammu-tuned", "smsdrc*", "[gammu]"), ("kannel", "kannel.conf", "smsc = at"),
                                     ("kannel-tuned", "kannel.conf", "smsc = at")):
            with self.subTest(name):
                self.make(name)
                whole = "".join(self.texts(pattern))
                self.assertEqual([whole.count(mark) for mark in (marks, "/ports/modem0\"" if '"/ports' in whole else "/ports/modem0\n")], [2, 1])
                self.assertNotIn("$", whole)
                shutil.rmtree(self.folder / "gateway")

    def test_nothing_outside_of_its_folder_is_written_to(self):
        for name in ("smstools", "smstools-tuned", "gammu-tuned", "kannel", "kannel-tuned"):
            with self.subTest(name):
                self.make(name)
                for text in self.texts("*.conf") + self.texts("smsdrc*"):
                    settings = [line for line in text.splitlines() if not line.startswith("#")]
                    self.assertFalse([line for line in settings if "/var" in line or "/etc" in line or "/run" in line])
                shutil.rmtree(self.folder / "gateway")

    def test_kannel_listens_on_loopback_alone(self):
        self.make("kannel")
        text = self.texts("kannel.conf")[0]
        for word in ("admin-interface", "smsbox-interface", "sendsms-interface"):
            self.assertIn(f'{word} = "127.0.0.1"', text)

    def test_a_name_that_nobody_fills_is_an_error(self):
        with self.assertRaises(KeyError):
            gateway.configuration("smstools-manual.conf", [], folder="x")

    def test_messages_are_handed_in_as_each_manual_says(self):
        smstools = self.make("smstools")
        smstools.hand_in([("+33610000001", "hello")])
        self.assertEqual([f.read_text() for f in (smstools.folder / "outgoing").iterdir()], ["To: 33610000001\n\nhello"])
        shutil.rmtree(self.folder / "gateway")
        gammu = self.make("gammu-tuned")
        gammu.hand_in([("+33610000001", "a"), ("+33610000002", "b"), ("+33610000003", "c")])
        self.assertEqual([len(list((gammu.folder / n / "outbox").glob("OUT*_+336*.txt"))) for n in "01"], [2, 1])

    def test_what_came_in_is_noted_once_it_is_whole(self):
        smstools = self.make("smstools")
        file = smstools.folder / "incoming" / "M0.abc"
        file.write_text("From: 33611223300\n")
        self.assertEqual(smstools.look_for_received(), [])
        file.write_text("From: 33611223300\n\nReply 7: yes please")
        smstools.note(smstools.look_for_received())
        self.assertEqual(list(smstools.heard), [7])
        self.assertEqual(smstools.look_for_received(), [])


class Processes(InAFolder):
    def test_what_proc_says_of_a_process_whose_name_has_brackets(self):
        words = "S 1 77 77 0 -1 4194560 1 2 3 4 100 200 30 40 20 0 1 0"
        stat = processes.parse_stat(f"123 (a) b (c)) {words}")
        self.assertEqual((stat.pid, stat.state, stat.parent, stat.session), (123, "S", 1, 77))
        self.assertAlmostEqual(stat.cpu, 370 / processes.TICKS)

    def test_pss_is_the_line_of_that_name(self):
        self.assertEqual(processes.parse_pss("Rss:  900 kB\nPss:  12 kB\nPss_Dirty:  3 kB\n"), 12 * 1024)

    def test_everything_in_the_session_is_ended_also_what_lost_its_parent_or_hears_no_sigterm(self):
        script = "trap '' TERM; (trap '' TERM; exec sleep 600) & (exec sleep 600) & sleep 600"
        started = processes.Program(["/bin/sh", "-c", script], self.folder / "log")
        deadline = time.monotonic() + 10
        while len(processes.members(started.session)) < 4 and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(len(processes.members(started.session)), 4)
        started.kill()
        self.assertEqual(processes.members(started.session), [])

    def test_a_program_that_ended_is_told_with_its_last_words(self):
        started = processes.Program(["/bin/sh", "-c", "echo no such modem; exit 3"], self.folder / "log")
        started.process.wait(10)
        with self.assertRaisesRegex(processes.ProcessError, "code 3.*\nno such modem"):
            started.check_alive()


class CommandLine(unittest.TestCase):
    def wish(self, *words):
        return command.options([*words, "--programs", "bin"])

    def test_a_row_brings_the_workload_that_it_comes_from(self):
        self.assertEqual(command.chosen(self.wish("--only", "cpu", "--gateway", "kannel")), (["eight"], ["kannel"]))
        everything = command.chosen(self.wish())
        unasked = [name for name, gateway in catalogue.GATEWAYS.items() if gateway.by_default]
        self.assertEqual(everything, (list(scenarios.SCENARIOS), unasked))
        self.assertLess(len(unasked), len(catalogue.GATEWAYS))

    def test_a_row_that_is_none_is_named(self):
        run = subprocess.run([sys.executable, "-B", "-m", "lab.peers", "--programs", "bin", "--only", "speed"], cwd=ROOT / "tools",
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, command.EXIT_USAGE)
        self.assertIn("speed", run.stderr)

    def test_turns_go_round_the_gateways_and_their_medians_are_kept(self):
        turns, order = {"kannel": [4.0, None, 2.0], "smsrack": [1.0, 9.0, 5.0]}, []

        def measure(wish, scenario, name, folder):
            order.append(name)
            return {"cpu": turns[name].pop(0)}

        results = {}
        with mock.patch.object(command, "measure_one", measure):
            wrong = command.measure_all(self.wish("--repeat", "3"), ["eight"], ["smsrack", "kannel"], pathlib.Path("x"), results)
        self.assertEqual((wrong, order), ([], ["smsrack", "kannel"] * 3))
        self.assertEqual(results, {"cpu": {"smsrack": 5.0, "kannel": 2.0}})

    def test_a_gateway_that_fails_is_told_and_the_others_go_on(self):
        def measure(wish, scenario, name, folder):
            if name == "kannel":
                raise RuntimeError("refused")
            return {"cpu": 1.0}

        with mock.patch.object(command, "measure_one", measure), mock.patch.object(command, "say"):
            results = {}
            wrong = command.measure_all(self.wish(), ["eight"], ["kannel", "smsrack"], pathlib.Path("x"), results)
        self.assertEqual((wrong, results), (["eight: kannel: refused"], {"cpu": {"smsrack": 1.0}}))

    def test_only_installed_packages_count(self):
        text = "installed kannel 1.4.5-12\nconfig-files smstools 3.1.21-4\ninstalled gammu-smsd 1.42.0-8\n"
        self.assertEqual(install.parse_versions(text), {"kannel": "1.4.5-12", "gammu-smsd": "1.42.0-8"})


class Installing(InAFolder):
    def setUp(self):
        super().setUp()
        self.policy, self.ran = self.folder / "policy-rc.d", []
        for name, value in (("POLICY", self.policy), ("versions", lambda: {"smstools": "3.1", "libdbd-sqlite3": "0.9"}), ("_as_root", lambda _: [])):
            self.addCleanup(mock.patch.stopall)
            mock.patch.object(install, name, value).start()

    def run_it(self, code=0, meanwhile=lambda: None):
        real = subprocess.run

        def run(words, **options):
            self.ran.append((" ".join(words), self.policy.exists()))
            if words[0] in ("sh", "rm"):
                return real(words, **options)
            meanwhile()
            return subprocess.CompletedProcess(words, code)

        with mock.patch.object(install.subprocess, "run", run), mock.patch.object(install.sys, "stderr", io.StringIO()) as said:
            install.install_missing()
        return said.getvalue()

    def test_what_is_missing_is_named_and_installed_while_no_service_may_start(self):
        said = self.run_it()
        self.assertIn("gammu-smsd kannel", said)
        installs = [(words, forbidden) for words, forbidden in self.ran if "install -y" in words]
        self.assertEqual([(words.endswith("gammu-smsd kannel"), forbidden) for words, forbidden in installs], [(True, True)])
        self.assertFalse(self.policy.exists())

    def test_services_of_packages_that_were_there_before_are_left_as_they_are(self):
        self.run_it()
        self.assertEqual([words for words, _ in self.ran if "update-rc.d" in words], ["update-rc.d gammu-smsd disable", "update-rc.d kannel disable"])

    def test_a_policy_that_somebody_has_put_there_stays(self):
        self.policy.write_text("mine")
        self.run_it()
        self.assertEqual(self.policy.read_text(), "mine")

    def test_called_off_it_ends_when_apt_has_ended_and_the_policy_is_there_until_then(self):
        with self.assertRaises(KeyboardInterrupt):
            self.run_it(meanwhile=lambda: signal.raise_signal(signal.SIGINT))
        self.assertEqual([("update" in words, forbidden) for words, forbidden in self.ran if "apt-get" in words], [(True, True)])
        self.assertFalse(self.policy.exists())

    def test_called_off_by_a_terminal_that_goes_away_it_ends_apt_no_sooner(self):
        def hang_up():
            install.sys.stderr.close()  # from here on a word to it raises
            signal.raise_signal(signal.SIGINT)
            ended.append("apt-get")

        ended = []
        with self.assertRaises(KeyboardInterrupt):
            self.run_it(meanwhile=hang_up)
        self.assertEqual(ended, ["apt-get"])

    def test_apt_that_fails_is_told_and_leaves_no_policy_behind(self):
        with self.assertRaisesRegex(install.InstallError, "apt-get update failed"):
            self.run_it(code=100)
        self.assertFalse(self.policy.exists())


@unittest.skipUnless(os.environ.get("SMSRACK_BIN_DIR"), "wants the programs")
class WholeRun(InAFolder):
    """With the real simulator and the real service; the peers need not be installed."""

    def command(self, *words):
        return [sys.executable, "-B", "-m", "lab.peers", "--programs", os.environ["SMSRACK_BIN_DIR"], "--no-install", "--gateway", "smsrack", *words]

    def left_behind(self):
        return [f for f in self.folder.iterdir() if f.name.startswith("bench-peers-")]

    def test_a_row_of_smsrack(self):
        run = subprocess.run(self.command("--quick", "--only", "one-modem", "--json", str(self.folder / "figures.json")), cwd=ROOT / "tools",
                             env={**os.environ, "TMPDIR": str(self.folder)}, capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual(run.returncode, 0, run.stderr)
        rate = json.loads((self.folder / "figures.json").read_text())["rows"]["one-modem"]["smsrack"]
        self.assertTrue(1.5 < rate <= 2.0, rate)
        self.assertIn("| 1 modem, 0.5 s service: rate |", run.stdout)
        self.assertEqual(self.left_behind(), [])

    def test_ctrl_c_ends_everything_that_was_started(self):
        for moment in ("the simulator", "the service"):  # each at the moment when it is forked, before bench-peers itself knows of it
            with self.subTest(moment):
                self.call_off_at(1 if moment == "the simulator" else 2)

    def call_off_at(self, count):
        run = subprocess.Popen(self.command("--only", "one-modem"), cwd=ROOT / "tools", env={**os.environ, "TMPDIR": str(self.folder)},
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            mine, deadline = [], time.monotonic() + 60
            while len(mine) < count and time.monotonic() < deadline:
                mine = [stat.pid for stat in processes.children_of(run.pid) if stat.session == stat.pid]
            self.assertEqual(len(mine), count)
            run.send_signal(signal.SIGINT)
            said = run.communicate(timeout=60)[1]
        finally:
            if run.poll() is None:
                run.kill()
                run.communicate()
        self.assertEqual(run.returncode, command.EXIT_CALLED_OFF, said)
        self.assertEqual([pid for pid in mine if pathlib.Path(f"/proc/{pid}").exists()], [])
        self.assertEqual(self.left_behind(), [])


if __name__ == "__main__":
    unittest.main()
