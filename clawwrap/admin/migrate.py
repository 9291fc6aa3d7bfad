"""`clawwrap migrate`: stored envelopes from one shape to another."""

from __future__ import annotations

import errno
import gzip
import os
import signal
import stat
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO

from clawwrap import migrate
from clawwrap.admin.answer import Answer, failed
from clawwrap.contract import ExitCode, ToolCode
from clawwrap.envelopes import FILES as SHAPES
from clawwrap.envelopes.reading import Clues
from clawwrap.errors import ClawwrapError, UsageError
from clawwrap.failures import explain
from clawwrap.migrate import Migration, Progress, Wish

SUFFIXES = (".json", ".jsonl", ".ndjson")
TARGETS = ("claw-2.0", "response")
#: The answer of --check: there is something to do.
WOULD_CHANGE = ToolCode(80, "DIFFERENCES_FOUND")


@dataclass(frozen=True, slots=True)
class Mode:
    """What is done with what was converted."""

    in_place: bool = False
    backup: bool = False
    check: bool = False
    dry_run: bool = False

    @property
    def streams(self) -> bool:
        """Whether stdout belongs to the envelopes."""
        return not (self.in_place or self.check or self.dry_run)


def run(names: Sequence[str], wish: Wish, mode: Mode, *, recursive: bool) -> Answer:
    _check_options(wish, mode)
    inputs = _inputs(names or ["-"], recursive=recursive)
    if "-" in inputs and sys.stdin is None:
        raise UsageError(
            "stdin is closed",
            code="MISSING_ARGUMENT",
            suggestion="Name files (clawwrap migrate FILE…) or pipe envelopes into it.",
        )
    if inputs == ["-"] and not names and os.isatty(0):
        raise UsageError(
            "there is nothing to migrate: no file is named and stdin is a terminal",
            code="MISSING_ARGUMENT",
            suggestion="Name files (clawwrap migrate FILE…) or pipe envelopes into it.",
        )
    if mode.in_place and "-" in inputs:
        raise UsageError(
            "--in-place wants files, and stdin is none",
            code="INVALID_ARGUMENT",
            suggestion="Name the files, or leave out --in-place to read stdin and write stdout.",
        )
    total = sum(os.path.getsize(path) for path in inputs if path != "-")
    progress = Progress(total, shown=os.isatty(2))
    migration = Migration(wish, _teller(progress, told=mode.streams), progress)
    stopped = _migrate(migration, inputs, mode)
    progress.clear()
    return _answer(migration, mode, stopped)


def _check_options(wish: Wish, mode: Mode) -> None:
    for option, value, allowed in (("--to", wish.to, TARGETS), ("--from", wish.source, SHAPES)):
        if value is not None and value not in allowed:
            raise UsageError(
                f"{option} wants one of {', '.join(allowed)}, got {value!r}",
                suggestion=f"Use for example `{option} {next(iter(allowed))}`.",
            )
    chosen = [
        name
        for name, on in (
            ("--in-place", mode.in_place),
            ("--check", mode.check),
            ("--dry-run", mode.dry_run),
        )
        if on
    ]
    if len(chosen) > 1:
        raise UsageError(
            f"{' and '.join(chosen)} exclude each other", suggestion="Leave one of them."
        )
    if mode.backup and not mode.in_place:
        raise UsageError(
            "--backup goes with --in-place; nothing else overwrites a file",
            suggestion="Add --in-place, or leave out --backup.",
        )


def _inputs(names: Sequence[str], *, recursive: bool) -> list[str]:
    """The files to read, each once, folders replaced by what lies in them."""
    found: dict[str, str] = {}
    for name in names:
        if name == "-":
            found["-"] = "-"
        elif os.path.isdir(name):
            if not recursive:
                raise UsageError(
                    f"{name}: is a folder",
                    code="INVALID_ARGUMENT",
                    suggestion=f"Add --recursive to migrate every {', '.join(SUFFIXES)} in it.",
                )
            for path in _inside(name):
                found.setdefault(os.path.realpath(path), path)
        else:
            _check_file(name)
            found.setdefault(os.path.realpath(name), name)
    return list(found.values())


def _inside(folder: str) -> Iterator[str]:
    for place, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(place, name)
            plain = name.removesuffix(".gz")
            if plain.endswith(SUFFIXES) and not name.startswith(".") and os.path.isfile(path):
                yield path


def _check_file(path: str) -> None:
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            raise UsageError(
                f"{path}: is not a regular file",
                code="INVALID_ARGUMENT",
                suggestion="Pipe it into clawwrap migrate instead.",
            )
        with open(path, "rb"):
            pass
    except FileNotFoundError as error:
        raise UsageError(
            f"{path}: there is no such file",
            code="FILE_NOT_FOUND",
            suggestion="Check the name; nothing was migrated.",
        ) from error
    except OSError as error:
        raise UsageError(
            f"{path}: {(error.strerror or '').lower()}",
            code="FILE_PERMISSION",
            suggestion="Make it readable; nothing was migrated.",
        ) from error


