"""Stored envelopes become others: every input, every way to write them, and no file ever lost."""

from __future__ import annotations

import array
import contextlib
import fcntl
import gzip
import hashlib
import json
import os
import pty
import resource
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CLAWWRAP, Result, Run, check_envelope

TIME = "2026-04-22T10:10:00Z"
AT = ["--timestamp", TIME]
COMMON = ["timestamp", "command", "exit_code", "output_format", "schema_version"]


def old(number: int = 1, **more: Any) -> dict[str, Any]:
    return {"type": "success", "kind": "demo", "number": number, **more}


def new(number: int = 1, **more: Any) -> dict[str, Any]:
    common = {"timestamp": TIME, "command": "demo", "exit_code": 0, "output_format": "json"}
    return {**common, "schema_version": "2.0", "number": number, **more}


OLD_ERROR = {"type": "error", "kind": "filesystem", "error": "cannot read /x: no such file"}
RESPONSE = {
    "ok": True,
    "data": {"number": 7},
    "error": None,
    "warnings": [],
    "meta": {
        "duration_ms": 3,
        "request_id": "abc",
        "schema_version": "2.0",
        "timestamp": TIME,
        "command": "demo",
        "exit_code": 0,
        "output_format": "json",
    },
}


def ndjson(*found: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in found)


def lines(result: Result) -> list[dict[str, Any]]:
    """What is on stdout, which holds nothing but envelopes, one a line."""
    assert not result.stdout or result.stdout.endswith(b"\n")
    found = [json.loads(line) for line in result.stdout.splitlines()]
    for envelope in found:
        if "ok" in envelope:
            check_envelope(envelope, envelope["meta"]["exit_code"])
        else:
            assert list(envelope)[:5] == COMMON
    return found


def drafts(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.endswith(".clawwrap")]


Migrate = Callable[..., Result]


@pytest.fixture
def stream(run: Run) -> Migrate:
    """Convert to stdout, at a fixed time."""

    def call(*words: str, **more: Any) -> Result:
        return run("migrate", *AT, *words, check=False, **more)

    return call


@pytest.fixture
def in_place(run: Run) -> Migrate:
    def call(*words: str, **more: Any) -> Result:
        return run("migrate", "--in-place", *AT, *words, **more)

    return call


# Inputs


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(ndjson(old(1), old(2)), id="lines"),
        pytest.param(ndjson(old(1), old(2)).strip(), id="no newline at the end"),
        pytest.param(json.dumps([old(1), old(2)]).encode(), id="array"),
        pytest.param(json.dumps([old(1), old(2)], indent=4).encode(), id="indented array"),
        pytest.param(ndjson(old(1), old(2)).replace(b"\n", b""), id="in a row"),
        pytest.param(ndjson(old(1), old(2)).replace(b"\n", b"\r\n\r\n"), id="blank lines, CRLF"),
        pytest.param(
            b"\n".join(json.dumps(old(n), indent=2).encode() for n in (1, 2)), id="indented"
        ),
        pytest.param(gzip.compress(ndjson(old(1), old(2))), id="gzip"),
        pytest.param(
            gzip.compress(ndjson(old(1))) + gzip.compress(ndjson(old(2))), id="gzip in parts"
        ),
        pytest.param(b"\xef\xbb\xbf" + ndjson(old(1), old(2)), id="BOM"),
    ],
)
def test_every_framing_is_read_from_stdin_and_from_a_file(
    stream: Migrate, tmp_path: Path, raw: bytes
) -> None:
    # A name that tells nothing: what it is packed with is seen from its content.
    (tmp_path / "records").write_bytes(raw)
    for result in (stream(input=raw), stream("-", input=raw), stream("records")):
        assert result.code == 0, result.stderr
        assert lines(result) == [new(1), new(2)]


def test_one_object_on_stdin(stream: Migrate) -> None:
    assert lines(stream(input=json.dumps(old()).encode())) == [new()]


def test_several_files_come_in_the_order_they_are_named_in(stream: Migrate, tmp_path: Path) -> None:
    for number in (1, 2, 3):
        (tmp_path / f"{number}.json").write_bytes(ndjson(old(number)))
    result = stream("3.json", "1.json", "2.json")
    assert lines(result) == [new(3), new(1), new(2)]
    assert b"3 records in 3 inputs" in result.stderr


