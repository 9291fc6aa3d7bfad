"""What `doctor` says of the log: where it is, and why nothing is written to it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clawwrap import log
from clawwrap.journal import choosing, health
from tests import journal

NOW = choosing.stamp(datetime.now(UTC))


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"XDG_STATE_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}


def place(env: dict[str, str]) -> Path:
    return Path(log.folder(env))


def test_a_log_with_runs(env: dict[str, str]) -> None:
    journal.write(env, journal.entry(), journal.entry())
    assert health.check(env) == (True, f"{place(env)}: 2 runs, 0 KiB", "")


def test_a_log_that_does_not_exist_yet(env: dict[str, str]) -> None:
    assert health.check(env) == (True, f"{place(env)}: empty", "")
    place(env).mkdir()
    assert health.check(env).ok
    assert list(place(env).iterdir()) == []


def test_a_log_that_is_switched_off(env: dict[str, str], tmp_path: Path) -> None:
    assert "switched off" in health.check(env | {"CLAWWRAP_NO_LOG": "1"}).found
    config = tmp_path / "config" / "clawwrap"
    config.mkdir(parents=True)
    (config / "config.yaml").write_text("no-log: true\n")
    assert "switched off" in health.check(env).found
    assert "empty" in health.check(env | {"CLAWWRAP_NO_LOG": "0"}).found


def link(at: Path) -> None:
    (at.parent / "elsewhere").mkdir()
    at.symlink_to(at.parent / "elsewhere")


def file(at: Path) -> None:
    at.write_text("")


def open_to_all(at: Path) -> None:
    at.mkdir()
    at.chmod(0o777)


def folder_as_file(at: Path) -> None:
    (at / log.NAME).mkdir(parents=True)


OBSTACLES: dict[Callable[[Path], None], str] = {
    link: "is a symbolic link",
    file: "is no folder",
    open_to_all: "others can write to it",
    folder_as_file: "is a directory",
}


@pytest.mark.parametrize("obstacle", OBSTACLES, ids=lambda obstacle: obstacle.__name__)
def test_what_is_in_the_way(env: dict[str, str], obstacle: Callable[[Path], None]) -> None:
    obstacle(place(env))
    found = health.check(env)
    assert not found.ok
    assert OBSTACLES[obstacle] in found.found
    assert found.found.endswith("nothing is logged")
    assert found.fix


def test_a_home_that_is_read_only(env: dict[str, str]) -> None:
    found = health.check(env | {"XDG_STATE_HOME": "/dev/null/x"})
    assert (found.ok, found.found) == (False, "/dev/null/x/clawwrap: not a directory")


def test_spans_that_could_not_be_exported(env: dict[str, str]) -> None:
    journal.write(env, log.remark(journal.entry(time=NOW), "the span was not exported: refused"))
    found = health.check(env)
    assert not found.ok
    assert "the span was not exported: refused" in found.found


def test_what_went_wrong_long_ago_is_forgotten(env: dict[str, str]) -> None:
    journal.write(env, log.remark(journal.entry(), "the span was not exported: refused"))
    assert health.check(env).ok


def test_where_spans_go(env: dict[str, str]) -> None:
    assert health.export(env) == (True, "off; clawwrap talks to nobody", "")
    wanted = env | {"CLAWWRAP_OTEL": "1"}
    assert "OTEL_EXPORTER_OTLP_ENDPOINT is not set" in health.export(wanted).found
    to = {"OTEL_EXPORTER_OTLP_ENDPOINT": "https://bob:hunter2hunter2@collector.example:4318"}
    found = health.export(wanted | to)
    assert found.ok
    assert "collector.example" in found.found
    assert "hunter2" not in found.found
