"""What a verb answers: data for programs, text for people, and a failure where there is one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from clawwrap import failures
from clawwrap.contract import Code, ExitCode, Failure


@dataclass(frozen=True, slots=True)
class Answer:
    data: Any
    text: str
    code: Code = ExitCode.SUCCESS
    failure: Failure | None = None
    warnings: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)


def failed(
    error: str, message: str, *, output: Any = None, text: str = "", suggestion: str = ""
) -> Answer:
    """An answer that is bad news, with the findings in error.output."""
    code, failure = failures.refused(error, message, suggestion=suggestion, output=output)
    return Answer(None, text, code, failure)
