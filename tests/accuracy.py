"""How often the right code comes out where the adapter is not there to help.

    python -m tests.accuracy [--wrong] [TOOL…]

Every recorded case is judged three times: with its adapter, with that adapter removed, and with
the tool's name hidden, so that the generic layer alone is left. Codes of 79–125 exist only
where an adapter declares them, so such cases are left out of the last two counts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from clawwrap import cases, catalog, loader
from clawwrap.catalog import Choice
from clawwrap.contract import ExitCode
from clawwrap.evidence import Evidence

FLOORS = Path(__file__).parent / "accuracy.yaml"
ADAPTERS = Path(catalog.SHIPPED)
HIDDEN = "tool"


class Score(NamedTuple):
    right: int = 0
    total: int = 0

    def __add__(self, other: object) -> Score:
        assert isinstance(other, Score)
        return Score(self.right + other.right, self.total + other.total)

    @property
    def percent(self) -> float:
        return 100 * self.right / self.total if self.total else 100.0


class Wrong(NamedTuple):
    case: cases.Case
    way: str
    code: str


@cache
def plan_of(file: str) -> dict[str, Any]:
    return loader.adapter(file)[1]


def with_adapter(case: cases.Case) -> tuple[Choice, list[str]]:
    return cases.choice_for(case.argv, plan_of(case.file)), case.argv


def without_adapter(case: cases.Case) -> tuple[Choice, list[str]]:
    """The tool is unknown, what launches it may still have an adapter."""
    choice = cases.choice_for(case.argv, None)
    own = Path(case.file).stem
    places = catalog.see_through(case.argv, catalog.mapping("launchers"))
    for at in places[:-1]:
        file = catalog.locate(catalog.tool_name(case.argv[at]), {})
        if file and Path(file).stem != own:
            choice.parts.append((case.argv[at:], plan_of(file)))
    return choice, case.argv


def name_hidden(case: cases.Case) -> tuple[Choice, list[str]]:
    argv = [HIDDEN, *case.argv[1:]]
    return cases.choice_for(argv, None), argv


WAYS: dict[str, Callable[[cases.Case], tuple[Choice, list[str]]]] = {
    "adapter": with_adapter,
    "removed": without_adapter,
    "hidden": name_hidden,
}


def code_of(case: cases.Case, way: str) -> str:
    choice, argv = WAYS[way](case)
    evidence = Evidence(
        argv,
        exit_code=case.exit_code,
        signal=case.signal,
        stdout=case.stdout.encode(),
        stderr=case.stderr.encode(),
    )
    evidence.report = cases.reported_in(evidence)
    found: str = cases.classify(choice, evidence)["code"]
    return found


def measure(tool: str) -> tuple[dict[str, Score], list[Wrong]]:
    """How each way does on the cases of one tool, and where it errs."""
    scores = dict.fromkeys(WAYS, Score())
    wrong: list[Wrong] = []
    for case in cases.load(str(ADAPTERS / f"{tool}.yaml")):
        expected = case.expect["code"]
        for way in WAYS:
            if way != "adapter" and expected not in ExitCode.__members__:
                continue
            found = code_of(case, way)
            scores[way] += Score(int(found == expected), 1)
            if found != expected:
                wrong.append(Wrong(case, way, found))
    return scores, wrong


def tools() -> Iterator[str]:
    yield from sorted(path.stem for path in ADAPTERS.glob("*.yaml"))


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Measure the classification.")
    parser.add_argument("--wrong", action="store_true", help="list what the generic layer misses")
    parser.add_argument("tools", nargs="*", help="default: every adapter")
    asked = parser.parse_args(argv)
    totals = dict.fromkeys(WAYS, Score())
    print(f"{'tool':20}{'cases':>6}" + "".join(f"{way:>10}" for way in WAYS))
    for tool in asked.tools or tools():
        scores, wrong = measure(tool)
        totals = {way: totals[way] + scores[way] for way in WAYS}
        row = "".join(f"{scores[way].percent:9.1f}%" for way in WAYS)
        print(f"{tool:20}{scores['adapter'].total:6}{row}")
        for miss in wrong if asked.wrong else ():
            if miss.way == "hidden":
                where = f"{Path(miss.case.file).name}:{miss.case.line}"
                print(f"    {where}: {miss.case.expect['code']}, taken for {miss.code}")
    row = "".join(f"{totals[way].percent:9.1f}%" for way in WAYS)
    print(f"{'all':20}{totals['adapter'].total:6}{row}")
    if asked.tools:
        return 0
    floors = yaml.safe_load(FLOORS.read_text())
    low = [
        f"{way} {totals[way].percent:.1f} < {floors[way]}"
        for way in WAYS
        if totals[way].percent < floors[way]
    ]
    print("below the floor: " + ", ".join(low) if low else "no floor is broken")
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
