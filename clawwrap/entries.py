"""What a command declares about its exit codes before it is called. Pure.

Every invariant is enforced when an entry is declared, so whoever holds one may trust it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any

from clawwrap.contract import Code, ExitCode, ToolCode
from clawwrap.errors import ContractError


class SideEffects(Enum):
    """How much of the intended work was committed before the exit."""

    NONE = "none"
    PARTIAL = "partial"
    COMPLETE = "complete"


#: Words that say nothing an agent could act on.
VAGUE = frozenset(
    {
        "error",
        "errors",
        "failed",
        "failure",
        "fail",
        "an error occurred",
        "something went wrong",
        "unknown error",
        "general error",
        "success",
        "ok",
        "done",
    }
)


@dataclass(frozen=True, slots=True)
class ExitCodeEntry:
    """What a caller may assume once a command has left with a code."""

    name: str
    description: str
    retryable: bool
    side_effects: SideEffects

    @classmethod
    def declare(
        cls,
        code: Code,
        *,
        description: str,
        retryable: bool,
        side_effects: SideEffects,
        name: str = "",
    ) -> ExitCodeEntry:
        """The entry for `code`, checked against everything the contract says of that code."""
        if not isinstance(code, (ExitCode, ToolCode)):
            raise ContractError(f"{code!r}: an entry belongs to an ExitCode or a declared ToolCode")
        if name and name != code.name:
            raise ContractError(f"{code.value}: its name is {code.name}, not {name}")
        entry = cls(code.name, description, retryable, side_effects)
        if side_effects is SideEffects.COMPLETE and not code.is_success:
            raise ContractError(f"{code.name}: only SUCCESS leaves side_effects complete")
        if code is ExitCode.ARG_ERROR and side_effects is not SideEffects.NONE:
            raise ContractError("ARG_ERROR: promises side_effects none, always")
        if code is ExitCode.PARTIAL_FAILURE and retryable:
            raise ContractError("PARTIAL_FAILURE: is never retryable")
        return entry

    def __post_init__(self) -> None:
        if not self.name:
            raise ContractError("an exit code entry needs a name")
        if not isinstance(self.retryable, bool):
            raise ContractError(f"{self.name}: retryable must be true or false")
        if not isinstance(self.side_effects, SideEffects):
            raise ContractError(f"{self.name}: side_effects must be none, partial or complete")
        if not 1 <= len(self.description) <= 120:
            raise ContractError(f"{self.name}: description must have 1 to 120 characters")
        if self.description.strip().rstrip(".!").lower() in VAGUE:
            raise ContractError(
                f"{self.name}: description {self.description!r} is vague; "
                "say what state the system is in"
            )
        if self.retryable and self.side_effects is not SideEffects.NONE:
            raise ContractError(
                f"{self.name}: retryable true promises side_effects none, "
                f"not {self.side_effects.value}"
            )

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "description": self.description,
            "retryable": self.retryable,
            "side_effects": self.side_effects.value,
        }


class ExitCodes(Mapping[Code, ExitCodeEntry]):
    """The codes one command declares: at least SUCCESS, and unchangeable once declared."""

    def __init__(self, entries: Mapping[Code, ExitCodeEntry]) -> None:
        if not entries:
            raise ContractError("exit_codes: a command must declare its exit codes")
        if ExitCode.SUCCESS not in entries:
            raise ContractError("exit_codes: the entry for SUCCESS (0) is required")
        for code in entries:
            if not isinstance(code, (ExitCode, ToolCode)):
                raise ContractError(f"exit_codes: {code!r} is no ExitCode and no declared ToolCode")
        self._entries = MappingProxyType(dict(entries))

    def __getitem__(self, code: Code) -> ExitCodeEntry:
        return self._entries[code]

    def __iter__(self) -> Iterator[Code]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def to_json(self) -> dict[str, Any]:
        """The wire form: integer codes as string keys, ascending."""
        ordered = sorted(self._entries, key=lambda code: code.value)
        return {str(code.value): self._entries[code].to_json() for code in ordered}
