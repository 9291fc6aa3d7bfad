"""Our own checker agrees with the reference implementation, and words its findings for people."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from clawwrap import catalog, schema

ADAPTERS = sorted(Path(catalog.SHIPPED).glob("*.yaml"))
ENVELOPE = {
    "ok": False,
    "data": None,
    "error": {
        "code": "RATE_LIMIT_EXCEEDED",
        "message": "slow down",
        "retryable": True,
        "retry_after": 30,
        "retry_after_ms": 30000,
        "retry_strategy": "exponential_backoff",
        "phase": "execution",
        "source": "tool",
        "kind": "delivery",
    },
    "warnings": ["w"],
    "meta": {
        "duration_ms": 3,
        "request_id": "r",
        "schema_version": "2.0",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "command": "tool",
        "exit_code": 11,
        "output_format": "json",
        "native": {"exit_code": 1, "signal": None},
    },
}
ENTRY = {"name": "TIMEOUT", "description": "It is late", "retryable": True, "side_effects": "none"}
RULE = {
    "tool": "thing",
    "about": "a test",
    "timeout": "5m",
    "exit_codes": {
        "SUCCESS": "It ran",
        "CONFLICT": {"description": "It is there", "retryable": False},
    },
    "native": {"3": "ARG_ERROR", "4": {"code": "CONFLICT", "suggestion": "Choose another name."}},
    "rules": [
        {"id": "one", "when": {"exit": [1, "3-5"], "stderr": ["a", "/b/"]}, "code": "CONFLICT"}
    ],
    "cases": [
        {"argv": ["thing"], "exit": 1, "origin": "thing 1.0", "expect": {"code": "CONFLICT"}}
    ],
}

junk = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        -1,
        1,
        255,
        256,
        3.5,
        "",
        "x",
        "NOT_FOUND",
        "5s",
        "-f",
        [],
        ["x"],
        {},
        {"x": 1},
    ]
)


def paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [at]
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in items:
        found += paths(item, (*at, key))
    return found


@settings(max_examples=400, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize(
    ("name", "document"), [("envelope", ENVELOPE), ("exit-code-entry", ENTRY), ("adapter", RULE)]
)
def test_we_agree_with_the_reference_implementation(
    name: str, document: Any, data: st.DataObject
) -> None:
    changed = copy.deepcopy(document)
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.sampled_from([path for path in paths(changed) if path]))
        holder = changed
        for step in place[:-1]:
            holder = holder[step]
        if isinstance(holder, dict) and data.draw(st.booleans()):
            del holder[place[-1]]
        else:
            holder[place[-1]] = copy.deepcopy(data.draw(junk))
        if not changed:
            break
    ours = schema.problems(changed, schema.load(name))
    validator = jsonschema.Draft202012Validator(schema.load(name))
    assert bool(ours) == (not validator.is_valid(changed)), ours


@pytest.mark.parametrize("name", schema.names())
def test_the_schemas_are_schemas(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema.load(name))


@pytest.mark.parametrize("path", ADAPTERS, ids=lambda path: path.stem)
def test_the_shipped_adapters_satisfy_the_reference_implementation(path: Path) -> None:
    loaded = yaml.safe_load(path.read_text())
    as_json = json.loads(json.dumps(loaded))  # keys are texts in JSON
    jsonschema.validate(as_json, schema.load("adapter"))


def test_a_place_reads_as_people_write_it() -> None:
    assert schema.Problem(("rules", 0, "when", "exit"), "").place == "rules[0].when.exit"
