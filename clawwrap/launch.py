"""Finds the tool and starts it in a group of its own, with signals armed.

Part of the hot path: only builtins are imported, and nothing happens that could wait
until the tool runs. `watch` takes over from there.
"""

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable
    from typing import Any

    from clawwrap.terminal import Terminal
else:
    import _signal  # `signal` wraps the same in enums, at the price of importing `enum`

FORWARDED = (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP, _signal.SIGQUIT)
#: Python ignores these for itself; the tool shall find them as usual.
IGNORED_BY_PYTHON = (_signal.SIGPIPE, _signal.SIGXFSZ)
DEFAULT_PATH = b"/usr/local/bin:/usr/bin:/bin"
ENOENT, E2BIG, ENOEXEC = 2, 7, 8

stand_in: "os.stat_result | None" = None  # our own file, where we are called by a tool's name


class Fault(Exception):
    """The tool could not be started. Stays inside this room; callers get a `Child` that says so."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail


class Request:
    """How to run the tool."""

    __slots__ = (
        "argv",
        "cwd",
        "env",
        "inherit_stdout",
        "keep",
        "kill_after_ms",
        "null_stdin",
        "plain_env",
        "reader_fd",
        "run",
        "spool",
        "stdin_fd",
        "terminal",
        "timeout_ms",
    )

    def __init__(self, argv: list[str], env: dict[bytes, bytes]) -> None:
        self.argv = argv
        self.env = env
        self.plain_env = env  # without what we add, for when that is too much for the system
        self.run = ""  # what the environment of every descendant says of this run
        self.cwd = ""  # where to run it, if not where we are
        self.inherit_stdout = False
        self.null_stdin = False
        self.stdin_fd = 0  # what it reads
        self.reader_fd = -1  # where the answer goes; once nobody reads it, nobody reads the tool
        self.spool = 0  # most bytes of a stream that may be kept on disk
        self.terminal: Terminal | None = None  # where a person sits at one
        self.keep = 512 << 10  # bytes of head and of tail, per stream
        self.timeout_ms = 0
        self.kill_after_ms = 5000

    def mark(self, pid: int) -> None:
        """Let every descendant know its wrapper, and this run among those of the same wrapper."""
        self.run = os.urandom(8).hex()
        self.env[b"CLAWWRAP_ACTIVE"] = str(pid).encode()
        self.env[b"CLAWWRAP_RUN"] = self.run.encode()


class Child:
    """The tool: running, or with the fault that kept it from running. Its group is its pid."""

    __slots__ = (
        "cancelled_by",
        "deadline_ns",
        "ended",
        "exit_code",
        "fault",
        "late_signal",
        "pid",
        "pidfd",
        "request",
        "signal",
        "stderr_fd",
        "stdout_fd",
        "wake_fd",
        "wake_write_fd",
    )

    def __init__(self, request: Request) -> None:
        self.request = request
        self.pid = 0
        self.pidfd = -1  # readable when it ends, while somebody waits for it
        self.fault: Fault | None = None
        self.stdout_fd = -1
        self.stderr_fd = -1
        self.wake_fd, self.wake_write_fd = -1, -1  # readable when a signal came
        self.deadline_ns = 0
        self.cancelled_by: int | None = None
        self.late_signal: int | None = None  # came when there was nothing left to cancel
        self.ended = False
        self.exit_code: int | None = None
        self.signal: int | None = None

    def on_signal(self, number: int, _frame: object) -> None:
        """Runs between two bytecodes, so it does the least: pass it on, once, to the whole group.

        Once the tool has ended its envelope is on the way; only another attempt is called off.
        """
        if self.ended:
            self.late_signal = number
            return
        if self.cancelled_by is None:
            self.cancelled_by = number
        if self.pid:
            self.send(number)

    def on_stop(self, _number: int, _frame: object) -> None:
        """In a session of its own the tool is not reached by ^Z; stop it together with us."""
        self.send(_signal.SIGSTOP)
        stopped_ns = time.monotonic_ns()
        os.kill(os.getpid(), _signal.SIGSTOP)
        self.resume(stopped_ns)

    def resume(self, stopped_ns: int) -> None:
        """Go on after a stop, which does not count against the timeout."""
        self.send(_signal.SIGCONT)
        if self.deadline_ns:
            self.deadline_ns += time.monotonic_ns() - stopped_ns

    def cancel(self, number: int) -> None:
        """The same from another thread: wakes whoever stays with the tool."""
        self.on_signal(number, None)
        try:
            os.write(self.wake_write_fd, b"\0")
        except OSError:
            pass  # it has been woken already, or has ended

    def close(self) -> None:
        """Every descriptor that was opened for this run, for those who live on after it."""
        for name in ("stdout_fd", "stderr_fd", "wake_fd", "wake_write_fd", "pidfd"):
            fd = getattr(self, name)
            setattr(self, name, -1)
            if fd >= 0:
                os.close(fd)

    def send(self, number: int) -> None:
        try:
            os.killpg(self.pid, number)
        except OSError:
            pass  # already gone, or not ours to signal; `watch` looks again and says so


def find(tool: str, env: "dict[bytes, bytes]", cwd: str = "") -> str:
    """The file to run, searched for as execvp would; a Fault where there is none."""
    if not tool:
        raise Fault("absent", "the name of the tool is empty")
    base = f"{cwd}/" if cwd else ""
    if "/" in tool:
        return _check_file(tool if tool[0] == "/" else base + tool)
    fault = Fault("absent", f"{tool}: not found on PATH")
    for folder in os.fsdecode(env.get(b"PATH", DEFAULT_PATH)).split(":"):
        folder = folder or "."
        try:
            path = _check_file(f"{folder if folder[0] == '/' else base + folder}/{tool}")
            if tool == "clawwrap" or not is_shim(path):
                return path
        except Fault as found:
            if found.kind == "denied" and fault.kind == "absent":
                fault = found
    raise fault


def is_shim(path: str) -> bool:
    """Whether a program on PATH is clawwrap under another name: by its link, or by its inode."""
    try:
        if os.readlink(path).rpartition("/")[2] == "clawwrap":
            return True
    except OSError:
        pass  # no link
    return stand_in is not None and os.path.samestat(os.stat(path), stand_in)


def _check_file(path: str) -> str:
    try:
        mode = os.stat(path).st_mode
    except PermissionError:
        raise Fault("denied", f"{path}: permission denied") from None
    except (OSError, ValueError):
        raise Fault("absent", f"{path}: no such file") from None
    if mode & 0o170000 == 0o040000:
        raise Fault("folder", f"{path}: is a folder, not a program")
    if not os.access(path, os.X_OK):
        raise Fault("denied", f"{path}: is not executable")
    return path


def environment() -> dict[bytes, bytes]:
    """Our environment as it was given to us: Python may have set LC_CTYPE for itself."""
    env = dict(os.environb)
    if env.get(b"LC_CTYPE") == b"C.UTF-8":
        try:
            with open("/proc/self/environ", "rb", buffering=0) as file:
                given = file.read()
        except OSError:
            return env
        if b"LC_CTYPE=" not in given:
            del env[b"LC_CTYPE"]
    return env


def become(argv: list[str]) -> Fault:
    """Turn into the tool. Returns only where that is impossible, with the reason."""
    env = environment()
    try:
        path = find(argv[0], env)
    except Fault as fault:
        return fault
    for number in IGNORED_BY_PYTHON:
        _signal.signal(number, _signal.SIG_DFL)
    try:
        os.execve(path, argv, env)
    except OSError as error:
        if error.errno == ENOEXEC and not is_binary(path):
            os.execve("/bin/sh", ["sh", path, *argv[1:]], env)
        return explain(error, path)


def spawn(request: Request) -> Child:
    """Start the tool on behalf of a process that exists for it: signals are armed."""
    child = Child(request)
    restore_standard_descriptors()
    start(child, arm=_arm)
    if child.pid and child.cancelled_by is not None:
        child.send(child.cancelled_by)  # it came before there was anybody to tell
    return child


def start(child: Child, arm: "Callable[[Child], None]") -> None:
    """Start the tool; what goes wrong is in the child's `fault`."""
    try:
        arm(child)
        _start(child)
    except Fault as fault:
        child.fault = fault
    except OSError as error:
        child.fault = Fault("exhausted", f"{child.request.argv[0]}: {error.strerror}")


