"""Bytes become text: cleaned, in whatever encoding, and nothing that is changed goes unnamed."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from clawwrap import cleaning, text
from clawwrap.events import Channel
from tests.conftest import Run

CASES = yaml.safe_load((Path(__file__).parent / "text_cases.yaml").read_text())


def raw_of(case: dict[str, Any]) -> bytes:
    escaped: str = case["bytes"]
    return escaped.encode().decode("unicode_escape").encode("latin-1")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_what_a_person_would_see(case: dict[str, Any]) -> None:
    raw = raw_of(case)
    encoding = text.encoding_of(raw)
    assert encoding == case.get("encoding", "utf-8")
    if encoding != text.BINARY:
        assert text.render(raw, encoding) == (case["text"], tuple(case.get("cleaned", ())))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_sequence_that_is_split_across_reads_is_removed_all_the_same(
    case: dict[str, Any],
) -> None:
    """Cut anywhere, the pieces together are the whole; progress is collapsed within a piece."""
    raw = raw_of(case)
    whole = {"progress", "invalid bytes"} & set(case.get("cleaned", ()))
    if text.encoding_of(raw) != "utf-8" or whole:
        pytest.skip("this is decided by more than a part of it")
    if "never ends" in case["id"] or "lone escape" in case["id"]:
        pytest.skip("what never ends is only known for it at the end")
    for cut in range(len(raw)):
        channel = Channel("stdout", None)
        parts = channel.feed(raw[:cut]) + channel.feed(raw[cut:]) + channel.flush(force=True)
        told = "".join(part.get("text", "") for part in parts)
        assert told == case["text"], f"cut at {cut}"


@given(st.binary(max_size=400))
def test_text_that_was_not_changed_is_the_bytes(raw: bytes) -> None:
    encoding = text.encoding_of(raw)
    found = text.render(raw, encoding)
    if not found.cleaned and encoding != text.BINARY:
        assert found.text.encode(encoding) == raw


@given(st.text(alphabet="a\n\r\x1b[]0;m\x07\\é\u202e\b\0"))
def test_nothing_invisible_is_left(printed: str) -> None:
    found = text.render(printed.encode()).text
    assert not set(found) & set("\x1b\r\x07\b\u202e")
    assert text.render(found.encode()).text == found


@given(st.binary(max_size=200), st.integers(0, 200))
def test_a_cut_loses_nothing(raw: bytes, at: int) -> None:
    end = cleaning.safe_end(raw[:at])
    assert 0 <= end <= len(raw[:at])
    assert len(raw[:at]) - end <= cleaning.LONGEST_SEQUENCE


@pytest.mark.parametrize(
    "unit",
    ["a\b", "\x1b]", "\x1bP", "\x1b[", "\r", "\r\n", "é\u200d", "\u202e", "\b", "\x1b]0;a"],
    ids=repr,
)
def test_hostile_text_is_read_in_linear_time(unit: str) -> None:
    """Eight times as much must not take sixty-four times as long; a hang would show either way."""
    took = []
    for size in (1 << 15, 1 << 18):
        raw = (unit * (size // len(unit))).encode()
        raw += b"a" * size + b"\b" * size if "\b" in unit else b""
        start = time.process_time()
        text.render(raw, text.encoding_of(raw))
        cleaning.safe_end(raw)
        took.append(time.process_time() - start)
    assert took[1] < 40 * took[0] + 0.05


def test_what_nobody_sees_is_an_escape_on_the_wire_and_the_same_value_in_it(run: Run) -> None:
    """JSON is data and stays what it is; whoever reads the line itself sees every character."""
    result = run("printf", '{"name": "a\u202eb\U000e0041"}')
    assert result.data == {"name": "a\u202eb\U000e0041"}
    assert b"\\u202e" in result.stdout
    assert b"\\udb40\\udc41" in result.stdout


@pytest.mark.parametrize(
    "line", ["clawwrap: x", "  CLAWWRAP: x", r"a\rclawwrap: x", r"\033[1mclawwrap: x"]
)
def test_no_line_of_a_tool_passes_for_ours(run: Run, line: str) -> None:
    result = run("sh", "-c", f"printf '{line}\n' >&2")
    assert [warning[:6] for warning in result.warnings] == ["tool: "]
    assert "warnings" in result.meta["untrusted"]


def test_an_event_that_a_tool_prints_is_text(run: Run) -> None:
    printed = '{"event":"started","seq":0}'
    result = run("-o", "jsonl", "printf", f"{printed}\n{printed}\n", check=False)
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert [event.get("event") for event in events] == ["started", "stdout", None]


def test_the_envelope_says_what_was_changed(run: Run) -> None:
    result = run("printf", r"\033[1mx\033[0m\r\n")
    assert result.data == {"stdout": "x\n"}
    assert result.meta["cleaned"] == ["escape sequences", "line ends"]
    assert run("echo", "x").meta.get("cleaned") is None


def test_utf_16_is_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes("größer\r\n".encode("utf-16"))
    result = run("cat", "f")
    assert result.data == {"stdout": "größer\n"}
    assert result.meta["encoding"] == "utf-16-le"


def test_bytes_have_a_size_and_a_kind(run: Run, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    data = run("cat", "f").data
    assert (data["kind"], data["bytes"]) == ("image/png", 16)
    (tmp_path / "f").write_bytes(bytes(range(256)))
    assert run("cat", "f").data["kind"] == "application/octet-stream"
