"""A short name for what a tool answered, which changes when the answer does. Pure."""

from __future__ import annotations

from clawwrap import text
from clawwrap.plain import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawwrap.capture import Stream
    from clawwrap.patterns import Matcher
    from clawwrap.payload import Payload


def of(stream: Stream, content: Payload, volatile: Sequence[Matcher]) -> str:
    """Colours, progress and what the adapter calls volatile do not count."""
    if content.is_selected and content.selection is not None:
        from clawwrap.json_text import dumps

        return digest(dumps(content.selection))
    if stream.total > len(stream.head) + len(stream.tail):
        return digest(stream.head + b"%d %d" % (stream.crc, stream.total))
    raw = stream.head + stream.tail
    if content.kind == "bytes":
        return digest(raw)
    shown = text.render(raw, content.encoding).text.encode("utf-8", "replace")
    if volatile:
        shown = _without(volatile, shown)
    return digest(shown)


def _without(volatile: Sequence[Matcher], shown: bytes) -> bytes:
    from clawwrap import patterns

    for matcher in volatile:
        shown = patterns.expression(matcher[0], matcher[1]).sub(b"", shown)
    return shown
