"""Many commands, one envelope each."""

from __future__ import annotations

import io
import json
import os
import pty
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from clawwrap import api, schema
from clawwrap import batch as many
from clawwrap.contract import ExitCode
from tests.conftest import CLAWWRAP, Result, Run, check_envelope

Items = list[Any]
Batch = Callable[..., tuple[list[dict[str, Any]], Result]]


@pytest.fixture
def batch(run: Run, tmp_path: Path) -> Batch:
    """Run items; every line must be a valid envelope."""

    def call(items: Items, *words: str, **more: Any) -> tuple[list[dict[str, Any]], Result]:
        text = "".join(item if isinstance(item, str) else json.dumps(item) + "\n" for item in items)
        result = run("batch", *words, input=text.encode(), check=False, **more)
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        for line in lines:
            check_envelope(line, line["meta"]["exit_code"])
        return lines, result

    return call


def test_one_envelope_for_each_line(batch: Batch) -> None:
    lines, result = batch([["echo", "a"], ["ls", "/no/such"], "\n", {"argv": ["echo", "b"]}])
    assert [line["meta"]["exit_code"] for line in lines] == [0, 5, 0]
    assert [line["meta"]["batch"]["line"] for line in lines] == [1, 2, 4]
    assert result.code == ExitCode.PARTIAL_FAILURE.value
    assert b"1 of 3 commands failed" in result.stderr


def test_all_that_works_is_a_success_without_a_word(batch: Batch) -> None:
    lines, result = batch([["true"]] * 3, "-j", "2")
    assert (len(lines), result.code, result.stderr) == (3, 0, b"")


def test_nothing_to_do_is_a_success(batch: Batch) -> None:
    assert batch([])[1].code == 0


def test_all_that_fails_for_one_reason_is_that_reason(batch: Batch) -> None:
    assert batch([["ls", "/no/such"]] * 2)[1].code == ExitCode.NOT_FOUND.value
    assert batch([["ls", "/no/such"], ["false"]])[1].code == ExitCode.GENERAL_ERROR.value


def test_an_object_says_how(batch: Batch, tmp_path: Path) -> None:
    items = [
        {"argv": ["cat"], "stdin": "höher\n", "id": "one"},
        {"argv": ["pwd"], "cwd": "/"},
        {"argv": ["sh", "-c", "echo $COLOUR"], "env": {"COLOUR": "red"}},
        {"argv": ["sleep", "9"], "timeout": "100ms"},
        {"line": "echo x | tr x y"},
        {"argv": ["sleep", "9"], "timeout": 0.1},
    ]
    lines, _ = batch(items)
    assert [line["data"] and line["data"]["stdout"] for line in lines] == [
        "höher\n",
        "/\n",
        "red\n",
        None,
        "y\n",
        None,
    ]
    assert lines[0]["meta"]["batch"]["id"] == "one"
    assert lines[3]["error"]["code"] == lines[5]["error"]["code"] == "OPERATION_TIMEOUT"


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("no json\n", "line 1: broken JSON"),
        ('"true"\n', "expected a list of words or an object"),
        ([], "argv: expected a list of at least one word"),
        (["a", 1], "argv: expected a list of at least one word"),
        (["a\0b"], "argv: expected"),
        ({}, "expected one of argv and line"),
        ({"argv": ["true"], "line": "true"}, "expected one of argv and line"),
        ({"argv": ["true"], "shell": True}, "unknown key 'shell'"),
        ({"argv": ["true"], "env": ["A=1"]}, "env: expected an object"),
        ({"argv": ["true"], "env": {"A=B": "1"}}, "env: expected an object"),
        ({"argv": ["true"], "timeout": "soon"}, "--timeout wants a duration"),
        ({"argv": ["true"], "cwd": "/no/such"}, "is no folder"),
        ('{"argv": ["true"], "argv": ["false"]}\n', "stands there twice"),
        ('["echo", "\\ud800"]\n', "argv[1] holds half a character"),
        ('{"argv": ["true"], "cwd": "/\\ud800"}\n', "is no folder"),
        ('{"argv": ["true"], "env": {"A": "\\ud800"}}\n', "holds half a character"),
        ("\0\x1b[2J\x07\n", "line 1: broken JSON"),
    ],
)
def test_a_broken_line_costs_itself_alone(batch: Batch, item: Any, said: str) -> None:
    lines, _ = batch([item, ["echo", "on"]])
    assert said in lines[0]["error"]["message"]
    assert lines[0]["error"]["phase"] == "validation"
    assert lines[0]["meta"]["exit_code"] == ExitCode.ARG_ERROR.value
    assert lines[1]["data"] == {"stdout": "on\n"}


