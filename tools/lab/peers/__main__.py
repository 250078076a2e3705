"""The command line of tools/bench-peers."""

import argparse
import datetime
import json
import os
import pathlib
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from . import figures, install, processes
from .catalogue import GATEWAYS
from .scenarios import QUICK, SCENARIOS, Scale, measure

EXIT_USAGE, EXIT_CALLED_OFF = 64, 130
ROW_NAMES = [row.name for row in figures.ROWS]

EPILOG = "rows: " + ", ".join(ROW_NAMES) + "\ngateways: " + ", ".join(GATEWAYS)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        print(f"bench-peers: {message} (see --help)", file=sys.stderr)
        sys.exit(EXIT_USAGE)


def options(words):
    parser = Parser(prog="tools/bench-peers", formatter_class=argparse.RawDescriptionHelpFormatter, epilog=EPILOG, description=(
        "Runs smsrack and Debian's gammu-smsd, smstools and kannel on the same simulated modems with the same work, one after the other,\n"
        "and prints a table. In brackets: how many times better smsrack's figure is. Installs the packages that are missing (apt; with sudo\n"
        "when not root), starts none of their services, listens on loopback alone. How it is made fair: docs/decisions/0024."))
    parser.add_argument("--quick", action="store_true", help="a look: shorter windows, fewer messages, two kills")
    parser.add_argument("--only", metavar="ROW", action="append", choices=ROW_NAMES, help="this row (and those of the same run); may be given again")
    parser.add_argument("--gateway", metavar="NAME", action="append", choices=list(GATEWAYS), help="this gateway; may be given again")
    parser.add_argument("--repeat", metavar="N", type=positive, default=1, help="each N times, the gateways in turn; medians count")
    parser.add_argument("--json", metavar="FILE", type=pathlib.Path, help="keeps the figures there, and adds to those that are there")
    parser.add_argument("--keep", action="store_true", help="keeps the folder with configurations and logs")
    parser.add_argument("--no-install", action="store_true", help="leaves out gateways whose package is missing, instead of installing it")
    parser.add_argument("--programs", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    return parser.parse_args(words)


def positive(word):
    number = int(word)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def say(text):
    print(f"bench-peers: [{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


def chosen(wish):
    """The scenarios and the gateways that are wanted, in the order of the tables."""
    rows = [row for row in figures.ROWS if not wish.only or row.name in wish.only]
    scenarios = list(dict.fromkeys(row.scenario for row in rows))
    gateways = [name for name in GATEWAYS if (name in wish.gateway if wish.gateway else GATEWAYS[name].by_default)]
    if wish.no_install:
        there = install.versions()
        gateways = [name for name in gateways if not GATEWAYS[name].package or GATEWAYS[name].package in there]
    return scenarios, gateways


def read_results(file):
    return json.loads(file.read_text())["rows"] if file and file.exists() else {}


def write_results(file, results, facts):
    fresh = file.with_name(file.name + ".new")
    fresh.write_text(json.dumps({**facts, "rows": results}, indent=1) + "\n")
    fresh.rename(file)


def facts(wish):
    """What a reader of the figures wants to know besides."""
    ours = subprocess.run([wish.programs / "smsrackd", "--version"], capture_output=True, text=True, check=False).stdout.strip()
    return {"date": datetime.date.today().isoformat(), "command": " ".join(["tools/bench-peers", *_words_without_programs()]),
            "machine": f"{os.cpu_count()} processors, {platform.machine()}, Linux {platform.release()}",
            "versions": {"smsrack": ours, **install.versions()}}


def _words_without_programs():
    words = sys.argv[1:]
    return [w for n, w in enumerate(words) if w != "--programs" and (n == 0 or words[n - 1] != "--programs")]


def measure_all(wish, scenarios, gateways, folder, results):
    """Scenario by scenario and turn by turn, so that what is compared is measured at nearly the same time. Gives what went wrong."""
    wrong, found = [], {}
    for scenario in scenarios:
        for turn in range(wish.repeat):
            for name in gateways:
                try:
                    figures_now = measure_one(wish, scenario, name, folder / f"{scenario}-{name}-{turn}")
                except (processes.ProcessError, RuntimeError, TimeoutError, OSError) as error:
                    wrong.append(f"{scenario}: {name}: {error}")
                    say(wrong[-1])
                    continue
                for row, figure in figures_now.items():
                    found.setdefault((row, name), []).append(figure)
                    results.setdefault(row, {})[name] = figures.median(found[row, name])
                if wish.json:
                    write_results(wish.json, results, facts(wish))
    return wrong


def measure_one(wish, scenario, name, folder):
    began = time.monotonic()
    say(f"{scenario}: {name} ...")
    found = measure(scenario, GATEWAYS[name], wish.programs, folder, QUICK if wish.quick else Scale(), wish.keep)
    words = ", ".join(f"{row} {figures.number(figure, 2)}" for row, figure in found.items())
    say(f"{scenario}: {name}: {words} ({time.monotonic() - began:.0f} s, load average {os.getloadavg()[0]:.1f})")
    return found


def report(wish, results):
    known = facts(wish)
    print(f"{known['date']}, {known['machine']}. " + ", ".join(f"{k} {v}" for k, v in known["versions"].items()))
    print(f"`{known['command']}`\n")
    print(figures.table(results, [name for name in GATEWAYS if any(name in found for found in results.values())]), end="")
    for row, gateway, times in figures.behind(results):
        print(f"\nbehind: {row.asks}: {gateway} is {1 / times if times else float('inf'):.2f} times better")


def call_off(*_):
    """Once: what was started is then ended in order, and a second Ctrl-C would leave some of it behind."""
    for number in processes.STOPPED_BY:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def main():
    wish = options(sys.argv[1:])
    wish.programs = wish.programs.resolve()
    for number in processes.STOPPED_BY:
        signal.signal(number, call_off)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="bench-peers-"))
    keep = wish.keep
    try:
        if not wish.no_install and any(GATEWAYS[g].package for g in chosen(wish)[1]):
            install.install_missing()
        processes.adopt_orphans()  # now: what an installation that was called off leaves is dpkg's to end
        scenarios, gateways = chosen(wish)
        results = read_results(wish.json)
        wrong = measure_all(wish, scenarios, gateways, folder, results)
        report(wish, results)
        keep = keep or bool(wrong)
        for line in wrong:
            say(f"not measured: {line}")
        return 1 if wrong else 0
    except install.InstallError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        try:
            processes.end_children()
        except processes.ProcessError as error:
            say(str(error))
            return 1
        say("called off; everything that was started has been ended")
        return EXIT_CALLED_OFF
    finally:
        if keep:
            say(f"kept: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
