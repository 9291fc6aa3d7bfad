"""The contract's types: what can be declared, and what cannot even be built."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

from clawwrap import schema
from clawwrap.contract import (
    RESERVED_RANGES,
    Code,
    ExitCode,
    Failure,
    Meta,
    Native,
    Outcome,
    Redirect,
    Retry,
    ToolCode,
)
from clawwrap.entries import ExitCodeEntry, ExitCodes, SideEffects
from clawwrap.envelopes import response
from clawwrap.errors import ContractError
from tests.conftest import check_envelope

META = Meta(duration_ms=1, request_id="r", timestamp="2026-01-01T00:00:00Z", command="tool")
NONE, PARTIAL, COMPLETE = SideEffects.NONE, SideEffects.PARTIAL, SideEffects.COMPLETE


def entry(code: Code, retryable: bool, effects: SideEffects, text: str = "It is so") -> Any:
    return ExitCodeEntry.declare(code, description=text, retryable=retryable, side_effects=effects)


def failure(**changes: Any) -> Failure:
    fields: dict[str, Any] = {"code": "SOME_ERROR", "message": "it failed", "retry": Retry(False)}
    return Failure(**(fields | changes))


# ExitCode


def test_the_table_is_the_fourteen_of_the_contract() -> None:
    assert [code.value for code in ExitCode] == list(range(14))
    assert ExitCode.REDIRECTED.value == 13


def test_groups_cover_every_code_once() -> None:
    grouped = [code for codes in ExitCode.groups().values() for code in codes]
    assert grouped == list(ExitCode)
    assert ExitCode.groups()["auth"] == (
        ExitCode.PERMISSION_DENIED,
        ExitCode.AUTH_REQUIRED,
        ExitCode.PAYMENT_REQUIRED,
    )


def test_predicates_follow_the_groups() -> None:
    for code in ExitCode:
        flags = [name for name in ExitCode.groups() if getattr(code, f"is_{name}")]
        assert flags == [code.group]


def test_every_member_has_a_docstring_of_its_own() -> None:
    texts = [code.__doc__ for code in ExitCode]
    assert len({*texts, ExitCode.__doc__}) == 15


def test_reserved_ranges_cover_every_exit_code_once() -> None:
    covered = [value for codes in RESERVED_RANGES.values() for value in codes]
    assert covered == list(range(256))


def test_a_member_is_not_a_number() -> None:
    member: object = ExitCode.NOT_FOUND
    assert member != 5
    assert not isinstance(member, int)


def test_a_member_is_its_number_in_json() -> None:
    envelope = response.render(Outcome(ExitCode.NOT_FOUND, META, failure=failure()))
    assert envelope["meta"]["exit_code"] == 5


SNIPPETS = {
    "a bare number where a code is meant": "Outcome(5, meta, failure=failure)",
    "a bare number as key of an entry": "ExitCodes({5: entry})",
    "a bare number to declare": 'ExitCodeEntry.declare(5, description="x y", retryable=False, '
    "side_effects=SideEffects.NONE)",
    "a comparison with a number": "assert outcome.code == 7",
}


@pytest.mark.parametrize("line", SNIPPETS.values(), ids=list(SNIPPETS))
def test_the_type_checker_rejects(line: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "from typing import Any\n"
        "from clawwrap.contract import *\n"
        "from clawwrap.entries import *\n"
        "def use(outcome: Outcome[Any], meta: Meta, failure: Failure, entry: ExitCodeEntry)"
        " -> None:\n"
        f"    {line}\n"
    )
    assert _mypy(program) != 0
    good = program.read_text().replace(line, "assert outcome.code is ExitCode.SUCCESS")
    program.write_text(good)
    assert _mypy(program) == 0


def _mypy(program: Path) -> int:
    root = Path(__file__).parent.parent
    cache = root / ".mypy_cache"
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file="]
    command += ["--ignore-missing-imports", str(program)]  # re2 has no types
    command.append(f"--cache-dir={cache}")
    return subprocess.run(command, cwd=root, capture_output=True).returncode


# ExitCodeEntry


def test_an_entry_cannot_be_changed() -> None:
    found = entry(ExitCode.SUCCESS, False, COMPLETE)
    with pytest.raises(FrozenInstanceError):
        found.retryable = True


VALID = [
    pytest.param(ExitCode.SUCCESS, False, COMPLETE, "Deployment completed", id="success"),
    pytest.param(ExitCode.ARG_ERROR, True, NONE, "Invalid target environment", id="input"),
    pytest.param(
        ExitCode.TIMEOUT, False, PARTIAL, "Deployment timed out — writes may exist", id="writes"
    ),
    pytest.param(ExitCode.TIMEOUT, True, NONE, "Config read timed out", id="read only"),
    pytest.param(ToolCode(80, "DIFFERENCES_FOUND"), False, NONE, "The files differ", id="own code"),
]


@pytest.mark.parametrize(("code", "retryable", "effects", "text"), VALID)
def test_valid_entries(code: Code, retryable: bool, effects: SideEffects, text: str) -> None:
    found = entry(code, retryable, effects, text)
    assert found.name == code.name
    assert schema.problems(found.to_json(), schema.load("exit-code-entry")) == []


INVALID = [
    pytest.param(ExitCode.TIMEOUT, True, PARTIAL, "It is late", id="retryable with effects"),
    pytest.param(ExitCode.SUCCESS, True, COMPLETE, "It is done now", id="retryable when complete"),
    pytest.param(ExitCode.NOT_FOUND, False, COMPLETE, "Not there", id="complete on a failure"),
    pytest.param(ExitCode.ARG_ERROR, False, PARTIAL, "Bad input", id="wrong input with effects"),
    pytest.param(ExitCode.PARTIAL_FAILURE, True, NONE, "Half done", id="partial and retryable"),
    pytest.param(ExitCode.NOT_FOUND, False, NONE, "", id="no description"),
    pytest.param(ExitCode.NOT_FOUND, False, NONE, "x" * 121, id="a long description"),
    pytest.param(ExitCode.NOT_FOUND, False, NONE, "Error", id="a vague description"),
    pytest.param(ExitCode.NOT_FOUND, False, NONE, "failed.", id="another vague description"),
]


@pytest.mark.parametrize(("code", "retryable", "effects", "text"), INVALID)
def test_invalid_entries(code: Code, retryable: bool, effects: SideEffects, text: str) -> None:
    with pytest.raises(ContractError):
        entry(code, retryable, effects, text)


def test_a_code_of_its_own_needs_a_name_and_its_range() -> None:
    for value, name in ((80, ""), (78, "X"), (126, "X"), (14, "X"), (80, "NOT_FOUND")):
        with pytest.raises(ContractError):
            ToolCode(value, name)


def test_a_name_must_be_the_codes_own() -> None:
    with pytest.raises(ContractError):
        ExitCodeEntry.declare(
            ExitCode.TIMEOUT,
            name="NOT_FOUND",
            description="Late",
            retryable=False,
            side_effects=PARTIAL,
        )


def test_a_command_without_exit_codes_cannot_be_declared() -> None:
    with pytest.raises(ContractError, match="must declare"):
        ExitCodes({})


def test_success_must_be_declared() -> None:
    with pytest.raises(ContractError, match="SUCCESS"):
        ExitCodes({ExitCode.NOT_FOUND: entry(ExitCode.NOT_FOUND, False, NONE)})


def test_a_bare_number_is_no_key() -> None:
    keys: Any = {ExitCode.SUCCESS: entry(ExitCode.SUCCESS, False, COMPLETE), 5: None}
    with pytest.raises(ContractError, match="5"):
        ExitCodes(keys)


def test_declared_codes_cannot_be_added_to() -> None:
    source: dict[Code, ExitCodeEntry] = {ExitCode.SUCCESS: entry(ExitCode.SUCCESS, False, COMPLETE)}
    codes = ExitCodes(source)
    source[ExitCode.NOT_FOUND] = entry(ExitCode.NOT_FOUND, False, NONE)
    assert len(codes) == 1
    with pytest.raises(TypeError):
        codes[ExitCode.NOT_FOUND] = source[ExitCode.NOT_FOUND]  # type: ignore[index]


def test_the_wire_form_has_number_strings_as_keys() -> None:
    codes = ExitCodes(
        {
            ToolCode(80, "DIFFERENCES_FOUND"): entry(
                ToolCode(80, "DIFFERENCES_FOUND"), False, NONE
            ),
            ExitCode.SUCCESS: entry(ExitCode.SUCCESS, False, COMPLETE),
        }
    )
    assert list(codes.to_json()) == ["0", "80"]


# Outcome and envelope


def test_success_path() -> None:
    envelope = response.render(Outcome(ExitCode.SUCCESS, META, {"id": "deploy-42"}))
    assert envelope["ok"] is True
    assert envelope["data"] == {"id": "deploy-42"}
    assert envelope["error"] is None
    check_envelope(envelope, 0)


@pytest.mark.parametrize("code", [code for code in ExitCode if not code.is_success])
def test_failure_path(code: ExitCode) -> None:
    target = Redirect("tool new", True, "renamed") if code is ExitCode.REDIRECTED else None
    wait = (
        Retry(True, 30_000, "exponential_backoff")
        if code is ExitCode.RATE_LIMITED
        else Retry(False)
    )
    outcome: Outcome[Any] = Outcome(code, META, failure=failure(redirect=target, retry=wait))
    envelope = response.render(outcome)
    assert envelope["ok"] is False
    assert envelope["data"] is None
    assert envelope["error"]["code"] == "SOME_ERROR"
    assert envelope["error"]["message"] == "it failed"
    check_envelope(envelope, code.value)
    assert response.exit_status(outcome) == code.value


def test_cache_hit_path() -> None:
    meta = Meta(1, "r", "2026-01-01T00:00:00Z", "tool", not_modified=True, etag="abc")
    envelope = response.render(Outcome(ExitCode.SUCCESS, meta))
    assert envelope["data"] is None
    assert envelope["error"] is None
    assert envelope["meta"]["not_modified"] is True
    check_envelope(envelope, 0)


def test_the_shape_is_the_same_whatever_happened() -> None:
    good = response.render(Outcome(ExitCode.SUCCESS, META, {}))
    bad = response.render(Outcome(ExitCode.CONFLICT, META, failure=failure()))
    assert list(good) == list(bad) == ["ok", "data", "error", "warnings", "meta"]


IMPOSSIBLE: dict[str, dict[str, Any]] = {
    "success with an error": {"code": ExitCode.SUCCESS, "data": {}, "failure": failure()},
    "success without data": {"code": ExitCode.SUCCESS},
    "failure without an error": {"code": ExitCode.NOT_FOUND},
    "failure with data": {"code": ExitCode.NOT_FOUND, "data": {}, "failure": failure()},
    "redirected without a redirect": {"code": ExitCode.REDIRECTED, "failure": failure()},
    "a redirect with another code": {
        "code": ExitCode.NOT_FOUND,
        "failure": failure(redirect=Redirect("a", True, "renamed")),
    },
    "partial and retryable": {
        "code": ExitCode.PARTIAL_FAILURE,
        "failure": failure(retry=Retry(True)),
    },
    "a bare number": {"code": 5, "failure": failure()},
}


@pytest.mark.parametrize("fields", IMPOSSIBLE.values(), ids=list(IMPOSSIBLE))
def test_impossible_outcomes(fields: dict[str, Any]) -> None:
    with pytest.raises((ContractError, AttributeError)):
        Outcome(meta=META, **fields)


def test_ok_cannot_be_set() -> None:
    with pytest.raises(TypeError):
        Outcome(ExitCode.SUCCESS, META, {}, ok=False)  # type: ignore[call-arg]
    outcome: Outcome[Any] = Outcome(ExitCode.SUCCESS, META, {})
    with pytest.raises((AttributeError, TypeError)):
        outcome.ok = False  # type: ignore[misc]


@pytest.mark.parametrize(("ms", "seconds"), [(0, 0), (1, 1), (1000, 1), (1001, 2), (30_000, 30)])
def test_seconds_are_never_shorter_than_milliseconds(ms: int, seconds: int) -> None:
    assert Retry(True, ms).after == seconds


def test_a_wait_needs_retryable_true() -> None:
    for retryable in (False, "maybe"):
        with pytest.raises(ContractError):
            Retry(retryable, 1000)


def test_what_does_not_apply_is_absent() -> None:
    envelope = response.render(Outcome(ExitCode.SUCCESS, META, {}))
    assert "native" not in envelope["meta"]
    meta = Meta(1, "r", "2026-01-01T00:00:00Z", "tool", native=Native(None, "SIGKILL"))
    shown = response.render(Outcome(ExitCode.SUCCESS, meta, {}))["meta"]["native"]
    assert shown == {"exit_code": None, "signal": "SIGKILL"}


# Schemas


def test_the_exit_code_schema_is_the_enum() -> None:
    found = schema.load("exit-code")
    assert found["enum"] == [code.value for code in ExitCode]
    assert found["x-enum-varnames"] == [code.name for code in ExitCode]
    assert found["x-enum-descriptions"] == [code.description for code in ExitCode]
    groups = {name: [c.value for c in codes] for name, codes in ExitCode.groups().items()}
    assert found["x-groups"] == groups
    ranges = {name: [r.start, r.stop - 1] for name, r in RESERVED_RANGES.items()}
    assert found["x-code-ranges"] == ranges


INVALID_ENTRIES = [
    '{"name": "TIMEOUT", "description": "Late", "retryable": true, "side_effects": "partial"}',
    '{"name": "NOT_FOUND", "description": "Target not found"}',
    '{"description": "Late", "retryable": false, "side_effects": "none", "code": 5}',
    '{"description": "Failed", "retryable": false, "side_effects": "none"}',
    '{"description": "", "retryable": false, "side_effects": "none"}',
]


@pytest.mark.parametrize("text", INVALID_ENTRIES)
def test_the_entry_schema_rejects(text: str) -> None:
    assert schema.problems(json.loads(text), schema.load("exit-code-entry"))
