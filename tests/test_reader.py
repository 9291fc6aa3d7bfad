"""What an agent should do next, by the rules of the three documents and beyond them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import clawwrap
from clawwrap import reader
from clawwrap.contract import ExitCode
from clawwrap.reader import Action, Decision, read_envelope
from tests.conftest import Run

CASES: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "reader_cases.yaml").read_text())
#: The parts of the documents that say how to read, and how many rules each has.
SECTIONS = {
    "envelope: outcome": 3,
    "envelope: missing fields": 3,
    "envelope: data": 2,
    "envelope: retrying": 3,
    "envelope: auth": 2,
    "envelope: redirect": 3,
    "envelope: warnings": 2,
    "exit codes: unknown": 5,
    "exit codes: contradictions": 3,
    "exit codes: retry budget": 3,
    "exit codes: side effects": 2,
    "entries: planning": 3,
    "entries: contradictions": 3,
    "entries: before calling": 2,
    "edge": 0,
}
KEYS = {"section", "rule", "envelope", "error", "raw", "hex", "exit_code", "attempts", "entries"}
WAITING = {Action.RETRY, Action.REFRESH_CREDENTIALS}


# The table


def _raw(case: dict[str, Any]) -> bytes | str:
    if "hex" in case:
        return bytes.fromhex(case["hex"])
    if "error" in case:
        case = {"envelope": _failed(case["error"])}
    if "envelope" in case:
        return json.dumps(case["envelope"])
    return str(case.get("raw", ""))


def _failed(error: Any) -> dict[str, Any]:
    return {"ok": False, "data": None, "error": error, "warnings": [], "meta": {}}


def _read(case: dict[str, Any]) -> Decision:
    return read_envelope(
        _raw(case),
        case.get("exit_code"),
        attempts=case.get("attempts", 0),
        entries=case.get("entries"),
    )


def _plain(value: object) -> object:
    if isinstance(value, Action):
        return value.value
    if isinstance(value, ExitCode):
        return value.name
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", CASES)
def test_the_decision_is_the_one_that_the_rule_asks_for(name: str) -> None:
    case = CASES[name]
    decision = _read(case)
    expected = dict(case["expect"])
    parts = expected.pop("notes", None)
    assert expected.pop("reason", "") in decision.reason
    assert expected.pop("notes_count", len(decision.notes)) == len(decision.notes)
    found = {field: _plain(getattr(decision, field)) for field in expected}
    assert found == expected, case["rule"]
    for part in parts or []:
        assert any(part in note for note in decision.notes), decision.notes
    if parts == []:
        assert decision.notes == ()


@pytest.mark.parametrize("name", CASES)
def test_a_decision_says_nothing_that_belongs_to_another_action(name: str) -> None:
    decision = _read(CASES[name])
    assert (decision.wait_ms is not None) == (decision.action in WAITING)
    assert (decision.command is not None) == (decision.action is Action.CALL_INSTEAD)
    assert decision.cursor is None or decision.action is Action.FETCH_REST
    assert decision.reason
    assert set(decision.deprecations) <= set(decision.warnings)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "hex" not in case])
def test_text_and_bytes_are_read_alike(name: str) -> None:
    case = CASES[name]
    raw = str(_raw(case))
    from_text = read_envelope(raw, case.get("exit_code"))
    assert read_envelope(raw.encode(), case.get("exit_code")) == from_text


def test_every_part_of_the_documents_has_its_cases() -> None:
    count = Counter(case["section"] for case in CASES.values())
    assert set(count) == set(SECTIONS)
    assert [name for name, rules in SECTIONS.items() if count[name] < rules] == []
    for name, case in CASES.items():
        assert case.keys() <= KEYS | {"expect"}, name
        assert case["rule"].endswith("."), name
    rules = Counter(case["rule"] for case in CASES.values())
    assert [rule for rule, times in rules.items() if times > 1] == []


def test_every_action_has_a_case() -> None:
    named = {case["expect"].get("action") for case in CASES.values()} - {None}
    assert named == {action.value for action in Action}


# Whole ranges


@pytest.mark.parametrize("exit_code", range(14, 64))
def test_a_code_of_the_framework_is_never_retried_on_its_own(exit_code: int) -> None:
    decision = read_envelope(b"", exit_code)
    assert (decision.action, decision.code) == (Action.INSPECT_STATE, ExitCode.GENERAL_ERROR)
    assert decision.inspect_first


@pytest.mark.parametrize("exit_code", range(64, 79))
def test_only_a_transient_code_of_sysexits_is_retried(exit_code: int) -> None:
    decision = read_envelope(b"", exit_code)
    assert (decision.action is Action.RETRY) == (exit_code == 75)
    assert any(f"{exit_code} is a sysexits code" in note for note in decision.notes)


@pytest.mark.parametrize("exit_code", range(79, 126))
def test_a_code_of_the_command_means_what_its_entry_says(exit_code: int) -> None:
    entry = {"name": "BUSY", "description": "Full", "retryable": True, "side_effects": "none"}
    assert read_envelope(b"", exit_code).action is Action.INSPECT_STATE
    decision = read_envelope(b"", exit_code, entries={str(exit_code): entry})
    assert (decision.action, decision.reason) == (Action.RETRY, "BUSY: Full")


@pytest.mark.parametrize("exit_code", range(126, 256))
def test_a_code_of_the_shell_asks_for_a_look_at_the_environment(exit_code: int) -> None:
    decision = read_envelope(b"", exit_code)
    assert (decision.action, decision.code) == (Action.MAKE_READY, ExitCode.PRECONDITION)
    assert decision.wait_ms is None


# Waiting


def test_the_back_off_stops_growing_at_five_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    # With three attempts it never gets that far.
    monkeypatch.setattr(reader, "MOST_RETRIES", 10_000)
    waits = [read_envelope(b"", 12, attempts=n).wait_ms for n in (0, 1, 2, 8, 9, 30, 9_999)]
    assert waits == [1_000, 2_000, 4_000, 256_000, 300_000, 300_000, 300_000]


def test_a_wait_that_the_error_names_is_not_cut() -> None:
    error = {"code": "X", "message": "x", "retryable": True, "retry_after": 3_600}
    decision = read_envelope(json.dumps(_failed(error)), 12)
    assert decision.wait_ms == 3_600_000


@pytest.mark.parametrize("attempts", range(8))
@pytest.mark.parametrize("exit_code", range(1, 14))
def test_no_error_is_retried_more_than_three_times(exit_code: int, attempts: int) -> None:
    for retryable in (True, False, "maybe", None):
        envelope = _failed({"code": "X", "message": "x", "retryable": retryable})
        decision = read_envelope(json.dumps(envelope), exit_code, attempts=attempts)
        assert decision.action is not Action.RETRY or attempts < 3


# What it gives back


def test_a_decision_leaves_out_what_does_not_apply() -> None:
    error = {"code": "RATE_LIMIT_EXCEEDED", "message": "slow down", "retryable": True}
    assert read_envelope(json.dumps(_failed(error)), 11).to_json() == {
        "action": "retry",
        "ok": False,
        "code": "RATE_LIMITED",
        "reason": "the same call may work later",
        "exit_code": 11,
        "shape": "response",
        "wait_ms": 60_000,
        "error": error,
    }


def test_a_redirect_says_whether_to_remember_it_either_way() -> None:
    for permanent in (True, False):
        redirect = {"command": "tool new", "permanent": permanent}
        data = read_envelope(json.dumps(_failed({"redirect": redirect})), 13).to_json()
        assert (data["command"], data["remember"]) == ("tool new", permanent)


def test_the_entries_of_a_command_are_read_as_the_manifest_prints_them(run: Run) -> None:
    entries = run("manifest", "git").data["exit_codes"]
    before = json.dumps(entries)
    for number in (int(key) for key in entries if key != "0"):
        notes = read_envelope(b"", number, entries=entries).notes
        assert not [note for note in notes if "entry" in note or "declare" in note]
    undeclared = next(number for number in range(79, 126) if str(number) not in entries)
    assert "manifest" in read_envelope(b"", undeclared, entries=entries).reason
    assert json.dumps(entries) == before  # so that it can be kept for the next call


# Whatever comes


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
EXIT_CODES = st.none() | st.integers(-10, 300) | st.integers(-(2**63), 2**63 - 1)
WORDS = st.sampled_from(
    [
        *("success", "error", "timeout", "runtime", "not_yet_implemented", "prompt", "2.0", "1.0"),
        *("TOKEN_EXPIRED", "COMMAND_REDIRECTED", "SERVICE_UNAVAILABLE", "validation", "maybe"),
    ]
)
VALUE = JSON | WORDS | st.integers(0, 130)


def _some(*names: str, inner: dict[str, st.SearchStrategy[Any]] | None = None) -> Any:
    """Objects with any of these names, right and wrong values mixed."""
    fields = dict.fromkeys(names, VALUE) | {n: s | VALUE for n, s in (inner or {}).items()}
    return st.fixed_dictionaries({}, optional=fields)


REDIRECT = _some("command", "permanent", "reason")
ERROR = _some(
    *("code", "message", "detail", "retryable", "retry_after", "retry_after_ms", "phase", "kind"),
    *("operation", "target", "hint"),
    inner={"redirect": REDIRECT},
)
META = _some("exit_code", "truncated", "cursor", "not_modified", "etag")
ENVELOPE = _some(
    *("data", "warnings", "type", "kind", "hint", "command", "timestamp", "exit_code", "name"),
    *("schema_version", "found", "handled", "stop_reason", "turn", "session_id"),
    inner={"ok": st.booleans(), "error": ERROR | st.none(), "meta": META},
)
RESPONSE = st.fixed_dictionaries(
    {
        "ok": st.booleans(),
        "data": JSON,
        "error": ERROR | st.none() | JSON,
        "warnings": st.lists(st.text()) | JSON,
        "meta": META | JSON,
    }
)
CLAW_2 = st.builds(
    lambda common, rest: {**rest, **common},
    st.fixed_dictionaries(
        {"timestamp": st.text(), "command": WORDS | st.text(), "exit_code": st.integers(-1, 5)},
        optional={"error": ERROR | st.none()},
    ),
    ENVELOPE,
)
CLAW_1 = st.builds(
    lambda own, rest: {**rest, **own},
    st.fixed_dictionaries(
        {"type": st.sampled_from(["success", "error"])},
        optional={"kind": WORDS | st.text(), "error": st.text()},
    ),
    ENVELOPE,
)


def check_decision(raw: bytes | str, exit_code: int | None, attempts: int = 0) -> None:
    decision = read_envelope(raw, exit_code, attempts=attempts)
    assert isinstance(decision, Decision)
    told = orjson.loads(orjson.dumps(decision.to_json()))
    assert told["action"] == decision.action.value
    assert told["ok"] is (decision.code is ExitCode.SUCCESS)
    assert told["reason"]
    if decision.action is Action.RETRY:
        assert attempts < 3
        assert decision.wait_ms is not None
        assert decision.wait_ms >= 0


@given(st.binary() | st.text(), EXIT_CODES)
def test_any_bytes_lead_to_a_decision(raw: bytes | str, exit_code: int | None) -> None:
    check_decision(raw, exit_code)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(JSON | ENVELOPE | RESPONSE | CLAW_2 | CLAW_1, EXIT_CODES, st.integers(0, 5))
@example(_failed("boom"), None, 0)
@example(_failed({"code": "X", "message": "x", "retryable": True}), 2, 0)
def test_any_json_leads_to_a_decision(value: Any, exit_code: int | None, attempts: int) -> None:
    check_decision(json.dumps(value), exit_code, attempts)


DEEP = "[" * 400 + "]" * 400
HARD_TO_WRITE = {
    "half a character": '{"code": "X", "message": "\\ud800"}',
    "half a character in a name": '{"code": "X", "\\udfff": 1}',
    "an integer beyond 64 bits": '{"code": "X", "message": "x", "limit": 36893488147419103232}',
    "a wait beyond 64 bits": '{"code": "X", "retryable": true, "retry_after": 1000000000000000000}',
    "a deep nest": '{"code": "X", "output": ' + DEEP + "}",
}


@pytest.mark.parametrize("name", HARD_TO_WRITE)
@pytest.mark.parametrize("exit_code", [4, 12, 80, 137, None])
def test_what_can_be_read_can_be_written(name: str, exit_code: int | None) -> None:
    error = HARD_TO_WRITE[name]
    raw = f'{{"ok": false, "data": null, "error": {error}, "warnings": [], "meta": {{}}}}'
    check_decision(raw, exit_code)


def test_half_a_character_in_a_warning_a_cursor_or_a_command_can_be_written() -> None:
    half = '"\\ud800 deprecated"'
    meta = f'{{"truncated": true, "cursor": {half}}}'
    check_decision(
        f'{{"ok": true, "data": {{}}, "error": null, "warnings": [{half}], "meta": {meta}}}', 0
    )
    error = f'{{"redirect": {{"command": {half}, "permanent": true}}}}'
    check_decision(
        f'{{"ok": false, "data": null, "error": {error}, "warnings": [], "meta": {{}}}}', 13
    )


NESTS = {
    "data and a warning": '{"ok": true, "data": %s, "error": null, "warnings": [%s], "meta": {}}',
    "error": '{"ok": false, "data": null, "error": {"code": %s, "x": %s}, "meta": {}}',
    "claw-2.0": '{"timestamp": "t", "command": "c", "exit_code": 1, "x": %s, "y": %s}',
    "claw-2.0 error": '{"timestamp": "t", "command": "c", "exit_code": 1, "error": '
    '{"kind": %s, "x": %s}}',
    "claw-1.0": '{"type": "error", "kind": "runtime", "error": "x", "x": %s, "y": %s}',
}


@pytest.mark.parametrize("depth", [200, 300, 900, 5_000, 100_000])
@pytest.mark.parametrize("name", NESTS)
def test_no_depth_is_too_much(name: str, depth: int) -> None:
    nest = "[" * depth + "]" * depth
    for exit_code in (None, 0, 1):
        check_decision(NESTS[name] % (nest, nest), exit_code)


@pytest.mark.parametrize("name", NESTS)
def test_what_can_just_be_read_can_also_be_thought_about(name: str) -> None:
    # Somewhere in this range the parser has room for one level more, and nothing else has.
    limit = sys.getrecursionlimit()
    for depth in range(limit - 200, limit + 5):
        nest = "[" * depth + "]" * depth
        assert read_envelope(NESTS[name] % (nest, nest), 1).ok is False


# The package


def test_the_package_offers_the_reader() -> None:
    assert clawwrap.read_envelope is read_envelope
    assert clawwrap.Action is Action
    assert clawwrap.Decision is Decision
    assert {"Action", "Decision", "read_envelope"} <= set(clawwrap.__all__)
    with pytest.raises(AttributeError, match="no_such_name"):
        clawwrap.no_such_name  # noqa: B018


def _in_a_new_process(program: str) -> list[str]:
    # Isolated and without site, which would load modules of its own.
    path = f"import sys; sys.path[:] = {sys.path!r}\n"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", path + program], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_importing_the_package_loads_nothing_of_the_reader() -> None:
    loaded = _in_a_new_process("import clawwrap\nprint(*sys.modules)")
    assert "clawwrap" in loaded
    assert {"clawwrap.reader", "orjson", "enum"}.isdisjoint(loaded)


def test_asking_the_package_for_the_reader_loads_it() -> None:
    said = _in_a_new_process(
        "from clawwrap import read_envelope\n"
        "print(read_envelope(b'', 12).action.value, *sys.modules)"
    )
    assert said[0] == "retry"
    assert {"clawwrap.reader", "orjson", "enum"} <= set(said)


# The verb


EXPIRED = json.dumps(_failed({"code": "TOKEN_EXPIRED", "message": "expired", "retryable": True}))


def test_explain_says_what_to_do_about_an_envelope_in_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "said.json").write_text(EXPIRED)
    first = run("explain", "--envelope", "said.json", "--exit", "8")
    assert first.code == 0
    assert first.data == read_envelope(EXPIRED, 8).to_json()
    assert (first.data["action"], first.data["wait_ms"]) == ("refresh_credentials", 0)
    again = run("explain", "--envelope", "said.json", "--exit", "8", "--attempts", "1").data
    assert again["action"] == "acquire_credentials"
    assert "expired again" in again["notes"][0]


def test_explain_reads_an_envelope_from_standard_input(run: Run) -> None:
    data = run("explain", "--envelope", "-", "--exit", "11", input=b"").data
    assert (data["action"], data["code"], data["wait_ms"]) == ("retry", "RATE_LIMITED", 60_000)
    data = run("explain", "--envelope", "-", input=EXPIRED.encode()).data
    assert data["action"] == "refresh_credentials"
    assert "exit_code" not in data


def test_explain_reads_the_envelope_that_clawwrap_itself_prints(run: Run) -> None:
    printed = run("sh", "-c", "echo 'connect: Connection refused' >&2; exit 1")
    data = run("explain", "--envelope", "-", "--exit", str(printed.code), input=printed.stdout).data
    assert (data["action"], data["code"], data["wait_ms"]) == ("retry", "UNAVAILABLE", 1_000)
    assert data["error"] == printed.error
    assert "notes" not in data


def test_explain_asks_what_the_command_declares(run: Run) -> None:
    entries = run("manifest", "diff").data["exit_codes"]
    own = next(number for number in entries if int(number) >= 79)
    words = ["explain", "--envelope", "-", "--exit", own]
    assert "manifest" in run(*words, input=b"").data["reason"]
    data = run(*words, "--", "diff", "a", "b", input=b"").data
    assert data["reason"] == f"{entries[own]['name']}: {entries[own]['description']}"
    assert data["action"] == "stop"


def test_explain_takes_what_is_no_envelope(run: Run, tmp_path: Path) -> None:
    (tmp_path / "said").write_bytes(b"\xff\xfe not an envelope")
    data = run("explain", "--envelope", "said", "--exit", "5").data
    assert (data["action"], data["code"]) == ("stop", "NOT_FOUND")
    assert "not an envelope" in data["notes"][0]


def test_explain_writes_what_is_hard_to_write(run: Run) -> None:
    for error in HARD_TO_WRITE.values():
        raw = f'{{"ok": false, "data": null, "error": {error}, "warnings": [], "meta": {{}}}}'
        result = run("explain", "--envelope", "-", "--exit", "12", input=raw.encode())
        assert (result.code, result.data["code"]) == (0, "UNAVAILABLE")


def test_explain_refuses_a_file_that_is_not_there(run: Run) -> None:
    result = run("explain", "--envelope", "nowhere.json", "--exit", "8")
    assert (result.code, result.error["code"]) == (3, "INVALID_ARGUMENT")
    assert "nowhere.json" in result.error["message"]
