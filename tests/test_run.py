"""Calling clawwrap: options, exact argv, stdin, output modes, and what could not be started."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CLAWWRAP, FAKES, Run, check_envelope, needs

# The tool gets exactly what was typed


ODD_WORDS: list[list[bytes]] = [
    [b"a b", b"", b"x\ny", b"*", b"$HOME", b"`id`", b"'", b'"'],
    [b"-h", b"--help", b"-E", b"--version", b"--output", b"json"],
    [b"--", b"-D", b"w", b"--"],
    [b"\xff\xfe", "é".encode(), b"\xf0\x9f\x90\x9a"],
    [b"--timeout", b"0", b"-c", b"exit 1"],
]


@pytest.mark.parametrize("words", ODD_WORDS, ids=repr)
@pytest.mark.parametrize("dashes", [(), ("--",)], ids=["plain", "behind --"])
def test_argv_is_byte_exact(run: Run, words: list[bytes], dashes: tuple[str, ...]) -> None:
    result = run(*dashes, str(FAKES / "argspy"), *words)
    assert [bytes.fromhex(word) for word in result.data] == words


def test_double_dash_behind_the_tool_belongs_to_the_tool(run: Run) -> None:
    result = run("--", "--", check=False)
    assert result.code == 5  # a tool called `--` is looked for, and is absent
    assert run(str(FAKES / "argspy"), "--").data == ["2d2d"]


@pytest.mark.parametrize("tool", ["git", "grep", "make"])
def test_the_tools_own_version_option_reaches_it(run: Run, tool: str) -> None:
    bare = subprocess.run([tool, "--version"], capture_output=True, text=True)
    assert run(tool, "--version").data == {"stdout": bare.stdout}


def test_tool_flags_are_never_eaten(run: Run, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x\n")
    assert run("grep", "-h", "x", "f").data == {"stdout": "x\n"}
    assert run("ls", "-h").code == 0


def test_stdin_reaches_the_tool(run: Run) -> None:
    assert run("cat", input=b"hi").data == {"stdout": "hi"}
    assert run("wc", "-l", input=b"a\nb\nc\n").data["stdout"].strip() == "3"


def test_five_megabytes_of_stdin_are_byte_equal(run: Run) -> None:
    content = os.urandom(5 << 20)
    result = run("--max-output", "0", "cat", input=content)
    assert result.data["bytes"] == len(content)
    assert base64.b64decode(result.data["content"]) == content


def test_stdin_is_not_read_ahead(clean_env: dict[str, str], tmp_path: Path) -> None:
    line = f"{' '.join(CLAWWRAP)} sh -c 'read x; echo $x'; cat"
    done = subprocess.run(
        ["sh", "-c", line], input=b"1\n2\n", capture_output=True, env=clean_env, cwd=tmp_path
    )
    assert done.stdout.endswith(b"\n2\n")


def test_cwd(run: Run, tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    result = run("--cwd", "inner", "sh", "-c", "pwd; echo $PWD")
    inside = str((tmp_path / "inner").resolve())
    assert result.data["stdout"].split() == [inside, inside]
    assert result.meta["cwd"] == inside


def test_request_id_and_trace_id(run: Run) -> None:
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    result = run("--request-id", "abc", "sh", "-c", "echo $TRACEPARENT", env={"TRACEPARENT": trace})
    assert result.meta["request_id"] == "abc"
    assert result.meta["trace_id"] == "0af7651916cd43dd8448eb211c80319c"
    assert result.data == {"stdout": trace + "\n"}
    assert run("true", env={"TOOL_TRACE_ID": "t1"}).meta["trace_id"] == "t1"


# -c


@needs("bash")
def test_a_line_runs_in_bash_with_pipefail(run: Run) -> None:
    assert run("-c", "echo a | tr a b").data == {"stdout": "b\n"}
    result = run("-c", "false | cat")
    assert result.code == 1
    assert result.meta["native"] == {"exit_code": 1, "signal": None}


@needs("bash")
def test_a_line_is_judged_by_the_adapters_of_all_its_tools(run: Run, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x\n")
    result = run("-c", "cat f | grep zzz")
    assert result.error["code"] == "NO_MATCH"
    assert result.code == 5


@needs("bash")
def test_a_line_never_promises_that_nothing_was_done(run: Run) -> None:
    result = run("-c", "touch made; ls --no-such-flag")
    assert result.code == 3
    assert result.error["phase"] == "execution"


def test_a_whole_line_in_one_word_is_redirected(run: Run) -> None:
    result = run("head -5 f")
    assert result.code == 13
    assert result.error["redirect"] == {
        "command": "clawwrap -c 'head -5 f'",
        "permanent": False,
        "reason": "restructured",
    }


@needs("bash")
def test_the_redirect_keeps_our_own_options_and_works(run: Run, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("line\n")
    target = run("--timeout", "9s", "head -5 f").error["redirect"]["command"]
    assert target == "clawwrap --timeout 9s -c 'head -5 f'"
    import shlex

    again = run(*shlex.split(target)[1:])
    assert again.data == {"stdout": "line\n"}


def test_a_program_with_a_blank_in_its_name_runs(run: Run, tmp_path: Path) -> None:
    tool = tmp_path / "my tool"
    tool.write_text("#!/bin/sh\necho here\n")
    tool.chmod(0o755)
    assert run("./my tool").data == {"stdout": "here\n"}


@pytest.mark.parametrize("word", ["cd", "export", "source", "ulimit"])
def test_a_builtin_is_explained(run: Run, word: str) -> None:
    result = run(word, "x", env={"PATH": "/nonexistent"})
    assert result.code == 4
    assert result.error["code"] == "SHELL_BUILTIN"
    assert "builtin" in result.error["message"]


# What could not be started


def test_absent_tool_is_not_found(run: Run) -> None:
    result = run("no-such-tool-anywhere")
    assert (result.code, result.error["code"]) == (5, "COMMAND_NOT_FOUND")
    assert result.error["phase"] == "validation"
    assert result.error["source"] == "clawwrap"
    assert result.error["retryable"] is False
    assert "native" not in result.meta


def test_similar_names_are_a_suggestion_and_never_a_redirect(run: Run, tmp_path: Path) -> None:
    (tmp_path / "frobnicate").write_text("#!/bin/sh\n")
    (tmp_path / "frobnicate").chmod(0o755)
    result = run("frobnicat", env={"PATH": str(tmp_path)})
    assert "frobnicate" in result.error["suggestion"]
    assert result.code == 5


def test_a_file_that_is_not_executable(run: Run, tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("#!/bin/sh\n")
    result = run("./plain")
    assert (result.code, result.error["code"]) == (7, "NOT_EXECUTABLE")


def test_a_folder_is_no_program(run: Run, tmp_path: Path) -> None:
    result = run(str(tmp_path))
    assert (result.code, result.error["code"]) == (7, "IS_A_FOLDER")


def test_a_bad_interpreter(run: Run, tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    tool.write_text("#!/no/such/interpreter\n")
    tool.chmod(0o755)
    result = run("./tool")
    assert (result.code, result.error["code"]) == (4, "BAD_INTERPRETER")
    assert "/no/such/interpreter" in result.error["message"]


def test_a_script_without_a_first_line_runs_as_in_a_shell(run: Run, tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    tool.write_text('echo "$1"\n')
    tool.chmod(0o755)
    assert run("./tool", "a b").data == {"stdout": "a b\n"}


def test_a_binary_of_another_machine_is_not_fed_to_a_shell(run: Run, tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    tool.write_bytes(b"MZ\0\0binary")
    tool.chmod(0o755)
    result = run("./tool")
    assert (result.code, result.error["code"]) == (4, "BAD_INTERPRETER")


def test_an_empty_word_is_no_program(run: Run) -> None:
    assert run("").code == 5


def test_a_renamed_command_is_redirected_where_its_successor_is_here(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "docker").write_text("#!/bin/sh\n")
    (tmp_path / "docker").chmod(0o755)
    result = run("docker-compose", "up", "-d", "a b", env={"PATH": str(tmp_path)})
    assert result.code == 13
    assert result.error["redirect"]["command"] == "docker compose up -d 'a b'"
    assert result.error["redirect"]["permanent"] is True
    (tmp_path / "docker").unlink()
    assert run("docker-compose", "up", env={"PATH": str(tmp_path)}).code == 5


# Off and nested


def test_off_becomes_the_tool(run: Run) -> None:
    result = run("sh", "-c", "echo plain; exit 7", env={"CLAWWRAP": "off"}, check=False)
    assert (result.code, result.stdout) == (7, b"plain\n")


def test_off_leaves_no_trace_in_the_environment(run: Run, clean_env: dict[str, str]) -> None:
    bare = subprocess.run(["env"], env=clean_env | {"CLAWWRAP": "off"}, capture_output=True)
    result = run("env", env={"CLAWWRAP": "off"}, check=False)
    assert sorted(result.stdout.split(b"\n")) == sorted(bare.stdout.split(b"\n"))


@needs("bash")
def test_off_restores_sigpipe(clean_env: dict[str, str]) -> None:
    line = f"{' '.join(CLAWWRAP)} yes | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", line], env=clean_env | {"CLAWWRAP": "off"}, capture_output=True
    )
    assert done.stdout == b"y\n141\n"
    assert done.stderr == b""


def test_off_says_why_the_tool_is_not_there(run: Run) -> None:
    result = run("no-such-tool", env={"CLAWWRAP": "off"}, check=False)
    assert (result.code, result.stdout) == (127, b"")


def test_nested_calls_are_untouched(run: Run) -> None:
    result = run(*CLAWWRAP, *CLAWWRAP, "sh", "-c", "echo inner; exit 3")
    assert result.error["output"] == {"stdout": "inner\n"}
    assert result.meta["native"]["exit_code"] == 3


def test_a_call_deep_inside_a_script_is_untouched(run: Run) -> None:
    inner = " ".join([*CLAWWRAP, "echo", "deep"])
    assert run("sh", "-c", f"(sh -c '{inner}; :'); :").data == {"stdout": "deep\n"}


def test_a_stale_marker_is_ignored(run: Run) -> None:
    for marker in ("999999999", "1x", ""):
        assert run("echo", "x", env={"CLAWWRAP_ACTIVE": marker}).data == {"stdout": "x\n"}


def test_the_marker_of_a_process_that_is_no_ancestor_is_ignored(run: Run) -> None:
    other = subprocess.Popen(["sleep", "60"])
    try:
        assert run("echo", "x", env={"CLAWWRAP_ACTIVE": str(other.pid)}).data == {"stdout": "x\n"}
    finally:
        other.kill()
        other.wait()


# Output modes


def test_raw_passes_the_bytes_and_maps_only_the_code(run: Run) -> None:
    result = run("-o", "raw", "sh", "-c", r"printf 'a\0b\377'; echo oops >&2; exit 66", check=False)
    assert result.stdout == b"a\0b\xff"
    assert result.stderr == b"oops\n"
    assert result.code == 5


def test_exit_native(run: Run) -> None:
    result = run("--exit", "native", "sh", "-c", "exit 66", native=True)
    assert result.code == 66
    assert result.meta["exit_code"] == 5
    killed = run("--exit", "native", "sh", "-c", "kill -9 $$", native=True)
    assert killed.code == 137


def test_human_shows_the_output_and_a_summary_after_a_failure(run: Run) -> None:
    result = run(
        "-o",
        "human",
        "sh",
        "-c",
        "echo out; echo 'x: No such file or directory' >&2; exit 2",
        check=False,
    )
    assert result.stdout == b"out\n"
    said = result.stderr.decode()
    assert said.startswith("x: No such file or directory\n")
    assert "clawwrap: 5 NOT_FOUND (FILE_NOT_FOUND)" in said
    assert "next" in said
    assert "\x1b" not in said


def test_human_adds_nothing_to_a_success(run: Run) -> None:
    result = run("-o", "human", "sh", "-c", "echo out; echo note >&2", check=False)
    assert (result.stdout, result.stderr) == (b"out\n", b"note\n")


def test_live_copies_while_the_envelope_stays_alone_on_stdout(run: Run) -> None:
    result = run("--live", "sh", "-c", "echo one; echo two >&2")
    assert sorted(result.stderr.split()) == [b"one", b"two"]
    assert result.data == {"stdout": "one\n"}


def test_live_shows_a_line_before_the_tool_ends(clean_env: dict[str, str], tmp_path: Path) -> None:
    fifo = tmp_path / "go"
    os.mkfifo(fifo)
    tool = ["sh", "-c", f"echo ready; cat {fifo}"]
    process = subprocess.Popen(
        [*CLAWWRAP, "--live", *tool], env=clean_env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    assert process.stderr.readline() == b"ready\n"  # the tool still waits
    fifo.write_text("go\n")
    out, _ = process.communicate(timeout=30)
    assert json.loads(out)["data"] == {"stdout": "ready\ngo\n"}


# Variables and the config file


def test_every_option_has_a_variable_and_a_flag_wins(run: Run) -> None:
    env = {"CLAWWRAP_TIMEOUT": "7s", "CLAWWRAP_REQUEST_ID": "from-env"}
    result = run("true", env=env)
    assert (result.meta["timeout_ms"], result.meta["request_id"]) == (7000, "from-env")
    result = run("--timeout", "8s", "true", env=env)
    assert result.meta["timeout_ms"] == 8000


def test_config_file_holds_where_nothing_else_does(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "config" / "clawwrap"
    folder.mkdir(parents=True)
    (folder / "config.yaml").write_text("timeout: 3m\nmax-output: 1K\n")
    env = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    result = run("seq", "1", "1000", env=env)
    assert result.meta["timeout_ms"] == 180_000
    assert result.meta["truncated"] is True
    assert run("true", env=env | {"CLAWWRAP_TIMEOUT": "1m"}).meta["timeout_ms"] == 60_000


def test_the_adapter_wins_over_the_config_file(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "config" / "clawwrap" / "adapters"
    folder.mkdir(parents=True)
    (folder.parent / "config.yaml").write_text("timeout: 3m\n")
    (folder / "true.yaml").write_text(
        "tool: 'true'\nabout: a test\ntimeout: 4m\nexit_codes: {SUCCESS: It is true}\n"
    )
    env = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    result = run("true", env=env)
    assert (result.meta["timeout_ms"], result.meta["adapter"]) == (240_000, "true")


# The environment


def test_the_tool_finds_nothing_that_waits_for_a_person(run: Run) -> None:
    env = {"PAGER": "less", "EDITOR": "vim", "COLUMNS": "80", "FORCE_COLOR": "1"}
    seen = dict(line.split("=", 1) for line in run("env", env=env).data["stdout"].splitlines())
    assert (seen["PAGER"], seen["EDITOR"], seen["FORCE_COLOR"]) == ("cat", "false", "0")
    assert (seen["NO_COLOR"], seen["TERM"], seen["GIT_TERMINAL_PROMPT"]) == ("1", "dumb", "0")
    assert int(seen["COLUMNS"]) > 200
    assert seen["LC_ALL"] == "C.UTF-8"


def test_the_users_locale_stays(run: Run) -> None:
    seen = run("env", env={"LANG": "de_DE.UTF-8"}).data["stdout"].splitlines()
    assert "LANG=de_DE.UTF-8" in seen
    assert not any(line.startswith("LC_") for line in seen)


def test_a_person_keeps_pager_and_colours(run: Run) -> None:
    result = run("-o", "raw", "env", env={"PAGER": "less"}, check=False)
    assert b"PAGER=less" in result.stdout
    assert b"NO_COLOR" not in result.stdout


# Faults around us


def test_closed_standard_descriptors(clean_env: dict[str, str], tmp_path: Path) -> None:
    command = " ".join(CLAWWRAP)
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-", "<&- 2>&-"):
        done = subprocess.run(
            ["sh", "-c", f"{command} sh -c 'echo x; echo y >&2' {closed}"],
            env=clean_env,
            cwd=tmp_path,
            capture_output=True,
        )
        assert done.returncode == 0, (closed, done)
        assert done.stderr == b""
        if ">&-" not in closed.replace("2>&-", ""):
            assert json.loads(done.stdout)["data"] == {"stdout": "x\n"}


@needs("bash")
def test_a_reader_that_goes_away_is_no_traceback(clean_env: dict[str, str]) -> None:
    line = f"{' '.join(CLAWWRAP)} --max-output 0 seq 1 100000 | head -c 10"
    done = subprocess.run(["bash", "-c", line], env=clean_env, capture_output=True)
    assert (done.stdout, done.stderr) == (b'{"ok":true', b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_under_stdout_is_said_on_stderr(run: Run) -> None:
    with open("/dev/full", "wb") as full:
        result = run("true", check=False, stdout=full, stderr=subprocess.PIPE)
    assert result.code == 1
    assert result.stderr == b"clawwrap: the envelope could not be written to stdout\n"


def test_a_home_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    blocked = tmp_path / "home"
    blocked.write_text("a file where the folder should be")
    env = {"HOME": str(blocked)}
    result = run("ls", "/nonexistent", env=env)
    assert (result.code, result.stderr) == (5, b"")


def test_no_home_at_all(run: Run, clean_env: dict[str, str], tmp_path: Path) -> None:
    env = {k: v for k, v in clean_env.items() if k != "HOME"}
    done = subprocess.run(
        [*CLAWWRAP, "true"], env=env | {"XDG_CACHE_HOME": str(tmp_path)}, capture_output=True
    )
    assert done.returncode == 0


def test_a_deleted_working_folder(clean_env: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    line = f"cd {folder}; rmdir {folder}; {' '.join(CLAWWRAP)} echo x"
    done = subprocess.run(["sh", "-c", line], env=clean_env, capture_output=True)
    assert json.loads(done.stdout)["data"] == {"stdout": "x\n"}


def test_a_huge_environment_is_passed_without_our_additions(run: Run) -> None:
    stack = 8 << 20
    try:
        stack = os.sysconf("SC_ARG_MAX")
    except ValueError:
        pass
    size = 120_000
    env = {f"BIG{n}": "x" * size for n in range((stack - 600_000) // size)}
    assert run("true", env=env).code == 0


def test_non_utf8_text_on_stderr_is_kept_and_said(run: Run) -> None:
    result = run("sh", "-c", r"printf 'Err\343o\n' >&2; exit 1")
    assert result.error["detail"] == "Errão\n"
    assert any("read as latin-1" in warning for warning in result.warnings)
    raw = run("--cursor", result.meta["raw_cursor"]).data
    assert (raw["stream"], base64.b64decode(raw["content"])) == ("stderr", b"Err\xe3o\n")


def test_the_c_locale_is_no_obstacle(run: Run) -> None:
    result = run("printf", r"\303\251", env={"LANG": "C", "LC_ALL": "C"})
    assert result.data == {"stdout": "é"}


def test_python_m_and_the_command_do_the_same(
    run: Run, tmp_path: Path, clean_env: dict[str, str]
) -> None:
    script = Path(sys.executable).parent / "clawwrap"
    if not script.exists():
        pytest.skip("clawwrap is not installed beside this Python")
    done = subprocess.run([script, "echo", "x"], env=clean_env, capture_output=True)
    assert json.loads(done.stdout)["data"] == run("echo", "x").data


def test_a_huge_argv(run: Run) -> None:
    words = ["x" * 100_000] * 12
    assert run("printf", "%s", *words, "--max-output").meta["truncated"] is True


def test_without_bash_there_are_no_lines(run: Run, tmp_path: Path) -> None:
    result = run("-c", "ls", env={"PATH": str(tmp_path)})
    assert (result.code, result.error["code"]) == (4, "MISSING_DEPENDENCY")


@pytest.mark.parametrize(
    ("script", "code"), [("echo out; echo err >&2", 0), ("echo out; exit 3", 1)]
)
def test_a_bug_of_ours_does_not_cost_the_result(
    clean_env: dict[str, str], script: str, code: int
) -> None:
    program = (
        "import sys\n"
        "from clawwrap import outcomes\n"
        "def broken(*args): raise RuntimeError('a bug')\n"
        "outcomes.assemble = broken\n"
        f"sys.argv = ['clawwrap', 'sh', '-c', {script!r}]\n"
        "from clawwrap.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], env=clean_env, capture_output=True)
    envelope = json.loads(done.stdout)
    check_envelope(envelope, done.returncode)
    assert done.returncode == code
    shown = envelope["data"] or envelope["error"]["output"]
    assert shown == {"stdout": "out\n"}
    assert "a bug" in envelope["warnings"][0]


@needs("bash")
def test_an_exit_code_of_a_line_is_not_blamed_on_any_tool_in_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x\n")
    assert run("-c", "sh -c 'exit 1' && grep x f").error["code"] == "UNCLASSIFIED"
    assert run("-c", "grep x f; cat f | grep zzz").error["code"] == "NO_MATCH"
    assert run("-c", "grep zzz f | sort").error["code"] == "UNCLASSIFIED"


def test_an_answer_without_words_gets_the_declared_meaning(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1\n")
    (tmp_path / "b").write_text("2\n")
    found = run("diff", "a", "b").error
    assert found["message"] != "> 2"
    assert "differ" in found["message"]


def test_the_adapter_of_a_launcher_speaks_too(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    (folder / "nice.yaml").write_text(
        "tool: nice\nabout: a test\nexit_codes: {SUCCESS: It ran}\nnative: {9: NOT_FOUND}\n"
        "rules:\n  - {id: said, when: {stderr: nice says no}, code: CONFLICT}\n"
    )
    env = {"CLAWWRAP_ADAPTER_PATH": str(folder)}
    result = run("nice", "sh", "-c", "echo nice says no >&2; exit 9", env=env)
    assert (result.code, result.meta["rule"]) == (6, "said")
    assert result.meta["command"] == "sh"
    # Its exit codes are those of the tool behind it.
    assert run("nice", "sh", "-c", "exit 9", env=env).code == 1
