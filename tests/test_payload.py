"""The tool's stdout becomes data, and nothing of it is lost unannounced."""

from __future__ import annotations

import base64
import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawwrap import payload
from clawwrap.emit import encode
from clawwrap.portions import Bytes
from tests.conftest import Run


def read(raw: bytes, cap: int = 0) -> payload.Payload:
    return payload.read(Bytes(raw, b"", len(raw)), cap)


CASES: dict[str, tuple[bytes, Any]] = {
    "nothing": (b"", {"stdout": ""}),
    "text": (b"hello\n", {"stdout": "hello\n"}),
    "an object": (b'{"a": 1}\n', {"a": 1}),
    "an array": (b"[1, 2]", [1, 2]),
    "an indented object": (b'{\n  "a": [\n    1\n  ]\n}\n', {"a": [1]}),
    "a number is text": (b"42\n", {"stdout": "42\n"}),
    "a string is text": (b'"x"\n', {"stdout": '"x"\n'}),
    "json lines": (b'{"a":1}\n{"a":2}\n', [{"a": 1}, {"a": 2}]),
    "one broken line makes it text": (b'{"a":1}\n{"a":\n', {"stdout": '{"a":1}\n{"a":\n'}),
    "a log in brackets is text": (b"[INFO] a\n[INFO] b\n", {"stdout": "[INFO] a\n[INFO] b\n"}),
    "a long number keeps its digits": (
        b'{"id": 123456789012345678901234567890}',
        {"id": 123456789012345678901234567890},
    ),
    "NaN beside a long number is text": (
        b'{"a": NaN, "id": 1234567890123456}',
        {"stdout": '{"a": NaN, "id": 1234567890123456}'},
    ),
    "a number beyond any reader is text": (
        b'{"a": 1e999, "id": 1234567890123456}',
        {"stdout": '{"a": 1e999, "id": 1234567890123456}'},
    ),
    "a list of numbers in prose is text": (b"done\n[1]\n", {"stdout": "done\n[1]\n"}),
}


@pytest.mark.parametrize("name", CASES)
def test_kinds_of_output(name: str) -> None:
    raw, expected = CASES[name]
    assert read(raw).data == expected


def test_prose_around_json_goes_to_the_warnings() -> None:
    found = read(b'Fetching...\n\x1b[32m{"a": 1}\x1b[0m\nDone.\n')
    assert found.data == {"a": 1}
    assert found.warnings == ["stdout: Fetching...", "stdout: Done."]


def test_much_prose_around_json_is_prose() -> None:
    raw = b"line\n" * 50 + b'{"a": 1}\n'
    assert read(raw).data == {"stdout": raw.decode()}


@pytest.mark.parametrize("depth", [200, 300, 985, 990, 1020, 5000])
@pytest.mark.parametrize("options", [(), ("--redact", "all")])
def test_json_of_any_depth_is_there(run: Run, depth: int, options: tuple[str, ...]) -> None:
    whole = "[" * depth + "]" * depth
    result = run(*options, "echo", whole)
    assert result.warnings == []
    assert result.data == (json.loads(whole) if depth < 250 else {"stdout": f"{whole}\n"})


@given(st.binary(max_size=300))
def test_any_bytes_can_be_got_back(raw: bytes) -> None:
    found = read(raw)
    data = found.data
    if isinstance(data, dict) and set(data) == {"encoding", "bytes", "kind", "content"}:
        assert base64.b64decode(data["content"]) == raw
        assert data["bytes"] == len(raw)
    elif isinstance(data, dict) and set(data) == {"stdout"}:
        assert data["stdout"].encode() == raw or not found.is_exact
    else:
        assert data == json.loads(raw)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_every_envelope_can_be_encoded(value: Any) -> None:
    encoded = encode({"data": value})
    try:
        assert json.loads(encoded) == {"data": value}
    except AssertionError:
        assert "\\ud" in encoded.decode().lower()  # a lone surrogate, shown as what it is


