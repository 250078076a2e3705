"""A slot: the root file system of one release as a squashfs, kernel and first stage inside. Made from tars and folders, without root."""

import dataclasses
import hashlib
import io
import os
import pathlib
import subprocess
import tarfile
import tempfile

from . import keys, recipe

PACKAGING, DEBIAN = recipe.ROOT / "firmware-host/packaging", recipe.ROOT / "debian"
PACKAGES = ("smsrack", "smsrack-gate")
# Of the packages, what no box needs: words for shells, files for other machines, and what udev asks where not all ports are modems'.
NOT_IN_A_BOX = ("usr/share/bash-completion", "usr/share/fish", "usr/share/zsh", "usr/share/smsrack/grafana", "usr/share/smsrack/prometheus", "usr/lib/smsrack")
# What only builds a tree, or installs into one: an update is another slot. What is below /var is never seen, since it is mounted.
# Of Perl, its own package for small systems (perl-base) is enough.
DROPPED = ("var/", "etc/apt/", "etc/initramfs-tools/", "etc/kernel/", "etc/dpkg/", "etc/cron", "usr/share/initramfs-tools/", "usr/share/perl",
           *(f"usr/lib/{triplet}-linux-gnu/{part}" for triplet in ("x86_64", "aarch64") for part in ("perl/", "libperl.")))
# Where something is mounted, and nothing is found in the base tree.
FOLDERS = ("boot/efi", "data", "dev", "proc", "sys", "run", "tmp", "var", "mnt", "etc/smsrack", "usr/share/smsrack/boards")


DEVELOPMENT_ISSUE = """\\n \\l

*** This image trusts updates that are signed with a DEVELOPMENT key. It is NOT FOR USE: docs/security.md ***

"""


@dataclasses.dataclass(frozen=True)
class Release:
    version: str
    floor: str             # no box that confirmed this release takes an older one than that
    signing: keys.Signing
    board: str             # what a new box is taken for
    debug: bool


def below(version, other):
    return subprocess.run(["dpkg", "--compare-versions", version, "lt", other], check=False).returncode == 0


def floor():
    """The highest version of hw/image/floor.txt."""
    highest = "0"
    for version, *_ in recipe.list_rows("floor.txt"):
        highest = version if below(highest, version) else highest
    return highest


class Tree:
    """What is laid over a base tree: paths without a leading slash, each with its mode and content. The last one of a path holds."""

    def __init__(self, date):
        self.date = date
        self.members = {}

    def _add(self, path, kind, mode, content=b"", link=""):
        for parent in reversed(pathlib.PurePosixPath(path).parents[:-1]):
            self.members.setdefault(str(parent), self._info(str(parent), tarfile.DIRTYPE, 0o755) + (b"",))
        self.members[path] = self._info(path, kind, mode, len(content), link) + (content,)

    def _info(self, path, kind, mode, size=0, link=""):
        info = tarfile.TarInfo(path)
        info.type, info.mode, info.size, info.linkname, info.mtime = kind, mode, size, link, self.date
        info.uname = info.gname = "root"
        return (info,)

    def folder(self, path, mode=0o755):
        self._add(path, tarfile.DIRTYPE, mode)

    def text(self, path, text, mode=0o644):
        self._add(path, tarfile.REGTYPE, mode, text.encode())

    def file(self, path, source, mode=None):
        source = pathlib.Path(source)
        if source.is_symlink():
            self._add(path, tarfile.SYMTYPE, 0o777, link=os.readlink(source))
        else:
            executable = source.stat().st_mode & 0o100
            self._add(path, tarfile.REGTYPE, mode or (0o755 if executable else 0o644), source.read_bytes())

    def digest(self):
        """One hash of all paths, modes and contents."""
        whole = hashlib.sha256()
        for path, (info, content) in sorted(self.members.items()):
            whole.update(f"\0{path}\0{info.mode:o}\0{info.linkname}\0".encode() + content)
        return whole.hexdigest()

    def overlay(self, folder, **words):
        """All files below `folder`; @NAME@ in a text file of etc is replaced by words["NAME"]."""
        for source in sorted(pathlib.Path(folder).rglob("*")):
            path = str(source.relative_to(folder))
            if source.is_dir() and not source.is_symlink():
                continue
            self.file(path, source)
            if path.startswith("etc/") and not source.is_symlink():
                text = source.read_text()
                for name, word in words.items():
                    text = text.replace(f"@{name}@", word)
                self.text(path, text, 0o755 if source.stat().st_mode & 0o100 else 0o644)


def packed():
    """(what, folder) of each file of the packages that a box has: debian/PACKAGE.install is the one list of what is installed where."""
    for package in PACKAGES:
        for line in (DEBIAN / f"{package}.install").read_text().splitlines():
            source, folder = line.split()
            if not folder.startswith(NOT_IN_A_BOX):
                # A program is that of the build for this box.
                yield from ((what, folder) for what in ([pathlib.Path(source)] if folder == "usr/bin" else sorted(recipe.ROOT.glob(source))))


