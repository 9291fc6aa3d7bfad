"""What a verb answers: data for programs, text for people, and a failure where there is one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from clawwrap import catalog, failures, outcomes
from clawwrap.contract import Code, ExitCode, Failure, Outcome
from clawwrap.invocation import Invocation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from clawwrap.contract import Phase


@dataclass(frozen=True, slots=True)
class Answer:
    data: Any
    text: str
    code: Code = ExitCode.SUCCESS
    failure: Failure | None = None
    warnings: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    stdout_is_taken: bool = False  # by what the verb wrote there itself

    def on_stderr(self) -> Answer:
        return replace(self, stdout_is_taken=True)


def outcome(inv: Invocation, answer: Answer, command: str) -> Outcome[Any]:
    """The answer as what it is to the outside."""
    return outcomes.respond(
        inv,
        answer.code,
        command=command,
        data=answer.data if answer.failure is None else None,
        failure=answer.failure,
        warnings=answer.warnings,
        **answer.facts,
    )


def failed(
    error: str,
    message: str,
    *,
    output: Any = None,
    text: str = "",
    suggestion: str = "",
    phase: Phase = "validation",
) -> Answer:
    """An answer that is bad news, with the findings in error.output."""
    code, failure = failures.refused(
        error, message, suggestion=suggestion, output=output, phase=phase
    )
    return Answer(None, text, code, failure)


def refused_by_system(file: str, error: OSError, suggestion: str) -> Answer:
    """The same for a file that cannot be had, by the reason that the system gives."""
    known = catalog.mapping("errno")["numbers"]
    message = f"{file}: {(error.strerror or str(error)).lower()}"
    return failed(known.get(error.errno, "FILE_PERMISSION"), message, suggestion=suggestion)
