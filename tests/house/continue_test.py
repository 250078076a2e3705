"""tools/test --continue and tools/fuzz --continue: what a run that was broken off had done well is not done again, and nothing else is left out.
The suites themselves are stand-ins here, which write down that they were called."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Writes down its name and words, says what the file build/says-NAME has, and fails where there is a file build/fails-NAME.
STAND_IN = """#!/bin/sh
name=$(basename "$0")
echo "$name $*" >>build/calls
cat "build/says-$name" 2>/dev/null
[ ! -e "build/fails-$name" ]
"""
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}  # a hook of git has some
CTEST = "100% tests passed, 0 tests failed out of 3\n"
CTEST_BAD = "66% tests passed, 1 tests failed out of 3\n"
CTEST_SKIPPED = CTEST + "\nThe following tests did not run:\n\t  1 - house.x (Skipped)\n"
SUITES = ("tools/build", "tools/mutants", "tools/powercut", "tools/fresh-test", "tools/fleet-rig", "tools/coverage", "tools/fuzz",
          "tools/scripts/check_same_binary", "tools/scripts/check_tidy", "tools/scripts/install_group")
PROGRAMS = ("build/release/bin/smsrack-bench", "build/release/bin/smsrack-simulate", "build/path/ctest")
FOLDERS = ("build/release", "build/check", "build/tsan", "build/target-arm64", "build/target-armhf")


# As ninja, which ends itself by Ctrl-C, and says only that it failed.
WAITS = 'sleep 600 & trap "kill $!; exit 2" INT; echo >build/waits; wait; exit 1'


def setUpModule():
    # Where this is run in the background, it is ignored, and would be by all that is started here. A handler does not outlive an exec.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def numbers(last):
    """Passed, failed and skipped, of the last line."""
    return tuple(int(found[1]) if (found := re.search(rf"(\d+) {what}", last)) else 0 for what in ("passed", "failed", "skipped"))


def lives(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def open_files(pid):
    """The target of each of its descriptors."""
    found = []
    with contextlib.suppress(FileNotFoundError):
        for name in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(FileNotFoundError):
                found.append(os.readlink(f"/proc/{pid}/fd/{name}"))
    return found


def wait_until(done):
    end = time.monotonic() + 60
    while not done():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


class Tree(unittest.TestCase):
    """A tree under git with the real tools/NAME, and stand-ins for all that it calls."""

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="continue-test-"))
        self.addCleanup(shutil.rmtree, self.root)
        for name in ("tools/test", "tools/fuzz", "tools/scripts/can_build_here", ".gitignore"):
            self.put(name, (ROOT / name).read_text())
        for name in PROGRAMS:
            self.put(name, STAND_IN)

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x", "-c", "commit.gpgsign=false", *words], cwd=self.root, env=ENVIRONMENT, check=True,
                       capture_output=True)

    def commit(self):
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x")

    def run_tool(self, *words):
        """Exit code, all that it said, and what it called."""
        calls = self.root / "build/calls"
        calls.unlink(missing_ok=True)
        environment = {**ENVIRONMENT, "PATH": f"{self.root}/build/path:{os.environ['PATH']}"}
        done = subprocess.run(words, cwd=self.root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
        return done.returncode, done.stdout, calls.read_text().splitlines() if calls.exists() else []


class TestAll(Tree):
    def setUp(self):
        super().setUp()
        for name in SUITES:
            self.put(name, STAND_IN)
        for name in FOLDERS:
            (self.root / name).mkdir(parents=True, exist_ok=True)
        self.put("build/says-ctest", CTEST)
        self.put("build/says-fuzz", "tools/fuzz: 0 of 4 targets crashed\n")
        self.commit()

    def all(self, *words):
        code, said, calls = self.run_tool("tools/test", "--all", *words)
        return code, said.splitlines()[-1], [call for call in calls if not call.startswith(("build ", "install_group "))], said

    def test_a_whole_run_leaves_nothing_to_do(self):
        code, total, calls, said = self.all()
        self.assertEqual(code, 0, said)
        self.assertGreater(len(calls), 15)
        self.assertEqual(self.all("--continue")[:3], (0, total, []))
        self.assertEqual(self.all()[:3], (0, total, calls))

    def test_what_failed_is_run_again_and_it_alone(self):
        for name in ("mutants", "check_tidy", "smsrack-simulate", "smsrack-bench"):
            with self.subTest(name):
                total = self.all()[1]
                self.put(f"build/fails-{name}", "")
                self.assertEqual(self.all()[0], 1)
                (self.root / f"build/fails-{name}").unlink()
                code, again, calls, said = self.all("--continue")
                self.assertEqual((code, again), (0, total), said)
                self.assertEqual({call.split()[0] for call in calls}, {name})

    def test_a_preset_with_a_failed_test_is_run_again(self):
        self.put("build/says-ctest", CTEST_BAD)
        self.put("build/fails-ctest", "")
        code, total, calls, said = self.all()
        self.assertEqual(code, 1, said)
        self.assertNotIn(" 0 failed", total)
        again = self.all("--continue")
        self.assertEqual(again[:2], (1, total))
        self.assertEqual(again[2], [call for call in calls if call.startswith("ctest ")])

    def test_what_a_failed_test_prints_is_not_taken_for_the_result(self):
        passed, failed, skipped = numbers(self.all()[1])
        self.put("build/says-ctest", CTEST_SKIPPED + CTEST_BAD)
        self.put("build/fails-ctest", "")
        code, last, calls, said = self.all()
        of_ctest = sum(call.startswith("ctest ") for call in calls)
        self.assertEqual((code, *numbers(last)), (1, passed - of_ctest, failed + of_ctest, skipped), said)

    def test_a_suite_that_fails_and_does_not_say_what_has_failed(self):
        self.put("build/fails-ctest", "")
        self.put("build/fails-fuzz", "")
        code, last, calls, said = self.all()
        self.assertEqual((code, numbers(last)[1]), (1, sum(call.startswith("ctest ") for call in calls) + 1), said)

    def test_what_can_not_be_built_takes_only_its_own_tests_with_it(self):
        _, total, all_calls, _ = self.all()
        cases = {"preset tsan --with-tests module-tests": (1, "ctest --preset tsan .* ^unit$", "ctest --preset tsan .* ^rack$", "ctest --preset tsan .* ^programs$"),
                 "preset check --with-tests module-tests": (1, "ctest --preset check .* ^unit$"),
                 "preset check --with-tests rack-tests": (1, "ctest --preset check .* ^rack$", "ctest --preset release .* -L ^check$"),
                 "target arm64 --packages": (1,), "target armhf --packages": (1,), "preset tidy": (2, "check_tidy")}
        for words, (failed, *lost) in cases.items():
            with self.subTest(words):
                self.put("tools/build", STAND_IN + f'case "$*" in *"{words}"*) exit 1;; esac\n')
                self.commit()
                code, last, calls, said = self.all()
                gone = [call for call in all_calls if call not in calls]
                self.assertEqual(code, 1, said)
                self.assertEqual(numbers(last)[1:], (failed, numbers(total)[2] + len(lost)), said)
                self.assertEqual(said.count("what it needs could not be built"), len(lost))
                self.assertEqual(len(gone), len(lost))
                for call, (begin, *end) in zip(gone, (part.split(" .*") for part in lost)):
                    self.assertTrue(call.startswith(begin) and all(words in call for words in end), call)
        self.put("tools/build", STAND_IN)
        self.commit()
        self.assertEqual(self.all()[:2], (0, total))

    def call_off(self):
        """Ctrl-C as soon as there is the file build/waits; the exit code."""
        run = subprocess.Popen(["tools/test", "--all"], cwd=self.root, env={**ENVIRONMENT, "PATH": f"{self.root}/build/path:{os.environ['PATH']}"},
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(run.wait)
        self.addCleanup(self.end_group, run.pid)
        wait_until((self.root / "build/waits").exists)
        os.killpg(run.pid, signal.SIGINT)
        return run.wait(60)

    def end_group(self, pid):
        """All of it, however the test ended: SIGKILL alone would run no trap."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)

    def test_ctrl_c_ends_all_of_it(self):
        self.put("tools/build", STAND_IN + f'case "$*" in *"preset tsan --with-tests module-tests"*) {WAITS} ;; esac\n')
        self.commit()
        self.assertEqual(self.call_off(), 130)
        self.assertIn("preset tsan", (self.root / "build/calls").read_text().splitlines()[-1])

    def test_ctrl_c_ends_what_is_built_in_the_background_too(self):
        pid = self.root / "build/pid"
        self.put("tools/build", STAND_IN + 'case "$*" in *"preset check --with-tests module-tests"*) echo $$ >build/pid.new; mv build/pid.new build/pid; exec sleep 600;; esac\n')
        self.put("build/path/ctest", STAND_IN + f"while [ ! -e build/pid ]; do sleep 0.02; done; {WAITS}\n")
        self.commit()
        self.addCleanup(lambda: self.end_group(os.getpgid(int(pid.read_text()))) if pid.exists() and lives(int(pid.read_text())) else None)
        self.assertEqual(self.call_off(), 130)
        self.assertFalse(lives(int(pid.read_text())))

    def test_a_report_of_tsan_is_a_failure_and_is_looked_for_again(self):
        self.put("build/path/ctest", STAND_IN.replace("cat ", 'case "$*" in *"preset tsan"*programs*) [ -e build/races ] && { mkdir -p build/tsan/races; echo WARNING >build/tsan/races/of.1; };; esac\ncat '))
        total = self.all()[1]
        self.put("build/races", "")
        code, last, _, said = self.all()
        self.assertEqual((code, last), (1, total.replace(" 0 failed", " 1 failed")), said)
        self.assertIn("1 reports of TSan", said)
        self.assertEqual(self.all("--continue")[0], 1)
        (self.root / "build/races").unlink()
        code, last, calls, said = self.all("--continue")
        self.assertEqual((code, last, len(calls)), (0, total, 1), said)

    def test_a_part_that_skipped_a_test_is_run_again(self):
        passed, failed, skipped = numbers(self.all()[1])
        self.put("build/says-ctest", CTEST_SKIPPED)
        code, total, calls, said = self.all()
        again = [call for call in calls if call.startswith("ctest ")]
        self.assertEqual((code, *numbers(total)), (0, passed - len(again), failed, skipped + len(again)), said)
        self.assertEqual(self.all("--continue")[:3], (code, total, again))

    def test_a_part_that_skipped_a_case_of_a_test_is_run_again(self):
        total = self.all()[1]
        log = "build/tsan/Testing/Temporary"
        skips = f"mkdir -p {log}; printf '1/3 Testing: programs.kill\nkill_test.cpp:7: MESSAGE: skipped: only root can\n' >{log}/LastTest.log"
        self.put("build/path/ctest", STAND_IN.replace("cat ", f'case "$*" in *"preset tsan"*programs*) [ -e build/skips ] && {{ {skips}; }};; esac\ncat '))
        self.put("build/skips", "")
        code, last, _, said = self.all()
        passed, failed, skipped = numbers(total)
        self.assertEqual((code, *numbers(last)), (0, passed, failed, skipped + 1), said)
        self.assertIn("tools/test: skipped programs.kill: only root can\n", said)
        (self.root / "build/skips").unlink()
        _, last, calls, _ = self.all("--continue")
        self.assertEqual((last, len(calls)), (total, 1))

    def test_another_commit_begins_anew(self):
        calls = self.all()[2]
        self.commit()
        self.assertEqual(self.all("--continue")[2], calls)

    def test_sources_of_no_commit_are_refused(self):
        self.all()
        self.put("new.cpp", "")
        code, last, calls, _ = self.all("--continue")
        self.assertEqual((code, calls), (64, []))
        self.assertIn("commit them", last)

    def test_what_ran_over_sources_of_no_commit_does_not_count(self):
        self.put("new.cpp", "")
        calls = self.all()[2]
        (self.root / "new.cpp").unlink()
        self.assertEqual(self.all("--continue")[2], calls)

    def test_the_seeds_of_the_simulation_are_kept_for_it(self):
        lived = self.root / "build/release/seeds-lived"
        self.put("build/fails-smsrack-simulate", "")
        self.all()
        lived.write_text("x")
        calls = self.all("--continue")[2]
        self.assertTrue(any("--record build/release/seeds-lived" in call for call in calls), calls)
        self.assertTrue(lived.exists())
        self.all()
        self.assertFalse(lived.exists())


