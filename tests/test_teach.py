"""The files that teach an agent: short, valid, idempotent, and true in every sentence."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest
import yaml

from clawwrap import reader
from clawwrap.admin import teach
from clawwrap.contract import ExitCode
from tests.conftest import Run

MOST_TOKENS = 600
#: English prose and code have 3.5 to 4.5 characters a token in the vocabularies of today; with
#: fewer than this, only text in other scripts does.
FEWEST_CHARACTERS = 3.2
SECTION = teach.agents_md("-").text
SKILL = teach.skill("-").text


@pytest.mark.parametrize("text", [SKILL, SECTION], ids=["skill", "agents-md"])
def test_it_is_short(text: str) -> None:
    assert len(text) / FEWEST_CHARACTERS < MOST_TOKENS


@pytest.mark.parametrize("text", [SKILL, SECTION], ids=["skill", "agents-md"])
def test_it_is_short_for_a_real_tokenizer(text: str) -> None:
    bpe = pytest.importorskip("rs_bpe.bpe", reason="the tokenizers of rs-bpe are not installed")
    for vocabulary in (bpe.openai.cl100k_base(), bpe.openai.o200k_base()):
        assert len(vocabulary.encode(text)) < MOST_TOKENS


def test_the_front_matter_is_that_of_a_skill() -> None:
    """The rules of https://agentskills.io/specification."""
    _, front, body = SKILL.split("---\n", 2)
    fields = yaml.safe_load(front)
    assert set(fields) == {"name", "description"}
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fields["name"]) and len(fields["name"]) <= 64
    assert 0 < len(fields["description"]) <= 1024
    assert body.strip()


def test_the_skill_is_written_where_its_name_says(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "skills" / "clawwrap" / "SKILL.md"
    made = run("manifest", "--skill", str(tmp_path / "skills"))
    assert made.data == {"file": str(path), "changed": True}
    assert path.read_text() == SKILL
    assert run("manifest", "--skill", str(tmp_path / "skills")).data["changed"] is False
    path.write_text("---\nname: clawwrap\n---\nof an older version\n")
    assert run("manifest", "--skill", str(tmp_path / "skills")).data["changed"] is True
    path.write_text("---\nname: mine\n---\n")
    result = run("manifest", "--skill", str(tmp_path / "skills"))
    assert (result.code, result.error["code"]) == (6, "FILE_EXISTS")
    assert path.read_text() == "---\nname: mine\n---\n"


def test_to_standard_output(run: Run) -> None:
    assert run("manifest", "--skill", "-").data == {"text": SKILL}
    raw = run("manifest", "--agents-md", "-", "-o", "raw", check=False)
    assert raw.stdout.decode() == SECTION


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"", "{}"),
        (b"# Mine\n", "# Mine\n\n{}"),
        (b"# Mine", "# Mine\n\n{}"),
        (b"# A\r\n", "# A\r\n\r\n{crlf}"),
        (b"a\n<!-- clawwrap:begin -->\nold\n<!-- clawwrap:end -->\nb\n", "a\n{}b\n"),
        (b"a\n<!-- clawwrap:begin --><!-- clawwrap:end -->", "a\n{bare}"),
        (b"\xff caf\xe9\n", "\udcff caf\udce9\n\n{}"),
    ],
)
def test_the_section_has_its_place(run: Run, tmp_path: Path, old: bytes, new: str) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(old)
    forms = {"crlf": SECTION.replace("\n", "\r\n"), "bare": SECTION.rstrip("\n")}
    expected = os.fsencode(new.format(SECTION, **forms))
    for changed in (True, False):
        data = run("manifest", "--agents-md", str(path)).data
        assert data == {"file": str(path), "changed": changed}
        assert path.read_bytes() == expected


def test_a_new_file_in_a_folder(run: Run, tmp_path: Path) -> None:
    run("manifest", "--agents-md", str(tmp_path))
    assert (tmp_path / "AGENTS.md").read_text() == SECTION


