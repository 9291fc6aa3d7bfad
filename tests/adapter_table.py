"""Writes docs/adapters/README.md: every shipped adapter, what it was recorded from, what it covers.

python -m tests.adapter_table          write it
python -m tests.adapter_table --check  say whether it is up to date
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from clawwrap import cases, catalog, loader
from clawwrap.contract import ExitCode

TABLE = Path(__file__).parent.parent / "docs" / "adapters" / "README.md"
ADAPTERS = sorted(Path(catalog.SHIPPED).glob("*.yaml"))

TEXT = """\
# The adapters that ship

Written by `make docs`; do not edit. Every case has its origin: *recorded* means that the tool was
run and printed this (against a stand-in server where the case says so), *cited* that it stands in
the documentation, the source or an issue thread of the tool, at the address that the case gives.
The scripts under `tests/recordings/` record the cases again: `make record TOOL=rsync`.

{tools} adapters, {cases} cases, {percent} % of them recorded.

| tool | also | versions seen | cases | recorded | cited | rules | exit codes covered |
|---|---|---|---|---|---|---|---|
{rows}

Codes are those of [the contract](../contract.md); 80 and above are declared by the adapter:
`clawwrap manifest TOOL` names them.
"""


class Row(NamedTuple):
    tool: str
    names: list[str]
    versions: list[str]
    cases: int
    recorded: int
    rules: int
    codes: list[int]


def is_cited(origin: str) -> bool:
    """Whether a case was not run but taken from a document or a thread."""
    return "://" in origin or "/" in origin.split()[0] or origin.startswith("a public ")


@cache
def row(path: Path) -> Row:
    _, plan = loader.adapter(str(path))
    index = loader.COMPILE["aliases"](catalog.SHIPPED)[1]
    found = cases.load(str(path))
    recorded = [case for case in found if not is_cited(case.origin)]
    declared = {spec["name"]: int(value) for value, spec in plan["exit_codes"].items()}
    codes = {_value(case.expect["code"], declared) for case in found}
    return Row(
        plan["tool"],
        sorted(name for name, file in index.items() if file == path.name and name != path.stem),
        _versions(case.origin for case in recorded),
        len(found),
        len(recorded),
        len(plan["rules"]) + len(plan["redirects"]),
        sorted(codes - {0}),
    )


def _value(name: str, declared: dict[str, int]) -> int:
    return ExitCode[name].value if name in ExitCode.__members__ else declared[name]


def _versions(origins: Iterable[str]) -> list[str]:
    """`git 2.39.5`, without what stood in for a server or was done beside it."""
    plain = (
        origin.partition(" (")[0].partition(",")[0].partition(" with ")[0] for origin in origins
    )
    return sorted(set(plain))


def render() -> str:
    rows = [row(path) for path in ADAPTERS]
    total, recorded = sum(r.cases for r in rows), sum(r.recorded for r in rows)
    lines = [
        f"| {r.tool} | {', '.join(r.names)} | {', '.join(r.versions)} | {r.cases} | {r.recorded} | "
        f"{r.cases - r.recorded} | {r.rules} | {' '.join(map(str, r.codes))} |"
        for r in rows
    ]
    percent = 100 * recorded // total
    return TEXT.format(tools=len(rows), cases=total, percent=percent, rows="\n".join(lines))


def main(argv: list[str]) -> int:
    if argv == ["--check"]:
        return 0 if TABLE.read_text() == render() else 1
    TABLE.parent.mkdir(exist_ok=True)
    TABLE.write_text(render())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
