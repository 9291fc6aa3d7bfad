"""Everything known about a run becomes one `Outcome`. The only place where outcomes are made."""

from __future__ import annotations

import os
import time

from clawwrap import circumstances, commands, payload, portions
from clawwrap.capture import Capture, Stream, signal_name
from clawwrap.catalog import Choice
from clawwrap.contract import Code, ExitCode, Failure, Meta, Native, Outcome, Retry
from clawwrap.errors import ClawwrapError, ContractError
from clawwrap.invocation import Invocation
from clawwrap.payload import Payload
from clawwrap.portions import Brief, Bytes
from clawwrap.redact import Redactor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from clawwrap import fields
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
    guard: Redactor | None = None,
    **facts: Any,
) -> Outcome[Any]:
    """The factory: every outcome, of a run or a verb, is made here, stamped and without secrets."""
    facts.setdefault("trace_id", _trace_id(inv, os.environ))
    meta = Meta(
        duration_ms=(time.monotonic_ns() - inv.started_ns) // 1_000_000,
        request_id=inv.request_id or os.urandom(8).hex(),
        timestamp=circumstances.timestamp(time.time_ns()),
        command=command,
        output_format=inv.output or "json",
        **facts,
    )
    guard = guard or Redactor(inv.redact or "errors")
    return guard.outcome(Outcome(code, meta, data, failure, tuple(warnings)))


def _trace_id(inv: Invocation, environ: Mapping[str, str]) -> str | None:
    """The trace this run belongs to; most belong to none."""
    if not (inv.traceparent or "TRACEPARENT" in environ or "TOOL_TRACE_ID" in environ):
        return None
    from clawwrap import trace

    return trace.trace_id(inv, environ)


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
    plans = choice.plans
    guard = Redactor(inv.redact or "errors", choice.words, plans, choice.environ)
    facts: dict[str, Any] = {
        "command": commands.command_name(choice.parts, inv.line),
        "timeout_ms": inv.timeout,
        "cwd": capture.cwd or circumstances.folder(),
        "adapter": next((plan["tool"] for _, plan in choice.parts if plan), None),
        "argv": circumstances.shortened(guard.argv(choice.words)),
        "trace_id": _trace_id(inv, choice.environ),
        "guard": guard,
    }
    if capture.fault:
        from clawwrap import failures

        code, failure = failures.not_started(inv, choice, capture)
        return respond(inv, code, failure=failure, **facts)
    signal = signal_name(capture.signal) if capture.signal else None
    facts["native"] = Native(capture.exit_code, signal)
    facts["background_pids"] = tuple(capture.background_pids)
    out_share, err_share = _shares(inv.max_output or 0, capture)
    well = capture.exited_well
    form = commands.data_form(choice.parts) if well else None
    paths = _paths(inv.fields) if inv.fields and well else []
    content = payload.read(_bytes(capture.stdout), out_share, form, paths)
    said = portions.brief(_bytes(capture.stderr), err_share)
    facts["suggestion"] = content.suggestion or None
    warnings = _own_warnings(choice, capture, said) + list(content.warnings)
    report = _own_envelope(choice, capture, content.data)
    facts["untrusted"] = _adopt(report, choice, capture, facts, warnings) if report else ()
    said_inside = bool(content.warnings or (report and report.outcome.warnings))
    if not _is_plain_success(choice, capture):
        from clawwrap import failures  # a plain success does not pay for it

        evidence = failures.evidence_of(choice, capture, signal, report)
        ruling, source = failures.judge(inv, choice, capture, evidence)
        facts["rule"] = ruling.rule or None
        if not ruling.code.is_success:
            warnings += _keep(inv, capture, content, said, facts)
            output = content.data if capture.stdout.total else None
            failure = failures.failure_of(choice, evidence, ruling, source, said.text, output)
            named = (*failures.untrusted_fields(failure), *(("warnings",) if said_inside else ()))
            facts["untrusted"] = (*named, *facts["untrusted"])
            return respond(inv, ruling.code, failure=failure, warnings=warnings, **facts)
    lines = _lines_of(said)
    warnings += _replacement(choice, lines)
    data = content.data
    if report and not report.outcome.failure:
        data = report.outcome.data
        facts["not_modified"] = report.outcome.meta.not_modified
    facts["etag"] = _etag(choice, capture, content)
    if inv.etag == facts["etag"]:
        data, content, facts["not_modified"] = None, Payload(None), True
    warnings += _keep(inv, capture, content, said, facts)
    named = () if data is None else ("data",)
    named += ("warnings",) if lines or said_inside else ()
    facts["untrusted"] = (*named, *facts["untrusted"])
    return respond(inv, ExitCode.SUCCESS, data=data, warnings=lines + warnings, **facts)


def _paths(asked: str) -> list[fields.Path]:
    from clawwrap import fields  # few callers select

    return fields.parse(asked)


def _etag(choice: Choice, capture: Capture, content: Payload) -> str:
    from clawwrap import etag

    volatile = [matcher for _, plan in choice.parts if plan for matcher in plan["volatile"]]
    return etag.of(capture.stdout, content, volatile)


