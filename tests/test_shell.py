"""What the hook makes of command lines: by a corpus, by running both, and by chance."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawwrap.shell import rewrite
from tests.conftest import needs

CORPUS = yaml.safe_load((Path(__file__).parent / "hook_cases.yaml").read_text())
MARK = "‸"
LEFT = [(why, line) for why, lines in CORPUS["left"].items() for line in lines]
WHOLE = CORPUS["whole_line"]


def is_program(word: str) -> bool:
    return not word.startswith(("unknown-", "my_")) and "\r" not in word


RULES = rewrite.Rules(is_program)
WHOLE_RULES = rewrite.Rules(is_program, whole_line=True)


def without_prefixes(done: rewrite.Rewriting) -> str:
    """The line as it was, from the result and the places alone."""
    text = done.text
    for place in reversed(done.places):
        before = place + len(rewrite.PREFIX) * done.places.index(place)
        assert text[before:].startswith(rewrite.PREFIX)
        text = text[:before] + text[before + len(rewrite.PREFIX) :]
    return text


def test_the_corpus_is_of_several_hundred_lines() -> None:
    assert len(CORPUS["prefixed"]) + len(LEFT) > 500


@pytest.mark.parametrize("line", CORPUS["prefixed"])
def test_prefixes(line: str) -> None:
    before, after = line.replace(MARK, ""), line.replace(MARK, rewrite.PREFIX)
    done = rewrite.rewrite(before, RULES)
    assert done.text == after
    assert without_prefixes(done) == before
    assert rewrite.rewrite(after, RULES).text == after  # once is enough


@pytest.mark.parametrize(("why", "line"), LEFT)
def test_lines_that_stay(why: str, line: str) -> None:
    done = rewrite.rewrite(line, RULES)
    assert (done.text, done.reason) == (line, why)


@pytest.mark.parametrize("line", WHOLE["prefixed"])
def test_whole_line_still_prefers_prefixes(line: str) -> None:
    done = rewrite.rewrite(line.replace(MARK, ""), WHOLE_RULES)
    assert done.text == line.replace(MARK, rewrite.PREFIX)


@pytest.mark.parametrize("line", WHOLE["wrapped"])
def test_a_whole_line_goes_to_c(line: str) -> None:
    done = rewrite.rewrite(line, WHOLE_RULES)
    assert done.whole
    quoted = done.text.removeprefix("clawwrap -c ")
    assert quoted[1:-1].replace("'\\''", "'") == line
    assert rewrite.rewrite(done.text, WHOLE_RULES).text == done.text


@pytest.mark.parametrize(
    ("why", "line"), [(why, line) for why, lines in WHOLE["left"].items() for line in lines]
)
def test_a_line_about_its_own_shell_never_goes_to_c(why: str, line: str) -> None:
    done = rewrite.rewrite(line, WHOLE_RULES)
    assert (done.text, done.reason) == (line, why)


# The user's lists


@pytest.mark.parametrize(
    ("lists", "line", "expected"),
    [
        ({"exclude": ("git",)}, "git status; make", "git status; ‸make"),
        ({"exclude": ("git push",)}, "git push x; git status", "git push x; ‸git status"),
        ({"exclude": ("git",)}, "timeout 5 git status", "timeout 5 git status"),
        ({"exclude": ("git",)}, "/usr/bin/git status", "/usr/bin/git status"),
        ({"exclude": ("git",)}, "digit status", "‸digit status"),
        ({"include": ("make",)}, "git status; make", "git status; ‸make"),
        ({"include": ("git push",)}, "git push x; git status", "‸git push x; git status"),
        ({"include": ("git",), "exclude": ("git",)}, "git status", "git status"),
        ({"denied": ("git push",)}, "git push -f; git status", "git push -f; ‸git status"),
        ({"denied": ("git push",)}, "'git' \"push\" -f", "'git' \"push\" -f"),
        ({"denied": ("rm ",)}, "env rm -rf x", "env rm -rf x"),
        ({"denied": ("rm ",)}, "rmdir x", "‸rmdir x"),
        ({"exclude": ("git",), "whole_line": True}, "git log | head", "git log | head"),
        ({"denied": ("git push",), "whole_line": True}, "git push | cat", "git push | cat"),
        ({"include": ("make",), "whole_line": True}, "git log | head", "git log | head"),
    ],
)
def test_lists(lists: dict[str, object], line: str, expected: str) -> None:
    rules = rewrite.Rules(is_program, **lists)  # type: ignore[arg-type]  # one table for all lists
    assert rewrite.rewrite(line, rules).text == expected.replace(MARK, rewrite.PREFIX)


def test_a_very_long_line_is_not_read() -> None:
    line = "git commit -m '" + "x" * (1 << 20) + "'"
    done = rewrite.rewrite(line, RULES)
    assert (done.text == line, done.reason) == (True, "length")


# Running both


class Outcome(NamedTuple):
    code: int
    stdout: bytes
    stderr: bytes


STUB = """#!/bin/sh
while read -r _; do :; done
printf '<%s>' "${0##*/}"
for word; do printf '[%s]' "$word"; done
printf 'A=%s B=%s\\n' "$A" "$B"
printf 'says %s\\n' "${0##*/}" >&2
case "$*" in *fail*) exit 3 ;; esac
case "${0##*/}" in grep | false-tool) exit 1 ;; esac
"""
CLAWWRAP = """#!/bin/sh
case "$1" in
--) shift; exec "$@" ;;
-c) exec /bin/bash -c -- "$2" bash ;;
--*) shift 2; [ "$1" = -- ] && shift; exec "$@" ;;
esac
exec "$@"
"""


def tools_of(lines: list[str]) -> set[str]:
    """Every word that could be a command; a stub that nobody calls does no harm."""
    words = {word for line in lines for word in re.findall(r"[A-Za-z_][\w.-]*", line)}
    return words - {"clawwrap"} | {"a1", "b-2", "grep", "false-tool"}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a PATH of its own, on which every tool only says how it was called."""
    stage = tmp_path_factory.mktemp("stage")
    (stage / "bin").mkdir()
    stub = stage / "stub"
    stub.write_text(STUB)
    stub.chmod(0o755)
    (stage / "bin" / "clawwrap").write_text(CLAWWRAP)
    (stage / "bin" / "clawwrap").chmod(0o755)
    every = [*CORPUS["prefixed"], *WHOLE["wrapped"]]
    for name in tools_of(every):
        (stage / "bin" / name).symlink_to(stub)
    for name in ("app", "my project", "target/release", "home/bin", "a", "x"):
        (stage / "work" / name).mkdir(parents=True)
    for path in ("run.sh", "gradlew", "a.out", "target/release/app", "my tool", "home/bin/tool"):
        shutil.copy(stub, stage / "work" / path)
    for path in (".env", "env.sh"):
        (stage / "work" / path).write_text("A=sourced\nexport A\n")
    for path in ("one.py", "input"):
        (stage / "work" / path).touch()
    return stage


