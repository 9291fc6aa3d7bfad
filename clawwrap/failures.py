"""Why a run did not succeed, in the words of the envelope: code, cause, retry, next step."""

from __future__ import annotations

import os
import time

from clawwrap import catalog, commands, generic, launch, redirect, verdict
from clawwrap.capture import Capture, signal_name
from clawwrap.catalog import Choice
from clawwrap.contract import Code, ExitCode, Failure, Redirect, Retry
from clawwrap.evidence import QUOTED, Evidence
from clawwrap.invocation import Invocation
from clawwrap.record import replace
from clawwrap.text import clean, excerpt
from clawwrap.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from clawwrap.contract import Source
    from clawwrap.reported import Report

FAULTS = {
    "absent": "COMMAND_NOT_FOUND",
    "denied": "NOT_EXECUTABLE",
    "folder": "IS_A_FOLDER",
    "interpreter": "BAD_INTERPRETER",
    "too-long": "ARGUMENTS_TOO_LONG",
    "busy": "FILE_BUSY",
    "exhausted": "RESOURCES_EXHAUSTED",
}
#: What a command line has and the name of a program has not.
LINE_CHARACTERS = set(" \t\n|;&<>$")
PROMPT_ENDINGS = (b": ", b":", b"? ", b"?", b"> ", b"] ", b"]:", b"# ", b"$ ", b") ")
LONGEST_MESSAGE = 500


def explain(
    code: Code, error: str, message: str, *, suggestion: str = "", **details: Any
) -> Failure:
    """A failure with everything that the registry knows of its error.code."""
    entry = generic.registry(error) or catalog.mapping("exit_codes").get(code.name, {})
    details.setdefault("retry", retry_of(entry))
    return Failure(
        code=error,
        message=one_line(message),
        kind=entry.get("kind", "runtime"),
        suggestion=suggestion or entry.get("next", ""),
        **details,
    )


def refused(error: str, message: str, **details: Any) -> tuple[ExitCode, Failure]:
    """A failure that clawwrap itself states, with its code: nothing was run, nothing changed."""
    code = generic.exit_code_of(error)
    details.setdefault("phase", "validation")
    return code, explain(code, error, message, source="clawwrap", **details)


def one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_MESSAGE else line[: LONGEST_MESSAGE - 1] + "…"


def retry_of(entry: dict[str, Any]) -> Retry:
    retryable = entry.get("retryable", False)
    if retryable is not True:
        return Retry(retryable)
    return Retry(True, entry.get("after"), entry.get("strategy"))


def evidence_of(
    choice: Choice, capture: Capture, signal: str | None, report: Report | None
) -> Evidence:
    """What the capture holds, for judging."""
    evidence = Evidence(
        choice.words,
        exit_code=capture.exit_code,
        signal=signal,
        stdout=excerpt(capture.stdout.head, capture.stdout.tail),
        stderr=excerpt(capture.stderr.head, capture.stderr.tail),
    )
    evidence.report = report
    return evidence


def judge(
    inv: Invocation, choice: Choice, capture: Capture, evidence: Evidence
) -> tuple[Verdict, Source]:
    """Who ended it decides who is asked for the reason."""
    effects = commands.effects(choice.parts)
    if capture.timed_out:
        return _timed_out(inv, choice, capture), "clawwrap"
    if capture.cancelled_by is not None:
        name = signal_name(capture.cancelled_by)
        free = effects == "none"
        code = ExitCode.GENERAL_ERROR if free else ExitCode.PARTIAL_FAILURE
        message = f"{choice.words[0]} was cancelled by {name}"
        retry = {"retryable": "maybe" if free else False}
        return Verdict(code, "CANCELLED", "cancelled", message=message, retry=retry), "clawwrap"
    ruling = verdict.judge(evidence, choice)
    if inv.line is not None and ruling.phase == "validation" and not ruling.redirect:
        # An earlier command of the line may have changed something.
        ruling = replace(ruling, phase="execution")
    return ruling, "tool"


