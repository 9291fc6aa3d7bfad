"""What holds for every program: sysexits, signals, errno texts, HTTP, and common phrasings.

Reads which lines state the failure before it looks for words in them, because a word in
any other line, or in a name, says nothing.
"""

from __future__ import annotations

from clawwrap import catalog, patterns, symbols
from clawwrap.capture import signal_name
from clawwrap.contract import ExitCode
from clawwrap.evidence import Evidence, Line
from clawwrap.expressions import Expression
from clawwrap.record import dataclass, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from clawwrap.contract import Phase


USAGE = Expression(r"^\s*usage:? |\btry\b.{1,40}--?h(?:elp)?\b", "usage", "try", ignore_case=True)
HELP = Expression(
    r"(?:usage\b.*|(?:[a-z]+ ){0,2}(?:options|flags|commands|subcommands|arguments|examples):?)$",
    "usage",
    "options",
    "flags",
    "commands",
    "arguments",
    "examples",
)
SHELL_SIGNALS = range(129, 160)
#: What a shell somewhere inside may have ended with.
FROM_A_SHELL = (126, 127)
CARETS = Expression(r"\s*(?:\d*\s*\|)?[\s^~]*\^[\s^~]*$", "^")
FRAME_LINE = Expression(r'\s+File "[^"]+", line \d+', 'File "')
MOST_LINES = 400
#: A group of expressions that matches nothing.
NOTHING: patterns.Group = [[], {}, []]
#: What codes stand for that have many causes, such as FAILED_PRECONDITION.
SAYS_LITTLE = frozenset({"NOT_READY"})


@dataclass(frozen=True)
class Finding:
    """An error.code, the table that gave it, and the line that says so."""

    error: str
    rule: str
    line: str = ""
    phase: Phase = "execution"


def classify(evidence: Evidence, launchers: Sequence[str]) -> Finding | None:
    """What the generic tables make of a failure; None where they know nothing."""
    if evidence.signal:
        return _by_signal(evidence.signal)
    exit_code = evidence.exit_code or 0
    table = catalog.mapping("launchers")
    for name in launchers:
        error = table.get(name, {}).get("native", {}).get(exit_code)
        if error:
            return Finding(error, f"launcher:{name}:{exit_code}")
    sysexits: dict[Any, str] = catalog.mapping("sysexits")
    error = sysexits.get(exit_code)
    if error and not (exit_code in FROM_A_SHELL and _lacks_a_helper(evidence)):
        return Finding(error, f"sysexits:{exit_code}")
    if found := _by_text(evidence):
        if found.phase == "validation" and not _speaks_itself(evidence, found.line):
            found = replace(found, phase="execution")
        return found
    if exit_code in SHELL_SIGNALS:
        return _by_signal(signal_name(exit_code - 128))
    return None


def _lacks_a_helper(evidence: Evidence) -> bool:
    """Whether a program was missing that the caller has not named: one that the tool needs."""
    found = _by_text(evidence)
    return bool(
        found and found.error == "MISSING_DEPENDENCY" and not _is_addressed(evidence, found.line)
    )


def _is_addressed(evidence: Evidence, line: str) -> bool:
    """Whether what a line says is missing is what the caller has asked for by name."""
    asked = {word for each in evidence.argv[1:] for word in each.split() if len(word) > 1}
    said = {word.strip("'\"`‘’“”:;,.()[]") for word in line.split()}
    return any(word in asked or word.rsplit("/", 1)[-1] in asked for word in said if word)


def _by_signal(name: str) -> Finding | None:
    return Finding(catalog.mapping("signals").get(name, "TERMINATED"), f"signal:{name}")


def _by_text(evidence: Evidence) -> Finding | None:
    tables = Tables()
    for lines in (evidence.stderr_lines, evidence.stdout_lines):
        is_data = lines is evidence.stdout_lines
        stated, other, lesser = tables.sort(lines, is_data=is_data)
        if found := tables.best(stated):
            cause = tables.best(other + lesser) if found.gives_way or found.is_bare_status else None
            if cause and found.gives_way:
                found = tables.prefer([found, cause])
            elif cause and cause.rank[1] < found.rank[1]:
                found = cause
            return found.finding
        if is_data:
            continue  # of data, only a line that states a failure counts
        # Where a tool only warns and then fails, its warnings are all there is.
        found = tables.best(other) if other or stated else tables.best(lesser)
        if found and (found.finding.error in tables.about_input or not _shows_usage(evidence)):
            return found.finding
    return (
        Finding("INVALID_ARGUMENT", "usage", "", "validation") if _shows_usage(evidence) else None
    )


