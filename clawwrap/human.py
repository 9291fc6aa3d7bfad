"""What a person at a terminal sees after a failure: a few lines. Pure."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from clawwrap.contract import ExitCode, Outcome

BOLD_RED, BOLD, DIM, RESET = "\x1b[1;31m", "\x1b[1m", "\x1b[2m", "\x1b[0m"


def may_colour(fd: int, environ: Mapping[str, str] = os.environ) -> bool:
    if environ.get("NO_COLOR") or environ.get("TERM") in (None, "", "dumb"):
        return False
    return os.isatty(fd)


def summary(outcome: Outcome[Any], *, colour: bool) -> str:
    """Code and name, what it means, what to do, and the command to run instead."""
    failure, code = outcome.failure, outcome.code
    if failure is None:
        return ""

    def paint(style: str, text: str) -> str:
        return f"{style}{text}{RESET}" if colour else text

    meaning = code.description if isinstance(code, ExitCode) else ""
    rows = [
        ("said", failure.message),
        ("means", meaning),
        ("next", "" if failure.redirect else failure.suggestion),
        ("wait", _wait(failure.retry.after)),
        ("run", failure.redirect.command if failure.redirect else ""),
    ]
    first = f"clawwrap: {code.value} {code.name}"
    head = paint(BOLD_RED, first) + (f" ({failure.code})" if failure.code != code.name else "")
    body = [f"  {paint(DIM, name.ljust(5))} {text}" for name, text in rows if text]
    return "\n".join([head, *body]) + "\n"


def _wait(seconds: int | None) -> str:
    return f"{seconds} s before the same command may be run again" if seconds else ""


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Columns as wide as they need to be; the last one as it is."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)] if rows else []
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        lines.append("  ".join([*cells, row[-1]]).rstrip())
    return "\n".join(lines) + "\n" if lines else ""
