"""Results as a table for people, as JSON, and as the tables of the documentation. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bench.rounds import Result, from_plain
from bench.stats import Spread

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

    once = found.of == 1 and figure.basis in ("tally", "rss")  # not for want of time
    return (
        figure.name,
        BASES[figure.basis],
        f"{number(found.median)} {figure.unit}",
        "" if once else f"{number(found.low)} – {number(found.high)}",
        number(found.best) if figure.basis == "wall" else "",
        "" if once else _rounds(found),
        target(result),
        result.met,
    )


def _rounds(found: Spread) -> str:
    return f"{found.rounds}/{found.of}" + ("" if found.gated else " (not gated)")


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


def tables(members: Sequence[Result]) -> list[list[tuple[str, ...]]]:
    """The rows of one group, headers first; what is in the plot is a table of its own."""
    plain = [cells(result) for result in members if not result.figure.point]
    found = [[HEADER, *plain]] if plain else []
    points = {result.figure.point: result for result in members if result.figure.point}
    if points:
        names = dict.fromkeys(point[0] for point in points if point)
        places = sorted({point[1] for point in points if point})
        header = ("cost by wall time, a tool of", *(f"{place:g} ms" for place in places), "rounds")
        found.append([header, *(_across(name, places, points) for name in names)])
    return found


def _across(
    name: str, places: Sequence[float], points: Mapping[tuple[str, float], Result]
) -> tuple[str, ...]:
    """One row of the table of points: medians with their quartiles, and the fewest rounds."""
    row = [points.get((name, place)) for place in places]
    shown = (
        f"{one.spread.median:.2f} ({one.spread.low:.2f} – {one.spread.high:.2f})" if one else ""
        for one in row
    )
    fewest = min((one for one in row if one), key=lambda one: one.spread.rounds)
    return (name, *shown, _rounds(fewest.spread))


def text(results: Sequence[Result], titles: Mapping[str, str]) -> str:
    """For a terminal."""
    lines = []
    for group, members in by_group(results).items():
        lines.append(titles.get(group, group))
        for rows in tables(members):
            widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
            for row in rows:
                shown = (
                    word.rjust(width) if _is_number(name) else word.ljust(width)
                    for name, word, width in zip(rows[0], row, widths, strict=True)
                )
                lines.append("  " + "  ".join(shown).rstrip())
            lines.append("")
    return "\n".join(lines)


def _is_number(column: str) -> bool:
    return column in NUMBERS or column.endswith(" ms")


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """A table; its first row is the header."""
    ruler = ["---:" if _is_number(name) else "---" for name in rows[0]]
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


def full(members: Sequence[Result]) -> str:
    """One group in full."""
    found = []
    for header, *rows in tables(members):
        found.append(markdown([header, *((*row[:-1], _loud(row[-1])) for row in rows)]))
    return "\n\n".join(found)


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
        f"{about['load'][1]} after, {about['seconds']} s"
        + (", a quick run with less of everything." if about["quick"] else ".")
    )


def replace(page: str, name: str, content: str) -> str:
    """The page with what stands between the two marks of `name` replaced."""
    start, end = f"<!-- bench:{name} -->", f"<!-- end of bench:{name} -->"
    pattern = re.compile(re.escape(start) + ".*?" + re.escape(end), re.DOTALL)
    if not pattern.search(page):
        raise ValueError(f"the page has no place for {name!r}: {start} … {end}")
    return pattern.sub(lambda _: f"{start}\n{content}\n{end}", page)
