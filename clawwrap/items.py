"""Whole JSON items out of an array or JSON Lines of any length, in bounded memory. Pure.

The bytes are asked for as they are needed, so a file serves as well as a text at hand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from typing import Any, NamedTuple

from clawwrap import fields, json_text
from clawwrap.json_text import BOM, JsonError, loads, size
from clawwrap.payload import ARRAY, LINES

Read = Callable[[int, int], bytes]

WINDOW = 256 << 10
#: An item larger than this is not looked for the end of: as values it takes many times the room.
LONGEST_ITEM = 1 << 20
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
    start = offset or (len(BOM) if read(0, len(BOM)) == BOM else 0)
    if kind == ARRAY:
        return _array(read, start, is_opened=offset > 0)
    return _lines(read, start)


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


class Survey(NamedTuple):
    """What all items together come to; the kind is empty where there are none."""

    kind: str = ""
    total: int = 0
    longest: int = 0  # bytes of the largest
    absent: Sequence[fields.Path] = ()  # in none of the items


def survey(read: Read, paths: Sequence[fields.Path] = ()) -> Survey:
    for kind in (ARRAY, LINES):
        count = longest = 0
        absent = list(paths)
        try:
            for item in iterate(kind, read):
                count += 1
                absent = fields.absent(item.value, absent) if absent else absent
                value = fields.select(item.value, paths) if paths else item.value
                longest = max(longest, size(value))
        except NotItems:
            continue
        return Survey(kind, count, longest, absent)
    return Survey()


DECODER = json.JSONDecoder(parse_constant=json_text.refuse_constant, parse_float=json_text.finite)


def _array(read: Read, offset: int, *, is_opened: bool) -> Iterator[Item]:
    size, start = WINDOW, offset
    while True:
        raw = read(offset, size)
        text, at = _decoded(raw), 0
        while found := _next(text, at, opened=is_opened or offset > start):
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
    except JsonError as error:
        raise NotItems(str(error)) from None
    if end - start > json_text.DEEPEST and json_text.is_too_deep(value):
        raise NotItems("nested too deeply")
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
        for line in BytesIO(raw[:cut]):  # a line feed alone ends a line
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
