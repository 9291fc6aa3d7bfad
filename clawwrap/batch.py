"""Many commands, one envelope each: the interpreter starts once for all of them."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple

import orjson

from clawwrap import api, emit, json_text, plain
from clawwrap.contract import NOTHING, Code, ExitCode, Outcome
from clawwrap.embedded import CANCEL_SIGNAL
from clawwrap.envelopes import response
from clawwrap.errors import ClawwrapError, UsageError
from clawwrap.record import replace

#: What an object on a line may say.
KEYS = ("argv", "line", "cwd", "env", "timeout", "id", "stdin")
EXAMPLE = 'Write for example ["git", "status"] or {"argv": ["git", "status"], "timeout": "30s"}.'
GO_ON = "Mend the file, and go on with --resume and the answers so far."
CANCELLED = "CANCELLED"
#: Whoever has more to say than this says it in a file.
LONGEST_LINE = 64 << 20
#: How many answers may wait in memory, for a slow reader or for the one that is due.
AHEAD = 256
#: How often it is looked whether a signal has come while nothing ends.
LOOK_S = 0.1


class Item(NamedTuple):
    """One line of the input: a command, or what is wrong with the line."""

    number: int  # of the line, from 1
    key: str  # the same for the same command
    how: Mapping[str, Any]
    id: str | None = None
    error: ClawwrapError | None = None


class Answer(NamedTuple):
    """The envelope of one item as a line, and what counts of it."""

    number: int
    line: bytes
    code: Code
    error: str


class Wish(NamedTuple):
    """How the batch is to be run."""

    jobs: int = 1
    keep_order: bool = False
    fail_fast: bool = False
    options: Mapping[str, Any] = NOTHING


# Reading


def read(file: BinaryIO) -> Iterator[Item]:
    """The items of an input of JSON lines; blank ones are passed over."""
    return items_of(lines_of(file))


def lines_of(file: BinaryIO) -> Iterator[bytes | None]:
    """Line by line, as they come; None in place of one that is too long to be kept."""
    while True:
        try:
            line = file.readline(LONGEST_LINE + 1)
            is_kept = len(line) <= LONGEST_LINE
            while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
                line = file.readline(LONGEST_LINE + 1)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise UsageError(
                f"the commands cannot be read on: {reason}", suggestion=GO_ON
            ) from error
        if is_kept and not line:
            return
        yield line if is_kept else None


def items_of(lines: Iterable[bytes | None]) -> Iterator[Item]:
    for number, raw in enumerate(lines, 1):
        if raw is None:
            problem = f"longer than {LONGEST_LINE} bytes"
            yield Item(number, f"{number}:", {}, error=_wrong(number, problem))
            continue
        if not raw.strip():
            continue
        key = f"{number}:{plain.digest(raw.strip(), size=6)}"
        try:
            how = _understood(raw, number)
        except UsageError as error:
            yield Item(number, key, {}, error=error)
        else:
            yield Item(number, key, how, how.pop("id", None))


def _understood(raw: bytes, number: int) -> dict[str, Any]:
    try:
        told = json_text.strict_loads(raw)
    except ValueError as error:
        raise _wrong(number, str(error)) from None
    if isinstance(told, list):
        told = {"argv": told}
    if not isinstance(told, dict):
        raise _wrong(number, "expected a list of words or an object")
    for name, value in told.items():
        if name not in KEYS:
            raise _wrong(number, f"unknown key {name!r}; expected one of {', '.join(KEYS)}")
        if value is not None and not FORMS[name](value):
            raise _wrong(number, f"{name}: expected {SHAPES[name]}")
    how = {name: value for name, value in told.items() if value is not None}
    if ("argv" in how) == ("line" in how):
        raise _wrong(number, "expected one of argv and line")
    if "stdin" in how:
        how["stdin"] = how["stdin"].encode("utf-8", "surrogatepass")
    if "env" in how:
        how["env"] = {**os.environ, **how["env"]}
    return how


def _is_words(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(word, str) and "\0" not in word for word in value)
    )


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value


def _is_environment(value: Any) -> bool:
    return isinstance(value, dict) and all(
        name and "=" not in name and _is_text(name) and _is_text(text)
        for name, text in value.items()
    )


FORMS: dict[str, Callable[[Any], bool]] = {
    "argv": _is_words,
    "line": _is_text,
    "cwd": _is_text,
    "env": _is_environment,
    "timeout": lambda value: isinstance(value, (str, int, float)) and value is not True,
    "id": _is_text,
    "stdin": lambda value: isinstance(value, str),
}
SHAPES = {
    "argv": "a list of at least one word",
    "line": "a line of bash",
    "cwd": "the path of a folder",
    "env": "an object of names and texts, which are added to the environment",
    "timeout": 'a duration such as "30s", or seconds',
    "id": "a text",
    "stdin": "a text",
}


def _wrong(number: int, problem: str) -> UsageError:
    return UsageError(f"line {number}: {problem}", code="INVALID_ARGUMENT", suggestion=EXAMPLE)


def answered(file: BinaryIO, *, failures_too: bool) -> set[str]:
    """The keys of the items that an earlier output has answers to; a cut line is none."""
    keys = set()
    for raw in lines_of(file):
        try:
            told = orjson.loads(raw or b"")
            place, code = told["meta"]["batch"], (told["error"] or {}).get("code", "")
        except (ValueError, LookupError, TypeError, AttributeError):
            continue
        if code != CANCELLED and (told["ok"] or failures_too):
            keys.add(str(place.get("key")))
    return keys


# Running


class Batch:
    """Workers that run the items side by side; a signal, or the first failure, ends them all."""

    def __init__(self, wish: Wish, items: Iterator[Item]) -> None:
        self._wish = wish
        self._items = enumerate(items)
        self._lock = threading.Lock()
        self._arrivals: queue.SimpleQueue[tuple[int, Answer] | BaseException | None]
        self._arrivals = queue.SimpleQueue()
        self._unanswered: set[int] = set()
        self._running: set[api.Running] = set()
        # A semaphore cannot be released by a signal handler, a queue may be filled by one.
        self._permits: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._permit(wish.jobs + AHEAD)
        self.stopped_by: int | None = None

    def _permit(self, count: int = 1) -> None:
        for _ in range(count):
            self._permits.put(None)

    def stop(self, number: int = CANCEL_SIGNAL) -> None:
        """Start nothing more, and end what runs."""
        self.stopped_by = self.stopped_by or number
        for running in list(self._running):
            running.cancel(number)
        self._permit(self._wish.jobs)

    def answers(self) -> Iterator[Answer]:
        """The answers as they come, or in the order of the items."""
        for number in range(self._wish.jobs):
            threading.Thread(target=self._work, name=f"clawwrap-{number}", daemon=True).start()
        arrived = self._arrived()
        in_turn = _in_order(arrived) if self._wish.keep_order else (one for _, one in arrived)
        for answer in in_turn:
            yield answer
            self._permit()

    def _arrived(self) -> Iterator[tuple[int, Answer]]:
        workers = self._wish.jobs
        broken: BaseException | None = None
        while workers:
            try:
                found = self._arrivals.get(timeout=LOOK_S)
            except queue.Empty:
                if self.stopped_by and not self._unanswered:
                    break  # a worker may wait for a line that does not come
                continue
            if isinstance(found, tuple):
                self._unanswered.discard(found[0])
                yield found
                continue
            workers -= 1
            if found is not None:
                broken = broken or found
                self.stop()
        if broken:
            raise broken

    def _work(self) -> None:
        try:
            while not self.stopped_by:
                self._permits.get()
                with self._lock:
                    place, item = next(self._items, (0, None))
                    if item is None or self.stopped_by:
                        break
                    self._unanswered.add(place)
                answer = self._answer(item)
                if self._wish.fail_fast and not answer.code.is_success:
                    self.stop()
                self._arrivals.put((place, answer))
            self._arrivals.put(None)
        except BaseException as error:  # it is the main thread's to report
            self._arrivals.put(error)

    def _answer(self, item: Item) -> Answer:
        about = {"line": item.number, "id": item.id, "key": item.key}
        told = {"batch": {name: value for name, value in about.items() if value is not None}}
        if item.error:
            return _rendered(api.refused(item.error), item, told)
        try:
            running = api.Running(**{**self._wish.options, **item.how})
        except ClawwrapError as error:
            return _rendered(api.refused(error), item, told)
        except Exception as error:  # a bug of ours must not cost the others their answers
            bug = ClawwrapError(f"clawwrap has a bug: {type(error).__name__}: {error}")
            return _rendered(api.refused(bug), item, told)
        self._running.add(running)
        try:
            if self.stopped_by:
                running.cancel(self.stopped_by)
            capture = running.capture()
            if line := running.plain(capture, told):
                return Answer(item.number, line, ExitCode.SUCCESS, "")
            return _rendered(running.outcome(capture), item, told)
        finally:
            self._running.discard(running)


def _in_order(arrived: Iterable[tuple[int, Answer]]) -> Iterator[Answer]:
    """By place; what is missing at the end was never started."""
    waiting: dict[int, Answer] = {}
    due = 0
    for place, answer in arrived:
        waiting[place] = answer
        while due in waiting:
            yield waiting.pop(due)
            due += 1
    for place in sorted(waiting):
        yield waiting[place]


def _rendered(outcome: Outcome[Any], item: Item, told: Mapping[str, Any]) -> Answer:
    meta = outcome.meta._replace(extra={**outcome.meta.extra, **told})
    line = emit.encode(response.render(replace(outcome, meta=meta)))
    error = outcome.failure.code if outcome.failure else ""
    return Answer(item.number, line, outcome.code, error)
