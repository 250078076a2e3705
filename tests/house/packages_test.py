"""The Debian packages, as far as nothing must be built: what is in which package, what the units, accounts and the table of rights say of the same thing, and what
the maintainer scripts do. tools/package builds and checks them; tools/package-test installs them."""

import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEBIAN, PACKAGING = ROOT / "debian", ROOT / "firmware-host/packaging"
BUILT = "build/debian/"
# Not installed here by themselves: the compiler is in each build of a Debian package.
ESSENTIAL = {"g++"}
ONLY_DEBIAN = {"debhelper-compat", "dh-sequence-installsysusers", "node-llhttp"}


def rows(path):
    return [words for line in path.read_text().splitlines() if (words := line.partition("#")[0].split())]


def packages():
    return re.findall(r"^Package: (\S+)$", (DEBIAN / "control").read_text(), re.MULTILINE)


def unit(name):
    """{key: value} of a unit file in which the keys that are asked for come once."""
    return dict(line.split("=", 1) for line in (PACKAGING / name).read_text().splitlines() if re.match(r"\w+=", line))


class Contents(unittest.TestCase):
    def installed(self):
        """(package, source) of each row of an install list."""
        return [(name, source) for name in packages() for source, _ in rows(DEBIAN / f"{name}.install")]

    def test_each_program_of_the_product_is_in_one_package_and_is_built_for_it(self):
        declared = set(re.findall(r"^(?:add_executable|smsrack_program)\((\S+)", (ROOT / "firmware-host/CMakeLists.txt").read_text(), re.MULTILINE))
        tools = (ROOT / "tools/CMakeLists.txt").read_text()
        declared |= set(re.findall(r"^smsrack_program\((\S+)", tools, re.MULTILINE)) - set(re.findall(r"^set_target_properties\((\S+).*EXCLUDE_FROM_ALL", tools, re.MULTILINE))
        packed = sorted(source.removeprefix(f"{BUILT}bin/") for _, source in self.installed() if source.startswith(f"{BUILT}bin/"))
        self.assertEqual(packed, sorted(declared))
        self.assertEqual(sorted(re.search(r"^programs = (.*)$", (DEBIAN / "rules").read_text(), re.MULTILINE)[1].split()), packed)

    def test_what_is_packed_is_there(self):
        for name, source in self.installed():
            if not source.startswith(BUILT):
                self.assertTrue(list(ROOT.glob(source)), f"{name}: {source}")
        for kind in ("docs", "manpages", "examples"):
            for file in DEBIAN.glob(f"*.{kind}"):
                for (source,) in rows(file):
                    self.assertTrue((ROOT / source).is_file(), f"{file.name}: {source}")

    def test_each_file_for_packages_is_in_one(self):
        packed = [ROOT / source for _, source in self.installed() if source.startswith("firmware-host/packaging/")]
        packed += [(DEBIAN / link).resolve() for link in ("smsrack.sysusers", "smsrack.tmpfiles")]
        self.assertEqual(sorted(packed), sorted(file for file in PACKAGING.rglob("*") if file.is_file()))

    def test_each_manual_page_is_in_one_package(self):
        packed = [source for file in DEBIAN.glob("*.manpages") for (source,) in rows(file)]
        self.assertEqual(sorted(packed), sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs/man").iterdir()))

    def test_the_packages_are_built_from_what_the_build_installs(self):
        field = re.search(r"^Build-Depends: (.*?)^\S", (DEBIAN / "control").read_text(), re.MULTILINE | re.DOTALL)[1]
        wanted = {re.split(r"[ :(]", part.strip())[0] for part in field.split(",")}
        here = {package for group, package in rows(ROOT / "toolchain/packages.txt") if group in ("build", "web")}
        self.assertEqual(wanted - ONLY_DEBIAN, here - ESSENTIAL)

    def test_the_newest_entry_of_the_changelog_is_the_version_of_the_programs(self):
        version = re.search(r"project\(smsrack VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertTrue((DEBIAN / "changelog").read_text().startswith(f"smsrack ({version}) "))

    def test_what_is_compiled_in_is_named_in_the_copyright(self):
        compiled = re.findall(r"node-(\w+)/usr", (ROOT / "toolchain/modules/smsrack_packages.cmake").read_text())
        self.assertTrue(compiled)
        for name in compiled:
            self.assertIn(f"node-{name}/*", (DEBIAN / "copyright").read_text())


class Agreement(unittest.TestCase):
    """docs/rights.md has a table of paths; units and tmpfiles say the same of them."""

    def table(self):
        """{path: (modes, owner)}"""
        found = re.findall(r"^\| `(/\S+)`(?: and its files)? \| ([0-9, ]+) (\S+:\S+) \|", (ROOT / "docs/rights.md").read_text(), re.MULTILINE)
        return {path: (modes.split(", "), owner) for path, modes, owner in found}

    def test_the_tmpfiles_make_what_the_table_says(self):
        table = self.table()
        lines = rows(PACKAGING / "smsrack.tmpfiles")
        self.assertGreater(len(lines), 5)
        for _, path, mode, user, group, _ in lines:
            modes, owner = table[path]
            self.assertEqual((mode.lstrip("~"), f"{user}:{group}"), (modes[0], owner), path)
        # What a unit makes, and what the service writes.
        self.assertEqual(set(table) - {path for _, path, *_ in lines}, {"/run/smsrack/smsrack.sock", "/run/smsrack/revoked-tokens", "/run/smsrack/wake.sock"})

    def test_the_socket_unit_makes_what_the_table_and_the_configuration_say(self):
        socket = unit("smsrack.socket")
        modes, owner = self.table()[socket["ListenStream"]]
        self.assertEqual((socket["SocketMode"], f"{socket['SocketUser']}:{socket['SocketGroup']}"), (modes[0], owner))
        config = (PACKAGING / "smsrack.toml").read_text()
        self.assertIn(f'"{socket["ListenStream"]}"', config)
        self.assertIn(f'"{socket["SocketMode"]}"', config)

    def test_the_service_gets_the_socket_and_leaves_its_path(self):
        service = unit("smsrackd.service")
        self.assertEqual((service["Sockets"], unit("smsrack.socket")["Service"]), ("smsrack.socket", "smsrackd.service"))
        self.assertEqual((service["RuntimeDirectoryPreserve"], service["StartLimitIntervalSec"]), ("yes", "0"))
        self.assertGreaterEqual(int(service["FileDescriptorStoreMax"]), 256 + 1024)
        self.assertEqual(service["StateDirectoryMode"], self.table()["/var/lib/smsrack"][0][0])

    def test_only_the_service_may_order_what_becomes_of_a_box(self):
        socket = unit("smsrack-wake.socket")
        modes, owner = self.table()[socket["ListenStream"]]
        self.assertEqual((modes[0], owner), ("0600", "smsrack:smsrack"))
        self.assertEqual((socket["SocketMode"], f"{socket['SocketUser']}:{socket['SocketGroup']}"), (modes[0], owner))
        self.assertEqual((socket["Accept"], socket["RemoveOnStop"]), ("yes", "yes"))
        self.assertIn(f'"{socket["ListenStream"]}"', (ROOT / "src/config/cluster_settings.hpp").read_text())
        service = unit("smsrack-wake@.service")
        self.assertEqual((service["StandardInput"], service["StandardOutput"]), ("socket", "socket"))
        within = int(re.search(r"box_power_within\{(\d+)\}", (ROOT / "src/ports/box_power.hpp").read_text())[1])
        self.assertGreater(int(service["RuntimeMaxSec"]), within)

    def test_the_accounts_of_units_and_tmpfiles_are_made(self):
        made = {name for _, name, *_ in rows(PACKAGING / "smsrack.sysusers")}
        used = {name for _, _, _, *names, _ in rows(PACKAGING / "smsrack.tmpfiles") for name in names} - {"root"}
        for name in ("smsrackd.service", "smsrack.socket", "smsrack-gate.service", "smsrack-wake.socket", "smsrack-wake@.service"):
            used |= {value for key, value in unit(name).items() if key in ("User", "Group", "SocketUser", "SocketGroup")}
        self.assertLessEqual(used, made)


class Scripts(unittest.TestCase):
    """The maintainer scripts with stand-ins for what they call, in a folder in the place of /."""

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="packages-test-"))
        self.addCleanup(shutil.rmtree, self.root)
        for folder in ("bin", "usr/bin", "run/systemd/system", "var/lib/smsrack", "etc/smsrack"):
            (self.root / folder).mkdir(parents=True)
        for name in ("systemctl", "deb-systemd-invoke", "udevadm", "start-stop-daemon", "usermod", "gpasswd", "getent"):
            self.stand_in(name)
        self.stand_in("smsrack", 'case "$*" in *"db schema"*) exit 1;; esac')

    def stand_in(self, name, body=""):
        """Notes how it is called; `body` says what it prints and how it ends."""
        program = self.root / "bin" / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >>{self.root}/calls\n{body}\n')
        program.chmod(0o755)

    def run_script(self, kind, *words, package="smsrack"):
        text = (DEBIAN / f"{package}.{kind}").read_text().replace("#SCHEMA#", "16").replace("#DEBHELPER#", "")
        self.assertNotRegex(text, r"#[A-Z]+#")
        for path in ("/var/lib/smsrack", "/usr/bin/smsrack", "/run/s", "/etc/smsrack"):
            text = text.replace(path, f"{self.root}{path}").replace(f"{{DPKG_ROOT:-}}{self.root}", "{DPKG_ROOT:-}" + str(self.root))
        calls = self.root / "calls"
        calls.unlink(missing_ok=True)
        self.done = subprocess.run(["sh", "-c", text, kind, *words], capture_output=True, text=True, env={"PATH": f"{self.root}/bin:/usr/bin:/bin"}, check=False)
        return [line.replace(str(self.root), "") for line in calls.read_text().splitlines()] if calls.exists() else []

    def state(self, active, shown="inactive"):
        self.stand_in("systemctl", f'case "$*" in *is-active*) exit {0 if active else 3};; *show*) echo {shown};; esac')

    def database(self, schema):
        with sqlite3.connect(self.root / "var/lib/smsrack/smsrack.db") as database:
            database.execute(f"PRAGMA user_version = {schema}")
            database.execute("CREATE TABLE IF NOT EXISTS a (b)")

    def installed(self, answer):
        self.stand_in("smsrack", answer)

    def test_a_version_that_can_read_the_database_is_installed(self):
        self.run_script("preinst", "install")
        self.assertEqual(self.done.returncode, 0, self.done.stderr)   # there is none
        for schema, answer in ((16, None), (16, "exit 1"), (99, """echo '{"file":"x","schema":99,"readable_from":16}'""")):
            with self.subTest(schema=schema, answer=answer):
                self.database(schema)
                if answer:
                    self.installed(answer)
                self.run_script("preinst", "upgrade", "9.9", "0.1")
                self.assertEqual(self.done.returncode, 0, self.done.stderr)

    def test_one_that_cannot_is_refused_with_the_way_back(self):
        for schema, answer in ((17, None), (70000, "exit 1"), (17, """echo '{"file":"x","schema":17,"readable_from":17}'""")):
            with self.subTest(schema=schema, answer=answer):
                self.database(schema)
                if answer:
                    self.installed(answer)
                calls = self.run_script("preinst", "upgrade", "9.9", "0.1")
                self.assertEqual(self.done.returncode, 1)
                self.assertFalse([call for call in calls if "db schema" not in call and "systemctl show" not in call], calls)
                self.assertIn("smsrack db rollback 16", self.done.stderr)
                self.assertIn(f"schema {schema} cannot", self.done.stderr)

    def test_one_that_is_refused_starts_no_service_that_was_stopped(self):
        for shown, starts in (("inactive", False), ("deactivating", False), ("failed", True)):
            with self.subTest(shown):
                self.database(17)
                self.state(active=False, shown=shown)
                self.run_script("preinst", "upgrade", "9.9", "0.1")
                self.assertEqual(self.done.returncode, 1)
                self.assertEqual(any("start" in call for call in self.run_script("postinst", "abort-upgrade", "0.1")), starts)

    def test_where_none_is_installed_the_later_version_is_named_first(self):
        self.database(17)
        (self.root / "bin/smsrack").unlink()
        self.run_script("preinst", "install", "9.9")
        self.assertEqual(self.done.returncode, 1)
        self.assertIn("Install the later one first", self.done.stderr)

    def test_a_first_installation_starts_socket_and_service(self):
        self.state(active=False)
        self.run_script("preinst", "install")
        self.assertIn("deb-systemd-invoke start smsrack.socket smsrackd.service", self.run_script("postinst", "configure", ""))
        self.assertEqual(self.done.returncode, 0, self.done.stderr)

    def test_an_upgrade_asks_the_running_service_for_its_successor(self):
        self.state(active=True, shown="active")
        self.run_script("preinst", "upgrade", "0.1")
        self.assertEqual(self.run_script("prerm", "upgrade", "0.2"), [])
        calls = self.run_script("postinst", "configure", "0.1")
        self.assertIn("smsrack --socket /run/smsrack/smsrack.sock upgrade --yes /usr/bin/smsrackd", calls)
        self.assertFalse([call for call in calls if re.search(r"\b(stop|start|restart)\b", call)], calls)

    def test_the_successor_is_asked_for_where_the_socket_is(self):
        self.state(active=True, shown="'/srv/own.sock (Stream)'")
        self.assertIn("smsrack --socket /srv/own.sock upgrade --yes /usr/bin/smsrackd", self.run_script("postinst", "configure", "0.1"))

    def test_where_it_cannot_it_continues_and_the_command_is_printed(self):
        self.state(active=True, shown="active")
        self.stand_in("smsrack", "echo 'no room for the copy' >&2; exit 1")
        calls = self.run_script("postinst", "configure", "0.1")
        self.assertEqual(self.done.returncode, 0)
        self.assertFalse([call for call in calls if "restart" in call], calls)
        for words in ("no room for the copy", "smsrack upgrade --yes /usr/bin/smsrackd", "systemctl restart smsrackd"):
            self.assertIn(words, self.done.stdout.replace(str(self.root), ""))

    def test_a_service_that_was_stopped_stays_so_over_an_upgrade_and_a_failed_one_is_started(self):
        for shown, starts in (("inactive", False), ("failed", True), ("inactive", False)):
            with self.subTest(shown):
                self.state(active=False, shown=shown)
                self.run_script("preinst", "upgrade", "0.1")
                self.assertEqual(any("start" in call for call in self.run_script("postinst", "configure", "0.1")), starts)
                self.assertFalse((self.root / "run/smsrack-stays-stopped").exists())

    def test_without_systemd_nothing_is_started_and_that_is_said(self):
        shutil.rmtree(self.root / "run/systemd")
        self.assertFalse([call for call in self.run_script("postinst", "configure", "") if call.startswith(("deb-", "systemctl"))])
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.assertIn("systemd does not run here", self.done.stdout)

    def test_members_of_the_old_group_keep_their_rights_and_the_service_is_none(self):
        self.state(active=False)
        self.stand_in("getent", 'echo "smsrack:x:900:smsrack,anna,ben"')
        calls = self.run_script("postinst", "configure", "")
        for name in ("anna", "ben"):
            self.assertIn(f"usermod -a -G smsrack-api,smsrack-read {name}", calls)
            self.assertIn(f"gpasswd -d {name} smsrack", calls)
            self.assertIn(f"{name} was in the group smsrack", self.done.stdout)
        self.assertFalse([call for call in calls if call.endswith("smsrack-read smsrack")])

    def test_a_member_that_cannot_be_moved_is_named_and_stops_nothing(self):
        self.state(active=False)
        self.stand_in("getent", 'echo "smsrack:x:900:anna,ben"')
        self.stand_in("usermod", 'case "$*" in *anna) exit 6;; esac')
        calls = self.run_script("postinst", "configure", "")
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.assertIn("anna could not be moved", self.done.stdout)
        self.assertIn("gpasswd -d ben smsrack", calls)

    def test_a_removal_stops_both_and_keeps_all_and_a_purge_ends_what_is_left(self):
        for path in ("etc/smsrack/smsrack.toml", "var/lib/smsrack/smsrack.db"):
            (self.root / path).touch()
        self.assertEqual(self.run_script("prerm", "remove"), ["deb-systemd-invoke stop smsrack.socket smsrackd.service smsrack-wake.socket"])
        self.assertEqual(self.run_script("postrm", "remove"), [])
        self.assertTrue((self.root / "var/lib/smsrack/smsrack.db").exists())
        calls = self.run_script("postrm", "purge")
        self.assertTrue(any(call.startswith("start-stop-daemon --stop") and "--user smsrack" in call for call in calls), calls)
        self.assertFalse((self.root / "var/lib/smsrack").exists() or (self.root / "etc/smsrack").exists())
        self.assertEqual((self.done.returncode, self.done.stderr), (0, ""))

    def run_gate(self, kind, *words):
        return self.run_script(kind, *words, package="smsrack-gate")

    def started_or_stopped(self, calls):
        return [call for call in calls if re.search(r"(?<!-)\b(stop|start|restart|reload|upgrade)\b", call)]

    def test_a_gate_is_started_by_the_first_installation_and_by_one_after_a_removal(self):
        self.state(active=False)
        for before in ((), ("0.1",)):
            self.run_gate("preinst", "install", *before)
            self.assertEqual(self.started_or_stopped(self.run_gate("postinst", "configure", *before)), ["deb-systemd-invoke start smsrack-gate.service"])
            self.assertEqual(self.done.returncode, 0, self.done.stderr)

    def test_an_upgrade_leaves_the_running_gate_and_says_how_the_new_one_starts(self):
        self.state(active=True, shown="active")
        calls = self.run_gate("prerm", "upgrade", "0.2") + self.run_gate("preinst", "upgrade", "0.1") + self.run_gate("postinst", "configure", "0.1")
        self.assertEqual(self.started_or_stopped(calls), [])
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.assertIn("systemctl restart smsrack-gate", self.done.stdout)

    def test_a_gate_that_was_stopped_stays_so_over_an_upgrade_and_a_failed_one_is_started(self):
        for shown, starts in (("inactive", False), ("failed", True), ("inactive", False)):
            with self.subTest(shown):
                self.state(active=False, shown=shown)
                self.run_gate("preinst", "upgrade", "0.1")
                self.assertEqual(bool(self.started_or_stopped(self.run_gate("postinst", "configure", "0.1"))), starts)
                self.assertFalse((self.root / "run/smsrack-gate-stays-stopped").exists())

    def test_a_removal_stops_the_gate_and_its_socket_with_and_without_systemd(self):
        self.assertEqual(self.run_gate("prerm", "remove"), ["deb-systemd-invoke stop smsrack-gate.socket smsrack-gate.service"])
        shutil.rmtree(self.root / "run/systemd")
        (call,) = self.run_gate("prerm", "remove")
        self.assertTrue(call.startswith("start-stop-daemon --stop") and call.endswith("--user smsrack-gate --name smsrack-gate"), call)
        self.assertEqual(self.started_or_stopped(self.run_gate("postinst", "configure", "")), [])
        self.assertIn("systemd does not run here", self.done.stdout)


