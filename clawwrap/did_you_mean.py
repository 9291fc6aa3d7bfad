"""The word that the tool itself says was probably meant, for tools of any kind. Pure.

Whoever reads the answer runs it, so a guess of ours has no place here: the wrong word must be
one that the caller typed, the tool must speak of a command or an option, and name one other word.
"""

from __future__ import annotations

from clawwrap import catalog, patterns
from clawwrap.expressions import Expression

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any


#: A quoted word, or one that stands alone on a line, perhaps behind a bullet.
QUOTED_WORD = Expression(r"['\"`‘“]([^'\"`‘’“”\s]{1,80}(?: [^'\"`‘’“”\s]{1,40})?)['\"`’”]")
LISTED_WORD = Expression(
    r"\s*(?:[*•-] )?([\w:@./+-]+(?: [\w:@./+-]+)?)\s*(?:$|[,#—–(\t]|\s{2,}|\s-\s)"
)
BARE_WORD = Expression(
    r"\s*:?\s*(--?[\w][\w-]*|[\w][\w:.-]*)\s*\??[.)]*\s*(?:[\[(][^\])]*[\])])?[\s:]*$"
)
#: How far behind the question the words stand, and how far before it the complaint.
LINES_BEHIND, LINES_BEFORE = 6, 5
LEAST_LIKENESS = 0.7


def corrections(text: bytes, words: Sequence[str]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """What could be run instead, as groups for `redirect`, each with the line that says so."""
    table = catalog.mapping("did_you_mean")
    for matcher in table["replaced"]:
        hit = patterns.search(matcher, text, text.lower())
        if hit and hit.groups.get("wrong") in words[1:]:
            yield _line_at(text, hit.start), hit.groups
    for matcher in table["asks"]:
        hit = patterns.search(matcher, text, text.lower())
        if hit is None:
            continue
        before = text[: hit.end].decode("utf-8", "replace").splitlines()[-LINES_BEFORE:]
        complaint = "\n".join(before)
        if _matches(table["never_of"], complaint) or not _matches(table["speaks_of"], complaint):
            continue
        right = _named(text[hit.end :].decode("utf-8", "replace"), words[0])
        wrong = next((w for w in words[1:] if len(w) > 1 and _names(complaint, w)), "")
        if right and wrong and right not in words and _resembles(wrong, right):
            line = next(line for line in before if wrong in line)
            yield line.strip(), {"wrong": wrong, "right": right}


def _resembles(wrong: str, right: str) -> bool:
    """A typing error keeps most letters; some tools offer whatever comes first."""
    if right.startswith("-") != wrong.startswith("-"):
        return False
    import difflib

    letters = difflib.SequenceMatcher(None, wrong.lstrip("-"), right.lstrip("-"))
    return letters.ratio() >= LEAST_LIKENESS


def _names(text: str, word: str) -> bool:
    import re

    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def _named(behind: str, tool: str) -> str:
    """The one word that is offered; empty where there are several, or none."""
    first, *rest = behind.split("\n")
    found = QUOTED_WORD.findall(first)
    if not found and first.strip(" ?:.)"):
        bare = BARE_WORD.match(first)
        found = [bare.group(1)] if bare else [""]
    if not found:
        found = list(_listed(rest[:LINES_BEHIND]))
    name = catalog.tool_name(tool)
    offered = {word.strip("?.,").removeprefix(f"{name} ") for word in found}
    return offered.pop() if len(offered) == 1 else ""


def _listed(lines: Sequence[str]) -> Iterator[str]:
    """The words below the question, one a line, up to the first line that is something else."""
    begun = False
    for line in lines:
        if not line.strip():
            if begun:
                return
            continue
        quoted = QUOTED_WORD.search(line)
        found = quoted or LISTED_WORD.match(line)
        if not found or not (line[0].isspace() or line[0] in "*•-'\"`‘"):
            return
        begun = True
        yield found.group(1)


def _matches(matchers: Any, text: str) -> bool:
    encoded = text.encode()
    return any(patterns.search(matcher, encoded, encoded.lower()) for matcher in matchers)


def _line_at(text: bytes, at: int) -> str:
    start = text.rfind(b"\n", 0, at) + 1
    return text[start:].partition(b"\n")[0].decode("utf-8", "replace").strip()
