"""argv and variables become an Invocation, or a refusal that says how to do it right."""

from __future__ import annotations

from typing import Any

import pytest

from clawwrap.errors import UsageError
from clawwrap.invocation import DEFAULTS, FLAGS, VALUED, Invocation, duration, parse, size
from tests.conftest import Run


def read(*argv: str, **environ: str) -> Invocation:
    inv = Invocation()
    parse(inv, list(argv), environ)
    return inv


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("500ms", 500),
        ("30s", 30_000),
        ("5m", 300_000),
        ("1h", 3_600_000),
        ("1m30s", 90_000),
        ("1.5s", 1500),
        ("2", 2000),
        ("0", 0),
        ("0.25", 250),
    ],
)
def test_durations(text: str, ms: int) -> None:
    assert duration("--timeout", text) == ms


@pytest.mark.parametrize(
    "text", ["", "soon", "5x", "-1s", "1..5s", ".", "s", "5 s x", "1e3", "9" * 30]
)
def test_bad_durations(text: str) -> None:
    with pytest.raises(UsageError, match="--timeout wants a duration") as caught:
        duration("--timeout", text)
    assert caught.value.code == "INVALID_DURATION"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("0", 0),
        ("24576", 24576),
        ("24K", 24576),
        ("24KiB", 24576),
        ("24kb", 24576),
        ("1M", 1 << 20),
    ],
)
def test_sizes(text: str, count: int) -> None:
    assert size("--max-output", text) == count


@pytest.mark.parametrize("text", ["", "x", "-1", "1.5K", "5T"])
def test_bad_sizes(text: str) -> None:
    with pytest.raises(UsageError, match="--max-output wants"):
        size("--max-output", text)


def test_parsing_ends_at_the_first_word_that_is_not_ours() -> None:
    inv = read("--timeout", "5s", "git", "--timeout", "9s", "-c", "x")
    assert inv.words == ["git", "--timeout", "9s", "-c", "x"]
    assert inv.timeout == 5000


@pytest.mark.parametrize(
    "argv",
    [["-o", "json"], ["-ojson"], ["--output", "json"], ["--output=json"]],
    ids=" ".join,
)
def test_ways_to_write_an_option(argv: list[str]) -> None:
    assert read(*argv, "ls").output == "json"


def test_a_single_dash_is_the_tool() -> None:
    assert read("-").words == ["-"]


def test_a_verb_only_as_the_very_first_word() -> None:
    assert read("adapters", "list").verb == "adapters"
    assert read("--", "adapters").verb is None
    assert read("--timeout", "1s", "migrate").verb is None
    assert read("--timeout", "1s", "migrate").words == ["migrate"]


REFUSED: list[Any] = [
    pytest.param(["--timeot", "5s", "ls"], {}, "did you mean --timeout", id="unknown option"),
    pytest.param(["-x", "ls"], {}, "unknown option '-x'", id="unknown letter"),
    pytest.param(["--timeout"], {}, "needs a value", id="no value"),
    pytest.param(["--dev=1", "ls"], {}, "takes no value", id="value for a switch"),
    pytest.param(["-o", "xml", "ls"], {}, "auto, json, jsonl, human, raw", id="wrong choice"),
    pytest.param(["--exit", "5", "ls"], {}, "mapped, native", id="wrong exit"),
    pytest.param(["--cwd", "", "ls"], {}, "not empty", id="empty value"),
    pytest.param([], {}, "no command", id="nothing at all"),
    pytest.param(["--dev"], {}, "no command", id="only options"),
    pytest.param(["--"], {}, "no command", id="only dashes"),
    pytest.param(["-c", " "], {}, "empty line", id="empty line"),
    pytest.param(["-c", "ls", "-l"], {}, "left over", id="line in several words"),
    pytest.param(["--adapter", "a", "--no-adapter", "ls"], {}, "exclude", id="contradiction"),
    pytest.param(["ls"], {"CLAWWRAP_TIMEOUT": "soon"}, "CLAWWRAP_TIMEOUT wants", id="bad variable"),
    pytest.param(["ls"], {"CLAWWRAP_DEV": "perhaps"}, "CLAWWRAP_DEV wants 1 or 0", id="bad switch"),
]


@pytest.mark.parametrize(("argv", "environ", "message"), REFUSED)
def test_refusals_name_the_place(argv: list[str], environ: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(*argv, **environ)
    assert message in caught.value.message
    assert caught.value.suggestion


@pytest.mark.parametrize(("argv", "environ", "message"), REFUSED)
def test_refusals_are_envelopes(
    run: Run, argv: list[str], environ: dict[str, str], message: str
) -> None:
    result = run(*argv, env=environ)
    assert result.code == 3
    assert result.error["phase"] == "validation"
    assert result.error["source"] == "clawwrap"
    assert message in result.error["message"]
    assert result.error["retryable"] is False


def test_a_mistake_is_reported_in_the_form_that_was_asked_for(run: Run) -> None:
    result = run("-o", "human", "--timeout", "soon", "ls", check=False)
    assert (result.code, result.stdout) == (3, b"")
    assert b"INVALID_DURATION" in result.stderr


def test_every_option_has_an_attribute_and_a_line_of_help() -> None:
    from clawwrap.admin import HELP

    inv = Invocation()
    for option in (*VALUED, *FLAGS):
        assert getattr(inv, option.replace("-", "_")) is None
        assert f"--{option}" in HELP
    assert set(DEFAULTS) <= set(Invocation.__slots__)


def test_an_unknown_adapter_is_refused(run: Run) -> None:
    for name in ("nope", "./nope.yaml"):
        result = run("--adapter", name, "true")
        assert (result.code, result.error["code"]) == (3, "UNKNOWN_ADAPTER")


def test_a_missing_folder_is_refused(run: Run) -> None:
    result = run("--cwd", "/no/such/folder", "true")
    assert result.code == 3
    assert "/no/such/folder" in result.error["message"]
