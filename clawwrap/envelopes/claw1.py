"""claw-1.0: everything flat, `type` says success or error, `kind` the verb or the error's class."""

from __future__ import annotations

from typing import Any

from clawwrap import catalog
from clawwrap.contract import ExitCode, Failure, Meta, Outcome
from clawwrap.envelopes import claw, commands, reading
from clawwrap.envelopes.reading import Clues, Parsed

NAME = "claw-1.0"
DROPS = frozenset(
    {
        "warnings",
        "code",  # but for success, timeout and the rest
        "meta",  # but for the command of a success
        "failure.code",
        "failure.detail",
        "failure.extra",
        "failure.operation",
        "failure.phase",
        "failure.redirect",
        "failure.retry",
        "failure.source",
        "failure.target",
    }
)

#: Fields that say something of the record itself wherever they stand in it.
ABOUT = frozenset({"timestamp", "output_format", "schema_version", "exit_code"})
#: What later versions of claw say once more in other fields of an error.
AGAIN = frozenset({"status", "error_kind", "message"})
OWN = frozenset({"type", "kind", "command", "error", "hint"})
RESERVED = OWN | ABOUT | {"ok"}
STUB = "not_yet_implemented"

exit_status = claw.exit_status


def render(outcome: Outcome[Any]) -> dict[str, Any]:
    """The envelope as plain data, with the field names that v1.0 has for claw's commands."""
    failure, command = outcome.failure, outcome.meta.command
    if failure is None:
        fields = claw.flat(outcome.data, RESERVED)
        return {"type": "success", "kind": command, **commands.legacy(command, fields)}
    kind = failure.legacy_kind or ("timeout" if exit_status(outcome) == 2 else failure.kind)
    envelope: dict[str, Any] = {"type": "error", "kind": kind, "error": claw.message(failure)}
    if hint := claw.hint(failure):
        envelope["hint"] = hint
    if kind == STUB:  # the one error that v1.0 prints with its command
        envelope["command"] = command
    return {**envelope, **claw.flat(failure.output, RESERVED | AGAIN)}


def parse(envelope: dict[str, Any], clues: Clues) -> Parsed:
    """The outcome that an envelope tells of; the exit code of its process beats its `type`."""
    notes: list[str] = []
    failed = _says_error(envelope)
    command = reading.choose_command(
        _command(envelope, failed=failed) or _reporter(envelope, clues, notes), clues, notes
    )
    timestamp = reading.expect(envelope, "timestamp", "string")
    meta = Meta(
        duration_ms=reading.choose_duration(None, notes),
        request_id=reading.request_id(envelope),
        timestamp=reading.choose_time(timestamp, clues, notes),
        command=command,
    )
    payload = _payload(envelope, failed=failed)
    number = _exit_code(envelope, payload, command, clues, notes, failed=failed)
    if number == 0 and failed:
        notes.append("type says error but the exit code is 0; taken for a success")
        return Parsed(Outcome(ExitCode.SUCCESS, meta, dict(envelope)), notes)
    if number == 0:
        data = claw.unflat(payload)
        if isinstance(data, dict):
            data = commands.canonical(command, data, notes)
        return Parsed(Outcome(ExitCode.SUCCESS, meta, data), notes)
    if failed:
        code, failure = _told(envelope, payload, number, command, notes)
    else:
        payload = commands.canonical(command, payload, notes, succeeded=False)
        code, failure = _untold(payload, number, command, notes)
    return Parsed(Outcome(code, meta, None, failure), notes)


def _says_error(envelope: dict[str, Any]) -> bool:
    kind = reading.expect(envelope, "type", "string")
    if kind not in (None, "success", "error"):
        raise reading.wrong("type", "success or error", kind)
    return kind == "error" or (kind is None and isinstance(envelope.get("error"), str))


