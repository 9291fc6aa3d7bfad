"""What `doctor` looks at of agents' hooks: wired where, last fired when, what went wrong last."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from typing import Any

from clawwrap.errors import SettingsError
from clawwrap.hooks import editing, files, state, targets
from clawwrap.hooks.hosts import HOSTS
from clawwrap.hooks.targets import Scope

Row = tuple[str, str, str, str]
SCOPES: tuple[Scope, ...] = ("user", "project")


def look(environ: Mapping[str, str]) -> list[Row]:
    """A row for every hook that is wired or has ever run."""
    known = {str(entry["host"]): entry for entry in state.state(environ)}
    rows = []
    for agent in HOSTS:
        wired = [row for scope in SCOPES for row in _wired(agent, scope, known.get(agent), environ)]
        rows += wired
        if agent in known and not wired:
            fix = f"If it shall, run: clawwrap init {agent}"
            rows.append((f"hook {agent}", "ok", f"not wired here; {_last(known[agent])}", fix))
    return rows or [("hooks", "ok", "none is wired; `clawwrap init AGENT` wires one", "")]


def _wired(
    agent: str, scope: Scope, entry: Mapping[str, Any] | None, environ: Mapping[str, str]
) -> list[Row]:
    target = targets.find(agent, scope, [], environ)
    name = f"hook {agent}"
    try:
        text = files.read(target.path) or ""
        if not any(mark in text for mark in (f"clawwrap hook {agent}", f'["hook", "{agent}"')):
            return []
        editing.check(target, text)
    except editing.Broken as error:
        fix = "Mend the file where the message says; until then the agent may ignore it."
        return [(name, "warning", f"{target.path}: {error}", fix)]
    except SettingsError as error:
        return [(name, "warning", error.message, error.suggestion)]
    if not shutil.which("clawwrap", path=environ.get("PATH")):
        fix = "Put the folder of the clawwrap command on PATH, where the agent looks for it."
        return [(name, "error", f"wired in {target.path}, but clawwrap is not on PATH", fix)]
    found = f"wired in {target.path}; {_last(entry)}"
    if entry and entry.get("last_error"):
        wrong = entry["last_error"]
        fix = f"Try: clawwrap hook check --agent {agent} -- 'git status'"
        return [(name, "warning", f"{found}; last error {wrong['time']}: {wrong['reason']}", fix)]
    if entry and entry.get("unknown_tools"):
        names = ", ".join(entry["unknown_tools"])
        fix = "The agent may have renamed its shell tool; look for a newer clawwrap."
        return [(name, "warning", f"{found}; tools it does not know: {names}", fix)]
    return [(name, "ok", found, "")]


def _last(entry: Mapping[str, Any] | None) -> str:
    if not entry:
        return "it has not fired yet"
    return f"last fired {entry.get('last_fired')}, {entry.get('fired')} times in all"
