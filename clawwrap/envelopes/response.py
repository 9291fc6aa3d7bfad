"""The default shape: exactly `ok, data, error, warnings, meta`, whatever happened."""

from __future__ import annotations

from clawwrap import catalog
from clawwrap.contract import (
    KINDS,
    NOTHING,
    PHASES,
    REASONS,
    SCHEMA_VERSION,
    SOURCES,
    STRATEGIES,
    Code,
    ExitCode,
    Failure,
    Meta,
    Native,
    Outcome,
    Redirect,
    Retry,
    ToolCode,
)
from clawwrap.errors import EnvelopeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from clawwrap.envelopes.reading import Clues, Parsed

NAME = "response"
#: The name of a code of 79–125, which only the adapter that declares it knows.
DROPS = frozenset({"code.name"})


def render(outcome: Outcome[Any]) -> dict[str, Any]:
    """The envelope as plain data, keys in a fixed order."""
    return {
        "ok": outcome.ok,
        "data": outcome.data,
        "error": _error(outcome.failure) if outcome.failure else None,
        "warnings": list(outcome.warnings),
        "meta": _meta(outcome.meta, outcome.code.value),
    }


def exit_status(outcome: Outcome[Any]) -> int:
    return outcome.code.value


def parse(envelope: dict[str, Any], clues: Clues) -> Parsed:
    """The outcome that an envelope tells of; where it contradicts itself, its exit code counts."""
    from clawwrap.envelopes import reading

    notes: list[str] = []
    told = reading.expect(envelope, "meta", "object", required=True)
    error = reading.expect(envelope, "error", "object")
    warnings = reading.expect(envelope, "warnings", "array") or []
    data = envelope.get("data")
    if data is not None and not isinstance(data, (dict, list)):
        raise reading.wrong("data", "a mapping, a list or nothing", data)
    code = _code(envelope, told, error, clues, notes)
    meta = _parse_meta(envelope, told, clues, notes)
    if code.is_success:
        if error is not None:
            notes.append("there is an error but the exit code is 0; taken for a success")
            data = {"error": error} if data is None else data
        if data is None and not meta.not_modified:
            raise EnvelopeError("data and error are both null")
        if data is not None and meta.not_modified:
            notes.append("not_modified is set but there is data; the data counts")
            meta = meta._replace(not_modified=None)
        return reading.Parsed(Outcome(code, meta, data, None, tuple(map(str, warnings))), notes)
    failure = _parse_error(error or {}, code, data, notes)
    return reading.Parsed(Outcome(code, meta, None, failure, tuple(map(str, warnings))), notes)


def _code(envelope: dict[str, Any], told: Any, error: Any, clues: Clues, notes: list[str]) -> Code:
    """Who is asked: the process, then meta, then the error's own code, then `ok`."""
    from clawwrap import generic
    from clawwrap.envelopes import reading

    own = reading.expect(told, "exit_code", "integer")
    number = own if clues.exit_code is None else clues.exit_code
    ok = reading.expect(envelope, "ok", "boolean", required=True)
    if number is None:
        if error is None:
            number = 0 if ok else 1
        else:
            known = generic.registry(str(error.get("code"))).get("exit", "GENERAL_ERROR")
            number = ExitCode[known].value
        notes.append(f"the exit code is not in the record; taken for {number}")
    if ok != (number == 0):
        notes.append(f"ok is {str(ok).lower()} but the exit code is {number}; the exit code counts")
    if number in range(79, 126):
        name = str((error or {}).get("code") or "")
        return ToolCode(
            number, name if name and name not in ExitCode.__members__ else f"EXIT_{number}"
        )
    code = reading.exit_code(number)
    if code is None:
        notes.append(f"{number} is no code of the table; taken for GENERAL_ERROR")
        return ExitCode.GENERAL_ERROR
    return code


