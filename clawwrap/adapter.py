"""What an adapter says about a run: which of its rules hold, what it declares. Pure."""

from __future__ import annotations

from clawwrap import commands, patterns
from clawwrap.contract import Code, ExitCode, ToolCode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    Plan = dict[str, Any]
    from clawwrap.entries import ExitCodes
    from clawwrap.evidence import Evidence

TEXTS = {"stderr", "stdout", "output"}


def exit_codes(plan: Plan, words: Sequence[str] = ()) -> ExitCodes:
    """The declared codes; what a timeout leaves behind follows from the command's effects."""
    from clawwrap.entries import ExitCodeEntry, ExitCodes, SideEffects  # not needed to run a tool

    entries: dict[Code, ExitCodeEntry] = {}
    for value, spec in plan["exit_codes"].items():
        code = code_of(plan, int(value))
        effects = SideEffects(spec["side_effects"])
        entries[code] = ExitCodeEntry(spec["name"], spec["description"], spec["retryable"], effects)
    timeout = entries.get(ExitCode.TIMEOUT)
    if timeout and words and commands.effect(plan, words) == "none":
        entries[ExitCode.TIMEOUT] = ExitCodeEntry(
            timeout.name, timeout.description, retryable=True, side_effects=SideEffects.NONE
        )
    return ExitCodes(entries)


def code_of(plan: Plan, value: int) -> Code:
    if value in range(14):
        return ExitCode(value)
    return ToolCode(value, plan["exit_codes"][str(value)]["name"])


def speaks_of_success(rule: Plan) -> bool:
    """Whether a rule is about a tool that exits 0 and has failed."""
    return any(low == 0 for low, _ in rule["when"].get("exit", []))


def fires(rule: Plan, evidence: Evidence) -> dict[str, patterns.Hit] | None:
    """Where a rule matched, by key; None where it does not apply."""
    when = rule["when"]
    if not evidence.owns_exit and not TEXTS & set(when):
        return None  # the exit code alone says nothing where it may be another tool's
    if not evidence.failed and not speaks_of_success(rule):
        return None
    found = _holds(when, evidence)
    if found is None or ("unless" in rule and _holds(rule["unless"], evidence) is not None):
        return None
    return found


def vetoes(rule: Plan, evidence: Evidence) -> bool:
    """Whether a rule would fire, had its author not ruled out just this."""
    return (
        "unless" in rule
        and _holds(rule["when"], evidence) is not None
        and _holds(rule["unless"], evidence) is not None
    )


def why_not(rule: Plan, evidence: Evidence) -> str:
    """What keeps a rule from firing; empty where it fires."""
    if fires(rule, evidence) is not None:
        return ""
    for key, items in rule["when"].items():
        if _holds({key: items}, evidence) is None:
            return f"{key} does not match"
    if "unless" in rule and _holds(rule["unless"], evidence) is not None:
        return "unless holds"
    return "the exit code may be another's" if evidence.failed else "the tool succeeded"


def _holds(condition: Plan, evidence: Evidence) -> dict[str, patterns.Hit] | None:
    hits: dict[str, patterns.Hit] = {}
    for key, items in condition.items():
        if key == "exit":
            if not any(low <= _exit(evidence) <= high for low, high in items):
                return None
        elif key == "signal":
            if evidence.signal not in items:
                return None
        elif key in ("command", "argv"):
            if not commands.is_called({key: items}, {key: _words(key, evidence)}):
                return None
        else:
            hit = next(_text_hits(key, items, evidence), None)
            if hit is None:
                return None
            hits[hit[0]] = hit[1]
    return hits


def _exit(evidence: Evidence) -> int:
    return -1 if evidence.exit_code is None else evidence.exit_code


def _words(key: str, evidence: Evidence) -> Sequence[str]:
    return [evidence.command] if key == "command" else evidence.argv[1:]


def _text_hits(
    key: str, matchers: Sequence[patterns.Matcher], evidence: Evidence
) -> Iterator[tuple[str, patterns.Hit]]:
    streams = {
        "stderr": (evidence.stderr, evidence.stderr_lower),
        "stdout": (evidence.stdout, evidence.stdout_lower),
    }
    for name in ("stderr", "stdout") if key == "output" else (key,):
        for matcher in matchers:
            if hit := patterns.search(matcher, *streams[name]):
                yield name, hit
