"""Update bundles: a slot, signed, that RAUC checks and writes. Two of the same slot differ in the time of signing and a random salt."""

import os
import pathlib
import shutil
import tempfile

from . import recipe

KEYS = recipe.WORK / "keys"


def make_keys(folder, name="smsrack development"):
    """A key and its certificate, made where they are missing: (key, certificate)."""
    folder = pathlib.Path(folder)
    key, certificate = folder / "key.pem", folder / "cert.pem"
    if key.exists() != certificate.exists():
        raise recipe.RecipeError(f"{folder}: key.pem and cert.pem belong together, and one of them is missing; boxes take no update that another key has signed")
    if not key.exists():
        folder.mkdir(parents=True, exist_ok=True)
        old = os.umask(0o077)
        try:
            recipe.run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "36500", "-subj", f"/CN={name}",
                       "-keyout", key, "-out", certificate)
        finally:
            os.umask(old)
        certificate.chmod(0o644)
    return key, certificate


def make(slot, out, compatible, version, key, certificate):
    out = pathlib.Path(out)
    out.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".bundle.") as folder:
        os.link(slot, f"{folder}/rootfs.img") if os.stat(slot).st_dev == os.stat(folder).st_dev else shutil.copyfile(slot, f"{folder}/rootfs.img")
        pathlib.Path(folder, "manifest.raucm").write_text(
            f"[update]\ncompatible={compatible}\nversion={version}\n\n[bundle]\nformat=verity\n\n[image.rootfs]\nfilename=rootfs.img\n")
        recipe.run("rauc", "bundle", f"--cert={certificate}", f"--key={key}", folder, out)


def check(bundle, certificate):
    """What is in the bundle, if it was signed with this certificate; RecipeError otherwise."""
    return recipe.run("rauc", "info", f"--keyring={certificate}", bundle)
