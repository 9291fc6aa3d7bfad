"""How long to wait, from what tools print."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clawwrap import waits
from tests.conftest import Run

NOW = 1_700_000_000.0  # 2023-11-14T22:13:20Z

TEXTS: list[tuple[str, int | None]] = [
    ("Retry-After: 30", 30_000),
    ("retry-after: 120\r", 120_000),
    ('"retry_after": 1.5', None),
    ("Retry after 5 seconds", 5_000),
    ("Please try again in 5m", 300_000),
    ("please try again in 20s.", 20_000),
    ("Please retry in 1.5s", 1_500),
    ("try again in 45 minutes", 2_700_000),
    ("Please wait 2 hours", 7_200_000),
    ("retrying in 500 ms", 500),
    ("Rate limit resets in 3m20s", 200_000),
    ("try again in 1h05m", 3_900_000),
    ("X-RateLimit-Reset: 1700000090", 90_000),
    ("Retry-After: Tue, 14 Nov 2023 22:14:20 GMT", 60_000),
    ("limit resets at 2023-11-14T22:23:20Z", 600_000),
    ("limit resets at 2023-11-14 22:23:20 UTC", 600_000),
    ("try again later", None),
    ("retry with --force", None),
    ("waited 30 seconds for nothing", None),
    ("Retry-After: 99999999999", None),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_waits(text: str, expected: int | None) -> None:
    assert waits.find(text.encode(), NOW) == expected


def test_a_moment_that_has_passed_is_now() -> None:
    assert waits.find(b"Retry-After: Tue, 14 Nov 2023 22:00:00 GMT", NOW) == 0


def test_the_wait_reaches_the_envelope_in_both_units(run: Run) -> None:
    result = run("sh", "-c", "echo 'error: 429 Too Many Requests. Retry-After: 90' >&2; exit 1")
    assert result.code == 11
    error = result.error
    assert (error["retryable"], error["retry_after"], error["retry_after_ms"]) == (True, 90, 90_000)
    assert error["retry_strategy"] == "exponential_backoff"


def test_without_a_word_about_it_the_table_holds(run: Run) -> None:
    limited = run("sh", "-c", "echo 'error: too many requests' >&2; exit 1")
    assert limited.error["retry_after_ms"] == 60_000
    refused = run("sh", "-c", "echo 'connect: Connection refused' >&2; exit 1")
    assert (refused.code, refused.error["retry_after_ms"]) == (12, 1000)


def test_a_rule_may_say_it(run: Run, adapter_file: Callable[[str, str], Path]) -> None:
    file = adapter_file(
        "sh",
        "tool: sh\nabout: a test\nexit_codes: {SUCCESS: It ran}\nrules:\n"
        "  - {id: slow, when: {exit: 9}, code: UNAVAILABLE, "
        "retry: {retryable: true, after: 5s, strategy: linear_backoff}}\n"
        "  - {id: stop, when: {exit: 8}, code: UNAVAILABLE, retry: {retryable: false}}\n",
    )
    error = run("--adapter", str(file), "sh", "-c", "exit 9").error
    assert (error["retry_after_ms"], error["retry_strategy"]) == (5000, "linear_backoff")
    error = run("--adapter", str(file), "sh", "-c", "exit 8").error
    assert error["retryable"] is False
    assert "retry_after" not in error