class Units(unittest.TestCase):
    def test_debhelper_starts_stops_and_restarts_none_and_enables_all_but_the_sockets_of_the_gate_and_of_wake(self):
        rules = (DEBIAN / "rules").read_text()
        self.assertEqual(re.search(r"^by_scripts = (.*)$", rules, re.MULTILINE)[1], "--no-start --no-stop-on-upgrade --no-restart-after-upgrade")
        self.assertEqual(re.findall(r"^\tdh_installsystemd -p(\S+) \$\(by_scripts\)(.*)$", rules, re.MULTILINE),
                         [("smsrack", " smsrack.socket smsrackd.service"), ("smsrack", " --no-enable smsrack-wake.socket"), ("smsrack-gate", " smsrack-gate.service"), ("smsrack-gate", " --no-enable smsrack-gate.socket")])


class Completions(unittest.TestCase):
    """zsh and fish ask the script for bash, which here is one that shows what it is asked."""

    BASH = '_smsrack() { local last=${COMP_WORDS[COMP_CWORD]}; COMPREPLY=("$last-of-${#COMP_WORDS[@]}" "$last-at-$COMP_CWORD"); }\n'
    OFFERED = {"sh-of-3", "sh-at-2"}

    def script(self, name):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="packages-test-"))
        self.addCleanup(shutil.rmtree, folder)
        (folder / "bash").write_text(self.BASH)
        text = (PACKAGING / name).read_text()
        self.assertIn("/usr/share/bash-completion/completions/smsrack", text)
        return text.replace("/usr/share/bash-completion/completions/smsrack", str(folder / "bash"))

    def offered(self, *words):
        if not shutil.which(words[0]):
            self.skipTest(f"{words[0]} is not installed")
        return set(subprocess.run(words, capture_output=True, text=True, check=True).stdout.split())

    def test_fish(self):
        self.assertEqual(self.offered("fish", "-N", "-c", self.script("smsrack.fish") + "complete -C 'smsrack modem sh'"), self.OFFERED)

    def test_zsh(self):
        self.assertEqual(self.offered("zsh", "-fc", 'words=(smsrack modem sh); CURRENT=3; compadd() { shift; print -rl -- "$@" }\n' + self.script("_smsrack")), self.OFFERED)


