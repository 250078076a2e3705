"""Updates a box in QEMU, as it should go and as it should not. After each case the box serves: it takes a message and the network gets it.

  tools/update-test TARGET [--case NAME ...] [--sim FILE] [--programs FOLDER] [--overlay FOLDER ...]

Cases, in this order, on one disk:

  refused     a bundle with a flipped octet, one that is signed by another key, and one by a key that was revoked
  good        a release is installed, started and confirmed
  own         it gets a section that the release of before does not know: back there, that one serves with its own configuration, and refuses what is below
              the floor that the newer one set
  broken      a release whose service never is ready gives up and comes back
  crash       one whose kernel panics
  emergency   one whose data partition is not found (no emergency shell)
  hang        one that stops dead; the watchdog ends it
  label       the label of the data partition is destroyed, and its file system's
  partition   the entry of the data partition is gone

Limits are for a quiet machine with two cores; SMSRACK_SLOW=4 makes each four times as long. What the box said is kept in build/firmware/update-test-TARGET.
"""

import argparse
import pathlib
import sys
import time

from . import boot_test, bundle, console, firmware, keys, machine, recipe

CASES = ("refused", "good", "own", "broken", "crash", "emergency", "hang", "label", "partition")
START_S = 300
# What makes a release a bad one: files laid over it.
BAD = {
    "broken": {"usr/lib/systemd/system/smsrackd.service.d/zz-test.conf": "[Service]\nExecStart=\nExecStart=/usr/bin/false\n",
               "usr/lib/systemd/system/smsrack-confirm.service.d/zz-test.conf": "[Service]\nEnvironment=SMSRACK_CONFIRM_S=45\n"},
    "crash": {"boot/slot.cfg": 'set slot_args="console=@CONSOLE@,115200 init=/usr/bin/false"\n'},
    "emergency": {"usr/lib/systemd/system/data.mount.d/zz-test.conf": "[Mount]\nWhat=/run/box/nowhere\n"},
    # Panic would start it again; without that nothing moves any more, and only the watchdog is left.
    "hang": {"usr/lib/systemd/system/smsrackd.service.d/zz-test.conf":
             "[Service]\nExecStartPre=+/bin/sh -c 'echo 0 >/proc/sys/kernel/panic; echo c >/proc/sysrq-trigger'\n"},
}


def say(text):
    print(f"tools/update-test: {text}", flush=True)


check = boot_test.check


