"""Nothing heavy is loaded before the tool runs; what is, is listed here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

#: All that may be loaded at the moment of the spawn beyond what the interpreter itself loads.
OURS = {
    "clawwrap",
    "clawwrap.__main__",
    "clawwrap.catalog",
    "clawwrap.invocation",
    "clawwrap.launch",
    "clawwrap.wrap",
}
HEAVY = {"yaml", "typer", "psutil", "jsonschema", "subprocess", "asyncio", "importlib.metadata"}

AT_SPAWN = """
import os, sys
spawn = os.posix_spawn
def look(*args, **kwargs):
    sys.stderr.write(" ".join(sorted(sys.modules)))
    sys.stderr.flush()
    os._exit(0)
os.posix_spawn = look
sys.argv = ["clawwrap", "git", "status"]
from clawwrap.__main__ import main
main()
"""

AT_EXIT = """
import os, sys
leave = os._exit
def look(status):
    sys.stderr.write(" ".join(sorted(sys.modules)))
    sys.stderr.flush()
    leave(0)
os._exit = look
sys.argv = ["clawwrap", *{words!r}]
from clawwrap.__main__ import main
main()
"""


def modules(program: str, env: dict[str, str]) -> set[str]:
    flags = [sys.executable, "-I"]
    path = f"import sys; sys.path[:] = {sys.path!r}\n"
    done = subprocess.run([*flags, "-c", path + program], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


@pytest.fixture
def warm_env(clean_env: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """An environment in which clawwrap has run before."""
    modules(AT_EXIT.format(words=["git", "--version"]), clean_env)
    return clean_env


def bare(env: dict[str, str]) -> set[str]:
    return modules("import sys; sys.stderr.write(' '.join(sorted(sys.modules)))", env)


def test_modules_at_the_moment_of_the_spawn(warm_env: dict[str, str]) -> None:
    assert modules(AT_SPAWN, warm_env) - bare(warm_env) == OURS


#: What the answer to a plain success of a short tool takes beyond that.
QUICK = {
    "clawwrap.alarm",
    "clawwrap.capture",
    "clawwrap.circumstances",
    "clawwrap.commands",
    "clawwrap.emit",
    "clawwrap.log",
    "clawwrap.plain",
    "clawwrap.quick",
    "clawwrap.watch",
}
#: What of the standard library: builtins, small extensions, and the marker of `annotations`.
SMALL = {"__future__", "_blake2", "gc", "select"}


def test_modules_at_the_exit_of_a_plain_success(warm_env: dict[str, str]) -> None:
    """A tool that runs for milliseconds; on a slow machine the warm-up may have begun."""
    loaded = modules(AT_EXIT.format(words=["true"]), warm_env) - bare(warm_env)
    assert {name for name in loaded if name.startswith("clawwrap")} >= OURS | QUICK
    if "enum" not in loaded:
        assert loaded == OURS | QUICK | SMALL


def test_modules_at_the_exit_of_a_long_success(warm_env: dict[str, str]) -> None:
    """While it waits, what a failure and a long answer would need is loaded, and no more."""
    loaded = modules(AT_EXIT.format(words=["sleep", "0.5"]), warm_env)
    assert {"clawwrap.failures", "orjson", "re2"} <= loaded
    assert not HEAVY & loaded


#: What a short failure has no use for: each takes longer to load than many tools run.
COSTLY = {"dataclasses", "datetime", "inspect", "json", "orjson", "typing"}


def test_a_short_failure_loads_nothing_costly(warm_env: dict[str, str]) -> None:
    words = ["sh", "-c", "echo 'fatal: not a git repository' >&2; exit 128"]
    modules(AT_EXIT.format(words=words), warm_env)  # compiles the tables of the generic layer
    runs = [modules(AT_EXIT.format(words=words), warm_env) for _ in range(5)]
    # A slow machine may have begun to warm up, or a table may have to be compiled again.
    assert any(not (COSTLY | HEAVY) & loaded for loaded in runs)


def test_a_plain_success_never_loads_the_heavy_ones(warm_env: dict[str, str]) -> None:
    loaded = modules(AT_EXIT.format(words=["git", "--version"]), warm_env)
    assert not HEAVY & loaded


#: What only long, odd, selected, live or repeated output needs.
RARE = {
    "clawwrap.cleaning",
    "clawwrap.events",
    "clawwrap.fields",
    "clawwrap.items",
    "clawwrap.pages",
    "clawwrap.retrying",
    "clawwrap.spool",
    "hashlib",
    "re2",
}


def test_a_plain_success_pays_for_nothing_that_it_does_not_use(warm_env: dict[str, str]) -> None:
    loaded = modules(AT_EXIT.format(words=["git", "--version"]), warm_env)
    assert not RARE & loaded


def test_a_plain_failure_never_loads_the_heavy_ones(warm_env: dict[str, str]) -> None:
    words = ["git", "--no-such-flag"]
    modules(AT_EXIT.format(words=words), warm_env)  # compiles the tables of the generic layer
    loaded = modules(AT_EXIT.format(words=words), warm_env)
    assert not HEAVY & loaded


def test_typer_is_loaded_for_verbs_only(warm_env: dict[str, str]) -> None:
    assert "typer" in modules(AT_EXIT.format(words=["schema"]), warm_env)
    assert "typer" not in modules(AT_EXIT.format(words=["--help"]), warm_env)
