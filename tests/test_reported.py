"""A tool that prints an envelope of its own is understood, as far as its exit code allows."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from clawwrap import schema
from tests.conftest import Run

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "reported_cases.yaml").read_text()
)


def prints(envelope: object, exit_code: int, *, to: str = "") -> list[str]:
    """A tool that prints this and exits with that."""
    text = envelope if isinstance(envelope, str) else json.dumps(envelope)
    return ["sh", "-c", f"printf '%s\\n' {shlex.quote(text)} {to}; exit {exit_code}"]


def subset(wanted: Any, found: Any) -> bool:
    """Whether everything that is wanted is found; lists and texts as they are."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return all(key in found and subset(item, found[key]) for key, item in wanted.items())
    return bool(wanted == found)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["about"])
def test_own_envelope(run: Run, case: dict[str, Any]) -> None:
    words = prints(case["prints"], case["exit"], to=case.get("to", ""))
    result = run(*words, *case.get("args", []))
    assert result.code == case["code"]
    for key, wanted in case["gives"].items():
        assert subset(wanted, result.envelope[key]), (key, result.envelope[key])
    for said in case.get("warns", []):
        assert any(said in warning for warning in result.warnings), result.warnings
    if "warns" not in case:
        assert not any("envelope says" in warning for warning in result.warnings)


def test_what_the_tool_said_of_its_run_can_be_reached(run: Run) -> None:
    meta = {"duration_ms": 7, "request_id": "abc", "host": "h"}
    envelope = {"ok": True, "data": {"a": 1}, "error": None, "warnings": ["w"], "meta": meta}
    result = run(*prints(envelope, 0))
    assert result.meta["tool_envelope"] == {"shape": "response", "meta": meta}
    assert result.warnings == ["w"]
    assert {"data", "warnings", "meta.tool_envelope"} <= set(result.meta["untrusted"])
    assert result.meta["request_id"] != "abc"


def test_a_redirect_of_the_tools_own_is_repeated_only_where_it_is_plain(run: Run) -> None:
    def redirecting(command: str) -> Any:
        target = {"command": command, "permanent": True}
        error = {"code": "COMMAND_RENAMED", "message": "renamed", "redirect": target}
        envelope: dict[str, Any] = {
            "ok": False,
            "data": None,
            "error": error,
            "warnings": [],
            "meta": {},
        }
        return run(*prints(envelope, 13))

    plain = redirecting("tool users add --name alice")
    assert plain.code == 13
    assert plain.error["redirect"] == {"command": "tool users add --name alice", "permanent": True}
    for command in ("sudo tool x", "tool x; rm -rf /", "tool $(id)", "tool --force", "", "a 'b"):
        refused = redirecting(command)
        assert refused.code != 13, command
        assert "redirect" not in refused.error


def test_a_tool_cannot_forge_fields_of_ours(run: Run) -> None:
    error = {"code": "X", "message": "m", "source": "clawwrap", "rule": "r", "kind": "auth"}
    meta = {"exit_code": 0, "native": {"exit_code": 0, "signal": None}, "adapter": "git"}
    envelope: dict[str, Any] = {
        "ok": False,
        "data": None,
        "error": error,
        "warnings": [],
        "meta": meta,
    }
    result = run(*prints(envelope, 1))
    assert result.error["source"] == "tool"
    assert result.meta["native"] == {"exit_code": 1, "signal": None}
    assert "adapter" not in result.meta
    assert result.code != 0


@pytest.mark.parametrize("shape", ["response", "claw-2.0", "claw-1.0"])
def test_an_old_tool_in_every_shape(run: Run, shape: str) -> None:
    """What the migration is for: consumers get the shape they read, whatever the tool prints."""
    old = {"command": "load-session", "session": {"id": "a", "path": "/s/a.jsonl", "messages": 5}}
    words = [*prints(old, 0), "claw", "load-session", "a"]
    result = run("--envelope", shape, *words, check=shape == "response")
    envelope = json.loads(result.stdout)
    assert result.code == 0
    if shape == "response":
        assert envelope["data"]["session_id"] == "a"
        assert envelope["meta"]["command"] == "load-session"
    elif shape == "claw-2.0":
        assert schema.problems(envelope, schema.load(shape)) == []
        assert [envelope["command"], envelope["session_id"]] == ["load-session", "a"]
        assert envelope["directory"] == "/s"
    else:
        assert envelope["type"] == "success"
        assert envelope["session"] == old["session"]


def test_a_large_envelope_is_understood_too(run: Run) -> None:
    program = (
        "import json; print(json.dumps({'ok': True, 'data': {'rows': list(range(60000))}, "
        "'error': None, 'warnings': [], 'meta': {'duration_ms': 1}}))"
    )
    result = run("--max-output", "0", "python3", "-c", program)
    assert len(result.data["rows"]) == 60000
