"""A run among others in a process that is not ours: no signal handler, no change of folder."""

from __future__ import annotations

import fcntl
import os
import tempfile
import threading
from collections.abc import Iterator
from typing import Any

from clawwrap import catalog, launch, watch, wrap
from clawwrap.capture import Capture
from clawwrap.catalog import Choice
from clawwrap.errors import UsageError
from clawwrap.invocation import Invocation

CANCEL_SIGNAL = 15


class Embedded(wrap.Run):
    """One of many runs, which leaves nothing behind however it ends."""

    def __init__(self, inv: Invocation, choice: Choice, stdin: bytes | None) -> None:
        self.stdin_fd = _as_file(stdin or b"")
        self._cancelled_by: int | None = None
        self._closing = threading.RLock()  # a descriptor of a closed run may be another's
        try:
            super().__init__(inv, choice)
        except BaseException:
            self.close()
            raise

    @property
    def is_open(self) -> bool:
        """Whether somebody has yet to wait for it."""
        return self.stdin_fd >= 0

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
        made.stdin_fd = self.stdin_fd
        os.lseek(self.stdin_fd, 0, os.SEEK_SET)
        child = launch.Child(made)
        launch.start(child, arm=launch.make_wakeable)
        return child

    def attend(self, observer: Any = None) -> Capture:
        if self._cancelled_by is not None:  # it may have been told to the attempt before
            self.child.cancel(self._cancelled_by)
        try:
            return super().attend(observer)
        except BaseException:  # an interrupt, or what `on_output` raised
            self.end()
            raise
        finally:
            self._close_child()

    def cancel(self, number: int, kill_after_ms: int | None = None) -> None:
        self._cancelled_by = number
        with self._closing:
            if kill_after_ms is not None:
                self.child.request.kill_after_ms = kill_after_ms
            self.child.cancel(number)

    def end(self) -> None:
        """End what still runs; nobody wants to know what came of it."""
        try:
            if not self.child.ended:
                self.cancel(CANCEL_SIGNAL)
                watch.finish(self.child, iter(()))
        finally:
            self._close_child()
            self.close()

    def _close_child(self) -> None:
        with self._closing:
            self.child.close()

    def meanwhile(self) -> Iterator[None]:
        """Everything is loaded already."""
        return iter(())

    def close(self) -> None:
        fd, self.stdin_fd = self.stdin_fd, -1
        if fd >= 0:
            os.close(fd)


def _as_file(content: bytes) -> int:
    """A descriptor from which the tool can read this, and a second attempt can read it again.

    Never one of the first three, which a program may have closed: they are the tool's.
    """
    if not content:
        with open(os.devnull, "rb") as null:
            return fcntl.fcntl(null.fileno(), fcntl.F_DUPFD_CLOEXEC, 3)
    try:
        with tempfile.TemporaryFile(buffering=0) as file:
            left = memoryview(content)
            while left:
                left = left[file.write(left) :]
            return fcntl.fcntl(file.fileno(), fcntl.F_DUPFD_CLOEXEC, 3)
    except OSError as error:
        code = catalog.mapping("errno")["numbers"].get(error.errno, "FILE_PERMISSION")
        raise UsageError(
            f"stdin cannot be kept in {tempfile.gettempdir()}: {(error.strerror or '').lower()}",
            code=code,
            suggestion="Set TMPDIR to a folder with room for it.",
        ) from error
