"""Checks plain values against a JSON Schema, with errors a person can act on.

It knows the keywords that our own schemas use. A test compares it with the reference
implementation, which costs too much to import and words its errors for programmers.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schemas")

Schema = dict[str, Any]
Path = tuple[str | int, ...]

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
NAMES = {
    "object": "a mapping",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}


class Problem(NamedTuple):
    """What is wrong at one place of a document."""

    path: Path
    message: str

    @property
    def place(self) -> str:
        """The path as people write it: `rules[0].when.exit`."""
        text = ""
        for step in self.path:
            text += f"[{step}]" if isinstance(step, int) else f".{step}"
        return text.removeprefix(".")


@cache
def load(name: str) -> Schema:
    """One of the shipped schemas."""
    with open(os.path.join(FOLDER, f"{name}.json"), encoding="utf-8") as file:
        schema: Schema = json.load(file)
    return schema


def names() -> list[str]:
    return sorted(name[:-5] for name in os.listdir(FOLDER) if name.endswith(".json"))


def problems(value: object, schema: Schema) -> list[Problem]:
    """Everything that is wrong with `value`, in document order."""
    return list(_check(value, schema, schema, ()))


def _check(value: Any, schema: Schema | bool, root: Schema, path: Path) -> Iterator[Problem]:
    if isinstance(schema, bool):
        if not schema:
            yield Problem(path, "is not allowed here")
        return
    if "$ref" in schema:
        yield from _check(value, _resolve(schema["$ref"], root), root, path)
    wrong_type = _type_problem(value, schema, path)
    if wrong_type:
        yield wrong_type
        return
    yield from _check_value(value, schema, path)
    yield from _check_choices(value, schema, root, path)
    if isinstance(value, dict):
        yield from _check_object(value, schema, root, path)
    if isinstance(value, list):
        yield from _check_array(value, schema, root, path)


def _resolve(ref: str, root: Schema) -> Schema:
    found: Any = root
    for step in ref.removeprefix("#/").split("/"):
        found = found[step]
    return dict(found)


def is_type(value: object, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


def _type_problem(value: object, schema: Schema, path: Path) -> Problem | None:
    if "type" not in schema:
        return None
    wanted = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if any(is_type(value, name) for name in wanted):
        return None
    expected = " or ".join(NAMES[name] for name in wanted)
    hint = ""
    if isinstance(value, bool) and "string" in wanted:
        hint = " (YAML reads bare yes, no, on and off as true and false; quote it)"
    elif isinstance(value, (int, float)) and "string" in wanted:
        hint = " (quote it)"
    return Problem(path, f"expected {expected}; got {shown(value)}{hint}")


def shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "..."


def _check_value(value: Any, schema: Schema, path: Path) -> Iterator[Problem]:
    if "const" in schema and value != schema["const"]:
        yield Problem(path, f"expected {shown(schema['const'])}; got {shown(value)}")
    if "enum" in schema and not any(
        value == one and type(value) is type(one) for one in schema["enum"]
    ):
        allowed = ", ".join(str(one) for one in schema["enum"])
        yield Problem(path, f"expected one of {allowed}; got {shown(value)}")
    if isinstance(value, str):
        if len(value) < schema.get("minLength", 0):
            yield Problem(
                path, "must not be empty" if not value else f"is too short: {shown(value)}"
            )
        if "maxLength" in schema and len(value) > schema["maxLength"]:
            yield Problem(path, f"has {len(value)} characters; {schema['maxLength']} are allowed")
        if "pattern" in schema and not re.search(schema["pattern"], value):
            what = schema.get("x-what") or f"a text that matches {schema['pattern']}"
            yield Problem(path, f"expected {what}; got {shown(value)}")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if "minimum" in schema and value < schema["minimum"]:
            yield Problem(path, f"must be at least {schema['minimum']}; got {value}")
        if "maximum" in schema and value > schema["maximum"]:
            yield Problem(path, f"must be at most {schema['maximum']}; got {value}")


def _check_choices(value: Any, schema: Schema, root: Schema, path: Path) -> Iterator[Problem]:
    for part in schema.get("allOf", ()):
        yield from _check(value, part, root, path)
    if "not" in schema and not any(_check(value, schema["not"], root, path)):
        yield Problem(path, schema["not"].get("x-what") or "has a form that is not allowed")
    if "if" in schema:
        matched = not any(_check(value, schema["if"], root, path))
        yield from _check(value, schema.get("then" if matched else "else", True), root, path)
    if "anyOf" in schema:
        tries = [list(_check(value, part, root, path)) for part in schema["anyOf"]]
        if all(tries):
            # The branch that got deepest into the value is the one that was meant.
            deepest = max(tries, key=lambda found: max(len(p.path) for p in found))
            if max(len(p.path) for p in deepest) > len(path):
                yield from deepest
            else:
                expected = schema.get("x-what") or " or ".join(
                    _wanted(p, root) for p in schema["anyOf"]
                )
                yield Problem(path, f"expected {expected}; got {shown(value)}")


def _wanted(schema: Schema, root: Schema) -> str:
    if "$ref" in schema:
        schema = _resolve(schema["$ref"], root)
    if "x-what" in schema:
        return str(schema["x-what"])
    if "enum" in schema:
        return "one of " + ", ".join(str(one) for one in schema["enum"])
    kinds = schema.get("type", "something else")
    return " or ".join(NAMES[k] for k in ([kinds] if isinstance(kinds, str) else kinds))


def _check_object(
    value: dict[str, Any], schema: Schema, root: Schema, path: Path
) -> Iterator[Problem]:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield Problem(path, f"{name} is required")
    if len(value) < schema.get("minProperties", 0):
        yield Problem(path, "must not be empty")
    for key, item in value.items():
        if "propertyNames" in schema:
            for problem in _check(str(key), schema["propertyNames"], root, (*path, key)):
                yield problem._replace(message="this key: " + problem.message)
        if key in properties:
            yield from _check(item, properties[key], root, (*path, key))
            continue
        extra = schema.get("additionalProperties", True)
        if extra is False:
            known = ", ".join(properties)
            yield Problem((*path, key), f"unknown key {shown(key)}; expected one of {known}")
        else:
            yield from _check(item, extra, root, (*path, key))


def _check_array(value: list[Any], schema: Schema, root: Schema, path: Path) -> Iterator[Problem]:
    if len(value) < schema.get("minItems", 0):
        yield Problem(path, "must not be empty")
    if schema.get("uniqueItems") and len({shown(item) for item in value}) < len(value):
        yield Problem(path, "names something twice")
    if "items" in schema:
        for index, item in enumerate(value):
            yield from _check(item, schema["items"], root, (*path, index))
