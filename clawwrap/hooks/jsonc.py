"""JSON as people write it into settings: comments, trailing commas, their own layout.

A document is read together with the place of everything in it, so that something can be put in
or taken out and every other byte stays.
"""

import json
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SPACE = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
SCALAR = re.compile(r"-?\d[\d.eE+-]*|true|false|null")
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
#: What may stand behind the last entry on its line.
SAME_LINE = re.compile(r"[ \t]*(,?)[ \t]*((?://[^\n\r]*|/\*[^\n\r]*?\*/)?)")
DEEPEST = 100


class Broken(ValueError):
    """The text is no JSON; says where."""


class Node:
    """A value and its place. Members of an object have keys, items of an array have none."""

    __slots__ = ("children", "end", "keys", "kind", "start", "value")

    def __init__(self, kind: str, start: int) -> None:
        self.kind = kind
        self.start = start
        self.end = start
        self.value: Any = None
        self.keys: list[tuple[str, int]] = []  # name and place
        self.children: list[Node] = []

    def get(self, name: str) -> "Node | None":
        """The member of that name; the last one, as parsers do."""
        found = [
            child for (key, _), child in zip(self.keys, self.children, strict=False) if key == name
        ]
        return found[-1] if found else None

    def plain(self) -> "Any":
        if self.kind == "object":
            pairs = zip(self.keys, self.children, strict=True)
            return {key: child.plain() for (key, _), child in pairs}
        return [child.plain() for child in self.children] if self.kind == "array" else self.value


def load(text: str) -> "Any":
    """The plain value; an empty text is an empty object."""
    return parse(text).plain() if text.strip() else {}


def parse(text: str) -> Node:
    node, at = _value(text, _skip(text, 0), 0)
    if (at := _skip(text, at)) != len(text):
        raise _broken(text, at, "nothing more")
    return node


def _skip(text: str, at: int) -> int:
    match = SPACE.match(text, at)
    return match.end() if match else at


def _broken(text: str, at: int, expected: str) -> Broken:
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return Broken(f"line {line} column {column}: expected {expected}")


def _value(text: str, at: int, depth: int) -> tuple[Node, int]:
    if depth > DEEPEST:
        raise _broken(text, at, "fewer levels")
    char = text[at : at + 1]
    if char in ("{", "["):
        return _container(text, at, depth)
    node = Node("scalar", at)
    match = STRING.match(text, at) if char == '"' else SCALAR.match(text, at)
    if not match:
        raise _broken(text, at, "a value")
    try:
        node.value = json.loads(match.group())
    except ValueError:
        raise _broken(text, at, "a value") from None
    node.end = match.end()
    return node, node.end


def _container(text: str, start: int, depth: int) -> tuple[Node, int]:
    node = Node("object" if text[start] == "{" else "array", start)
    closer = "}" if node.kind == "object" else "]"
    at = _skip(text, start + 1)
    while text[at : at + 1] != closer:
        if node.kind == "object":
            key = STRING.match(text, at)
            if not key:
                raise _broken(text, at, f'a name in quotes, or "{closer}"')
            node.keys.append((str(json.loads(key.group())), at))
            at = _skip(text, key.end())
            if text[at : at + 1] != ":":
                raise _broken(text, at, '":"')
            at = _skip(text, at + 1)
        child, at = _value(text, at, depth + 1)
        node.children.append(child)
        at = _skip(text, at)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != closer:
            raise _broken(text, at, f'"," or "{closer}"')
    node.end = at + 1
    return node, node.end


# Changes: pairs of a place and what is put there


def insertion(text: str, path: tuple[str, ...], item: "Any") -> list[tuple[int, str]]:
    """What to put where, so that the array at `path` ends with `item`."""
    node = parse(text)
    for index, name in enumerate(path):
        if node.kind != "object":
            raise Broken(f"{'.'.join(path[:index]) or 'the file'}: expected an object")
        child = node.get(name)
        if child is None:
            value: Any = [item]
            for key in reversed(path[index + 1 :]):
                value = {key: value}
            return _append(text, node, index, value, name)
        node = child
    if node.kind != "array":
        raise Broken(f"{'.'.join(path)}: expected an array")
    return _append(text, node, len(path), item)


def _append(
    text: str, node: Node, depth: int, value: "Any", name: str | None = None
) -> list[tuple[int, str]]:
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    label = "" if name is None else json.dumps(name, ensure_ascii=False) + ": "
    if "\n" not in text[node.start : node.end] and node.children:
        entry = label + json.dumps(value, ensure_ascii=False)
        return [(node.children[-1].end, ", " + entry)]
    here = _indent(text, node)
    inner = here + unit
    entry = json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", newline + inner)
    entry = newline + inner + label + entry
    if not node.children:
        # What a person has put between the brackets stays in front.
        rest = text[node.start + 1 : node.end - 1].rstrip(" \t")
        place = node.start + 1 + len(rest.rstrip("\r\n"))
        tail = "" if rest.endswith("\n") else newline + here
        return [(place, entry + tail)]
    last = node.children[-1].end
    behind = SAME_LINE.match(text, last)
    comma, end = (behind.group(1), behind.end()) if behind else ("", last)
    if behind and not behind.group(2):
        end = behind.end(1) if comma else last
    if comma:
        return [(end, entry + ",")]
    if _next_comma(text, last):
        return [(_next_comma(text, last), entry + ",")]
    return [(last, "," + entry)] if end == last else [(last, ","), (end, entry)]


def _next_comma(text: str, at: int) -> int:
    """Behind a trailing comma on a later line; 0 where there is none."""
    at = _skip(text, at)
    return at + 1 if text[at : at + 1] == "," else 0


def _unit(text: str) -> str:
    """What the file indents by."""
    match = re.search(r"\n([ \t]+)[\"}\]]", text)
    return match.group(1) if match else "  "


def _indent(text: str, node: Node) -> str:
    line = text[text.rfind("\n", 0, node.start) + 1 : node.start]
    return line[: len(line) - len(line.lstrip(" \t"))]


def removal(text: str, node: Node, child: Node) -> list[tuple[int, int]]:
    """The spans to cut so that a member or an item is gone and the rest is still JSON."""
    index = node.children.index(child)
    start = node.keys[index][1] if node.keys else child.start
    if index + 1 < len(node.children):
        follow = node.keys[index + 1][1] if node.keys else node.children[index + 1].start
        return [(start, follow)]
    start = len(text[:start].rstrip()) if index else start
    if comma := _next_comma(text, child.end):
        return [(start, comma)]
    if not index:
        return [(start, child.end)]
    before = _next_comma(text, node.children[index - 1].end)
    return [(before - 1, before), (max(start, before), child.end)]
