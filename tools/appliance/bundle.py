"""Update bundles: a slot, signed, that RAUC checks and writes. Two of the same slot differ in the time of signing and a random salt."""

import os
import pathlib
import shutil
import tempfile

from . import keys, recipe

DEVELOPMENT_KEYS = recipe.WORK / "development-keys"
# How a box checks a bundle: hw/image/overlay/etc/rauc/system.conf.
BOX = """[system]
compatible=@COMPATIBLE@
bootloader=noop
bundle-formats=-plain
[keyring]
path=@KEYRING@
check-crl=true
check-purpose=codesign
use-bundle-signing-time=true
"""


def development_keys(folder=DEVELOPMENT_KEYS):
    """Keys for images that are tried out, made where they are missing: everything says that they are no others."""
    made = keys.Folder(folder)
    if not made.keyring.exists():
        made.new(f"smsrack {keys.DEVELOPMENT}")
    return made.signing()


def make(slot, out, compatible, version, signing):
    out = pathlib.Path(out)
    out.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".bundle.") as folder:
        os.link(slot, f"{folder}/rootfs.img") if os.stat(slot).st_dev == os.stat(folder).st_dev else shutil.copyfile(slot, f"{folder}/rootfs.img")
        pathlib.Path(folder, "manifest.raucm").write_text(
            f"[update]\ncompatible={compatible}\nversion={version}\n\n[bundle]\nformat=verity\n\n[image.rootfs]\nfilename=rootfs.img\n")
        recipe.run("rauc", "bundle", f"--cert={signing.certificate}", f"--key={signing.key}", folder, out)


def check(bundle, keyring, compatible="smsrack"):
    """What is in the bundle, if a box with this keyring accepts it; RecipeError otherwise."""
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as conf:
        conf.write(BOX.replace("@KEYRING@", str(pathlib.Path(keyring).resolve())).replace("@COMPATIBLE@", compatible))
        conf.flush()
        return recipe.run("rauc", f"--conf={conf.name}", "info", bundle)