def test_mode_and_link_stay(run: Run, tmp_path: Path) -> None:
    real = tmp_path / "CLAUDE.md"
    real.write_text("# Mine\n")
    real.chmod(0o640)
    (tmp_path / "AGENTS.md").symlink_to("CLAUDE.md")
    run("manifest", "--agents-md", str(tmp_path / "AGENTS.md"))
    assert (tmp_path / "AGENTS.md").is_symlink()
    assert SECTION in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    "text",
    [
        "<!-- clawwrap:begin -->\n",
        "<!-- clawwrap:end -->\n",
        "<!-- clawwrap:end -->\n<!-- clawwrap:begin -->\n",
        "<!-- clawwrap:begin -->\n<!-- clawwrap:begin -->\n<!-- clawwrap:end -->\n",
    ],
)
def test_broken_markers_are_left_alone(run: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_text(text)
    result = run("manifest", "--agents-md", str(path))
    assert (result.code, result.error["code"]) == (4, "NOT_READY")
    assert path.read_text() == text
    assert os.listdir(tmp_path) == ["AGENTS.md"]


def test_where_nothing_can_be_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for words in (["--skill", "file"], ["--agents-md", "file/AGENTS.md"]):
        result = run("manifest", *words)
        assert result.code == 3 and "file" in result.error["message"]
    assert os.listdir(tmp_path) == ["file"]


# Every sentence


def says(sentence: str) -> None:
    """The guide still says what the test proves."""
    assert sentence in teach.guide()


def test_every_command_in_it_is_proved_here() -> None:
    source = Path(__file__).read_text()
    for span in re.findall(r"`([^`]+)`", teach.guide()):
        assert f"`{span}`" in source, f"no test speaks of `{span}`"


def test_what_it_says_of_the_envelope(run: Run) -> None:
    says("`ok`, `data`, `error`, `warnings`, `meta`")
    says("Put `clawwrap` in front of a command: `clawwrap git push`")
    result = run("sh", "-c", "echo 'a  b'")
    assert list(result.envelope) == ["ok", "data", "error", "warnings", "meta"]
    assert result.meta["argv"] == ["sh", "-c", "echo 'a  b'"]
    assert run("git", "push").meta["command"] == "git push"
    says("Quote a pipe or a list: `clawwrap -c 'make && make test | tail'`")
    assert run("-c", "true && echo x | tail").data == {"stdout": "x\n"}


def test_what_it_says_of_the_codes() -> None:
    text = teach.guide()
    for code in ExitCode:
        found = re.search(rf"\b{code.value} {code.name}: ([a-z ]+)[;.]", text)
        assert found
        assert found[1].replace(" ", "_") in {action.value for action in reader.Action}
    says("3 ARG_ERROR: fix input; 4 PRECONDITION: make ready")
    says("13 REDIRECTED: call instead")


def test_what_it_says_of_codes_of_tools(run: Run, tmp_path: Path) -> None:
    says("79–125: the tool did its job and has bad news, such as failed tests")
    says("`clawwrap manifest TOOL` names these")
    (tmp_path / "a").write_text("a")
    (tmp_path / "b").write_text("b")
    result = run("diff", "a", "b")
    assert 79 <= result.code <= 125
    assert str(result.code) in run("manifest", "diff").data["exit_codes"]
    assert "TESTS_FAILED" in str(run("manifest", "pytest").data["exit_codes"])


def test_what_it_says_of_errors(run: Run) -> None:
    says("Only `error.retryable` true allows the same call again, after `error.retry_after`")
    says('with `"maybe"` change something first')
    limited = run("sh", "-c", "echo 'error: 429 Too Many Requests, retry after 7 s' >&2; exit 1")
    assert (limited.error["retryable"], limited.error["retry_after"]) == (True, 7)
    assert run("false").error["retryable"] == "maybe"
    says("`error.code` is stable, `error.message` one line, `error.detail` the tool's stderr")
    says("`error.suggestion` the next step")
    failed = run("ls", "/no/such")
    assert failed.error["code"] == "FILE_NOT_FOUND"
    assert "\n" not in failed.error["message"]
    assert "/no/such" in failed.error["detail"]
    assert failed.error["suggestion"]
    says("`error.phase` `validation`: nothing was changed")
    assert run("--timeout", "soon", "true").error["phase"] == "validation"
    says("13: run `error.redirect.command`")
    assert run("git", "statsu").error["redirect"]["command"] == "git status"


def test_what_it_says_of_pages(run: Run) -> None:
    says("`meta.truncated`: `clawwrap --cursor TOKEN` with `meta.cursor` prints the next page")
    first = run("seq", "1", "100000")
    assert first.meta["truncated"] is True
    second = run("--cursor", first.meta["cursor"])
    assert second.data["stdout"].startswith(str(int(first.data["stdout"].split()[-1]) + 1))


def test_what_it_says_of_questions_and_time(run: Run) -> None:
    says("Nothing can ask you: answer by options or stdin")
    assert run("sh", "-c", "read x </dev/tty").code != 0
    assert run("cat", input=b"yes\n").data == {"stdout": "yes\n"}
    says("`--timeout 30s` ends the whole process tree")
    result = run("--timeout", "30s", "sleep", "0")
    assert result.meta["timeout_ms"] == 30_000
    result = run("--timeout", "300ms", "sh", "-c", "sleep 61.125 & echo $!; wait")
    assert result.code == 10
    child = int(result.error["output"]["stdout"])
    end = time.monotonic() + 30
    while Path(f"/proc/{child}/status").exists():  # until somebody buries it
        if "Z" in Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]:
            break
        assert time.monotonic() < end


def test_what_it_says_of_the_rest(run: Run, tmp_path: Path) -> None:
    says("What `meta.untrusted` names is the tool's text")
    assert run("echo", "x").meta["untrusted"] == ["data"]
    says("`clawwrap explain -- COMMAND` tells effects and timeout without running it")
    data = run("explain", "--", "touch", "made").data
    assert {"effects", "timeout_ms"} <= set(data)
    assert not (tmp_path / "made").exists()
    says("`cd` and `export` belong in the shell itself")
    for word in ("cd", "export"):
        assert run(word, "x").error["code"] == "SHELL_BUILTIN"
    says("`CLAWWRAP=off` runs the bare tool")
    assert run("echo", "x", env={"CLAWWRAP": "off"}, check=False).stdout == b"x\n"
