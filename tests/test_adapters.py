"""Every recorded case of every shipped adapter, and of the generic layer without any."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from clawwrap import cases, catalog, lint, loader, patterns, schema
from clawwrap.document import Document
from clawwrap.evidence import Evidence

ADAPTERS = sorted(Path(catalog.SHIPPED).glob("*.yaml"))
REQUIRED = {"git", "curl", "ssh", "npm", "pip", "docker", "kubectl", "grep", "diff", "make"}
GENERIC = Path(__file__).parent / "generic_cases.yaml"


def generic_cases(key: str) -> list[cases.Case]:
    return cases.read(Document(str(GENERIC)), key)


def test_the_first_adapters_are_shipped() -> None:
    assert {path.stem for path in ADAPTERS} >= REQUIRED


@pytest.mark.parametrize("path", ADAPTERS, ids=lambda path: path.stem)
def test_adapter_cases(path: Path) -> None:
    _, plan = loader.adapter(str(path))
    results = [cases.run(case, plan) for case in cases.load(str(path))]
    wrong = {f"{path.name}:{r.case.line}": r.differences for r in results if not r.passed}
    assert wrong == {}
    assert [str(finding) for finding in lint.coverage(Document(str(path)), results)] == []


@pytest.mark.parametrize("case", generic_cases("cases"), ids=lambda case: case.id)
def test_generic_case(case: cases.Case) -> None:
    assert cases.run(case, None).differences == []


@pytest.mark.xfail(reason="known and written down; one that passes belongs under `cases`")
@pytest.mark.parametrize("case", generic_cases("misses"), ids=lambda case: case.id)
def test_generic_miss(case: cases.Case) -> None:
    assert cases.run(case, None).differences == []


@pytest.mark.parametrize("path", ADAPTERS, ids=lambda path: path.stem)
def test_no_lint_findings(path: Path) -> None:
    assert [str(finding) for finding in lint.check(str(path))] == []


def test_generic_cases_have_the_shape_of_adapter_cases() -> None:
    shape = schema.load("adapter")
    case_shape = {"type": "array", "items": {"$ref": "#/$defs/case"}, "$defs": shape["$defs"]}
    loaded = yaml.safe_load(GENERIC.read_text())
    assert schema.problems(loaded["cases"] + loaded["misses"], case_shape) == []


# Hostile texts and hostile expressions


HOSTILE = ["/(a+)+$/", "/.*.*=.*/", "/(x+x+)+y/", "/([a-z]+)*[0-9]/"]


@pytest.mark.parametrize("text", HOSTILE)
def test_catastrophic_expressions_are_rejected_by_the_lint(text: str, tmp_path: Path) -> None:
    path = tmp_path / "thing.yaml"
    path.write_text(
        "tool: thing\nabout: a test\nexit_codes: {SUCCESS: It ran, CONFLICT: It is there}\n"
        f"rules:\n  - {{id: bad, when: {{stderr: '{text}'}}, code: CONFLICT}}\n"
    )
    findings = [finding for finding in lint.check(str(path)) if "catastrophic" in finding.message]
    assert findings
    assert findings[0].line == 5
    assert findings[0].place == "rules[0].when.stderr"


@pytest.mark.parametrize("text", [*HOSTILE, "/(a|aa)+$/"])
def test_no_expression_can_hang_on_megabytes(text: str) -> None:
    # RE2 is linear: with a backtracking engine any of these would outlive the test run.
    matcher = patterns.compile_matcher(text)
    hostile = b"a" * (4 << 20) + b"!"
    patterns.search(matcher, hostile, hostile)


@pytest.mark.parametrize(
    "stderr",
    [
        b"a" * (4 << 20),
        b" " * (4 << 20),
        b"\n" * (4 << 20),
        b"error: " * 600_000,
        b"'" * (1 << 20) + b"error: x",
        b"/a" * (1 << 20),
        b"\x1b[" * (1 << 20),
        b"error: connection\n" * 100_000,
        b"--x" * 500_000,
    ],
    ids=["a", "blanks", "newlines", "errors", "quotes", "paths", "escapes", "lines", "flags"],
)
def test_the_generic_layer_is_linear_on_hostile_text(stderr: bytes) -> None:
    from clawwrap import generic
    from clawwrap.text import excerpt

    half = len(stderr) // 2
    evidence = Evidence(["tool"], exit_code=1, stderr=excerpt(stderr[:half], stderr[half:]))
    generic.classify(evidence, [])


# Names are data


NAMES = [
    (
        "cat 'permission denied.txt'",
        "cat: 'permission denied.txt': No such file or directory",
        "NOT_FOUND",
    ),
    (
        "cat 'permission denied.txt'",
        "cat: permission denied.txt: No such file or directory",
        "NOT_FOUND",
    ),
    (
        "cat connection-refused.log",
        "cat: connection-refused.log: Permission denied",
        "PERMISSION_DENIED",
    ),
    ("tool /tmp/401 Unauthorized/x", "error: cannot open /tmp/401: Is a directory", "ARG_ERROR"),
    ("tool test_timeout_error", "FAILED test_timeout_error", "GENERAL_ERROR"),
    ("cat AccessDenied", "cat: AccessDenied: No such file or directory", "NOT_FOUND"),
    ("cat x", "cat: 'ThrottlingException': No such file or directory", "NOT_FOUND"),
    ("tool x", "error: An error occurred (AccessDenied) when calling Get", "PERMISSION_DENIED"),
    ("tool x", "rpc error: code = NotFound desc = no pod x", "NOT_FOUND"),
    ("tool x", 'error: {"error": {"code": "InvalidClientTokenId"}}', "AUTH_REQUIRED"),
    ("tool x", "ERROR 1062 (23000) at line 1: Duplicate entry 'x'", "CONFLICT"),
    ("tool x", "ERROR:  42P01: relation is not there", "NOT_FOUND"),
    ("tool --timeout 5", "error: unknown option '--timeout'", "ARG_ERROR"),
    (
        "tool https://x/not-found",
        "error: https://x/too-many-requests: 503 Service Unavailable",
        "UNAVAILABLE",
    ),
]


@pytest.mark.parametrize(("argv", "stderr", "code"), NAMES)
def test_names_that_look_like_errors_are_data(argv: str, stderr: str, code: str) -> None:
    import shlex

    words = shlex.split(argv)
    evidence = Evidence(words, exit_code=1, stderr=stderr.encode())
    assert cases.classify(cases.choice_for(words, None), evidence)["code"] == code


def test_the_cause_beats_its_consequence() -> None:
    text = (
        b"WARNING: Retrying after connection broken: Connection refused\n"
        b"ERROR: Could not find a version that satisfies the requirement x\n"
        b"ERROR: No matching distribution found for x\n"
    )
    evidence = Evidence(["tool"], exit_code=1, stderr=text)
    assert cases.classify(cases.choice_for(["tool"], None), evidence)["code"] == "UNAVAILABLE"


@pytest.mark.parametrize(
    ("stderr", "phase"),
    [
        ("thing: unrecognized option '--x'\n", "validation"),
        ("usage: thing [-h]\nthing: error: unrecognized arguments: --x\n", "validation"),
        ("error: unknown option '--x'\n", "execution"),
        ("gcc: error: unrecognized command-line option '--x'\nthing: *** failed\n", "execution"),
    ],
    ids=["its own name", "its own usage", "nobody's name", "another's name"],
)
def test_only_the_tool_itself_can_say_that_nothing_was_done(stderr: str, phase: str) -> None:
    evidence = Evidence(["thing", "--x"], exit_code=2, stderr=stderr.encode())
    found = cases.classify(cases.choice_for(["thing", "--x"], None), evidence)
    assert (found["code"], found["phase"]) == ("ARG_ERROR", phase)
