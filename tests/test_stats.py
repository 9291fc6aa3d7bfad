"""`clawwrap stats`: the sums are right, and the page shows them, in any browser, to anybody."""

from __future__ import annotations

import html.parser
import os
import re
import shutil
import struct
import subprocess
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clawwrap.journal import charts, page, stats
from clawwrap.journal.words import took
from tests import journal
from tests.conftest import Run
from tests.journal import entry

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
HOSTILE = "<script>alert(1)</script>\"'&\u202e</style></svg><img src=x onerror=alert(2)>"


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"XDG_STATE_HOME": str(tmp_path / "state"), "TZ": "UTC"}


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """So that the labels of hours are those of the entries."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


# Sums


RUNS = [
    entry("git push", minutes=0, duration_ms=100),
    entry("git push", "CONNECTION_REFUSED", minutes=1, duration_ms=300),
    entry("git push", "CONNECTION_REFUSED", minutes=2, duration_ms=500),
    entry("git status", minutes=3, duration_ms=10),
    entry("grep", "NO_MATCH", minutes=4, duration_ms=5),
    entry("pytest", "TESTS_FAILED", minutes=5, duration_ms=9000),
    entry("pytest", "OPERATION_TIMEOUT", minutes=65, duration_ms=60_000, timed_out=True),
    entry("frob", "UNCLASSIFIED", minutes=66, duration_ms=50, words="frob § wobbled"),
    entry(
        "curl",
        minutes=67,
        duration_ms=900,
        attempts=[
            {"code": "UNAVAILABLE", "duration_ms": 200, "wait_ms": 100},
            {"code": "UNAVAILABLE", "duration_ms": 300, "wait_ms": 50},
            {"code": "SUCCESS", "duration_ms": 250},
        ],
    ),
    {"v": 1, "time": "2026-01-31T13:50:00.000Z", "note": "a remark"},
]


def test_counts() -> None:
    found = stats.summary(RUNS)
    wanted = {
        "first": "2026-01-31T12:00:00.000Z",
        "last": "2026-01-31T13:07:00.000Z",
        "runs": 9,
        "ok": 3,
        "answers": 2,  # grep without a match, and tests that failed
        "failed": 4,
        "failure_rate": 0.4444,
        "timeouts": 1,
        "cancelled": 0,
        "misses": 1,
        "notes": 1,
        "total_ms": 70_865,
        "lost_ms": {"failures": 850, "timeouts": 60_000, "retries": 650},
        "retryable": {"yes": 3, "maybe": 1, "no": 0},
        "retries": {"runs": 1, "saved": 1},
    }
    assert {name: found[name] for name in wanted} == wanted


def test_codes() -> None:
    assert stats.summary(RUNS)["codes"] == [
        {"code": "SUCCESS", "exit_code": 0, "count": 3, "answers": 0},
        {"code": "UNAVAILABLE", "exit_code": 12, "count": 2, "answers": 0},
        {"code": "GENERAL_ERROR", "exit_code": 1, "count": 1, "answers": 0},
        {"code": "NOT_FOUND", "exit_code": 5, "count": 1, "answers": 1},
        {"code": "TIMEOUT", "exit_code": 10, "count": 1, "answers": 0},
        {"code": "TESTS_FAILED", "exit_code": 80, "count": 1, "answers": 1},
    ]


def test_tools_those_that_fail_first() -> None:
    tools = stats.summary(RUNS)["tools"]
    assert [row["tool"] for row in tools] == ["git", "pytest", "frob", "curl", "grep"]
    assert tools[0]["codes"] == {"UNAVAILABLE": 2}
    assert tools[0]["lost_ms"] == {"failures": 800, "timeouts": 0, "retries": 0}
    assert (tools[0]["runs"], tools[0]["failed"], tools[0]["failure_rate"]) == (4, 2, 0.5)
    assert tools[1]["codes"] == {"TIMEOUT": 1}


def test_failures_the_most_frequent_first() -> None:
    first, *others = stats.summary(RUNS)["errors"]
    assert first == {
        "command": "git push",
        "code": "UNAVAILABLE",
        "error": "CONNECTION_REFUSED",
        "count": 2,
        "retryable": True,
        "lost_ms": 800,
        "last": "2026-01-31T12:02:00.000Z",
        "request_id": "r2",
    }
    assert [row["error"] for row in others] == ["OPERATION_TIMEOUT", "UNCLASSIFIED"]


def test_the_slowest_commands() -> None:
    rows = stats.summary(RUNS)["slowest"]
    assert [row["command"] for row in rows[:3]] == ["pytest", "curl", "git push"]
    assert (rows[0]["median_ms"], rows[0]["p95_ms"], rows[0]["max_ms"]) == (9000, 60_000, 60_000)
    assert rows[0]["argv"] == ["pytest", "--flag"]


@pytest.mark.parametrize(
    ("durations", "median", "p95"),
    [([7], 7, 7), ([1, 2], 1, 2), ([1, 2, 3], 2, 3), (range(1, 101), 50, 95), ([0, 0, 0, 9], 0, 9)],
)
def test_quantiles(durations: Any, median: int, p95: int) -> None:
    (row,) = stats.summary([entry(duration_ms=ms) for ms in durations])["slowest"]
    assert (row["median_ms"], row["p95_ms"]) == (median, p95)


def test_what_no_rule_knew() -> None:
    (row,) = stats.summary(RUNS)["unknown"]
    assert row == {"command": "frob", "native": "-", "words": "frob § wobbled", "count": 1}


def test_a_short_period_is_shown_by_the_hour() -> None:
    assert stats.summary(RUNS)["timeline"] == {
        "step": "hour",
        "buckets": [
            {"start": "2026-01-31T12:00", "ok": 2, "answer": 2, "failed": 2},
            {"start": "2026-01-31T13:00", "ok": 1, "answer": 0, "failed": 2},
        ],
    }


def test_a_long_one_by_the_day_with_the_empty_days() -> None:
    found = stats.summary([entry(minutes=0), entry(minutes=5 * 24 * 60)])["timeline"]
    assert found["step"] == "day"
    assert [bucket["start"][:10] for bucket in found["buckets"]] == [
        f"2026-0{day}" for day in ("1-31", "2-01", "2-02", "2-03", "2-04", "2-05")
    ]
    assert [bucket["ok"] for bucket in found["buckets"]] == [1, 0, 0, 0, 0, 1]


def test_a_very_long_one_has_an_end() -> None:
    found = stats.summary([entry(minutes=0), entry(minutes=3 * 365 * 24 * 60)])["timeline"]
    assert len(found["buckets"]) == stats.MOST_DAYS + 1


def test_nothing() -> None:
    found = stats.summary([])
    assert (found["runs"], found["timeline"]["buckets"], found["failure_rate"]) == (0, [], 0.0)
    assert "No runs are on record" in page.render(found)


DURATIONS = {
    0: "0 ms",
    999: "999 ms",
    1000: "1.0 s",
    59_949: "59.9 s",
    59_999: "1 min 0 s",
    60_000: "1 min 0 s",
    3_599_999: "1 h 0 min",
    7_260_000: "2 h 1 min",
}


@pytest.mark.parametrize("milliseconds", DURATIONS)
def test_durations(milliseconds: int) -> None:
    assert took(milliseconds) == DURATIONS[milliseconds]


# The verb


def test_data_and_tables(run: Run, env: dict[str, str]) -> None:
    journal.write(env, *RUNS)
    data = run("stats", "--since", "2026-01-01", "--tool", "git", env=env).data
    assert (data["runs"], data["failed"], data["since"][:4]) == (4, 2, "2026")
    text = run(
        "stats", "--since", "2026-01-01", "-o", "human", env=env, check=False
    ).stdout.decode()
    assert text.startswith(
        "runs       9 in 1 min 11 s, 3 ok\n"
        "failed     4 (44%), 3 retryable, 1 maybe, 0 not\n"
        "bad news   2 (no match, differences, findings)\n"
        "time lost  850 ms in failures, 1 min 0 s in timeouts, 650 ms in retries\n"
        "retried    1 runs, 1 of them saved\n"
    )
    assert "\n2      UNAVAILABLE    yes        800 ms     git push: CONNECTION_REFUSED\n" in text
    assert "\n1      -     frob: frob § wobbled\n" in text


def test_only_what_is_new_unless_asked(run: Run, env: dict[str, str]) -> None:
    journal.write(env, entry(time="2020-01-01T00:00:00.000Z"))
    run("true", env=env)
    assert run("stats", env=env).data["runs"] == 1
    assert run("stats", "--since", "2019-01-01", env=env).data["runs"] == 2


def test_a_page_is_written_in_one_piece(run: Run, env: dict[str, str], tmp_path: Path) -> None:
    journal.write(env, *RUNS)
    words = ("stats", "--since", "2026-01-01", "--html", "page.html")
    (tmp_path / "page.html").write_text("an older one")
    done = run(*words, env=env)
    assert done.data["file"] == str(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text().endswith("</html>\n")
    assert [path.name for path in tmp_path.glob("page*")] == ["page.html"]


@pytest.mark.parametrize("file", ["no/such/folder/page.html", ".", "/proc/page.html"])
def test_a_page_that_cannot_be_written(
    run: Run, env: dict[str, str], tmp_path: Path, file: str
) -> None:
    done = run("stats", "--html", file, env=env)
    assert done.code in (3, 5, 7)
    assert done.error["message"].startswith(os.path.normpath(tmp_path / file))
    assert not list(tmp_path.rglob("*.new"))


# The page


class Tags(html.parser.HTMLParser):
    """What a browser would see of the tags."""

    EMPTY = ("meta",)

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag


def hostile() -> str:
    runs = [
        entry(HOSTILE, "UNCLASSIFIED", minutes=number, words=HOSTILE)
        | {"error": HOSTILE, "code": HOSTILE, "tool": HOSTILE, "time": when}
        for number, when in enumerate(["2026-01-31T12:00:00.000Z", HOSTILE])
    ]
    return page.render(stats.summary(runs))


@pytest.mark.parametrize(
    "text", [page.render(stats.summary(RUNS)), hostile()], ids=["plain", "evil"]
)
def test_the_page_asks_nobody_for_anything(text: str) -> None:
    tags = Tags(text).seen
    assert not {"script", "img", "link", "iframe", "object", "form", "a", "base"} & {
        tag for tag, _ in tags
    }
    names = {name for _, attrs in tags for name in attrs}
    assert not {name for name in names if name.startswith("on")}
    assert not {"href", "src", "xlink:href", "action"} & names
    assert "url(" not in text
    assert "@import" not in text
    assert "\u202e" not in text
    policies = [attrs["content"] for tag, attrs in tags if attrs.get("http-equiv")]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'"]


def test_everybody_can_read_it() -> None:
    text = page.render(stats.summary(RUNS))
    tags = Tags(text).seen
    assert ("html", {"lang": "en"}) in tags
    assert [tag for tag, _ in tags if re.fullmatch("h[1-6]", tag)] == ["h1", *["h2"] * 7]
    drawings = [attrs for tag, attrs in tags if tag == "svg"]
    assert all(svg.get("aria-hidden") or svg.get("aria-label") for svg in drawings)
    for tag, attrs in tags:
        if tag == "th":
            assert attrs["scope"] in ("col", "row")
    assert "prefers-color-scheme: dark" in text
    assert "Runs by the hour: 9 in all" in text


@pytest.mark.parametrize(
    ("most", "top"), [(0, 4), (1, 4), (4, 4), (5, 8), (9, 20), (20, 20), (21, 40), (999, 2000)]
)
def test_the_scale_has_round_numbers(most: int, top: int) -> None:
    assert charts._top(most) == top


# In a browser


def browse(file: Path, profile: Path, *words: str) -> bytes:
    """A real one without a screen, which may talk to nobody."""
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
    flags += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    flags += ["--disable-dev-shm-usage", f"--user-data-dir={profile}", "--hide-scrollbars"]
    done = subprocess.run(
        [CHROMIUM, *flags, *words, file.as_uri()],
        capture_output=True,
        timeout=120,
        env=os.environ | {"HOME": str(profile)},
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def lines(png: bytes) -> Iterator[list[bytes]]:
    """The colours of a picture, line by line; it has 8 bits a channel, as browsers make them."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, packed, width, channels = 8, b"", 0, 0
    while at < len(png):
        (length,), name = struct.unpack(">I", png[at : at + 4]), png[at + 4 : at + 8]
        body = png[at + 8 : at + 8 + length]
        if name == b"IHDR":
            width, _, depth, colour = struct.unpack(">IIBB", body[:10])
            channels = {2: 3, 6: 4}[colour]
            assert depth == 8
        packed += body if name == b"IDAT" else b""
        at += 12 + length
    raw, size = zlib.decompress(packed), width * channels
    before = bytearray(size)
    for start in range(0, len(raw), size + 1):
        kind, line = raw[start], bytearray(raw[start + 1 : start + 1 + size])
        for n in range(size if kind else 0):
            left = line[n - channels] if n >= channels else 0
            corner = before[n - channels] if n >= channels else 0
            line[n] = (line[n] + _predicted(kind, left, before[n], corner)) & 255
        before = line
        yield [bytes(line[n : n + 3]) for n in range(0, size, channels)]


