"""The local log knows what no rule knew, without anybody's names, and is never in the way."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from clawwrap import log
from tests.conftest import CLAWWRAP, Run


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"XDG_STATE_HOME": str(tmp_path / "state")}


def file(env: dict[str, str]) -> Path:
    return Path(env["XDG_STATE_HOME"]) / "clawwrap" / "log.jsonl"


def test_misses_are_counted_by_their_words(run: Run, env: dict[str, str]) -> None:
    for name in ("/home/ann/a.txt", "/home/bob/b.txt"):
        run("sh", "-c", f"echo 'frob {name} wobbled' >&2; exit 3", env=env)
    run("ls", "/no/such", env=env)
    run("true", env=env)
    rows = run("adapters", "misses", env=env).data["misses"]
    assert [(row["command"], row["native"], row["words"], row["count"]) for row in rows] == [
        ("sh", 3, "frob § wobbled", 2)
    ]
    assert "ann" not in file(env).read_text()
    assert file(env).stat().st_mode & 0o077 == 0


def test_it_can_be_switched_off(run: Run, env: dict[str, str], tmp_path: Path) -> None:
    words = ("sh", "-c", "echo wobbled >&2; exit 3")
    run("--no-log", *words, env=env)
    run(*words, env=env | {"CLAWWRAP_NO_LOG": "1"})
    config = tmp_path / "config" / "clawwrap"
    config.mkdir(parents=True)
    (config / "config.yaml").write_text("no-log: true\n")
    run(*words, env=env | {"XDG_CONFIG_HOME": str(tmp_path / "config")})
    assert not file(env).exists()
    assert run("adapters", "misses", env=env).data["misses"] == []


def test_where_it_cannot_be_written_nothing_changes(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    env = {"XDG_STATE_HOME": str(tmp_path / "file")}
    result = run("sh", "-c", "exit 3", env=env)
    assert (result.code, result.stderr, result.warnings) == (1, b"", [])


def test_a_full_log_is_put_aside(
    run: Run, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file(env).parent.mkdir(parents=True)
    file(env).write_text("x" * (log.MOST_BYTES + 1) + "\n")
    run("sh", "-c", "exit 3", env=env)
    assert not file(env).exists()
    run("sh", "-c", "exit 4", env=env)
    rows = run("adapters", "misses", env=env).data["misses"]
    assert {row["native"] for row in rows} == {3, 4}  # the broken line is passed over


def test_many_writers_lose_nothing(clean_env: dict[str, str], env: dict[str, str]) -> None:
    def once(number: int) -> None:
        words = [*CLAWWRAP, "sh", "-c", f"exit {3 + number % 5}"]
        subprocess.run(words, env=clean_env | env, stdin=subprocess.DEVNULL, capture_output=True)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(once, range(24)))
    assert len(list(log.read(env))) == 24
