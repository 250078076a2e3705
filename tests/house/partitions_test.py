"""partitions, which a box runs at each start before anything is mounted: on a disk of its own here, a loop device of which it has the second partition as
its root. Needs root, by sudo where that asks for no password, and a loop device."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from appliance import data_file_system, disk  # noqa: E402

import root  # noqa: E402

PARTITIONS = ROOT / "hw/image/overlay/usr/lib/smsrack/partitions"
LABELS = ("esp", "rootfs-a", "rootfs-b", "data")
MIB = 1 << 20
SIZES_MIB = (4, 48, 4, disk.partition("data")["mib"])
DISK_MIB = 400
os.environ["PATH"] += ":/usr/sbin:/sbin"  # where Debian keeps sfdisk and losetup


def run(*words, **how):
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False, **how)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def attached(image):
    device = run("losetup", "--find", "--show", "--partscan", image)
    if not os.path.exists(f"{device}p1"):  # a kernel that does not read tables itself
        subprocess.run(["partx", "--add", device], capture_output=True, check=False)
    return device


def detach(device):
    subprocess.run(["partx", "--delete", device], capture_output=True, check=False)  # else the next one has them
    run("losetup", "--detach", device)


class Box:
    """A disk as it was written from an image, attached; its root is mounted where the script sees it as /."""

    def __init__(self, test):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="partitions-test-"))
        test.addCleanup(shutil.rmtree, self.folder)
        self.image, self.root = self.folder / "disk.img", self.folder / "root"
        with self.image.open("wb") as file:
            file.truncate(DISK_MIB * MIB)
        table = "label: gpt\nlast-lba: 450000\n" + "".join(f"size={size}MiB, name={name}\n" for size, name in zip(SIZES_MIB, LABELS))
        run("sfdisk", "--quiet", self.image, input=table)
        self.device = attached(self.image)
        test.addCleanup(detach, self.device)
        for number in (2, 4):
            run(*data_file_system.make(), "-L", LABELS[number - 1], "-U", run("sfdisk", "--part-uuid", self.image, str(number)).lower(), self.part(number))
        self.root.mkdir()
        run("mount", self.part(2), self.root)
        test.addCleanup(run, "umount", self.root)
        for name in ("usr", "etc", "dev", "proc", "sys", "run"):
            (self.root / name).mkdir()
        for name in ("bin", "sbin", "lib", "lib64"):
            (self.root / name).symlink_to(f"usr/{name}")

    def part(self, number):
        return f"{self.device}p{number}"

    def start(self):
        """What the script said; by a name space of mounts that ends with it."""
        binds = "; ".join(f"mount --bind /{name} {self.root}/{name}" for name in ("usr", "etc", "dev", "proc", "sys"))
        return run("unshare", "--mount", "bash", "-ec", f"{binds}; exec chroot {self.root} bash -s", input=PARTITIONS.read_text())

    def about(self, number):
        """An entry of the kernel that went and came again is another node."""
        return os.stat(self.sys(number)).st_ino

    def sys(self, number):
        return f"/sys/class/block/{pathlib.Path(self.part(number)).name}"

    def mib(self, number):
        return int(pathlib.Path(self.sys(number), "size").read_text()) * 512 // MIB

    def table(self):
        return run("sfdisk", "--dump", self.device)

    def file_system(self, field):
        shown = run("dumpe2fs", "-h", self.part(4))
        return re.search(rf"^{field}: *(.*)$", shown, re.MULTILINE)[1]

    def write(self, name, text):
        """Into the data partition, as the service does."""
        self._mounted(lambda place: (place / name).write_text(text))

    def read(self, name):
        return self._mounted(lambda place: (place / name).read_text())

    def on_a_disk_of(self, octets):
        with self.image.open("r+b") as file:
            file.truncate(octets)
        run("losetup", "--set-capacity", self.device)

    def overwrite(self, octets):
        with open(self.part(4), "r+b") as device:
            for _ in range(octets // MIB):
                device.write(b"\xff" * MIB)

    def tear_superblock(self):
        with open(self.part(4), "r+b") as device:
            device.seek(1024)
            device.write(b"\xff" * 1024)

    def _mounted(self, use):
        place = self.folder / "data"
        place.mkdir(exist_ok=True)
        run("mount", self.part(4), place)
        try:
            return use(place)
        finally:
            run("umount", place)


class Partitions(unittest.TestCase):
    def setUp(self):
        self.box = Box(self)

    def grown(self):
        said = self.box.start()
        self.assertIn("first start", said)

    def test_the_first_start_grows_data_and_no_partition_goes_meanwhile(self):
        before = {number: self.box.about(number) for number in (1, 2, 3, 4)}
        table, uuid, seed = self.box.table(), self.box.file_system("Filesystem UUID"), self.box.file_system("Checksum seed")
        self.box.write("kept", "accepted")
        self.grown()
        self.assertEqual({number: self.box.about(number) for number in (1, 2, 3, 4)}, before)
        self.assertGreater(self.box.mib(4), 300)
        self.assertEqual(int(self.box.file_system("Block count")) * 4096 // MIB, self.box.mib(4))
        self.assertEqual(self.box.read("kept"), "accepted")
        self.assertIn("No errors detected", run("sfdisk", "--verify", self.box.device))
        self.assertIn("EFI PART", run("tail", "-c", "512", self.box.device, errors="replace"))  # the copy of the table
        # Its own identifiers, all of them; and only once.
        ids = re.compile(r"uuid=([0-9A-F-]+)|label-id: ([0-9A-F-]+)")
        own = self.box.table()
        self.assertEqual(len(ids.findall(own)), 5)
        self.assertFalse(set(ids.findall(own)) & set(ids.findall(table)))
        own_uuid = self.box.file_system("Filesystem UUID")
        self.assertNotEqual(own_uuid, uuid)
        self.assertEqual(self.box.file_system("Checksum seed"), seed)  # else all that it holds was rewritten
        self.assertNotIn("first start", self.box.start())
        self.assertEqual((self.box.table(), self.box.file_system("Filesystem UUID")), (own, own_uuid))
        self.assertEqual({path.name: os.readlink(path) for path in (self.box.root / "run/box").iterdir()},
                         {name: self.box.part(number) for number, name in enumerate(LABELS, 1)})

    def test_a_file_system_that_would_be_rewritten_for_it_keeps_its_identifier(self):
        run("mkfs.ext4", "-q", "-F", "-b", "4096", "-L", "data", "-U", self.box.file_system("Filesystem UUID"), self.box.part(4))
        uuid = self.box.file_system("Filesystem UUID")
        self.grown()
        self.assertEqual(self.box.file_system("Filesystem UUID"), uuid)
        self.assertEqual(int(self.box.file_system("Block count")) * 4096 // MIB, self.box.mib(4))

    def test_a_larger_disk_is_filled_too_and_nothing_that_data_holds_is_rewritten_for_it(self):
        self.grown()
        self.box.write("kept", "accepted")
        uuid = self.box.file_system("Filesystem UUID")
        self.box.on_a_disk_of(2 * DISK_MIB * MIB)
        self.grown()
        self.assertGreater(self.box.mib(4), 700)
        self.assertEqual(int(self.box.file_system("Block count")) * 4096 // MIB, self.box.mib(4))
        self.assertEqual((self.box.file_system("Filesystem UUID"), self.box.read("kept")), (uuid, "accepted"))

    def test_a_few_blocks_are_left_and_cost_no_check_of_all(self):
        self.grown()
        run("e2fsck", "-fp", self.box.part(4))
        run("resize2fs", self.box.part(4), f"{self.box.mib(4) - 6}M")
        self.box.write("kept", "accepted")
        run("tune2fs", "-T", "20260101", self.box.part(4))  # mounted since the last check: resize2fs wants another one
        self.box.start()
        self.assertIn("Thu Jan  1", self.box.file_system("Last checked"))
        self.assertEqual(int(self.box.file_system("Block count")) * 4096 // MIB, self.box.mib(4) - 6)

    def test_power_that_goes_between_the_table_and_the_file_system_leaves_work_for_the_next_start(self):
        self.grown()
        run("e2fsck", "-fp", self.box.part(4))
        run("resize2fs", self.box.part(4), "64M")  # as if it had not come to that
        self.box.write("kept", "accepted")
        run("tune2fs", "-T", "20260101", self.box.part(4))  # mounted since the last check: resize2fs wants another one
        self.assertNotIn("first start", self.box.start())
        self.assertEqual(int(self.box.file_system("Block count")) * 4096 // MIB, self.box.mib(4))
        self.assertEqual(self.box.read("kept"), "accepted")

    def test_a_lost_label_and_a_lost_entry_are_there_again_with_what_was_in_them(self):
        self.grown()
        self.box.write("kept", "accepted")
        run("sfdisk", "--quiet", "--no-reread", "--no-tell-kernel", "--part-label", self.box.device, "4", "nonsense")
        self.assertIn("partition 4 has lost its label", self.box.start())
        self.assertIn('name="data"', self.box.table())
        run("sfdisk", "--quiet", "--no-reread", "--no-tell-kernel", "--part-label", self.box.device, "4", "data,old")
        self.assertIn("partition 4 has lost its label", self.box.start())
        others = {number: self.box.about(number) for number in (1, 2, 3)}
        run("sfdisk", "--quiet", "--no-reread", "--no-tell-kernel", "--delete", self.box.device, "4")
        run("partx", "--delete", "--nr", "4", self.box.device)
        self.assertIn("partition 4 (data) is not there", self.box.start())
        self.assertEqual({number: self.box.about(number) for number in (1, 2, 3)}, others)
        self.assertEqual(self.box.read("kept"), "accepted")

    def test_a_superblock_torn_before_the_first_start_is_repaired_too(self):
        self.box.write("kept", "accepted")
        self.box.tear_superblock()
        self.assertIn("repairing", self.box.start())
        self.assertGreater(self.box.mib(4), 200)
        self.assertEqual(int(self.box.file_system("Block count")) * 4096 // MIB, self.box.mib(4))
        self.assertEqual(self.box.read("kept"), "accepted")

    def test_on_a_very_large_disk_the_tables_of_data_stay_where_they_are(self):
        place = re.compile(r"Inode table at (\d+)")
        before = place.search(run("dumpe2fs", self.box.part(4)))[1]
        self.box.on_a_disk_of(400 << 30)
        self.grown()
        self.assertGreater(int(self.box.file_system("Block count")), 390 << 18)
        self.assertEqual(place.search(run("dumpe2fs", self.box.part(4)))[1], before)

    def test_a_file_system_is_made_anew_also_where_it_is_larger_than_what_room_is_left_for(self):
        self.box.on_a_disk_of(5 << 40)
        self.grown()
        self.box.overwrite(512 * MIB)  # with the spare superblocks that are asked
        self.assertIn("a new one is made", self.box.start())
        self.assertGreater(int(self.box.file_system("Block count")), (5 << 28) - (1 << 20))

    def test_a_damaged_file_system_is_repaired_and_made_anew_only_where_there_is_none(self):
        self.grown()
        self.box.write("kept", "accepted")
        self.box.tear_superblock()
        self.assertIn("repairing", self.box.start())
        self.assertEqual(self.box.read("kept"), "accepted")
        self.box.overwrite(self.box.mib(4) * MIB)
        self.assertIn("a new one is made", self.box.start())
        self.assertEqual(int(self.box.file_system("Block count")) * 4096 // MIB, self.box.mib(4))


def why_not():
    """What this machine lacks; a container often has none of it."""
    missing = [tool for tool in ("sfdisk", "losetup", "partx", "resizepart", "mkfs.ext4", "resize2fs", "unshare") if not shutil.which(tool)]
    if missing:
        return f"lacks {', '.join(missing)}"
    if not root.become_root():
        return "does not let this user become root without a password"
    try:
        # It fails too where the root is no mount point, as after a chroot into a folder.
        run("unshare", "--mount", "true")
    except AssertionError as refused:
        return f"gives no namespace of mounts: {refused}"
    with tempfile.NamedTemporaryFile(prefix="partitions-test-") as file:
        file.truncate(2 * MIB)
        run("sfdisk", "--quiet", file.name, input="label: gpt\nsize=512KiB\n")
        try:
            device = attached(file.name)
        except AssertionError as refused:
            return f"has no loop device: {refused}"
        try:
            return "" if os.path.exists(f"{device}p1") else "has no loop devices with partitions"
        finally:
            detach(device)


if __name__ == "__main__":
    if reason := why_not():
        print(f"partitions_test: skipped, this machine {' '.join(reason.split())}")
        sys.exit(77)
    unittest.main()
