"""The arithmetic: quartiles, the gate for disturbed rounds, ratios round by round. Pure."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

#: A round counts only where the bare interpreter took at most this many times its best.
GATE = 1.2
#: With fewer rounds than this behind the gate, all of them are used, and the row says so.
ENOUGH = 3

#: From the value of every contender, by name, to one figure.
Formula = Callable[[Mapping[str, float]], float]


class Spread(NamedTuple):
    """A figure over many rounds: its median, the quartiles, and what the minima say."""

    median: float
    low: float
    high: float
    best: float
    rounds: int
    of: int
    gated: bool


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """The lower quartile, the median and the upper quartile; of one value, three times itself."""
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def quiet(walls: Sequence[float], floor: float) -> list[bool]:
    """Which rounds pass the gate, judged by the bare interpreter's wall time in each."""
    return [wall <= GATE * floor for wall in walls]


def spread(
    rounds: Sequence[Mapping[str, float]], formula: Formula, passed: Sequence[bool] | None = None
) -> Spread:
    """The figure of each round that passed, and the same formula over everybody's minimum."""
    used, gated = list(rounds), True
    if passed is not None:
        kept = [values for values, good in zip(rounds, passed, strict=True) if good]
        gated = len(kept) >= min(ENOUGH, len(rounds))
        used = kept if gated else used
    low, median, high = quartiles([formula(values) for values in used])
    minima = {name: min(values[name] for values in rounds) for name in rounds[0]}
    return Spread(median, low, high, formula(minima), len(used), len(rounds), gated)


def is_known(value: float) -> bool:
    """Whether a number was measured at all."""
    return math.isfinite(value)
