"""What a call costs, in instructions: the same on every machine and in any mood of it.

P is the start of a bare interpreter. The bounds leave some room for other versions of Python; what
passes them is a module or an expression too many on a path that every call takes.
"""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.conftest import CLAWWRAP, needs

pytestmark = needs("valgrind")
#: No start of an interpreter by `-m`, which is not how anybody calls it.
CALL = [sys.executable, "-c", "from clawwrap.__main__ import main; main()"]


def instructions(argv: list[str], env: dict[str, str]) -> int:
    """Of this process alone, without the tool that it starts."""
    words = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *argv]
    done = subprocess.run(words, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    found = re.search(r"Collected\s*: (\d+)", done.stderr)
    assert found, done.stderr
    return int(found.group(1))


@pytest.fixture(scope="module")
def quiet(clean_env: dict[str, str]) -> dict[str, str]:
    return clean_env | {"PYTHONHASHSEED": "0"}


@pytest.fixture(scope="module")
def start(quiet: dict[str, str]) -> int:
    return instructions([sys.executable, "-I", "-c", "pass"], quiet)


@pytest.mark.parametrize(
    ("words", "most"),
    [
        pytest.param(["true"], 1.5, id="a plain success"),
        pytest.param(["sh", "-c", "echo 'x: not found' >&2; exit 1"], 4.5, id="a plain failure"),
    ],
)
def test_a_call_costs_no_more_than_it_must(
    quiet: dict[str, str], start: int, words: list[str], most: float
) -> None:
    subprocess.run([*CLAWWRAP, *words], env=quiet, capture_output=True)  # compiles the tables
    assert instructions([*CALL, *words], quiet) < most * start


def test_it_does_not_matter_how_many_adapters_there_are(
    quiet: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    counts = []
    for number in (10, 2_000):
        home = tmp_path_factory.mktemp("many")
        folder = home / ".config" / "clawwrap" / "adapters"
        folder.mkdir(parents=True)
        for at in range(number):
            (folder / f"tool{at}.yaml").write_text(f"tool: tool{at}\n")
        env = quiet | {"HOME": str(home)}
        subprocess.run([*CLAWWRAP, "true"], env=env, capture_output=True)
        counts.append(instructions([*CALL, "true"], env))
    assert counts[1] < counts[0] * 1.02
