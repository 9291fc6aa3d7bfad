"""Reads what the tool prints within bounds until it ends, and ends its tree when told to.

The end is seen by a pidfd, or by SIGCHLD where the system has none, never by end-of-file:
a background descendant may hold the pipes for as long as it likes.
"""

from __future__ import annotations

import os
import select
import time

from clawwrap.launch import Child

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable, Iterator
    from typing import Any, Protocol

    from clawwrap.spool import Spool, Store

    class Observer(Protocol):
        """Who wants to know what happens while it happens."""

        def started(self, child: Child) -> None: ...
        def stdout(self, chunk: bytes) -> bool: ...
        def stderr(self, chunk: bytes) -> bool: ...
        def wait_ms(self) -> int | None: ...
        def tick(self, child: Child) -> None: ...
        def ended(self) -> None: ...
        def attempt(self, number: int, told: dict[str, Any]) -> None: ...
else:
    import _signal  # `signal` wraps the same in enums, at the price of importing `enum`

CHUNK = 64 << 10
PIPE_SIZE = 256 << 10
#: After the tool's end: how long output may still trickle in from others who hold the pipe.
DRAIN_MS = 250
DRAIN_STEP_MS = 2
#: How long the tool has the processor to itself before we import anything.
GRACE_MS = 4
#: While a tree ends: how often we look who is left.
LOOK_MS = 20


class Stream:
    """The head and the tail of what came down one pipe, in bounded memory; all of it on disk."""

    def __init__(
        self,
        fd: int = -1,
        keep: int = 0,
        tap: Callable[[bytes], bool] | None = None,
        make_store: Callable[[], Store] | None = None,
    ) -> None:
        self.fd = fd
        self.keep = keep  # bytes of head and of tail; 0 keeps everything
        self.tap = tap  # sees every chunk as it comes, until it returns false
        self.open = fd >= 0
        self.total = 0
        self.store: Store | None = None  # where the whole goes once it is too long for memory
        self.crc = 0  # of what did not fit into the head
        self._lines = 0  # that ended behind the head
        self._head = bytearray()
        self._tail = bytearray()
        self._make_store = make_store

    @property
    def head(self) -> bytes:
        return bytes(self._head)

    @property
    def tail(self) -> bytes:
        """The end of what did not fit into the head."""
        return bytes(self._tail[-self.keep :])

    @property
    def lost(self) -> int:
        """Bytes between head and tail that were not kept."""
        return self.total - len(self._head) - min(len(self._tail), self.keep)

    @property
    def lines(self) -> int:
        """How many lines there are; the last one needs no line feed."""
        ended = self._head.count(b"\n") + self._lines
        unfinished = self.total and not (self._tail or self._head).endswith(b"\n")
        return ended + bool(unfinished)

    def feed(self, chunk: bytes) -> None:
        self.total += len(chunk)
        room = self.keep - len(self._head) if self.keep else len(chunk)
        if room > 0:
            self._head += chunk[:room]
        if room < len(chunk):
            self._overflow(chunk[room:] if room > 0 else chunk)

    def _overflow(self, chunk: bytes) -> None:
        import zlib

        if self.store is None and self._make_store:
            self.store = self._make_store()
            self.store.write(self.head)
        if self.store:
            self.store.write(chunk)
        self.crc = zlib.crc32(chunk, self.crc)
        self._lines += chunk.count(b"\n")
        self._tail += chunk
        if len(self._tail) > 2 * self.keep:
            del self._tail[: -self.keep]

    def drain(self, most: int = 8) -> bool:
        """Read what is there, at most `most` chunks; true where anything came."""
        came = False
        while self.open and most:
            most -= 1
            try:
                chunk = os.read(self.fd, CHUNK)
            except BlockingIOError:
                break
            except OSError:  # a pseudo-terminal says EIO where a pipe says end-of-file
                chunk = b""
            if not chunk:
                self.open = False
                break
            came = True
            self.feed(chunk)
            if self.tap and not self.tap(chunk):
                self.tap = None
        return came

    def hang_up(self) -> None:
        """Read no more: the tool finds its pipe broken, as it would without us."""
        if self.open:
            self.open = False
            os.close(self.fd)


