"""The process that exports one span by OTLP, after its run has been answered (`clawwrap[otel]`).

It reads what `trace.hand_over` writes, ends within seconds, and prints nothing: that a span
could not be exported is a remark in the local log.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from typing import Any

import orjson
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExportResult
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags, TraceState

from clawwrap import __version__, log, trace
from clawwrap.journal import choosing
from clawwrap.redact import Redactor

Entry = dict[str, Any]
#: Nobody waits for us, but nobody shall find us either.
LONGEST_S = 10
#: Entries of the log by their names as attributes; OpenTelemetry's own where it has one.
ATTRIBUTES = {
    "tool": "process.executable.name",
    "argv": "process.command_args",
    "pid": "process.pid",
    "cwd": "process.working_directory",
    "error": "error.type",
    "command": "clawwrap.command",
    "code": "clawwrap.code",
    "exit_code": "clawwrap.exit_code",
    "retryable": "clawwrap.retryable",
    "request_id": "clawwrap.request_id",
    "adapter": "clawwrap.adapter",
    "rule": "clawwrap.rule",
    "timed_out": "clawwrap.timed_out",
    "cancelled": "clawwrap.cancelled",
    "output_bytes": "clawwrap.output_bytes",
    "truncated": "clawwrap.truncated",
}


def main() -> None:
    os.chdir("/")  # so that no folder stays in use
    os.nice(10)
    message = orjson.loads(sys.stdin.buffer.read())
    entry = message["entry"]
    reason = _export(entry, message["traceparent"])
    if reason and message["log"]:
        text = Redactor().text(f"the span was not exported: {reason}")
        log.append(log.remark(entry, text), os.environ, orjson.dumps)


def _export(entry: Entry, traceparent: str) -> str:
    """Send the span; the reason where that fails, empty where it does not."""
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(LONGEST_S)
    said = _LastWords()
    logging.getLogger("opentelemetry").addHandler(said)
    try:
        result = OTLPSpanExporter().export([span(entry, traceparent)])
    except _TooLong:
        return f"the collector took longer than {LONGEST_S} s"
    except Exception as error:  # whatever it is, there is nobody to tell but the log
        return f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
    return "" if result is SpanExportResult.SUCCESS else said.text or "no reason is known"


class _TooLong(BaseException):
    """No `Exception`: the exporter would take that for one more reason to try again."""


def _too_long(_number: int, _frame: object) -> None:
    raise _TooLong


class _LastWords(logging.Handler):
    """What the exporter complained about last."""

    text = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.text = record.getMessage()


def span(entry: Entry, traceparent: str) -> ReadableSpan:
    """A run as OpenTelemetry's conventions describe the call of a command line program."""
    failed = entry["exit_code"] != 0
    end_ns = _end_ns(entry)
    return ReadableSpan(
        name=entry["command"],
        context=_context(traceparent, is_remote=False),
        parent=_context(os.environ.get("TRACEPARENT", ""), is_remote=True),
        kind=SpanKind.CLIENT,
        status=Status(StatusCode.ERROR, entry.get("error")) if failed else Status(),
        attributes=attributes(entry),
        resource=_resource(),
        instrumentation_scope=InstrumentationScope("clawwrap", __version__),
        start_time=end_ns - entry["duration_ms"] * 1_000_000,
        end_time=end_ns,
    )


def _end_ns(entry: Entry) -> int:
    when = choosing.parsed(entry["time"])
    return round(when.timestamp() * 1000) * 1_000_000 if when else time.time_ns()


def attributes(entry: Entry) -> dict[str, Any]:
    found = {name: entry[key] for key, name in ATTRIBUTES.items() if key in entry}
    if "retryable" in entry:
        found["clawwrap.retryable"] = str(entry["retryable"]).lower()  # it may be "maybe"
    if "attempts" in entry:
        found["clawwrap.attempts"] = len(entry["attempts"])
    native = entry.get("native_exit")
    if native is None and "signal" in entry:
        native = 128 + int(getattr(signal, entry["signal"], 0))  # as shells say it
    return found if native is None else {**found, "process.exit.code": native}


def _context(traceparent: str, *, is_remote: bool) -> SpanContext | None:
    found = trace.parse(traceparent)
    if found is None:
        return None
    state = TraceState.from_header([os.environ.get("TRACESTATE", "")])
    trace_id, span_id = int(found.trace_id, 16), int(found.span_id, 16)
    return SpanContext(trace_id, span_id, is_remote, TraceFlags(found.flags), state)


def _resource() -> Resource:
    """Who we are, unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES says otherwise."""
    ours = Resource({"service.name": "clawwrap", "service.version": __version__})
    theirs = Resource.create()
    named = "unknown_service" not in str(theirs.attributes["service.name"])
    return ours.merge(theirs) if named else theirs.merge(ours)


if __name__ == "__main__":
    main()
