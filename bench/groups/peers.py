"""The same tool under clawwrap, and under what people use in its place."""

from __future__ import annotations

from collections.abc import Callable

from bench import debian, measure
from bench.groups import common
from bench.groups.startup import DURATIONS_MS, sleeps
from bench.measure import BenchError, Command
from bench.place import ROOT, Place, program
from bench.rounds import Cell, Figure, P

CLAWWRAP = "clawwrap"
NAIVE_JSON = "subprocess.run + json"
NAIVE_TYPER = "Typer + YAML + subprocess"
#: By duration they are what a reader wants to compare with; the rest is measured once.
QUICK_MS = (0, 50)


def cells(place: Place) -> list[Cell]:
    prefixes = _prefixes(place)
    durations = QUICK_MS if place.quick else DURATIONS_MS
    found = [_at(place, prefixes, ms) for ms in durations]
    for name, make in {"jc": _jc, "thefuck": _thefuck}.items():
        try:
            found.append(make(place))
        except BenchError as error:
            place.missing.append(f"{name}: {error}")
    return found


def _prefixes(place: Place) -> dict[str, tuple[list[str], dict[str, str]]]:
    """The words before the tool, and what they need in the environment; those that are there."""
    fetched = place.folder / "debian"
    python = place.main.python

    def peer(name: str) -> str:
        return str(debian.find(name, fetched))

    wanted: dict[str, Callable[[], list[str]]] = {
        "timeout": lambda: [program("timeout"), "5"],
        "tini": lambda: [peer("tini"), "-s", "--"],
        "chronic": lambda: [peer("chronic")],
        NAIVE_JSON: lambda: [python, str(ROOT / "bench" / "naive_json.py")],
        NAIVE_TYPER: lambda: [python, str(ROOT / "bench" / "naive_typer.py")],
    }
    found = {}
    for name, words in wanted.items():
        try:
            env = debian.perl_path(fetched) if name == "chronic" else {}
            prefix = words()
            measure.run(Command([*prefix, program("true")], place.env | env))
            found[name] = (prefix, env)
        except BenchError as error:
            place.missing.append(f"{name}: {error}")
    return found


def _at(place: Place, prefixes: dict[str, tuple[list[str], dict[str, str]]], ms: int) -> Cell:
    tool = place.bare(*sleeps(ms))
    commands = {P: place.interpreter(), "B": tool, CLAWWRAP: place.wrapped(*sleeps(ms))}
    for name, (words, env) in prefixes.items():
        commands[name] = Command([*words, *tool.argv], place.env | env)
    figures = []
    for name in [CLAWWRAP, *prefixes]:
        cost = common.overhead(name)
        if ms == 0:
            figures.append(Figure(f"{name}, no-op", "cpu", cost))
        figures.append(Figure(f"{name}, a tool of {ms} ms", "wall", cost, point=(name, ms)))
    limits = {"chronic": 0.45, NAIVE_TYPER: 0.10} if ms == 0 else {}
    for name, limit in limits.items():
        if name in commands:
            title = f"clawwrap to {name}, no-op"
            figures += common.both(
                title, common.ratio(CLAWWRAP, name), unit="×", cpu=limit, wall=limit
            )
    return Cell(common.runs(**commands), figures)


def _jc(place: Place) -> Cell:
    """jc runs only what it has a parser for."""
    words = ["uname", "-a"]
    jc = _peer(place, "jc", words, place.env)
    commands = {P: place.interpreter(), "B": place.bare(*words), "W": place.wrapped(*words)}
    return Cell(common.runs(**commands, jc=jc), _two("jc", "uname -a"))


def _thefuck(place: Place) -> Cell:
    """thefuck answers to one thing that clawwrap answers to as well: a misspelt command."""
    words = ["git", "brnch"]
    env = place.env | {"TF_ALIAS": "fuck", "THEFUCK_REQUIRE_CONFIRMATION": "false"}
    thefuck = _peer(place, "thefuck", words, env)
    commands = {
        P: place.interpreter(),
        "B": place.bare(*words, code=1),
        "W": place.wrapped(*words, code=13),
    }
    return Cell(common.runs(**commands, thefuck=thefuck), _two("thefuck", "git brnch"))


def _two(name: str, words: str) -> list[Figure]:
    return [
        Figure(f"{who}, `{words}`", basis, common.overhead(key))
        for who, key in {CLAWWRAP: "W", name: name}.items()
        for basis in ("cpu", "wall")
    ]


def _peer(place: Place, name: str, words: list[str], env: dict[str, str]) -> Command:
    """A peer from PyPI, tried once: thefuck does not start on Python 3.12 and later."""
    path = place.peers() / name
    if not path.exists():
        raise BenchError("it could not be installed")
    command = Command([str(path), *words], env)
    measure.run(command)
    return command
