"""The processes that a tool has started, also those that left its group or its session.

A descendant is known by its parent, its group, its session, or, when it cut all of these,
by the CLAWWRAP_RUN that it inherited from this run.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import psutil

GONE_WITHIN_S = 2.0
#: The numbers of read and readv where Linux has its own, and where it has the common ones.
READS = {"x86_64": (0, 19), "": (63, 65)}


def members(root: int, run: str) -> set[psutil.Process]:
    """Every living process of the tree that `root` started; a zombie is not living."""
    found: set[psutil.Process] = set()
    pids: set[int] = {root}
    rest: list[tuple[psutil.Process, int]] = []
    for process in psutil.process_iter():
        try:
            if process.pid == os.getpid() or process.status() == psutil.STATUS_ZOMBIE:
                continue
            if process.pid == root or _is_ours(process, root, run):
                found.add(process)
                pids.add(process.pid)
            else:
                rest.append((process, process.ppid()))
        except (psutil.Error, OSError):
            continue
    while children := [pair for pair in rest if pair[1] in pids]:
        found.update(process for process, _ in children)
        pids.update(process.pid for process, _ in children)
        rest = [pair for pair in rest if pair not in children]
    return found


def _is_ours(process: psutil.Process, root: int, run: str) -> bool:
    if os.getpgid(process.pid) == root or os.getsid(process.pid) == root:
        return True
    try:
        return process.environ().get("CLAWWRAP_RUN") == run
    except (psutil.Error, OSError):
        return False


def signal_strays(root: int, run: str, number: int) -> None:
    """Tell those who left the group what the group was told."""
    for process in members(root, run):
        try:
            if os.getpgid(process.pid) != root:
                process.send_signal(number)
        except (psutil.Error, OSError):
            continue


def kill(root: int, run: str) -> list[str]:
    """End the whole tree for good; returns who could not be ended, and why."""
    refused: dict[int, str] = {}
    until = time.monotonic() + GONE_WITHIN_S
    while (left := members(root, run)) and time.monotonic() < until:
        for process in left:  # again and again, since one of them may just have forked
            try:
                process.send_signal(signal.SIGKILL)
            except psutil.NoSuchProcess:
                continue
            except (psutil.Error, OSError) as error:
                refused[process.pid] = str(error)
        if left and all(process.pid in refused for process in left):
            break
        time.sleep(0.005)
    return [f"process {p.pid}: {refused.get(p.pid, 'still there after SIGKILL')}" for p in left]


def anyone_running(root: int) -> bool:
    """Whether anyone in the tool's group or session is at work rather than asleep."""
    return any(state in "RD" for _, state in _group(root))


def background(root: int, run: str) -> list[int]:
    """Who lives on after the tool itself has ended."""
    return sorted([pid for pid, _ in _group(root)] or [p.pid for p in members(root, run)])


def waits_for_input(root: int, stdin_fd: int = 0) -> bool:
    """Whether anyone in the tool's group or session is blocked on reading our stdin or a terminal.

    Linux tells in which call a thread sleeps; where it does not, nobody is said to wait.
    """
    try:
        ours = os.fstat(stdin_fd)
    except OSError:
        return False
    numbers = READS.get(os.uname().machine, READS[""])
    return any(
        _is_input(f"/proc/{pid}/fd/{fd}", ours)
        for pid, state in _group(root)
        if state == "S"
        for fd in _read_from(pid, numbers)
    )


def _read_from(pid: int, numbers: tuple[int, ...]) -> Iterator[int]:
    """The descriptors on which the threads of a process sleep until something can be read."""
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/syscall") as file:
                call = file.read().split()
            if len(call) > 1 and call[0].isdigit() and int(call[0]) in numbers:
                yield int(call[1], 16)
    except (OSError, ValueError):
        return


def _is_input(path: str, ours: os.stat_result) -> bool:
    try:
        found = os.stat(path)
        terminal = os.readlink(path).startswith(("/dev/tty", "/dev/pts/", "/dev/console"))
    except OSError:
        return False
    return terminal or (found.st_dev, found.st_ino) == (ours.st_dev, ours.st_ino)


def _group(root: int) -> Iterator[tuple[int, str]]:
    """Pid and state of the living in the group or session, straight from /proc."""
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            continue
        state, group, session = fields[0].decode(), int(fields[2]), int(fields[3])
        if root in (group, session) and state not in "ZX":
            yield int(name), state
