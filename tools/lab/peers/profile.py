"""Instructions of smsrackd for each message, counted by callgrind while one of three things is done, and by nothing else.

  tools/profile [--messages N] [--top N] [--keep FOLDER] [intake|submit|inbound ...]

intake    each message alone by POST, on one connection, while the rack is paused
submit    what was so accepted goes out by 8 modems: octets and the network take no time
inbound   messages come in to the 8 modems, one after the other, until they are in the inbox

Instructions of the kernel are not counted: what a message costs there tells `smsrack-bench` in CPU time.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from .gateway import Context
from .processes import adopt_orphans
from .simulator import Simulator
from .smsrack import Smsrack

MODEMS = 8
TEXT = "Forty characters of the GSM alphabet now"
LIMIT_S = 600  # under callgrind all is 50 times slower
COST = re.compile(r"^\s*([\d,]+) \([ \d.]+%\)\s+(\S+?):(.+?)(?: \[([^\]]*)\])?$")
OURS = re.compile(r"(?:^|/)((?:src|drivers|hw)/\w+|db|firmware-host(?:/net)?)/[^/]+$")


class Counted(Smsrack):
    """smsrackd under callgrind; nothing is counted until it is ordered to."""

    def commands(self):
        program, _ = super().commands()[0]
        return [(["valgrind", "--tool=callgrind", "--instr-atstart=no", "--combine-dumps=no",
                  f"--callgrind-out-file={self.folder}/callgrind.%p", *program], {})]

    def control(self, *words):
        subprocess.run(["callgrind_control", *words, str(self.running[0].process.pid)], check=True, capture_output=True)

    def get(self, target):
        return json.loads(self._request("GET", target)[1])

    def post(self, target, body="{}"):
        status, answer = self._request("POST", target, body, {"Content-Type": "application/json"})
        if status not in (200, 202, 204):
            raise RuntimeError(f"{target}: {status} {answer[:200]}")


def wait(rack, condition):
    deadline = time.monotonic() + LIMIT_S
    while not condition():
        rack.check_alive()
        if time.monotonic() > deadline:
            raise TimeoutError(f"not done after {LIMIT_S} s")
        time.sleep(1)  # each look is counted too


def messages(count):
    return [(f"+336{n:08}", TEXT) for n in range(count)]


def do_intake(rack, _, count):
    rack.post("/v1/pause")
    yield
    rack.hand_in(messages(count))


def do_submit(rack, modems, count):
    rack.post("/v1/pause")
    rack.hand_in_many(messages(count))
    yield
    rack.post("/v1/resume")
    wait(rack, lambda: len(modems.journal.update().submits) >= count)


def do_inbound(rack, modems, count):
    rack.listen()
    yield
    for n in range(count):
        modems.order(do="inbound", modem=n % MODEMS, **{"from": f"+337{n:08}", "text": f"Reply {n}: {TEXT}"})
        wait_heard(rack, n)


def wait_heard(rack, number):
    deadline = time.monotonic() + LIMIT_S
    while number not in rack.heard:
        rack.check_alive()
        if time.monotonic() > deadline:
            raise TimeoutError(f"message {number} did not come in")
        time.sleep(0.01)


WORK = {"intake": do_intake, "submit": do_submit, "inbound": do_inbound}


def count_instructions(programs, folder, work, count):
    """Writes the profile; its file."""
    modems = Simulator(programs, folder / "modems", MODEMS, 0, baud=0)
    modems.start()
    rack = None
    try:
        rack = Counted(Context(programs=programs, folder=folder / "smsrack", ports=modems.ports))
        rack.start()
        wait(rack, lambda: all(m["link"] == "active" for m in rack.get("/v1/modems")["modems"]))
        doing = WORK[work](rack, modems, count)
        next(doing)
        rack.control("--instr=on")
        next(doing, None)
        rack.control("--dump")
        rack.control("--instr=off")
    finally:
        if rack is not None:
            rack.stop()
        modems.stop()
    return max((folder / "smsrack").glob("callgrind.*.1"))


def costs(profile):
    """[(instructions, file, function, library)], all."""
    run = subprocess.run(["callgrind_annotate", "--auto=no", "--threshold=100", "--show-percs=yes", str(profile)], check=True, capture_output=True,
                         text=True)
    return parse(run.stdout)


def parse(text):
    found = (COST.match(line) for line in text.splitlines())
    rows = ((int(m[1].replace(",", "")), m[2], m[3], m[4] or "") for m in found if m)
    return [row for row in rows if row[2] != "PROGRAM TOTALS"]


def part_of(file, library):
    """A module of ours, or a library. What a header of a library has us do is the library's."""
    ours = OURS.search(file)
    if ours:
        return ours[1]
    name = pathlib.Path(library or file).name
    return "headers (C++, boost, fmt)" if name == "smsrackd" or file.endswith((".h", ".hpp", ".tcc")) or "/c++/" in file else name


def table(rows, count, top):
    total = sum(row[0] for row in rows)
    parts, functions = collections.Counter(), collections.Counter()
    for cost, file, function, library in rows:
        parts[part_of(file, library)] += cost
        functions[f"{function[:90]}  ({part_of(file, library)})"] += cost
    yield f"  {total / count:>12,.0f}  instructions a message"
    for title, counter in (("by part", parts), ("by function", functions)):
        yield f"  {title}"
        for name, cost in counter.most_common(top):
            yield f"  {cost / count:>12,.0f}  {100 * cost / total:4.1f} %  {name}"


def main():
    parser = argparse.ArgumentParser(prog="tools/profile", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--messages", type=int, default=400, help="for each (400)")
    parser.add_argument("--top", type=int, default=20, help="lines of each table (20)")
    parser.add_argument("--keep", type=pathlib.Path, help="keeps callgrind's files there, for kcachegrind")
    parser.add_argument("work", nargs="*", metavar="WORK", help=", ".join(WORK))
    args = parser.parse_args()
    unknown = set(args.work) - set(WORK)
    if unknown or args.messages < 1:
        print("tools/profile: " + (f"no work {', '.join(sorted(unknown))}; there are: {', '.join(WORK)}" if unknown else "--messages wants 1 or more"),
              file=sys.stderr)
        return 64
    there = [folder for folder in (args.keep / work for work in args.work or WORK) if folder.exists()] if args.keep else []
    if there:
        print(f"tools/profile: {there[0]} is there already; --keep wants a folder that has none of it", file=sys.stderr)
        return 64
    adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="smsrack-profile-") as scratch:
        folder = args.keep or pathlib.Path(scratch)
        for work in args.work or WORK:
            print(f"tools/profile: {work}, {args.messages} messages", file=sys.stderr)
            profile = count_instructions(args.programs, folder.resolve() / work, work, args.messages)
            print(work)
            print("\n".join(table(costs(profile), args.messages, args.top)), flush=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
