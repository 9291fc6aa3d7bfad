"""What is wrong with an adapter beyond its shape: things that load, and that nobody wants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from clawwrap import cases, catalog, loader, patterns
from clawwrap.contract import ExitCode
from clawwrap.document import Document
from clawwrap.errors import AdapterError

Plan = dict[str, Any]


class Finding(NamedTuple):
    """One complaint, with the place to go to."""

    file: str
    line: int
    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.place}: {self.message}"


def check(path: str) -> list[Finding]:
    """Everything to complain about in one adapter."""
    try:
        document = Document(path)
        _, plan = loader.adapter(path)
    except AdapterError as error:
        return [Finding(error.file, error.line, error.path or "file", error.problem)]
    found = [
        *_expressions(document),
        *_codes(document, plan),
        *_coverage(document, plan, path),
    ]
    return sorted(found, key=lambda finding: finding.line)


def _finding(document: Document, place: tuple[str | int, ...], message: str) -> Finding:
    error = document.error(place, message)
    return Finding(error.file, error.line, error.path, message)


def _own_rules(document: Document) -> Iterator[tuple[tuple[str | int, ...], Plan]]:
    for part in ("redirects", "rules"):
        for index, rule in enumerate(document.data.get(part, [])):
            yield (part, index), rule


def _expressions(document: Document) -> Iterator[Finding]:
    for place, rule in _own_rules(document):
        for side in ("when", "unless"):
            for key, value in rule.get(side, {}).items():
                texts = value if isinstance(value, list) else [value]
                for text in texts:
                    kind, pattern = patterns.split(text) if isinstance(text, str) else ("", "")
                    if kind.startswith("re") and (why := patterns.danger(pattern)):
                        yield _finding(document, (*place, side, key), f"catastrophic: {why}")


def _codes(document: Document, plan: Plan) -> Iterator[Finding]:
    declared = {int(value) for value in plan["exit_codes"]}
    names = {spec["name"] for spec in plan["exit_codes"].values()}
    known = set(catalog.mapping("errors"))
    if plan["redirects"] and ExitCode.REDIRECTED.value not in declared:
        yield _finding(document, ("redirects",), "exit_codes does not declare REDIRECTED")
    compiled = {rule["id"]: rule for rule in plan["rules"]}
    for place, rule in _own_rules(document):
        if place[0] != "rules":
            continue
        if compiled[rule["id"]]["code"] not in declared:
            yield _finding(
                document, (*place, "code"), f"exit_codes does not declare {rule['code']}"
            )
        error = rule.get("error")
        if error and error not in known | names:
            yield _finding(document, (*place, "error"), f"{error} is not in mappings/errors.yaml")
        if error and error in known:
            exit_name = catalog.mapping("errors")[error]["exit"]
            if exit_name != rule["code"]:
                yield _finding(
                    document,
                    (*place, "error"),
                    f"{error} belongs to {exit_name}, not {rule['code']}",
                )
    for value, spec in plan["native"].items():
        if spec["code"] not in declared:
            yield _finding(
                document, ("native", value), f"exit_codes does not declare what {value} maps onto"
            )


def _coverage(document: Document, plan: Plan, path: str) -> Iterator[Finding]:
    """Every rule is fired by a case, and only just missed by another."""
    results = [cases.run(case, plan) for case in cases.load(path)]
    fired = {result.found["rule"] for result in results}
    missed = {result.case.near for result in results}
    for place, rule in _own_rules(document):
        if rule["id"] not in fired:
            yield _finding(document, place, f"no case fires the rule {rule['id']}")
        if rule["id"] not in missed:
            yield _finding(document, place, f"no case says near: {rule['id']}")
    ids = {rule["id"] for _, rule in _own_rules(document)}
    for index, case in enumerate(document.data.get("cases", [])):
        if case.get("near") and case["near"] not in ids:
            yield _finding(document, ("cases", index, "near"), f"there is no rule {case['near']}")
