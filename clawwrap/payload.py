"""The tool's stdout becomes `data`: JSON, what the adapter makes of it, text or bytes. Pure.

Where it does not fit, `data` is the first page, and says where the next one starts.
"""

from __future__ import annotations

import binascii

from clawwrap import commands, portions, text
from clawwrap.json_text import BOM, loads, size
from clawwrap.portions import Bytes
from clawwrap.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from clawwrap.fields import Path

#: More prose than this around a JSON value, and the output is prose.
MOST_PROSE_LINES = 12
#: JSON up to this size is read back from the spool to be looked at as a whole.
LONGEST_VALUE = 5 << 19
#: And up to this many members and items, each of which takes about a hundred bytes of memory.
MOST_PARTS = 250_000
#: An array up to this size is counted.
LONGEST_LIST = 32 << 20
TEXT, BYTES, VALUE, ARRAY, LINES = "text", "bytes", "value", "array", "lines"


class Payload(NamedTuple):
    """What goes into `data`, and what had to be said about it."""

    data: Any
    warnings: Sequence[str] = ()
    suggestion: str = ""  # how to get it in a better form
    kind: str = TEXT  # how it is paged: text, bytes, array or lines; a value is not
    shown: int | None = None  # bytes from the beginning; None is all of them
    total_count: int | None = None  # items, where it is paged by items
    encoding: str = "utf-8"
    cleaned: tuple[str, ...] = ()
    is_selected: bool = False  # by --fields, and so are its pages
    selection: Any = None  # all of what was selected, where it is known

    @property
    def truncated(self) -> bool:
        return self.shown is not None

    @property
    def is_exact(self) -> bool:
        """Whether the tool's bytes, or the JSON value in them, can be told from `data`."""
        return not self.cleaned and self.encoding == "utf-8"

    @property
    def returned_count(self) -> int | None:
        return None if self.total_count is None else len(self.data)


def read(
    stream: Bytes,
    cap: int,
    spec: dict[str, Any] | None = None,
    paths: Sequence[Path] = (),
) -> Payload:
    """The data in a stream, at most about `cap` bytes of it; 0 is no cap.

    `spec` is what the adapter says of the form of this command's output, `paths` select from it.
    """
    encoding = portions.encoding_of(stream)
    if encoding == text.BINARY:
        return _binary(stream, cap)
    whole = stream.at_hand
    found: Payload | None = None
    if whole is not None and not (cap and len(whole) > cap):
        found = _value(whole, encoding) or _text(whole, cap, encoding, spec)
    elif _begins_like_json(stream.head) and (raw := _read_back(stream)):
        found = _json(raw)
    if found and paths:
        found = _selected(found, paths)
        paths = paths if found.is_selected else ()
    if found and not (cap and not _fits(found, cap)):
        return found
    return _as_items(found, stream, cap, paths) or _ends(stream, cap, encoding, found)


def _fits(found: Payload, cap: int) -> bool:
    room = portions.with_slack(cap) if found.kind == TEXT else cap
    return size(found.data) <= room


# JSON


def _begins_like_json(head: bytes) -> bool:
    return head.removeprefix(BOM).lstrip()[:1] in (b"{", b"[")


def _value(raw: bytes, encoding: str) -> Payload | None:
    """The JSON in a short output, also where colours or a few words of prose surround it."""
    if encoding == "utf-8" and _begins_like_json(raw) and (found := _json(raw)):
        return found
    if b"{" not in raw and b"[" not in raw:
        return None
    rendering = text.render(raw, encoding)
    shown = rendering.text.encode("utf-8", "replace")
    return (_json(shown) if rendering.cleaned else None) or _json_in_prose(shown)


def _json(raw: bytes) -> Payload | None:
    content = raw.removeprefix(BOM).strip()
    if not content.startswith((b"{", b"[")):
        return None
    try:
        value = loads(content)
        return Payload(value, kind=ARRAY if isinstance(value, list) else VALUE)
    except (ValueError, RecursionError):
        return _json_lines(raw)


def _json_lines(raw: bytes) -> Payload | None:
    lines = [line for line in raw.split(b"\n") if line.strip()]
    if len(lines) < 2 or not all(line.lstrip().startswith((b"{", b"[")) for line in lines):
        return None
    try:
        return Payload([loads(line) for line in lines], kind=LINES)
    except (ValueError, RecursionError):
        return None


def _json_in_prose(raw: bytes) -> Payload | None:
    """One JSON value with a few lines of prose around it."""
    lines = raw.split(b"\n")
    starts = [i for i, line in enumerate(lines) if line.lstrip().startswith((b"{", b"["))]
    ends = [i for i, line in enumerate(lines) if line.rstrip().endswith((b"}", b"]"))]
    if not starts or not ends:
        return None
    first, last = starts[0], ends[-1]
    prose = [line for line in lines[:first] + lines[last + 1 :] if line.strip()]
    if len(prose) > MOST_PROSE_LINES or any(line.lstrip()[:1] in b"{}[]" for line in prose):
        return None
    found = _json(b"\n".join(lines[first : last + 1]))
    if not found or not found.data or found.kind == LINES:
        return None
    if isinstance(found.data, list) and not _holds_objects(found.data):
        return None
    said = [line.decode("utf-8", "replace").strip() for line in prose]
    return Payload(found.data, [f"stdout: {line}" for line in said], kind=VALUE)


