"""What people see: on real pseudo-terminals of several widths, in pipes, and of any text.

The files in tests/golden/human hold the samples below for each screen. After a wanted
change write them again, and read the difference:

    WRITE_GOLDEN=1 python -m pytest tests/test_human.py -k golden
"""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import termios
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clawwrap import human, log, screen
from clawwrap.contract import ExitCode, Failure, Meta, Outcome, Redirect, Retry, ToolCode
from clawwrap.screen import LEAST, Screen, visible
from tests.conftest import CLAWWRAP, Run

GOLDEN = Path(__file__).parent / "golden" / "human"
WIDTHS = (40, 80, 200)
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
META = Meta(duration_ms=1, request_id="r", timestamp="2026-01-01T00:00:00.000Z", command="x")


# Looking at lines


def width(line: str) -> int:
    """The columns a terminal needs for a line, found without the code under test."""
    text = COLOURS.sub("", line)
    marks = sum(unicodedata.category(char) in ("Mn", "Me") for char in text)
    return len(text) - marks + sum(unicodedata.east_asian_width(char) in "WF" for char in text)


def test_the_measure_itself() -> None:
    assert [width(text) for text in ("", "ab", "\x1b[1mab\x1b[0m", "日本", "e\u0301")] == [
        0,
        2,
        2,
        4,
        1,
    ]


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", COLOURS.sub("", text))


# Samples


def failed(
    message: str,
    code: ExitCode | ToolCode = ExitCode.NOT_FOUND,
    error: str = "FILE_NOT_FOUND",
    *,
    after_ms: int | None = None,
    **more: Any,
) -> Outcome[Any]:
    retry = Retry(after_ms is not None, after_ms)
    return Outcome(code, META, failure=Failure(error, message, retry, **more))


def redirected(command: str) -> Outcome[Any]:
    return failed(
        "unknown command",
        ExitCode.REDIRECTED,
        "UNKNOWN_SUBCOMMAND",
        suggestion="Not shown beside a command.",
        redirect=Redirect(command, True),
    )


LONG_COMMAND = "docker compose --project-directory /srv/shop up --detach --remove-orphans 'a  b'"
ADDRESS = "https://docs.example.org/en/latest/reference/errors/quota-exceeded.html"

SUMMARIES = {
    "short": failed("x: No such file", suggestion="Check the path."),
    "same name": failed("boom", ExitCode.GENERAL_ERROR, "GENERAL_ERROR"),
    "code of a tool": failed("1 file differs", ToolCode(80, "DIFFERENCES_FOUND"), "DIFFERENCES"),
    "long": failed(
        "error: failed to push some refs to the remote repository, since it holds work that you "
        "do not have locally; this is usually caused by another repository pushing to it",
        ExitCode.RATE_LIMITED,
        "SECONDARY_RATE_LIMIT_OF_THE_HOSTING_SERVICE",
        after_ms=60_000,
        suggestion=f"Wait, read {ADDRESS} and the file "
        "/usr/share/doc/example/packages/a-rather-long-name/README.rst before the next attempt.",
    ),
    "command": redirected("git status"),
    "long command": redirected(LONG_COMMAND),
    "hostile": failed(
        "\x1b[2Jfile\u202etxt.exe\u200b is \u2066safe\u2069\tto run\rno\u00ad soft\U000e0041 tags",
        suggestion="名前を確認してから、もう一度実行してください。設定ファイルの場所も"
        "確認してください。 ⚠️ then cafe\u0301.",
    ),
}
TABLES: dict[str, list[tuple[str, ...]]] = {
    "small": [("TOOL", "LAYER"), ("git", "shipped"), ("日本語", "user"), ("e\u0301", "project")],
    "long last column": [
        ("CHECK", "LEVEL", "FOUND"),
        ("python", "ok", "CPython 3.13.1 at /opt/python/versions/3.13.1/bin/python3.13"),
        ("cache", "warning", "/var/cache: not writable — make it so; runs are slower till then."),
    ],
    "many columns": [
        ("COUNT", "COMMAND", "EXIT", "ADAPTER", "WORDS"),
        ("12", "docker compose up", "125", "docker", "service web\u202e failed to build: 錯誤"),
        ("3", "make", "2", "-", ""),
    ],
    "only names": [("COMMAND OF THE TOOL", "EFFECTS IT HAS", "EXIT CODES")],
}
PAIRS: dict[str, list[tuple[str, Any]]] = {
    "values": [
        ("exit_code", 8),
        ("meaning", "Credentials are missing, wrong or expired."),
        ("entry", {"retryable": True, "side_effects": "none"}),
        ("launchers", ["env", "sudo"]),
        ("adapter", None),
    ],
    "long names": [("a_name_that_leaves_no_room", "what it stands for"), ("b", "x")],
}


