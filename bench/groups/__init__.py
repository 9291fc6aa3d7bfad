"""What is measured: one module for each group, in the order in which they are told."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bench.groups import (
    adapters,
    batch,
    classify,
    counters,
    endings,
    envelopes,
    installers,
    peers,
    startup,
    streams,
)
from bench.place import Place
from bench.rounds import Cell


class Group(NamedTuple):
    """A part of the benchmark: what it makes of a place, and how much of the time it may take."""

    name: str
    title: str
    cells: Callable[[Place], list[Cell]]
    rounds: float  # of the rounds that were asked for
    seconds: float  # of a full run; a quick one gets a tenth


GROUPS = [
    Group("startup", "Start-up", startup.cells, 1, 50),
    Group("peers", "Beside others", peers.cells, 0.6, 50),
    Group("installers", "By installer", installers.cells, 1, 15),
    Group("counters", "Counted, not timed", counters.cells, 1, 20),
    Group("adapters", "Ten adapters or five thousand", adapters.cells, 1, 15),
    Group("classify", "Reading a failure", classify.cells, 0.6, 20),
    Group("streams", "Streaming", streams.cells, 0.25, 45),
    Group("envelopes", "Large answers", envelopes.cells, 0.5, 10),
    Group("batch", "Many commands", batch.cells, 0.5, 25),
    Group("endings", "Endings, crowds and raw mode", endings.cells, 0.7, 20),
]
