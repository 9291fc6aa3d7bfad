"""What all parsers share: what they are told from outside, what they give back, type checks."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from clawwrap import schema
from clawwrap.contract import ExitCode, Outcome
from clawwrap.errors import EnvelopeError

#: Where neither the record nor the caller names the command.
NO_COMMAND = "unknown"
NO_TIME = "1970-01-01T00:00:00Z"


class Clues(NamedTuple):
    """What is known of a record from outside; the exit code of its process beats the record."""

    exit_code: int | None = None
    command: str = ""
    timestamp: str = ""


class Parsed(NamedTuple):
    """An outcome, and what in it was derived or contradicted itself."""

    outcome: Outcome[Any]
    notes: list[str]


def wrong(field: str, expected: str, value: object) -> EnvelopeError:
    return EnvelopeError(
        f"{field}: expected {expected}; got {schema.shown(value)}",
        suggestion=f"Correct the field {field}, or name the right shape with --from.",
    )


def expect(record: dict[str, Any], field: str, kind: str, *, required: bool = False) -> Any:
    """The value of a field, of the type that its shape gives it; None where it is absent."""
    value = record.get(field)
    if value is None:
        if required:
            raise EnvelopeError(f"{field}: expected {schema.NAMES[kind]}; it is absent")
        return None
    if not schema.is_type(value, kind):
        raise wrong(field, schema.NAMES[kind], value)
    return value


def one_of(record: dict[str, Any], field: str, allowed: Sequence[str], default: Any) -> Any:
    """The value of a field with a fixed set of values."""
    value = expect(record, field, "string")
    if value is None:
        return default
    if value not in allowed:
        raise wrong(field, "one of " + ", ".join(allowed), value)
    return value


def exit_code(value: int) -> ExitCode | None:
    """A member of the table; None where the number is none of its."""
    return ExitCode(value) if 0 <= value < len(ExitCode) else None


def request_id(record: dict[str, Any]) -> str:
    """An id for a record that has none: the same record always gets the same one."""
    content = repr(sorted(record.items(), key=str)).encode("utf-8", "replace")
    return hashlib.sha256(content).hexdigest()[:16]


def choose_duration(own: int | None, notes: list[str]) -> int:
    if own is None:
        notes.append("duration_ms is not in the record; taken for 0")
    return max(own or 0, 0)


def choose_time(own: str | None, clues: Clues, notes: list[str]) -> str:
    if own:
        return own
    known = "that of the input is taken" if clues.timestamp else "taken for the beginning of 1970"
    notes.append(f"timestamp is not in the record; {known}")
    return clues.timestamp or NO_TIME


def choose_command(own: str | None, clues: Clues, notes: list[str]) -> str:
    if own or clues.command:
        return own or clues.command
    notes.append("command is not in the record and not known (--command names it)")
    return NO_COMMAND
