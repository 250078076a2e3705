"""For tests that only root can run."""

import os
import shutil
import subprocess
import sys


def become_root():
    """Starts this test again as root, where sudo asks for no password. False: it can't be root here."""
    if os.geteuid() == 0:
        return True
    if shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0:
        os.execvp("sudo", ["sudo", "-n", sys.executable, "-B", *sys.argv])
    return False
