"""A small disk for the data of each node: a file system of its own, which can be full."""

import os
import pathlib
import shutil
import subprocess

from lab.peers.processes import LIBC

NEW_MOUNTS = 0x00020000    # CLONE_NEWNS
ROOM = 200 << 20           # octets, besides what the data use
FILLER = "filler"
WHOLE_S = 120
OUTER = os.readlink("/proc/self/ns/mnt")


def own_mounts():
    """What this process mounts from now on ends with it and its children, where the kernel and the account allow that."""
    if LIBC.unshare(NEW_MOUNTS) == 0:
        subprocess.run(["mount", "--make-rprivate", "/"], check=True)


def has_own_mounts():
    return os.readlink("/proc/self/ns/mnt") != OUTER


def unmount(folder):
    """Every small disk below the folder."""
    for line in pathlib.Path("/proc/self/mounts").read_text().splitlines():
        place = pathlib.Path(line.split()[1])
        if folder in place.parents:
            subprocess.run(["umount", place], check=False)


def move_all(engine):
    """All nodes are stopped meanwhile, as by a power cut."""
    for node in engine.nodes:
        node.kill()
    for node in engine.nodes:
        move(node)
    for node in engine.nodes:
        node.start()
    engine.wait("the engine on small disks", engine.is_whole, WHOLE_S)


def move(node):
    disk = node.folder / "disk"
    disk.mkdir(mode=0o700)
    size = used(node.data) + ROOM
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "none", disk], check=True)
    shutil.move(node.data, disk / "data")
    config = node.folder / "patroni.yml"
    config.write_text(config.read_text().replace(f"data_dir: {node.data}\n", f"data_dir: {disk / 'data'}\n"))
    node.data = disk / "data"
    node.account.own(disk)


def used(folder):
    return sum(file.stat().st_blocks * 512 for file in pathlib.Path(folder).rglob("*"))


def fill(node):
    """To the last block."""
    disk = node.data.parent
    with open(disk / FILLER, "wb") as file:
        free = os.statvfs(disk)
        os.posix_fallocate(file.fileno(), 0, free.f_bavail * free.f_frsize)


def make_room(node):
    (node.data.parent / FILLER).unlink()
