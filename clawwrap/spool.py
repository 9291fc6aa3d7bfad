"""What does not fit into an envelope, kept for `--cursor`: for this user alone, and not for long.

A run has at most one file for each of its streams: the bytes as they came, and behind them
what a reader must know of them. While it grows it is a draft under a lock, which whoever was
killed has let go of; the next run removes such drafts, and whatever is too old or too much.
"""

from __future__ import annotations

import fcntl
import os
import stat
import time
from collections.abc import Mapping
from typing import Any

import orjson

from clawwrap import catalog

#: What is kept at the most, over all runs.
MOST_RUNS = 200
MOST_BYTES = 1 << 30
LONGEST_S = 24 * 3600
#: A draft this young may belong to someone who has not got around to locking it.
YOUNG_S = 2
MAGIC = b"clawspl1"
TRAILER_LENGTH = 8
LETTERS = {"stdout": "o", "stderr": "e"}


class SpoolError(Exception):
    """Why nothing can be kept or found; for people."""


def folder(environ: Mapping[str, str]) -> str:
    return f"{catalog.cache_home(environ)}/clawwrap/spool"


def open_folder(environ: Mapping[str, str], *, create: bool = False) -> int:
    """A descriptor of the folder, if it is ours and nobody else can look into it."""
    path = folder(environ)
    try:
        if create:
            os.makedirs(path, mode=0o700, exist_ok=True)
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileExistsError:
        raise SpoolError(f"{path} is no folder; remove it") from None
    except OSError as error:
        if os.path.islink(path):
            raise SpoolError(f"{path} is a symbolic link, not a folder; remove it") from None
        raise SpoolError(f"{path}: {_reason(error)}") from None
    found = os.fstat(fd)
    if found.st_uid != os.geteuid() or found.st_mode & 0o077:
        os.close(fd)
        raise SpoolError(f"{path} is open to others; run: chmod 700 {path}")
    return fd


class Spool:
    """The files of one run, made when they are needed; `error` says why they cannot be."""

    def __init__(self, limit: int, environ: Mapping[str, str]) -> None:
        self.id = os.urandom(16).hex()
        self.key = os.urandom(16).hex()
        self.limit = limit  # bytes of one stream; 0 keeps nothing
        self.error = "" if limit else "it is switched off (--spool 0)"
        self.folder = -1
        self._environ = environ

    def store(self, stream: str) -> Store:
        if self.folder < 0 and not self.error:
            try:
                self.folder = open_folder(self._environ, create=True)
                sweep(self.folder)
            except (SpoolError, OSError) as error:
                self.error = str(error)
        return Store(self, f"{self.id}.{LETTERS[stream]}")

    def close(self) -> None:
        """Every store is finished or discarded."""
        if self.folder >= 0:
            os.close(self.folder)
            self.folder = -1


class Store:
    """One stream of one run on its way into a file. After a failure it takes and gives nothing."""

    def __init__(self, spool: Spool, name: str) -> None:
        self.kept = 0
        self._spool = spool
        self._name = name
        self._draft = f"{name}.part"
        self._fd = -1
        if spool.error:
            return
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            self._fd = os.open(self._draft, flags, 0o600, dir_fd=spool.folder)
            fcntl.flock(self._fd, fcntl.LOCK_EX)
        except OSError as error:
            self._fail(error)

    @property
    def is_open(self) -> bool:
        return self._fd >= 0

    def write(self, chunk: bytes | bytearray | memoryview) -> None:
        """Append as much as the limit allows."""
        rest = memoryview(chunk)[: max(0, self._spool.limit - self.kept)]
        try:
            while self.is_open and rest:
                written = os.write(self._fd, rest)
                self.kept += written
                rest = rest[written:]
        except OSError as error:
            self._fail(error)

    def read(self, offset: int, size: int) -> bytes:
        try:
            return os.pread(self._fd, max(0, min(size, self.kept - offset)), offset)
        except OSError:
            return b""

    def finish(self, about: dict[str, Any]) -> bool:
        """Close it with what a reader must know, under its final name; false where that fails."""
        if not self.is_open:
            return False
        trailer = orjson.dumps(about | {"kept": self.kept, "key": self._spool.key})
        try:
            rest = trailer + len(trailer).to_bytes(TRAILER_LENGTH) + MAGIC
            while rest:  # a disk that has almost no room takes a part
                rest = rest[os.write(self._fd, rest) :]
            where = {"src_dir_fd": self._spool.folder, "dst_dir_fd": self._spool.folder}
            os.rename(self._draft, self._name, **where)
        except OSError as error:
            self._fail(error)
            return False
        os.close(self._fd)
        self._fd = -1
        return True

    def discard(self) -> None:
        """Nobody will ask for it."""
        if self.is_open:
            os.close(self._fd)
            self._fd = -1
            remove(self._spool.folder, self._draft)

    def _fail(self, error: OSError) -> None:
        self._spool.error = f"{folder(self._spool._environ)}: {_reason(error)}"
        self.discard()


