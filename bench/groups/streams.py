"""A gigabyte through every way there is, against `cat`; and the memory that it takes."""

from __future__ import annotations

from functools import partial

from bench import measure
from bench.groups import common
from bench.measure import Command
from bench.place import Place
from bench.rounds import Cell, Contender, Figure, P

GIGABYTE = 1 << 30
CHUNK = 32 << 20
LINE = b"2024-05-17 11:03:52 pump[4711]: pressure 3.2 bar, 418 l/min, all valves open\n"
#: Nothing on disk: only the cap is between the tool and us.
CAP = ("--spool", "0")
SPOOL = ("--spool", "2G")


def cells(place: Place) -> list[Cell]:
    return [
        _against_cat(place, "8 K writes, the cap", _zeros(place, "8K"), CAP, 1.35, 1.6),
        _against_cat(place, "1 M writes, the cap", _zeros(place, "1M"), CAP, 1.1, 1.6),
        _against_cat(place, "text, the cap", _text(place), CAP, None, 1.6),
        _against_cat(place, "text, the spool", _text(place, 4), SPOOL, None, None),
        _against_cat(place, "text, jsonl", _text(place, 8), (*CAP, "-o", "jsonl"), None, None),
        _raw_stdout(place),
        _raw_stderr(place),
        _memory(place),
    ]


def _zeros(place: Place, block: str) -> list[str]:
    """Bytes that are no text, in writes of one size."""
    size = place.size(GIGABYTE) // {"8K": 8 << 10, "1M": 1 << 20}[block]
    return ["dd", "if=/dev/zero", f"bs={block}", f"count={size}", "status=none"]


def _text(place: Place, part: int = 1) -> list[str]:
    """The lines of a log, as large as the bytes or a part of that."""
    lines = place.file("lines", LINE * (CHUNK // len(LINE)))
    return ["cat", *[lines] * max(1, place.size(GIGABYTE) // part // CHUNK)]


def _against_cat(
    place: Place,
    name: str,
    words: list[str],
    options: tuple[str, ...],
    wall: float | None,
    cpu: float | None,
) -> Cell:
    contenders: dict[str, Contender] = {
        P: partial(measure.run, place.interpreter()),
        "cat": partial(measure.pipeline, [place.bare(*words), place.bare("cat")]),
        "W": partial(measure.run, place.wrapped(*words, options=options)),
    }
    figures = [
        Figure(f"{name}: our own processor time to that of `cat`", "own", _to_cat, "×", cpu),
        Figure(f"{name}: wall time to `| cat`", "wall", _to_cat, "×", wall),
    ]
    return Cell(contenders, figures)


_to_cat = common.ratio("W", "cat")


def _raw_stdout(place: Place) -> Cell:
    words = _zeros(place, "8K")
    raw = place.wrapped(*words, options=("-o", "raw"))
    contenders: dict[str, Contender] = {
        P: partial(measure.run, place.interpreter()),
        "B": partial(measure.pipeline, [place.bare(*words), place.bare("cat")]),
        "W": partial(measure.pipeline, [raw, place.bare("cat")]),
    }
    name = "raw stdout to the bare tool's, less a start"
    return Cell(contenders, [Figure(name, "wall", lambda t: (t["W"] - t[P]) / t["B"], "×", 1.05)])


def _raw_stderr(place: Place) -> Cell:
    """The one stream that raw mode copies, against the usual way to copy one."""
    line = " ".join(_zeros(place, "8K")) + " >&2"
    shell = ["sh", "-c", line]
    copied = [place.bare("sh", "-c", line), place.bare("tee", "/dev/null"), place.bare("cat")]
    raw = [place.wrapped(*shell, options=("-o", "raw")), place.bare("cat")]
    contenders: dict[str, Contender] = {
        P: partial(measure.run, place.interpreter()),
        "tee": partial(measure.pipeline, copied, fd=2),
        "W": partial(measure.pipeline, raw, fd=2),
    }
    figure = Figure("raw stderr to `| tee`", "wall", common.ratio("W", "tee"), "×", 1.0)
    return Cell(contenders, [figure])


def _memory(place: Place) -> Cell:
    """Peak memory, against a call that prints nothing and has had the time to load everything."""

    def peak(*words: str, options: tuple[str, ...] = CAP) -> Contender:
        command: Command = place.wrapped(*words, options=options)
        return partial(measure.peak, command, place.main.python)

    contenders = {
        "nothing": peak("sleep", "0.1"),
        "text": peak(*_text(place)),
        "bytes": peak(*_zeros(place, "1M")),
        "spooled text": peak(*_text(place, 4), options=SPOOL),
        "jsonl": peak(*_text(place, 8), options=(*CAP, "-o", "jsonl")),
    }
    limits = {"text": 1.4, "bytes": 1.8, "spooled text": None, "jsonl": None}
    figures = [
        Figure(f"peak memory, {name}", "rss", common.ratio(name, "nothing"), "×", limit)
        for name, limit in limits.items()
    ]
    return Cell(contenders, figures, once=True)
