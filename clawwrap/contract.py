"""The words of the contract as types: pure, without I/O, importing nothing of ours but `errors`.

An `Outcome` is everything a caller may learn of one run. It cannot be built in a way
that breaks the contract, so whoever holds one may render it without a second look.
"""

from __future__ import annotations

from enum import Enum, unique
from types import MappingProxyType

from clawwrap.errors import ContractError
from clawwrap.record import Generic, NamedTuple, TypeVar, dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal, TypeAlias

    Retryable: TypeAlias = bool | Literal["maybe"]
    Strategy: TypeAlias = Literal["immediate", "linear_backoff", "exponential_backoff"]
    Phase: TypeAlias = Literal["validation", "execution", "cleanup"]
    Source: TypeAlias = Literal["tool", "clawwrap"]
    Reason: TypeAlias = Literal["renamed", "restructured", "deprecated", "typo_corrected"]


T = TypeVar("T")

SCHEMA_VERSION = "2.0"
NOTHING: Mapping[str, Any] = MappingProxyType({})

#: Ranges of process exit codes and what they are kept for.
RESERVED_RANGES: Mapping[str, range] = MappingProxyType(
    {
        "contract": range(14),
        "framework_extensions": range(14, 64),
        "sysexits": range(64, 79),
        "tool_specific": range(79, 126),
        "shell_reserved": range(126, 256),
    }
)


@unique
class ExitCode(Enum):
    """The fixed table of fourteen. The members are not integers, so a bare number is never one."""

    SUCCESS = 0
    GENERAL_ERROR = 1
    PARTIAL_FAILURE = 2
    ARG_ERROR = 3
    PRECONDITION = 4
    NOT_FOUND = 5
    CONFLICT = 6
    PERMISSION_DENIED = 7
    AUTH_REQUIRED = 8
    PAYMENT_REQUIRED = 9
    TIMEOUT = 10
    RATE_LIMITED = 11
    UNAVAILABLE = 12
    REDIRECTED = 13

    @property
    def group(self) -> str:
        """The category, which the number itself does not show."""
        return _ABOUT[self.value][0]

    @property
    def description(self) -> str:
        """What the caller learns from this code; also the member's docstring."""
        return _ABOUT[self.value][1]

    @property
    def is_success(self) -> bool:
        return self is ExitCode.SUCCESS

    @property
    def is_execution(self) -> bool:
        return self.group == "execution"

    @property
    def is_input(self) -> bool:
        return self.group == "input"

    @property
    def is_resource(self) -> bool:
        return self.group == "resource"

    @property
    def is_auth(self) -> bool:
        return self.group == "auth"

    @property
    def is_infrastructure(self) -> bool:
        return self.group == "infrastructure"

    @property
    def is_routing(self) -> bool:
        return self.group == "routing"

    @classmethod
    def groups(cls) -> dict[str, tuple[ExitCode, ...]]:
        """Every group with its members, in the order of the table."""
        names = dict.fromkeys(code.group for code in cls)
        return {name: tuple(code for code in cls if code.group == name) for name in names}


#: Group and description of each code, in the order of the table.
_ABOUT = (
    ("success", "The command did what was asked."),
    ("execution", "The command failed and said nothing that a more specific code stands for."),
    ("execution", "Part of the work is done; look at the state before anything is repeated."),
    ("input", "The input is wrong; nothing was changed, fix it and call again."),
    ("input", "The world is not ready for this command; make it so and call again."),
    ("resource", "The thing that was addressed does not exist."),
    ("resource", "The thing exists already, is in use, or has changed meanwhile."),
    ("auth", "The identity is known and may not do this."),
    ("auth", "Credentials are missing, wrong or expired."),
    ("auth", "A bill, plan or quota stands in the way; waiting is no cure."),
    ("infrastructure", "Time ran out; some of the work may have been done."),
    ("infrastructure", "Too many requests; wait as long as the error says."),
    ("infrastructure", "A service cannot be reached at the moment; back off."),
    ("routing", "Another command is to be called instead; the error names it."),
)
for _code in ExitCode:
    _code.__doc__ = _code.description


@dataclass(frozen=True)
class ToolCode:
    """A code of 79–125 that one tool's adapter declares, such as DIFFERENCES_FOUND."""

    value: int
    name: str

    def __post_init__(self) -> None:
        if self.value not in RESERVED_RANGES["tool_specific"]:
            raise ContractError(f"{self.value}: a tool's own code must lie in 79–125")
        if not self.name:
            raise ContractError(f"{self.value}: a tool's own code needs a name")
        if self.name in ExitCode.__members__:
            raise ContractError(f"{self.name} belongs to the fixed table; choose another name")

    @property
    def is_success(self) -> bool:
        return False


Code: TypeAlias = ExitCode | ToolCode

