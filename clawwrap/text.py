"""Bytes that a tool printed become text as a person would see it. Pure.

Most of it is plain ASCII and done with at once; what is not is `cleaning`'s business, whose
expressions take longer to compile than many tools take to run.
"""

from __future__ import annotations

from clawwrap.plain import is_plain
from clawwrap.record import NamedTuple

#: How much of the beginning and of the end of a stream is looked at.
HEAD = 64 << 10
TAIL = 64 << 10

BINARY = "binary"


class Rendering(NamedTuple):
    """A text, and the names of what had to be changed to get it."""

    text: str
    cleaned: tuple[str, ...] = ()


def encoding_of(head: bytes, tail: bytes = b"") -> str:
    """How the bytes are to be read: a codec's name, or `binary`. `tail` comes after a gap."""
    if is_plain(head) and is_plain(tail):
        return "utf-8"
    from clawwrap import cleaning

    return cleaning.encoding_of(head[:HEAD], tail[-TAIL:])


def render(raw: bytes, encoding: str = "utf-8") -> Rendering:
    """The text as a person would see it: no colours, progress bars in their last state."""
    if encoding == "utf-8" and is_plain(raw):
        return Rendering(raw.decode("ascii"))
    from clawwrap import cleaning

    return Rendering(*cleaning.render(raw, "utf-8" if encoding == BINARY else encoding))


def clean(raw: bytes) -> bytes:
    """The same as UTF-8 without NUL, for judging."""
    return render(raw, encoding_of(raw)).text.replace("\0", "").encode("utf-8", "replace")


def excerpt(head: bytes, tail: bytes) -> bytes:
    """The two ends of a stream that say what happened."""
    if len(head) + len(tail) <= HEAD + TAIL:
        return head + tail
    if len(tail) < TAIL:
        tail = (head + tail)[-TAIL:]
    return head[:HEAD] + b"\n" + tail[-TAIL:]
