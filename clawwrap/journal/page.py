"""The page of `clawwrap stats --html`: one file that asks nobody for anything. Pure."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from clawwrap import __version__
from clawwrap.journal import charts
from clawwrap.journal.charts import LOSSES, RESULTS, text
from clawwrap.journal.words import clock, took, yes_or_no

Row = dict[str, Any]
STYLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page.css")
#: Nothing is loaded and nothing runs, even if a name should get past the escaping.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
NOTHING = '<p class="nothing">None in this period.</p>'


def render(found: Row) -> str:
    """The page for what `stats.summary` found."""
    with open(STYLE, encoding="utf-8") as file:
        style = file.read()
    body = _overview(found) if found["runs"] else NOTHING
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>clawwrap: what was run</title>
<style>
{style}</style>
</head>
<body>
<main>
<header>
<h1>What was run</h1>
<p>{text(_period(found))}</p>
</header>
{body}
<footer>Made by clawwrap {text(__version__)} from the log on this machine.</footer>
</main>
</body>
</html>
"""


def _period(found: Row) -> str:
    first, last = (clock(found[name])[:16] if found[name] else "" for name in ("first", "last"))
    return f"{first} to {last}" if first else "No runs are on record for this period."


def _overview(found: Row) -> str:
    return "\n".join(
        [
            _tiles(found),
            _over_time(found["timeline"]),
            f'<div class="pair">{_codes(found)}{_lost(found)}</div>',
            _tools(found["tools"]),
            _errors(found["errors"]),
            _slowest(found["slowest"]),
            _unknown(found["unknown"]),
        ]
    )


def _tiles(found: Row) -> str:
    kinds, again = found["retryable"], found["retries"]
    lost = sum(found["lost_ms"].values())
    tiles = [
        ("Runs", f"{found['runs']:,}", f"{took(found['total_ms'])} in all"),
        ("Failed", f"{found['failed']:,}", f"{found['failure_rate']:.1%} of the runs"),
        ("Could be retried", f"{kinds['yes']:,}", f"{kinds['maybe']:,} more maybe"),
        ("Time lost", took(lost), _share(lost, found["total_ms"])),
        ("Tried again", f"{again['runs']:,}", f"{again['saved']:,} saved by it"),
        ("No rule knew", f"{found['misses']:,}", "ended as GENERAL_ERROR"),
    ]
    cells = (
        f"<div><dt>{text(name)}</dt><dd>{text(value)}</dd><dd>{text(more)}</dd></div>"
        for name, value, more in tiles
    )
    return f'<dl class="tiles">{"".join(cells)}</dl>'


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%} of the time" if whole else "no time at all"


# Charts


def _over_time(timeline: Row) -> str:
    buckets = timeline["buckets"]
    rows = [
        [text(str(bucket["start"]).replace("T", " ")), *(f"{bucket[name]:,}" for name in RESULTS)]
        for bucket in buckets
        if any(bucket[name] for name in RESULTS)
    ]
    table = _table(["When", *(name.capitalize() for name in RESULTS.values())], rows)
    title = f"Runs by the {timeline['step']}"
    chart = charts.timeline(buckets, timeline["step"])
    return (
        f"<section><h2>{text(title)}</h2>{charts.legend(RESULTS)}{chart}"
        f"<details><summary>The numbers</summary>{table}</details></section>"
    )


def _codes(found: Row) -> str:
    rows, bad = [], [row for row in found["codes"] if row["exit_code"]]
    most = max((row["count"] for row in bad), default=0)
    for row in bad:
        name = f"{text(row['code'])} <small>{row['exit_code']}</small>"
        parts = {"answer": row["answers"], "failed": row["count"] - row["answers"]}
        rows.append([name, charts.bar(parts, most), f"{row['count']:,}"])
    legend = charts.legend({name: RESULTS[name] for name in ("answer", "failed")})
    return _section("How it ended", ["Code", "", "Runs"], rows, legend)


def _lost(found: Row) -> str:
    tools = [row for row in found["tools"] if sum(row["lost_ms"].values())]
    tools.sort(key=lambda row: -sum(row["lost_ms"].values()))
    most = max((sum(row["lost_ms"].values()) for row in tools), default=0)
    rows = [
        [text(row["tool"]), charts.bar(row["lost_ms"], most), took(sum(row["lost_ms"].values()))]
        for row in tools
    ]
    return _section("Time lost", ["Tool", "", "Lost"], rows, charts.legend(LOSSES))


def _tools(tools: Sequence[Row]) -> str:
    most = max((row["runs"] for row in tools), default=0)
    rows = []
    for row in tools:
        parts = {"ok": row["ok"], "answer": row["answers"], "failed": row["failed"]}
        codes = ", ".join(f"{code} {count:,}" for code, count in row["codes"].items())
        rows.append(
            [
                text(row["tool"]),
                charts.bar(parts, most),
                f"{row['runs']:,}",
                f"{row['failed']:,} <small>{row['failure_rate']:.0%}</small>",
                took(row["median_ms"]),
                text(codes or "-"),
            ]
        )
    heads = ["Tool", "", "Runs", "Failed", "Median", "Failures"]
    return _section("Tools", heads, rows, charts.legend(RESULTS))


def _slowest(slowest: Sequence[Row]) -> str:
    most = max((row["max_ms"] for row in slowest), default=0)
    rows = [
        [
            text(row["command"]),
            charts.span(row["median_ms"], row["p95_ms"], row["max_ms"], most),
            took(row["p95_ms"]),
            took(row["median_ms"]),
            took(row["max_ms"]),
            f"{row['runs']:,}",
        ]
        for row in slowest
    ]
    legend = charts.legend({"ok": "median", "answer": "95 of 100 are faster", "track": "longest"})
    heads = ["Command", "", "P95", "Median", "Longest", "Runs"]
    return _section("Slowest commands", heads, rows, legend)


# Tables


def _errors(errors: Sequence[Row]) -> str:
    rows = [
        [
            text(row["command"]),
            f"{text(row['error'])} <small>{text(row['code'])}</small>",
            f"{row['count']:,}",
            yes_or_no(row["retryable"]),
            took(row["lost_ms"]),
            text(clock(row["last"])[:16]),
        ]
        for row in errors
    ]
    heads = ["Command", "Error", "Times", "Retryable", "Took", "Last"]
    return _section("Most frequent failures", heads, rows)


def _unknown(unknown: Sequence[Row]) -> str:
    rows = [
        [text(row["command"]), text(row["words"]), text(row["native"]), f"{row['count']:,}"]
        for row in unknown
    ]
    return _section("What no rule knew", ["Command", "Words", "Exit", "Times"], rows)


def _section(
    title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], more: str = ""
) -> str:
    body = more + _table(heads, rows) if rows else NOTHING
    return f"<section><h2>{text(title)}</h2>{body}</section>"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells that are HTML already. The roles hold where a narrow screen turns rows into cards."""
    columns = "".join(f'<th scope="col" role="columnheader">{text(head)}</th>' for head in heads)
    lines = []
    for first, *cells in rows:
        line = f'<th scope="row" role="rowheader">{first}</th>'
        for head, cell in zip(heads[1:], cells, strict=True):
            line += f'<td role="cell" data-head="{text(head)}">{cell}</td>'
        lines.append(f'<tr role="row">{line}</tr>')
    return (
        f'<table role="table"><thead role="rowgroup"><tr role="row">{columns}</tr></thead>'
        f'<tbody role="rowgroup">{"".join(lines)}</tbody></table>'
    )
