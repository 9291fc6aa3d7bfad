"""`clawwrap shim`: put links named after tools in front of PATH, list them, take them away."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping

from clawwrap import catalog, human, shims
from clawwrap.admin.answer import Answer
from clawwrap.errors import AdapterError, UsageError
from clawwrap.screen import Screen


def install(tools: list[str], *, every: bool) -> Answer:
    _check_choice(tools, every, "install git")
    wanted = present(os.environ) if every else tools
    for tool in wanted:
        shims.check_name(tool)
        if shims.program(tool) is None:
            raise _absent(tool)
    done = shims.install(wanted, os.environ)
    folder = shims.folder(os.environ)
    data = {"folder": folder, "leads_to": shims.script(), **done}
    text = "".join(f"{state}: {tool}\n" for state, found in done.items() for tool in found)
    if hint := path_hint(os.environ):
        data["path_hint"] = hint
    hidden = [s for s in shims.listed(os.environ) if s.tool in wanted and "before it" in s.state]
    warnings = [f"clawwrap: {hint}"] if hint else []
    warnings += [f"clawwrap: the shim {shim.tool} does nothing: {shim.state}" for shim in hidden]
    text += "".join(f"{warning}\n" for warning in warnings)
    return Answer(data, text or "nothing to do\n", warnings=tuple(warnings))


def show() -> Answer:
    found = shims.listed(os.environ)
    rows: list[tuple[str, ...]] = [("SHIM", "STATE", "TOOL")]
    rows += [(shim.tool, shim.state, shim.program or "-") for shim in found]
    data = {
        "folder": shims.folder(os.environ),
        "place_on_path": shims.place_on_path(os.environ),
        "shims": [shim._asdict() for shim in found],
    }
    return Answer(data, human.table(rows, Screen.of(1)) if found else "no shims\n")


def remove(tools: list[str], *, every: bool) -> Answer:
    _check_choice(tools, every, "remove git")
    gone = tools
    if every:
        gone = [shim.tool for shim in shims.listed(os.environ) if shim.leads_to]
    shims.remove(gone, os.environ)
    data = {"folder": shims.folder(os.environ), "removed": gone}
    return Answer(data, "".join(f"removed: {tool}\n" for tool in gone) or "no shims\n")


def present(environ: Mapping[str, str]) -> list[str]:
    """Every name of an adapter whose tool is here, but for those that its adapter leaves out."""
    names: dict[str, str] = {}
    for layer, folder in catalog.layers(environ):
        if layer != "project":  # a shim is for every folder, not for one project
            files = {os.path.splitext(file)[0]: file for file in sorted(os.listdir(folder))}
            for name, file in (catalog.read(folder, "aliases") | files).items():
                names.setdefault(name, f"{folder}/{file}")
    return [name for name in sorted(names) if _wants_one(names[name]) and shims.program(name)]


def _wants_one(file: str) -> bool:
    try:
        return file.endswith(catalog.SUFFIXES) and bool(catalog.read(file)["shim"])
    except AdapterError:
        return False


def path_hint(environ: Mapping[str, str]) -> str:
    """What to do so that the shims are found before the tools; empty where they are."""
    place, folder = shims.place_on_path(environ), shims.folder(environ)
    if place == 0:
        return ""
    where = "is not on PATH" if place is None else f"is entry {place + 1} of PATH, not the first"
    return f'{folder} {where}: export PATH={shlex.quote(folder)}:"$PATH"'


def _check_choice(tools: list[str], every: bool, example: str) -> None:
    if bool(tools) == every:
        raise UsageError(
            "name the tools, or give --all, and not both",
            code="INVALID_ARGUMENT" if tools else "MISSING_ARGUMENT",
            suggestion=f"For instance: clawwrap shim {example}.",
        )


def _absent(tool: str) -> UsageError:
    known = catalog.locate(catalog.tool_name(tool), os.environ) is not None
    about = "its adapter is there, but " if known else "there is no adapter for it, and "
    return UsageError(
        f"{tool}: {about}it is not found on PATH",
        code="COMMAND_NOT_FOUND",
        suggestion="Install the tool first, or correct its name; nothing was changed.",
    )
