"""Nothing is lost: what does not fit is spooled and paged, and comes back byte for byte."""

from __future__ import annotations

import base64
import json
import os
import resource
import signal
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawwrap import fields, pages, payload, portions, spool
from clawwrap.capture import Capture, Stream
from clawwrap.contract import Outcome
from clawwrap.invocation import Invocation
from tests.conftest import CLAWWRAP, Result, Run, check_envelope
from tests.test_process import wait_until


def follow(run: Run, first: Result, *options: str) -> list[Result]:
    """The first answer and every page behind it."""
    found = [first]
    while cursor := found[-1].meta.get("cursor"):
        found.append(run(*options, "--cursor", cursor))
    return found


def content_of(data: Any, stream: str = "stdout") -> bytes:
    if data.get("encoding") == "base64":
        return base64.b64decode(data["content"])
    text: str = data.get(stream, "")
    return text.encode()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A spool of its own for one test."""
    return tmp_path / "cache" / "clawwrap" / "spool"


@pytest.fixture
def own(run: Run, tmp_path: Path) -> Run:
    def call(*words: str | bytes, env: dict[str, str] | None = None, **more: Any) -> Result:
        cache = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
        return run(*words, env=cache | (env or {}), **more)

    return call


# Pages


def test_text_is_paged_from_the_first_byte_to_the_last(run: Run) -> None:
    found = follow(run, run("seq", "1", "30000"))
    assert len(found) > 3
    whole = "".join(result.data["stdout"] for result in found)
    assert whole == "".join(f"{n}\n" for n in range(1, 30001))
    assert found[0].data["tail"].endswith("30000\n")
    assert {result.meta["total_bytes"] for result in found} == {len(whole)}
    assert {result.meta["total_lines"] for result in found} == {30_000}
    assert all(len(result.stdout) < 30_000 for result in found)
    assert "truncated" not in found[-1].meta


def test_the_next_page_is_a_command_that_runs_as_it_stands(run: Run) -> None:
    result = run("seq", "1", "30000")
    assert result.warnings == [
        f"clawwrap: this is not all; the next page: clawwrap --cursor {result.meta['cursor']}"
    ]


def test_nothing_is_run_again(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "tool"
    script.write_text("#!/bin/sh\necho ran >> runs\nseq 1 30000\n")
    script.chmod(0o755)
    follow(run, run("./tool"))
    assert (tmp_path / "runs").read_text() == "ran\n"


def test_a_page_has_the_size_that_is_asked_for(run: Run) -> None:
    first = run("--max-output", "1K", "seq", "1", "3000")
    assert len(first.data["stdout"]) + len(first.data["tail"]) <= 1024
    found = follow(run, first, "--max-output", "0")
    assert len(found) == 2
    assert found[0].data["stdout"] + found[1].data["stdout"] == "".join(
        f"{n}\n" for n in range(1, 3001)
    )


@pytest.mark.parametrize("cap", ["1", "2", "3"])
def test_the_smallest_page_is_a_page(run: Run, cap: str) -> None:
    result = run("--max-output", cap, "sh", "-c", "seq 1 30000; seq 1 30000 >&2; exit 1")
    assert len(result.stdout) < 5000
    second = run("--max-output", cap, "--cursor", result.meta["cursor"])
    assert len(result.error["output"]["stdout"]) <= 4
    assert second.meta["offset"] == len(result.error["output"]["stdout"])
    raw = run("--max-output", cap, "head", "-c", "3000", "/dev/zero")
    assert len(run("--max-output", cap, "--cursor", raw.meta["cursor"]).stdout) < 2000


def test_both_streams_of_a_failure_are_paged(run: Run) -> None:
    result = run("sh", "-c", "seq 1 20000; seq 20001 40000 >&2; exit 3")
    found = follow(run, result)[1:]
    out = result.error["output"]["stdout"] + "".join(r.data.get("stdout", "") for r in found)
    err = "".join(r.data.get("stderr", "") for r in found)
    assert out == "".join(f"{n}\n" for n in range(1, 20001))
    assert err == "".join(f"{n}\n" for n in range(20001, 40001))
    assert all(r.code == 0 for r in found)
    assert result.error["detail"].endswith("40000\n")


def test_only_what_does_not_fit_is_paged(run: Run) -> None:
    result = run("sh", "-c", "echo short; seq 1 20000 >&2")
    assert result.data == {"stdout": "short\n"}
    assert {tuple(page.data) for page in follow(run, result)[1:]} == {("stderr",)}


def test_a_list_is_paged_by_whole_items(run: Run) -> None:
    whole = [{"id": n, "name": "ü" * 20} for n in range(3000)]
    for text in (json.dumps(whole), json.dumps(whole, indent=2, ensure_ascii=False)):
        found = follow(run, run("cat", input=text.encode()))
        assert [item for result in found for item in result.data] == whole
        assert all(result.meta["total_count"] == 3000 for result in found)
        assert all(result.meta["returned_count"] == len(result.data) for result in found)
        assert all(len(result.stdout) < 30_000 for result in found)


def test_json_lines_are_paged_by_whole_lines(run: Run) -> None:
    whole = [{"id": n, "name": "x" * 20} for n in range(3000)]
    found = follow(run, run("cat", input="".join(json.dumps(i) + "\n" for i in whole).encode()))
    assert [item for result in found for item in result.data] == whole
    assert found[0].meta["total_count"] == 3000


def test_a_list_too_long_for_memory_is_paged_by_whole_items(run: Run, tmp_path: Path) -> None:
    """Past what is read back as a whole it is counted item by item from the spool."""
    count = payload.LONGEST_VALUE // 90
    program = (
        "import json, sys\n"
        f"sys.stdout.write(json.dumps([{{'id': n, 'x': 'y' * 80}} for n in range({count})]))"
    )
    result = run(sys.executable, "-c", program)
    assert result.meta["total_bytes"] > payload.LONGEST_VALUE
    assert result.meta["total_count"] == count
    second = run("--cursor", result.meta["cursor"])
    assert second.data[0]["id"] == len(result.data)


def test_fields_hold_for_the_pages_too(run: Run) -> None:
    whole = [{"id": n, "name": "x" * 40} for n in range(5000)]
    found = follow(run, run("--fields", "id", "cat", input=json.dumps(whole).encode()))
    assert [item for result in found for item in result.data] == [{"id": n} for n in range(5000)]


def test_the_pages_of_a_failure_are_whole_as_the_first_one_is(run: Run) -> None:
    whole = json.dumps([{"id": n, "name": "x" * 40} for n in range(2000)])
    result = run("--fields", "id", "sh", "-c", "cat; exit 3", input=whole.encode())
    second = run("--cursor", result.meta["cursor"])
    assert result.error["output"] + second.data == json.loads(whole)[: second.data[-1]["id"] + 1]


@pytest.mark.parametrize("count", [3000, 60_000], ids=["from memory", "from the disk"])
def test_fields_that_are_not_there_leave_a_long_list_whole(run: Run, count: int) -> None:
    whole = [{"id": n, "name": "x" * 80} for n in range(count)]
    result = run("--fields", "nosuch", "cat", input=json.dumps(whole).encode())
    note = "clawwrap: --fields: there is no nosuch in data, which has id, name"
    assert result.warnings[0] == note
    assert result.meta["total_count"] == count
    second = run("--cursor", result.meta["cursor"])
    shown = result.data + second.data
    assert shown == whole[: len(shown)]
    third = run("--fields", "nosuch", "--cursor", second.meta["cursor"])
    assert third.data[0] == whole[len(shown)]
    assert third.warnings == [note]


def test_a_list_with_marks_of_windows_is_paged_by_items_all_the_same(run: Run) -> None:
    whole = [{"id": n, "name": "ü" * 20} for n in range(3000)]
    blanks = " \r\n[\r\n\t" + " ,\r\n\r\n ".join(map(json.dumps, whole)) + "\r\n ]\r\n"
    lines = "\r\n".join(map(json.dumps, whole)).replace(", ", ",\r")
    for text in (blanks, lines):
        found = follow(run, run("cat", input=b"\xef\xbb\xbf" + text.encode()))
        assert [item for result in found for item in result.data] == whole


def test_utf_16_is_not_cut_within_a_character(run: Run) -> None:
    whole = "😀" * 900
    for codec, mark in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")):
        first = run("--max-output", "1001", "cat", input=mark + whole.encode(codec))
        found = follow(run, first, "--max-output", "1001")
        assert "".join(result.data["stdout"] for result in found) == whole
        assert set(first.data["tail"]) == {"😀"}


def test_an_item_that_is_too_long_makes_it_text(run: Run) -> None:
    whole = [{"a": 1}, {"b": "x" * 40_000}]
    found = follow(run, run("cat", input=json.dumps(whole).encode()))
    assert set(found[0].data) == {"stdout", "tail"}
    assert json.loads("".join(result.data["stdout"] for result in found)) == whole


def test_bytes_are_paged_as_base64(run: Run) -> None:
    whole = bytes(range(256)) * 400
    found = follow(run, run("cat", input=whole))
    assert b"".join(content_of(result.data) for result in found) == whole
    assert found[0].data["bytes"] == len(whole)


@pytest.mark.parametrize("times", [20_000, 300_000], ids=["from memory", "from the disk"])
def test_raw_writes_the_whole_stream_untouched(run: Run, times: int) -> None:
    whole = b"\x1b[31m\xff\r\n" * times
    result = run("cat", input=whole)
    copy = run("-o", "raw", "--cursor", result.meta["cursor"], check=False)
    assert (copy.code, copy.stdout) == (0, whole)


def test_a_person_sees_the_page_and_the_way_to_the_next(run: Run) -> None:
    result = run("seq", "1", "30000")
    page = run("-o", "human", "--cursor", result.meta["cursor"], check=False)
    lines = page.stdout.splitlines()
    assert int(lines[0]) == int(result.data["stdout"].split()[-1]) + 1
    assert b"clawwrap --cursor " in page.stderr


def test_cleaned_text_has_its_bytes_behind_another_cursor(run: Run) -> None:
    result = run("printf", r"\033[31mred\033[0m\r\nend\n")
    assert "cursor" not in result.meta
    raw = follow(run, run("--cursor", result.meta["raw_cursor"]))
    assert b"".join(content_of(page.data) for page in raw) == b"\x1b[31mred\x1b[0m\r\nend\n"


def test_the_claw_shapes_name_the_next_page_on_stderr(run: Run) -> None:
    result = run("--envelope", "claw-2.0", "seq", "1", "30000", check=False)
    assert b"clawwrap --cursor " in result.stderr


# Any bytes


class Printed:
    """A run that printed these bytes, made without one."""

    def __init__(self, out: bytes, cap: int, place: Path) -> None:
        self.environ = {"XDG_CACHE_HOME": str(place)}
        self.capture = Capture()
        self.capture.spool = spool.Spool(1 << 20, self.environ)
        self.capture.stdout = Stream(keep=64)
        self.capture.stdout._make_store = lambda: self.capture.keep("stdout")
        self.capture.stdout.feed(out)
        stream = self.capture.stdout
        read = stream.store.read if stream.store else None
        found = payload.read(portions.Bytes(stream.head, stream.tail, stream.total, read), cap)
        self.first = found
        about = {"kind": found.kind, "encoding": found.encoding, "total_count": found.total_count}
        out_part = pages.Part("stdout", stream, found.shown, found.is_exact, about)
        err_part = pages.Part("stderr", self.capture.stderr, None, True, {})
        shared = {"command": "x", "redact": "errors", "fields": None}
        self.cursors = pages.keep(self.capture, out_part, err_part, shared)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.binary(max_size=600)
    | st.text(max_size=400).map(lambda text: text.encode("utf-8", "replace"))
    | st.lists(st.dictionaries(st.text(max_size=4), st.integers(), max_size=2), max_size=40).map(
        lambda value: json.dumps(value).encode()
    ),
    st.integers(1, 200),
)
def test_any_bytes_come_back_byte_for_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: bytes, cap: int
) -> None:
    printed = Printed(out, cap, tmp_path)
    for name, value in printed.environ.items():
        monkeypatch.setenv(name, value)
    inv = Invocation()
    inv.max_output, inv.output = cap, "json"
    first, cursor = printed.first, printed.cursors.cursor
    if first.truncated:
        assert cursor
    if not first.is_exact:
        assert printed.cursors.raw_cursor
    following = []
    while cursor:
        outcome = page_of(inv, cursor)
        following.append(outcome)
        cursor = outcome.meta.cursor
    if first.kind in (payload.ARRAY, payload.LINES, payload.VALUE):
        values = [first.data, *(outcome.data for outcome in following)]
        whole = [item for page in values for item in page] if following else first.data
        assert whole == json.loads(out)
    elif printed.cursors.raw_cursor is None and not any(o.meta.raw_cursor for o in following):
        parts = [first.data, *(outcome.data for outcome in following)]
        assert b"".join(map(content_of, parts)) == out
    if raw_cursor := printed.cursors.raw_cursor:
        assert _raw(inv, raw_cursor) == out


def page_of(inv: Invocation, cursor: str) -> Outcome[Any]:
    token, kept = pages.find(cursor)
    try:
        return pages.page(inv, token, kept)
    finally:
        kept.close()


def _raw(inv: Invocation, cursor: str | None) -> bytes:
    whole = b""
    while cursor:
        outcome = page_of(inv, cursor)
        whole += content_of(outcome.data)
        cursor = outcome.meta.cursor
    return whole


# Tokens


def test_tokens_that_are_none(run: Run, tmp_path: Path) -> None:
    good: str = run("seq", "1", "30000").meta["cursor"]
    run_id, place, proof = good.split(".")
    letters = ["x", "../../etc/passwd", f"../{good}", f"{good}\n", good.upper(), good[:-1], "é"]
    for bad in [*letters, f"{run_id}.ot0.{proof}", f"{run_id}.ot{'f' * 15}.{proof}"]:
        result = run("--cursor", bad)
        assert (result.code, result.error["code"]) == (3, "INVALID_CURSOR"), bad
        assert result.error["source"] == "clawwrap"
    for unknown in [f"{'0' * 32}.{place}.{proof}", f"{run_id}.e{place[1:]}.{proof}"]:
        result = run("--cursor", unknown)
        assert (result.code, result.error["code"]) == (5, "CURSOR_NOT_FOUND")


def test_a_token_of_another_user_is_not_found(own: Run, run: Run) -> None:
    cursor = own("seq", "1", "30000").meta["cursor"]
    assert run("--cursor", cursor).error["code"] == "CURSOR_NOT_FOUND"


def test_an_old_token_is_not_found(own: Run, place: Path) -> None:
    cursor = own("seq", "1", "30000").meta["cursor"]
    [file] = place.iterdir()
    past = time.time() - spool.LONGEST_S - 60
    os.utime(file, (past, past))
    result = own("--cursor", cursor)
    assert (result.code, result.error["code"]) == (5, "CURSOR_NOT_FOUND")
    assert "expired" in result.error["message"]


def test_a_damaged_file_is_not_found(own: Run, place: Path) -> None:
    cursor = own("seq", "1", "30000").meta["cursor"]
    [file] = place.iterdir()
    file.write_bytes(file.read_bytes()[:-3])
    assert "damaged" in own("--cursor", cursor).error["message"]


def test_a_cursor_and_a_command_exclude_each_other(run: Run) -> None:
    assert run("--cursor", "x", "ls").error["code"] == "INVALID_OPTION"


# The spool


def test_a_place_that_is_no_full_path_is_not_used(run: Run, tmp_path: Path) -> None:
    """It would be another one in every folder; the standard says to ignore it."""
    env = {"XDG_CACHE_HOME": "cache", "HOME": str(tmp_path / "home")}
    cursor = run("seq", "1", "30000", env=env).meta["cursor"]
    assert not (tmp_path / "cache").exists()
    assert run("--cursor", cursor, env=env, cwd="/").code == 0


def test_only_the_user_can_read_it(own: Run, place: Path) -> None:
    old = os.umask(0)
    try:
        own("seq", "1", "30000")
    finally:
        os.umask(old)
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert [stat.S_IMODE(file.stat().st_mode) for file in place.iterdir()] == [0o600]


def test_what_fits_leaves_nothing_behind(own: Run, place: Path) -> None:
    own("echo", "hi")
    own("cat", input=json.dumps({"a": " " * 10, "b": [1] * 5000}, indent=8).encode())
    assert not place.exists()


def test_what_is_not_modified_leaves_nothing_behind(own: Run, place: Path) -> None:
    etag = own("seq", "1", "300000").meta["etag"]
    files = sorted(place.iterdir())
    result = own("--etag", etag, "seq", "1", "300000")
    assert result.meta["not_modified"] is True
    assert sorted(place.iterdir()) == files


def test_it_can_be_switched_off(own: Run, place: Path) -> None:
    result = own("--spool", "0", "seq", "1", "30000")
    assert "cursor" not in result.meta
    assert result.meta["truncated"] is True
    assert "--spool 0" in result.warnings[0]
    assert not place.exists()


@pytest.mark.parametrize("fault", ["file", "symlink", "open to others", "read-only"])
def test_where_it_cannot_be_written_there_is_a_warning_and_the_same_answer(
    own: Run, place: Path, tmp_path: Path, fault: str
) -> None:
    place.parent.mkdir(parents=True)
    if fault == "file":
        place.write_text("")
    elif fault == "symlink":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        place.symlink_to(tmp_path / "elsewhere")
    elif fault == "open to others":
        place.mkdir(mode=0o755)
        place.chmod(0o755)
    else:
        (tmp_path / "cache").rename(tmp_path / "moved")
        (tmp_path / "cache").write_text("")
    result = own("sh", "-c", "seq 1 300000; exit 7")
    assert result.code == 1
    assert result.meta["native"]["exit_code"] == 7
    assert result.meta["truncated"] is True
    assert "cursor" not in result.meta
    assert len([w for w in result.warnings if "could not be kept" in w]) == 1
    assert result.stderr == b""
    if fault == "symlink":
        assert not list((tmp_path / "elsewhere").iterdir())
    if fault == "open to others":
        assert f"chmod 700 {place}" in result.warnings[-1]


def test_a_disk_that_fills_is_said_and_leaves_nothing(own: Run, place: Path) -> None:
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    own("true")  # the compiled tables are written before the limit holds
    result = own("seq", "1", "300000", preexec_fn=small_files)
    assert result.code == 0
    assert result.data["stdout"].startswith("1\n2\n")
    assert result.data["tail"].endswith("300000\n")
    assert "could not be kept" in result.warnings[0]
    assert not list(place.iterdir())


@pytest.mark.parametrize("room", [1, 100])
def test_a_disk_that_is_full_at_the_last_moment_is_said_too(
    own: Run, place: Path, room: int
) -> None:
    """The bytes fit, and of what a reader must know of them only the beginning does."""

    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000 + room, 100_000 + room))

    own("true")
    result = own("head", "-c", "100000", "/dev/zero", preexec_fn=small_files)
    assert "cursor" not in result.meta
    assert "could not be kept" in result.warnings[0]
    assert not list(place.iterdir())


def test_a_stream_beyond_the_limit_keeps_its_beginning_and_says_so(own: Run) -> None:
    first = own("--spool", "1M", "seq", "1", "300000")
    assert any("of which the first 1048576 are kept" in w for w in first.warnings)
    assert first.data["tail"].endswith("300000\n")
    found = follow(own, first, "--max-output", "200K")
    whole = "".join(result.data["stdout"] for result in found)
    assert whole == "".join(f"{n}\n" for n in range(1, 300_001))[: 1 << 20]
    assert "were not kept" in found[-1].warnings[0]
    assert found[-1].meta["truncated"] is True


def test_what_is_too_old_or_too_much_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "MOST_RUNS", 5)
    monkeypatch.setattr(spool, "MOST_BYTES", 2000)
    environ = {"XDG_CACHE_HOME": str(tmp_path)}
    made = []
    for size in (10, 10, 10, 10, 10, 10, 10):
        one = spool.Spool(1 << 20, environ)
        store = one.store("stdout")
        store.write(b"x" * size)
        assert store.finish({})
        made.append(one.id)
        time.sleep(0.002)
    folder = tmp_path / "clawwrap" / "spool"
    assert sorted(file.name for file in folder.iterdir()) == sorted(f"{i}.o" for i in made[-5:])
    large = spool.Spool(1 << 20, environ)
    store = large.store("stdout")
    store.write(b"x" * 5000)
    store.finish({})
    assert (folder / f"{large.id}.o").exists()
    spool.Spool(1 << 20, environ).store("stderr").discard()
    assert [file.name for file in folder.iterdir()] == [f"{large.id}.o"]  # more than all together


def test_what_a_killed_run_left_is_removed_by_the_next(
    own: Run, place: Path, clean_env: dict[str, str], tmp_path: Path
) -> None:
    process = subprocess.Popen(
        [*CLAWWRAP, "sh", "-c", "seq 1 300000; sleep 300"],
        env=clean_env | {"XDG_CACHE_HOME": str(tmp_path / "cache")},
        stdout=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    wait_until(lambda: place.exists() and any(f.suffix == ".part" for f in place.iterdir()))
    [draft] = place.iterdir()
    past = time.time() - 60
    os.utime(draft, (past, past))
    own("seq", "1", "30000")
    assert draft.exists()  # it belongs to somebody who is alive
    [tool] = _children(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    os.killpg(tool, signal.SIGKILL)
    os.utime(draft, (past, past))
    own("seq", "1", "30000")
    assert not draft.exists()


def _children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found]


def test_fifty_writers_at_once_all_find_theirs_again(
    clean_env: dict[str, str], tmp_path: Path
) -> None:
    env = clean_env | {"XDG_CACHE_HOME": str(tmp_path / "cache")}

    def one(number: int) -> str:
        words = [*CLAWWRAP, "seq", str(number), str(number + 8000)]
        done = subprocess.run(words, env=env, capture_output=True, stdin=subprocess.DEVNULL)
        cursor = json.loads(done.stdout)["meta"]["cursor"]
        again = [*CLAWWRAP, "-o", "raw", "--cursor", cursor]
        return subprocess.run(again, env=env, capture_output=True, text=True).stdout

    with ThreadPoolExecutor(50) as pool:
        for number, whole in enumerate(pool.map(one, range(50))):
            assert whole.split() == [str(n) for n in range(number, number + 8001)]


# Bounds


def peak(words: list[str], env: dict[str, str], tmp_path: Path) -> tuple[int, dict[str, Any]]:
    """The peak resident set in MB, as the process itself reads it at its end."""
    probe = (
        "import os, sys\n"
        "leave = os._exit\n"
        "def look(status):\n"
        "    for line in open('/proc/self/status'):\n"
        "        if line.startswith('VmHWM'): os.write(2, line.split()[1].encode())\n"
        "    leave(status)\n"
        "os._exit = look\n"
        f"sys.argv = ['clawwrap', *{words!r}]\n"
        "from clawwrap.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], env=env, cwd=tmp_path, capture_output=True, timeout=120
    )
    return int(done.stderr) // 1024, json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    "line",
    [
        "yes | head -c 600000000",
        "head -c 600000000 /dev/zero | tr '\\0' x",
        "head -c 300000000 /dev/zero",
        "yes '{\"a\": 1}' | head -c 100000000",
        "yes | head -c 300000000 >&2; exit 1",
    ],
    ids=["many lines", "one line", "bytes", "json lines", "a failure"],
)
def test_memory_is_bounded_whatever_the_output(
    line: str, clean_env: dict[str, str], tmp_path: Path
) -> None:
    env = clean_env | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    idle, _ = peak(["sh", "-c", ":"], env, tmp_path)
    used, envelope = peak(["--spool", "1M", "sh", "-c", line], env, tmp_path)
    check_envelope(envelope, envelope["meta"]["exit_code"])
    assert envelope["meta"]["truncated"] is True
    assert used < idle + 64


@pytest.mark.parametrize(
    "line",
    [
        r"""printf '{"a":['; yes '{"b":1},' | tr -d '\n' | head -c 4000000; printf '1]}'""",
        r"""printf '['; yes '{"b":1},' | tr -d '\n' | head -c 4000000; printf '1]'""",
        r"""printf '[['; yes '{"b":1},' | tr -d '\n' | head -c 6000000; printf '1],1]'""",
    ],
    ids=["object", "array", "long item"],
)
def test_memory_is_bounded_where_small_items_make_a_large_value(
    line: str, clean_env: dict[str, str], tmp_path: Path
) -> None:
    env = clean_env | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    idle, _ = peak(["sh", "-c", ":"], env, tmp_path)
    used, envelope = peak(["sh", "-c", line], env, tmp_path)
    assert envelope["meta"]["truncated"] is True
    assert used < idle + 64


def test_a_large_object_is_bounded_too(clean_env: dict[str, str], tmp_path: Path) -> None:
    env = clean_env | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    whole = {"items": [{"metadata": {"name": f"n{n}", "n": n}} for n in range(70_000)]}
    (tmp_path / "big.json").write_text(json.dumps(whole))
    idle, _ = peak(["true"], env, tmp_path)
    used, envelope = peak(["--fields", "items.metadata.n", "cat", "big.json"], env, tmp_path)
    assert envelope["meta"]["truncated"] is True
    assert used < idle + 64


def test_what_never_ends_is_ended_and_has_its_pages(run: Run) -> None:
    result = run("--spool", "1M", "--timeout", "500ms", "yes")
    assert result.error["code"] == "OPERATION_TIMEOUT"
    assert set(run("--cursor", result.meta["cursor"]).data["stdout"]) == {"y", "\n"}


def test_a_tool_that_closes_its_output_early_is_waited_for(run: Run) -> None:
    result = run("sh", "-c", "echo first; exec >&-; sleep 0.2; echo last >&2")
    assert result.data == {"stdout": "first\n"}
    assert result.warnings == ["last"]


@pytest.mark.parametrize("line", ["yes | true", "-o jsonl yes | head -c 100"])
def test_a_reader_that_goes_away_ends_a_tool_that_prints(
    clean_env: dict[str, str], tmp_path: Path, line: str
) -> None:
    """As it does without us: the tool finds its pipe broken."""
    script = f"{' '.join(CLAWWRAP)} --timeout 30s {line}; echo ${{PIPESTATUS[0]}} >&2"
    done = subprocess.run(
        ["bash", "-c", script], env=clean_env, cwd=tmp_path, capture_output=True, timeout=90
    )
    assert done.stderr == b"1\n"  # and not 10, the timeout


def test_fields_are_read_as_they_are_written() -> None:
    assert fields.parse(r"a.b,c\.d") == [("a", "b"), ("c.d",)]


def test_doctor_says_what_is_wrong_with_the_spool(own: Run, place: Path) -> None:
    place.mkdir(parents=True)
    place.chmod(0o755)
    checks = {check["name"]: check for check in own("doctor").data["checks"]}
    assert checks["spool"]["level"] == "warning"
    assert f"chmod 700 {place}" in checks["spool"]["found"]
    place.chmod(0o700)
    checks = {check["name"]: check for check in own("doctor").data["checks"]}
    assert checks["spool"]["level"] == "ok"
