"""Whether the local log can do its work, for `clawwrap doctor`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from clawwrap import catalog, log, trace
from clawwrap.journal import choosing, reading
from clawwrap.redact import Redactor

ELSEWHERE = "Set XDG_STATE_HOME to a folder you can write to, or no-log: true in the config file."
MOVE = "Remove it, or set XDG_STATE_HOME to a folder of your own."


class Finding(NamedTuple):
    """What there is; `fix` says what to do where it is not as it should be."""

    ok: bool
    found: str
    fix: str = ""


def check(environ: Mapping[str, str]) -> Finding:
    """Where the log is, how large, and whether a run could be added now."""
    place = log.folder(environ)
    if _is_off(environ):
        return Finding(True, f"switched off; {place} is not written to")
    try:
        folder = os.lstat(place)
    except FileNotFoundError:
        return _absent(place)
    except OSError as error:
        return Finding(False, f"{place}: {(error.strerror or '').lower()}", ELSEWHERE)
    if not log.is_ours(folder):
        return Finding(False, f"{place}: {_why_not_ours(place, folder)}; nothing is logged", MOVE)
    try:
        # As a run would open it, but without making it.
        fd = os.open(f"{place}/{log.NAME}", os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW)
        os.close(fd)
    except FileNotFoundError:
        return _absent(place)
    except OSError as error:
        found = f"{place}/{log.NAME}: {(error.strerror or '').lower()}; nothing is logged"
        return Finding(False, found, "Remove it, or make it a file that you can write to.")
    return _content(place, environ)


def _is_off(environ: Mapping[str, str]) -> bool:
    said = environ.get("CLAWWRAP_NO_LOG")
    if said is not None:
        return said.lower() in ("1", "true", "yes", "on")
    return bool(catalog.config(environ).get("no_log"))


def _absent(place: str) -> Finding:
    """Whether the first run could make it."""
    at = place
    while not os.path.exists(at):
        at = os.path.dirname(at)
    if os.path.isdir(at) and os.access(at, os.W_OK):
        return Finding(True, f"{place}: empty")
    return Finding(False, f"{at}: cannot be written to; nothing is logged", ELSEWHERE)


def _why_not_ours(place: str, folder: os.stat_result) -> str:
    if os.path.islink(place):
        return "is a symbolic link"
    if not os.path.isdir(place):
        return "is no folder"
    if folder.st_uid != os.geteuid():
        return "belongs to somebody else"
    return "others can write to it"


def _content(place: str, environ: Mapping[str, str]) -> Finding:
    sizes = [_size(f"{place}/{name}") for name in log.names()]
    runs, remark, yesterday = 0, "", choosing.moment("", "1d")
    for entry in reading.read(environ):
        if "note" not in entry:
            runs += 1
        elif entry["time"] > yesterday:
            remark = entry["note"]
    found = f"{place}: {runs} runs, {sum(sizes) // 1024} KiB"
    if remark:
        fix = "Check the collector, or unset CLAWWRAP_OTEL; `clawwrap log` shows every such remark."
        return Finding(False, f"{found}; {remark}", fix)
    return Finding(True, found)


def _size(file: str) -> int:
    try:
        return os.stat(file).st_size
    except OSError:
        return 0


def export(environ: Mapping[str, str]) -> Finding:
    """Whether runs are exported as spans, and what is in the way where that is wanted."""
    wanted = environ.get("CLAWWRAP_OTEL", "").lower() in ("1", "true", "yes", "on")
    if not wanted and not catalog.config(environ).get("otel"):
        return Finding(True, "off; clawwrap talks to nobody")
    if why := trace.obstacle(environ):
        return Finding(False, f"wanted, and nothing is exported: {why}", "Mend that, or unset it.")
    endpoint = next(environ[name] for name in trace.ENDPOINTS if environ.get(name))
    return Finding(True, f"to {Redactor().text(endpoint)}")
