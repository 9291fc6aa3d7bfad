"""The numbers and names of errors in one line: errno, HTTP, SQLSTATE, service codes. Pure."""

from __future__ import annotations

from clawwrap import catalog, patterns
from clawwrap.evidence import MASK, Line
from clawwrap.expressions import Expression

ERRNO_NUMBER = Expression(
    r"\[errno (-?\d+)\]|\(os error (\d+)\)|\bos \{ code: (\d+)|\berrno ?[=:] ?-?(\d+)",
    "errno",
    "os error",
    "os {",
    ignore_case=True,
)
ERRNO_NAME = Expression(r"\b(E[A-Z0-9]{3,15}|EAI_AGAIN)\b", "E")
ERRNO_END = Expression(
    r"(?:^|[:\-–(] ?)([a-z][a-z' -]{4,50}?)(?: \(os error \d+\)| \(\d+\)|: " + MASK + r")?[.!)\s]*$"
)
#: A name of several words, as services give their errors: AccessDenied, DEADLINE_EXCEEDED.
CODE_NAME = Expression(r"\b(?:[A-Za-z][a-z]+(?:[A-Z][A-Za-z]*)+|[A-Z]+(?:_[A-Z]+)+)\b")
#: Any word that the output marks as a code, and a name behind a weaker mark.
CODE_WORD = Expression(
    r"""(?:\b(?:code|reason)["']?\s?[=:]\s?["']?|StatusCode\.|<Code>"""
    r"""|\bError from server \(|\berror occurred \()([A-Za-z_]+)\b""",
    "code",
    "reason",
    "error from server",
    "error occurred",
    ignore_case=True,
)
CODE_VALUE = Expression(
    r"""\b(?:error|type|status)["']?\s?[=:]\s?["']?([a-z]+_[a-z_]+)\b(?![.(])""",
    "error",
    "type",
    "status",
)
SQLSTATE = Expression(
    r"\((?:SQLSTATE:? ?)?([0-9][0-9A-Z][0-9A-Z]{3})\)|\bSQLSTATE[\[=: ]+([0-9][0-9A-Z][0-9A-Z]{3})"
    r"|^(?:[A-Z]+|psql:\S+):\s+([0-9][0-9A-Z][0-9A-Z]{3})(?::|$)",
    *"0123456789",
)


def errno_of(line: Line) -> str:
    """What a system error that the line names stands for: by number, by name, by its text."""
    table = catalog.mapping("errno")
    if found := ERRNO_NUMBER.search(line.text):
        number = int(next(group for group in found.groups() if group))
        if number in table["numbers"]:
            return str(table["numbers"][number])
    for name in ERRNO_NAME.findall(line.text):
        if name in table["names"]:
            return str(table["names"][name])
    if found := ERRNO_END.search(line.masked):
        return str(table["texts"].get(found.group(1).strip(), ""))
    return ""


def code_of(line: Line) -> str:
    """What a code that the line names stands for."""
    table = catalog.mapping("codes")
    for name in CODE_NAME.findall(line.text):
        if name in table["names"] and name.lower() in line.masked:  # a quoted one is a name
            return str(table["names"][name])
    for word in (*CODE_WORD.findall(line.text), *CODE_VALUE.findall(line.text)):
        if error := table["words"].get(word) or table["names"].get(word):
            return str(error)
    if found := SQLSTATE.search(line.text):
        state = next(group for group in found.groups() if group)
        return str(table["sqlstate"].get(state) or table["sqlstate"].get(state[:2], ""))
    return ""


def status_of(line: Line) -> str:
    """What an HTTP status that the line names stands for."""
    table = catalog.mapping("http")
    text = line.masked.encode()
    for matcher in table["says"]:
        found = patterns.search(matcher, text, text)
        if found:
            status = found.groups.get("status") or found.groups.get("status2")
            error = table["statuses"].get(int(status or 0))
            if error:
                return str(error)
    return ""
