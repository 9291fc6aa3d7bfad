"""The recorded cases of an adapter: what a tool really printed, and what it must be taken for."""

from __future__ import annotations

import shlex
from typing import Any, NamedTuple

from clawwrap import catalog, commands, failures, payload, portions, reported, schema, verdict
from clawwrap.catalog import Choice
from clawwrap.document import Document
from clawwrap.evidence import Evidence
from clawwrap.reported import Report

Plan = dict[str, Any]


class Case(NamedTuple):
    """One recording."""

    file: str
    line: int
    number: int
    argv: list[str]
    exit_code: int | None
    signal: str | None
    stdout: str
    stderr: str
    origin: str
    near: str
    expect: Plan

    @property
    def id(self) -> str:
        stem = self.file.rsplit("/", 1)[-1].removesuffix(".yaml")
        return f"{stem}:{self.number}:{self.expect['code']}"


class Result(NamedTuple):
    """What a case was taken for, and where that differs from what it must be taken for."""

    case: Case
    found: Plan
    differences: list[str]

    @property
    def passed(self) -> bool:
        return not self.differences


def load(path: str) -> list[Case]:
    """The cases in a file that has been checked."""
    document = Document(path)
    document.check(schema.load("adapter"))
    return read(document, "cases")


def read(document: Document, key: str) -> list[Case]:
    """The cases under one key of a document."""
    specs = document.data.get(key, [])
    return [_case(document, key, index, spec) for index, spec in enumerate(specs)]


def _case(document: Document, key: str, index: int, spec: Plan) -> Case:
    argv = spec["argv"]
    words = shlex.split(argv) if isinstance(argv, str) else list(argv)
    return Case(
        document.path,
        document.lines[(key, index)],
        index + 1,
        words,
        None if "signal" in spec else spec.get("exit", 0),
        spec.get("signal"),
        spec.get("stdout", ""),
        spec.get("stderr", ""),
        spec["origin"],
        spec.get("near", ""),
        spec["expect"],
    )


def choice_for(argv: list[str], plan: Plan | None) -> Choice:
    """The words of a command with the adapter that is to speak for it."""
    places = catalog.see_through(argv, catalog.mapping("launchers"))
    names = [catalog.tool_name(argv[at]) for at in places]
    choice = Choice(argv, names[:-1])
    if plan and plan["tool"] in names[:-1]:  # it speaks for a launcher, as npm for `npm exec`
        at = places[names.index(plan["tool"])]
        choice.parts = [(argv[places[-1] :], None), (argv[at:], plan)]
    else:
        choice.parts = [(argv[places[-1] :], plan)]
    return choice


def classify(choice: Choice, evidence: Evidence) -> Plan:
    """Everything an expectation can speak of."""
    ruling = verdict.judge(evidence, choice)
    found: Plan = {"code": ruling.code.name, "rule": ruling.rule, "phase": ruling.phase}
    if ruling.code.is_success:
        return found
    failure = failures.failure_of(choice, evidence, ruling)
    found |= {
        "error": failure.code,
        "message": failure.message,
        "suggestion": failure.suggestion,
        "retryable": failure.retry.retryable,
        "retry_after_ms": failure.retry.after_ms,
        "redirect": failure.redirect.command if failure.redirect else None,
    }
    return found


def reported_in(evidence: Evidence) -> Report | None:
    """The envelope of the tool's own in what it printed, as a run would find it."""
    for text in (evidence.stdout, evidence.stderr):
        said = payload.read(portions.Bytes(text, b"", len(text)), 0).data
        if found := reported.read(said, evidence.argv, evidence.exit_code):
            return found
    return None


def _data(case: Case, choice: Choice) -> Any:
    raw = case.stdout.encode()
    return payload.read(
        portions.Bytes(raw, b"", len(raw)), 0, commands.data_form(choice.parts)
    ).data


def run(case: Case, plan: Plan | None) -> Result:
    """Judge a case and compare."""
    evidence = Evidence(
        case.argv,
        exit_code=case.exit_code,
        signal=case.signal,
        stdout=case.stdout.encode(),
        stderr=case.stderr.encode(),
    )
    evidence.report = reported_in(evidence)
    choice = choice_for(case.argv, plan)
    found = classify(choice, evidence)
    if "data" in case.expect:
        found["data"] = _data(case, choice)
    differences = [
        f"{key}: expected {schema.shown(wanted)}, got {schema.shown(found.get(key))}"
        for key, wanted in case.expect.items()
        if found.get(key) != wanted
    ]
    if case.near and found["rule"] == case.near:
        differences.append(f"near: the rule {case.near} fired, which this case must only just miss")
    return Result(case, found, differences)
