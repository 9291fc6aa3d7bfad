"""Our frozen values behave as those of the standard library, in all that is used of them."""

from __future__ import annotations

import dataclasses
import importlib
import sys
import typing
from types import ModuleType
from typing import Any

import pytest

from clawwrap import record

SOURCE = """
from __future__ import annotations

@dataclass(frozen=True)
class Point:
    x: int
    y: int = 2
    more: dict = field(default_factory=dict)

    def __post_init__(self):
        if self.x < 0:
            raise ValueError("negative")

    @property
    def sum(self):
        return self.x + self.y

class Pair(NamedTuple):
    left: int
    right: str = "r"

    @property
    def both(self):
        return f"{self.left}{self.right}"
"""


def make(source: Any) -> Any:
    space = ModuleType(f"space_of_{source.__name__}")
    sys.modules[space.__name__] = space  # where `dataclasses` looks for the types' names
    for name in ("dataclass", "field", "replace", "NamedTuple"):
        setattr(space, name, getattr(source, name, None) or getattr(typing, name))
    exec(SOURCE, space.__dict__)
    return space


OURS, THEIRS = make(record), make(dataclasses)


def outcome(call: Any) -> tuple[str, Any]:
    try:
        return "value", call()
    except Exception as error:
        return "error", type(error).__bases__ if isinstance(error, AttributeError) else type(error)


@pytest.mark.parametrize(
    "expression",
    [
        "repr(Point(1))",
        "Point(1) == Point(1, 2)",
        "Point(1) == Point(3)",
        "Point(1) == (1, 2, {})",
        "Point(y=5, x=1).sum",
        "replace(Point(1), y=9).sum",
        "replace(Point(1), x=-1)",
        "replace(Point(1), z=1)",
        "Point()",
        "Point(1, 2, {}, 4)",
        "Point(1, x=1)",
        "Point(1, z=1)",
        "Point(-1)",
        "setattr(Point(1), 'x', 2)",
        "delattr(Point(1), 'x')",
        "Point(1).more is Point(1).more",
        "hash(Point(1, 2, ())) == hash(Point(1, 2, ()))",
        "hash(Point(1))",
        "Point.__match_args__",
        "repr(Pair(1))",
        "Pair(1)",
        "tuple(Pair(1, 'x'))",
        "Pair(right='z', left=1).both",
        "Pair(1)._replace(left=2)",
        "Pair(1)._asdict()",
        "Pair._fields",
        "Pair()",
        "Pair(1, 'a', 'b')",
        "Pair(1, left=2)",
        "Pair(1) == (1, 'r')",
        "setattr(Pair(1), 'left', 2)",
        "Pair.__match_args__",
        "[*Pair(1)]",
    ],
)
def test_as_in_the_standard_library(expression: str) -> None:
    ours = outcome(lambda: eval(expression, dict(OURS.__dict__)))
    theirs = outcome(lambda: eval(expression, dict(THEIRS.__dict__)))
    if ours[0] == "error" and "attr" in expression:
        assert theirs[0] == "error"  # FrozenInstanceError is an AttributeError
        return
    assert ours == theirs


@pytest.mark.parametrize("name", ["contract", "verdict", "generic", "payload", "portions", "text"])
def test_a_type_checker_sees_the_standard_library_and_nothing_of_it_is_loaded(name: str) -> None:
    module = importlib.import_module(f"clawwrap.{name}")
    assert not {"dataclasses", "typing"} & {
        getattr(value, "__module__", "") for value in vars(module).values()
    }
