"""`clawwrap batch`: the commands of a file or of standard input, one envelope a line."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO

from clawwrap import batch
from clawwrap.admin.answer import Answer
from clawwrap.batch import Batch, Wish
from clawwrap.capture import write_all
from clawwrap.contract import ExitCode
from clawwrap.errors import UsageError
from clawwrap.failures import explain

MOST_JOBS = 256
STOPPING: tuple[int, ...] = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
PROGRESS_EVERY_S = 0.1
HOW = "Name a file of commands (clawwrap batch FILE) or pipe them into it, one JSON list a line."


def run(name: str | None, wish: Wish, *, resume: str | None, again: bool) -> Answer:
    """Run them all; stdout belongs to their envelopes."""
    if not 1 <= wish.jobs <= MOST_JOBS:
        raise UsageError(f"--jobs wants a number from 1 to {MOST_JOBS}, got {wish.jobs}")
    known = _known(resume, failures_too=not again) if resume else set()
    with _opened(name) as file:
        total = _count(file) if name and os.path.isfile(name) else 0
        items = (item for item in batch.read(file) if item.key not in known)
        work = Batch(wish, items)
        progress = Progress(max(total - len(known), 0), shown=os.isatty(2) and not os.isatty(1))
        codes: Counter[str] = Counter()
        with _signals_stop(work):
            for answer in work.answers():
                codes[answer.code.name] += 1
                progress.step(codes)
                if not write_all(1, answer.line + b"\n"):
                    work.stop()  # nobody reads the answers any more
        progress.clear()
    return _answer(codes, work)


def _answer(codes: Mapping[str, int], work: Batch) -> Answer:
    done = sum(codes.values())
    failed = done - codes.get("SUCCESS", 0)
    if not failed and work.stopped_by is None:
        return Answer({"done": done}, "").on_stderr()
    told = ", ".join(f"{count} {name}" for name, count in sorted(codes.items()) if count)
    message = f"{failed} of {done} commands failed" + (f": {told}" if told else "")
    code, error = ExitCode.PARTIAL_FAILURE, "PARTIALLY_DONE"
    if work.stopped_by is not None:
        message = f"stopped after {done} commands; " + message
    if failed == done and len(codes) == 1 and next(iter(codes)) in ExitCode.__members__:
        code = ExitCode[next(iter(codes))]  # all for the same reason, so the reason is the answer
    elif failed == done and done:
        code, error = ExitCode.GENERAL_ERROR, "UNCLASSIFIED"
    if code not in (ExitCode.PARTIAL_FAILURE, ExitCode.GENERAL_ERROR):
        error = code.name
    hint = "Each line of stdout says what its command needs; --resume-failed runs those again."
    failure = explain(code, error, message, suggestion=hint, source="clawwrap")
    return Answer(None, "", code, failure).on_stderr()


@contextmanager
def _opened(name: str | None) -> Iterator[BinaryIO]:
    if name and name != "-":
        try:
            with open(name, "rb") as file:
                yield file
        except OSError as error:
            reason = (error.strerror or "").lower()
            raise UsageError(f"{name}: {reason}", code="FILE_NOT_FOUND", suggestion=HOW) from error
    elif sys.stdin is None or os.isatty(0):
        raise UsageError("there are no commands to run", code="MISSING_ARGUMENT", suggestion=HOW)
    else:
        yield sys.stdin.buffer


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