def _timed_out(inv: Invocation, choice: Choice, capture: Capture) -> Verdict:
    message = f"{choice.words[0]} was stopped after {(inv.timeout or 0) / 1000:g} s (--timeout)"
    suggestion = ""
    if capture.waited_for_input or _asks(capture):
        suggestion = (
            f"It {'was' if capture.waited_for_input else 'seems to be'} waiting for input that "
            "cannot come: give the answer by an option or on stdin, then run it again."
        )
    return Verdict(
        ExitCode.TIMEOUT, "OPERATION_TIMEOUT", "timeout", message=message, suggestion=suggestion
    )


def _asks(capture: Capture) -> bool:
    """Whether the last thing it printed looks like a question."""
    for stream in (capture.stdout, capture.stderr):
        last = clean((stream.tail or stream.head)[-400:]).rpartition(b"\n")[2]
        if last.strip() and last.endswith(PROMPT_ENDINGS):
            return True
    return False


def failure_of(
    choice: Choice,
    evidence: Evidence,
    ruling: Verdict,
    source: Source = "tool",
    detail: str = "",
    output: Any = None,
) -> Failure:
    """A verdict in the words of the envelope."""
    error = ruling.error or catalog.mapping("exit_codes").get(ruling.code.name, {}).get("error")
    message = (
        ruling.message
        or _declared_meaning(choice, evidence, ruling)
        or _denied(choice, evidence)
        or generic.headline(evidence)
        or _silence(choice, evidence)
    )
    ours = explain(
        ruling.code,
        error or ruling.code.name,
        message,
        suggestion=ruling.suggestion,
        retry=_retry(choice, evidence, ruling, error or ""),
        source=source,
        phase=ruling.phase,
        detail=detail,
        output=output,
        redirect=ruling.redirect,
        operation=_operation(choice),
        target=_target(message, choice),
    )
    if evidence.report is None:
        return ours
    from clawwrap import reported

    return reported.merged(ours, evidence.report, decided=ruling.rule.startswith("envelope:"))


def _declared_meaning(choice: Choice, evidence: Evidence, ruling: Verdict) -> str:
    """Where the tool has answered and not complained, what its adapter says of the code."""
    if not ruling.adapter or evidence.stderr.strip():
        return ""
    plan = next(plan for _, plan in choice.parts if plan and plan["tool"] == ruling.adapter)
    entry = plan["exit_codes"].get(str(ruling.code.value), {})
    return str(entry.get("description", ""))


def _denied(choice: Choice, evidence: Evidence) -> str:
    """Where the tool's own envelope claims a success, there is no line that states the failure."""
    if evidence.report is None or evidence.report.outcome.failure or evidence.stderr.strip():
        return ""
    return f"{_silence(choice, evidence).partition(' and ')[0]}, though its envelope says success"


def _silence(choice: Choice, evidence: Evidence) -> str:
    if evidence.signal:
        return f"{choice.words[0]} was ended by {evidence.signal}"
    return f"{choice.words[0]} exited with code {evidence.exit_code} and said nothing"


def _retry(choice: Choice, evidence: Evidence, ruling: Verdict, error: str) -> Retry:
    """The rule's word first, then the adapter's declaration, then the registry."""
    entry = generic.registry(error) or dict(
        catalog.mapping("exit_codes").get(ruling.code.name, {"retryable": False})
    )
    if ruling.code is ExitCode.TIMEOUT and commands.effects(choice.parts) == "partial":
        entry["retryable"] = False
    for _, plan in choice.parts:
        declared = plan["retryable"].get(ruling.code.value) if plan else None
        # For wrong input "retryable" means "after fixing it"; the identical call never is.
        if declared is not None and ruling.code is not ExitCode.ARG_ERROR:
            entry["retryable"] = declared
    if ruling.retry:
        entry |= {key: value for key, value in ruling.retry.items() if value is not None}
    if ruling.code in (ExitCode.RATE_LIMITED, ExitCode.UNAVAILABLE):
        from clawwrap import waits

        said = waits.find(evidence.stderr + b"\n" + evidence.stdout, time.time())
        entry["after"] = entry.get("after") if said is None else said
        if ruling.code is ExitCode.RATE_LIMITED and not entry["after"]:
            entry["after"] = catalog.mapping("exit_codes")["RATE_LIMITED"]["after"]
    return retry_of(entry)


