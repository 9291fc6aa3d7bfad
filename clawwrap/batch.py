"""Many commands, one envelope each: the interpreter starts once for all of them."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import orjson

from clawwrap import emit, json_text, library, plain
from clawwrap.contract import NOTHING, Code, ExitCode, Outcome
from clawwrap.envelopes import response
from clawwrap.errors import ClawwrapError, UsageError
from clawwrap.record import replace

#: What an object on a line may say.
KEYS = ("argv", "line", "cwd", "env", "timeout", "id", "stdin")
EXAMPLE = 'Write for example ["git", "status"] or {"argv": ["git", "status"], "timeout": "30s"}.'
CANCELLED = "CANCELLED"
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


def read(lines: Iterable[bytes]) -> Iterator[Item]:
    """The items of an input of JSON lines; blank ones are passed over."""
    for number, raw in enumerate(lines, 1):
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


def answered(lines: Iterable[bytes], *, failures_too: bool) -> set[str]:
    """The keys of the items that an earlier output has answers to; a cut line is none."""
    keys = set()
    for raw in lines:
        try:
            told = orjson.loads(raw)
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
        self._running: set[library.Running] = set()
        self.stopped_by: int | None = None

    def stop(self, number: int = library.CANCEL_SIGNAL) -> None:
        """Start nothing more, and end what runs."""
        self.stopped_by = self.stopped_by or number
        for running in list(self._running):
            running.cancel(number)

    def answers(self) -> Iterator[Answer]:
        """The answers as they come, or in the order of the items."""
        for number in range(self._wish.jobs):
            threading.Thread(target=self._work, name=f"clawwrap-{number}", daemon=True).start()
        arrived = self._arrived()
        if self._wish.keep_order:
            yield from _in_order(arrived)
        else:
            yield from (answer for _, answer in arrived)

    def _arrived(self) -> Iterator[tuple[int, Answer]]:
        workers = self._wish.jobs
        while workers:
            try:
                found = self._arrivals.get(timeout=LOOK_S)
            except queue.Empty:
                if self.stopped_by and not self._running:
                    return  # a worker may wait for a line that does not come
                continue
            if found is None:
                workers -= 1
            elif isinstance(found, BaseException):
                self.stop()
                raise found
            else:
                yield found

    def _work(self) -> None:
        try:
            while not self.stopped_by:
                with self._lock:
                    place, item = next(self._items, (0, None))
                if item is None or self.stopped_by:
                    break
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
            return _rendered(library.refused(item.error), item, told)
        try:
            running = library.Running(**{**self._wish.options, **item.how})
        except ClawwrapError as error:
            return _rendered(library.refused(error), item, told)
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
