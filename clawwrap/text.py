"""Bytes that a tool printed become text as a person would see it. Pure."""

from __future__ import annotations

import re

#: How much of the beginning and of the end of a stream is looked at.
HEAD = 64 << 10
TAIL = 64 << 10

ESCAPES = re.compile(
    rb"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    rb"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)"  # OSC, DCS: titles, links
    rb"|\x1b[ -/]*[0-~]"
)
CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def clean(raw: bytes) -> bytes:
    """The text as a person would see it: no colours, progress bars in their last state."""
    text = ESCAPES.sub(b"", raw)
    if b"\r" in text:
        lines = text.replace(b"\r\n", b"\n").split(b"\n")
        text = b"\n".join(line.rstrip(b"\r").rpartition(b"\r")[2] for line in lines)
    text = CONTROLS.sub(b"", text)
    return text.decode("utf-8", "backslashreplace").encode()


def excerpt(head: bytes, tail: bytes) -> bytes:
    """The two ends of a stream that say what happened."""
    if len(head) + len(tail) <= HEAD + TAIL:
        return head + tail
    if len(tail) < TAIL:
        tail = (head + tail)[-TAIL:]
    return head[:HEAD] + b"\n" + tail[-TAIL:]
