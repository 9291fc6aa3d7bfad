"""Plain text: what it is, how it is written as JSON, and its fingerprint. Pure.

JSON comes out in its shortest form, byte for byte as orjson has it, which loads half of the
standard library and so takes longer than many tools run.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: ASCII that needs no second look.
PLAIN = bytes([9, 10, *range(32, 127)])
#: From here on orjson is worth its price.
LONGEST = 64 << 10
#: What is left of the control characters once line feeds and tabs are done with.
CONTROLS = {code: f"\\u{code:04x}" for code in range(32)} | {8: "\\b", 12: "\\f", 13: "\\r"}


def is_plain(raw: bytes) -> bool:
    return raw.isascii() and not raw.translate(None, PLAIN)


def digest(content: bytes, size: int = 12) -> str:
    """Straight from C: hashlib would load all of OpenSSL for it."""
    blake2b: Any
    try:
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b
    return str(blake2b(content, digest_size=size).hexdigest())


class NotSimple(Exception):
    """A value for orjson: a number that is not whole, or a long text."""


def dumps(value: Any) -> str:
    """The value as JSON; of numbers it knows whole ones alone."""
    if isinstance(value, str):
        return text(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join([f"{text(key)}:{dumps(item)}" for key, item in value.items()]) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join([dumps(item) for item in value]) + "]"
    raise NotSimple


def text(value: str) -> str:
    if len(value) > LONGEST:
        raise NotSimple
    if "\\" in value:
        value = value.replace("\\", "\\\\")
    if '"' in value:
        value = value.replace('"', '\\"')
    if not value.isprintable():
        value = value.replace("\n", "\\n").replace("\t", "\\t")
        if not value.isprintable():
            value = value.translate(CONTROLS)
    return f'"{value}"'