def _parse_error(error: dict[str, Any], code: Code, data: Any, notes: list[str]) -> Failure:
    from clawwrap import failures, generic
    from clawwrap.envelopes import reading

    if not error:
        notes.append("the exit code says failure but there is no error")
    if data is not None:
        notes.append("there is data beside a failure; it is kept as error.output")
    name = reading.expect(error, "code", "string") or "UNCLASSIFIED"
    told = reading.expect(error, "message", "string") or name
    message = failures.one_line(told) or name
    known = generic.registry(name) or catalog.mapping("exit_codes").get(code.name, {})
    redirect = _parse_redirect(error, code, notes)
    output = error.get("output")
    suggestion = reading.expect(error, "suggestion", "string")
    return Failure(
        code=name,
        message=message,
        retry=_parse_retry(error, code, known, notes),
        source=reading.one_of(error, "source", SOURCES, "tool"),
        phase=reading.one_of(error, "phase", PHASES, "execution"),
        kind=reading.one_of(error, "kind", KINDS, known.get("kind", "unknown")),
        detail=reading.expect(error, "detail", "string") or (told if told != message else ""),
        output=data if output is None else output,
        suggestion=suggestion or reading.expect(error, "hint", "string") or "",
        redirect=redirect,
        operation=reading.expect(error, "operation", "string") or "",
        target=reading.expect(error, "target", "string") or "",
        legacy_kind=reading.expect(error, "legacy_kind", "string") or "",
        extra={key: value for key, value in error.items() if key not in ERROR_FIELDS},
    )


def _parse_retry(
    error: dict[str, Any], code: Code, known: Mapping[str, Any], notes: list[str]
) -> Retry:
    from clawwrap import failures
    from clawwrap.envelopes import reading

    retryable = error.get("retryable")
    if retryable is None:
        return failures.retry_of(dict(known)) if known else Retry("maybe")
    if retryable not in (True, False, "maybe"):
        raise reading.wrong("error.retryable", 'true, false or "maybe"', retryable)
    seconds = reading.expect(error, "retry_after", "integer")
    after = reading.expect(error, "retry_after_ms", "integer")
    if after is None and seconds is not None:
        after = seconds * 1000
    if code is ExitCode.PARTIAL_FAILURE and retryable is True:
        notes.append("PARTIAL_FAILURE is never retryable")
        retryable = False
    if retryable is not True:
        return Retry(retryable)
    strategy = reading.one_of(error, "retry_strategy", STRATEGIES, None)
    return Retry(True, max(after, 0) if after is not None else None, strategy)


def _parse_redirect(error: dict[str, Any], code: Code, notes: list[str]) -> Redirect | None:
    from clawwrap.envelopes import reading

    told = reading.expect(error, "redirect", "object")
    if code is not ExitCode.REDIRECTED:
        if told is not None:
            notes.append("error.redirect counts only where the exit code is 13; left out")
        return None
    if told is None:
        raise EnvelopeError("the exit code is 13, which needs error.redirect")
    return Redirect(
        reading.expect(told, "command", "string", required=True),
        reading.expect(told, "permanent", "boolean", required=True),
        reading.one_of(told, "reason", REASONS, None),
    )


