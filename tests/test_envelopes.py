"""The three shapes: what each holds, that nothing else is lost, and how they are told apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from clawwrap import losses, schema
from clawwrap.contract import (
    KINDS,
    ExitCode,
    Failure,
    Meta,
    Native,
    Outcome,
    Redirect,
    Retry,
    ToolCode,
)
from clawwrap.envelopes import FILES, claw1, claw2, commands, response, shape
from clawwrap.envelopes.reading import Clues
from clawwrap.envelopes.recognise import recognise
from clawwrap.errors import EnvelopeError
from clawwrap.record import replace
from tests.conftest import check_envelope

HERE = Path(__file__).parent
CLAWS = ["claw-2.0", "claw-1.0"]

# Any outcome that the contract allows

text = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
line = text.map(lambda found: " ".join(found.split())).filter(bool)
name = st.from_regex(r"[a-z]{1,8}", fullmatch=True)
scalar = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | text
FIELDS = """data ok error type kind command timestamp exit_code found name schema_version hint
status message meta session id stdout"""
keys = name | st.sampled_from(FIELDS.split())
value = st.recursive(
    scalar, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3)
)
payload = st.dictionaries(keys, value, max_size=4) | st.lists(value, max_size=4)


@st.composite
def retries(draw: st.DrawFn, code: Any) -> Retry:
    allowed: list[Any] = [False, "maybe", True]
    retryable = draw(st.sampled_from(allowed[: 2 if code is ExitCode.PARTIAL_FAILURE else 3]))
    if retryable is not True:
        return Retry(retryable)
    strategies: list[Any] = [None, "immediate", "linear_backoff", "exponential_backoff"]
    after = draw(st.none() | st.integers(0, 10**9))
    return Retry(True, after, draw(st.sampled_from(strategies)))


@st.composite
def failures(draw: st.DrawFn, code: Any) -> Failure:
    redirect = None
    if code is ExitCode.REDIRECTED:
        reasons: list[Any] = [None, "renamed", "deprecated"]
        redirect = Redirect(draw(line), draw(st.booleans()), draw(st.sampled_from(reasons)))
    is_own = isinstance(code, ToolCode)
    return Failure(
        code=code.name if is_own else draw(st.from_regex(r"[A-Z][A-Z_]{2,9}", fullmatch=True)),
        message=draw(line),
        retry=draw(retries(code)),
        source=draw(st.sampled_from(["tool", "clawwrap"])),
        phase=draw(st.sampled_from(["validation", "execution", "cleanup"])),
        kind=draw(st.sampled_from(KINDS)),
        detail=draw(text),
        output=draw(st.none() | payload),
        suggestion=draw(text),
        redirect=redirect,
        operation=draw(text),
        target=draw(text),
        legacy_kind=draw(st.sampled_from(["", "cli_parse", "missing_credentials"])),
        extra=draw(st.dictionaries(st.sampled_from(["context", "trace"]), value, max_size=2)),
    )


attempts = st.fixed_dictionaries({"code": line, "duration_ms": st.integers(0, 10**9)})


@st.composite
def metas(draw: st.DrawFn, *, not_modified: bool) -> Meta:
    optional = st.none() | line
    return Meta(
        duration_ms=draw(st.integers(0, 10**9)),
        request_id=draw(line),
        timestamp="2026-04-22T10:10:00.123Z",
        command=draw(st.sampled_from(["git push", "list-sessions", "route", "sh"])),
        timeout_ms=draw(st.none() | st.integers(0, 10**9)),
        cwd=draw(optional),
        native=draw(st.none() | st.builds(Native, st.integers(0, 255))),
        adapter=draw(optional),
        rule=draw(optional),
        trace_id=draw(optional),
        untrusted=tuple(draw(st.lists(line, max_size=2))),
        argv=tuple(draw(st.lists(line, max_size=2))),
        encoding=draw(optional),
        cleaned=tuple(draw(st.lists(line, max_size=2))),
        etag=draw(optional),
        truncated=draw(st.none() | st.booleans()),
        cursor=draw(optional),
        raw_cursor=draw(optional),
        total_bytes=draw(st.none() | st.integers(0, 10**12)),
        total_lines=draw(st.none() | st.integers(0, 10**12)),
        total_count=draw(st.none() | st.integers(0, 10**12)),
        returned_count=draw(st.none() | st.integers(0, 10**12)),
        offset=draw(st.none() | st.integers(0, 10**12)),
        attempts=tuple(draw(st.lists(attempts, max_size=2))),
        not_modified=True if not_modified else None,
        background_pids=tuple(draw(st.lists(st.integers(1, 9999), max_size=2))),
        suggestion=draw(st.none() | st.just("Add -o json for output that is made for programs.")),
        extra=draw(st.dictionaries(st.sampled_from(["page", "host"]), value, max_size=2)),
    )


@st.composite
def outcomes(draw: st.DrawFn) -> Outcome[Any]:
    code = draw(st.sampled_from([*ExitCode, ToolCode(80, "DIFFERENCES_FOUND")]))
    warnings = tuple(draw(st.lists(text, max_size=2)))
    if code is ExitCode.SUCCESS:
        not_modified = draw(st.booleans())
        data = None if not_modified else draw(payload)
        return Outcome(code, draw(metas(not_modified=not_modified)), data, None, warnings)
    return Outcome(code, draw(metas(not_modified=False)), None, draw(failures(code)), warnings)


def through(found: Outcome[Any], *names: str) -> Outcome[Any]:
    """The outcome after it has gone through these shapes, one after the other."""
    for one in names:
        clues = Clues(command=found.meta.command, timestamp=found.meta.timestamp)
        found = shape(one).parse(shape(one).render(found), clues).outcome
    return found


@given(outcomes())
@settings(max_examples=120, deadline=None)
def test_response_holds_everything(outcome: Outcome[Any]) -> None:
    assert through(outcome, "response") == outcome


@pytest.mark.parametrize("one", FILES)
@given(outcome=outcomes())
@settings(max_examples=80, deadline=None)
def test_a_second_way_through_a_shape_changes_nothing(one: str, outcome: Outcome[Any]) -> None:
    once = shape(one).render(outcome)
    assert shape(one).render(through(outcome, one)) == once


@pytest.mark.parametrize("one", CLAWS)
@given(outcome=outcomes())
@settings(max_examples=80, deadline=None)
def test_the_way_over_response_and_back_changes_nothing(one: str, outcome: Outcome[Any]) -> None:
    assert shape(one).render(through(outcome, one, "response")) == shape(one).render(outcome)


@given(outcomes())
@settings(max_examples=80, deadline=None)
def test_the_claw_shapes_hold_the_payload(outcome: Outcome[Any]) -> None:
    """Except for the renamed fields of claw's own commands, for which the golden files stand."""
    if outcome.meta.command == "list-sessions":
        outcome = replace(outcome, meta=outcome.meta._replace(command="sh"))
    kept = outcome.data if outcome.data is not None or not outcome.ok else {}
    assert through(outcome, "claw-2.0").data == kept
    if outcome.failure and outcome.failure.output:
        held = through(outcome, "claw-2.0").failure
        assert held is not None
        assert held.output == outcome.failure.output or "found" in outcome.failure.output


