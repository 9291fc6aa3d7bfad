"""What a run left behind, prepared for judging: its lines, and the names in them masked.

Pure. Everything is bytes in UTF-8, because RE2 works on bytes and offsets stay true.
"""

from __future__ import annotations

from functools import cached_property

from clawwrap.expressions import Expression
from clawwrap.record import NamedTuple
from clawwrap.text import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from clawwrap.reported import Report

LONGEST_LINE = 2000

QUOTED = Expression(
    r"'([^'\n]{1,300})'|\"([^\"\n]{1,300})\"|`([^`\n]{1,300})`|‘([^’\n]{1,300})’|“([^”\n]{1,300})”",
    "'",
    '"',
    "`",
    "‘",
    "“",
)
URL = Expression(r"\b[a-z][a-z0-9+.-]*://[^\s'\"<>)\]]+", "://", ignore_case=True)
PATH = Expression(r"(?<![\w.])(?:~|\.{1,2})?(?:/[\w.@%+-]+)+/?", "/")
FLAG = Expression(r"(?<![\w-])--?[A-Za-z][\w-]*(?:=\S+)?", "-")
NAME_LIKE = Expression(r"\S+$|(?:~|\.{1,2})?/|[^:]*\.\w{1,5}$|(?:[^\s:]+ ){0,3}[^\s:]*/")
SPOKEN = Expression(
    r"([\"']?)\b(?:msg|message|errors?|err|reason|detail|desc|description|cause)[\"']?\s*([:=])\s*$",
    ":",
    "=",
    ignore_case=True,
)
FIELD = Expression(r"errors?|message|error_description|detail|reason|code|status|type|title")
FRAME = Expression(r"^[\s│┃║╷╵╭╰┌└├╔╚─━═]+(?=\S)|[\s│┃║╮╯┐┘┤╗╝─━═]+$")
BOXED = Expression(r"\s*│ (.*)$", "│")
MASK = "§"
#: A quoted name that something is said of: 'a name': No such file or directory
SUBJECT = Expression(r":? ?: [A-Z]", ":")
TELLING_ENDINGS = (".lock", ".sock", ".pid")


class Line(NamedTuple):
    """One line as it was printed, and masked for matching."""

    text: str
    masked: str


class Evidence:
    """One ended run of one tool. Lower-case twins serve the search for literals."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        exit_code: int | None = None,
        signal: str | None = None,
        stdout: bytes = b"",
        stderr: bytes = b"",
        command: str = "",
    ) -> None:
        self.argv = list(argv)
        self.command = command
        self.owns_exit = True
        self.exit_code = exit_code
        self.signal = signal
        self.stdout = clean(stdout)
        self.stderr = clean(stderr)
        self.report: Report | None = None  # the tool's own envelope, where it printed one

    def for_tool(self, argv: Sequence[str], command: str, *, owns_exit: bool = True) -> Evidence:
        """The same run from the view of one of its tools, whose exit code it may not even be."""
        twin = Evidence.__new__(Evidence)
        twin.__dict__.update(self.__dict__, argv=list(argv), command=command, owns_exit=owns_exit)
        return twin

    @property
    def failed(self) -> bool:
        return self.exit_code != 0

    @cached_property
    def stdout_lower(self) -> bytes:
        return self.stdout.lower()

    @cached_property
    def stderr_lower(self) -> bytes:
        return self.stderr.lower()

    @cached_property
    def stderr_lines(self) -> list[Line]:
        return list(self._lines(self.stderr))

    @cached_property
    def stdout_lines(self) -> list[Line]:
        return list(self._lines(self.stdout))

    def _lines(self, text: bytes) -> Iterator[Line]:
        values = [word.partition("=")[2] for word in self.argv[1:] if word.startswith("--")]
        own_words = [
            word
            for word in (*self.argv[1:], *values)
            if len(word) > 2 and not _is_common(word) and "\n" not in word
        ]
        for line in _unwrapped(text.decode("utf-8", "replace")):
            if line.strip():
                line = line[:LONGEST_LINE].rstrip()
                yield Line(line, mask(line, own_words))


def _is_common(word: str) -> bool:
    """Whether a word of the caller's may as well be one of the tool's: letters in one case."""
    return word.isalpha() and (word.islower() or word.isupper() or word.istitle())


def _unwrapped(text: str) -> Iterator[str]:
    """The lines, where a box has wrapped a sentence, put together again."""
    if "│" not in text:
        yield from text.split("\n")
        return
    held = ""
    for line in text.split("\n"):
        inside = BOXED.match(line)
        words = inside.group(1).rstrip(" │") if inside else ""
        if held and words and not words[0].isspace():
            held += " " + words
            continue
        if held:
            yield held
        held = words if words and not words[0].isspace() else ""
        if not held:
            yield line
    if held:
        yield held


def mask(line: str, own_words: Sequence[str]) -> str:
    """The line in lower case without the names in it, which are data and not words of the tool."""
    if not line.isascii():
        line = FRAME.sub("", line)  # boxes around messages, as rich and terraform draw them
    for word in own_words:
        if word in line:
            line = line.replace(word, "-flag" if word.startswith("-") else MASK)
    line = QUOTED.sub(_mask_name, line)
    line = URL.sub(MASK, line)
    line = PATH.sub(lambda found: _masked(found.group()), line)
    return FLAG.sub("-flag", line).lower()


def _mask_name(found: re.Match[str]) -> str:
    """Quotes hold a name or a sentence; only names are masked."""
    content = next(group for group in found.groups() if group is not None)
    if content.startswith("-"):
        return found.group()
    if FIELD.fullmatch(content) and found.string.startswith(":", found.end()):
        return found.group()
    if found.string.startswith("KeyError: "):
        return MASK
    if SUBJECT.match(found.string, found.end()):
        return _masked(content)
    spoken = SPOKEN.search(found.string[max(0, found.start() - 24) : found.start()])
    if spoken and (spoken.group(1) or spoken.group(2) == "=" or " " in content):
        return found.group()
    return _masked(content) if NAME_LIKE.match(content) else found.group()


def _masked(name: str) -> str:
    """A name without its letters, except for an ending that tells what kind of thing it is."""
    ending = next((end for end in TELLING_ENDINGS if name.endswith(end)), "")
    return MASK + ending
