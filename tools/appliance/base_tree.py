"""The base tree: Debian's packages for a box, unpacked and configured, without anything of smsrack. Slow to make, so it is kept.

What it is made from is hashed into its name below build/firmware/base; the newest versions of the packages are not, so `--fresh` makes it again.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile

from . import recipe

HOOKS = recipe.IMAGE / "base"
# Not unpacked at all. The initrd is made by finish_tree, once, when only the modules that stay are there.
LEFT_OUT = ("/etc/kernel/postinst.d/initramfs-tools", "/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*")


def packages(target):
    return sorted(name for where, name, *_ in recipe.list_rows("packages.txt") if where in ("all", target.name))


def sources():
    """Lines of sources.list: Debian 12 with its updates, from SMSRACK_MIRROR where that is set (which then has to hold security as well)."""
    mirror = os.environ.get("SMSRACK_MIRROR", "http://deb.debian.org/debian")
    security = os.environ.get("SMSRACK_MIRROR_SECURITY", "http://deb.debian.org/debian-security")
    return [f"deb {mirror} bookworm main", f"deb {mirror} bookworm-updates main", f"deb {security} bookworm-security main"]


def key(target):
    files = sorted(p for p in HOOKS.iterdir() if p.is_file())
    return recipe.hash_of(target.name, *packages(target), *sources(), *LEFT_OUT, recipe.PLAIN_DATE, recipe.IMAGE / "modules.txt",
                          recipe.ROOT / "firmware-host/packaging/smsrack.sysusers", *files)[:16]


def path_of(target):
    return recipe.WORK / f"base/{target.name}-{key(target)}.tar"


def runs(target):
    return not shutil.which("arch-test") or subprocess.run(["arch-test", target.name], capture_output=True).returncode == 0


def let_foreign_programs_run(target, say):
    """Debian's scripts that configure the packages are of the target's machine. qemu-user is registered with the kernel where it is not yet, as on a machine
    without systemd-binfmt."""
    if runs(target):
        return
    kernel, rule = pathlib.Path("/proc/sys/fs/binfmt_misc"), pathlib.Path(f"/usr/lib/binfmt.d/qemu-{target.processor}.conf")
    if os.geteuid() == 0 and rule.exists():
        say(f"telling the kernel that {rule.stem} runs programs of {target.name} (binfmt_misc, until the machine restarts)")
        if not (kernel / "register").exists():
            recipe.run("mount", "-t", "binfmt_misc", "binfmt_misc", kernel)
        (kernel / "register").write_text(rule.read_text().strip())
    if not runs(target):
        raise recipe.RecipeError(f"this machine can't run programs of {target.name}: install qemu-user-static, and as root: systemctl restart systemd-binfmt")


def make(target, say, fresh=False):
    """The tar of the base tree; made where it is missing, or `fresh`."""
    tar = path_of(target)
    if tar.exists() and not fresh:
        say(f"base tree: {tar.name} (kept from before; --fresh makes it again)")
        return tar
    let_foreign_programs_run(target, say)
    say(f"base tree: Debian 12 for {target.name}, {len(packages(target))} packages and what they need")
    tar.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=tar.parent, prefix=".fresh.") as folder:
        made = pathlib.Path(folder) / "tree.tar"
        recipe.run("mmdebstrap", "--quiet", f"--mode={'root' if os.geteuid() == 0 else 'unshare'}", "--variant=essential", f"--architectures={target.name}",
                   f"--include={','.join(packages(target))}", "--dpkgopt=force-unsafe-io", *(f"--dpkgopt=path-exclude={path}" for path in LEFT_OUT),
                   f'--essential-hook=install -D -m 644 "{HOOKS}/initramfs.conf" "$1/etc/initramfs-tools/conf.d/smsrack"',
                   f'--customize-hook="{HOOKS}/finish_tree" "$1"', "bookworm", made, *sources(),
                   env=os.environ | {"SOURCE_DATE_EPOCH": str(recipe.PLAIN_DATE)})
        for old in tar.parent.glob(f"{target.name}-*.tar"):
            old.unlink()
        made.rename(tar)
    return tar
