"""The local log: commands whose failure nobody could name, one JSON line each.

It never leaves the machine. What a tool said is kept only as its words: quoted names,
paths, addresses, flags and the caller's own arguments are masked.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from clawwrap.contract import ExitCode, Outcome
from clawwrap.evidence import mask

#: A log that has grown past this is put aside, and the one before it is dropped.
MOST_BYTES = 1 << 20


def folder(environ: Mapping[str, str]) -> str:
    base = environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return f"{base}/clawwrap"


def is_miss(outcome: Outcome[Any]) -> bool:
    """Whether the failure got its code only because no rule knew a better one."""
    rule = outcome.meta.rule or ""
    return outcome.code is ExitCode.GENERAL_ERROR and rule.startswith(("fallback", "native:"))


def add(outcome: Outcome[Any], argv: list[str], environ: Mapping[str, str]) -> None:
    """Append a run. A log that cannot be written is no reason to fail."""
    native, failure = outcome.meta.native, outcome.failure
    entry = {
        "time": outcome.meta.timestamp,
        "request_id": outcome.meta.request_id,
        "command": outcome.meta.command,
        "adapter": outcome.meta.adapter,
        "code": outcome.code.name,
        "rule": outcome.meta.rule,
        "native": native.exit_code if native else None,
        "words": mask(failure.message, [word for word in argv[1:] if word]) if failure else "",
    }
    file = folder(environ) + "/log.jsonl"
    try:
        os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
        # One short write in append mode: lines of many writers do not mix.
        fd = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.write(fd, orjson.dumps(entry) + b"\n")
            full = os.fstat(fd).st_size > MOST_BYTES
        finally:
            os.close(fd)
        if full:
            os.replace(file, f"{file}.1")
    except (OSError, ValueError):
        pass


def read(environ: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Every entry, the oldest first; a line that was cut off is passed over."""
    for name in ("log.jsonl.1", "log.jsonl"):
        try:
            with open(f"{folder(environ)}/{name}", "rb") as file:
                lines = file.read().splitlines()
        except OSError:
            continue
        for line in lines:
            try:
                entry = orjson.loads(line)
            except ValueError:
                continue
            if isinstance(entry, dict):
                yield entry
