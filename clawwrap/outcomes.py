"""Everything known about a run becomes one `Outcome`. The only place where outcomes are made."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from clawwrap import adapter, payload
from clawwrap.catalog import Choice
from clawwrap.contract import Code, ExitCode, Failure, Meta, Native, Outcome, Retry
from clawwrap.errors import ClawwrapError, ContractError
from clawwrap.invocation import Invocation
from clawwrap.payload import Bytes
from clawwrap.text import clean
from clawwrap.watch import Capture, Stream, signal_name

if TYPE_CHECKING:
    from clawwrap.reported import Report

#: An object without any of these is no envelope; a plain success does not pay for a second look.
ENVELOPE_FIELDS = frozenset({"ok", "type", "kind", "command", "exit_code", "stop_reason", "turn"})
#: An envelope on stderr begins after a few lines at most.
LATEST_START = 4096


def respond(
    inv: Invocation,
    code: Code,
    *,
    command: str,
    data: Any = None,
    failure: Failure | None = None,
    warnings: Sequence[str] = (),
    **facts: Any,
) -> Outcome[Any]:
    """The factory: every outcome, of a run or a verb, is made here and stamped here."""
    meta = Meta(
        duration_ms=(time.monotonic_ns() - inv.started_ns) // 1_000_000,
        request_id=inv.request_id or os.urandom(8).hex(),
        timestamp=timestamp(time.time_ns()),
        command=command,
        output_format=inv.output or "json",
        trace_id=_trace_id(),
        **facts,
    )
    return Outcome(code, meta, data, failure, tuple(warnings))


def timestamp(now_ns: int) -> str:
    """A moment as envelopes tell it: ISO 8601 in UTC."""
    seconds, rest = divmod(now_ns, 1_000_000_000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest // 1_000_000:03d}Z"


def _trace_id() -> str | None:
    """The trace this run belongs to, as the caller's environment names it."""
    parent = os.environ.get("TRACEPARENT", "").split("-")
    return os.environ.get("TOOL_TRACE_ID") or (parent[1] if len(parent) == 4 else None)


def refusal(inv: Invocation, error: ClawwrapError, command: str = "clawwrap") -> Outcome[Any]:
    """Our own trouble before anything ran."""
    from clawwrap import failures, generic

    ours = isinstance(error, ContractError) or type(error) is ClawwrapError
    known = generic.registry(error.code).get("exit", "ARG_ERROR")
    code = ExitCode.GENERAL_ERROR if ours else ExitCode[known]
    failure = failures.explain(
        code,
        error.code,
        error.message,
        suggestion=error.suggestion,
        source="clawwrap",
        phase="execution" if ours else "validation",
    )
    return respond(inv, code, command=command, failure=failure)


def assemble(inv: Invocation, choice: Choice, capture: Capture) -> Outcome[Any]:
    """The outcome of a run, whether the tool ended by itself, was ended, or never started."""
    facts: dict[str, Any] = {
        "command": adapter.command_name(choice.parts, inv.line),
        "timeout_ms": inv.timeout,
        "cwd": _cwd(),
        "adapter": next((plan["tool"] for _, plan in choice.parts if plan), None),
    }
    if capture.fault:
        from clawwrap import failures

        code, failure = failures.not_started(inv, choice, capture)
        return respond(inv, code, failure=failure, **facts)
    signal = signal_name(capture.signal) if capture.signal else None
    facts["native"] = Native(capture.exit_code, signal)
    facts["background_pids"] = tuple(capture.background_pids)
    out_share, err_share = _shares(inv.max_output or 0, capture)
    form = adapter.data_form(choice.parts) if _exited_well(capture) else None
    content = payload.read(_bytes(capture.stdout), out_share, form)
    facts["suggestion"] = content.suggestion or None
    warnings = _own_warnings(choice, capture) + content.warnings
    if content.truncated or (err_share and capture.stderr.total > err_share):
        facts["truncated"] = True
        facts["total_bytes"] = capture.stdout.total + capture.stderr.total
    report = _own_envelope(choice, capture, content.data)
    facts["untrusted"] = _adopt(report, choice, capture, facts, warnings) if report else ()
    said_inside = bool(content.warnings or (report and report.outcome.warnings))
    if not _is_plain_success(choice, capture):
        from clawwrap import failures  # a plain success does not pay for it

        evidence = failures.evidence_of(choice, capture, signal, report)
        ruling, source = failures.judge(inv, choice, capture, evidence)
        facts["rule"] = ruling.rule or None
        if not ruling.code.is_success:
            output = content.data if capture.stdout.total else None
            detail = payload.shorten(_bytes(capture.stderr), err_share)
            failure = failures.failure_of(choice, evidence, ruling, source, detail, output)
            fields = (*failures.untrusted_fields(failure), *(("warnings",) if said_inside else ()))
            facts["untrusted"] = (*fields, *facts["untrusted"])
            return respond(inv, ruling.code, failure=failure, warnings=warnings, **facts)
    said = _said_on_stderr(capture, err_share)
    warnings += _replacement(choice, said)
    data = content.data
    if report and not report.outcome.failure:
        data = report.outcome.data
        facts["not_modified"] = report.outcome.meta.not_modified
    fields = ("data", "warnings") if said or said_inside else ("data",)
    facts["untrusted"] = (*fields, *facts["untrusted"])
    return respond(inv, ExitCode.SUCCESS, data=data, warnings=said + warnings, **facts)


