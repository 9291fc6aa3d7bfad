"""What an envelope says of the circumstances of a run: when, where, in which trace, with what."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass

#: How much of the command line goes into the envelope, which its caller typed.
LONGEST_ARGV = 1024


def timestamp(now_ns: int) -> str:
    """A moment as envelopes tell it: ISO 8601 in UTC."""
    seconds, rest = divmod(now_ns, 1_000_000_000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest // 1_000_000:03d}Z"


def folder() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # the folder was deleted under us
        return None


def shortened(words: list[str]) -> tuple[str, ...]:
    """The command line, long words cut: whoever called knows them."""
    if sum(map(len, words)) <= LONGEST_ARGV:
        return tuple(words)
    shown: list[str] = []
    room = LONGEST_ARGV
    for word in words:
        most = max(16, room // 2)
        shown.append(word if len(word) <= most else f"{word[:most]}… ({len(word)} characters)")
        room -= len(shown[-1])
        if room <= 0:
            return (*shown, f"… ({len(words) - len(shown)} words)")
    return tuple(shown)
