"""What can be counted: the same on every machine, whatever else it does."""

from __future__ import annotations

import os
import re
import subprocess
from functools import partial

from bench import measure
from bench.groups import common
from bench.measure import BenchError, Command, Sample
from bench.place import Place, program
from bench.rounds import Cell, Figure, P
from bench.stats import Formula

#: Nobody pays for these before the tool runs, or ever in a plain call.
NOT_AT_SPAWN = {"re", "enum", "typing", "subprocess", "json", "orjson"}
NEVER = {"psutil", "yaml", "typer"}
#: Runs the installed command, and names the loaded modules at a moment in its life.
AT_SPAWN = """
import sys
def look(event, _args):
    if event in ("os.posix_spawn", "os.fork", "subprocess.Popen"):
        sys.stderr.write(" ".join(sys.modules))
        sys.stderr.flush()
        import os
        os._exit(0)
sys.addaudithook(look)
"""
AT_EXIT = """
import os, posix, sys
def look(status, leave=os._exit):
    sys.stderr.write(" ".join(sys.modules))
    sys.stderr.flush()
    leave(status)
os._exit = posix._exit = look
"""
START = """
script = sys.argv[1]
sys.argv = sys.argv[1:]
exec(compile(open(script).read(), script, "exec"), {"__name__": "__main__"})
"""


def cells(place: Place) -> list[Cell]:
    found = [_modules(place)]
    for make in (_syscalls, _instructions):
        try:
            found.append(make(place))
        except BenchError as error:
            place.missing.append(str(error))
    return found


def _modules(place: Place) -> Cell:
    plain = "import sys; sys.stderr.write(' '.join(sys.modules))"
    contenders = {
        P: partial(_loaded, place, [plain]),
        "spawn": partial(_loaded, place, [AT_SPAWN + START, *place.wrapped("true").argv]),
        "early": partial(
            _loaded, place, [AT_SPAWN + START, *place.wrapped("true").argv], NOT_AT_SPAWN
        ),
        "never": partial(_loaded, place, [AT_EXIT + START, *place.wrapped("true").argv], NEVER),
    }
    more = "modules loaded at the spawn, more than those of P"
    early = f"of them, any of {', '.join(sorted(NOT_AT_SPAWN))}"
    never = f"at exit, any of {', '.join(sorted(NEVER))}"
    figures = [
        Figure(more, "tally", lambda t: t["spawn"] - t[P], "modules", 6),
        Figure(early, "tally", _value("early"), "modules", 0),
        Figure(never, "tally", _value("never"), "modules", 0),
    ]
    return Cell(contenders, figures, once=True)


def _value(name: str) -> Formula:
    return lambda t: t[name]


def _loaded(place: Place, words: list[str], only: set[str] | None = None) -> Sample:
    done = _call([place.main.python, "-I", "-c", *words], place.env)
    modules = set(done.stderr.split())
    if "sys" not in modules:
        raise BenchError("the command did not come to the moment that was waited for")
    return Sample(tally=float(len(modules if only is None else modules & only)))


def _syscalls(place: Place) -> Cell:
    strace = program("strace")
    contenders = {
        P: partial(_traced, place, strace, place.interpreter(), 1),
        "W": partial(_traced, place, strace, place.wrapped("true"), 2),
    }
    name = "system calls before the tool's execve, to all of P's"
    return Cell(contenders, [Figure(name, "tally", common.ratio("W", P), "×", 1.8)], once=True)


def _traced(place: Place, strace: str, command: Command, execs: int) -> Sample:
    """How many calls the first process makes until the `execs`-th program starts, or to its end."""
    trace = place.home / "trace"
    _call([strace, "-f", "-qq", "-o", str(trace), *command.argv], command.env)
    lines = [line.split(maxsplit=1) for line in trace.read_text().splitlines()]
    first, calls = lines[0][0], 0
    for process, what in lines:
        if process != first and what.startswith("execve(") and execs > 1:
            break
        calls += process == first and "resumed>" not in what
    return Sample(tally=float(calls))


def _instructions(place: Place) -> Cell:
    """Of the wrapper's own process: for a no-op, and for a failure that has to be understood."""
    if place.quick:
        raise BenchError("instructions: counting them takes too long for a quick run")
    counter = _counter(place)
    say = common.executable(place, "say", common.SAY)
    file = place.file("one-line", b"say: no such file or directory\n")
    commands = {
        P: place.interpreter(),
        "no-op": place.wrapped("true"),
        "failure": place.wrapped(say, file, "1", code=5),
    }
    for command in commands.values():
        measure.run(command)  # the first of its kind compiles tables, which is not counted
    return Cell(
        {name: partial(_count, counter, command) for name, command in commands.items()},
        [
            Figure(f"instructions of our own process, {name}", "tally", common.ratio(name, P), "P")
            for name in commands
            if name != P
        ],
        once=True,
    )


def _counter(place: Place) -> list[str]:
    """perf where the processor lets it count, else valgrind."""
    perf = ["perf", "stat", "--no-inherit", "-x", ",", "-e", "instructions:u"]
    valgrind = [
        "valgrind",
        "--tool=cachegrind",
        "--cache-sim=no",
        "--cachegrind-out-file=/dev/null",
    ]
    for words in (perf, valgrind):
        try:
            counter = [program(words[0]), *words[1:]]
            _count(counter, place.bare("true"))
            return counter
        except BenchError:
            continue
    raise BenchError("instructions: neither perf nor valgrind can count instructions here")


def _count(counter: list[str], command: Command) -> Sample:
    argv = list(command.argv)
    with open(argv[0], "rb") as file:
        first = file.readline()
    if first.startswith(b"#!"):  # valgrind would start a script in a process of its own
        argv = [*os.fsdecode(first[2:]).split(), *argv]
    env = command.env | {"PYTHONHASHSEED": "0"}
    done = _call([*counter, *argv], env, command.code)
    found = re.search(r"I\s+refs:\s+([\d,]+)|^(\d+),,instructions", done.stderr, re.MULTILINE)
    if found is None:
        raise BenchError(f"{counter[0]} counts no instructions here")
    return Sample(tally=float((found[1] or found[2]).replace(",", "")))


def _call(words: list[str], env: dict[str, str], code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        words,
        check=False,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    if done.returncode != code:
        last = done.stderr.strip().splitlines()[-1:]
        raise BenchError(f"exit status {done.returncode}: {' '.join([words[0], *last])}")
    return done
