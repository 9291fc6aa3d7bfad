"""clawwrap inside a program: what the command does, answered with an `Outcome`.

Nothing here belongs to the process: no signal handler, no change of folder or environment. So
any number of threads may run tools at once, each with its own options.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from clawwrap import invocation, launch, log, outcomes, quick, wrap
from clawwrap.capture import Capture
from clawwrap.catalog import Choice
from clawwrap.contract import Outcome
from clawwrap.errors import ClawwrapError, UsageError
from clawwrap.events import Heard
from clawwrap.invocation import FLAGS, VALUED, Invocation

#: Called with the name of a stream and what the tool has just printed there.
Listener = Callable[[str, str], None]

#: Options that say how the command prints, which a program does itself.
OF_THE_COMMAND = frozenset({"output", "live", "heartbeat", "cursor", "exit", "envelope"})
CANCEL_SIGNAL = 15


def run(argv: Sequence[str] = (), **how: Any) -> Outcome[Any]:
    """Run a tool and say what came of it.

    `line` runs a line of bash instead of `argv`; `stdin` is what the tool reads, in bytes; `cwd`
    and `env` are its folder and its whole environment; `on_output` hears what it prints while it
    runs. Every option of the command is a keyword of the same name: timeout="30s", retry=2.
    A wrong option or a tool that is not there is an outcome as well, never an exception.
    """
    try:
        running = Running(argv, **how)
    except ClawwrapError as error:
        return refused(error)
    return running.result()


async def run_async(argv: Sequence[str] = (), **how: Any) -> Outcome[Any]:
    """The same for asyncio; a cancelled task ends the tool and its whole process tree."""
    import asyncio  # who does not use it need not wait for it

    try:
        running = Running(argv, **how)
    except ClawwrapError as error:
        return refused(error)
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[Outcome[Any]] = loop.create_future()

    def tell(outcome: Outcome[Any]) -> None:
        if not ended.done():
            ended.set_result(outcome)

    def attend() -> None:
        outcome = running.result()
        try:
            loop.call_soon_threadsafe(tell, outcome)
        except RuntimeError:
            pass  # the loop was closed meanwhile; nobody waits any more

    threading.Thread(target=attend, name="clawwrap", daemon=True).start()
    try:
        return await asyncio.shield(ended)
    except asyncio.CancelledError:
        running.cancel()
        await ended  # nothing of the tool is left behind
        raise


def refused(error: ClawwrapError) -> Outcome[Any]:
    return outcomes.refusal(Invocation(time.monotonic_ns()), error)


class Running:
    """A tool that has been started; some thread waits for it, and any other may cancel it."""

    def __init__(
        self,
        argv: Sequence[str] = (),
        *,
        line: str | None = None,
        stdin: bytes | None = None,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        on_output: Listener | None = None,
        **options: Any,
    ) -> None:
        self.inv = _invocation(argv, line, options)
        self.choice = _choice(self.inv, cwd, env)
        self._observer = Heard(on_output) if on_output else None
        self._run = Embedded(self.inv, self.choice, stdin)

    def capture(self) -> Capture:
        """What is known of it once it has ended; the outcome is to be asked for afterwards."""
        return self._run.attend(self._observer)

    def outcome(self, capture: Capture) -> Outcome[Any]:
        try:
            outcome = self._run.outcome(capture, self._observer)
        finally:
            self._run.close()
        log.record(self.inv, self.choice, outcome, self._run.capture)
        return outcome

    def plain(self, capture: Capture, more: Mapping[str, Any]) -> bytes | None:
        """The envelope of a plain success, made the short way; None where that is too short."""
        found = quick.answer(self.inv, self.choice, capture, more)
        if not found or found.line is None:
            return None
        self._run.close()
        log.record_plain(self.inv, found.meta, capture)
        return found.line

    def result(self) -> Outcome[Any]:
        """Wait for it, and say what came of it."""
        return self.outcome(self.capture())

    def cancel(self, number: int = CANCEL_SIGNAL, *, kill_after_ms: int | None = None) -> None:
        """End it with its whole process tree, as a signal to the command would.

        Who is in a hurry shortens the time until SIGKILL, also when it has been told before.
        """
        if kill_after_ms is not None:
            self._run.child.request.kill_after_ms = kill_after_ms
        self._run.child.cancel(number)


class Embedded(wrap.Run):
    """A run among others in a process that is not ours."""

    def __init__(self, inv: Invocation, choice: Choice, stdin: bytes | None) -> None:
        self._stdin = _as_file(stdin or b"")
        try:
            super().__init__(inv, choice)
        except BaseException:
            os.close(self._stdin)
            raise

    def start(self, timeout_ms: int) -> launch.Child:
        given = self.choice.environ
        env = launch.environment()
        if given is not os.environ:
            env = {os.fsencode(name): os.fsencode(text) for name, text in given.items()}
        cwd, self.inv.cwd = self.inv.cwd, None  # nobody has changed the folder
        made = wrap.request(self.inv, self.choice, env, timeout_ms)
        self.inv.cwd = cwd
        if cwd:
            made.cwd = cwd
            env[b"PWD"] = made.plain_env[b"PWD"] = os.fsencode(cwd)
        made.reader_fd = -1
        made.stdin_fd = self._stdin
        os.lseek(self._stdin, 0, os.SEEK_SET)
        child = launch.Child(made)
        launch.start(child, arm=launch.make_wakeable)
        return child

    def attend(self, observer: Any = None) -> Capture:
        try:
            return super().attend(observer)
        finally:
            self.child.close()

    def meanwhile(self) -> Iterator[None]:
        """Everything is loaded already."""
        return iter(())

    def close(self) -> None:
        os.close(self._stdin)


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
    rest = ["-c", line] if line is not None else ["--", *map(os.fspath, argv)]
    invocation.parse(inv, [*words, *rest], environ)
    inv.output, inv.envelope, inv.live = "json", "response", None
    return inv


def _choice(
    inv: Invocation, cwd: str | os.PathLike[str] | None, env: Mapping[str, str] | None
) -> Choice:
    if cwd is not None:
        inv.cwd = os.path.abspath(os.fspath(cwd))
        if not os.path.isdir(inv.cwd):
            raise UsageError(f"cwd {inv.cwd}: is no folder", suggestion="Name one that exists.")
    choice = wrap.prepare(inv)
    if env is not None:
        choice.environ = dict(env)
    return choice


def _as_file(content: bytes) -> int:
    """A descriptor from which the tool can read this, and a second attempt can read it again."""
    if not content:
        return os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.flush()
        return os.dup(file.fileno())
