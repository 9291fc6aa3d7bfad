"""clawwrap inside a program: the outcomes of the command, and nothing that is the process's."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import clawwrap
from clawwrap import api
from clawwrap.contract import ExitCode
from clawwrap.envelopes import response
from clawwrap.invocation import FLAGS, VALUED
from tests.conftest import Run, needs


def descriptors() -> list[str]:
    return os.listdir("/proc/self/fd")


STAMPS = ("duration_ms", "request_id", "timestamp", "argv", "cwd")


@pytest.fixture(autouse=True)
def _own_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(home))
    for name in [name for name in os.environ if name.startswith(("CLAWWRAP", "XDG_"))]:
        monkeypatch.delenv(name)


def plain(envelope: dict[str, Any]) -> dict[str, Any]:
    meta = {key: value for key, value in envelope["meta"].items() if key not in STAMPS}
    return envelope | {"meta": meta}


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["echo", "a"], id="a success"),
        pytest.param(["sh", "-c", "echo warn >&2"], id="a success with a warning"),
        pytest.param(["ls", "/no/such/folder"], id="a failure"),
        pytest.param(["git", "statsu"], id="a redirect", marks=needs("git")),
        pytest.param(["no-such-tool-at-all"], id="an absent tool"),
        pytest.param(["printf", '{"a": [1, 2]}'], id="JSON"),
        pytest.param(["sh", "-c", "kill -9 $$"], id="a signal"),
        pytest.param(["cd", "/"], id="a builtin"),
    ],
)
def test_the_outcome_is_that_of_the_command(run: Run, words: list[str]) -> None:
    outcome = clawwrap.run(words)
    assert plain(response.render(outcome)) == plain(run(*words).envelope)


def test_options_have_the_names_of_the_command(tmp_path: Path) -> None:
    outcome = clawwrap.run(
        ["sh", "-c", "seq 1 5000; sleep 9"], timeout="300ms", max_output=2000, request_id="me"
    )
    assert outcome.code is ExitCode.TIMEOUT
    assert outcome.meta.truncated and outcome.meta.cursor
    assert outcome.meta.request_id == "me"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"timeoutt": 1}, "unknown option 'timeoutt'"),
        ({"output": "raw"}, "unknown option 'output'"),
        ({"timeout": "soon"}, "--timeout wants a duration"),
        ({"adapter": "no-such-adapter"}, "there is no adapter"),
        ({"cwd": "/no/such/folder"}, "is no folder"),
        ({"envelope_version": "2.0"}, "unknown option 'envelope_version'"),
        ({"legacy_envelope": True}, "unknown option 'legacy_envelope'"),
        ({"env": {"A=B": "1"}}, "env: 'A=B' is no name of a variable"),
        ({"env": {"": "1"}}, "env: '' is no name of a variable"),
        ({"env": {"A": "x\0y"}}, "env: the value of 'A' holds a NUL character"),
        ({"env": {"A": "\ud800"}}, "env: the value of 'A' holds half a character"),
        ({"cwd": "/\ud800"}, "is no folder"),
    ],
)
def test_a_wrong_call_is_an_outcome(options: dict[str, Any], said: str) -> None:
    outcome = clawwrap.run(["true"], **options)
    assert outcome.code is ExitCode.ARG_ERROR
    assert outcome.failure and said in outcome.failure.message
    assert outcome.failure.source == "clawwrap" and outcome.failure.phase == "validation"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["echo", "a\0b"], "argv[1] holds a NUL character"),
        (["echo", "\ud800"], "argv[1] holds half a character"),
        ([], "there is no command to run"),
    ],
)
def test_words_that_no_program_can_get_are_refused(words: list[str], said: str) -> None:
    clawwrap.run(["true"])
    before = descriptors()
    outcome = clawwrap.run(words)
    assert outcome.code is ExitCode.ARG_ERROR
    assert outcome.failure and said in outcome.failure.message
    assert descriptors() == before


def test_a_line_in_place_of_words_is_a_mistake_of_the_programmer() -> None:
    with pytest.raises(TypeError, match="line="):
        clawwrap.run("git status")
    assert clawwrap.run(line="printf 'b\\na\\n' | sort").data == {"stdout": "a\nb\n"}


def test_stdin_is_what_is_given_and_else_empty() -> None:
    big = os.urandom(1 << 20)
    counted = clawwrap.run(["wc", "-c"], stdin=big)
    assert counted.data and counted.data["stdout"].strip() == str(len(big))
    assert clawwrap.run(["cat"]).data == {"stdout": ""}


def test_folder_and_environment_are_those_of_the_run(tmp_path: Path) -> None:
    here = os.getcwd()
    script = tmp_path / "tool"
    script.write_text('#!/bin/sh\npwd; echo "$PWD $COLOUR"\n')
    script.chmod(0o755)
    outcome = clawwrap.run(["./tool"], cwd=tmp_path, env={"COLOUR": "red", "PATH": "/bin:/usr/bin"})
    assert outcome.data == {"stdout": f"{tmp_path}\n{tmp_path} red\n"}
    assert outcome.meta.cwd == str(tmp_path)
    assert os.getcwd() == here


def test_a_secret_of_its_environment_is_masked() -> None:
    env = {"PATH": os.environ["PATH"], "DEPLOY_TOKEN": "correct-horse"}
    outcome = clawwrap.run(["sh", "-c", 'echo "$DEPLOY_TOKEN" >&2; exit 1'], env=env)
    assert outcome.failure and "correct-horse" not in outcome.failure.detail


def test_a_script_without_an_interpreter_line_runs_in_another_folder(tmp_path: Path) -> None:
    script = tmp_path / "tool"
    script.write_text("echo ran\n")
    script.chmod(0o755)
    assert clawwrap.run([str(script)], cwd="/").data == {"stdout": "ran\n"}
    script.write_text("#!/no/such/interpreter\n")
    assert clawwrap.run([str(script)], cwd="/").code is ExitCode.PRECONDITION


def test_what_is_printed_is_heard_while_it_runs() -> None:
    heard: list[tuple[str, str]] = []
    clawwrap.run(["sh", "-c", "echo a; echo b >&2"], on_output=lambda *said: heard.append(said))
    assert sorted(heard) == [("stderr", "b\n"), ("stdout", "a\n")]


def test_many_threads_at_once_leave_nothing_open() -> None:
    clawwrap.run(["true"])
    before = len(os.listdir("/proc/self/fd"))
    found: list[str] = []

    def one(number: int) -> None:
        outcome = clawwrap.run(["sh", "-c", f"sleep 0.05; echo {number}"], cwd="/")
        found.append(str(outcome.data and outcome.data["stdout"].strip()))

    threads = [threading.Thread(target=one, args=(number,)) for number in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found, key=int) == [str(number) for number in range(30)]
    assert len(os.listdir("/proc/self/fd")) == before


def test_signal_handlers_stay_those_of_the_program() -> None:
    before = [signal.getsignal(number) for number in range(1, 32)]
    clawwrap.run(["true"])
    assert [signal.getsignal(number) for number in range(1, 32)] == before


def test_one_run_that_ends_leaves_the_others_alone(tmp_path: Path) -> None:
    """Strays are told by their run: another one's are not ours to kill."""
    other = api.Running(["sh", "-c", "setsid sleep 1 & wait; echo done"])
    assert clawwrap.run(["sleep", "9"], timeout="100ms").code is ExitCode.TIMEOUT
    assert other.result().data == {"stdout": "done\n"}


