"""What several groups need: the usual formulas, contenders from commands, adapters to order."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from bench import measure
from bench.measure import Command
from bench.place import Place
from bench.rounds import Contender, Figure, P
from bench.stats import Formula

#: A script that says on stderr what is in a file, and ends as it is told.
SAY = '#!/bin/sh\ncat "$1" >&2\nexit "$2"\n'


def runs(**commands: Command) -> dict[str, Contender]:
    """Contenders that run one command each."""
    return {name: partial(measure.run, command) for name, command in commands.items()}


def overhead(wrapper: str = "W", bare: str = "B") -> Formula:
    """What the wrapper adds, in starts of a bare interpreter."""
    return lambda t: (t[wrapper] - t[bare]) / t[P]


def ratio(of: str, to: str) -> Formula:
    return lambda t: t[of] / t[to]


def beyond(of: str, start: str, to: str) -> Formula:
    """A ratio of the work alone, without what it takes to begin."""
    return lambda t: (t[of] - t[start]) / t[to]


def difference(t: Mapping[str, float]) -> float:
    """What failing costs beyond succeeding: both wrapped, less both bare."""
    return ((t["W fails"] - t["B fails"]) - (t["W"] - t["B"])) / t[P]


def both(
    name: str, formula: Formula, *, unit: str = "P", cpu: float | None, wall: float | None
) -> list[Figure]:
    """The same figure by processor time and by wall time, each with its own limit."""
    return [
        Figure(name, "cpu", formula, unit, cpu),
        Figure(name, "wall", formula, unit, wall),
    ]


def executable(place: Place, name: str, text: str) -> str:
    path = place.file(name, text.encode())
    Path(path).chmod(stat.S_IRWXU)
    return path


def rules(count: int, *, hit: str | None = None) -> str:
    """An adapter's rules: words and expressions as real ones have them; `hit` is the last."""
    if not count:
        return ""
    lines = []
    for number in range(count):
        text = f'"fault number {number:04} of the pump"'
        if number % 3 == 0:
            text = rf"'/valve {number:04} (?:is stuck|leaks) at \d+ bar/'"
        if number == count - 1 and hit:
            text = f'"{hit}"'
        lines.append(f"  - id: rule-{number}\n    when: {{exit: 1, stderr: {text}}}")
        lines.append("    code: PRECONDITION\n    suggestion: Look at the pump.")
    return "rules:\n" + "\n".join(lines) + "\n"


def adapter(tool: str, rules_text: str) -> str:
    return (
        f"tool: {tool}\nabout: Made by the benchmark.\nexit_codes:\n"
        "  SUCCESS: It worked\n  GENERAL_ERROR: It did not\n  PRECONDITION: The pump is ill\n"
        f"{rules_text}"
    )


def layer(place: Place, name: str, files: Mapping[str, str]) -> dict[str, str]:
    """A user's own folder of adapters, as the environment that leads to it."""
    folder = place.home / name / "clawwrap" / "adapters"
    folder.mkdir(parents=True, exist_ok=True)
    for tool, text in files.items():
        (folder / f"{tool}.yaml").write_text(text)
    return {"XDG_CONFIG_HOME": str(place.home / name)}
