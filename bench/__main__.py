"""Measures what the wrapper costs.

    python -m bench [--quick] [--only GROUP] [--json FILE] [--write-docs]

Everything is measured interleaved with what it is compared with, and told as a ratio to that.
See docs/performance.md for how to read it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import clawwrap
from bench import plot, report
from bench.groups import GROUPS, Group
from bench.measure import BenchError, note
from bench.place import FOLDER, ROOT, Place
from bench.rounds import Result, measure

PAGE = ROOT / "docs" / "performance.md"
PLOT = ROOT / "docs" / "performance.svg"
TITLES = {group.name: group.title for group in GROUPS}
ROUNDS, QUICK_ROUNDS = 20, 3


def arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Measure what the wrapper costs, as ratios in one run."
    )
    parser.add_argument("--json", metavar="FILE", help="write the results; `-` is stdout")
    parser.add_argument("--rounds", type=int, metavar="N", help="undisturbed rounds (default 20)")
    parser.add_argument(
        "--only", metavar="GROUP", choices=TITLES, action="append", help=f"of {', '.join(TITLES)}"
    )
    parser.add_argument(
        "--quick", action="store_true", help="half a minute, with less of everything"
    )
    parser.add_argument("--plot", metavar="FILE", type=Path, help="write the plot as SVG")
    parser.add_argument(
        "--write-docs", action="store_true", help=f"write the tables of {PAGE.name} and its plot"
    )
    parser.add_argument("--results", metavar="FILE", type=Path, help="tell an earlier --json again")
    parser.add_argument(
        "--python",
        metavar="FILE",
        help="measure the clawwrap beside this interpreter, and build nothing",
    )
    asked = parser.parse_args(argv)
    if asked.rounds is not None and asked.rounds < 1:
        parser.error("--rounds wants at least 1")
    return asked


def main(argv: Sequence[str]) -> int:
    asked = arguments(argv)
    try:
        document = json.loads(asked.results.read_text()) if asked.results else take(asked)
    except BenchError as error:
        note(str(error))
        return 1
    except KeyboardInterrupt:
        return 130
    results = report.read(document)
    if asked.json == "-":
        print(json.dumps(document, indent=1))
    else:
        print(report.text(results, TITLES))
        print(report.machine(document))
        for line in [*document["missing"], *document["faults"]]:
            print(f"missing: {line}")
    if asked.json and asked.json != "-":
        Path(asked.json).write_text(json.dumps(document, indent=1) + "\n")
    if asked.plot:
        asked.plot.write_text(drawn(results))
    if asked.write_docs:
        write_docs(document, results)
    return 1 if document["faults"] else 0


def take(asked: argparse.Namespace) -> dict[str, Any]:
    """Measure what was asked for."""
    groups = [group for group in GROUPS if not asked.only or group.name in asked.only]
    wanted = asked.rounds or (QUICK_ROUNDS if asked.quick else ROUNDS)
    began, load = time.monotonic(), os.getloadavg()[0]
    results: list[Result] = []
    faults: list[str] = []
    with Place(FOLDER, quick=asked.quick, python=asked.python) as place:
        for group in groups:
            found, wrong = measure_group(group, place, wanted)
            results += found
            faults += wrong
        missing = place.missing
    about = {
        "clawwrap": clawwrap.__version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release().split('-')[0]} {platform.machine()}",
        "processors": os.cpu_count(),
        "load": [round(load, 1), round(os.getloadavg()[0], 1)],
        "seconds": round(time.monotonic() - began),
        "quick": asked.quick,
        "rounds": wanted,
        "missing": missing,
        "faults": faults,
    }
    return report.document(results, about)


def measure_group(group: Group, place: Place, wanted: int) -> tuple[list[Result], list[str]]:
    note(f"{group.title} …")
    try:
        cells = group.cells(place)
    except BenchError as error:
        return [], [f"{group.name}: {error}"]
    rounds = max(2, round(wanted * group.rounds))
    return measure(
        group.name, cells, wanted=rounds, seconds=group.seconds / (10 if place.quick else 1)
    )


def drawn(results: Sequence[Result]) -> str:
    points = {
        result.figure.point: result.spread.median for result in results if result.figure.point
    }
    try:
        return plot.render(plot.series(points))
    except ValueError as error:
        raise SystemExit(f"bench: {error}; the group peers has the points") from None


def write_docs(document: dict[str, Any], results: Sequence[Result]) -> None:
    """Put everything that was measured into the page; what was not stays as it is."""
    page = PAGE.read_text()
    groups = report.by_group(results)
    for name, members in groups.items():
        page = report.replace(page, name, report.full(members))
    if set(groups) == set(TITLES):
        missing = "".join(
            f"\n- missing: {line}" for line in document["missing"] + document["faults"]
        )
        page = report.replace(page, "machine", report.machine(document) + missing)
        page = report.replace(page, "targets", report.summary(results, TITLES))
    PAGE.write_text(page)
    if "peers" in groups:
        PLOT.write_text(drawn(results))
    note(f"wrote {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