#: The words of the same types, for those who read envelopes.
STRATEGIES: tuple[Strategy, ...] = ("immediate", "linear_backoff", "exponential_backoff")
PHASES: tuple[Phase, ...] = ("validation", "execution", "cleanup")
SOURCES: tuple[Source, ...] = ("tool", "clawwrap")
REASONS: tuple[Reason, ...] = ("renamed", "restructured", "deprecated", "typo_corrected")

#: The classes of failure in the words of the claw shapes.
KINDS = (
    "filesystem",
    "auth",
    "session",
    "parse",
    "runtime",
    "mcp",
    "delivery",
    "usage",
    "policy",
    "unknown",
    "command_not_found",
    "tool_not_found",
    "session_not_found",
)


@dataclass(frozen=True)
class Retry:
    """Whether the identical call may be made again, and after how long."""

    retryable: Retryable
    after_ms: int | None = None
    strategy: Strategy | None = None

    def __post_init__(self) -> None:
        if self.retryable is not True and (self.after_ms is not None or self.strategy):
            raise ContractError("a wait belongs to an error that is retryable")
        if self.after_ms is not None and self.after_ms < 0:
            raise ContractError(f"retry_after_ms {self.after_ms} lies in the past")

    @property
    def after(self) -> int | None:
        """The same wait in whole seconds, never shorter."""
        return None if self.after_ms is None else -(-self.after_ms // 1000)


class Redirect(NamedTuple):
    """The exact command to run instead."""

    command: str
    permanent: bool
    reason: Reason | None = None


@dataclass(frozen=True)
class Failure:
    """Why a run did not succeed, and what the caller can do about it."""

    code: str
    message: str
    retry: Retry
    source: Source = "tool"
    phase: Phase = "execution"
    kind: str = "unknown"
    detail: str = ""
    output: Any = None
    suggestion: str = ""
    redirect: Redirect | None = None
    operation: str = ""
    target: str = ""
    legacy_kind: str = ""  # what a v1.0 envelope called it
    extra: Mapping[str, Any] = field(default_factory=dict)  # what a foreign error had besides

    def __post_init__(self) -> None:
        if not self.code or not self.message.strip():
            raise ContractError("an error needs a code and a message")
        if "\n" in self.message:
            raise ContractError("error.message is one line")


class Native(NamedTuple):
    """What the tool itself ended with."""

    exit_code: int | None
    signal: str | None = None


class Meta(NamedTuple):
    """The circumstances of a run; what does not apply stays None and is left out on the wire."""

    duration_ms: int
    request_id: str
    timestamp: str
    command: str
    output_format: str = "json"
    timeout_ms: int | None = None
    cwd: str | None = None
    native: Native | None = None
    adapter: str | None = None
    rule: str | None = None
    trace_id: str | None = None
    untrusted: tuple[str, ...] = ()
    argv: tuple[str, ...] = ()
    encoding: str | None = None  # how stdout was read, where it is not UTF-8
    cleaned: tuple[str, ...] = ()  # what was taken out of the tool's text to make it readable
    etag: str | None = None
    truncated: bool | None = None
    cursor: str | None = None  # of the next page
    raw_cursor: str | None = None  # of the tool's own bytes, where the text is not the same
    total_bytes: int | None = None
    total_lines: int | None = None
    total_count: int | None = None
    returned_count: int | None = None
    offset: int | None = None  # of a page: where in the stream it starts
    not_modified: bool | None = None
    attempts: tuple[Mapping[str, Any], ...] = ()
    background_pids: tuple[int, ...] = ()
    suggestion: str | None = None  # how to get the same data in a better form
    extra: Mapping[str, Any] = NOTHING  # fields that are not ours


@dataclass(frozen=True)
class Outcome(Generic[T]):
    """One run, in neutral terms; `T` is the type of its data."""

    code: Code
    meta: Meta
    data: T | None = None
    failure: Failure | None = None
    warnings: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return self.code.is_success

    def __post_init__(self) -> None:
        if not isinstance(self.code, (ExitCode, ToolCode)):
            raise ContractError(f"{self.code!r} is no ExitCode and no declared ToolCode")
        if self.ok == (self.failure is not None):
            raise ContractError("an error belongs to every code but SUCCESS, and only there")
        if not self.ok and self.data is not None:
            raise ContractError("data is null on failure; what the tool printed is error.output")
        if self.ok and (self.data is None) != bool(self.meta.not_modified):
            raise ContractError("data is null exactly on failure and on not_modified")
        if self.failure is not None:
            if (self.code is ExitCode.REDIRECTED) != (self.failure.redirect is not None):
                raise ContractError("REDIRECTED and error.redirect come together")
            if self.code is ExitCode.PARTIAL_FAILURE and self.failure.retry.retryable is True:
                raise ContractError("PARTIAL_FAILURE is never retryable")
