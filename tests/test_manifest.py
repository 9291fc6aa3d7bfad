"""What can be called, in sizes that an agent can read, and never older than what it tells of."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from clawwrap import catalog, schema
from clawwrap.admin import AVAILABLE, manifest
from clawwrap.contract import ExitCode
from clawwrap.invocation import DEFAULTS, FLAGS, VALUED
from tests.conftest import Run

PACKAGE = Path(manifest.__file__).parent.parent
TOOLS = sorted(path.stem for path in Path(catalog.SHIPPED).glob("*.yaml"))


def test_a_summary_of_everything(run: Run) -> None:
    result = run("manifest")
    assert set(TOOLS) == set(result.data["tools"])
    assert result.data["tools"]["git"]["own_codes"]["80"] == "DIFFERENCES_FOUND"
    assert result.data["tools"]["git"]["commands"] > 50
    own = result.data["clawwrap"]
    assert [o["option"] for o in own["options"]] == [f"--{n}" for n in (*VALUED, *FLAGS)]
    assert own["verbs"] == list(AVAILABLE)
    assert [e["name"] for e in own["exit_codes"].values()] == list(ExitCode.__members__)
    assert own["environment"]["sets"]["PAGER"] == "cat"
    assert len(result.stdout) < DEFAULTS["max_output"]


def test_every_variable_that_is_read_is_told() -> None:
    """Found in the sources, where a variable is read by its name."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        found |= set(re.findall(r'environb?(?:\.get\(|\[)b?"([A-Z_]+)"', path.read_text()))
        found |= set(re.findall(r'^MARKER = "([A-Z_]+)"', path.read_text(), re.MULTILINE))
        found |= set(re.findall(r'env\[b"(CLAWWRAP_[A-Z_]+)"\]', path.read_text()))
    assert found == set(manifest.READS)


def test_a_tool(run: Run) -> None:
    data = run("manifest", "git").data
    assert data["commands"]["git push"] == {"effects": "partial"}
    assert data["commands"]["git status"] == {"effects": "none"}
    assert data["exit_codes"]["10"]["retryable"] is False
    free = data["exit_codes_by_effects"]["none"]
    assert (free["10"]["retryable"], free["10"]["side_effects"]) == (True, "none")
    assert data["flags"]["--dry-run"] == "none"
    assert data["timeout_ms"] == 1_800_000
    assert [row["name"] for row in data["environment"]["sets"]] == ["GIT_MERGE_AUTOEDIT"]
    entry = schema.load("exit-code-entry")
    for codes in (data["exit_codes"], free):
        assert all(schema.problems(found, entry) == [] for found in codes.values())
    assert "0" in data["exit_codes"]
    assert len({example["code"] for example in data["examples"]}) > 2


def test_what_the_adapter_looks_at(run: Run) -> None:
    assert run("manifest", "helm").data["environment"]["reads"] == ["HELM_DEBUG"]


def test_a_command(run: Run) -> None:
    status = run("manifest", "git", "status").data
    assert (status["command"], status["effects"], status["known"]) == ("git status", "none", True)
    assert status["exit_codes"]["10"]["retryable"] is True
    push = run("manifest", "--", "git", "push", "--dry-run").data
    assert (push["command"], push["effects"]) == ("git push", "none")
    assert all(row["command"].startswith("git push") for row in push["examples"])
    assert push["examples"]
    assert run("manifest", "git", "frobnicate").data["known"] is False
    remote = run("manifest", "git", "remote", "get-url").data
    assert (remote["command"], remote["effects"]) == ("git remote get-url", "none")


def test_examples_are_what_was_recorded(run: Run, tmp_path: Path) -> None:
    (tmp_path / "thing.yaml").write_text(
        "tool: thing\nabout: a test\nexit_codes: {SUCCESS: It ran, CONFLICT: Taken}\ncases:\n"
        "  - {argv: thing much longer, exit: 66, origin: thing 1.0, expect: {code: NOT_FOUND}}\n"
        "  - {argv: thing x, exit: 66, origin: thing 1.0, expect: {code: NOT_FOUND}}\n"
    )
    [example] = run("manifest", str(tmp_path / "thing.yaml")).data["examples"]
    assert example == {"command": "thing x", "native": 66, "code": "NOT_FOUND"}


def test_all_of_it(run: Run) -> None:
    data = run("manifest", "--all").data
    assert set(data["tools"]) == set(TOOLS)
    one = run("manifest", "grep").data
    assert data["tools"]["grep"].items() <= one.items()
    for tool in data["tools"].values():
        # With what `manifest TOOL` adds to it, each stays below what agent hosts let pass.
        assert len(json.dumps(tool)) < DEFAULTS["max_output"] - 4096, tool["tool"]


def test_etag(run: Run) -> None:
    first = run("manifest", "git")
    tag = first.data["etag"]
    assert first.meta["etag"] == tag == run("manifest", "git").data["etag"]
    assert run("manifest", "grep").data["etag"] != tag
    same = run("manifest", "git", "--etag", tag)
    assert (same.data, same.meta["not_modified"], same.meta["etag"]) == (None, True, tag)
    assert run("manifest", "grep", "--etag", tag).data["tool"] == "grep"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["no-such-tool"], "UNKNOWN_ADAPTER"),
        (["--all", "git"], "INVALID_ARGUMENT"),
        (["--no-such"], "INVALID_ARGUMENT"),
    ],
    ids=repr,
)
def test_wrong_calls(run: Run, words: list[str], error: str) -> None:
    result = run("manifest", *words)
    assert (result.code, result.error["code"]) == (3, error)


def test_tables_for_people(run: Run) -> None:
    text = run("manifest", "-o", "human", check=False).stdout.decode()
    assert text.splitlines()[0].split() == ["TOOL", "COMMANDS", "EFFECTS"]
    text = run("manifest", "git", "push", "-o", "human", check=False).stdout.decode()
    assert text.splitlines()[1].startswith("git push  partial  0")
