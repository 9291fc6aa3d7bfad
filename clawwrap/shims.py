"""The folder of shims: links named after tools that lead to clawwrap, for the front of PATH."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from typing import NamedTuple

from clawwrap import catalog, launch
from clawwrap.errors import UsageError

NAME = "clawwrap"


class Shim(NamedTuple):
    """One entry of the folder. `state` is `ok`, or what keeps it from doing its work."""

    tool: str
    state: str
    leads_to: str  # what the link says; empty for what is none of ours
    program: str | None  # the tool itself


def folder(environ: Mapping[str, str]) -> str:
    """Where the shims of this user are."""
    if own := environ.get("CLAWWRAP_SHIM_DIR"):
        return os.path.abspath(own)
    data = environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return f"{data}/{NAME}/shims"


def script() -> str:
    """The installed command, by the name that stays when it is upgraded."""
    beside = os.path.join(os.path.dirname(sys.executable), NAME)
    for found in (sys.argv[0], beside, shutil.which(NAME) or ""):
        if os.path.basename(found) == NAME and os.access(found, os.X_OK):
            return os.path.abspath(found)
    raise UsageError(
        "the command clawwrap is not installed, so nothing can lead to it",
        code="MISSING_DEPENDENCY",
        suggestion="Install it with pipx, uv or pip, then call that command.",
    )


def program(tool: str) -> str | None:
    """The tool itself, past every shim."""
    try:
        return launch.find(tool, launch.environment())
    except launch.Fault:
        return None


def first_on_path(tool: str, environ: Mapping[str, str]) -> str | None:
    """What a shell would run, shims included."""
    return shutil.which(tool, path=environ.get("PATH", os.defpath))


def is_ours(path: str) -> bool:
    """Whether this is a link to some clawwrap, also to one that is gone."""
    return os.path.islink(path) and os.path.basename(os.readlink(path)) == NAME


def listed(environ: Mapping[str, str]) -> list[Shim]:
    """Every entry of the folder, and whether it does its work."""
    try:
        names = sorted(os.listdir(folder(environ)))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise _refused(error) from error
    return [_examined(name, environ) for name in names if not name.startswith(".")]


def _examined(tool: str, environ: Mapping[str, str]) -> Shim:
    path = os.path.join(folder(environ), tool)
    if not is_ours(path):
        return Shim(tool, "not a shim", "", None)
    target, real = os.readlink(path), program(tool)
    if not os.path.exists(path):
        state = "its clawwrap is gone"
    elif real is None:
        state = "its tool is gone"
    elif place_on_path(environ) is None:
        state = "its folder is not on PATH"
    elif (first := first_on_path(tool, environ)) and not is_ours(first):
        state = f"{first} comes before it on PATH"
    else:
        state = "ok"
    return Shim(tool, state, target, real)


def place_on_path(environ: Mapping[str, str]) -> int | None:
    """At which place the folder stands on PATH; 0 is the first."""
    wanted = os.path.realpath(folder(environ))
    places = [os.path.realpath(at or ".") for at in environ.get("PATH", "").split(":")]
    return places.index(wanted) if wanted in places else None


def install(tools: list[str], environ: Mapping[str, str]) -> dict[str, list[str]]:
    """Make a link for each; nothing is written where one of them cannot be."""
    target, at = script(), folder(environ)
    todo: dict[str, list[str]] = {"installed": [], "unchanged": []}
    for tool in dict.fromkeys(tools):
        path = os.path.join(at, tool)
        if os.path.lexists(path) and not is_ours(path):
            raise _foreign(path)
        is_there = is_ours(path) and os.readlink(path) == target
        todo["unchanged" if is_there else "installed"].append(tool)
    try:
        os.makedirs(at, mode=0o755, exist_ok=True)
        for tool in todo["installed"]:
            draft = os.path.join(at, f".{tool}.{os.getpid()}")
            os.symlink(target, draft)
            os.rename(draft, os.path.join(at, tool))
    except OSError as error:
        raise _refused(error) from error
    return todo


def remove(tools: list[str], environ: Mapping[str, str]) -> None:
    """Take these links away; nothing is removed where one of them is not ours."""
    paths = [os.path.join(folder(environ), tool) for tool in dict.fromkeys(tools)]
    for tool, path in zip(dict.fromkeys(tools), paths, strict=True):
        check_name(tool)
        if not os.path.lexists(path):
            raise UsageError(
                f"there is no shim for {tool} in {folder(environ)}",
                code="RESOURCE_NOT_FOUND",
                suggestion="`clawwrap shim list` names those that are there.",
            )
        if not is_ours(path):
            raise _foreign(path)
    try:
        for path in paths:
            os.unlink(path)
    except OSError as error:
        raise _refused(error) from error


def check_name(tool: str) -> None:
    """Refuse what cannot be the name of a link in the folder."""
    if not tool or "/" in tool or "\0" in tool or tool.startswith((".", "-", NAME)):
        raise UsageError(
            f"{tool!r} is no name for a shim",
            code="INVALID_ARGUMENT",
            suggestion="Give the bare name of a tool: clawwrap shim install git.",
        )


def _foreign(path: str) -> UsageError:
    return UsageError(
        f"{path}: exists and is not a shim",
        code="FILE_EXISTS",
        suggestion="It is left as it is: move it away, or set CLAWWRAP_SHIM_DIR to another folder.",
    )


def _refused(error: OSError) -> UsageError:
    code = catalog.mapping("errno")["numbers"].get(error.errno, "NOT_READY")
    place = error.filename2 or error.filename
    return UsageError(f"{place}: {(error.strerror or '').lower()}", code=code)
