"""The parts of a stream that fit into an envelope: a page from its beginning, and its end. Pure."""

from __future__ import annotations

from clawwrap import text
from clawwrap.json_text import size
from clawwrap.record import NamedTuple
from clawwrap.text import Rendering

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

#: A page holds at least one character, however many bytes it takes.
SHORTEST = 4


class Bytes(NamedTuple):
    """One captured stream: its two ends, its true length, and how to read the middle."""

    head: bytes = b""
    tail: bytes = b""
    total: int = 0
    read: Callable[[int, int], bytes] | None = None

    @property
    def at_hand(self) -> bytes | None:
        """All of it, where it is in memory."""
        both = self.head + self.tail
        return both if len(both) == self.total else None


class Ends(NamedTuple):
    """The first page, how many bytes it stands for, and the end."""

    head: Rendering
    shown: int
    tail: Rendering

    @property
    def cleaned(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.head.cleaned + self.tail.cleaned))


def encoding_of(stream: Bytes) -> str:
    whole = stream.at_hand
    if whole is not None and len(whole) <= text.HEAD + text.TAIL:
        return text.encoding_of(whole)
    return text.encoding_of(stream.head, stream.tail or stream.head)


class Brief(NamedTuple):
    """A stream as one text."""

    text: str
    cleaned: tuple[str, ...]
    encoding: str
    is_cut: bool = False

    @property
    def is_exact(self) -> bool:
        return not self.cleaned and self.encoding == "utf-8"


def brief(stream: Bytes, cap: int) -> Brief:
    """A stream within `cap` bytes of JSON, its middle left out where it must be; 0 is no cap."""
    encoding = encoding_of(stream)
    whole = stream.at_hand
    if whole is not None and not (cap and len(whole) > cap):
        rendering = text.render(whole, encoding)
        if not cap or size(rendering.text) - 2 <= with_slack(cap):
            return Brief(*rendering, encoding)
    found = ends(stream, cap, encoding)
    gap = f"\n[… the middle of {stream.total} bytes is left out …]\n"
    joined = found.head.text.rstrip("\n") + gap + found.tail.text
    return Brief(joined, found.cleaned, encoding, is_cut=True)


def ends(stream: Bytes, cap: int, encoding: str) -> Ends:
    """Half of the cap for each."""
    half = -(-cap // 2)  # nothing would mean without a limit
    head, shown = take(stream.head, half, encoding)
    both = stream.head + stream.tail
    rest = both[len(both) - min(len(both), stream.total - shown) :]
    return Ends(head, shown, take_end(rest, half, encoding))


def take(raw: bytes, room: int, encoding: str) -> tuple[Rendering, int]:
    """As much of the beginning as fits into `room` bytes of JSON, and how many bytes that were.

    Without a limit, which is 0, it is all of it.
    """
    if not room:
        return text.render(raw, encoding), len(raw)
    limit = max(SHORTEST, room)
    while True:
        end = _cut(raw, limit, encoding)
        rendering = text.render(raw[:end], encoding)
        length = size(rendering.text) - 2
        if length <= with_slack(room) or limit <= SHORTEST:
            return rendering, end
        limit = max(SHORTEST, min(limit - 1, limit * room // length))


def _cut(raw: bytes, limit: int, encoding: str) -> int:
    """Where a page of `limit` bytes ends: behind a line or at least a word, where there is one."""
    if len(raw) <= limit:
        return len(raw)
    if encoding.startswith("utf-16"):
        end = limit & ~1
        return end - 2 if _is_split(raw, end, encoding) else end
    line_end = raw.rfind(b"\n", 3 * limit // 4, limit)
    word_end = line_end if line_end >= 0 else raw.rfind(b" ", 3 * limit // 4, limit)
    if word_end >= 0:
        return word_end + 1
    from clawwrap import cleaning

    return cleaning.safe_end(raw[:limit]) or cleaning.character_end(raw[:limit])


def take_end(raw: bytes, room: int, encoding: str) -> Rendering:
    """As much of the end as fits into `room` bytes of JSON, from the beginning of a line on."""
    limit = min(room, len(raw))
    while True:
        rendering = text.render(raw[_cut_end(raw, limit, encoding) :], encoding)
        length = size(rendering.text) - 2
        if length <= with_slack(room) or limit <= SHORTEST:
            return rendering
        limit = max(SHORTEST, min(limit - 1, limit * room // length))


def _cut_end(raw: bytes, limit: int, encoding: str) -> int:
    start = len(raw) - limit
    if start == 0:
        return 0
    if encoding.startswith("utf-16"):
        start += limit & 1
        return start + 2 if _is_split(raw, start, encoding) else start
    for mark in (b"\n", b" "):
        if (found := raw.find(mark, start - 1, start + limit // 4)) >= 0:
            return found + 1
    while start < len(raw) and 0x80 <= raw[start] < 0xC0:
        start += 1  # not in the middle of a character
    return start


def _is_split(raw: bytes, at: int, encoding: str) -> bool:
    """Whether a cut here would part the two halves of a character in UTF-16."""
    high = at - 1 if encoding.endswith("le") else at - 2
    return at > 1 and 0xD8 <= raw[high] < 0xDC


def with_slack(cap: int) -> int:
    """How long a text may be as JSON: a few line feeds and quotes are not worth a second page."""
    return cap + cap // 10
