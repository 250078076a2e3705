"""Starts a fleet on the loopback of this machine.

  tools/fleet-rig                  three boxes and their engine, until Ctrl-C; it says how to look
  tools/fleet-rig --engine-only    the engine alone
  tools/fleet-rig --once           what a fleet promises, tried: a table, and the end. With --engine-only: what its engine promises
  tools/fleet-rig --promises       further promises, tried: one ref or pair at several boxes at once, a box that freezes, a full disk
  tools/fleet-rig --power-cut      the power of all boxes and of the whole engine is cut at once, at many moments of a record of their disks
  tools/fleet-rig --figures        what a fleet costs and how fast it is, in one run next to a single box: a table with the bound of each figure

No service of the packages is used. All is in one folder of /tmp, which is removed at the end, and kept after a failure. Every process that was
started is ended.

Exit code: 0 all held; 1 something did not (the reason is printed); 69 this machine can't cut the power of disks.
A figure that misses its bound counts only with --strict: machines are noisy.
"""

import argparse
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from cuts.recorder import CantRecord
from lab.peers.processes import STOPPED_BY, ProcessError, adopt_orphans, end_children

from . import engine_trial, figures, guard, once, power_cut, promises, small_disk
from .boxes import Boxes
from .engine import Engine


def say(words):
    print(f"fleet-rig: {words}", file=sys.stderr, flush=True)


def options():
    parser = argparse.ArgumentParser(prog="tools/fleet-rig", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--engine-only", action="store_true", help="without boxes")
    parser.add_argument("--once", action="store_true", help="tries what is promised, and ends")
    parser.add_argument("--promises", nargs="*", choices=list(promises.TRIALS), metavar="TRIAL",
                        help=f"tries further promises, and ends: all, or some of {', '.join(promises.TRIALS)}")
    parser.add_argument("--figures", nargs="*", choices=list(figures.PARTS), metavar="PART",
                        help=f"measures, and ends: all, or some of {', '.join(figures.PARTS)}")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="of --figures: writes them there, too")
    parser.add_argument("--strict", action="store_true", help="of --figures: code 1 where one misses its bound")
    parser.add_argument("--keep", action="store_true", help="keeps the folder, with the logs")
    parser.add_argument("--messages", type=int, default=3000, help="of --once (3000)")
    parser.add_argument("--power-cut", action="store_true", help="cuts the power of everything, and ends")
    parser.add_argument("--cuts", type=int, default=60, help="of --power-cut: moments at which each database recovers alone (60)")
    parser.add_argument("--ignoring", type=int, default=6, help="of --power-cut: such moments of drives that ignore flushes (6)")
    parser.add_argument("--whole", type=int, default=3, help="of --power-cut: moments after which the whole fleet starts again (3)")
    parser.add_argument("--seconds", type=int, default=60, help="of --power-cut: to record (60)")
    parser.add_argument("--seed", type=int, default=1, help="of --power-cut: of moments and sectors (1)")
    parser.add_argument("--without-fsync", action="store_true", help="of --power-cut: the engine does not flush its files, so messages must be missing")
    args = parser.parse_args()
    if sum((args.promises is not None, args.figures is not None, args.power_cut, args.engine_only or args.once)) > 1:
        parser.error("--promises, --figures and --power-cut are options of their own, without --once and --engine-only")
    if args.figures is None and (args.json or args.strict):
        parser.error("--json and --strict are options of --figures")
    if args.without_fsync and not args.power_cut:
        parser.error("--without-fsync is an option of --power-cut")
    if min(args.cuts, args.ignoring, args.whole, args.seconds) < 1:
        parser.error("--cuts, --ignoring, --whole and --seconds want 1 or more")
    return args


def how_to_look(engine, boxes, programs):
    node = engine.nodes[0]
    print(f"""It runs. Ctrl-C ends it.
  state of the engine  patronictl -c {node.folder}/patroni.yml list
  SQL, as a box        psql '{engine.conninfo("box", "box-1")}'
  SQL, as the owner    psql '{engine.conninfo("owner", "owner")}'
  configuration        {engine.folder}/engine-*/patroni.yml, etcd.env
  logs                 {engine.folder}/*/*.log""")
    for box in boxes:
        print(f"  {box.name}                {programs}/smsrack --socket {box.socket} cluster boxes")
    if boxes:
        print(f"  configuration        {engine.folder}/box-*/smsrack.toml")
    sys.stdout.flush()


def stay(engine, boxes, programs):
    how_to_look(engine, boxes, programs)
    while True:
        time.sleep(60)
        engine.tend()


def run(args, folder):
    with Engine(folder, say) as engine:
        if args.engine_only:
            return engine_trial.run(engine, say) if args.once else stay(engine, [], args.programs)
        if args.figures is not None:
            return figures.run(engine, folder, args, say)
        with Boxes(folder, engine, args.programs.resolve(), say, promises.MORE if args.promises is not None else "") as boxes:
            if args.promises is not None:
                return promises.run(engine, boxes, args.promises, say)
            if args.power_cut:
                return power_cut.run(engine, boxes, args, say)
            return once.run(engine, boxes, args.messages, say) if args.once else stay(engine, boxes.all, args.programs.resolve())


def main():
    args = options()
    for number in STOPPED_BY:
        signal.signal(number, lambda *_: sys.exit(130))
    adopt_orphans()
    if args.promises is not None or args.power_cut:
        small_disk.own_mounts()
    if args.power_cut and not small_disk.has_own_mounts():
        say("disks can't be mounted here; root may, where the kernel allows it")
        return 69
    folder = pathlib.Path(tempfile.mkdtemp(prefix="smsrack-fleet-"))
    folder.chmod(0o711)    # the engine's account finds its own below
    say(f"everything is in {folder}")
    guard.watch(folder)
    code = 1
    try:
        code = run(args, folder)
    except (CantRecord, ProcessError, OSError, subprocess.SubprocessError) as problem:
        say(f"failed: {problem}")
    except SystemExit as ended:
        code = ended.code
    finally:
        for number in STOPPED_BY:
            signal.signal(number, signal.SIG_IGN)    # the second Ctrl-C must not leave half of it
        end_children()
        if code == 1 or args.keep:
            say(f"kept: {folder}")
        else:
            small_disk.unmount(folder)
            shutil.rmtree(folder, ignore_errors=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
