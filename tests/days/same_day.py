#!/usr/bin/env python3
"""Two processes that live the same seed live the same day, event by event, wherever their memory is: same_day.py SMSRACK-SIMULATE [OPTION ...]"""

import re
import subprocess
import sys


def fingerprint():
    run = subprocess.run([sys.argv[1], "--seed", "1", "--messages", "1500", "--crashes", "12", *sys.argv[2:]], check=True, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, text=True)
    return re.search(r"fingerprint ([0-9a-f]{16})", run.stderr).group(1)


first, again = fingerprint(), fingerprint()
print(first, again)
sys.exit(first != again)
