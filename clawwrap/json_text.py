"""JSON from anybody: nothing is lost silently, and strictly nothing is guessed. Pure."""

from __future__ import annotations

import sys

from clawwrap import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

BOM = b"\xef\xbb\xbf"
#: Every digit becomes a 0, which is found faster than an expression finds digits.
DIGITS = bytes(48 if 48 <= byte < 58 else 32 for byte in range(256))
SIXTEEN = b"0" * 16
#: Readers differ in how deeply nested a value they take; what is deeper than this stays text.
DEEPEST = 250


def loads(raw: bytes) -> Any:
    """Parse JSON without losing digits; ValueError where it is none."""
    value: Any
    if SIXTEEN in raw.translate(DIGITS):  # as long a number may not fit into what orjson keeps
        import json

        value = json.loads(raw, parse_constant=refuse_constant, parse_float=finite)
    else:
        import orjson

        value = orjson.loads(raw)
    if raw.count(b"[") + raw.count(b"{") > DEEPEST and is_too_deep(value):
        raise JsonError("nested too deeply")
    return value


def is_too_deep(value: Any, deepest: int = DEEPEST) -> bool:
    level = [value]
    for _ in range(deepest + 1):
        inner = [item.values() if isinstance(item, dict) else item for item in level]
        level = [item for items in inner for item in items if isinstance(item, (dict, list))]
        if not level:
            return False
    return True


def dumps(value: Any) -> bytes:
    """JSON in its shortest form; whole numbers of any size."""
    if "orjson" not in sys.modules:
        try:
            return plain.dumps(value).encode()
        except plain.NotSimple:
            pass
    import orjson

    try:
        return orjson.dumps(value)
    except TypeError:  # a number beyond 64 bits
        import json

        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def size(value: Any) -> int:
    """How many bytes the value takes as JSON."""
    try:
        return len(dumps(value))
    except UnicodeEncodeError:  # a lone surrogate, which is written as an escape
        import json

        return len(json.dumps(value, separators=(",", ":")))


class JsonError(ValueError):
    """Why a text is not taken for JSON; for people."""


def strict_loads(raw: bytes) -> Any:
    """The value; no duplicate keys, no NaN, no numbers beyond any reader, nothing but UTF-8."""
    import json

    import orjson

    text = raw.removeprefix(BOM).strip()
    if not text:
        raise JsonError("there is nothing")
    try:
        value = orjson.loads(text)
        if orjson.dumps(value) == text:
            return value  # what is written back identically has lost nothing; the usual case
    except (orjson.JSONDecodeError, TypeError):
        pass  # the slow way has the better message
    try:
        decoded = text.decode()
    except UnicodeDecodeError as error:
        if text[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise JsonError("it is UTF-16; convert it to UTF-8") from error
        raise JsonError(
            f"byte {error.start + 1} is not UTF-8 (0x{text[error.start]:02x})"
        ) from error
    try:
        return json.loads(
            decoded,
            object_pairs_hook=_unique,
            parse_constant=refuse_constant,
            parse_float=finite,
            parse_int=_whole,
        )
    except json.JSONDecodeError as error:
        where = (
            f"line {error.lineno} column {error.colno}"
            if error.lineno > 1
            else f"column {error.colno}"
        )
        raise JsonError(f"broken JSON at {where}: {error.msg.lower()}") from error
    except RecursionError as error:
        raise JsonError("nested too deeply") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        import json

        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise JsonError(f"the key {json.dumps(name)} stands there twice")
            seen.add(name)
    return found


def refuse_constant(name: str) -> NoReturn:
    raise JsonError(f"{name} is not JSON")


def finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise JsonError(f"the number {text} is too large for any reader")
    return number


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError as error:  # Python's own limit on digits
        raise JsonError(f"a number of {len(text)} digits is too large") from error
