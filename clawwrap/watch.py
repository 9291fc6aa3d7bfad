"""Stays with the tool until it ends, reading what it prints, and ends its tree when told to.

The end is seen by a pidfd, or by SIGCHLD where the system has none, never by end-of-file:
a background descendant may hold the pipes for as long as it likes.
"""

from __future__ import annotations

import os
import select
import time

from clawwrap.capture import Capture
from clawwrap.launch import Child

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Iterator

    from clawwrap.capture import Observer
else:
    import _signal  # `signal` wraps the same in enums, at the price of importing `enum`

PIPE_SIZE = 256 << 10
#: After the tool's end: how long output may still trickle in from others who hold the pipe.
DRAIN_MS = 250
DRAIN_STEP_MS = 2
#: How long the tool has the processor to itself before we import anything.
GRACE_MS = 4
#: While a tree ends: how often we look who is left.
LOOK_MS = 20


def finish(child: Child, idle: Iterator[None], observer: Observer | None = None) -> Capture:
    """Stay with the tool until it ends, taking a step of `idle` whenever there is nothing to do."""
    capture = Capture()
    capture.pid = child.pid
    started_ns = time.monotonic_ns()
    if child.fault:
        capture.fault, capture.fault_detail = child.fault.kind, child.fault.detail
        child.ended = True
    else:
        capture.start_reading(child, observer)
        try:
            ending = _stay(child, capture, idle, observer)
            _drain_rest(child, capture)
        finally:
            if child.request.terminal:
                child.request.terminal.take_back()
        capture.timed_out = ending.timed_out
        capture.waited_for_input = ending.waited_for_input
        capture.survivors = ending.survivors
        capture.exit_code, capture.signal = child.exit_code, child.signal
    capture.duration_ns = time.monotonic_ns() - started_ns
    capture.cancelled_by = child.cancelled_by
    return capture


def _stay(
    child: Child, capture: Capture, idle: Iterator[None], observer: Observer | None
) -> Ending:
    poll = select.poll()
    poll.register(child.wake_fd, select.POLLIN)
    if child.pidfd < 0:
        child.pidfd = open_pidfd(child.pid)
    pidfd = child.pidfd
    if pidfd >= 0:
        poll.register(pidfd, select.POLLIN)
    streams = {s.fd: s for s in (capture.stdout, capture.stderr) if s.open}
    for fd in streams:
        poll.register(fd, select.POLLIN)
    reader_fd = child.request.reader_fd
    if reader_fd >= 0:
        poll.register(reader_fd, 0)  # tells of errors alone
    ending = Ending(child)
    grace_ns = time.monotonic_ns() + GRACE_MS * 1_000_000
    importing = True
    while not (reap(child) and ending.is_over()):
        wait = _sooner(ending.wait_ms(), observer.wait_ms() if observer else None)
        if importing:
            wait = GRACE_MS if time.monotonic_ns() < grace_ns else 0
        elif pidfd < 0:
            wait = _sooner(wait, LOOK_MS)  # SIGCHLD, where we see it, may be for another child
        events = poll.poll(wait)
        for fd, _ in events:
            if fd == child.wake_fd:
                _empty(fd)
            elif fd == pidfd and reap(child):
                poll.unregister(fd)  # it stays readable, and we may still wait for the tree
            elif fd in streams:
                streams[fd].drain()
                if not streams[fd].open:
                    poll.unregister(fd)
            elif fd == reader_fd:  # whoever was to read the answer is gone
                poll.unregister(fd)
                if capture.stdout.open:
                    poll.unregister(capture.stdout.fd)
                    capture.stdout.hang_up()
        ending.step()
        if observer:
            observer.tick(child)
        if importing and not events and time.monotonic_ns() >= grace_ns:
            if grace_ns:
                for fd in streams:
                    _enlarge(fd)
                grace_ns = 0
            importing = next(idle, StopIteration) is not StopIteration
    if pidfd >= 0:
        child.pidfd = -1
        os.close(pidfd)
    return ending