def _holds_objects(values: list[Any]) -> bool:
    return all(isinstance(item, (dict, list)) for item in values)


def _read_back(stream: Bytes) -> bytes | None:
    """All of an output of moderate length, from memory or from the spool."""
    whole = stream.at_hand
    if whole is None and stream.read and stream.total <= LONGEST_VALUE:
        whole = stream.read(0, stream.total)
    if whole is None or len(whole) < stream.total:
        return None
    return whole if sum(map(whole.count, (b"{", b"[", b",", b":"))) < MOST_PARTS else None


def _as_items(
    found: Payload | None, stream: Bytes, cap: int, paths: Sequence[Path]
) -> Payload | None:
    """The first page of a long list, in whole items; None where it is none, or one is too long."""
    whole = stream.at_hand
    reads = stream.read if whole is None else lambda at, length: whole[at : at + length]
    if reads is None or (found and found.kind not in (ARRAY, LINES)):
        return None
    from clawwrap import fields, items  # most outputs are not that long

    if found:
        kind, count, longest = found.kind, len(found.data), max(map(size, found.data), default=0)
    elif stream.total > LONGEST_LIST or not _begins_like_json(stream.head):
        return None
    else:
        kind, count, longest, absent = items.survey(reads, paths)
        if paths and len(absent) == len(paths):  # then everything is shown, and this is said
            page = _as_items(None, stream, cap, ())
            note = fields.chosen(page.data, paths)[1] if page else []
            return page and page._replace(warnings=note)
        found = Payload(None, fields.told(absent), kind=kind, is_selected=bool(paths))
    if not kind or longest > cap:
        return None
    try:
        values, end, more = items.take(kind, reads, 0, cap, paths)
    except items.NotItems:  # a colour before it
        return None
    page = found._replace(data=values)
    return page._replace(shown=end, total_count=count) if more else page


def _selected(found: Payload, paths: Sequence[Path]) -> Payload:
    from clawwrap import fields

    data, note = fields.chosen(found.data, paths)
    warnings, is_whole = [*found.warnings, *note], data is found.data
    return found._replace(
        data=data, warnings=warnings, is_selected=not is_whole, selection=None if is_whole else data
    )


# Text


def _text(raw: bytes, cap: int, encoding: str, spec: dict[str, Any] | None) -> Payload:
    rendering = text.render(raw, encoding)
    found = Payload({"stdout": rendering.text}, encoding=encoding, cleaned=rendering.cleaned)
    return _in_form(spec, found, cap) if spec and raw.strip() else found


def _in_form(spec: dict[str, Any], found: Payload, cap: int) -> Payload:
    """What the adapter makes of a text; where it has another form, the text and a word on it."""
    hint = commands.hint(spec) if spec.get("machine") else ""
    if spec["as"] == "text":
        return found._replace(suggestion=hint)
    from clawwrap import formats  # most outputs stay what they are

    try:
        data = formats.parse(spec, found.data["stdout"])
    except formats.MissingParser as missing:
        return found._replace(suggestion=hint or str(missing))
    except formats.Unreadable as error:
        warning = f"clawwrap: stdout is kept as text; it is not in the form {spec['as']}: {error}"
        return found._replace(warnings=[warning], suggestion=hint)
    length = size(data)
    if cap and length > portions.with_slack(cap):
        warning = f"clawwrap: stdout is kept as text; as {spec['as']} it would take {length} bytes"
        return found._replace(warnings=[warning], suggestion=hint)
    return found._replace(data=data, suggestion=hint)


def _ends(stream: Bytes, cap: int, encoding: str, found: Payload | None) -> Payload:
    """The first page and, because errors live there, the end."""
    ends = portions.ends(stream, cap, encoding)
    suggestion = found.suggestion if found else ""
    if found is not None and found.kind == VALUE and isinstance(found.data, dict):
        names = ", ".join(list(found.data)[:12])
        suggestion = f"Select what you need with --fields ({names}), and data stays JSON."
    return Payload(
        {"stdout": ends.head.text, "tail": ends.tail.text},
        warnings=found.warnings if found else (),
        suggestion=suggestion,
        shown=ends.shown,
        encoding=encoding,
        cleaned=ends.cleaned,
    )


# Bytes


def _binary(stream: Bytes, cap: int) -> Payload:
    whole = stream.at_hand
    if whole is not None and not (cap and len(whole) > cap * 3 // 4):
        return Payload(as_base64(whole, stream.total, stream.head), kind=BYTES)
    room = cap * 3 // 4 if cap else len(stream.head)
    part = stream.head[: max(room, 1)]
    return Payload(as_base64(part, stream.total, stream.head), kind=BYTES, shown=len(part))


def as_base64(part: bytes, total: int, head: bytes) -> dict[str, Any]:
    """Bytes that are no text, with the size and the kind of what they belong to."""
    from clawwrap import magic  # most tools print text

    content = binascii.b2a_base64(part, newline=False).decode()
    return {"encoding": "base64", "bytes": total, "kind": magic.kind_of(head), "content": content}
