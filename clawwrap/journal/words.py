"""Times, durations and answers as people write them. Pure."""

from __future__ import annotations

from typing import Any

from clawwrap.journal import choosing


def clock(stamped: str) -> str:
    """The moment of an entry as the clock on the wall showed it."""
    when = choosing.parsed(stamped)
    return when.astimezone().strftime("%Y-%m-%d %H:%M:%S") if when else stamped


def yes_or_no(retryable: bool | str | None) -> str:
    if isinstance(retryable, bool):
        return "yes" if retryable else "no"
    return retryable or "-"


def took(milliseconds: Any) -> str:
    """A duration in the unit that suits it."""
    if not isinstance(milliseconds, (int, float)):
        return "-"
    if milliseconds < 1000:
        return f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1000
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, seconds = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {seconds} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"