def test_past_the_cap_there_is_the_first_page_and_the_end() -> None:
    raw = b"".join(b"line %d\n" % n for n in range(10_000))
    found = read(raw, cap=1000)
    assert found.shown == len(found.data["stdout"])
    assert raw.startswith(found.data["stdout"].encode())
    assert raw.endswith(found.data["tail"].encode())
    assert 700 < len(orjson.dumps(found.data)) < 1100


@given(st.text(min_size=50, max_size=400), st.integers(10, 200))
def test_the_cap_holds_for_any_text(text: str, cap: int) -> None:
    raw = text.encode("utf-8", "replace")
    found = read(raw, cap)
    assert len(orjson.dumps(found.data)) <= cap + cap // 10 + 120


def test_indented_json_that_fits_without_its_blanks_is_data() -> None:
    value = {"items": list(range(100))}
    raw = orjson.dumps(value, option=orjson.OPT_INDENT_2)
    assert read(raw, cap=len(orjson.dumps(value))).data == value
    assert read(raw, cap=len(orjson.dumps(value)) - 1).truncated


def test_a_list_past_the_cap_keeps_whole_items() -> None:
    items = [{"n": n} for n in range(1000)]
    found = read(orjson.dumps(items), cap=500)
    assert found.data == items[: len(found.data)]
    assert (found.total_count, found.returned_count) == (1000, len(found.data))
    assert 400 < len(orjson.dumps(found.data)) <= 500


def test_an_object_past_the_cap_becomes_text_that_is_no_json() -> None:
    found = read(orjson.dumps({"items": list(range(1000)), "kind": "List"}), cap=500)
    assert set(found.data) == {"stdout", "tail"}
    assert "--fields (items, kind)" in found.suggestion


def test_truncation_path(run: Run) -> None:
    result = run("--max-output", "2K", "seq", "1", "100000")
    assert result.meta["truncated"] is True
    assert result.meta["total_bytes"] == 588_895
    assert result.data["stdout"].startswith("1\n2\n")
    assert result.data["tail"].endswith("100000\n")
    assert result.meta["total_lines"] == 100_000
    assert len(result.stdout) < 6000


def test_an_envelope_stays_small_whatever_the_tool_prints(run: Run) -> None:
    result = run("sh", "-c", "seq 1 200000; seq 1 200000 >&2; exit 1")
    assert len(result.stdout) < 30_000  # what agent hosts let pass
    assert result.error["detail"].endswith("200000\n")
    assert result.error["output"]["tail"].endswith("200000\n")
    assert result.meta["truncated"] is True


@pytest.mark.parametrize("status", [0, 1])
@pytest.mark.parametrize("size", [11_000, 24_000, 200_000])
@pytest.mark.parametrize("unit", ['"', "\\n", "\\033[0m", "\\1x", "é", "a\\0", "\\377 x"], ids=repr)
def test_hosts_that_cut_at_thirty_thousand_characters_get_whole_envelopes(
    run: Run, unit: str, size: int, status: int
) -> None:
    """Escapes make a text longer, and both streams share the room."""
    script = f"printf '{unit}%.0s' $(seq {size // 2}) >f; cat f; cat f >&2; exit {status}"
    assert len(run("sh", "-c", script).stdout.decode()) < 30_000


def test_raw_bytes_equal_those_of_the_bare_command(run: Run) -> None:
    content = bytes(range(256)) * 400
    result = run("--max-output", "0", "cat", input=content)
    assert base64.b64decode(result.data["content"]) == content
    assert run("-o", "raw", "cat", input=content, check=False).stdout == content


def test_stderr_of_a_success_is_never_dropped(run: Run) -> None:
    script = "echo note >&2; echo 'x is deprecated, use y' >&2; echo 'foo will be removed' >&2"
    result = run("sh", "-c", script)
    assert result.warnings == ["x is deprecated, use y", "foo will be removed", "note"]
    assert result.meta["untrusted"] == ["data", "warnings"]


def test_stdout_of_a_failure_is_kept(run: Run) -> None:
    result = run("sh", "-c", "echo '{\"done\": [1]}'; exit 1")
    assert result.error["output"] == {"done": [1]}
    assert result.data is None
