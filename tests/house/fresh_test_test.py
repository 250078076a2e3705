"""tools/fresh-test without the bare system: what is made, run, skipped and removed. The system and the way into it are stand-ins."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import root

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Its last argument is the script that the user runs in the bare system.
UNSHARE = """#!/bin/bash
echo "${@: -1}" >>"$STAND_INS/calls"
echo "it ran ${@: -1}"
if [[ ${@: -1} == *"$(cat "$STAND_INS/waits" 2>/dev/null || echo none)"* ]]; then echo >"$STAND_INS/waiting"; sleep 600; fi
[[ ${@: -1} != *"$(cat "$STAND_INS/fails" 2>/dev/null || echo none)"* ]]
"""
# Its last argument but one is the archive.
MMDEBSTRAP = """#!/bin/bash
echo mmdebstrap >>"$STAND_INS/calls"
mkdir -p "$STAND_INS/base"/{etc/sudoers.d,root,newcomer,srv}
printf '%s\\n' root:x:0:0::/root:/bin/bash newcomer:x:1:1::/newcomer:/bin/bash >"$STAND_INS/base/etc/passwd"
tar -C "$STAND_INS/base" -cf "${@: -2:1}" .
"""
# One package more each time it is asked.
DPKG_QUERY = """#!/bin/bash
echo x >>"$STAND_INS/packages"
seq -f 'package%g' "$(wc -l <"$STAND_INS/packages")"
"""
NOTHING = "#!/bin/sh\n"


class FreshTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="fresh-test-"))
        self.addCleanup(shutil.rmtree, self.root)
        self.clone, self.stand_ins = self.root / "clone", self.root / "stand-ins"
        for name in ("tools/fresh-test", "tools/scripts/can_build_here", ".gitignore"):
            self.write(self.clone / name, (ROOT / name).read_text())
        self.write(self.clone / "tools/scripts/install_group", NOTHING)
        for name, text in {"unshare": UNSHARE, "mmdebstrap": MMDEBSTRAP, "dpkg-query": DPKG_QUERY, "apt-get": NOTHING, "apt-config": NOTHING}.items():
            self.write(self.stand_ins / "bin" / name, text)
        self.commit()

    def write(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def commit(self):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=x", "-c", "user.email=x", "-c", "commit.gpgsign=false", "commit", "-q", "--allow-empty", "-m", "x"]):
            subprocess.run(["git", *words], cwd=self.clone, env=environment, check=True)

    def start(self, *words):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        environment |= {"PATH": f"{self.stand_ins}/bin:{os.environ['PATH']}", "STAND_INS": str(self.stand_ins)}
        (self.stand_ins / "calls").unlink(missing_ok=True)
        return subprocess.Popen([self.clone / "tools/fresh-test", *words], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)

    def run_it(self, *words):
        """Its exit code, what it said, and the scripts that were run in the bare systems, without the way to their folder."""
        running = self.start(*words)
        said = running.communicate(timeout=120)[0]
        calls = self.stand_ins / "calls"
        return running.returncode, said, [line.rpartition("&& ")[2] for line in calls.read_text().splitlines()] if calls.exists() else []

    def left(self):
        return sorted(path.name for path in (self.clone / "build/fresh").iterdir() if path.is_dir())

    def test_both_commands_are_run_as_each_user_and_the_packages_are_named(self):
        code, said, calls = self.run_it()
        self.assertEqual(code, 0, said)
        self.assertEqual([call for call in calls if call.startswith("./")], ["./tools/run --once", "./tools/test"] * 3)
        self.assertEqual(calls.count("mmdebstrap"), 1)
        self.assertIn("root: ./tools/run --once installed 1 packages: package2", said)
        self.assertIn("installed 1 packages: package4", (self.clone / "build/fresh/root.log").read_text())
        self.assertEqual(said.splitlines()[-1], "6 passed, 0 failed")
        self.assertEqual(self.left(), ["archives"])

    def test_what_fails_decides_and_what_passed_is_not_run_again(self):
        (self.stand_ins / "fails").write_text("smsrack' && ./tools/test")
        code, said, _ = self.run_it("--who", "user", "--who", "root")
        self.assertEqual((code, said.splitlines()[-1]), (1, "2 passed, 2 failed"))
        (self.stand_ins / "fails").unlink()
        self.assertEqual(self.run_it("--who", "root")[0], 0)
        code, said, calls = self.run_it("--continue")
        self.assertEqual((code, said.splitlines()[-1], len([call for call in calls if call.startswith("./")])), (0, "6 passed, 0 failed", 4), said)
        self.commit()
        self.assertEqual(len([call for call in self.run_it("--continue")[2] if call.startswith("./")]), 6)

    def test_any_command_in_a_system_that_is_kept(self):
        code, said, calls = self.run_it("--who", "root", "--keep", "--", "ctest", "-R", "a b")
        self.assertEqual((code, calls[-1]), (0, "'ctest' '-R' 'a b'"), said)
        self.assertEqual(self.left(), ["archives", "root"])

    def test_ended_by_a_signal_it_leaves_nothing(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.subTest(number):
                (self.stand_ins / "waits").write_text("tools/run")
                running = self.start("--who", "root")
                self.addCleanup(running.kill)
                end = time.monotonic() + 60
                while not (self.stand_ins / "waiting").exists() and time.monotonic() < end:
                    time.sleep(0.02)
                (self.stand_ins / "waiting").unlink()
                running.send_signal(number)
                running.communicate(timeout=60)
                self.assertEqual((running.returncode, self.left()), (code, ["archives"]))

    def test_wrong_use_is_refused(self):
        for words in (["--who"], ["--who", "guest"], ["--all"], ["--"]):
            with self.subTest(words):
                code, said, calls = self.run_it(*words)
                self.assertEqual((code, calls), (64, []))
                self.assertIn("see --help", said)

    def test_it_wants_root(self):
        script = (ROOT / "tools/fresh-test").read_text()  # which another user may have no right to open
        done = subprocess.run(["setpriv", "--reuid=65534", "bash", "-s"], input=script, cwd="/", capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("needs root", done.stderr)


if __name__ == "__main__":
    # Where this is run in the background, it is ignored, and would be by all that is started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if not root.become_root():
        print("fresh_test_test: skipped, it needs root, which this user can not become without a password")
        sys.exit(77)
    unittest.main()