@pytest.mark.parametrize("one", CLAWS)
@given(outcome=outcomes())
@settings(max_examples=80, deadline=None)
def test_what_gets_lost_is_declared(one: str, outcome: Outcome[Any]) -> None:
    drops = shape(one).DROPS
    for path in losses.of(outcome, shape(one)):
        part, _, field = path.partition(".")
        if part == "error":
            field = {"hint": "suggestion"}.get(field, field)
            field = "retry" if field.startswith("retr") else field
            declared = f"failure.{field}" in drops or "failure.extra" in drops
            # What is required and empty is filled in, what is a redirect stands in the hint.
            filled = field in ("operation", "target", "suggestion", "message", "output", "kind")
            assert declared or filled, path
        else:
            assert part in drops or (part == "data" and outcome.data is None), path


@pytest.mark.parametrize("one", FILES)
@given(outcome=outcomes())
@settings(max_examples=80, deadline=None)
def test_every_shape_is_recognised_as_itself(one: str, outcome: Outcome[Any]) -> None:
    found = recognise(shape(one).render(outcome))
    assert found.shape == one, found


@pytest.mark.parametrize("one", CLAWS)
@given(outcome=outcomes())
@settings(max_examples=80, deadline=None)
def test_the_claw_shapes_keep_to_their_schemas(one: str, outcome: Outcome[Any]) -> None:
    assert schema.problems(shape(one).render(outcome), schema.load(one)) == []


@given(outcomes())
@settings(max_examples=80, deadline=None)
def test_the_claw_shapes_have_three_exit_codes(outcome: Outcome[Any]) -> None:
    wanted = 0 if outcome.ok else 2 if outcome.code is ExitCode.TIMEOUT else 1
    assert claw2.exit_status(outcome) == claw1.exit_status(outcome) == wanted
    assert claw2.render(outcome)["exit_code"] == wanted
    assert response.exit_status(outcome) == outcome.code.value


