"""Whether the number of adapters matters: ten of one's own against five thousand."""

from __future__ import annotations

from bench.groups import common
from bench.place import Place
from bench.rounds import Cell, P

FEW, MANY = 10, 5000
TOOLS = {"success": ("quiet", "#!/bin/sh\n", 0), "failure": ("loud", "#!/bin/sh\nexit 1\n", 1)}


def cells(place: Place) -> list[Cell]:
    few = common.layer(place, "few", _files(FEW))
    many = common.layer(place, "many", _files(place.size(MANY)))
    found = []
    for how, (tool, text, code) in TOOLS.items():
        path = common.executable(place, tool, text)
        commands = {
            P: place.interpreter(),
            "few": place.wrapped(path, env=few, code=code),
            "many": place.wrapped(path, env=many, code=code),
        }
        title = f"{how} with {place.size(MANY):,} adapters, more than with {FEW}"
        figures = common.both(title, common.overhead("many", "few"), cpu=0.1, wall=0.1)
        found.append(Cell(common.runs(**commands), figures))
    return found


def _files(count: int) -> dict[str, str]:
    names = [tool for tool, _, _ in TOOLS.values()]
    names += [f"tool-{number}" for number in range(count - len(names))]
    return {name: common.adapter(name, common.rules(4)) for name in names}
