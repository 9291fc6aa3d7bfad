"""Text that is not plain: which encoding it is in, and what a person would not see of it. Pure."""

from __future__ import annotations

import re

from clawwrap.text import BINARY, HEAD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


#: Controls that occur in text: tab, line feed, carriage return, backspace, form feed, escape.
TEXT_CONTROLS = bytes([7, 8, 9, 10, 12, 13, 27])
ODD_CONTROLS = bytes(n for n in (*range(32), 127) if n not in (0, *TEXT_CONTROLS))

ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|\x1b\][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)"  # OSC: titles, links
    r"|\x1b[PX^_][^\x1b]{0,65536}\x1b\\"  # DCS, SOS, PM, APC: pictures, answers
    r"|\x1b[ -/]*[0-~]"
)
SPLIT_CHARACTER = re.compile(
    rb"(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})\Z"
)
CHARACTER = rb"(?:[\xc2-\xdf][\x80-\xbf]?|[\xe0-\xef][\x80-\xbf]{0,2}|[\xf0-\xf4][\x80-\xbf]{0,3})"
#: What may be the beginning of more: an escape sequence, a line break, characters that are joined.
UNFINISHED = re.compile(
    rb"(?:\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b]*\x1b?|[ -/]*)?"
    rb"|\r|(?:" + CHARACTER + rb"\xe2\x80[\x8c\x8d]){0,12}(?:" + CHARACTER + rb"(?:\xe2\x80?)?)?)\Z"
)
LONGEST_SEQUENCE = 4096
CONTROLS = re.compile(r"[\x01-\x08\x0b-\x1f\x7f-\x9f]")
#: Characters that show nothing, or that turn the order of those around them. A joiner between
#: two letters beyond ASCII is part of how some scripts, and families of emoji, are written.
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
    "|(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])"
)


def encoding_of(head: bytes, tail: bytes) -> str:
    """A codec's name, or `binary`, by the beginning and the end of a stream."""
    sample = head + tail
    if wide := _utf_16(head):
        return wide
    odd = len(sample) - len(sample.translate(None, ODD_CONTROLS))
    if b"\0\0" in sample or odd * 10 > len(sample):
        return BINARY
    good, bad = _utf_8(head)
    more_good, more_bad = _utf_8(tail)
    good, bad = good + more_good, bad + more_bad
    if not bad:
        # Names that are separated by NUL are text; in anything else a NUL is not.
        return BINARY if odd and b"\0" in sample else "utf-8"
    if odd * 50 > len(sample) or b"\0" in sample:
        return BINARY
    if good >= bad:
        return "utf-8"  # with a few broken characters
    if bad * 5 > len(sample) * 2:
        return BINARY
    return "windows-1252" if _is_windows(sample) else "latin-1"


def _utf_16(head: bytes) -> str:
    """UTF-16 by its mark, or by every other byte being NUL."""
    pairs = len(head) // 2
    for codec, mark, nul_at in (("utf-16-le", b"\xff\xfe", 1), ("utf-16-be", b"\xfe\xff", 0)):
        nuls = head[nul_at : 2 * pairs : 2].count(0)
        if head.startswith(mark) or (pairs > 7 and nuls * 10 > pairs * 6):
            try:
                text = head[: 2 * pairs - 2 * (len(head) >= HEAD)].decode(codec)
            except UnicodeDecodeError:
                continue
            if not re.search("[\x00-\x06\x0e-\x1a\ufffe\uffff]", text):
                return codec
    return ""


def _utf_8(raw: bytes) -> tuple[int, int]:
    """How many characters beyond ASCII are well-formed, and how many bytes are not."""
    start = 0
    while start < min(3, len(raw)) and 0x80 <= raw[start] < 0xC0:
        start += 1  # a cut may have split a character
    split = SPLIT_CHARACTER.search(raw, max(0, len(raw) - 4))
    end = split.start() if split else len(raw)
    text = raw[start:end].decode("utf-8", "surrogateescape")
    bad = sum("\udc80" <= char <= "\udcff" for char in text)
    good = sum(char > "\x7f" for char in text) - bad
    # What was passed over at the ends is a split character only where there is more.
    return good, bad + (start + len(raw) - end if len(raw) < HEAD else 0)


def _is_windows(raw: bytes) -> bool:
    """Latin-1 has no printable characters between 0x80 and 0x9f, and Windows has some."""
    if not re.search(rb"[\x80-\x9f]", raw):
        return False
    return not re.search(rb"[\x81\x8d\x8f\x90\x9d]", raw)


def safe_end(raw: bytes) -> int:
    """Where `raw` may be cut without splitting a character, a line break or an escape sequence."""
    found = UNFINISHED.search(raw, max(0, len(raw) - LONGEST_SEQUENCE))
    return found.start() if found else len(raw)


def character_end(raw: bytes) -> int:
    """Where `raw` may be cut at least between two characters; its end where there is no such."""
    split = SPLIT_CHARACTER.search(raw, max(0, len(raw) - 4))
    return (split and split.start()) or len(raw)


def render(raw: bytes, codec: str) -> tuple[str, tuple[str, ...]]:
    """The text, and the names of what had to be changed to get it."""
    cleaned = []
    try:
        text = raw.decode(codec)
    except UnicodeDecodeError:
        text = raw.decode(codec, "backslashreplace")
        cleaned.append("invalid bytes")
    for name, step in STEPS:
        before, text = text, step(text)
        if text != before:
            cleaned.append(name)
    return text, tuple(cleaned)


def _last_state(text: str) -> str:
    """Each line as it looks once everything that was printed over it is there."""
    if "\r" in text:
        lines = (line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
        text = "\n".join(lines)
    if "\x08" in text:
        text = "\n".join(map(_backspaced, text.split("\n")))
    return text


def _backspaced(line: str) -> str:
    shown: list[str] = []
    for char in line:
        if char != "\x08":
            shown.append(char)
        elif shown:
            shown.pop()
    return "".join(shown)


def _named(found: re.Match[str]) -> str:
    number = ord(found.group())
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


#: What is done to a text, in this order; the names go into `meta.cleaned`.
STEPS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("byte order mark", lambda text: text.removeprefix("\ufeff")),
    ("escape sequences", lambda text: ESCAPES.sub("", text)),
    ("line ends", lambda text: text.replace("\r\n", "\n")),
    ("progress", _last_state),
    ("controls", lambda text: CONTROLS.sub("", text)),
    ("invisible characters", lambda text: INVISIBLE.sub(_named, text)),
)
