"""What one call costs, by how long the tool runs and how it ends."""

from __future__ import annotations

from bench.groups import common
from bench.place import Place
from bench.rounds import Cell, Figure

DURATIONS_MS = (0, 5, 10, 20, 30, 50, 100)
HIT = "the pump is not plugged in"
#: What a failing tool may say before it comes to the point: 500 bytes, or a megabyte without one.
CHATTER = "pump: looking at the second valve, pressure is as expected\n"


def cells(place: Place) -> list[Cell]:
    return [*(_success(place, ms) for ms in DURATIONS_MS), *_failures(place)]


def sleeps(ms: int) -> list[str]:
    """A tool that takes so long and does nothing."""
    return ["sleep", str(ms / 1000)] if ms else ["true"]


def _success(place: Place, ms: int) -> Cell:
    words = sleeps(ms)
    name = f"success, a tool of {ms} ms"
    figures = common.both(
        name, common.overhead(), cpu=1.15 if ms == 0 else None, wall=1.45 if ms <= 20 else 1.2
    )
    if ms == 100:
        figures[1] = Figure(name, "wall", common.overhead())
        figures.append(Figure(name, "wall", common.ratio("W", "B"), "B", 1.13))
    commands = common.runs(P=place.interpreter(), B=place.bare(*words), W=place.wrapped(*words))
    return Cell(commands, figures)


def _failures(place: Place) -> list[Cell]:
    hit = common.rules(50, hit=HIT)
    env = common.layer(place, "fifty-rules", {"say": common.adapter("say", hit)})
    short = (CHATTER * 8 + HIT + "\n").encode()[-500:]
    long = (CHATTER * (1 + (1 << 20) // len(CHATTER))).encode()[: 1 << 20]
    return [
        _failure(place, "500 B of stderr, 50 rules", short, env, code=4, limit=0.6),
        _failure(place, "1 MiB of stderr without a hit", long, env, code=1, limit=1.5),
    ]


def _failure(
    place: Place, name: str, text: bytes, env: dict[str, str], *, code: int, limit: float
) -> Cell:
    say = common.executable(place, "say", common.SAY)
    file = place.file(f"stderr-{len(text)}", text)
    commands = common.runs(
        **{
            "P": place.interpreter(),
            "B": place.bare(say, file, "0"),
            "W": place.wrapped(say, file, "0", env=env),
            "B fails": place.bare(say, file, "1", code=1),
            "W fails": place.wrapped(say, file, "1", env=env, code=code),
        }
    )
    figures = common.both(f"failure less success, {name}", common.difference, cpu=limit, wall=limit)
    return Cell(commands, figures)
