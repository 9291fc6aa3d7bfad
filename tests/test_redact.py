"""Secrets are replaced by their kind wherever they are shown; what only looks like one stays."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawwrap import catalog, loader
from clawwrap.contract import ExitCode, Failure, Meta, Outcome, Redirect, Retry
from clawwrap.errors import AdapterError
from clawwrap.redact import Redactor
from tests import redaction
from tests.conftest import Run

META = Meta(duration_ms=1, request_id="r", timestamp="2026-01-01T00:00:00Z", command="x")
KEY = """\
before
-----BEGIN RSA PRIVATE KEY-----
MIIEpAIBAAKCAQEA0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL
MNOPQRSTUVWXYZ0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN
c2hvcnQ=
-----END RSA PRIVATE KEY-----
after
"""


def redactor(words: Sequence[str] = (), **more: Any) -> Redactor:
    return Redactor(words=words, **{"environ": {}, **more})


def for_tool(*words: str) -> Redactor:
    """A redactor for a call of a tool that has an adapter."""
    plan = loader.adapter(f"{catalog.SHIPPED}/{words[0]}.yaml")[1]
    return redactor(words, plans=[plan])


# The corpus


@pytest.mark.parametrize("case", redaction.cases(), ids=lambda case: f"{case.kind}: {case.text}")
def test_a_case_of_the_corpus(case: redaction.Case) -> None:
    if case.known:
        assert not case.passes, (
            f"{case.text}: mastered by now, so it is no longer a known {case.known}"
        )
        return
    for text, wanted in map(case.filled, redaction.SEEDS):
        assert redaction.clean(text) == wanted


def test_the_rates() -> None:
    secrets = [case for case in redaction.cases() if case.secret]
    innocent = [case for case in redaction.cases() if not case.secret]
    assert len(secrets) >= 150
    assert len(innocent) >= 250
    assert redaction.rate(secrets) >= 0.97
    assert redaction.rate(innocent) >= 0.98


def test_every_rule_has_a_case() -> None:
    used = {case.kind for case in redaction.cases() if case.secret}
    kinds = {rule["kind"] for rule in catalog.mapping("secrets")["rules"]}
    assert kinds <= used


# Twice is once


PIECES = [text for case in redaction.cases() for text, _ in [case.filled(0)]]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=12)), max_size=5), st.data())
def test_redacting_twice_changes_nothing_more(pieces: list[str], data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(["\n", " ", "", "=", ": "])).join(pieces)
    once = redaction.clean(text)
    assert redaction.clean(once) == once


@settings(max_examples=50, deadline=None)
@given(st.text(alphabet=st.characters(codec=None), max_size=60))
def test_any_text_survives(text: str) -> None:
    given = f"{text}\udc80\ud800 token=abc"
    assert (
        redaction.clean(given) == redaction.clean(text + "\udc80\ud800 ") + "token=[redacted:token]"
    )


def test_what_was_redacted_before_keeps_its_kind() -> None:
    text = "https://bob:[redacted:flag:--password]@host token=[redacted:env:X] password=abc"
    assert redaction.clean(text) == text.replace("abc", "[redacted:password]")


def test_a_value_that_is_the_name_of_a_kind_does_not_break_the_marks() -> None:
    given = redactor(environ={"MY_SECRET": "github-token"})
    assert given.text("x [redacted:github-token]") == "x [redacted:github-token]"


def test_a_long_text_is_looked_through_as_well() -> None:
    text = "a line of no importance\n" * 1000 + "token=abc\n"
    assert redaction.clean(text) == text.replace("abc", "[redacted:token]")


# Data


def test_keys_say_what_their_values_are() -> None:
    given = {
        "password": "x",
        "user": "bob",
        "nested": [{"apiKey": "k", "note": "https://a:b@c/"}, 1, None, True],
        "Authorization": "Bearer abcdef123456",
        "Cookie": "sid=1234; theme=dark",
        "token": None,
        "tokens": 12,
        "secrets": ["not a value of its own"],
        "Credentials": {"SecretAccessKey": "abc", "Expiration": "soon"},
    }
    wanted = {
        "password": "[redacted:password]",
        "user": "bob",
        "nested": [
            {"apiKey": "[redacted:api-key]", "note": "https://a:[redacted:url-password]@c/"},
            1,
            None,
            True,
        ],
        "Authorization": "Bearer [redacted:authorization]",
        "Cookie": "sid=[redacted:cookie]; theme=dark",
        "token": None,
        "tokens": 12,
        "secrets": ["not a value of its own"],
        "Credentials": {"SecretAccessKey": "[redacted:secret]", "Expiration": "soon"},
    }
    assert redactor().value(given) == wanted
    assert redactor().value(wanted) is wanted


def test_a_list_under_a_secret_key_is_secret() -> None:
    assert redactor().value({"password": ["a1", "b2"]}) == {"password": ["[redacted:password]"] * 2}


def test_innocent_data_is_the_same_object() -> None:
    data = {"a": [1, {"b": "c"}], "id": "0" * 40}
    assert redactor().value(data) is data


# Arguments


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        pytest.param(["x", "--password", "pw"], ["x", "--password", "*"], id="next word"),
        pytest.param(["x", "--token=pw", "y"], ["x", "--token=*", "y"], id="after ="),
        pytest.param(["x", "--db-password", "pw"], ["x", "--db-password", "*"], id="by name"),
        pytest.param(["x", "--password-stdin", "r"], None, id="a switch of that name"),
        pytest.param(["x", "--with-token", "r"], None, id="a switch by its first word"),
        pytest.param(["x", "--token-file", "f"], None, id="a file with it"),
        pytest.param(["x", "--password", "--user", "bob"], None, id="no value"),
        pytest.param(["x", "--token"], None, id="last word"),
        pytest.param(["x", "--token="], None, id="empty"),
        pytest.param(["docker", "login", "-p", "pw"], ["docker", "login", "-p", "*"], id="login"),
        pytest.param(["docker", "run", "-p", "80:80", "login"], None, id="a port"),
        pytest.param(["mysql", "-ppw", "db"], ["mysql", "-p*", "db"], id="glued"),
        pytest.param(["mysql", "-p", "db"], None, id="glued, without a value"),
        pytest.param(["curl", "-u", "bob:pw"], ["curl", "-u", "bob:*"], id="after a colon"),
        pytest.param(["curl", "-u", "bob"], None, id="no colon"),
        pytest.param(
            ["openssl", "rsa", "-passin", "pass:pw"],
            ["openssl", "rsa", "-passin", "pass:*"],
            id="after a text",
        ),
        pytest.param(["openssl", "rsa", "-passin", "env:PW"], None, id="by reference"),
        pytest.param(
            ["helm", "registry", "login", "-p", "pw"],
            ["helm", "registry", "login", "-p", "*"],
            id="a command of two words",
        ),
    ],
)
def test_flags(words: list[str], wanted: list[str] | None) -> None:
    known = Path(catalog.SHIPPED, f"{words[0]}.yaml").exists()
    shown = (for_tool(*words) if known else redactor(words)).argv(words)
    plain = [word.replace("[redacted:flag:", "<") for word in shown]
    assert [word.partition("<")[0] + "*" * ("<" in word) for word in plain] == (wanted or words)


def test_the_kind_names_the_flag() -> None:
    assert redactor().argv(["x", "--password=pw"]) == ["x", "--password=[redacted:flag:--password]"]


def test_assignments_and_patterns_in_arguments() -> None:
    words = ["env", "PGPASSWORD=abc", "psql", "postgres://u:pw@h/d"]
    assert redactor().argv(words) == [
        "env",
        "PGPASSWORD=[redacted:password]",
        "psql",
        "postgres://u:[redacted:url-password]@h/d",
    ]


def test_arguments_twice() -> None:
    given = for_tool("curl", "-u", "bob:pw", "--pass", "pw", "-H", "Authorization: token abc123def")
    once = given.argv(given.words)
    assert given.argv(once) == once


def test_a_line_for_the_shell() -> None:
    line = "mysql -pab db | ssh -p2222 host; x --token 'a b'"
    plans = [loader.adapter(f"{catalog.SHIPPED}/{name}.yaml")[1] for name in ("mysql", "ssh")]
    words = ["bash", "-o", "pipefail", "-c", line]
    shown = redactor(words, plans=plans).argv(words)[-1]
    assert shown.startswith("mysql -p[redacted:flag:-p] db | ssh -p2222 host; x --token '")
    assert "a b" not in shown


# What this run is known to be secret


def test_values_of_secret_variables_are_hidden_everywhere() -> None:
    environ = {
        "GITHUB_TOKEN": "plainwords",
        "SHORT_TOKEN": "abc",
        "TOKEN_FILE": "/run/token",
        "MY_SECRET": "/run/secret/file",
        "DB_PASSWORD": "changeme",
        "HOME": "/home/bob",
    }
    given = redactor(environ=environ)
    assert given.text("got plainwords here") == "got [redacted:env:GITHUB_TOKEN] here"
    assert given.argv(["x", "plainwords"]) == ["x", "[redacted:env:GITHUB_TOKEN]"]
    for text in ("abc", "/run/token", "/run/secret/file", "changeme", "/home/bob"):
        assert given.text(f"got {text} here") == f"got {text} here"


def test_values_of_flags_are_hidden_in_what_the_tool_says() -> None:
    given = redactor(["x", "--password", "letmein99", "--token", "root"])
    assert given.text("denied: letmein99") == "denied: [redacted:flag:--password]"
    assert given.text("user root, uproot") == "user root, uproot"  # too common a word


# Live output


LIVE = f"token=abc\nplain\n{KEY}Authorization: Bearer abcdef123456\nlast password=x1"


@pytest.mark.parametrize("at", range(len(LIVE)))
def test_live_output_at_every_split(at: int) -> None:
    live = redactor().stream()
    shown = live.feed(LIVE[:at]) + live.feed(LIVE[at:]) + live.flush()
    assert shown == redactor().text(LIVE)


def test_live_output_letter_by_letter() -> None:
    live = redactor().stream()
    assert "".join(map(live.feed, LIVE)) + live.flush() == redactor().text(LIVE)


def test_a_whole_line_is_shown_at_once_and_a_part_is_not() -> None:
    live = redactor().stream()
    assert live.feed("one\ntok") == "one\n"
    assert live.feed("en=abc") == ""
    assert live.flush() == "token=[redacted:token]"
    assert live.flush() == ""


def test_a_progress_bar_is_shown_while_it_grows() -> None:
    live = redactor().stream()
    assert live.feed("10%\r20%\r3") == "10%\r20%\r"
    assert live.feed("0%\r\n") == "30%\r\n"


def test_a_line_without_an_end_is_not_held_back_forever() -> None:
    live = redactor().stream()
    assert sum(len(live.feed("x" * 1000)) for _ in range(1000)) > 900_000


@pytest.mark.parametrize("at", [5, 13, 20, 30])
def test_a_long_line_is_not_parted_within_a_secret(at: int) -> None:
    token = "ghp_" + "aB3dE5gH7j" * 3 + "kL9mN1"
    line = '{"a":1},' * 9000 + f'{{"token":"{token}"}},'
    live = redactor().stream()
    cut = len(line) - len(token) - 16 + at
    shown = live.feed(line[:cut]) + live.feed(line[cut:]) + live.flush()
    assert shown == line.replace(token, "[redacted:github-token]")


def test_a_private_key_stays_hidden_when_the_output_pauses() -> None:
    live = redactor().stream()
    shown = ""
    for line in KEY.splitlines(keepends=True):
        shown += live.feed(line[:-1]) + live.flush() + live.feed(line[-1:])
    for line in KEY.splitlines()[2:5]:
        assert line not in shown
    assert "after" in shown


def test_a_key_without_an_end_does_not_hide_all_that_follows() -> None:
    live = redactor().stream()
    live.feed("-----BEGIN PRIVATE KEY-----\n" + "MIIE\n" * 600)
    assert live.feed("hello\n") == "hello\n"


# Outcomes


def failed(secret: str) -> Outcome[Any]:
    failure = Failure(
        code="X",
        message=f"a {secret}",
        retry=Retry(False),
        detail=f"b {secret}",
        output={"stdout": f"c {secret}"},
        suggestion=f"d {secret}",
        target=f"e {secret}",
        redirect=Redirect(f"f {secret}", True),
        extra={"g": [secret]},
    )
    meta = META._replace(cwd=f"/h/{secret}", command=f"i {secret}", extra={"j": secret})
    if "argv" in Meta._fields:
        meta = meta._replace(argv=("k", secret))
    return Outcome(ExitCode.REDIRECTED, meta, failure=failure, warnings=(f"l {secret}",))


def test_every_part_of_a_failure_is_redacted() -> None:
    given = failed("password=hunter2")
    shown = redactor().outcome(given)
    assert shown == failed("password=[redacted:password]")
    assert "hunter2" not in repr(shown)


def test_neither_the_summary_nor_the_log_shows_a_secret(run: Run, tmp_path: Path) -> None:
    token = "ghp_" + "aB3dE5gH7j" * 3 + "kL9mN1"
    state = {"XDG_STATE_HOME": str(tmp_path / "state"), "HOME": str(tmp_path)}
    words = ("sh", "-c", 'echo "zork $T" >&2; exit 1')
    seen = run("-o", "human", *words, env=state | {"T": token}, check=False).stderr.decode()
    tool, _, ours = seen.partition("clawwrap: ")
    assert tool == f"zork {token}\n"  # it printed this by itself
    assert "zork [redacted:github-token]" in ours
    run(*words, env=state | {"T": token})
    [log] = tmp_path.rglob("*.jsonl")
    assert "[redacted:github-token]" in log.read_text()
    assert token not in log.read_text()


def test_an_innocent_outcome_is_the_same_object() -> None:
    given = failed("nothing")
    assert redactor().outcome(given) is given


@pytest.mark.parametrize(
    ("policy", "data", "warning"),
    [
        ("errors", "token=abc", "token=[redacted:token]"),
        ("all", "token=[redacted:token]", "token=[redacted:token]"),
        ("none", "token=abc", "token=abc"),
    ],
)
def test_policies(policy: str, data: str, warning: str) -> None:
    given: Outcome[Any]
    given = Outcome(ExitCode.SUCCESS, META, data={"x": "token=abc"}, warnings=("token=abc",))
    shown = redactor(policy=policy).outcome(given)
    assert shown.data == {"x": data}
    assert shown.warnings == (warning,)


def test_nothing_is_touched_where_a_person_says_so() -> None:
    given = redactor(["x", "--token", "abcdefghij"], policy="none")
    assert given.text(KEY) == KEY
    assert given.argv(given.words) == ["x", "--token", "abcdefghij"]
    assert given.value({"password": "x"}) == {"password": "x"}
    assert given.stream().feed("tok") == "tok"


# Cost


def test_innocent_arguments_load_no_engine() -> None:
    probe = (
        "import sys\n"
        "from clawwrap.redact import Redactor\n"
        "words = ['git', 'commit', '-m', 'fix token refresh', '--author=bob', '--format=%h']\n"
        "environ = {'HOME': '/home/bob', 'GITHUB_TOKEN': 'abcdefghij'}\n"
        "assert Redactor('errors', words, [], environ).argv(words) == words\n"
        "print(*sys.modules)"
    )
    call = [sys.executable, "-c", probe]
    subprocess.check_output(call)  # the table may have to be compiled first
    loaded = set(subprocess.check_output(call, text=True).split())
    assert not {"re", "re2", "_re2", "typing", "dataclasses", "yaml"} & loaded


TRAPS = [
    "-----BEGIN RSA PRIVATE KEY-----\n",
    "token=",
    "key=key:",
    "password: ",
    "://a:",
    "eyJ",
    "authorization: ",
    "cookie: a=",
    'token="a',
    "machine x login y ",
    "discord",
    "[redacted:",
    "A1b",
    "x=A1b",
    "+ mysql ",
    "+ mysql -pab ",
    "DKIM p=A1b",
    "temporary password: ",
    "{Password:a1 ",
    "following token:\n",
    "a:5432:b:c:d\n",
    "Private-Lines: 1\nA1b",
]


@pytest.mark.parametrize("trap", TRAPS)
def test_the_work_grows_with_the_text_and_no_faster(
    trap: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted in values that are judged, and in bytes that are searched."""
    judge, judged = Redactor._kind, [0]

    def counting(self: Redactor, rule: dict[str, Any], name: str, value: str) -> str:
        judged[0] += 1 + len(value)
        return judge(self, rule, name, value)

    monkeypatch.setattr(Redactor, "_kind", counting)
    counts = []
    for times in (200, 1600):
        judged[0] = 0
        redaction.clean(trap * times)
        counts.append(judged[0])
    assert counts[1] <= 10 * counts[0] + 1000


