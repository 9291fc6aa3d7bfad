"""Calls of verbs as processes of their own, forked from one that has everything loaded.

A verb loads Typer and what Typer loads, which takes longer than most verbs run. Here that is paid
once for each worker of the test run; what a call does afterwards is the same to the last step.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

#: Each has a start of its own that belongs to the test, or runs tools in threads.
NOT_HERE = frozenset({"batch", "hook", "mcp"})
LONGEST_S = 60


class ForkServer:
    """The client's side: one call at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
        )

    def run(
        self, words: list[str], env: Mapping[str, str], cwd: str, stdin: bytes
    ) -> tuple[int, bytes, bytes]:
        """The exit status and what was printed."""
        with tempfile.TemporaryDirectory(dir=self._folder) as place:
            streams = {name: f"{place}/{name}" for name in ("stdin", "stdout", "stderr")}
            Path(streams["stdin"]).write_bytes(stdin)
            call = {"words": words, "env": dict(env), "cwd": cwd, **streams}
            assert self._process.stdin and self._process.stdout
            self._process.stdin.write(json.dumps(call).encode() + b"\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
            assert answer, "the fork server has ended"
            printed = (Path(streams[name]).read_bytes() for name in ("stdout", "stderr"))
            return (json.loads(answer), *printed)

    def close(self) -> None:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.wait(LONGEST_S)
        self._process.stdout.close()


def serve(calls: IO[bytes], answers: IO[bytes]) -> None:
    for line in calls:
        call = json.loads(line)
        pid = os.fork()
        if not pid:
            become(call)
        _, status = os.waitpid(pid, 0)
        answers.write(b"%d\n" % os.waitstatus_to_exitcode(status))
        answers.flush()


def become(call: dict[str, Any]) -> None:
    """From here on this is the process that `clawwrap VERB …` would have been."""
    signal.alarm(LONGEST_S)
    for number, name, flags in (
        (0, "stdin", os.O_RDONLY),
        (1, "stdout", os.O_WRONLY | os.O_CREAT),
        (2, "stderr", os.O_WRONLY | os.O_CREAT),
    ):
        fd = os.open(call[name], flags, 0o600)
        os.dup2(fd, number)
        os.close(fd)
    os.chdir(call["cwd"])
    os.environ.clear()
    os.environ.update(call["env"])
    sys.argv = ["clawwrap", *call["words"]]
    from clawwrap.__main__ import main

    main()


if __name__ == "__main__":
    sys.path[:] = [path for path in sys.path if path != str(Path(__file__).parent)]
    import clawwrap.admin.app  # noqa: F401 (what is to be loaded before the first fork)

    serve(sys.stdin.buffer, sys.stdout.buffer)
