"""What is known of a command before it runs: subcommand, effects, the form of its answer. Pure."""

from __future__ import annotations

from clawwrap.catalog import skip_options, tool_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from clawwrap import patterns

    Plan = dict[str, Any]
    Part = tuple[list[str], Plan | None]

NO_PLAN: Plan = {"subcommands": False, "commands": {}, "values": [], "effects": "unknown"}
MOST_WORDS = 3
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


def data_form(parts: Sequence[Part]) -> Plan | None:
    """In which form the one tool of a command prints its answer, where its adapter knows."""
    words, plan = parts[0] if len(parts) == 1 else ([], None)
    if not SPEAKS_OF_ITSELF.isdisjoint(words):
        return None
    for spec in plan["data"] if plan else ():
        called = {"command": [subcommand(plan or NO_PLAN, words)], "argv": words[1:]}
        if is_called(spec.get("when", {}), called) and not (
            "unless" in spec and is_called(spec["unless"], called)
        ):
            asked = spec.get("machine", "").split()
            return spec if set(asked) - set(words) or not asked else {**spec, "machine": ""}
    return None


def hint(form: Plan) -> str:
    """How to get the answer in the form that the tool makes for programs."""
    return f"Add {form['machine']} for output that is made for programs."


def is_called(condition: Plan, called: Mapping[str, Sequence[str]]) -> bool:
    """Whether a condition on subcommand and arguments holds; all its keys must."""
    return all(
        any(_equals_or_matches(matcher, word) for matcher in items for word in called[key])
        for key, items in condition.items()
    )


def _equals_or_matches(matcher: patterns.Matcher, word: str) -> bool:
    kind, pattern, _ = matcher
    if kind == "text":
        return bool(pattern == word)
    from clawwrap import patterns  # most commands are told by plain words

    encoded = word.encode("utf-8", "replace")
    return patterns.search(matcher, encoded, encoded.lower()) is not None
