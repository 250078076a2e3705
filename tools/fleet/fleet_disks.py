"""The disks of a fleet: each folder that must survive a power cut is on one of its own, so that no program's flush saves what another one forgot."""

import contextlib
import dataclasses
import pathlib
import shutil
import subprocess
import tempfile

from appliance.disk import partition
from cuts import image, recorder

DATA_MIB, ETCD_MIB = 384, 192    # etcd reserves 64 MB at a time


@dataclasses.dataclass(frozen=True)
class FleetDisk:
    """`folder` is on it. It is mounted next to that folder, and seen there by a bind mount: no lost+found is in the way."""
    name: str
    folder: pathlib.Path
    mebibytes: int

    @property
    def place(self):
        return self.folder.parent / f"disk-{self.folder.name}"

    @contextlib.contextmanager
    def seen(self):
        self.folder.mkdir(exist_ok=True)
        subprocess.run(["mount", "--bind", self.place / self.folder.name, self.folder], check=True)
        try:
            yield
        finally:
            subprocess.run(["umount", self.folder], check=True)


def of_node(node):
    return {"data": FleetDisk(f"{node.name}.data", node.data, DATA_MIB), "etcd": FleetDisk(f"{node.name}.etcd", node.folder / "etcd", ETCD_MIB)}


def of_box(box):
    return FleetDisk(f"{box.name}.state", box.folder / "state", partition("data")["mib"])


def of_fleet(engine, boxes):
    return [*(disk for node in engine.nodes for disk in of_node(node).values()), *(of_box(box) for box in boxes.all)]


@contextlib.contextmanager
def recorded(disks, folder):
    """Puts the folders on recorded disks until the end; what uses them is stopped before and after. Gives the disks of the recorder, in order."""
    records = [recorder.RecordedDisk(folder / disk.name, disk.mebibytes, place=disk.place) for disk in disks]
    with tempfile.TemporaryDirectory(dir=folder) as contents, contextlib.ExitStack() as undo:
        for disk, record in zip(disks, records):
            record.content = pathlib.Path(contents) / disk.name
            record.content.mkdir()
            shutil.move(disk.folder, record.content / disk.folder.name)
        undo.enter_context(recorder.mounted(records, folder / "qemu-storage-daemon.log"))
        for disk in disks:
            undo.enter_context(disk.seen())
        yield records


@contextlib.contextmanager
def mounted(disks, images):
    """The folders are on these image files, in the same order, until the end."""
    with contextlib.ExitStack() as undo:
        for disk, file in zip(disks, images):
            undo.enter_context(image.mounted(file, disk.place))
            undo.enter_context(disk.seen())
        yield