# claw's commands

GOLDEN = sorted((HERE / "golden" / "claw").glob("*.json"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden(path: Path) -> None:
    """A record of v1.0, what it becomes in the other shapes, and what had to be assumed."""
    case = json.loads(path.read_text())
    record = case["record"]
    found = recognise(record)
    assert [found.shape, found.variant] == case["recognised"]
    clues = Clues(timestamp="2026-04-22T10:10:00Z", **case.get("clues", {}))
    told = shape(found.shape or "").parse(record, clues)
    assert claw2.render(told.outcome) == case["claw-2.0"]
    assert claw1.render(told.outcome) == case["claw-1.0"]
    assert told.outcome.code.name == case["code"]
    assert [n for n in told.notes if not n.startswith("duration_ms")] == case["notes"]
    envelope = response.render(told.outcome)
    check_envelope(envelope, told.outcome.code.value)
    assert schema.problems(case["claw-2.0"], schema.load("claw-2.0")) == []


def test_every_command_has_a_golden_file() -> None:
    covered = {json.loads(path.read_text())["claw-2.0"]["command"] for path in GOLDEN}
    assert covered >= set(commands.table())


session = st.fixed_dictionaries(
    {},
    optional={
        "id": text,
        "path": text,
        "updated_at_ms": st.integers(-(2**45), 2**45),
        "message_count": st.integers(0, 10**6),
        "created": text,
        "turns": st.integers(0, 99),
        "session_id": text,
        "last_modified": text,
    },
)
records = st.fixed_dictionaries(
    {"command": st.sampled_from(sorted(commands.table()))},
    optional={
        "sessions": st.lists(session | scalar, max_size=3) | scalar,
        "session": session | scalar,
        "turn": st.dictionaries(name, scalar, max_size=3) | scalar,
        "matches": st.lists(scalar, max_size=2),
        "name": text,
        "path": text,
        "anything": value,
    },
)


@given(records)
@settings(max_examples=120, deadline=None)
def test_an_old_record_of_any_command_survives_the_way_to_new_and_back(record: Any) -> None:
    """What v2.0 calls otherwise gets its old name back, so that no consumer misses anything."""
    clues = Clues(timestamp="2026-04-22T10:10:00Z")
    first = claw1.parse(record, clues).outcome
    over = claw2.parse(claw2.render(first), clues).outcome
    assert claw1.parse(claw1.render(over), clues).outcome.data == first.data
    assert claw1.render(over) == claw1.render(first)


# Recognition

CASES: dict[str, Any] = yaml.safe_load((HERE / "envelope_cases.yaml").read_text())


@pytest.mark.parametrize("case", CASES["recognition"], ids=lambda case: str(case["is"]))
def test_recognition(case: dict[str, Any]) -> None:
    found = recognise(case["record"])
    assert [found.shape, found.variant] == case["is"]
    assert case.get("because", "") in found.problem


@pytest.mark.parametrize("case", CASES["kinds"], ids=lambda case: str(case["kind"]))
def test_an_old_kind_of_error(case: dict[str, Any]) -> None:
    record = {"type": "error", "kind": case["kind"], "error": case["error"]}
    outcome = claw1.parse(record, Clues(command="prompt")).outcome
    error = claw2.render(outcome)["error"]
    assert [outcome.code.name, error["kind"], error["retryable"]] == case["is"]
    assert error["operation"] == case.get("operation", error["operation"]) != ""
    assert error["target"] == case.get("target", error["target"]) != ""


@pytest.mark.parametrize("case", CASES["broken"], ids=lambda case: str(case["because"]))
def test_a_broken_envelope_is_refused_with_the_field_named(case: dict[str, Any]) -> None:
    with pytest.raises(EnvelopeError) as caught:
        shape(case["shape"]).parse(case["record"], Clues())
    assert case["because"] in str(caught.value)


@pytest.mark.parametrize("case", CASES["contradictions"], ids=lambda case: str(case["note"]))
def test_a_contradiction_is_settled_and_noted(case: dict[str, Any]) -> None:
    clues = Clues(exit_code=case.get("exit_code"))
    told = shape(case["shape"]).parse(case["record"], clues)
    assert told.outcome.code.name == case["code"]
    assert any(case["note"] in note for note in told.notes), told.notes
