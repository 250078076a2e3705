"""What a fleet promises beyond tools/fleet/once.py, tried with three boxes and the real engine: a line for each, and the end."""

import subprocess
import sys

from lab.peers.processes import ProcessError

from . import disk_trial, fence_trial, pairs_trial, refs_trial, woken_trial
from .outcome import Outcome

MORE = pairs_trial.TRIGGER    # of the configuration of each box
TRIALS = {
    "refs": ("one ref at two boxes at once", refs_trial.run),
    "pairs": ("one pair at three boxes at once", pairs_trial.run),
    "fence": ("a box frozen inside a transaction", fence_trial.run),
    "woken": ("a box stopped, and woken after alone_s", woken_trial.run),
    "disk": ("the disk of the primary is full", disk_trial.run),
}


def tried(trial, engine, boxes, say):
    try:
        return trial(engine, boxes, say)
    except (ProcessError, OSError, subprocess.SubprocessError) as problem:
        return Outcome(faults=[f"it did not come to its end: {problem}"])


def line(name, outcome):
    return f"{name:40}{outcome.word():8}{outcome.skipped or '; '.join(outcome.figures)}"


def run(engine, boxes, wanted, say):
    """The exit code. `wanted`: names of TRIALS; empty: all."""
    found = {}
    for key, (name, trial) in TRIALS.items():
        if not wanted or key in wanted:
            say(f"trial: {name}")
            found[name] = tried(trial, engine, boxes, say)
            say(line(name, found[name]))
    print("\n".join(line(name, outcome) for name, outcome in found.items()))
    for name, outcome in found.items():
        for fault in outcome.faults:
            print(f"fleet-rig: {name}: {fault}", file=sys.stderr)
    return 1 if any(outcome.faults for outcome in found.values()) else 0
