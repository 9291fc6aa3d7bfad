"""Every native exit code and every signal: the truth is kept, and the exit is one of the table."""

from __future__ import annotations

import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import FAKES, Run

ALLOWED = {*range(14), *range(79, 126)}

SIGNALS = [
    one
    for one in signal.Signals
    # These stop, continue or are ignored: they do not end a process.
    if one.name
    not in ("SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG", "SIGWINCH")
]


def in_parallel(calls: list[Callable[[], None]]) -> None:
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(call) for call in calls]:
            done.result()


@pytest.mark.parametrize("start", range(1, 256, 51))
def test_no_native_failure_becomes_success(run: Run, start: int) -> None:
    def check(native: int) -> None:
        result = run("sh", "-c", f"exit {native}")
        assert result.code in ALLOWED - {0}, native
        assert result.meta["native"] == {"exit_code": native, "signal": None}
        assert result.error["message"]

    in_parallel([partial(check, native) for native in range(start, start + 51)])


def test_every_signal_is_told_by_name(run: Run) -> None:
    def check(one: signal.Signals) -> None:
        result = run("sh", "-c", f"kill -{one.value} $$")
        assert result.code in ALLOWED - {0}, one
        assert result.meta["native"] == {"exit_code": None, "signal": one.name}

    in_parallel([partial(check, one) for one in SIGNALS])


def test_native_zero_stays_zero_whatever_is_on_stderr(run: Run) -> None:
    scary = "fatal: permission denied\nError: 401 Unauthorized\nTraceback (most recent call last)"
    result = run("sh", "-c", f"echo '{scary}' >&2; exit 0")
    assert result.code == 0
    assert result.warnings == scary.splitlines()


@pytest.mark.parametrize(
    ("script", "code", "error"),
    [
        ("exit 64", 3, "INVALID_ARGUMENT"),
        ("exit 65", 3, "SYNTAX_ERROR"),
        ("exit 66", 5, "FILE_NOT_FOUND"),
        ("exit 69", 12, "SERVICE_UNAVAILABLE"),
        ("exit 70", 1, "UNCLASSIFIED"),
        ("exit 75", 12, "SERVICE_UNAVAILABLE"),
        ("exit 77", 7, "ACCESS_DENIED"),
        ("exit 78", 4, "NOT_CONFIGURED"),
        ("exit 126", 7, "NOT_EXECUTABLE"),
        ("no-such-command-here", 5, "COMMAND_NOT_FOUND"),
        ("exit 137", 1, "KILLED"),
        ("exit 139", 1, "CRASHED"),
        ("exit 141", 1, "BROKEN_PIPE"),
        ("kill -ALRM $$", 10, "OPERATION_TIMEOUT"),
        ("kill -SEGV $$", 1, "CRASHED"),
        ("kill -KILL $$", 1, "KILLED"),
        ("kill -XFSZ $$", 4, "FILE_SIZE_LIMIT"),
    ],
)
def test_numbers_that_mean_one_thing(run: Run, script: str, code: int, error: str) -> None:
    result = run("sh", "-c", script)
    assert (result.code, result.error["code"]) == (code, error)


DECLARING = """
tool: sh
about: a test
exit_codes:
  SUCCESS: It ran
{more}
"""


@pytest.mark.parametrize("code", list(range(1, 14)))
def test_each_code_reaches_the_process_exit(
    run: Run, adapter_file: Callable[[str, str], Path], code: int
) -> None:
    from clawwrap.contract import ExitCode

    name = ExitCode(code).name
    if name == "REDIRECTED":
        rule = "redirects:\n  - {id: r, when: {exit: 9}, to: newsh, reason: renamed}\n"
    else:
        rule = f"native: {{9: {name}}}\n"
    file = adapter_file("sh", DECLARING.format(more=rule))
    result = run("--adapter", str(file), "sh", "-c", "exit 9")
    # An entry that says GENERAL_ERROR is no answer, but there is no other either.
    assert result.code == code
    assert result.meta["exit_code"] == code


def test_a_tools_own_code_reaches_the_process_exit(
    run: Run, adapter_file: Callable[[str, str], Path]
) -> None:
    more = "  93: {name: TESTS_FAILED, description: Some tests fail}\nnative: {1: TESTS_FAILED}\n"
    file = adapter_file("sh", DECLARING.format(more=more))
    result = run("--adapter", str(file), "--dev", "sh", "-c", "echo 3 failed; exit 1")
    assert (result.code, result.error["code"]) == (93, "TESTS_FAILED")
    assert result.error["retryable"] is False
    assert result.warnings == []


def test_an_undeclared_code_is_warned_of_in_dev(
    run: Run, adapter_file: Callable[[str, str], Path]
) -> None:
    file = adapter_file("sh", DECLARING.format(more=""))
    assert run("--adapter", str(file), "sh", "-c", "exit 66").warnings == []
    [warning] = run("--adapter", str(file), "--dev", "sh", "-c", "exit 66").warnings
    assert "5 (NOT_FOUND)" in warning
    assert "'sh'" in warning


def test_wrong_input_is_said_before_anything_is_done(run: Run, tmp_path: Path) -> None:
    done = tmp_path / "done"
    result = run("--timeout", "soon", "touch", str(done))
    assert (result.code, result.error["phase"]) == (3, "validation")
    assert not done.exists()


def test_a_rule_may_turn_zero_into_a_failure_only_explicitly(
    run: Run, adapter_file: Callable[[str, str], Path]
) -> None:
    rule = "rules:\n  - {id: lie, when: {exit: 0, stdout: FAILED}, code: GENERAL_ERROR%s}\n"
    file = adapter_file("sh", DECLARING.format(more=rule % ", overrides_success: true"))
    result = run("--adapter", str(file), "sh", "-c", "echo FAILED")
    assert (result.code, result.meta["native"]["exit_code"]) == (1, 0)
    assert result.error["output"] == {"stdout": "FAILED\n"}
    assert run("--adapter", str(file), "sh", "-c", "echo fine").code == 0
    refused = run("--adapter", str(adapter_file("sh", DECLARING.format(more=rule % ""))), "true")
    assert refused.code == 3
    assert "overrides_success" in refused.error["message"]


def test_an_empty_death_claims_no_success(run: Run) -> None:
    result = run("sh", "-c", "echo why >&2; exit 254")
    assert result.data is None
    assert result.error["detail"] == "why\n"
    assert result.error["code"] == "UNCLASSIFIED"


def test_the_same_program_ran(run: Run) -> None:
    result = run(str(FAKES / "argspy"), "lint")
    assert result.data == ["6c696e74"]
    assert result.meta["command"] == "argspy"


def test_a_redirect_may_speak_of_a_tool_that_lies_about_success(
    run: Run, adapter_file: Callable[[str, str], Path]
) -> None:
    more = "redirects:\n  - {id: lie, when: {exit: 0, stdout: gone}, to: newsh, reason: renamed}\n"
    file = adapter_file("sh", DECLARING.format(more=more))
    assert run("--adapter", str(file), "sh", "-c", "echo gone").code == 13
    assert run("--adapter", str(file), "sh", "-c", "echo here").code == 0
