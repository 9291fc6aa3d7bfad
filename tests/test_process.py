"""The tool as a process: its end, its tree, signals, timeouts, and output of any size."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawwrap import launch, portions
from clawwrap.capture import CHUNK, Capture, Stream
from clawwrap.catalog import Choice
from tests.conftest import CLAWWRAP, FAKES, Run, check_envelope, needs

Gone = Callable[[int], bool]


def wait_until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Poll instead of sleeping: as fast as the machine allows, and patient where it is slow."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


@pytest.fixture
def start(clean_env: dict[str, str], tmp_path: Path) -> Any:
    """Start clawwrap without waiting for it."""
    running: list[subprocess.Popen[bytes]] = []

    def call(*words: str, **more: Any) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [*CLAWWRAP, *words],
            env=clean_env,
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **more,
        )
        running.append(process)
        return process

    yield call
    for process in running:
        if process.poll() is None:
            process.kill()
        process.communicate()


def envelope_of(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    out, err = process.communicate(timeout=60)
    assert b"Traceback" not in err
    found: dict[str, Any] = json.loads(out)  # fails where two documents were printed
    check_envelope(found, process.returncode)
    return found


# The end is the end of the tool, not of its output


def test_a_background_descendant_does_not_hold_us(run: Run, gone: Gone) -> None:
    result = run("sh", "-c", "echo ready; sleep 300 & exit 0")
    assert result.data == {"stdout": "ready\n"}
    [pid] = result.meta["background_pids"]
    try:
        assert not gone(pid)  # it is left alone
        assert any(str(pid) in warning for warning in result.warnings)
    finally:
        os.kill(pid, signal.SIGKILL)


def test_a_descendant_that_holds_only_stderr_does_not_hold_us(run: Run) -> None:
    result = run("sh", "-c", "(sleep 300 >&2 &) ; echo done")
    assert result.data == {"stdout": "done\n"}
    for pid in result.meta["background_pids"]:
        os.kill(pid, signal.SIGKILL)


@needs("bash")
def test_late_output_of_a_pipeline_is_not_lost(run: Run) -> None:
    result = run("bash", "-c", "echo first; echo second > >(cat; echo third)")
    assert sorted(result.data["stdout"].split()) == ["first", "second", "third"]


@pytest.mark.parametrize("has_pidfd", [True, False], ids=["pidfd", "SIGCHLD"])
def test_both_ways_to_see_the_end(has_pidfd: bool, clean_env: dict[str, str]) -> None:
    program = (
        "import os, sys\n"
        f"if not {has_pidfd}: del os.pidfd_open\n"
        "from clawwrap import launch, watch\n"
        "argv = ['sh', '-c', 'echo a; sleep 0.1; sleep 300 & exit 3']\n"
        "request = launch.Request(argv, launch.environment())\n"
        "child = launch.spawn(request)\n"
        f"assert (watch.open_pidfd(os.getpid()) >= 0) is {has_pidfd}\n"
        "capture = watch.finish(child, iter(()))\n"
        "for pid in capture.background_pids: os.kill(pid, 9)\n"
        "print(capture.exit_code, capture.stdout.head, len(capture.background_pids))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=clean_env, capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "3 b'a\\n' 1\n", done.stderr


# Signals


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"])
def test_a_signal_reaches_the_tool_exactly_once(start: Any, name: str) -> None:
    process = start("--live", str(FAKES / "counts-signals"))
    assert process.stderr.readline() == b"ready\n"
    process.send_signal(getattr(signal, name))
    found = envelope_of(process)
    assert found["error"]["code"] == "CANCELLED"
    assert found["error"]["output"] == {"seen": [name]}
    assert process.returncode == 2
    assert found["error"]["retryable"] is False


def test_a_signal_reaches_the_whole_group(start: Any, tmp_path: Path, gone: Gone) -> None:
    process = start("--live", "sh", "-c", "sleep 300 & echo $!; wait; :")
    pid = int(process.stderr.readline())
    process.terminate()
    found = envelope_of(process)
    assert found["meta"]["native"]["signal"] == "SIGTERM"
    wait_until(lambda: gone(pid))


def test_cancelling_a_command_free_of_effects_is_no_partial_failure(
    start: Any, adapter_file: Callable[[str, str], Path]
) -> None:
    adapter = adapter_file(
        "sleep", "tool: sleep\nabout: a test\neffects: none\nexit_codes: {SUCCESS: It slept}\n"
    )
    process = start("--adapter", str(adapter), "--live", "sh", "-c", "echo up; sleep 300")
    process.stderr.readline()
    process.send_signal(signal.SIGINT)
    assert envelope_of(process)["error"]["code"] == "CANCELLED"
    assert process.returncode == 1


def test_a_tool_that_ignores_signals_is_killed_with_its_whole_tree(
    start: Any, tmp_path: Path, gone: Gone
) -> None:
    pids = tmp_path / "pids"
    process = start("--kill-after", "200ms", str(FAKES / "ignores-sigterm"), str(pids))
    wait_until(lambda: pids.exists() and len(pids.read_text().split()) == 3)
    process.terminate()
    found = envelope_of(process)
    assert found["error"]["code"] == "CANCELLED"
    assert found["meta"]["native"]["signal"] == "SIGKILL"
    assert all(gone(int(pid)) for pid in pids.read_text().split())


def test_a_second_signal_does_not_print_twice(start: Any, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    process = start("--kill-after", "300ms", str(FAKES / "ignores-sigterm"), str(pids))
    wait_until(lambda: pids.exists() and len(pids.read_text().split()) == 3)
    for _ in range(3):
        process.terminate()
        time.sleep(0.05)
    assert envelope_of(process)["error"]["code"] == "CANCELLED"


def test_ignored_signals_stay_ignored(start: Any, tmp_path: Path) -> None:
    def ignore() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    go = tmp_path / "go"
    os.mkfifo(go)
    process = start("--live", "sh", "-c", f"echo up; cat {go}", preexec_fn=ignore)
    process.stderr.readline()
    process.send_signal(signal.SIGHUP)
    go.write_text("went on\n")
    assert envelope_of(process)["data"] == {"stdout": "up\nwent on\n"}


@needs("bash")
def test_the_tool_finds_sigpipe_as_usual(run: Run) -> None:
    result = run("bash", "-c", "yes | head -n 1 >/dev/null; echo ${PIPESTATUS[0]}")
    assert result.data == {"stdout": "141\n"}


def test_stop_and_continue_without_a_terminal(start: Any, tmp_path: Path) -> None:
    go = tmp_path / "go"
    os.mkfifo(go)
    process = start("--live", "sh", "-c", f"echo $$; read line < {go}; echo end")
    tool = int(process.stderr.readline())
    process.send_signal(signal.SIGTSTP)
    wait_until(lambda: _state(process.pid) == "T" and _state(tool) == "T")
    process.send_signal(signal.SIGCONT)
    go.write_text("go\n")
    assert envelope_of(process)["data"]["stdout"].endswith("end\n")


def _state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


# Timeouts


def test_a_timeout_ends_the_tree_and_keeps_the_output(run: Run) -> None:
    result = run("--timeout", "300ms", "sh", "-c", "echo partial; echo why >&2; sleep 300; :")
    assert (result.code, result.error["code"]) == (10, "OPERATION_TIMEOUT")
    assert result.error["output"] == {"stdout": "partial\n"}
    assert result.error["detail"] == "why\n"
    assert result.meta["timeout_ms"] == 300
    assert result.meta["native"] == {"exit_code": None, "signal": "SIGTERM"}
    assert result.error["source"] == "clawwrap"


def test_a_timeout_insists_with_sigkill(run: Run, tmp_path: Path, gone: Gone) -> None:
    pids = tmp_path / "pids"
    words = ("--timeout", "1s", "--kill-after", "100ms", str(FAKES / "ignores-sigterm"), str(pids))
    result = run(*words)
    assert result.meta["native"]["signal"] == "SIGKILL"
    found = pids.read_text().split()
    assert len(found) == 3
    assert all(gone(int(pid)) for pid in found)


def test_a_timeout_also_ends_a_daemon_that_left_everything(
    run: Run, tmp_path: Path, gone: Gone
) -> None:
    pid_file = tmp_path / "daemon"
    result = run("--timeout", "1s", str(FAKES / "daemonizes"), str(pid_file))
    assert result.code == 10
    assert gone(int(pid_file.read_text()))


def test_a_timeout_wakes_a_stopped_tool_to_end_it(run: Run) -> None:
    result = run(
        "--timeout", "500ms", "--kill-after", "10s", "sh", "-c", "kill -STOP $$; echo never"
    )
    assert (result.code, result.meta["native"]["signal"]) == (10, "SIGTERM")


def test_descendants_get_the_same_grace_as_the_tool(run: Run, tmp_path: Path) -> None:
    done = tmp_path / "done"
    slow = f"trap 'sleep 0.3; touch {done}; exit' TERM; sleep 300 & wait"
    run("--timeout", "500ms", "--kill-after", "20s", "sh", "-c", f'sh -c "{slow}" & sleep 300')
    assert done.exists()


def test_zero_is_no_timeout(run: Run) -> None:
    result = run("--timeout", "0", "sh", "-c", "sleep 0.2; echo x")
    assert result.data == {"stdout": "x\n"}
    assert result.meta["timeout_ms"] == 0


def test_a_prompt_is_named_in_the_suggestion(run: Run) -> None:
    read, write = os.pipe()
    try:
        script = 'printf "Password: "; read p'
        result = run("--timeout", "300ms", "sh", "-c", script, stdin=read)
    finally:
        os.close(read)
        os.close(write)
    assert result.code == 10
    assert "waiting for input" in result.error["suggestion"]
    assert result.error["output"] == {"stdout": "Password: "}


def test_a_timeout_says_whether_it_may_be_retried(
    run: Run, adapter_file: Callable[[str, str], Path]
) -> None:
    text = "tool: sh\nabout: a test\neffects: {effects}\nexit_codes: {{SUCCESS: It ran}}\n"
    for effects, retryable in (("none", True), ("unknown", True), ("partial", False)):
        adapter = adapter_file("sh", text.format(effects=effects))
        result = run("--adapter", str(adapter), "--timeout", "100ms", "sh", "-c", "sleep 300")
        assert result.error["retryable"] is retryable, effects


def test_no_zombie_and_no_orphan_is_left(run: Run, tmp_path: Path) -> None:
    marker = f"sleep 31{os.getpid()}"
    run("--timeout", "200ms", "sh", "-c", f"{marker} & {marker} & {marker}")
    assert marker not in [" ".join(process.info["cmdline"] or []) for process in _processes()]


def _processes() -> list[psutil.Process]:
    return list(psutil.process_iter(["cmdline"]))


# Output of any size


def test_a_flood_on_both_streams_does_not_block(run: Run) -> None:
    script = "head -c 3000000 /dev/zero | tr '\\0' x >&2; head -c 3000000 /dev/zero | tr '\\0' y"
    result = run("sh", "-c", script)
    assert result.meta["truncated"] is True
    assert result.meta["total_bytes"] == 6_000_000
    assert len(result.stdout) < 40_000


def test_memory_stays_bounded(clean_env: dict[str, str]) -> None:
    def peak(size: int) -> int:
        words = [*CLAWWRAP, "sh", "-c", f"yes | head -c {size}"]
        process = subprocess.Popen(words, env=clean_env, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        assert status == 0
        return usage.ru_maxrss

    small, large = peak(1000), peak(400_000_000)
    assert large - small < 40_000  # kilobytes


def test_head_and_tail_are_kept() -> None:
    stream = Stream(keep=10)
    for number in range(100):
        stream.feed(b"%02d " % number)
    assert (stream.head, stream.tail, stream.total) == (b"00 01 02 0", b" 97 98 99 ", 300)
    assert stream.lost == 280


def test_nothing_is_lost_below_the_bound() -> None:
    stream = Stream(keep=4)
    for chunk in (b"ab", b"cdef", b"g"):
        stream.feed(chunk)
    assert stream.head + stream.tail == b"abcdefg"
    assert stream.lost == 0


@settings(deadline=None)
@given(
    parts=st.lists(st.binary(max_size=3 * CHUNK // 2) | st.binary(max_size=9), max_size=12),
    keep=st.sampled_from([1, 9, 1000, CHUNK, 3 * CHUNK]),
)
def test_a_stream_is_its_ends_whatever_its_parts(parts: list[bytes], keep: int) -> None:
    whole, stored = b"".join(parts), bytearray()
    store: Any = SimpleNamespace(write=stored.extend)
    stream = Stream(keep=keep, make_store=lambda: store)
    for part in parts:
        stream.feed(part)
    assert stream.head == whole[:keep]
    assert stream.tail == whole[keep:][-keep:]
    assert stream.total == len(whole)
    assert stream.lines == len(whole.split(b"\n")) - (whole[-1:] in (b"\n", b""))
    assert bytes(stored) == (whole if len(whole) > keep else b"")
    assert stream.crc == zlib.crc32(whole[keep:])


@pytest.mark.parametrize("size", [0, 1, CHUNK, 512 << 10, (512 << 10) + 1, 5_000_001])
def test_what_comes_down_a_pipe_is_counted_to_the_byte(size: int, tmp_path: Path) -> None:
    content = b"".join(b"%07d\n" % number for number in range(size // 8 + 1))[:size]
    (tmp_path / "content").write_bytes(content)
    with subprocess.Popen(["cat", tmp_path / "content"], stdout=subprocess.PIPE) as process:
        assert process.stdout
        stream = Stream(process.stdout.fileno(), keep=512 << 10)
        while stream.open:
            stream.drain()
    assert (stream.total, stream.crc) == (size, zlib.crc32(content[512 << 10 :]))
    assert stream.head + stream.tail == content[: 512 << 10] + content[512 << 10 :][-(512 << 10) :]


# One spawn


def test_the_tool_is_started_once(run: Run, tmp_path: Path) -> None:
    count = tmp_path / "count"
    result = run("sh", "-c", f"echo x >> {count}; echo 'git: connection timed out' >&2; exit 1")
    assert result.code == 10
    assert count.read_text() == "x\n"


def test_fifty_at_once(clean_env: dict[str, str], tmp_path: Path) -> None:
    words = [*CLAWWRAP, "sh", "-c", "echo $$; exit 3"]
    running = [
        subprocess.Popen(words, env=clean_env, cwd=tmp_path, stdout=subprocess.PIPE)
        for _ in range(50)
    ]
    for process in running:
        out, _ = process.communicate(timeout=120)
        assert json.loads(out)["meta"]["native"]["exit_code"] == 3


# Kill errors


def test_what_cannot_be_ended_becomes_a_warning() -> None:
    from clawwrap.outcomes import _own_warnings

    capture = Capture()
    capture.survivors = ["process 1: Operation not permitted"]
    assert _own_warnings(Choice([], []), capture, portions.brief(portions.Bytes(), 0)) == [
        "clawwrap: could not be ended: process 1: Operation not permitted"
    ]


def test_signalling_somebody_who_is_gone_is_silent() -> None:
    child = launch.Child(launch.Request(["true"], {}))
    child.pid = 2**22 - 3
    child.send(signal.SIGTERM)


# A terminal


class Session:
    """clawwrap on a pseudo-terminal of its own, as a person would use it."""

    def __init__(self, words: list[str], env: dict[str, str], folder: Path) -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execve(words[0], words, env)
        self.seen = b""

    def read_until(self, text: bytes, seconds: float = 30) -> bytes:
        end = time.monotonic() + seconds
        while text not in self.seen:
            assert time.monotonic() < end, self.seen
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    chunk = os.read(self.fd, 4096)
                except OSError:
                    break
                if not chunk:
                    break
                self.seen += chunk
        assert text in self.seen, self.seen
        return self.seen

    def type(self, text: bytes) -> None:
        os.write(self.fd, text)

    def finish(self) -> int:
        try:
            while chunk := os.read(self.fd, 4096):
                self.seen += chunk
        except OSError:
            pass
        os.close(self.fd)
        _, status = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(status)


@pytest.fixture
def on_terminal(clean_env: dict[str, str], tmp_path: Path) -> Any:
    def call(*words: str, env: dict[str, str] | None = None) -> Session:
        return Session(list(words), clean_env | {"TERM": "xterm"} | (env or {}), tmp_path)

    return call


def test_a_person_sees_the_output_and_a_coloured_summary(on_terminal: Any) -> None:
    session = on_terminal(
        *CLAWWRAP, "sh", "-c", "echo out; echo 'x: No such file or directory' >&2; exit 1"
    )
    assert session.finish() == 5
    text = session.seen.decode()
    assert text.startswith("out\r\nx: No such file or directory\r\n") or "out\r\n" in text
    assert "\x1b[1;31mclawwrap: 5 NOT_FOUND\x1b[0m" in text


def test_no_color_is_respected(on_terminal: Any) -> None:
    for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        session = on_terminal(*CLAWWRAP, "false", env=env)
        assert session.finish() == 1
        assert b"\x1b" not in session.seen
        assert b"clawwrap: 1 GENERAL_ERROR" in session.seen


def test_the_tool_has_the_terminal_on_all_three(on_terminal: Any) -> None:
    script = "test -t 0 && test -t 1 && test -t 2 && stty size >/dev/null && echo yes"
    session = on_terminal(*CLAWWRAP, "sh", "-c", script)
    assert session.finish() == 0
    assert session.seen == b"yes\r\n"


def test_a_person_can_answer_a_prompt(on_terminal: Any) -> None:
    session = on_terminal(*CLAWWRAP, "sh", "-c", "printf 'name? '; read n; echo hello $n")
    session.read_until(b"name? ")
    session.type(b"you\n")
    session.read_until(b"hello you")
    assert session.finish() == 0


def test_control_c_reaches_the_tool_exactly_once(on_terminal: Any) -> None:
    session = on_terminal(*CLAWWRAP, str(FAKES / "counts-signals"))
    session.read_until(b"ready")
    session.type(b"\x03")
    session.read_until(b"seen")
    session.finish()
    assert b'{"seen": ["SIGINT"]}' in session.seen


@needs("bash")
def test_control_z_stops_the_job_and_fg_goes_on(on_terminal: Any) -> None:
    session = on_terminal("/bin/bash", "--norc", "-i", env={"PS1": "$ ", "TERM": "dumb"})
    session.read_until(b"$ ")
    command = " ".join(CLAWWRAP)
    session.type(f"{command} sh -c 'echo up; read x; echo got $x'\n".encode())
    session.read_until(b"up\r\n")
    session.type(b"\x1a")
    session.read_until(b"Stopped")
    session.type(b"echo shell-is-back\n")
    session.read_until(b"\nshell-is-back\r\n")
    session.type(b"fg\n")
    session.type(b"hello\n")
    session.read_until(b"got hello")
    session.type(b"exit\n")
    session.finish()


def test_json_on_a_terminal_gets_an_empty_stdin(on_terminal: Any) -> None:
    session = on_terminal(*CLAWWRAP, "-o", "json", "sh", "-c", "read x || echo none; : </dev/tty")
    session.finish()
    envelope = json.loads(session.seen)
    assert envelope["error"]["output"] == {"stdout": "none\n"}
    assert "/dev/tty" in envelope["error"]["detail"]
