"""`clawwrap mcp` as a host sees it: the SDK's own client over real pipes."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, TypeVar

import anyio
import mcp_types as types
import pytest
from mcp import MCPError
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from clawwrap.serving import tools
from tests.conftest import CLAWWRAP, Run, check_envelope, needs
from tests.test_imports import AT_EXIT

T = TypeVar("T")
Gone = Callable[[int], bool]
ERAS: tuple[Literal["auto", "legacy"], ...] = ("auto", "legacy")
#: A tool that tells its process id and that of a grandchild in a session of its own, and stays.
STAYS = "setsid sh -c 'echo $$ >far; exec sleep 600' & echo $$ >near; echo ready; exec sleep 600"
#: The same, deaf to SIGTERM.
IS_DEAF = f"trap '' TERM; {STAYS}"


class Session:
    """A conversation with a server of its own."""

    def __init__(self, env: dict[str, str], folder: Path) -> None:
        self.env = env
        self.folder = folder
        self.servers: list[subprocess.Popen[bytes]] = []

    def __call__(
        self,
        talk: Callable[[Client], Awaitable[T]],
        *options: str,
        era: Literal["auto", "legacy"] = "auto",
    ) -> T:
        async def session() -> T:
            words = [*CLAWWRAP[1:], "mcp", *options]
            how = StdioServerParameters(
                command=CLAWWRAP[0], args=words, env=self.env, cwd=self.folder
            )
            with anyio.fail_after(60):
                async with Client(stdio_client(how), mode=era) as client:
                    return await talk(client)

        return anyio.run(session)

    def call(self, name: str, /, *options: str, **arguments: Any) -> types.CallToolResult:
        """One call of one tool; the answer is an envelope, in both of its forms."""

        async def talk(client: Client) -> types.CallToolResult:
            return checked(await client.call_tool(name, arguments))

        return self(talk, *options)

    def pids(self) -> list[int]:
        """Those that STAYS has told, once it has."""
        files = [self.folder / "near", self.folder / "far"]
        until = time.monotonic() + 30
        while not all(file.exists() and file.read_text().endswith("\n") for file in files):
            assert time.monotonic() < until
            time.sleep(0.02)
        return [int(file.read_text()) for file in files]


@pytest.fixture
def session(clean_env: dict[str, str], tmp_path: Path) -> Iterator[Session]:
    made = Session(clean_env, tmp_path)
    yield made
    for server in made.servers:  # still there only where a test has failed, and so is what it runs
        if server.poll() is None:
            for pid in made.pids():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            server.kill()
            server.wait()


def checked(result: types.CallToolResult) -> types.CallToolResult:
    envelope = result.structured_content
    check_envelope(envelope, envelope["meta"]["exit_code"])
    assert result.is_error == (not envelope["ok"])
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    assert json.loads(content.text) == envelope
    return result


def error_of(result: types.CallToolResult) -> dict[str, Any]:
    assert result.is_error
    found: dict[str, Any] = result.structured_content["error"]
    return found


# What a client finds


@pytest.mark.parametrize("era", ERAS)
def test_the_tools(session: Session, era: Literal["auto", "legacy"]) -> None:
    async def talk(client: Client) -> types.ListToolsResult:
        assert client.instructions and "page" in client.instructions
        return await client.list_tools()

    found = {tool.name: tool for tool in session(talk, era=era).tools}
    assert list(found) == ["run", "page", "explain", "manifest"]
    for name, tool in found.items():
        assert tool.description and tool.title and tool.annotations
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema == tools.output_schema()
        hints = tool.annotations
        assert hints.read_only_hint is (name != "run")
        assert hints.destructive_hint is (name == "run")
        assert hints.idempotent_hint is (name != "run")
        assert hints.open_world_hint is (name == "run")


@pytest.mark.parametrize("era", ERAS)
def test_each_tool_answers_with_an_envelope(
    session: Session, era: Literal["auto", "legacy"]
) -> None:
    async def talk(client: Client) -> dict[str, Any]:
        await client.list_tools()  # from here on the client holds every answer against its schema
        calls: dict[str, tuple[str, dict[str, Any]]] = {
            "success": ("run", {"argv": ["echo", "hi"]}),
            "failure": ("run", {"argv": ["cat", "/no/such/file"]}),
            "absent": ("run", {"argv": ["no-such-tool-at-all"]}),
            "line": ("run", {"line": "echo b | tr b c"}),
            "command": ("explain", {"argv": ["git", "push"]}),
            "code": ("explain", {"code": "RATE_LIMITED"}),
            "summary": ("manifest", {}),
            "tool": ("manifest", {"tool": "git", "subcommand": "push"}),
            "page": ("page", {"cursor": "made up"}),
        }
        return {key: checked(await client.call_tool(*call)) for key, call in calls.items()}

    found = session(talk, era=era)
    told = {key: result.structured_content for key, result in found.items()}
    assert told["success"]["data"] == {"stdout": "hi\n"}
    assert told["failure"]["error"]["code"] == "FILE_NOT_FOUND"
    assert told["failure"]["meta"]["exit_code"] == 5
    assert told["absent"]["error"]["code"] == "COMMAND_NOT_FOUND"
    assert told["line"]["data"] == {"stdout": "c\n"}
    assert told["command"]["data"]["effects"] == "partial"
    assert told["code"]["data"]["exit_code"] == 11
    assert "git" in told["summary"]["data"]["tools"]
    assert told["tool"]["data"]["command"] == "git push"
    assert told["page"]["error"]["code"] == "INVALID_CURSOR"


def test_what_is_known_of_a_command_goes_beside_its_envelope(session: Session) -> None:
    async def talk(client: Client) -> list[Any]:
        lines = ["git status", "git status && git push", "no-such-tool"]
        results = [await client.call_tool("run", {"line": line}) for line in lines]
        return [(result.meta or {})["clawwrap/effects"] for result in results]

    assert session(talk) == ["none", "partial", "unknown"]


def test_how_a_command_is_run(session: Session) -> None:
    (session.folder / "sub").mkdir()
    result = session.call(
        "run",
        argv=["sh", "-c", "cat; pwd; echo $COLOUR $CLAWWRAP_REQUEST_ID $HOME; echo secret-ish >&2"],
        cwd=str(session.folder / "sub"),
        env={"COLOUR": "blue"},
        stdin="in\n",
        request_id="r-1",
    )
    told = result.structured_content
    home = session.env["HOME"]
    assert told["data"]["stdout"] == f"in\n{session.folder}/sub\nblue r-1 {home}\n"
    assert told["warnings"] == ["secret-ish"]


def test_options_are_those_of_the_command(session: Session) -> None:
    async def talk(client: Client) -> list[Any]:
        slow = {"argv": ["sleep", "600"], "timeout": "200ms"}
        calls: list[dict[str, Any]] = [
            slow,
            {**slow, "timeout": 0.2},
            {"argv": ["echo", '{"a": 1, "b": 2}'], "fields": "a"},
            {"argv": ["echo", "token=abc"], "redact": "all"},
            {"argv": ["true"], "timeout": "soon"},
            {"argv": ["true"], "adapter": "no-such-adapter"},
        ]
        told = [checked(await client.call_tool("run", call)) for call in calls]
        first = checked(await client.call_tool("run", {"argv": ["echo", "up"]}))
        etag = first.structured_content["meta"]["etag"]
        again = checked(await client.call_tool("run", {"argv": ["echo", "up"], "etag": etag}))
        return [result.structured_content for result in (*told, again)]

    slow, also, some, hidden, wrong, unknown, again = session(talk)
    assert slow["error"]["code"] == also["error"]["code"] == "OPERATION_TIMEOUT"
    assert some["data"] == {"a": 1}
    assert hidden["data"] == {"stdout": "token=[redacted:token]\n"}
    assert wrong["error"]["code"] == "INVALID_DURATION"
    assert unknown["error"]["code"] == "UNKNOWN_ADAPTER"
    assert again["meta"]["not_modified"] is True and again["data"] is None


def test_a_big_output_is_paged_to_its_end(session: Session) -> None:
    async def talk(client: Client) -> str:
        result = checked(await client.call_tool("run", {"argv": ["seq", "100000"]}))
        text = result.structured_content["data"]["stdout"]
        while cursor := result.structured_content["meta"].get("cursor"):
            result = checked(
                await client.call_tool("page", {"cursor": cursor, "max_output": 90000})
            )
            text += result.structured_content["data"]["stdout"]
        return str(text)

    assert session(talk) == "".join(f"{number}\n" for number in range(1, 100001))


def test_bytes_are_paged_as_well(session: Session) -> None:
    async def talk(client: Client) -> bytes:
        result = await client.call_tool("run", {"argv": ["printf", r"\033[1mbold\033[0m\n"]})
        cursor = result.structured_content["meta"]["raw_cursor"]
        page = checked(await client.call_tool("page", {"cursor": cursor}))
        return base64.b64decode(page.structured_content["data"]["content"])

    assert session(talk) == b"\033[1mbold\033[0m\n"


# While it runs


@pytest.mark.parametrize("era", ERAS)
def test_progress_has_the_last_line_without_secrets(
    session: Session, era: Literal["auto", "legacy"]
) -> None:
    told: list[tuple[float, str | None]] = []
    token = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
    waits = "while [ ! -e go ]; do sleep 0.05; done"

    async def talk(client: Client) -> types.CallToolResult:
        async def hear(progress: float, total: float | None, message: str | None) -> None:
            told.append((progress, message))
            if len(told) == 2:
                (session.folder / "go").touch()

        call = {"argv": ["sh", "-c", f"echo start; echo 'pushing with {token}'; echo; {waits}"]}
        return checked(await client.call_tool("run", call, progress_callback=hear))

    assert not session(talk, era=era).is_error
    assert told[0][1] == "pushing with [redacted:github-token]"
    assert [progress for progress, _ in told] == sorted({progress for progress, _ in told})


def test_calls_run_side_by_side(session: Session) -> None:
    """Each waits for all others, so that none ends unless all of them run."""
    many = 50
    meet = f'touch "in-$0"; while [ $(ls | grep -c "^in-") -lt {many} ]; do sleep 0.2; done'

    async def talk(client: Client) -> list[str]:
        found: list[str] = []

        async def one(name: str) -> None:
            call = {"argv": ["sh", "-c", f"{meet}; echo $0", name], "timeout": "50s"}
            result = checked(await client.call_tool("run", call))
            assert result.structured_content["data"] == {"stdout": f"{name}\n"}
            found.append(name)

        async with anyio.create_task_group() as tasks:
            for number in range(many):
                tasks.start_soon(one, str(number))
        return found

    assert sorted(session(talk), key=int) == [str(number) for number in range(many)]


@needs("setsid")
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("script", [STAYS, IS_DEAF], ids=["it listens", "it is deaf"])
def test_a_cancelled_call_leaves_nothing_behind(
    session: Session, gone: Gone, script: str, era: Literal["auto", "legacy"]
) -> None:
    async def talk(client: Client) -> None:
        call = {"argv": ["sh", "-c", script], "kill_after": "300ms"}
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call_tool, "run", call)
            pids = await anyio.to_thread.run_sync(session.pids)
            tasks.cancel_scope.cancel()
        while not all(map(gone, pids)):
            await anyio.sleep(0.02)
        assert not checked(await client.call_tool("run", {"argv": ["true"]})).is_error

    session(talk, era=era)


# Its end


class Wire:
    """A server without the SDK's client, to see each line and to end it as one likes."""

    def __init__(self, session: Session, *options: str, env: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [*CLAWWRAP, "mcp", *options],
            env=session.env | (env or {}),
            cwd=session.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        session.servers.append(self.process)
        about = {"protocolVersion": "2025-06-18", "capabilities": {}}
        about["clientInfo"] = {"name": "test", "version": "1"}
        assert self.ask(0, "initialize", about)["result"]["serverInfo"]["name"] == "clawwrap"
        self.send({"method": "notifications/initialized"})

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        assert self.process.stdout
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert found["jsonrpc"] == "2.0"
        return found

    def ask(self, number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.send({"id": number, "method": method, "params": params})
        answer = self.read()
        assert answer["id"] == number
        return answer

    def start(self, number: int, **arguments: Any) -> None:
        params = {"name": "run", "arguments": arguments}
        self.send({"id": number, "method": "tools/call", "params": params})

    def rest(self) -> list[dict[str, Any]]:
        """Its last words; all of stdout is protocol, and nothing is said beside it."""
        out, err = self.process.communicate(timeout=30)
        assert err == b""
        return [json.loads(line) for line in out.splitlines()]


@needs("setsid")
@pytest.mark.parametrize("how", ["stdin ends", signal.SIGTERM, signal.SIGINT], ids=str)
def test_the_end_of_the_server_is_the_end_of_what_it_runs(
    session: Session, gone: Gone, how: str | signal.Signals
) -> None:
    wire = Wire(session)
    wire.start(1, argv=["sh", "-c", IS_DEAF], kill_after="1h")
    pids = session.pids()
    assert not any(map(gone, pids))
    if isinstance(how, str):
        assert wire.process.stdin
        wire.process.stdin.close()
        wire.process.stdin = None
    else:
        wire.process.send_signal(how)
    for message in wire.rest():  # who is still there is told that there will be no answer
        assert message["id"] == 1 and "error" in message
    assert wire.process.returncode == 0
    assert all(map(gone, pids))


def test_a_cancelled_call_gets_no_answer(session: Session) -> None:
    wire = Wire(session)
    wire.start(1, argv=["sh", "-c", "echo $$ >near; echo $$ >far; exec sleep 600"])
    session.pids()
    wire.send({"method": "notifications/cancelled", "params": {"requestId": 1}})
    params = {"name": "run", "arguments": {"argv": ["true"]}}
    assert wire.ask(2, "tools/call", params)["result"]["isError"] is False
    assert wire.rest() == []


# Bad input


NUL, HUGE = "a\0b", "x" * (8 << 20)
WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("run", {}, "expected one of argv and line; got none of them"),
    ("run", {"argv": ["true"], "line": "true"}, "got argv and line"),
    ("run", {"argv": []}, "argv: must not be empty"),
    ("run", {"argv": "git status"}, "argv: expected a list"),
    ("run", {"argv": ["git", 1]}, "argv[1]: expected a text; got 1"),
    ("run", {"argv": None}, "argv: expected a list; got null"),
    ("run", {"argv": ["echo", NUL]}, "argv: holds a NUL character"),
    ("run", {"line": NUL}, "line: holds a NUL character"),
    ("run", {"line": "  "}, "-c got an empty line"),
    ("run", {"argv": ["true"], "cwd": NUL}, "cwd: holds a NUL character"),
    ("run", {"argv": ["true"], "cwd": "/no/such"}, "cwd /no/such: is no folder"),
    ("run", {"argv": ["true"], "env": {"A": 1}}, "env.A: expected a text; got 1"),
    ("run", {"argv": ["true"], "env": {"A": NUL}}, "env: holds a NUL character"),
    ("run", {"argv": ["true"], "env": {"A=B": "c"}}, "env: 'A=B' is no name of a variable"),
    ("run", {"argv": ["true"], "env": {"": "c"}}, "env: '' is no name of a variable"),
    ("run", {"argv": ["true"], "timeout": True}, "timeout: expected a text; got true"),
    ("run", {"argv": ["true"], "timeout": "-1s"}, "--timeout wants a duration"),
    ("run", {"argv": ["true"], "retry": 4}, "retry: must be at most 3; got 4"),
    ("run", {"argv": ["true"], "max_output": -1}, "max_output: must be at least 0; got -1"),
    ("run", {"argv": ["true"], "redact": "some"}, "redact: expected one of errors, all, none"),
    ("run", {"argv": ["true"], "output": "raw"}, "output: unknown key"),
    ("run", {"argv": ["true"], "fields": ""}, "--fields wants a value that is not empty"),
    ("run", {"argv": ["true"], "adapter": "/etc/passwd"}, "/etc/passwd"),
    ("page", {}, "cursor is required"),
    ("page", {"cursor": ""}, "--cursor wants"),
    ("page", {"cursor": "../../etc/passwd"}, "--cursor wants meta.cursor"),
    ("page", {"cursor": 1}, "cursor: expected a text"),
    ("explain", {}, "expected one of argv, line and code"),
    ("explain", {"code": "99"}, "99 is not in the table"),
    ("explain", {"code": "NO_SUCH_CODE"}, "neither an exit code nor an error.code"),
    ("explain", {"argv": ["a", NUL]}, "argv: holds a NUL character"),
    ("manifest", {"tool": "no-such-tool"}, "there is no adapter 'no-such-tool'"),
    ("manifest", {"tool": NUL}, "tool: holds a NUL character"),
    ("manifest", {"subcommand": "push"}, "of which tool?"),
]


def test_wrong_arguments_are_answers_that_say_what_is_wrong(session: Session) -> None:
    async def talk(client: Client) -> list[dict[str, Any]]:
        return [error_of(checked(await client.call_tool(*call[:2]))) for call in WRONG]

    for error, (name, given, said) in zip(session(talk), WRONG, strict=True):
        assert said in error["message"], (name, given)
        assert (error["source"], error["phase"]) == ("clawwrap", "validation"), given
        assert error["suggestion"], given


def test_arguments_that_are_too_long_for_the_system(session: Session) -> None:
    assert error_of(session.call("run", argv=["echo", HUGE]))["code"] == "ARGUMENTS_TOO_LONG"
    result = session.call("run", argv=["wc", "-c"], stdin=HUGE)
    assert result.structured_content["data"]["stdout"].strip() == str(len(HUGE))


def test_a_tool_that_is_not_there_is_an_error_of_the_protocol(session: Session) -> None:
    async def talk(client: Client) -> str:
        with pytest.raises(MCPError) as refused:
            await client.call_tool("exec", {})
        return str(refused.value)

    assert "unknown tool 'exec'; there are run, page, explain, manifest" in session(talk)


DEEP = "'[' * 240 + '1' + ']' * 240"
NESTED = "'{\"a\": ' * 240 + '\"\u202e\"' + '}' * 240"


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        pytest.param(f"print({DEEP})", "[" * 50, id="deep lists"),
        pytest.param(f"print({NESTED})", '{"a": ' * 50, id="deep objects"),
        pytest.param("print('[' + '9' * 40 + ']')", "9" * 40, id="a big number"),
        pytest.param("print('[1e999]')", "1e999", id="a number beyond any"),
        pytest.param("print('\\u202eevil \\x00')", "evil", id="characters that nobody sees"),
        pytest.param(
            "import sys; sys.stdout.buffer.write(b'a\\xff\\xed\\xa0\\x80')", "a", id="no text"
        ),
        pytest.param("print('[\"\\\\ud800\"]')", "ud800", id="half a character"),
    ],
)
def test_whatever_a_tool_prints_can_be_read(session: Session, code: str, shown: str) -> None:
    result = session.call("run", argv=[sys.executable, "-c", code])
    assert shown in json.dumps(result.structured_content["data"], ensure_ascii=False)


