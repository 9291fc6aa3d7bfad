"""Which entries of the log are meant: by tool, code, time and request."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from clawwrap.errors import UsageError

Entry = dict[str, Any]
UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


class Wanted(NamedTuple):
    """What an entry must be like; what is empty does not matter."""

    tool: str = ""
    code: str = ""
    since: str = ""  # as entries tell the time, so that they compare as texts
    until: str = ""
    request_id: str = ""
    failed: bool = False
    misses: bool = False

    def has(self, entry: Entry) -> bool:
        time = entry["time"]
        if (self.since and time < self.since) or (self.until and time >= self.until):
            return False
        if self.request_id and entry.get("request_id") != self.request_id:
            return False
        if self.tool and self.tool not in (entry.get("tool"), entry.get("command")):
            return False
        if self.code and self.code.upper() not in _names(entry):
            return False
        if self.misses and not entry.get("miss"):
            return False
        return not self.failed or entry.get("exit_code", 0) != 0


def _names(entry: Entry) -> set[str]:
    """What its code may be called: its number, its name, or the error.code."""
    return {str(entry.get(name)).upper() for name in ("exit_code", "code", "error")}


def moment(option: str, text: str, now: datetime | None = None) -> str:
    """A time as entries tell it, from `90m`, `2d`, a date, or a date and a time.

    A date without a time zone is meant as the clock on the wall shows it.
    """
    if not text:
        return ""
    now = now or datetime.now(UTC)
    number, unit = text[:-1], text[-1]
    try:
        if number.isascii() and number.isdigit() and unit in UNITS:
            return stamp(now - timedelta(**{UNITS[unit]: int(number)}))
        return stamp(datetime.fromisoformat(text))
    except (OverflowError, ValueError, OSError):
        raise UsageError(
            f"{option} wants a time such as 2h, 3d, 2026-01-31 or 2026-01-31T08:00, got {text!r}",
            code="INVALID_ARGUMENT",
            suggestion=f"Say how long ago with s, m, h, d or w (`{option} 2h`), or give a date.",
        ) from None


def stamp(when: datetime) -> str:
    when = when.astimezone(UTC)
    return when.strftime("%Y-%m-%dT%H:%M:%S.") + f"{when.microsecond // 1000:03d}Z"


def parsed(stamped: str) -> datetime | None:
    """The moment of an entry; None where it is none."""
    try:
        when = datetime.fromisoformat(stamped)
        return when.replace(tzinfo=when.tzinfo or UTC)
    except ValueError:
        return None
