"""`clawwrap batch`: the commands of a file or of standard input, one envelope a line."""

from __future__ import annotations

import fcntl
import os
import resource
import signal
import stat
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO

from clawwrap import api, batch, catalog, launch
from clawwrap.admin.answer import Answer, failed
from clawwrap.batch import Batch, Wish
from clawwrap.capture import write_all
from clawwrap.contract import ExitCode
from clawwrap.errors import ClawwrapError, UsageError
from clawwrap.failures import explain

MOST_JOBS = 256
#: Files that a command holds open at the most, and everything else.
DESCRIPTORS, DESCRIPTORS_OF_OURS = 8, 32
STOPPING: tuple[int, ...] = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
PROGRESS_EVERY_S = 0.1
HOW = "Name a file of commands (clawwrap batch FILE) or pipe them into it, one JSON list a line."

ELSEWHERE = "Send the answers elsewhere: clawwrap batch FILE >answers.jsonl"
APPEND = "Add to it instead: clawwrap batch FILE --resume answers.jsonl >>answers.jsonl"


def run(name: str | None, wish: Wish, *, resume: str | None, again: bool) -> Answer:
    """Run them all; stdout belongs to their envelopes."""
    launch.restore_standard_descriptors()
    _check_jobs(wish.jobs)
    api.check(wish.options)
    with _opened(name) as file:
        if _is_same_file(1, file.fileno()):
            message = "the answers go into the file that the commands come from"
            return failed("INVALID_ARGUMENT", message, suggestion=ELSEWHERE).on_stderr()
        if resume and _is_emptied(resume):
            message = f"--resume {resume}: the shell has emptied it for the new answers"
            return failed("INVALID_ARGUMENT", message, suggestion=APPEND).on_stderr()
        known = _known(resume, failures_too=not again) if resume else set()
        total = _count(file) if name and os.path.isfile(name) else 0
        items = (item for item in batch.read(file) if item.key not in known)
        work = Batch(wish, items)
        progress = Progress(max(total - len(known), 0), shown=os.isatty(2) and not os.isatty(1))
        codes: Counter[str] = Counter()
        try:
            is_heard = _print(work, codes, progress)
        except ClawwrapError as error:
            return failed(error.code, error.message, suggestion=error.suggestion).on_stderr()
    return _answer(codes, work, is_heard=is_heard)


def _print(work: Batch, codes: Counter[str], progress: Progress) -> bool:
    """Write the answers as they come; false where nobody reads them any more."""
    is_heard = True
    with _signals_stop(work):
        for answer in work.answers():
            codes[answer.code.name] += 1
            progress.step(codes)
            if is_heard and not write_all(1, answer.line + b"\n"):
                is_heard = False
                work.stop()
    progress.clear()
    return is_heard


def _check_jobs(jobs: int) -> None:
    if not 1 <= jobs <= MOST_JOBS:
        raise UsageError(f"--jobs wants a number from 1 to {MOST_JOBS}, got {jobs}")
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    needed = jobs * DESCRIPTORS + DESCRIPTORS_OF_OURS
    if limit != resource.RLIM_INFINITY and needed > limit:
        raise UsageError(
            f"-j {jobs} needs {needed} open files at a time, and the limit is {limit}",
            suggestion=f"Take fewer, or allow more: ulimit -n {needed}",
        )


def _is_same_file(one: int, other: int) -> bool:
    """Whether both are one regular file."""
    found = os.fstat(one)
    return stat.S_ISREG(found.st_mode) and os.path.samestat(found, os.fstat(other))


def _is_emptied(resume: str) -> bool:
    """Whether stdout is what is to be gone on from, opened as `>` does and not as `>>`.

    Where it is opened as it should be, a line that was cut off is ended.
    """
    try:
        with open(resume, "rb") as file:
            if not _is_same_file(1, file.fileno()):
                return False
            if not fcntl.fcntl(1, fcntl.F_GETFL) & os.O_APPEND:
                return True
            size = file.seek(0, os.SEEK_END)
            if size and os.pread(file.fileno(), 1, size - 1) != b"\n":
                write_all(1, b"\n")
    except OSError:
        pass  # said where it is read
    return False


