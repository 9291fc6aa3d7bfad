"""A line of bash as far as it can be judged before bash sees it: plain words and nothing else.

`shell_line` finds the tools of any line well enough to explain a failure. Here a mistake would
let a command through, so whatever is not plain is refused with the reason. Pure.
"""

from __future__ import annotations

from typing import NamedTuple

from clawwrap.errors import UsageError

BLANKS = " \t"
#: What bash takes for more than a character, and what it would do with it.
NOT_PLAIN = {
    "$": "an expansion",
    "`": "a substitution",
    "\\": "a backslash",
    "<": "a redirection",
    ">": "a redirection",
    "(": "a subshell or a function",
    ")": "a subshell or a function",
    "{": "braces",
    "}": "braces",
    "#": "a comment",
}
IN_DOUBLE_QUOTES = frozenset("$`\\")
#: What a word may become by the files that are there.
PATTERNS = frozenset("*?[~")
CONNECTS = ("&&", "||", ";", "|", "\n")
SUGGESTION = (
    "Call one command with argv, or join plain commands with &&, ||, ; and |; "
    "single quotes take a text as it is."
)


class Command(NamedTuple):
    """One simple command, and how many of its words, from the first, are certain."""

    words: list[str]
    certain: int


def commands(line: str) -> list[Command]:
    """The simple commands of a plain line; a refusal names what is not plain in it."""
    found = [_Words()]
    at = 0
    while at < len(line):
        char = line[at]
        connector = next((mark for mark in CONNECTS if line.startswith(mark, at)), "")
        if line.startswith("|&", at) or (char == "&" and not connector):
            raise not_plain("& outside of &&")
        if connector:
            found.append(_Words())
            at += len(connector)
        elif char in BLANKS:
            found[-1].end()
            at += 1
        elif char in "'\"":
            end = line.find(char, at + 1)
            if end < 0:
                raise not_plain(f"a {char} that is never closed")
            text = line[at + 1 : end]
            if char == '"' and not IN_DOUBLE_QUOTES.isdisjoint(text):
                raise not_plain("an expansion or a backslash in double quotes")
            found[-1].add(text, is_certain=True)
            at = end + 1
        elif char in NOT_PLAIN:
            raise not_plain(NOT_PLAIN[char])
        else:
            found[-1].add(char, is_certain=char not in PATTERNS)
            at += 1
    read = [words.read() for words in found]
    return [command for command in read if command.words]


def not_plain(what: str) -> UsageError:
    return UsageError(
        f"this line cannot be judged against the list of allowed tools: it has {what}",
        code="NOT_ALLOWED",
        suggestion=SUGGESTION,
    )


class _Words:
    """The words of one command while they are read."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._open: str | None = None
        self._certain: int | None = None  # None: all of them, up to now

    def add(self, text: str, *, is_certain: bool) -> None:
        self._open = (self._open or "") + text
        if not is_certain and self._certain is None:
            self._certain = len(self._words)

    def end(self) -> None:
        if self._open is not None:
            self._words.append(self._open)
            self._open = None

    def read(self) -> Command:
        self.end()
        certain = len(self._words) if self._certain is None else self._certain
        return Command(self._words, certain)
