"""The answer to a tool that worked, said little and ended soon.

Most calls are like this, and what the whole way through the house loads would take longer than
the tool. Whatever is not as plain as this takes that way; a test holds the two against each other.
"""

from __future__ import annotations

import os
import time

from clawwrap import alarm, circumstances, commands, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from clawwrap.capture import Capture
    from clawwrap.catalog import Choice
    from clawwrap.invocation import Invocation

SCHEMA_VERSION = "2.0"  # of the contract, which is not loaded here


class Plain:
    """An envelope as a line, where one is wanted, and its meta, which the log asks for."""

    __slots__ = ("line", "meta")

    def __init__(self, line: bytes | None, meta: Mapping[str, Any]) -> None:
        self.line = line
        self.meta = meta


def answer(
    inv: Invocation, choice: Choice, capture: Capture, more: Mapping[str, Any] | None = None
) -> Plain | None:
    """The answer of a plain success; None where it takes more to make one.

    `more` goes into its meta.
    """
    try:
        return _answer(inv, choice, capture, more or {})
    except Exception:  # a bug of ours must not cost the tool's result; the long way says what it is
        return None


def _answer(
    inv: Invocation, choice: Choice, capture: Capture, more: Mapping[str, Any]
) -> Plain | None:
    plans = choice.plans
    is_printed = inv.output in ("raw", "human")  # by the tool itself; there is no envelope
    if not _asks_for_nothing_special(inv) or not capture.exited_well:
        return None
    if not is_printed and (choice.untrusted or not _is_plain(capture)):
        return None
    if "TRACEPARENT" in choice.environ or "TOOL_TRACE_ID" in choice.environ:
        return None
    if any(plan["doubts_success"] or plan["volatile"] for plan in plans):
        return None
    raw = capture.stdout.head
    if len(raw) > min((inv.max_output or plain.LONGEST) // 2, plain.LONGEST):
        return None  # it may not fit once it is JSON
    suggestion = None
    if form := commands.data_form(choice.parts) if raw.strip() else None:
        if form["as"] != "text":
            return None
        suggestion = form.get("machine") and commands.hint(form)
    command = commands.command_name(choice.parts, inv.line)
    folder = capture.cwd or circumstances.folder()
    typed = (inv.line or "").split() or choice.words
    shown = (command, folder or "", *choice.words)
    if not alarm.is_silent(shown, typed, plans, choice.environ):
        return None
    meta = {
        "duration_ms": (time.monotonic_ns() - inv.started_ns) // 1_000_000,
        "request_id": inv.request_id or os.urandom(8).hex(),
        "schema_version": SCHEMA_VERSION,
        "timestamp": circumstances.timestamp(time.time_ns()),
        "command": command,
        "exit_code": 0,
        "output_format": inv.output,
        "timeout_ms": inv.timeout,
        "cwd": folder,
        "native": {"exit_code": 0, "signal": None},
        "adapter": plans[0]["tool"] if plans else None,
        "untrusted": ["data"],
        "argv": circumstances.shortened(choice.words),
        "etag": plain.digest(raw),
        "suggestion": suggestion or None,
        **more,
    }
    if is_printed:
        return Plain(None, meta)
    envelope: dict[str, Any] = {
        "ok": True,
        "data": {"stdout": raw.decode("ascii")},
        "error": None,
        "warnings": [],
        "meta": {name: value for name, value in meta.items() if value is not None},
    }
    line = plain.dumps(envelope)
    return Plain(line.encode(), meta) if line.isascii() else None


def _asks_for_nothing_special(inv: Invocation) -> bool:
    return (
        inv.output != "jsonl"
        and inv.envelope in (None, "response")
        and inv.redact == "errors"
        and not (inv.etag or inv.fields or inv.dev or inv.retry or inv.live or inv.otel)
    )


def _is_plain(capture: Capture) -> bool:
    """Nothing on stderr, and a text that is no JSON."""
    if capture.stderr.total or capture.background_pids or capture.survivors:
        return False
    raw = capture.stdout.head
    if capture.stdout.total > len(raw) or not plain.is_plain(raw):
        return False
    return not (b"{" in raw or b"[" in raw) or not _may_hold_json(raw)


def _may_hold_json(raw: bytes) -> bool:
    """Whether a line begins as a JSON value does, and one ends as it does."""
    lines = raw.split(b"\n")
    begins = any(line.lstrip()[:1] in (b"{", b"[") for line in lines)
    return begins and any(line.rstrip()[-1:] in (b"}", b"]") for line in lines)
