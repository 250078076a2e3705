"""What tools/firmware knows of its targets and folders, and how it runs other programs."""

import dataclasses
import hashlib
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGE = ROOT / "hw/image"
WORK = ROOT / "build/firmware"

# Times inside of what is built: those of the commit, or of SOURCE_DATE_EPOCH; where neither is known, and in the base tree, this one,
# 2026-01-01, so that the same packages give the same tree.
PLAIN_DATE = 1_767_225_600


class RecipeError(Exception):
    """A step failed; the text says which, and what it said."""


@dataclasses.dataclass(frozen=True)
class Target:
    name: str
    processor: str # what qemu-user calls it
    grub: str      # GRUB's word for the machine
    efi_name: str  # the file that firmware looks for on a disk
    strip: str     # the program that leaves debugging symbols out
    console: str   # the serial port that QEMU's machine has


TARGETS = {t.name: t for t in (
    Target("amd64", "x86_64", "x86_64-efi", "BOOTX64.EFI", "x86_64-linux-gnu-strip", "ttyS0"),
    Target("arm64", "aarch64", "arm64-efi", "BOOTAA64.EFI", "aarch64-linux-gnu-strip", "ttyAMA0"),
)}


def run(*command, **options):
    """Runs a program quietly; RecipeError has what it printed."""
    words = [str(word) for word in command]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=options.pop("stdin", subprocess.DEVNULL), **options)
    output = done.stdout.decode(errors="replace")
    if done.returncode:
        raise RecipeError(f"{words[0]} ended with code {done.returncode}: {' '.join(words)[:300]}\n" + "\n".join(output.splitlines()[-15:]))
    return output


def build_date():
    """Seconds since 1970 for everything that a slot and a disk say of time."""
    if os.environ.get("SOURCE_DATE_EPOCH"):
        return int(os.environ["SOURCE_DATE_EPOCH"])
    try:
        return int(run("git", "-C", ROOT, "log", "-1", "--format=%ct"))
    except (RecipeError, OSError, ValueError):
        return PLAIN_DATE


def product_version():
    """The version that CMakeLists.txt gives the programs."""
    return re.search(r"project\(smsrack VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def list_rows(name):
    """The words before the comment of each line of a list in hw/image."""
    for line in (IMAGE / name).read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            yield words


def hash_of(*parts):
    """One hash of texts and of files (pathlib.Path) with their modes."""
    whole = hashlib.sha256()
    for part in parts:
        if isinstance(part, pathlib.Path):
            whole.update(f"\0{part.name} {part.stat().st_mode:o}\0".encode() + part.read_bytes())
        else:
            whole.update(f"\0{part}".encode())
    return whole.hexdigest()


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
