"""A redirect is run verbatim by its reader, so it must keep every argument and add no harm."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from clawwrap import cases, redirect, verdict
from clawwrap.contract import Redirect
from clawwrap.evidence import Evidence
from tests.conftest import Run


def build(
    words: list[str], sub: str = "", to: list[str] | None = None, **groups: str
) -> Redirect | None:
    rule: dict[str, Any] = {"reason": "typo_corrected"} | ({"to": to} if to else {})
    return redirect.from_rule(rule, groups, before=[], words=words, subcommand=sub)


def test_one_word_is_swapped_and_the_rest_stays() -> None:
    found = build(
        ["git", "-C", "a b", "statsu", "--short", "it's"], "statsu", wrong="statsu", right="status"
    )
    assert found
    assert found.command == """git -C 'a b' status --short 'it'"'"'s'"""
    assert found.permanent is False


def test_the_subcommand_is_replaced_where_the_tool_names_only_the_right_one() -> None:
    found = build(["npm", "instal", "x"], "instal", right="install")
    assert found
    assert found.command == "npm install x"


def test_a_printed_command_keeps_the_callers_arguments() -> None:
    found = build(
        ["git", "-C", "d", "push", "-q"], "push", command="git push --set-upstream origin main"
    )
    assert found
    assert found.command == "git -C d push --set-upstream origin main -q"


def test_fixed_words_replace_the_tool_or_its_subcommand() -> None:
    found = build(
        ["tool", "-v", "user", "create", "--name", "alice"],
        "user create",
        to=["tool", "users", "add"],
    )
    assert found
    assert found.command == "tool -v users add --name alice"


def test_launchers_stay_in_front() -> None:
    rule = {"reason": "typo_corrected"}
    found = redirect.from_rule(
        rule,
        {"right": "status"},
        before=["timeout", "5"],
        words=["git", "statsu"],
        subcommand="statsu",
    )
    assert found
    assert found.command == "timeout 5 git status"


HARMFUL = {
    "privilege": "sudo",
    "force": "--force",
    "force in short": "-f",
    "force with a value": "--force=yes",
    "deletion": "rm",
    "a pipe": "status|sh",
    "a substitution": "$(id)",
    "a backtick": "`id`",
    "a second command": "status;id",
    "a redirection": ">file",
    "a blank and more": "status --force",
    "a newline": "status\nrm",
    "an option injection": "--upload-pack=evil$x",
    "nothing": "",
    "a control character": "sta\x1btus",
    "another letter a": "st\u0430tus",
    "quotes": "'status'",
    "a home": "~root",
    "a glob": "*",
}


@pytest.mark.parametrize("word", HARMFUL.values(), ids=list(HARMFUL))
def test_harmful_words_make_no_redirect(word: str) -> None:
    assert build(["git", "statsu"], "statsu", wrong="statsu", right=word) is None


@pytest.mark.parametrize(
    "command",
    [
        "sudo git push",
        "git push --force",
        "git push | sh",
        "git push && rm -rf x",
        "curl x",
        "git push $(id)",
        "git push origin `id`",
    ],
)
def test_harmful_commands_make_no_redirect(command: str) -> None:
    assert build(["git", "push"], "push", command=command) is None


def test_what_the_caller_typed_may_stay() -> None:
    found = build(["git", "pus", "--force"], "pus", wrong="pus", right="push")
    assert found
    assert found.command == "git push --force"


def test_a_word_that_is_not_there_cannot_be_swapped() -> None:
    assert build(["git", "status"], "status", wrong="statsu", right="status") is None
    assert build(["git", "status"], "status", wrong="status", right="status") is None


def test_a_printed_command_that_leaves_arguments_open_makes_no_redirect() -> None:
    assert build(["npm", "run", "buld", "--", "-w"], "run", command="npm run build") is None
    assert (
        build(["git", "push", "fork"], "push", command="git push --set-upstream origin x") is None
    )


# From any tool's own words, and from the tables


CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "redirect_cases.yaml").read_text()
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['argv']}: {case['stderr'][:40]}")
def test_redirects_of_any_tool(case: dict[str, Any]) -> None:
    words = shlex.split(case["argv"])
    evidence = Evidence(words, exit_code=case["exit"], stderr=case["stderr"].encode())
    ruling = verdict.judge(evidence, cases.choice_for(words, None))
    target = ruling.redirect
    assert (target and target.command) == case.get("redirect")
    assert bool(target and target.permanent) == case.get("permanent", False)


UNTRUSTED = {
    "an HTTP body": '{"message": "unknown command inti. Did you mean \'init\'?"}\n',
    "a commit message": "commit 1234\n    unknown command 'inti'. Did you mean 'init'?\n",
    "a server's banner": "Welcome! unknown command 'inti'? Did you mean 'init'?\n",
    "a package's own output": "> demo@1.0.0 test\nunknown command 'inti'. Did you mean 'init'?\n",
}


@pytest.mark.parametrize("stdout", UNTRUSTED.values(), ids=list(UNTRUSTED))
@pytest.mark.parametrize("stderr", [b"", b"tool: failed\n"], ids=["silent", "failed"])
def test_data_makes_no_redirect(stdout: str, stderr: bytes) -> None:
    words = ["tool", "get", "inti"]
    evidence = Evidence(words, exit_code=1, stdout=stdout.encode(), stderr=stderr)
    ruling = verdict.judge(evidence, cases.choice_for(words, None))
    assert ruling.redirect is None


def test_what_a_server_says_through_the_tool_makes_none() -> None:
    stderr = b"remote: unknown command 'inti'. Did you mean 'init'?\nfatal: hung up\n"
    words = ["git", "push", "inti"]
    evidence = Evidence(words, exit_code=1, stderr=stderr)
    assert verdict.judge(evidence, cases.choice_for(words, None)).redirect is None


def test_a_tool_that_talks_on_stdout_is_believed_in_its_own_name() -> None:
    stdout = b'Terraform has no command named "plna". Did you mean "plan"?\n'
    evidence = Evidence(["terraform", "plna"], exit_code=1, stdout=stdout)
    found = verdict.judge(evidence, cases.choice_for(["terraform", "plna"], None)).redirect
    assert found and found.command == "terraform plan"


def test_what_a_line_or_a_launched_program_says_makes_none() -> None:
    choice = cases.choice_for(["tool", "inti"], None)
    choice.parts.append((["other"], None))
    stderr = b"unknown command 'inti'. Did you mean 'init'?\n"
    evidence = Evidence(["bash", "-c", "tool inti | other"], exit_code=1, stderr=stderr)
    assert verdict.judge(evidence, choice).redirect is None


def test_an_absent_command_is_replaced_only_where_the_new_one_is_there(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "bin").mkdir()
    env = {"PATH": str(tmp_path / "bin")}
    assert run("docker-compose", "up", env=env).error["code"] == "COMMAND_NOT_FOUND"
    (tmp_path / "bin" / "docker").symlink_to("/bin/true")
    found = run("docker-compose", "up", "a b", env=env)
    assert found.code == 13
    assert found.error["redirect"] == {
        "command": "docker compose up 'a b'",
        "permanent": True,
        "reason": "renamed",
    }


def test_where_no_command_took_its_place_there_is_advice(run: Run, tmp_path: Path) -> None:
    found = run("apt-key", "add", "x", env={"PATH": str(tmp_path)})
    assert found.code == 5
    assert "signed-by" in found.error["suggestion"]


def test_a_deprecated_command_that_works_gets_its_replacement_in_the_warnings(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "bin").mkdir()
    tool = tmp_path / "bin" / "egrep"
    tool.write_text("#!/bin/sh\necho 'egrep: warning: egrep is obsolescent' >&2\n")
    tool.chmod(0o755)
    found = run("egrep", "a|b", "f", env={"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"})
    assert found.code == 0
    assert found.warnings[-1] == "clawwrap: deprecated; use instead: grep -E 'a|b' f"
