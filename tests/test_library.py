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
from clawwrap import library
from clawwrap.contract import ExitCode
from clawwrap.envelopes import response
from tests.conftest import Run, needs

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
    ],
)
def test_a_wrong_call_is_an_outcome(options: dict[str, Any], said: str) -> None:
    outcome = clawwrap.run(["true"], **options)
    assert outcome.code is ExitCode.ARG_ERROR
    assert outcome.failure and said in outcome.failure.message
    assert outcome.failure.source == "clawwrap" and outcome.failure.phase == "validation"


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
    other = library.Running(["sh", "-c", "setsid sleep 1 & wait; echo done"])
    assert clawwrap.run(["sleep", "9"], timeout="100ms").code is ExitCode.TIMEOUT
    assert other.result().data == {"stdout": "done\n"}


def test_it_can_be_cancelled_from_another_thread(
    tmp_path: Path, gone: Callable[[int], bool]
) -> None:
    pids = tmp_path / "pids"
    running = library.Running(["sh", "-c", f"setsid sleep 60 & echo $! > {pids}; wait"])

    def cancel() -> None:
        _wait_for(pids)
        running.cancel()

    threading.Thread(target=cancel).start()
    outcome = running.result()
    assert outcome.failure and outcome.failure.code == "CANCELLED"
    assert gone(int(pids.read_text()))


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
