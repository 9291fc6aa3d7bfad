"""Results as a table for people, as JSON, and as the tables of the documentation. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bench.rounds import Result, from_plain

BASES = {
    "cpu": "processor",
    "own": "processor",
    "wall": "wall",
    "rss": "memory",
    "tally": "count",
}
HEADER = ("what", "by", "median", "quartiles", "of minima", "rounds", "target", "met")
#: Columns of numbers stand to the right.
NUMBERS = {"median", "quartiles", "of minima", "rounds", "target"}


def cells(result: Result) -> tuple[str, ...]:
    """One row of a table."""
    figure, found = result.figure, result.spread
    is_count = figure.basis == "tally" and figure.unit not in ("P", "×")

    def number(value: float) -> str:
        return f"{value:.0f}" if is_count else f"{value:.2f}"

    rounds = f"{found.rounds}/{found.of}" + ("" if found.gated else " (not gated)")
    once = found.of == 1
    return (
        figure.name,
        BASES[figure.basis],
        f"{number(found.median)} {figure.unit}",
        "" if once else f"{number(found.low)} – {number(found.high)}",
        number(found.best) if figure.basis == "wall" else "",
        "" if once else rounds,
        target(result),
        result.met,
    )


def target(result: Result) -> str:
    at_most, at_least = result.figure.at_most, result.figure.at_least
    if at_most is not None:
        return f"≤ {at_most:g}"
    return f"≥ {at_least:g}" if at_least is not None else ""


def by_group(results: Sequence[Result]) -> dict[str, list[Result]]:
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(result.group, []).append(result)
    return found


def text(results: Sequence[Result], titles: Mapping[str, str]) -> str:
    """For a terminal."""
    lines = []
    for group, members in by_group(results).items():
        rows = [HEADER, *(cells(result) for result in members)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(HEADER))]
        lines.append(titles.get(group, group))
        for row in rows:
            shown = (
                word.rjust(width) if name in NUMBERS else word.ljust(width)
                for name, word, width in zip(HEADER, row, widths, strict=True)
            )
            lines.append("  " + "  ".join(shown).rstrip())
        lines.append("")
    return "\n".join(lines)


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """A table; its first row is the header."""
    ruler = ["---:" if name in NUMBERS else "---" for name in rows[0]]
    shown = [rows[0], ruler, *([word.replace("|", "\\|") for word in row] for row in rows[1:])]
    return "\n".join(f"| {' | '.join(row)} |" for row in shown)


def summary(results: Sequence[Result], titles: Mapping[str, str]) -> str:
    """Every target, and whether it is met; what is not met comes first in its group."""
    rows: list[Sequence[str]] = [("group", *HEADER[:3], "target", "met")]
    for group, members in by_group(results).items():
        judged = [result for result in members if result.met]
        for result in sorted(judged, key=lambda result: result.met != "no"):
            name, basis, median, _, _, _, limit, met = cells(result)
            rows.append((titles.get(group, group), name, basis, median, limit, _loud(met)))
    return markdown(rows)


def table(results: Sequence[Result]) -> str:
    """One group in full."""
    rows = [cells(result) for result in results]
    return markdown([HEADER, *((*row[:-1], _loud(row[-1])) for row in rows)])


def _loud(met: str) -> str:
    return f"**{met}**" if met == "no" else met


def document(results: Sequence[Result], about: Mapping[str, Any]) -> dict[str, Any]:
    """Everything, for JSON."""
    return {**about, "results": [result.plain() for result in results]}


def read(document: Mapping[str, Any]) -> list[Result]:
    return [from_plain(record) for record in document["results"]]


def machine(about: Mapping[str, Any]) -> str:
    """One sentence on what it was measured with."""
    return (
        f"clawwrap {about['clawwrap']}, CPython {about['python']}, {about['system']}, "
        f"{about['processors']} processors, load {about['load'][0]} before and "
        f"{about['load'][1]} after, {about['seconds']} s."
    )


def replace(page: str, name: str, content: str) -> str:
    """The page with what stands between the two marks of `name` replaced."""
    start, end = f"<!-- bench:{name} -->", f"<!-- end of bench:{name} -->"
    pattern = re.compile(re.escape(start) + ".*?" + re.escape(end), re.DOTALL)
    if not pattern.search(page):
        raise ValueError(f"the page has no place for {name!r}: {start} … {end}")
    return pattern.sub(lambda _: f"{start}\n{content}\n{end}", page)
