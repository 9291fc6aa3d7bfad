"""Whole JSON items out of an array or JSON Lines of any length, in bounded memory. Pure.

The bytes are asked for as they are needed, so a file serves as well as a text at hand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, NoReturn

from clawwrap import fields
from clawwrap.json_text import loads, size
from clawwrap.payload import ARRAY, LINES

Read = Callable[[int, int], bytes]

WINDOW = 256 << 10
#: An item larger than this is not looked for the end of.
LONGEST_ITEM = 4 << 20
BLANKS = re.compile(r"\s*")
BEHIND = re.compile(r"\s*[,\]]")
END = object()


class Item(NamedTuple):
    """A value, and the offset of what follows it."""

    value: Any
    end: int


class NotItems(ValueError):
    """The bytes are no array, or no JSON Lines, after all."""


def iterate(kind: str, read: Read, offset: int = 0) -> Iterator[Item]:
    """The items from `offset` on: 0, or where an earlier item ended."""
    return _array(read, offset) if kind == ARRAY else _lines(read, offset)


def take(
    kind: str, read: Read, offset: int, room: int, paths: Sequence[fields.Path] = ()
) -> tuple[list[Any], int, bool]:
    """The items from `offset` on that fit, at least one; where they end; whether more follow."""
    values: list[Any] = []
    used, end = 2, offset
    for item in iterate(kind, read, offset):
        value = fields.select(item.value, paths) if paths else item.value
        used += size(value) + 1
        if values and used > room:
            return values, end, True
        values.append(value)
        end = item.end
    return values, end, False


def survey(read: Read, paths: Sequence[fields.Path] = ()) -> tuple[str, int, int]:
    """Kind and number of the items, and the size of the largest; the kind is empty without any."""
    for kind in (ARRAY, LINES):
        count = longest = 0
        try:
            for item in iterate(kind, read):
                count += 1
                value = fields.select(item.value, paths) if paths else item.value
                longest = max(longest, size(value))
        except NotItems:
            continue
        return kind, count, longest
    return "", 0, 0


def _refuse(name: str) -> NoReturn:
    raise NotItems(f"{name} is not JSON")


DECODER = json.JSONDecoder(parse_constant=_refuse)


def _array(read: Read, offset: int) -> Iterator[Item]:
    size = WINDOW
    while True:
        raw = read(offset, size)
        text, at = _decoded(raw), 0
        while found := _next(text, at, opened=offset > 0):
            value, end = found
            offset += len(text[at:end].encode())
            if value is END:
                if text[end:].strip() or read(offset, WINDOW).strip():
                    raise NotItems("something follows the array")
                return
            yield Item(value, offset)
            at = end
        if not at and (len(raw) < size or size >= LONGEST_ITEM):
            raise NotItems("an item is broken or too long")
        size = WINDOW if at else size * 2


def _next(text: str, at: int, *, opened: bool) -> tuple[Any, int] | None:
    """The next value and where it ends; END behind the last; None where more text is needed."""
    mark, at = _mark(text, at)
    if mark == "[" and not opened:
        first, behind = _mark(text, at)
        if first == "]":
            return END, behind
    elif mark == "]" and opened:
        return END, at
    elif mark and not (mark == "," and opened):
        raise NotItems(f"{mark!r} stands where an item should begin or end")
    start = _blanks_end(text, at)
    if not mark or start == len(text):
        return None
    try:
        value, end = DECODER.raw_decode(text, start)
    except (json.JSONDecodeError, RecursionError):
        return None
    return (value, end) if BEHIND.match(text, end) else None  # 12 may be the beginning of 123


def _mark(text: str, at: int) -> tuple[str, int]:
    """The next character that is no blank, and the place behind it."""
    at = _blanks_end(text, at)
    return text[at : at + 1], at + 1


def _blanks_end(text: str, at: int) -> int:
    found = BLANKS.match(text, at)
    return found.end() if found else at


def _decoded(raw: bytes) -> str:
    """The text up to a character that the window has split."""
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        if len(raw) - error.start > 3:
            raise NotItems("it is not UTF-8") from None
        return raw[: error.start].decode()


def _lines(read: Read, offset: int) -> Iterator[Item]:
    size = WINDOW
    while raw := read(offset, size):
        cut = raw.rfind(b"\n") + 1
        if not cut and len(raw) < size:
            cut = len(raw)  # the last line needs no line feed
        if not cut and size >= LONGEST_ITEM:
            raise NotItems("a line is too long")
        size = WINDOW if cut else size * 2
        for line in raw[:cut].splitlines(keepends=True):
            offset += len(line)
            if line.strip():
                yield Item(_object(line), offset)


def _object(line: bytes) -> Any:
    try:
        value = loads(line)
    except (ValueError, RecursionError):
        raise NotItems("a line is no JSON") from None
    if not isinstance(value, (dict, list)):
        raise NotItems("a line is no object")
    return value
