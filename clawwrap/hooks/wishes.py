"""What the user wants of the hook: its options, the variables, and hook.yaml in the config folder.

An option wins over the variable, that over the file.
"""

import os

from clawwrap import catalog
from clawwrap.errors import UsageError
from clawwrap.invocation import duration, yes_or_no
from clawwrap.shell import rewrite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

OPTIONS = ("--whole-line", "--include", "--exclude")
BUDGET_MS = 200


def read(options: list[str], environ: "Mapping[str, str]") -> "dict[str, Any]":
    """include, exclude, whole_line and budget; UsageError or AdapterError where one is wrong."""
    wishes = {"include": [], "exclude": [], "whole_line": False, "budget": BUDGET_MS}
    path = catalog.config_folder(environ) + "/hook.yaml"
    if os.path.isfile(path):
        wishes |= catalog.read(path, "hook")
    for name in ("include", "exclude"):
        variable = environ.get(f"CLAWWRAP_HOOK_{name.upper()}")
        if variable is not None:
            wishes[name] = _list(variable)
    if "CLAWWRAP_HOOK_WHOLE_LINE" in environ:
        text = environ["CLAWWRAP_HOOK_WHOLE_LINE"]
        wishes["whole_line"] = yes_or_no("CLAWWRAP_HOOK_WHOLE_LINE", text)
    if "CLAWWRAP_HOOK_BUDGET" in environ:
        wishes["budget"] = duration("CLAWWRAP_HOOK_BUDGET", environ["CLAWWRAP_HOOK_BUDGET"])
    return wishes | _from_options(options)


def _from_options(options: list[str]) -> "dict[str, Any]":
    found: dict[str, Any] = {}
    rest = iter(options)
    for option in rest:
        name, equals, value = option.partition("=")
        if name not in OPTIONS or (equals and name == "--whole-line"):
            raise UsageError(
                f"hook has no option {option!r}",
                suggestion=f"Its options are {', '.join(OPTIONS)}.",
            )
        if name == "--whole-line":
            found["whole_line"] = True
        else:
            found[name[2:]] = _list(value if equals else next(rest, ""))
    return found


def _list(text: str) -> list[str]:
    return [entry.strip() for entry in text.split(",") if entry.strip()]


def rules(
    wishes: "dict[str, Any]", environ: "Mapping[str, str]", denied: "tuple[str, ...]" = ()
) -> rewrite.Rules:
    return rewrite.Rules(
        lambda word: is_program(word, environ),
        include=tuple(wishes["include"]),
        exclude=tuple(wishes["exclude"]),
        whole_line=wishes["whole_line"],
        denied=denied,
    )


def is_program(word: str, environ: "Mapping[str, str]") -> bool:
    """Whether a command word is a program for certain, and not a function or an alias.

    It is on PATH, or it is a path itself, or there is an adapter for it: the shell of the agent
    may have another PATH than its hook.
    """
    if "/" in word:
        return True
    for folder in environ.get("PATH", os.defpath).split(os.pathsep):
        file = f"{folder or '.'}/{word}"
        if os.access(file, os.X_OK) and not os.path.isdir(file):
            return True
    return catalog.locate(word, environ) is not None
