"""One simple command of bash: assignments, words, redirections and here-documents."""

import re

from clawwrap.shell.words import BLANK, META, Scanner, Unreadable, Word

ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(\[[^]]*\])?\+?=", re.ASCII)
REDIRECTION = re.compile(r"<<<|<<-|<<|<&|<>|<|>>|>&|>\||>|&>>|&>")


class Command:
    """One simple command: its assignments, its words, and whether only a subshell sees it."""

    __slots__ = ("assignments", "end", "inner", "isolated", "start", "words")

    def __init__(
        self, assignments: list[Word], words: list[Word], *, isolated: bool, inner: bool
    ) -> None:
        self.assignments = assignments
        self.words = words
        self.isolated = isolated  # what it changes is gone when its subshell ends
        self.inner = inner  # its places are not those of the line
        everything = assignments + words
        self.start = everything[0].start if everything else 0
        self.end = everything[-1].end if everything else 0

    @property
    def name(self) -> str | None:
        """The command word, where it says the same in every shell."""
        return self.words[0].text if self.words else None


class CommandReader(Scanner):
    """Reads simple commands; `commands` and `found` say what was there."""

    def __init__(self, text: str, depth: int = 0, *, isolated: bool = False) -> None:
        super().__init__(text, depth)
        self.commands: list[Command] = []
        self.isolated = isolated
        self.inner = depth > 0
        self.documents: list[tuple[str, bool, bool]] = []  # here-documents that are still to come

    def simple(self) -> None:
        assignments: list[Word] = []
        words: list[Word] = []
        redirected = False
        while True:
            self.skip()
            char = self.peek()
            if char in ("<", ">") or self.starts("&>"):
                self.redirection()
                redirected = True
                continue
            if not char or char in "\n;&|)":
                break
            if char == "(":
                raise Unreadable(self._before_parenthesis(assignments, words))
            word = self.word()
            if word.end == word.start:
                raise Unreadable("syntax")
            if self.peek() in ("<", ">") and self._names_descriptor(word):
                self.redirection()
                redirected = True
            elif not words and ASSIGNMENT.match(self.text, word.start):
                assignments.append(word)
            else:
                words.append(word)
        if not (assignments or words or redirected):
            raise Unreadable("syntax")
        self.commands.append(Command(assignments, words, isolated=self.isolated, inner=self.inner))

    def _before_parenthesis(self, assignments: list[Word], words: list[Word]) -> str:
        """What a parenthesis in the middle of a command makes of it."""
        if assignments and not words and assignments[-1].end == self.at:
            return "assignment"  # an array
        self.at += 1
        self.skip()
        is_function = len(words) == 1 and not assignments and self.peek() == ")"
        return "function" if is_function else "syntax"

    def _names_descriptor(self, word: Word) -> bool:
        raw = word.raw
        return raw.isdigit() or (raw.startswith("{") and raw.endswith("}") and len(raw) > 2)

    def redirections(self) -> None:
        """Those behind a compound command."""
        while True:
            self.skip()
            end = self.at
            while end < len(self.text) and self.text[end].isdigit():
                end += 1
            if end < len(self.text) and self.text[end] in "<>":
                self.at = end
            elif not self.starts("&>"):
                return
            self.redirection()

    def redirection(self) -> None:
        if self.starts("<(") or self.starts(">("):
            self.found.add("substitution")
            self.at += 2
            return self.substitution()
        operator = REDIRECTION.match(self.text, self.at)
        if operator is None:
            raise Unreadable("syntax")
        self.at = operator.end()
        self.skip()
        if self.starts("<(") or self.starts(">("):
            return self.redirection()
        if not self.peek() or self.peek() in META:
            raise Unreadable("syntax")
        word = self.word()
        if self.peek() in ("<", ">") and self._names_descriptor(word):
            raise Unreadable("syntax")
        if operator.group() not in ("<<", "<<-"):
            self.found.add("redirection")
            return None
        self.found.add("heredoc")
        if word.text is None:
            raise Unreadable("heredoc")
        self.documents.append((word.text, operator.group() == "<<-", word.bare))
        return None

    def read_documents(self) -> None:
        """The bodies of the here-documents, which start behind the newline at this place."""
        for delimiter, strip, expands in self.documents:
            start = self.at
            while True:
                end = self.text.find("\n", self.at)
                line = self.text[self.at : end if end >= 0 else len(self.text)]
                body = self.text[start : self.at]
                self.at = end + 1 if end >= 0 else len(self.text)
                if (line.lstrip("\t") if strip else line) == delimiter:
                    break
                if end < 0 or (expands and line.endswith("\\")):
                    raise Unreadable("heredoc")
            if expands:
                reader = type(self)(body, self.depth + 1, isolated=True)
                while char := reader.peek():
                    reader.in_quotes(char, [])
                self.found |= reader.found - {"history"}
                self.commands += reader.commands
        self.documents = []

    def skip(self, *, newlines: bool = False) -> bool:
        """Pass blanks, continued lines and comments; always False, so that loops read well."""
        while char := self.peek():
            if char in BLANK:
                self.at += 1
            elif char == "\\" and self.peek(1) == "\n":
                self.at += 2
            elif char == "#":
                end = self.text.find("\n", self.at)
                self.at = end if end >= 0 else len(self.text)
            elif char == "\n" and newlines:
                self.at += 1
                self.read_documents()
            else:
                break
        return False
