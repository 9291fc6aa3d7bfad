"""`clawwrap init AGENT`: wires an agent or a shell to clawwrap, shows how, and takes it back."""

from __future__ import annotations

import difflib
import json
import os
import shutil
from collections.abc import Mapping
from typing import Any, NamedTuple

from clawwrap.admin.answer import Answer
from clawwrap.errors import SettingsError, UsageError
from clawwrap.hooks import editing, files, permissions, targets
from clawwrap.hooks.hosts import HOSTS
from clawwrap.hooks.targets import Scope, Target


class Wish(NamedTuple):
    """What the caller asked for."""

    scope: Scope
    options: list[str]  # of the hook
    uninstall: bool = False
    dry_run: bool = False


class Change(NamedTuple):
    """What a file is to become, and how to get back."""

    before: str | None
    after: str | None
    edits: editing.Edits
    folders: list[str] | None = None


def run(agent: str, wish: Wish, environ: Mapping[str, str]) -> Answer:
    target = find(agent, wish.scope, wish.options, environ)
    try:
        change = _removal(target, environ) if wish.uninstall else _installation(target, environ)
    except editing.Foreign as error:
        raise SettingsError(
            f"{target.path}: somebody else has written this file; nothing was changed",
            code="FILE_EXISTS",
            suggestion="Look at it, and move it away if it is not needed.",
        ) from error
    except editing.Broken as error:
        raise _broken(target, str(error), wish) from error
    warnings = () if wish.dry_run else _carry_out(target, change, wish, environ)
    return _answer(target, change, wish, warnings)


def find(agent: str, scope: Scope, options: list[str], environ: Mapping[str, str]) -> Target:
    if agent not in targets.AGENTS:
        known = ", ".join(targets.AGENTS)
        raise UsageError(
            f"there is no agent {agent!r} to wire up; known are {known}",
            code="INVALID_ARGUMENT",
            suggestion="Name one of them: clawwrap init claude-code.",
        )
    if agent in targets.SHELLS and (scope == "project" or options):
        raise UsageError(
            f"{agent} has no hook and no settings of a project",
            code="INVALID_ARGUMENT",
            suggestion=f"Leave the options out: clawwrap init {agent}.",
        )
    return targets.find(agent, scope, options, environ)


def _installation(target: Target, environ: Mapping[str, str]) -> Change:
    before = files.read(target.path)
    editing.check(target, before or "")
    if editing.installed(target, before):
        return Change(before, before, [])
    base = before if before is None else _base(target, before, environ)[0]
    changes = editing.edits(target, base)
    after = editing.apply(base or "", changes)
    try:
        editing.check(target, after)
    except editing.Broken as error:  # it was readable before: the place of ours is taken
        raise editing.Broken(f"our hooks do not fit in: {error}") from error
    return Change(before, after, changes)


def _base(
    target: Target, text: str, environ: Mapping[str, str]
) -> tuple[str | None, list[str] | None]:
    """The file without our part, as it was where that is known; and the folders made for it."""
    known = files.recall(target.path, text, environ)
    if known is None:
        return editing.without(target, text), None
    changes, folders = known
    return (None if folders is not None else editing.undo(text, changes)), folders


def _removal(target: Target, environ: Mapping[str, str]) -> Change:
    before = files.read(target.path)
    if before is None:
        return Change(None, None, [])
    editing.check(target, before)
    after, folders = _base(target, before, environ)
    return Change(before, after, [], folders)


def _broken(target: Target, problem: str, wish: Wish) -> SettingsError:
    copy = "" if wish.dry_run else files.back_up(target.path)
    kept = f"; a copy is {copy}" if copy else ""
    return SettingsError(
        f"{target.path}: {problem}; it was not changed{kept}",
        suggestion="Mend the file where the message says, then call again.",
    )


def _carry_out(
    target: Target, change: Change, wish: Wish, environ: Mapping[str, str]
) -> tuple[str, ...]:
    warnings = []
    if change.before != change.after:
        folders = files.write(target.path, change.after)
        if wish.uninstall:
            files.forget(target.path, change.folders, environ)
        elif not files.remember(
            target.path,
            change.after or "",
            change.edits,
            folders if change.before is None else None,
            environ,
        ):
            warnings.append("the state folder cannot be written, so --uninstall may leave traces")
    if not wish.uninstall and target.agent in HOSTS and not shutil.which("clawwrap"):
        warnings.append("clawwrap is not on PATH, where the agent will look for it")
    return tuple(warnings)


def _answer(target: Target, change: Change, wish: Wish, warnings: tuple[str, ...]) -> Answer:
    difference = "".join(
        difflib.unified_diff(
            (change.before or "").splitlines(keepends=True),
            (change.after or "").splitlines(keepends=True),
            target.path if change.before is not None else "/dev/null",
            target.path if change.after is not None else "/dev/null",
        )
    )
    changed = change.before != change.after
    done = "would change" if changed and wish.dry_run else "changed" if changed else "as it was"
    data: dict[str, Any] = {
        "agent": target.agent,
        "scope": target.scope,
        "file": os.path.abspath(target.path),
        "changed": changed and not wish.dry_run,
        "installed": not wish.uninstall and not (changed and wish.dry_run),
        "diff": difference,
    }
    text = f"{difference}{target.path}: {done}\n"
    if target.note and not wish.uninstall:
        data["note"] = target.note
        text += target.note + "\n"
    return Answer(data, text, warnings=warnings)


def show_permissions(agent: str, environ: Mapping[str, str]) -> Answer:
    """The host's rules about commands, written for commands with the prefix."""
    target = find(agent, "user", [], environ)
    if agent not in permissions.TEMPLATES:
        raise UsageError(
            f"{agent} has no rules about commands in a file",
            code="INVALID_ARGUMENT",
            suggestion="Agents that have are " + ", ".join(permissions.TEMPLATES) + ".",
        )
    found = list(permissions.rules(agent, os.getcwd(), environ))
    rules, lines = permissions.templates(agent, found)
    data = {"agent": target.agent, "yours": len(found), "rules": rules}
    text = lines if isinstance(lines, str) else json.dumps(lines, indent=2) + "\n"
    return Answer(data | {"text": text}, text)