# Lists of what is allowed


def test_what_is_not_on_the_lists_is_refused(session: Session) -> None:
    (session.folder / "in").mkdir()
    (session.folder / "in" / "away").symlink_to("/")

    async def talk(client: Client) -> list[types.CallToolResult]:
        run = (await client.list_tools()).tools[0]
        assert "Only these tools may be run: echo, pwd." in (run.description or "")
        assert str(session.folder / "in") in (client.instructions or "")
        calls: list[dict[str, Any]] = [
            {"argv": ["pwd"]},
            {"line": "echo a && echo b"},
            {"argv": ["timeout", "5", "touch", "evil"]},
            {"line": "echo a && touch evil"},
            {"line": "echo $(touch evil)"},
            {"argv": ["echo"], "env": {"PATH": "/tmp"}},
            {"argv": ["echo"], "cwd": str(session.folder)},
            {"argv": ["echo"], "cwd": str(session.folder / "in" / "away")},
        ]
        return [checked(await client.call_tool("run", call)) for call in calls]

    options = ["--allow", "echo", "--allow=pwd", "--folder", str(session.folder / "in")]
    where, both, *refused = session(talk, *options)
    assert where.structured_content["data"] == {"stdout": f"{session.folder}/in\n"}
    assert both.structured_content["data"] == {"stdout": "a\nb\n"}
    for result in refused:
        error = error_of(result)
        assert result.structured_content["meta"]["exit_code"] == 7
        assert (error["code"], error["phase"]) == ("NOT_ALLOWED", "validation")
        assert (error["source"], error["kind"]) == ("clawwrap", "policy")
    assert not list(session.folder.rglob("evil"))


