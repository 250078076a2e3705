"""Disks whose every write and flush is written down: a file, QEMU's storage daemon before it, a loop device and ext4 on that.

A service runs on such a disk as it runs on a box: its own program and database, the kernel's ext4. Mounting wants root.
"""

import contextlib
import pathlib
import subprocess
import time

from appliance import data_file_system
from lab.peers.processes import Program

READY_S = 20


class CantRecord(Exception):
    """This machine can't do it; the text says why and what to do."""


def tool(*words):
    ran = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if ran.returncode != 0:
        raise CantRecord(f"{words[0]}: {ran.stderr.strip() or ran.returncode}")
    return ran.stdout.strip()


class RecordedDisk:
    """`folder` gets base.img (the disk before) and writes.log (the record). `content`: a folder; the disk begins with what is in it.
    `place`: where it is mounted."""

    def __init__(self, folder, mebibytes, content=None, place=None):
        self.folder, self.mebibytes, self.content = pathlib.Path(folder), mebibytes, content
        self.disk, self.base, self.record, self.export = (self.folder / name for name in ("disk.img", "base.img", "writes.log", "export.img"))
        self.place = pathlib.Path(place or self.folder / "mounted")

    def size(self):
        """Octets of the record by now: what was whole on the disk before this call is before it."""
        return self.record.stat().st_size

    def make(self):
        for path in (self.folder, self.place):
            path.mkdir(parents=True, exist_ok=True)
        with self.disk.open("wb") as file:
            file.truncate(self.mebibytes << 20)
        tool(*data_file_system.make(), "-L", "data", *(["-d", self.content] if self.content else []), self.disk)
        tool("cp", "--sparse=always", self.disk, self.base)
        self.record.touch()
        self.export.touch()

    def words(self, name):
        """For the daemon, which knows it by this name. The record is as safe as this machine: only the disks on it lose their power."""
        return ["--blockdev", f"driver=file,filename={self.disk},node-name={name}-disk,cache.no-flush=on",
                "--blockdev", f"driver=file,filename={self.record},node-name={name}-record,cache.no-flush=on",
                "--blockdev", f"driver=blklogwrites,node-name={name},file={name}-disk,log={name}-record,log-sector-size=512",
                "--export", f"type=fuse,id=export-{name},node-name={name},mountpoint={self.export},writable=on,allow-other=off"]

    def is_served(self):
        return self.export.stat().st_size > 0


@contextlib.contextmanager
def mounted(disks, log):
    """Makes these disks; one daemon, with this log, records them all, each for itself. They are mounted until the end."""
    for disk in disks:
        disk.make()
    with contextlib.ExitStack() as undo:
        daemon = Program(["qemu-storage-daemon", *(word for number, disk in enumerate(disks) for word in disk.words(f"d{number}"))], log)
        undo.callback(daemon.stop)
        deadline = time.monotonic() + READY_S
        while not all(disk.is_served() for disk in disks):
            daemon.check_alive()
            if time.monotonic() > deadline:
                raise CantRecord(f"qemu-storage-daemon is not ready after {READY_S} s; its log: {daemon.log}")
            time.sleep(0.02)
        for disk in disks:
            tool("mount", "-o", "loop,noatime", disk.export, disk.place)    # its loop device ends with it
            undo.callback(tool, "umount", disk.place)
        yield
