#!/usr/bin/env python3
"""The accounts, groups and tmpfiles of the package: what they make, and how they repair an installation that was open to others."""

import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

import root

PACKAGING = pathlib.Path(__file__).resolve().parents[2] / "firmware-host/packaging"

# The table of docs/rights.md: path, mode, whose. Root's is root's group too.
TABLE = [("etc/smsrack", 0o755, "root"), ("etc/smsrack/smsrack.toml", 0o644, "root"), ("etc/smsrack/admin-token", 0o600, "root"),
         ("etc/smsrack/pins", 0o700, "smsrack"), ("etc/smsrack/pins/m0", 0o600, "smsrack"),
         ("var/lib/smsrack", 0o700, "smsrack"), ("var/lib/smsrack/smsrack.db", 0o600, "smsrack"),
         ("var/lib/smsrack/lock", 0o600, "smsrack")]


class Rights(unittest.TestCase):
    def setUp(self):
        self.box = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.box)
        for name in ("sysusers", "tmpfiles"):
            folder = self.box / f"usr/lib/{name}.d"
            folder.mkdir(parents=True)
            shutil.copy(PACKAGING / f"smsrack.{name}", folder / "smsrack.conf")
        for folder in ("etc", "run", "var/lib"):
            (self.box / folder).mkdir(parents=True)
        self.run_as_package("systemd-sysusers")

    def run_as_package(self, program, *options):
        subprocess.run([program, f"--root={self.box}", *options, "smsrack.conf"], check=True, capture_output=True)

    def ids(self, file):
        """The number of each name, and its members."""
        lines = [line.split(":") for line in (self.box / "etc" / file).read_text().splitlines()]
        return {line[0]: (int(line[2]), line[3].split(",")) for line in lines}

    def check_table(self):
        uid = self.ids("passwd")["smsrack"][0]
        for path, mode, whose in TABLE:
            with self.subTest(path):
                about = (self.box / path).stat()
                self.assertEqual(oct(stat.S_IMODE(about.st_mode)), oct(mode))
                self.assertEqual(about.st_uid, uid if whose == "smsrack" else 0)

    def test_the_groups_are_made_and_only_two_have_the_service_and_the_gate(self):
        groups = self.ids("group")
        for name in ("smsrack-api", "smsrack-read", "smsrack-admin"):
            self.assertIn(name, groups)
        self.assertEqual(groups["smsrack-api"][1], ["smsrack", "smsrack-gate"])
        self.assertEqual(groups["smsrack-gate"][1], ["smsrack"])
        self.assertEqual(groups["smsrack-read"][1], [""])

    def test_an_installation_that_was_open_to_others_is_repaired(self):
        # As the release before left it: the group read everything.
        group = self.ids("group")["smsrack"][0]
        for path, _, _ in sorted(TABLE):
            place = self.box / path
            if path.endswith(("etc/smsrack", "pins", "lib/smsrack")):
                place.mkdir()
                place.chmod(0o750)
            else:
                place.write_text("secret")
                place.chmod(0o640)
            shutil.chown(place, 0, group)
        self.run_as_package("systemd-tmpfiles", "--create")
        self.check_table()
        self.run_as_package("systemd-tmpfiles", "--create")  # and again changes nothing
        self.check_table()

    def test_a_new_one_has_its_folders(self):
        self.run_as_package("systemd-tmpfiles", "--create")
        self.assertEqual(stat.S_IMODE((self.box / "var/lib/smsrack").stat().st_mode), 0o700)
        self.assertEqual(stat.S_IMODE((self.box / "etc/smsrack/pins").stat().st_mode), 0o700)
        self.assertFalse((self.box / "etc/smsrack/smsrack.toml").exists())


if __name__ == "__main__":
    if not root.become_root():
        print("skipped: only root can give files away")
        sys.exit(77)
    if not shutil.which("systemd-sysusers") or not shutil.which("systemd-tmpfiles"):
        print("skipped: there is no systemd here")
        sys.exit(77)
    unittest.main()
