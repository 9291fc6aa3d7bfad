"""The trace that a run belongs to, and with --otel the run as a span of it.

W3C trace context comes and goes by TRACEPARENT and TRACESTATE, as OpenTelemetry passes it in
environments. Without --otel both pass through untouched: a span that nobody exports must not
come between its parent and its children. With it the tool gets our span as its parent.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

from clawwrap.contract import Outcome
from clawwrap.invocation import Invocation
from clawwrap.record import replace

SAMPLED = 0x01
#: The flags that version 00 knows; all others are to be zero.
FLAGS = 0x03
LOWER_HEX = frozenset("0123456789abcdef")
ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
PACKAGES = ("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp.proto.http.trace_exporter")


class Context(NamedTuple):
    """One span, as W3C trace context names it."""

    trace_id: str
    span_id: str
    flags: int

    def __str__(self) -> str:
        return f"00-{self.trace_id}-{self.span_id}-{self.flags:02x}"

    @property
    def is_sampled(self) -> bool:
        return bool(self.flags & SAMPLED)


def parse(text: str) -> Context | None:
    """The span that a TRACEPARENT names; None where it is none."""
    version, *parts = text.split("-")
    if not _is_hex(version, 2) or version == "ff" or len(parts) < 3:
        return None
    if version == "00" and len(parts) != 3:  # a later version may have more to say
        return None
    trace_id, span_id, flags = parts[:3]
    if not (_is_hex(trace_id, 32) and _is_hex(span_id, 16) and _is_hex(flags, 2)):
        return None
    if not trace_id.strip("0") or not span_id.strip("0"):
        return None
    return Context(trace_id, span_id, int(flags, 16) & FLAGS)


def _is_hex(text: str, length: int) -> bool:
    return len(text) == length and set(text) <= LOWER_HEX


def trace_id(inv: Invocation, environ: Mapping[str, str]) -> str | None:
    """What goes into meta.trace_id: the caller's own id, or that of the trace we belong to."""
    found = parse(inv.traceparent or environ.get("TRACEPARENT", ""))
    return environ.get("TOOL_TRACE_ID") or (found.trace_id if found else None)


# The run as a span


def begin(inv: Invocation, environ: Mapping[str, str]) -> None:
    """Make the run a span, where there is somebody to export it to."""
    if environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or obstacle(environ):
        return
    parent = parse(environ.get("TRACEPARENT", ""))
    of, flags = (parent.trace_id, parent.flags) if parent else (os.urandom(16).hex(), SAMPLED)
    inv.traceparent = str(Context(of, os.urandom(8).hex(), flags))


def pass_on(inv: Invocation, env: dict[bytes, bytes]) -> None:
    """Make our span the parent of what the tool does."""
    if parse(os.fsdecode(env.get(b"TRACEPARENT", b""))) is None:
        env.pop(b"TRACESTATE", None)  # it belongs to a trace that we do not know
    env[b"TRACEPARENT"] = (inv.traceparent or "").encode()


def obstacle(environ: Mapping[str, str]) -> str:
    """Why nothing can be exported; empty where it can."""
    if not any(environ.get(name) for name in ENDPOINTS):
        return f"{ENDPOINTS[-1]} is not set"
    from importlib.util import find_spec

    try:
        found = all(find_spec(name) for name in PACKAGES)
    except ImportError:
        found = False
    return "" if found and sys.executable else "clawwrap[otel] is not installed"


def noted(outcome: Outcome[Any], environ: Mapping[str, str]) -> Outcome[Any]:
    """The outcome, with a warning where its span cannot be exported."""
    why = obstacle(environ)
    if not why:
        return outcome
    warning = f"clawwrap: --otel exports nothing: {why}"
    return replace(outcome, warnings=(*outcome.warnings, warning))


def hand_over(entry: dict[str, Any], inv: Invocation, environ: Mapping[str, str]) -> None:
    """Let a process of its own export the span, so that nobody waits for a collector.

    It holds nothing of ours open, so whoever reads our output until its end does not wait either.
    """
    own = parse(inv.traceparent or "")
    if own is None or not own.is_sampled:
        return
    import orjson

    content = orjson.dumps({"entry": entry, "traceparent": str(own), "log": not inv.no_log})
    reading, writing = os.pipe()
    # Nothing is imported from the folder we are in.
    safe_path = "-I" if sys.flags.isolated else "-P"
    actions: list[Any] = [(os.POSIX_SPAWN_DUP2, reading, 0)]
    actions += [(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_WRONLY, 0) for fd in (1, 2)]
    argv = [sys.executable, safe_path, "-m", "clawwrap.otel"]
    try:
        os.posix_spawn(argv[0], argv, environ, file_actions=actions, setsid=True)
        os.close(reading)
        reading = -1
        os.write(writing, content)
    finally:
        for fd in (reading, writing):
            if fd >= 0:
                os.close(fd)
