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


CHUNK = 128 << 10
#: Where lines are longer than this, looking for their ends is faster than looking at every byte.
SPARSE = 40


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
        self._is_sparse = False
        self._head = bytearray()
        self._ring = bytearray()  # what comes behind the head, over and over
        self._at = 0  # where in the ring the next byte goes
        self._make_store = make_store

    @property
    def head(self) -> bytes:
        return bytes(self._head)

    @property
    def tail(self) -> bytes:
        """The end of what did not fit into the head."""
        behind = self.total - len(self._head)
        if behind <= self._at:
            return bytes(self._ring[: self._at][-self.keep :])
        return bytes((self._ring[self._at :] + self._ring[: self._at])[-min(self.keep, behind) :])

    @property
    def lost(self) -> int:
        """Bytes between head and tail that were not kept."""
        return max(0, self.total - len(self._head) - self.keep)

    @property
    def lines(self) -> int:
        """How many lines there are; the last one needs no line feed."""
        ended = self._head.count(b"\n") + self._lines
        last = self.tail or self._head
        return ended + bool(last and not last.endswith(b"\n"))

    def feed(self, chunk: bytes) -> None:
        """Take what was read elsewhere."""
        room = self.keep - len(self._head) if self.keep else len(chunk)
        if room > 0:
            self._head += chunk[:room]
        self.total += min(len(chunk), max(room, 0))
        rest = memoryview(chunk)[max(room, 0) :]
        while rest:
            place = self._place()
            size = min(len(place), len(rest))
            place[:size] = rest[:size]
            self._take(place[:size])
            rest = rest[size:]

    def drain(self, most: int = 8) -> bool:
        """Read what is there, at most `most` chunks; true where anything came."""
        came = False
        while self.open and most:
            most -= 1
            try:
                size = self._read_behind() if self._ring and not self.tap else self._read()
            except BlockingIOError:
                break
            except OSError:  # a pseudo-terminal says EIO where a pipe says end-of-file
                size = 0
            if not size:
                self.open = False
                break
            came = True
        return came

    def _read(self) -> int:
        chunk = os.read(self.fd, CHUNK)
        self.feed(chunk)
        if chunk and self.tap and not self.tap(chunk):
            self.tap = None
        return len(chunk)

    def _read_behind(self) -> int:
        """Straight into the ring: a tool that prints gigabytes waits for nothing else."""
        place = self._place()
        size = os.readv(self.fd, [place])
        self._take(place[:size])
        return size

    def _place(self) -> memoryview:
        """Where in the ring the next bytes go."""
        if not self._ring:
            self._ring = bytearray(max(self.keep, 2 * CHUNK))
            if self._make_store:
                self.store = self._make_store()
                self.store.write(self._head)
        if self._at == len(self._ring):
            self._at = 0
        return memoryview(self._ring)[self._at : self._at + CHUNK]

    def _take(self, chunk: memoryview) -> None:
        """Keep account of what has just been put into the ring."""
        import zlib

        size = len(chunk)
        if not size:
            return
        if self.store:
            self.store.write(chunk)
        self.crc = zlib.crc32(chunk, self.crc)
        ended = self._ends(bytes(chunk))
        self._is_sparse = ended * SPARSE < size
        self._lines += ended
        self._at += size
        self.total += size

    def _ends(self, chunk: bytes) -> int:
        """How many lines end here."""
        if self._is_sparse:
            return len(chunk) - len(chunk.replace(b"\n", b""))
        return chunk.count(b"\n")

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
        self.cwd = ""  # where it ran, if not where we are
        self.spool: Spool | None = None  # once one was needed
        self._most_kept = 0

    @property
    def exited_well(self) -> bool:
        """Exit 0 by itself."""
        return self.exit_code == 0 and not self.timed_out and self.cancelled_by is None

    def start_reading(self, child: Child, observer: Observer | None) -> None:
        """Set up the streams for what the request asks for."""
        request = child.request
        self.cwd = request.cwd
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
