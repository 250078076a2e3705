"""What a fleet has after a cut, against what was known before it. Nothing that was acknowledged may be missing, nothing begun may begin again."""

import dataclasses

from .box_after_cut import BEGUN


@dataclasses.dataclass
class Verdict:
    """Sentences. `lost` and `again`: at a box or the engine; each names where."""
    lost: list
    again: list
    broken: list

    def is_good(self):
        return not (self.lost or self.again or self.broken)


def judge(facts, when, nodes, boxes):
    """`nodes` and `boxes`: what each has, by name. One standby must have all: the synchronous one, which alone may become the primary."""
    heard, begun = facts.before(when)
    verdict = Verdict([], [], [f"{name}: {problem}" for name, found in (nodes | boxes).items() for problem in found.broken])
    for name, box in boxes.items():
        verdict.lost += [f"{name}: {fact.to} accepted" for fact in heard if fact.box == name and fact.to not in box.states]
        verdict.again += [f"{name}: {fact.to} begun" for fact in begun if fact.box == name and box.states.get(fact.to) not in BEGUN]
    lacks = {name: of_engine(facts, heard, begun, node) for name, node in nodes.items()}
    primaries = [name for name, node in nodes.items() if node.was_primary]
    if len(primaries) != 1:
        verdict.broken.append(f"{len(primaries)} nodes were primaries")
    standbys = [lacks[name] for name in nodes if name not in primaries]
    for lost, again in [*(lacks[name] for name in primaries), *(best(standbys) if standbys else [])]:
        verdict.lost += lost
        verdict.again += again
    return verdict


def of_engine(facts, heard, begun, node):
    """What this node lacks: (lost, again). Of a message that was kept by its box alone it may know nothing."""
    name = "primary" if node.was_primary else "best standby"
    kept = ("cluster", "one_disk") if node.was_primary else ("cluster",)
    lost = [f"{name}: {fact.to} kept as {fact.kept}" for fact in heard if fact.kept in kept and fact.id not in node.places]
    ids = {fact.to: fact.id for fact in heard}
    again = []
    for fact in begun:
        place = node.places.get(ids.get(fact.to))
        if place and not place.ended and not (place.firm and place.holder == facts.numbers[fact.box]):
            again.append(f"{name}: {fact.to} begun by {fact.box}, and not firm there")
    return lost, again


def best(lacks):
    return [min(lacks, key=lambda lack: len(lack[0]) + len(lack[1]))]