def _own_envelope(choice: Choice, capture: Capture, printed: Any) -> Report | None:
    """The envelope that the tool itself printed, on stdout, or on stderr where it failed."""
    if isinstance(printed, dict) and not ENVELOPE_FIELDS.isdisjoint(printed):
        from clawwrap import reported

        if found := reported.read(printed, choice.words, capture.exit_code):
            return found
    if capture.exit_code and b"{" in capture.stderr.head[:LATEST_START]:
        from clawwrap import reported

        said = payload.read(_bytes(capture.stderr), 0).data
        return reported.read(said, choice.words, capture.exit_code)
    return None


def _adopt(
    report: Report, choice: Choice, capture: Capture, facts: dict[str, Any], warnings: list[str]
) -> tuple[str, ...]:
    """What holds of a tool's own envelope whatever comes of it; names the fields it reached."""
    from clawwrap import reported

    facts["command"] = reported.command(report, facts["command"])
    if report.outcome.meta.truncated:
        facts["truncated"] = True
    facts["extra"] = {"tool_envelope": reported.meta(report)}
    warnings += report.outcome.warnings
    if contradiction := reported.contradiction(report, capture.exit_code):
        warnings.append(f"clawwrap: {contradiction}")
    return reported.untrusted(report, failed=not _exited_well(capture))


def unjudged(inv: Invocation, choice: Choice, capture: Capture, error: Exception) -> Outcome[Any]:
    """What is certain about a run that we failed to judge: its exit code and what it printed."""
    warning = f"clawwrap: could not judge the result ({type(error).__name__}: {error})"
    signal = signal_name(capture.signal) if capture.signal else None
    facts: dict[str, Any] = {
        "command": choice.words[0] or "clawwrap",
        "native": Native(capture.exit_code, signal),
        "warnings": [warning],
    }
    output = {"stdout": payload.shorten(_bytes(capture.stdout), inv.max_output or 0)}
    detail = payload.shorten(_bytes(capture.stderr), inv.max_output or 0)
    if _exited_well(capture):
        facts["warnings"] += [line for line in detail.split("\n") if line]
        return respond(inv, ExitCode.SUCCESS, data=output, **facts)
    ended = f"ended with {signal or capture.exit_code}"
    failure = Failure(
        "UNCLASSIFIED", f"{choice.words[0]} {ended}", Retry("maybe"), detail=detail, output=output
    )
    return respond(inv, ExitCode.GENERAL_ERROR, failure=failure, **facts)


def _is_plain_success(choice: Choice, capture: Capture) -> bool:
    """Exit 0 by itself, from a tool that is not known to lie about it."""
    doubted = any(plan["doubts_success"] for _, plan in choice.parts if plan)
    return _exited_well(capture) and not doubted


def _exited_well(capture: Capture) -> bool:
    return capture.exit_code == 0 and not capture.timed_out and capture.cancelled_by is None


def _cwd() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # the folder was deleted under us
        return None


def _bytes(stream: Stream) -> Bytes:
    return Bytes(stream.head, stream.tail, stream.total)


def _shares(cap: int, capture: Capture) -> tuple[int, int]:
    """How much of the cap stdout and stderr get: what one does not need, the other may have."""
    if not cap:
        return 0, 0
    half = cap // 2
    out, err = capture.stdout.total, capture.stderr.total
    if out + err <= cap:
        return cap, cap
    if out <= half:
        return max(out, 1), cap - out
    if err <= half:
        return cap - err, max(err, 1)
    return cap - half, half


def _own_warnings(choice: Choice, capture: Capture) -> list[str]:
    found = [
        f"clawwrap: {file} is not trusted and was not used; read it, then run "
        "`clawwrap adapters trust`"
        for file in choice.untrusted
    ]
    if capture.background_pids:
        pids = ", ".join(map(str, capture.background_pids))
        found.append(f"clawwrap: left running in the background and holding the output: {pids}")
    found += [f"clawwrap: could not be ended: {who}" for who in capture.survivors]
    if not _is_utf8(capture.stderr):
        found.append("clawwrap: stderr is not UTF-8; the bytes that are not are shown as \\xNN")
    return found


def _is_utf8(stream: Stream) -> bool:
    try:
        (stream.head if stream.lost else stream.head + stream.tail).decode()
    except UnicodeDecodeError as error:
        return bool(stream.lost) and error.start > len(stream.head) - 4  # the cut split a character
    return True


def _said_on_stderr(capture: Capture, cap: int) -> list[str]:
    """What the tool said beside its result, one string a line, deprecations first."""
    if not capture.stderr.total:
        return []
    text = clean(payload.shorten(_bytes(capture.stderr), cap).encode("utf-8", "replace"))
    lines = [line.rstrip() for line in text.decode().split("\n") if line.strip()]
    return sorted(lines, key=lambda line: not _deprecates(line))


def _deprecates(line: str) -> bool:
    low = line.lower()
    return "deprecat" in low or "will be removed" in low or "obsole" in low


def _replacement(choice: Choice, said: Sequence[str]) -> list[str]:
    """What to call in future, where a command worked and says that its days are numbered."""
    if not said or not _deprecates(said[0]) or len(choice.parts) != 1:
        return []
    from clawwrap import redirect

    words, plan = choice.parts[0]
    entry = redirect.successor(words, adapter.subcommand(plan or adapter.NO_PLAN, words))
    target = redirect.renamed(entry, words) if entry else None
    if entry and not target:
        return [f"clawwrap: {entry['from']} is {entry['reason']}: {entry['advice']}"]
    return [f"clawwrap: deprecated; use instead: {target.command}"] if target else []
