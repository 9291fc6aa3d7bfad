"""Many commands, in one batch and by the library, against a loop that only spawns them."""

from __future__ import annotations

import json

from bench.groups import common
from bench.measure import Command
from bench.place import Place, program
from bench.rounds import Cell, Figure

COUNT = 400
LOOP = (
    "import clawwrap, sys\n"
    "for _ in range(int(sys.argv[1])):\n"
    "    assert clawwrap.run(sys.argv[2:]).ok\n"
)


def cells(place: Place) -> list[Cell]:
    count = place.size(COUNT)
    tool = program("true")
    items = place.file("items.jsonl", (json.dumps([tool]) + "\n").encode() * count)
    nothing = place.file("nothing.jsonl", b"")
    words = place.file("words", b"word\n" * count)

    def batch(file: str, jobs: int) -> Command:
        argv = [place.main.script, "batch", "-j", str(jobs), file]
        return Command(argv, place.env | place.main.env)

    def library(times: int) -> Command:
        argv = [place.main.python, "-c", LOOP, str(times), tool]
        return Command(argv, place.env | place.main.env)

    def spawns(jobs: int) -> Command:
        argv = [program("xargs"), "-a", words, "-n", "1", "-P", str(jobs), tool]
        return Command(argv, place.env)

    commands = {
        "xargs -P 1": spawns(1),
        "xargs -P 2": spawns(2),
        "batch of none": batch(nothing, 1),
        "batch -j 1": batch(items, 1),
        "batch -j 2": batch(items, 2),
        "none by the library": library(1),
        "clawwrap.run in a loop": library(count + 1),
        "one call": place.wrapped("true"),
    }
    figures: list[Figure] = []
    for name, start, to in (
        ("batch -j 1", "batch of none", "xargs -P 1"),
        ("batch -j 2", "batch of none", "xargs -P 2"),
        ("clawwrap.run in a loop", "none by the library", "xargs -P 1"),
    ):
        title = f"{name}, a command to one of `{to}`"
        formula = common.beyond(name, start, to)
        figures += common.both(title, formula, unit="×", cpu=None, wall=None)
    figures += common.both(
        "a call of clawwrap to a command of batch -j 1",
        lambda t: count * t["one call"] / (t["batch -j 1"] - t["batch of none"]),
        unit="×",
        cpu=None,
        wall=None,
    )
    return [Cell(common.runs(**commands), figures)]
