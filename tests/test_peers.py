"""What users of similar tools complain about and no other test here shows already."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from clawwrap import catalog
from tests.conftest import CLAWWRAP, Run, needs

ADAPTED = sorted(path.stem for path in Path(catalog.SHIPPED).glob("*.yaml"))


def git(folder: Path, *words: str) -> bytes:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    return subprocess.run(
        ["git", *identity, *words], cwd=folder, capture_output=True, check=True
    ).stdout


@pytest.mark.parametrize("tool", ADAPTED)
def test_the_version_of_every_adapted_tool_is_shown_whole(
    run: Run, tool: str, clean_env: dict[str, str], tmp_path: Path
) -> None:
    if tool == "mvn":
        pytest.skip("mvn --version shows the locale, which clawwrap sets")
    if not shutil.which(tool):
        pytest.skip(f"{tool} is not installed")
    flag = {"ssh": "-V", "kubectl": "version"}.get(tool, "--version")
    words = [tool, flag, *(["--client"] if tool == "kubectl" else [])]
    bare = subprocess.run(
        words,
        capture_output=True,
        text=True,
        env=clean_env,
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
    )
    if bare.returncode != 0:
        pytest.skip(f"{tool} has no {flag}")
    result = run(*words)
    shown = result.data["stdout"] if "stdout" in (result.data or {}) else ""
    assert shown.strip() == bare.stdout.strip()
    assert bare.stderr.split() == " ".join(result.warnings).split()


def test_no_is_an_answer_and_a_mistake_is_another(run: Run, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("a\n")
    none = run("grep", "-q", "zz", "f")
    assert (none.code, none.error["code"], none.error["retryable"]) == (5, "NO_MATCH", False)
    assert run("grep", "-q", "a", "f").code == 0
    assert run("grep", "[", "f").code == 3
    missing = run("grep", "a", "nope")
    assert (missing.code, missing.error["code"]) == (5, "FILE_NOT_FOUND")


def test_differences_are_bad_news_and_no_failure(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1\n")
    (tmp_path / "b").write_text("2\n")
    result = run("diff", "a", "b")
    assert result.error["code"] == "DIFFERENCES_FOUND"
    assert 79 <= result.code <= 125
    assert result.error["output"]["stdout"].startswith("1c1")


def test_the_output_is_that_of_the_bare_command(run: Run, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    for number in range(40):
        git(tmp_path, "commit", "-q", "--allow-empty", "-m", f"change {number}")
    git(tmp_path, "merge", "-q", "--no-edit", "HEAD~3", "--allow-unrelated-histories")
    bare = git(tmp_path, "log")
    assert run("--max-output", "0", "git", "log").data["stdout"].encode() == bare
    assert run("-o", "raw", "git", "log", check=False).stdout == bare


def test_a_binary_arrives_whole(run: Run, tmp_path: Path) -> None:
    blob = os.urandom(100_000)
    (tmp_path / "blob").write_bytes(blob)
    data = run("--max-output", "0", "head", "-c", "100000", "blob").data
    got = base64.b64decode(data["content"])
    assert hashlib.sha256(got).digest() == hashlib.sha256(blob).digest()


def test_verbs_exit_with_codes_of_the_table_too(run: Run) -> None:
    calls = [["doctor"], ["schema"], ["schema", "x"], ["explain", "99"], ["adapters", "show", "x"]]
    assert [run(*words).code for words in calls] == [0, 0, 3, 3, 3]


def test_the_table_can_be_discovered(run: Run) -> None:
    table = run("schema", "exit-code").data
    assert len(table["enum"]) == 14
    assert set(table["x-defaults"]) == set(table["x-enum-varnames"])
    for entry in table["x-defaults"].values():
        assert set(entry) == {"retryable", "side_effects"}


@needs("strace")
def test_no_network_is_used(clean_env: dict[str, str], tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    words = ["strace", "-f", "-e", "trace=socket", "-o", str(trace), *CLAWWRAP, "false"]
    subprocess.run(words, env=clean_env, capture_output=True)
    assert "socket(" not in trace.read_text()


def test_a_first_run_in_a_fresh_home_asks_nothing(
    clean_env: dict[str, str], tmp_path: Path
) -> None:
    done = subprocess.run(
        [*CLAWWRAP, "echo", "x"],
        env=clean_env | {"HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")
