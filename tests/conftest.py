"""What all tests share: running clawwrap for real, and checking every envelope it prints."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import hypothesis
import jsonschema
import pytest

from clawwrap import devcheck, schema
from clawwrap.invocation import VERBS
from tests.fork_server import NOT_HERE, ForkServer

# The same examples in every run, and none fails because the machine is busy.
hypothesis.settings.register_profile("clawwrap", deadline=None, derandomize=True)
hypothesis.settings.load_profile("clawwrap")

FAKES = Path(__file__).parent / "fakes"
#: How a test starts clawwrap; the source tree is installed in the environment that runs the tests.
CLAWWRAP = [sys.executable, "-m", "clawwrap"]


def needs(tool: str) -> pytest.MarkDecorator:
    """Skip, and say so, where a tool is not installed."""
    return pytest.mark.skipif(shutil.which(tool) is None, reason=f"{tool} is not installed")


class Result(NamedTuple):
    """One finished call: its exit status, its envelope, and what it said beside it."""

    code: int
    stdout: bytes
    stderr: bytes

    @property
    def envelope(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.stdout)
        return found

    @property
    def data(self) -> Any:
        return self.envelope["data"]

    @property
    def error(self) -> Any:
        return self.envelope["error"]

    @property
    def meta(self) -> Any:
        return self.envelope["meta"]

    @property
    def warnings(self) -> list[str]:
        found: list[str] = self.envelope["warnings"]
        return found


def check_envelope(envelope: dict[str, Any], exit_code: int) -> None:
    """The contract's own checks, and the reference implementation of JSON Schema beside them."""
    assert devcheck.problems(envelope, exit_code) == []
    jsonschema.validate(envelope, schema.load("envelope"))


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One home for the whole session, so that compiled tables are made once."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def clean_env(home: Path) -> dict[str, str]:
    """An environment without anything that belongs to the person who runs the tests."""
    kept = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TMPDIR": os.environ.get("TMPDIR", "/tmp"),
    }
    return kept | {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}


Run = Callable[..., Result]


@pytest.fixture(scope="session")
def verbs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkServer]:
    """Where calls of verbs are forked from."""
    server = ForkServer(tmp_path_factory.mktemp("verbs"))
    yield server
    server.close()


@pytest.fixture
def run(clean_env: dict[str, str], tmp_path: Path, verbs: ForkServer) -> Run:
    """Call clawwrap in an empty folder; every envelope is checked against schema and invariants."""

    def call(
        *words: str | bytes,
        env: Mapping[str, str] | None = None,
        cwd: Path | str | None = None,
        check: bool = True,
        native: bool = False,
        **more: Any,
    ) -> Result:
        given = clean_env | dict(env or {})
        texts = [word for word in words if isinstance(word, str)]
        is_verb = bool(texts) and words[0] in VERBS - NOT_HERE and len(texts) == len(words)
        if is_verb and set(more) <= {"input"}:
            stdin = more.get("input") or b""
            result = Result(*verbs.run(texts, given, str(cwd or tmp_path), stdin))
        else:
            if "input" not in more and "stdin" not in more:
                more["stdin"] = subprocess.DEVNULL
            done = subprocess.run(
                [*CLAWWRAP, *words],
                env=given,
                cwd=cwd or tmp_path,
                capture_output="stdout" not in more,
                timeout=60,
                **more,
            )
            result = Result(done.returncode, done.stdout or b"", done.stderr or b"")
        assert b"Traceback" not in result.stderr
        if check:
            check_envelope(result.envelope, result.meta["exit_code"] if native else result.code)
        return result

    return call


@pytest.fixture
def adapter_file(tmp_path: Path) -> Callable[[str, str], Path]:
    """Write an adapter and return its path."""

    def write(name: str, text: str) -> Path:
        path = tmp_path / "adapters" / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    return write


@pytest.fixture
def gone() -> Iterator[Callable[[int], bool]]:
    """Whether a process has ended, or is a zombie that only its new parent can bury."""

    def check(pid: int) -> bool:
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return True
        return stat.rpartition(")")[2].split()[0] in "ZX"

    yield check
