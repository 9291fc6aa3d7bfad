"""Completion for bash, zsh and fish: clawwrap's own words, then whatever the tool completes.

The scripts lie under `completions/`; the words in them come from where they are declared, so
that a script always fits the version that wrote it.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clawwrap.admin.options import Option

SHELLS = ("bash", "zsh", "fish")
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "completions")
#: What is understood beside the options that have a variable.
OTHERS = {
    "-c": "run a whole line of bash",
    "--help": "list the options",
    "--version": "print the version",
}


def script(shell: str) -> str:
    """The script for one of SHELLS."""
    from clawwrap.admin import AVAILABLE, options

    with open(os.path.join(FOLDER, f"clawwrap.{shell}"), encoding="utf-8") as file:
        text = file.read()
    found = options.listed()
    valued = [name for option in found if option.value for name in _names(option)]
    described = {name: option.about for option in found for name in _names(option)} | OTHERS
    values = {" ".join(_names(option)): option.allowed for option in found if option.allowed}
    words = {
        "VALUED": " ".join([*valued, "-c"]),
        "OPTIONS": " ".join(described),
        "DESCRIBED": _described(shell, described),
        "VALUES": _cases(shell, values),
        "VERBS": " ".join(AVAILABLE),
        "ACTIONS": _cases(shell, {shlex.quote(name): more for name, more in _behind().items()}),
    }
    for name, value in words.items():
        text = text.replace(f"@{name}@", value)
    return text


def _names(option: Option) -> list[str]:
    return [f"--{option.name}", *([option.short] if option.short else [])]


def _behind() -> dict[str, list[str]]:
    """What may stand behind each verb, and behind each action of a verb."""
    from typer.main import get_command

    from clawwrap.admin.app import app

    found: dict[str, list[str]] = {}
    for verb, command in getattr(get_command(app), "commands", {}).items():
        actions = getattr(command, "commands", {})
        found[verb] = [*actions, *_flags(command)]
        found |= {f"{verb} {name}": _flags(action) for name, action in actions.items()}
    return {name: [*words, "--output", "--help"] for name, words in found.items()}


def _flags(command: object) -> list[str]:
    params = getattr(command, "params", [])
    return [word for param in params for word in param.opts if word.startswith("--")]


def _cases(shell: str, words: Mapping[str, Sequence[str]]) -> str:
    """Branches of a `case`: names, and the words that belong to them."""
    if shell == "fish":
        rows = [f"case {name}\n            echo {' '.join(more)}" for name, more in words.items()]
        return "\n        ".join(rows)
    names = {name: name if name.startswith("'") else name.replace(" ", "|") for name in words}
    rows = [f"({names[name]}) echo {' '.join(more)} ;;" for name, more in words.items()]
    return "\n        ".join(rows)


def _described(shell: str, texts: dict[str, str]) -> str:
    """Each name with its text, as this shell shows them."""
    if shell == "fish":
        rows = [f"printf '%s\\t%s\\n' {name} {shlex.quote(text)}" for name, text in texts.items()]
        return "\n    ".join(rows)
    return "\n        ".join(shlex.quote(f"{name}:{text}") for name, text in texts.items())