def samples(at: Screen) -> str:
    parts = [(f"summary: {name}", human.summary(one, at)) for name, one in SUMMARIES.items()]
    parts += [(f"table: {name}", human.table(rows, at)) for name, rows in TABLES.items()]
    parts += [(f"pairs: {name}", human.pairs(rows, at)) for name, rows in PAIRS.items()]
    return "\n".join(f"--- {name}\n{text}" for name, text in parts)


SCREENS = {
    f"{columns or 'piped'}{'-colour' if colour else ''}": Screen(columns, colour)
    for columns in (*WIDTHS, None)
    for colour in (False, True)
    if columns or not colour
}


@pytest.mark.parametrize("name", SCREENS)
def test_golden(name: str) -> None:
    path = GOLDEN / f"{name}.txt"
    found = samples(SCREENS[name])
    if os.environ.get("WRITE_GOLDEN"):
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8")


def test_every_golden_file_has_its_screen() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(SCREENS)


@pytest.mark.parametrize("columns", WIDTHS)
def test_colours_change_nothing_but_colours(columns: int) -> None:
    plain, coloured = samples(Screen(columns)), samples(Screen(columns, colour=True))
    assert "\x1b" not in plain
    assert COLOURS.sub("", coloured) == plain != coloured


# Summaries


@pytest.mark.parametrize("columns", [LEAST, *WIDTHS, 1000])
@pytest.mark.parametrize("name", [name for name in SUMMARIES if name != "long command"])
def test_no_line_of_a_summary_is_too_long_but_an_address(name: str, columns: int) -> None:
    lines = human.summary(SUMMARIES[name], Screen(columns)).splitlines()
    too_long = [line for line in lines if width(line) > min(columns, human.READABLE)]
    assert too_long == ([ADDRESS] if name == "long" and columns < len(ADDRESS) else [])


@pytest.mark.parametrize("columns", [LEAST, *WIDTHS, None])
def test_a_command_is_in_one_piece(columns: int | None) -> None:
    text = human.summary(redirected(LONG_COMMAND), Screen(columns))
    *_, label, last = ["", *text.splitlines()]
    assert last.endswith(LONG_COMMAND)
    if columns in (LEAST, 40, 80):
        assert (label, last) == ("  run", LONG_COMMAND)  # alone on its line, to be taken as it is
    else:
        assert last == f"  run   {LONG_COMMAND}"


def test_what_a_command_would_lose_by_being_copied_is_shown() -> None:
    text = human.summary(redirected("sh -c 'a\nb\tc\u00a0d'"), Screen(80))
    assert "run   sh -c 'a<U+000A>b<U+0009>c\u00a0d'\n" in text


@pytest.mark.parametrize("columns", [LEAST, *WIDTHS])
def test_words_are_whole(columns: int) -> None:
    message = "permission denied while trying to connect to the daemon socket"
    text = human.summary(failed(message), Screen(columns))
    assert [word for word in text.split() if word in message.split()] == message.split()


def test_blanks_within_a_line_stay() -> None:
    assert "  said  a   b\n" in human.summary(failed("a   b"), Screen(80))


def test_nothing_is_said_of_a_success() -> None:
    assert human.summary(Outcome(ExitCode.SUCCESS, META, data={}), Screen(80)) == ""


def test_a_small_last_column_that_fits_stays_a_column() -> None:
    assert human.table(TABLES["small"], Screen(LEAST)) == human.table(TABLES["small"])


# Any text

