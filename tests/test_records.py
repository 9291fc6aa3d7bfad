"""The splitter: every framing gives the same records, and a broken one costs itself alone."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawwrap import records
from clawwrap.records import Record

#: What is easily mistaken for structure, in strings and around the ends of pieces.
NASTY = ['"', "\\", "{", "}", "[", "]", ",", ":", "\n", "\r", "\t", "\u2028", "é", "😀", "a", " "]

texts = st.text(st.sampled_from(NASTY), max_size=12) | st.text(max_size=8)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**40), 10**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
objects = st.dictionaries(texts, values, max_size=5)
#: No surrogates: a text that is no UTF-8 cannot be written out for the splitter to read.
lists = st.lists(objects, max_size=6)


def ndjson(found: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in found)


def crlf(found: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(one) + "\r\n" for one in found)


def concatenated(found: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(one) for one in found)


def spaced(found: list[dict[str, Any]]) -> str:
    return "\n\n  ".join(json.dumps(one, ensure_ascii=False) for one in found)


def array(found: list[dict[str, Any]]) -> str:
    return json.dumps(found)


def pretty(found: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(one, indent=2, ensure_ascii=False) + "\n" for one in found)


def pretty_in_a_row(found: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(one, indent="\t") for one in found)


def pretty_array(found: list[dict[str, Any]]) -> str:
    return json.dumps(found, indent=2)


def array_by_line(found: list[dict[str, Any]]) -> str:
    return "[\n" + ",\n".join(json.dumps(one) for one in found) + "\n]\n"


def arrays_in_a_row(found: list[dict[str, Any]]) -> str:
    return "".join(json.dumps([one]) for one in found)


Framing = Callable[[list[dict[str, Any]]], str]
FRAMINGS: list[Framing] = [
    ndjson,
    crlf,
    concatenated,
    spaced,
    array,
    pretty,
    pretty_in_a_row,
    pretty_array,
    array_by_line,
    arrays_in_a_row,
]


def split(raw: bytes, at_once: int = 1 << 20) -> list[Record]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(records, "READ_AT_ONCE", at_once)
        return list(records.split(io.BytesIO(raw)))


def good(found: list[Record]) -> list[Any]:
    return [record.value for record in found if not record.problem]


@pytest.mark.parametrize("framing", FRAMINGS, ids=lambda f: f.__name__)
@given(found=lists)
@settings(max_examples=60, deadline=None)
def test_any_framing_gives_back_exactly_the_objects(
    framing: Framing, found: list[dict[str, Any]]
) -> None:
    result = split(framing(found).encode())
    assert [record.problem for record in result] == [""] * len(found)
    # As text too: for Python 1 == 1.0 == True.
    assert repr([record.value for record in result]) == repr(found)


@pytest.mark.parametrize("framing", FRAMINGS, ids=lambda f: f.__name__)
@given(found=lists, at_once=st.integers(1, 7))
@settings(max_examples=60, deadline=None)
def test_where_a_piece_ends_does_not_matter(
    framing: Framing, found: list[dict[str, Any]], at_once: int
) -> None:
    raw = framing(found).encode()
    assert split(raw, at_once) == split(raw)


@pytest.mark.parametrize("at_once", range(1, 8))
@pytest.mark.parametrize(
    "text",
    [
        "",
        '"',
        "\\",
        "\\\\",
        '\\"',
        '\\\\"',
        '"}{"',
        "}\n{",
        '{"type":"success"}',
        '\n{"a":1}\n',
        "]" * 9,
        "[{" * 9,
        "\\" * 9,
        '"' * 9,
        "é😀\u2028",
    ],
)
def test_a_text_full_of_structure_is_a_text(text: str, at_once: int) -> None:
    one = {text: [text, {"x": text}]}
    for framing in FRAMINGS:
        assert good(split(framing([one, one]).encode(), at_once)) == [one, one]


@given(raw=st.binary(max_size=200), at_once=st.integers(1, 50))
@settings(max_examples=300, deadline=None)
def test_arbitrary_bytes_never_raise(raw: bytes, at_once: int) -> None:
    for record in split(raw, at_once):
        assert record.line >= 1
        assert not record.problem or record.value is None


@given(
    raw=st.lists(
        st.sampled_from(
            [
                b"{",
                b"}",
                b"[",
                b"]",
                b'"',
                b"\\",
                b",",
                b":",
                b"\n",
                b"1",
                b'{"a":1}',
                b" ",
                b"\xff",
            ]
        ),
        max_size=40,
    ).map(b"".join)
)
@settings(max_examples=300, deadline=None)
def test_what_is_almost_json_never_raises_and_keeps_every_byte_that_matters(raw: bytes) -> None:
    """What is not whitespace, a comma or a bracket around records is in one of them."""

    def matter(text: bytes) -> bytes:
        return text.translate(None, b" \n\r\t\x0b\x0c,[]")

    assert matter(b"".join(record.raw for record in split(raw))) == matter(raw)


@pytest.mark.parametrize(
    ("raw", "lines"),
    [
        (b'{"a":1}\n{"b":2}\n', [1, 2]),
        (b'\n\n{"a":1}\n\n{"b":2}', [3, 5]),
        (b'{"a":1}{"b":2}\n{"c":3}', [1, 1, 2]),
        (b'{\n"a":1\n}\n{\n"b":2\n}\n', [1, 4]),
        (b'[{"a":1},\n{"b":2},\n\n{"c":3}]', [1, 2, 4]),
        (b'[\n  {\n    "a": 1\n  },\n  {\n    "b": 2\n  }\n]\n', [2, 5]),
        (b'{"a":1}\r\n{"b":2}\r\n', [1, 2]),
        (b'\xef\xbb\xbf{"a":1}\n{"b":2}\n', [1, 2]),
    ],
)
@pytest.mark.parametrize("at_once", [3, 5, 1 << 20])
def test_a_record_knows_the_line_it_begins_on(raw: bytes, lines: list[int], at_once: int) -> None:
    found = split(raw, at_once)
    assert [record.problem for record in found] == [""] * len(lines)
    assert [record.line for record in found] == lines


GOOD = b'{"good":1}'


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (b'{"a":', "cut off"),
        (b'{"a":1', "cut off"),
        (b'{"a":[{"b":', "cut off"),
        (b'{"a":"x', "not closed"),
        (b'{"a":"x\\', "not closed"),
        (b'{"a":1]', "broken JSON"),
        (b'{"a" 1}', "broken JSON"),
        (b'{"a":1,}', "broken JSON"),
        (b"{'a':1}", "broken JSON"),
        (b'{"a":\\"}', "broken JSON"),
        (b'{"a":1,"a":2}', 'the key "a" stands there twice'),
        (b'{"a":{"b":1,"b":1}}', 'the key "b" stands there twice'),
        (b'{"a":NaN}', "NaN is not JSON"),
        (b'{"a":-Infinity}', "-Infinity is not JSON"),
        (b'{"a":1e999}', "too large"),
        (b'{"a":-1e999}', "too large"),
        (b'{"a":' + b"9" * 5000 + b"}", "5000 digits"),
        (b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}", "nested too deeply"),
        (b'{"a":"\xff"}', "not UTF-8"),
        (b'{"a":"\xed\xa0\x80"}', "not UTF-8"),
        (b"}", "broken JSON"),
        (b"garbage", "broken JSON"),
        (b'garbage {"a":1}', "broken JSON"),
        (b"\x00", "broken JSON"),
        (b"+", "broken JSON"),
        (b"\xff\xfe{\x00}\x00", "UTF-16"),
    ],
    ids=lambda value: repr(value[:20]),
)
def test_a_broken_record_costs_itself_alone(broken: bytes, says: str) -> None:
    found = split(GOOD + b"\n" + broken + b"\n" + GOOD + b"\n" + GOOD)
    assert good(found) == [{"good": 1}] * 3
    wrong = [record for record in found if record.problem]
    assert [record.line for record in wrong] == [2]
    assert says in wrong[0].problem
    assert wrong[0].raw.strip() == broken


@pytest.mark.parametrize(
    "broken",
    [b'{"a":', b'{"a":1,}', b"garbage", b'{"a":"x', b'{"a":NaN}', b'{"a":[{"b":1'],
    ids=repr,
)
def test_in_an_array_too(broken: bytes) -> None:
    found = split(b"[\n" + GOOD + b",\n" + broken + b",\n" + GOOD + b"\n]\n")
    assert good(found) == [{"good": 1}] * 2
    assert [record.line for record in found if record.problem] == [3]


@pytest.mark.xfail(reason="only a record on one line ends one that is cut off")
def test_an_indented_record_that_is_cut_off_costs_itself_alone() -> None:
    whole = json.dumps({"good": {"deep": 1}}, indent=2).encode()
    cut = whole[: whole.index(b"1")]
    found = split(b"\n".join([whole, cut, whole, whole]))
    assert good(found) == [{"good": {"deep": 1}}] * 3
    assert [record.line for record in found if record.problem] == [6]


@pytest.mark.xfail(reason="a whole object at the start of a line ends the one before it")
def test_lines_that_begin_with_a_brace_inside_of_a_record_belong_to_it() -> None:
    one = {"list": [{}, {"a": 1}], "inner": {"b": 2}}
    text = '{"list":[\n{},\n{"a":1}\n],\n"inner":\n{"b":2}\n}\n'
    assert json.loads(text) == one
    found = split(text.encode())
    assert [record.problem for record in found] == [""]
    assert good(found) == [one]


@pytest.mark.xfail(reason="a line of more than 1 MiB that is no JSON is taken in pieces")
@pytest.mark.parametrize("at_once", range(1, 8))
def test_a_long_line_that_is_no_json_is_one_record(at_once: int) -> None:
    found = split(b"no json at all\n" + GOOD + b"\n", at_once)
    assert [(record.line, record.raw) for record in found] == [(1, b"no json at all"), (2, GOOD)]


@pytest.mark.parametrize("raw", [b"", b"\n", b" \r\n\t\n", b"[]", b"[ \n ]\n", b"\xef\xbb\xbf"])
def test_nothing_gives_nothing(raw: bytes) -> None:
    assert split(raw) == []


def test_an_array_without_an_end_says_so_after_its_records() -> None:
    found = split(b'[{"a":1},\n{"b":2}\n')
    assert good(found) == [{"a": 1}, {"b": 2}]
    assert found[-1].line == 2
    assert "closing ]" in found[-1].problem


def test_values_that_are_no_objects_are_records_too() -> None:
    assert good(split(b'1\n"a,]"\nnull\ntrue\n')) == [1, "a,]", None, True]
    assert good(split(b'[1, "a,]", null, [2], {"b":3}]')) == [1, "a,]", None, [2], {"b": 3}]


def test_a_record_says_whether_it_stood_in_an_array() -> None:
    found = split(b'{"a":1}\n[{"b":2}]\n{"c":3}\n')
    assert [record.in_array for record in found] == [False, True, False]


def test_numbers_come_through_to_the_last_digit() -> None:
    big = 1234567890123456789012345678901234567890
    assert good(split(f'{{"a":{big}}}\n'.encode())) == [{"a": big}]
    assert repr(good(split(b'{"a":1.0}\n{"a":1e2}\n{"a":-0.0}'))) == repr(
        [{"a": 1.0}, {"a": 100.0}, {"a": -0.0}]
    )


def test_a_record_without_end_is_given_up_before_it_fills_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(records, "LONGEST_RECORD", 1000)
    raw = b'{"a":[\n' + b"1,\n" * 2000 + GOOD + b"\n"
    found = split(raw)
    assert "longer than" in found[0].problem
    assert len(found[0].raw) < 1100
    assert good(found)[-1] == {"good": 1}