def restore_standard_descriptors() -> None:
    """Put /dev/null where 0, 1 or 2 is closed, so that no pipe of ours lands there."""
    for fd in (0, 1, 2):
        try:
            os.fstat(fd)
        except OSError:
            os.open("/dev/null", os.O_RDWR)  # takes the lowest free number, which is this one
            os.set_inheritable(fd, True)


def make_wakeable(child: Child) -> None:
    """A pipe that interrupts the wait for the tool."""
    child.wake_fd, child.wake_write_fd = os.pipe()
    os.set_blocking(child.wake_fd, False)
    os.set_blocking(child.wake_write_fd, False)


def _arm(child: Child) -> None:
    make_wakeable(child)
    _signal.set_wakeup_fd(child.wake_write_fd, warn_on_full_buffer=False)
    _signal.signal(_signal.SIGCHLD, _ignore)  # a handler, so that it wakes the poll
    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (_signal.SIGCHLD,))
    for number in FORWARDED:
        # Ignored on purpose: nohup, or a job that a script put into the background.
        if _signal.getsignal(number) is not _signal.SIG_IGN:
            _signal.signal(number, child.on_signal)
    if not child.request.terminal and _signal.getsignal(_signal.SIGTSTP) is _signal.SIG_DFL:
        _signal.signal(_signal.SIGTSTP, child.on_stop)