def _keep(
    inv: Invocation, capture: Capture, content: Payload, said: Brief, facts: dict[str, Any]
) -> list[str]:
    """Say how the envelope's text differs from the tool's, and where the rest can be had."""
    if inv.output not in ("json", "jsonl"):
        return []  # it was printed as it came
    facts["encoding"] = content.encoding if content.encoding != "utf-8" else None
    facts["cleaned"] = tuple(dict.fromkeys(content.cleaned + said.cleaned))
    if content.truncated or said.is_cut:
        facts["truncated"] = True
        facts["total_bytes"] = capture.stdout.total + capture.stderr.total
        facts["total_lines"] = capture.stdout.lines + capture.stderr.lines
        facts["total_count"] = content.total_count
        facts["returned_count"] = content.returned_count
    elif content.is_exact and said.is_exact and not (capture.stdout.store or capture.stderr.store):
        return []
    from clawwrap import pages  # most answers fit

    shared = {"command": facts["command"], "redact": inv.redact}
    shared["fields"] = inv.fields if content.is_selected else None
    out = pages.Part(
        "stdout",
        capture.stdout,
        content.shown,
        content.is_exact,
        {
            "kind": content.kind,
            "encoding": content.encoding,
            "total_count": content.total_count,
        },
    )
    err = pages.Part(
        "stderr",
        capture.stderr,
        0 if said.is_cut else None,
        said.is_exact,
        {"kind": payload.TEXT, "encoding": said.encoding},
    )
    cursors = pages.keep(capture, out, err, shared)
    facts["cursor"], facts["raw_cursor"] = cursors.cursor, cursors.raw_cursor
    return list(cursors.warnings)


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
    warnings += map(_as_theirs, report.outcome.warnings)
    if contradiction := reported.contradiction(report, capture.exit_code):
        warnings.append(f"clawwrap: {contradiction}")
    return reported.untrusted(report, failed=not capture.exited_well)


def unjudged(inv: Invocation, choice: Choice, capture: Capture, error: Exception) -> Outcome[Any]:
    """What is certain about a run that we failed to judge: its exit code and what it printed."""
    warning = f"clawwrap: could not judge the result ({type(error).__name__}: {error})"
    signal = signal_name(capture.signal) if capture.signal else None
    facts: dict[str, Any] = {
        "command": choice.words[0] or "clawwrap",
        "native": Native(capture.exit_code, signal),
        "warnings": [warning],
    }
    half = -(-(inv.max_output or 0) // 2)
    output = {"stdout": portions.brief(_bytes(capture.stdout), half).text}
    detail = portions.brief(_bytes(capture.stderr), half).text
    if capture.exited_well:
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
    return capture.exited_well and not doubted


def _bytes(stream: Stream) -> Bytes:
    store = stream.store
    read = store.read if store and store.is_open and store.kept == stream.total else None
    return Bytes(stream.head, stream.tail, stream.total, read)


def _shares(cap: int, capture: Capture) -> tuple[int, int]:
    """How much of the cap stdout and stderr get: what one does not need, the other may have."""
    if not cap:
        return 0, 0
    half = -(-cap // 2)  # nothing would mean without a limit
    out, err = capture.stdout.total, capture.stderr.total
    if out + err <= cap:
        return cap - err, cap - out
    needs = min(half, _as_json(out)), min(half, _as_json(err))
    if out <= half:
        return needs[0], max(1, cap - needs[0])
    return max(1, cap - needs[1]), needs[1]


def _as_json(size: int) -> int:
    """What a short text takes at the most, with escapes and the name before it."""
    return 2 * size + 64


def _own_warnings(choice: Choice, capture: Capture, said: Brief) -> list[str]:
    found = [
        f"clawwrap: {file} is not trusted and was not used; read it, then run "
        "`clawwrap adapters trust`"
        for file in choice.untrusted
    ]
    if capture.background_pids:
        pids = ", ".join(map(str, capture.background_pids))
        found.append(f"clawwrap: left running in the background and holding the output: {pids}")
    found += [f"clawwrap: could not be ended: {who}" for who in capture.survivors]
    if "invalid bytes" in said.cleaned:
        found.append("clawwrap: stderr is not UTF-8; the bytes that are not are shown as \\xNN")
    elif said.encoding != "utf-8":
        found.append(f"clawwrap: stderr is not UTF-8; it was read as {said.encoding}")
    return found


def _lines_of(said: Brief) -> list[str]:
    """What the tool said beside its result, one string a line, deprecations first."""
    if not said.text:
        return []
    lines = [_as_theirs(line.rstrip()) for line in said.text.split("\n") if line.strip()]
    return sorted(lines, key=lambda line: not _deprecates(line))


def _as_theirs(line: str) -> str:
    """A line of the tool's that cannot be taken for a remark of ours."""
    return f"tool: {line}" if line.lstrip().lower().startswith("clawwrap:") else line


def _deprecates(line: str) -> bool:
    low = line.lower()
    return "deprecat" in low or "will be removed" in low or "obsole" in low


def _replacement(choice: Choice, said: Sequence[str]) -> list[str]:
    """What to call in future, where a command worked and says that its days are numbered."""
    if not said or not _deprecates(said[0]) or len(choice.parts) != 1:
        return []
    from clawwrap import redirect

    words, plan = choice.parts[0]
    entry = redirect.successor(words, commands.subcommand(plan or commands.NO_PLAN, words))
    target = redirect.renamed(entry, words) if entry else None
    if entry and not target:
        return [f"clawwrap: {entry['from']} is {entry['reason']}: {entry['advice']}"]
    return [f"clawwrap: deprecated; use instead: {target.command}"] if target else []
