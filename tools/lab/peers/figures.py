"""Percentiles, ratios, and the table of results."""

import dataclasses
import math


def percentile(values, p):
    """The smallest of `values` that at least `p` % of them do not exceed (nearest rank); None of none."""
    if not values:
        return None
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * p / 100) - 1)]


def mean(values):
    return sum(values) / len(values) if values else None


def median(values):
    """The middle one of those that are figures (the lower of two); None where there is none."""
    return percentile([v for v in values if v is not None], 50)


@dataclasses.dataclass(frozen=True)
class Row:
    """One line of the table: what is measured, where it comes from, and which way is better."""
    name: str
    asks: str
    scenario: str
    unit: str
    more_is_better: bool = False
    decimals: int = 1


ROWS = (
    Row("one-modem", "1 modem, 0.5 s service: rate", "one", "messages/s", True, 2),
    Row("eight-modems", "8 modems, 0.5 s service: rate", "eight", "messages/s", True, 2),
    Row("idle-gap", "idle gap of a modem between two messages, median", "eight", "ms"),
    Row("cpu", "CPU for 1,000 messages, each handed in alone", "eight", "s", False, 2),
    Row("ceiling", "8 modems, zero service time: rate", "ceiling", "messages/s", True),
    Row("poisson", "Poisson load of 3.86/s on 8 modems, 0.5 s service: mean time in system", "poisson", "ms", False, 0),
    Row("poisson-p99", "the same: p99", "poisson", "ms", False, 0),
    Row("memory", "PSS with 8 modems, at rest after messages", "poisson", "MiB"),
    Row("inbound", "received message until its program can have it, median", "inbound", "ms", False, 0),
    Row("inbound-max", "the same: longest", "inbound", "ms", False, 0),
    Row("kill-lost", "kill -9 while sending (five in 400; --quick: two in 160): accepted and never at the network", "kill", "messages", False, 0),
    Row("kill-twice", "kill -9 while sending: sent again", "kill", "messages", False, 0),
    Row("hung", "1 of 8 modems hangs, 0.5 s service: rate of the others", "hung", "messages/s", True, 2),
    Row("hung-lost", "1 of 8 hangs: accepted and not at the network 400 s later, or when no more came", "hung", "messages", False, 0),
    Row("hung-twice", "1 of 8 hangs: sent again", "hung", "messages", False, 0),
)


def ratio(row, ours, theirs):
    """How many times better ours is: above 1 is ahead. None where one was not measured; infinite where ours is perfect and theirs is not."""
    if ours is None or theirs is None:
        return None
    better, worse = (ours, theirs) if row.more_is_better else (theirs, ours)
    if worse == 0:
        return 1.0 if better == 0 else math.inf
    return better / worse


def number(value, decimals):
    return "-" if value is None else f"{value:,.{decimals}f}"


def cell(row, ours, theirs):
    """A peer's figure, and in brackets how many times better smsrack's is."""
    text, times = number(theirs, row.decimals), ratio(row, ours, theirs)
    if times is None or (row.unit == "messages" and times in (1.0, math.inf)):
        return text
    return f"{text} ({number(times, 2 if times < 10 else 0)})"


def table(results, gateways, ours="smsrack"):
    """Markdown. `results`: {row name: {gateway: figure}}; rows without a figure are left out."""
    names = [ours] + [g for g in gateways if g != ours]
    lines = ["| what | unit | " + " | ".join(names) + " |", "| --- | --- |" + " ---: |" * len(names)]
    for row in ROWS:
        found = results.get(row.name, {})
        if any(found.get(g) is not None for g in names):
            mine = found.get(ours)
            cells = [number(mine, row.decimals)] + [cell(row, mine, found.get(g)) for g in names[1:]]
            lines.append(f"| {row.asks} | {row.unit} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def behind(results, ours="smsrack"):
    """[(row, gateway, ratio)] where a peer is better than we are."""
    found = []
    for row in ROWS:
        figures = results.get(row.name, {})
        for gateway, theirs in figures.items():
            times = ratio(row, figures.get(ours), theirs) if gateway != ours else None
            if times is not None and times < 1:
                found.append((row, gateway, times))
    return found