def test_the_order_of_the_commands_is_kept_where_asked(batch: Batch) -> None:
    items = [["sh", "-c", f"sleep 0.{n}; echo {n}"] for n in (4, 1, 2)]
    lines, _ = batch(items, "-j", "3", "--keep-order")
    assert [line["data"]["stdout"] for line in lines] == ["4\n", "1\n", "2\n"]
    lines, _ = batch(items, "-j", "3")
    assert [line["data"]["stdout"] for line in lines] == ["1\n", "2\n", "4\n"]


def test_commands_run_side_by_side(batch: Batch, tmp_path: Path) -> None:
    """Each waits for the other's file, so one after the other they would never end."""
    wait = "touch {0}; until test -e {1}; do sleep 0.01; done"
    items = [["sh", "-c", wait.format("a", "b")], ["sh", "-c", wait.format("b", "a")]]
    lines, _ = batch(items, "-j", "2", "--timeout", "20s")
    assert [line["ok"] for line in lines] == [True, True]


def test_after_a_failure_nothing_more_is_started(batch: Batch, tmp_path: Path) -> None:
    items = [["false"], *([["sh", "-c", "echo x >> ran"]] * 20)]
    lines, result = batch(items, "--fail-fast")
    assert len(lines) == 1 and not (tmp_path / "ran").exists()
    assert result.code != 0 and b"stopped after" in result.stderr


def test_after_a_failure_what_runs_is_ended(batch: Batch) -> None:
    lines, _ = batch([["sleep", "60"], ["false"]], "-j", "2", "--fail-fast")
    assert {line["error"]["code"] for line in lines} == {"UNCLASSIFIED", "CANCELLED"}


def test_an_earlier_output_is_gone_on_from(batch: Batch, tmp_path: Path) -> None:
    items = [["sh", "-c", f"echo {n} >> ran; exit {n}"] for n in range(3)]
    _, first = batch(items)
    done = tmp_path / "done.jsonl"
    done.write_bytes(first.stdout + b'{"ok": tr')
    lines, result = batch([*items, ["echo", "new"]], "--resume", str(done))
    assert [line["meta"]["batch"]["line"] for line in lines] == [4]
    assert result.code == 0
    lines, _ = batch(items, "--resume-failed", str(done))
    assert [line["meta"]["batch"]["line"] for line in lines] == [2, 3]
    assert (tmp_path / "ran").read_text().split() == ["0", "1", "2", "1", "2"]


def test_another_command_on_the_same_line_is_run(batch: Batch, tmp_path: Path) -> None:
    _, first = batch([["echo", "a"]])
    done = tmp_path / "done.jsonl"
    done.write_bytes(first.stdout)
    assert [line["data"] for line in batch([["echo", "b"]], "--resume", str(done))[0]] == [
        {"stdout": "b\n"}
    ]


