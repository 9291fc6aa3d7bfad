"""Expressions of `re` for our own use, compiled once a text comes that could match.

A failure is judged with some thirty of them. Compiling them all would take longer than many
tools run, and most lines need only a few.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable


class Expression:
    """One expression; any text that matches it contains one of the words that it `needs`."""

    __slots__ = ("_compiled", "_ignore_case", "_needs", "_pattern")

    def __init__(self, pattern: str, *needs: str, ignore_case: bool = False) -> None:
        self._pattern = pattern
        self._needs = needs  # in lower case where the case does not count
        self._ignore_case = ignore_case
        self._compiled: re.Pattern[str] | None = None

    def _for(self, text: str) -> re.Pattern[str] | None:
        """The compiled expression; None where the text cannot match."""
        if self._needs:
            looked_at = text.lower() if self._ignore_case else text
            if not any(word in looked_at for word in self._needs):
                return None
        if self._compiled is None:
            import re

            self._compiled = re.compile(self._pattern, re.IGNORECASE if self._ignore_case else 0)
        return self._compiled

    def search(self, text: str) -> re.Match[str] | None:
        compiled = self._for(text)
        return compiled.search(text) if compiled else None

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        compiled = self._for(text)
        return compiled.match(text, start) if compiled else None

    def fullmatch(self, text: str) -> re.Match[str] | None:
        compiled = self._for(text)
        return compiled.fullmatch(text) if compiled else None

    def findall(self, text: str) -> list[str]:
        compiled = self._for(text)
        return compiled.findall(text) if compiled else []

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str) -> str:
        compiled = self._for(text)
        return compiled.sub(new, text) if compiled else text
