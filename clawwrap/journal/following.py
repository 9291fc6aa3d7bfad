"""The log while it grows, until a signal comes or nobody listens any more."""

from __future__ import annotations

import select
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from clawwrap.journal import reading

Entry = dict[str, Any]
LOOK_S = 0.2
ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def follow(
    environ: Mapping[str, str],
    has: Callable[[Entry], bool],
    last: int | None,
    take: Callable[[Entry], bool],
) -> None:
    """Hand over the last entries there are and then every new one, until `take` returns false.

    Files may be put aside or removed meanwhile. Each is read once more when it is no longer
    found, since whoever had it open may have written into it.
    """
    ended = _Ended()
    files = reading.open_new(environ, {})
    ready: Iterable[Entry] = deque(filter(has, _entries(files.values())), last)
    while all(take(entry) for entry in ready) and not ended.wait(LOOK_S):
        found = reading.open_new(environ, files)
        gone = [files[inode] for inode in files.keys() - found.keys()]
        ready = list(filter(has, _entries([*gone, *found.values()])))
        for file in gone:
            file.close()
        files = found


def _entries(files: Iterable[reading.Tail]) -> Iterator[Entry]:
    for file in files:
        for line in file.lines():
            if entry := reading.parse(line):
                yield entry


class _Ended:
    """Whether a signal has come that asks us to end."""

    def __init__(self) -> None:
        self._came = False
        for number in ENDS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._on_signal)

    def _on_signal(self, _number: int, _frame: object) -> None:
        self._came = True

    def wait(self, seconds: float) -> bool:
        if not self._came:
            select.select([], [], [], seconds)
        return self._came
