"""The local log has a line for every run, nobody's secrets, and is never in the way."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import orjson
import pytest

from clawwrap import log
from clawwrap.journal import reading
from tests.conftest import CLAWWRAP, Run

TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3
PLAIN: dict[str, Any] = {
    "time": "2026-01-02T03:04:05.678Z",
    "request_id": "r-1",
    "command": "git push",
    "argv": ["git", "push"],
    "code": "SUCCESS",
    "exit_code": 0,
    "duration_ms": 7,
    "output_bytes": 0,
}


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"XDG_STATE_HOME": str(tmp_path / "state")}


def folder(env: dict[str, str]) -> Path:
    return Path(env["XDG_STATE_HOME"]) / "clawwrap"


def file(env: dict[str, str]) -> Path:
    return folder(env) / "log.jsonl"


def lines(env: dict[str, str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file(env).read_text().splitlines()]


def write(env: dict[str, str], **changes: Any) -> None:
    log.append(log.entry(**PLAIN | changes), env, orjson.dumps)


# What is in it


def test_a_success_is_a_line(run: Run, env: dict[str, str], tmp_path: Path) -> None:
    done = run("--request-id", "r-9", "sh", "-c", "echo hello", env=env)
    (entry,) = lines(env)
    assert entry.pop("pid") > 1
    assert entry == {
        "v": 1,
        "time": done.meta["timestamp"],
        "request_id": "r-9",
        "tool": "sh",
        "command": "sh",
        "argv": ["sh", "-c", "echo hello"],
        "cwd": str(tmp_path),
        "code": "SUCCESS",
        "exit_code": 0,
        "native_exit": 0,
        "duration_ms": done.meta["duration_ms"],
        "output_bytes": 6,
    }


def test_a_failure_says_why(run: Run, env: dict[str, str]) -> None:
    done = run("ls", "/no/such", env=env)
    (entry,) = lines(env)
    wanted = {
        "code": "NOT_FOUND",
        "exit_code": 5,
        "error": done.error["code"],
        "retryable": False,
        "native_exit": 2,
        "adapter": done.meta["adapter"],
        "rule": done.meta["rule"],
        "output_bytes": len(done.error["detail"]),
    }
    assert {name: entry.get(name) for name in wanted} == wanted
    assert "miss" not in entry


def test_how_a_run_was_ended(run: Run, env: dict[str, str], clean_env: dict[str, str]) -> None:
    run("--timeout", "100ms", "sleep", "30", env=env)
    run("sh", "-c", "kill -KILL $$", env=env)
    run("no-such-tool-at-all", env=env)
    words = [*CLAWWRAP, "sh", "-c", "echo $$ >pid; exec sleep 30"]
    child = subprocess.Popen(words, env=clean_env | env, stdout=subprocess.DEVNULL, cwd=folder(env))
    while not (pid := folder(env) / "pid").exists() or not pid.read_text().strip():
        time.sleep(0.01)
    child.send_signal(signal.SIGTERM)
    child.wait()
    timeout, killed, absent, cancelled = lines(env)
    assert (timeout["timed_out"], timeout["code"], timeout["signal"]) == (
        True,
        "TIMEOUT",
        "SIGTERM",
    )
    assert (killed["signal"], "native_exit" in killed) == ("SIGKILL", False)
    assert (absent["error"], "native_exit" in absent, "pid" in absent) == (
        "COMMAND_NOT_FOUND",
        False,
        False,
    )
    assert (cancelled["cancelled"], cancelled["error"]) == (True, "CANCELLED")


def test_attempts_are_in_it(run: Run, env: dict[str, str]) -> None:
    script = "test -e again && exit; touch again; echo 'connection refused' >&2; exit 1"
    done = run("--retry", "1", "--timeout", "30s", "sh", "-c", script, env=env)
    (entry,) = lines(env)
    assert [attempt["code"] for attempt in entry["attempts"]] == ["UNAVAILABLE", "SUCCESS"]
    assert entry["attempts"] == done.meta["attempts"]


@pytest.mark.parametrize("output", ["human", "raw", "jsonl"])
def test_other_outputs_are_logged_too(run: Run, env: dict[str, str], output: str) -> None:
    run("-o", output, "sh", "-c", "exit 3", env=env, check=False)
    assert [entry["native_exit"] for entry in lines(env)] == [3]


def test_a_whole_line_is_one_run(run: Run, env: dict[str, str]) -> None:
    run("-c", "true && false", env=env)
    assert [(entry["tool"], entry["command"]) for entry in lines(env)] == [("bash", "bash -c")]


def test_the_tool_behind_a_launcher_is_named(run: Run, env: dict[str, str]) -> None:
    run("env", "A=1", "git", "status", "--no-such", env=env)
    assert [(entry["tool"], entry["command"]) for entry in lines(env)] == [("git", "git status")]


def test_misses_are_counted_by_their_words(run: Run, env: dict[str, str]) -> None:
    for name in ("/home/ann/a.txt", "/home/bob/b.txt"):
        run("sh", "-c", f"echo 'frob {name} wobbled' >&2; exit 3", env=env)
    run("ls", "/no/such", env=env)
    run("true", env=env)
    rows = run("adapters", "misses", env=env).data["misses"]
    assert [(row["command"], row["native"], row["words"], row["count"]) for row in rows] == [
        ("sh", 3, "frob § wobbled", 2)
    ]
    assert [entry.get("miss") for entry in lines(env)] == [True, True, None, None]


@pytest.mark.parametrize("policy", ["errors", "all", "none"])
def test_secrets_are_masked_whatever_the_policy(run: Run, env: dict[str, str], policy: str) -> None:
    script = f"echo {TOKEN}; echo 'frob {TOKEN} wobbled' >&2; exit 3"
    run("--redact", policy, "sh", "-c", script, env=env)
    run("--redact", policy, TOKEN, env=env)
    run("--redact", policy, "--password", env=env, check=False)
    run("--redact", policy, "mysql", f"-p{TOKEN}", "--password=hunter2hunter2", env=env)
    text = file(env).read_text()
    assert TOKEN not in text
    assert "hunter2" not in text
    assert "[redacted:" in text


def test_names_that_are_no_text(run: Run, env: dict[str, str]) -> None:
    run("ls", b"/no/\xff\xfe", "/no/\u202e", env=env)
    assert lines(env)[0]["argv"][1:] == ["/no/\\udcff\\udcfe", "/no/\u202e"]


@pytest.mark.parametrize("text", ["x" * 9000, "\x01" * 9000, "é" * 9000, "\U0001f600" * 9000])
def test_a_line_is_never_longer_than_a_page(env: dict[str, str], text: str) -> None:
    attempts = [{"code": "UNAVAILABLE", "error": text, "duration_ms": 1}] * 4
    write(env, request_id=text, command=text, cwd=text, argv=[text] * 9, words=text, rule=text)
    write(env, request_id=text, argv=[text[:9]] * 999, attempts=attempts, error=text, adapter=text)
    raw = file(env).read_bytes().splitlines(keepends=True)
    assert len(raw) == 2
    assert all(len(line) <= log.LONGEST_LINE for line in raw)
    assert all(reading.parse(line) for line in raw)


# Where it is, and where it is not


def test_nobody_else_can_read_it(env: dict[str, str]) -> None:
    before = os.umask(0)
    try:
        write(env)
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder(env).stat().st_mode) == 0o700
    assert stat.S_IMODE(file(env).stat().st_mode) == 0o600


def test_it_can_be_switched_off(run: Run, env: dict[str, str], tmp_path: Path) -> None:
    words = ("sh", "-c", "echo wobbled >&2; exit 3")
    run("--no-log", *words, env=env)
    run(*words, env=env | {"CLAWWRAP_NO_LOG": "1"})
    config = tmp_path / "config" / "clawwrap"
    config.mkdir(parents=True)
    (config / "config.yaml").write_text("no-log: true\n")
    run(*words, env=env | {"XDG_CONFIG_HOME": str(tmp_path / "config")})
    assert not folder(env).exists()
    assert run("adapters", "misses", env=env).data["misses"] == []


def test_a_relative_folder_does_not_count(tmp_path: Path) -> None:
    home = str(tmp_path)
    os_home = os.environ["HOME"]
    try:
        os.environ["HOME"] = home
        assert log.folder({"XDG_STATE_HOME": "here"}) == f"{home}/.local/state/clawwrap"
    finally:
        os.environ["HOME"] = os_home


def a_file(place: Path) -> None:
    place.write_text("")


def a_link(place: Path) -> None:
    (place.parent / "elsewhere").mkdir()
    place.symlink_to(place.parent / "elsewhere")


def a_folder_for_everybody(place: Path) -> None:
    place.mkdir()
    place.chmod(0o777)


def a_folder_of_somebody_else(place: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    place.mkdir()
    os.chown(place, 12345, 12345)


def a_link_as_the_log(place: Path) -> None:
    place.mkdir()
    (place.parent / "precious").write_text("")
    (place / "log.jsonl").symlink_to(place.parent / "precious")


def a_fifo_as_the_log(place: Path) -> None:
    place.mkdir()
    os.mkfifo(place / "log.jsonl")


def a_folder_as_the_log(place: Path) -> None:
    (place / "log.jsonl").mkdir(parents=True)


@pytest.mark.parametrize(
    "obstacle",
    [
        a_file,
        a_link,
        a_folder_for_everybody,
        a_folder_of_somebody_else,
        a_link_as_the_log,
        a_fifo_as_the_log,
        a_folder_as_the_log,
    ],
    ids=lambda obstacle: obstacle.__name__,
)
def test_where_it_cannot_be_written_nothing_changes(
    run: Run, env: dict[str, str], obstacle: Any
) -> None:
    folder(env).parent.mkdir()
    obstacle(folder(env))
    before = sorted(folder(env).parent.rglob("*"))
    result = run("sh", "-c", "exit 3", env=env)
    assert (result.code, result.stderr, result.warnings) == (1, b"", [])
    assert run("true", env=env).code == 0
    assert sorted(folder(env).parent.rglob("*")) == before
    assert all(path.stat().st_size == 0 for path in before if path.is_file())


def test_a_home_that_cannot_be_written_to(run: Run, tmp_path: Path) -> None:
    """/proc is read-only for everybody, root included."""
    result = run("sh", "-c", "exit 3", env={"XDG_STATE_HOME": "/proc", "HOME": "/proc"})
    assert (result.code, result.stderr, result.warnings) == (1, b"", [])


def test_a_full_disk_costs_a_line_and_not_the_next(env: dict[str, str]) -> None:
    write(env, request_id="one")
    with file(env).open("ab") as log_file:
        log_file.write(b'{"v":1,"time":"2026-01-02T03:04:05.678Z","argv":["half {\\"v\\":')
    write(env, request_id="two")
    assert [entry["request_id"] for entry in reading.read(env)] == ["one", "two"]


@pytest.mark.parametrize("line", [b"", b"x", b"[1]", b'{"v":1}', b'{"v":1,"time":5}', b"\xff\x00"])
def test_lines_that_are_none_are_passed_over(env: dict[str, str], line: bytes) -> None:
    write(env)
    with file(env).open("ab") as log_file:
        log_file.write(line + b"\n")
    write(env)
    assert len(list(reading.read(env))) == 2


# Many writers, full files


def test_a_full_log_is_put_aside(env: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MOST_BYTES", 1000)
    for number in range(200):
        write(env, request_id=str(number))
    found = [int(entry["request_id"]) for entry in reading.read(env)]
    assert found == list(range(found[0], 200))
    assert sorted(path.name for path in folder(env).iterdir()) == [
        "log.jsonl",
        *(f"log.jsonl.{number}" for number in range(1, log.KEPT + 1)),
        "log.lock",
    ]
    assert all(path.stat().st_size < 1000 + log.LONGEST_LINE for path in folder(env).iterdir())


WRITER = """
import os, sys
import orjson
from clawwrap import log
log.MOST_BYTES, log.KEPT = 20_000, 60
number, runs = int(sys.argv[1]), int(sys.argv[2])
for run in range(runs):
    log.append(
        log.entry(
            time="2026-01-02T03:04:05.678Z", request_id=f"{number}-{run}", command="x" * (run % 99),
            argv=["y" * 400], code="SUCCESS", exit_code=0, duration_ms=1, output_bytes=0,
        ),
        os.environ,
        orjson.dumps,
    )
