"""What tools/scripts/install_group does while another apt runs, without a right to install, and with nothing to do: apt, dpkg and sudo are stand-ins."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools/scripts/install_group"
PACKAGES = "# group package why\nbuild g++ compiles\nbuild cmake configures\ntest doctest asserts\nfuzz clang-19 fuzzes\n"
LOCKED = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)"
# Notes how it was called; while there is a file `locked`, which has how often, another program has the lock.
APT = f"""#!/bin/bash
printf '%s ' "$@" >>"$STAND_INS/called"; echo >>"$STAND_INS/called"
times=$(cat "$STAND_INS/locked" 2>/dev/null || echo 0)
if ((times > 0)); then echo $((times - 1)) >"$STAND_INS/locked"; echo "{LOCKED}" >&2; exit 100; fi
if [[ -e $STAND_INS/broken ]]; then echo "E: no such mirror" >&2; exit 100; fi
"""
DPKG_QUERY = '#!/bin/bash\nfor word; do case $word in cmake | doctest) echo "installed $word" ;; esac; done\nexit 1\n'
SUDO = '#!/bin/bash\nwhile [[ $1 == -* ]]; do shift; done\nexec "$@"\n'


class InstallGroup(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="install-group-"))
        self.addCleanup(shutil.rmtree, self.root)
        for name, text in {"apt-get": APT, "dpkg-query": DPKG_QUERY, "sudo": SUDO}.items():
            self.write("bin/" + name, text).chmod(0o755)
        self.write("toolchain/packages.txt", PACKAGES)
        (self.root / "tools/scripts").mkdir(parents=True)
        shutil.copy(SCRIPT, self.root / "tools/scripts")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_it(self, *groups, wait_s=60):
        environment = {**os.environ, "PATH": f"{self.root}/bin:{os.environ['PATH']}", "STAND_INS": str(self.root), "SMSRACK_APT_WAIT_S": str(wait_s)}
        return subprocess.run([str(self.root / "tools/scripts/install_group"), *groups], env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)

    def called(self):
        path = self.root / "called"
        return [line.split() for line in path.read_text().splitlines()] if path.exists() else []

    def test_only_what_is_missing_is_installed_after_the_lists_were_read(self):
        run = self.run_it("build", "test")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("g++ (why: toolchain/packages.txt)", run.stdout)
        lists, packages = self.called()
        self.assertEqual(lists[-1], "update")
        self.assertEqual(packages[-4:], ["install", "-y", "--no-install-recommends", "g++"])

    def test_where_nothing_is_missing_nothing_is_called(self):
        run = self.run_it("test")
        self.assertEqual((run.returncode, run.stdout, self.called()), (0, "", []))

    def test_another_apt_is_waited_for_and_named(self):
        self.write("locked", "1")
        run = self.run_it("build")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("waiting for another apt, 60 s at most: " + LOCKED, run.stdout)
        self.assertEqual([call[-1] for call in self.called()], ["update", "update", "g++"])

    def test_who_keeps_the_lock_is_waited_for_no_longer_than_that(self):
        self.write("locked", "9")
        run = self.run_it("build", wait_s=0)
        self.assertEqual(run.returncode, 1)
        self.assertIn(LOCKED, run.stderr)
        self.assertIn("apt-get update failed", run.stderr)
        self.assertEqual(len(self.called()), 1)

    def test_any_other_fault_is_told_at_once(self):
        self.write("broken", "")
        run = self.run_it("build")
        self.assertEqual(run.returncode, 1)
        self.assertIn("E: no such mirror", run.stderr)
        self.assertEqual(len(self.called()), 1)

    def test_the_lists_alone(self):
        self.assertEqual(self.run_it("--lists").returncode, 0)
        self.assertEqual([call[-1] for call in self.called()], ["update"])

    def test_a_group_that_is_not_in_the_list_is_wrong_use(self):
        run = self.run_it("bild")
        self.assertEqual(run.returncode, 64)
        self.assertIn("no package of group bild", run.stderr)
        self.assertEqual(self.run_it().returncode, 64)

    def test_a_wait_that_is_no_number_is_wrong_use(self):
        run = self.run_it("build", wait_s="soon")
        self.assertEqual((run.returncode, self.called()), (64, []))
        self.assertIn('not "soon"', run.stderr)


if __name__ == "__main__":
    unittest.main()