TEXT = st.text() | st.text("ab /\u3042\u0301\u202e\ufe0f⚠\U0001f600\t", max_size=300)
LINE = TEXT.map(lambda text: "x" + text.replace("\n", " "))
WIDE_ENOUGH = st.integers(LEAST, 250)


@given(LINE, LINE, TEXT, WIDE_ENOUGH, st.booleans())
@example("x" * 500, "日" * 99, "y " * 200, LEAST, True)
@example("x " + "e\u0301" * 99, "x", "⚠️" * 99, 41, False)
def test_a_summary_of_any_text_fits_and_is_complete(
    message: str, error: str, suggestion: str, columns: int, colour: bool
) -> None:
    outcome = failed(message, ExitCode.CONFLICT, error, suggestion=suggestion)
    text = human.summary(outcome, Screen(columns, colour))
    assert all(width(line) <= columns for line in text.split("\n") if "://" not in line)
    means = ExitCode.CONFLICT.description
    said = ["clawwrap: 6 CONFLICT (", visible(error), ") said", visible(message), "means", means]
    said += ["next", visible(suggestion)] if suggestion else []
    assert squeezed(text) == squeezed("".join(said))


CELLS = st.integers(1, 5).flatmap(
    lambda size: st.lists(st.tuples(*[TEXT] * size), min_size=1, max_size=5)
)


@given(CELLS, WIDE_ENOUGH, st.booleans())
def test_a_table_of_any_text_fits_and_is_complete(
    rows: list[tuple[str, ...]], columns: int, colour: bool
) -> None:
    text = human.table(rows, Screen(columns, colour))
    assert all(width(line) <= columns for line in text.split("\n"))
    found = "".join(sorted(squeezed(text)))
    once = squeezed("".join(visible(cell) for row in rows for cell in row))
    again = squeezed("".join(map(visible, rows[0]))) * max(0, len(rows) - 2)
    stacked = squeezed("".join(map(visible, rows[0]))) * (len(rows) == 1)
    # The names stand once above the columns, or once in each record.
    assert found in ("".join(sorted(once)), "".join(sorted(once + again)), stacked)


@given(st.lists(st.tuples(TEXT, TEXT), max_size=5), WIDE_ENOUGH, st.booleans())
def test_pairs_of_any_text_fit_and_are_complete(
    rows: list[tuple[str, str]], columns: int, colour: bool
) -> None:
    text = human.pairs(rows, Screen(columns, colour))
    assert all(width(line) <= columns for line in text.split("\n"))
    assert squeezed(text) == squeezed("".join(visible(text) for row in rows for text in row))


@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=5))
def test_without_a_width_a_record_is_a_line(rows: list[tuple[str, str]]) -> None:
    assert human.table(rows).count("\n") == human.pairs(rows).count("\n") == len(rows)


@given(TEXT)
def test_what_is_visible_stays_as_it_is(text: str) -> None:
    shown = visible(text)
    assert visible(shown) == shown
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]", shown)
    shown.encode()  # no half of a surrogate pair is left


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a b-c", "a b-c", id="plain"),
        pytest.param("a\tb\nc\rd", "a b c d", id="tab and line breaks"),
        pytest.param("\x1b[31m\x07\x7f\x9b", "<U+001B>[31m<U+0007><U+007F><U+009B>", id="controls"),
        pytest.param("a\u202eb\u2066c\u061c", "a<U+202E>b<U+2066>c<U+061C>", id="bidirectional"),
        pytest.param("a\u200bb\ufeff\u00ad\u2060", "a<U+200B>b<U+FEFF><U+00AD><U+2060>", id="none"),
        pytest.param("\u3164\u115f\u2800\u034f", "<U+3164><U+115F><U+2800><U+034F>", id="fillers"),
        pytest.param("\U000e0001\U000e0041", "<U+E0001><U+E0041>", id="tags"),
        pytest.param("a\ufe00\ufe0f\U000e0100", "a<U+FE00><U+FE0F><U+E0100>", id="selectors"),
        pytest.param("⚠️ ✔️", "⚠️ ✔️", id="pictures stay"),
        pytest.param("⚠️\ufe0f", "⚠️<U+FE0F>", id="one selector belongs to a picture"),
        pytest.param("\udcff", "<U+DCFF>", id="a byte that is no text"),
        pytest.param("né 日本 שלום e\u0301", "né 日本 שלום e\u0301", id="languages stay"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        pytest.param("", 0, id="nothing"),
        pytest.param("ab", 2, id="letters"),
        pytest.param("日本", 4, id="wide"),
        pytest.param("ｶﾅ", 2, id="narrow forms of wide ones"),
        pytest.param("e\u0301\u0323", 1, id="marks on a letter"),
        pytest.param("😀", 2, id="emoji"),
        pytest.param("⚠️", 2, id="a narrow sign as emoji"),
        pytest.param("⭐️", 2, id="a wide sign as emoji"),
        pytest.param("\u1112\u1161\u11ab", 2, id="a syllable of three parts"),
    ],
)
def test_columns(text: str, columns: int) -> None:
    assert screen.columns(text) == columns


