"""claw-2.0: five common fields, then the payload at the top level or a nested error."""

from __future__ import annotations

from typing import Any

from clawwrap.contract import SCHEMA_VERSION, ExitCode, Meta, Outcome
from clawwrap.envelopes import claw, reading
from clawwrap.envelopes.reading import Clues, Parsed

NAME = "claw-2.0"
DROPS = frozenset(
    {
        "warnings",
        "code",  # but for success, timeout and the rest
        "meta",  # but for timestamp, command and output_format
        "failure.code",
        "failure.detail",
        "failure.legacy_kind",
        "failure.phase",
        "failure.redirect",
        "failure.retry",  # but for yes and no
        "failure.source",
    }
)

COMMON = ("timestamp", "command", "exit_code", "output_format", "schema_version")
OWN = frozenset({*COMMON, "error"})
RESERVED = OWN | {"ok"}  # with which it would look like another shape
ERROR_FIELDS = ("kind", "operation", "target", "retryable", "message", "hint")

exit_status = claw.exit_status


def render(outcome: Outcome[Any]) -> dict[str, Any]:
    """The envelope as plain data: common fields, payload, error."""
    common = {
        "timestamp": outcome.meta.timestamp,
        "command": outcome.meta.command,
        "exit_code": exit_status(outcome),
        "output_format": "json",
        "schema_version": SCHEMA_VERSION,
    }
    failure = outcome.failure
    if failure is None:
        return {**common, **claw.flat(outcome.data, RESERVED)}
    target = claw.required(failure.target or outcome.meta.command)
    absent: dict[str, Any] = {}
    if failure.kind in claw.NOT_FOUND_KINDS:
        absent = {"name": target, "found": False}
    error = {
        "kind": failure.kind,
        "operation": claw.required(failure.operation or outcome.meta.command),
        "target": target,
        "retryable": failure.retry.retryable is True,
        "message": claw.message(failure),
    }
    if hint := claw.hint(failure):
        error["hint"] = hint
    error |= {name: value for name, value in failure.extra.items() if name not in ERROR_FIELDS}
    output = claw.flat(failure.output, RESERVED | absent.keys())
    return {**common, **absent, **output, "error": error}


def parse(envelope: dict[str, Any], clues: Clues) -> Parsed:
    """The outcome that an envelope tells of; where it contradicts itself, its exit code counts."""
    notes: list[str] = []
    error = reading.expect(envelope, "error", "object")
    meta = Meta(
        duration_ms=reading.choose_duration(None, notes),
        request_id=reading.request_id(envelope),
        timestamp=reading.choose_time(
            reading.expect(envelope, "timestamp", "string"), clues, notes
        ),
        command=reading.choose_command(reading.expect(envelope, "command", "string"), clues, notes),
    )
    payload = {name: value for name, value in envelope.items() if name not in OWN}
    number = _exit_code(envelope, error, clues, notes)
    if number == 0:
        data = claw.unflat(payload)
        if error is not None:
            notes.append("there is an error but the exit code is 0; taken for a success")
            data = {**payload, "error": error}
        return Parsed(Outcome(ExitCode.SUCCESS, meta, data), notes)
    error = {} if error is None else error
    if not error:
        notes.append("the exit code says failure but there is no error")
    kind = reading.expect(error, "kind", "string") or _unnamed(payload, meta.command)
    target = reading.expect(error, "target", "string") or ""
    name = payload.get("name")
    if kind in claw.NOT_FOUND_KINDS and payload.get("found") is False and isinstance(name, str):
        payload = {key: value for key, value in payload.items() if key not in ("name", "found")}
        if target and name != target:
            payload = {"name": name, **payload}
        target = target or name
    code, failure = claw.failure_of(
        kind,
        reading.expect(error, "message", "string") or "",
        exit_code=number,
        command=meta.command,
        notes=notes,
        retryable=reading.expect(error, "retryable", "boolean"),
        hint=reading.expect(error, "hint", "string") or "",
        operation=reading.expect(error, "operation", "string") or "",
        target=target,
        output=claw.unflat(payload) if payload else None,
        extra={key: value for key, value in error.items() if key not in ERROR_FIELDS},
    )
    return Parsed(Outcome(code, meta, None, failure), notes)


def _exit_code(
    envelope: dict[str, Any], error: dict[str, Any] | None, clues: Clues, notes: list[str]
) -> int:
    own = reading.expect(envelope, "exit_code", "integer")
    number = own if clues.exit_code is None else clues.exit_code
    if number is None:
        number = 0 if error is None else 1
        notes.append(f"the exit code is not in the record; taken for {number}")
    elif own is not None and (own == 0) != (number == 0):
        notes.append(f"exit_code says {own} but the process exited with {number}; that counts")
    if number not in (0, 1, 2):
        notes.append(f"{number} is no exit code of this shape; taken for 1")
        number = 1
    return int(number)


def _unnamed(payload: dict[str, Any], command: str) -> str:
    """The kind of a failure that names none."""
    from clawwrap.envelopes import commands

    return commands.missing(command) if payload.get("found") is False else "unknown"
