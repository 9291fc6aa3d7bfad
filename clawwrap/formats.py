"""How an adapter says that stdout becomes `data`: lines, key-value, table, regex, jc. Pure.

Every parser is strict: what it cannot place raises `Unreadable`, and the caller keeps the
text, because a value that was guessed is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from clawwrap import patterns

Plan = dict[str, Any]

COLUMN_GAP = re.compile(r"\s{2,}|\t")
RULER = re.compile(r"[\s|+=─━-]*[=─━-][\s|+=─━-]*$")
NOT_A_KEY = re.compile(r"[^0-9a-z]+")
FIRST_SEPARATOR = re.compile(r"[=:]")


class Unreadable(Exception):
    """The output has not the form that the adapter expects; says where."""


def parse(spec: Plan, text: str) -> Any:
    """The value that `text` holds in the form `spec` names."""
    name = spec["as"]
    return _with_jc(name[3:], text) if name.startswith("jc:") else PARSERS[name](spec, text)


def _lines(spec: Plan, text: str) -> list[str]:
    return [line.rstrip("\r") for line in text.removesuffix("\n").split("\n")]


def _key_value(spec: Plan, text: str) -> Plan:
    """One pair a line; a key that comes again collects its values."""
    found: dict[str, list[str]] = {}
    for line in _filled(text):
        separator = spec.get("separator") or _first_separator(line)
        key, there, value = line.partition(separator)
        if not there or not key.strip():
            raise Unreadable(f"no key in the line {line.strip()[:60]!r}")
        found.setdefault(key.strip(), []).append(value.strip())
    return {key: values if len(values) > 1 else values[0] for key, values in found.items()}


def _first_separator(line: str) -> str:
    found = FIRST_SEPARATOR.search(line)
    return found.group() if found else "="


def _regex(spec: Plan, text: str) -> list[Plan]:
    rows = []
    names = sorted(patterns.groups(spec["pattern"]))
    for line in _filled(text):
        encoded = line.encode()
        hit = patterns.search(spec["pattern"], encoded, encoded.lower())
        if hit is None:
            raise Unreadable(f"the line {line.strip()[:60]!r} does not match")
        rows.append({name: hit.groups.get(name) for name in names})
    return rows


def _table(spec: Plan, text: str) -> list[Plan]:
    """A row for each line under a header; cells stand below the names of their columns."""
    header, *rows = _filled(text)
    split = _splitter(header)
    names = [NOT_A_KEY.sub("_", name.lower()).strip("_") for name in split(header)]
    if len(names) < 2 or not all(names) or len(set(names)) < len(names):
        raise Unreadable(f"{header.strip()[:60]!r} is no header of a table")
    return [
        dict(zip(names, _cells(row, split, len(names)), strict=True))
        for row in rows
        if not RULER.match(row)
    ]


def _cells(row: str, split: Callable[[str], list[str]], columns: int) -> list[str]:
    cells = split(row)
    if len(cells) != columns:
        raise Unreadable(f"the row {row.strip()[:60]!r} does not fit under the header")
    return cells


def _splitter(header: str) -> Callable[[str], list[str]]:
    """How the lines of a table are cut: at tabs, below the header's words, or at blanks."""
    if "\t" in header:
        return lambda line: [cell.strip() for cell in line.split("\t")]
    starts = [0, *(found.end() for found in COLUMN_GAP.finditer(header.rstrip()))]
    if len(starts) > 1:
        return lambda line: _below(line, starts)
    columns = len(header.split())
    return lambda line: line.split(None, columns - 1)


def _below(line: str, starts: list[int]) -> list[str]:
    """Cells by the places where the columns start; where one is too long, by the gaps."""
    if all(start > len(line) or line[start - 1].isspace() for start in starts[1:]):
        ends = [*starts[1:], len(line)]
        return [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    return COLUMN_GAP.split(line.strip())


def _filled(text: str) -> list[str]:
    lines = [line.rstrip(" \r") for line in text.split("\n") if line.strip()]  # a tab is a cell
    if not lines:
        raise Unreadable("there is nothing")
    return lines


def _with_jc(parser: str, text: str) -> Any:
    try:
        import jc
    except ImportError:
        raise MissingParser(
            f"Install clawwrap[jc], and this output is parsed by jc's parser {parser!r}."
        ) from None
    try:
        return jc.parse(parser.replace("-", "_"), text, quiet=True)
    except Exception as error:  # whatever a parser of hundreds may raise, the text is kept
        reason = " ".join(str(error).split())[:120]
        raise Unreadable(f"jc's parser {parser!r} gave up: {reason}") from error


class MissingParser(Unreadable):
    """The library that would parse it is not installed; says how to get it."""


def _never(spec: Plan, text: str) -> Any:
    raise Unreadable(f"it is no {spec['as']}")  # JSON has been looked for before


PARSERS: dict[str, Callable[[Plan, str], Any]] = {
    "json": _never,
    "jsonl": _never,
    "key-value": _key_value,
    "lines": _lines,
    "regex": _regex,
    "table": _table,
}
