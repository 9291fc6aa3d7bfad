"""A tool that prints an envelope of its own: what it says of its run, as far as it may be believed.

The exit code of its process always counts more than its words, and its classification only
where it is more specific than ours. Pure.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Any, NamedTuple

from clawwrap import generic, redirect
from clawwrap.catalog import tool_name
from clawwrap.contract import Code, ExitCode, Failure, Outcome, ToolCode
from clawwrap.envelopes import recognise, shape
from clawwrap.envelopes.reading import Clues, exit_code
from clawwrap.errors import ClawwrapError
from clawwrap.record import replace

ERROR_CODE = re.compile(r"[A-Z][A-Z0-9_]*")
VERB = re.compile(r"[a-z][a-z0-9 _-]{0,60}")


class Report(NamedTuple):
    """An envelope that a tool printed, and the outcome that it tells of."""

    shape: str
    envelope: dict[str, Any]
    outcome: Outcome[Any]


def read(printed: object, words: Sequence[str], native: int | None) -> Report | None:
    """The report in what a tool printed; None where that is no envelope beyond doubt."""
    if not isinstance(printed, dict):
        return None
    found = recognise.recognise(printed)
    if found.shape is None or not _is_believable(found, printed, words):
        return None
    try:
        told = shape(found.shape).parse(printed, Clues(command=tool_name(words[0]))).outcome
        if told.failure and native:
            told = _by_exit_code(found.shape, printed, told, words, native)
    except ClawwrapError:
        return None
    return Report(found.shape, printed, told)


def _is_believable(found: recognise.Finding, printed: dict[str, Any], words: Sequence[str]) -> bool:
    """Where the fields alone tell the shape, the command line must speak for it too."""
    if found.shape != "claw-1.0" or not ("no type" in found.variant or "no verb" in found.variant):
        return True
    if tool_name(words[0]) == "claw":
        return True
    return any(printed.get(name) in words[1:] for name in ("command", "kind"))


def _by_exit_code(
    name: str, printed: dict[str, Any], told: Outcome[Any], words: Sequence[str], native: int
) -> Outcome[Any]:
    """The same failure with the code that the exit code of the process allows for."""
    if name != "response":
        return shape(name).parse(printed, Clues(native, tool_name(words[0]))).outcome
    code = _table_code(printed, told, native)
    failure = told.failure
    assert failure is not None
    if code is not ExitCode.REDIRECTED:
        failure = replace(failure, redirect=None)
    elif not (failure.redirect and _is_safe(failure.redirect.command, words)):
        code, failure = ExitCode.GENERAL_ERROR, replace(failure, redirect=None)
    retry = failure.retry
    if code is ExitCode.PARTIAL_FAILURE and retry.retryable is True:
        retry = replace(retry, retryable=False, after_ms=None, strategy=None)
    return replace(told, code=code, failure=replace(failure, retry=retry))


def _table_code(printed: dict[str, Any], told: Outcome[Any], native: int) -> Code:
    """Its exit code where it keeps to the table, else what its error.code stands for."""
    failure = told.failure
    known = generic.registry(failure.code).get("exit") if failure else None
    own = printed["meta"].get("exit_code")
    code = exit_code(native)
    if code is not None and native > 1 and (own == native or not known):
        return code
    if isinstance(own, int) and native == 1 and (said := exit_code(own)) and own > 1:
        return said
    if known:
        return ExitCode[known]
    return ExitCode.GENERAL_ERROR if code is None or isinstance(code, ToolCode) else code


def _is_safe(command: str, words: Sequence[str]) -> bool:
    """A command of a tool's own is repeated only where every new word in it is a plain one."""
    try:
        split = shlex.split(command)
    except ValueError:
        return False
    return bool(split) and shlex.join(split) == command and redirect.is_safe(split, words)


def merged(ours: Failure, report: Report, *, decided: bool) -> Failure:
    """Our failure with what the tool said of its own; `decided` where its word gave the code."""
    theirs = report.outcome.failure
    if theirs is None:
        return ours
    if not decided:
        return replace(ours, extra=theirs.extra, legacy_kind=theirs.legacy_kind)
    error = report.envelope.get("error")
    says_retry = isinstance(error, dict) and "retryable" in error
    return replace(
        ours,
        code=theirs.code if ERROR_CODE.fullmatch(theirs.code) else ours.code,
        message=theirs.message,
        retry=theirs.retry if says_retry else ours.retry,
        phase=theirs.phase,
        kind=theirs.kind,
        legacy_kind=theirs.legacy_kind,
        detail=theirs.detail or ours.detail,
        output=theirs.output,
        suggestion=theirs.suggestion or ours.suggestion,
        operation=theirs.operation or ours.operation,
        target=theirs.target or ours.target,
        extra=theirs.extra,
    )


def contradiction(report: Report, native: int | None) -> str:
    """What a reader must know where the report and the exit code do not agree; else empty."""
    told, failure = report.outcome, report.outcome.failure
    says = f"the tool's {report.shape} envelope says"
    if failure and native == 0:
        said = f"{failure.code}: {failure.message}"
        return f"{says} failure ({said}), but it exited with 0; taken for a success"
    if not failure and native != 0:
        return f"{says} success, but it exited with {native}; taken for a failure"
    own = _own_exit_code(report)
    if failure and native and own not in (None, native):
        return f"{says} exit code {own}, but it exited with {native}; taken for {told.code.name}"
    return ""


def _own_exit_code(report: Report) -> object:
    if report.shape == "response":
        return report.envelope["meta"].get("exit_code")
    return report.envelope.get("exit_code")


def meta(report: Report) -> dict[str, Any]:
    """For meta.tool_envelope: the shape, and what of the envelope went nowhere else."""
    if report.shape == "response":
        rest = dict(report.envelope["meta"])
    else:
        names = ("timestamp", "command", "exit_code", "output_format", "schema_version")
        rest = {name: report.envelope[name] for name in names if name in report.envelope}
    return {"shape": report.shape, **({"meta": rest} if rest else {})}


def command(report: Report, ours: str) -> str:
    """For meta.command: of a claw envelope its verb, without the tool; else what we call it."""
    if report.shape == "response":
        return ours
    tool, _, subcommand = ours.partition(" ")
    named = report.outcome.meta.command
    return named if named != tool and VERB.fullmatch(named) else subcommand or ours


def untrusted(report: Report, *, failed: bool) -> tuple[str, ...]:
    """The further fields that hold the tool's own words because it printed an envelope."""
    failure = report.outcome.failure
    if not failed or not failure:
        return ("meta.tool_envelope",)
    return ("error.suggestion", *(f"error.{name}" for name in failure.extra), "meta.tool_envelope")
