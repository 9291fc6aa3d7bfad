"""What a server lets its client run, and where: lists of tools and folders that its user gives.

A list tells which tools are started, under which name and from which file. What a tool then does
is its own affair, so a list holds no shells where it is to hold anything.
"""

from __future__ import annotations

import itertools
import os
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from clawwrap import catalog, launch
from clawwrap.errors import UsageError
from clawwrap.serving import lines

#: Launchers that run the very program they name, with the options that keep it so; None is any.
#: Whatever else launches something must be on the list together with what it launches.
PLAIN: dict[str, frozenset[str] | None] = {
    "env": frozenset({"-i", "-", "--ignore-environment"}),
    "timeout": None,
    "nice": None,
    "ionice": None,
    "nohup": None,
    "setsid": None,
    "stdbuf": None,
    "time": frozenset({"-p", "-v", "--portability", "--verbose"}),
}
#: What cannot be on the list alone.
RUN_ANYTHING = frozenset({*PLAIN, "sudo", "doas"})


class Allowed:
    """The lists; without any everything is allowed, since the host asks its user."""

    def __init__(self, tools: Sequence[str] = (), folders: Sequence[str] = ()) -> None:
        self.tools = [_entry(tool) for tool in tools]
        self.folders = [_folder(folder) for folder in folders]

    def described(self) -> str:
        """The lists for whoever calls; empty where there are none."""
        told = []
        if self.tools:
            told.append(f"Only these tools may be run: {self._names()}.")
        if self.folders:
            told.append(f"Commands run in these folders and below: {', '.join(self.folders)}.")
        return " ".join(told)

    def check(self, how: Mapping[str, Any]) -> None:
        """Refuse a call that runs anything which is not on the list."""
        if not self.tools:
            return
        if how.get("env"):
            self._refuse(
                f"env: {', '.join(how['env'])} may decide what a tool runs",
                "Leave env out; what a tool needs is set where the server is configured.",
            )
        if "/" in (adapter := how.get("adapter") or "") or adapter.endswith(catalog.SUFFIXES):
            self._refuse(f"adapter {adapter}: a file may set variables", "Name an adapter instead.")
        if how.get("line") is not None:
            for words, certain in lines.commands(how["line"]):
                self._check_command(words, certain)
        else:
            self._check_command(how["argv"], len(how["argv"]))

    def folder(self, asked: str | None) -> str | None:
        """Where a call runs: inside the folders, links resolved; None is where the server is."""
        if not self.folders:
            return asked
        here = os.path.realpath(asked or os.getcwd())
        if any(here == folder or here.startswith(_below(folder)) for folder in self.folders):
            return here
        if not asked:
            return self.folders[0]
        told = here if here == asked else f"{asked} (which is {here})"
        raise UsageError(
            f"cwd {told}: is in none of the allowed folders: {', '.join(self.folders)}",
            code="NOT_ALLOWED",
            suggestion="Choose one of them, or ask for `--folder DIR` where the server is "
            "configured.",
        )

    def _check_command(self, words: list[str], certain: int) -> None:
        """Judge one command by what stands where the plain launchers end."""
        places = catalog.see_through(words, catalog.mapping("launchers"))
        at = _judged_at(words, places)
        rest, need = words[at:], places[-1] + 1 - at
        if any(_matches(entry, rest, need) and at + len(entry) <= certain for entry in self.tools):
            return
        called = shlex.join(rest[:need])
        self._refuse(
            f"{called}: is not on the list of allowed tools: {self._names()}",
            f"Do without it, or ask for `--allow {shlex.quote(called)}` where the server is "
            "configured; options stand behind the words of the list.",
        )

    def _refuse(self, message: str, suggestion: str) -> NoReturn:
        raise UsageError(message, code="NOT_ALLOWED", suggestion=suggestion)

    def _names(self) -> str:
        return ", ".join(map(" ".join, self.tools))


def _judged_at(words: list[str], places: list[int]) -> int:
    """The place of the tool, or of the first launcher that is not plain."""
    for at, behind in itertools.pairwise(places):
        name = catalog.tool_name(words[at])
        if name not in PLAIN or not _is_tool(name, words[at]):
            return at
        options = PLAIN[name]
        if options is not None and not options.issuperset(words[at + 1 : behind]):
            return at
    return places[-1]


def _matches(entry: list[str], words: list[str], need: int) -> bool:
    """Whether the command begins with the words of an entry, and those reach to the tool.

    Nothing may stand between them: which options have values is not known for certain.
    """
    same = _is_tool(entry[0], words[0]) and words[1 : len(entry)] == entry[1:]
    return same and len(entry) >= need


def _is_tool(name: str, word: str) -> bool:
    """Whether a word calls the tool that an entry names, and no other file of that name."""
    if word == name:
        return True
    if not word.startswith("/") or ("/" not in name and catalog.tool_name(word) != name):
        return False  # where a relative path leads depends on the folder
    try:
        return os.path.samefile(launch.find(name, launch.environment()), word)
    except (OSError, ValueError, launch.Fault):
        return False


def _entry(text: str) -> list[str]:
    try:
        words = shlex.split(text)
    except ValueError as error:
        words, reason = [], f": {error}"
    else:
        reason = ""
    if not words or (len(words) == 1 and words[0] in RUN_ANYTHING):
        reason = reason or (": it runs whatever stands behind it" if words else "")
        raise UsageError(
            f"--allow wants a tool such as git or 'kubectl get', got {text!r}{reason}",
            code="INVALID_ARGUMENT",
            suggestion="For instance: clawwrap mcp --allow git --allow 'kubectl get'.",
        )
    return words


def _folder(text: str) -> str:
    found = os.path.realpath(os.path.expanduser(text)) if text else ""
    if not os.path.isdir(found):
        raise UsageError(
            f"--folder {text}: is no folder",
            code="INVALID_ARGUMENT",
            suggestion="Name one that exists.",
        )
    return found


def _below(folder: str) -> str:
    return folder.rstrip("/") + "/"
