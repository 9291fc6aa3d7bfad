"""What the wrapper costs, as ratios: everything is measured interleaved in one run.

P is the start of a bare interpreter of the same environment, B the bare command, W the same
command under clawwrap; the cost is (W - B) / P. A ratio holds on a noisy machine where
milliseconds do not, and processor time holds where wall time does not.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from typing import NamedTuple

ROUNDS = 25
NAIVE = (
    "import json, subprocess, sys\n"
    "done = subprocess.run(sys.argv[1:], capture_output=True, text=True)\n"
    "print(json.dumps({'code': done.returncode, 'out': done.stdout, 'err': done.stderr}))\n"
)
FAILS = "echo 'fatal: repository not found' >&2; exit 128"


class Sample(NamedTuple):
    """One run of one command."""

    wall: float
    cpu: float


def measure(argv: list[str], env: dict[str, str]) -> Sample:
    sink = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_DUP2, sink, fd) for fd in (0, 1, 2)]
    before = time.perf_counter()
    pid = os.posix_spawn(argv[0], argv, env, file_actions=actions)
    _, _, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - before
    os.close(sink)
    return Sample(wall, usage.ru_utime + usage.ru_stime)


def commands() -> dict[str, list[str]]:
    """What is measured, by name; `bare X` and `clawwrap X` belong together."""
    script = os.path.join(os.path.dirname(sys.executable), "clawwrap")
    if not os.path.exists(script):
        raise SystemExit("bench: clawwrap is not installed beside this Python; run `make bench`")
    true, sleep, shell = (str(shutil.which(name)) for name in ("true", "sleep", "sh"))
    tools = {
        "0 ms": [true],
        "5 ms": [sleep, "0.005"],
        "20 ms": [sleep, "0.02"],
        "50 ms": [sleep, "0.05"],
        "100 ms": [sleep, "0.1"],
        "failure": [shell, "-c", FAILS],
    }
    found = {"python": [sys.executable, "-I", "-c", "pass"]}
    for name, argv in tools.items():
        found[f"bare {name}"] = argv
        found[f"clawwrap {name}"] = [script, *argv]
    found["naive 0 ms"] = [sys.executable, "-c", NAIVE, true]
    return found


def run(rounds: int, home: str) -> dict[str, list[Sample]]:
    env = {"PATH": os.environ["PATH"], "HOME": home}
    named = commands()
    for argv in named.values():  # fills the caches, ours and the system's
        measure(argv, env)
    samples: dict[str, list[Sample]] = {name: [] for name in named}
    for _ in range(rounds):
        for name in random.sample(sorted(named), len(named)):
            samples[name].append(measure(named[name], env))
    return samples


def cost(samples: dict[str, list[Sample]], name: str, field: str, pick: str) -> float:
    """(W - B) / P by minima or medians."""
    tool = name.partition(" ")[2]
    how = min if pick == "min" else statistics.median

    def value(key: str) -> float:
        return float(how([getattr(sample, field) for sample in samples[key]]))

    return (value(name) - value(f"bare {tool}")) / value("python")


def main() -> None:
    rounds = int(os.environ.get("ROUNDS", ROUNDS))
    with tempfile.TemporaryDirectory() as home:
        samples = run(rounds, home)
    names = [name for name in samples if name.startswith(("clawwrap", "naive"))]
    rows = {
        name: {
            "wall_min": round(cost(samples, name, "wall", "min"), 2),
            "wall_median": round(cost(samples, name, "wall", "median"), 2),
            "cpu_median": round(cost(samples, name, "cpu", "median"), 2),
        }
        for name in names
    }
    if "--json" in sys.argv:
        print(json.dumps({"rounds": rounds, "cost_in_interpreter_starts": rows}))
        return
    print(f"cost over the bare command, in starts of a bare interpreter ({rounds} rounds)")
    print(f"{'':20}{'wall, min':>12}{'wall, median':>14}{'cpu, median':>13}")
    for name, row in rows.items():
        print(f"{name:20}{row['wall_min']:12}{row['wall_median']:14}{row['cpu_median']:13}")


main()
