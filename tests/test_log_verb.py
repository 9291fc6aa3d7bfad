"""`clawwrap log`: the right runs, in the right order, also while others write."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from clawwrap import log
from clawwrap.admin import app
from clawwrap.errors import UsageError
from clawwrap.invocation import Invocation
from clawwrap.journal import choosing, reading
from tests import journal
from tests.conftest import CLAWWRAP, Run


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"XDG_STATE_HOME": str(tmp_path / "state"), "TZ": "UTC"}


@pytest.fixture
def filled(env: dict[str, str]) -> dict[str, str]:
    journal.write(
        env,
        journal.entry("git push", minutes=0),
        journal.entry("git push", "CONNECTION_REFUSED", minutes=10),
        journal.entry("git status", minutes=20),
        journal.entry("npm test", "TESTS_FAILED", minutes=30),
        journal.entry("frob", "UNCLASSIFIED", minutes=40, words="frob § wobbled"),
        {"v": 1, "time": "2026-01-31T12:45:00.000Z", "request_id": "r40", "note": "a remark"},
    )
    return env


FILTERS = {
    (): ["r0", "r10", "r20", "r30", "r40", "r40"],
    ("--tool", "git"): ["r0", "r10", "r20"],
    ("--tool", "git push"): ["r0", "r10"],
    ("--code", "12"): ["r10"],
    ("--code", "unavailable"): ["r10"],
    ("--code", "CONNECTION_REFUSED"): ["r10"],
    ("--code", "SUCCESS"): ["r0", "r20"],
    ("--code", "TESTS_FAILED"): ["r30"],
    ("--failed",): ["r10", "r30", "r40"],
    ("--failed", "--tool", "git"): ["r10"],
    ("--misses",): ["r40"],
    ("--request-id", "r40"): ["r40", "r40"],
    ("--since", "2026-01-31T12:30:00"): ["r30", "r40", "r40"],
    ("--since", "2026-01-31T13:30:00+01:00"): ["r30", "r40", "r40"],
    ("--until", "2026-01-31T12:10:00Z"): ["r0"],
    ("--since", "2026-02-01"): [],
    ("--until", "1h", "-n", "2"): ["r40", "r40"],
    ("--limit", "0"): ["r0", "r10", "r20", "r30", "r40", "r40"],
    ("--limit", "1"): ["r40"],
}


@pytest.mark.parametrize("words", FILTERS, ids=" ".join)
def test_filters(
    filled: dict[str, str], words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in filled.items():
        monkeypatch.setenv(name, value)
    time.tzset()
    data = app.command(["log", *words], Invocation()).data
    assert [entry["request_id"] for entry in data["entries"]] == FILTERS[words]


def test_there_are_always_a_few_and_the_number_of_all(run: Run, env: dict[str, str]) -> None:
    journal.write(env, *(journal.entry(minutes=number) for number in range(30)))
    data = run("log", env=env).data
    assert [entry["request_id"] for entry in data["entries"]] == [f"r{n}" for n in range(10, 30)]
    assert data["total"] == 30


def test_a_table_for_people(run: Run, filled: dict[str, str]) -> None:
    text = run("log", "-n", "3", "-o", "human", env=filled, check=False).stdout.decode()
    assert text.splitlines() == [
        "TIME                 EXIT  ERROR         TOOK    COMMAND",
        "2026-01-31 12:30:00  80    TESTS_FAILED  100 ms  npm test --flag",
        "2026-01-31 12:40:00  1     UNCLASSIFIED  100 ms  frob --flag",
        "2026-01-31 12:45:00  -     -             -       clawwrap: a remark",
        "the last 3 of 6; `--limit 0` shows all",
    ]


def test_an_empty_log(run: Run, env: dict[str, str]) -> None:
    assert run("log", env=env).data == {"entries": [], "total": 0}
    text = run("log", "-o", "human", env=env, check=False).stdout.decode()
    assert text == f"no runs; {log.folder(env)}: empty\n"


def test_a_log_that_cannot_be_written_says_why_there_is_nothing(
    run: Run, env: dict[str, str]
) -> None:
    Path(env["XDG_STATE_HOME"]).mkdir()
    Path(log.folder(env)).write_text("")
    done = run("log", env=env)
    assert done.code == 0
    assert done.warnings == [
        f"clawwrap: {log.folder(env)}: is no folder; nothing is logged. "
        "Remove it, or set XDG_STATE_HOME to a folder of your own."
    ]


def test_a_name_that_moves_text_is_shown_for_what_it_is(run: Run, env: dict[str, str]) -> None:
    journal.write(env, journal.entry("evil\u202e\x1b[31m"))
    text = run("log", "-o", "human", env=env, check=False).stdout.decode()
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert "evil<U+202E><U+001B>[31m" in text


def test_lines_of_somebody_else_do_no_harm(run: Run, env: dict[str, str]) -> None:
    journal.write(env, journal.entry())
    with (Path(log.folder(env)) / log.NAME).open("a") as file:
        for broken in ({"argv": 5}, {"code": [], "exit_code": "x"}, {"time": "soon", "code": "X"}):
            file.write(json.dumps({"v": 1, "time": "2026", "command": "x"} | broken) + "\n")
    for words in (("log",), ("log", "-o", "human"), ("stats", "--since", ""), ("stats",)):
        assert run(*words, env=env, check=False).code == 0


def test_where_it_is(run: Run, env: dict[str, str]) -> None:
    assert run("log", "--path", env=env).data == {"file": f"{log.folder(env)}/log.jsonl"}


def test_it_can_be_removed(run: Run, filled: dict[str, str]) -> None:
    assert run("log", "--clear", env=filled).data == {"removed": 1}
    assert run("log", env=filled).data["total"] == 0
    assert run("log", "--clear", env=filled).data == {"removed": 0}
    run("true", env=filled)
    assert run("log", env=filled).data["total"] == 1


@pytest.mark.parametrize("option", ["--since", "--until"])
@pytest.mark.parametrize("text", ["soon", "5x", "-3h", "2026-13-01", "9999999999w", "h"])
def test_a_time_that_is_none(option: str, text: str) -> None:
    with pytest.raises(UsageError, match=f"{option} wants a time such as 2h") as found:
        app.command(["log", f"{option}={text}"], Invocation())
    assert found.value.code == "INVALID_ARGUMENT"


NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)
MOMENTS = {
    "30s": "2026-01-31T11:59:30.000Z",
    "90m": "2026-01-31T10:30:00.000Z",
    "2h": "2026-01-31T10:00:00.000Z",
    "1d": "2026-01-30T12:00:00.000Z",
    "1w": "2026-01-24T12:00:00.000Z",
    "2026-01-02T03:04:05.5Z": "2026-01-02T03:04:05.500Z",
    "": "",
}


@pytest.mark.parametrize("text", MOMENTS)
def test_moments(text: str) -> None:
    assert choosing.moment("--since", text, NOW) == MOMENTS[text]


def test_a_moment_too_far_away() -> None:
    with pytest.raises(UsageError):
        choosing.moment("--since", "99999999d", NOW)


# Following


class Follower:
    """A `clawwrap log --follow` that runs, and what it has printed."""

    def __init__(self, words: tuple[str, ...], env: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [*CLAWWRAP, "log", "--follow", *words],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def line(self) -> bytes:
        assert self.process.stdout
        line = b""
        while not line.endswith(b"\n"):
            assert select.select([self.process.stdout], [], [], 60)[0], "nothing came"
            if not (char := os.read(self.process.stdout.fileno(), 1)):
                break
            line += char
        return line

    def request_id(self) -> str:
        found: str = orjson.loads(self.line())["request_id"]
        return found

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(30)


@pytest.fixture
def follow(clean_env: dict[str, str], env: dict[str, str]) -> Iterator[Callable[..., Follower]]:
    started: list[Follower] = []

    def start(*words: str) -> Follower:
        started.append(Follower(words, clean_env | env))
        return started[-1]

    yield start
    for follower in started:
        follower.process.kill()
        follower.process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_follows_until_a_signal_comes(
    follow: Callable[..., Follower], filled: dict[str, str], number: int
) -> None:
    follower = follow("-n", "1", "--tool", "git")
    assert follower.request_id() == "r20"
    journal.write(filled, journal.entry("npm test", minutes=50))
    journal.write(filled, journal.entry("git fetch", minutes=51))
    assert follower.request_id() == "r51"
    assert follower.end(number) == 0
    assert follower.line() == b""
    assert follower.process.stderr
    assert follower.process.stderr.read() == b""


def test_it_follows_what_has_not_begun(
    follow: Callable[..., Follower], env: dict[str, str]
) -> None:
    follower = follow()
    time.sleep(0.1)
    journal.write(env, journal.entry(minutes=1))
    assert follower.request_id() == "r1"


def test_it_follows_files_that_are_put_aside_removed_and_emptied(
    follow: Callable[..., Follower], env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "MOST_BYTES", 3000)
    follower = follow()
    for number in range(100):
        journal.write(env, journal.entry(minutes=number))
        if number % 10 == 9:  # never so fast that a file is gone before anybody could look
            assert [follower.request_id() for _ in range(10)] == [
                f"r{n}" for n in range(number - 9, number + 1)
            ]
    assert len(list(Path(log.folder(env)).glob("log.jsonl.*"))) > 2
    reading.clear(env)
    journal.write(env, journal.entry(minutes=200))
    assert follower.request_id() == "r200"
    os.truncate(f"{log.folder(env)}/{log.NAME}", 0)
    time.sleep(0.5)
    journal.write(env, journal.entry(minutes=201))
    assert follower.request_id() == "r201"


def test_it_ends_when_nobody_reads_any_more(
    follow: Callable[..., Follower], env: dict[str, str]
) -> None:
    follower = follow()
    journal.write(env, journal.entry(minutes=1))
    follower.line()
    assert follower.process.stdout
    follower.process.stdout.close()
    while follower.process.poll() is None:
        journal.write(env, journal.entry(minutes=2))
        time.sleep(0.05)
    assert follower.process.returncode == 0


def test_people_get_the_rows_of_a_table(
    follow: Callable[..., Follower], filled: dict[str, str]
) -> None:
    follower = follow("-o", "human", "-n", "2", "--failed")
    assert follower.line() == (
        b"TIME                 EXIT  ERROR                   TOOK      COMMAND\n"
    )
    assert follower.line() == (
        b"2026-01-31 12:30:00  80    TESTS_FAILED            100 ms    npm test --flag\n"
    )


def test_what_is_written_after_a_file_was_put_aside_is_not_missed(env: dict[str, str]) -> None:
    """A writer that has the file open while it is put aside ends up in the older one."""
    journal.write(env, journal.entry(minutes=0))
    place = Path(log.folder(env))
    files = reading.open_new(env, {})
    assert [len(list(file.lines())) for file in files.values()] == [1]
    late = os.open(place / log.NAME, os.O_WRONLY | os.O_APPEND)
    os.rename(place / log.NAME, place / f"{log.NAME}.1")
    journal.write(env, journal.entry(minutes=2))
    os.write(late, orjson.dumps(journal.entry(minutes=1)) + b"\n")
    os.close(late)
    found: list[Any] = []
    for file in reading.open_new(env, files).values():
        found += [orjson.loads(line)["request_id"] for line in file.lines()]
        file.close()
    assert found == ["r1", "r2"]