def _sooner(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


def open_pidfd(pid: int) -> int:
    """A descriptor that turns readable when the tool ends; -1 where the system has none.

    Without it SIGCHLD, which wakes the same poll, tells the same.
    """
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return -1


def reap(child: Child) -> bool:
    """Take the tool's status if it has ended. If ^Z stopped it, stop with it."""
    if child.ended:
        return True
    try:
        pid, status = os.waitpid(child.pid, os.WNOHANG | os.WUNTRACED)
    except ChildProcessError:  # somebody else took its status: all we know is that it is gone
        pid, status = child.pid, 255 << 8
    if not pid:
        return False
    if os.WIFSTOPPED(status):
        if child.request.terminal:
            stopped_ns = time.monotonic_ns()
            child.request.terminal.stop_with(child.pid, os.WSTOPSIG(status))
            child.resume(stopped_ns)
        return False
    child.ended = True
    if os.WIFSIGNALED(status):
        child.signal = os.WTERMSIG(status)
    else:
        child.exit_code = os.WEXITSTATUS(status)
    return True


def _enlarge(fd: int) -> None:
    """Room for what the tool prints while we import; refused where the user has many pipes."""
    import fcntl

    try:
        fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, PIPE_SIZE)
    except (AttributeError, OSError):
        pass


def _empty(fd: int) -> None:
    try:
        while os.read(fd, 512):
            pass
    except BlockingIOError:
        pass


class Ending:
    """The way from a timeout or a signal to an empty process tree."""

    def __init__(self, child: Child) -> None:
        self.child = child
        self.timed_out = False
        self.waited_for_input = False
        self.survivors: list[str] = []
        self._asked_ns = 0
        self._killed = False
        self._looks = 0  # that found nobody left

    def wait_ms(self) -> int | None:
        """How long the next look may wait; None where nothing is due."""
        if self._asked_ns:
            return 1 if self._looks else LOOK_MS
        if self.child.deadline_ns:
            return max(0, -(-(self.child.deadline_ns - time.monotonic_ns()) // 1_000_000))
        return None

    def step(self) -> None:
        """Ask the whole tree to end, and when its time is up, insist."""
        child, now = self.child, time.monotonic_ns()
        if self._asked_ns:
            patience_ns = child.request.kill_after_ms * 1_000_000  # a canceller may shorten it
            if now >= self._asked_ns + patience_ns and not self._killed:
                from clawwrap import tree

                self._killed = True
                self.survivors = tree.kill(child.pid, child.request.run)
        elif child.ended:
            return
        elif child.cancelled_by is not None:
            self._ask(child.cancelled_by, group_knows=True)
        elif child.deadline_ns and now >= child.deadline_ns:
            from clawwrap import tree

            self.timed_out = True
            self.waited_for_input = tree.waits_for_input(child.pid, child.request.stdin_fd)
            self._ask(_signal.SIGTERM, group_knows=False)

    def _ask(self, number: int, *, group_knows: bool) -> None:
        from clawwrap import tree

        self._asked_ns = time.monotonic_ns()
        if not group_knows:
            self.child.send(number)
        self.child.send(_signal.SIGCONT)  # a stopped process hears nothing else
        tree.signal_strays(self.child.pid, self.child.request.run, number)

    def is_over(self) -> bool:
        """Nothing was to be ended, or nothing of it is left that can be ended."""
        if not self._asked_ns and self.child.cancelled_by is not None:
            self._ask(self.child.cancelled_by, group_knows=True)  # it died of the signal at once
        if not self._asked_ns or self._killed:
            return True
        from clawwrap import tree

        if tree.members(self.child.pid, self.child.request.run):
            self._looks = 0
            return False
        self._looks += 1
        return self._looks > 1  # in the middle of an exec a process cannot be told to be ours


def _drain_rest(child: Child, capture: Capture) -> None:
    """Take what is still in the pipes; do not wait for those who merely hold them open."""
    held = [s for s in (capture.stdout, capture.stderr) if s.open]
    for stream in held:
        while stream.drain():
            pass
    held = [s for s in held if s.open]
    until_ns = time.monotonic_ns() + DRAIN_MS * 1_000_000
    while held and time.monotonic_ns() < until_ns:
        from clawwrap import tree

        ready = select.select([s.fd for s in held], [], [], DRAIN_STEP_MS / 1000)[0]
        came = sum(s.drain() for s in held if s.fd in ready) > 0
        held = [s for s in held if s.open]
        # Whoever holds the pipe and sleeps has nothing to say for now.
        if not came and not tree.anyone_running(child.pid):
            break
    if held:
        from clawwrap import tree

        capture.background_pids = tree.background(child.pid, child.request.run)
