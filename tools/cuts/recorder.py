"""A disk whose every write and flush is written down: a file, QEMU's storage daemon before it, a loop device and ext4 on that.

The service runs on it as it runs on a box: its own program, SQLite, the kernel's ext4. Mounting wants root.
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
    """`folder` gets base.img (the disk before), writes.log (the record) and, while it is mounted, the folder mounted/."""

    def __init__(self, folder, mebibytes):
        self.folder, self.mebibytes = pathlib.Path(folder), mebibytes
        self.base, self.record, self.place = (self.folder / name for name in ("base.img", "writes.log", "mounted"))

    def size(self):
        """Octets of the record by now: what was whole on the disk before this call is before it."""
        return self.record.stat().st_size

    @contextlib.contextmanager
    def mounted(self):
        with contextlib.ExitStack() as undo:
            self._make(undo)
            device = tool("losetup", "--find", "--show", self.export)
            undo.callback(tool, "losetup", "--detach", device)
            tool("mount", "-o", "noatime", device, self.place)
            undo.callback(tool, "umount", self.place)
            yield self.place

    def _make(self, undo):
        disk, self.export = self.folder / "disk.img", self.folder / "export.img"
        self.place.mkdir(parents=True)
        with disk.open("wb") as file:
            file.truncate(self.mebibytes << 20)
        tool(*data_file_system.make(), "-L", "data", disk)
        tool("cp", "--sparse=always", disk, self.base)
        self.record.touch()
        self.export.touch()
        daemon = Program(
            ["qemu-storage-daemon", "--blockdev", f"driver=file,filename={disk},node-name=disk",
             "--blockdev", f"driver=file,filename={self.record},node-name=record",
             "--blockdev", "driver=blklogwrites,node-name=recorded,file=disk,log=record,log-sector-size=512,log-super-update-interval=1",
             "--export", f"type=fuse,id=export,node-name=recorded,mountpoint={self.export},writable=on,allow-other=off"],
            self.folder / "qemu-storage-daemon.log")
        undo.callback(daemon.stop)
        deadline = time.monotonic() + READY_S
        while self.export.stat().st_size == 0:  # until the daemon serves it
            daemon.check_alive()
            if time.monotonic() > deadline:
                raise CantRecord(f"qemu-storage-daemon is not ready after {READY_S} s; its log: {daemon.log}")
            time.sleep(0.02)