def test_it_can_be_cancelled_from_another_thread(
    tmp_path: Path, gone: Callable[[int], bool]
) -> None:
    pids = tmp_path / "pids"
    running = api.Running(["sh", "-c", f"setsid sleep 60 & echo $! > {pids}; wait"])

    def cancel() -> None:
        _wait_for(pids)
        running.cancel()

    threading.Thread(target=cancel).start()
    outcome = running.result()
    assert outcome.failure and outcome.failure.code == "CANCELLED"
    assert gone(int(pids.read_text()))


def test_both_attempts_read_the_same_and_not_what_the_program_reads(tmp_path: Path) -> None:
    """The program's own stdin stays where it is, whatever a retry rewinds."""
    (tmp_path / "mine").write_text("one\ntwo\n")
    program = """
import os, clawwrap
print(os.read(0, 4))
line = "cat >>seen; test -e again && exit; touch again; echo 'connection refused' >&2; exit 1"
hear = lambda *said: os.read(0, 4) and None
outcome = clawwrap.run(["sh", "-c", line], stdin=b"given ", retry=1, on_output=hear)
print(outcome.ok, open("seen").read(), os.read(0, 4))
"""
    with (tmp_path / "mine").open() as mine:
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=tmp_path, stdin=mine, capture_output=True
        )
    assert done.stdout.split(b"\n")[:2] == [b"b'one\\n'", b"True given given  b''"], done


