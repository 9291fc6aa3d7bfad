"""--retry: only what passes and is safe, after the wait that it asks for, within one budget."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clawwrap import retrying
from clawwrap.capture import Capture
from clawwrap.catalog import Choice
from clawwrap.contract import ExitCode, Failure, Meta, Outcome, Retry
from clawwrap.invocation import Invocation
from tests.conftest import CLAWWRAP, Run, check_envelope
from tests.test_process import wait_until

if TYPE_CHECKING:
    from clawwrap.contract import Strategy

ADAPTER = """\
tool: flaky
about: A tool that fails as often as its first argument says.
subcommands: false
effects: {effects}
exit_codes:
  SUCCESS: It worked
  UNAVAILABLE: The service does not answer
  TIMEOUT: It took too long
  PARTIAL_FAILURE: Some of it is done
  AUTH_REQUIRED: The token is too old
native: {{5: PARTIAL_FAILURE}}
rules:
  - id: refused
    when: {{exit: 7}}
    code: UNAVAILABLE
    retry: {{retryable: true, after: 20ms, strategy: exponential_backoff}}
  - id: slow
    when: {{exit: 28}}
    code: TIMEOUT
    retry: {{retryable: true, after: 20ms}}
  - id: expired
    when: {{exit: 8}}
    code: AUTH_REQUIRED
    error: TOKEN_EXPIRED
    retry: {{retryable: true, after: 20ms}}
