"""The words of a line of bash: quotes, expansions, and what a word says without its quotes.

The grammar is that of the manual (https://www.gnu.org/software/bash/manual/bash.html, "Shell
Syntax" and "Shell Expansions"), read narrowly: what bash and this reader could understand
differently is `Unreadable`, and then nobody touches the line.
"""

import re

BLANK = " \t"
META = " \t\n;&|()<>"
#: `!` in front of one of these is no history expansion (bash manual, "Event Designators").
NO_EVENT = " \t\n\r=("
SPECIAL_PARAMETERS = "@*#?-$!0123456789"
#: What only this shell knows of itself, and what tells how the last command ended.
OF_THE_SHELL = frozenset(["BASHPID", "BASH_SUBSHELL", "LINENO", "PPID", "RANDOM", "SECONDS"])
STATUS = frozenset(["?", "PIPESTATUS"])
NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
ASSIGNS = re.compile(r"!?[A-Za-z_]\w*(\[[^]]*\])?:?=", re.ASCII)
CHANGES = re.compile(r"\+\+|--|(?<![=<>!])=(?!=)|<<=|>>=")
DEEPEST = 40


class Unreadable(Exception):
    """The line is not read to its end; `reason` says what was found."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Word:
    """One word: its place, what it says where that is fixed, and whether it has no quotes."""

    __slots__ = ("bare", "end", "raw", "start", "text")

    def __init__(self, raw: str, start: int, end: int, text: str | None, bare: bool) -> None:
        self.raw = raw
        self.start = start
        self.end = end
        self.text = text
        self.bare = bare


class Scanner:
    """Moves over a text word by word and notes what it passes."""

    def __init__(self, text: str, depth: int = 0) -> None:
        if depth > DEEPEST:
            raise Unreadable("depth")
        self.text = text
        self.at = 0
        self.depth = depth
        self.found: set[str] = set()  # what the line has: pipe, redirection, status, …

    def substitution(self) -> None:
        """Read the commands of `$(…)` up to behind its end."""
        raise NotImplementedError

    def embedded(self, text: str) -> None:
        """Read commands that stand in backticks."""
        raise NotImplementedError

    def peek(self, ahead: int = 0) -> str:
        """The character at this place; empty at the end."""
        at = self.at + ahead
        return self.text[at] if at < len(self.text) else ""

    def starts(self, text: str) -> bool:
        return self.text.startswith(text, self.at)

    def word(self) -> Word:
        """The word at this place, which must not be a blank or an operator."""
        start = self.at
        pieces: list[str] = []
        fixed = bare = True
        while (char := self.peek()) and char not in META:
            if char == "\\":
                follow = self.peek(1)
                if not follow:
                    raise Unreadable("syntax")
                self.at += 2
                if follow != "\n":  # a continued line is one line
                    pieces.append(follow)
                    bare = False
            elif char == "'":
                pieces.append(self.single_quoted())
                bare = False
            elif char == '"':
                fixed = self.double_quoted(pieces) and fixed
                bare = False
            elif char == "$":
                fixed = self.dollar(pieces, quoted=False) and fixed
                bare = bare and self.text[self.at - 1] not in "\"'"
            elif char == "`":
                self.backticks(quoted=False)
                fixed = False
            else:
                if char == "!" and self.peek(1) and self.peek(1) not in NO_EVENT:
                    self.found.add("history")
                pieces.append(char)
                fixed = fixed and char not in "*?"
                self.at += 1
        text = "".join(pieces)
        raw = self.text[start : self.at]
        name = NAME.match(raw)
        if name and raw.startswith("[", name.end()) and "]" not in raw[name.end() :]:
            raise Unreadable("syntax")  # bash may look for the end of the subscript beyond the word
        if raw not in ("{", "}", "{}", "[", "[[", "]", "]]") and ("{" in raw or "[" in raw):
            fixed = False  # braces and brackets may become other words
        return Word(raw, start, self.at, text if fixed else None, bare)

    def single_quoted(self) -> str:
        end = self.text.find("'", self.at + 1)
        if end < 0:
            raise Unreadable("syntax")
        inner = self.text[self.at + 1 : end]
        self.at = end + 1
        return inner

    def double_quoted(self, pieces: list[str]) -> bool:
        """Read to behind the closing quote; whether what stands between is fixed."""
        self.at += 1
        fixed = True
        while (char := self.peek()) != '"':
            if not char:
                raise Unreadable("syntax")
            fixed = self.in_quotes(char, pieces) and fixed
        self.at += 1
        return fixed

    def in_quotes(self, char: str, pieces: list[str]) -> bool:
        """One step inside double quotes, or in a here-document that is expanded."""
        if char == "\\":
            follow = self.peek(1)
            if follow != "\n":
                pieces.append(follow if follow in '$`"\\' else char + follow)
            self.at += 2
            return True
        if char == "$":
            return self.dollar(pieces, quoted=True)
        if char == "`":
            self.backticks(quoted=True)
            return False
        if char == "!" and self.peek(1) not in NO_EVENT + '"':
            self.found.add("history")
        pieces.append(char)
        self.at += 1
        return True

    def dollar(self, pieces: list[str], *, quoted: bool) -> bool:
        """What a dollar sign starts; whether it is nothing but itself."""
        follow = self.peek(1)
        if follow == "(":
            if not (self.peek(2) == "(" and self.arithmetic(3)):
                self.at += 2
                self.substitution()
            self.found.add("substitution")
            return False
        if follow == "{":
            self.parameter(quoted=quoted)
            return False
        if follow == "[":
            raise Unreadable("syntax")  # the arithmetic of long ago
        if follow == "'" and not quoted:
            self.ansi_quoted()
            return False
        if follow == '"' and not quoted:
            self.at += 1
            self.double_quoted([])
            return False
        if name := NAME.match(self.text, self.at + 1):
            self.at = name.end()
            self.note_parameter(name.group())
            return False
        if follow and follow in SPECIAL_PARAMETERS:
            self.at += 2
            self.note_parameter(follow)
            return False
        pieces.append("$")
        self.at += 1
        return True

    def note_parameter(self, name: str) -> None:
        if name in STATUS:
            self.found.add("status")
        if name in OF_THE_SHELL or name in SPECIAL_PARAMETERS:
            self.found.add("own")

    def ansi_quoted(self) -> None:
        self.at += 2
        while (char := self.peek()) != "'":
            if not char:
                raise Unreadable("syntax")
            self.at += 2 if char == "\\" else 1
        self.at += 1

    def parameter(self, *, quoted: bool) -> None:
        """`${…}`. What bash itself reads by special rules in there is not read at all."""
        self.at += 2
        inner = self.at
        if self.peek() in (" ", "\t", "\n", "|", "}", ""):
            raise Unreadable("syntax")
        while (char := self.peek()) != "}":
            if not char or char == "{" or (quoted and char in "'\\"):
                raise Unreadable("syntax")
            if char == "'":
                self.single_quoted()
            elif char == "\\":
                self.at += 2
            elif char == '"':
                self.double_quoted([])
            elif char == "$":
                self.dollar([], quoted=quoted)
            elif char == "`":
                self.backticks(quoted=quoted)
            else:
                self.at += 1
        text = self.text[inner : self.at]
        self.at += 1
        if ASSIGNS.match(text):
            self.found.add("assignment")
        name = NAME.match(text.lstrip("!#"))
        self.note_parameter(name.group() if name else text[0])

    def arithmetic(self, opening: int) -> bool:
        """`((…))` behind `opening` characters; False, and nothing read, where it is none."""
        mark, found = self.at, set(self.found)
        self.at += opening
        inner, depth = self.at, 0
        while char := self.peek():
            if char == ")" and not depth:
                if self.peek(1) != ")":
                    break
                if CHANGES.search(self.text[inner : self.at]):
                    self.found.add("assignment")
                self.at += 2
                return True
            if char in "'`#":
                break  # a command, or something bash reads by special rules
            depth += {"(": 1, ")": -1}.get(char, 0)
            if char == "$":
                self.dollar([], quoted=True)
            elif char == '"':
                self.double_quoted([])
            else:
                self.at += 2 if char == "\\" else 1
        self.at, self.found = mark, found
        return False

    def backticks(self, *, quoted: bool) -> None:
        self.at += 1
        pieces: list[str] = []
        while (char := self.peek()) != "`":
            if not char:
                raise Unreadable("syntax")
            if char == "\\":
                follow = self.peek(1)
                pieces.append(follow if follow in "$`\\" + '"' * quoted else char + follow)
                self.at += 2
            else:
                pieces.append(char)
                self.at += 1
        self.at += 1
        self.found.add("substitution")
        self.embedded("".join(pieces))
