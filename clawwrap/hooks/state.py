"""What is known of the last run of each host's hook: one small file per host.

A hook says nothing where it has nothing to change, so this is where one sees that it runs.
No command is kept, only when it ran, what it made of it, and what went wrong.
"""

import json
import os
import time

from clawwrap import log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Json = dict[str, Any]

MOST_NAMES = 20


class Note:
    """What one run has to say of itself."""

    __slots__ = ("changed", "error", "unknown_tool")

    def __init__(self) -> None:
        self.changed = False
        self.error = ""
        self.unknown_tool = ""


def folder(environ: "Mapping[str, str]") -> str:
    return f"{log.folder(environ)}/hooks"


def record(host: str, note: Note, environ: "Mapping[str, str]") -> None:
    """Write down a run. Where that is impossible the hook still works."""
    from clawwrap import __version__

    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    path = f"{folder(environ)}/{host}.json"
    known = _read(path)
    counts = {name: known.get(name) for name in ("fired", "changed")}
    entry: Json = {
        "host": host,
        "version": __version__,
        "fired": _number(counts["fired"]) + 1,
        "changed": _number(counts["changed"]) + note.changed,
        "last_fired": now,
        "last_changed": now if note.changed else known.get("last_changed"),
        "last_error": {"time": now, "reason": note.error}
        if note.error
        else known.get("last_error"),
        "unknown_tools": _names(known.get("unknown_tools"), note.unknown_tool, now),
    }
    draft = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            os.write(fd, json.dumps(entry).encode() + b"\n")
        finally:
            os.close(fd)
        os.rename(draft, path)
    except OSError:
        pass


def _names(known: object, name: str, now: str) -> "Json":
    """The newest names that were no tool we know, cut to what a person can read."""
    names = dict(known) if isinstance(known, dict) else {}
    if name:
        names.pop(name, None)
        names[name] = now
    return dict(list(names.items())[-MOST_NAMES:])


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _read(path: str) -> "Json":
    try:
        with open(path, "rb") as file:
            found = json.loads(file.read(1 << 16))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def state(environ: "Mapping[str, str]") -> "list[Json]":
    """The last run of every hook that has ever run here: host, last_fired, last_error, …"""
    try:
        names = sorted(os.listdir(folder(environ)))
    except OSError:
        return []
    found = [_read(f"{folder(environ)}/{name}") for name in names if name.endswith(".json")]
    return [entry for entry in found if entry.get("host")]
