"""Whether it matters who installed the command, and whether it could be compiled."""

from __future__ import annotations

from bench.groups import common
from bench.measure import BenchError
from bench.place import INSTALLERS, Install, Place
from bench.rounds import Cell, P

UNCOMPILED = "pip-no-compile"


def cells(place: Place) -> list[Cell]:
    found = []
    for kind in [kind for kind in INSTALLERS if kind != UNCOMPILED]:
        try:
            found.append(_no_op(place, kind, place.installed(kind)))
        except BenchError as error:
            place.missing.append(str(error))
    try:
        found.append(_without_pyc(place, place.installed(UNCOMPILED)))
    except BenchError as error:
        place.missing.append(str(error))
    return found


def _no_op(place: Place, kind: str, install: Install) -> Cell:
    """Against a bare interpreter of its own environment."""
    commands = common.runs(
        P=place.interpreter(install), B=place.bare("true"), W=place.wrapped("true", install=install)
    )
    title = f"no-op, installed with {kind}"
    return Cell(commands, common.both(title, common.overhead(), cpu=1.15, wall=1.45))


def _without_pyc(place: Place, install: Install) -> Cell:
    """As in many containers, which forbid Python to write what it has compiled."""
    commands = {
        P: place.interpreter(),
        "W": place.wrapped("true"),
        "bare": place.wrapped("true", install=install),
    }
    title = "without .pyc files, more than with them"
    figures = common.both(title, common.overhead("bare", "W"), cpu=0.35, wall=0.35)
    return Cell(common.runs(**commands), figures)