@pytest.mark.parametrize("room", [7, None])
def test_no_line_ends_at_a_blank_that_holds_words_together(room: int | None) -> None:
    lines = screen.wrap(f"1, 3{screen.NO_BREAK}four", room)
    assert lines == (["1, 3 four"] if room is None else ["1,", "3 four"])


def test_a_long_path_ends_a_line_behind_a_slash() -> None:
    assert screen.wrap("at /usr/share/something/else.yaml", 20) == [
        "at",
        "/usr/share/",
        "something/else.yaml",
    ]


# The screen


class Terminal(NamedTuple):
    master: int
    slave: int


@pytest.fixture
def terminal() -> Any:
    opened: list[int] = []

    def make(columns: int) -> Terminal:
        made = Terminal(*pty.openpty())
        opened.extend(made)
        termios.tcsetwinsize(made.slave, (30, columns))
        return made

    yield make
    for fd in opened:
        os.close(fd)


@pytest.mark.parametrize(
    ("columns", "environ", "expected"),
    [
        pytest.param(40, {}, 40, id="its own size"),
        pytest.param(40, {"COLUMNS": "99"}, 40, id="its own size first"),
        pytest.param(0, {"COLUMNS": "99"}, 99, id="told"),
        pytest.param(0, {"COLUMNS": "wide"}, None, id="told nonsense"),
        pytest.param(0, {}, None, id="unknown"),
        pytest.param(5, {}, LEAST, id="too narrow to be true"),
    ],
)
def test_the_width_of_a_terminal(
    terminal: Callable[[int], Terminal],
    columns: int,
    environ: dict[str, str],
    expected: int | None,
) -> None:
    assert Screen.of(terminal(columns).slave, environ).width == expected


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        pytest.param({"TERM": "xterm"}, True, id="a terminal"),
        pytest.param({"TERM": "xterm", "NO_COLOR": ""}, True, id="an empty NO_COLOR says nothing"),
        pytest.param({"TERM": "xterm", "NO_COLOR": "1"}, False, id="NO_COLOR"),
        pytest.param({"TERM": "dumb"}, False, id="dumb"),
        pytest.param({}, False, id="no TERM"),
    ],
)
def test_the_colours_of_a_terminal(
    terminal: Callable[[int], Terminal], environ: dict[str, str], expected: bool
) -> None:
    assert Screen.of(terminal(80).slave, environ).colour is expected


def test_a_pipe_has_no_width_and_no_colours() -> None:
    read, write = os.pipe()
    try:
        environ = {"COLUMNS": "40", "TERM": "xterm", "FORCE_COLOR": "1"}
        assert Screen.of(write, environ) == Screen(None, colour=False)
    finally:
        os.close(read)
        os.close(write)


# clawwrap itself on a terminal


class Seen(NamedTuple):
    code: int
    raw: bytes

    @property
    def text(self) -> str:
        return self.raw.decode().replace("\r\n", "\n")

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()


View = Callable[..., Seen]


