"""Converts stored envelopes: record by record, in constant memory, never half of a file."""

from __future__ import annotations

import gzip
import os
import shutil
import stat
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, BinaryIO, NamedTuple, Protocol

import orjson

from clawwrap import circumstances, emit, failures, losses, records
from clawwrap.contract import Outcome
from clawwrap.envelopes import recognise, shape
from clawwrap.envelopes.reading import Clues
from clawwrap.errors import ClawwrapError, EnvelopeError
from clawwrap.record import replace
from clawwrap.records import Record

GZIP_MAGIC = b"\x1f\x8b"
#: How many problems are told one by one; the rest is counted.
MOST_TOLD = 50
PROGRESS_EVERY_S = 0.1
NO_CLUES = Clues()


@dataclass(frozen=True, slots=True)
class Wish:
    """What the caller asked for."""

    to: str = "claw-2.0"
    source: str | None = None  # the shape of every record, instead of recognising each
    clues: Clues = NO_CLUES
    strict: bool = False


class Converted(NamedTuple):
    """A record in its new shape; `envelope` is None where it has that already."""

    shape: str
    variant: str
    envelope: dict[str, Any] | None
    notes: list[str]
    lost: list[str]


@dataclass
class Tally:
    """What was found, for the summary."""

    files: int = 0
    records: int = 0
    shapes: Counter[str] = field(default_factory=Counter)
    changed: int = 0
    unchanged: int = 0
    unrecognised: int = 0
    ambiguous: int = 0
    broken: int = 0
    assumed: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    changed_files: list[str] = field(default_factory=list)

    @property
    def failed(self) -> int:
        return self.unrecognised + self.broken

    def to_json(self) -> dict[str, Any]:
        return {
            "files": self.files,
            "records": self.records,
            "shapes": dict(sorted(self.shapes.items())),
            "changed": self.changed,
            "unchanged": self.unchanged,
            "unrecognised": self.unrecognised,
            "ambiguous": self.ambiguous,
            "broken": self.broken,
            "assumed": dict(self.assumed.most_common()),
            "lost": dict(self.lost.most_common()),
            "problems": self.problems,
            "changed_files": self.changed_files,
        }

    def text(self) -> str:
        """The summary for a person."""
        shapes = ", ".join(f"{count} {name}" for name, count in sorted(self.shapes.items()))
        lines = [
            f"{self.records} records in {self.files} inputs: {shapes or 'no envelopes'}",
            f"{self.changed} changed, {self.unchanged} unchanged, "
            f"{self.unrecognised} unrecognised ({self.ambiguous} ambiguous), {self.broken} broken",
        ]
        lines += [f"assumed: {note} ({count})" for note, count in self.assumed.most_common()]
        lines += [f"no place for: {name} ({count})" for name, count in self.lost.most_common()]
        return "".join(f"{line}\n" for line in lines)


# One record


def convert(value: Any, wish: Wish, clues: Clues) -> Converted:
    """A record in the shape that was asked for; EnvelopeError where it is no envelope."""
    name, variant = wish.source, "as told"
    if name is None:
        found = recognise.recognise(value)
        if found.shape is None:
            kind = "ambiguous" if found.is_ambiguous else "not an envelope"
            raise EnvelopeError(f"{kind}: {found.problem}", code=found.variant.upper())
        name, variant = found.shape, found.variant
    if not isinstance(value, dict):
        raise EnvelopeError("not an envelope: not an object")
    told = shape(name).parse(value, clues)
    if name == wish.to == "response":
        return Converted(name, variant, None, [], [])
    target = shape(wish.to)
    outcome, notes = told.outcome, told.notes
    if wish.to == "response":
        outcome = _marked(outcome, name, notes)
    else:
        notes = [note for note in notes if not note.startswith("duration_ms")]
    envelope = target.render(outcome)
    if envelope == value:
        return Converted(name, variant, None, [], [])
    lost = losses.of(outcome, target) if name == "response" else []
    return Converted(name, variant, envelope, notes, lost)


def _marked(outcome: Outcome[Any], source: str, notes: list[str]) -> Outcome[Any]:
    """With what was assumed among the warnings, and the tool's own words named as such."""
    failure = outcome.failure
    untrusted = failures.untrusted_fields(failure) if failure else ("data",)
    said = [f"clawwrap: migrated from {source}: {note}" for note in notes]
    meta = outcome.meta._replace(untrusted=untrusted)
    return replace(outcome, meta=meta, warnings=(*outcome.warnings, *said))


