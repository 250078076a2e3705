"""Builds the image of a box, its update bundle and its list of packages.

  tools/firmware TARGET [--debug] [--version V] [--keys FOLDER | --key FILE --cert FILE --keyring FILE] [--out FOLDER] [--board NAME]
    [--fresh] [--programs FOLDER] [--overlay FOLDER ...]

Two runs give the same image and the same slot (their sha256 are printed), as long as the base tree is kept: Debian's newest packages are other
ones tomorrow, so the list of packages is part of what comes out. A bundle has the time of its signature in it and differs each time.
"""

import argparse
import pathlib
import re
import sys
import tempfile
import time

from . import base_tree, bundle, disk, keys, recipe, slot


VERSION = re.compile(r"[0-9][0-9A-Za-z.+~-]*")


def say(text):
    print(f"tools/firmware: {text}", flush=True)


class Parser(argparse.ArgumentParser):
    """Ends wrong use with exit code 64."""

    def error(self, message):
        self.exit(64, f"{self.prog}: {message} (see --help)\n")


def options_of(words):
    parser = Parser(prog="tools/firmware", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", metavar="TARGET", choices=sorted(recipe.TARGETS), help="amd64 or arm64")
    parser.add_argument("--debug", action="store_true", help="for tests: anyone at the serial port is root. Never ship it")
    parser.add_argument("--version", default=recipe.product_version(), metavar="V", help="what the release is called (default: CMakeLists.txt)")
    parser.add_argument("--keys", type=pathlib.Path, metavar="FOLDER", help="of tools/firmware-keys: its newest signer and its keyring (default: keys for development)")
    parser.add_argument("--key", type=pathlib.Path, metavar="FILE", help="what the bundle is signed with, instead")
    parser.add_argument("--cert", type=pathlib.Path, metavar="FILE", help="its certificate")
    parser.add_argument("--keyring", type=pathlib.Path, metavar="FILE", help="whose updates a box with this release accepts")
    parser.add_argument("--floor", metavar="V", help="for tests: instead of the floor that hw/image/floor.txt names")
    parser.add_argument("--out", type=pathlib.Path, default=recipe.WORK / "out", metavar="FOLDER", help="default: build/firmware/out")
    parser.add_argument("--fresh", action="store_true", help="the newest Debian packages, though a base tree is kept")
    parser.add_argument("--board", metavar="NAME", help="the board of hw/boards that a new box is taken for (default: generic; with --debug: qemu)")
    parser.add_argument("--programs", type=pathlib.Path, metavar="FOLDER", help="smsrackd and smsrack are taken from here")
    parser.add_argument("--overlay", type=pathlib.Path, action="append", default=[], metavar="FOLDER", help="more files for the slot, over all others")
    options = parser.parse_args(words)
    if len({bool(options.key), bool(options.cert), bool(options.keyring)}) > 1 or (options.key and options.keys):
        parser.error("--key, --cert and --keyring go together, and without --keys")
    if not VERSION.fullmatch(options.version):
        parser.error("--version: a digit, then letters, digits and . - + ~")
    options.floor = options.floor or slot.floor()
    if slot.below(options.version, options.floor):
        parser.error(f"--version {options.version} is below {options.floor}, the floor that the release itself would set (hw/image/floor.txt)")
    return options


def compressed(image):
    recipe.run("zstd", "-q", "-f", "-T2", "-10", image, "-o", f"{image}.zst")
    return pathlib.Path(f"{image}.zst")


def signing_of(options):
    if options.key:
        return keys.Signing(options.key, options.cert, options.keyring)
    return keys.Folder(options.keys).signing() if options.keys else bundle.development_keys()


def warn(signing):
    """Ends what boxes would refuse; says what the builder must know."""
    for sentence in keys.check(signing):
        print(f"tools/firmware: WARNING: {sentence}", file=sys.stderr, flush=True)


def name_of(options):
    """Of all that is made; a name goes further than a warning."""
    suffixes = ("-devkey" if signing_of(options).development else "") + ("-debug" if options.debug else "")
    return f"smsrack-{options.version}-{options.target}{suffixes}"


def build_slot(options, packed):
    """Makes the slot; the base tree that it is made from."""
    target = recipe.TARGETS[options.target]
    programs = options.programs or recipe.ROOT / f"build/target-{target.name}/bin"
    base = base_tree.make(target, say, options.fresh)
    if missing := slot.missing_libraries(base, programs):
        raise recipe.RecipeError(f"the base tree lacks {', '.join(missing)}, which the programs need: a line for hw/image/packages.txt")
    tree = slot.Tree(recipe.build_date())
    board = options.board or ("qemu" if options.debug else "generic")
    release = slot.Release(options.version, options.floor, signing_of(options), board, options.debug)
    slot.product(tree, target, release, programs, options.overlay)
    slot.pack(base, tree, packed)
    say(f"slot: {packed.name}, {packed.stat().st_size / 1e6:.1f} MB, sha256 {recipe.sha256(packed)}")
    return base


def build(options):
    """Makes everything in options.out; the packed image."""
    target = recipe.TARGETS[options.target]
    options.out.mkdir(parents=True, exist_ok=True)
    name, signing = name_of(options), signing_of(options)
    warn(signing)
    image, packed = options.out / f"{name}.img", options.out / f"{name}.squashfs"
    base = build_slot(options, packed)
    with tempfile.TemporaryDirectory(dir=options.out, prefix=".fresh.") as folder:
        disk.Disk(folder, recipe.build_date()).make(image, packed, disk.grub_program(target, folder))
    small = compressed(image)
    say(f"image: {image.name}, sha256 {recipe.sha256(image)}; packed {small.stat().st_size / 1e6:.1f} MB in {small.name}")
    image.unlink()
    made = options.out / f"{name}.raucb"
    compatible = f"smsrack-{target.name}"
    bundle.make(packed, made, compatible, options.version, signing)
    bundle.check(made, signing.keyring, compatible)
    say(f"bundle: {made.name}, {made.stat().st_size / 1e6:.1f} MB")
    packages = options.out / f"{name}.packages.txt"
    packages.write_text(slot.text_of(base, "usr/share/smsrack-packages.txt"))
    say(f"packages: {packages.name}, {len(packages.read_text().splitlines())} with their versions")
    warn(signing)  # again, at the end of what was printed meanwhile
    return small


def main():
    begun, options = time.monotonic(), options_of(sys.argv[1:])
    try:
        build(options)
    except (recipe.RecipeError, OSError) as error:
        print(f"tools/firmware: {error}", file=sys.stderr)
        return 1
    say(f"done in {time.monotonic() - begun:.0f} s; all in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