"""


def test_fifty_processes_lose_and_split_nothing(
    clean_env: dict[str, str], env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    python = CLAWWRAP[0]
    writers = [
        subprocess.Popen([python, "-c", WRITER, str(number), "30"], env=clean_env | env)
        for number in range(50)
    ]
    assert [writer.wait() for writer in writers] == [0] * 50
    monkeypatch.setattr(log, "KEPT", 60)
    assert len(list(folder(env).iterdir())) > 20  # it was put aside again and again meanwhile
    raw = b"".join(path.read_bytes() for path in folder(env).glob("log.jsonl*"))
    found = [json.loads(line)["request_id"] for line in raw.splitlines()]
    assert sorted(found) == sorted(f"{n}-{run}" for n in range(50) for run in range(30))
    assert len(list(reading.read(env))) == 1500


def test_many_runs_at_once_are_all_there(clean_env: dict[str, str], env: dict[str, str]) -> None:
    def once(number: int) -> None:
        words = [*CLAWWRAP, "--request-id", str(number), "sh", "-c", f"exit {3 + number % 5}"]
        subprocess.run(words, env=clean_env | env, stdin=subprocess.DEVNULL, capture_output=True)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(once, range(24)))
    assert {entry["request_id"] for entry in reading.read(env)} == set(map(str, range(24)))
