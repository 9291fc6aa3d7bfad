"""Evidence becomes a `Verdict` that names its rule; the most specific is asked first. Pure."""

from __future__ import annotations

from clawwrap import adapter, catalog, commands, did_you_mean, generic, patterns, redirect
from clawwrap.catalog import Choice
from clawwrap.contract import Code, ExitCode, Redirect
from clawwrap.evidence import Evidence
from clawwrap.record import dataclass, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from clawwrap.contract import Phase

    Plan = dict[str, Any]


REASONS = {
    "renamed": "COMMAND_RENAMED",
    "restructured": "COMMAND_RESTRUCTURED",
    "deprecated": "COMMAND_DEPRECATED",
    "typo_corrected": "COMMAND_MISTYPED",
}


#: How lines begin that a tool passes on from somebody else.
RELAYED = (b"remote:", b">", b"<", b"{", b"[", b"|")
#: What a tool says of a command or a flag that it does not have.
UNKNOWN = frozenset({"UNKNOWN_SUBCOMMAND", "UNKNOWN_FLAG"})
#: A tool without an adapter may have subcommands all the same.
NAMED_COMMANDS: Plan = commands.NO_PLAN | {"subcommands": True}


@dataclass(frozen=True)
class Verdict:
    """The code for a run, and everything a rule had to say about it."""

    code: Code
    error: str = ""
    rule: str = ""
    adapter: str = ""
    message: str = ""
    suggestion: str = ""
    phase: Phase = "execution"
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
        if ruling := _by_redirect(view, plan, evidence):
            return ruling
    if evidence.failed and (ruling := _by_own_words(evidence, choice, seen)):
        return ruling
    ruling = _by_witnesses(evidence, choice, seen)
    return _by_renaming(ruling, evidence, choice) or ruling


def _by_witnesses(
    evidence: Evidence, choice: Choice, seen: Sequence[tuple[Evidence, Plan]]
) -> Verdict:
    """The most specific witness first; the last one always answers."""
    for view, plan in seen:
        if ruling := _by_rule(view, plan):
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


def _by_own_words(
    evidence: Evidence, choice: Choice, seen: Sequence[tuple[Evidence, Plan]]
) -> Verdict | None:
    """Another word that the tool itself names, in the ways that many tools do."""
    if len(choice.parts) != 1:
        return None  # of a line or a launcher it is not plain whose word is wrong
    if any(adapter.vetoes(rule, view) for view, plan in seen for rule in plan["redirects"]):
        return None
    words, plan = choice.parts[0]
    before = evidence.argv[: len(evidence.argv) - len(words)]
    subcommand = commands.subcommand(plan or commands.NO_PLAN, words)
    for text in _own_voice(evidence, words[0]):
        for line, groups in did_you_mean.corrections(text, words):
            reason = "typo_corrected" if "right" in groups else "renamed"
            rule = {"reason": reason}
            target = redirect.from_rule(
                rule, groups, before=before, words=words, subcommand=subcommand
            )
            if target:
                return Verdict(
                    ExitCode.REDIRECTED,
                    error=REASONS[reason],
                    rule="did-you-mean",
                    message=line,
                    phase="validation",
                    redirect=target,
                )
    return None


def _own_voice(evidence: Evidence, tool: str) -> Iterator[bytes]:
    """What the tool itself says. A server, a commit or a package may say the same to deceive."""
    lines = evidence.stderr.split(b"\n")
    yield b"\n".join(line for line in lines if not line.lstrip().startswith(RELAYED))
    first = b"".join(evidence.stdout.strip().split(b"\n")[:2]).lower()
    if not evidence.stderr.strip() and catalog.tool_name(tool).lower().encode() in first:
        yield evidence.stdout


def _by_renaming(ruling: Verdict, evidence: Evidence, choice: Choice) -> Verdict | None:
    """The successor of a command that the tool does not know any more."""
    if not evidence.failed or len(choice.parts) != 1:
        return None
    words, plan = choice.parts[0]
    entry = redirect.successor(words, commands.subcommand(plan or NAMED_COMMANDS, words))
    if not entry or not entry["rest"]:
        return None  # the tool is there, so it was not the tool that was renamed
    if ruling.error not in UNKNOWN and not _says(entry["says"], evidence):
        return None
    before = evidence.argv[: len(evidence.argv) - len(words)]
    target = redirect.renamed(entry, words, before=before)
    if target is None:
        return replace(ruling, suggestion=entry["advice"] or ruling.suggestion)
    return replace(
        ruling,
        code=ExitCode.REDIRECTED,
        error=REASONS[entry["reason"]],
        rule=f"renamed:{entry['from']}",
        suggestion="",
        redirect=target,
    )


def _says(matchers: Sequence[patterns.Matcher], evidence: Evidence) -> bool:
    texts = ((evidence.stderr, evidence.stderr_lower), (evidence.stdout, evidence.stdout_lower))
    return any(patterns.search(matcher, *text) for matcher in matchers for text in texts)


def _view(evidence: Evidence, words: list[str], plan: Plan, *, owns_exit: bool) -> Evidence:
    return evidence.for_tool(words, commands.subcommand(plan, words), owns_exit=owns_exit)


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
