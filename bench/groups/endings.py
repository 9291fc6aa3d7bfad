"""How it ends: with somebody holding the pipe, out of time, four at once, and untouched."""

from __future__ import annotations

import itertools
import os
from functools import partial

from bench import measure
from bench.groups import common
from bench.measure import Sample
from bench.place import Place, program
from bench.rounds import Cell, Figure, P

DEADLINE_S = 0.3
CALLS, WIDTH = 12, 4
#: Numbers that no other process has among its words.
_marks = itertools.count(1)


def cells(place: Place) -> list[Cell]:
    return [_holder(place), _tree(place), _crowd(place), _raw(place)]


def _holder(place: Place) -> Cell:
    """A background process keeps the output open; nobody waits for it."""
    words = ["sh", "-c", "sleep 1 & exit 0"]
    commands = common.runs(P=place.interpreter(), B=place.bare(*words), W=place.wrapped(*words))
    name = "a background process holds the output"
    return Cell(
        commands, [Figure(name, "wall", lambda t: t["W"] / (t["B"] + t[P]), "(B + P)", 1.15)]
    )


def _tree(place: Place) -> Cell:
    """Ten processes, ended at the deadline."""
    contenders = {
        P: partial(measure.run, place.interpreter()),
        "W": partial(_out_of_time, place),
    }
    figures = [
        Figure(
            "timeout of ten processes, beyond the deadline",
            "wall",
            lambda t: (t["W"] - DEADLINE_S) / t[P],
            "P",
            1.3,
        ),
        Figure("of them, still there afterwards", "tally", lambda t: t["W"], "processes", 0),
    ]
    return Cell(contenders, figures)


def _out_of_time(place: Place) -> Sample:
    mark = f"{3600 + next(_marks)}.{os.getpid()}"
    line = f"for i in 1 2 3 4 5 6 7 8 9; do {program('sleep')} {mark} & done; wait"
    options = ("--timeout", f"{DEADLINE_S * 1000:.0f}ms")
    sample = measure.run(place.wrapped("sh", "-c", line, options=options, code=10))
    left = measure.running(program("sleep"), mark)
    measure.end(left)
    return sample._replace(tally=float(len(left)))


def _crowd(place: Place) -> Cell:
    """Calls at the same time: what is hidden behind a tool's wait is not free here."""
    contenders = {
        P: partial(measure.parallel, place.interpreter(), calls=CALLS, width=WIDTH),
        "W": partial(measure.parallel, place.wrapped("true"), calls=CALLS, width=WIDTH),
    }
    name = f"{WIDTH} at once: no-op calls per second to those of P"
    figures = [
        Figure(name, basis, common.ratio(P, "W"), "×", at_least=0.85) for basis in ("cpu", "wall")
    ]
    return Cell(contenders, figures)


def _raw(place: Place) -> Cell:
    commands = common.runs(
        P=place.interpreter(),
        B=place.bare("true"),
        W=place.wrapped("true", options=("-o", "raw")),
    )
    return Cell(commands, common.both("raw mode, no-op", common.overhead(), cpu=1.15, wall=1.15))
