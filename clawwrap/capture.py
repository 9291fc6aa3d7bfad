"""What is known of one run of a tool: its two streams, in bounded memory, and how it ended."""

from __future__ import annotations

import os
import select

from clawwrap.launch import Child

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
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


CHUNK = 64 << 10


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
        self.pid = 0  # of the tool; none where it never started
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