def _predicted(kind: int, left: int, up: int, corner: int) -> int:
    if kind == 4:
        guess = left + up - corner
        return min((left, up, corner), key=lambda value: abs(guess - value))
    return (0, left, up, (left + up) // 2)[kind]


def colours(scheme: str) -> dict[str, bytes]:
    """What the style calls its colours, in light or in dark."""
    with open(page.STYLE) as file:
        light, dark = file.read().split("@media (prefers-color-scheme: dark)")
    found = re.findall(r"--(\w+): #(\w{6});", light if scheme == "light" else dark)
    return {name: bytes.fromhex(value) for name, value in found}


@pytest.mark.skipif(not CHROMIUM, reason="no chromium is installed to open the page with")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 500])
def test_a_browser_shows_it(tmp_path: Path, scheme: str, width: int) -> None:
    file, shot = tmp_path / "page.html", tmp_path / "shot.png"
    file.write_text(page.render(stats.summary(journal.busy(300))))
    dark = ["--blink-settings=preferredColorScheme=0"] if scheme == "dark" else []
    browse(file, tmp_path / "b", *dark, f"--window-size={width},700", f"--screenshot={shot}")
    wanted = colours(scheme)
    picture = lines(shot.read_bytes())
    assert next(picture)[0] == wanted["paper"]
    missing = {wanted[name] for name in ("card", "ok", "answer", "failed")}
    for line in picture:
        missing -= set(line)
        if not missing:
            break
    assert not missing


@pytest.mark.skipif(not CHROMIUM, reason="no chromium is installed to open the page with")
def test_hostile_names_stay_text_in_a_browser(tmp_path: Path) -> None:
    """The tree that the browser made of it, written out again."""
    file = tmp_path / "page.html"
    file.write_text(hostile())
    tree = browse(file, tmp_path / "b", "--dump-dom").decode()
    tags = Tags(tree.partition("<!DOCTYPE html>")[2]).seen
    assert not {"script", "img"} & {tag for tag, _ in tags}
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in tree
    assert tree.count("<section>") == 7