def run_in(stage: Path, line: str) -> Outcome:
    done = subprocess.run(
        ["/bin/bash", "-c", "--", line, "bash", "first", "second word"],
        cwd=stage / "work",
        env={"PATH": str(stage / "bin"), "HOME": str(stage / "work" / "home"), "X": "x y"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=30,
    )
    # Numbers of processes and descriptors are others in every run; in a pipe nobody is first.
    stderr = re.sub(rb"\d\.\d+s", b"N", b"".join(sorted(done.stderr.splitlines(True))))
    return Outcome(done.returncode, re.sub(rb"\d{2,}", b"N", done.stdout), stderr)


#: They leave the folder, or change what every later word means.
LEAVES_THE_STAGE = ("/usr/local", "$EDITOR", "$CMD", "../bin", "cd /tmp", "command -v", "type git")
#: Nobody waits for what runs in these, so when it speaks is chance.
LOOSE = ("<(", ">(")


def runnable() -> Iterator[str]:
    for line in CORPUS["prefixed"]:
        plain = line.replace(MARK, "")
        if MARK in line and not any(part in plain for part in LEAVES_THE_STAGE):
            yield plain
    yield from (line for line in WHOLE["wrapped"] if not any(part in line for part in LOOSE))


def test_most_of_the_corpus_is_really_run() -> None:
    changed = sum(MARK in line for line in CORPUS["prefixed"]) + len(WHOLE["wrapped"])
    assert len(list(runnable())) > 0.95 * changed


@needs("bash")
@pytest.mark.parametrize("line", list(runnable()))
def test_the_rewritten_line_does_what_the_original_does(line: str, stage: Path) -> None:
    if line.startswith("while"):
        pytest.skip("it would run for ever where every tool succeeds")
    done = rewrite.rewrite(line, WHOLE_RULES)
    assert done.text != line
    assert run_in(stage, done.text) == run_in(stage, line)


# By chance

WORDS = st.sampled_from([
    "a", "a1", "b-2", "'x y'", '"x $X y"', "$X", "'|'", '">"', "a\\ b", "$'\\n'", "*.py", "{a,b}",
    "~", "-x", "--y=z", "A=1", "''", "#c", "x#y", "é", "\\\n", "'it'\\''s'", "%", "!", "fail",
])  # fmt: skip
TOOLS = st.sampled_from(["a1", "b-2", "'a1'", '"b-2"', "\\a1", "false-tool", "./run.sh"])
BUILTINS = st.sampled_from(["echo", "printf '%s\\n'", "cd app", "export A=2", ":", "test -n x"])
BLANKS = st.sampled_from([" ", "  ", "\t", " \\\n "])
SEPARATORS = st.sampled_from([" && ", "||", "; ", ";", "\n", " \n\n ", "\t&&\n", " # c\n"])


@st.composite
def simple(draw: st.DrawFn) -> str:
    words = [draw(st.sampled_from(["", "A=1", 'B="x y"', "! "])), draw(st.one_of(TOOLS, BUILTINS))]
    words += draw(st.lists(WORDS, max_size=4))
    return draw(BLANKS).join(word for word in words if word)


@st.composite
def lines(draw: st.DrawFn) -> str:
    line = draw(simple())
    for _ in range(draw(st.integers(0, 3))):
        line += draw(SEPARATORS) + draw(simple())
    return line


def accepts(line: str) -> bool:
    done = subprocess.run(["/bin/bash", "-n", "-c", "--", line], capture_output=True, env={})
    return done.returncode == 0


@needs("bash")
@settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(line=lines())
def test_generated_lines_do_what_they_did(line: str, stage: Path) -> None:
    there = {"a1", "b-2", "false-tool", "./run.sh"}
    done = rewrite.rewrite(line, rewrite.Rules(there.__contains__))
    assert without_prefixes(done) == line
    assert accepts(done.text) == accepts(line)
    if done.places:
        assert accepts(line)
        assert run_in(stage, done.text) == run_in(stage, line)


FRAGMENTS = st.lists(st.sampled_from([
    *"ab \t\n;&|()<>'\"`$\\{}[]!#=*~-\r\0é",
    "git ", "$(", "${", "$((", "<<E\n", "\nE\n", "&&", "||", ";;", "if ", "then ", "fi", "x=1 ",
    "esac", "case a in ", "[[ ", " ]]", "sudo ", "for i in ", "do ", "done", "$'", '$"', "2>",
]), max_size=14).map("".join)  # fmt: skip


@needs("bash")
@settings(max_examples=300, deadline=None)
@given(line=FRAGMENTS)
def test_whatever_comes_in_is_valid_or_untouched(line: str) -> None:
    done = rewrite.rewrite(line, RULES)
    assert without_prefixes(done) == line
    if done.text != line:
        assert accepts(line), "what bash refuses is not for us to edit"
        assert accepts(done.text)
    whole = rewrite.rewrite(line, WHOLE_RULES)
    if whole.whole:
        assert accepts(line)
        assert accepts(whole.text)


@needs("bash")
def test_bash_agrees_about_what_is_broken() -> None:
    """Whatever the corpus calls broken is left; whatever it changes, bash can read."""
    for line in CORPUS["prefixed"]:
        assert accepts(line.replace(MARK, "")), line
        assert accepts(line.replace(MARK, rewrite.PREFIX)), line
