"""The screen that people read on: its width, its colours, and what text looks like there."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple

BOLD_RED, BOLD, DIM, RESET = "\x1b[1;31m", "\x1b[1m", "\x1b[2m", "\x1b[0m"

#: A blank at which no line ends; it is shown as any other.
NO_BREAK = "\u00a0"
#: Nobody reads on less; a terminal that says so is taken for one of this width.
LEAST = 20

BLANKS = {ord(char): " " for char in "\t\n\r"}
HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
#: What Unicode calls default ignorable, or draws as nothing, outside of those categories.
HIDDEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\ufff0-\ufff8\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
AS_EMOJI = "\ufe0f"  # asks for the picture of a sign that also has a plain form
JAMO = re.compile("[\u1160-\u11ff\ud7b0-\ud7fb]")  # join the Hangul syllable before them


class Screen(NamedTuple):
    """Where text is shown; without a width nothing is wrapped, so that grep finds whole lines."""

    width: int | None = None
    colour: bool = False

    @classmethod
    def of(cls, fd: int, environ: Mapping[str, str] = os.environ) -> Screen:
        """The screen behind a descriptor; a file or a pipe has no width and no colours."""
        return cls(_width(fd, environ), may_colour(fd, environ))

    def at_most(self, width: int) -> Screen:
        return self if self.width is None else self._replace(width=min(width, self.width))

    def room(self, at: int) -> int | None:
        """The columns that are left from this one on."""
        return None if self.width is None else self.width - at

    def paint(self, style: str, text: str) -> str:
        return f"{style}{text}{RESET}" if self.colour and style and text else text


def may_colour(fd: int, environ: Mapping[str, str] = os.environ) -> bool:
    if environ.get("NO_COLOR") or environ.get("TERM") in (None, "", "dumb"):
        return False
    return os.isatty(fd)


def _width(fd: int, environ: Mapping[str, str]) -> int | None:
    try:
        found = os.get_terminal_size(fd).columns
    except OSError:
        return None
    if found == 0:  # a terminal that does not know, such as a serial line
        told = environ.get("COLUMNS", "")
        found = int(told) if told.isascii() and told.isdigit() else 0
    return max(found, LEAST) if found else None


# What is shown


def visible(text: str) -> str:
    """One line of what others wrote, with nothing in it that hides or moves other text."""
    return exact(text.translate(BLANKS))


def exact(text: str) -> str:
    """The same for text that is to be copied: a tab or a line break is shown, too."""
    if text.isascii() and text.isprintable():
        return text
    shown, before = [], ""
    for char in text:
        pictured = char == AS_EMOJI and unicodedata.category(before or " ") in ("So", "Sm")
        shown.append(f"<U+{ord(char):04X}>" if _hides(char) and not pictured else char)
        before = char
    return "".join(shown)


def _hides(char: str) -> bool:
    return unicodedata.category(char) in HIDDEN_CATEGORIES or bool(HIDDEN.match(char))


# How much room it takes


def columns(text: str) -> int:
    """The columns of a terminal that visible text takes."""
    return len(text) if text.isascii() else sum(size for _, size in _cells(text))


def _cells(text: str) -> list[tuple[str, int]]:
    """Each character with the marks on it, and its columns; never fewer than a terminal takes."""
    cells: list[tuple[str, int]] = []
    for char in text:
        if cells and (unicodedata.category(char) in ("Mn", "Me") or JAMO.match(char)):
            base, size = cells[-1]
            cells[-1] = (base + char, 2 if char == AS_EMOJI else size)
        else:
            cells.append((char, 2 if unicodedata.east_asian_width(char) in "WF" else 1))
    return cells


# Lines


def wrap(text: str, room: int | None, *, links: bool = False) -> list[str]:
    """Lines that fit the room, words kept whole where they fit into a line.

    With `links` an address stays whole in any case, alone on a line that is too long: the
    terminal folds it, and whoever copies it gets no line break in the middle.
    """
    if room is None:
        return [text.replace(NO_BREAK, " ")]
    lines, line, used = [], "", 0
    for gap, word in re.findall("( *)([^ ]+)", text):
        size = columns(word)
        if line and used + len(gap) + size <= room:
            line, used = line + gap + word, used + len(gap) + size
            continue
        lines += [line] if line else []
        *full, line = [word] if links and "://" in word else _pieces(word, room)
        lines, used = lines + full, columns(line)
    return [line.replace(NO_BREAK, " ") for line in [*lines, line]]


def _pieces(word: str, room: int) -> list[str]:
    """A word in parts that fit; a path ends a line behind a slash where one is near."""
    pieces, piece, used = [], "", 0
    for cell, size in _cells(word):
        if used + size > room:
            at = piece.rfind("/") + 1
            if 2 * at <= len(piece):
                at = len(piece)
            pieces.append(piece[:at])
            piece = piece[at:]
            used = columns(piece)
        piece, used = piece + cell, used + size
    return [*pieces, piece]
