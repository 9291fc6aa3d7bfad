"""What the runs of a period add up to. Pure: entries in, plain data out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from clawwrap.journal import choosing

Entry = dict[str, Any]
Row = dict[str, Any]

RESULTS = ("ok", "answer", "failed")
#: Longer periods are shown by the day.
MOST_HOURS = 72
MOST_DAYS = 400
FIRST_OF_A_TOOL = 79


def result(entry: Entry) -> str:
    """`answer` is a non-zero exit that is no failure: no match, differences, findings."""
    code = entry.get("exit_code", 0)
    if code == 0:
        return "ok"
    is_answer = code >= FIRST_OF_A_TOOL or entry.get("error") == "NO_MATCH"
    return "answer" if is_answer else "failed"


def summary(entries: Iterable[Entry], top: int = 10) -> Row:
    """Everything that `clawwrap stats` shows."""
    runs, notes = [], 0
    for entry in entries:
        if "note" not in entry:
            runs.append(entry)
        else:
            notes += 1
    return {
        "first": runs[0]["time"] if runs else None,
        "last": runs[-1]["time"] if runs else None,
        **_counts(runs),
        "notes": notes,
        "lost_ms": _sum(map(lost, runs)),
        "total_ms": sum(map(_ms, runs)),
        "retryable": _retryable(runs),
        "retries": _retries(runs),
        "codes": _codes(runs),
        "tools": _tools(runs)[:top],
        "errors": _errors(runs)[:top],
        "slowest": _slowest(runs)[:top],
        "unknown": _unknown(runs)[:top],
        "timeline": timeline(runs),
    }


def lost(entry: Entry) -> dict[str, int]:
    """Time without a result, each millisecond once: in failures, in timeouts, in retries."""
    if result(entry) == "failed":
        return {"timeouts" if entry.get("code") == "TIMEOUT" else "failures": _ms(entry)}
    *earlier, _ = entry.get("attempts") or [{}]
    spent = (attempt.get("duration_ms", 0) + attempt.get("wait_ms", 0) for attempt in earlier)
    return {"retries": sum(spent)}


def _sum(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total = {"failures": 0, "timeouts": 0, "retries": 0}
    for part in parts:
        for name, value in part.items():
            total[name] += value
    return total


def _ms(entry: Entry) -> int:
    return int(entry.get("duration_ms", 0))


def _counts(runs: Sequence[Entry]) -> Row:
    found = Counter(map(result, runs))
    return {
        "runs": len(runs),
        "ok": found["ok"],
        "answers": found["answer"],
        "failed": found["failed"],
        "failure_rate": round(found["failed"] / len(runs), 4) if runs else 0.0,
        "timeouts": sum(entry.get("code") == "TIMEOUT" for entry in runs),
        "cancelled": sum(bool(entry.get("cancelled")) for entry in runs),
        "misses": sum(bool(entry.get("miss")) for entry in runs),
    }


def _retryable(runs: Sequence[Entry]) -> Row:
    found = Counter(str(entry.get("retryable")) for entry in runs if result(entry) == "failed")
    return {"yes": found["True"], "maybe": found["maybe"], "no": found["False"]}


def _retries(runs: Sequence[Entry]) -> Row:
    """How often a run was tried again, and how often that helped."""
    again = [entry for entry in runs if len(entry.get("attempts") or ()) > 1]
    return {"runs": len(again), "saved": sum(entry["exit_code"] == 0 for entry in again)}


def _codes(runs: Sequence[Entry]) -> list[Row]:
    rows = []
    for (code, name), own in _by(runs, "exit_code", "code").items():
        answers = sum(result(entry) == "answer" for entry in own)
        row = {"code": name, "exit_code": code, "count": len(own), "answers": answers}
        rows.append(row)
    return sorted(rows, key=lambda row: (-row["count"], row["exit_code"]))


def _tools(runs: Sequence[Entry]) -> list[Row]:
    rows: list[Row] = []
    for tool, own in _by(runs, "tool").items():
        codes = Counter(entry["code"] for entry in own if result(entry) == "failed")
        row: Row = {"tool": tool, **_counts(own), "retryable": _retryable(own)}
        row |= {"lost_ms": _sum(map(lost, own)), "codes": dict(codes.most_common())}
        rows.append(row | _durations(own))
    return sorted(rows, key=lambda row: (-row["failed"], -row["runs"], row["tool"]))


def _errors(runs: Sequence[Entry]) -> list[Row]:
    rows = []
    failures = [entry for entry in runs if result(entry) == "failed"]
    for (command, code, error), own in _by(failures, "command", "code", "error").items():
        row: Row = {"command": command, "code": code, "error": error, "count": len(own)}
        row |= {"retryable": own[-1].get("retryable"), "lost_ms": sum(map(_ms, own))}
        rows.append(row | {"last": own[-1]["time"], "request_id": own[-1].get("request_id")})
    return sorted(rows, key=lambda row: (-row["count"], -row["lost_ms"], row["command"]))


def _slowest(runs: Sequence[Entry]) -> list[Row]:
    rows = []
    for command, own in _by(runs, "command").items():
        longest = max(own, key=_ms)
        row: Row = {"command": command, "runs": len(own), **_durations(own)}
        rows.append(row | {"argv": longest.get("argv"), "request_id": longest.get("request_id")})
    return sorted(rows, key=lambda row: (-row["p95_ms"], -row["max_ms"], row["command"]))


def _durations(own: Sequence[Entry]) -> Row:
    ordered = sorted(map(_ms, own))
    return {
        "median_ms": _quantile(ordered, 50),
        "p95_ms": _quantile(ordered, 95),
        "max_ms": ordered[-1],
        "total_ms": sum(ordered),
    }


def _quantile(ordered: Sequence[int], percent: int) -> int:
    """The smallest value that so many percent of them do not exceed."""
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def _unknown(runs: Sequence[Entry]) -> list[Row]:
    """What no rule knew, by its masked words."""
    misses = [
        entry | {"native": entry.get("native_exit", entry.get("signal", "-"))}
        for entry in runs
        if entry.get("miss")
    ]
    found = [
        {"command": command, "native": native, "words": words, "count": len(own)}
        for (command, native, words), own in _by(misses, "command", "native", "words").items()
    ]
    return sorted(found, key=lambda row: (-row["count"], row["command"]))


def _by(runs: Iterable[Entry], *names: str) -> dict[Any, list[Entry]]:
    """The runs by what they have under these names."""
    found = defaultdict(list)
    for entry in runs:
        key = tuple(entry.get(name) for name in names)
        found[key if len(key) > 1 else str(key[0])].append(entry)
    return found


def timeline(runs: Sequence[Entry]) -> Row:
    """Runs by the hour or by the day, empty ones included, in the time of the wall clock."""
    moments = [when.astimezone() if (when := choosing.parsed(e["time"])) else None for e in runs]
    known = [when for when in moments if when]
    if not known:
        return {"step": "hour", "buckets": []}
    first, last = min(known), max(known)
    by_hour = last - first <= timedelta(hours=MOST_HOURS)
    buckets: dict[str, Row] = {}
    at, end = _start(first, by_hour), _start(last, by_hour)
    at = max(at, end - timedelta(days=MOST_DAYS))
    while at <= end:
        buckets.setdefault(_label(at), dict.fromkeys(RESULTS, 0))
        at += timedelta(hours=1) if by_hour else timedelta(days=1)
    for entry, when in zip(runs, moments, strict=True):
        label = _label(_start(when, by_hour)) if when else ""
        if label in buckets:
            buckets[label][result(entry)] += 1
    rows = [{"start": label, **counts} for label, counts in buckets.items()]
    return {"step": "hour" if by_hour else "day", "buckets": rows}


def _start(when: datetime, by_hour: bool) -> datetime:
    """The start of its hour or day, as the clock on the wall shows it."""
    start = when.replace(minute=0, second=0, microsecond=0, tzinfo=None)
    return start if by_hour else start.replace(hour=0)


def _label(start: datetime) -> str:
    return start.isoformat(timespec="minutes")
