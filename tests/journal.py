"""Entries of a made-up log, for the tests of whoever reads it."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from clawwrap import log
from clawwrap.journal import choosing

#: Somewhere in the middle of a day, wherever the clock stands.
START = datetime(2026, 1, 31, 12, tzinfo=UTC)
FAILURES: dict[str, tuple[str, int, bool | str]] = {
    "FILE_NOT_FOUND": ("NOT_FOUND", 5, False),
    "NO_MATCH": ("NOT_FOUND", 5, False),
    "CONNECTION_REFUSED": ("UNAVAILABLE", 12, True),
    "OPERATION_TIMEOUT": ("TIMEOUT", 10, True),
    "UNCLASSIFIED": ("GENERAL_ERROR", 1, "maybe"),
    "TESTS_FAILED": ("TESTS_FAILED", 80, False),
}


def entry(command: str = "git push", error: str = "", minutes: float = 0, **more: Any) -> Any:
    """One entry, so many minutes after START."""
    facts: dict[str, Any] = {"code": "SUCCESS", "exit_code": 0, "native_exit": 0}
    if error:
        code, number, retryable = FAILURES[error]
        facts = {"code": code, "exit_code": number, "error": error, "retryable": retryable}
    facts |= {
        "time": choosing.stamp(START + timedelta(minutes=minutes)),
        "request_id": f"r{minutes:g}",
        "command": command,
        "argv": [*command.split(), "--flag"],
        "duration_ms": 100,
        "output_bytes": 10,
    }
    return log.entry(**facts | more)


def write(environ: dict[str, str], *entries: Any) -> None:
    for one in entries:
        log.append(one, environ, orjson.dumps)


def busy(runs: int, seed: int = 1) -> list[Any]:
    """What a few days of work look like."""
    chance = random.Random(seed)
    commands = ["git status", "git push", "npm test", "pytest", "docker build", "grep", "curl"]
    found = []
    for number in range(runs):
        error = chance.choice(list(FAILURES)) if chance.random() < 0.3 else ""
        milliseconds = int(chance.lognormvariate(6, 2))
        words = "frob § wobbled" if error == "UNCLASSIFIED" else None
        command = chance.choice(commands)
        more: dict[str, Any] = {"duration_ms": milliseconds, "words": words}
        found.append(entry(command, error, minutes=number * 7, **more))
    return found