# One input


class Sink(Protocol):
    """Where records go."""

    def put(self, record: Record, envelope: dict[str, Any] | None) -> None: ...
    def keep(self, record: Record) -> None: ...


class Nowhere:
    """For a look that writes nothing."""

    def put(self, record: Record, envelope: dict[str, Any] | None) -> None:
        pass

    def keep(self, record: Record) -> None:
        pass


class Lines:
    """One envelope a line, and nothing but envelopes."""

    def __init__(self, stream: BinaryIO, *, at_once: bool) -> None:
        self.stream = stream
        self.at_once = at_once  # somebody may be writing to us, and somebody else waiting

    def put(self, record: Record, envelope: dict[str, Any] | None) -> None:
        self.stream.write(emit.encode(record.value if envelope is None else envelope) + b"\n")
        if self.at_once:
            self.stream.flush()

    def keep(self, record: Record) -> None:
        pass  # it is told on stderr; the reader of the stream gets envelopes only


class Rewritten:
    """The same file again: its records in their order, what is not converted to the letter."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.in_array = False

    def put(self, record: Record, envelope: dict[str, Any] | None) -> None:
        if envelope is None:
            self._write(record, record.raw)
        elif b"\n" in record.raw:
            self._write(record, _indented(envelope))
        else:
            self._write(record, emit.encode(envelope))

    def keep(self, record: Record) -> None:
        if record.raw:
            self._write(record, record.raw.rstrip(b"\r\n"))

    def close(self) -> None:
        if self.in_array:
            self.stream.write(b"\n]\n")
            self.in_array = False

    def _write(self, record: Record, raw: bytes) -> None:
        if record.in_array:
            self.stream.write(b",\n" if self.in_array else b"[\n")
            self.in_array = True
            self.stream.write(raw)
            return
        self.close()
        self.stream.write(raw + b"\n")


def _indented(envelope: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(envelope, option=orjson.OPT_INDENT_2)
    except TypeError:
        return emit.encode(envelope)


class Migration:
    """One call: the same wish for every input, one tally for all."""

    def __init__(self, wish: Wish, tell: Callable[[str], None], progress: Progress) -> None:
        self.wish = wish
        self.tell = tell
        self.progress = progress
        self.tally = Tally()

    def pour(self, stream: BinaryIO, name: str, timestamp: str, sink: Sink) -> int:
        """Every record of a stream into a sink; returns how many were changed."""
        clues = self.wish.clues
        clues = clues._replace(timestamp=clues.timestamp or timestamp)
        self.tally.files += 1
        changed = 0
        for record in records.split(stream):
            self.tally.records += 1
            self.progress.step()
            try:
                if record.problem:
                    raise EnvelopeError(record.problem, code="BROKEN")
                found = convert(record.value, self.wish, clues)
            except ClawwrapError as error:
                self._count_failure(name, record, error)
                sink.keep(record)
                continue
            self._count(found)
            changed += found.envelope is not None
            sink.put(record, found.envelope)
        return changed

    def _count(self, found: Converted) -> None:
        self.tally.shapes[found.shape] += 1
        if found.envelope is None:
            self.tally.unchanged += 1
        else:
            self.tally.changed += 1
        self.tally.assumed.update(found.notes)
        self.tally.lost.update(found.lost)

    def _count_failure(self, name: str, record: Record, error: ClawwrapError) -> None:
        if error.code == "BROKEN":
            self.tally.broken += 1
        else:
            self.tally.unrecognised += 1
            self.tally.ambiguous += error.code == "AMBIGUOUS"
        problem = f"{name}:{record.line}: {error.message}"
        self.report(problem)
        if self.wish.strict:
            raise EnvelopeError(
                problem,
                suggestion="Correct that record, or leave out --strict to go on past it.",
            )

    def report(self, problem: str) -> None:
        if len(self.tally.problems) < MOST_TOLD:
            self.tally.problems.append(problem)
            self.tell(problem)

    def spoil(self, problem: str) -> None:
        """A whole input that cannot be read to its end."""
        self.tally.broken += 1
        self.report(problem)


# Files


@contextmanager
def opened(path: str) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """A file as it is, and its content, unpacked where it is gzip; `-` is standard input."""
    raw: BinaryIO
    raw = sys.stdin.buffer if path == "-" else open(path, "rb")  # noqa: SIM115  # closed below
    try:
        yield raw, unpacked(raw)
    finally:
        if path != "-":
            raw.close()


def unpacked(raw: BinaryIO) -> BinaryIO:
    peek: Callable[[int], bytes] = raw.peek  # type: ignore[attr-defined]  # both are buffered
    if peek(2)[:2] == GZIP_MAGIC:
        return gzip.GzipFile(fileobj=raw, mode="rb")  # type: ignore[return-value]  # is binary I/O
    return raw


def modified(path: str) -> str:
    """When a file was last written, as an envelope tells time; for standard input, now."""
    now = time.time_ns() if path == "-" else os.stat(path).st_mtime_ns
    return circumstances.timestamp(now)


def rewrite(migration: Migration, path: str, *, backup: bool) -> None:
    """Convert a file in place: a draft beside it takes its place once it is whole, or never."""
    target = os.path.realpath(path)
    before = os.stat(target)
    draft = os.path.join(
        os.path.dirname(target), f".{os.path.basename(target)}.{os.getpid()}.clawwrap"
    )
    try:
        with opened(target) as (raw, content), open(draft, "xb") as file:
            migration.progress.follow(raw)
            packed = content is not raw
            out: Any = gzip.GzipFile(fileobj=file, mode="wb", mtime=0) if packed else file
            sink = Rewritten(out)
            changed = migration.pour(content, path, modified(target), sink)
            sink.close()
            if packed:
                out.close()
            file.flush()
            os.fsync(file.fileno())
        if not changed:
            return
        _take_over(draft, before)
        if backup:
            _keep_copy(target)
        os.replace(draft, target)
        _sync_folder(os.path.dirname(target))
        migration.tally.changed_files.append(path)
    finally:
        if os.path.lexists(draft):
            os.unlink(draft)


def _take_over(draft: str, before: os.stat_result) -> None:
    """The draft gets the rights of the file whose place it takes."""
    os.chmod(draft, stat.S_IMODE(before.st_mode))
    try:
        os.chown(draft, before.st_uid, before.st_gid)
    except PermissionError:
        pass  # only root may give files away


def _keep_copy(target: str) -> str:
    """The file under another name that is not taken yet."""
    for number in range(1000):
        name = f"{target}.bak" if number == 0 else f"{target}.bak.{number}"
        try:
            os.link(target, name)
            return name
        except FileExistsError:
            continue
        except OSError:  # no hard links here
            if not os.path.lexists(name):
                shutil.copy2(target, name)
                return name
    raise EnvelopeError(
        f"{target}: a thousand backups lie beside it already",
        suggestion="Remove some of them, or leave out --backup.",
    )


def _sync_folder(folder: str) -> None:
    """So that the new name survives a power cut too."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    except OSError:
        pass  # some file systems do not offer it
    finally:
        os.close(fd)


class Progress:
    """A bar on stderr for a person at a terminal; for nobody else."""

    def __init__(self, total: int, *, shown: bool) -> None:
        self.total = total
        self.shown = shown and total > 0
        self.done = 0  # bytes of the inputs before this one
        self.records = 0
        self.raw: BinaryIO | None = None
        self.next = 0.0

    def follow(self, raw: BinaryIO) -> None:
        """The next input."""
        self.done += self._position()
        self.raw = raw

    def step(self) -> None:
        self.records += 1
        if self.shown and self.records % 256 == 0 and time.monotonic() >= self.next:
            self.next = time.monotonic() + PROGRESS_EVERY_S
            share = min((self.done + self._position()) / self.total, 1.0)
            bar = "#" * round(share * 30)
            sys.stderr.write(f"\r[{bar:<30}] {share:4.0%}  {self.records} records ")
            sys.stderr.flush()

    def clear(self) -> None:
        if self.shown and self.next:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def _position(self) -> int:
        try:
            return self.raw.tell() if self.raw else 0
        except (OSError, ValueError):  # a pipe, or closed by now
            return 0
