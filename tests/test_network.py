"""clawwrap talks to nobody: not one socket on any path but the export that was asked for."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import CLAWWRAP

STRACE = shutil.which("strace")
FAILS_ONCE = "test -e again && exit; touch again; echo 'connection refused' >&2; exit 1"
#: What people do every day.
PATHS = {
    "a success": ["true"],
    "a failure": ["ls", "/no/such"],
    "nothing to run": ["no-such-tool-at-all"],
    "a timeout": ["--timeout", "50ms", "sleep", "9"],
    "a retry": ["--retry", "1", "sh", "-c", FAILS_ONCE],
    "events": ["-o", "jsonl", "sh", "-c", "echo x; echo y >&2"],
    "a person": ["-o", "human", "sh", "-c", "exit 3"],
    "a line": ["-c", "echo a | grep b"],
    "a long answer": ["seq", "1", "20000"],
    "a secret": ["echo", "ghp_" + "a1B2c3D4e5F6" * 3],
    "the other shape": ["--envelope", "claw-2.0", "true"],
    "a mistake": ["--no-such-option"],
    "log": ["log"],
    "stats": ["stats", "--html", "page.html"],
    "doctor": ["doctor"],
    "misses": ["adapters", "misses"],
    "explain": ["explain", "--", "git", "push"],
}
AUDITED = """
import sys
def look(event, args):
    if event.startswith(("socket.", "urllib.", "http.", "ftplib.", "smtplib.")):
        sys.stderr.write(f"NETWORK {event} {args}\\n")
sys.addaudithook(look)
sys.argv = ["clawwrap", *sys.argv[1:]]
from clawwrap.__main__ import main
main()
"""


@pytest.fixture
def env(clean_env: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """Even with a collector in the environment, nobody has asked for an export."""
    endpoint = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "TRACEPARENT": ""}
    return clean_env | endpoint | {"XDG_STATE_HOME": str(tmp_path / "state")}


@pytest.mark.parametrize("path", PATHS)
def test_no_sockets(path: str, env: dict[str, str], tmp_path: Path) -> None:
    """As the system sees it where strace is there, else as Python does."""
    if STRACE and _may_trace():
        trace = tmp_path / "trace"
        words = [STRACE, "-f", "-qq", "-e", "trace=%network,execve", "-o", str(trace), *CLAWWRAP]
        done = subprocess.run([*words, *PATHS[path]], env=env, cwd=tmp_path, capture_output=True)
        seen = list(_of_ours(trace.read_text()))
    else:
        words = [sys.executable, "-c", AUDITED, *PATHS[path]]
        done = subprocess.run(words, env=env, cwd=tmp_path, capture_output=True)
        seen = re.findall(r"^NETWORK .*$", done.stderr.decode(), re.MULTILINE)
    assert done.stdout or done.stderr
    assert seen == []


def _of_ours(trace: str) -> Iterator[str]:
    """The calls of clawwrap's own processes: what tools do, such as bash, is their business."""
    program: dict[str, str] = {}
    for pid, call in re.findall(r"^(\d+) +(?!\+\+\+|---)(.*)$", trace, re.MULTILINE):
        if found := re.match(r'execve\("([^"]+)".* = 0$', call):
            program[pid] = os.path.basename(found.group(1))
        elif "execve" not in call and program.get(pid, "python").startswith("python"):
            yield call


def _may_trace() -> bool:
    words = [STRACE or "", "-o", "/dev/null", "true"]
    return subprocess.run(words, capture_output=True).returncode == 0


def test_the_watch_itself_would_see_one(env: dict[str, str], tmp_path: Path) -> None:
    program = "import socket; socket.socket().close()"
    done = subprocess.run(
        [sys.executable, "-c", AUDITED.partition("sys.argv")[0] + program],
        env=env,
        capture_output=True,
    )
    assert b"NETWORK socket.__new__" in done.stderr
    if STRACE and _may_trace():
        trace = tmp_path / "trace"
        words = [STRACE, "-f", "-qq", "-e", "trace=%network", "-o", str(trace)]
        subprocess.run([*words, sys.executable, "-c", program], env=env)
        assert "socket(" in trace.read_text()
