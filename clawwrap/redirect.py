"""Builds the command to run instead, from the caller's words and very few of the tool's. Pure.

A redirect is executed verbatim by its reader, so a word from the tool's output must look
like a plain word, and must add neither privilege nor force nor deletion.
"""

from __future__ import annotations

from clawwrap import catalog
from clawwrap.contract import Redirect
from clawwrap.expressions import Expression

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


PLAIN_WORD = Expression(r"[A-Za-z0-9@_=:,./+-][A-Za-z0-9@_=:,./+~^%-]{0,127}")


def from_rule(
    rule: Mapping[str, Any],
    groups: Mapping[str, str],
    *,
    before: Sequence[str],
    words: Sequence[str],
    subcommand: str,
) -> Redirect | None:
    """What a redirect rule makes of the words; None where the result would not be safe.

    `before` are the launchers in front of the tool, `words` the tool's own.
    """
    replaced: list[str] | None
    if "to" in rule:
        replaced = _rename(list(words), rule["to"], subcommand)
    elif "command" in groups:
        replaced = _complete(list(words), groups["command"].split(), subcommand)
    else:
        replaced = _swap(list(words), groups.get("wrong") or subcommand, groups["right"])
    if replaced is None or replaced == list(words) or not is_safe(replaced, words):
        return None
    permanent = bool(rule.get("permanent", False))
    return Redirect(_joined([*before, *replaced]), permanent, rule["reason"])


def successor(words: Sequence[str], subcommand: str) -> dict[str, Any] | None:
    """What the table of renamed commands says of this one."""
    name = catalog.tool_name(words[0])
    for entry in catalog.mapping("renamed").get(name, ()):
        rest = entry["rest"]
        if entry["bare"] and len(words) > 1 + len(rest):
            continue
        named = subcommand.split() if len(subcommand.split()) >= len(rest) else _plain(words)
        if not rest or named[: len(rest)] == rest or _flags(rest, words):
            found: dict[str, Any] = entry
            return found
    return None


def _plain(words: Sequence[str]) -> list[str]:
    return [word for word in words[1:] if not word.startswith("-")]


def _flags(rest: Sequence[str], words: Sequence[str]) -> bool:
    return all(w.startswith("-") and any(_is_flag(word, w) for word in words) for w in rest)


def _is_flag(word: str, flag: str) -> bool:
    return word == flag or word.startswith(flag + "=")


def renamed(
    entry: Mapping[str, Any], words: Sequence[str], *, before: Sequence[str] = ()
) -> Redirect | None:
    """The successor of a command that is gone for good, with every other argument."""
    rest, to = entry["rest"], entry["to"]
    flag = rest[0] if rest and rest[0].startswith("-") else ""
    if flag:
        new = [w.replace(flag, to[-1], 1) if to else "" for w in words if _is_flag(w, flag)]
        kept = [w if not _is_flag(w, flag) else new.pop(0) for w in words]
        replaced = [w for w in kept if w]
    elif to:
        replaced = _rename(list(words), to, " ".join(rest))
    else:
        return None
    replaced = [w for w in replaced if w.partition("=")[0] not in entry["drop"]]
    return Redirect(_joined([*before, *replaced]), permanent=True, reason=entry["reason"])


def is_safe(replaced: Sequence[str], original: Sequence[str]) -> bool:
    """Whether the words that are new are plain, and none of them is one of the forbidden."""
    table = catalog.mapping("redirect_words")
    new = [word for word in replaced if word not in original]
    return all(
        PLAIN_WORD.fullmatch(word)
        and word.partition("=")[0] not in table["never"]
        and not any(part in word.lower() for part in table["never_within"])
        for word in new
    )


def _joined(words: Sequence[str]) -> str:
    import shlex  # most failures name no other command

    return shlex.join(words)


def _rename(words: list[str], to: Sequence[str], subcommand: str) -> list[str]:
    """Fixed words in place of the tool, or of the tool and its subcommand."""
    if subcommand and len(to) > 1 and to[0] == catalog.tool_name(words[0]).rstrip("0123456789."):
        at = _position(words, subcommand)
        return [words[0], *words[1:at], *to[1:], *words[at + len(subcommand.split()) :]]
    return [*to, *words[1:]]


def _complete(words: list[str], printed: list[str], subcommand: str) -> list[str] | None:
    """The command that the tool printed, with every argument of the caller's kept."""
    if not printed or catalog.tool_name(printed[0]) != catalog.tool_name(words[0]):
        return None
    at = _position(words, subcommand) if subcommand else 0
    depth = len(subcommand.split())
    if printed[1 : 1 + depth] != subcommand.split():
        return [words[0], *printed[1:]]
    added = printed[1 + depth :]
    end = at + max(depth, 1)
    rest = [word for word in words[end:] if word not in added]
    if any(not word.startswith("-") or word == "--" for word in rest):
        return None  # which of them the printed words stand for, only a person could tell
    return [*words[:end], *added, *rest]


def _swap(words: list[str], wrong: str, right: str) -> list[str] | None:
    """The same words with the one that the tool corrected."""
    if wrong not in words[1:] or not right:
        return None
    at = words.index(wrong, 1)
    return [*words[:at], *right.split(), *words[at + 1 :]]


def _position(words: list[str], subcommand: str) -> int:
    """Where the subcommand stands."""
    first = subcommand.split()[0]
    return words.index(first, 1) if first in words[1:] else 1
