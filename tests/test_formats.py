"""What an adapter says of stdout becomes data; what cannot be read stays text, and is said."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from clawwrap import formats, patterns, payload, portions
from tests.conftest import Run

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "format_cases.yaml").read_text()
)


def compiled(spec: dict[str, Any]) -> dict[str, Any]:
    if "pattern" not in spec:
        return spec
    return spec | {"pattern": patterns.compile_matcher(f"/{spec['pattern']}/")}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_form(case: dict[str, Any]) -> None:
    if case.get("jc"):
        pytest.importorskip("jc")
    if "fails" in case:
        with pytest.raises(formats.Unreadable, match=case["fails"]):
            formats.parse(compiled(case["spec"]), case["text"])
        return
    assert formats.parse(compiled(case["spec"]), case["text"]) == case["data"]


def read(spec: dict[str, Any], text: str) -> payload.Payload:
    raw = text.encode()
    return payload.read(portions.Bytes(raw, b"", len(raw)), 0, compiled(spec))


def test_what_cannot_be_read_stays_text_with_a_warning() -> None:
    found = read({"as": "table"}, "nothing\n")
    assert found.data == {"stdout": "nothing\n"}
    assert "table" in found.warnings[0]


def test_json_is_json_whatever_the_adapter_expects() -> None:
    found = read({"as": "table", "machine": "-o json"}, '{"a": 1}\n')
    assert (found.data, found.warnings, found.suggestion) == ({"a": 1}, (), "")


def test_nothing_stays_the_empty_text() -> None:
    assert read({"as": "lines"}, "").data == {"stdout": ""}


def test_without_jc_there_is_text_and_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jc", None)
    found = read({"as": "jc:df"}, "Filesystem\n")
    assert found.data == {"stdout": "Filesystem\n"}
    assert found.warnings == ()
    assert "clawwrap[jc]" in found.suggestion


ADAPTER = """\
tool: thing
about: a test
subcommands: true
exit_codes: {SUCCESS: It ran, NOT_FOUND: It is not there}
native: {1: NOT_FOUND}
data:
  - {when: {command: list, argv: --plain}, as: lines, machine: --json}
  - {when: {command: list}, unless: {argv: --raw}, as: table, machine: --json}
"""


@pytest.fixture
def thing(tmp_path: Path) -> dict[str, str]:
    """A tool `thing`, whose adapter knows the form of its lists."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "thing").write_text(
        "#!/bin/sh\nprintf 'NAME  AGE\\na     1\\n'; test \"$2\" != bad\n"
    )
    (tmp_path / "bin" / "thing").chmod(0o755)
    (tmp_path / "adapters").mkdir()
    (tmp_path / "adapters" / "thing.yaml").write_text(ADAPTER)
    path = f"{tmp_path / 'bin'}:/usr/bin:/bin"
    return {"CLAWWRAP_ADAPTER_PATH": str(tmp_path / "adapters"), "PATH": path}


def test_a_real_run(run: Run, thing: dict[str, str]) -> None:
    table = run("thing", "list", env=thing)
    assert table.data == [{"name": "a", "age": "1"}]
    assert table.meta["suggestion"] == "Add --json for output that is made for programs."
    assert run("thing", "list", "--plain", env=thing).data == ["NAME  AGE", "a     1"]
    assert run("thing", "list", "--raw", env=thing).data == {"stdout": "NAME  AGE\na     1\n"}
    assert run("thing", "show", env=thing).data == {"stdout": "NAME  AGE\na     1\n"}


def test_whoever_asks_for_the_machine_format_needs_no_hint(run: Run, thing: dict[str, str]) -> None:
    assert "suggestion" not in run("thing", "list", "--json", env=thing).meta


def test_argv_is_never_changed_and_a_failure_keeps_its_text(
    run: Run, thing: dict[str, str]
) -> None:
    failed = run("thing", "list", "bad", env=thing)
    assert failed.code == 5
    assert failed.error["output"] == {"stdout": "NAME  AGE\na     1\n"}