@pytest.fixture
def view(clean_env: dict[str, str], tmp_path: Path) -> View:
    """Run a command as the leader of a terminal of this width; returns all that it shows."""

    def call(*words: str, columns: int = 80, env: Mapping[str, str] | None = None) -> Seen:
        environ = clean_env | {"TERM": "xterm"} | dict(env or {})
        pid, fd = pty.fork()
        if pid == 0:
            termios.tcsetwinsize(0, (30, columns))
            os.chdir(tmp_path)
            os.execvpe(words[0], words, environ)
        raw = b""
        try:
            while select.select([fd], [], [], 60)[0] and (chunk := os.read(fd, 65536)):
                raw += chunk
        except OSError:
            pass  # how Linux says that the other end is closed
        os.close(fd)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        assert b"Traceback" not in raw
        return Seen(code, raw)

    return call


SCRIPT = r"printf 'a\033[1mb\033[0m\r\tc\n'; printf 'note\n' >&2; stty size; tput cols; "


@pytest.mark.parametrize("columns", WIDTHS)
def test_nothing_is_added_to_a_success(view: View, columns: int) -> None:
    tool = ("sh", "-c", SCRIPT.replace("; printf 'note\\n' >&2", ""))
    assert view(*CLAWWRAP, *tool, columns=columns) == view(*tool, columns=columns)
    seen = view(*CLAWWRAP, "sh", "-c", "echo note >&2", columns=columns)
    assert seen == (0, b"note\r\n")


@pytest.mark.parametrize("look", ["colour", "NO_COLOR", "TERM"])
@pytest.mark.parametrize("columns", WIDTHS)
def test_the_summary_after_a_failure(view: View, columns: int, look: str) -> None:
    env = {"colour": {}, "NO_COLOR": {"NO_COLOR": "1"}, "TERM": {"TERM": "dumb"}}[look]
    message = "cp: cannot stat 'a-file': No such file or directory"
    seen = view(*CLAWWRAP, "sh", "-c", f'echo "{message}" >&2; exit 1', columns=columns, env=env)
    assert seen.code == 5
    assert seen.lines[0] == message
    ours = seen.lines[1:]
    assert COLOURS.sub("", ours[0]).startswith("clawwrap: 5 NOT_FOUND")
    assert ("\x1b" in seen.text) is (look == "colour")
    assert all(width(line) <= columns for line in ours)
    text = " ".join(COLOURS.sub("", " ".join(ours)).split())
    assert f"said {message} means The thing that was addressed does not exist. next" in text


@pytest.mark.parametrize("columns", WIDTHS)
def test_a_command_can_be_copied(view: View, columns: int) -> None:
    seen = view(*CLAWWRAP, "head -5 a-file-with-a-long-name | sort", columns=columns)
    assert seen.code == 13
    command = "clawwrap -c 'head -5 a-file-with-a-long-name | sort'"
    assert COLOURS.sub("", seen.lines[-1]).removeprefix("  run   ") == command


def test_the_tools_tricks_stay_out_of_the_summary(view: View) -> None:
    script = r"printf 'safe\342\200\256txt.exe: No such file or directory\n' >&2; exit 1"
    shown, _, ours = view(*CLAWWRAP, "sh", "-c", script).text.partition("clawwrap: ")
    assert "\u202e" in shown  # the tool's own output is never changed
    assert "\u202e" not in ours
    assert re.search(r"<U\+202E>|\\u202e", ours)


def test_human_can_be_forced_in_a_pipe(run: Run) -> None:
    words = ("--output", "human", "--", "sh", "-c", "echo out; echo 'x: Permission denied' >&2; ")
    result = run(*words[:-1], words[-1] + "exit 1", check=False, env={"COLUMNS": "40"})
    assert result.stdout == b"out\n"
    head, *rows = result.stderr.decode().splitlines()[1:]
    assert head.startswith("clawwrap: 7 PERMISSION_DENIED")
    assert rows[0] == "  said  x: Permission denied"
    assert rows[1] == "  means The identity is known and may not do this."
    assert all(row.startswith("  next  ") for row in rows[2:])  # in one line, however long
    done = run(*words[:-1], words[-1] + "exit 0", check=False)
    assert (done.stdout, done.stderr) == (b"out\n", b"x: Permission denied\n")


