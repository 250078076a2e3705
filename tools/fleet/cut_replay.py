"""Many cuts of one record of a fleet: every database recovers alone from its disk, and its rows are compared with what was known."""

import dataclasses
import pathlib
import tempfile

from cuts import image

from . import box_after_cut, cut_judge, fleet_disks, node_after_cut
from .account import Account
from .cut_facts import Facts
from .rebuilt_disks import RebuiltDisks


@dataclasses.dataclass
class Replay:
    """`of_nodes`, `of_boxes`: names of the nodes and boxes, by their disk."""
    programs: pathlib.Path
    account: Account
    disks: list
    records: list
    of_nodes: dict
    of_boxes: dict
    facts: Facts
    scratch: pathlib.Path

    def stretch(self, moments, seed, ignored):
        """[(moment, verdict)]"""
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            rebuilt = RebuiltDisks(self.disks, self.records, pathlib.Path(folder), {*self.of_nodes, *self.of_boxes})
            return [(moment, self._look(rebuilt, moment, seed, ignored)) for moment in moments]

    def _look(self, rebuilt, moment, seed, ignored):
        nodes, boxes = {}, {}
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            folder = pathlib.Path(folder)
            folder.chmod(0o711)
            for disk, file, broken in rebuilt.images(moment, seed, ignored, folder):
                if disk.name in self.of_nodes:
                    nodes[self.of_nodes[disk.name]] = self._database(disk, file, broken, self._node)
                else:
                    boxes[self.of_boxes[disk.name]] = self._database(disk, file, broken, self._box)
        return cut_judge.judge(self.facts, moment.when, nodes, boxes)

    def _database(self, disk, file, broken, recovered):
        place = file.with_suffix("")
        place.mkdir()
        with image.mounted(file, place):
            found = recovered(place / disk.folder.name, place)
        found.broken = [*broken, *found.broken]
        file.unlink()
        return found

    def _node(self, data, place):
        scratch = place.with_suffix(".rows")
        scratch.mkdir()
        self.account.own(scratch)
        return node_after_cut.recovered(data, self.account, scratch)

    def _box(self, state, _place):
        return box_after_cut.recovered(self.programs, state)


def of_fleet(engine, boxes, disks, records, facts, scratch):
    of_nodes = {fleet_disks.of_node(node)["data"].name: node.name for node in engine.nodes}
    of_boxes = {fleet_disks.of_box(box).name: box.name for box in boxes.all}
    return Replay(boxes.programs, engine.account, disks, records, of_nodes, of_boxes, facts, scratch)
