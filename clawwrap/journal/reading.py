"""The lines of the log, the oldest first, also while others write and files are put aside."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import orjson

from clawwrap import log

Entry = dict[str, Any]
#: How every line starts. Inside of a text the quotes are escaped, so it stands nowhere else.
START = b'{"v":'
#: What readers rely on in a run, and in a note of ours about one: a line that somebody else
#: has written may be anything.
OF_A_RUN: dict[str, type] = {
    "tool": str,
    "command": str,
    "code": str,
    "exit_code": int,
    "duration_ms": int,
}
OF_A_NOTE: dict[str, type] = {"note": str}
IF_THERE: dict[str, type] = {
    "request_id": str,
    "argv": list,
    "error": str,
    "attempts": list,
    "words": str,
}
CHUNK = 1 << 20


class Tail:
    """One file of the log, read from its start to wherever it ends at the moment."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._rest = b""

    def lines(self) -> Iterator[bytes]:
        """The lines that have been completed since the last time."""
        if os.fstat(self._fd).st_size < os.lseek(self._fd, 0, os.SEEK_CUR):
            os.lseek(self._fd, 0, os.SEEK_SET)  # somebody has emptied it
            self._rest = b""
        while chunk := os.read(self._fd, CHUNK):
            *lines, self._rest = (self._rest + chunk).split(b"\n")
            yield from lines

    def close(self) -> None:
        os.close(self._fd)


def open_new(environ: Mapping[str, str], known: Mapping[int, Tail]) -> dict[int, Tail]:
    """The files of the log by their inodes, the oldest first; those known already stay open.

    The newest is opened first: a file that is put aside meanwhile is seen twice, not missed.
    """
    place = log.folder(environ)
    found: dict[int, Tail] = {}
    with suppress(OSError):
        if not log.is_ours(os.lstat(place)):
            return {}
    for name in reversed(log.names()):
        try:
            flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
            fd = os.open(f"{place}/{name}", flags)
        except OSError:
            continue
        inode = os.fstat(fd).st_ino
        if inode in known or inode in found:
            os.close(fd)
        found.setdefault(inode, known.get(inode) or Tail(fd))
    return dict(reversed(found.items()))


def read(environ: Mapping[str, str]) -> Iterator[Entry]:
    """Every entry there is."""
    files = open_new(environ, {})
    try:
        for file in files.values():
            for line in file.lines():
                if entry := parse(line):
                    yield entry
    finally:
        for file in files.values():
            file.close()


def parse(line: bytes) -> Entry | None:
    """The entry of a line; a full disk may have left half of another one before it."""
    at = line.rfind(START)
    try:
        entry = orjson.loads(line[at:]) if at >= 0 else None
    except ValueError:
        return None
    if not isinstance(entry, dict):
        return None
    kinds: dict[str, type] = {"time": str} | (OF_A_NOTE if "note" in entry else OF_A_RUN)
    kinds |= {name: kind for name, kind in IF_THERE.items() if name in entry}
    is_one = all(isinstance(entry.get(name), kind) for name, kind in kinds.items())
    return entry if is_one else None


def clear(environ: Mapping[str, str]) -> int:
    """Remove the log; how many files it had."""
    place = log.folder(environ)
    if not os.path.isdir(place):
        return 0
    lock, removed = log.open_lock(place), 0
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for name in log.names():
            with suppress(FileNotFoundError):
                os.unlink(f"{place}/{name}")
                removed += 1
    finally:
        os.close(lock)
    return removed
