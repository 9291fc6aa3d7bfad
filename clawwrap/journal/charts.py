"""Charts as inline SVG: colours come from the page's style, words stand beside them. Pure."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

from clawwrap.screen import visible

#: What is counted, in the order it is stacked, and what it is called.
RESULTS = {"ok": "ok", "answer": "bad news", "failed": "failed"}
LOSSES = {"failures": "in failures", "timeouts": "in timeouts", "retries": "in retries"}
TICKS = 4
MARK = 1.2
#: A few buckets do not fill the whole width, and have one label.
LEAST_SLOTS = 24


def text(value: object) -> str:
    """What others wrote: as text, with nothing in it that hides or moves other text."""
    return html.escape(visible(str(value)))


def legend(names: Mapping[str, str]) -> str:
    items = "".join(f'<li><i class="{name}"></i>{text(said)}</li>' for name, said in names.items())
    return f'<ul class="legend">{items}</ul>'


def bar(parts: Mapping[str, float], most: float) -> str:
    """One stacked bar; its numbers stand beside it, so it is nothing for a screen reader."""
    rects, at = [], 0.0
    for name, value in parts.items():
        width = 100 * value / most if most else 0.0
        if width:
            rects.append(f'<rect class="{name}" x="{at:.2f}" width="{width:.2f}" height="8"/>')
        at += width
    return _drawing("bar", "0 0 100 8", rects)


def span(low: float, middle: float, high: float, most: float) -> str:
    """A range from the median to the longest, with a mark between them."""
    scale = 100 / most if most else 0.0
    at, end = low * scale, high * scale
    rects = [
        f'<rect class="track" x="{at:.2f}" y="3" width="{end - at:.2f}" height="2"/>',
        f'<rect class="ok" x="{_mark(at)}" width="{MARK}" height="8"/>',
        f'<rect class="answer" x="{_mark(middle * scale)}" width="{MARK}" height="8"/>',
    ]
    return _drawing("bar", "0 0 100 8", rects)


def _mark(at: float) -> str:
    """Where a mark begins that stands for this place, and is not cut off at the edges."""
    return f"{min(max(0, at - MARK / 2), 100 - MARK):.2f}"


def _drawing(kind: str, box: str, shapes: Sequence[str]) -> str:
    return (
        f'<svg class="{kind}" viewBox="{box}" preserveAspectRatio="none" aria-hidden="true">'
        f"{''.join(shapes)}</svg>"
    )


def timeline(buckets: Sequence[Mapping[str, Any]], step: str) -> str:
    """Runs over time, stacked by result; hovering a bar tells its numbers."""
    top = _top(max((_total(bucket) for bucket in buckets), default=0))
    bars = []
    for place, bucket in enumerate(buckets):
        at, shapes = 100.0, [f'<rect class="hit" x="{place * 10}" width="10" height="100"/>']
        for name in RESULTS:
            height = 100 * bucket[name] / top
            at -= height
            if height:
                shapes.append(
                    f'<rect class="{name}" x="{place * 10 + 1}" y="{at:.2f}" width="8" '
                    f'height="{height:.2f}"/>'
                )
        bars.append(f"<g><title>{text(_told(bucket))}</title>{''.join(shapes)}</g>")
    lines = [f"<span>{top * tick // TICKS:,}</span>" for tick in range(TICKS, -1, -1)]
    box = f"0 0 {10 * max(len(buckets), LEAST_SLOTS)} 100"
    label = f"Runs by the {step}: {sum(map(_total, buckets)):,} in all"
    return (
        f'<div class="plot"><div class="scale" aria-hidden="true">{"".join(lines)}</div>'
        f'<div class="area">'
        f'<svg role="img" aria-label="{text(label)}" viewBox="{box}" '
        f'preserveAspectRatio="none">{"".join(bars)}</svg>{_marks(buckets)}</div></div>'
    )


def _marks(buckets: Sequence[Mapping[str, Any]]) -> str:
    """When it starts, when it ends, and what lies between."""
    last = len(buckets) - 1
    told = [_when(buckets[place]) for place in (0, last // 2, last)] if buckets else []
    if len(buckets) < LEAST_SLOTS:
        told = [" to ".join(dict.fromkeys([*told[:1], *told[-1:]]))]
    marks = "".join(f"<span>{text(words)}</span>" for words in told)
    return f'<div class="marks" aria-hidden="true">{marks}</div>'


def _told(bucket: Mapping[str, Any]) -> str:
    parts = [f"{bucket[name]:,} {said}" for name, said in RESULTS.items() if bucket[name]]
    return f"{_when(bucket)}: {', '.join(parts) or 'no runs'}"


def _when(bucket: Mapping[str, Any]) -> str:
    return str(bucket["start"]).removesuffix("T00:00").replace("T", " ")


def _total(bucket: Mapping[str, Any]) -> int:
    return sum(bucket[name] for name in RESULTS)


def _top(most: int) -> int:
    """The end of the scale: the next number that four equal steps make round ones."""
    step = 1
    while step * TICKS < most:
        step = next(n for n in _round_numbers() if n > step)
    return step * TICKS


def _round_numbers() -> Sequence[int]:
    return [base * 10**power for power in range(12) for base in (1, 2, 5)]
