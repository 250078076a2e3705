"""The disk image of a box: a table of partitions, the boot partition, the first slot and an empty data partition. No root, no loop device."""

import os
import pathlib
import shutil
import tomllib

from . import data_file_system, recipe

MIB = 1 << 20
SECTOR = 512
FAT_ID = "5A5AC4AD"                                   # a number that FAT wants; it means nothing
HASH_SEED = "6e0f2c1a-5d0b-4e53-9c7b-af00a1da7eff"
ENVIRONMENT = ("ORDER=A B", "A_OK=0", "A_TRIES=2", "B_OK=0", "B_TRIES=0")  # of a new disk: hw/image/overlay/usr/lib/smsrack/boot-slot
GRUB_MODULES = ("part_gpt", "part_msdos", "fat", "squash4", "normal", "linux", "loadenv", "regexp", "probe", "test", "echo", "configfile", "sleep", "reboot",
                "minicmd", "all_video")


def layout():
    return tomllib.loads((recipe.IMAGE / "layout.toml").read_text())


def partition(label):
    return next(p for p in layout()["partition"] if p["label"] == label)


def grub_program(target, folder):
    """GRUB as an EFI program that reads /EFI/smsrack/grub.cfg of the partition it lies on. Its modules are Debian's for the target's machine."""
    modules = recipe.WORK / f"grub/{target.name}"
    if not (modules / "moddep.lst").exists():
        fresh = modules.with_suffix(".fresh")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.parent.mkdir(parents=True, exist_ok=True)
        mode = "root" if os.geteuid() == 0 else "chrootless"
        recipe.run("mmdebstrap", "--quiet", f"--mode={mode}", "--variant=extract", f"--architectures={target.name}",
                   f"--include=grub-efi-{target.name}-bin", "bookworm", fresh, os.environ.get("SMSRACK_MIRROR", "http://deb.debian.org/debian"))
        shutil.rmtree(modules, ignore_errors=True)
        shutil.copytree(fresh / f"usr/lib/grub/{target.grub}", modules)
        shutil.rmtree(fresh)
    program = pathlib.Path(folder) / target.efi_name
    recipe.run("grub-mkimage", "-d", modules, "-O", target.grub, "-p", "/EFI/smsrack", "-o", program,
               *(name for name in GRUB_MODULES if (modules / f"{name}.mod").exists()))
    return program


def environment_block(lines):
    """As grub-editenv writes it: 1024 octets, variables first."""
    text = "# GRUB Environment Block\n" + "".join(f"{line}\n" for line in lines)
    return text.ljust(1024, "#").encode()


def fill(image, offset, source):
    """Copies a file into the image, leaving out what is zero."""
    with open(source, "rb") as read, open(image, "r+b") as write:
        while block := read.read(MIB):
            if block.strip(b"\0"):
                write.seek(offset)
                write.write(block)
            offset += len(block)


class Disk:
    def __init__(self, folder, date):
        self.folder, self.date = pathlib.Path(folder), date
        self.layout = layout()
        self.clock = os.environ | {"SOURCE_DATE_EPOCH": str(date), "E2FSPROGS_FAKE_TIME": str(date), "TZ": "UTC", "MTOOLS_SKIP_CHECK": "1"}

    def starts(self):
        """{label: (first octet, octets)} of each partition."""
        places, at = {}, MIB
        for partition in self.layout["partition"]:
            places[partition["label"]] = (at, partition["mib"] * MIB)
            at += partition["mib"] * MIB
        return places

    def boot_partition(self, program):
        image = self.folder / "esp.img"
        image.unlink(missing_ok=True)
        octets = self.starts()["esp"][1]
        with open(image, "wb") as file:
            file.truncate(octets)
        recipe.run("mkfs.vfat", "-F", "32", "-s", "1", "-i", FAT_ID, "-n", "SMSRACK", "--invariant", image, env=self.clock)
        parts = {"EFI/BOOT/" + program.name: program.read_bytes(), "EFI/smsrack/grub.cfg": (recipe.IMAGE / "grub.cfg").read_bytes(),
                 "EFI/smsrack/grubenv": environment_block(ENVIRONMENT), "EFI/smsrack/box.env": environment_block(()),
                 "setup/README.txt": (recipe.IMAGE / "setup.txt").read_bytes().replace(b"\n", b"\r\n")}
        for name in sorted({str(parent) for path in parts for parent in pathlib.PurePosixPath(path).parents if str(parent) != "."}):
            recipe.run("mmd", "-i", image, f"::{name}", env=self.clock)
        for path, content in parts.items():
            source = self.folder / "part"
            source.write_bytes(content)
            os.utime(source, (self.date, self.date))
            recipe.run("mcopy", "-m", "-i", image, source, f"::{path}", env=self.clock)
        return image

    def data_partition(self):
        image = self.folder / "data.img"
        image.unlink(missing_ok=True)
        place = partition("data")
        with open(image, "wb") as file:
            file.truncate(place["mib"] * MIB)
        recipe.run(*data_file_system.make(f"hash_seed={HASH_SEED}", "root_owner=0:0"), "-L", "data", "-U", place["id"].lower(), image, env=self.clock)
        return image

    def table(self, image):
        """The table of partitions; the file has its whole length, and is sparse."""
        with open(image, "wb") as file:
            file.truncate(sum(octets for _, octets in self.starts().values()) + 2 * MIB)
        lines = ["label: gpt", f"label-id: {self.layout['disk_id']}", "first-lba: 2048"]
        for partition in self.layout["partition"]:
            start, octets = self.starts()[partition["label"]]
            lines.append(f"start={start // SECTOR}, size={octets // SECTOR}, type={partition['type']}, uuid={partition['id']}, name={partition['label']}")
        script = self.folder / "table.sfdisk"
        script.write_text("\n".join(lines) + "\n")
        with open(script) as stdin:
            recipe.run("sfdisk", "--quiet", image, stdin=stdin)

    def make(self, image, slot, program):
        """Writes the disk image with `slot` in rootfs-a."""
        places = self.starts()
        if slot.stat().st_size > places["rootfs-a"][1]:
            raise recipe.RecipeError(f"the slot has {slot.stat().st_size >> 20} MiB, and rootfs-a {places['rootfs-a'][1] >> 20} (hw/image/layout.toml)")
        self.table(image)
        for label, source in (("esp", self.boot_partition(program)), ("rootfs-a", slot), ("data", self.data_partition())):
            fill(image, places[label][0], source)
