"""The shapes in which an outcome goes over the wire. Each is a module with the same names:

NAME         what `--envelope` calls it
DROPS        what of an outcome it has no place for
render       an outcome as plain data
parse        plain data as an outcome, with notes on what had to be derived
exit_status  what a process exits with in this shape
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from clawwrap.contract import Outcome
    from clawwrap.envelopes.reading import Clues, Parsed

    class Shape(Protocol):
        NAME: str
        DROPS: frozenset[str]

        def render(self, outcome: Outcome[Any]) -> dict[str, Any]: ...
        def parse(self, envelope: dict[str, Any], clues: Clues) -> Parsed: ...
        def exit_status(self, outcome: Outcome[Any]) -> int: ...


FILES = {"response": "response", "claw-2.0": "claw2", "claw-1.0": "claw1"}


def shape(name: str) -> Shape:
    """The shape of this name; only the one that is needed is loaded."""
    found: Any = __import__(f"clawwrap.envelopes.{FILES[name]}", fromlist=["NAME"])
    return found  # type: ignore[no-any-return]  # a module that has the names of Shape