def _parse_meta(
    envelope: dict[str, Any], told: dict[str, Any], clues: Clues, notes: list[str]
) -> Meta:
    from clawwrap.envelopes import reading

    def text(name: str) -> str | None:
        found: str | None = reading.expect(told, name, "string")
        return found

    def number(name: str) -> int | None:
        found: int | None = reading.expect(told, name, "integer")
        return found

    def flag(name: str) -> bool | None:
        found: bool | None = reading.expect(told, name, "boolean")
        return found

    native = reading.expect(told, "native", "object")
    return Meta(
        duration_ms=reading.choose_duration(number("duration_ms"), notes),
        request_id=text("request_id") or reading.request_id(envelope),
        timestamp=reading.choose_time(text("timestamp"), clues, notes),
        command=reading.choose_command(text("command"), clues, notes),
        output_format=text("output_format") or "json",
        timeout_ms=number("timeout_ms"),
        cwd=text("cwd"),
        native=Native(native.get("exit_code"), native.get("signal")) if native else None,
        adapter=text("adapter"),
        rule=text("rule"),
        trace_id=text("trace_id"),
        untrusted=tuple(reading.expect(told, "untrusted", "array") or ()),
        argv=tuple(reading.expect(told, "argv", "array") or ()),
        encoding=text("encoding"),
        cleaned=tuple(reading.expect(told, "cleaned", "array") or ()),
        etag=text("etag"),
        truncated=flag("truncated"),
        cursor=text("cursor"),
        raw_cursor=text("raw_cursor"),
        total_bytes=number("total_bytes"),
        total_lines=number("total_lines"),
        total_count=number("total_count"),
        returned_count=number("returned_count"),
        offset=number("offset"),
        not_modified=flag("not_modified"),
        attempts=tuple(reading.expect(told, "attempts", "array") or ()),
        background_pids=tuple(reading.expect(told, "background_pids", "array") or ()),
        suggestion=text("suggestion"),
        extra={key: value for key, value in told.items() if key not in META_FIELDS},
    )


def _error(failure: Failure) -> dict[str, Any]:
    redirect = failure.redirect
    fields = {
        "code": failure.code,
        "message": failure.message,
        "detail": failure.detail or None,
        "output": failure.output,
        "retryable": failure.retry.retryable,
        "retry_after": failure.retry.after,
        "retry_after_ms": failure.retry.after_ms,
        "retry_strategy": failure.retry.strategy,
        "phase": failure.phase,
        "suggestion": failure.suggestion or None,
        "redirect": redirect and _without_none(redirect._asdict(), NOTHING),
        "source": failure.source,
        "kind": failure.kind,
        "legacy_kind": failure.legacy_kind or None,
        "operation": failure.operation or None,
        "target": failure.target or None,
        "hint": failure.suggestion or None,
    }
    return _without_none(fields, failure.extra)


def _meta(meta: Meta, exit_code: int) -> dict[str, Any]:
    native = meta.native
    fields = {
        "duration_ms": meta.duration_ms,
        "request_id": meta.request_id,
        "schema_version": SCHEMA_VERSION,
        "timestamp": meta.timestamp,
        "command": meta.command,
        "exit_code": exit_code,
        "output_format": meta.output_format,
        "timeout_ms": meta.timeout_ms,
        "cwd": meta.cwd,
        "native": native and {"exit_code": native.exit_code, "signal": native.signal},
        "adapter": meta.adapter,
        "rule": meta.rule,
        "trace_id": meta.trace_id,
        "untrusted": list(meta.untrusted) or None,
        "argv": list(meta.argv) or None,
        "encoding": meta.encoding,
        "cleaned": list(meta.cleaned) or None,
        "etag": meta.etag,
        "truncated": meta.truncated,
        "cursor": meta.cursor,
        "raw_cursor": meta.raw_cursor,
        "total_bytes": meta.total_bytes,
        "total_lines": meta.total_lines,
        "total_count": meta.total_count,
        "returned_count": meta.returned_count,
        "offset": meta.offset,
        "not_modified": meta.not_modified,
        "attempts": list(meta.attempts) or None,
        "background_pids": list(meta.background_pids) or None,
        "suggestion": meta.suggestion,
    }
    return _without_none(fields, meta.extra)


def _without_none(fields: dict[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """What applies, and behind it what is not ours; that can never stand for a field of ours."""
    known = {name: value for name, value in fields.items() if value is not None}
    if extra:
        known |= {name: value for name, value in extra.items() if name not in fields}
    return known


ERROR_FIELDS = frozenset(
    {
        "code",
        "message",
        "detail",
        "output",
        "retryable",
        "retry_after",
        "retry_after_ms",
        "retry_strategy",
        "phase",
        "suggestion",
        "redirect",
        "source",
        "kind",
        "legacy_kind",
        "operation",
        "target",
        "hint",
    }
)
META_FIELDS = frozenset(Meta._fields) - {"extra"} | {"schema_version", "exit_code"}