def _shows_usage(evidence: Evidence) -> bool:
    first = (*evidence.stderr_lines[:3], *evidence.stdout_lines[:1])
    return any(USAGE.search(line.text) for line in first)


def _speaks_itself(evidence: Evidence, line: str) -> bool:
    """Whether the tool complains in its own name, and not something that it has started."""
    import re

    names = [catalog.tool_name(word).lower() for word in evidence.argv[:1]]
    usage = [each.text for each in evidence.stderr_lines[:3] if USAGE.search(each.text)]
    said = [text.lower() for text in (line, *usage)]
    return any(
        re.match(rf"(?:usage:? +|try +)?['`\"]?{re.escape(name)}\b", text)
        for name in names
        for text in said
    )


def headline(evidence: Evidence) -> str:
    """The line a person would quote, where no rule points at one."""
    tables = Tables()
    for lines in (evidence.stderr_lines, evidence.stdout_lines):
        stated, other, _ = tables.sort(lines)
        if stated:
            return tables.last_cause(stated) or stated[0].text
        if other:
            return other[-1].text
    return ""


@dataclass(frozen=True)
class Hit:
    rank: tuple[int, int, float]
    finding: Finding
    gives_way: bool = False

    @property
    def is_bare_status(self) -> bool:
        """A 403 is explained by its reason, such as a rate limit, wherever that stands."""
        return self.finding.rule == "http" and self.finding.error == "FORBIDDEN"


