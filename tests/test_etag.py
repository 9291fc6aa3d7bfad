"""An etag changes when the answer does; what has not changed costs next to nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Run


def test_every_success_has_one_and_no_failure(run: Run) -> None:
    assert run("echo", "hi").meta["etag"]
    assert run("true").meta["etag"]
    assert "etag" not in run("false").meta


def test_the_same_answer_has_the_same_and_another_another(run: Run) -> None:
    tags = [run("echo", word).meta["etag"] for word in ("hi", "hi", "ho")]
    assert tags[0] == tags[1] != tags[2]


@pytest.mark.parametrize("count", [10, 30_000, 400_000], ids=["short", "paged", "spooled"])
def test_what_is_not_modified_is_left_out(run: Run, count: int) -> None:
    tag = run("seq", "1", str(count)).meta["etag"]
    again = run("--etag", tag, "sh", "-c", f"seq 1 {count}; echo note >&2")
    assert (again.code, again.data, again.error) == (0, None, None)
    assert again.meta["not_modified"] is True
    assert again.meta["etag"] == tag
    assert again.warnings == ["note"]  # what was said beside it still is
    assert "cursor" not in again.meta
    changed = run("--etag", tag, "sh", "-c", f"seq 1 {count}; echo more")
    assert changed.data is not None
    assert "not_modified" not in changed.meta


def test_a_change_in_the_middle_of_a_long_output_counts(run: Run) -> None:
    script = "seq 1 200000; echo {}; seq 200000 400000"
    one, other = (run("sh", "-c", script.format(word)).meta["etag"] for word in ("a", "b"))
    assert one != other


def test_colours_and_progress_do_not_count(run: Run) -> None:
    plain = run("printf", r"100%%\n").meta["etag"]
    assert run("printf", r"\033[32m 10%%\r100%%\033[0m\n").meta["etag"] == plain


def test_a_failure_is_never_not_modified(run: Run) -> None:
    tag = run("echo", "hi").meta["etag"]
    result = run("--etag", tag, "sh", "-c", "echo hi; exit 1")
    assert result.code == 1
    assert result.error["output"] == {"stdout": "hi\n"}


def test_with_fields_only_they_count_in_a_long_list_too(run: Run) -> None:
    def tag(more: str) -> str:
        whole = json.dumps([{"id": n, "age": f"{n}{more}"} for n in range(3000)])
        result = run("--fields", "id", "cat", input=whole.encode())
        assert result.meta["truncated"] is True
        return str(result.meta["etag"])

    assert tag("s") == tag("m")
    assert tag("s") != run("--fields", "id", "echo", '[{"id":1}]').meta["etag"]


def test_with_fields_only_they_count(run: Run) -> None:
    def tag(**value: object) -> str:
        found: str = run("--fields", "status", "echo", json.dumps(value)).meta["etag"]
        return found

    assert tag(status="up", load=1) == tag(status="up", load=2) != tag(status="down", load=1)


def test_an_adapter_says_what_changes_without_a_change(
    run: Run, adapter_file: Callable[[str, str], Path]
) -> None:
    adapter = adapter_file(
        "echo",
        "tool: echo\nabout: a test\nexit_codes: {SUCCESS: It spoke}\nvolatile: ['\\d+[smhd]\\b']\n",
    )
    words = ("--adapter", str(adapter), "echo")
    one, other = (run(*words, f"web  Running  {age}").meta["etag"] for age in ("5m", "6m"))
    assert one == other != run(*words, "web  Failed  5m").meta["etag"]


KUBECTL = """\
NAME                  READY   STATUS    RESTARTS      AGE
web-6d4cf56db6-8k2xq  1/1     Running   {restarts}   {age}
"""
DOCKER = """\
CONTAINER ID   IMAGE   COMMAND   CREATED          STATUS          NAMES
0f1e2d3c4b5a   web     "run"     {created}   {status}   web
"""
POLLED = [
    ("kubectl", KUBECTL, {"restarts": "1 (4m ago)", "age": "5m2s"}, {"restarts": "1 (5m2s ago)"}),
    ("kubectl", KUBECTL, {"restarts": "0", "age": "59s"}, {"age": "2d"}),
    ("docker", DOCKER, {"created": "5 minutes ago", "status": "Up 5 minutes"}, {}),
    (
        "docker",
        DOCKER,
        {"created": "About a minute ago", "status": "Up 59 seconds"},
        {"created": "2 minutes ago", "status": "Up About a minute"},
    ),
]


@pytest.mark.parametrize(("tool", "table", "first", "later"), POLLED)
def test_a_poll_pays_for_changes_only(
    run: Run, tmp_path: Path, tool: str, table: str, first: dict[str, str], later: dict[str, str]
) -> None:
    """Ages grow while nothing happens."""
    stand_in = tmp_path / tool
    stand_in.write_text("#!/bin/sh\ncat answer\n")
    stand_in.chmod(0o755)
    answer = tmp_path / "answer"
    answer.write_text(table.format(**first))
    tag = run(str(stand_in), "get", "pods").meta["etag"]
    answer.write_text(table.format(**first | later))
    assert run("--etag", tag, str(stand_in), "get", "pods").meta.get("not_modified") is True
    answer.write_text(table.format(**first).replace("web", "api"))
    assert "not_modified" not in run("--etag", tag, str(stand_in), "get", "pods").meta