def test_what_was_cancelled_is_run_again(batch: Batch, tmp_path: Path) -> None:
    _, first = batch([["sleep", "60"], ["false"]], "-j", "2", "--fail-fast")
    done = tmp_path / "done.jsonl"
    done.write_bytes(first.stdout)
    items = [["sleep", "60"], ["false"]]
    lines, _ = batch(items, "--resume", str(done), "--timeout", "100ms")
    assert [line["meta"]["batch"]["line"] for line in lines] == [1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_what_runs_and_every_answer_comes_out(
    clean_env: dict[str, str], tmp_path: Path, number: int, gone: Callable[[int], bool]
) -> None:
    """Its input stays open: the batch must not wait for another line."""
    with subprocess.Popen(
        [*CLAWWRAP, "batch", "-j", "2"],
        env=clean_env,
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write(b'["sh", "-c", "echo $$ > pid; sleep 60"]\n')
        process.stdin.flush()
        until = time.monotonic() + 20
        pid = tmp_path / "pid"
        while not (pid.exists() and pid.read_text().strip()) and time.monotonic() < until:
            time.sleep(0.01)
        process.send_signal(number)
        line = json.loads(process.stdout.readline())
        assert process.wait(20) != 0
    assert line["error"]["code"] == "CANCELLED"
    assert gone(int(pid.read_text()))


def test_answers_come_while_the_input_is_open(clean_env: dict[str, str], tmp_path: Path) -> None:
    with subprocess.Popen(
        [*CLAWWRAP, "batch"],
        env=clean_env,
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin and process.stdout
        for word in (b"a", b"b"):
            process.stdin.write(b'["echo", "' + word + b'"]\n')
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["data"]["stdout"] == word.decode() + "\n"
        process.stdin.close()
        assert process.wait(20) == 0


def test_a_reader_that_goes_away_ends_it(clean_env: dict[str, str], tmp_path: Path) -> None:
    items = tmp_path / "items"
    items.write_text('["sh", "-c", "echo x >> ran"]\n' * 300)
    words = " ".join([*CLAWWRAP, "batch", str(items)])
    done = subprocess.run(
        ["sh", "-c", f"{words} | head -n 1"], env=clean_env, cwd=tmp_path, capture_output=True
    )
    assert done.stdout.count(b"\n") == 1 and b"Traceback" not in done.stderr
    assert (tmp_path / "ran").read_text().count("x") < 300


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["-j", "0"], ExitCode.ARG_ERROR),
        (["-j", "many"], ExitCode.ARG_ERROR),
        (["/no/such/file"], ExitCode.NOT_FOUND),
        (["--resume", "/"], ExitCode.ARG_ERROR),
    ],
)
def test_a_wrong_call_is_refused(run: Run, words: list[str], code: ExitCode) -> None:
    result = run("batch", *words, input=b'["true"]\n')
    assert result.code == code.value and result.error["source"] == "clawwrap"


def test_what_only_clawwrap_reads_may_be_any_text(batch: Batch) -> None:
    lines, result = batch(['{"argv": ["cat"], "id": "\\ud800", "stdin": "\\ud800"}\n'])
    assert (len(lines), result.code) == (1, 0)


def test_garbage_is_answered_line_by_line(run: Run) -> None:
    garbage = bytes(range(256)).replace(b"\n", b"") * 40 + b"\n"
    result = run("batch", "-j", "2", input=garbage * 3, check=False)
    assert [json.loads(line)["ok"] for line in result.stdout.splitlines()] == [False] * 3
    assert result.code == ExitCode.ARG_ERROR.value


