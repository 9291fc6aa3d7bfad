"""`--retry N`: the same command again, where its failure says that this is safe and may help."""

from __future__ import annotations

import os
import select
import stat
import time
from typing import Any

from clawwrap import commands, launch
from clawwrap.capture import Capture, signal_name
from clawwrap.catalog import Choice
from clawwrap.contract import ExitCode, Outcome
from clawwrap.invocation import Invocation
from clawwrap.record import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from clawwrap.capture import Observer

MOST_RETRIES = 3
LONGEST_WAIT_MS = 300_000
#: Where --timeout sets no limit.
DEFAULT_BUDGET_MS = 600_000
#: A part of each wait that chance may add, so that many callers do not come back at once.
JITTER = 0.25
LOOK_S = 0.1
#: What waiting can cure. Credentials must be fetched and redirects followed by the caller.
CURABLE = {ExitCode.RATE_LIMITED, ExitCode.UNAVAILABLE, ExitCode.TIMEOUT}


class Input:
    """What the tool reads, which a second attempt needs as the first one found it."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        try:
            mode = os.fstat(fd).st_mode
        except OSError:  # closed, which is as good as empty
            mode = 0
        self._is_stream = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
        self._waiting = _bytes_waiting(fd) if self._is_stream else 0
        self._offset = os.lseek(fd, 0, os.SEEK_CUR) if stat.S_ISREG(mode) else None

    def rewind(self) -> bool:
        """Make it as it was; false where it has been read and cannot be read again."""
        if self._offset is not None:
            os.lseek(self._fd, self._offset, os.SEEK_SET)
            return True
        return not self._is_stream or _bytes_waiting(self._fd) == self._waiting


def _bytes_waiting(fd: int) -> int:
    import array
    import fcntl
    import termios

    count = array.array("i", [0])
    try:
        fcntl.ioctl(fd, termios.FIONREAD, count)
    except OSError:
        return -1
    return count[0]


class Attempts:
    """Every attempt so far, and whether there may be another."""

    def __init__(self, inv: Invocation, choice: Choice, stdin_fd: int) -> None:
        self._inv = inv
        self._choice = choice
        self._input = Input(stdin_fd)
        self._until_ns = inv.started_ns + (inv.timeout or DEFAULT_BUDGET_MS) * 1_000_000
        self.made: list[dict[str, Any]] = []
        self.warnings: list[str] = []
        if (inv.retry or 0) > MOST_RETRIES:
            self.warnings.append(f"clawwrap: --retry {inv.retry} is limited to {MOST_RETRIES}")

    def add(self, outcome: Outcome[Any], capture: Capture) -> None:
        failure = outcome.failure
        told: dict[str, Any] = {"code": outcome.code.name}
        if failure:
            told["error"] = failure.code
        self.made.append(told | {"duration_ms": capture.duration_ns // 1_000_000})

    def left_ms(self) -> int:
        """How long the next attempt may take."""
        return max(1, (self._until_ns - time.monotonic_ns()) // 1_000_000)

    def wait(
        self,
        outcome: Outcome[Any],
        capture: Capture,
        ended: launch.Child,
        observer: Observer | None,
    ) -> bool:
        """Wait for the next attempt; false where there must be none."""
        wait_ms = self._wait_ms(outcome, capture, ended)
        if wait_ms is None:
            return False
        self._tell(observer)
        if signal := pause(wait_ms, ended):
            self.warnings.append(f"clawwrap: not tried again: {signal} came while waiting")
        return not signal

    def _tell(self, observer: Observer | None) -> None:
        if observer:
            observer.attempt(len(self.made), self.made[-1])
        elif self._inv.output == "human":
            from clawwrap.events import Live

            Live.attempt(len(self.made), self.made[-1])

    def noted(self, outcome: Outcome[Any]) -> Outcome[Any]:
        """The last outcome, with all attempts in its meta."""
        meta = outcome.meta._replace(attempts=tuple(self.made))
        return replace(outcome, meta=meta, warnings=(*outcome.warnings, *self.warnings))

    def _wait_ms(self, outcome: Outcome[Any], capture: Capture, ended: launch.Child) -> int | None:
        """How long to wait before the next attempt; None where there must be none."""
        allowed = min(self._inv.retry or 0, MOST_RETRIES)
        if len(self.made) > allowed or not self._is_safe(outcome, capture):
            return None
        wait = self._least_wait(outcome)
        if time.monotonic_ns() + wait * 1_000_000 >= self._until_ns:
            self.warnings.append(f"clawwrap: not tried again: {wait} ms would pass the --timeout")
            return None
        if not self._input.rewind():
            self.warnings.append("clawwrap: not tried again: stdin has been read")
            return None
        from clawwrap import tree

        if tree.members(ended.pid, ended.request.run):
            self.warnings.append("clawwrap: not tried again: processes of it are still running")
            return None
        self.made[-1]["wait_ms"] = wait
        return wait

    def _is_safe(self, outcome: Outcome[Any], capture: Capture) -> bool:
        """Whether the failure is one that passes, and cannot have left anything behind."""
        failure = outcome.failure
        if not failure or failure.retry.retryable is not True or outcome.code not in CURABLE:
            return False
        if failure.source != "tool" or capture.cancelled_by is not None:
            return False
        if commands.effects(self._choice.parts) == "none":
            return True
        is_list = self._inv.line is not None and len(self._choice.parts) > 1
        if outcome.code is ExitCode.TIMEOUT or is_list:
            return False
        declared = (plan["exit_codes"] for _, plan in self._choice.parts if plan)
        entries = (codes.get(str(outcome.code.value), {}) for codes in declared)
        return all(entry.get("side_effects", "none") == "none" for entry in entries)

    def _least_wait(self, outcome: Outcome[Any]) -> int:
        """As long as the failure says, longer each time where its strategy says so."""
        retry = outcome.failure.retry if outcome.failure else None
        least = (retry.after_ms if retry else None) or 0
        times = len(self.made)
        growth: dict[str, int]
        growth = {"linear_backoff": times, "exponential_backoff": 1 << (times - 1)}
        wait = least * growth.get(str(retry and retry.strategy), 1)
        chance = int.from_bytes(os.urandom(2)) / 0xFFFF
        return max(least, min(round(wait * (1 + JITTER * chance)), LONGEST_WAIT_MS))


def pause(wait_ms: int, ended: launch.Child) -> str:
    """Wait; the name of the signal that called the next attempt off, or empty.

    Signals still go to the child that has ended, which remembers them.
    """
    until_ns = time.monotonic_ns() + wait_ms * 1_000_000
    while ended.late_signal is None and (left := (until_ns - time.monotonic_ns()) / 1e9) > 0:
        select.select([], [], [], min(left, LOOK_S))
    return signal_name(ended.late_signal) if ended.late_signal is not None else ""
