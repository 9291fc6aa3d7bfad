"""The default shape: exactly `ok, data, error, warnings, meta`, whatever happened."""

from __future__ import annotations

from typing import Any

from clawwrap.contract import SCHEMA_VERSION, Failure, Meta, Outcome

NAME = "response"


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
        "redirect": redirect
        and {
            "command": redirect.command,
            "permanent": redirect.permanent,
            "reason": redirect.reason,
        },
        "source": failure.source,
        "kind": failure.kind,
        "operation": failure.operation or None,
        "target": failure.target or None,
        "hint": failure.suggestion or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


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
        "etag": meta.etag,
        "truncated": meta.truncated,
        "total_bytes": meta.total_bytes,
        "not_modified": meta.not_modified,
        "background_pids": list(meta.background_pids) or None,
    }
    return {name: value for name, value in fields.items() if value is not None}
