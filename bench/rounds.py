"""Interleaved rounds: everybody in a cell runs once in each round, in random order."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bench import stats
from bench.measure import BenchError, Sample

Contender = Callable[[], Sample]
#: The name of the bare interpreter in every cell that has one; the gate looks at it.
P = "P"
#: A cell gets at most this many times the rounds that it wants behind the gate.
PATIENCE = 3


@dataclass(frozen=True)
class Figure:
    """One number to find out: from which measure, by which formula, and what it should be."""

    name: str
    basis: str  # a field of Sample
    formula: stats.Formula
    unit: str = "P"
    at_most: float | None = None
    at_least: float | None = None
    point: tuple[str, float] | None = None  # where it stands in the plot: whose, and at which x


@dataclass(frozen=True)
class Cell:
    """Contenders that are compared with each other, and what is to be told of them."""

    contenders: Mapping[str, Contender]
    figures: list[Figure]
    once: bool = False  # comes out the same every time: no warm-up, a single round


Taken = list[tuple[Cell, list[dict[str, Sample]]]]


@dataclass(frozen=True)
class Result:
    """A figure with its value."""

    group: str
    figure: Figure
    spread: stats.Spread

    @property
    def met(self) -> str:
        """Whether the target is met: `yes`, `by minima`, `no`, or nothing where there is none.

        Load on the machine only ever adds to wall time, so there the minima may speak.
        """
        if self.figure.at_most is None and self.figure.at_least is None:
            return ""
        if self._holds(self.spread.median):
            return "yes"
        if self.figure.basis == "wall" and self._holds(self.spread.best):
            return "by minima"
        return "no"

    def _holds(self, value: float) -> bool:
        at_most, at_least = self.figure.at_most, self.figure.at_least
        return (at_most is None or value <= at_most) and (at_least is None or value >= at_least)

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        figure, found = self.figure, self.spread
        return {
            "group": self.group,
            "name": figure.name,
            "basis": figure.basis,
            "unit": figure.unit,
            "median": round(found.median, 4),
            "low": round(found.low, 4),
            "high": round(found.high, 4),
            "minima": round(found.best, 4),
            "rounds": found.rounds,
            "of": found.of,
            "gated": found.gated,
            "at_most": figure.at_most,
            "at_least": figure.at_least,
            "point": list(figure.point) if figure.point else None,
            "met": self.met or None,
        }


def from_plain(record: Mapping[str, Any]) -> Result:
    """The other way round."""
    point = record["point"]
    figure = Figure(
        record["name"],
        record["basis"],
        _unknown,
        record["unit"],
        record["at_most"],
        record["at_least"],
        (point[0], point[1]) if point else None,
    )
    return Result(
        record["group"],
        figure,
        stats.Spread(
            median=record["median"],
            low=record["low"],
            high=record["high"],
            best=record["minima"],
            rounds=record["rounds"],
            of=record["of"],
            gated=record["gated"],
        ),
    )


def _unknown(_values: Mapping[str, float]) -> float:
    raise BenchError("a figure that was read from a file cannot be computed again")


def measure(
    group: str,
    cells: list[Cell],
    *,
    wanted: int,
    seconds: float,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[list[Result], list[str]]:
    """What the cells come to, and what could not be measured and why."""
    results: list[Result] = []
    faults: list[str] = []
    taken: Taken = []
    for cell in cells:
        try:
            warm = {name: contender() for name, contender in cell.contenders.items()}
            taken.append((cell, [warm] if cell.once else []))
        except BenchError as error:
            faults.append(f"{group}: {cell.figures[0].name}: {error}")
    deadline = clock() + seconds
    try:
        _fill(taken, wanted, deadline, clock)
    except BenchError as error:
        faults.append(f"{group}: {error}")
    floor = _floor(taken)
    for cell, rounds in taken:
        for figure in cell.figures if rounds else ():
            found = _judge(figure, rounds, floor)
            if found is None:
                faults.append(f"{group}: {figure.name}: this system does not tell ({figure.basis})")
            else:
                results.append(Result(group, figure, found))
    return results, faults


def _fill(
    taken: Taken,
    wanted: int,
    deadline: float,
    clock: Callable[[], float],
) -> None:
    """Go round until every cell has what it wants, or patience or time is at its end."""
    open_cells = [one for one in taken if not one[0].once]
    number = 0
    while open_cells and (number < min(2, wanted) or clock() < deadline):
        number += 1
        for cell, rounds in random.sample(open_cells, len(open_cells)):
            names = random.sample(sorted(cell.contenders), len(cell.contenders))
            rounds.append({name: cell.contenders[name]() for name in names})
            if number >= min(2, wanted) and clock() >= deadline:
                break
        floor = _floor(taken)
        open_cells = [one for one in open_cells if not _is_done(one[1], wanted, floor)]


def _is_done(rounds: list[dict[str, Sample]], wanted: int, floor: float) -> bool:
    good = stats.quiet([_wall_of_p(one) for one in rounds], floor)
    return sum(good) >= wanted or len(rounds) >= PATIENCE * wanted


def _wall_of_p(one: Mapping[str, Sample]) -> float:
    """What the gate looks at; a round without a bare interpreter always passes."""
    return one[P].wall if P in one and stats.is_known(one[P].wall) else 0.0


def _floor(taken: Taken) -> float:
    """The best wall time of the bare interpreter in the whole group."""
    walls = [_wall_of_p(one) for _, rounds in taken for one in rounds]
    return min((wall for wall in walls if wall), default=0.0)


def _judge(figure: Figure, rounds: list[dict[str, Sample]], floor: float) -> stats.Spread | None:
    values = [
        {name: getattr(sample, figure.basis) for name, sample in one.items()} for one in rounds
    ]
    passed = None
    if figure.basis == "wall" and P in rounds[0]:
        passed = stats.quiet([_wall_of_p(one) for one in rounds], floor)
    found = stats.spread(values, figure.formula, passed)
    return found if stats.is_known(found.median) else None
