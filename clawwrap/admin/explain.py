"""`clawwrap explain`: a code, a command that is not run, or a result that somebody has at hand."""

from __future__ import annotations

import os
import sys
from typing import Any

from clawwrap import (
    adapter,
    cases,
    catalog,
    commands,
    generic,
    human,
    launch,
    patterns,
    reader,
    wrap,
)
from clawwrap.admin import adapters
from clawwrap.admin.answer import Answer
from clawwrap.catalog import Choice
from clawwrap.contract import ExitCode
from clawwrap.errors import UsageError
from clawwrap.evidence import Evidence
from clawwrap.invocation import DEFAULTS, Invocation
from clawwrap.loader import ENTRY_DEFAULTS
from clawwrap.screen import Screen

Plan = dict[str, Any]


def explain(
    words: list[str], exit_code: int | None, stdout: str | None, stderr: str | None
) -> Answer:
    if words[:1] == ["--"]:
        words = words[1:]
    elif len(words) == 1 and (found := code(words[0])) is not None and exit_code is None:
        return found
    if not words:
        raise UsageError(
            "explain needs a code or a command",
            code="MISSING_ARGUMENT",
            suggestion="For instance: clawwrap explain 8, or clawwrap explain -- git push.",
        )
    choice = _choose(words)
    if exit_code is not None or stdout or stderr:
        return _result(choice, exit_code, _read(stdout), _read(stderr))
    return _command(choice, is_line=words[0] == "-c")


def envelope(path: str, exit_code: int | None, attempts: int, words: list[str]) -> Answer:
    """What a reader should do after a call that printed this envelope."""
    entries = None
    if words:
        words = words[1:] if words[0] == "--" else words
        tool, plan = _choose(words).parts[0]
        entries = adapter.exit_codes(plan, tool).to_json() if plan else None
    decision = reader.read_envelope(_read(path), exit_code, attempts=attempts, entries=entries)
    data = decision.to_json()
    return Answer(data, human.pairs(data.items(), Screen.of(1)))


def code(word: str) -> Answer | None:
    """An ExitCode by number or name, an error.code by name; None where it is neither."""
    if word.isdigit() or word in ExitCode.__members__:
        return _exit_code(word)
    if word in catalog.mapping("errors"):
        entry = generic.registry(word)
        data = {"error": word, "exit_code": ExitCode[entry["exit"]].value, **_public(entry)}
        return Answer(data, human.pairs(data.items(), Screen.of(1)))
    return None


def _exit_code(word: str) -> Answer:
    number = int(word) if word.isdigit() else ExitCode[word].value
    if number not in range(14):
        raise UsageError(
            f"{word} is not in the table: clawwrap exits with 0–13, or with 79–125 where an "
            "adapter declares it",
            code="INVALID_ARGUMENT",
            suggestion="`clawwrap manifest TOOL` names the codes that a tool declares.",
        )
    code = ExitCode(number)
    retryable, effects = ENTRY_DEFAULTS[code]
    entry = catalog.mapping("exit_codes").get(code.name, {})
    data = {
        "exit_code": code.value,
        "name": code.name,
        "group": code.group,
        "meaning": code.description,
        "entry": {"retryable": retryable, "side_effects": effects.value},
        **_public(entry),
    }
    return Answer(data, human.pairs(data.items(), Screen.of(1)))


def _public(entry: Plan) -> Plan:
    names = {"exit": "exit", "error": "default_error", "kind": "kind", "retryable": "retryable"}
    names |= {"after": "retry_after_ms", "strategy": "retry_strategy", "next": "suggestion"}
    return {names[key]: value for key, value in entry.items()}


def _choose(words: list[str]) -> Choice:
    inv = Invocation()
    if words[0] == "-c" and len(words) == 2:
        inv.line = words[1]
    inv.words = words
    return catalog.choose(inv, os.environ)