def test_a_line_without_an_end_is_not_kept_in_memory(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(many, "LONGEST_LINE", 100)
    text = b'["true"]\n' + b"x" * 1000 + b"\n" + b'["true"]\n' + b"y" * 1000
    items = list(many.read(io.BytesIO(text)))
    assert [item.number for item in items] == [1, 2, 3, 4]
    told = [item.error and item.error.message for item in items]
    assert told[0] is told[2] is None
    assert told[1] == "line 2: longer than 100 bytes"
    assert told[3] == "line 4: longer than 100 bytes"


def test_a_bug_of_ours_costs_one_line(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("HOME", str(home))
    start = api.Running

    def fail(argv: list[str]) -> Any:
        if argv == ["false"]:
            raise LookupError("ours")
        return start(argv)

    monkeypatch.setattr(api, "Running", fail)
    items = many.read(io.BytesIO(b'["false"]\n["true"]\n'))
    answers = list(many.Batch(many.Wish(), items).answers())
    assert [answer.code.name for answer in answers] == ["GENERAL_ERROR", "SUCCESS"]
    assert b"clawwrap has a bug: LookupError: ours" in answers[0].line


@pytest.mark.parametrize("keep_order", [False, True])
def test_nobody_runs_far_ahead_of_the_reader(
    monkeypatch: pytest.MonkeyPatch, home: Path, keep_order: bool
) -> None:
    """What has been answered waits in memory, so there must be an end of it."""
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(many, "AHEAD", 5)
    taken = threading.Semaphore(0)

    def lines() -> Iterator[bytes]:
        for _ in range(40):
            taken.release()
            yield b'["true"]\n'

    work = many.Batch(many.Wish(jobs=2, keep_order=keep_order), many.items_of(lines()))
    answers = work.answers()
    next(answers)
    for _ in range(2 + 5):
        assert taken.acquire(timeout=20)
    assert not taken.acquire(timeout=0.5)
    assert len(list(answers)) == 39


def test_the_first_command_may_be_slow_where_the_order_is_kept(batch: Batch) -> None:
    items = [["sh", "-c", "sleep 0.5; echo 0"], *(["echo", str(n)] for n in range(1, 40))]
    lines, _ = batch(items, "-j", "2", "--keep-order")
    assert [line["data"]["stdout"] for line in lines] == [f"{n}\n" for n in range(40)]


def test_many_at_once_with_few_descriptors(run: Run, tmp_path: Path) -> None:
    items = "".join('["sleep", "0.1"]\n' for _ in range(70))
    words = shlex.join([*CLAWWRAP, "batch", "-j", "64"])
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    line = f"ulimit -Sn 100; {words}"
    done = subprocess.run(["sh", "-c", line], input=items.encode(), capture_output=True, env=env)
    assert done.returncode == ExitCode.ARG_ERROR.value
    assert b"-j 64 needs" in done.stdout and b"ulimit -n" in done.stdout
    line = f"ulimit -Sn 600; {words}"
    done = subprocess.run(["sh", "-c", line], input=items.encode(), capture_output=True, env=env)
    assert (done.returncode, done.stdout.count(b"\n")) == (0, 70), done.stderr


@pytest.mark.parametrize("sign", [">", ">>"])
def test_its_own_input_is_no_place_for_the_answers(
    clean_env: dict[str, str], tmp_path: Path, sign: str
) -> None:
    """Else every answer would be read as another command, without end."""
    items = tmp_path / "items"
    items.write_text('["true"]\n')
    for source in ("items", "<items"):
        line = f"{shlex.join(CLAWWRAP)} batch {source} {sign}items"
        done = subprocess.run(
            ["sh", "-c", line], env=clean_env, cwd=tmp_path, stderr=subprocess.PIPE, timeout=60
        )
        assert done.returncode == ExitCode.ARG_ERROR.value
        assert b"the answers go into the file that the commands come from" in done.stderr
    assert items.read_text() == ('["true"]\n' if sign == ">>" else "")


def test_a_run_that_was_cut_off_is_gone_on_with_in_the_same_file(
    clean_env: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "items").write_text('["echo", "1"]\n["echo", "2"]\n["echo", "3"]\n')
    line = f"{shlex.join(CLAWWRAP)} batch items --resume out >>out"

    def call(text: str) -> int:
        done = subprocess.run(["sh", "-c", text], env=clean_env, cwd=tmp_path, capture_output=True)
        return done.returncode

    assert call(line) == 0
    out = tmp_path / "out"
    whole = out.read_bytes()
    cut = whole.splitlines(keepends=True)
    out.write_bytes(cut[0] + cut[1][:50])  # in the middle of the second answer
    assert call(line) == 0
    lines = out.read_bytes().splitlines()
    assert [json.loads(lines[n])["data"]["stdout"] for n in (0, 2, 3)] == ["1\n", "2\n", "3\n"]
    before = out.read_bytes()
    assert call(line) == 0 and out.read_bytes() == before  # there is nothing left
    assert call(line.replace(">>out", ">out")) == ExitCode.ARG_ERROR.value  # the shell emptied it


def test_an_option_that_is_wrong_for_all_is_refused_at_once(run: Run) -> None:
    result = run("batch", "--timeout", "soon", input=b'["true"]\n["true"]\n')
    assert result.error["message"].startswith("--timeout wants a duration")


def test_who_cannot_write_says_why(clean_env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "items").write_text('["true"]\n' * 30)
    line = f"{shlex.join(CLAWWRAP)} batch items >/dev/full"
    done = subprocess.run(["sh", "-c", line], env=clean_env, cwd=tmp_path, capture_output=True)
    assert done.returncode != 0
    assert b"stopped, since nothing can be written to stdout any more" in done.stderr


def test_answers_go_nowhere_where_stdout_is_closed(
    clean_env: dict[str, str], tmp_path: Path
) -> None:
    """And not into whatever is opened next."""
    (tmp_path / "items").write_text('["sh", "-c", "echo x >>ran"]\n' * 20)
    line = f"{shlex.join(CLAWWRAP)} batch -j 2 <items >&-"
    done = subprocess.run(["sh", "-c", line], env=clean_env, cwd=tmp_path, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "ran").read_text().count("x") == 20


def test_the_input_is_read_once_whatever_is_tried_again(run: Run, tmp_path: Path) -> None:
    """A retry rewinds what its tool reads, and never the input of the batch."""
    down = ["sh", "-c", "echo x >>ran; sleep 0.2; echo 'connection refused' >&2; exit 1"]
    items = tmp_path / "items"
    pad = " " * 3000
    with items.open("w") as file:
        for number in range(16):
            words = down if number == 0 else ["sh", "-c", f"sleep 0.1; echo {number} >>ran"]
            file.write(json.dumps(words) + pad + "\n")
    with items.open("rb") as file:
        result = run("batch", "-j", "2", "--retry", "1", stdin=file, check=False)
    assert result.stdout.count(b"\n") == 16
    ran = (tmp_path / "ran").read_text().split()
    assert sorted(ran) == sorted(["x", "x", *map(str, range(1, 16))])


def test_thousands_of_wrong_lines_take_no_memory(tmp_path: Path) -> None:
    program = """
import resource, sys
from clawwrap import batch
from clawwrap.batch import Batch, Wish
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
def run(count):
    lines = (b"[]" + b" " * 1000 for _ in range(count))
    return sum(1 for _ in Batch(Wish(jobs=2, keep_order=True), batch.items_of(lines)).answers())
run(300)
before = peak()
print(run(3_000), peak() - before < 8_000)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=tmp_path)
    assert done.stdout == b"3000 True\n", done


def test_a_person_sees_how_far_it_is(clean_env: dict[str, str], tmp_path: Path) -> None:
    items = tmp_path / "items"
    items.write_text('["sleep", "0.15"]\n["false"]\n')
    master, slave = pty.openpty()
    try:
        subprocess.run(
            [*CLAWWRAP, "batch", str(items)],
            env=clean_env,
            stdout=subprocess.DEVNULL,
            stderr=slave,
            timeout=60,
        )
        os.set_blocking(master, False)
        shown = os.read(master, 65536)
    finally:
        os.close(master)
        os.close(slave)
    assert b"50%  1 done, 0 failed" in shown


def test_the_place_of_a_command_is_in_the_schema() -> None:
    assert '"batch"' in json.dumps(schema.load("envelope"))
