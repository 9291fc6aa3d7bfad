"""What people read: a few lines after a failure, tables and pairs as answers of verbs. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clawwrap.contract import Code, ExitCode, Outcome
from clawwrap.screen import BOLD, BOLD_RED, DIM, Screen, columns, exact, visible, wrap

#: Prose in longer lines than this is hard to read, however wide the screen is.
READABLE = 100
#: A column of text narrower than this is none: the text goes below its label.
NARROW = 20
#: Where such a text begins.
BELOW = 2
UNLIMITED = Screen()


# After a failure


def summary(outcome: Outcome[Any], screen: Screen = UNLIMITED) -> str:
    """Code and name, what it means, what to do, and the command to run instead."""
    failure, code = outcome.failure, outcome.code
    if failure is None:
        return ""
    page = screen.at_most(READABLE)
    at = 8 if _has_room(page, 8) else 4
    rows = [
        ("said", failure.message),
        ("means", code.description if isinstance(code, ExitCode) else ""),
        ("next", "" if failure.redirect else failure.suggestion),
        ("wait", _wait(failure.retry.after)),
    ]
    lines = _title(code, failure.code, page)
    for name, text in rows:
        if text:
            told = wrap(visible(text), page.room(at), links=True)
            lines += _entry(name, told, page, at=at, style=DIM, indent=2)
    if failure.redirect:
        # In one piece even where it is too long, since it is there to be copied.
        command = exact(failure.redirect.command)
        lines += _entry("run", [command], screen, at=at, style=DIM, indent=2)
    return _text(lines)


def _title(code: Code, error: str, page: Screen) -> list[str]:
    """The code and its name; behind or below them the error where it has another name."""
    title, more = visible(f"clawwrap: {code.value} {code.name}"), f"({visible(error)})"
    lines = [page.paint(BOLD_RED, line) for line in wrap(title, page.width)]
    if error == code.name:
        return lines
    if _fits(f"{title} {more}", page.width):
        return [f"{lines[0]} {more}"]
    return lines + [" " * BELOW + line for line in wrap(more, page.room(BELOW))]


def _wait(seconds: int | None) -> str:
    return f"{seconds} s before the same command may be run again" if seconds else ""


# Answers of verbs


def table(rows: Sequence[tuple[str, ...]], screen: Screen = UNLIMITED) -> str:
    """Columns below a first row of names; one record below the other where they do not fit."""
    shown = [tuple(map(visible, row)) for row in rows]
    if not shown:
        return ""
    widths = [max(map(columns, column)) for column in zip(*shown, strict=True)]
    at = sum(width + 2 for width in widths[:-1])
    if not _has_room(screen, at, widths[-1]):
        names, *records = shown
        records = records or [("",) * len(names)]
        return "\n".join(pairs(zip(names, record, strict=True), screen) for record in records)
    lines = []
    for number, (*cells, last) in enumerate(shown):
        style = "" if number else BOLD
        padded = [
            screen.paint(style, cell) + " " * (width + 2 - columns(cell))
            for cell, width in zip(cells, widths, strict=False)
        ]
        first, *more = [screen.paint(style, line) for line in wrap(last, screen.room(at))]
        lines += ["".join([*padded, first]), *(" " * at + line for line in more)]
    return _text(lines)


def pairs(rows: Iterable[tuple[str, Any]], screen: Screen = UNLIMITED) -> str:
    """Names, and beside each what it stands for; below it where that leaves too little room."""
    shown = [(visible(name), visible(_words(value))) for name, value in rows]
    at = 2 + max((columns(name) for name, _ in shown), default=0)
    if not _has_room(screen, at, max((columns(value) for _, value in shown), default=0)):
        at = BELOW
    lines = []
    for name, value in shown:
        lines += _entry(name, wrap(value, screen.room(at)), screen, at=at, style=BOLD)
    return _text(lines)


def _words(value: Any) -> str:
    """A value as people write it."""
    if value is None or value in ([], {}):
        return "-"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_words(item)}" for name, item in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_words, value))
    return str(value)


# Lines


def _entry(
    label: str, told: list[str], screen: Screen, *, at: int, style: str, indent: int = 0
) -> list[str]:
    """The lines of a text from a column on, its label before the first or on a line above."""
    names = wrap(label, screen.room(indent))
    heads = [" " * indent + screen.paint(style, name) for name in names]
    gap, room = at - indent - columns(names[0]), screen.room(at)
    if (not label or (gap > 0 and at != BELOW)) and _fits(told[0], room):
        heads = [heads[0] + " " * gap + told[0]]
        told = told[1:]
    return heads + [" " * at + line if _fits(line, room) else line for line in told if line]


def _has_room(screen: Screen, at: int, wanted: int = NARROW) -> bool:
    """Whether a column of text may begin here."""
    room = screen.room(at)
    return room is None or room >= min(wanted, NARROW)


def _fits(line: str, room: int | None) -> bool:
    return room is None or columns(line) <= room


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line.rstrip(' ')}\n" for line in lines)
