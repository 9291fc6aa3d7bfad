"""The agent loop of the documentation, against real tools: it recovers, or stops and says why."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from clawwrap.contract import ExitCode
from tests.conftest import needs

DOCS = Path(__file__).parent.parent / "docs"
EXAMPLE = DOCS / "examples" / "agent_loop.py"
work = runpy.run_path(str(EXAMPLE))["work"]

Command = list[str]
Error = dict[str, Any]
Remedy = Callable[[Command, Error], Command | None]
CALLS = 5


class Once(BaseHTTPRequestHandler):
    """/503 answers with 503 once, and then with 200; so does every other code.

    401 goes away with credentials alone, 402 and 403 stay.
    """

    asked: dict[str, int]

    def do_GET(self) -> None:
        told = self.asked[self.path] = self.asked.get(self.path, 0) + 1
        code = int(self.path.strip("/").split("/")[0])
        if code == 401:
            code = 200 if self.headers["Authorization"] == "Bearer opensesame" else 401
        elif code not in (402, 403) and told > 1:
            code = 200
        self.send_response(code)
        if wait := re.search(r"/after/(\d+)", self.path):
            self.send_header("Retry-After", wait.group(1))
        self.send_header("Content-Length", "6")
        self.end_headers()
        self.wfile.write(b"hello\n")

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


class World:
    """A folder of its own, in which every call of clawwrap leaves its exit code."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.url = url
        self.waits: list[float] = []

    @property
    def codes(self) -> list[int]:
        return [int(line) for line in (self.folder / "codes").read_text().split()]

    def work(self, command: Command, remedies: Mapping[int, Remedy], **more: Any) -> Any:
        return work(command, remedies, calls=CALLS, sleep=self._slept, **more)

    def _slept(self, seconds: float) -> None:
        self.waits += [seconds] if seconds else []


@pytest.fixture
def world(
    tmp_path: Path, clean_env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[World]:
    tools, folder = tmp_path / "bin", tmp_path / "work"
    tools.mkdir()
    folder.mkdir()
    (tools / "clawwrap").write_text(
        f'#!/bin/sh\n{sys.executable} -m clawwrap "$@"\ns=$?; echo $s >>{folder}/codes; exit $s\n'
    )
    (tools / "clawwrap").chmod(0o755)
    for name in list(os.environ):
        monkeypatch.delenv(name)
    names = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL")
    for name, text in {**clean_env, **dict.fromkeys(names, "me@example.com")}.items():
        monkeypatch.setenv(name, text)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{clean_env['PATH']}")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Fresh", (Once,), {"asked": {}}))
    serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    serving.start()
    yield World(folder, f"http://127.0.0.1:{server.server_port}")
    server.shutdown()
    serving.join()
    server.server_close()


# What the agent of each scenario knows to do


def create(command: Command, error: Error) -> Command:
    Path(error["target"]).touch()
    return command


def create_and_finish(command: Command, error: Error) -> Command:
    """Only what is missing is copied; the rest is there already."""
    missing = re.findall(r"'(.+?)'", error["detail"])
    for name in missing:
        Path(name).touch()
    return ["cp", "-v", *missing, command[-1]]


def take_it_literally(command: Command, error: Error) -> Command:
    return ["grep", "-F", *command[2:]]


def make_a_repository(command: Command, error: Error) -> Command:
    git("init")
    return command


def choose_another_name(command: Command, error: Error) -> Command:
    return [*command[:-1], f"{command[-1]}-2"]


def take_what_is_new(command: Command, error: Error) -> Command:
    git("pull", "--rebase", "origin", "main")
    return command


def allow(command: Command, error: Error) -> Command:
    Path(error["target"]).chmod(0o755)
    return command


def log_in(command: Command, error: Error) -> Command | None:
    return [*command, "--header", "Authorization: Bearer opensesame"]


def switch_on(command: Command, error: Error) -> Command | None:
    Path("lamp").touch()
    return command if "the lamp is off" in error["detail"] else None


def give_up(command: Command, error: Error) -> None:
    """It has looked, and there is nothing to be done."""


# The worlds they find


def git(*words: str) -> None:
    subprocess.run(["git", *words], check=True, capture_output=True)


def two_clones() -> None:
    """One of which has pushed what the other has not seen."""
    git("init", "--bare", "--initial-branch=main", "../origin")
    for name in ("ours", "theirs"):
        git("clone", "../origin", name)
        git("-C", name, "checkout", "-B", "main")
        git("-C", name, "commit", "--allow-empty", "-m", name)
    git("-C", "theirs", "push", "origin", "main")
    os.chdir("ours")


def files(*names: str) -> Callable[[], None]:
    def make() -> None:
        for name in names:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(f"{name}\n")

    return make


def lamp() -> None:
    Path("light").write_text("#!/bin/sh\ntest -e lamp || { echo 'the lamp is off' >&2; exit 1; }\n")
    Path("light").chmod(0o755)


class Scenario(NamedTuple):
    """What an agent wants, and how that must end, call by call."""

    command: str  # URL in it is where the server is
    codes: Sequence[int]
    reason: str = "done"
    remedies: Mapping[int, Remedy] = MappingProxyType({})
    prepare: Callable[[], None] = lambda: None
    waits: Sequence[float] = ()
    seconds: float = 60


