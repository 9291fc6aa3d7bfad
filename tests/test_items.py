"""Whole items out of arrays and JSON Lines of any length, and a selection of their fields."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawwrap import fields, items, payload
from tests.conftest import Run

value = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def reader(raw: bytes) -> items.Read:
    return lambda offset, size: raw[offset : offset + size]


@settings(deadline=None)
@given(
    st.lists(value, max_size=8), st.sampled_from([None, 1, 4]), st.booleans(), st.integers(4, 64)
)
def test_an_array_comes_apart_into_its_items(
    whole: list[Any], indent: int | None, ascii_only: bool, window: int
) -> None:
    raw = (" " + json.dumps(whole, indent=indent, ensure_ascii=ascii_only) + "\n").encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(items, "WINDOW", window)
        found = list(items.iterate(payload.ARRAY, reader(raw)))
        assert [item.value for item in found] == whole
        for place, item in enumerate(found):
            rest = items.iterate(payload.ARRAY, reader(raw), item.end)
            assert [each.value for each in rest] == whole[place + 1 :]


@settings(deadline=None)
@given(st.lists(st.dictionaries(st.text(), value, max_size=3), max_size=8), st.integers(4, 64))
def test_json_lines_come_apart_into_their_lines(whole: list[Any], window: int) -> None:
    raw = "\n\n".join(map(json.dumps, whole)).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(items, "WINDOW", window)
        assert [item.value for item in items.iterate(payload.LINES, reader(raw))] == whole


@pytest.mark.parametrize(
    "raw",
    [
        b"[1,]",
        b"[1 2]",
        b"[,1]",
        b"[1",
        b"[1]x",
        b"[1],",
        b"{}",
        b"",
        b"[NaN]",
        b"[1,,2]",
        b"[\xff]",
    ],
    ids=repr,
)
def test_what_is_no_array_is_refused(raw: bytes) -> None:
    with pytest.raises(items.NotItems):
        list(items.iterate(payload.ARRAY, reader(raw)))


@pytest.mark.parametrize("raw", [b'{"a":1}\n{"a":\n', b'{"a":1}\ntext\n', b"1\n2\n"], ids=repr)
def test_what_is_no_json_lines_is_refused(raw: bytes) -> None:
    with pytest.raises(items.NotItems):
        list(items.iterate(payload.LINES, reader(raw)))


def test_an_endless_item_is_given_up() -> None:
    raw = b'["' + b"x" * (items.LONGEST_ITEM + 10) + b'"]'
    with pytest.raises(items.NotItems):
        list(items.iterate(payload.ARRAY, reader(raw)))


# --fields

POD = {
    "kind": "Pod",
    "metadata": {"name": "a", "labels": {"app.kubernetes.io/name": "web", "x": 1}},
    "spec": {"containers": [{"name": "c1", "image": "i1"}, {"name": "c2", "image": "i2"}]},
}
SELECTIONS: list[tuple[str, Any]] = [
    ("kind", {"kind": "Pod"}),
    ("metadata.name", {"metadata": {"name": "a"}}),
    ("metadata.name,kind", {"metadata": {"name": "a"}, "kind": "Pod"}),
    (" kind , metadata.name ", {"kind": "Pod", "metadata": {"name": "a"}}),
    (
        r"metadata.labels.app\.kubernetes\.io/name",
        {"metadata": {"labels": {"app.kubernetes.io/name": "web"}}},
    ),
    ("spec.containers.image", {"spec": {"containers": [{"image": "i1"}, {"image": "i2"}]}}),
    (
        "spec.containers.image,spec.containers.name",
        {"spec": {"containers": [{"image": "i1", "name": "c1"}, {"image": "i2", "name": "c2"}]}},
    ),
    ("kind,nothing.here", {"kind": "Pod"}),
]


@pytest.mark.parametrize(("asked", "expected"), SELECTIONS, ids=[asked for asked, _ in SELECTIONS])
def test_a_selection_keeps_the_shape(asked: str, expected: Any) -> None:
    paths = fields.parse(asked)
    assert fields.select(POD, paths) == expected
    assert fields.select([POD, POD], paths) == [expected, expected]


def test_fields_select_from_what_the_tool_printed(run: Run) -> None:
    result = run("--fields", "metadata.name", "echo", json.dumps([POD, POD]))
    assert result.data == [{"metadata": {"name": "a"}}] * 2
    assert result.warnings == []


def test_a_field_that_is_not_there_is_named(run: Run) -> None:
    result = run("--fields", "kind,colour", "echo", json.dumps(POD))
    assert result.data == {"kind": "Pod"}
    assert result.warnings == ["clawwrap: --fields: there is no colour in data"]


def test_where_nothing_is_there_nothing_is_lost(run: Run) -> None:
    result = run("--fields", "colour", "echo", json.dumps(POD))
    assert result.data == POD
    assert "which has kind, metadata, spec" in result.warnings[0]


def test_fields_make_a_large_object_fit(run: Run) -> None:
    whole = {"items": [{"name": f"n{n}", "filler": "x" * 200} for n in range(500)], "kind": "List"}
    text = run("cat", input=json.dumps(whole).encode())
    assert set(text.data) == {"stdout", "tail"}
    assert "--fields (items, kind)" in text.meta["suggestion"]
    result = run("--fields", "items.name", "cat", input=json.dumps(whole).encode())
    assert result.data == {"items": [{"name": f"n{n}"} for n in range(500)]}
    assert "truncated" not in result.meta


def test_a_failure_keeps_everything(run: Run) -> None:
    result = run("--fields", "kind", "sh", "-c", "echo '{\"a\": 1}'; exit 1")
    assert result.error["output"] == {"a": 1}