def options_of(words):
    parser = firmware.Parser(prog="tools/update-test", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", metavar="TARGET", choices=sorted(recipe.TARGETS), help="amd64 or arm64")
    parser.add_argument("--case", dest="cases", metavar="NAME", action="append", choices=CASES, help="only these")
    parser.add_argument("--sim", type=pathlib.Path, default=recipe.ROOT / "build/release/bin/smsrack-sim", metavar="FILE", help="the simulator of modems")
    parser.add_argument("--programs", type=pathlib.Path, metavar="FOLDER", help="as in tools/firmware")
    parser.add_argument("--overlay", type=pathlib.Path, action="append", default=[], metavar="FOLDER", help="as in tools/firmware")
    options = parser.parse_args(words)
    options.cases = options.cases or list(CASES)
    return options


class Releases:
    """Bundles of the test, made by the code of tools/firmware."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.target = recipe.TARGETS[options.target]
        # A signer that was revoked before the first release, and the one that signs.
        self.keys = keys.Folder(folder / "keys")
        self.keys.new(f"smsrack {keys.DEVELOPMENT} update-test")
        self.revoked = self.keys.signing()
        self.keys.signer()
        self.keys.revoke("signer-1")

    def words(self, version, overlays, floor="1.0"):
        words = [self.target.name, "--debug", "--version", version, "--floor", floor, "--keys", str(self.keys.path), "--out", str(self.folder)]
        words += ["--programs", str(self.options.programs)] if self.options.programs else []
        for overlay in [*self.options.overlay, *overlays]:
            words += ["--overlay", str(overlay)]
        return firmware.options_of(words)

    def overlay(self, name):
        folder = self.folder / f"overlay-{name}"
        for path, text in BAD.get(name, {}).items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text.replace("@CONSOLE@", self.target.console))
        return [folder] if name in BAD else []

    def image(self):
        return firmware.build(self.words("1.0", []))

    def bundle(self, name, version, floor="1.0", also=None):
        """`also`: more bundles of the same slot, {name: what signs it}."""
        options = self.words(version, self.overlay(name), floor)
        packed = self.folder / f"{name}.squashfs"
        firmware.build_slot(options, packed)
        for made, signing in ({name: firmware.signing_of(options)} | (also or {})).items():
            bundle.make(packed, self.folder / f"{made}.raucb", f"smsrack-{self.target.name}", version, signing)
        packed.unlink()
        return self.folder / f"{name}.raucb"

    def flipped(self, good):
        """A copy with one octet of the payload changed: the signature still fits, since it covers the tree of hashes alone."""
        made = self.folder / "flipped.raucb"
        octets = bytearray(good.read_bytes())
        octets[len(octets) // 2] ^= 0x10
        made.write_bytes(octets)
        return made

    def thieves(self):
        """Whose bundles no box may take: a stranger, and the signer that was revoked."""
        return {"foreign": bundle.development_keys(self.folder / "foreign-keys"), "stolen": self.revoked}


class Test:
    def __init__(self, box):
        self.box, self.sent = box, 0
        self.running = "A"

    @property
    def shell(self):
        return self.box.console

    def serves(self):
        """The box takes a message, and the network gets it once."""
        self.sent += 1
        to = f"+33620{self.sent:06}"
        self.shell.command(f"smsrack send --to {to} 'case {self.sent}'", 60)
        boot_test.wait_until(f"the message to {to}", lambda: [s["to"] for s in self.box.rack.submits()].count(to) == 1, 120)

    def up(self, slot, seconds=START_S):
        """Waits until the box is ready, in this slot, with a shell."""
        self.box.ready(seconds)
        self.shell.login(60)
        words = self.shell.command("cat /proc/cmdline", 30)
        check(f"rauc.slot={slot}" in words, f"slot {slot} should run, and does not: {words}")
        self.shell.command("mkdir -p /run/stick && mount -o ro /dev/vdb /run/stick", 30)
        self.running = slot

    def confirmed(self, slot):
        def holds():
            return self.shell.command(f"/usr/lib/smsrack/boot-slot is-confirmed {slot}", 30, may_fail=True)[0] == 0
        boot_test.wait_until(f"slot {slot} confirmed", holds, 400)

    def install(self, name):
        self.shell.command(f"smsrack firmware install /run/stick/{name}.raucb", 300)

    def restart(self):
        self.shell.type("systemctl reboot")

    def other(self):
        return "B" if self.running == "A" else "A"

    def refused(self):
        before = self.shell.command("/usr/lib/smsrack/boot-slot get-primary", 30)
        for name in ("flipped", "foreign", "stolen"):
            code, said = self.shell.command(f"smsrack firmware install /run/stick/{name}.raucb", 300, may_fail=True)
            check(code != 0, f"{name}.raucb was installed")
            say(f"  {name}: refused with code {code}: {(said.splitlines() or [''])[-1][:150]}")
            check(self.shell.command("/usr/lib/smsrack/boot-slot get-primary", 30) == before, "another slot would be started")

    def good(self):
        new = self.other()
        self.install("good")
        self.restart()
        self.up(new)
        self.confirmed(new)

    def own(self):
        """After `good`: the releases are the same program, so the older one does not know the section any more than the newer one does, whose configuration is changed
        when its service runs."""
        if self.running == "A":
            self.good()
        config, old = "/etc/smsrack/smsrack.toml", self.other()
        self.shell.command(f"printf '\\n[of_a_later_release]\\nword = 1\\n' >>{config}", 30)
        self.shell.command("smsrack firmware rollback --yes", 60)
        self.restart()
        self.up(old)
        self.serves()
        check(self.shell.command(f"grep -c of_a_later_release {config}", 30, may_fail=True)[1] == "0", "the section of the later release is still there")
        told = self.shell.command("smsrack firmware status", 60)
        check("Version 1.0 in slot A runs with its own configuration" in told, f"it is not said that the configuration is another one:\n{told}")
        aside = "/data/firmware/configuration/set-aside"
        check(self.shell.command(f"grep -c of_a_later_release {aside}/smsrack.toml", 30) == "1", "what the later release had is gone")
        doctor = self.shell.command("smsrack doctor", 120, may_fail=True)[1]
        for problem in ("configuration_set_aside", "development_key", "debug_image"):
            check(problem in doctor, f"doctor does not say {problem}:\n{doctor}")
        check("No version below 1.5 can be installed" in told, f"the floor went back:\n{told}")
        for command in ("smsrack firmware install", "rauc install"):
            code, said = self.shell.command(f"{command} /run/stick/low.raucb", 300, may_fail=True)
            check(code != 0, f"{command}: a version below the floor was installed")
            say(f"  below the floor: {command} ended with code {code}: {(said.splitlines() or [''])[-1][:150]}")
        self.shell.command(f"rm -r {aside}", 30)
        self.shell.command("smsrack firmware rollback --yes", 60)
        self.restart()
        self.up("B")

    def comes_back(self, name, starts):
        """Installs a bad release: its slot is started `starts` times, then the old one runs again and the other is given up."""
        old, new = self.running, self.other()
        self.install(name)
        self.restart()
        for _ in range(starts):
            self.shell.wait(rf"smsrack: slot {new}\b", START_S)
        self.shell.wait(rf"smsrack: slot {old}\b", START_S + 200, unless=rf"smsrack: slot {new}\b")
        self.up(old)
        check(self.shell.command(f"/usr/lib/smsrack/boot-slot get-state {new}", 30) == "bad", f"slot {new} may be started again")

    def broken(self):
        self.comes_back("broken", 1)

    def crash(self):
        self.comes_back("crash", 2)

    def emergency(self):
        self.comes_back("emergency", 2)

    def hang(self):
        self.comes_back("hang", 2)

    def damaged(self, command):
        kept = self.shell.command("smsrack --json messages | grep -o '+33620000001' | head -n 1", 60)
        check(kept, "the first message is not there")
        self.shell.command(command, 60)
        self.restart()
        self.up(self.running)
        check(self.shell.command("smsrack --json messages | grep -o '+33620000001' | head -n 1", 60) == kept, "messages of before are gone")

    def label(self):
        self.damaged("sfdisk --no-reread --force --part-label /dev/vda 4 lost; tune2fs -L lost /dev/vda4; sync")

    def partition(self):
        self.damaged("sfdisk --no-reread --force --delete /dev/vda 4; sync")


def files_for(cases, releases):
    """What the cases need on the stick."""
    files = {}
    if {"refused", "good", "own"} & set(cases):
        thieves = releases.thieves() if "refused" in cases else {}
        files["good.raucb"] = releases.bundle("good", "2.0", floor="1.5", also=thieves)
        files |= {f"{name}.raucb": releases.folder / f"{name}.raucb" for name in thieves}
    if "refused" in cases:
        files["flipped.raucb"] = releases.flipped(files["good.raucb"])
    if "own" in cases:
        files["low.raucb"] = releases.bundle("low", "1.4")
    return files | {f"{name}.raucb": releases.bundle(name, f"3.0-{name}") for name in cases if name in BAD}


def run(options):
    target = recipe.TARGETS[options.target]
    folder = boot_test.new_folder(f"update-test-{target.name}")
    releases = Releases(options, folder)
    disk = machine.new_disk(releases.image(), folder / "disk.img")
    files = files_for(options.cases, releases)
    stick = machine.stick(folder / "stick.img", files)
    for file in files.values():
        file.unlink()
    rack = machine.Rack(options.sim, folder)
    box = machine.Machine(target, disk, folder, rack, stick)
    try:
        test = Test(box.start())
        test.up("A", 400)
        test.confirmed("A")
        test.shell.command("smsrack resume", 60)
        test.serves()
        say("version 1.0 in slot A serves and is confirmed")
        for name in options.cases:
            begun = time.monotonic()
            getattr(test, name)()
            test.serves()
            say(f"{name}: ok in {time.monotonic() - begun:.0f} s, slot {test.running} serves")
        test.box.shut_down()
    finally:
        box.stop()
        rack.stop()
    for big in (disk, stick):
        big.unlink()


def main():
    begun, options = time.monotonic(), options_of(sys.argv[1:])
    try:
        run(options)
    except (boot_test.Failed, console.Silence, recipe.RecipeError, OSError) as error:
        print(f"tools/update-test: FAILED after {time.monotonic() - begun:.0f} s: {error}\n"
              f"tools/update-test: the console is in {recipe.WORK}/update-test-{options.target}/console.log", file=sys.stderr)
        return 1
    say(f"{len(options.cases)} cases passed in {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
