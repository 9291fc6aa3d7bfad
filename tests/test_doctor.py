"""What `doctor` says of hooks, the log and traces, each finding with its way out."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from clawwrap.contract import ExitCode
from tests.conftest import Result, Run

SCRIPTS = str(Path(sys.executable).parent)
EVENT = {
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "git status"},
    "cwd": "/",
}


@pytest.fixture
def env(clean_env: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """A home of its own, and clawwrap on PATH as an agent would find it."""
    (tmp_path / "home").mkdir()
    return {"HOME": str(tmp_path / "home"), "PATH": f"{SCRIPTS}:{clean_env['PATH']}"}


def findings(result: Result) -> dict[str, Any]:
    told = result.envelope
    data = told["data"] or told["error"]["output"]
    return {check["name"]: check for check in data["checks"]}


def test_a_hook_that_is_wired_is_seen_before_and_after_it_fires(
    run: Run, env: dict[str, str]
) -> None:
    assert findings(run("doctor", env=env))["hooks"]["level"] == "ok"
    assert run("init", "claude-code", env=env).code == 0
    wired = findings(run("doctor", env=env))["hook claude-code"]
    assert wired["level"] == "ok" and "has not fired yet" in wired["found"]
    run("hook", "claude-code", env=env, input=json.dumps(EVENT).encode(), check=False)
    fired = findings(run("doctor", env=env))["hook claude-code"]
    assert "last fired 20" in fired["found"] and "1 times" in fired["found"]


def test_what_went_wrong_in_a_hook_is_a_warning(run: Run, env: dict[str, str]) -> None:
    run("init", "claude-code", env=env)
    run("hook", "claude-code", env=env, input=b"{broken", check=False)
    result = run("doctor", env=env)
    found = findings(result)["hook claude-code"]
    assert found["level"] == "warning" and "last error" in found["found"] and found["fix"]
    assert result.code == 0 and any("hook claude-code" in line for line in result.warnings)


def test_a_tool_that_the_hook_does_not_know_is_named(run: Run, env: dict[str, str]) -> None:
    run("init", "claude-code", env=env)
    event = json.dumps(EVENT | {"tool_name": "Shell2"}).encode()
    run("hook", "claude-code", env=env, input=event, check=False)
    found = findings(run("doctor", env=env))["hook claude-code"]
    assert "Shell2" in found["found"] and found["level"] == "warning"


def test_a_hook_that_the_agent_cannot_find_is_an_error(
    run: Run, env: dict[str, str], clean_env: dict[str, str], tmp_path: Path
) -> None:
    run("init", "claude-code", env=env)
    bare = tmp_path / "bin"
    bare.mkdir()
    result = run("doctor", env=env | {"PATH": str(bare)})
    assert result.code == ExitCode.PRECONDITION.value
    assert findings(result)["hook claude-code"]["level"] == "error"
    assert "on PATH" in result.error["suggestion"]


def test_broken_settings_of_a_wired_agent_are_told_with_their_line(
    run: Run, env: dict[str, str]
) -> None:
    run("init", "claude-code", env=env)
    settings = Path(env["HOME"]) / ".claude" / "settings.json"
    settings.write_text(settings.read_text().replace("{", "{{", 1))
    found = findings(run("doctor", env=env))["hook claude-code"]
    assert found["level"] == "warning" and "line 1" in found["found"]


def test_the_log_and_the_export_of_traces_are_looked_at(run: Run, env: dict[str, str]) -> None:
    run("true", env=env)
    found = findings(run("doctor", env=env))
    assert "1 runs" in found["log"]["found"]
    assert found["otel"]["found"].startswith("off")
    found = findings(run("doctor", env=env | {"CLAWWRAP_OTEL": "1"}))
    assert found["otel"]["level"] == "warning" and found["otel"]["fix"]
