"""The local log: one line of JSON for every run. This half writes it; `journal` reads it.

It never leaves the machine, and secrets are masked in it whatever --redact says. What a tool
said is kept only where no rule knew it, and then only its words: names are masked. Part of
every run: it imports nothing that is not loaded already, and it comes after the answer.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from clawwrap.capture import Capture
    from clawwrap.catalog import Choice
    from clawwrap.contract import Outcome
    from clawwrap.invocation import Invocation

    Entry = dict[str, Any]
    Dumps = Callable[[Any], bytes]

VERSION = 1
NAME = "log.jsonl"
LOCK = "log.lock"
#: A file that has grown past this is put aside, and only so many of those are kept.
MOST_BYTES = 2 << 20
KEPT = 4
#: With its line feed a line is one page at the most, which a system writes in one piece.
LONGEST_LINE = 4096
LONGEST_ARGV = 512
LONGEST_TEXT = 256


def folder(environ: Mapping[str, str]) -> str:
    base = environ.get("XDG_STATE_HOME", "")
    if not base.startswith("/"):  # the specification says that a relative one does not count
        base = os.path.expanduser("~/.local/state")
    return f"{base}/clawwrap"


# What is kept of a run


def record(inv: Invocation, choice: Choice, outcome: Outcome[Any], capture: Capture) -> None:
    """Put a run on record. Its answer is out, so nothing that goes wrong here may be heard."""
    if inv.no_log and not inv.traceparent:
        return
    try:
        from clawwrap.json_text import dumps

        found = _of(inv, choice, outcome, capture)
        if not inv.no_log:
            append(found, os.environ, dumps)
        if inv.traceparent:
            from clawwrap import trace

            trace.hand_over(found, inv, os.environ)
    except Exception:  # a bug of ours must not print a second answer
        pass


def record_plain(inv: Invocation, meta: Mapping[str, Any], capture: Capture) -> None:
    """The same for a plain success, whose meta is all that there is to know."""
    if inv.no_log:
        return
    from clawwrap import plain

    found = entry(
        time=meta["timestamp"],
        request_id=meta["request_id"],
        command=meta["command"],
        argv=meta["argv"],
        cwd=meta["cwd"],
        code="SUCCESS",
        exit_code=0,
        native_exit=0,
        duration_ms=meta["duration_ms"],
        adapter=meta["adapter"],
        output_bytes=capture.stdout.total + capture.stderr.total,
        pid=capture.pid or None,
    )
    append(found, os.environ, lambda value: plain.dumps(value).encode())


def _of(inv: Invocation, choice: Choice, outcome: Outcome[Any], capture: Capture) -> Entry:
    if inv.redact == "none":
        from clawwrap.redact import Redactor

        plans = choice.plans
        outcome = Redactor("errors", choice.words, plans, choice.environ).outcome(outcome)
    meta, failure, native = outcome.meta, outcome.failure, outcome.meta.native
    words = None
    if failure and is_miss(outcome.code.name, meta.rule):
        from clawwrap.evidence import mask

        words = mask(failure.message, [word for word in choice.words[1:] if word])
    return entry(
        time=meta.timestamp,
        request_id=meta.request_id,
        trace_id=meta.trace_id,
        command=meta.command,
        argv=meta.argv,
        cwd=meta.cwd,
        code=outcome.code.name,
        exit_code=outcome.code.value,
        error=failure.code if failure else None,
        retryable=failure.retry.retryable if failure else None,
        native_exit=native.exit_code if native else None,
        signal=native.signal if native else None,
        duration_ms=meta.duration_ms,
        timed_out=capture.timed_out,
        cancelled=capture.cancelled_by is not None,
        adapter=meta.adapter,
        rule=meta.rule,
        attempts=meta.attempts,
        output_bytes=capture.stdout.total + capture.stderr.total,
        truncated=bool(meta.truncated),
        words=words,
        pid=capture.pid or None,
    )


def is_miss(code: str, rule: str | None) -> bool:
    """Whether a failure got its code only because no rule knew a better one."""
    return code == "GENERAL_ERROR" and (rule or "").startswith(("fallback", "native:"))


def entry(
    *,
    time: str,
    request_id: str,
    command: str,
    argv: Sequence[str],
    code: str,
    exit_code: int,
    duration_ms: int,
    output_bytes: int,
    trace_id: str | None = None,
    cwd: str | None = None,
    error: str | None = None,
    retryable: bool | str | None = None,
    native_exit: int | None = None,
    signal: str | None = None,
    timed_out: bool = False,
    cancelled: bool = False,
    adapter: str | None = None,
    rule: str | None = None,
    attempts: Sequence[Mapping[str, Any]] = (),
    truncated: bool = False,
    words: str | None = None,
    pid: int | None = None,
) -> Entry:
    """One run, from plain values that hold no secrets; what does not apply is left out.

    `words` are those of a failure that no rule knew, masked.
    """
    found: Entry = {
        "v": VERSION,
        "time": time,
        "request_id": _short(request_id),
        "trace_id": trace_id and _short(trace_id),
        "tool": _short(command.partition(" ")[0]),
        "command": _short(command),
        "argv": _short_argv(argv),
        "cwd": cwd and _short(cwd),
        "code": code,
        "exit_code": exit_code,
        "error": error and _short(error),
        "retryable": retryable,
        "native_exit": native_exit,
        "signal": signal,
        "pid": pid,
        "duration_ms": duration_ms,
        "timed_out": timed_out or None,
        "cancelled": cancelled or None,
        "adapter": adapter and _short(adapter),
        "rule": rule and _short(rule),
        "attempts": [dict(attempt) for attempt in attempts] or None,
        "output_bytes": output_bytes,
        "truncated": truncated or None,
        "miss": words is not None or None,
        "words": words and _short(words),
    }
    return {name: value for name, value in found.items() if value is not None}


def remark(about: Entry, text: str) -> Entry:
    """A note of ours about a run that is on record."""
    found = {name: about[name] for name in ("v", "time", "request_id", "trace_id") if name in about}
    return found | {"note": _short(text)}


def _short(text: str, most: int = LONGEST_TEXT) -> str:
    if not text.isascii():
        text = text.encode("utf-8", "backslashreplace").decode()  # no lone surrogates
    return text if len(text) <= most else text[: most - 1] + "…"


def _short_argv(argv: Sequence[str]) -> list[str]:
    shown: list[str] = []
    room = LONGEST_ARGV
    for word in argv:
        if room < 1:
            return [*shown, "…"]
        shown.append(_short(word, room))
        room -= len(word) + 1
    return shown


# Writing


def append(found: Entry, environ: Mapping[str, str], dumps: Dumps) -> None:
    """Add a line. A log that cannot be written is no reason to fail, or to say anything."""
    try:
        line = dumps(found)
        if len(line) >= LONGEST_LINE:  # of characters that take six bytes each
            line = dumps(_bare(found))
        _write(folder(environ), line + b"\n")
    except (OSError, TypeError, ValueError):
        pass


def _bare(found: Entry) -> Entry:
    """An entry whose texts cannot be too long, however they are written."""
    kept = {name: found[name] for name in found if name not in ("argv", "cwd", "words", "attempts")}
    texts = {name: _short(text, 48) for name, text in kept.items() if isinstance(text, str)}
    return kept | texts


def _write(place: str, line: bytes) -> None:
    try:
        found = os.lstat(place)
    except FileNotFoundError:
        os.makedirs(place, 0o700, exist_ok=True)
        found = os.lstat(place)
    if not is_ours(found):
        return
    # A FIFO in its place neither blocks nor is it written to.
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    fd = os.open(f"{place}/{NAME}", flags, 0o600)
    try:
        size = os.fstat(fd).st_size + len(line)
        os.write(fd, line)  # in one piece: lines of many writers do not mix
    finally:
        os.close(fd)
    if size > MOST_BYTES:
        _rotate(place)


def is_ours(found: os.stat_result) -> bool:
    """Whether this is a folder of ours, no symbolic link, into which nobody else can write."""
    is_folder = found.st_mode & 0o170000 == 0o040000
    return is_folder and found.st_uid == os.geteuid() and not found.st_mode & 0o022


def _rotate(place: str) -> None:
    """Put a full file aside. Who has it open still writes into it, and nothing is lost."""
    import fcntl  # once in thousands of runs

    lock = open_lock(place)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.stat(f"{place}/{NAME}").st_size <= MOST_BYTES:
            return  # somebody was faster
        older = names()
        for name, next_older in zip(older[1:], older, strict=False):
            try:
                os.rename(f"{place}/{name}", f"{place}/{next_older}")
            except FileNotFoundError:
                pass
    finally:
        os.close(lock)


def names() -> list[str]:
    """The files of the log, the oldest first."""
    return [*(f"{NAME}.{number}" for number in range(KEPT, 0, -1)), NAME]


def open_lock(place: str) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    return os.open(f"{place}/{LOCK}", flags, 0o600)
