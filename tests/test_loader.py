"""Bad YAML gets an error that names the file, the line and the key; good YAML loads whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clawwrap import catalog, loader
from clawwrap.errors import AdapterError
from tests.conftest import Run

Write = Callable[[str, str], Path]

GOOD = """\
tool: thing
about: a test
exit_codes:
  SUCCESS: It went well
"""

#: What is appended to GOOD, the line that is named, and words of the message.
BAD: dict[str, tuple[str, int, list[str]]] = {
    "no YAML at all": ("rules: [\n", 6, ["broken YAML"]),
    "a tab": ("rules:\n\t- id: x\n", 6, ["broken YAML"]),
    "an unknown key": ("timeuot: 5s\n", 5, ["timeuot", "unknown key", "timeout"]),
    "a wrong type": ("timeout: 5\n", 5, ["timeout", "expected a text", "got 5", "quote it"]),
    "a bad duration": ("timeout: soon\n", 5, ["timeout", "a duration such as 30s", "soon"]),
    "a bare yes": ("names: [yes]\n", 5, ["names[0]", "got true", "quote it"]),
    "a key twice": ("about: again\n", 5, ["about", "stands here twice"]),
    "a rule without a code": (
        "rules:\n  - id: x\n    when: {exit: 1}\n",
        6,
        ["rules[0]", "code is required"],
    ),
    "a misspelt condition": (
        "rules:\n  - id: x\n    when: {sterr: a}\n    code: CONFLICT\n",
        7,
        ["rules[0].when.sterr", "expected one of exit, signal, stderr"],
    ),
    "an unknown code": (
        "rules:\n  - {id: x, when: {exit: 1}, code: NOPE}\n",
        6,
        ["rules[0].code", "unknown code 'NOPE'", "NOT_FOUND"],
    ),
    "success for a failure": (
        "rules:\n  - {id: x, when: {exit: 1}, code: SUCCESS}\n",
        6,
        ["must not be mapped onto SUCCESS"],
    ),
    "an id twice": (
        "rules:\n  - {id: x, when: {exit: 1}, code: CONFLICT}\n"
        "  - {id: x, when: {exit: 2}, code: CONFLICT}\n",
        7,
        ["rules[1].id", "used twice"],
    ),
    "an id in capitals": (
        "rules:\n  - {id: X, when: {exit: 1}, code: CONFLICT}\n",
        6,
        ["an id such as"],
    ),
    "lookahead": (
        'rules:\n  - {id: x, when: {stderr: "/a(?=b)/"}, code: CONFLICT}\n',
        6,
        ["rules[0].when.stderr", "refused"],
    ),
    "a back-reference": (
        "rules:\n  - {id: x, when: {stderr: '/(a)\\1/'}, code: CONFLICT}\n",
        6,
        ["rules[0].when.stderr", "refused"],
    ),
    "an open bracket": (
        'rules:\n  - {id: x, when: {stderr: "/a(/"}, code: CONFLICT}\n',
        6,
        ["refused"],
    ),
    "an empty condition": (
        "rules:\n  - {id: x, when: {}, code: CONFLICT}\n",
        6,
        ["must not be empty"],
    ),
    "an exit code out of range": (
        "rules:\n  - {id: x, when: {exit: 256}, code: CONFLICT}\n",
        6,
        ["when.exit", "an exit code, a range"],
    ),
    "a range upside down": (
        "rules:\n  - {id: x, when: {exit: 9-3}, code: CONFLICT}\n",
        6,
        ["no range"],
    ),
    "a wait that is not retryable": (
        "rules:\n  - {id: x, when: {exit: 1}, code: CONFLICT, "
        "retry: {retryable: false, after: 1s}}\n",
        6,
        ["retry", "retryable: true"],
    ),
    "partial and retryable": (
        "rules:\n  - {id: x, when: {exit: 1}, code: PARTIAL_FAILURE, retry: {retryable: true}}\n",
        6,
        ["never retryable"],
    ),
    "native zero": ("native: {0: CONFLICT}\n", 5, ["native[0]", "from 1 to 255"]),
    "a redirect to nowhere": (
        "redirects:\n  - {id: x, when: {stderr: a}, reason: renamed}\n",
        6,
        ["redirects[0]", "`right` or `command`"],
    ),
    "a redirect among the rules": (
        "rules:\n  - {id: x, when: {exit: 1}, code: REDIRECTED}\n",
        6,
        ["belongs under `redirects`"],
    ),
    "a redirect as a native code": ("native: {9: REDIRECTED}\n", 5, ["belongs under `redirects`"]),
    "a command twice": (
        "commands: {none: [a], partial: [a]}\n",
        5,
        ["commands.partial[0]", "listed as none already"],
    ),
    "a variable without a reason": ("env: {A: {value: '1'}}\n", 5, ["env.A", "why is required"]),
    "a parent that is absent": ("extends: nowhere\n", 5, ["extends", "no adapter 'nowhere'"]),
    "a rule to disable that is absent": (
        "extends: grep\ndisable: [nope]\n",
        6,
        ["disable[0]", "no rule 'nope'"],
    ),
    "a case without an origin": (
        "cases:\n  - {argv: thing, exit: 1, expect: {code: CONFLICT}}\n",
        6,
        ["cases[0]", "origin is required"],
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_adapters_name_line_and_key(adapter_file: Write, name: str) -> None:
    text, line, words = BAD[name]
    path = adapter_file("thing", GOOD + text)
    with pytest.raises(AdapterError) as caught:
        loader.adapter(str(path))
    assert caught.value.message.startswith(f"{path}:{line}: "), caught.value.message
    for word in words:
        assert word in caught.value.message


@pytest.mark.parametrize("name", ["an unknown key", "no YAML at all", "lookahead"])
def test_a_broken_adapter_is_an_envelope_and_nothing_runs(
    run: Run, adapter_file: Write, tmp_path: Path, name: str
) -> None:
    text, line, _ = BAD[name]
    path = adapter_file("thing", GOOD + text)
    done = tmp_path / "done"
    result = run("--adapter", str(path), "touch", str(done))
    assert (result.code, result.error["code"]) == (3, "INVALID_ADAPTER")
    assert result.error["phase"] == "validation"
    assert f"{path}:{line}:" in result.error["message"]
    assert result.error["suggestion"]
    assert not done.exists()


ENTRIES: dict[str, tuple[str, str]] = {
    "none at all": ("", "exit_codes is required"),
    "an empty map": ("exit_codes: {}", "must not be empty"),
    "without success": ("exit_codes: {NOT_FOUND: It is absent}", "SUCCESS (0) is required"),
    "retryable with effects": (
        "exit_codes: {SUCCESS: Fine so far, TIMEOUT: {description: Late, retryable: true, "
        "side_effects: partial}}",
        "retryable true promises side_effects none",
    ),
    "complete on a failure": (
        "exit_codes: {SUCCESS: Fine so far, CONFLICT: {description: Clash, "
        "side_effects: complete}}",
        "only SUCCESS",
    ),
    "a vague description": ("exit_codes: {SUCCESS: Fine so far, CONFLICT: Failed}", "is vague"),
    "an own code without a name": (
        "exit_codes: {SUCCESS: Fine so far, 80: {description: They differ}}",
        "needs a name",
    ),
    "a number that is reserved": (
        "exit_codes: {SUCCESS: Fine so far, 20: {name: X, description: They differ}}",
        "79–125",
    ),
    "an unknown field": (
        "exit_codes: {SUCCESS: {description: Fine so far, code: 0}}",
        "unknown key",
    ),
    "wrong input with effects": (
        "exit_codes: {SUCCESS: Fine so far, ARG_ERROR: {description: Bad, retryable: false, "
        "side_effects: partial}}",
        "ARG_ERROR",
    ),
    "the example of REQ-C-014": (
        "exit_codes: {SUCCESS: Fine so far, TIMEOUT: {description: The deployment timed out, "
        "retryable: true, side_effects: partial}}",
        "retryable true promises",
    ),
}


@pytest.mark.parametrize("name", ENTRIES)
def test_declarations_that_break_the_invariants(adapter_file: Write, name: str) -> None:
    text, message = ENTRIES[name]
    path = adapter_file("thing", f"tool: thing\nabout: a test\n{text}\n")
    with pytest.raises(AdapterError) as caught:
        loader.adapter(str(path))
    assert message in caught.value.message


def test_a_file_is_called_like_its_tool(adapter_file: Write) -> None:
    path = adapter_file("other", GOOD)
    with pytest.raises(AdapterError, match="tool: other"):
        loader.adapter(str(path))


def test_bytes_that_are_no_text(adapter_file: Write, tmp_path: Path) -> None:
    path = adapter_file("thing", GOOD)
    path.write_bytes(b"tool: \xff\xfe\x00thing\n")
    with pytest.raises(AdapterError, match="broken YAML"):
        loader.adapter(str(path))


def test_an_alias_that_contains_itself(adapter_file: Write) -> None:
    path = adapter_file("thing", GOOD + "names: &a [*a]\n")
    with pytest.raises(AdapterError):
        loader.adapter(str(path))


def test_a_folder_in_place_of_a_file(adapter_file: Write, run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.yaml").mkdir()
    result = run("--adapter", str(tmp_path / "x.yaml"), "true")
    assert (result.code, result.error["code"]) == (3, "UNKNOWN_ADAPTER")


def test_extends_puts_our_rules_first_and_disables(adapter_file: Write) -> None:
    base = adapter_file(
        "base",
        GOOD.replace("thing", "base")
        + "timeout: 5s\nnative: {3: CONFLICT}\n"
        + "rules:\n  - {id: one, when: {exit: 1}, code: CONFLICT}\n"
        + "  - {id: two, when: {exit: 2}, code: CONFLICT}\n",
    )
    child = adapter_file(
        "thing",
        GOOD
        + "extends: base.yaml\ndisable: [one]\n"
        + "rules:\n  - {id: mine, when: {exit: 1}, code: NOT_FOUND}\n",
    )
    sources, plan = loader.adapter(str(child))
    assert sources == [str(child), str(base)]
    assert [rule["id"] for rule in plan["rules"]] == ["mine", "two"]
    assert plan["timeout"] == 5000
    assert plan["native"] == {3: {"code": 6}}


def test_an_adapter_cannot_extend_itself(adapter_file: Write) -> None:
    path = adapter_file("thing", GOOD + "extends: thing.yaml\n")
    with pytest.raises(AdapterError, match="itself"):
        loader.adapter(str(path))


CONFIG: dict[str, tuple[str, str]] = {
    "an unknown option": ("colour: red\n", "config.yaml:1: colour: unknown option"),
    "a bad value": ("\ntimeout: soon\n", "config.yaml:2: timeout: timeout wants a duration"),
    "no mapping": ("- timeout\n", "config.yaml:1: expected a mapping"),
}


@pytest.mark.parametrize("name", CONFIG)
def test_a_broken_config_file_is_refused(run: Run, tmp_path: Path, name: str) -> None:
    text, message = CONFIG[name]
    (tmp_path / "clawwrap").mkdir()
    (tmp_path / "clawwrap" / "config.yaml").write_text(text)
    result = run("true", env={"XDG_CONFIG_HOME": str(tmp_path)})
    assert result.code == 3
    assert message in result.error["message"]


def test_every_shipped_table_compiles() -> None:
    for file in Path(catalog.MAPPINGS).iterdir():
        assert loader.COMPILE["mapping"](str(file))[1]


def test_every_error_code_in_a_table_is_in_the_registry() -> None:
    registry = set(catalog.mapping("errors"))
    used: set[Any] = set(catalog.mapping("signals").values())
    used |= set(catalog.mapping("sysexits").values())
    used |= set(catalog.mapping("http")["statuses"].values())
    used |= set(catalog.mapping("errno")["names"].values())
    used |= {family["error"] for family in catalog.mapping("phrases")["families"][0]}
    used |= {spec["error"] for spec in catalog.mapping("exit_codes").values()}
    for launcher in catalog.mapping("launchers").values():
        used |= set(launcher["native"].values())
    assert used <= registry


def test_the_retry_table_of_the_contract() -> None:
    from clawwrap.failures import retry_of

    table = {name: retry_of(spec) for name, spec in catalog.mapping("exit_codes").items()}
    maybe = {name for name, retry in table.items() if retry.retryable == "maybe"}
    assert maybe == {"GENERAL_ERROR", "PRECONDITION"}
    waits = {name: retry.after_ms for name, retry in table.items() if retry.retryable is True}
    assert waits == {"TIMEOUT": 0, "RATE_LIMITED": 60_000, "UNAVAILABLE": 1000, "REDIRECTED": 0}
    registry = catalog.mapping("errors")
    assert registry["TOKEN_EXPIRED"]["retryable"] is True
    assert registry["TOKEN_INVALID"]["retryable"] is False
    assert registry["TOKEN_MISSING"]["retryable"] is False