# Adapters


ADAPTER = """\
tool: parcel
about: a test
exit_codes: {SUCCESS: It went well}
secret_flags:
  - --pin
  - {flags: [-s, '-s*'], commands: [send], after: '/'}
secrets:
  - {kind: parcel-pin, pattern: '/pin (?P<secret>\\d{4})/'}
"""


def test_an_adapter_adds_flags_and_patterns(tmp_path: Path) -> None:
    (tmp_path / "parcel.yaml").write_text(ADAPTER)
    (tmp_path / "packet.yaml").write_text(
        "tool: packet\nabout: a test\nextends: ./parcel.yaml\n"
        "exit_codes: {SUCCESS: It went well}\nsecret_flags: [--code]\n"
    )
    plan = loader.adapter(str(tmp_path / "packet.yaml"))[1]
    words = ["packet", "send", "-s", "a/b", "-sc/d", "--pin=1", "--code", "2"]
    given = redactor(words, plans=[plan])
    assert given.argv(words) == [
        "packet",
        "send",
        "-s",
        "a/[redacted:flag:-s]",
        "-sc/[redacted:flag:-s]",
        "--pin=[redacted:flag:--pin]",
        "--code",
        "[redacted:flag:--code]",
    ]
    assert given.text("wrong pin 1234, go") == "wrong pin [redacted:parcel-pin], go"
    assert redactor().text("wrong pin 1234, go") == "wrong pin 1234, go"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("secret_flags: [pin]", ["secret_flags[0]", "a flag such as"]),
        ("secret_flags: [{commands: [x]}]", ["secret_flags[0]"]),
        ("secrets: [{kind: x}]", ["secrets[0]", "pattern is required"]),
        ("secrets: [{kind: x, pattern: 'a'}]", ["secrets[0].pattern", "group named `secret`"]),
        ("secrets: [{kind: x, pattern: '(?P<secret>a)(?=b)'}]", ["secrets[0].pattern", "refused"]),
    ],
)
def test_a_broken_adapter_is_told_where(tmp_path: Path, line: str, words: list[str]) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(f"tool: x\nabout: a test\nexit_codes: {{SUCCESS: Fine}}\n{line}\n")
    with pytest.raises(AdapterError) as caught:
        loader.adapter(str(file))
    assert f"{file}:4" in str(caught.value)
    for word in words:
        assert word in str(caught.value)


def test_the_page_on_output_has_the_rates_as_they_are() -> None:
    page = Path(__file__).parent.parent / "docs" / "output.md"
    assert redaction.table() in page.read_text(), "paste what `python -m tests.redaction` prints"
