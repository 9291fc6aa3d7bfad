"""Evidence becomes a `Verdict` that names its rule; the most specific is asked first. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clawwrap import adapter, generic, patterns, redirect
from clawwrap.catalog import Choice
from clawwrap.contract import Code, ExitCode, Redirect
from clawwrap.evidence import Evidence

Plan = dict[str, Any]

REASONS = {
    "renamed": "COMMAND_RENAMED",
    "restructured": "COMMAND_RESTRUCTURED",
    "deprecated": "COMMAND_DEPRECATED",
    "typo_corrected": "COMMAND_MISTYPED",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The code for a run, and everything a rule had to say about it."""

    code: Code
    error: str = ""
    rule: str = ""
    adapter: str = ""
    message: str = ""
    suggestion: str = ""
    phase: str = "execution"
    retry: Plan | None = None
    redirect: Redirect | None = None


def judge(evidence: Evidence, choice: Choice) -> Verdict:
    """Ask the adapters' redirects and rules, the tool's own envelope, exit codes, the tables."""
    seen = [
        (_view(evidence, words, plan, owns_exit=index == choice.exit_is_of), plan)
        for index, (words, plan) in enumerate(choice.parts)
        if plan
    ]
    for view, plan in seen:
        ruling = _by_redirect(view, plan, evidence) or _by_rule(view, plan)
        if ruling:
            return ruling
    if not evidence.failed:
        return Verdict(ExitCode.SUCCESS)
    own = _by_own_envelope(evidence)
    if own and own.code is not ExitCode.GENERAL_ERROR:
        return own
    for view, plan in seen:
        ruling = _by_native(view, plan)
        if ruling and ruling.code is not ExitCode.GENERAL_ERROR:
            return ruling
    if found := generic.classify(evidence, choice.launchers):
        code = generic.exit_code_of(found.error)
        return Verdict(code, found.error, found.rule, "", found.line, phase=found.phase)
    if own:
        return own
    for view, plan in seen:
        if ruling := _by_native(view, plan):
            return ruling
    return Verdict(ExitCode.GENERAL_ERROR, rule="fallback")


def _view(evidence: Evidence, words: list[str], plan: Plan, *, owns_exit: bool) -> Evidence:
    return evidence.for_tool(words, adapter.subcommand(plan, words), owns_exit=owns_exit)


def _by_redirect(view: Evidence, plan: Plan, whole: Evidence) -> Verdict | None:
    for rule in plan["redirects"]:
        hits = adapter.fires(rule, view)
        if hits is None:
            continue
        groups = {name: text for hit in hits.values() for name, text in hit.groups.items()}
        before = whole.argv[: len(whole.argv) - len(view.argv)]
        target = redirect.from_rule(
            rule, groups, before=before, words=view.argv, subcommand=view.command
        )
        if target:
            return Verdict(
                ExitCode.REDIRECTED,
                error=REASONS[rule["reason"]],
                rule=rule["id"],
                adapter=plan["tool"],
                message=_line(view, hits),
                phase="validation",
                redirect=target,
            )
    return None


def _by_rule(view: Evidence, plan: Plan) -> Verdict | None:
    for rule in plan["rules"]:
        hits = adapter.fires(rule, view)
        if hits is not None:
            return Verdict(
                adapter.code_of(plan, rule["code"]),
                error=rule.get("error", ""),
                rule=rule["id"],
                adapter=plan["tool"],
                message=_line(view, hits),
                suggestion=rule.get("suggestion", ""),
                phase=rule.get("phase", "execution"),
                retry=rule.get("retry"),
            )
    return None


def _by_native(view: Evidence, plan: Plan) -> Verdict | None:
    spec = plan["native"].get(view.exit_code)
    if not spec or not view.owns_exit:
        return None
    return Verdict(
        adapter.code_of(plan, spec["code"]),
        error=spec.get("error", ""),
        rule=f"native:{view.exit_code}",
        adapter=plan["tool"],
        suggestion=spec.get("suggestion", ""),
        phase=spec.get("phase", "execution"),
    )


def _by_own_envelope(evidence: Evidence) -> Verdict | None:
    """What the tool itself says of its failure in an envelope."""
    report = evidence.report
    failure = report.outcome.failure if report else None
    if not report or not failure:
        return None
    return Verdict(
        report.outcome.code,
        error=failure.code,
        rule=f"envelope:{report.shape}",
        message=failure.message,
        suggestion=failure.suggestion,
        phase=failure.phase,
        redirect=failure.redirect,
    )


def _line(view: Evidence, hits: dict[str, patterns.Hit]) -> str:
    """The line in which a rule found what it was looking for."""
    for stream, hit in hits.items():
        text = view.stderr if stream == "stderr" else view.stdout
        start = text.rfind(b"\n", 0, hit.start + 1) + 1
        if text[hit.start : hit.start + 1] == b"\n":
            start = hit.start + 1
        line = text[start:].partition(b"\n")[0]
        return line.decode("utf-8", "replace").strip()
    return ""