class Kept:
    """A finished file, opened for reading."""

    def __init__(self, name: str, environ: Mapping[str, str]) -> None:
        directory = open_folder(environ)
        try:
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
            self._fd = os.open(name, flags, dir_fd=directory)
        except OSError as error:
            raise SpoolError(_reason(error)) from None
        finally:
            os.close(directory)
        try:
            self.about = self._looked_at()
        except SpoolError:
            self.close()
            raise
        self.size: int = self.about["kept"]

    def read(self, offset: int, size: int) -> bytes:
        return os.pread(self._fd, max(0, min(size, self.size - offset)), offset)

    def close(self) -> None:
        os.close(self._fd)

    def _looked_at(self) -> dict[str, Any]:
        """What is behind the bytes, if the file is ours, young and whole."""
        found = os.fstat(self._fd)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
            raise SpoolError("it is not ours")
        if time.time() - found.st_mtime > LONGEST_S:
            raise SpoolError("it has expired")
        size = found.st_size
        end = size - len(MAGIC) - TRAILER_LENGTH
        footer = os.pread(self._fd, len(MAGIC) + TRAILER_LENGTH, end) if end > 0 else b""
        length = int.from_bytes(footer[:TRAILER_LENGTH])
        if footer[TRAILER_LENGTH:] != MAGIC or length > end:
            raise SpoolError("it is damaged")
        try:
            about: dict[str, Any] = orjson.loads(os.pread(self._fd, length, end - length))
        except ValueError:
            raise SpoolError("it is damaged") from None
        return about


def sweep(directory: int) -> None:
    """Remove abandoned drafts, what is too old, and the oldest of what is too much."""
    now = time.time()
    runs: dict[str, tuple[float, int]] = {}
    for name in os.listdir(directory):
        try:
            found = os.stat(name, dir_fd=directory, follow_symlinks=False)
        except OSError:
            continue  # another run has just removed it
        run = name.partition(".")[0]
        age = now - found.st_mtime
        if not stat.S_ISREG(found.st_mode):
            continue
        if age > LONGEST_S or (name.endswith(".part") and _is_abandoned(directory, name, age)):
            remove(directory, name)
        elif not name.endswith(".part"):
            newest, size = runs.get(run, (0.0, 0))
            runs[run] = (max(newest, found.st_mtime), size + found.st_size)
    left = MOST_BYTES
    for place, (run, (_, size)) in enumerate(
        sorted(runs.items(), key=lambda r: r[1], reverse=True)
    ):
        left -= size
        if place >= MOST_RUNS - 1 or (left < 0 and place):
            for letter in LETTERS.values():
                remove(directory, f"{run}.{letter}")


def _is_abandoned(directory: int, name: str, age: float) -> bool:
    if age < YOUNG_S:
        return False
    try:
        fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=directory)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(fd)
    return True


def remove(directory: int, name: str) -> None:
    try:
        os.unlink(name, dir_fd=directory)
    except OSError:
        pass  # somebody else was faster


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
