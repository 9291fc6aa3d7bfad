"""`--fields a.b,c`: a selection from `data`. Pure."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    Path = tuple[str, ...]


_ABSENT = object()
#: A dot that belongs to a name is written with a backslash, as kubectl has it.
DOT = re.compile(r"(?<!\\)\.")


def parse(text: str) -> list[Path]:
    """The paths of a list such as `a.b,c`; an empty one is dropped."""
    names = (name.strip() for name in text.split(","))
    return [tuple(part.replace("\\.", ".") for part in DOT.split(name)) for name in names if name]


def select(data: Any, paths: Sequence[Path]) -> Any:
    """The same shape with these fields alone; in a list, those of each item."""
    if isinstance(data, list):
        return [select(item, paths) for item in data]
    found: dict[str, Any] = {}
    for path in paths:
        picked = _pick(data, path)
        if picked is not _ABSENT:
            found = _merge(found, {path[0]: picked})
    return found


def chosen(data: Any, paths: Sequence[Path]) -> tuple[Any, list[str]]:
    """The selection; where nothing of it is there, everything. And a word on what is not."""
    missing = absent(data, paths)
    if len(missing) < len(paths):
        return select(data, paths), told(missing)
    first = data[0] if isinstance(data, list) and data else data
    there = ", ".join(list(first)[:20]) if first and isinstance(first, dict) else "no names"
    return data, [f"{note}, which has {there}" for note in told(missing)]


def absent(data: Any, paths: Sequence[Path]) -> list[Path]:
    """The paths that lead nowhere."""
    return [path for path in paths if not any(True for _ in _reach(data, path))]


def told(missing: Sequence[Path]) -> list[str]:
    """A warning that names them."""
    names = ", ".join(map(".".join, missing))
    return [f"clawwrap: --fields: there is no {names} in data"] if missing else []


def _pick(data: Any, path: Path) -> Any:
    """What stands under the first name of `path`, reduced to the rest of it."""
    if not isinstance(data, dict) or path[0] not in data:
        return _ABSENT
    return data[path[0]] if len(path) == 1 else _narrow(data[path[0]], path[1:])


def _narrow(value: Any, path: Path) -> Any:
    if isinstance(value, list):
        items = (_narrow(item, path) for item in value)
        return [item for item in items if item is not _ABSENT]
    picked = _pick(value, path)
    return picked if picked is _ABSENT else {path[0]: picked}


def _merge(one: Any, other: Any) -> Any:
    """Two selections from the same value as one."""
    if isinstance(one, dict) and isinstance(other, dict):
        merged = dict(one)
        for key, value in other.items():
            merged[key] = _merge(one[key], value) if key in one else value
        return merged
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [_merge(*pair) for pair in zip(one, other, strict=True)]
    return other


def _reach(data: Any, path: Path) -> Iterator[Any]:
    if isinstance(data, list):
        for item in data:
            yield from _reach(item, path)
    elif not path:
        yield data
    elif isinstance(data, dict) and path[0] in data:
        yield from _reach(data[path[0]], path[1:])
