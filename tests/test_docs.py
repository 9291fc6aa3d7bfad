"""Every command in the documentation is run, and prints what the documentation says."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from clawwrap.contract import ExitCode
from clawwrap.invocation import FLAGS, VALUED
from tests.conftest import needs

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MARK = "--- end of command ---"
#: What the page on migration starts from.
OLD_RECORDS = {
    "old-error.json": (
        '{"error":"session \'xyz789\' not found in .claw/sessions",'
        '"hint":"use \'list-sessions\'","kind":"session_not_found","type":"error"}'
    ),
    "old-list.json": (
        '{"command":"list-sessions","sessions":[{"id":"s-1",'
        '"path":"/w/.claw/sessions/s-1.jsonl","updated_at_ms":1775777421902,"message_count":3}]}'
    ),
}


class Step(NamedTuple):
    command: str
    expected: str


class Block(NamedTuple):
    """The steps of one console block, run in one shell one after the other."""

    page: Path
    line: int
    steps: list[Step]

    @property
    def id(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks() -> list[Block]:
    found = []
    for page in PAGES:
        text = page.read_text()
        for match in re.finditer(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            parts = re.split(r"^\$ ", match.group(1), flags=re.MULTILINE)[1:]
            steps = [Step(*part.split("\n", 1)) for part in parts]
            found.append(Block(page, text.count("\n", 0, match.start()) + 1, steps))
    return found


@pytest.fixture
def shell(clean_env: dict[str, str], tmp_path: Path) -> Path:
    """A folder with what the examples need: the command itself, and the worked example."""
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "clawwrap").write_text(f'#!/bin/sh\nexec {sys.executable} -m clawwrap "$@"\n')
    (tools / "clawwrap").chmod(0o755)
    text = (ROOT / "docs" / "adapters.md").read_text()
    found = re.search(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert found
    (tmp_path / "parcel.yaml").write_text(found.group(1))
    for name, record in OLD_RECORDS.items():
        (tmp_path / name).write_text(record + "\n")
    return tmp_path


@needs("bash")
@pytest.mark.parametrize("block", blocks(), ids=lambda block: block.id)
def test_console_block(block: Block, shell: Path, clean_env: dict[str, str]) -> None:
    if any("jq " in step.command for step in block.steps) and shutil.which("jq") is None:
        pytest.skip("jq is not installed")
    lines = [
        f"{{ {step.command}\n}} 2>&1; _s=$?; echo; echo '{MARK}'; (exit $_s)"
        for step in block.steps
    ]
    env = clean_env | {"PATH": f"{shell / 'bin'}{os.pathsep}{clean_env['PATH']}"}
    env["XDG_STATE_HOME"] = str(shell / "state")  # a log of its own
    done = subprocess.run(
        ["bash", "-c", "\n".join(lines)],
        cwd=shell,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
    )
    printed = done.stdout.split(f"\n{MARK}\n")
    assert len(printed) == len(block.steps) + 1
    for step, output in zip(block.steps, printed, strict=False):
        pattern = ".*".join(re.escape(part) for part in step.expected.strip().split("…"))
        if step.expected.rstrip().endswith("…"):
            pattern += ".*"
        assert re.fullmatch(pattern, output.strip(), re.DOTALL), f"{step.command}\n{output}"


def python_of(page: str) -> dict[str, Any]:
    """What the Python of a page defines."""
    text = (ROOT / "docs" / page).read_text()
    names: dict[str, Any] = {}
    for code in re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        exec(code, names)
    return names


def test_the_consumer_of_both_shapes(
    shell: Path, clean_env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    consumer = python_of("migration.md")
    monkeypatch.chdir(shell)
    monkeypatch.setenv("HOME", clean_env["HOME"])
    clawwrap = [sys.executable, "-m", "clawwrap"]
    answers = {
        "old-list.json": (["s-1"], None),
        "old-error.json": (
            None,
            ("session_not_found", "session 'xyz789' not found in .claw/sessions"),
        ),
    }
    for name, wanted in answers.items():
        old = json.loads((shell / name).read_text())
        assert consumer["sessions_or_error"](old) == wanted
        code, new = consumer["call"]([*clawwrap, "migrate", name])
        assert code == 0
        assert consumer["sessions_or_error"](new) == wanted


def test_the_consumer_that_asks_what_to_do(
    shell: Path, clean_env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    next_step = python_of("migration.md")["next_step"]
    monkeypatch.chdir(shell)
    monkeypatch.setenv("HOME", clean_env["HOME"])
    clawwrap = [sys.executable, "-m", "clawwrap"]
    assert next_step([*clawwrap, "echo", "hi"]) == ("proceed", {"stdout": "hi\n"})
    limited = "echo 'error: 429 Too Many Requests, retry after 30 s' >&2; exit 1"
    assert next_step([*clawwrap, "sh", "-c", limited]) == ("wait", 30_000)
    instead = next_step([*clawwrap, "head -5 file"])
    assert instead == ("run", "clawwrap -c 'head -5 file'")
    assert next_step([*clawwrap, "cat", "/no/such"])[0] == "stop"


def test_the_client_of_the_page_on_mcp(
    shell: Path,
    clean_env: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(shell)
    monkeypatch.setenv("HOME", clean_env["HOME"])
    monkeypatch.setenv("PATH", f"{shell / 'bin'}{os.pathsep}{clean_env['PATH']}")
    python_of("mcp.md")["main"]()
    assert capfd.readouterr().out == "('1', '100000')\n"


def test_the_programs_of_the_library_page(
    shell: Path, clean_env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every block asserts what it promises; the names of the earlier ones hold."""
    monkeypatch.chdir(shell)
    monkeypatch.setenv("HOME", clean_env["HOME"])
    for name in [name for name in os.environ if name.startswith("CLAWWRAP")]:
        monkeypatch.delenv(name)
    assert {"outcome", "counted", "running", "all_of_them"} <= set(python_of("library.md"))


