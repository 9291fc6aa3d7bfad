"""Runs commands and says what each took. Everything starts and ends in the same way.

`posix_spawn` and `wait4` cost the same whatever is started, and however large we are. Only
peak memory would be inherited from us, so that is asked for through a small interpreter.
"""

from __future__ import annotations

import math
import os
import select
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class BenchError(Exception):
    """Something could not be measured; the message is shown in its place."""


class Sample(NamedTuple):
    """One run: seconds, seconds of processor, those of the last process alone, bytes, a count."""

    wall: float = math.nan
    cpu: float = math.nan
    own: float = math.nan
    rss: float = math.nan
    tally: float = math.nan


@dataclass(frozen=True)
class Command:
    """What is run, in which environment, and which exit status it must have."""

    argv: Sequence[str]
    env: dict[str, str] = field(default_factory=dict)
    code: int = 0


#: Reports the peak memory of what it starts, to descriptor 3. Small, so that it is the child's.
PEAK = (
    "import posix,sys\n"
    "a=sys.argv[1:]\n"
    "pid=posix.posix_spawn(a[0],a,posix.environ,file_actions=[(posix.POSIX_SPAWN_CLOSE,3)])\n"
    "_,status,usage=posix.wait4(pid,0)\n"
    "posix.write(3,b'%d'%(usage.ru_maxrss*1024))\n"
    "posix._exit(posix.waitstatus_to_exitcode(status)&255)\n"
)


def run(command: Command) -> Sample:
    """Run one command with nothing on stdin and nobody reading what it prints."""
    with open(os.devnull, "r+b", buffering=0) as sink:
        before = time.perf_counter()
        pid = _spawn(command, [sink.fileno()] * 3)
        return _wait(pid, command, before)


def pipeline(stages: Sequence[Command], *, fd: int = 1) -> Sample:
    """Run commands joined by pipes; `fd` is what the first one writes to. `own` is the last's."""
    with open(os.devnull, "r+b", buffering=0) as sink:
        null = sink.fileno()
        before = time.perf_counter()
        started: list[tuple[int, Command]] = []
        stdin = null
        for stage in stages:
            is_last = stage is stages[-1]
            read_end, write_end = (-1, null) if is_last else os.pipe()
            files = [stdin, null, null]
            files[1 if started else fd] = write_end
            started.append((_spawn(stage, files), stage))
            for used in {stdin, write_end} - {null}:
                os.close(used)
            stdin = read_end
        samples = [_wait(pid, stage, before) for pid, stage in reversed(started)]
    return Sample(
        wall=max(sample.wall for sample in samples),
        cpu=sum(sample.cpu for sample in samples),
        own=samples[0].cpu,
    )


def parallel(command: Command, *, calls: int, width: int) -> Sample:
    """Keep `width` calls running until `calls` are done; what one of them took on average."""
    with open(os.devnull, "r+b", buffering=0) as sink:
        files = [sink.fileno()] * 3
        before, cpu, left = time.perf_counter(), 0.0, calls
        running: dict[int, int] = {}  # by pidfd, so that no child of anybody else is waited for
        poll = select.poll()
        while left or running:
            while left and len(running) < width:
                pid = _spawn(command, files)
                pidfd = os.pidfd_open(pid)
                running[pidfd] = pid
                poll.register(pidfd, select.POLLIN)
                left -= 1
            for pidfd, _ in poll.poll():
                _, status, usage = os.wait4(running.pop(pidfd), 0)
                poll.unregister(pidfd)
                os.close(pidfd)
                _check(command, status)
                cpu += usage.ru_utime + usage.ru_stime
    return Sample(wall=(time.perf_counter() - before) / calls, cpu=cpu / calls)


def peak(command: Command, python: str) -> Sample:
    """The peak memory of a command and of whatever it waited for."""
    read_end, write_end = os.pipe()
    launcher = Command([python, "-IS", "-c", PEAK, *command.argv], command.env, command.code)
    with open(os.devnull, "r+b", buffering=0) as sink:
        pid = _spawn(launcher, [sink.fileno()] * 3, (os.POSIX_SPAWN_DUP2, write_end, 3))
    os.close(write_end)
    sample = _wait(pid, launcher, time.perf_counter())
    with open(read_end, "rb") as answer:
        return sample._replace(rss=float(answer.read()))


def running(name: str, marker: str) -> list[str]:
    """The ids of the processes called `name` that have `marker` among their words."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
            except OSError:
                continue
            if words[0] == os.fsencode(name) and os.fsencode(marker) in words:
                found.append(entry)
    return found


def end(pids: Sequence[str]) -> None:
    """Leave nothing behind that a measurement has started."""
    for pid in pids:
        try:
            os.kill(int(pid), signal.SIGKILL)
        except ProcessLookupError:
            pass


def _spawn(command: Command, files: Sequence[int], *more: tuple[Any, ...]) -> int:
    actions: list[tuple[Any, ...]] = [
        (os.POSIX_SPAWN_DUP2, file, fd) for fd, file in enumerate(files)
    ]
    try:
        return os.posix_spawn(
            command.argv[0], list(command.argv), command.env, file_actions=[*actions, *more]
        )
    except OSError as error:
        raise BenchError(f"{command.argv[0]}: {error.strerror}") from None


def _wait(pid: int, command: Command, before: float) -> Sample:
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    wall = time.perf_counter() - before
    own = _own_cpu(pid)  # while it is a zombie: afterwards nobody knows
    _, status, usage = os.wait4(pid, 0)
    _check(command, status)
    return Sample(wall, usage.ru_utime + usage.ru_stime, own)


def _own_cpu(pid: int) -> float:
    """Seconds of processor that the process itself took, without its children."""
    try:
        with open(f"/proc/{pid}/schedstat", "rb") as file:
            return int(file.read().split()[0]) / 1e9
    except (OSError, IndexError):
        return math.nan


def _check(command: Command, status: int) -> None:
    code = os.waitstatus_to_exitcode(status)
    if code != command.code:
        words = " ".join(command.argv)
        words = words.replace(os.getcwd() + "/", "")  # what is told goes into a page
        shown = words if len(words) < 120 else words[:120] + " …"
        raise BenchError(f"exit status {code} instead of {command.code}: {shown}")


def note(text: str) -> None:
    """Tell whoever waits what is going on."""
    sys.stderr.write(f"bench: {text}\n")
    sys.stderr.flush()