def _answer(codes: Mapping[str, int], work: Batch, *, is_heard: bool) -> Answer:
    done = sum(codes.values())
    failures = done - codes.get("SUCCESS", 0)
    if not failures and work.stopped_by is None:
        return Answer({"done": done}, "").on_stderr()
    told = ", ".join(f"{count} {name}" for name, count in sorted(codes.items()) if count)
    message = f"{failures} of {done} commands failed" + (f": {told}" if told else "")
    code, error = ExitCode.PARTIAL_FAILURE, "PARTIALLY_DONE"
    if work.stopped_by is not None:
        message = f"stopped after {done} commands; " + message
    if not is_heard:
        message = "stopped, since nothing can be written to stdout any more; " + message
    if failures == done and len(codes) == 1 and next(iter(codes)) in ExitCode.__members__:
        code = ExitCode[next(iter(codes))]  # all for the same reason, so the reason is the answer
    elif failures == done and done:
        code, error = ExitCode.GENERAL_ERROR, "UNCLASSIFIED"
    if code not in (ExitCode.PARTIAL_FAILURE, ExitCode.GENERAL_ERROR):
        error = code.name
    hint = "Each line of stdout says what its command needs; --resume-failed runs those again."
    failure = explain(code, error, message, suggestion=hint, source="clawwrap")
    return Answer(None, "", code, failure).on_stderr()


@contextmanager
def _opened(name: str | None) -> Iterator[BinaryIO]:
    if not name or name == "-":
        if sys.stdin is None or os.isatty(0):
            raise UsageError(
                "there are no commands to run", code="MISSING_ARGUMENT", suggestion=HOW
            )
        yield sys.stdin.buffer
        return
    with _open(name) as file:
        yield file


def _open(name: str) -> BinaryIO:
    try:
        return open(name, "rb")
    except OSError as error:
        known = catalog.mapping("errno")["numbers"]
        raise UsageError(
            f"{name}: {(error.strerror or '').lower()}",
            code=known.get(error.errno, "FILE_NOT_FOUND"),
            suggestion=HOW,
        ) from error


def _count(file: BinaryIO) -> int:
    count = sum(1 for line in file if line.strip())
    file.seek(0)
    return count


def _known(path: str, *, failures_too: bool) -> set[str]:
    """What an earlier output has answers to; an output that is not there yet has none."""
    try:
        with open(path, "rb") as file:
            return batch.answered(file, failures_too=failures_too)
    except FileNotFoundError:
        return set()
    except OSError as error:
        raise UsageError(f"--resume {path}: {(error.strerror or '').lower()}") from error


@contextmanager
def _signals_stop(work: Batch) -> Iterator[None]:
    """A signal ends what runs, and each of those gets its envelope; a second one does no more."""
    before: dict[int, Any] = {}
    for number in STOPPING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, lambda got, _frame: work.stop(got))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Progress:
    """A bar on stderr for a person at a terminal; for nobody else."""

    def __init__(self, total: int, *, shown: bool) -> None:
        self._total = total
        self._shown = shown
        self._next = 0.0

    def step(self, codes: Mapping[str, int]) -> None:
        if not self._shown or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + PROGRESS_EVERY_S
        done = sum(codes.values())
        failed = done - codes.get("SUCCESS", 0)
        share = min(done / self._total, 1.0) if self._total else 0.0
        bar = f"[{'#' * round(share * 30):<30}] {share:4.0%}  " if self._total else ""
        sys.stderr.write(f"\r{bar}{done} done, {failed} failed ")
        sys.stderr.flush()

    def clear(self) -> None:
        if self._shown and self._next:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