class Capture:
    """What is known of the tool once it has ended, or could not even start."""

    def __init__(self) -> None:
        self.exit_code: int | None = None
        self.signal: int | None = None
        self.fault: str | None = None
        self.fault_detail = ""
        self.timed_out = False
        self.waited_for_input = False  # when its time was up
        self.cancelled_by: int | None = None
        self.survivors: list[str] = []
        self.background_pids: list[int] = []
        self.stdout = Stream()
        self.stderr = Stream()
        self.duration_ns = 0
        self.spool: Spool | None = None  # once one was needed
        self._most_kept = 0

    def start_reading(self, child: Child, observer: Observer | None) -> None:
        """Set up the streams for what the request asks for."""
        request = child.request
        self._most_kept = request.spool

        def passed_on(chunk: bytes) -> bool:
            return write_all(2, chunk)

        if child.stdout_fd >= 0:
            tap = observer.stdout if observer else None
            self.stdout = Stream(child.stdout_fd, request.keep, tap, lambda: self.keep("stdout"))
            self.stderr = Stream(
                child.stderr_fd,
                request.keep,
                observer.stderr if observer else None,
                lambda: self.keep("stderr"),
            )
        else:  # the tool prints to our own stdout, and what it says on stderr passes through us
            self.stderr = Stream(child.stderr_fd, request.keep, passed_on)

    def keep(self, stream: str) -> Store:
        """A file for what does not fit into the envelope."""
        from clawwrap.spool import Spool

        if self.spool is None:
            self.spool = Spool(self._most_kept, os.environ)
        return self.spool.store(stream)


def signal_name(number: int) -> str:
    """Its name, as `kill -l` lists it."""
    import signal

    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"  # a real-time signal has no name of its own


def write_all(fd: int, content: bytes) -> bool:
    """Write everything, even to a non-blocking descriptor; false where that fails."""
    view = memoryview(content)
    while view:
        try:
            view = view[os.write(fd, view) :]
        except BlockingIOError:
            select.select([], [fd], [])
        except OSError:
            return False
    return True


def finish(child: Child, idle: Iterator[None], observer: Observer | None = None) -> Capture:
    """Stay with the tool until it ends, taking a step of `idle` whenever there is nothing to do."""
    capture = Capture()
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
    for _ in idle:
        pass
    return capture


def _stay(
    child: Child, capture: Capture, idle: Iterator[None], observer: Observer | None
) -> Ending:
    poll = select.poll()
    poll.register(child.wake_fd, select.POLLIN)
    pidfd = open_pidfd(child.pid)
    if pidfd >= 0:
        poll.register(pidfd, select.POLLIN)
    streams = {s.fd: s for s in (capture.stdout, capture.stderr) if s.open}
    for fd in streams:
        _enlarge(fd)
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
            importing = next(idle, StopIteration) is not StopIteration
    if pidfd >= 0:
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
        self._kill_at_ns = 0
        self._killed = False

    def wait_ms(self) -> int | None:
        """How long the next look may wait; None where nothing is due."""
        if self._kill_at_ns:
            return LOOK_MS
        if self.child.deadline_ns:
            return max(0, -(-(self.child.deadline_ns - time.monotonic_ns()) // 1_000_000))
        return None

    def step(self) -> None:
        """Ask the whole tree to end, and when its time is up, insist."""
        child, now = self.child, time.monotonic_ns()
        if self._kill_at_ns:
            if now >= self._kill_at_ns and not self._killed:
                from clawwrap import tree

                self._killed = True
                self.survivors = tree.kill(child.pid)
        elif child.ended:
            return
        elif child.cancelled_by is not None:
            self._ask(child.cancelled_by, group_knows=True)
        elif child.deadline_ns and now >= child.deadline_ns:
            from clawwrap import tree

            self.timed_out = True
            self.waited_for_input = tree.waits_for_input(child.pid)
            self._ask(_signal.SIGTERM, group_knows=False)

    def _ask(self, number: int, *, group_knows: bool) -> None:
        from clawwrap import tree

        self._kill_at_ns = time.monotonic_ns() + self.child.request.kill_after_ms * 1_000_000
        if not group_knows:
            self.child.send(number)
        self.child.send(_signal.SIGCONT)  # a stopped process hears nothing else
        tree.signal_strays(self.child.pid, number)

    def is_over(self) -> bool:
        """Nothing was to be ended, or nothing of it is left that can be ended."""
        if not self._kill_at_ns or self._killed:
            return True
        from clawwrap import tree

        return not tree.members(self.child.pid)


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

        capture.background_pids = tree.background(child.pid)
