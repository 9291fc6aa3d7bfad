"""A redirect is run verbatim by its reader, so it must keep every argument and add no harm."""

from __future__ import annotations

from typing import Any

import pytest

from clawwrap import redirect
from clawwrap.contract import Redirect


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