def program_names():
    return [what.name for what, folder in packed() if folder == "usr/bin"]


def product(tree, target, release, programs, overlays):
    """Everything of smsrack that a slot holds."""
    for path in FOLDERS:
        tree.folder(path)
    # The configuration is that of the box; a new one begins with the package's.
    places = {"etc/smsrack": "usr/share/smsrack", "lib/systemd/system": "usr/lib/systemd/system", "lib/udev/rules.d": "usr/lib/udev/rules.d"}
    for what, folder in packed():
        if folder == "usr/bin":
            with tempfile.NamedTemporaryFile() as stripped:  # debugging is done with the build's own programs
                recipe.run(target.strip, "-o", stripped.name, pathlib.Path(programs) / what.name)
                tree.file(f"usr/bin/{what.name}", stripped.name, 0o755)
        else:
            tree.file(f"{places.get(folder, folder)}/{what.name}", what)
    for package in PACKAGES:
        for rows in DEBIAN.glob(f"{package}.tmpfiles"):
            tree.file(f"usr/lib/tmpfiles.d/{package}.conf", rows.resolve())
    tree.text("usr/share/smsrack/board", f"{release.board}\n")
    tree.file("etc/rauc/keyring.pem", release.signing.keyring, 0o644)
    if release.signing.development:
        tree.text("etc/issue", DEVELOPMENT_ISSUE)
    tree.text("usr/lib/clock-epoch", "")  # its time is the earliest that a box believes
    tree.overlay(recipe.IMAGE / "overlay", TARGET=target.name)
    if release.debug:
        tree.overlay(recipe.IMAGE / "debug")
        tree.text("boot/slot.cfg", f'set slot_args="console=tty0 console={target.console},115200"\n')
    for folder in overlays:
        tree.overlay(folder)
    # BUILD tells two releases of the same version apart.
    tree.text("usr/lib/smsrack/release", f"VERSION={release.version}\nTARGET={target.name}\nDEBUG={int(release.debug)}\nFLOOR={release.floor}\nBUILD={tree.digest()}\n")


def merge(base_tar, tree, out):
    """Writes the base tree and what is laid over it as one tar to the file object `out`, sorted as they come: the same each time."""
    dropped = DROPPED + tuple(path for path, *_ in recipe.list_rows("left_out.txt"))
    present = set()
    with tarfile.open(base_tar) as base, tarfile.open(fileobj=out, mode="w|", format=tarfile.PAX_FORMAT) as merged:
        for info in base:
            path = os.path.normpath(info.name).lstrip("/")
            over = tree.members.get(path)
            if path == "." or path.startswith(dropped) or (over and not (info.isdir() and over[0].isdir())):
                continue
            if info.isdir() and over:
                present.add(path)
            merged.addfile(info, base.extractfile(info) if info.isreg() else None)
        for path, (info, content) in sorted(tree.members.items()):
            if path not in present:
                merged.addfile(info, io.BytesIO(content))


def pack(base_tar, tree, image):
    """Makes the squashfs `image`; gzip, since GRUB 2.06 reads kernel and first stage out of it and knows no zstd."""
    command = ["mksquashfs", "-", str(image), "-tar", "-comp", "gzip", "-b", "262144", "-noappend", "-no-progress", "-quiet", "-mkfs-time", str(tree.date),
               "-root-mode", "0755", "-all-time", str(tree.date)]
    environment = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}  # it and -mkfs-time exclude each other
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment) as packing:
        try:
            merge(base_tar, tree, packing.stdin)
            packing.stdin.close()
        except BrokenPipeError:
            pass  # its own words say more
        said = packing.stdout.read().decode(errors="replace")
    if packing.returncode:
        raise recipe.RecipeError(f"mksquashfs ended with code {packing.returncode}:\n{said}")


def missing_libraries(base_tar, programs):
    """Shared libraries that the programs name and that the base tree lacks."""
    needed = set()
    for name in program_names():
        dynamic = recipe.run("readelf", "-d", pathlib.Path(programs) / name)
        needed |= {line.split("[")[1].rstrip("]") for line in dynamic.splitlines() if "(NEEDED)" in line}
    with tarfile.open(base_tar) as base:
        return sorted(needed - {os.path.basename(info.name) for info in base})


def text_of(base_tar, path):
    """The text of one file of the base tree."""
    with tarfile.open(base_tar) as base:
        for name in (f"./{path}", path):
            try:
                return base.extractfile(name).read().decode()
            except KeyError:
                continue
    raise recipe.RecipeError(f"{base_tar} has no {path}")