def _operation(choice: Choice) -> str:
    if not choice.parts:
        return choice.words[0]
    return commands.command_name(choice.parts, None).partition(" ")[2] or choice.words[0]


def _target(message: str, choice: Choice) -> str:
    """What the failure is about: the name that the message quotes, else the last argument."""
    if found := QUOTED.search(message):
        return one_line(next(group for group in found.groups() if group))
    words = choice.parts[0][0] if choice.parts else []
    names = [w for w in words[1:] if w and not w.startswith("-") and len(w.split()) == 1]
    return one_line(names[-1].encode("utf-8", "replace").decode()) if names else ""


def untrusted_fields(failure: Failure) -> tuple[str, ...]:
    tools = failure.source == "tool"
    fields = {
        "error.message": tools,
        "error.detail": bool(failure.detail),
        "error.output": failure.output is not None,
        "error.target": tools and bool(failure.target),
    }
    return tuple(name for name, holds in fields.items() if holds)


# A tool that could not be started


def not_started(inv: Invocation, choice: Choice, capture: Capture) -> tuple[ExitCode, Failure]:
    tool, target = choice.words[0], None
    error, message, suggestion = FAULTS[capture.fault or ""], capture.fault_detail, ""
    if error == "COMMAND_NOT_FOUND" and inv.line is not None:
        error, suggestion = "MISSING_DEPENDENCY", "Install bash, which -c runs the line with."
    elif error == "COMMAND_NOT_FOUND":
        error, message, suggestion, target = _absent(inv, choice, message)
    return refused(
        error,
        message,
        suggestion=suggestion,
        redirect=target,
        operation="exec",
        target=one_line(tool.encode("utf-8", "replace").decode()) or "clawwrap",
    )


def _absent(inv: Invocation, choice: Choice, message: str) -> tuple[str, str, str, Redirect | None]:
    """Absent for a reason: a builtin, a whole line in one word, a program that was renamed."""
    tool = choice.words[0]
    if len(choice.words) == 1 and LINE_CHARACTERS & set(tool.strip()):
        import shlex

        line = shlex.join(["clawwrap", *(w for w in inv.own_words if w != "--"), "-c", tool])
        message = "the whole line came as one word, which is the name of no program"
        return "WHOLE_LINE", message, "", Redirect(line, False, "restructured")
    if tool in catalog.mapping("shell")["builtins"]:
        message = f"{tool}: is a builtin of the shell; a program cannot do that for it"
        return "SHELL_BUILTIN", message, "", None
    successor = redirect.successor(choice.words, "")
    if successor and successor["to"] and _can_run(successor["to"][0]):
        target = redirect.renamed(successor, choice.words)
        message = f"{tool} is not here any more; its successor is {' '.join(successor['to'])}"
        return verdict.REASONS[successor["reason"]], message, "", target
    if successor and successor["advice"]:
        return "COMMAND_NOT_FOUND", message, successor["advice"], None
    return "COMMAND_NOT_FOUND", message, _similar(tool), None


def _can_run(tool: str) -> bool:
    try:
        launch.find(tool, launch.environment())
    except launch.Fault:
        return False
    return True


def _similar(tool: str) -> str:
    """Programs of a similar name. A guess of ours, so a suggestion and never a redirect."""
    import difflib

    if "/" in tool:
        return ""
    names: set[str] = set()
    for folder in os.environ.get("PATH", "").split(":"):
        try:
            names.update(os.listdir(folder or "."))
        except OSError:
            continue
    found = difflib.get_close_matches(tool, sorted(names - {tool}), n=3, cutoff=0.75)
    if not found:
        return ""
    return f"Similar programs are here: {', '.join(found)}. Or install it, or correct PATH."
