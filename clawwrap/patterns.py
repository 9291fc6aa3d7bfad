"""Texts and expressions from YAML: how they are compiled, and how they are matched.

RE2 is the only engine, because it is linear: no expression and no output can hang us. A
matcher is plain data, `[kind, pattern, literals]`. The literals are lists of words, and a text
without a word of each cannot match; looking for them first spares compiling most expressions.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Matcher = list[Any]
    #: Matchers, the literals of each by index, and those that have none.
    Group = list[Any]


TEXT, REGEX, REGEX_I = "text", "re", "re-i"
#: So many lists of literals are worth the look before an expression is compiled.
MOST_LISTS = 4


def compile_matcher(text: str) -> Matcher:
    """A matcher from YAML: plain text, or an expression between slashes."""
    kind, pattern = split(text)
    if kind == TEXT:
        return [TEXT, pattern, []]
    expression(kind, pattern)  # raises where RE2 refuses it
    return [kind, pattern, literals(pattern)]


def split(text: str) -> tuple[str, str]:
    if len(text) > 2 and text.startswith("/"):
        if text.endswith("/"):
            return REGEX, text[1:-1]
        if text.endswith("/i"):
            return REGEX_I, text[1:-2]
    return TEXT, text


_expressions: dict[tuple[str, str], Any] = {}


def expression(kind: str, pattern: str) -> Any:
    """The compiled expression; ValueError where RE2 refuses it."""
    found = _expressions.get((kind, pattern))
    if found is None:
        found = _expressions[kind, pattern] = _compiled(kind, pattern)
    return found


def _compiled(kind: str, pattern: str) -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = kind != REGEX_I
    options.max_mem = 8 << 20
    try:
        return re2.compile(b"(?m)" + pattern.encode(), options)
    except re2.error as error:
        reason = error.args[0]
        reason = reason.decode() if isinstance(reason, bytes) else str(reason)
        raise ValueError(f"the expression /{pattern}/ is refused: {reason}") from None


def groups(matcher: Matcher) -> set[str]:
    if matcher[0] == TEXT:
        return set()
    return {name.decode() for name in expression(matcher[0], matcher[1]).groupindex}


class Hit:
    """Where a matcher matched, and what its named groups hold."""

    __slots__ = ("end", "groups", "start")

    def __init__(self, start: int, end: int, groups: dict[str, str]) -> None:
        self.start = start
        self.end = end
        self.groups = groups


def search(matcher: Matcher, text: bytes, lowered: bytes) -> Hit | None:
    """The first match in `text`; `lowered` is the same in lower case."""
    kind, pattern, needed = matcher
    if kind == TEXT:
        at = text.find(pattern.encode())
        return Hit(at, at + len(pattern.encode()), {}) if at >= 0 else None
    if not all(any(word in lowered for word in words) for words in needed):
        return None
    found = expression(kind, pattern).search(text)
    if not found:
        return None
    named = {
        name.decode(): value.decode("utf-8", "replace")
        for name, value in found.groupdict().items()
        if value is not None
    }
    return Hit(found.start(), found.end(), named)


def group(matchers: Sequence[Matcher]) -> Group:
    """Matchers with an index of their literals, so that a text is asked once for each literal."""
    words: dict[bytes, list[int]] = {}
    always = []
    for index, (kind, pattern, needed) in enumerate(matchers):
        for word in [pattern.lower().encode()] if kind == TEXT else needed[0] if needed else ():
            words.setdefault(word, []).append(index)
        if kind != TEXT and not needed:
            always.append(index)
    return [list(matchers), words, always]


def candidates(group: Group, lowered: bytes) -> list[int]:
    """Which matchers of a group could match, in their order."""
    _, words, always = group
    found = set(always)
    for word in [word for word in words if word in lowered]:
        found.update(words[word])
    return sorted(found)


def any_matches(group: Group, text: bytes, lowered: bytes) -> bool:
    matchers = group[0]
    return any(search(matchers[index], text, lowered) for index in candidates(group, lowered))


def literals(pattern: str) -> list[list[bytes]]:
    """Lists of lower-case words: of each, any text that matches has one. The rarest list first."""
    found: list[list[bytes]] = []
    for words in sorted(_needed(_parse(pattern)), key=_rarity, reverse=True):
        encoded = [word.encode() for word in words]
        if encoded not in found:
            found.append(encoded)
    return found[:MOST_LISTS]


def _parse(pattern: str) -> list[Any]:
    """The expression as a tree; empty where RE2 knows a form that `re` does not."""
    import re
    import warnings
    from re import _parser  # type: ignore[attr-defined]  # the one parser at hand, used offline

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return list(_parser.parse(pattern))
    except (re.error, RecursionError, OverflowError):
        return []


def _needed(tree: list[Any]) -> list[list[str]]:
    """The lists for a sequence: each way to match contains a word of every list."""
    found: list[list[str]] = []
    run = ""
    for op, argument in [*tree, (None, None)]:
        if str(op) == "LITERAL" and argument < 128:
            run += chr(argument).lower()
            continue
        found += [[run]] if len(run) > 2 else []
        run = ""
        if str(op) == "SUBPATTERN":
            found += _needed(list(argument[3]))
        elif str(op) == "BRANCH":
            best = [max(_needed(list(branch)), key=_rarity, default=[]) for branch in argument[1]]
            if all(best):
                found.append([word for words in best for word in words])
        elif str(op) in ("MAX_REPEAT", "MIN_REPEAT") and argument[0] > 0:
            found += _needed(list(argument[2]))
    return found


def _rarity(words: list[str]) -> int:
    """A list whose shortest word is longer is the rarer sight."""
    return min(map(len, words), default=0)


def danger(pattern: str) -> str:
    """Why a backtracking engine could hang on this expression; empty where it could not."""
    return _danger(_parse(pattern), inside_repeat=False)


def _danger(tree: list[Any], *, inside_repeat: bool) -> str:
    anything_before = False
    for op, argument in tree:
        name, why, anything = str(op), "", False
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            unbounded = str(argument[1]) == "MAXREPEAT"
            body = list(argument[2])
            anything = unbounded and _is_any(body)
            if unbounded and inside_repeat:
                return "a repetition inside a repetition can be matched in exponentially many ways"
            if anything and anything_before:
                return "two neighbouring repetitions of anything can share a text in many ways"
            why = _danger(body, inside_repeat=inside_repeat or unbounded)
        elif name == "SUBPATTERN":
            why = _danger(list(argument[3]), inside_repeat=inside_repeat)
        elif name == "BRANCH":
            whys = [_danger(list(branch), inside_repeat=inside_repeat) for branch in argument[1]]
            why = next((each for each in whys if each), "")
        if why:
            return why
        anything_before = anything
    return ""


def _is_any(body: list[Any]) -> bool:
    return len(body) == 1 and str(body[0][0]) == "ANY"