def test_what_the_listener_raises_comes_out_and_ends_the_tool(
    tmp_path: Path, gone: Callable[[int], bool]
) -> None:
    clawwrap.run(["true"])
    before = descriptors()
    heard: list[str] = []

    def fail(stream: str, text: str) -> None:
        heard.append(text)
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        clawwrap.run(["sh", "-c", "echo $$; sleep 60"], on_output=fail)
    assert gone(int(heard[0]))
    assert descriptors() == before


def test_what_the_listener_raises_comes_out_of_asyncio_too() -> None:
    def fail(stream: str, text: str) -> None:
        raise StopIteration("mine")  # which no future takes

    async def call() -> None:
        await asyncio.wait_for(clawwrap.run_async(["echo", "a"], on_output=fail), timeout=60)

    with pytest.raises(RuntimeError, match="StopIteration"):
        asyncio.run(call())


def test_an_interrupt_of_the_program_leaves_nothing_behind(
    tmp_path: Path, gone: Callable[[int], bool]
) -> None:
    program = """
import os, clawwrap
try:
    clawwrap.run(["sh", "-c", "setsid sleep 60 & echo $! >pid; wait"])
except KeyboardInterrupt:
    print("interrupted", len(os.listdir("/proc/self/fd")))
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=tmp_path, stdout=subprocess.PIPE
    ) as process:
        _wait_for(tmp_path / "pid")
        process.send_signal(signal.SIGINT)
        told, _ = process.communicate(timeout=60)
    assert told == b"interrupted 4\n"  # the three of every program, and the one for listing them
    assert gone(int((tmp_path / "pid").read_text()))


def test_the_outcome_may_be_asked_for_again_by_any_thread() -> None:
    running = api.Running(["sh", "-c", "sleep 0.2; echo once"])
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(running.result())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [running.result()] * 4
    running.cancel()  # too late, and harmless


def test_a_with_block_does_not_end_before_the_tool(
    tmp_path: Path, gone: Callable[[int], bool]
) -> None:
    with api.Running(["sh", "-c", "sleep 0.2; echo done"]) as running:
        pass
    assert running.result().data == {"stdout": "done\n"}
    pid = tmp_path / "pid"
    with (
        pytest.raises(LookupError),
        api.Running(["sh", "-c", f"echo $$ >{pid}; sleep 60"]) as running,
    ):
        _wait_for(pid)
        raise LookupError
    assert gone(int(pid.read_text()))
    outcome = running.result()
    assert outcome.failure and outcome.failure.code == "CANCELLED"


def test_who_is_never_waited_for_is_ended_and_told_of(
    tmp_path: Path, gone: Callable[[int], bool]
) -> None:
    clawwrap.run(["true"])
    before = descriptors()
    pid = tmp_path / "pid"
    running: api.Running | None = api.Running(["sh", "-c", f"echo $$ >{pid}; sleep 60"])
    _wait_for(pid)
    with pytest.warns(ResourceWarning, match="never waited for"):
        running = None
    until = time.monotonic() + 20
    while (descriptors() != before or not gone(int(pid.read_text()))) and time.monotonic() < until:
        time.sleep(0.01)
    assert running is None and gone(int(pid.read_text()))
    assert descriptors() == before


def test_a_second_attempt_is_cancelled_as_the_first_one_would_be(tmp_path: Path) -> None:
    line = (
        "test -e again && { echo $$ >pid; sleep 60; }; touch again; echo 'connection refused' >&2"
    )
    running = api.Running(["sh", "-c", f"{line}; exit 1"], cwd=tmp_path, retry=1)
    waiting = threading.Thread(target=running.result)
    waiting.start()
    _wait_for(tmp_path / "pid")
    running.cancel()
    waiting.join(30)
    outcome = running.result()
    assert outcome.failure and outcome.failure.code == "CANCELLED"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- 2>&-", "<&- >&- 2>&-"])
def test_a_program_without_standard_descriptors(tmp_path: Path, closed: str) -> None:
    program = """