# The verb


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--allow"], "--allow needs a value"),
        (["--allow", ""], "--allow wants a tool"),
        (["--allow", "sudo"], "it runs whatever stands behind it"),
        (["--folder", "/no/such"], "--folder /no/such: is no folder"),
        (["--alow", "git"], "unknown word '--alow'"),
        (["git"], "unknown word 'git'"),
    ],
)
def test_a_wrong_option_is_refused_before_anything_is_served(
    run: Run, words: list[str], said: str
) -> None:
    result = run("mcp", *words)
    assert result.code == 3
    assert said in result.error["message"] and result.error["suggestion"]


def test_help(run: Run) -> None:
    assert "--allow TOOL" in run("mcp", "--help").data["help"]


def test_without_the_extra(run: Run, tmp_path: Path) -> None:
    for name in ("mcp", "mcp_types"):
        (tmp_path / f"{name}.py").write_text(f"raise ModuleNotFoundError('no {name}')\n")
    result = run("mcp", env={"PYTHONPATH": str(tmp_path)})
    assert result.code == 4
    assert result.error["code"] == "MISSING_DEPENDENCY"
    assert "pip install 'clawwrap[mcp]'" in result.error["suggestion"]


def test_a_server_carries_nothing_that_it_does_not_use(clean_env: dict[str, str]) -> None:
    loaded: set[str] = set()
    for _ in range(2):  # the first one may have to compile tables
        done = subprocess.run(
            [sys.executable, "-c", AT_EXIT.format(words=["mcp"])],
            env=clean_env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        loaded = set(done.stderr.split())
    assert "mcp.server.stdio" in loaded
    assert not {"typer", "yaml", "clawwrap.admin.explain", "clawwrap.journal"} & loaded


def test_the_schema_of_the_answers_is_that_of_the_envelope(run: Run) -> None:
    shared = tools.output_schema()
    envelope = run("schema", "envelope").data
    assert shared == {
        key: value for key, value in envelope.items() if key not in ("$schema", "$id")
    }
