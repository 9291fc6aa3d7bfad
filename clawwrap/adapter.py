"""What an adapter says about a command and a run: subcommand, effects, rules. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from clawwrap import patterns
from clawwrap.catalog import skip_options, tool_name
from clawwrap.contract import Code, ExitCode, ToolCode

if TYPE_CHECKING:
    from clawwrap.entries import ExitCodes
    from clawwrap.evidence import Evidence

Plan = dict[str, Any]
Part = tuple[list[str], Plan | None]
NO_PLAN: Plan = {"subcommands": False, "commands": {}, "values": [], "effects": "unknown"}
MOST_WORDS = 3
TEXTS = {"stderr", "stdout", "output"}
#: What a tool prints about itself has no form.
SPEAKS_OF_ITSELF = frozenset({"--help", "--version"})


def subcommand(plan: Plan, words: Sequence[str]) -> str:
    """`push` of `git -C dir push`; the longest that the adapter knows, else the first word."""
    if not plan["subcommands"]:
        return ""
    found: list[str] = []
    at = 1
    while len(found) < MOST_WORDS:
        at = skip_options(list(words), at, plan)
        if at >= len(words):
            break
        found.append(words[at])
        at += 1
    for length in range(len(found), 0, -1):
        name = " ".join(found[:length])
        if name in plan["commands"]:
            return name
    return found[0] if found else ""


def effect(plan: Plan, words: Sequence[str]) -> str:
    """none, partial or unknown: whether this command may have changed the world."""
    known = plan["commands"]
    end = list(words).index("--") if "--" in words else len(words)
    flags = {_flag_effect(known, word) for word in words[1:end] if word.startswith("-")}
    for found in ("none", "partial"):
        if found in flags:
            return found
    return str(plan["commands"].get(subcommand(plan, words), plan["effects"]))


def _flag_effect(known: Plan, word: str) -> str:
    """What a flag says: as it was written, without its value, or among letters as in -sX."""
    if word in known:
        return str(known[word])
    if word.startswith("--"):
        return str(known.get(word.partition("=")[0], ""))
    letters = {known.get(f"-{letter}") for letter in word[1:]}
    return "partial" if "partial" in letters else str(known.get(word[:2], ""))


def command_name(parts: Sequence[Part], line: str | None) -> str:
    """`git push`: the tool with its subcommand where it is known."""
    if line is not None:
        return "bash -c"
    words, plan = parts[0]
    name = tool_name(words[0]) or "''"
    return f"{name} {subcommand(plan or NO_PLAN, words)}".rstrip()


def effects(parts: Sequence[Part]) -> str:
    """What the whole command may have done: the worst that any of its tools may have."""
    found = {effect(plan or NO_PLAN, words) for words, plan in parts}
    return next((e for e in ("partial", "unknown", "none") if e in found), "unknown")


def exit_codes(plan: Plan, words: Sequence[str] = ()) -> ExitCodes:
    """The declared codes; what a timeout leaves behind follows from the command's effects."""
    from clawwrap.entries import ExitCodeEntry, ExitCodes, SideEffects  # not needed to run a tool

    entries: dict[Code, ExitCodeEntry] = {}
    for value, spec in plan["exit_codes"].items():
        code = code_of(plan, int(value))
        effects = SideEffects(spec["side_effects"])
        entries[code] = ExitCodeEntry(spec["name"], spec["description"], spec["retryable"], effects)
    timeout = entries.get(ExitCode.TIMEOUT)
    if timeout and words and effect(plan, words) == "none":
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


def data_form(parts: Sequence[Part]) -> Plan | None:
    """In which form the one tool of a command prints its answer, where its adapter knows."""
    words, plan = parts[0] if len(parts) == 1 else ([], None)
    if not SPEAKS_OF_ITSELF.isdisjoint(words):
        return None
    for spec in plan["data"] if plan else ():
        called = {"command": [subcommand(plan or NO_PLAN, words)], "argv": words[1:]}
        if _is_called(spec.get("when", {}), called) and not (
            "unless" in spec and _is_called(spec["unless"], called)
        ):
            asked = spec.get("machine", "").split()
            return spec if set(asked) - set(words) or not asked else {**spec, "machine": ""}
    return None


def _is_called(condition: Plan, called: Mapping[str, Sequence[str]]) -> bool:
    """Whether a condition on subcommand and arguments holds; all its keys must."""
    return all(
        any(_equals_or_matches(matcher, word) for matcher in items for word in called[key])
        for key, items in condition.items()
    )


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
            if not _is_called({key: items}, {key: _words(key, evidence)}):
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


def _equals_or_matches(matcher: patterns.Matcher, word: str) -> bool:
    if matcher[0] == patterns.TEXT:
        return bool(matcher[1] == word)
    encoded = word.encode("utf-8", "replace")
    return patterns.search(matcher, encoded, encoded.lower()) is not None


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
