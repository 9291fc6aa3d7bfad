"""A first adapter, written from what a tool says of itself: its version and its help."""

from __future__ import annotations

import re
from typing import NamedTuple

from clawwrap import catalog

#: A heading of the help under which the subcommands stand, and a subcommand there.
HEADING = re.compile(r"^\s*[\w &/-]*\bcommands?\b[\w ()-]*:?\s*$", re.IGNORECASE)
COMMAND = re.compile(r"^\s{1,8}([a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?:, [a-z-]+)*(?::|\s{2,}|\t|$)")
QUIET_FLAG = re.compile(r"(?<!\S)(--(?:dry-run|check|no-act|simulate))\b")


class Draft(NamedTuple):
    """What was found out about a tool."""

    tool: str
    version: str
    reads: list[str]
    writes: list[str]
    others: list[str]
    quiet_flags: list[str]

    @property
    def has_commands(self) -> bool:
        return bool(self.reads or self.writes or self.others)


def read_help(tool: str, version: str, text: str) -> Draft:
    """The subcommands that a help lists, sorted by what their verbs say of their effects."""
    known: dict[str, list[str]] = {"reads": [], "writes": [], "": []}
    for name in dict.fromkeys(_commands(text)):
        known[_effect(name)].append(name)
    quiet = sorted(set(QUIET_FLAG.findall(text)))
    return Draft(tool, version, known["reads"], known["writes"], known[""], quiet)


def _effect(name: str) -> str:
    """What the verb in a name says; the author decides about all others."""
    table = catalog.mapping("verbs")
    for verb in (name, name.partition("-")[0]):
        for effect in ("reads", "writes"):
            if verb in table[effect]:
                return effect
    return ""


def _commands(text: str) -> list[str]:
    found: list[str] = []
    inside = False
    for line in text.splitlines():
        if HEADING.match(line):
            inside = True
        elif inside and line.strip() and not line[0].isspace():
            inside = False
        elif inside and (command := COMMAND.match(line)):
            found.append(command.group(1))
    return found


def render(draft: Draft) -> str:
    """The adapter as YAML, for its author to go on with."""
    lines = [
        "# yaml-language-server: $schema=adapter.json  "
        "(`clawwrap schema adapter -o raw > adapter.json`)",
        f"tool: {draft.tool}",
        f"about: Written from what {draft.version} prints; name the manual page of its exit codes.",
        "timeout: 10m",
    ]
    lines += ["subcommands: true"] if draft.has_commands else []
    lines += ["effects: unknown", "commands:"]
    lines += [f"  none: [{', '.join([*draft.reads, *draft.quiet_flags, '--help', '--version'])}]"]
    lines += [f"  partial: [{', '.join(draft.writes)}]"] if draft.writes else []
    lines += [f"  # not sorted yet: {', '.join(draft.others)}"] if draft.others else []
    return "\n".join([*lines, REST])


REST = """\
exit_codes:
  SUCCESS: The command did what was asked
  GENERAL_ERROR: The command failed without a cause that a rule knows
  ARG_ERROR: An option or argument is wrong; nothing was changed
  NOT_FOUND: What was addressed does not exist
  TIMEOUT: Time ran out; part of the work may be done
rules: []
cases: []
"""
