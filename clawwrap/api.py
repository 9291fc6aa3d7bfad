"""clawwrap inside a program: what the command does, answered with an `Outcome`.

Nothing here belongs to the process: no signal handler, no change of folder or environment. So
any number of threads may run tools at once, each with its own options.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Self, TypedDict, Unpack

from clawwrap import devcheck, invocation, log, outcomes, quick, wrap
from clawwrap.capture import Capture
from clawwrap.catalog import Choice
from clawwrap.contract import Outcome
from clawwrap.embedded import CANCEL_SIGNAL, Embedded
from clawwrap.errors import ClawwrapError, UsageError
from clawwrap.events import Heard
from clawwrap.invocation import FLAGS, VALUED, Invocation

#: Called with the name of a stream and what the tool has just printed there.
Listener = Callable[[str, str], None]

#: Options that say how the command prints, which a program does itself.
OF_THE_COMMAND = frozenset(
    {"output", "live", "heartbeat", "cursor", "exit"}
    | {"envelope", "envelope-version", "legacy-envelope"}
)
ENV_HINT = "Give it as {'NAME': 'value'}; a name has no equals sign."


class Options(TypedDict, total=False):
    """The options of the command, by their names; a number is seconds or bytes."""

    timeout: str | float | None
    kill_after: str | float | None
    max_output: str | int | None
    spool: str | int | None
    etag: str | None
    retry: int | None
    fields: str | None
    redact: Literal["errors", "all", "none"] | None
    adapter: str | os.PathLike[str] | None
    request_id: str | None
    no_adapter: bool
    no_log: bool
    otel: bool
    dev: bool


class How(Options, total=False):
    """Everything that may be said of a run."""

    line: str | None
    stdin: bytes | None
    cwd: str | os.PathLike[str] | None
    env: Mapping[str, str] | None
    on_output: Listener | None


def run(argv: Sequence[str] = (), **how: Unpack[How]) -> Outcome[Any]:
    """Run a tool and say what came of it.

    `line` runs a line of bash instead of `argv`; `stdin` is what the tool reads, in bytes; `cwd`
    and `env` are its folder and its whole environment; `on_output` hears what it prints while it
    runs. Every option of the command is a keyword of the same name: timeout="30s", retry=2.
    A wrong option or a tool that is not there is an outcome as well, never an exception. What
    `on_output` raises ends the tool and comes out.
    """
    try:
        running = Running(argv, **how)
    except ClawwrapError as error:
        return refused(error)
    return running.result()


async def run_async(argv: Sequence[str] = (), **how: Unpack[How]) -> Outcome[Any]:
    """The same for asyncio; a cancelled task ends the tool and its whole process tree."""
    import asyncio  # who does not use it need not wait for it

    try:
        running = Running(argv, **how)
    except ClawwrapError as error:
        return refused(error)
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[None] = loop.create_future()

    def tell() -> None:
        if not ended.done():
            ended.set_result(None)

    def attend() -> None:
        with contextlib.suppress(BaseException):  # whoever asks for the result gets it again
            running.result()
        with contextlib.suppress(RuntimeError):  # the loop was closed; nobody waits any more
            loop.call_soon_threadsafe(tell)

    threading.Thread(target=attend, name="clawwrap", daemon=True).start()
    try:
        await asyncio.shield(ended)
    except asyncio.CancelledError:
        running.cancel()
        await ended  # nothing of the tool is left behind
        raise
    return running.result()


def refused(error: ClawwrapError) -> Outcome[Any]:
    return outcomes.refusal(Invocation(time.monotonic_ns()), error)


class Running:
    """A tool that has been started; some thread waits for it, and any other may cancel it."""

    _run: Embedded | None = None  # where it could not be made

    def __init__(
        self,
        argv: Sequence[str] = (),
        *,
        line: str | None = None,
        stdin: bytes | None = None,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        on_output: Listener | None = None,
        **options: Unpack[Options],
    ) -> None:
        self.inv = _invocation(argv, line, options)
        self.choice = _choice(self.inv, cwd, env)
        self._observer = Heard(on_output) if on_output else None
        self._waiting = threading.Lock()
        self._outcome: Outcome[Any] | None = None
        self._error: BaseException | None = None
        self._run = self._started = Embedded(self.inv, self.choice, stdin)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, _error: object, _trace: object) -> None:
        if kind is not None:
            self.cancel()
        self.result()

    def __del__(self) -> None:
        if self._run and self._run.is_open:
            warnings.warn(
                f"clawwrap: {self.inv.argv[0]} was started and never waited for",
                ResourceWarning,
                stacklevel=2,
                source=self,
            )
            with contextlib.suppress(RuntimeError):  # no threads any more: the program ends
                threading.Thread(target=self._run.end, name="clawwrap", daemon=True).start()

    def capture(self) -> Capture:
        """What is known of it once it has ended; the outcome is to be asked for afterwards."""
        return self._started.attend(self._observer)

    def outcome(self, capture: Capture) -> Outcome[Any]:
        try:
            outcome = self._started.outcome(capture, self._observer)
        finally:
            self._started.close()
        if self.inv.dev:
            outcome = devcheck.checked(outcome, self.choice)
        log.record(self.inv, self.choice, outcome, self._started.capture)
        return outcome

    def plain(self, capture: Capture, more: Mapping[str, Any]) -> bytes | None:
        """The envelope of a plain success, made the short way; None where that is too short."""
        found = quick.answer(self.inv, self.choice, capture, more)
        if not found or found.line is None:
            return None
        self._started.close()
        log.record_plain(self.inv, found.meta, capture)
        return found.line

    def result(self) -> Outcome[Any]:
        """Wait for it, and say what came of it; the same to whoever asks again."""
        with self._waiting:
            if self._error:
                raise self._error
            if self._outcome is None:
                try:
                    self._outcome = self.outcome(self.capture())
                except BaseException as error:
                    self._error = error
                    raise
            return self._outcome

    def cancel(self, number: int = CANCEL_SIGNAL, *, kill_after_ms: int | None = None) -> None:
        """End it with its whole process tree, as a signal to the command would.

        Who is in a hurry shortens the time until SIGKILL, also when it has been told before.
        """
        self._started.cancel(number, kill_after_ms)


def check(options: Mapping[str, Any]) -> None:
    """Refuse options that are wrong for every command."""
    _invocation(["true"], None, options)


def _invocation(argv: Sequence[str], line: str | None, options: Mapping[str, Any]) -> Invocation:
    """The options as the command would read them, with the same checks."""
    if isinstance(argv, (str, bytes)):
        raise TypeError("argv is a list of words; a whole line is run by line=")
    words: list[str] = []
    for name, value in options.items():
        option = name.replace("_", "-")
        if option not in {*VALUED, *FLAGS} or option in OF_THE_COMMAND:
            known = sorted({*VALUED, *FLAGS} - OF_THE_COMMAND)
            raise UsageError(
                f"unknown option {name!r}",
                suggestion=f"The options are {', '.join(known).replace('-', '_')}.",
            )
        if option in VALUED and value is not None:
            words += [f"--{option}", str(value)]
        elif value and option in FLAGS:
            words.append(f"--{option}")
    inv = Invocation(time.monotonic_ns())
    environ = {k: v for k, v in os.environ.items() if k != "CLAWWRAP_CURSOR"}
    rest = ["-c", line] if line is not None else ["--", *map(os.fsdecode, argv)]
    for place, word in enumerate(rest[1:]):
        _check_text("line" if line is not None else f"argv[{place}]", word)
    invocation.parse(inv, [*words, *rest], environ)
    inv.output, inv.envelope, inv.live = "json", "response", None
    return inv


def _choice(
    inv: Invocation, cwd: str | os.PathLike[str] | None, env: Mapping[str, str] | None
) -> Choice:
    if cwd is not None:
        inv.cwd = os.path.abspath(os.fsdecode(cwd))
        if not os.path.isdir(inv.cwd):
            raise UsageError(f"cwd {inv.cwd}: is no folder", suggestion="Name one that exists.")
    choice = wrap.prepare(inv)
    if env is not None:
        choice.environ = dict(env)
        for name, text in env.items():
            if not name or "=" in name or "\0" in name:
                raise UsageError(f"env: {name!r} is no name of a variable", suggestion=ENV_HINT)
            _check_text(f"env: the value of {name!r}", text)
    return choice


def _check_text(what: str, text: str) -> None:
    """Refuse what no program can be given."""
    if "\0" in text:
        raise UsageError(f"{what} holds a NUL character", suggestion="Give it by stdin.")
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        raise UsageError(
            f"{what} holds half a character (a lone surrogate)",
            suggestion="Write the character as a whole: \\ud83d\\ude00 is one.",
        ) from None
