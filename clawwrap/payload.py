"""The tool's stdout becomes `data`: JSON, what the adapter makes of it, text or bytes. Pure."""

from __future__ import annotations

import binascii
import json
import re
from typing import Any, NamedTuple

import orjson

from clawwrap.text import ESCAPES, clean

#: A number this long may not fit into what a fast parser keeps exactly.
LONG_NUMBER = re.compile(rb"\d{16}")
#: More prose than this around a JSON value, and the output is prose.
MOST_PROSE_LINES = 12


class Payload(NamedTuple):
    """What goes into `data`, and what had to be said about it."""

    data: Any
    warnings: list[str]
    truncated: bool = False
    suggestion: str = ""  # how to get it in a better form


class Bytes(NamedTuple):
    """One captured stream: its two ends and its true length."""

    head: bytes = b""
    tail: bytes = b""
    total: int = 0

    @property
    def whole(self) -> bytes | None:
        both = self.head + self.tail
        return both if len(both) == self.total else None


def read(stream: Bytes, cap: int, spec: dict[str, Any] | None = None) -> Payload:
    """The data in a stream, at most about `cap` bytes of it; 0 is no cap.

    `spec` is what the adapter says of the form of this command's output.
    """
    whole = stream.whole
    if whole is not None:
        if not cap or len(whole) <= cap:
            return _read_whole(whole, spec)
        found = _json(whole) if _is_text(whole) else None
        if found and len(dumps(found.data)) <= cap:
            return found  # it was long only by its indentation
    return _shorten(stream, cap)


def _read_whole(raw: bytes, spec: dict[str, Any] | None) -> Payload:
    if not _is_text(raw):
        encoded = _base64(raw)
        return Payload({"encoding": "base64", "bytes": len(raw), "content": encoded}, [])
    found = _json(raw) or _json_lines(raw) or _json_in_prose(raw)
    if found:
        return found
    text = Payload({"stdout": raw.decode()}, [])
    return _in_form(spec, text) if spec and raw.strip() else text


def _in_form(spec: dict[str, Any], text: Payload) -> Payload:
    """What the adapter makes of a text; where it has another form, the text and a word on it."""
    machine = spec.get("machine")
    hint = f"Add {machine} for output that is made for programs." if machine else ""
    if spec["as"] == "text":
        return text._replace(suggestion=hint)
    from clawwrap import formats  # most outputs stay what they are

    try:
        data = formats.parse(spec, clean(text.data["stdout"].encode()).decode())
        return Payload(data, [], suggestion=hint)
    except formats.MissingParser as missing:
        return text._replace(suggestion=hint or str(missing))
    except formats.Unreadable as error:
        warning = f"clawwrap: stdout is kept as text; it is not in the form {spec['as']}: {error}"
        return text._replace(warnings=[warning], suggestion=hint)


def _base64(raw: bytes) -> str:
    return binascii.b2a_base64(raw, newline=False).decode()


def _is_text(raw: bytes) -> bool:
    if b"\0" in raw:
        return False
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def loads(raw: bytes) -> Any:
    """Parse JSON without losing digits; ValueError where it is none."""
    return json.loads(raw) if LONG_NUMBER.search(raw) else orjson.loads(raw)


def dumps(value: Any) -> bytes:
    """JSON in its shortest form; whole numbers of any size."""
    try:
        return orjson.dumps(value)
    except TypeError:  # a number beyond 64 bits
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _json(raw: bytes) -> Payload | None:
    text = raw.strip()
    if not text.startswith((b"{", b"[")):
        return None
    try:
        return Payload(loads(text), [])
    except (ValueError, RecursionError):
        return None


def _json_lines(raw: bytes) -> Payload | None:
    lines = [line for line in raw.split(b"\n") if line.strip()]
    if len(lines) < 2 or not all(line.lstrip().startswith((b"{", b"[")) for line in lines):
        return None
    try:
        return Payload([loads(line) for line in lines], [])
    except (ValueError, RecursionError):
        return None


def _json_in_prose(raw: bytes) -> Payload | None:
    """One JSON value with a few lines of prose or colour codes around it."""
    lines = ESCAPES.sub(b"", raw).split(b"\n")
    starts = [i for i, line in enumerate(lines) if line.lstrip().startswith((b"{", b"["))]
    ends = [i for i, line in enumerate(lines) if line.rstrip().endswith((b"}", b"]"))]
    if not starts or not ends:
        return None
    first, last = starts[0], ends[-1]
    prose = [line for line in lines[:first] + lines[last + 1 :] if line.strip()]
    if len(prose) > MOST_PROSE_LINES or any(line.lstrip()[:1] in b"{}[]" for line in prose):
        return None
    found = _json(b"\n".join(lines[first : last + 1]))
    if (
        not found
        or not found.data
        or (isinstance(found.data, list) and not _holds_objects(found.data))
    ):
        return None
    said = [line.decode("utf-8", "replace").strip() for line in prose]
    return Payload(found.data, [f"stdout: {line}" for line in said])


def _holds_objects(items: list[Any]) -> bool:
    return all(isinstance(item, (dict, list)) for item in items)


def _shorten(stream: Bytes, cap: int) -> Payload:
    """Head and tail, because errors live at the end; the gap is announced."""
    note = (
        f"stdout has {stream.total} bytes; its beginning and end are shown. "
        "Run it again with --max-output 0 for everything, or ask the tool for less."
    )
    if not (_is_text_like(stream.head) and _is_text_like(stream.tail)):
        part = stream.head[:cap] if cap else stream.head
        content = _base64(part)
        data = {"encoding": "base64", "bytes": stream.total, "content": content}
        return Payload(data, [note], truncated=True)
    return Payload({"stdout": shorten(stream, cap)}, [note], truncated=True)


def _is_text_like(raw: bytes) -> bool:
    """Text, except that a cut may have split a character at either end."""
    if b"\0" in raw:
        return False
    middle = raw[4:-4]
    for start in range(4):
        for end in range(len(middle), max(len(middle) - 4, 0) - 1, -1):
            try:
                middle[start:end].decode()
            except UnicodeDecodeError:
                continue
            return True
    return not middle


def shorten(stream: Bytes, cap: int) -> str:
    """A stream as text within `cap` bytes, whole lines where that is possible."""
    both = stream.head + stream.tail
    if stream.whole is not None and not (cap and len(both) > cap):
        return both.decode("utf-8", "backslashreplace")
    half = (cap or len(both)) // 2
    # A boundary at a line break costs at most a quarter of the share.
    head = stream.head[:half]
    cut = head.rfind(b"\n", 3 * half // 4)
    head = head[: cut + 1] if cut >= 0 else head
    tail = both[-half:] if half else b""
    cut = tail.find(b"\n", 0, half // 4)
    tail = tail[cut + 1 :] if cut >= 0 else tail
    gap = stream.total - len(head) - len(tail)
    middle = f"\n[… {gap} bytes left out …]\n"
    return head.decode("utf-8", "ignore").rstrip("\n") + middle + tail.decode("utf-8", "ignore")