def test_output_in_a_pipe_and_summary_on_the_terminal(
    terminal: Callable[[int], Terminal], clean_env: dict[str, str], tmp_path: Path
) -> None:
    screen_of_40 = terminal(40)
    done = subprocess.run(
        [*CLAWWRAP, "-o", "human", "sh", "-c", "echo out; exit 66"],
        env=clean_env | {"TERM": "xterm"},
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=screen_of_40.slave,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (5, b"out\n")
    lines = os.read(screen_of_40.master, 65536).decode().splitlines()
    assert lines[0].startswith("\x1b[1;31mclawwrap: 5 NOT_FOUND\x1b[0m")
    assert all(width(line) <= 40 for line in lines)


# Verbs on a terminal

MISS = (
    '{"v":1,"time":"2026-01-01T00:00:00Z","tool":"frobnicate","command":"frobnicate",'
    '"code":"GENERAL_ERROR","exit_code":1,"duration_ms":1,"native_exit":9,'
    '"miss":true,"words":"widget rejected the frobnication of all the gadgets\\u202e"}\n'
)
VERBS = [
    ("adapters", "list"),
    ("adapters", "misses"),
    ("doctor",),
    ("explain", "8"),
    ("explain", "--", "git", "push"),
    ("log",),
    ("manifest", "git"),
    ("schema",),
    ("stats", "--since", "2026-01-01"),
]


@pytest.fixture
def misses(tmp_path: Path) -> dict[str, str]:
    env = {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
    folder = Path(log.folder(env))
    folder.mkdir(parents=True)
    (folder / "log.jsonl").write_text(MISS)
    return {"XDG_STATE_HOME": env["XDG_STATE_HOME"]}


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_answers_fit_every_terminal(view: View, misses: dict[str, str], words: Any) -> None:
    for columns in WIDTHS:
        seen = view(*CLAWWRAP, *words, columns=columns, env=misses | {"NO_COLOR": "1"})
        assert seen.code == 0
        assert all(width(line) <= columns for line in seen.lines)
        assert "\x1b" not in seen.text
        assert "\u202e" not in seen.text


def test_a_list_is_a_table_where_it_fits_and_records_where_not(
    view: View, misses: dict[str, str]
) -> None:
    wide = view(*CLAWWRAP, "adapters", "misses", columns=80, env=misses)
    assert wide.lines == [
        "\x1b[1mCOUNT\x1b[0m  \x1b[1mCOMMAND\x1b[0m     \x1b[1mEXIT\x1b[0m  "
        "\x1b[1mADAPTER\x1b[0m  \x1b[1mWORDS\x1b[0m",
        "1      frobnicate  9     -        widget rejected the frobnication of all the",
        "                                  gadgets<U+202E>",
    ]
    narrow = view(*CLAWWRAP, "adapters", "misses", columns=40, env=misses | {"TERM": "dumb"})
    assert narrow.lines == [
        "COUNT    1",
        "COMMAND  frobnicate",
        "EXIT     9",
        "ADAPTER  -",
        "WORDS    widget rejected the",
        "         frobnication of all the",
        "         gadgets<U+202E>",
    ]


def test_a_list_in_a_pipe_has_one_line_for_each(run: Run, misses: dict[str, str]) -> None:
    words = ("adapters", "misses", "-o", "human")
    text = run(*words, check=False, env=misses | {"COLUMNS": "40"}).stdout.decode()
    assert text == (
        "COUNT  COMMAND     EXIT  ADAPTER  WORDS\n"
        "1      frobnicate  9     -        "
        "widget rejected the frobnication of all the gadgets<U+202E>\n"
    )


def test_an_adapter_is_shown_without_hidden_characters(
    run: Run, adapter_file: Callable[[str, str], Path]
) -> None:
    path = adapter_file(
        "thing", "tool: thing\nabout: a \u202etest\nexit_codes: {SUCCESS: It ran}\n"
    )
    text = run("adapters", "show", str(path), "-o", "human", check=False).stdout.decode()
    assert text.splitlines()[1:] == [
        "tool: thing",
        "about: a <U+202E>test",
        "exit_codes: {SUCCESS: It ran}",
    ]
