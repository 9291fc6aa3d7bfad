"""What is wrong with an adapter beyond its shape: things that load, and that nobody wants."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from clawwrap import cases, catalog, loader, patterns
from clawwrap.contract import ExitCode
from clawwrap.document import Document
from clawwrap.errors import AdapterError

Plan = dict[str, Any]


TEXTS = ("stderr", "stdout", "output")
VAGUE_SUGGESTION = re.compile(
    r"(?:please )?(?:(?:check|read|see|look at|inspect|view) (?:the |your |error )?"
    r"(?:errors?|message|output|logs?|details?|documentation|docs|manual|input|command)"
    r"|(?:try|run it|call) again|retry(?: the command)?|fix (?:it|the (?:error|problem|input))"
    r"|correct (?:it|the (?:error|problem|input)))(?: and (?:try|retry|call)(?: again)?)?[.!]?$",
    re.IGNORECASE,
)
HARMFUL_SUGGESTION = re.compile(
    r"\bsudo\b|(?:^| )--force\b(?!-)|\brm -rf\b|\bchmod (?:-R )?777\b|--no-verify\b|--insecure\b"
)


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
        *_unreachable(document, plan),
        *_suggestions(document),
        *_contradictions(document, plan),
        *coverage(document, [cases.run(case, plan) for case in cases.load(path)]),
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


def _unreachable(document: Document, plan: Plan) -> Iterator[Finding]:
    """Rules that can never fire, because one before them fires whenever they would."""
    for part in ("redirects", "rules"):
        own = document.data.get(part, [])
        compiled = plan[part][: len(own)]
        for index, rule in enumerate(compiled):
            before = next((other for other in compiled[:index] if _covers(other, rule)), None)
            if before:
                yield _finding(
                    document,
                    (part, index),
                    f"{rule['id']} can never fire: {before['id']} fires whenever it would",
                )
    exits = [
        rule for rule in plan["rules"] if set(rule["when"]) == {"exit"} and "unless" not in rule
    ]
    for value in document.data.get("native", {}):
        for rule in exits:
            if any(low <= int(value) <= high for low, high in rule["when"]["exit"]):
                problem = f"is never asked: the rule {rule['id']} answers for every exit {value}"
                yield _finding(document, ("native", value), problem)


def _covers(one: Plan, other: Plan) -> bool:
    """Whether `one` holds wherever `other` does: the same demands or fewer, and no exception."""
    if "unless" in one and one["unless"] != other.get("unless"):
        return False
    return all(
        key in other["when"] and all(_allows(key, items, item) for item in other["when"][key])
        for key, items in one["when"].items()
    )


def _allows(key: str, items: list[Any], item: Any) -> bool:
    if key == "exit":
        return any(low <= item[0] and item[1] <= high for low, high in items)
    if item in items:
        return True
    texts = [each[1] for each in items if isinstance(each, list) and each[0] == patterns.TEXT]
    is_text = isinstance(item, list) and item[0] == patterns.TEXT
    return key in TEXTS and is_text and any(text in item[1] for text in texts)


def _suggestions(document: Document) -> Iterator[Finding]:
    for place, rule in _own_rules(document):
        text = rule.get("suggestion", "")
        if VAGUE_SUGGESTION.match(text):
            problem = f"{text!r} is vague: name the command, option or file to turn to"
            yield _finding(document, (*place, "suggestion"), problem)
        found = HARMFUL_SUGGESTION.search(text)
        if found and found.group().strip() != document.data["tool"]:
            problem = f"must not send anybody to {found.group().strip()}"
            yield _finding(document, (*place, "suggestion"), problem)


def _contradictions(document: Document, plan: Plan) -> Iterator[Finding]:
    """Declarations of which only one can be true."""
    timeout = plan["exit_codes"].get(str(ExitCode.TIMEOUT.value))
    changes = [name for name, effect in plan["commands"].items() if effect == "partial"]
    if timeout and timeout["retryable"] and (changes or plan["effects"] == "partial"):
        who = changes[0] if changes else "every command"
        problem = f"declares a timeout as safe to retry, and that {who} changes state"
        yield _finding(document, ("exit_codes",), problem)
    compiled = {rule["id"]: rule for rule in plan["rules"]}
    for place, rule in _own_rules(document):
        if place[0] != "rules":
            continue
        entry = plan["exit_codes"].get(str(compiled[rule["id"]]["code"]), {})
        wishes_retry = rule.get("retry", {}).get("retryable") is True
        if wishes_retry and entry.get("side_effects") in ("partial", "complete"):
            problem = (
                f"retryable, though exit_codes says that {entry['name']} leaves effects behind"
            )
            yield _finding(document, (*place, "retry"), problem)
        if rule.get("phase") == "validation" and rule["code"] in ("PARTIAL_FAILURE", "TIMEOUT"):
            problem = f"validation promises that nothing was done; {rule['code']} says otherwise"
            yield _finding(document, (*place, "phase"), problem)


def coverage(document: Document, results: Sequence[cases.Result]) -> Iterator[Finding]:
    """Every rule is fired by a case, and only just missed by another."""
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
