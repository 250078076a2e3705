"""A box in QEMU, by software emulation: its disk, its console, eight modem lines as USB serial adapters with smsrack-sim behind them."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import time

from . import console, recipe

DISK_MIB = 2048     # larger than the image, so that the first boot has something to grow into
MEMORY_MIB = 512
STOP_S = 10


class Rack:
    """smsrack-sim with an abstract socket for each modem, which QEMU's adapters connect to; they stay over restarts of the machine."""

    def __init__(self, program, folder, modems=8):
        self.folder, self.modems = pathlib.Path(folder), modems
        self.prefix = f"smsrack-box-{os.getpid()}-"
        self.journal = self.folder / "network.jsonl"
        self.control = self.folder / "rack.ctl"
        self.output = open(self.folder / "smsrack-sim.log", "wb")
        self.process = subprocess.Popen(
            [str(program), "--modems", str(modems), "--dir", str(self.folder / "rack"), "--abstract", self.prefix, "--service-ms", "1000", "--own-ms", "200",
             "--log", str(self.journal), "--control", str(self.control)], stdout=self.output, stderr=self.output, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + console.limit(20)
        while not self.control.exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise recipe.RecipeError(f"smsrack-sim did not start: {self.output.name}")
            time.sleep(0.05)

    def stop(self):
        self.process.terminate()
        self.process.wait(STOP_S)
        self.output.close()

    def order(self, **words):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as control:
            control.connect(str(self.control))
            control.sendall(json.dumps(words).encode() + b"\n")
            answer = json.loads(control.makefile().readline())
        if not answer["ok"]:
            raise recipe.RecipeError(f"smsrack-sim refused {words}: {answer['error']}")

    def submits(self):
        """Every submit that reached the network: {"to", "modem", ...}."""
        lines = self.journal.read_text().splitlines() if self.journal.exists() else []
        return [entry for entry in map(json.loads, lines) if entry["event"] == "submit"]


def new_disk(image_zst, path):
    """A box's disk with the image written to its beginning."""
    recipe.run("zstd", "-q", "-d", "-f", "--sparse", image_zst, "-o", path)
    os.truncate(path, DISK_MIB << 20)
    return path


def stick(path, files):
    """A USB stick, as FAT without a table of partitions, with `files` ({name: source})."""
    octets = sum(pathlib.Path(source).stat().st_size for source in files.values())
    with open(path, "wb") as image:
        image.truncate((octets // (1 << 20) + 48) << 20)
    recipe.run("mkfs.vfat", "-F", "32", "-s", "1", path)
    for name, source in files.items():
        recipe.run("mcopy", "-i", path, source, f"::{name}")
    return path


class Machine:
    """Switched on by start(), off by stop() (as a cut of power). One after the other may use the same disk.

    A restart from within is another QEMU: after a reset of one with eight usb-serial adapters, OVMF needs 48 s to the boot loader's first line where a
    new QEMU needs 8 (measured once, on a busy machine).
    """

    def __init__(self, target, disk, folder, rack=None, stick=None):
        self.target, self.disk, self.folder, self.rack, self.stick = target, pathlib.Path(disk), pathlib.Path(folder), rack, stick
        self.process = self.console = None
        self.started = 0.0

    def _firmware(self):
        if self.target.name == "arm64":
            return ["qemu-system-aarch64", "-machine", "virt", "-cpu", "cortex-a57", "-bios", "/usr/lib/u-boot/qemu_arm64/u-boot.bin"]
        variables = self.folder / "ovmf-vars.fd"
        if not variables.exists():
            shutil.copyfile("/usr/share/OVMF/OVMF_VARS_4M.fd", variables)
        return ["qemu-system-x86_64", "-machine", "q35", "-cpu", "max",
                "-drive", "if=pflash,format=raw,unit=0,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd", "-drive", f"if=pflash,format=raw,unit=1,file={variables}"]

    def _lines(self):
        words = ["-device", "qemu-xhci,p2=15,p3=1"]
        for n in range(self.rack.modems if self.rack else 0):
            words += ["-chardev", f"socket,id=modem{n},path={self.rack.prefix}{n},abstract=on,reconnect=1", "-device", f"usb-serial,chardev=modem{n},always-plugged=on"]
        return words

    def start(self):
        self._launch()
        self.console = console.Console(self.folder / "console.sock", self.folder / "console.log", again=self._restart)
        return self

    def _restart(self):
        """A restart from within ends QEMU well; whatever else ends it is a fault of the test's machine."""
        code = self.process.wait(STOP_S)
        if code != 0:
            said = (self.folder / "qemu.log").read_text(errors="replace").splitlines()[-3:]
            raise recipe.RecipeError(f"QEMU ended with code {code}: " + " / ".join(said))
        self._launch()

    def _launch(self):
        path = self.folder / "console.sock"
        path.unlink(missing_ok=True)
        words = self._firmware() + [
            "-accel", "tcg,thread=multi", "-smp", "2", "-m", str(MEMORY_MIB), "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none",
            "-chardev", f"socket,id=console,path={path},server=on,wait=on", "-serial", "chardev:console",
            "-drive", f"if=none,id=disk,format=raw,file={self.disk},cache=writeback", "-device", "virtio-blk-pci,drive=disk,bootindex=1",
            "-netdev", "user,id=net,restrict=on", "-device", "virtio-net-pci,netdev=net,romfile=", "-device", "virtio-rng-pci",
            "-device", "i6300esb", "-action", "watchdog=reset", *self._lines()]
        if self.stick:
            words += ["-drive", f"if=none,id=stick,format=raw,readonly=on,file={self.stick}", "-device", "virtio-blk-pci,drive=stick"]
        with open(self.folder / "qemu.log", "ab") as log:
            self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.started = time.monotonic()

    def tells(self):
        """What a stuck box reports of itself, for the person who looks for the fault."""
        if not self.process or self.process.poll() is not None:
            return "the machine has ended"
        try:
            self.console.login(20)
            return self.console.command("uptime; systemctl list-jobs --no-pager; systemctl --failed --no-legend; journalctl -b -o short-monotonic --no-pager | tail -n 60",
                                        60, may_fail=True)[1]
        except (console.Silence, recipe.RecipeError, OSError):    # the fault that it is asked about is the one to report
            return "its shell does not answer"

    def seconds(self):
        """Since power was switched on."""
        return time.monotonic() - self.started

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait(STOP_S)
            self.console.close()
            self.process = self.console = None

    def shut_down(self, seconds=120):
        """In an orderly way, from a shell."""
        self.console.type("systemctl poweroff")
        try:
            self.process.wait(console.limit(seconds))
        except subprocess.TimeoutExpired:
            raise console.Silence(f"the machine does not end within {console.limit(seconds):.0f} s") from None
        finally:
            self.stop()

    def ready(self, seconds, unless=None):
        """Waits until the service is ready and gives the kernel's seconds; then there is a shell."""
        match = self.console.wait(r"smsrack: ready ([\d.]+) s after the kernel", seconds, unless)
        return float(match[1])
