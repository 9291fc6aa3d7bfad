"""`clawwrap log`: the runs on record, filtered, followed, or forgotten."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable
from typing import Any

import orjson

from clawwrap import human, log
from clawwrap.admin.answer import Answer, refused_by_system
from clawwrap.capture import write_all
from clawwrap.invocation import Invocation
from clawwrap.journal import choosing, following, health, reading
from clawwrap.journal.choosing import Wanted
from clawwrap.journal.words import clock, took
from clawwrap.screen import Screen, visible

Entry = dict[str, Any]
HEADINGS = ("TIME", "EXIT", "ERROR", "TOOK", "COMMAND")
#: So that the columns of a log that is followed stay where they are.
WIDTHS = (19, 4, 22, 8)


def wanted(
    tool: str,
    code: str,
    since: str,
    until: str,
    request_id: str = "",
    *,
    failed: bool = False,
    misses: bool = False,
) -> Wanted:
    start, end = choosing.moment("--since", since), choosing.moment("--until", until)
    return Wanted(tool, code, start, end, request_id, failed, misses)


def show(which: Wanted, limit: int) -> Answer:
    total, last = 0, deque[Entry](maxlen=limit or None)
    for entry in filter(which.has, reading.read(os.environ)):
        last.append(entry)
        total += 1
    data = {"entries": list(last), "total": total}
    if not last:
        return _nothing(data)
    text = human.table([HEADINGS, *map(_row, last)], Screen.of(1))
    if total > len(last):
        text += f"the last {len(last)} of {total}; `--limit 0` shows all\n"
    return Answer(data, text)


def _nothing(data: Entry) -> Answer:
    """Whether that is because nothing can be logged, or because it is switched off."""
    finding = health.check(os.environ)
    warnings = () if finding.ok else (f"clawwrap: {finding.found}. {finding.fix}",)
    return Answer(data, f"no runs; {finding.found}\n", warnings=warnings)


def path() -> Answer:
    file = f"{log.folder(os.environ)}/{log.NAME}"
    return Answer({"file": file}, f"{file}\n")


def clear() -> Answer:
    try:
        removed = reading.clear(os.environ)
    except OSError as error:
        return refused_by_system(log.folder(os.environ), error, "Remove the folder by hand.")
    return Answer({"removed": removed}, f"removed {removed} files\n")


# Following


def follow(inv: Invocation, which: Wanted, limit: int) -> Answer:
    """Print runs as they end: JSON lines for programs, the rows of a table for people."""
    on_screen = inv.output == "human"
    if on_screen:
        write_all(1, _line(HEADINGS).encode())

    def take(entry: Entry) -> bool:
        line = _line(_row(entry)).encode() if on_screen else orjson.dumps(entry) + b"\n"
        return write_all(1, line)

    following.follow(os.environ, which.has, limit or None, take)
    return Answer({}, "").on_stderr()


def _line(cells: Iterable[str]) -> str:
    *first, last = map(visible, cells)
    padded = (cell.ljust(width) for cell, width in zip(first, WIDTHS, strict=True))
    return "  ".join([*padded, last]) + "\n"


def _row(entry: Entry) -> tuple[str, ...]:
    """A run as people read it; a note of ours has its text in place of a command."""
    time = clock(entry["time"])
    if note := entry.get("note"):
        return time, "-", "-", "-", f"clawwrap: {note}"
    words = entry.get("argv") or [entry.get("command")]
    code, error = str(entry.get("exit_code", "-")), str(entry.get("error", "-"))
    return time, code, error, took(entry.get("duration_ms")), " ".join(map(str, words))