def _teller(progress: Progress, *, told: bool) -> Callable[[str], None]:
    def tell(problem: str) -> None:
        if told:
            progress.clear()
            sys.stderr.write(f"clawwrap: {problem}\n")

    return tell


@contextmanager
def _ended_cleanly() -> Iterator[None]:
    """SIGTERM and SIGHUP leave like ^C does: drafts are removed on the way out."""

    def leave(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _migrate(migration: Migration, inputs: Sequence[str], mode: Mode) -> ClawwrapError | None:
    """Every input in turn; returns what ended the work early."""
    out = open(1, "wb", closefd=False)  # noqa: SIM115  # stdout outlives us
    try:
        with _ended_cleanly():
            try:
                for path in inputs:
                    _migrate_one(migration, path, mode, out)
            finally:
                out.flush()
    except ClawwrapError as error:
        return error
    except KeyboardInterrupt:
        return ClawwrapError(
            "it was stopped; files not yet named as changed are as they were", code="CANCELLED"
        )
    except BrokenPipeError:
        return None  # the reader has seen enough
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        denied = error.errno in (errno.EACCES, errno.EPERM, errno.EROFS)
        place, problem = error.filename or "stdout", (error.strerror or "").lower()
        return ClawwrapError(
            f"{place}: {problem}; the original is as it was",
            code="DISK_FULL" if full else "FILE_PERMISSION" if denied else "UNCLASSIFIED",
        )
    return None


def _migrate_one(migration: Migration, path: str, mode: Mode, out: BinaryIO) -> None:
    name = "stdin" if path == "-" else path
    try:
        if mode.in_place:
            migrate.rewrite(migration, path, backup=mode.backup)
            return
        with migrate.opened(path) as (raw, content):
            migration.progress.follow(raw)
            sink = migrate.Lines(out, at_once=path == "-") if mode.streams else migrate.Nowhere()
            changed = migration.pour(content, name, migrate.modified(path), sink)
        if changed and not mode.streams:
            migration.tally.changed_files.append(name)
    except gzip.BadGzipFile as error:
        migration.spoil(f"{name}: its gzip is broken ({error}); the file is as it was")
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None and (mode.in_place or error.errno == errno.EIO):
            error.filename = name
        raise
    except (EOFError, zlib.error) as error:
        migration.spoil(f"{name}: its gzip is broken ({error}); the file is as it was")


def _answer(migration: Migration, mode: Mode, stopped: ClawwrapError | None) -> Answer:
    tally = migration.tally
    data, text = tally.to_json(), tally.text()
    if mode.dry_run or mode.check:
        text += "".join(f"would change: {path}\n" for path in tally.changed_files)
    if not mode.streams:
        text = "".join(f"{problem}\n" for problem in tally.problems) + text
    if stopped is not None:
        answer = failed(
            stopped.code,
            stopped.message,
            output=data,
            text=text,
            suggestion=stopped.suggestion,
            phase="execution",
        )
    elif tally.failed:
        first = tally.problems[0]
        more = f" (and {tally.failed - 1} more)" if tally.failed > 1 else ""
        answer = failed("INVALID_ENVELOPE", first + more, output=data, text=text, phase="execution")
    elif mode.check and tally.changed:
        message = f"{tally.changed} of {tally.records} records would change"
        failure = explain(
            WOULD_CHANGE,
            WOULD_CHANGE.name,
            message,
            suggestion="Run the same with --in-place instead of --check.",
            source="clawwrap",
            phase="validation",
            output=data,
        )
        answer = Answer(None, text, WOULD_CHANGE, failure)
    else:
        answer = Answer(data, text, ExitCode.SUCCESS)
    return answer.on_stderr() if mode.streams else answer


def clues(command: str | None, timestamp: str | None, exit_code: int | None) -> Clues:
    """What the caller knows of records that do not say it themselves."""
    if timestamp is not None and not _is_time(timestamp):
        raise UsageError(
            f"--timestamp wants a time in UTC such as 2026-04-22T10:10:00Z, got {timestamp!r}",
            suggestion="Write it as YYYY-MM-DDThh:mm:ssZ.",
        )
    if exit_code is not None and not 0 <= exit_code <= 255:
        raise UsageError(
            f"--exit-code wants a number of 0 to 255, got {exit_code}",
            suggestion="Give the exit code of the process that printed the records.",
        )
    return Clues(exit_code, command or "", timestamp or "")


def _is_time(text: str) -> bool:
    from datetime import datetime

    try:
        datetime.fromisoformat(text.removesuffix("Z") + "+00:00")
    except ValueError:
        return False
    return text.endswith("Z")
