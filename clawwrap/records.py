"""Splits a stream of JSON into records in constant memory: lines, an array, objects in a row.

A record that is broken costs itself alone: reading goes on with the next one that is whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from clawwrap.json_text import BOM, JsonError, strict_loads

#: A record of more bytes than this is not one; without a bound a lost brace would eat the memory.
LONGEST_RECORD = 64 << 20
READ_AT_ONCE = 1 << 20
#: Everything that changes where in a JSON text we are.
TOKENS = re.compile(rb'["{}\[\]]|\\.', re.DOTALL)
STRING_TOKENS = re.compile(rb'"|\\.', re.DOTALL)
WHOLE_STRING = re.compile(rb'"(?:[^"\\\n]|\\.)*"')
OPENING, CLOSING = b"{[", b"}]"


class Record(NamedTuple):
    """One value of a stream, as it stood there; `problem` where it cannot be read."""

    line: int
    raw: bytes
    value: Any = None
    problem: str = ""
    in_array: bool = False


def split(stream: BinaryIO) -> Iterator[Record]:
    """Every record of a stream, in order, broken ones with what is wrong with them."""
    return _Splitter().run(stream)


class _Splitter:
    """Where in the stream we are: between records, or inside of one that spans lines."""

    def __init__(self) -> None:
        self.pending = bytearray()  # the record that has begun
        self.first_line = 0  # where it has begun
        self.depth = 0
        self.in_string = False
        self.in_array = False  # inside the brackets around all records

    def run(self, stream: BinaryIO) -> Iterator[Record]:
        number = 0
        starts_line = True
        while line := stream.readline(READ_AT_ONCE):
            while line.endswith(b"\\") and (more := stream.read(1)):
                line += more  # what is escaped must not begin the next piece
            number += starts_line
            if number == 1 and starts_line:
                line = line.removeprefix(BOM)
            yield from self._take(line, number, starts_line=starts_line)
            starts_line = line.endswith(b"\n")
        if self.pending:
            yield self._give_up("it is cut off: the stream ends inside of it")
        if self.in_array:
            yield Record(number, b"", problem="the array is cut off: its closing ] is missing")

    def _take(self, line: bytes, number: int, *, starts_line: bool) -> Iterator[Record]:
        if self.pending:
            if starts_line and line.startswith(b"{") and self._is_whole(line):
                yield self._give_up(f"it is cut off before line {number}")
            else:
                yield from self._scan(line, number)
                return
        elif starts_line and line.startswith(b"{") and not self.in_array:
            try:
                yield Record(number, line.strip(), strict_loads(line))
                return
            except JsonError:
                pass  # several in a line, one over several lines, or broken: look closer
        yield from self._scan(line, number)

    def _is_whole(self, line: bytes) -> bool:
        try:
            strict_loads(line.strip().removesuffix(b","))
        except JsonError:
            return False
        return True

    def _scan(self, line: bytes, number: int) -> Iterator[Record]:
        """Go through a piece of text, record by record."""
        at = 0
        while at < len(line):
            if not self.pending:
                at = self._skip_between(line, at)
                if at >= len(line):
                    return
                self.first_line = number
                if line[at : at + 1] not in (b"{", b"["):
                    stop = self._end_of_junk(line, at)
                    yield self._junk(line[at:stop], number)
                    at = stop
                    continue
                if line[at : at + 1] == b"[" and not self.in_array:
                    self.in_array = True
                    at += 1
                    continue
            stop = self._walk(line, at)
            self.pending += line[at:stop]
            at = stop
            if self.depth == 0 and not self.in_string:
                yield self._finish()
            elif self.in_string and line.endswith(b"\n"):
                yield self._give_up("a text in it is not closed at the end of the line")
            elif len(self.pending) > LONGEST_RECORD:
                yield self._give_up(f"it is longer than {LONGEST_RECORD >> 20} MiB")

    def _skip_between(self, line: bytes, at: int) -> int:
        """Past blanks, and the commas and brackets of the array around the records."""
        while at < len(line):
            char = line[at : at + 1]
            if char == b"]" and self.in_array:
                self.in_array = False
            elif not (char.isspace() or (char == b"," and self.in_array)):
                break
            at += 1
        return at

    def _end_of_junk(self, line: bytes, start: int) -> int:
        """What is no object or array ends at the next comma in an array, else with its line."""
        if not self.in_array:
            return len(line)
        if found := WHOLE_STRING.match(line, start):
            return found.end()
        ends = [at for sign in (b",", b"]") if (at := line.find(sign, start)) >= 0]
        return min(ends, default=len(line))

    def _junk(self, raw: bytes, number: int) -> Record:
        raw = raw.strip()
        try:
            return Record(number, raw, strict_loads(raw), in_array=self.in_array)
        except JsonError as error:
            return Record(number, raw, problem=str(error), in_array=self.in_array)

    def _walk(self, line: bytes, at: int) -> int:
        """To the end of the record, or of the text; keeps count of brackets outside of strings."""
        while True:
            found = (STRING_TOKENS if self.in_string else TOKENS).search(line, at)
            if found is None:
                return len(line)
            token, at = found.group(), found.end()
            if token == b'"':
                self.in_string = not self.in_string
            elif not self.in_string and token in OPENING:
                self.depth += 1
            elif not self.in_string and token in CLOSING:
                self.depth -= 1
                if self.depth <= 0:
                    self.depth = 0
                    return at

    def _finish(self) -> Record:
        raw = bytes(self.pending)
        self._reset()
        try:
            return Record(self.first_line, raw, strict_loads(raw), in_array=self.in_array)
        except JsonError as error:
            return Record(self.first_line, raw, problem=str(error), in_array=self.in_array)

    def _give_up(self, problem: str) -> Record:
        raw = bytes(self.pending)
        self._reset()
        return Record(self.first_line, raw, problem=problem, in_array=self.in_array)

    def _reset(self) -> None:
        self.pending.clear()
        self.depth = 0
        self.in_string = False