def test_stdin_and_files_go_together(stream: Migrate, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(ndjson(old(1)))
    assert lines(stream("a.json", "-", input=ndjson(old(2)))) == [new(1), new(2)]


def test_a_file_that_is_named_twice_or_linked_is_read_once(stream: Migrate, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(ndjson(old()))
    (tmp_path / "link.json").symlink_to("a.json")
    (tmp_path / "sub").mkdir()
    result = stream("a.json", "./sub/../a.json", "link.json", str(tmp_path / "a.json"))
    assert lines(result) == [new()]
    assert lines(stream("-r", ".", "a.json")) == [new()]


def test_a_folder_is_gone_through(stream: Migrate, tmp_path: Path) -> None:
    names = ["a.json", "b/c.jsonl", "b/d/e.ndjson", "b/d/f.json.gz"]
    for number, name in enumerate(names):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        raw = ndjson(old(number))
        path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    for name in (".hidden.json", "notes.txt", "a.json.bak", "json", ".a.json.1.clawwrap"):
        (tmp_path / "in" / name).write_bytes(ndjson(old(99)))
    os.mkfifo(tmp_path / "in" / "pipe.json")
    (tmp_path / "in" / "dangling.json").symlink_to("nowhere")
    found = lines(stream("--recursive", "in"))
    assert [one["number"] for one in found] == [0, 1, 2, 3]


def test_a_folder_is_rewritten_and_nothing_else_in_it(in_place: Migrate, tmp_path: Path) -> None:
    (tmp_path / "in" / "sub").mkdir(parents=True)
    raw = ndjson(old())
    touched = [tmp_path / "in" / "a.json", tmp_path / "in" / "sub" / "b.ndjson"]
    left = [tmp_path / "in" / name for name in (".hidden.json", "notes.txt", "a.json.bak")]
    for path in touched + left:
        path.write_bytes(raw)
    assert in_place("-r", "in").data["changed_files"] == ["in/a.json", "in/sub/b.ndjson"]
    assert [json.loads(path.read_bytes()) for path in touched] == [new(), new()]
    assert [path.read_bytes() for path in left] == [raw] * 3


def test_a_folder_without_recursive_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    result = run("migrate", "in")
    assert result.code == 3
    assert "--recursive" in result.error["suggestion"]


def test_an_empty_folder_or_file_is_no_error(stream: Migrate, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "empty.json").touch()
    for words in (["-r", "in"], ["empty.json"], []):
        result = stream(*words, input=b"")
        assert (result.code, result.stdout) == (0, b"")
        assert b"0 records" in result.stderr


def test_a_missing_file_stops_all_before_anything_is_migrated(run: Run, tmp_path: Path) -> None:
    raw = ndjson(old())
    (tmp_path / "a.json").write_bytes(raw)
    for words in (["a.json", "nope.json"], ["--in-place", "a.json", "nope.json"]):
        result = run("migrate", *words)
        assert result.code == 5
        assert result.error["code"] == "FILE_NOT_FOUND"
        assert "nope.json" in result.error["message"]
        assert (tmp_path / "a.json").read_bytes() == raw


def test_what_is_no_regular_file_is_refused(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "/dev/null"):
        result = run("migrate", name)
        assert result.code == 3
        assert "not a regular file" in result.error["message"]


def test_a_file_that_cannot_be_opened_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    result = run("migrate", "loop")
    assert result.error["code"] == "FILE_PERMISSION"
    assert result.error["message"].startswith("loop: ")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_the_right_to_read_it_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(ndjson(old()))
    (tmp_path / "a.json").chmod(0)
    result = run("migrate", "a.json")
    assert (result.code, result.error["code"]) == (7, "FILE_PERMISSION")


def test_an_error_while_reading_names_the_file_that_was_read(stream: Migrate) -> None:
    """The first page of a process is never mapped, so its memory opens and does not read."""
    result = stream("/proc/self/mem")
    assert result.code != 0
    assert b"/proc/self/mem" in result.stderr
    assert b"stdout" not in result.stderr


def test_a_terminal_is_not_waited_for(run: Run) -> None:
    master, slave = pty.openpty()
    try:
        result = run("migrate", stdin=slave)
    finally:
        os.close(master)
        os.close(slave)
    assert result.code == 3
    assert result.error["code"] == "MISSING_ARGUMENT"
    assert "stdin is a terminal" in result.error["message"]


def test_a_closed_stdin_is_no_bug_of_ours(clean_env: dict[str, str], tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *CLAWWRAP, "migrate"],
        capture_output=True,
        env=clean_env,
        cwd=tmp_path,
        timeout=60,
    )
    assert b"INTERNAL_ERROR" not in done.stdout + done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.xfail(reason="only the first read of a pipe is looked at")
def test_gzip_is_recognised_when_its_first_bytes_come_one_by_one(
    clean_env: dict[str, str], tmp_path: Path
) -> None:
    raw = gzip.compress(ndjson(old()))
    child = subprocess.Popen(
        [*CLAWWRAP, "migrate", *AT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_env,
        cwd=tmp_path,
    )
    assert child.stdin
    child.stdin.write(raw[:1])
    child.stdin.flush()
    unread = array.array("i", [1])
    while unread[0] and child.poll() is None:  # until the first byte is taken out of the pipe
        time.sleep(0.01)
        fcntl.ioctl(child.stdin, termios.FIONREAD, unread)
    out, err = child.communicate(raw[1:], timeout=60)
    assert child.returncode == 0, err
    assert json.loads(out) == new()


# Options


def test_the_other_target(stream: Migrate) -> None:
    found = lines(stream("--to", "response", input=ndjson(old(), OLD_ERROR)))
    assert [one["ok"] for one in found] == [True, False]
    assert found[0]["data"] == {"number": 1}
    assert found[0]["meta"]["timestamp"] == TIME
    assert found[1]["error"]["message"] == OLD_ERROR["error"]
    # What was not in the record is said where it is read.
    assert any("duration_ms" in warning for warning in found[0]["warnings"])


def test_all_shapes_in_one_stream_come_out_as_one(stream: Migrate) -> None:
    raw = ndjson(old(1), new(2), RESPONSE)
    result = stream(input=raw)
    assert lines(result) == [new(1), new(2), new(7)]
    assert b"3 records in 1 inputs: 1 claw-1.0, 1 claw-2.0, 1 response" in result.stderr
    assert b"2 changed, 1 unchanged, 0 unrecognised" in result.stderr
    result = stream("--to", "response", input=raw)
    assert [one["data"]["number"] for one in lines(result)] == [1, 2, 7]
    assert lines(result)[2] == RESPONSE


def test_a_shape_can_be_forced(stream: Migrate) -> None:
    """Without a type nothing tells it, but the caller may know."""
    raw = ndjson({"kind": "demo", "number": 1})
    refused = stream(input=raw)
    assert (refused.code, refused.stdout) == (3, b"")
    assert b"1 unrecognised" in refused.stderr
    assert lines(stream("--from", "claw-1.0", input=raw)) == [new()]


def test_a_forced_shape_that_does_not_fit_is_told(stream: Migrate) -> None:
    result = stream("--from", "response", input=ndjson(old(1)) + ndjson(RESPONSE))
    assert result.code == 3
    assert lines(result) == [new(7)]
    assert b"stdin:1: " in result.stderr


def test_command_timestamp_and_exit_code_complete_a_record(stream: Migrate) -> None:
    raw = ndjson({"type": "success", "number": 1})
    assert lines(stream("--command", "demo", input=raw)) == [new()]
    # A record's own word is not replaced.
    assert lines(stream("--command", "other", input=ndjson(old()))) == [new()]
    own = {**new(), "timestamp": "2001-01-01T00:00:00Z"}
    assert lines(stream(input=ndjson(own))) == [own]


def test_the_exit_code_of_the_process_beats_the_record(stream: Migrate) -> None:
    (failed,) = lines(stream("--exit-code", "1", input=ndjson(old())))
    assert failed["exit_code"] == 1
    assert failed["error"]["message"]
    (timeout,) = lines(stream("--exit-code", "2", input=ndjson(OLD_ERROR)))
    assert timeout["exit_code"] == 2


def test_what_was_assumed_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(ndjson({"type": "success", "number": 1}))
    os.utime(tmp_path / "a.json", (1_000_000_000, 1_000_000_000))
    result = run("migrate", "a.json", check=False)
    assert lines(result)[0]["timestamp"].startswith("2001-09-09T01:46:40")
    assert b"timestamp is not in the record; that of the input is taken" in result.stderr
    assert b"--command" in result.stderr


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--to", "claw-1.0"], "--to"),
        (["--to", "nope"], "--to"),
        (["--from", "nope"], "--from"),
        (["--timestamp", "yesterday"], "--timestamp"),
        (["--timestamp", "2026-04-22T10:10:00"], "--timestamp"),
        (["--timestamp", "2026-13-22T10:10:00Z"], "--timestamp"),
        (["--exit-code", "256"], "--exit-code"),
        (["--exit-code", "-1"], "--exit-code"),
        (["--exit-code", "x"], "exit-code"),
        (["--in-place"], "--in-place"),
        (["--in-place", "-"], "--in-place"),
        (["--in-place", "--check", "a.json"], "--in-place and --check"),
        (["--check", "--dry-run", "a.json"], "--check and --dry-run"),
        (["--backup", "a.json"], "--backup"),
        (["--nope"], "--nope"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_a_wrong_option_is_a_clear_argument_error(
    run: Run, tmp_path: Path, words: list[str], named: str
) -> None:
    raw = ndjson(old())
    (tmp_path / "a.json").write_bytes(raw)
    result = run("migrate", *words, input=raw)
    assert result.code == 3
    assert result.error["phase"] == "validation"
    assert named in result.error["message"]
    assert result.error["suggestion"]
    assert (tmp_path / "a.json").read_bytes() == raw


# In place


def test_a_file_is_replaced_whole_with_its_rights(in_place: Migrate, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(ndjson(old(1), old(2)))
    path.chmod(0o640)
    before = path.stat()
    result = in_place("a.json")
    assert result.code == 0
    assert result.data["changed_files"] == ["a.json"]
    assert (result.data["changed"], result.data["unchanged"]) == (2, 0)
    assert [json.loads(line) for line in path.read_bytes().splitlines()] == [new(1), new(2)]
    after = path.stat()
    assert after.st_mode == before.st_mode
    assert (after.st_uid, after.st_gid) == (before.st_uid, before.st_gid)
    # A reader that has the old file open goes on reading the old file.
    assert after.st_ino != before.st_ino
    assert os.listdir(tmp_path) == ["a.json"]


def test_a_link_stays_a_link_to_what_was_replaced(in_place: Migrate, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target = tmp_path / "real" / "a.json"
    target.write_bytes(ndjson(old()))
    link = tmp_path / "link.json"
    link.symlink_to("real/a.json")
    in_place("link.json")
    assert link.is_symlink()
    assert os.readlink(link) == "real/a.json"
    assert json.loads(target.read_bytes()) == new()
    assert os.listdir(tmp_path / "real") == ["a.json"]


@pytest.mark.parametrize(
    "raw",
    [
        ndjson(new(1), new(2)),
        json.dumps(new(), indent=7).encode(),
        b"[ " + ndjson(new()).strip() + b"\n\n]",
        gzip.compress(ndjson(new()), 1),
        b"",
        b"[]",
        b"\xef\xbb\xbf\n",
    ],
    ids=["lines", "indented", "array", "gzip", "empty", "empty array", "only a BOM"],
)
def test_a_file_with_nothing_to_change_is_not_touched(
    in_place: Migrate, tmp_path: Path, raw: bytes
) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(raw)
    os.utime(path, ns=(1_000_000_000_123_456_789, 1_000_000_000_123_456_789))
    before = path.stat()
    result = in_place("--backup", "a.json")
    assert result.data["changed_files"] == []
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert path.read_bytes() == raw
    assert os.listdir(tmp_path) == ["a.json"]


def test_a_backup_never_takes_the_place_of_an_earlier_one(
    in_place: Migrate, tmp_path: Path
) -> None:
    path = tmp_path / "a.json"
    (tmp_path / "a.json.bak").write_bytes(b"precious")
    for number in (1, 2):
        path.write_bytes(ndjson(old(number)))
        in_place("--backup", "a.json")
        assert json.loads(path.read_bytes()) == new(number)
    assert (tmp_path / "a.json.bak").read_bytes() == b"precious"
    assert (tmp_path / "a.json.bak.1").read_bytes() == ndjson(old(1))
    assert (tmp_path / "a.json.bak.2").read_bytes() == ndjson(old(2))
    assert sorted(os.listdir(tmp_path)) == ["a.json", *(f"a.json.bak{n}" for n in ("", ".1", ".2"))]


def test_an_array_stays_an_array(in_place: Migrate, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(json.dumps([old(1), {"no": "envelope"}, 5, new(2)]).encode())
    assert in_place("a.json").code == 3
    assert json.loads(path.read_bytes()) == [new(1), {"no": "envelope"}, 5, new(2)]


def test_gzip_stays_gzip(in_place: Migrate, tmp_path: Path) -> None:
    path = tmp_path / "a.json.gz"
    path.write_bytes(gzip.compress(ndjson(old(1), old(2))))
    assert in_place("a.json.gz").code == 0
    found = gzip.decompress(path.read_bytes()).splitlines()
    assert [json.loads(line) for line in found] == [new(1), new(2)]


def test_what_was_indented_stays_indented(in_place: Migrate, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(json.dumps(old(), indent=2).encode())
    in_place("a.json")
    assert path.read_bytes() == json.dumps(new(), indent=2).encode() + b"\n"
    big = 10**39 + 7
    path.write_bytes(json.dumps(old(big=big), indent=2).encode())
    in_place("a.json")
    assert json.loads(path.read_bytes()) == new(big=big)


KEPT = [
    b'{"no":  "envelope", "x": 1.50}',
    b'{"type":"success","type":"error"}',
    b'{"type":"success","x":NaN}',
    b"   garbage   in between".strip(),
    b'{"type":"success","x":"\xff"}',
    b'{"type":"success","x":1e999}',
    b'{"type": "success", "error": {"kind":  "x"}}',
    b'{"cut":"off',
    b'{"also":[1,2',
]


def test_what_is_not_converted_is_kept_to_the_letter(in_place: Migrate, tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    # An unchanged one keeps its own spacing too.
    same = json.dumps(new(3), indent=None, separators=(" ,  ", ":   ")).encode()
    raw = b"\n".join([ndjson(old(1)).strip(), *KEPT, same, ndjson(old(2)).strip(), b""])
    path.write_bytes(raw)
    result = in_place("a.ndjson")
    assert result.code == 3
    found = path.read_bytes().splitlines()
    assert found[1:-1] == [*KEPT, same]
    assert [json.loads(found[0]), json.loads(found[-1])] == [new(1), new(2)]
    told = result.error["output"]
    assert (told["changed"], told["unchanged"]) == (2, 1)
    assert told["unrecognised"] + told["broken"] == len(KEPT)
    assert [problem.split(" ")[0] for problem in told["problems"]] == [
        f"a.ndjson:{line}:" for line in range(2, len(KEPT) + 2)
    ]


@pytest.mark.xfail(reason="a line of more than 1 MiB that is no JSON is taken in pieces")
def test_a_long_line_that_is_no_record_is_kept_to_the_letter(
    in_place: Migrate, tmp_path: Path
) -> None:
    path = tmp_path / "a.ndjson"
    garbage = b"no json " * 300_000
    path.write_bytes(ndjson(old(1)) + garbage.strip() + b"\n" + ndjson(old(2)))
    assert in_place("a.ndjson").error["output"]["broken"] == 1
    assert path.read_bytes().splitlines()[1] == garbage.strip()


@pytest.mark.parametrize(
    "raw",
    [
        ndjson(old(1), OLD_ERROR, RESPONSE, new(4)),
        ndjson(old(1)) + b"\n".join(KEPT) + b"\n" + ndjson(old(2)),
        json.dumps([old(1), OLD_ERROR]).encode(),
        json.dumps([old(1), OLD_ERROR], indent=2).encode(),
        json.dumps(old(), indent=2).encode() * 2,
        gzip.compress(ndjson(old(1), OLD_ERROR)),
        b"[" + ndjson(old(1)).strip() + b',\n{"x":\n' + ndjson(old(2)) + b"]",
        b"[" + ndjson(old(1)).strip() + b",\n" + ndjson(old(2)),
        b"[" + ndjson(old(1)).strip() + b',\n{"cut":"of',
        ndjson(old(1)) + json.dumps([old(2)]).encode() + ndjson(old(3)),
    ],
    ids=[
        "lines",
        "lines with others",
        "array",
        "indented array",
        "indented in a row",
        "gzip",
        "array with a broken record",
        "unclosed array",
        "array cut inside of a record",
        "mixed",
    ],
)
@pytest.mark.parametrize("to", ["claw-2.0", "response"])
def test_a_second_run_changes_nothing(run: Run, tmp_path: Path, raw: bytes, to: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(raw)
    first = run("migrate", "--in-place", "--to", to, "a.json")
    told = first.data or first.error["output"]
    assert told["changed_files"] == ["a.json"]
    once, before = path.read_bytes(), path.stat()
    second = run("migrate", "--in-place", "--to", to, "a.json")
    again = second.data or second.error["output"]
    assert (again["changed"], again["changed_files"]) == (0, [])
    assert again["unchanged"] == told["changed"] + told["unchanged"]
    assert path.read_bytes() == once
    assert path.stat().st_ino == before.st_ino
    if first.code == 0:
        assert run("migrate", "--check", "--to", to, "a.json").code == 0


def test_there_and_back_again_keeps_a_response(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(ndjson(new(1), new(2)))
    for shape in ("response", "claw-2.0"):
        assert run("migrate", "-i", "--to", shape, "a.json").code == 0
    assert [json.loads(line) for line in path.read_bytes().splitlines()] == [new(1), new(2)]


def test_one_bad_file_does_not_keep_the_others_from_being_converted(
    in_place: Migrate, tmp_path: Path
) -> None:
    (tmp_path / "a.json").write_bytes(b"garbage\n")
    (tmp_path / "b.json.gz").write_bytes(gzip.compress(ndjson(old()))[:-4])
    (tmp_path / "c.json").write_bytes(ndjson(old()))
    result = in_place("a.json", "b.json.gz", "c.json")
    assert result.code == 3
    assert result.error["output"]["changed_files"] == ["c.json"]
    assert json.loads((tmp_path / "c.json").read_bytes()) == new()


# The original survives


@pytest.fixture(scope="module")
def big() -> bytes:
    """So much that a run takes long enough to be ended in its middle."""
    return b"".join(ndjson(old(number, text="x" * 50)) for number in range(120_000))


@contextlib.contextmanager
def in_its_middle(path: Path, clean_env: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A run that has begun to write its draft."""
    child = subprocess.Popen(
        [*CLAWWRAP, "migrate", "--in-place", "--backup", path.name],
        env=clean_env,
        cwd=path.parent,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        while child.poll() is None:
            found = drafts(path.parent)
            with contextlib.suppress(FileNotFoundError):
                if found and (path.parent / found[0]).stat().st_size:
                    break
            time.sleep(0.005)
        yield child
    finally:
        child.kill()
        child.communicate()


def test_the_original_survives_sigkill(
    clean_env: dict[str, str], in_place: Migrate, tmp_path: Path, big: bytes
) -> None:
    path = tmp_path / "a.ndjson"
    path.write_bytes(big)
    with in_its_middle(path, clean_env) as child:
        child.kill()
        assert child.wait(60) == -signal.SIGKILL
    assert path.read_bytes() == big
    assert not (tmp_path / "a.ndjson.bak").exists()
    # Nobody can tidy up after SIGKILL; the next run is not in the way of what it left.
    assert len(drafts(tmp_path)) == 1
    path.write_bytes(ndjson(old()))
    assert in_place("-r", ".").data["changed_files"] == ["./a.ndjson"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_the_original_survives_being_stopped(
    clean_env: dict[str, str], tmp_path: Path, big: bytes, number: signal.Signals
) -> None:
    path = tmp_path / "a.ndjson"
    path.write_bytes(big)
    with in_its_middle(path, clean_env) as child:
        child.send_signal(number)
        out, err = child.communicate(timeout=60)
    assert path.read_bytes() == big
    assert os.listdir(tmp_path) == ["a.ndjson"]
    assert b"Traceback" not in err
    envelope = json.loads(out)
    check_envelope(envelope, child.returncode)
    assert envelope["error"]["code"] == "CANCELLED"
    assert envelope["error"]["output"]["changed_files"] == []


def test_the_original_survives_a_disk_without_room(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    raw = ndjson(*map(old, range(2000)))
    path.write_bytes(raw)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

    result = run("migrate", "--in-place", "--backup", "a.ndjson", preexec_fn=limit)
    assert result.code != 0
    assert "a.ndjson" in result.error["message"]
    assert "stdout" not in result.error["message"]
    assert result.error["output"]["changed_files"] == []
    assert path.read_bytes() == raw
    assert os.listdir(tmp_path) == ["a.ndjson"]


@pytest.mark.parametrize("cut", [-1, -6, -30, 40, 12, 3], ids=str)
def test_the_original_survives_a_gzip_that_is_cut_off(
    in_place: Migrate, stream: Migrate, tmp_path: Path, cut: int
) -> None:
    raw = gzip.compress(
        ndjson(*(old(n, text=hashlib.sha256(b"%d" % n).hexdigest()) for n in range(300)))
    )[:cut]
    path = tmp_path / "a.json.gz"
    path.write_bytes(raw)
    result = in_place("--backup", "a.json.gz")
    assert result.code == 3
    assert "a.json.gz: its gzip is broken" in result.error["output"]["problems"][-1]
    assert result.stderr == b""
    assert path.read_bytes() == raw
    assert os.listdir(tmp_path) == ["a.json.gz"]
    # What could be unpacked comes through where nothing is overwritten.
    streamed = stream("a.json.gz")
    assert streamed.code == 3
    assert lines(streamed) == [new(n, text=one["text"]) for n, one in enumerate(lines(streamed))]


def test_a_gzip_with_a_flipped_bit_is_told(in_place: Migrate, tmp_path: Path) -> None:
    raw = bytearray(gzip.compress(ndjson(old())))
    raw[-8] ^= 1  # its checksum
    path = tmp_path / "a.json.gz"
    path.write_bytes(raw)
    assert in_place("a.json.gz").code == 3
    assert path.read_bytes() == raw


@pytest.mark.parametrize("packed", [False, True])
def test_strict_stops_at_the_first_bad_record_and_leaves_its_file(
    in_place: Migrate, tmp_path: Path, packed: bool
) -> None:
    raw = ndjson(old(1)) + b"garbage\nmore garbage\n" + ndjson(old(2))
    raw = gzip.compress(raw) if packed else raw
    (tmp_path / "a.json").write_bytes(ndjson(old()))
    (tmp_path / "b.json").write_bytes(raw)
    (tmp_path / "c.json").write_bytes(raw)
    result = in_place("--strict", "--backup", "a.json", "b.json", "c.json")
    assert result.code == 3
    assert result.stderr == b""
    assert result.error["message"].startswith("b.json:2: ")
    assert "--strict" in result.error["suggestion"]
    told = result.error["output"]
    assert (told["broken"], told["records"]) == (1, 3)
    # What was whole before it is done, and said to be.
    assert told["changed_files"] == ["a.json"]
    assert (tmp_path / "b.json").read_bytes() == raw
    assert (tmp_path / "c.json").read_bytes() == raw
    assert sorted(os.listdir(tmp_path)) == ["a.json", "a.json.bak", "b.json", "c.json"]


def test_strict_on_a_stream_gives_what_came_before(stream: Migrate) -> None:
    result = stream("--strict", input=ndjson(old(1)) + b"{}\n" + ndjson(old(2)))
    assert result.code == 3
    assert lines(result) == [new(1)]
    assert b"stdin:2: " in result.stderr


# Looking without writing


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (ndjson(new()), 0),
        (b"", 0),
        (ndjson(old()), 80),
        (ndjson(new(), old()), 80),
        (b"garbage\n", 3),
        (ndjson(old()) + b"garbage\n", 3),
        (ndjson(new()) + b"{}\n", 3),
    ],
)
def test_check_tells_by_its_exit_code(run: Run, tmp_path: Path, raw: bytes, code: int) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(raw)
    before = path.stat()
    for result in (run("migrate", "--check", "a.json"), run("migrate", "--check", input=raw)):
        assert result.code == code
        told = result.data if code == 0 else result.error["output"]
        assert bool(told["changed_files"]) == (b'"type"' in raw)
        assert bool(told["problems"]) == (code == 3)
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert path.read_bytes() == raw
    assert os.listdir(tmp_path) == ["a.json"]


def test_check_names_the_line_of_what_is_broken(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(ndjson(old()) + b"\n\ngarbage\n" + ndjson(old()))
    (problem,) = run("migrate", "--check", "a.json").error["output"]["problems"]
    assert problem.startswith("a.json:4: ")


def test_a_dry_run_says_what_would_change(run: Run, tmp_path: Path) -> None:
    raw = ndjson(old(), new(), RESPONSE)
    (tmp_path / "a.json").write_bytes(raw)
    (tmp_path / "b.json").write_bytes(ndjson(new()))
    result = run("migrate", "--dry-run", "a.json", "b.json")
    assert result.code == 0
    assert result.data["changed_files"] == ["a.json"]
    assert result.data["shapes"] == {"claw-1.0": 1, "claw-2.0": 2, "response": 1}
    assert (result.data["files"], result.data["records"]) == (2, 4)
    assert (result.data["changed"], result.data["unchanged"]) == (2, 2)
    assert (tmp_path / "a.json").read_bytes() == raw
    assert sorted(os.listdir(tmp_path)) == ["a.json", "b.json"]


def test_a_dry_run_is_readable(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(ndjson(old(), new()) + b"garbage\n")
    result = run("migrate", "-o", "human", "--dry-run", "a.json", check=False)
    assert result.code == 3
    text = result.stdout.decode()
    assert "a.json:3: " in text
    assert "3 records in 1 inputs: 1 claw-1.0, 1 claw-2.0" in text
    assert "1 changed, 1 unchanged, 0 unrecognised (0 ambiguous), 1 broken" in text
    assert "would change: a.json" in text
    assert "{" not in text


# Bad input

DEEP = b'{"type":"success","kind":"demo","x":' + b"[" * 5000 + b"]" * 5000 + b"}"
BAD = {
    "truncated": b'{"type":"success","kind":',
    "truncated in a text": b'{"type":"success","kind":"de',
    "not an object": b"5",
    "a text": b'"text"',
    "null": b"null",
    "no envelope": b'{"a":1}',
    "empty": b"{}",
    "type is a number": b'{"type":5,"kind":"demo"}',
    "kind is a number": b'{"type":"error","kind":5,"error":"x"}',
    "timestamp is a number": b'{"type":"success","kind":"demo","timestamp":5}',
    "hint is a list": b'{"type":"error","kind":"unknown","error":"x","hint":[]}',
    "error is a number": b'{"type":"error","kind":"unknown","error":5}',
    "error is an object of the wrong shape": b'{"type":"error","error":{"kind":"x"}}',
    "exit_code is a text": json.dumps({**new(), "exit_code": "0"}).encode(),
    "exit_code is true": json.dumps({**new(), "exit_code": True}).encode(),
    "a later schema": json.dumps({**new(), "schema_version": "9.0"}).encode(),
    "response without meta": b'{"ok":true,"data":{},"error":null}',
    "response with nothing": json.dumps({**RESPONSE, "data": None}).encode(),
    "response with a text as data": json.dumps({**RESPONSE, "data": "x"}).encode(),
    "response with a list as meta": json.dumps({**RESPONSE, "meta": []}).encode(),
    "duplicate keys": b'{"type":"success","kind":"demo","kind":"other"}',
    "NaN": b'{"type":"success","kind":"demo","x":NaN}',
    "Infinity": b'{"type":"success","kind":"demo","x":-Infinity}',
    "huge number": b'{"type":"success","kind":"demo","x":1e999}',
    "a number of 5000 digits": b'{"type":"success","kind":"demo","x":' + b"9" * 5000 + b"}",
    "deep nesting": DEEP,
    "invalid UTF-8": b'{"type":"success","kind":"demo","x":"\xff"}',
    "garbage": b"Segmentation fault (core dumped)",
    "brackets": b"}}}}",
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_a_bad_record_is_named_by_its_line_and_costs_nothing_else(
    stream: Migrate, run: Run, bad: bytes
) -> None:
    raw = ndjson(old(1)) + b"\n" + bad + b"\n" + ndjson(old(2), new(3))
    result = stream(input=raw)
    assert result.code == 3
    assert lines(result) == [new(1), new(2), new(3)]
    told = [line for line in result.stderr.splitlines() if line.startswith(b"clawwrap: stdin:")]
    assert [line.split(b" ")[1] for line in told] == [b"stdin:3:"]
    checked = run("migrate", "--check", input=raw)
    assert checked.code == 3
    assert [one.split(" ")[0] for one in checked.error["output"]["problems"]] == ["stdin:3:"]


def test_an_unclosed_array_gives_what_is_in_it(stream: Migrate) -> None:
    result = stream(input=b"[" + ndjson(old(1)).strip() + b",\n" + ndjson(old(2)))
    assert result.code == 3
    assert lines(result) == [new(1), new(2)]
    assert b"stdin:2: the array is cut off" in result.stderr


def test_utf_16_is_named(stream: Migrate) -> None:
    result = stream(input=ndjson(old()).decode().encode("utf-16"))
    assert (result.code, result.stdout) == (3, b"")
    assert b"stdin:1: it is UTF-16" in result.stderr


def test_numbers_keep_every_digit(stream: Migrate) -> None:
    result = stream(
        input=b'{"type":"success","kind":"demo","number":1,'
        b'"big":1234567890123456789012345678901234567890,"small":-0.1,"whole":1.0}'
    )
    assert result.code == 0
    assert b'"big":1234567890123456789012345678901234567890,' in result.stdout
    assert b'"small":-0.1,"whole":1.0}' in result.stdout


def test_nesting_that_is_read_is_written_too(stream: Migrate) -> None:
    """At every depth a record either comes through whole or is named, around the limits too."""
    depths = [10, 200, *range(250, 260), 500, 900, *range(970, 1030, 5), 1100, 2000]
    nested = [b"[" * depth + b"]" * depth for depth in depths]
    raw = b"".join(b'{"type":"success","kind":"demo","x":' + x + b"}\n" for x in nested)
    result = stream(input=raw + ndjson(old()))
    written = result.stdout.splitlines()
    assert json.loads(written[-1]) == new()
    whole = [any(line.endswith(b":" + x + b"}") for line in written) for x in nested]
    named = [f"stdin:{line}: ".encode() in result.stderr for line in range(1, len(nested) + 1)]
    assert named == [not found for found in whole]
    assert sum(whole) == len(written) - 1
    assert whole[0]
    assert not whole[-1]


def test_a_lone_surrogate_is_survived(stream: Migrate) -> None:
    result = stream(input=b'{"type":"success","kind":"demo","x":"\\ud800"}\n' + ndjson(old()))
    assert lines(result)[-1] == new()
    result.stdout.decode()


def test_many_problems_are_counted_and_not_all_told(stream: Migrate) -> None:
    result = stream(input=b"garbage\n" * 500 + ndjson(old()))
    assert lines(result) == [new()]
    assert b"500 broken" in result.stderr
    assert len(result.stderr.splitlines()) < 100


def test_what_is_assumed_of_many_records_stays_short(stream: Migrate) -> None:
    """Each of these is in no table, which is said of each; the summary stays one."""
    raw = ndjson(*({"type": "error", "kind": f"k{n}", "error": "x"} for n in range(300)))
    result = stream(input=raw)
    assert len(lines(result)) == 300
    assert len(result.stderr.splitlines()) < 100


# Streams


def test_the_summary_is_on_stderr_and_counts(stream: Migrate) -> None:
    ambiguous = b'{"type":"success","error":{"kind":"x"}}\n'
    raw = ndjson(old(1), OLD_ERROR, new(2), RESPONSE) + b"{}\n" + ambiguous + b"garbage\n"
    result = stream(input=raw)
    assert result.code == 3
    assert len(lines(result)) == 4
    assert b"7 records in 1 inputs: 2 claw-1.0, 1 claw-2.0, 1 response\n" in result.stderr
    assert b"3 changed, 1 unchanged, 2 unrecognised (1 ambiguous), 1 broken\n" in result.stderr


@pytest.mark.parametrize("output", ["json", "human", "raw"])
def test_stdout_belongs_to_the_envelopes_in_every_output(stream: Migrate, output: str) -> None:
    result = stream("-o", output, input=ndjson(old()) + b"garbage\n")
    assert lines(result) == [new()]
    assert b"stdin:2: " in result.stderr


# The pipe is found closed while records are written, or only when the last of them are flushed.
@pytest.mark.parametrize("count", [5000, 3])
@pytest.mark.parametrize("strict", [[], ["--strict"]], ids=["", "strict"])
def test_a_closed_pipe_is_quiet(
    clean_env: dict[str, str], tmp_path: Path, strict: list[str], count: int
) -> None:
    (tmp_path / "a.ndjson").write_bytes(ndjson(*map(old, range(count))) + b"garbage\n")
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*CLAWWRAP, "migrate", *strict, "a.ndjson"],
        stdin=subprocess.DEVNULL,
        stdout=write,
        stderr=subprocess.PIPE,
        env=clean_env,
        cwd=tmp_path,
        timeout=60,
    )
    os.close(write)
    for word in (b"Traceback", b"Exception", b"roken pipe", b"bug"):
        assert word not in done.stderr
    # Whoever reads no further need not hear of a record behind that; one that was met counts.
    assert done.returncode == (0 if count == 5000 else 3)


def test_head_gets_its_line(clean_env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "a.ndjson").write_bytes(ndjson(*map(old, range(5000))))
    done = subprocess.run(
        ["bash", "-c", '"$@" | head -1', "bash", *CLAWWRAP, "migrate", *AT, "a.ndjson"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=clean_env,
        cwd=tmp_path,
        timeout=60,
    )
    assert json.loads(done.stdout) == new(0)
    for word in (b"Traceback", b"Exception", b"roken pipe"):
        assert word not in done.stderr


@pytest.mark.parametrize("words", [[], ["--strict"]], ids=["", "strict"])
@pytest.mark.parametrize("name", ["-", "a.ndjson"])
def test_a_full_disk_under_stdout_is_told(
    run: Run, tmp_path: Path, name: str, words: list[str]
) -> None:
    raw = ndjson(old()) + b"garbage\n"
    (tmp_path / "a.ndjson").write_bytes(raw)
    with open("/dev/full", "wb") as full:
        result = run(
            "migrate", *words, name, check=False, input=raw, stdout=full, stderr=subprocess.PIPE
        )
    assert result.code == 4
    assert b"DISK_FULL" in result.stderr
    assert b"Exception" not in result.stderr


# A stream of n records, one by one, so that nobody holds it whole. The wrapper is small, because
# a child begins with the peak of the process that started it.
GENERATE = """
import sys
line = '{"type":"success","kind":"demo","number":%d,"text":"' + "x" * 3000 + '"}'
for number in range(int(sys.argv[1])):
    print(line % number)
"""
PEAK = """
import os, subprocess, sys
make = subprocess.Popen([sys.executable, "-c", sys.argv[1], sys.argv[2]], stdout=subprocess.PIPE)
work = subprocess.Popen(
    sys.argv[3:], stdin=make.stdout, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
)
make.stdout.close()
_, status, usage = os.wait4(work.pid, 0)
print(os.waitstatus_to_exitcode(status), make.wait(), usage.ru_maxrss)
"""


def test_memory_does_not_grow_with_the_stream(clean_env: dict[str, str], tmp_path: Path) -> None:
    def peak(count: int) -> int:
        done = subprocess.run(
            [sys.executable, "-c", PEAK, GENERATE, str(count), *CLAWWRAP, "migrate", *AT],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=clean_env,
            cwd=tmp_path,
            timeout=120,
        )
        status, made, found = map(int, done.stdout.split())
        assert (status, made) == (0, 0), done.stderr
        return found

    assert peak(20_000) < 1.5 * peak(160)


# Progress


def on_a_terminal(words: list[str], env: dict[str, str], folder: Path) -> tuple[int, bytes]:
    """A call with its stderr on a terminal, and what is seen there."""
    master, slave = pty.openpty()
    with subprocess.Popen(
        [*CLAWWRAP, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=slave,
        env=env,
        cwd=folder,
    ) as child:
        os.close(slave)
        seen = b""
        # A terminal whose other end is closed fails instead of ending.
        with contextlib.suppress(OSError):
            while piece := os.read(master, 65536):
                seen += piece
        code = child.wait(60)
    os.close(master)
    return code, seen


@pytest.mark.parametrize("words", [[], ["--in-place"], ["--check"]], ids=" ".join)
def test_progress_is_shown_on_a_terminal_and_nowhere_else(
    clean_env: dict[str, str], run: Run, tmp_path: Path, words: list[str]
) -> None:
    path = tmp_path / "a.ndjson"
    raw = ndjson(*map(old, range(2000)))
    path.write_bytes(raw)
    _, seen = on_a_terminal(["migrate", *words, "a.ndjson"], clean_env, tmp_path)
    assert b"\r[#" in seen or b"\r[ " in seen
    assert b" records " in seen
    assert b"\r\x1b[K" in seen  # and it is gone in the end
    path.write_bytes(raw)
    result = run("migrate", *words, "a.ndjson", check=False)
    assert b"\r" not in result.stderr
    assert b"\x1b" not in result.stderr


def test_no_progress_of_a_pipe_whose_end_nobody_knows(
    clean_env: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "a.ndjson").touch()
    code, seen = on_a_terminal(["migrate", "a.ndjson"], clean_env, tmp_path)
    assert code == 0
    assert b"\r[" not in seen
