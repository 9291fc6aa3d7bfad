"""Which shape an object has, told by its fields alone and without guessing. Pure."""

from __future__ import annotations

from typing import Any, NamedTuple

from clawwrap import catalog
from clawwrap.envelopes import commands

#: Fields that only one shape has; two of different shapes in one object are a contradiction.
RESPONSE_FIELDS = {"ok", "data", "error", "meta"}
COMMON_FIELDS = {"timestamp", "command", "exit_code"}


class Finding(NamedTuple):
    """A shape and which of its forms; `problem` says why it is none, or more than one."""

    shape: str | None
    variant: str = ""
    problem: str = ""

    @property
    def is_ambiguous(self) -> bool:
        return self.shape is None and bool(self.variant)


def recognise(record: object) -> Finding:
    """The one shape that fits; none where none or several do."""
    if not isinstance(record, dict):
        return Finding(None, problem="not an object")
    fits = [found for found in (_response(record), _claw2(record), _claw1(record)) if found]
    if len(fits) == 1:
        return fits[0]
    if fits:
        names = " and ".join(f"{found.shape} ({found.variant})" for found in fits)
        return Finding(None, "ambiguous", f"it has the fields of {names}")
    return Finding(None, *_contradiction(record))


def _response(record: dict[str, Any]) -> Finding | None:
    if not (
        isinstance(record.get("ok"), bool)
        and record.keys() >= RESPONSE_FIELDS
        and isinstance(record["error"], (dict, type(None)))
        and isinstance(record["meta"], dict)
    ):
        return None
    return Finding("response", "error" if record["error"] else "success")


def _claw2(record: dict[str, Any]) -> Finding | None:
    """The common fields tell it; older drafts of it call themselves 1.0, or leave the rest out."""
    code = record.get("exit_code")
    if not (
        record.keys() >= COMMON_FIELDS
        and isinstance(record["timestamp"], str)
        and isinstance(record["command"], str)
        and isinstance(code, int)
        and not isinstance(code, bool)
        and record.get("schema_version", "2.0") in ("1.0", "2.0")
        and isinstance(record.get("error"), (dict, type(None)))
        and ("schema_version" in record or record.get("type") not in ("success", "error"))
    ):
        return None
    if record.get("error") is None:
        return Finding("claw-2.0", "success" if code == 0 else "failure without an error")
    return Finding("claw-2.0", "not found" if record.get("found") is False else "error")


def _claw1(record: dict[str, Any]) -> Finding | None:
    if isinstance(record.get("error"), dict) or "schema_version" in record:
        return None
    kind, command = record.get("kind"), record.get("command")
    if record.get("type") == "error":
        return _typed_error(record, kind, command)
    if record.get("type") == "success":
        named = "kind" if isinstance(kind, str) else "command" if isinstance(command, str) else ""
        if record.get("error") is not None:
            return None
        return Finding("claw-1.0", f"success, {named} is the verb" if named else "success, no verb")
    if "type" in record or any(record.keys() >= own for own in (RESPONSE_FIELDS, COMMON_FIELDS)):
        return None
    return _untyped(record, kind, command)


def _typed_error(record: dict[str, Any], kind: object, command: object) -> Finding | None:
    if not isinstance(record.get("error"), str):
        return None
    if kind == "not_yet_implemented" and isinstance(command, str):
        return Finding("claw-1.0", "stub error")
    return Finding("claw-1.0", "error, kind is its class" if isinstance(kind, str) else "error")


def _untyped(record: dict[str, Any], kind: object, command: object) -> Finding | None:
    """Without `type` only what claw itself prints is taken for its envelope."""
    kinds, verbs = catalog.mapping("claw_kinds"), commands.table()
    if isinstance(record.get("error"), str):
        known = isinstance(kind, str) and kind in kinds
        return Finding("claw-1.0", "error, no type") if known else None
    for name, value in (("command", command), ("kind", kind)):
        if isinstance(value, str) and value in verbs:
            return Finding("claw-1.0", f"success, no type, {name} is the verb")
    if kind is not None or command is not None:
        return None
    fits = commands.by_signature(record)
    if len(fits) == 1 and (len(verbs[fits[0]]["signature"]) > 1 or record.keys() & TELLING):
        return Finding("claw-1.0", f"success, no type, no verb: {fits[0]}")
    return None


#: Single fields that nobody else would print beside a session's id.
TELLING = {"session_id", "final_stop_reason"}


def _contradiction(record: dict[str, Any]) -> tuple[str, str]:
    """Why an object that looks like an envelope is none."""
    kind, error = record.get("type"), record.get("error")
    if kind in ("success", "error"):
        if isinstance(error, dict):
            return "ambiguous", "type is of claw-1.0, but error is an object as in claw-2.0"
        if kind == "success" and error is not None:
            return "ambiguous", "type says success, but there is an error"
        if kind == "error":
            return "ambiguous", "type says error, but error is not a text"
    if isinstance(record.get("ok"), bool) and record.keys() & {"data", "error", "meta"}:
        absent = ", ".join(sorted(RESPONSE_FIELDS - record.keys())) or "nothing"
        return "ambiguous", f"it looks like a response envelope of which {absent} is missing"
    if record.keys() & {"schema_version"} and record.keys() & COMMON_FIELDS:
        return "ambiguous", "it looks like claw-2.0, but its common fields are incomplete or wrong"
    if not record.keys() & {"kind", "command"}:
        fits = commands.by_signature(record)
        if len(fits) > 1:
            return "ambiguous", f"its fields are those of {' and of '.join(fits)}"
    return "", "it has the fields of no envelope"
