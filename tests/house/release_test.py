"""What outlasts a change between the two slots of a box: each one's configuration, the floor of versions, the keyring. The scripts of a box run on a folder, with the
real `smsrack` and `smsrackd` as the older release; the newer one is the same behind a script that lets it know one section more."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "hw/image/overlay/usr/lib/smsrack"
BIN = pathlib.Path(os.environ.get("SMSRACK_BIN_DIR", ROOT / "build/release/bin"))
BAD_CONFIGURATION = 78
START_S = 30

OLD_TEXT = '[service]\nstate_dir = "{root}/state"\nsocket = "{root}/smsrack.sock"\n'
LATER_SECTION = "\n[of_a_later_release]\nword = 1\n"
# Marks a release that knows the section: it is taken out before the real program reads the file.
LATER_SMSRACK = """#!/usr/bin/env bash
[[ $1 $2 == "config check" ]] || exec {bin}/smsrack "$@"
sed '/^\\[of_a_later_release\\]/,$d' "$3" >{root}/known.toml
exec {bin}/smsrack config check {root}/known.toml
"""
# Each release: its slot, and what its image says of it.
NAMED = {"old": ("A", "VERSION=1.0\nBUILD=aa\nFLOOR=0.9\n"), "new": ("B", "VERSION=2.0\nBUILD=bb\nFLOOR=1.5\n"), "next": ("A", "VERSION=3.0\nBUILD=cc\nFLOOR=1.5\n")}


class Box:
    """A root with what the scripts read and write."""

    def __init__(self, test):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="release-test-"))
        test.addCleanup(shutil.rmtree, self.root)
        for name in ("etc/smsrack/pins", "etc/rauc", "data/firmware", "proc", "run/box", "usr/lib/smsrack", "state", "bin/old", "bin/new"):
            (self.root / name).mkdir(parents=True)
        (self.root / "bin/old/smsrack").symlink_to(BIN / "smsrack")
        self.write("bin/new/smsrack", LATER_SMSRACK.format(bin=BIN, root=self.root)).chmod(0o755)
        (self.root / "bin/next").symlink_to("new")
        self.write("etc/smsrack/board", "generic\n")
        self.write("etc/smsrack/smsrack.toml", self.old_text)
        self.loader(A_OK=1, B_OK=0, B_TRIES=2)
        self.boot("old", start=False)

    @property
    def old_text(self):
        return OLD_TEXT.format(root=self.root)

    @property
    def toml(self):
        return self.read("etc/smsrack/smsrack.toml")

    @property
    def set_aside(self):
        return self.root / "data/firmware/configuration/set-aside"

    def write(self, name, text):
        path = self.root / name
        path.write_text(text)
        return path

    def read(self, name):
        return (self.root / name).read_text()

    def loader(self, **values):
        self.write("grubenv", ("# GRUB Environment Block\n" + "".join(f"{name}={value}\n" for name, value in values.items())).ljust(1024, "#"))

    def script(self, name, *words, code=0, **more):
        environment = os.environ | {"SMSRACK_ROOT": str(self.root), "SMSRACK_GRUBENV": str(self.root / "grubenv"),
                                    "PATH": f"{self.root}/bin/{self.running}:{os.environ['PATH']}"} | more
        environment.pop("JOURNAL_STREAM", None)
        done = subprocess.run([SCRIPTS / name, *words], capture_output=True, text=True, env=environment, timeout=60, check=False)
        if done.returncode != code:
            raise AssertionError(f"{name} {' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def before_install(self, version, code=0):
        """As RAUC calls it, which has mounted a bundle of this version."""
        (self.root / "bundle").mkdir(exist_ok=True)
        self.write("bundle/manifest.raucm", f"[update]\ncompatible=smsrack-amd64\nversion={version}\n\n[bundle]\nformat=verity\n\n[image.rootfs]\nversion=9.9\n")
        return self.script("before-install", code=code, RAUC_BUNDLE_MOUNT_POINT=str(self.root / "bundle"))

    def boot(self, release, start=True):
        self.running = release
        slot, about = NAMED[release]
        self.write("proc/cmdline", f"quiet rauc.slot={slot} ro\n")
        self.write("usr/lib/smsrack/release", about)
        return self.script("configuration", "use") if start else ""

    def confirm(self):
        slot = NAMED[self.running][0]
        self.loader(A_OK=1, B_OK=1 if slot == "B" else 0)
        return self.script("configuration", "keep")

    def service(self):
        """The code of smsrackd's end; None: it started and serves."""
        process = subprocess.Popen([BIN / "smsrackd", "--config", self.root / "etc/smsrack/smsrack.toml"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        socket, deadline = self.root / "smsrack.sock", time.monotonic() + START_S
        try:
            while process.poll() is None and not socket.exists() and time.monotonic() < deadline:
                time.sleep(0.05)
            if process.poll() is None and not socket.exists():
                raise AssertionError(f"smsrackd neither serves nor ends within {START_S} s")
            return process.poll()
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                process.wait(START_S)
            socket.unlink(missing_ok=True)


class Configuration(unittest.TestCase):
    def setUp(self):
        self.box = Box(self)

    def old_then_new(self):
        """The older release is confirmed, the newer one runs and knows a section that the older one refuses."""
        self.box.boot("old")
        self.box.confirm()
        self.assertEqual(self.box.boot("new"), "")
        self.assertEqual(self.box.toml, self.box.old_text)  # it continues with what was there
        self.box.write("etc/smsrack/smsrack.toml", self.box.old_text + LATER_SECTION)

    def test_the_older_release_really_refuses_what_the_newer_one_left(self):
        self.old_then_new()
        self.assertEqual(self.box.service(), BAD_CONFIGURATION)

    def test_old_new_old_serves_with_its_own_copy_and_says_so(self):
        self.old_then_new()
        said = self.box.boot("old")
        self.assertEqual(self.box.toml, self.box.old_text)
        self.assertIsNone(self.box.service())
        self.assertIn("Version 1.0 in slot A runs with its own configuration, since version 2.0 in slot B ran before it.", said)
        self.assertIn("What version 2.0 in slot B had last is in /data/firmware/configuration/set-aside.", said)
        self.assertEqual(self.box.read("data/firmware/configuration/told").strip(), said.strip().removeprefix("configuration: "))
        self.assertEqual((self.box.set_aside / "smsrack.toml").read_text(), self.box.old_text + LATER_SECTION)
        self.assertEqual(self.box.boot("old"), "")  # once

    def test_the_newer_one_comes_back_to_its_own_copy_too(self):
        self.old_then_new()
        self.box.confirm()
        said = self.box.boot("old")
        self.assertIn("Slot B keeps its own.", said)
        self.assertFalse(self.box.set_aside.exists())
        self.box.write("etc/smsrack/smsrack.toml", self.box.old_text + "# changed by the operator\n")
        self.assertIn("Version 2.0 in slot B runs with its own configuration", self.box.boot("new"))
        self.assertIn("of_a_later_release", self.box.toml)
        self.assertIn("changed by the operator", (self.box.set_aside / "smsrack.toml").read_text())

    def test_what_is_of_the_box_and_not_of_a_release_stays(self):
        self.old_then_new()
        for name in ("tokens", "admin-token", "pins/m0"):
            self.box.write(f"etc/smsrack/{name}", "of the box\n")
        self.box.write("etc/smsrack/errors.toml", "# rows of the newer one\n")
        self.box.boot("old")
        for name in ("tokens", "admin-token", "pins/m0"):
            self.assertEqual(self.box.read(f"etc/smsrack/{name}"), "of the box\n")
        self.assertFalse((self.box.root / "etc/smsrack/errors.toml").exists())
        self.assertEqual((self.box.set_aside / "errors.toml").read_text(), "# rows of the newer one\n")
        self.assertFalse((self.box.set_aside / "tokens").exists())

    def test_nothing_is_kept_of_a_slot_that_is_not_confirmed(self):
        self.box.boot("old")
        self.box.loader(A_OK=0, A_TRIES=1)
        self.assertIn("not confirmed", self.box.script("configuration", "keep"))
        self.assertFalse((self.box.root / "data/firmware/configuration/A").exists())

    def test_nothing_is_kept_that_the_release_refuses(self):
        self.box.boot("old")
        self.box.confirm()
        self.box.write("etc/smsrack/smsrack.toml", self.box.old_text + LATER_SECTION)
        self.assertIn("refuses the configuration of now", self.box.confirm())
        self.assertEqual(self.box.read("data/firmware/configuration/A/smsrack.toml"), self.box.old_text)

    def test_what_the_operator_changed_since_it_was_confirmed_is_kept_before_another_release_is_installed(self):
        self.box.boot("old")
        self.box.confirm()
        self.box.write("etc/smsrack/smsrack.toml", self.box.old_text + "# since then\n")
        self.box.before_install("2.0")
        self.box.boot("new")
        self.box.write("etc/smsrack/smsrack.toml", self.box.old_text + LATER_SECTION)
        self.box.boot("old")
        self.assertIn("# since then", self.box.toml)

    def test_a_copy_of_what_was_in_the_slot_before_is_nobodys(self):
        self.old_then_new()
        self.box.confirm()
        self.assertEqual(self.box.boot("next"), "")  # another release in slot A, whose copy is of version 1.0
        self.assertIn("of_a_later_release", self.box.toml)

    def test_where_only_the_configuration_of_now_is_accepted_it_stays(self):
        self.box.boot("old")
        self.box.confirm()
        self.box.write("data/firmware/configuration/A/smsrack.toml", "this is no configuration\n")
        self.box.boot("new")
        self.box.write("etc/smsrack/smsrack.toml", self.box.old_text + "# of now\n")
        self.assertIn("that stays", self.box.boot("old"))
        self.assertIn("# of now", self.box.toml)

    def test_power_that_goes_while_files_are_exchanged_leaves_work_for_the_next_start(self):
        self.old_then_new()
        self.box.write("etc/smsrack/errors.toml", "# rows of the newer one\n")
        store = self.box.root / "data/firmware/configuration"
        before = self.box.read("data/firmware/configuration/last")
        self.box.boot("old")
        # As it was before the second of the two files.
        (store / "changing").write_text(self.box.read("data/firmware/configuration/last"))
        (store / "last").write_text(before)
        self.box.write("etc/smsrack/smsrack.toml", self.box.old_text + LATER_SECTION)
        kept = (self.box.set_aside / "errors.toml").read_text()
        with self.subTest("in the same slot"):
            self.box.boot("old")
            self.assertEqual(self.box.toml, self.box.old_text)
            self.assertFalse((store / "changing").exists())
            self.assertEqual((self.box.set_aside / "errors.toml").read_text(), kept)  # not what lay there half done
        with self.subTest("in the other one, whose files are set aside"):
            (store / "changing").write_text(self.box.read("data/firmware/configuration/last"))
            (store / "last").write_text(before)
            self.box.boot("new")
            self.assertIn("of_a_later_release", self.box.toml)
            self.assertEqual(self.box.read("etc/smsrack/errors.toml"), kept)
            self.assertFalse((store / "told").exists())  # it was of the other one

    def test_power_that_goes_before_the_files_are_exchanged_leaves_nothing_that_is_not_so(self):
        self.old_then_new()
        self.box.write("data/firmware/configuration/saying", "Version 1.0 in slot A runs with its own configuration.\n")
        self.assertEqual(self.box.boot("new"), "")
        self.assertFalse((self.box.root / "data/firmware/configuration/told").exists())
        self.assertIn("What version 2.0 in slot B had last", self.box.boot("old"))

    def test_power_that_goes_while_a_copy_takes_its_name_leaves_the_copy_of_before(self):
        self.box.boot("old")
        self.box.confirm()
        place = self.box.root / "data/firmware/configuration/A"
        place.rename(place.with_name("A.old"))
        self.box.boot("new")
        self.box.write("etc/smsrack/smsrack.toml", self.box.old_text + LATER_SECTION)
        self.box.boot("old")
        self.assertEqual(self.box.toml, self.box.old_text)

    def test_the_usual_start_writes_nothing(self):
        self.box.boot("old")
        self.box.confirm()
        store = self.box.root / "data/firmware/configuration"
        before = {path: path.stat().st_mtime_ns for path in [store, *store.rglob("*")]}
        self.box.boot("old")
        self.box.confirm()
        self.assertEqual({path: path.stat().st_mtime_ns for path in [store, *store.rglob("*")]}, before)

    def test_a_new_box_has_none_and_nothing_is_invented(self):
        (self.box.root / "etc/smsrack/smsrack.toml").unlink()
        (self.box.root / "etc/smsrack/board").unlink()
        self.assertEqual(self.box.boot("old"), "")
        self.assertIn("there is none to keep", self.box.script("configuration", "keep"))
        self.assertEqual([p.name for p in (self.box.root / "etc/smsrack").iterdir()], ["pins"])


class Floor(unittest.TestCase):
    def setUp(self):
        self.box = Box(self)

    def admitted(self, version):
        try:
            self.box.before_install(version)
            return True
        except AssertionError as ended:
            self.assertIn("<< error", str(ended))
            return False

    def test_a_confirmed_release_raises_it_and_no_return_lowers_it(self):
        self.assertEqual(self.box.script("floor", "show"), "0.9\n")
        self.assertEqual([v for v in ("0.8", "0.9~rc1", "0.9", "0.10", "2.0") if self.admitted(v)], ["0.9", "0.10", "2.0"])
        self.box.boot("new")
        self.assertIn("below 1.5", self.box.script("floor", "raise"))
        self.box.boot("old")
        self.assertEqual(self.box.script("floor", "show"), "1.5\n")
        self.assertEqual([v for v in ("1.0", "1.4.9", "1.5~rc1", "1.5", "1.5-debug", "10.0") if self.admitted(v)], ["1.5", "1.5-debug", "10.0"])
        self.assertEqual(self.box.script("floor", "raise"), "")
        self.assertEqual(self.box.read("data/firmware/floor"), "1.5\n")

    def test_the_refusal_says_which_versions_and_why(self):
        said = self.box.before_install("0.1", code=1)
        self.assertTrue(said.startswith("<< error version 0.1 is below the floor of this box, version 0.9: "), said)

    def test_without_a_version_nothing_is_installed(self):
        for version in ("", "latest", "1.0; reboot", "-1"):
            self.assertFalse(self.admitted(version), version)
        self.assertIn("no manifest", self.box.script("before-install", code=1, RAUC_BUNDLE_MOUNT_POINT=str(self.box.root)))

    def test_a_torn_file_lowers_it_no_further_than_the_running_release(self):
        for torn in ("", "\0\0\0", "nonsense\n", "9 9\n"):
            self.box.write("data/firmware/floor", torn)
            self.assertFalse(self.admitted("0.8"), torn)
            self.assertTrue(self.admitted("0.9"), torn)


class Keyring(unittest.TestCase):
    def setUp(self):
        self.box = Box(self)

    def brings(self, number):
        text = (f"# smsrack keyring {number} ends 2046-01-01\n" if number else "") + f"-----BEGIN X509 CRL-----\n{number}\n-----END X509 CRL-----\n"
        self.box.write("etc/rauc/keyring.pem", text)
        return text

    def used(self):
        self.box.script("keyring", "use")
        return self.box.read("run/box/keyring.pem")

    def test_the_newest_of_a_confirmed_release_holds_also_after_a_return(self):
        first = self.brings(20270101000000)
        self.assertEqual(self.used(), first)
        self.box.script("keyring", "keep")
        later = self.brings(20280101000000)
        self.assertEqual(self.used(), later)    # not confirmed: its own, and only while it runs
        self.brings(20270101000000)
        self.assertEqual(self.used(), first)
        self.brings(20280101000000)
        self.box.script("keyring", "keep")
        self.brings(20270101000000)             # back to the older release
        self.assertEqual(self.used(), later)
        self.box.script("keyring", "keep")
        self.assertEqual(self.box.read("data/firmware/keyring.pem"), later)
        newest = self.brings(20290101000000)
        self.assertEqual(self.used(), newest)

    def test_a_kept_one_that_is_torn_or_has_no_number_is_none(self):
        own = self.brings(20270101000000)
        for kept in ("", "# smsrack keyring 20990101000000 ends 2046-01-01\n-----BEGIN CERT", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n"):
            self.box.write("data/firmware/keyring.pem", kept)
            self.assertEqual(self.used(), own)
        self.box.script("keyring", "keep")
        self.assertEqual(self.box.read("data/firmware/keyring.pem"), own)


class GiveUp(unittest.TestCase):
    def test_only_a_slot_that_never_was_confirmed_is_left_and_only_for_one_that_may_start(self):
        for a, b, slot, words, reboots in (
                ((1, 0), (0, 1), "B", "back to slot A", True),
                ((1, 0), (1, 0), "B", "was confirmed before and stays", False),
                ((0, 0), (0, 1), "B", "slot A can't be started: staying", False),
                ((0, 1), (0, 1), "A", "back to slot B", True)):
            with self.subTest(a=a, b=b, slot=slot):
                box = Box(self)
                box.write("bin/old/systemctl", f"#!/bin/sh\necho \"$@\" >>{box.root}/called\n").chmod(0o755)
                box.loader(A_OK=a[0], A_TRIES=a[1], B_OK=b[0], B_TRIES=b[1])
                box.write("proc/cmdline", f"rauc.slot={slot}\n")
                self.assertIn(words, box.script("give-up"))
                self.assertEqual((box.root / "called").exists(), reboots)
                if reboots:
                    self.assertEqual(box.read("called"), "reboot\n")
                    self.assertIn(f"{slot}_OK=0\n{slot}_TRIES=0\n", box.read("grubenv"))


    def test_a_restart_that_is_refused_is_asked_for_in_another_way(self):
        box = Box(self)
        box.write("bin/old/systemctl", f'#!/bin/sh\necho "$@" >>{box.root}/called\n[ "$1" = --force ]\n').chmod(0o755)
        box.loader(A_OK=1, B_OK=0, B_TRIES=1)
        box.write("proc/cmdline", "rauc.slot=B\n")
        box.script("give-up")
        self.assertEqual(box.read("called"), "reboot\n--force reboot\n")


class Settle(unittest.TestCase):
    def test_all_that_a_confirmed_release_leaves_also_where_one_of_it_fails(self):
        box = Box(self)
        box.boot("old")
        box.write("etc/rauc/keyring.pem", "# smsrack keyring 20270101000000 ends 2046-01-01\n-----BEGIN X509 CRL-----\n-----END X509 CRL-----\n")
        box.script("settle")
        self.assertEqual(box.read("data/firmware/floor"), "0.9\n")
        self.assertTrue(box.read("data/firmware/keyring.pem").startswith("# smsrack keyring 2027"))
        self.assertEqual(box.read("data/firmware/configuration/A/smsrack.toml"), box.old_text)
        shutil.rmtree(box.root / "data/firmware/configuration/A")
        (box.root / "data/firmware/keyring.pem").unlink()
        (box.root / "etc/rauc/keyring.pem").unlink()
        box.script("settle", code=1)
        self.assertTrue((box.root / "data/firmware/configuration/A").exists())


if __name__ == "__main__":
    if missing := [name for name in ("smsrack", "smsrackd") if not (BIN / name).exists()]:
        print(f"release_test: skipped, {BIN} has no {', '.join(missing)}")
        sys.exit(77)
    unittest.main()