class Ports(unittest.TestCase):
    """What udev asks on a machine with the package: other ports are other programs' (docs/installing.md)."""

    CONFIG = """
[[modem]]
port  = "/dev/serial/by-path/pci-0:1.0-port0"
power = { chip = "gpiochip3", line = 8 }
[[modem]]
name = "m1"
port = '/dev/ttyS4' # the card
# port = "/dev/ttyS5"
report = true
"""

    def test_only_ports_and_chips_of_the_configuration_are_ours(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as config:
            config.write(self.CONFIG)
            config.flush()
            for names, ours in ((("/dev/ttyUSB0", "serial/by-id/x", "serial/by-path/pci-0:1.0-port0"), True), (("/dev/ttyS4",), True), (("/dev/gpiochip3",), True),
                                (("/dev/ttyS5",), False), (("/dev/ttyS",), False), (("/dev/ttyUSB0", "serial/by-path/pci-0:1.0-port01"), False), ((), False)):
                with self.subTest(names):
                    done = subprocess.run([ROOT / "hw/udev/is-configured", *names], env={"PATH": "/usr/bin:/bin", "SMSRACK_CONFIG": config.name}, check=False)
                    self.assertEqual(done.returncode == 0, ours)
        self.assertEqual(subprocess.run([ROOT / "hw/udev/is-configured", "x"], env={"PATH": "/usr/bin:/bin", "SMSRACK_CONFIG": "/nowhere"}, check=False).returncode, 1)


if __name__ == "__main__":
    unittest.main()
