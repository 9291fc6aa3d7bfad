"""The shape of the answer: how it is chosen, what the process exits with, what goes to stderr."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clawwrap import schema
from clawwrap.invocation import Invocation, parse
from tests.conftest import Result, Run

CLAW_2 = ["--envelope", "claw-2.0"]
COMMON = {"timestamp", "command", "exit_code", "output_format", "schema_version"}


def envelope(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def chosen(*words: str, **environ: str) -> str | None:
    inv = Invocation()
    parse(inv, [*words, "true"], environ)
    return inv.envelope


@pytest.mark.parametrize(
    ("words", "environ", "wanted"),
    [
        ([], {}, None),
        (["--envelope", "claw-2.0"], {}, "claw-2.0"),
        (["--envelope=claw-1.0"], {}, "claw-1.0"),
        (["--envelope-version", "2.0"], {}, "claw-2.0"),
        (["--envelope-version=1.0"], {}, "claw-1.0"),
        (["--legacy-envelope"], {}, "claw-1.0"),
        (["--legacy-envelope", "--envelope", "claw-1.0"], {}, "claw-1.0"),
        ([], {"CLAWWRAP_ENVELOPE": "claw-2.0"}, "claw-2.0"),
        ([], {"CLAWWRAP_ENVELOPE_VERSION": "1.0"}, "claw-1.0"),
        ([], {"CLAWWRAP_LEGACY_ENVELOPE": "1"}, "claw-1.0"),
        ([], {"CLAWWRAP_LEGACY_ENVELOPE": "0"}, None),
        (["--envelope", "response"], {"CLAWWRAP_LEGACY_ENVELOPE": "1"}, "response"),
        (["--envelope-version", "2.0"], {"CLAWWRAP_ENVELOPE": "claw-1.0"}, "claw-2.0"),
    ],
)
def test_a_flag_wins_over_every_variable(
    words: list[str], environ: dict[str, str], wanted: str | None
) -> None:
    assert chosen(*words, **environ) == wanted


@pytest.mark.parametrize(
    "words",
    [
        ["--envelope", "claw-2.0", "--legacy-envelope"],
        ["--envelope-version", "2.0", "--legacy-envelope"],
        ["--envelope", "response", "--envelope-version", "1.0"],
        ["--envelope", "claw-3.0"],
        ["--envelope-version", "3.0"],
    ],
)
def test_a_contradiction_or_an_unknown_shape_is_refused(run: Run, words: list[str]) -> None:
    result = run(*words, "touch", "made")
    assert result.code == 3
    assert result.error["phase"] == "validation"


def test_the_config_file_may_name_the_shape(run: Run, tmp_path: Path) -> None:
    (tmp_path / "clawwrap").mkdir()
    (tmp_path / "clawwrap" / "config.yaml").write_text("envelope: claw-2.0\n")
    result = run("true", env={"XDG_CONFIG_HOME": str(tmp_path)}, check=False)
    assert envelope(result)["schema_version"] == "2.0"
    result = run("--envelope", "response", "true", env={"XDG_CONFIG_HOME": str(tmp_path)})
    assert result.code == 0


def test_claw_2_of_a_success(run: Run) -> None:
    result = run(*CLAW_2, "echo", "hi", check=False)
    assert result.code == 0
    assert envelope(result).keys() == COMMON | {"stdout"}
    assert envelope(result)["stdout"] == "hi\n"
    assert result.stderr == b""


def test_claw_2_of_a_failure(run: Run) -> None:
    result = run(*CLAW_2, "cat", "/no/such", check=False)
    found = envelope(result)
    assert result.code == found["exit_code"] == 1
    assert found.keys() == COMMON | {"error"}
    assert found["error"].keys() == {
        "kind",
        "operation",
        "target",
        "retryable",
        "message",
        "hint",
    }
    assert found["error"]["kind"] == "filesystem"
    assert schema.problems(found, schema.load("claw-2.0")) == []


def test_claw_2_of_something_that_is_not_there(run: Run) -> None:
    found = envelope(run(*CLAW_2, "no-such-tool", check=False))
    assert [found["name"], found["found"]] == ["no-such-tool", False]
    assert found["error"]["kind"] == "command_not_found"


@pytest.mark.parametrize("shape", ["claw-2.0", "claw-1.0"])
@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ("exit 0", 0),
        ("exit 1", 1),
        ("exit 77", 1),
        ("kill -9 $$", 1),
        ("echo 'error: 429 Too Many Requests' >&2; exit 1", 1),
        ("sleep 9", 2),
    ],
)
def test_the_process_exits_with_the_code_of_its_shape(
    run: Run, shape: str, script: str, wanted: int
) -> None:
    result = run("--envelope", shape, "--timeout", "1s", "sh", "-c", script, check=False)
    assert result.code == wanted
    assert schema.problems(envelope(result), schema.load(shape)) == []


def test_the_native_code_is_still_to_be_had(run: Run) -> None:
    assert run(*CLAW_2, "--exit", "native", "sh", "-c", "exit 42", check=False).code == 42


def test_claw_1_of_success_and_failure(run: Run) -> None:
    good = run("--envelope-version", "1.0", "echo", "hi", check=False)
    assert envelope(good) == {"type": "success", "kind": "echo", "stdout": "hi\n"}
    bad = run("--envelope-version", "1.0", "cat", "/no/such", check=False)
    assert envelope(bad).keys() == {"type", "kind", "error", "hint"}
    assert [envelope(bad)["type"], envelope(bad)["kind"]] == ["error", "filesystem"]


def test_the_legacy_option_warns_on_stderr_and_only_there(run: Run) -> None:
    result = run("--legacy-envelope", "echo", "hi", check=False)
    assert envelope(result)["type"] == "success"
    assert b"deprecated" in result.stderr
    assert b"deprecated" not in result.stdout
    assert b"deprecated" not in run("--envelope", "claw-1.0", "echo", check=False).stderr


def test_what_a_shape_cannot_hold_is_told_on_stderr(run: Run) -> None:
    script = "echo first >&2; echo 'error: 429 Too Many Requests, retry after 30s' >&2; exit 1"
    result = run(*CLAW_2, "sh", "-c", script, check=False)
    assert b"first\nerror: 429" in result.stderr
    assert b"claw-2.0 has no place for" in result.stderr
    assert b"error.detail" in result.stderr
    warned = run(*CLAW_2, "sh", "-c", "echo note >&2; echo out", check=False)
    assert envelope(warned)["stdout"] == "out\n"
    assert b"note\n" in warned.stderr
    assert b"warnings" in warned.stderr


def test_output_that_looks_like_the_shape_itself_is_not_mixed_up_with_it(run: Run) -> None:
    data = {"command": "x", "exit_code": 9, "error": "no"}
    script = f"echo '{json.dumps(data)}'"
    assert envelope(run(*CLAW_2, "sh", "-c", script, check=False))["data"] == data
    old = envelope(run("--envelope", "claw-1.0", "sh", "-c", script, check=False))
    assert old["data"] == data
    listed = envelope(run(*CLAW_2, "sh", "-c", "echo '[1, 2]'", check=False))
    assert listed["data"] == [1, 2]


@pytest.mark.parametrize(
    "words", [["--envelope", "claw-2.0"], ["--envelope-version", "2.0"]], ids=str
)
def test_a_refusal_has_the_shape_that_was_asked_for(run: Run, words: list[str]) -> None:
    result = run(*words, "--timeout", "soon", "true", check=False)
    assert result.code == 1
    assert envelope(result)["error"]["kind"] == "usage"
    assert schema.problems(envelope(result), schema.load("claw-2.0")) == []


def test_raw_and_human_output_have_no_envelope_but_the_exit_code_of_the_shape(run: Run) -> None:
    raw = run(*CLAW_2, "-o", "raw", "sh", "-c", "echo out; exit 7", check=False)
    assert [raw.code, raw.stdout] == [1, b"out\n"]


def test_a_redirect_is_spelled_out_where_there_is_no_field_for_it(run: Run) -> None:
    found = envelope(run(*CLAW_2, "head -5 file", check=False))
    assert "clawwrap --envelope claw-2.0 -c 'head -5 file'" in found["error"]["hint"]
