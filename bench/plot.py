"""The plot: what wrappers add, by how long the tool runs. SVG by hand, light and dark. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 220, 56, 52
#: Colours that can be told apart on white and on black, also by the colour-blind.
COLOURS = ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#8a7a00", "#56909e", "#7f7f7f")
STYLE = """\
  .paper { fill: #ffffff; } .line { stroke: #d0d7de; }
  .ink { fill: #1f2328; } .faint { fill: #656d76; }
  text { font: 13px system-ui, sans-serif; } .title { font-size: 15px; font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117; } .line { stroke: #3d444d; }
    .ink { fill: #e6edf3; } .faint { fill: #9198a1; }
  }"""
LABEL_GAP = 16


class Series(NamedTuple):
    """One wrapper: its points from left to right."""

    name: str
    points: Sequence[tuple[float, float]]


def series(points: Mapping[tuple[str, float], float]) -> list[Series]:
    """Points by name and place, as series in the order in which the names came."""
    found: dict[str, list[tuple[float, float]]] = {}
    for (name, x), y in points.items():
        found.setdefault(name, []).append((x, y))
    return [Series(name, sorted(places)) for name, places in found.items()]


def render(lines: Sequence[Series]) -> str:
    """The whole file. The upward axis is logarithmic: wrappers differ by a factor of a hundred."""
    xs = sorted({x for line in lines for x, _ in line.points})
    floor, top = _decades(y for line in lines for _, y in line.points)
    if not xs:
        raise ValueError("nothing was measured that could be plotted")

    def across(x: float) -> float:
        # By rank: the short tools are many, and the long ones far away.
        step = (WIDTH - LEFT - RIGHT) / max(1, len(xs) - 1)
        return LEFT + xs.index(x) * step

    def up(y: float) -> float:
        share = (math.log10(max(y, floor)) - math.log10(floor)) / math.log10(top / floor)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'width="{WIDTH}" height="{HEIGHT}" aria-labelledby="title">',
        '<title id="title">What a wrapper adds to a call, by how long the tool runs</title>',
        f"<style>\n{STYLE}\n</style>",
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}" rx="8"/>',
        _text(16, 24, "What a wrapper adds to a call", "ink title"),
        _text(16, 42, "wall time in starts of a bare interpreter, logarithmic", "faint"),
    ]
    below = any(y < floor for line in lines for _, y in line.points)
    for value in _ticks(floor, top):
        words = f"≤ {value:g}" if below and value == floor else f"{value:g}"
        parts.append(_rule(LEFT, up(value), WIDTH - RIGHT, up(value)))
        parts.append(_text(LEFT - 8, up(value) + 4, words, "faint", "end"))
    for x in xs:
        parts.append(_text(across(x), HEIGHT - BOTTOM + 20, f"{x:g}", "faint", "middle"))
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(_text(middle, HEIGHT - 12, "the tool runs for … ms", "faint", "middle"))
    labels = _spread_out([up(line.points[-1][1]) for line in lines])
    for number, (line, label) in enumerate(zip(lines, labels, strict=True)):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in line.points)
        width = 3 if number == 0 else 1.75
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}" '
            'stroke-linejoin="round"/>'
        )
        parts += [
            f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="3" fill="{colour}"/>'
            for x, y in line.points
        ]
        end_x, end_y = across(line.points[-1][0]), up(line.points[-1][1])
        parts.append(
            f'<line x1="{end_x + 5:.1f}" y1="{end_y:.1f}" x2="{end_x + 20:.1f}" '
            f'y2="{label:.1f}" stroke="{colour}"/>'
        )
        parts.append(_text(end_x + 24, label + 4, line.name, "ink"))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _decades(values: Iterable[float]) -> tuple[float, float]:
    """The bounds of the axis: 1, 2 or 5 times a power of ten, around every positive value."""
    positive = [value for value in values if value > 0]
    low, high = min(positive, default=0.1), max(positive, default=1.0)
    low = max(low, 0.02)  # below that it is noise
    steps = [10.0**power * digit for power in range(-2, 4) for digit in (1, 2, 5)]
    floor = max((step for step in steps if step <= low), default=steps[0])
    top = min((step for step in steps if step >= high and step > floor), default=steps[-1])
    return floor, top


def _ticks(floor: float, top: float) -> list[float]:
    steps = [10.0**power * digit for power in range(-2, 4) for digit in (1, 2, 5)]
    return [step for step in steps if floor <= step <= top]


def _spread_out(places: Sequence[float]) -> list[float]:
    """Where the labels go, so that none covers another; as near to their lines as can be."""
    order = sorted(range(len(places)), key=lambda number: places[number])
    found = list(places)
    for before, here in pairwise(order):
        found[here] = max(found[here], found[before] + LABEL_GAP)
    limit = HEIGHT - BOTTOM + 4.0
    for here in reversed(order):
        found[here] = min(found[here], limit)
        limit = found[here] - LABEL_GAP
    return found


def _text(x: float, y: float, words: str, kind: str, anchor: str = "start") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} class="{kind}">{escape(words)}</text>'


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="line"/>'
