"""The rights of each systemd unit of the project, by `systemd-analyze security`, against units_bounds.txt; and `systemd-analyze verify`, which has nothing to say.

Both look at a folder with the units as a box has them, with their drop-ins; nothing is started and this machine's systemd is not asked."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BOUNDS = ROOT / "tests/house/units_bounds.txt"
OLDEST_SYSTEMD = 250  # --offline
OUTSIDE_MOST = 4.0
SERVICE_MOST = 1.8
UNITS = "usr/lib/systemd/system"
DEBIANS = pathlib.Path("/usr/lib/systemd/system")  # what ours are ordered against


def rows():
    """(unit, bound, whether it reads what comes from outside, reason)"""
    for line in BOUNDS.read_text().splitlines():
        words = line.partition("#")[0].split(maxsplit=3)
        if words:
            yield words[0], float(words[1]), words[2] == "yes", words[3]


def unit_files():
    """Each service of the project, wherever it is; a link is a mask or a wish for another one."""
    return sorted(p for p in ROOT.rglob("*.service") if p.is_file() and not p.is_symlink() and "build" not in p.relative_to(ROOT).parts)


def systemd_version():
    if not shutil.which("systemd-analyze"):
        return None
    return int(re.search(r"systemd (\d+)", subprocess.run(["systemd-analyze", "--version"], capture_output=True, text=True, check=True).stdout)[1])


class Box:
    """A root file system, as far as units are looked at."""

    def __init__(self, test):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="units-test-"))
        test.addCleanup(shutil.rmtree, self.root)
        for part in ("hw/image/overlay", "hw/image/debug"):
            shutil.copytree(ROOT / part, self.root, symlinks=True, dirs_exist_ok=True)
        for file in (*unit_files(), *(ROOT / "firmware-host/packaging").glob("*.socket")):
            if not file.is_relative_to(ROOT / "hw"):
                shutil.copy(file, self.root / UNITS)
        (self.root / "etc/os-release").write_text("ID=debian\n")

    def analyze(self, *words):
        return subprocess.run(["systemd-analyze", words[0], f"--root={self.root}", "--no-pager", *words[1:]], capture_output=True, text=True, timeout=120, check=False,
                              env=os.environ | {"LC_ALL": "C.UTF-8"})

    def exposure(self, unit):
        done = self.analyze("security", "--offline=true", "--threshold=100", unit)
        found = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
        if not found or done.stderr:
            raise AssertionError(f"{unit}: {done.stdout[-300:]}{done.stderr}")
        return float(found[1])

    def with_what_units_want(self):
        """Debian's units, and a file for each program that a unit starts."""
        for file in DEBIANS.iterdir():
            place = self.root / UNITS / file.name
            if file.suffix and not place.exists() and not place.is_symlink() and not file.is_dir():
                shutil.copy(file, place, follow_symlinks=False)
        for unit in (self.root / UNITS).rglob("*.*"):
            for program in re.findall(r"^Exec\w+=[-+!:@]*(/\S+)", unit.read_text(errors="replace"), re.MULTILINE) if unit.is_file() else ():
                path = self.root / program.lstrip("/")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch(0o755)
        for program in ("kill", "udevadm", "systemctl"):
            (self.root / "usr/bin").mkdir(parents=True, exist_ok=True)
            (self.root / "usr/bin" / program).touch(0o755)
        for name in ("bin", "sbin", "lib"):
            if not (self.root / name).exists():
                (self.root / name).symlink_to("usr/bin" if name != "lib" else "usr/lib")


class Units(unittest.TestCase):
    def setUp(self):
        self.box = Box(self)

    def test_each_unit_has_a_bound_with_a_reason_and_each_bound_a_unit(self):
        self.assertEqual(sorted(unit for unit, *_ in rows()), [file.name for file in sorted(unit_files(), key=lambda p: p.name)])
        for unit, bound, outside, reason in rows():
            self.assertTrue(len(reason) > 20, unit)
            if outside:
                self.assertLessEqual(bound, OUTSIDE_MOST, unit)
        self.assertLessEqual({unit: bound for unit, bound, *_ in rows()}["smsrackd.service"], SERVICE_MOST)

    def test_no_unit_is_above_its_bound(self):
        for unit, bound, *_ in rows():
            with self.subTest(unit):
                self.assertLessEqual(self.box.exposure(unit), bound)

    def test_the_page_about_security_has_each_unit_with_its_reason(self):
        said = re.findall(r"^\| `(\S+\.service)` \| ([\d.]+) \| (yes|no) \| (.*) \|$", (ROOT / "docs/security.md").read_text(), re.MULTILINE)
        self.assertEqual([(unit, outside == "yes", reason) for unit, _, outside, reason in said], [(unit, outside, reason) for unit, _, outside, reason in rows()])
        for (unit, figure, *_), (_, bound, *_) in zip(said, rows()):
            self.assertLessEqual(float(figure), bound, unit)

    def test_a_drop_in_that_gives_a_unit_more_is_seen(self):
        before = self.box.exposure("smsrack-time.service")
        folder = self.box.root / UNITS / "smsrack-time.service.d"
        folder.mkdir()
        (folder / "more.conf").write_text("[Service]\nCapabilityBoundingSet=CAP_SYS_ADMIN CAP_SYS_PTRACE\nSystemCallFilter=@privileged @mount\nPrivateNetwork=no\n")
        self.assertGreater(self.box.exposure("smsrack-time.service"), before + 0.5)

    def test_systemd_has_nothing_to_say_of_any_unit(self):
        self.box.with_what_units_want()
        units = sorted(file.name for place in (UNITS, "etc/systemd/system") for file in (self.box.root / place).iterdir()
                       if (file.name.startswith("smsrack") or place.startswith("etc")) and file.is_file() and not file.is_symlink())
        self.assertGreater(len(units), len(list(rows())))
        done = self.box.analyze("verify", "--man=no", *units)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_systemd_would_say_it_where_a_unit_is_wrong(self):
        self.box.with_what_units_want()
        (self.box.root / UNITS / "smsrack-wrong.service").write_text("[Service]\nExecStart=/usr/bin/smsrack\nProtectSytem=strict\n")
        self.assertIn("ProtectSytem", self.box.analyze("verify", "--man=no", "smsrack-wrong.service").stderr)


if __name__ == "__main__":
    version = systemd_version()
    if version is None or version < OLDEST_SYSTEMD:
        print(f"units_test: skipped, {'systemd-analyze is not installed (package systemd)' if version is None else f'systemd {version} has no systemd-analyze security --offline'}")
        sys.exit(77)
    unittest.main()
