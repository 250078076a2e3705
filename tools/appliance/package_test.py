"""Installs, upgrades under load, refuses, removes and purges the packages in an ordinary Debian 12, with a repository and a rack of simulated modems.

  tools/package-test [--container] [--kvm] [--packages FOLDER] [--rate N] [--case NAME ...]

It is a machine in QEMU, or with --container one that systemd-nspawn starts: the same systemd and apt at the speed of this machine, but no udev.

Cases, in this order, on one disk:

  install    apt installs from the signed repository; the service runs, nothing listens, the table of rights holds
  once       what tools/run --once does, with the installed programs (the packages' autopkgtest)
  rack       modems are configured and reloaded; a message goes out
  upgrade    to the next version and back, three times each, under load: nothing refused, lost or doubled
  refusal    a hand-over that is not possible: apt ends with 0, says why, the old version continues
  downgrade  a version that cannot read the database is refused and changes nothing
  kill       five kill -9 in a row, and a restart under load
  stopped    a service that was stopped stays so over an upgrade
  broken     what was unpacked and not configured: dpkg --configure -a
  remove     keeps everything; a later installation continues
  purge      leaves no file, unit and process

The package of the next version has the same programs under another number. Limits are for a quiet machine; SMSRACK_SLOW=4 makes each four times as long.
What the machine said is kept in build/package/test.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

from . import base_tree, boot_test, console, firmware, machine, recipe

WORK = recipe.ROOT / "build/package"
TARGET = recipe.TARGETS["amd64"]
MODEMS = 8
GAP_MS = 200
LEAD_S = 3  # of a load, before and after what is tested
# A Debian as an administrator has it, with what the packages depend on, so that nothing is fetched meanwhile.
DEBIAN = ("systemd-sysv", "udev", "dbus", "linux-image-amd64", "initramfs-tools", "python3", "ca-certificates", "iproute2", "less",
          "libcurl4", "libfmt9", "libgpiod2", "libserialport0", "libsqlite3-0", "libssl3", "libstdc++6", "libuv1", "libxxhash0", "tzdata")
CASES = ("install", "once", "rack", "upgrade", "refusal", "downgrade", "kill", "stopped", "broken", "remove", "purge")
DISK_MIB = 2048
SOCKET_AND_SERVICE = "smsrack.socket smsrackd.service"


def say(text):
    print(f"tools/package-test: {text}", flush=True)


check = boot_test.check


def options_of(words):
    parser = firmware.Parser(prog="tools/package-test", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", type=pathlib.Path, default=WORK / TARGET.name, metavar="FOLDER", help="of tools/package (default: build/package/amd64)")
    parser.add_argument("--container", action="store_true", help="without QEMU; needs root")
    parser.add_argument("--kvm", action="store_true", help="QEMU with KVM, where that is there and works")
    parser.add_argument("--rate", type=int, metavar="N", help="requests per second (default: 100 in QEMU without KVM, else 1000)")
    parser.add_argument("--case", dest="cases", metavar="NAME", action="append", choices=CASES, help="only these, after `install` and `rack`")
    options = parser.parse_args(words)
    options.cases = [name for name in CASES if not options.cases or name in (*options.cases, "install", "rack")]
    options.rate = options.rate or (1000 if options.container or options.kvm else 100)
    return options


class Packages:
    """Those of a folder, and the same under other versions."""

    def __init__(self, folder, work):
        self.files = [file for file in sorted(folder.glob("*.deb")) if "-dbgsym_" not in file.name]
        if not self.files:
            raise recipe.RecipeError(f"{folder} has no packages: tools/package makes them")
        self.work = work
        self.now = recipe.run("dpkg-deb", "-f", self.files[0], "Version").strip()
        self.next, self.old = f"{self.now}+next", f"{self.now}~old"

    def named(self, version, preinst=lambda text: text):
        """Files of packages that differ in their version, and in the preinst of smsrack."""
        made = []
        for file in self.files:
            with tempfile.TemporaryDirectory(dir=self.work) as folder:
                tree = pathlib.Path(folder) / "tree"
                recipe.run("dpkg-deb", "-R", file, tree)
                control = tree / "DEBIAN/control"
                text = control.read_text().replace(f"Version: {self.now}\n", f"Version: {version}\n")
                control.write_text(text.replace(f"smsrack (= {self.now})", f"smsrack (= {version})"))
                script = tree / "DEBIAN/preinst"
                if script.exists():
                    script.write_text(preinst(script.read_text()))
                made.append(self.work / file.name.replace(f"_{self.now}_", f"_{version}_"))
                recipe.run("dpkg-deb", "--root-owner-group", "-b", tree, made[-1])
        return made

    def repository(self):
        folder = self.work / "apt"
        # What it knows is older than any database.
        old = self.named(self.old, lambda text: re.sub(r"^schema=\d+", "schema=1", text, flags=re.MULTILINE))
        recipe.run(recipe.ROOT / "tools/scripts/apt_repository", folder, *self.files, *self.named(self.next), *old)
        sources = folder / "smsrack.sources"
        sources.write_text(sources.read_text().replace(f"URIs: file:{folder.resolve()}", "URIs: file:/srv/stick/apt"))
        shutil.copytree(folder, self.work / "stick/apt")


def base(work):
    """The bare Debian, as a tree in `work`. Its archive is kept."""
    getty = recipe.IMAGE / "debug/usr/lib/systemd/system/serial-getty@.service.d/box.conf"
    hooks = (f'install -D -m 644 "{getty}" "$1/etc/systemd/system/serial-getty@.service.d/box.conf"', 'echo box >"$1/etc/hostname"',
             'mkdir "$1/srv/stick" && echo "/dev/vdb /srv/stick ext4 ro 0 0" >>"$1/etc/fstab"',
             'rm -f "$1/etc/apt/sources.list"')  # only what the test brings is installed
    key = recipe.hash_of(*DEBIAN, *base_tree.sources(), *hooks, getty)[:16]
    tar = WORK / f"debian-{key}.tar"
    if not tar.exists():
        say(f"making a bare Debian 12 ({len(DEBIAN)} packages and what they need)")
        for old in WORK.glob("debian-*.tar"):
            old.unlink()
        made = tar.with_name(f"new-{key}.tar")
        recipe.run("mmdebstrap", "--quiet", "--mode=root", "--variant=apt", f"--include={','.join(DEBIAN)}", "--dpkgopt=force-unsafe-io",
                   *(f"--customize-hook={hook}" for hook in hooks), "bookworm", made, *base_tree.sources())
        made.rename(tar)
    tree = work / "tree"
    tree.mkdir()
    recipe.run("tar", "-C", tree, "-xf", tar)
    return tree


def ext4(path, folder, mib):
    with open(path, "wb") as image:
        image.truncate(mib << 20)
    recipe.run("mke2fs", "-q", "-t", "ext4", "-d", folder, path)
    return path


class Debian(machine.Machine):
    """Its kernel is started by QEMU itself."""

    def __init__(self, disk, folder, stick, tree, kvm):
        super().__init__(TARGET, disk, folder, None, stick)
        self.accel = ["-accel", "kvm"] if kvm else []
        self.boot = [next(iter(sorted((tree / "boot").glob(f"{name}-*")))) for name in ("vmlinuz", "initrd.img")]
        for number, file in enumerate(self.boot):
            self.boot[number] = pathlib.Path(shutil.copy(file, folder))

    def _firmware(self):
        kernel, initrd = self.boot
        return ["qemu-system-x86_64", "-machine", "q35", "-cpu", "max", *self.accel, "-kernel", str(kernel), "-initrd", str(initrd),
                "-append", "root=/dev/vda rw console=ttyS0 panic=-1"]


class Container:
    """A Debian that systemd-nspawn starts, with the same methods as a machine and its console."""

    STICK = "srv/stick"

    def __init__(self, tree, folder):
        self.tree, self.folder = tree, folder
        self.process = self.leader = None
        (tree / "etc/fstab").unlink()
        if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < 20480:
            # More than this machine may give a service; only thousands of clients need it.
            place = tree / "etc/systemd/system/service.d/test.conf"
            place.parent.mkdir(parents=True)
            place.write_text("[Service]\nLimitNOFILE=8192\n")

    @property
    def console(self):
        return self

    def start(self):
        with open(self.folder / "console.log", "wb") as log:
            self.process = subprocess.Popen(["systemd-nspawn", "-q", "-D", str(self.tree), "--register=no", "--keep-unit", "--private-network", "--console=pipe", "-b"],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def login(self, seconds):
        def up():
            children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
            self.leader = children[0] if children else None
            return self.leader and "running" in self.command("systemctl is-system-running", 10, may_fail=True)[1]
        boot_test.wait_until("the container", up, seconds)

    def words(self, line):
        return ["nsenter", "-t", self.leader, "-m", "-u", "-i", "-n", "-p", "-r", "-w", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8",
                "bash", "-c", line]

    def command(self, line, seconds, may_fail=False):
        try:
            done = subprocess.run(self.words(line), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=console.limit(seconds), check=False)
        except subprocess.TimeoutExpired:
            raise console.Silence(f"`{line}` does not end within {console.limit(seconds):.0f} s") from None
        said = done.stdout.decode(errors="replace").strip("\n")
        if may_fail:
            return done.returncode, said
        if done.returncode:
            raise console.Silence(f"`{line}` ended with code {done.returncode}:\n{said}")
        return said

    def type(self, line):
        """A command that continues in the background."""
        self.command(line, 10)

    def shut_down(self):
        self.command("systemctl poweroff", 30, may_fail=True)
        self.process.wait(console.limit(120))

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()  # systemd-nspawn then stops the system in it
            self.process.wait(120)


class Test:
    def __init__(self, box, options, packages):
        self.box, self.options, self.packages = box, options, packages
        self.loads = self.accepted = 0

    @property
    def shell(self):
        return self.box.console

    def run(self, line, seconds=60):
        return self.shell.command(line, seconds)

    def try_run(self, line, seconds=60):
        return self.shell.command(line, seconds, may_fail=True)

    def apt(self, version, seconds=120):
        words = " ".join(f"{name}={version}" for name in ("smsrack", "smsrack-gate", "smsrack-tools"))
        return self.try_run(f"DEBIAN_FRONTEND=noninteractive apt-get -q -y --allow-downgrades install {words}", seconds)

    def journal(self):
        try:
            return self.try_run("journalctl -u smsrackd -o short-precise --no-pager -n 30", 60)[1]
        except (console.Silence, OSError):    # the fault that it is asked about is the one to report
            return "its shell does not answer"

    def installed(self):
        return self.run("dpkg-query -W -f '${Version} ${db:Status-Status}' smsrack")

    def process(self):
        return self.run("systemctl show -P MainPID smsrackd")

    def active(self, both="active active"):
        return " ".join(self.try_run(f"systemctl is-active {SOCKET_AND_SERVICE}")[1].split()) == both

    def ready(self):
        boot_test.wait_until("the service ready, all modems active", lambda: self.try_run("smsrack modems | grep -c ' active '")[1] == str(MODEMS), 60)

    # install
    def install(self):
        self.run("cp /srv/stick/apt/smsrack.sources /etc/apt/sources.list.d && apt-get -q update", 120)
        begun = time.monotonic()
        code, said = self.apt(self.packages.now)
        check(code == 0, f"apt ended with {code}:\n{said}")
        check(self.active(), f"socket and service are not running:\n{said}")
        enabled = self.run(f"systemctl is-enabled {SOCKET_AND_SERVICE}").split()
        check(enabled == ["enabled", "enabled"], f"enabled: {enabled}")
        enabled = self.run("systemctl is-enabled smsrack-gate.service smsrack-gate.socket").split()
        check(enabled == ["enabled", "disabled"], f"enabled of the gate: {enabled}")
        boot_test.open_ports(self.shell)
        status = self.try_run("smsrack status; smsrack slots", 120)[1]
        check("modem" in status, f"a rack without modems does not say so:\n{status}")
        changed = self.run("dpkg --verify smsrack smsrack-gate smsrack-tools")
        check(not changed, f"files are not as they were packed:\n{changed}")
        verified = self.run(f"systemd-analyze verify --man=no {SOCKET_AND_SERVICE} 2>&1")
        check(not verified, f"systemd-analyze verify:\n{verified}")
        self.rights()
        if not self.options.container:
            self.ports()
        security = re.search(r"Overall exposure level for \S+: ([\d.]+)", self.run("systemd-analyze security --no-pager smsrackd | tail -n 2"))
        say(f"install: {time.monotonic() - begun:.0f} s with all checks, no port open, rights as in docs/rights.md, exposure of smsrackd {security[1]}")

    def rights(self):
        """The rows of docs/rights.md whose files are there."""
        table = re.findall(r"^\| `(/\S+)`(?: and its files)? \| (0\d+)\S* (?:\d+ )?(\S+:\S+) \|", (recipe.ROOT / "docs/rights.md").read_text(), re.MULTILINE)
        check(len(table) > 5, "docs/rights.md has no table of paths")
        for path, mode, owner in table:
            code, said = self.try_run(f"stat -c '%a %U:%G' {path}")
            check(code != 0 or said == f"{int(mode)} {owner}", f"{path} is {said}, and docs/rights.md says {mode} {owner}")

    def ports(self):
        """ModemManager is kept off a port that the configuration names, and off no other."""
        ask = "udevadm trigger --settle --action=change /dev/ttyS1; udevadm info -q property /dev/ttyS1 | grep -c ID_MM_PORT_IGNORE=1"
        check(self.try_run(ask)[1] == "0", "ModemManager may not take /dev/ttyS1")
        self.run("cp -a /etc/smsrack/smsrack.toml /run/kept.toml && echo 'port = \"/dev/ttyS1\"' >>/etc/smsrack/smsrack.toml")
        check(self.try_run(ask)[1] == "1", "ModemManager may take /dev/ttyS1, which is configured")
        self.run("cp -a /run/kept.toml /etc/smsrack/smsrack.toml")

    # once
    def once(self):
        said = self.run("/srv/stick/run_rack /usr/bin --once", 300)
        say(f"once: {said.splitlines()[-1]}")

    # rack
    def rack(self):
        self.run("systemd-run -q --unit=sim --uid=smsrack --property=RuntimeDirectory=rack --property=UMask=0022 smsrack-sim "
                 f"--modems {MODEMS} --dir /run/rack --service-ms 20 --baud 0 --report-ms -1 --log /run/rack/network.jsonl")
        boot_test.wait_until("the simulated modems", lambda: self.try_run(f"test -e /run/rack/modem{MODEMS - 1}")[0] == 0, 20)
        entries = "".join(f'\\n[[modem]]\\nname = "m{n}"\\nport = "/run/rack/modem{n}"\\n' for n in range(MODEMS))
        self.run(f"printf '{entries}' >>/etc/smsrack/smsrack.toml && smsrack config check /etc/smsrack/smsrack.toml && smsrack reload")
        self.ready()
        self.run("smsrack send --to +33612345678 --wait 'a word'")
        say(f"rack: {MODEMS} modems by reload, a message went out")

    def under_load(self, act):
        """`act` in the middle of a load; checks what became of each request. The report of the load, and what `act` returned."""
        self.loads += 1
        report, stop = f"/run/load-{self.loads}.json", f"/run/load-{self.loads}.stop"
        self.shell.type(f"python3 /srv/stick/load.py {self.loads} {self.options.rate} {stop} >{report} 2>&1 &")
        time.sleep(LEAD_S)
        result = act()
        time.sleep(LEAD_S)
        self.run(f"touch {stop}; while [ ! -s {report} ]; do sleep 0.2; done", 120)
        told = json.loads(self.run(f"cat {report}"))
        check(told["faults"] == 0 and told["accepted"] == told["ids"] == told["requests"] > 0, f"requests were refused or failed: {told}")
        self.accepted += told["accepted"]
        return told, result

    def stored_and_sent(self):
        """Each request that was accepted is one message, which the network has once at most."""
        return json.loads(self.run("python3 /srv/stick/load.py count", 120))

    # upgrade
    def upgrade(self):
        gaps, rates = [], []
        for version in (self.packages.next, self.packages.now) * 3:
            before = self.process()
            told, (code, said) = self.under_load(lambda version=version: self.apt(version))
            check(code == 0 and "upgraded while it ran" in said, f"apt ended with {code}:\n{said}")
            check(self.installed() == f"{version} installed", self.installed())
            check(self.process() != before and self.active(), "the main process is not the new one")
            check(told["again"] == 0, f"connections were closed: {told}")
            gaps.append(told["longest_gap_ms"])
            rates.append(told["rate"])
        found = self.stored_and_sent()
        check(found["stored"] == found["refs"] == self.accepted, f"{self.accepted} were accepted, and there are: {found}")
        check(found["most"] == 1, f"a message reached the network {found['most']} times")
        check(max(gaps) <= console.limit(GAP_MS), f"the longest gap between two acceptances was {max(gaps)} ms: {gaps}")
        say(f"upgrade: six under load ({rates} requests/s), {self.accepted} accepted and stored, 0 refused, 0 connections closed, 0 sent twice "
            f"({found['sent']} sent so far); longest gaps {gaps} ms")

    # refusal
    def refusal(self):
        before = self.process()
        self.run("cp -a /etc/smsrack/smsrack.toml /run/kept.toml && echo 'word = [' >>/etc/smsrack/smsrack.toml")
        code, said = self.apt(self.packages.next)
        check(code == 0 and "the running version continues" in said and "smsrack upgrade --yes /usr/bin/smsrackd" in said, f"apt ended with {code}:\n{said}")
        check(self.process() == before, "the service was started again")
        self.run("cp -a /run/kept.toml /etc/smsrack/smsrack.toml && smsrack upgrade --yes /usr/bin/smsrackd")
        check(self.process() != before, "the hand-over that was tried again did nothing")
        check(self.apt(self.packages.now)[0] == 0, "the way back")
        say("refusal: apt ended with 0 and said why; the service continued; the command that it named worked")

    # downgrade
    def downgrade(self):
        before = self.process(), self.installed()
        code, said = self.apt(self.packages.old)
        check(code != 0 and "smsrack db rollback 1" in said, f"apt ended with {code}:\n{said}")
        check((self.process(), self.installed()) == before, f"something was changed: {self.installed()}")
        self.run("apt-get -q -y -f install && dpkg --verify smsrack")
        say("downgrade: refused, nothing changed")

    # kill
    def kill(self):
        for _ in range(5):
            self.run("systemctl kill --signal=KILL smsrackd && sleep 2")
        boot_test.wait_until("the service after five kills", self.active, 30)
        self.ready()
        told, _ = self.under_load(lambda: self.run("systemctl restart smsrackd", 120))
        say(f"kill: five in a row did not stop it; a restart under load refused nothing, longest gap {told['longest_gap_ms']} ms")

    # stopped
    def stopped(self):
        self.run(f"systemctl stop {SOCKET_AND_SERVICE}", 200)
        for version in (self.packages.next, self.packages.now):
            code, said = self.apt(version)
            check(code == 0 and "stays so" in said and self.active("inactive inactive"), f"apt ended with {code}:\n{said}")
        code, said = self.apt(self.packages.old)
        check(code != 0 and self.active("inactive inactive"), f"a refused downgrade: apt ended with {code}, and started the service:\n{said}")
        self.run("apt-get -q -y -f install")
        check(self.active("inactive inactive"), "the repair started the service")
        self.run("systemctl start smsrackd")
        check(self.active(), "the socket does not come with the service")
        self.ready()
        say("stopped: it stays so over an upgrade, and over a downgrade that is refused")

    # broken
    def broken(self):
        file = f"/srv/stick/apt/pool/main/s/smsrack/smsrack_{self.packages.next}_amd64.deb"
        told, _ = self.under_load(lambda: self.run(f"dpkg --unpack {file} && dpkg --configure -a", 120))
        check(self.installed() == f"{self.packages.next} installed" and self.active(), self.installed())
        check(self.apt(self.packages.now)[0] == 0, "the way back")
        say(f"broken: dpkg --configure -a completes it, nothing refused, longest gap {told['longest_gap_ms']} ms")

    # remove
    def remove(self):
        before = self.run("smsrack --json db check", 120)
        code, said = self.try_run("DEBIAN_FRONTEND=noninteractive apt-get -q -y remove smsrack", 300)
        check(code == 0, said)
        check(self.try_run("readlink /proc/[0-9]*/exe | grep smsrackd")[0] != 0, "the service runs")
        self.run("test -s /etc/smsrack/smsrack.toml -a -s /var/lib/smsrack/smsrack.db")
        code, said = self.apt(self.packages.now)
        check(code == 0 and self.active(), said)
        self.ready()
        count = json.loads(before)["messages"]
        check(json.loads(self.run("smsrack --json db check", 120))["messages"] >= count, "messages are gone")
        say(f"remove: kept {count} messages, and an installation continued with them")

    # purge
    def purge(self):
        code, said = self.try_run("systemctl stop sim; DEBIAN_FRONTEND=noninteractive apt-get -q -y purge smsrack smsrack-gate smsrack-tools", 300)
        check(code == 0 and "warning" not in said.lower(), said)
        left = self.run("find / -xdev -path /srv -prune -o -iname '*smsrack*' -print | grep -v -e ^/var/lib/apt -e ^/var/cache -e ^/etc/apt -e ^/var/log || true")
        check(not left, f"files are left:\n{left}")
        processes = self.run("find /proc -maxdepth 1 -user smsrack -o -user smsrack-gate")
        check(not processes, f"processes of the packages' accounts are left: {processes}")
        units = self.run("systemctl list-units --all --no-legend 'smsrack*'; systemctl --failed --no-legend")
        check(not units.strip(), f"units are left:\n{units}")
        say("purge: no file, process and unit is left")


def prepare(options, folder):
    packages = Packages(options.packages, folder)
    packages.repository()
    shutil.copy(pathlib.Path(__file__).with_name("package_load.py"), folder / "stick/load.py")
    for name in ("run_rack", "rack.py"):
        shutil.copy(recipe.ROOT / "tools/scripts" / name, folder / "stick" / name)
    tree = base(folder)
    if options.container:
        shutil.copytree(folder / "stick", tree / Container.STICK, dirs_exist_ok=True)
        return Container(tree, folder), packages
    disk = ext4(folder / "disk.img", tree, DISK_MIB)
    box = Debian(disk, folder, ext4(folder / "stick.img", folder / "stick", 128), tree, options.kvm)
    shutil.rmtree(tree)
    return box, packages


def run(options):
    folder = WORK / "test"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    box, packages = prepare(options, folder)
    say(f"starting it {'as a container' if options.container else 'in QEMU with KVM' if options.kvm else 'in QEMU, without KVM'}; {options.rate} requests/s")
    try:
        box.start()
        box.console.login(300)
        test = Test(box, options, packages)
        for name in options.cases:
            begun = time.monotonic()
            try:
                getattr(test, name)()
            except (boot_test.Failed, console.Silence) as fault:
                raise boot_test.Failed(f"{name}: {fault}\nWhat the service said:\n{test.journal()}") from None
            say(f"  ({name}: {time.monotonic() - begun:.0f} s)")
        box.shut_down()
    finally:
        box.stop()
    for big in ("disk.img", "stick.img"):
        (folder / big).unlink(missing_ok=True)
    shutil.rmtree(folder / "tree", ignore_errors=True)


def main():
    begun, options = time.monotonic(), options_of(sys.argv[1:])
    try:
        run(options)
    except (boot_test.Failed, console.Silence, recipe.RecipeError, OSError, subprocess.SubprocessError) as error:
        print(f"tools/package-test: FAILED after {time.monotonic() - begun:.0f} s: {error}\n"
              f"tools/package-test: the console is in {WORK}/test/console.log", file=sys.stderr)
        return 1
    say(f"{len(options.cases)} cases passed in {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
