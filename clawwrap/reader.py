"""The reader's side: an envelope and an exit code become what an agent should do next.

Takes envelopes of any shape from anybody, broken and contradictory ones too, so nothing here
relies on what clawwrap itself would print. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, unique
from typing import Any

from clawwrap import catalog, generic
from clawwrap.contract import ExitCode
from clawwrap.envelopes import recognise, response, shape
from clawwrap.envelopes.reading import Clues
from clawwrap.errors import ClawwrapError
from clawwrap.json_text import JsonError, strict_loads

#: The same error code again and again, without anything having changed, is no longer bad luck.
MOST_RETRIES = 3
DEFAULT_WAIT_MS = 1_000
RATE_LIMIT_WAIT_MS = 60_000
LONGEST_BACKOFF_MS = 300_000
DEPRECATION_WORDS = ("deprecat", "will be removed", "obsolete")
#: The codes that the table of exit codes calls retryable as they are.
RETRYABLE = frozenset({ExitCode.TIMEOUT, ExitCode.RATE_LIMITED, ExitCode.UNAVAILABLE})


@unique
class Action(Enum):
    """What to do next; the value is what goes over the wire."""

    PROCEED = "proceed"
    USE_CACHED = "use_cached"
    FETCH_REST = "fetch_rest"
    RETRY = "retry"
    REFRESH_CREDENTIALS = "refresh_credentials"
    ACQUIRE_CREDENTIALS = "acquire_credentials"
    FIX_INPUT = "fix_input"
    MAKE_READY = "make_ready"
    RESOLVE_CONFLICT = "resolve_conflict"
    INSPECT_STATE = "inspect_state"
    PAY = "pay"
    CALL_INSTEAD = "call_instead"
    STOP = "stop"
    ESCALATE = "escalate"


@dataclass(frozen=True)
class Decision:
    """One next step, and why."""

    action: Action
    code: ExitCode
    reason: str
    exit_code: int | None = None
    shape: str | None = None
    data: Any = None
    error: Mapping[str, Any] | None = None
    wait_ms: int | None = None  # before the same call may be made again
    inspect_first: bool = False  # something may have been done; look before repeating it
    command: str | None = None  # to run instead, verbatim
    remember: bool = False  # never call the old form again
    cursor: str | None = None  # of the next page
    warnings: tuple[str, ...] = ()  # to log, and to show to whoever steers
    deprecations: tuple[str, ...] = ()  # those that ask for a change of the call, later
    notes: tuple[str, ...] = ()  # what was wrong or contradictory about the envelope

    @property
    def ok(self) -> bool:
        return self.code is ExitCode.SUCCESS

    def to_json(self) -> dict[str, Any]:
        """Plain data; what does not apply is left out."""
        fields = {
            "action": self.action.value,
            "ok": self.ok,
            "code": self.code.name,
            "reason": self.reason,
            "exit_code": self.exit_code,
            "shape": self.shape,
            "wait_ms": self.wait_ms,
            "inspect_first": self.inspect_first or None,
            "command": self.command,
            "remember": self.remember if self.command else None,
            "cursor": self.cursor,
            "error": dict(self.error) if self.error else None,
            "warnings": list(self.warnings) or None,
            "deprecations": list(self.deprecations) or None,
            "notes": list(self.notes) or None,
        }
        return {name: _wire(value) for name, value in fields.items() if value is not None}


def read_envelope(
    raw: bytes | str,
    exit_code: int | None = None,
    *,
    attempts: int = 0,
    entries: Mapping[str, Mapping[str, Any]] | None = None,
) -> Decision:
    """What to do after a call that printed `raw` and exited with `exit_code`.

    `attempts` is how often the same call has already failed with the same error, without
    anything having changed meanwhile. `entries` are the exit codes that the command declares,
    as `clawwrap manifest` prints them.
    """
    case = _Case(exit_code, attempts, entries)
    envelope = case.read(raw)
    if envelope is None:
        return case.by_exit_code_alone()
    return case.decide(envelope)


@dataclass
class _Case:
    """One call of `read_envelope`, while it is being thought about."""

    exit_code: int | None
    attempts: int
    entries: Mapping[str, Mapping[str, Any]] | None
    shape: str | None = None
    passing: bool = True
    notes: list[str] = field(default_factory=list)
    warnings: tuple[str, ...] = ()

    # What was received

    def read(self, raw: bytes | str) -> dict[str, Any] | None:
        """The envelope in the response shape, whatever shape it came in; None where it is none."""
        text = raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw
        try:
            record = strict_loads(text)
        except JsonError as error:
            self.notes.append(f"not an envelope: {error}")
            return None
        found = recognise.recognise(record)
        self.shape = found.shape
        if found.shape in ("claw-2.0", "claw-1.0"):
            return self._convert(found.shape, record)
        if isinstance(record, dict) and isinstance(record.get("ok"), bool):
            self.shape = "response"
            return record
        self.notes.append(f"not an envelope: {found.problem}")
        return None

    def _convert(self, name: str, record: dict[str, Any]) -> dict[str, Any] | None:
        try:
            told = shape(name).parse(record, Clues(exit_code=self.exit_code))
        except (ClawwrapError, RecursionError) as error:
            self.notes.append(f"a broken {name} envelope: {error}")
            if self.exit_code == 2:
                self.exit_code = ExitCode.TIMEOUT.value
            return None
        self.notes += told.notes
        self.exit_code = told.outcome.code.value  # its own 1 and 2 mean less than the table's
        return response.render(told.outcome)

    # What it means

    def decide(self, envelope: dict[str, Any]) -> Decision:
        meta = envelope.get("meta")
        meta = meta if isinstance(meta, dict) else {}
        warnings = envelope.get("warnings")
        self.warnings = tuple(map(str, warnings)) if isinstance(warnings, list) else ()
        error = envelope.get("error")
        number = self._number(envelope, meta)
        if "error" not in envelope:
            self.notes.append("the key error is absent: the envelope is malformed")
            return self._made(Action.INSPECT_STATE, ExitCode.GENERAL_ERROR, "a malformed envelope")
        if number == 0:
            return self._success(envelope, meta)
        if error is None and envelope.get("data") is None and not meta.get("not_modified"):
            self.notes.append("data and error are both null: the envelope is malformed")
            return self._made(Action.ESCALATE, ExitCode.GENERAL_ERROR, "a malformed envelope")
        return self._failure(number, error if isinstance(error, dict) else {})

    def _number(self, envelope: dict[str, Any], meta: dict[str, Any]) -> int:
        """The exit code, which counts more than anything that the envelope says."""
        ok = envelope.get("ok")
        if self.exit_code is None:
            own = meta.get("exit_code")
            if isinstance(own, int) and not isinstance(own, bool):
                return own
            self.notes.append("the exit code is not known; `ok` and error.code decide")
            error = envelope.get("error")
            name = error.get("code") if isinstance(error, dict) else None
            known = generic.registry(str(name)).get("exit")
            return 0 if ok is True else ExitCode[known or "GENERAL_ERROR"].value
        if ok is True and self.exit_code != 0:
            self.notes.append("ok is true but the exit code is not 0; taken for a failure")
        if ok is False and self.exit_code == 0:
            self.notes.append("ok is false but the exit code is 0; taken for a success")
        return self.exit_code

    def _success(self, envelope: dict[str, Any], meta: dict[str, Any]) -> Decision:
        data = envelope.get("data")
        if meta.get("not_modified") is True:
            reason = "nothing has changed; the answer of the last call still holds"
            return self._made(Action.USE_CACHED, ExitCode.SUCCESS, reason)
        if data is None and envelope.get("error") is None:
            self.notes.append("data and error are both null: the envelope is malformed")
            return self._made(Action.ESCALATE, ExitCode.SUCCESS, "there is no data to act on")
        if meta.get("truncated") is True:
            cursor = meta.get("cursor")
            return self._made(
                Action.FETCH_REST,
                ExitCode.SUCCESS,
                "the data is incomplete; fetch the rest or ask for less before acting on it",
                data=data,
                cursor=cursor if isinstance(cursor, str) else None,
            )
        return self._made(Action.PROCEED, ExitCode.SUCCESS, "it worked", data=data)

    def by_exit_code_alone(self) -> Decision:
        if self.exit_code is None:
            reason = "neither an envelope nor an exit code"
            return self._made(Action.ESCALATE, ExitCode.GENERAL_ERROR, reason)
        if self.exit_code == 0:
            reason = "it worked, but there is no envelope to read"
            return self._made(Action.ESCALATE, ExitCode.SUCCESS, reason)
        return self._failure(self.exit_code, {})

    # What to do about a failure

    def _failure(self, number: int, error: dict[str, Any]) -> Decision:
        code = self._known(number, error)
        if isinstance(code, Decision):
            return code
        entry = self._entry(number)
        if entry is None:
            code = ExitCode.GENERAL_ERROR
        if code is ExitCode.REDIRECTED:
            return self._redirect(error)
        if code is ExitCode.AUTH_REQUIRED:
            return self._auth(error)
        if self._may_retry(code, error, entry or {}):
            return self._retry(code, error, entry or {})
        return self._by_code(code, error, entry or {})

    def _known(self, number: int, error: dict[str, Any]) -> ExitCode | Decision:
        """The member of the table, or what to do with a number that is none of its."""
        if 0 <= number <= 13:
            return ExitCode(number)
        if 64 <= number <= 78:
            meanings: Mapping[Any, str] = catalog.mapping("sysexits")
            name = meanings.get(number, "UNCLASSIFIED")
            self.notes.append(f"{number} is a sysexits code ({name})")
            self.passing = number == 75
            return generic.exit_code_of(name)
        if 79 <= number <= 125:
            return self._declared(number, error)
        if 126 <= number <= 255:
            reason = f"{number} is the shell's: it was killed or could not be run; see why first"
            return self._made(Action.MAKE_READY, ExitCode.PRECONDITION, reason, error=error)
        self.notes.append(f"{number} is reserved or no exit code at all; taken for GENERAL_ERROR")
        return ExitCode.GENERAL_ERROR

    def _declared(self, number: int, error: dict[str, Any]) -> Decision:
        """A code of the command's own means what its manifest says, and nothing without it."""
        entry = (self.entries or {}).get(str(number))
        if entry is None:
            reason = f"{number} is the command's own; its manifest says what it means"
            return self._made(Action.INSPECT_STATE, ExitCode.GENERAL_ERROR, reason, error=error)
        if not entry.get("name"):
            self.notes.append(f"the entry of {number} has no name")
        name = entry.get("name") or number
        reason = f"{name}: {entry.get('description') or 'the command answered, with bad news'}"
        honest = self._is_honest(number, entry)
        if entry.get("retryable") is True and honest and error.get("retryable") is not False:
            if not self._has_budget():
                return self._made(Action.ESCALATE, ExitCode.GENERAL_ERROR, reason, error=error)
            wait = self._wait(ExitCode.GENERAL_ERROR, error)
            return self._made(
                Action.RETRY, ExitCode.GENERAL_ERROR, reason, error=error, wait_ms=wait
            )
        clean = entry.get("side_effects") == "none"
        action = Action.STOP if clean else Action.INSPECT_STATE
        return self._made(
            action, ExitCode.GENERAL_ERROR, reason, error=error, inspect_first=not clean
        )

    def _entry(self, number: int) -> Mapping[str, Any] | None:
        """What the command declares of a code of the table; None where it declares others only."""
        if self.entries is None:
            return {}
        entry = self.entries.get(str(number))
        if entry is None:
            self.notes.append(f"the command does not declare {number}; taken for GENERAL_ERROR")
        return entry

    def _is_honest(self, number: int, entry: Mapping[str, Any]) -> bool:
        """A retry of something that may have had effects must not be promised."""
        if entry.get("retryable") is True and entry.get("side_effects") != "none":
            self.notes.append(f"the entry of {number} promises a retry in spite of side effects")
            return False
        return True

    def _may_retry(self, code: ExitCode, error: dict[str, Any], entry: Mapping[str, Any]) -> bool:
        """The error's own word, then the declaration, then the table."""
        if code is ExitCode.PARTIAL_FAILURE or (entry and not self._is_honest(code.value, entry)):
            return False
        said = error.get("retryable")
        if isinstance(said, bool):
            return said
        if code is ExitCode.ARG_ERROR:
            return False  # the table says "after fixing it", which is another call
        declared = entry.get("retryable")
        return (
            declared
            if isinstance(declared, bool)
            else said is None and self.passing and code in RETRYABLE
        )

    def _has_budget(self) -> bool:
        return self.attempts < MOST_RETRIES

    def _retry(self, code: ExitCode, error: dict[str, Any], entry: Mapping[str, Any]) -> Decision:
        if not self._has_budget():
            reason = f"{self.attempts} attempts ended with the same error; somebody must look"
            return self._made(Action.ESCALATE, code, reason, error=error)
        unsure = code in (ExitCode.TIMEOUT, ExitCode.GENERAL_ERROR)
        is_safe = error.get("phase") == "validation" or entry.get("side_effects") == "none"
        return self._made(
            Action.RETRY,
            code,
            "the same call may work later",
            error=error,
            wait_ms=self._wait(code, error),
            inspect_first=unsure and not is_safe,
        )

    def _wait(self, code: ExitCode, error: dict[str, Any]) -> int:
        for name, unit in (("retry_after_ms", 1), ("retry_after", 1000)):
            said = error.get(name)
            if isinstance(said, int) and not isinstance(said, bool) and said >= 0:
                told = min(said * unit, 2**53)
                if error.get("retry_strategy") == "exponential_backoff" and self.attempts:
                    told = max(told, min(told * 2 ** min(self.attempts, 20), LONGEST_BACKOFF_MS))
                return int(told)
        if code is ExitCode.RATE_LIMITED:
            return RATE_LIMIT_WAIT_MS
        if code is ExitCode.UNAVAILABLE:
            return int(min(DEFAULT_WAIT_MS * 2 ** min(self.attempts, 20), LONGEST_BACKOFF_MS))
        return 0 if code is ExitCode.ARG_ERROR else DEFAULT_WAIT_MS

    def _auth(self, error: dict[str, Any]) -> Decision:
        name = error.get("code")
        if name == "TOKEN_EXPIRED" and self.attempts == 0:
            reason = "the token has expired: refresh it, then make the same call once more"
            return self._made(
                Action.REFRESH_CREDENTIALS,
                ExitCode.AUTH_REQUIRED,
                reason,
                error=error,
                wait_ms=self._wait(ExitCode.ARG_ERROR, error),
            )
        if name == "TOKEN_EXPIRED":
            self.notes.append("expired again after a refresh; the token counts as invalid")
        reason = "valid credentials are needed before the call can work"
        return self._made(Action.ACQUIRE_CREDENTIALS, ExitCode.AUTH_REQUIRED, reason, error=error)

    def _redirect(self, error: dict[str, Any]) -> Decision:
        redirect = error.get("redirect")
        told = redirect if isinstance(redirect, dict) else {}
        command = told.get("command")
        if not isinstance(command, str) or not command:
            self.notes.append("the exit code is 13 but there is no error.redirect.command")
            reason = "redirected, but nobody says where to"
            return self._made(Action.ESCALATE, ExitCode.REDIRECTED, reason, error=error)
        remember = told.get("permanent") is True
        reason = "run the command instead" + (", from now on" if remember else ", this once")
        return self._made(
            Action.CALL_INSTEAD,
            ExitCode.REDIRECTED,
            reason,
            error=error,
            command=command,
            remember=remember,
        )

    def _by_code(self, code: ExitCode, error: dict[str, Any], entry: Mapping[str, Any]) -> Decision:
        action, reason = NEXT[code]
        if entry.get("side_effects") not in (None, "none"):
            action, reason = Action.INSPECT_STATE, "part of the work may be done; look first"
        untouched = error.get("phase") == "validation"
        return self._made(
            action,
            code,
            reason,
            error=error,
            inspect_first=action is Action.INSPECT_STATE and not untouched,
        )

    def _made(self, action: Action, code: ExitCode, reason: str, **facts: Any) -> Decision:
        deprecations = tuple(
            warning
            for warning in self.warnings
            if any(word in warning.lower() for word in DEPRECATION_WORDS)
        )
        facts["error"] = facts.get("error") or None
        return Decision(
            action,
            code,
            reason,
            exit_code=self.exit_code,
            shape=self.shape,
            warnings=self.warnings,
            deprecations=deprecations,
            notes=tuple(self.notes),
            **facts,
        )


