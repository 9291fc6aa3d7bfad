"""`clawwrap hook check LINE`: what the hook would make of a command line, and why.

The hooks themselves are answered by `clawwrap.hooks`, without the machinery of the verbs.
"""

from __future__ import annotations

import os

from clawwrap.admin.answer import Answer
from clawwrap.errors import UsageError
from clawwrap.hooks import permissions, wishes
from clawwrap.hooks.hosts import HOSTS
from clawwrap.shell import rewrite

#: Why a command or a line stays, in words.
REASONS = {
    "alias": "it defines an alias",
    "assignment": "it sets variables of the shell",
    "background": "it starts something in the background",
    "clawwrap": "it runs clawwrap already",
    "compound": "it has a loop, a condition, a group or a subshell",
    "denied": "the agent has a rule of its own about that command",
    "depth": "it is nested too deeply",
    "empty": "there is no command",
    "excluded": "it is on the exclude list",
    "function": "it is, or defines, a function of the shell",
    "heredoc": "it has a here-document",
    "history": "an exclamation mark may call the history",
    "interactive": "the tool wants a person at a terminal",
    "length": f"it is longer than {rewrite.LONGEST} characters",
    "meaning": "it changes what later words mean",
    "not included": "it is not on the include list",
    "nul": "it has a NUL character",
    "own": "it reads what only this shell knows",
    "pipe": "another command reads the output",
    "privilege": "it asks for more rights",
    "redirection": "the output goes to a file, or the input comes from one",
    "shell": "only the shell can do that itself",
    "status": "it reads the exit status of the tool",
    "substitution": "the shell reads the output of a command",
    "syntax": "it is not certain how a shell would read it",
    "trace": "the shell would print the prefixes",
    "unknown": "it is no program on PATH, so perhaps a function or an alias",
    "variable": "it changes how clawwrap would be found or run",
    "word": "the name of the command is only known when it runs",
}


def check(line: str | None, options: list[str], agent: str | None) -> Answer:
    if line is None:
        raise UsageError(
            "hook check needs a command line",
            code="MISSING_ARGUMENT",
            suggestion="Give it in one word: clawwrap hook check 'cd app && npm test'.",
        )
    if agent is not None and agent not in HOSTS:
        raise unknown(agent)
    wanted = wishes.read(options, os.environ)
    denied = permissions.denied(HOSTS[agent], os.getcwd(), os.environ) if agent else ()
    done = rewrite.rewrite(line, wishes.rules(wanted, os.environ, denied))
    left = [{"command": text, "reason": why, "why": REASONS[why]} for text, why in done.left]
    data = {
        "line": line,
        "result": done.text,
        "changed": done.text != line,
        "whole_line": done.whole,
        "reason": done.reason or None,
        "why": REASONS[done.reason] if done.reason else None,
        "left": left,
    }
    text = done.text + "\n"
    if done.reason:
        text += f"stays as it is: {REASONS[done.reason]}\n"
    else:
        text += "".join(f"stays: {entry['command']} ({entry['why']})\n" for entry in left)
    return Answer(data, text)


def unknown(agent: str) -> UsageError:
    """The complaint about a host that nobody knows."""
    return UsageError(
        f"there is no hook for {agent!r}; known are {', '.join(HOSTS)}",
        code="INVALID_ARGUMENT",
        suggestion="`clawwrap init AGENT` wires one of them up; `hook check LINE` tries a line.",
    )
