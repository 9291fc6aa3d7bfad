"""`clawwrap stats`: what the runs on record add up to, as tables, as data, or as a page."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from clawwrap import human
from clawwrap.admin.answer import Answer, refused_by_system
from clawwrap.journal import page, reading, stats
from clawwrap.journal.choosing import Wanted
from clawwrap.journal.words import took, yes_or_no
from clawwrap.screen import Screen

Row = dict[str, Any]
Cells = tuple[str, ...]


def show(which: Wanted, top: int, html: str | None) -> Answer:
    found = stats.summary(filter(which.has, reading.read(os.environ)), top)
    found = {"since": which.since or None, "until": which.until or None, **found}
    text = _text(found) if found["runs"] else "no runs\n"
    if html is None:
        return Answer(found, text)
    file = os.path.abspath(html)
    try:
        _write(file, page.render(found).encode("utf-8", "backslashreplace"))
    except OSError as error:
        suggestion = "Name a file in a folder that exists and that you can write to."
        return refused_by_system(file, error, suggestion)
    return Answer({**found, "file": file}, f"{text}\n{file}\n")


def _write(file: str, content: bytes) -> None:
    """The page, whole or not at all, under a name that may have held an older one."""
    draft = f"{file}.{os.getpid()}.new"
    try:
        with open(draft, "xb") as target:
            target.write(content)
        os.replace(draft, file)
    except OSError:
        with suppress(OSError):
            os.unlink(draft)
        raise


def _text(found: Row) -> str:
    screen = Screen.of(1)
    lost, again = found["lost_ms"], found["retries"]
    facts = [
        ("runs", f"{found['runs']} in {took(found['total_ms'])}, {found['ok']} ok"),
        ("failed", f"{found['failed']} ({found['failure_rate']:.0%}), {_worth(found)}"),
        ("bad news", f"{found['answers']} (no match, differences, findings)"),
        ("time lost", ", ".join(f"{took(lost[name])} in {name}" for name in lost)),
        ("retried", f"{again['runs']} runs, {again['saved']} of them saved"),
    ]
    blocks = [human.pairs(facts, screen)]
    for head, rows in _tables(found):
        if rows:
            blocks.append(human.table([head, *rows], screen))
    return "\n".join(blocks)


def _worth(found: Row) -> str:
    kinds = found["retryable"]
    return f"{kinds['yes']} retryable, {kinds['maybe']} maybe, {kinds['no']} not"


def _tables(found: Row) -> Iterable[tuple[Cells, list[Cells]]]:
    """What the lists hold, each below its headings."""
    yield ("TOOL", "RUNS", "FAILED", "LOST", "MEDIAN", "FAILURES"), list(map(_tool, found["tools"]))
    yield ("COUNT", "CODE", "RETRYABLE", "LOST", "FAILURE"), list(map(_error, found["errors"]))
    yield ("P95", "MEDIAN", "LONGEST", "RUNS", "SLOWEST"), list(map(_slow, found["slowest"]))
    yield ("COUNT", "EXIT", "NO RULE KNEW"), list(map(_miss, found["unknown"]))


def _tool(row: Row) -> Cells:
    lost = took(sum(row["lost_ms"].values()))
    codes = ", ".join(f"{code} {count}" for code, count in row["codes"].items())
    counts = (str(row["runs"]), str(row["failed"]))
    return (row["tool"], *counts, lost, took(row["median_ms"]), codes or "-")


def _error(row: Row) -> Cells:
    facts = (str(row["code"]), yes_or_no(row["retryable"]), took(row["lost_ms"]))
    return (str(row["count"]), *facts, f"{row['command']}: {row['error']}")


def _slow(row: Row) -> Cells:
    times = (took(row[name]) for name in ("p95_ms", "median_ms", "max_ms"))
    return (*times, str(row["runs"]), str(row["command"]))


def _miss(row: Row) -> Cells:
    return (str(row["count"]), str(row["native"]), f"{row['command']}: {row['words']}")
