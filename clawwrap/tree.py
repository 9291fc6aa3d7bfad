"""The processes that a tool has started, also those that left its group or its session.

A descendant is known by its parent, its group, its session, or, when it cut all of these,
by the CLAWWRAP_RUN that it inherited from this run.
"""

from __future__ import annotations

import os
import signal
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

GONE_WITHIN_S = 2.0
#: The numbers of read and readv where Linux has its own, and where it has the common ones.
READS = {"x86_64": (0, 19), "": (63, 65)}
DEAD = "ZX"


class Process:
    """One line of the table of processes."""

    __slots__ = ("group", "parent", "pid", "session", "state")

    def __init__(self, pid: int, parent: int, group: int, session: int, state: str) -> None:
        self.pid = pid
        self.parent = parent
        self.group = group
        self.session = session
        self.state = state


def members(root: int, run: str) -> dict[int, Process]:
    """Every living process of the tree that `root` started, by pid; a zombie is not living."""
    found: dict[int, Process] = {}
    rest: list[Process] = []
    for process in _table():
        if process.state in DEAD or process.pid == os.getpid():
            continue
        if root in (process.pid, process.group, process.session) or _is_of(process.pid, run):
            found[process.pid] = process
        else:
            rest.append(process)
    parents = {root, *found}
    while children := [process for process in rest if process.parent in parents]:
        found.update((child.pid, child) for child in children)
        parents = {child.pid for child in children}
        rest = [process for process in rest if process.pid not in found]
    return found


def signal_strays(root: int, run: str, number: int) -> None:
    """Tell those who left the group what the group was told."""
    for process in members(root, run).values():
        try:
            if os.getpgid(process.pid) != root:
                os.kill(process.pid, number)
        except OSError:
            continue


def kill(root: int, run: str) -> list[str]:
    """End the whole tree for good; returns who could not be ended, and why."""
    refused: dict[int, str] = {}
    until = time.monotonic() + GONE_WITHIN_S
    while (left := members(root, run)) and time.monotonic() < until:
        for pid in left:  # again and again, since one of them may just have forked
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
            except OSError as error:
                refused[pid] = str(error)
        if left and all(pid in refused for pid in left):
            break
        time.sleep(0.005)
    return [f"process {pid}: {refused.get(pid, 'still there after SIGKILL')}" for pid in left]


def anyone_running(root: int) -> bool:
    """Whether anyone in the tool's group or session is at work rather than asleep."""
    return any(process.state in "RD" for process in _group(root))


def background(root: int, run: str) -> list[int]:
    """Who lives on after the tool itself has ended."""
    return sorted([process.pid for process in _group(root)] or members(root, run))


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
        _is_input(f"/proc/{process.pid}/fd/{fd}", ours)
        for process in _group(root)
        if process.state == "S"
        for fd in _read_from(process.pid, numbers)
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


def _group(root: int) -> Iterator[Process]:
    """The living in the group or session."""
    for process in _table():
        if root in (process.group, process.session) and process.state not in DEAD:
            yield process


def _table() -> Iterator[Process]:
    """Every process there is; straight from /proc where there is one."""
    if not os.path.isdir("/proc/self"):
        yield from _table_without_proc()
        return
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            continue
        parent, group, session = map(int, fields[1:4])
        yield Process(int(name), parent, group, session, fields[0].decode())


def _is_of(pid: int, run: str) -> bool:
    """Whether a process has inherited the mark of this run."""
    if not os.path.isdir("/proc/self"):
        return _is_of_without_proc(pid, run)
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return f"CLAWWRAP_RUN={run}".encode() in file.read().split(b"\0")
    except OSError:
        return False


def _table_without_proc() -> Iterator[Process]:
    import psutil

    for process in psutil.process_iter():
        try:
            status = process.status()
            state = {psutil.STATUS_ZOMBIE: "Z", psutil.STATUS_RUNNING: "R"}.get(status, "S")
            group, session = os.getpgid(process.pid), os.getsid(process.pid)
            yield Process(process.pid, process.ppid(), group, session, state)
        except (psutil.Error, OSError):
            continue


def _is_of_without_proc(pid: int, run: str) -> bool:
    import psutil

    try:
        return bool(psutil.Process(pid).environ().get("CLAWWRAP_RUN") == run)
    except (psutil.Error, OSError):
        return False
