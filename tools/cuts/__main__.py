"""Cuts the power of a working service at thousands of moments, and looks at what each disk then says.

  tools/powercut [--cuts N] [--messages N] [--seed S] [--keep FOLDER]
  tools/powercut --record FOLDER [--messages N]         only records, for later
  tools/powercut --replay FOLDER|FILE.tar.xz [--cuts N] [--seed S]    no root needed

One run of smsrackd with eight simulated modems on an ext4 disk whose every write and flush is recorded (QEMU's storage daemon). Then, for each cut: the
disk as it may be after that moment - all that was flushed, and each later sector by chance -, its file system repaired, the database brought to
this version and checked (`smsrack db check`), and looked for every message that had been accepted, every one that the network had (it must not be
queued any more), and every received one that a client had heard of. At the end the last flushes are ignored: a loss must be found then, with everything else whole, or this proof
proves nothing.

Exit code: 0 nothing lost, no integrity error, and the check finds a loss where there is one; 1 otherwise; 69 this machine can't record.
"""

import argparse
import collections
import contextlib
import pathlib
import random
import subprocess
import sys
import tempfile

from appliance.disk import partition
from lab.peers.processes import ProcessError, adopt_orphans

from . import image as image_file, judge, recorder, stretches, work, write_log

SHOWN = 5
IGNORED = 12  # flushes that a bad drive did nothing for: what was accepted meanwhile may be gone, on a file system that is whole


class Replay:
    """Judges cuts of one record. Each job works through a stretch of them in order, since a disk only goes forward."""

    def __init__(self, programs, folder, scratch):
        self.programs, self.folder, self.scratch = programs, pathlib.Path(folder), pathlib.Path(scratch)
        self.entries = write_log.read(self.folder / "writes.log")
        self.facts = [(write_log.entries_before(self.entries, fact.size), fact) for fact in work.read_facts(self.folder / "facts.jsonl")]

    def stretch(self, moments, seed, ignored):
        """[(moment, verdict)]"""
        disk = write_log.Disk(self.folder / "base.img", self.folder / "writes.log", self.entries)
        return [(at, self._look(disk, at, seed, ignored)) for at in moments]

    def _look(self, disk, at, seed, ignored):
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            image = pathlib.Path(folder) / "cut.img"
            image_file.write_sparse(image, disk.cut(at, random.Random(f"{seed} {at}"), ignored))
            known = [fact for entry, fact in self.facts if entry <= at]
            return judge.judge(self.programs, image, folder, known)


def judge_all(replay, moments, seed, ignored, name):
    """[(moment, verdict)], with progress."""
    def say(done):
        print(f"tools/powercut: {name}: {done} of {len(moments)}", file=sys.stderr, flush=True)

    return stretches.look_at_all(replay.stretch, moments, (seed, ignored), say)


def story(seed, at, verdict):
    kinds = collections.Counter(fact.kind for fact in verdict.lost)
    lost = ", ".join(f"{count} {kind} and not there" for kind, count in sorted(kinds.items()))
    return f"  seed {seed}, entry {at}: " + "; ".join([*([lost] if lost else []), *verdict.broken])


def tell(seed, replay, cuts, ignoring):
    """Prints the result; the exit code."""
    lost = sum(len(verdict.lost) for _, verdict in cuts)
    broken = sum(bool(verdict.broken) for _, verdict in cuts)
    found = sum(bool(verdict.lost) and not verdict.broken for _, verdict in ignoring)
    kinds = collections.Counter(fact.kind for _, fact in replay.facts)
    flushes = sum(bool(entry.flags & write_log.FLUSH) for entry in replay.entries)
    print(f"recorded: {len(replay.entries)} writes and flushes ({flushes}); {kinds['accepted']} messages accepted, {kinds['sent']} at the network, "
          f"{kinds['received']} received")
    for at, verdict in [cut for cut in cuts if cut[1].lost or cut[1].broken][:SHOWN]:
        print(story(seed, at, verdict))
    print(f"{len(cuts)} cuts: {lost} facts lost, {broken} integrity errors")
    print(f"{IGNORED} flushes ignored: messages missing, and nothing else wrong, in {found} of {len(ignoring)} cuts")
    return 0 if lost == 0 and broken == 0 and found > 0 else 1


def record(programs, folder, messages):
    print(f"tools/powercut: recording: {messages} messages out, {messages // 4} in", file=sys.stderr, flush=True)
    recorded = recorder.RecordedDisk(folder, partition("data")["mib"])    # as in an image, before it grows
    with recorder.mounted([recorded], folder / "qemu-storage-daemon.log"):
        facts = work.do(programs, folder, recorded, recorded.place / judge.STATE, messages)
    facts.write(folder / "facts.jsonl")
    for name in ("disk.img", "export.img"):
        (folder / name).unlink()


def unpacked(path, scratch):
    """A record is a folder, or that folder packed."""
    if path.is_dir():
        return path
    # Not tarfile: the one of Debian 12 can't yet refuse what would be written elsewhere.
    done = subprocess.run(["tar", "--force-local", "--no-same-owner", "-xf", path, "-C", scratch], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise write_log.NoRecord(done.stderr.strip())
    return pathlib.Path(scratch)


def options():
    parser = argparse.ArgumentParser(prog="tools/powercut", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--cuts", type=int, default=2000, help="moments to cut at (2000)")
    parser.add_argument("--ignoring", type=int, default=60, help="cuts of a disk that ignores flushes (60)")
    parser.add_argument("--messages", type=int, default=400, help="to record (400)")
    parser.add_argument("--seed", type=int, default=1, help="of moments and sectors (1)")
    parser.add_argument("--keep", type=pathlib.Path, help="keeps the record there")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--record", type=pathlib.Path, metavar="FOLDER")
    what.add_argument("--replay", type=pathlib.Path, metavar="FOLDER|FILE")
    return parser.parse_args()


def run(args):
    with contextlib.ExitStack() as undo:
        scratch = pathlib.Path(undo.enter_context(tempfile.TemporaryDirectory(prefix="smsrack-powercut-")))
        if args.replay:
            (scratch / "record").mkdir()
            folder = unpacked(args.replay, scratch / "record")
        else:
            folder = args.record or args.keep or scratch / "record"
            folder.mkdir(parents=True)
            record(args.programs, folder.resolve(), args.messages)
            if args.record:
                return 0
        replay = Replay(args.programs, folder, scratch)
        cuts = judge_all(replay, write_log.moments(replay.entries, args.cuts, args.seed), args.seed, 0, "cuts")
        ignoring = judge_all(replay, write_log.moments(replay.entries, args.ignoring, args.seed, len(replay.entries) // 2), args.seed, IGNORED,
                             "flushes ignored")
        return tell(args.seed, replay, cuts, ignoring)


def main():
    args = options()
    if min(args.cuts, args.ignoring, args.messages) < 1:
        print("tools/powercut: --cuts, --ignoring and --messages want 1 or more", file=sys.stderr)
        return 64
    adopt_orphans()
    try:
        return run(args)
    except FileExistsError as problem:
        print(f"tools/powercut: {problem.filename} is there already; a record wants a new folder", file=sys.stderr)
        return 64
    except (write_log.NoRecord, FileNotFoundError) as problem:
        print(f"tools/powercut: {problem}", file=sys.stderr)
        return 65
    except (recorder.CantRecord, ProcessError) as problem:
        print(f"tools/powercut: {problem}. Recording wants root, FUSE and loop devices; --replay does not.", file=sys.stderr)
        return 69


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
