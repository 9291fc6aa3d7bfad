"""What a server lets its client run: judged before anything runs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from clawwrap.errors import UsageError
from clawwrap.serving.allowed import Allowed
from tests.conftest import needs

CASES = yaml.safe_load((Path(__file__).parent / "allowed_cases.yaml").read_text())
EACH = [
    pytest.param(case["allow"], command, answer == "passes", id=f"{answer}: {command}")
    for case in CASES
    for answer in ("passes", "refused")
    for command in case[answer]
]


def call(command: str | list[str]) -> dict[str, Any]:
    return {"line": command} if isinstance(command, str) else {"argv": command}


@pytest.mark.parametrize(("allow", "command", "is_allowed"), EACH)
def test_the_list(allow: list[str], command: str | list[str], is_allowed: bool) -> None:
    allowed = Allowed(allow)
    if is_allowed:
        allowed.check(call(command))
        return
    with pytest.raises(UsageError) as refused:
        allowed.check(call(command))
    assert refused.value.code == "NOT_ALLOWED"
    assert refused.value.suggestion


PIECES = [
    *("git", "rm", "env", "timeout 5", "time", "a=b", "x", " ", " ", "\t", "\n", "'", '"', "\\"),
    *("&&", "||", ";", "|", "&", ">", "<", "$", "`", "(", ")", "{", "}", "#", "!", "*", "~", "\r"),
]


@needs("bash")
@settings(max_examples=400, derandomize=True, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map(lambda rest: "git " + "".join(rest)))
def test_bash_runs_nothing_but_what_was_judged(line: str) -> None:
    try:
        Allowed(["git"]).check({"line": line})
    except UsageError:
        return
    env = {"PATH": "/nowhere", "PS4": "+ "}
    bash = shutil.which("bash") or "bash"
    done = subprocess.run([bash, "-x", "-c", line], env=env, capture_output=True, text=True)
    ran = [trace[2:] for trace in done.stderr.splitlines() if trace.startswith("+ ")]
    assert all(re.match(r"(env |timeout 5 )*git( |$)", command) for command in ran), line


def test_a_refusal_names_the_list_and_how_to_change_it() -> None:
    with pytest.raises(UsageError) as refused:
        Allowed(["git", "kubectl get"]).check(call(["kubectl", "delete", "pods"]))
    assert refused.value.message == "kubectl: is not on the list of allowed tools: git, kubectl get"
    assert "--allow kubectl" in refused.value.suggestion


def test_another_file_of_the_same_name_is_another_tool(tmp_path: Path) -> None:
    (tmp_path / "sh").symlink_to(shutil.which("rm") or "/bin/rm")
    (tmp_path / "same").mkdir()
    (tmp_path / "same" / "sh").symlink_to(shutil.which("sh") or "/bin/sh")
    with pytest.raises(UsageError):
        Allowed(["sh"]).check(call([f"{tmp_path}/sh"]))
    Allowed(["sh"]).check(call([f"{tmp_path}/same/sh"]))
    Allowed([f"{tmp_path}/sh"]).check(call([f"{tmp_path}/sh"]))


@pytest.mark.parametrize(
    "how",
    [{"env": {"PATH": "/tmp"}}, {"adapter": "./git.yaml"}, {"adapter": "git.yml"}],
)
def test_nothing_may_change_what_a_name_means(how: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=next(iter(how))):
        Allowed(["git"]).check({"argv": ["git"], **how})
    Allowed().check({"argv": ["git"], **how})


@pytest.mark.parametrize("entry", ["", "  ", "git 'x", "env", "timeout", "sudo"])
def test_what_cannot_be_on_the_list(entry: str) -> None:
    with pytest.raises(UsageError, match="--allow wants a tool"):
        Allowed([entry])


def test_folders_are_judged_with_their_links_resolved(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "in-not"
    (inside / "deep").mkdir(parents=True)
    outside.mkdir()
    (inside / "away").symlink_to(outside)
    (outside / "back").symlink_to(inside / "deep")
    allowed = Allowed(folders=[str(inside)])
    real = os.path.realpath(inside)
    assert allowed.folder(str(inside)) == real
    assert allowed.folder(str(outside / "back")) == f"{real}/deep"
    assert allowed.folder(f"{outside}/../in/deep") == f"{real}/deep"
    assert allowed.folder(None) == real  # the server itself stands somewhere else
    for folder in (outside, inside / "away", inside / "away" / "..", tmp_path, Path("/")):
        with pytest.raises(UsageError, match="none of the allowed folders") as refused:
            allowed.folder(str(folder))
        assert real in refused.value.message and "--folder" in refused.value.suggestion


def test_a_folder_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no folder"):
        Allowed(folders=[str(tmp_path / "absent")])


def test_without_lists_everything_is_allowed() -> None:
    allowed = Allowed()
    allowed.check({"line": "echo $(rm x)", "env": {"A": "1"}})
    assert allowed.folder("/") == "/" and allowed.folder(None) is None
    assert allowed.described() == ""