def test_there_are_examples_on_every_page_for_users() -> None:
    named = {block.page.name for block in blocks()}
    assert named >= {
        "README.md",
        "adapters.md",
        "agents.md",
        "batch.md",
        "contract.md",
        "migration.md",
    }


def test_the_readme_has_every_code() -> None:
    text = (ROOT / "README.md").read_text()
    for code in ExitCode:
        assert f"| {code.value} | {code.name} |" in text


def test_the_contract_page_has_every_option() -> None:
    text = (ROOT / "docs" / "contract.md").read_text()
    for option in (*VALUED, *FLAGS):
        assert f"--{option}" in text


def test_the_adapter_page_has_every_key() -> None:
    from clawwrap import schema

    text = (ROOT / "docs" / "adapters.md").read_text()
    for key in schema.load("adapter")["properties"]:
        assert f"`{key}`" in text, key


def test_the_design_page_has_every_room() -> None:
    text = (ROOT / "docs" / "design.md").read_text()
    rooms = {path.stem for path in (ROOT / "clawwrap").glob("*.py")} - {"__init__"}
    for room in rooms:
        assert f"`{room}`" in text, room


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_the_makefile_has_the_targets_of_the_readme() -> None:
    done = subprocess.run(["make", "-C", str(ROOT), "help"], capture_output=True, text=True)
    listed = {line.split()[0] for line in done.stdout.splitlines() if line.strip()}
    assert {"run", "test", "build", "bench", "clean", "help"} <= listed
    for command in re.findall(r"^make (\w+)", (ROOT / "README.md").read_text(), re.MULTILINE):
        assert command in listed


def test_the_five_minutes_of_contributing(shell: Path, clean_env: dict[str, str]) -> None:
    """The commands of CONTRIBUTING, with a tool that is here in place of rsync."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    commands = [line.strip() for line in text.splitlines() if line.strip().startswith("clawwrap ")]
    assert len(commands) == 4
    (shell / "adapters").mkdir()
    env = clean_env | {"PATH": f"{shell / 'bin'}{os.pathsep}{clean_env['PATH']}"}
    for command in commands[:2]:
        words = shlex.split(command.replace("rsync", "cat").replace("-a ", ""))
        done = subprocess.run(words, cwd=shell, env=env, capture_output=True)
        assert done.returncode == 0, done
    for command in commands[2:]:
        words = shlex.split(command.replace("rsync", "cat"))
        done = subprocess.run(words, cwd=shell, env=env, capture_output=True)
        assert done.returncode == 0, done
