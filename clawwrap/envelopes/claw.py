"""What both claw shapes share: the payload at the top level, and an error that has a `kind`."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import Any

from clawwrap import catalog, failures, generic, waits
from clawwrap.contract import NOTHING, ExitCode, Failure, Outcome, Retry
from clawwrap.envelopes.reading import NO_COMMAND
from clawwrap.evidence import PATH, QUOTED, URL, Evidence

NOT_FOUND_KINDS = frozenset({"command_not_found", "tool_not_found", "session_not_found"})
#: `failed to write /tmp/x`, `could not open`, `cannot read`
TRIED = re.compile(r"\b(?:failed to|unable to|could not|cannot|can't|error while) (\w+)")
#: `open /tmp/x: No such file or directory`, as many runtimes put it
CALLED = re.compile(
    r"^(?:error: )?(open|read|write|create|remove|delete|rename|mkdir|stat|connect|load|parse)(?= )"
)
#: `session not found: abc`, `unknown option: --foo`
LAST_WORD = re.compile(r": (\S{1,300})$")


def exit_status(outcome: Outcome[Any]) -> int:
    """0 for success, 2 for a timeout, 1 for everything else."""
    if outcome.ok:
        return 0
    return 2 if outcome.code is ExitCode.TIMEOUT else 1


def flat(data: Any, reserved: frozenset[str]) -> dict[str, Any]:
    """A payload as fields of the top level, or as `data` where that would be ambiguous."""
    if data is None:
        return {}
    if isinstance(data, dict) and not reserved & data.keys() and set(data) != {"data"}:
        return dict(data)
    return {"data": data}


def unflat(fields: dict[str, Any]) -> Any:
    """The payload that `flat` was given."""
    if set(fields) == {"data"} and isinstance(fields["data"], (dict, list)):
        return fields["data"]
    return fields


def message(failure: Failure) -> str:
    """The whole text where the one line was made from it."""
    text = failure.detail.strip()
    return text if text and failures.one_line(text) == failure.message else failure.message


def hint(failure: Failure) -> str:
    """The next step; these shapes have no redirect, so the command stands here."""
    if failure.redirect:
        return f"Run this instead: {failure.redirect.command}"
    return failure.suggestion


def failure_of(
    kind: str,
    text: str,
    *,
    exit_code: int,
    command: str,
    notes: list[str],
    retryable: bool | None = None,
    hint: str = "",
    operation: str = "",
    target: str = "",
    output: Any = None,
    extra: Mapping[str, Any] = NOTHING,
) -> tuple[ExitCode, Failure]:
    """What an error of this kind with this text means, by the table and, where vague, the text."""
    kinds = catalog.mapping("claw_kinds")
    known = kinds.get(kind)
    if known is None:
        notes.append("a kind of error is in no table; taken for unknown")
        known = kinds["unknown"]
    text = text.strip() or f"{command} failed and did not say why"
    error = "OPERATION_TIMEOUT" if exit_code == 2 else _cause(known, text, command)
    code = generic.exit_code_of(error)
    entry = generic.registry(error)
    line = failures.one_line(text)
    return code, Failure(
        code=error,
        message=line,
        retry=_retry(code, entry, retryable, text),
        kind=known["kind"],
        detail=text if text != line else "",
        output=output,
        suggestion=hint,
        operation=operation or _operation(text) or known.get("operation") or command,
        target=target or _target(text) or command,
        legacy_kind="" if kind == known["kind"] else kind,
        extra=extra,
    )


def _cause(known: Mapping[str, Any], text: str, command: str) -> str:
    if known["reads_text"]:
        evidence = Evidence(
            [command], exit_code=1, stderr=f"error: {text}".encode("utf-8", "replace")
        )
        found = generic.classify(evidence, ())
        if found and generic.exit_code_of(found.error) is not ExitCode.REDIRECTED:
            return found.error
    return str(known["error"])


def _retry(code: ExitCode, entry: Mapping[str, Any], retryable: bool | None, text: str) -> Retry:
    """The record's own word first, then the registry; a wait that the text names in any case."""
    if code is ExitCode.PARTIAL_FAILURE or retryable is False:
        return Retry(False)
    merged = dict(entry) | ({} if retryable is None else {"retryable": retryable})
    if code in (ExitCode.RATE_LIMITED, ExitCode.UNAVAILABLE):
        said = waits.find(text.encode("utf-8", "replace"), time.time())
        merged["after"] = merged.get("after") if said is None else said
    return failures.retry_of(merged)


def _operation(text: str) -> str:
    found = TRIED.search(text) or CALLED.search(text)
    return found.group(1).lower() if found else ""


def _target(text: str) -> str:
    """The name that the text is about: quoted, a path or address, or what stands at its end."""
    line = text.split("\n", 1)[0]
    if found := QUOTED.search(line):
        return next(group for group in found.groups() if group)
    if found := URL.search(line) or PATH.search(line):
        return found.group()
    found = LAST_WORD.search(line)
    return found.group(1) if found else ""


def required(text: str) -> str:
    """A field that must not be empty."""
    return text or NO_COMMAND
