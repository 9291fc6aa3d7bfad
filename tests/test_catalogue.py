"""The catalogue as a whole: how many adapters, where their cases come from, how well they carry."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from clawwrap import cases, catalog, loader
from tests import accuracy, adapter_table, record

ROOT = Path(__file__).parent.parent
PROMISED: dict[str, list[str]] = yaml.safe_load(
    (Path(__file__).parent / "promised_tools.yaml").read_text()
)


@cache
def plan_of(tool: str) -> dict[str, Any]:
    return loader.adapter(str(Path(catalog.SHIPPED) / f"{tool}.yaml"))[1]


def text_of(tool: str) -> str:
    return (Path(catalog.SHIPPED) / f"{tool}.yaml").read_text()


@pytest.mark.parametrize("tool", [tool for tools in PROMISED.values() for tool in tools])
def test_every_promised_tool_has_an_adapter(tool: str) -> None:
    assert catalog.locate(tool, {}) is not None


@pytest.fixture(scope="session")
def rows() -> list[adapter_table.Row]:
    return [adapter_table.row(path) for path in adapter_table.ADAPTERS]


def test_cases_are_many_and_most_are_recorded(rows: list[adapter_table.Row]) -> None:
    total, recorded = sum(row.cases for row in rows), sum(row.recorded for row in rows)
    assert total >= 600
    assert recorded / total >= 0.6


def test_the_table_in_the_docs_is_up_to_date() -> None:
    assert adapter_table.TABLE.read_text() == adapter_table.render(), "run `make docs`"


def test_every_adapter_has_cases_and_says_what_it_does_to_the_world(
    rows: list[adapter_table.Row],
) -> None:
    for row in rows:
        plan = plan_of(row.tool)
        assert row.cases >= 5, row.tool
        assert plan["timeout"] is not None, row.tool
        assert re.search(r"^(?:effects|commands|extends):", text_of(row.tool), re.MULTILINE), (
            row.tool
        )


def test_a_number_of_a_tool_has_one_meaning_for_all(rows: list[adapter_table.Row]) -> None:
    shared: dict[str, set[str]] = {}
    for row in rows:
        for value, entry in plan_of(row.tool)["exit_codes"].items():
            if 79 <= int(value) < 90:
                shared.setdefault(value, set()).add(entry["name"])
    assert shared == {
        "80": {"DIFFERENCES_FOUND"},
        "81": {"FINDINGS"},
        "82": {"NOT_ANCESTOR"},
        "83": {"TESTS_FAILED"},
    }


# How well it carries where the adapter is not there


def test_accuracy_does_not_fall() -> None:
    totals = dict.fromkeys(accuracy.WAYS, accuracy.Score())
    for tool in accuracy.tools():
        scores, _ = accuracy.measure(tool)
        totals = {way: totals[way] + scores[way] for way in totals}
    floors = yaml.safe_load(accuracy.FLOORS.read_text())
    assert {
        way: score.percent for way, score in totals.items() if score.percent < floors[way]
    } == {}


# The scripts that record


SCRIPTS = sorted(path for path in record.SCRIPTS.glob("*.sh") if path.stem != "lib")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_recording_script_belongs_to_an_adapter_and_parses(script: Path) -> None:
    assert (Path(catalog.SHIPPED) / f"{script.stem}.yaml").exists()
    assert subprocess.run(["bash", "-n", str(script)]).returncode == 0
    assert "needs " in script.read_text()


def test_a_script_records_what_the_tool_prints_now() -> None:
    found = record.run_script("timeout")  # needs nothing else
    assert found
    known = {tuple(case.argv) for case in cases.load(str(Path(catalog.SHIPPED) / "timeout.yaml"))}
    assert known & {tuple(case["argv"]) for case in found}


@pytest.mark.skipif(shutil.which("nginx") is not None, reason="nginx is installed")
def test_a_script_says_which_tool_it_lacks(capfd: pytest.CaptureFixture[str]) -> None:
    assert record.run_script("wget") == []
    assert "is not installed" in capfd.readouterr().err