def _read(path: str | None) -> bytes:
    if path is None:
        return b""
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise UsageError(
            f"{path}: {(error.strerror or '').lower()}",
            code="INVALID_ARGUMENT",
            suggestion="Name a file with what the tool printed, or - for standard input.",
        ) from error


def _command(choice: Choice, *, is_line: bool) -> Answer:
    """What would happen, without letting it happen."""
    words, plan = choice.parts[0] if choice.parts else (choice.words, None)
    known = plan or commands.NO_PLAN
    env = launch.environment()
    quiet = wrap.quiet_environment(choice, env)
    whys = {
        v["name"]: v["why"] for v in catalog.mapping("environment")["env"] + known.get("env", [])
    }
    inv = Invocation()
    inv.fill(choice.settings())
    inv.fill(DEFAULTS)
    try:
        program: str | None = launch.find(choice.words[0], env)
    except launch.Fault:
        program = None
    data: Plan = {
        "command": commands.command_name(choice.parts, None),
        "program": program,
        "launchers": choice.launchers,
        "adapter": known.get("tool"),
        "file": known.get("file"),
        "layer": adapters.layer_of(plan["file"]) if plan else None,
        "effects": commands.effects(choice.parts) if is_line else commands.effect(known, words),
        "timeout_ms": inv.timeout,
        "kill_after_ms": inv.kill_after,
        "environment": [
            {"name": name.decode(), "value": value.decode(), "why": whys.get(name.decode(), "")}
            for name, value in quiet.items()
        ],
        "rules": [rule["id"] for rule in known.get("redirects", []) + known.get("rules", [])],
        "exit_codes": adapter.exit_codes(plan, words).to_json() if plan else None,
    }
    rows = [(k, v) for k, v in data.items() if k not in ("environment", "exit_codes", "rules")]
    rows.append(("rules", ", ".join(data["rules"]) or "generic only"))
    rows += [("environment", f"{v['name']}={v['value']}  {v['why']}") for v in data["environment"]]
    return Answer(data, human.pairs(rows, Screen.of(1)))


def _result(choice: Choice, exit_code: int | None, stdout: bytes, stderr: bytes) -> Answer:
    """Which rule fires on a captured result, and what every other rule was missing."""
    code = 1 if exit_code is None else exit_code
    evidence = Evidence(choice.words, exit_code=code, stdout=stdout, stderr=stderr)
    evidence.report = cases.reported_in(evidence)
    found = cases.classify(choice, evidence)
    words, plan = choice.parts[0]
    tried: list[Plan] = []
    if plan:
        view = evidence.for_tool(words, commands.subcommand(plan, words))
        for rule in plan["redirects"] + plan["rules"]:
            hits = adapter.fires(rule, view) or {}
            matched = {stream: _matched(view, stream, hit) for stream, hit in hits.items()}
            why_not = adapter.why_not(rule, view)
            row: Plan = {"rule": rule["id"], "line": rule["line"], "fires": not why_not}
            tried.append(row | ({"why_not": why_not} if why_not else {"matched": matched}))
            if rule["id"] == found["rule"]:
                break
    generic_finding = generic.classify(evidence, choice.launchers)
    data = {
        "result": found,
        "adapter": plan["tool"] if plan else None,
        "tried": tried,
        "generic": generic_finding
        and {
            "error": generic_finding.error,
            "rule": generic_finding.rule,
            "line": generic_finding.line,
        },
    }
    rows = [(key, value) for key, value in found.items() if value is not None]
    for row in tried:
        said = row.get("why_not") or f"fires on {row['matched'] or 'the exit code'}"
        rows.append(("tried", f"{row['rule']} (line {row['line']}): {said}"))
    return Answer(data, human.pairs(rows, Screen.of(1)))


def _matched(view: Evidence, stream: str, hit: patterns.Hit) -> str:
    text = view.stderr if stream == "stderr" else view.stdout
    return text[hit.start : hit.end].decode("utf-8", "replace")
