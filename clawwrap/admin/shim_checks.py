"""What `doctor` looks at in the folder of shims: name, level, what was found, how to mend it."""

from __future__ import annotations

from collections.abc import Mapping

from clawwrap import shims
from clawwrap.admin.shim import path_hint
from clawwrap.errors import UsageError

Row = tuple[str, str, str, str]


def look(environ: Mapping[str, str]) -> list[Row]:
    """The folder and its place on PATH, then every shim that does not do its work."""
    try:
        found = shims.listed(environ)
    except UsageError as error:
        return [("shims", "warning", error.message, error.suggestion or "Make it readable.")]
    if not found:
        return [("shims", "ok", "none", "")]
    place = shims.place_on_path(environ)
    well = [shim.tool for shim in found if shim.state == "ok"]
    at = shims.folder(environ)
    where = f"{at}, entry {place + 1} of PATH" if place is not None else f"{at}, not on PATH"
    level, fix = ("ok", "") if place == 0 else ("warning", f"Run: {_command(environ)}")
    rows: list[Row] = [("shims", level, f"{len(well)} of {len(found)} at work in {where}", fix)]
    if place is None:
        return rows
    return rows + [_wrong(shim) for shim in found if shim.state != "ok"]


def _command(environ: Mapping[str, str]) -> str:
    return path_hint(environ).partition(": ")[2]


def _wrong(shim: shims.Shim) -> Row:
    fix = f"Run: clawwrap shim remove {shim.tool}"
    if shim.state.startswith("its clawwrap"):
        fix = f"Run: clawwrap shim install {shim.tool}"
    elif not shim.leads_to:
        fix = "Move it out of that folder."
    elif "before it" in shim.state:
        fix = "Put the folder of shims in front of PATH."
    return ("shim", "warning", f"{shim.tool}: {shim.state}", fix)
