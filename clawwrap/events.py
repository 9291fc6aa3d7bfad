"""What happens while the tool runs: JSON lines on stdout (jsonl), a copy on stderr (--live)."""

from __future__ import annotations

import binascii
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from clawwrap import cleaning, emit, text
from clawwrap.capture import write_all
from clawwrap.circumstances import timestamp
from clawwrap.launch import Child
from clawwrap.redact import LineRedactor, Redactor

#: How long the beginning of a line or of a sequence is held back for the rest of it.
HOLD_MS = 100


class Channel:
    """One stream of the tool, cut where nothing is split, and without secrets."""

    def __init__(self, name: str, hide: LineRedactor | None) -> None:
        self.name = name
        self._hide = hide
        self._held = b""
        self._held_since_ns = 0

    def feed(self, chunk: bytes) -> list[dict[str, Any]]:
        """What may be told now; empty where it must wait for more."""
        raw = self._held + chunk
        end = cleaning.safe_end(raw)
        self._held = raw[end:]
        self._held_since_ns = time.monotonic_ns()
        return self._told(raw[:end])

    def flush(self, *, force: bool) -> list[dict[str, Any]]:
        """What has been held back for long enough."""
        if not force and self.wait_ms() != 0:
            return []
        raw, self._held, self._held_since_ns = self._held, b"", 0
        return self._told(raw) + self._rest()

    def wait_ms(self) -> int | None:
        """How long until something that is held back may go; None where nothing is."""
        if not self._held_since_ns:
            return None
        waited = (time.monotonic_ns() - self._held_since_ns) // 1_000_000
        return max(0, HOLD_MS - waited)

    def _told(self, raw: bytes) -> list[dict[str, Any]]:
        encoding = text.encoding_of(raw)
        if encoding == text.BINARY:
            content = binascii.b2a_base64(raw, newline=False).decode()
            return [*self._rest(), {"encoding": "base64", "content": content}]
        shown = text.render(raw, encoding).text
        shown = self._hide.feed(shown) if self._hide else shown
        return [{"text": shown}] if shown else []

    def _rest(self) -> list[dict[str, Any]]:
        """The beginning of a line that is shown before it ends."""
        shown = self._hide.flush() if self._hide else ""
        return [{"text": shown}] if shown else []


class Observer(ABC):
    """Both streams of a run, and when to look after what is held back."""

    def __init__(self, hide_stdout: LineRedactor | None, hide_stderr: LineRedactor | None) -> None:
        self._out = Channel("stdout", hide_stdout)
        self._err = Channel("stderr", hide_stderr)

    def stdout(self, chunk: bytes) -> bool:
        return self._tell(self._out, self._out.feed(chunk))

    def stderr(self, chunk: bytes) -> bool:
        return self._tell(self._err, self._err.feed(chunk))

    def ended(self) -> None:
        """Tell what was held back."""
        for channel in (self._out, self._err):
            self._tell(channel, channel.flush(force=True))

    def wait_ms(self) -> int | None:
        due = (channel.wait_ms() for channel in (self._out, self._err))
        return min((wait for wait in due if wait is not None), default=None)

    def tick(self, child: Child) -> None:
        for channel in (self._out, self._err):
            if channel.wait_ms() == 0:
                self._tell(channel, channel.flush(force=False))

    @abstractmethod
    def _tell(self, channel: Channel, told: list[dict[str, Any]]) -> bool:
        """Pass it on; false once nobody listens any more."""


class Events(Observer):
    """The observer of a jsonl run: one JSON line an event, at once."""

    def __init__(
        self, request_id: str, command: str, guard: Redactor, policy: str, heartbeat_ms: int
    ) -> None:
        super().__init__(
            guard.stream() if policy == "all" else None,
            guard.stream() if policy != "none" else None,
        )
        self._about = {"request_id": request_id, "command": command}
        self._heartbeat_ms = heartbeat_ms
        self._sequence = 0
        self._open = True
        self._last_ns = self._started_ns = time.monotonic_ns()

    def started(self, child: Child) -> None:
        self._started_ns = time.monotonic_ns()
        self._write("started", {**self._about, "pid": child.pid or None})

    def attempt(self, number: int, told: dict[str, Any]) -> None:
        self._write("attempt", {"attempt": number, **told})

    def wait_ms(self) -> int | None:
        due = super().wait_ms()
        if not self._heartbeat_ms:
            return due
        silence = (time.monotonic_ns() - self._last_ns) // 1_000_000
        beat = max(0, self._heartbeat_ms - silence)
        return beat if due is None else min(due, beat)

    def tick(self, child: Child) -> None:
        super().tick(child)
        now = time.monotonic_ns()
        if self._heartbeat_ms and now - self._last_ns >= self._heartbeat_ms * 1_000_000:
            from clawwrap import tree

            silent_ms = (now - self._last_ns) // 1_000_000
            told = {"elapsed_ms": (now - self._started_ns) // 1_000_000, "silent_ms": silent_ms}
            waits = {"waits_for_input": True} if tree.waits_for_input(child.pid) else {}
            self._write("heartbeat", told | waits)

    def _tell(self, channel: Channel, told: list[dict[str, Any]]) -> bool:
        for part in told:
            self._write(channel.name, part)
        return self._open

    def _write(self, event: str, told: dict[str, Any]) -> None:
        line = {"event": event, "seq": self._sequence, "time": timestamp(time.time_ns()), **told}
        self._sequence += 1
        self._last_ns = time.monotonic_ns()
        self._open = self._open and write_all(1, emit.encode(line) + b"\n")


class Heard(Observer):
    """The observer of a program that wants to hear what the tool prints."""

    def __init__(self, hear: Callable[[str, str], None]) -> None:
        super().__init__(None, None)
        self._hear = hear

    def started(self, child: Child) -> None:
        """Who has started it knows."""

    def attempt(self, number: int, told: dict[str, Any]) -> None:
        """The outcome has a list of them."""

    def _tell(self, channel: Channel, told: list[dict[str, Any]]) -> bool:
        for part in told:
            self._hear(channel.name, part.get("text") or part["content"])
        return True


class Live(Observer):
    """The observer of --live: the tool's output on our stderr, as it comes."""

    def __init__(self, guard: Redactor, policy: str) -> None:
        self._is_open_to_all = policy != "all"
        super().__init__(guard.stream(), guard.stream())

    def started(self, child: Child) -> None:
        """Nobody needs to be told: it was asked for a moment ago."""

    def stdout(self, chunk: bytes) -> bool:
        return write_all(2, chunk) if self._is_open_to_all else super().stdout(chunk)

    def stderr(self, chunk: bytes) -> bool:
        return write_all(2, chunk) if self._is_open_to_all else super().stderr(chunk)

    @staticmethod
    def attempt(number: int, told: dict[str, Any]) -> None:
        note = f"clawwrap: attempt {number}: {told['code']}, again in {told['wait_ms']} ms\n"
        write_all(2, note.encode())

    def _tell(self, channel: Channel, told: list[dict[str, Any]]) -> bool:
        shown = [
            part["text"].encode() if "text" in part else binascii.a2b_base64(part["content"])
            for part in told
        ]
        return write_all(2, b"".join(shown))
