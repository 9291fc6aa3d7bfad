"""Every example of the envelope and retry documents, reproduced by a rule of a small adapter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import FAKES, Run

CASES: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "spec_examples.yaml").read_text())
ADAPTER = Path(__file__).parent / "data" / "tool.yaml"


@pytest.mark.parametrize("name", CASES)
def test_example(run: Run, name: str) -> None:
    case = CASES[name]
    result = run(
        "--adapter", str(ADAPTER), *case.get("options", []), "tool", *case["args"], env=_env()
    )
    assert result.code == case["exit_code"]
    envelope = result.envelope
    assert envelope["ok"] is (case["exit_code"] == 0)
    assert envelope["data"] == case.get("data")
    for key, wanted in case.get("error", {}).items():
        assert envelope["error"][key] == wanted, key
    for key in case.get("absent", []):
        assert key not in envelope["error"]
    assert envelope["warnings"] == []
    assert isinstance(envelope["meta"]["duration_ms"], int)


def _env() -> dict[str, str]:
    import os

    return {"PATH": f"{FAKES}:{os.environ['PATH']}"}


def test_acceptance_every_error_has_retryable(run: Run) -> None:
    for script in ("exit 1", "exit 64", "kill -9 $$", "echo 'error: 401 Unauthorized' >&2; exit 1"):
        assert run("sh", "-c", script).error["retryable"] in (True, False, "maybe")


def test_acceptance_the_registry_covers_every_code(run: Run) -> None:
    from clawwrap import catalog
    from clawwrap.contract import ExitCode

    table = catalog.mapping("exit_codes")
    assert set(table) == {code.name for code in ExitCode} - {"SUCCESS"}
    assert all("retryable" in entry for entry in table.values())