"""
TOOL = """\
#!/bin/sh
echo run >> runs
[ $(wc -l < runs) -gt "$1" ] && { echo done; exit 0; }
echo failed >&2
exit "$2"
"""

Flaky = Callable[..., Any]


@pytest.fixture
def flaky(run: Run, tmp_path: Path) -> Flaky:
    """Call a tool that fails so many times with this exit code."""
    tool = tmp_path / "flaky"
    tool.write_text(TOOL)
    tool.chmod(0o755)

    def call(times: int, code: int, *options: str, effects: str = "unknown", **more: Any) -> Any:
        (tmp_path / "runs").unlink(missing_ok=True)
        adapter = tmp_path / "flaky.yaml"
        adapter.write_text(ADAPTER.format(effects=effects))
        words = (*options, "--adapter", str(adapter), "./flaky", str(times), str(code))
        result = run(*words, **more)
        return result, (tmp_path / "runs").read_text().count("run")

    return call


def test_it_is_tried_again_until_it_works(flaky: Flaky) -> None:
    result, runs = flaky(2, 7, "--retry", "3")
    assert (result.code, result.data, runs) == (0, {"stdout": "done\n"}, 3)
    attempts = result.meta["attempts"]
    assert [attempt["code"] for attempt in attempts] == ["UNAVAILABLE", "UNAVAILABLE", "SUCCESS"]
    assert 20 <= attempts[0]["wait_ms"] <= 25 < 40 <= attempts[1]["wait_ms"] <= 50
    assert all(attempt["duration_ms"] >= 0 for attempt in attempts)
    assert "wait_ms" not in attempts[2]


def test_the_answer_is_that_of_the_last_attempt(flaky: Flaky) -> None:
    result, runs = flaky(9, 7, "--retry", "2")
    assert (result.code, runs) == (12, 3)
    assert len(result.meta["attempts"]) == 3


def test_never_more_than_three_times(flaky: Flaky) -> None:
    result, runs = flaky(9, 7, "--retry", "50")
    assert runs == 4
    assert "clawwrap: --retry 50 is limited to 3" in result.warnings


def test_without_the_option_there_is_one_attempt(flaky: Flaky) -> None:
    result, runs = flaky(1, 7)
    assert (result.code, runs) == (12, 1)
    assert "attempts" not in result.meta


@pytest.mark.parametrize("code", [1, 5, 8], ids=["general", "partial", "credentials"])
def test_what_waiting_does_not_cure_is_not_tried_again(flaky: Flaky, code: int) -> None:
    result, runs = flaky(1, code, "--retry", "3")
    assert runs == 1
    assert len(result.meta["attempts"]) == 1


@pytest.mark.parametrize(("effects", "runs"), [("unknown", 1), ("partial", 1), ("none", 2)])
def test_a_timeout_only_where_nothing_can_have_been_done(
    flaky: Flaky, effects: str, runs: int
) -> None:
    assert flaky(1, 28, "--retry", "3", effects=effects)[1] == runs


def test_our_own_timeout_is_the_end_of_the_budget(run: Run) -> None:
    result = run("--retry", "3", "--timeout", "300ms", "sleep", "300")
    assert result.code == 10
    assert len(result.meta["attempts"]) == 1


def test_a_wait_that_would_pass_the_budget_is_not_begun(run: Run) -> None:
    script = "echo 'HTTP 429 Too Many Requests. Retry-After: 90' >&2; exit 1"
    result = run("--retry", "3", "--timeout", "5s", "sh", "-c", script)
    assert (result.code, result.error["retry_after"]) == (11, 90)
    assert any("would pass the --timeout" in warning for warning in result.warnings)


def test_a_line_of_several_commands_may_have_done_something(run: Run, tmp_path: Path) -> None:
    line = "touch made; echo 'connection refused' >&2; exit 1"
    result = run("--retry", "3", "-c", line)
    assert result.code == 12
    assert len(result.meta["attempts"]) == 1


def test_stdin_that_was_read_cannot_be_read_again(flaky: Flaky, run: Run, tmp_path: Path) -> None:
    script = "read x; echo 'connection refused' >&2; exit 1"
    result = run("--retry", "2", "sh", "-c", script, input=b"answer\n")
    assert len(result.meta["attempts"]) == 1
    assert "clawwrap: not tried again: stdin has been read" in result.warnings


def test_stdin_from_a_file_is_read_from_the_same_place_again(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"first\nsecond\n")
    script = 'cat >> seen; [ $(wc -l < seen) -ge 2 ] || { echo "connection refused" >&2; exit 1; }'
    with open(tmp_path / "in", "rb") as file:
        os.lseek(file.fileno(), 6, os.SEEK_SET)
        result = run("--retry", "2", "--timeout", "30s", "sh", "-c", script, stdin=file)
    assert result.code == 0
    assert (tmp_path / "seen").read_text() == "second\nsecond\n"


def test_what_is_still_running_forbids_another_attempt(run: Run) -> None:
    script = "sleep 300 >/dev/null 2>&1 & echo 'connection refused' >&2; echo $!; exit 1"
    result = run("--retry", "2", "sh", "-c", script)
    try:
        assert "clawwrap: not tried again: processes of it are still running" in result.warnings
        assert len(result.meta["attempts"]) == 1
    finally:
        os.kill(int(result.error["output"]["stdout"]), signal.SIGKILL)


def test_events_tell_of_every_attempt(flaky: Flaky) -> None:
    result, _ = flaky(1, 7, "--retry", "1", "-o", "jsonl", check=False)
    *told, envelope = [json.loads(line) for line in result.stdout.splitlines()]
    check_envelope(envelope, result.code)
    names = [event["event"] for event in told]
    assert names == ["started", "stderr", "attempt", "started", "stdout"]
    assert told[2] | {"attempt": 1, "code": "UNAVAILABLE"} == told[2]
    assert told[2]["wait_ms"] >= 20


def test_a_person_is_told(flaky: Flaky) -> None:
    result, _ = flaky(1, 7, "--retry", "1", "-o", "human", check=False)
    assert (result.code, result.stdout) == (0, b"done\n")
    assert b"clawwrap: attempt 1: UNAVAILABLE, again in 2" in result.stderr


def test_raw_prints_nothing_twice(flaky: Flaky) -> None:
    assert flaky(1, 7, "--retry", "1", "-o", "raw", check=False)[1] == 1


def test_a_signal_ends_the_waiting(clean_env: dict[str, str], tmp_path: Path) -> None:
    script = "echo run >> runs; echo 'connection refused, retry after 60 seconds' >&2; exit 1"
    process = subprocess.Popen(
        [*CLAWWRAP, "-o", "jsonl", "--retry", "1", "sh", "-c", script],
        env=clean_env,
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    )
    assert process.stdout
    while json.loads(process.stdout.readline())["event"] != "attempt":
        pass
    wait_until(lambda: _sleeps(process.pid))
    process.terminate()
    rest, _ = process.communicate(timeout=60)
    [envelope] = [json.loads(line) for line in rest.splitlines()]
    assert process.returncode == 12
    assert any("SIGTERM came while waiting" in warning for warning in envelope["warnings"])
    assert (tmp_path / "runs").read_text() == "run\n"


def _sleeps(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return state == "S"


@pytest.mark.parametrize(
    ("strategy", "factors"),
    [
        ("immediate", [1, 1, 1]),
        ("linear_backoff", [1, 2, 3]),
        ("exponential_backoff", [1, 2, 4]),
    ],
)
def test_waits_grow_as_the_strategy_says(strategy: Strategy, factors: list[int]) -> None:
    inv = Invocation(time.monotonic_ns())
    inv.retry = 3
    attempts = retrying.Attempts(inv, Choice(["x"], []), 0)
    failure = Failure("CONNECTION_REFUSED", "refused", Retry(True, 1000, strategy))
    outcome: Outcome[Any]
    outcome = Outcome(ExitCode.UNAVAILABLE, Meta(1, "r", "t", "x"), None, failure)
    for factor in factors:
        attempts.add(outcome, Capture())
        wait = attempts._least_wait(outcome)
        assert 1000 * factor <= wait <= 1250 * factor
