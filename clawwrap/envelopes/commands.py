"""The commands of claw: the fields of v1.0 become those of v2.0, and back, by a table. Pure."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from clawwrap import catalog

Fields = dict[str, Any]
Rename = Callable[[Fields, dict[str, str], list[str]], Fields]
STOP_REASONS = ("completed", "timeout", "cancelled", "max_budget_reached", "max_turns_reached")


def table() -> Fields:
    return catalog.mapping("claw_commands")


def missing(command: str) -> str:
    """The kind of error where this command did not find what it was asked for."""
    return str(table().get(command, {}).get("missing", "unknown"))


def by_signature(record: Fields) -> list[str]:
    """The commands whose fields a record has; the one that explains most of them alone."""
    fits = {
        name: len(spec["signature"])
        for name, spec in table().items()
        if record.keys() >= set(spec["signature"]) and _fits_turn(name, record)
    }
    most = max(fits.values(), default=0)
    return [name for name, size in fits.items() if size == most]


def _fits_turn(name: str, record: Fields) -> bool:
    """Whether a result of a turn has a reason of its own to stop; other tools have others."""
    if name not in ("turn", "turn-loop"):
        return True
    return stop_reason(record) in STOP_REASONS


def stop_reason(record: Fields) -> object:
    """Why the last turn in a record ended."""
    turn = record.get("turn")
    inner = turn.get("stop_reason") if isinstance(turn, dict) else None
    return record.get("final_stop_reason") or record.get("stop_reason") or inner


# From v1.0 to v2.0


def canonical(command: str, old: Fields, notes: list[str], *, succeeded: bool = True) -> Fields:
    """The payload with the fields of v2.0; what the table does not know stays as it is."""
    spec = table().get(command)
    if spec is None:
        return dict(old)
    fields = dict(old)
    for name in spec.get("lift", {}):
        fields = _lift(fields, name)
    times = spec.get("times", [])
    fields = _rename(fields, spec.get("rename", {}), times)
    for name, renames in spec.get("items", {}).items():
        if isinstance(fields.get(name), list):
            fields[name] = [_item(_rename, i, renames, times) for i in fields[name]]
    _set_counts(fields, spec.get("counts", {}))
    _set_folder(fields, spec.get("folder", ""))
    if succeeded:
        for name, value in spec.get("sets", {}).items():
            fields.setdefault(name, value)
    if "turn" in spec:
        _complete_turn(fields, spec["turn"], notes)
    return fields


def _lift(fields: Fields, name: str) -> Fields:
    """The fields of a nested object among the others; one that is taken stays where it was."""
    inner = fields.get(name)
    if not isinstance(inner, dict):
        return fields
    outer = {key: value for key, value in fields.items() if key != name}
    lifted = {key: value for key, value in inner.items() if key not in outer}
    left = {key: value for key, value in inner.items() if key in outer}
    return {**lifted, **outer, **({name: left} if left else {})}


def _rename(item: Fields, renames: dict[str, str], times: list[str]) -> Fields:
    """An object with its old names replaced, unless the new one is taken; order is kept."""
    found: Fields = {}
    for name, value in item.items():
        new = renames.get(name, name)
        if new != name and (new in item or new in found):
            new = name
        elif new != name and new in times:
            moment = _iso(value)
            new, value = (new, moment) if moment else (name, value)
        found[new] = value
    return found


def _item(change: Rename, item: Any, renames: dict[str, str], times: list[str]) -> Any:
    return change(item, renames, times) if isinstance(item, dict) else item


def _iso(milliseconds: object) -> str:
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, int):
        return ""
    try:
        moment = datetime.fromtimestamp(milliseconds // 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return ""
    rest = milliseconds % 1000
    return moment.strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0") + (f".{rest:03d}Z" if rest else "Z")


def _set_counts(fields: Fields, counts: dict[str, list[str]]) -> None:
    for name, sources in counts.items():
        values = [fields.get(source) for source in sources]
        sizes = [len(v) if isinstance(v, list) else v for v in values]
        if name not in fields and all(type(size) is int for size in sizes):
            fields[name] = sum(size for size in sizes if isinstance(size, int))


def _set_folder(fields: Fields, source: str) -> None:
    """`directory`, where every path agrees on it."""
    if not source or "directory" in fields:
        return
    found = fields.get(source)
    items = found if isinstance(found, list) else [{"path": found}]
    paths = [item.get("path") if isinstance(item, dict) else None for item in items]
    folders = {os.path.dirname(path) if isinstance(path, str) else "" for path in paths}
    if len(folders) == 1 and (folder := folders.pop()):
        fields["directory"] = folder


def _complete_turn(fields: Fields, where: str, notes: list[str]) -> None:
    turn = fields if where == "." else fields.get(where)
    if not isinstance(turn, dict) or "stop_reason" not in turn:
        return
    if "cancel_observed" not in turn:
        notes.append("cancel_observed is not in the record; taken for false")
        turn = {**turn, "cancel_observed": False}
        fields.update(turn if where == "." else {where: turn})


# From v2.0 to v1.0


def legacy(command: str, new: Fields) -> Fields:
    """The payload with the names that consumers of v1.0 look for."""
    spec = table().get(command)
    if spec is None:
        return dict(new)
    times = spec.get("times", [])
    fields = _rename_back(new, spec.get("rename", {}), times)
    for name, renames in spec.get("items", {}).items():
        if isinstance(fields.get(name), list):
            fields[name] = [_item(_rename_back, i, renames, times) for i in fields[name]]
    for name, inner in spec.get("lift", {}).items():
        if name not in fields and inner[0] in fields:
            nested = {key: fields.pop(key) for key in inner if key in fields}
            fields = {name: nested, **fields}
    return fields


def _rename_back(item: Fields, renames: dict[str, str], times: list[str]) -> Fields:
    old_names: dict[str, str] = {}
    for old, new in renames.items():
        old_names.setdefault(new, old)
    found: Fields = {}
    for name, value in item.items():
        old = old_names.get(name, name)
        if old != name and any(other in item for other in renames if renames[other] == name):
            old = name  # both names are in use, so neither is the other's
        elif old != name and name in times:
            moment = _milliseconds(value)
            old, value = (name, value) if moment is None else (old, moment)
        found[old] = value
    return found


def _milliseconds(text: object) -> int | None:
    """The number that a time was made from; None where it was not made from one."""
    if not isinstance(text, str):
        return None
    try:
        moment = datetime.fromisoformat(text.removesuffix("Z") + "+00:00")
    except ValueError:
        return None
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    found = (moment - epoch) // (datetime.resolution * 1000)
    return found if _iso(found) == text else None
