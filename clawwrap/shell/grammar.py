"""The commands of a line of bash: where each starts, and what else the line has.

A recursive descent over the grammar of the manual. Nothing is judged here; `rewrite` decides
what may be touched. What is not understood for certain is `Unreadable`.
"""

from clawwrap.shell.commands import CommandReader
from clawwrap.shell.words import BLANK, DEEPEST, META, Unreadable

RESERVED = frozenset((
    "if", "then", "elif", "else", "fi", "while", "until", "do", "done", "for", "select", "case",
    "esac", "in", "function", "coproc", "{", "}", "[[", "]]",
))  # fmt: skip
ENDS_CASE = (";;&", ";;", ";&")


class Reader(CommandReader):
    """Reads a whole line."""

    def read(self) -> "Reader":
        if "\0" in self.text:
            raise Unreadable("nul")
        self.sequence("")
        if self.documents:
            raise Unreadable("heredoc")
        return self

    # Lists and pipelines

    def sequence(self, *closers: str, empty: bool = True) -> str:
        """Commands up to one of the closing words; which one it was, already read."""
        count = 0
        while True:
            self.skip(newlines=True)
            if closed := self.closed(closers):
                if not count and not empty:
                    raise Unreadable("syntax")
                return closed
            if not self.peek():
                if "" not in closers:
                    raise Unreadable("syntax")
                return ""
            self.and_or()
            count += 1
            self.skip()
            if closed := self.closed(tuple(c for c in closers if c in (")", *ENDS_CASE))):
                return closed
            if self.peek() == "&":
                self.found.add("background")
                self.at += 1
            elif self.peek() == ";" and self.peek(1) not in (";", "&"):
                self.at += 1
            elif self.peek() not in ("", "\n"):
                raise Unreadable("syntax")

    def closed(self, closers: tuple[str, ...]) -> str:
        """The closing word that stands here, which is then read."""
        for closer in closers:
            if closer and self.starts(closer):
                if closer == ")" or closer in ENDS_CASE:
                    self.at += len(closer)
                    return closer
                if self.keyword() == closer:
                    self.at += len(closer)
                    return closer
        return ""

    def keyword(self) -> str:
        """The reserved word at this place; empty where there is none."""
        end = self.at
        while end < len(self.text) and self.text[end] not in META:
            end += 1
        word = self.text[self.at : end]
        return word if word in RESERVED else ""

    def and_or(self) -> None:
        self.pipeline()
        while True:
            self.skip()
            if not (self.starts("&&") or self.starts("||")):
                return
            self.at += 2
            self.skip(newlines=True)
            self.pipeline()

    def pipeline(self) -> None:
        while self.peek() == "!" and self.peek(1) in (*BLANK, "\n", ""):
            self.at += 1
            self.skip()
        self.command()
        while True:
            self.skip()
            if self.peek() != "|" or self.peek(1) == "|":
                return
            self.found.add("pipe")
            self.at += 2 if self.peek(1) == "&" else 1
            self.skip(newlines=True)
            self.command()

    # Commands

    def command(self) -> None:
        if self.peek() == "(":
            self.found.add("compound")
            if self.peek(1) == "(" and self.arithmetic(2):
                self.found.add("assignment")  # it sets variables, or is a test nobody wraps
            else:
                self.subshell()
            return self.redirections()
        keyword = self.keyword()
        if not keyword:
            return self.simple()
        self.at += len(keyword)
        if keyword == "function":
            raise Unreadable("function")
        if keyword == "coproc":
            raise Unreadable("background")
        self.found.add("compound")
        reader = {
            "{": self.group,
            "if": self.conditional,
            "while": self.loop,
            "until": self.loop,
            "for": self.for_loop,
            "select": self.for_loop,
            "case": self.case,
            "[[": self.test,
        }.get(keyword)
        if reader is None:
            raise Unreadable("syntax")
        reader()
        self.redirections()

    def subshell(self) -> None:
        """`( … )`, or what stands in a substitution: the place is its opening parenthesis."""
        before, self.isolated = self.isolated, True
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable("depth")
        self.at += 1
        self.sequence(")")
        self.depth -= 1
        self.isolated = before

    def substitution(self) -> None:
        self.at -= 1
        inner, self.inner = self.inner, True
        self.subshell()
        self.inner = inner

    def embedded(self, text: str) -> None:
        reader = Reader(text, self.depth + 1, isolated=True).read()
        self.found |= reader.found
        self.commands += reader.commands

    def group(self) -> None:
        self.nested("}")

    def nested(self, *closers: str) -> str:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable("depth")
        closed = self.sequence(*closers, empty=False)
        self.depth -= 1
        return closed

    def conditional(self) -> None:
        closed = "elif"
        while closed == "elif":
            self.nested("then")
            closed = self.nested("elif", "else", "fi")
        if closed == "else":
            self.nested("fi")

    def loop(self) -> None:
        self.nested("do")
        self.nested("done")

    def for_loop(self) -> None:
        self.found.add("assignment")
        self.skip()
        if self.peek() in META:
            raise Unreadable("syntax")  # `for ((…))` among others
        self.word()
        self.skip(newlines=True)
        if self.keyword() == "in":
            self.at += 2
            while self.skip() or self.peek() not in ("", ";", "\n"):
                if self.peek() in META:
                    raise Unreadable("syntax")
                self.word()
        if self.peek() == ";":
            self.at += 1
        self.skip(newlines=True)
        if self.keyword() != "do":
            raise Unreadable("syntax")
        self.at += 2
        self.nested("done")

    def case(self) -> None:
        self.skip()
        self.word()
        self.skip(newlines=True)
        if self.keyword() != "in":
            raise Unreadable("syntax")
        self.at += 2
        while True:
            self.skip(newlines=True)
            if self.keyword() == "esac":
                self.at += 4
                return
            if self.peek() == "(":
                self.at += 1
            while self.skip() or self.peek() != ")":
                if self.peek() == "|":
                    self.at += 1
                elif not self.peek() or self.peek() in META:
                    raise Unreadable("syntax")
                else:
                    self.word()
            self.at += 1
            if self.sequence(*ENDS_CASE, "esac") == "esac":
                return

    def test(self) -> None:
        """`[[ … ]]`: read only for its end and for the expansions in it."""
        while self.skip(newlines=True) or not (self.starts("]]") and self._ends_word(2)):
            if not self.peek():
                raise Unreadable("syntax")
            if self.peek() in META:
                self.at += 1
            else:
                self.word()
        self.at += 2

    def _ends_word(self, ahead: int) -> bool:
        return self.peek(ahead) in ("", *META)
