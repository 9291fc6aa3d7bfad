"""While it runs: events as JSON lines, a copy on stderr, heartbeats, and who waits for input."""

from __future__ import annotations

import base64
import json
import os
import pty
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from clawwrap import schema, tree
from tests.conftest import CLAWWRAP, Run, check_envelope


def lines(printed: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed.splitlines()]


def events(run: Run, *words: str, **more: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The events of a run, and its envelope."""
    result = run("-o", "jsonl", *words, check=False, **more)
    *told, envelope = lines(result.stdout)
    check_envelope(envelope, result.code)
    for event in told:
        jsonschema.validate(event, schema.load("event"))
    assert [event["seq"] for event in told] == list(range(len(told)))
    return told, envelope


def text_of(told: list[dict[str, Any]], stream: str) -> str:
    return "".join(event["text"] for event in told if event["event"] == stream)


def test_events_come_first_and_the_envelope_last(run: Run) -> None:
    told, envelope = events(run, "sh", "-c", "echo out; echo err >&2; exit 3")
    assert told[0]["event"] == "started"
    assert told[0]["command"] == "sh"
    assert told[0]["pid"] > 1
    assert told[0]["request_id"] == envelope["meta"]["request_id"]
    assert text_of(told, "stdout") == "out\n"
    assert text_of(told, "stderr") == "err\n"
    assert envelope["error"]["output"] == {"stdout": "out\n"}
    assert envelope["meta"]["output_format"] == "jsonl"


def test_a_refusal_is_the_envelope_alone(run: Run) -> None:
    result = run("-o", "jsonl", "--timeout", "soon", "ls")
    assert result.error["code"] == "INVALID_DURATION"


def test_what_could_not_be_started_has_an_envelope_all_the_same(run: Run) -> None:
    told, envelope = events(run, "no-such-tool-anywhere")
    assert [event["event"] for event in told] == ["started"]
    assert envelope["error"]["code"] == "COMMAND_NOT_FOUND"


def test_every_event_is_there_at_once(clean_env: dict[str, str], tmp_path: Path) -> None:
    """The tool goes on only once we have read what it printed."""
    go = tmp_path / "go"
    os.mkfifo(go)
    script = f"echo ready; printf 'question? '; read line < {go}; echo $line"
    process = subprocess.Popen(
        [*CLAWWRAP, "-o", "jsonl", "sh", "-c", script],
        env=clean_env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    )
    assert process.stdout
    told: list[dict[str, Any]] = []
    while "question? " not in text_of(told, "stdout"):
        told.append(json.loads(process.stdout.readline()))
    go.write_text("went on\n")
    rest, _ = process.communicate(timeout=60)
    assert "went on" in text_of(lines(rest)[:-1], "stdout")


def test_a_sequence_split_across_two_writes_is_removed(run: Run) -> None:
    script = r"printf 'a\033[3'; sleep 0.03; printf '1mred\303'; sleep 0.03; printf '\251\n'"
    told, envelope = events(run, "sh", "-c", script)
    assert text_of(told, "stdout") == "aredé\n"
    assert envelope["data"] == {"stdout": "aredé\n"}


def test_bytes_are_told_as_base64(run: Run) -> None:
    raw = bytes(range(256)) * 8
    told, _ = events(run, "cat", input=raw)
    parts = [event for event in told if event["event"] == "stdout"]
    assert b"".join(base64.b64decode(part["content"]) for part in parts) == raw


def test_what_is_no_text_does_not_push_out_what_was_held_back(run: Run) -> None:
    """A line that has not ended yet, then a broken character, and nothing more for a while."""
    told, _ = events(run, "sh", "-c", r"printf 'abc\343' >&2; sleep 0.5; printf 'o\n' >&2")
    parts = [event for event in told if event["event"] == "stderr"]
    assert [part.get("text") or base64.b64decode(part["content"]) for part in parts] == [
        "abc",
        b"\xe3",
        "o\n",
    ]


def test_secrets_on_stderr_do_not_get_out_in_pieces(run: Run) -> None:
    token = "ghp_" + "aB3dE5gH7j" * 3 + "kL9mN1"
    script = f"printf 'token {token[:12]}' >&2; sleep 0.03; printf '{token[12:]} end\\n' >&2"
    told, envelope = events(run, "sh", "-c", script)
    assert text_of(told, "stderr") == "token [redacted:github-token] end\n"
    assert token not in json.dumps(told) + json.dumps(envelope["warnings"])


def test_a_heartbeat_after_a_silence(clean_env: dict[str, str], tmp_path: Path) -> None:
    """The tool is silent until we have seen two of them."""
    go = tmp_path / "go"
    os.mkfifo(go)
    process = subprocess.Popen(
        [*CLAWWRAP, "-o", "jsonl", "--heartbeat", "50ms", "cat", str(go)],
        env=clean_env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    )
    assert process.stdout
    beats: list[dict[str, Any]] = []
    while len(beats) < 2:
        told = json.loads(process.stdout.readline())
        beats += [told] if told["event"] == "heartbeat" else []
    go.write_text("done\n")
    process.communicate(timeout=60)
    assert all(beat["silent_ms"] >= 50 for beat in beats)
    assert beats[-1]["elapsed_ms"] >= beats[0]["elapsed_ms"]


def test_a_megabyte_is_told_whole(run: Run) -> None:
    told, envelope = events(run, "seq", "1", "200000")
    assert text_of(told, "stdout") == "".join(f"{n}\n" for n in range(1, 200_001))
    assert envelope["meta"]["truncated"] is True


# --live


def test_live_copies_to_stderr(run: Run) -> None:
    result = run("--live", "sh", "-c", r"printf 'a\033[1mb\n'; echo c >&2")
    assert sorted(result.stderr.splitlines()) == [b"a\x1b[1mb", b"c"]
    assert result.data == {"stdout": "ab\n"}


def test_live_hides_secrets_where_everything_is_hidden(run: Run) -> None:
    token = "ghp_" + "aB3dE5gH7j" * 3 + "kL9mN1"
    result = run("--redact", "all", "--live", "echo", token)
    assert result.stderr == b"[redacted:github-token]\n"
    assert result.data == {"stdout": "[redacted:github-token]\n"}
    assert run("--live", "echo", token).data == {"stdout": f"{token}\n"}


# Waiting for input


@pytest.fixture
def silent() -> Iterator[dict[str, Any]]:
    """A stdin that nobody writes to and nobody closes."""
    reading, writing = os.pipe()
    yield {"stdin": reading}
    os.close(reading)
    os.close(writing)


HAS_SYSCALL = os.access("/proc/self/syscall", os.R_OK)
needs_syscall = pytest.mark.skipif(not HAS_SYSCALL, reason="the system does not tell of calls")


@needs_syscall
@pytest.mark.parametrize("script", ["read x", "cat", "sh -c 'read x'; :", "cat | cat"])
def test_a_tool_that_waits_for_input_is_noticed(
    run: Run, silent: dict[str, Any], script: str
) -> None:
    result = run("--timeout", "500ms", "sh", "-c", script, **silent)
    assert result.error["code"] == "OPERATION_TIMEOUT"
    assert result.error["suggestion"].startswith("It was waiting for input that cannot come")


@pytest.mark.parametrize("script", ["sleep 300", "sleep 300 | cat", "tail -f /dev/null"])
def test_a_tool_that_waits_for_something_else_is_not(
    run: Run, silent: dict[str, Any], script: str
) -> None:
    result = run("--timeout", "500ms", "sh", "-c", script, **silent)
    assert "input" not in result.error["suggestion"]


@needs_syscall
def test_a_heartbeat_says_that_input_is_waited_for(run: Run, silent: dict[str, Any]) -> None:
    words = ("--heartbeat", "100ms", "--timeout", "1s", "sh", "-c", "read x")
    told, _ = events(run, *words, **silent)
    assert any(event.get("waits_for_input") for event in told)


@needs_syscall
def test_waiting_at_a_terminal_is_waiting_too() -> None:
    pid, fd = pty.fork()
    if pid == 0:
        os.execvp("sh", ["sh", "-c", "read x < /dev/tty"])
    end = time.monotonic() + 20
    while not tree.waits_for_input(pid) and time.monotonic() < end:
        time.sleep(0.01)
    assert tree.waits_for_input(pid)
    os.write(fd, b"\n")
    os.waitpid(pid, 0)
    os.close(fd)
