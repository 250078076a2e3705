"""The power of a whole fleet is cut: the engine's three machines and the boxes, at one moment, by a record of all that they wrote to their disks.

The fleet works on recorded disks once. Then, at many moments, each database recovers alone, and its rows are compared with what clients and modems had
heard (cut_replay). At some moments the whole fleet starts again on its disks and continues (whole_cut).
"""

import collections
import pathlib
import random
import sys
import tempfile

from cuts import stretches, write_log
from lab.peers.processes import ProcessError

from . import cut_replay, cut_work, fleet_disks, sql, whole_cut
from .rebuilt_disks import RebuiltDisks

WHOLE_S = 120
SHOWN = 5
IGNORED = 40    # flushes that bad drives did nothing for, each of its own: half a second
SEEN_AT = {"a box": "box", "the primary": "primary", "the best standby": "best standby"}    # must miss messages then; as a verdict begins
FIRST = 0.1     # of the moments: before, little was accepted


def without_fsync(engine):
    """So that this proof can be seen to fail."""
    engine.nodes[0].ask("/config", "PATCH", {"postgresql": {"parameters": {"fsync": "off"}}})
    for node in engine.nodes:
        engine.wait("fsync = off", lambda: sql.run(engine.local(node), "SHOW fsync", account=engine.account) == "off")


def record(engine, boxes, asked, folder, say):
    """The disks, their records, and the facts."""
    disks = fleet_disks.of_fleet(engine, boxes)
    if asked.without_fsync:
        without_fsync(engine)
    for box in boxes.all:
        box.stop()
    engine.end()
    say(f"{len(disks)} recorded disks")
    with fleet_disks.recorded(disks, folder) as records:
        try:
            for node in engine.nodes:
                node.start()
            engine.wait("the engine on recorded disks", engine.is_whole, WHOLE_S)
            boxes.start()
            say(f"recording for {asked.seconds} s")
            facts = cut_work.do(engine, boxes, records, asked.seconds, asked.seed, say)
        finally:
            whole_cut.stop(engine, boxes)
    for disk in records:
        disk.disk.unlink()
    return disks, records, facts


def chosen(moments, count, chance):
    """This many of them, in order; one may come twice, with other sectors lost."""
    late = moments[int(FIRST * len(moments)):]
    if not late:
        raise ProcessError("the disks never rested, so there is no moment to cut at")
    return sorted((chance.choice(late) for _ in range(count)), key=lambda moment: moment.when)


def whole_cuts(engine, boxes, disks, records, facts, moments, seed, folder, say):
    settled = folder / "settled"
    settled.mkdir()
    rebuilt, found = RebuiltDisks(disks, records, settled), []
    for number, moment in enumerate(moments):
        with tempfile.TemporaryDirectory(dir=folder) as place:
            made = rebuilt.images(moment, f"{seed} whole", 0, pathlib.Path(place))
            broken = [problem for _, _, problems in made for problem in problems]
            # The second time, and each second one, another node must have all.
            away = facts.primary if number % 2 else None
            cut = whole_cut.WholeCut(engine, boxes, disks, facts, number, away).run([file for _, file, _ in made], moment)
            cut.faults += broken
            found.append(cut)
        say(f"whole cut {number + 1} of {len(moments)}: {sentence(cut)}")
    return found


def sentence(cut):
    return (f"{cut.known} messages known, {cut.before} of them given to a modem; the engine whole "
            f"{f'without {cut.away} ' if cut.away else ''}after {cut.whole_s:.0f} s; then {cut.after} sent, "
            f"{cut.uncertain} shown as uncertain" + "".join(f"; {fault}" for fault in cut.faults))


def summary(records, facts):
    entries = [entry for disk in records for entry in write_log.read(disk.record)]
    flushes = sum(bool(entry.flags & write_log.FLUSH) for entry in entries)
    kept = collections.Counter(fact.kept for fact in facts.heard)
    return (f"recorded: {len(entries)} writes and flushes ({flushes}) of {len(records)} disks; accepted "
            f"{', '.join(f'{count} {word}' for word, count in sorted(kept.items()))}; {len(facts.begun)} given to modems; {len(facts.moments)} moments")


def count(cuts):
    return (f"{sum(len(verdict.lost) for _, verdict in cuts)} lost, {sum(len(verdict.again) for _, verdict in cuts)} begun that may begin again, "
            f"{sum(len(verdict.broken) for _, verdict in cuts)} damaged")


def stories(facts, cuts):
    for moment, verdict in [cut for cut in cuts if not cut[1].is_good()][:SHOWN]:
        yield (f"fleet-rig: {moment.when - facts.moments[0].when:.3f} s: {len(verdict.lost)} lost {verdict.lost[:2]}, "
               f"{len(verdict.again)} may begin again {verdict.again[:2]}, damaged {verdict.broken[:2]}")


def run(engine, boxes, asked, say):
    """The exit code."""
    folder, chance = boxes.folder / "disks", random.Random(asked.seed)
    folder.mkdir(mode=0o711)
    disks, records, facts = record(engine, boxes, asked, folder, say)
    print(summary(records, facts), flush=True)
    replay = cut_replay.of_fleet(engine, boxes, disks, records, facts, folder)

    def looked_at(name, number, ignored):
        moments = chosen(facts.moments, number, chance)
        return stretches.look_at_all(replay.stretch, moments, (asked.seed, ignored), lambda done: say(f"{name}: {done} of {number}"))

    cuts = looked_at("cuts", asked.cuts, 0)
    print(f"{len(cuts)} cuts, each database recovered alone: {count(cuts)}", flush=True)
    ignoring = looked_at("flushes ignored", asked.ignoring, IGNORED)
    seen = {name: sum(any(fact.startswith(begin) for fact in verdict.lost) for _, verdict in ignoring) for name, begin in SEEN_AT.items()}
    print(f"{len(ignoring)} cuts of drives that ignored their last {IGNORED} flushes: messages missing at "
          + ", ".join(f"{name} in {number}" for name, number in seen.items()), flush=True)
    whole = whole_cuts(engine, boxes, disks, records, facts, chosen(facts.moments, asked.whole, chance), asked.seed, folder, say)
    print("\n".join(f"the whole fleet started again: {sentence(cut)}" for cut in whole))
    for story in stories(facts, cuts):
        print(story, file=sys.stderr)
    bad = sum(not verdict.is_good() for _, verdict in cuts), sum(bool(cut.faults) for cut in whole), sum(not number for number in seen.values())
    print(f"faults in {bad[0]} of {len(cuts)} cuts, in {bad[1]} of {len(whole)} starts of the whole fleet; losses not seen on bad drives at {bad[2]} of {len(seen)} places")
    return 1 if any(bad) else 0
