"""The verbs, as people and programs call them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from clawwrap import __version__, schema
from clawwrap.contract import ExitCode
from tests.conftest import FAKES, Run


def test_help_and_version_in_both_forms(run: Run) -> None:
    assert run("--version").data == {"version": __version__}
    assert (
        run("-o", "human", "--version", check=False).stdout == f"clawwrap {__version__}\n".encode()
    )
    assert "--timeout" in run("--help").data["help"]
    for verb in ("adapters", "shim", "explain", "manifest", "schema", "doctor"):
        assert "Usage" in run(verb, "--help").data["help"]


@pytest.mark.parametrize(
    "words",
    [
        ["adapters", "lst"],
        ["adapters", "show"],
        ["adapters", "show", "nope"],
        ["adapters", "lint", "./nope.yaml"],
        ["adapters", "record"],
        ["schema", "nope"],
        ["schema", "--nope"],
        ["manifest", "nope"],
        ["explain"],
        ["explain", "14"],
        ["explain", "--exit", "x", "--", "git"],
        ["explain", "--exit", "1", "--stderr", "/no/such/file", "--", "git"],
        ["doctor", "extra"],
        ["migrate", "--no-such-option"],
        ["batch", "--jobs", "x"],
    ],
    ids=" ".join,
)
def test_a_verb_used_wrongly_says_so(run: Run, words: list[str]) -> None:
    result = run(*words)
    assert result.code == 3
    assert result.error["phase"] == "validation"
    assert result.error["source"] == "clawwrap"
    assert result.error["suggestion"]


def test_a_tool_called_like_a_verb_runs_behind_dashes(run: Run, tmp_path: Path) -> None:
    tool = tmp_path / "migrate"
    tool.write_text("#!/bin/sh\necho mine\n")
    tool.chmod(0o755)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    assert run("--", "migrate", env=env).data == {"stdout": "mine\n"}


def test_nothing_is_ever_asked(run: Run, tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "c")}
    assert run("doctor", env=env).code == 0


# adapters


def test_list(run: Run) -> None:
    rows = {row["tool"]: row for row in run("adapters", "list").data["adapters"]}
    assert rows["git"]["layer"] == "shipped"
    assert rows["git"]["cases"] > 10
    assert all(row["ok"] for row in rows.values())
    text = run("adapters", "list", "-o", "human", check=False).stdout.decode()
    assert text.splitlines()[0].split() == ["TOOL", "LAYER", "RULES", "CASES", "FILE"]


def test_show(run: Run) -> None:
    found = run("adapters", "show", "git").data
    assert found["adapter"]["tool"] == "git"
    text = run("adapters", "show", "git", "--output=human", check=False).stdout.decode()
    assert text.startswith(f"# {found['file']}\n")


def test_lint_and_test_pass_for_what_is_shipped(run: Run) -> None:
    assert run("adapters", "lint").data["findings"] == []
    assert run("adapters", "test").data["failed"] == 0


def test_lint_names_the_place(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "thing.yaml"
    path.write_text(
        "tool: thing\nabout: a test\nexit_codes: {SUCCESS: It ran}\n"
        "rules:\n  - {id: one, when: {exit: 1}, code: CONFLICT}\n"
    )
    result = run("adapters", "lint", str(path))
    assert (result.code, result.error["code"]) == (3, "INVALID_ADAPTER")
    messages = [finding["message"] for finding in result.error["output"]["findings"]]
    assert "exit_codes does not declare CONFLICT" in messages
    assert "no case fires the rule one" in messages
    assert "no case says near: one" in messages
    assert {finding["line"] for finding in result.error["output"]["findings"]} == {5}


def test_test_shows_what_a_case_was_taken_for(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "thing.yaml"
    path.write_text(
        "tool: thing\nabout: a test\nexit_codes: {SUCCESS: It ran}\ncases:\n"
        "  - {argv: thing x, exit: 66, origin: thing 1.0, expect: {code: CONFLICT}}\n"
    )
    result = run("adapters", "test", str(path))
    assert result.code == 3
    [row] = result.error["output"]["results"]
    assert row["differences"] == ['code: expected "CONFLICT", got "NOT_FOUND"']
    assert row["line"] == 5


def test_new_and_record(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    shutil.copy(FAKES / "greeter", folder / "greeter")
    env = {"PATH": f"{folder}:/usr/bin:/bin", "XDG_CONFIG_HOME": str(tmp_path / "config")}
    made = run("adapters", "new", "greeter", env=env)
    path = Path(made.data["file"])
    assert path == tmp_path / "config" / "clawwrap" / "adapters" / "greeter.yaml"
    assert made.data["version"] == "greeter 1.2.3"
    again = run("adapters", "new", "greeter", env=env)
    assert (again.code, again.error["code"]) == (6, "FILE_EXISTS")

    path.write_text(path.read_text().replace("rules: []", "# kept as it is\nrules: []"))
    result = run("adapters", "record", "--", "greeter", "a b", env=env)
    case = result.data["case"]
    assert case["argv"] == "greeter 'a b'"
    assert case["expect"]["code"] == "NOT_FOUND"
    assert case["origin"] == "greeter 1.2.3"
    text = path.read_text()
    assert "# kept as it is" in text
    loaded = yaml.safe_load(text)
    assert [one["argv"] for one in loaded["cases"]] == ["greeter --no-such-flag", "greeter 'a b'"]
    assert loaded["cases"][1]["stderr"] == "greeter: a b: No such file or directory\n"
    assert run("adapters", "test", str(path), env=env).data["cases"] == 2
    assert run("greeter", "x", env=env).meta["adapter"] == "greeter"


def test_record_into_an_adapter_without_cases(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "false.yaml"
    path.write_text("tool: 'false'\nabout: a test\nexit_codes: {SUCCESS: It ran}\n")
    run("adapters", "record", "--adapter", str(path), "--", "false")
    [case] = yaml.safe_load(path.read_text())["cases"]
    assert (case["argv"], case["exit"]) == ("false", 1)


# explain


@pytest.mark.parametrize("word", ["8", "AUTH_REQUIRED"])
def test_explain_a_code(run: Run, word: str) -> None:
    data = run("explain", word).data
    assert (data["exit_code"], data["name"], data["group"]) == (8, "AUTH_REQUIRED", "auth")
    assert data["meaning"] == ExitCode.AUTH_REQUIRED.description


def test_explain_an_error_code(run: Run) -> None:
    data = run("explain", "TOKEN_EXPIRED").data
    assert (data["exit_code"], data["retryable"], data["retry_after_ms"]) == (8, True, 0)


def test_the_effects_of_a_line_are_the_worst_of_its_commands(run: Run) -> None:
    assert run("explain", "--", "-c", "git status && git push").data["effects"] == "partial"
    assert run("explain", "--", "-c", "git status").data["effects"] == "none"


def test_explain_a_command_without_running_it(run: Run, tmp_path: Path) -> None:
    data = run("explain", "--", "env", "A=1", "git", "-C", "x", "push").data
    assert data["command"] == "git push"
    assert data["adapter"] == "git"
    assert data["layer"] == "shipped"
    assert data["effects"] == "partial"
    assert data["launchers"] == ["env"]
    assert data["timeout_ms"] > 0
    assert {"name": "PAGER", "value": "cat", "why": "A pager would wait for keys."} in data[
        "environment"
    ]
    assert data["rules"]
    done = tmp_path / "done"
    run("explain", "--", "touch", str(done))
    assert not done.exists()


def test_explain_a_result(run: Run, tmp_path: Path) -> None:
    (tmp_path / "err").write_text("grep: nope: No such file or directory\n")
    data = run("explain", "--exit", "2", "--stderr", "err", "--", "grep", "x", "nope").data
    assert data["result"]["code"] == "NOT_FOUND"
    assert data["generic"]["rule"] == "errno"
    assert "stderr does not match" in [row.get("why_not") for row in data["tried"]]
    (tmp_path / "git").write_text("fatal: not a git repository (or any parent)\n")
    last = run("explain", "--exit", "128", "--stderr", "git", "--", "git", "log").data["tried"][-1]
    assert last["fires"] is True
    assert "not a git repository" in last["matched"]["stderr"].lower()
    data = run(
        "explain", "--exit", "1", "--stderr", "-", "--", "thing", input=b"x: Connection refused"
    ).data
    assert data["result"]["error"] == "CONNECTION_REFUSED"


# schema, doctor


def test_schema(run: Run) -> None:
    names = run("schema").data["schemas"]
    assert {"envelope", "exit-code", "exit-code-entry", "adapter"} <= set(names)
    for name in names:
        assert run("schema", name).data == schema.load(name)
    raw = run("schema", "exit-code", "-o", "raw", check=False).stdout
    assert yaml.safe_load(raw)["x-enum-varnames"][8] == "AUTH_REQUIRED"


def test_doctor(run: Run, tmp_path: Path) -> None:
    checks = {check["name"]: check for check in run("doctor").data["checks"]}
    assert checks["adapters"]["level"] == "ok"
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.yaml").write_text("tool: [\n")
    result = run("doctor", env={"CLAWWRAP_ADAPTER_PATH": str(tmp_path / "a")})
    assert (result.code, result.error["code"]) == (4, "NOT_READY")
    assert "x.yaml:2" in result.error["message"]