class Tables:
    """The compiled tables, and how they are asked."""

    def __init__(self) -> None:
        self.phrases = catalog.mapping("phrases")
        self.errors = catalog.mapping("errors")
        #: What a program may say before it shows its usage.
        self.about_input = {
            name for name, spec in self.errors.items() if spec["exit"] in ("ARG_ERROR", "NOT_FOUND")
        }

    def sort(
        self, lines: Sequence[Line], *, is_data: bool = False
    ) -> tuple[list[Line], list[Line], list[Line]]:
        """Lines that state the failure, other lines, and lines that are warnings, frames, help."""
        if len(lines) > MOST_LINES:
            lines = [*lines[: MOST_LINES // 2], *lines[-MOST_LINES // 2 :]]
        kinds = self.phrases["statements"]
        stated, other, lesser = [], [], []
        help_text = shows_help = False
        sources = _sources(lines)
        for number, line in enumerate(lines):
            help_text = bool(HELP.match(line.masked)) or (help_text and line.masked[:1].isspace())
            shows_help |= help_text
            if help_text or number in sources or _matches(kinds["states_less"], line.masked):
                lesser.append(line)
            elif _matches(kinds["states_failure"], line.masked) or (
                symbols.ERRNO_NUMBER.search(line.text) if is_data else symbols.errno_of(line)
            ):
                stated.append(line)
            else:
                other.append(line)
        if other and not stated and not shows_help:
            stated, other = other[-1:], other[:-1]
        return stated, other, lesser

    def last_cause(self, stated: Sequence[Line]) -> str:
        """Of a chain of exceptions, the one that started it."""
        kinds = self.phrases["statements"]["last_cause"]
        causes = [line.text for line in stated if _matches(kinds, line.masked)]
        return causes[-1] if causes else ""

    def best(self, lines: Sequence[Line]) -> Hit | None:
        """The cause among these lines that explains the others."""
        if not lines:
            return None
        hits = [*self._phrase_hits(lines), *self._line_hits(lines)]
        return self.prefer(hits) if hits else None

    def prefer(self, hits: Sequence[Hit]) -> Hit:
        """The highest cause; a mere consequence yields to any hit that names a reason."""
        found = min(hits, key=lambda hit: hit.rank)
        if found.gives_way:
            least = self.phrases["ranks"]["ARG_ERROR"]
            reasons = [hit for hit in hits if not hit.gives_way and hit.rank[1] < least]
            if all(hit.rank[1] != found.rank[1] for hit in reasons):
                found = min(reasons, key=lambda hit: hit.rank, default=found)
        return found

    def _phrase_hits(self, lines: Sequence[Line]) -> list[Hit]:
        block = "\n".join(line.masked for line in lines).encode()
        hits = []
        families = self.phrases["families"]
        for index in patterns.candidates(families, block):
            family = families[0][index]
            line = _first_line(family, lines, block)
            if line is None or self._explained(family, lines):
                continue
            finding = Finding(
                family["error"],
                f"phrase:{family['error']}",
                line.text,
                family.get("phase", "execution"),
            )
            first = 0 if family.get("first") else 1
            rank = (first, self._cause(family["error"]), index)
            hits.append(Hit(rank, finding, family.get("gives_way", False)))
        return hits

    def _line_hits(self, lines: Sequence[Line]) -> list[Hit]:
        hits = []
        for line in lines:
            if error := symbols.errno_of(line):
                # A line such as `code ENOENT` says the same as the sentence after it, and less.
                order = -2 if len(line.text.split()) > 4 else -1.5
                hits.append(Hit((1, self._cause(error), order), Finding(error, "errno", line.text)))
            if error := symbols.code_of(line):
                rank = (1, self._cause(error), self._family(error)[0])
                finding = Finding(error, "code", line.text)
                hits.append(Hit(rank, finding, gives_way=error in SAYS_LITTLE))
            if error := symbols.status_of(line):
                index, family = self._family(error)
                if not _matches(family["unless"], line.masked) and not self._explained(
                    family, lines
                ):
                    rank = (1, self._cause(error), index)
                    hits.append(Hit(rank, Finding(error, "http", line.text)))
        return hits

    def _family(self, error: str) -> tuple[float, dict[str, Any]]:
        """Where a status stands among the phrases, and what speaks against it."""
        for index, family in enumerate(self.phrases["families"][0]):
            if family["error"] == error and not family.get("gives_way"):
                return index - 0.5, family
        return -1, {"unless": NOTHING, "explained_by": NOTHING}

    def _explained(self, family: dict[str, Any], lines: Sequence[Line]) -> bool:
        """Whether another cause is named for what a family would say."""
        reasons = family["explained_by"]
        return bool(reasons[0]) and any(_matches(reasons, line.masked) for line in lines)

    def _cause(self, error: str) -> int:
        exit_name = self.errors[error]["exit"]
        return int(self.phrases["ranks"].get(exit_name, 99))


def _first_line(family: dict[str, Any], lines: Sequence[Line], block: bytes) -> Line | None:
    """The line in which a family's words stand, and that none of its exceptions speaks of."""
    matchers = family["any"][0]
    for index in patterns.candidates(family["any"], block):
        matcher, start = matchers[index], 0
        while found := patterns.search(matcher, block[start:], block[start:]):
            line = lines[block.count(b"\n", 0, start + found.start)]
            if not _matches(family["unless"], line.masked):
                return line
            end = block.find(b"\n", start + found.start)
            if end < 0:
                break
            start = end + 1
    return None


def _sources(lines: Sequence[Line]) -> set[int]:
    """Which lines are source code that a trace quotes: below a frame, or above carets."""
    found = set()
    for number, line in enumerate(lines):
        if number and CARETS.match(line.text):
            found |= {number - 1, number}
        elif number and FRAME_LINE.match(lines[number - 1].text) and line.text.startswith("    "):
            found.add(number)
    return found


def _matches(group: patterns.Group, text: str) -> bool:
    encoded = text.encode()
    return patterns.any_matches(group, encoded, encoded)


def exit_code_of(error: str) -> ExitCode:
    """The exit code that an error.code of the registry belongs to."""
    return ExitCode[registry(error)["exit"]]


def registry(error: str) -> dict[str, Any]:
    """What is known of an error.code: its own entry over that of its exit code."""
    entry = catalog.mapping("errors").get(error, {})
    inherited: dict[str, Any] = catalog.mapping("exit_codes").get(entry.get("exit", ""), {})
    return {**inherited, **entry}