# Of each day of the simulation.
FEW = ("--messages", "40", "--inbound", "2", "--faults", "2", "--crashes", "1")


class Simulation(unittest.TestCase):
    """The program itself, which must be in SMSRACK_BIN_DIR."""

    program = pathlib.Path(os.environ.get("SMSRACK_BIN_DIR", ROOT / "build/release/bin"), "smsrack-simulate")

    def simulate(self, *words):
        done = subprocess.run([self.program, *FEW, "--jobs", "2", *words], capture_output=True,
                              text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def test_what_was_lived_before_counts_and_is_not_lived_again(self):
        with tempfile.TemporaryDirectory(prefix="continue-test-") as folder:
            record = ("--record", f"{folder}/lived")
            self.simulate("--seed", "2", "--seeds", "1", *record)
            totals, said = self.simulate("--seeds", "3", *record)
            self.assertNotIn("seed 2:", said)
            self.assertIn("seed 1:", said)
            self.assertIn("seed 3:", said)
            self.assertEqual(totals, self.simulate("--seeds", "3")[0])
            self.assertEqual((totals, "before" in said), (self.simulate("--seeds", "3", *record)[0], True))

    def seeds_of(self, run):
        """The process of each seed, once it has files."""
        seeds = []

        def begun():
            seeds[:] = [int(word) for word in pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()]
            return len(seeds) == 2 and all(any(link.startswith(self.folder) for link in open_files(seed)) for seed in seeds)

        wait_until(begun)
        return seeds

    def ended_by(self, number, *words, days="10000"):
        """Its exit code, after that signal amid the seeds, which must end with it."""
        folder = tempfile.TemporaryDirectory(prefix="continue-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        few = () if days == "10000" else FEW
        run = subprocess.Popen([*words, self.program, *few, "--days", days, "--seeds", "2", "--jobs", "2", "--folder", self.folder],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        seeds = self.seeds_of(run)
        run.send_signal(number)
        code = run.wait(60)
        wait_until(lambda: not any(lives(seed) for seed in seeds))
        return code

    def test_called_off_it_ends_its_seeds_and_leaves_no_files(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                self.assertEqual(self.ended_by(number), 130)
                self.assertEqual(os.listdir(self.folder), [])

    def test_nohup_keeps_it_alive(self):
        self.assertEqual(self.ended_by(signal.SIGHUP, "nohup", days="1"), 0)

    def test_killed_its_seeds_end_too(self):
        self.assertEqual(self.ended_by(signal.SIGKILL), -signal.SIGKILL)


class Fuzz(Tree):
    def setUp(self):
        super().setUp()
        self.put("tools/build", STAND_IN)
        for name in ("one", "two"):
            self.put(f"tests/fuzz/corpus/{name}/x", "")
            self.put(f"build/fuzz/bin/smsrack-fuzz-{name}", STAND_IN)
            self.put(f"build/says-smsrack-fuzz-{name}", "Done 700 runs in 10 second(s)\nstat::number_of_executed_units: 700\n")

    def fuzz(self, *words):
        code, said, calls = self.run_tool("tools/fuzz", *words)
        return code, sorted(call.split()[0].removeprefix("smsrack-fuzz-") for call in calls if not call.startswith("build ")), said

    def test_what_had_its_time_is_not_fuzzed_again(self):
        self.assertEqual(self.fuzz("--seconds", "10")[:2], (0, ["one", "two"]))
        code, fuzzed, said = self.fuzz("--seconds", "10", "--continue")
        self.assertEqual((code, fuzzed), (0, []), said)
        self.assertIn("0 of 2 targets crashed", said)
        self.assertEqual(self.fuzz("--seconds", "11", "--continue")[1], ["one", "two"])
        self.assertEqual(self.fuzz("--seconds", "10")[1], ["one", "two"])

    def test_what_crashed_or_was_built_again_is(self):
        self.put("build/says-smsrack-fuzz-one", "==1==ERROR: x\n")
        self.put("build/fails-smsrack-fuzz-one", "")
        self.assertEqual(self.fuzz("--seconds", "10")[:2], (1, ["one", "two"]))
        self.assertEqual(self.fuzz("--seconds", "10", "--continue")[:2], (1, ["one"]))
        self.put("build/says-smsrack-fuzz-one", "Done 700 runs in 10 second(s)\n==1==ERROR: a leak, seen at the end\n")
        self.assertEqual(self.fuzz("--seconds", "10", "--continue")[:2], (1, ["one"]))
        self.assertEqual(self.fuzz("--seconds", "10", "--continue")[:2], (1, ["one"]))
        for changed in ("build/fuzz/bin/smsrack-fuzz-two", "tests/fuzz/corpus/two/y"):
            self.put(changed, STAND_IN)
            self.assertEqual(self.fuzz("--seconds", "10", "--continue")[:2], (1, ["one", "two"]))

    def test_what_changed_while_it_was_fuzzed_is_fuzzed_again(self):
        self.put("build/fuzz/bin/smsrack-fuzz-one", STAND_IN + "sleep 0.1; echo y >tests/fuzz/corpus/one/y\n")
        self.assertEqual(self.fuzz("--seconds", "10")[:2], (0, ["one", "two"]))
        self.assertEqual(self.fuzz("--seconds", "10", "--continue")[:2], (0, ["one"]))

    def test_all_that_a_signal_ends_crashed(self):
        for name in ("one", "two"):
            self.put(f"build/fuzz/bin/smsrack-fuzz-{name}", STAND_IN + "kill -KILL $$\n")
        code, fuzzed, said = self.fuzz("--seconds", "10")
        self.assertEqual((code, fuzzed), (1, ["one", "two"]))
        self.assertIn("2 of 2 targets crashed", said)


if __name__ == "__main__":
    unittest.main()