import clawwrap
outcome = clawwrap.run(["sh", "-c", "cat; echo warned >&2"], stdin=b"given")
open("found", "w").write(f"{outcome.data} {outcome.warnings}")
"""
    line = f'"$0" -c "$1" {closed}'
    subprocess.run(["sh", "-c", line, sys.executable, program], cwd=tmp_path, check=True)
    assert (tmp_path / "found").read_text() == "{'stdout': 'given'} ('warned',)"


def test_no_room_for_stdin_is_an_outcome(tmp_path: Path) -> None:
    program = """
import resource, signal, clawwrap
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
print(clawwrap.run(["wc", "-c"], stdin=bytes(1 << 20), no_log=True).failure.message)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True
    )
    assert "stdin cannot be kept in" in done.stdout, done


def test_dev_checks_the_outcome_of_a_program_too(
    tmp_path: Path, adapter_file: Callable[[str, str], Path]
) -> None:
    text = "tool: sh\nabout: a test\nexit_codes: {SUCCESS: it worked}\nnative: {7: CONFLICT}\n"
    adapter = adapter_file("sh", text)
    outcome = clawwrap.run(["sh", "-c", "exit 7"], adapter=adapter, dev=True)
    assert any("is not declared" in warning for warning in outcome.warnings)


def test_every_option_has_a_type() -> None:
    options = {name.replace("-", "_") for name in {*VALUED, *FLAGS} - api.OF_THE_COMMAND}
    assert set(api.Options.__annotations__) == options - {"cwd"}


def test_the_types_that_a_program_sees(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        """import clawwrap

outcome = clawwrap.run(["true"], timeout="30s", stdin=b"", cwd=".", retry=2)
reveal_type(outcome.code)
clawwrap.run(["true"], timeoutt="30s")
clawwrap.run(["true"], stdin="text")
clawwrap.run("true")
"""
    )
    words = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(program)]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert 'Revealed type is "clawwrap.contract.ExitCode | clawwrap.contract.ToolCode"' in (
        done.stdout.replace("Union[", "").replace("]", "").replace(", ", " | ")
    )
    wrong = [line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line]
    assert wrong == ["5", "6"], done.stdout


def _wait_for(path: Path) -> None:
    until = time.monotonic() + 20
    while not (path.exists() and path.read_text().strip()) and time.monotonic() < until:
        time.sleep(0.01)


def test_asyncio_runs_many_side_by_side() -> None:
    async def all_of_them() -> list[Any]:
        calls = (clawwrap.run_async(["sh", "-c", f"echo {n}; exit {n % 2}"]) for n in range(20))
        return [outcome.ok for outcome in await asyncio.gather(*calls)]

    assert asyncio.run(all_of_them()) == [n % 2 == 0 for n in range(20)]


def test_a_cancelled_task_leaves_nothing_behind(
    tmp_path: Path, gone: Callable[[int], bool]
) -> None:
    pids = tmp_path / "pids"

    async def cancelled() -> None:
        call = clawwrap.run_async(["sh", "-c", f"setsid sleep 60 & echo $! > {pids}; wait"])
        task = asyncio.create_task(call)
        await asyncio.to_thread(_wait_for, pids)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert gone(int(pids.read_text()))


def test_a_wrong_call_is_an_outcome_for_asyncio_too() -> None:
    assert asyncio.run(clawwrap.run_async(["true"], timeout="x")).code is ExitCode.ARG_ERROR


def test_retries_follow_the_hints(tmp_path: Path) -> None:
    line = "test -e again && exit; touch again; echo 'connection refused' >&2; exit 1"
    outcome = clawwrap.run(["sh", "-c", line], cwd=tmp_path, retry=1, timeout="30s")
    assert [attempt["code"] for attempt in outcome.meta.attempts] == ["UNAVAILABLE", "SUCCESS"]


def test_importing_clawwrap_loads_nothing_of_it(clean_env: dict[str, str]) -> None:
    program = "import sys, clawwrap; print(sorted(m for m in sys.modules if 'clawwrap' in m))"
    found = subprocess.run([sys.executable, "-c", program], env=clean_env, capture_output=True)
    assert json.loads(found.stdout.replace(b"'", b'"')) == ["clawwrap"]