CURL = "curl -sS --fail-with-body"
#: Slow the first time.
COLD = "sh -c 'test -e warm || { touch warm; sleep 60; }'"
RECOVERS = {
    "it works": Scenario("echo hello", [0]),
    "an unknown failure that the agent can read": Scenario(
        "./light", [1, 0], remedies={1: switch_on}, prepare=lamp
    ),
    "the rest of a batch": Scenario(
        "cp -v a b c to",
        [2, 0],
        remedies={2: create_and_finish},
        prepare=files("a", "b", "to/here"),
    ),
    "an expression that is none": Scenario(
        "grep -E 'f(' 'f(x)'", [3, 0], remedies={3: take_it_literally}, prepare=files("f(x)")
    ),
    "no repository yet": Scenario("git status", [4, 0], remedies={4: make_a_repository}),
    "a file that is not there": Scenario("cat notes", [5, 0], remedies={5: create}),
    "a name that is taken": Scenario(
        "mkdir site", [6, 0], remedies={6: choose_another_name}, prepare=files("site/page")
    ),
    "a push that is behind": Scenario(
        "git push origin main", [6, 0], remedies={6: take_what_is_new}, prepare=two_clones
    ),
    "a program that may not run": Scenario(
        "./true", [7, 0], remedies={7: allow}, prepare=files("true")
    ),
    "no credentials": Scenario(f"{CURL} URL/401", [8, 0], remedies={8: log_in}),
    "a slow start": Scenario(COLD, [10, 0], seconds=2),
    "too many requests": Scenario(f"{CURL} URL/429", [11, 0], waits=[60]),
    "too many requests, and the wait": Scenario(f"{CURL} -i URL/429/after/7", [11, 0], waits=[7]),
    "a service that is down": Scenario(f"{CURL} URL/503", [12, 0], waits=[1]),
    "a mistyped command": Scenario("git statsu", [13, 0], prepare=lambda: git("init")),
    "a line in one word": Scenario("'echo hello | wc -l'", [13, 0]),
    "one thing after the other": Scenario(
        "git statsu", [13, 4, 0], remedies={4: make_a_repository}
    ),
}
STOPS = {
    "an unknown failure": Scenario("sh -c 'exit 42'", [1], "unexplained"),
    "half a batch": Scenario(
        "cp -v a b c to", [2], "half done", prepare=files("a", "b", "to/here")
    ),
    "wrong input": Scenario("grep -E 'f(' 'f(x)'", [3], "wrong input"),
    "no repository": Scenario("git status", [4], "not ready"),
    "a missing file": Scenario("cat notes", [5], "not there"),
    "no remedy after all": Scenario("cat notes", [5], "not there", remedies={5: give_up}),
    "a folder that exists": Scenario("mkdir a", [6], "conflict", prepare=files("a/b")),
    "a forbidden page": Scenario(f"{CURL} URL/403", [7], "not allowed"),
    "a page for members": Scenario(f"{CURL} URL/401", [8], "log in"),
    "a bill": Scenario(f"{CURL} URL/402", [9], "pay", remedies={8: log_in}),
    "a copy that hangs": Scenario(
        "cp pipe copy",
        [10],
        "look what was done",
        prepare=lambda: os.mkfifo("pipe"),
        seconds=0.5,
    ),
    "a long wait": Scenario(f"{CURL} -i URL/429/after/9999", [11], "too long a wait"),
    "a remedy that does not help": Scenario(
        "cat notes", [5] * CALLS, "out of calls", remedies={5: lambda command, error: command}
    ),
    "findings": Scenario("diff a b", [80], "DIFFERENCES_FOUND", prepare=files("a", "b")),
}


def scenarios(table: Mapping[str, Scenario]) -> list[Any]:
    def marks(one: Scenario) -> list[pytest.MarkDecorator]:
        return [needs(tool) for tool in ("git", "curl") if one.command.startswith(tool)]

    return [pytest.param(one, id=name, marks=marks(one)) for name, one in table.items()]


@pytest.mark.parametrize("one", scenarios(RECOVERS | STOPS))
def test_it_recovers_or_stops_for_the_right_reason(world: World, one: Scenario) -> None:
    one.prepare()
    command = shlex.split(one.command.replace("URL", world.url))
    reason, answer = world.work(command, one.remedies, seconds=one.seconds)
    assert (reason, world.codes, world.waits) == (one.reason, list(one.codes), list(one.waits))
    assert answer["ok"] is (reason == "done")


def test_a_service_that_stays_away_is_asked_less_and_less_often(world: World) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/"
        program = f"import urllib.request as r; r.urlopen({url!r})"
        reason, answer = world.work([sys.executable, "-c", program], {})
    assert reason == "out of calls"
    assert (world.codes, world.waits) == ([12] * CALLS, [1, 2, 4, 8])
    assert answer["error"]["code"] == "CONNECTION_REFUSED"


def test_every_code_of_the_table_has_its_scenario() -> None:
    met = {code for one in (RECOVERS | STOPS).values() for code in one.codes}
    assert met >= {code.value for code in ExitCode}
    recovered = {code for one in RECOVERS.values() for code in one.codes}
    assert {code.value for code in ExitCode} - recovered == {ExitCode.PAYMENT_REQUIRED.value}


def test_the_page_shows_the_program_that_is_tested() -> None:
    text = (DOCS / "agent-loop.md").read_text()
    assert f"```python\n{EXAMPLE.read_text()}```" in text
