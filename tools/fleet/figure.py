"""One measured figure with its bound, and the table of them."""

import dataclasses
import json
import os
import time


@dataclasses.dataclass(frozen=True)
class Figure:
    """`bound`: the most it may be, or with `at_least` the least; None: it has none. `note`: what else explains it."""
    what: str
    seen: float
    unit: str
    bound: float | None = None
    at_least: bool = False
    note: str = ""

    def is_met(self):
        """None where it has no bound."""
        if self.bound is None:
            return None
        return self.seen >= self.bound if self.at_least else self.seen <= self.bound

    def verdict(self):
        return {None: "", True: "met", False: "not met"}[self.is_met()]

    def bound_in_words(self):
        return "" if self.bound is None else f"{'>=' if self.at_least else '<='} {number(self.bound)} {self.unit}"


def number(value):
    """Three digits that count."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def table(figures):
    """Lines: what, bound, seen, met or not, note."""
    rows = [("what", "bound", "seen", "", "")]
    rows += [(f.what, f.bound_in_words(), f"{number(f.seen)} {f.unit}", f.verdict(), f.note) for f in figures]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return [("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[4]])).rstrip() for row in rows]


def write_json(path, figures):
    facts = {"at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "processors": os.cpu_count(), "load_average": os.getloadavg()[0],
             "figures": [{**dataclasses.asdict(f), "met": f.is_met()} for f in figures]}
    path.write_text(json.dumps(facts, indent=1) + "\n")
