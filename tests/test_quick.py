"""The short way to an answer says what the whole way through the house says, to the byte."""

from __future__ import annotations

import json
import re
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawwrap import catalog, emit, envelopes, invocation, outcomes, plain, quick
from clawwrap.capture import Capture, Stream
from clawwrap.invocation import DEFAULTS, Invocation

PRINTED = st.one_of(
    st.text(alphabet=st.characters(codec="utf-8")).map(str.encode),
    st.text(alphabet='ab \t\n"\\{}[]:,-=1').map(str.encode),
    st.binary(max_size=200),
    st.sampled_from([b"", b"\n", b"  \n\n", b"[1]\n2\n", b'x {"a": 1}\n', b"token=abc\n"]),
)
WORDS = st.one_of(
    st.sampled_from(
        [
            ["git", "status"],
            ["git", "-C", "/tmp", "log", "--oneline"],
            ["/usr/bin/git", "branch"],
            ["ls", "-la"],
            ["kubectl", "get", "pods"],
            ["mysql", "-psecret", "db"],
            ["curl", "-u", "bob:hunter2", "https://x.example"],
            ["echo", "password=hunter2"],
            ["echo", "AKIAIOSFODNN7EXAMPLF"],
            ["env", "A=1", "make"],
            ["df"],
            ["echo", "x" * 3000],
        ]
    ),
    st.lists(
        st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0")), min_size=1
    ).map(lambda rest: ["no-such-tool", *rest]),
)
STAMPS = re.compile(rb'"duration_ms":\d+|"timestamp":"[^"]*"')


def call(words: list[str], **options: Any) -> tuple[Invocation, catalog.Choice]:
    inv = Invocation()
    invocation.parse(inv, ["--request-id", "r", "-o", "json", "--", *words], {})
    for name, value in options.items():
        setattr(inv, name, value)
    choice = catalog.choose(inv, {})
    inv.fill(choice.settings())
    inv.fill(DEFAULTS)
    return inv, choice


def ended(stdout: bytes, stderr: bytes = b"", exit_code: int = 0) -> Capture:
    capture = Capture()
    for name, content in (("stdout", stdout), ("stderr", stderr)):
        stream = Stream(keep=512 << 10)
        stream.feed(content)
        setattr(capture, name, stream)
    capture.exit_code = exit_code
    return capture


def whole_way(inv: Invocation, choice: catalog.Choice, capture: Capture) -> bytes:
    outcome = outcomes.assemble(inv, choice, capture)
    return emit.encode(envelopes.shape("response").render(outcome))


@settings(max_examples=300, deadline=None)
@given(words=WORDS, printed=PRINTED)
def test_both_ways_say_the_same(words: list[str], printed: bytes) -> None:
    inv, choice = call(words)
    capture = ended(printed)
    found = quick.answer(inv, choice, capture)
    if found is not None:
        assert found.line
        assert STAMPS.sub(b"", found.line) == STAMPS.sub(b"", whole_way(inv, choice, capture))


@pytest.mark.parametrize(
    "words", [["true"], ["git", "status", "-s"], ["ls", "-la", "/tmp"], ["echo", "a [b] {c} d"]]
)
def test_usual_calls_take_the_short_way(words: list[str]) -> None:
    assert quick.answer(*call(words), ended(b'one "two"\n\tthree\n')) is not None


@pytest.mark.parametrize(
    ("words", "options", "capture"),
    [
        pytest.param(["true"], {}, ended(b"", exit_code=1), id="a failure"),
        pytest.param(["true"], {}, ended(b"", stderr=b"careful\n"), id="something on stderr"),
        pytest.param(["true"], {}, ended(b'{"a": 1}'), id="JSON"),
        pytest.param(["true"], {}, ended(b'note:\n [{"a": 1}]\nend\n'), id="JSON in prose"),
        pytest.param(["true"], {}, ended(b"\x1b[1mbold"), id="colours"),
        pytest.param(["true"], {}, ended("ä".encode()), id="beyond ASCII"),
        pytest.param(["true"], {}, ended(b"x\n" * 20_000), id="a long text"),
        pytest.param(["echo", "token=hunter2"], {}, ended(b""), id="a secret in the arguments"),
        pytest.param(["mysql", "-pw"], {}, ended(b""), id="a secret flag of the tool"),
        pytest.param(["true"], {"redact": "all"}, ended(b""), id="redact all"),
        pytest.param(["true"], {"etag": "x"}, ended(b""), id="an etag"),
        pytest.param(["true"], {"fields": "a"}, ended(b""), id="fields"),
        pytest.param(["true"], {"envelope": "claw-2.0"}, ended(b""), id="another shape"),
    ],
)
def test_what_takes_more_is_left_to_the_long_way(
    words: list[str], options: dict[str, Any], capture: Capture
) -> None:
    assert quick.answer(*call(words, **options), capture) is None


def test_a_secret_of_the_environment_is_no_matter_for_the_short_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DEPLOY_TOKEN", "correct-horse")
    inv, choice = call(["echo", "correct-horse"])
    assert quick.answer(inv, choice, ended(b"")) is None
    assert b"correct-horse" not in whole_way(inv, choice, ended(b""))


def test_a_bug_of_the_short_way_leaves_it_to_the_long_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "dumps", lambda value: 1 / 0)
    assert quick.answer(*call(["true"]), ended(b"")) is None


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), st.text()),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
)


@settings(max_examples=500, deadline=None)
@given(JSON)
def test_json_is_written_as_orjson_writes_it(value: Any) -> None:
    try:
        written = plain.dumps(value).encode()
    except UnicodeEncodeError:  # lone surrogates, which orjson refuses as well
        with pytest.raises(TypeError):
            orjson.dumps(value)
        return
    assert written == orjson.dumps(value)
    assert json.loads(written) == value


@pytest.mark.parametrize("value", [1.5, "x" * (plain.LONGEST + 1), [{"a": 0.1}]])
def test_what_orjson_does_better_is_left_to_it(value: Any) -> None:
    with pytest.raises(plain.NotSimple):
        plain.dumps(value)