#: What to do where the same call will not help.
NEXT: dict[ExitCode, tuple[Action, str]] = {
    ExitCode.GENERAL_ERROR: (
        Action.INSPECT_STATE,
        "nobody knows what was done; read error.detail and look before anything is repeated",
    ),
    ExitCode.PARTIAL_FAILURE: (
        Action.INSPECT_STATE,
        "part of the work is done; finish or undo the rest, do not repeat the whole",
    ),
    ExitCode.ARG_ERROR: (Action.FIX_INPUT, "nothing was changed; correct the input, call again"),
    ExitCode.PRECONDITION: (Action.MAKE_READY, "bring about what is missing, then call again"),
    ExitCode.NOT_FOUND: (Action.STOP, "it does not exist; check the name, or create it first"),
    ExitCode.CONFLICT: (Action.RESOLVE_CONFLICT, "delete, rename or update what is in the way"),
    ExitCode.PERMISSION_DENIED: (Action.STOP, "not allowed; ask for the right, or go another way"),
    ExitCode.PAYMENT_REQUIRED: (Action.PAY, "a bill or quota must be settled by who may do so"),
    ExitCode.TIMEOUT: (
        Action.INSPECT_STATE,
        "time ran out, and some of the work may have been done; look before it is repeated",
    ),
    ExitCode.RATE_LIMITED: (Action.STOP, "too many requests, and a retry is ruled out"),
    ExitCode.UNAVAILABLE: (Action.STOP, "out of reach, and a retry is ruled out"),
}


def _wire(value: Any, depth: int = 0) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        return str(value)
    if isinstance(value, (dict, list)) and depth > 200:
        return "..."
    if isinstance(value, dict):
        return {_wire(k): _wire(v, depth + 1) for k, v in value.items()}
    if isinstance(value, list):
        return [_wire(v, depth + 1) for v in value]
    return value
