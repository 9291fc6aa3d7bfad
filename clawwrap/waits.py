"""How long a tool says to wait, from what it printed. Pure, but for the clock it is handed."""

from __future__ import annotations

from datetime import UTC, datetime

from clawwrap import catalog, patterns

UNITS_MS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000}
LONGEST_MS = 7 * 24 * 3_600_000


def find(text: bytes, now: float) -> int | None:
    """The wait in milliseconds that the text asks for; None where it names none."""
    lowered = text.lower()
    for matcher in catalog.mapping("waits")["waits"]:
        hit = patterns.search(matcher, lowered, lowered)
        wait = _milliseconds(hit.groups, now) if hit else None
        if wait is not None and wait <= LONGEST_MS:
            return wait
    return None


def _milliseconds(groups: dict[str, str], now: float) -> int | None:
    if "date" in groups:
        moment = _moment(groups["date"])
        return None if moment is None else max(0, round((moment - now) * 1000))
    if "epoch" in groups:
        return max(0, round((int(groups["epoch"]) - now) * 1000))
    if "value" in groups:
        return round(float(groups["value"]) * _unit(groups.get("unit", "s")))
    parts = {"hours": "h", "minutes": "m", "seconds": "s"}
    return sum(int(groups.get(name) or 0) * UNITS_MS[unit] for name, unit in parts.items())


def _unit(word: str) -> int:
    return UNITS_MS["ms" if word.startswith(("ms", "milli")) else word[0]]


def _moment(text: str) -> float | None:
    try:
        if text[0].isdigit():
            iso = text.upper().replace(" UTC", "+00:00").replace("Z", "+00:00")
            moment = datetime.fromisoformat(iso)
        else:
            moment = datetime.strptime(text, "%a, %d %b %Y %H:%M:%S gmt")
    except ValueError:
        return None
    return moment.replace(tzinfo=moment.tzinfo or UTC).timestamp()