def _ignore(_number: int, _frame: object) -> None:
    pass


def _start(child: Child) -> None:
    request = child.request
    path = find(request.argv[0], request.env, request.cwd)
    actions: list[Any] = []
    theirs: list[int] = []

    def pipe_to(target: int) -> int:
        read_end, write_end = os.pipe()
        os.set_blocking(read_end, False)
        theirs.append(write_end)
        actions.append((os.POSIX_SPAWN_DUP2, write_end, target))
        return read_end

    try:
        if request.stdin_fd:
            actions.append((os.POSIX_SPAWN_DUP2, request.stdin_fd, 0))
        elif request.null_stdin:
            actions.append((os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0))
        if not request.inherit_stdout:
            child.stdout_fd = pipe_to(1)
        if request.terminal and request.terminal.has_stderr:
            child.stderr_fd, slave = request.terminal.open_stderr()
            theirs.append(slave)
            actions.append((os.POSIX_SPAWN_DUP2, slave, 2))
        else:
            child.stderr_fd = pipe_to(2)
        if request.cwd:
            from clawwrap import launch_in  # only those who embed us cannot change their folder

            child.pid = launch_in.folder(path, request, *theirs)
        else:
            child.pid = _posix_spawn(path, request, actions)
    finally:
        for fd in theirs:
            os.close(fd)
    if request.timeout_ms:
        child.deadline_ns = time.monotonic_ns() + request.timeout_ms * 1_000_000
    if request.terminal:
        request.terminal.give_to(child.pid)


def _posix_spawn(path: str, request: Request, actions: "list[Any]") -> int:
    argv, env = request.argv, request.env
    # A session of its own has no terminal, so that a prompt fails at once instead of hanging.
    group: dict[str, Any] = {"setpgroup": 0} if request.inherit_stdout else {"setsid": True}
    while True:
        try:
            return os.posix_spawn(
                path, argv, env, file_actions=actions, setsigdef=IGNORED_BY_PYTHON, **group
            )
        except OSError as error:
            if error.errno == ENOEXEC and argv is request.argv and not is_binary(path):
                # A script without #!, which every shell runs with sh.
                argv, path = ["sh", path, *argv[1:]], "/bin/sh"
            elif error.errno == E2BIG and env is not request.plain_env:
                env = request.plain_env
            else:
                raise explain(error, path) from None


def is_binary(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return b"\0" in file.read(256)
    except OSError:
        return True


def explain(error: OSError, path: str) -> Fault:
    """Why the system would not start a file that is there and executable."""
    import errno

    reason = os.strerror(error.errno or 0)
    if error.errno == ENOENT:
        return Fault("interpreter", f"{path}: bad interpreter: {_interpreter(path)} is absent")
    if error.errno == ENOEXEC:
        return Fault("interpreter", f"{path}: cannot run on this machine ({reason.lower()})")
    if error.errno in (errno.EACCES, errno.EPERM):
        return Fault("denied", f"{path}: {reason.lower()}")
    if error.errno == E2BIG:
        return Fault("too-long", f"{path}: arguments and environment together are too long")
    if error.errno == errno.ETXTBSY:
        return Fault("busy", f"{path}: {reason.lower()}, somebody is writing to it")
    return Fault("exhausted", f"{path}: {reason.lower()}")


def _interpreter(path: str) -> str:
    try:
        with open(path, "rb") as file:
            first = file.readline(256).decode("utf-8", "replace").strip()
    except OSError:
        first = ""
    return first[2:].split()[0] if first.startswith("#!") and first[2:].split() else "its loader"
