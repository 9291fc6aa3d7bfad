"""Reading what a failing tool said: much of it, many rules, and text that means harm."""

from __future__ import annotations

from bench.groups import common
from bench.place import Place
from bench.rounds import Cell, Figure, P

MEGABYTE = 1 << 20
LINE = b"pump: looking at valve 0815, pressure is 3 bar, which is as expected\n"
#: Backtracking engines take exponential or cubic time for these; ours must not care.
HOSTILE = r"""rules:
  - {id: nested, when: {exit: 1, stderr: '/(a+)+\$/'}, code: PRECONDITION}
  - {id: blanks, when: {exit: 1, stderr: '/(\s*\s*)*\s+=/'}, code: PRECONDITION}
  - {id: cubic, when: {exit: 1, stderr: '/.*q.*z.*~/'}, code: PRECONDITION}
"""


def cells(place: Place) -> list[Cell]:
    return [_many_rules(place), _growth(place), _hostile(place)]


def _many_rules(place: Place) -> Cell:
    """Against the same failure with ten rules: what a rule costs."""
    text = place.file("ten-megabytes", _text(10 * MEGABYTE))
    say = common.executable(place, "say", common.SAY)
    commands = {P: place.interpreter(), "B": place.bare(say, text, "1", code=1)}
    for name, count in {"few": 10, "W": 1000}.items():
        commands[name] = place.wrapped(say, text, "1", env=_rules(place, count), code=1)
    figures = [
        *common.both(
            "10 MB of stderr, 1,000 rules: in all", common.overhead(), cpu=None, wall=None
        ),
        *common.both(
            "10 MB of stderr: 1,000 rules more than 10",
            common.overhead("W", "few"),
            cpu=1.5,
            wall=1.5,
        ),
    ]
    return Cell(common.runs(**commands), figures)


def _growth(place: Place) -> Cell:
    """Ten times the text must not cost more than ten times as much."""
    say = common.executable(place, "say", common.SAY)
    env = _rules(place, 1000)
    commands = {P: place.interpreter()}
    for key, size in {"1": MEGABYTE, "10": 10 * MEGABYTE}.items():
        name = "ten-megabytes" if key == "10" else "one-megabyte"
        text = place.file(name, _text(size))
        commands["B" + key] = place.bare(say, text, "1", code=1)
        commands["W" + key] = place.wrapped(say, text, "1", env=env, code=1)
    figures = [
        Figure(
            "1,000 rules: 10 MB to 1 MB of stderr",
            basis,
            lambda t: (t["W10"] - t["B10"]) / (t["W1"] - t["B1"]),
            "×",
            10,
        )
        for basis in ("cpu", "wall")
    ]
    return Cell(common.runs(**commands), figures)


def _hostile(place: Place) -> Cell:
    """64 KiB made to hang the rules above, against as much innocent text."""
    say = common.executable(place, "say", common.SAY)
    env = common.layer(place, "hostile", {"say": common.adapter("say", HOSTILE)})
    size = 64 << 10
    texts = {
        "innocent": _text(size),
        "nested": b"a" * size,
        "blanks": b" " * size,
        "cubic": b"q" * (size // 2) + b"z" * (size // 2),
    }
    commands = {P: place.interpreter()}
    for name, text in texts.items():
        file = place.file(f"text-{name}", text + b"\n")
        commands[name] = place.wrapped(say, file, "1", env=env, code=1)
    hostile = [name for name in texts if name != "innocent"]
    figures = [
        figure
        for name in hostile
        for figure in common.both(
            f"64 KiB of hostile text ({name}), more than innocent text",
            common.overhead(name, "innocent"),
            cpu=1.5,
            wall=1.5,
        )
    ]
    return Cell(common.runs(**commands), figures)


def _rules(place: Place, count: int) -> dict[str, str]:
    text = common.adapter("say", common.rules(count))
    return common.layer(place, f"{count}-rules", {"say": text})


def _text(size: int) -> bytes:
    return (LINE * (1 + size // len(LINE)))[: size - 1] + b"\n"
