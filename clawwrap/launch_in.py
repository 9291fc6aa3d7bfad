"""Starts a tool in another folder than ours, which a process of many threads cannot change."""

from __future__ import annotations

import subprocess

from clawwrap import launch

ENOEXEC = 8


def folder(path: str, request: launch.Request, stdout: int, stderr: int) -> int:
    """The process id of the tool, which has a session of its own."""
    argv = request.argv
    try:
        return _popen(path, argv, request, stdout, stderr)
    except OSError as error:
        if error.errno == ENOEXEC and not launch.is_binary(path):
            return _popen("/bin/sh", ["sh", path, *argv[1:]], request, stdout, stderr)
        raise launch.explain(error, path) from None


def _popen(path: str, argv: list[str], request: launch.Request, stdout: int, stderr: int) -> int:
    process = subprocess.Popen(
        argv,
        executable=path,
        env=request.env,
        cwd=request.cwd,
        stdin=request.stdin_fd,
        stdout=stdout,
        stderr=stderr,
        start_new_session=True,
    )
    process.returncode = 0  # its end is for `watch` to see; nobody else may wait for it
    return process.pid
