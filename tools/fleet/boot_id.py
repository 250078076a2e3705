"""Another start of the machine, for programs that look at the id of the kernel's start."""

import contextlib
import subprocess
import uuid

PLACE = "/proc/sys/kernel/random/boot_id"


@contextlib.contextmanager
def another(folder):
    """For this process and its children, which have mounts of their own (small_disk)."""
    file = folder / "boot_id"
    file.write_text(f"{uuid.uuid4()}\n")
    subprocess.run(["mount", "--bind", file, PLACE], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", PLACE], check=True)