def _command(envelope: dict[str, Any], *, failed: bool) -> str:
    """The verb: named by `command`, by `kind` of a success, or told by the fields alone."""
    named = reading.expect(envelope, "command", "string")
    kind = reading.expect(envelope, "kind", "string")
    if named or failed or kind:
        return named or ("" if failed else kind) or ""
    fits = commands.by_signature(envelope)
    return fits[0] if len(fits) == 1 else ""


def _reporter(envelope: dict[str, Any], clues: Clues, notes: list[str]) -> str:
    """The one command that reports this kind of error."""
    kind = envelope.get("kind")
    known = catalog.mapping("claw_kinds").get(kind, {}) if isinstance(kind, str) else {}
    command = str(known.get("command", ""))
    if not command or clues.command:
        return ""
    notes.append(f"command is not in the record; taken for {command}, which reports {kind}")
    return command


def _payload(envelope: dict[str, Any], *, failed: bool) -> dict[str, Any]:
    """What is neither the shape's own nor says the same once more."""
    own = ABOUT | (OWN if failed else {"type", "kind", "command"})
    if failed:
        again = {"status": "error", "error_kind": envelope.get("kind")}
        again["message"] = envelope.get("error")
        own |= {name for name, value in again.items() if envelope.get(name) == value}
    return {name: value for name, value in envelope.items() if name not in own}


def _exit_code(
    envelope: dict[str, Any],
    payload: dict[str, Any],
    command: str,
    clues: Clues,
    notes: list[str],
    *,
    failed: bool,
) -> int:
    """What the process exited with, or what follows from the fields."""
    timed_out = envelope.get("kind") == "timeout" if failed else _ran_out_of_time(payload)
    undone = "type" not in envelope and payload.get("handled") is False
    absent = payload.get("found") is False and commands.missing(command) != "unknown"
    told = 2 if timed_out else 1 if failed or undone or absent else 0
    if clues.exit_code is None:
        return told
    if (clues.exit_code == 0) != (told == 0) and not failed:
        notes.append(f"the fields say {told} but the process exited with {clues.exit_code}")
    return clues.exit_code if clues.exit_code in (0, 2) else 2 if timed_out else 1


def _ran_out_of_time(payload: dict[str, Any]) -> bool:
    """Whether the record is the result of a turn that was cut short."""
    return commands.stop_reason(payload) == "timeout" and bool(commands.by_signature(payload))


def _told(
    envelope: dict[str, Any], payload: dict[str, Any], number: int, command: str, notes: list[str]
) -> tuple[ExitCode, Failure]:
    """An error in the envelope's own words."""
    kind = reading.expect(envelope, "kind", "string")
    if kind is None:
        notes.append("the error has no kind; taken for unknown")
    text = reading.expect(envelope, "error", "string") or ""
    return claw.failure_of(
        kind or "unknown",
        text,
        exit_code=number,
        command=command,
        notes=notes,
        hint=reading.expect(envelope, "hint", "string") or "",
        output=claw.unflat(payload) if payload else None,
    )


def _untold(
    payload: dict[str, Any], number: int, command: str, notes: list[str]
) -> tuple[ExitCode, Failure]:
    """A failure that only the fields or the exit code tell of."""
    name = payload.get("name")
    target = name if isinstance(name, str) else ""
    kind, text = "unknown", f"{command} exited with {number} and named no error"
    if number == 2:
        kind, text = "timeout", f"{command}: the turn ran out of time"
    elif payload.get("found") is False:
        kind = commands.missing(command)
        text = f"{command}: {target or 'what was asked for'} was not found"
        payload = {key: value for key, value in payload.items() if key not in ("name", "found")}
    elif payload.get("handled") is False:
        said = payload.get("message")
        kind = "runtime"
        text = said if isinstance(said, str) else f"{command}: {target} was not handled"
    return claw.failure_of(
        kind,
        text,
        exit_code=number,
        command=command,
        notes=notes,
        target=target,
        output=claw.unflat(payload) if payload else None,
    )
