"""What a settings file says with our part in it, and without. Pure: text in, text out.

A change is a list of insertions, so that taking exactly these out again gives back every byte.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from clawwrap.hooks import jsonc
from clawwrap.hooks.targets import BEGIN, END, OURS, Target

Edits = list[tuple[int, str]]


class Foreign(Exception):
    """A file of the name of ours that somebody else has written."""


class Broken(ValueError):
    """The file is not what its name says; the message says where."""


def check(target: Target, text: str) -> None:
    """Broken, where the host itself could not read the file."""
    try:
        if target.kind == "json" and text.strip():
            if jsonc.parse(text).kind != "object":
                raise Broken("line 1: expected an object")
        elif target.toml:
            tomllib.loads(text)
    except (jsonc.Broken, tomllib.TOMLDecodeError, UnicodeEncodeError) as error:
        raise Broken(str(error)) from error


def installed(target: Target, text: str | None) -> bool:
    """Whether our part is there, exactly as it would be written now."""
    if target.kind == "file":
        return text == target.text
    if target.kind == "block":
        return _block(target) in (text or "")
    return any(plain == target.item for _, _, plain in _entries(target, text or ""))


def edits(target: Target, text: str | None) -> Edits:
    """What to insert into a file that does not have our part."""
    before = text or ""
    if target.kind == "file":
        if before.strip():
            raise Foreign
        return [(0, target.text)]
    if target.kind == "block":
        gap = "" if not before or before.endswith("\n") else "\n"
        return [(len(before), gap + _block(target))]
    if not before.strip():
        value: Any = [target.item]
        for key in reversed(target.keys):
            value = {key: value}
        return [(len(before), json.dumps({**target.fresh, **value}, indent=2) + "\n")]
    try:
        return jsonc.insertion(before, target.keys, target.item)
    except jsonc.Broken as error:
        raise Broken(str(error)) from error


def apply(text: str, changes: Edits) -> str:
    pieces, end = [], 0
    for place, inserted in changes:
        pieces += [text[end:place], inserted]
        end = place
    return "".join([*pieces, text[end:]])


def undo(text: str, changes: Edits) -> str:
    """The text before `changes`, which must be those that led to it."""
    shift = 0
    pieces, end = [], 0
    for place, inserted in changes:
        pieces.append(text[end : place + shift])
        shift += len(inserted)
        end = place + shift
    return "".join([*pieces, text[end:]])


def without(target: Target, text: str) -> str | None:
    """The file without our part, whoever has edited it since; None where nothing else is left."""
    if target.kind == "file":
        if text.strip() and OURS not in text.partition("\n")[0]:
            raise Foreign
        return None
    if target.kind == "block":
        block = re.compile(f"^{re.escape(BEGIN)}\n.*?^{re.escape(END)}(?:\n|$)", re.M | re.S)
        return block.sub("", text)
    while found := _entries(target, text):
        parents, child, _ = found[0]
        text = _cut(text, parents, child)
    return text


def _cut(text: str, parents: list[jsonc.Node], child: jsonc.Node) -> str:
    """Take out an item, and with it the containers that it alone was in."""
    parent = parents[-1]
    if len(parent.children) == 1 and len(parents) > 1:
        return _cut(text, parents[:-1], parent)
    for start, end in reversed(jsonc.removal(text, parent, child)):
        text = text[:start] + text[end:]
    return text


def _entries(target: Target, text: str) -> list[tuple[list[jsonc.Node], jsonc.Node, Any]]:
    """Our items in the array, each with the containers around it and its plain value."""
    if not text.strip():
        return []
    parents = [jsonc.parse(text)]
    for key in target.keys:
        node = parents[-1].get(key) if parents[-1].kind == "object" else None
        if node is None:
            return []
        parents.append(node)
    ours = re.compile(rf"(?:^|[/\s]){re.escape(f'clawwrap hook {target.agent}')}(?:\s|$)")
    found = [(parents, child, child.plain()) for child in parents[-1].children]
    return [entry for entry in found if any(ours.search(word) for word in _strings(entry[2]))]


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for inner in values for text in _strings(inner)]


def _block(target: Target) -> str:
    return f"{BEGIN}\n{target.text}{END}\n"
