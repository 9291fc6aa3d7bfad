"""The hook of each agent host, called as the host calls it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clawwrap.hooks import hosts, permissions, state
from tests.conftest import CLAWWRAP, Result, Run
from tests.test_imports import AT_EXIT, bare, modules

GOLDEN = Path(__file__).parent / "golden" / "hosts"
NAMES = sorted(hosts.HOSTS)
Hook = Callable[..., Result]


@pytest.fixture
def environ(clean_env: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """A home of its own, with two tools on PATH."""
    for name in ("npm", "git", "make"):
        tool = tmp_path / "bin" / name
        tool.parent.mkdir(exist_ok=True)
        tool.write_text("#!/bin/sh\n")
        tool.chmod(0o755)
    path = f"{tmp_path / 'bin'}{os.pathsep}{clean_env['PATH']}"
    cache = clean_env["HOME"] + "/.cache"
    return clean_env | {"HOME": str(tmp_path), "PATH": path, "XDG_CACHE_HOME": cache}


@pytest.fixture
def hook(environ: dict[str, str], tmp_path: Path) -> Hook:
    """Call a hook; it always leaves with 0 and never speaks on stderr."""

    def call(
        name: str, payload: object, *options: str, env: dict[str, str] | None = None
    ) -> Result:
        raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        done = subprocess.run(
            [*CLAWWRAP, "hook", name, *options],
            input=raw,
            env=environ | (env or {}),
            cwd=tmp_path,
            capture_output=True,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        return Result(done.returncode, done.stdout, done.stderr)

    return call


def payload(name: str, command: object = "cd app && npm test", **more: object) -> dict[str, Any]:
    """What the host sends, by its golden file, with another command."""
    found: dict[str, Any] = json.loads((GOLDEN / f"{name}.input.json").read_text())
    for key in ("tool_input", "args", "toolArgs"):
        if key in found:
            found[key] |= {"command": command}
    return found | more


def known(environ: dict[str, str]) -> dict[str, Any]:
    [entry] = state.state({"XDG_STATE_HOME": environ["HOME"] + "/.local/state"})
    return entry


@pytest.mark.parametrize("name", NAMES)
def test_the_answer_of_each_host(name: str, hook: Hook) -> None:
    sent = json.loads((GOLDEN / f"{name}.input.json").read_text())
    wanted = json.loads((GOLDEN / f"{name}.output.json").read_text())
    assert hook(name, sent).envelope == wanted


@pytest.mark.parametrize("name", NAMES)
def test_every_other_field_of_the_input_is_kept(name: str, hook: Hook) -> None:
    more = {"timeout": 120000, "run_in_background": True, "description": "Tést \ud83d", "n": None}
    sent = payload(name)
    key = next(key for key in ("tool_input", "args", "toolArgs") if key in sent)
    sent[key] |= more
    [answer] = hook(name, sent).envelope.values()
    answer = answer.get("updatedInput") or answer.get("tool_input") or answer
    assert answer == sent[key] | {"command": "cd app && clawwrap -- npm test"}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", ["git log | head", "cd app", "sudo make", "", "vim x", 7, None])
def test_nothing_is_said_where_nothing_changes(name: str, command: object, hook: Hook) -> None:
    said = hook(name, payload(name, command)).stdout
    assert said == (b"{}\n" if name == "cursor" else b"")


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_ever_granted_and_nothing_is_blocked(name: str, hook: Hook) -> None:
    said = hook(name, payload(name)).stdout.decode()
    for word in ('"deny"', '"block"', '"ask"', "permission_decision", "behavior", "approve"):
        assert word not in said
    # Codex takes a changed input only with this word, and keeps nothing of it but the input.
    assert ('"allow"' in said) is (name == "codex")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"7",
        b'"text"',
        b"\x00\x00",
        b"\xff\xfe{\x00",
        b"\xed\xa0\x80",
        b'{"tool_name": "Bash"}',
        b'{"tool_name": 7, "tool_input": {"command": "git status"}}',
        b'{"tool_name": "Bash", "tool_input": []}',
        b'{"tool_name": "Bash", "tool_input": "{"}',
        b'{"tool_name": "Bash", "tool_input": {"command": "git status", "x": NaN}}',
        b'{"tool_name": "Bash", "tool_input": {"command": "git status", "x": 1e999}}',
        b"[" * 100_000,
        b'{"tool_name":' * 5_000,
    ],
    ids=range(17),
)
def test_whatever_comes_in_the_answer_is_silence(
    raw: bytes, hook: Hook, environ: dict[str, str]
) -> None:
    assert hook("claude-code", raw).stdout == b""
    entry = known(environ)
    assert entry["last_error"]["reason"].startswith("input:")
    assert "git status" not in json.dumps(entry)


def test_a_host_that_wants_an_answer_gets_an_empty_one(hook: Hook) -> None:
    assert hook("cursor", b"{").stdout == b"{}\n"


@pytest.mark.parametrize(
    "command",
    [
        "git status\0",
        "x" * (1 << 20),
        "git log " + "$(" * 5000,
        "git commit -m '" + "y" * (1 << 20),
    ],
    ids=["NUL", "1 MB", "deep", "open quote"],
)
def test_odd_commands_are_left(command: str, hook: Hook) -> None:
    assert hook("claude-code", payload("claude-code", command)).stdout == b""


def test_backslash_pipe_is_no_pipe(hook: Hook) -> None:
    said = hook("claude-code", payload("claude-code", "git log --grep a\\|b")).envelope
    updated = said["hookSpecificOutput"]["updatedInput"]
    assert updated["command"] == "clawwrap -- git log --grep a\\|b"


def test_an_unknown_event_is_noted(hook: Hook, environ: dict[str, str]) -> None:
    assert hook("claude-code", payload("claude-code", hook_event_name="Stop")).stdout == b""
    assert "expected PreToolUse, got 'Stop'" in known(environ)["last_error"]["reason"]


def test_an_unknown_tool_is_noted_by_name(hook: Hook, environ: dict[str, str]) -> None:
    assert hook("claude-code", payload("claude-code", tool_name="Terminal\x1b[1m")).stdout == b""
    entry = known(environ)
    assert list(entry["unknown_tools"]) == ["Terminal\\x1b[1m"]
    assert entry["last_error"] is None
    hook("claude-code", payload("claude-code", tool_name="T2"))
    assert list(known(environ)["unknown_tools"])[-1] == "T2"


def test_tools_that_are_known_to_be_no_shell_are_not_noted(
    hook: Hook, environ: dict[str, str]
) -> None:
    hook("copilot-cli", payload("copilot-cli", toolName="view"))
    assert known(environ)["unknown_tools"] == {}


def test_runs_are_counted(hook: Hook, environ: dict[str, str]) -> None:
    hook("claude-code", payload("claude-code"))
    hook("claude-code", payload("claude-code", "cd app"))
    entry = known(environ)
    assert (entry["host"], entry["fired"], entry["changed"]) == ("claude-code", 2, 1)
    assert entry["last_fired"] >= entry["last_changed"]
    file = Path(environ["HOME"]) / ".local/state/clawwrap/hooks/claude-code.json"
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["claude-code.json"]


def test_a_state_that_cannot_be_written_or_read_is_no_reason_to_fail(
    hook: Hook, environ: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    env = {"XDG_STATE_HOME": str(tmp_path / "file")}
    assert b"clawwrap -- npm" in hook("claude-code", payload("claude-code"), env=env).stdout
    assert state.state(env) == []
    folder = tmp_path / ".local/state/clawwrap/hooks"
    folder.mkdir(parents=True)
    (folder / "claude-code.json").write_text('{"fired": "many", "unknown_tools": []')
    hook("claude-code", payload("claude-code"))
    assert known(environ)["fired"] == 1


def test_a_host_that_never_finishes_its_input_is_not_waited_for(environ: dict[str, str]) -> None:
    read_end, write_end = os.pipe()
    try:
        done = subprocess.run(
            [*CLAWWRAP, "hook", "claude-code"], stdin=read_end, env=environ, capture_output=True
        )
    finally:
        os.close(read_end)
        os.close(write_end)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert known(environ)["last_error"]["reason"].startswith("time:")


def test_a_line_that_takes_too_long_is_left(hook: Hook, environ: dict[str, str]) -> None:
    slow = "make " + "a'b'\"c\"\\d$E " * 4000
    env = {"CLAWWRAP_HOOK_BUDGET": "1ms"}
    assert hook("claude-code", payload("claude-code", slow), env=env).stdout == b""
    assert known(environ)["last_error"]["reason"].startswith("time:")
    assert hook(
        "claude-code", payload("claude-code", slow), env={"CLAWWRAP_HOOK_BUDGET": "1m"}
    ).stdout


# Options, variables, the file


def command(result: Result) -> str:
    found: str = result.envelope["hookSpecificOutput"]["updatedInput"]["command"]
    return found


def test_the_lists_by_every_way(hook: Hook, environ: dict[str, str], tmp_path: Path) -> None:
    sent = payload("claude-code", "git status; npm test; make")
    only_git = "clawwrap -- git status; npm test; make"
    assert command(hook("claude-code", sent, "--include", "git")) == only_git
    assert command(hook("claude-code", sent, "--exclude=npm,make")) == only_git
    assert command(hook("claude-code", sent, env={"CLAWWRAP_HOOK_INCLUDE": "git"})) == only_git
    assert (
        command(hook("claude-code", sent, env={"CLAWWRAP_HOOK_EXCLUDE": "npm, make"})) == only_git
    )
    config = tmp_path / ".config/clawwrap/hook.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("exclude: [npm test, make]\n")
    assert command(hook("claude-code", sent)) == only_git
    overruled = hook("claude-code", sent, env={"CLAWWRAP_HOOK_EXCLUDE": "git"})
    assert command(overruled) == "git status; clawwrap -- npm test; clawwrap -- make"
    overruled = hook("claude-code", sent, "--exclude", "", env={"CLAWWRAP_HOOK_EXCLUDE": "git"})
    assert command(overruled).count("clawwrap") == 3


def test_whole_line_by_every_way(hook: Hook, tmp_path: Path) -> None:
    sent = payload("claude-code", "git log | make")
    whole = "clawwrap -c 'git log | make'"
    assert hook("claude-code", sent).stdout == b""
    assert command(hook("claude-code", sent, "--whole-line")) == whole
    assert command(hook("claude-code", sent, env={"CLAWWRAP_HOOK_WHOLE_LINE": "1"})) == whole
    config = tmp_path / ".config/clawwrap/hook.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("whole-line: true\n")
    assert command(hook("claude-code", sent)) == whole
    assert hook("claude-code", sent, env={"CLAWWRAP_HOOK_WHOLE_LINE": "no"}).stdout == b""


@pytest.mark.parametrize(
    ("options", "env", "text", "reason"),
    [
        (["--bogus"], {}, "", "hook has no option '--bogus'"),
        (["--whole-line=1"], {}, "", "hook has no option"),
        ([], {"CLAWWRAP_HOOK_WHOLE_LINE": "perhaps"}, "", "CLAWWRAP_HOOK_WHOLE_LINE wants 1 or 0"),
        ([], {"CLAWWRAP_HOOK_BUDGET": "soon"}, "", "CLAWWRAP_HOOK_BUDGET wants a duration"),
        ([], {}, "exclude: npm\n", "hook.yaml:1: exclude: expected a list"),
        ([], {}, "exclud: [npm]\n", "hook.yaml:1: exclud"),
    ],
)
def test_a_wrong_wish_is_noted_and_nothing_is_touched(
    options: list[str],
    env: dict[str, str],
    text: str,
    reason: str,
    hook: Hook,
    environ: dict[str, str],
    tmp_path: Path,
    run: Run,
) -> None:
    if text:
        config = tmp_path / ".config/clawwrap/hook.yaml"
        config.parent.mkdir(parents=True)
        config.write_text(text)
    assert hook("claude-code", payload("claude-code"), *options, env=env).stdout == b""
    assert reason in known(environ)["last_error"]["reason"]
    if not options:
        said = run("hook", "check", "git status", env=environ | env)
        assert said.code == 3
        assert reason in said.error["message"]


def test_variables_of_the_other_commands_do_not_matter(hook: Hook) -> None:
    assert hook("claude-code", payload("claude-code"), env={"CLAWWRAP_TIMEOUT": "soon"}).stdout
    assert hook("claude-code", payload("claude-code"), env={"CLAWWRAP": "off"}).stdout == b""


# What is no program


def test_words_that_are_no_programs_stay(hook: Hook) -> None:
    sent = payload("claude-code", "my_function x; kubectl get pods; ./gradlew; npm test")
    wanted = (
        "my_function x; clawwrap -- kubectl get pods; clawwrap -- ./gradlew; clawwrap -- npm test"
    )
    assert command(hook("claude-code", sent, env={"PATH": os.environ["PATH"]})) == wanted


# The host's own rules

RULES = {
    "claude-code": (
        ".claude/settings.json",
        '{ // mine\n"permissions": {"deny": ["Bash(git push:*)"], "ask": ["Bash(rm *)"],},}',
        '{"permissions": {"deny": ["Bash(git push:*)", "Bash(clawwrap -- git push:*)"]}}',
    ),
    "codex": (
        ".codex/rules/default.rules",
        'prefix_rule(\n  pattern = ["git", "push"],\n  decision = "forbidden",\n)\n',
        'prefix_rule(pattern = ["git", "push"], decision = "forbidden")\n'
        'prefix_rule(pattern = ["clawwrap", "--", "git", "push"], decision = "forbidden")\n',
    ),
    "gemini-cli": (
        ".gemini/settings.json",
        '{"tools": {"exclude": ["run_shell_command(git push)"]}}',
        '{"tools": {"exclude": ["run_shell_command(git push)", '
        '"run_shell_command(clawwrap -- git push)"]}}',
    ),
    "cursor": (".cursor/cli-config.json", '{"permissions": {"deny": ["Shell(git)"]}}', None),
    "opencode": (
        ".config/opencode/opencode.json",
        '{"permission": {"bash": {"*": "allow", "git push *": "deny"}}}',
        '{"permission": {"bash": {"git push *": "deny", "clawwrap -- git push *": "deny"}}}',
    ),
}


@pytest.mark.parametrize("name", sorted(RULES))
def test_what_the_host_denies_gets_no_prefix_before_there_is_a_rule_for_it(
    name: str, hook: Hook, tmp_path: Path
) -> None:
    file, rules, both = RULES[name]
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(rules)
    sent = payload(name, "git push --force; npm test", cwd=str(tmp_path))
    said = hook(name, sent).stdout.decode()
    assert '"git push --force; clawwrap -- npm test"' in said
    if both:
        path.write_text(both)
        said = hook(name, sent).stdout.decode()
        assert '"clawwrap -- git push --force; clawwrap -- npm test"' in said


def test_rules_that_cannot_be_read_leave_everything_alone(
    hook: Hook, environ: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text('{"permissions": ')
    sent = payload("claude-code", cwd=str(tmp_path))
    assert hook("claude-code", sent).stdout == b""
    assert f"{path}: line 1" in known(environ)["last_error"]["reason"]


@pytest.mark.parametrize("name", sorted(RULES))
def test_the_printed_rules_are_those_that_are_needed(
    name: str, run: Run, environ: dict[str, str], tmp_path: Path
) -> None:
    file, rules, both = RULES[name]
    assert run("init", name, "--permissions", env=environ).data["yours"] == 0
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(rules)
    said = run("init", name, "--permissions", env=environ, cwd=tmp_path).data
    assert said["yours"] > 0
    if both and name != "codex":
        wanted = [rule for _, rule in permissions._of_settings(name, json.loads(both))]
        assert all(f"{rule}" in said["text"] for rule in wanted if "clawwrap" in rule)
    if name == "codex":
        assert said["text"] == (both or "").splitlines(keepends=True)[1]


def test_a_deny_rule_of_the_sample_blocks_the_prefixed_command_too() -> None:
    rules, _ = permissions.templates("claude-code", [("deny", "git push:*")])
    assert rules == ["Bash(clawwrap -- git push:*)"]
    beginning = permissions.beginning(rules[0].removeprefix("Bash(")[:-1])
    assert "clawwrap -- git push --force".startswith(beginning)
    assert not "clawwrap -- git pull".startswith(beginning)


# check, and the cost


def test_check_shows_what_would_happen(run: Run, environ: dict[str, str]) -> None:
    said = run("hook", "check", "cd app && npm test", env=environ).data
    assert said["result"] == "cd app && clawwrap -- npm test"
    assert said["left"][0]["reason"] == "shell"
    said = run("hook", "check", "--whole-line", "--", "--help | git", env=environ).data
    assert said["changed"] is False
    for words in (["hook", "check"], ["hook", "nope"], ["hook"], ["hook", "check", "a", "b"]):
        result = run(*words, env=environ)
        assert (result.code, result.error["code"][-8:]) == (3, "ARGUMENT")
    assert "claude-code" in run("hook", "nope", env=environ).error["message"]
    assert "check" in run("hook", "claude-code", "--help", env=environ).data["help"]
    text = run("hook", "check", "-o", "human", "a | b", env=environ, check=False).stdout
    assert text == b"a | b\nstays as it is: another command reads the output\n"


def test_check_has_words_for_every_reason() -> None:
    from clawwrap.admin.hook import REASONS
    from tests.test_shell import CORPUS

    reasons = {*CORPUS["left"], *CORPUS["whole_line"]["left"]}
    assert reasons <= set(REASONS)


def test_the_hook_loads_nothing_heavy(environ: dict[str, str]) -> None:
    program = AT_EXIT.format(words=["hook", "claude-code"])
    script = "import io, json, os\nos.dup2(os.open('/dev/null', 0), 0)\n" + program
    loaded = modules(script, environ) - bare(environ)
    heavy = {"yaml", "typer", "click", "orjson", "psutil", "subprocess", "dataclasses", "typing"}
    assert not heavy & loaded
    assert "clawwrap.admin" not in loaded


def test_a_plain_run_loads_nothing_of_the_hooks(environ: dict[str, str]) -> None:
    loaded = modules(AT_EXIT.format(words=["git", "--version"]), environ)
    assert not [name for name in loaded if name.startswith(("clawwrap.hooks", "clawwrap.shell"))]
