"""A large JSON answer, against a program that reads and writes it with orjson and does no more."""

from __future__ import annotations

import json
from functools import partial

from bench import measure
from bench.groups import common
from bench.measure import Command
from bench.place import Place
from bench.rounds import Cell, Figure, P

ONE_PASS = (
    "import sys, orjson\n"
    "sys.stdout.buffer.write(orjson.dumps(orjson.loads(sys.stdin.buffer.read())))\n"
)
#: Near one pass: what is over it must be less than half of one.
LIMIT = 1.5


def cells(place: Place) -> list[Cell]:
    item = {
        "name": "pump-4711",
        "labels": {"hall": "north", "line": 3},
        "pressure": 3.25,
        "valves": [True, False, None],
        "note": "checked, “all” is well",
    }
    count = place.size(10_000_000) // len(json.dumps(item))
    text = json.dumps([item | {"number": number} for number in range(count)]).encode()
    file = place.file("answer.json", text)
    tool = place.bare("cat", file)
    orjson = Command([place.main.python, "-I", "-c", ONE_PASS], place.env)
    contenders = {
        P: partial(measure.run, place.interpreter()),
        "orjson": partial(measure.pipeline, [tool, orjson]),
        "W": partial(measure.run, place.wrapped("cat", file, options=("--max-output", "0"))),
    }
    title = f"{len(text) / 1e6:.1f} MB of JSON as `data`, to one pass of orjson"
    figures: list[Figure] = common.both(
        title, common.ratio("W", "orjson"), unit="×", cpu=LIMIT, wall=LIMIT
    )
    return [Cell(contenders, figures)]
