"""Runs the scripts under tests/recordings/ and shows what the tools print today.

    python -m tests.record rsync            every case of rsync.sh as YAML, as it is judged now
    python -m tests.record --check          which recorded cases are judged otherwise now

A script is bash. It prepares a world in an empty folder and calls `record TOOL ARGS…` for each
failure; `tests/recordings/lib.sh` has the servers. Each command runs in the environment it would
have under clawwrap. Folders and ports are replaced by fixed names, so recordings can be compared.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from clawwrap import cases, catalog, launch, loader, wrap
from clawwrap.admin import writing
from clawwrap.capture import signal_name
from clawwrap.evidence import Evidence

ROOT = Path(__file__).parent.parent
SCRIPTS = ROOT / "tests" / "recordings"
WORLD = "/tmp/world"
LONGEST_RUN = 60

Plan = dict[str, Any]


def main(argv: list[str]) -> int:
    if argv[:1] == ["--one"]:
        return record(argv[1:])
    parser = argparse.ArgumentParser(description="Run the recording scripts.")
    parser.add_argument("--check", action="store_true", help="compare with the adapters' cases")
    parser.add_argument("tools", nargs="*", help="default: every script")
    asked = parser.parse_args(argv)
    scripts = sorted(path.stem for path in SCRIPTS.glob("*.sh") if path.stem != "lib")
    changed = 0
    for tool in asked.tools or scripts:
        found = run_script(tool)
        if asked.check:
            changed += compare(tool, found)
        else:
            print(writing.as_yaml([judged(tool, case) for case in found]), end="")
    return 1 if changed else 0


# One command, called by a script


def record(argv: list[str]) -> int:
    """Run a command and append what it printed to the script's recordings."""
    stdin: int | None = subprocess.DEVNULL
    if argv[0] == "--stdin":  # the script's own standard input is the tool's
        stdin, argv = None, argv[1:]
    env = launch.environment()
    choice = cases.choice_for(argv, plan_of(catalog.tool_name(argv[0])))
    env |= wrap.quiet_environment(choice, env)
    for variable in [each for each in env if each.startswith((b"RECORD_", b"PYTHONPATH"))]:
        del env[variable]
    try:
        done = subprocess.run(
            argv,
            stdin=stdin,
            capture_output=True,
            env=env,
            timeout=LONGEST_RUN,
            start_new_session=True,
        )
    except subprocess.TimeoutExpired:
        print(f"not recorded, over {LONGEST_RUN} s: {shlex.join(argv)}", file=sys.stderr)
        return 0
    case: Plan = {"argv": argv}
    if done.returncode < 0:
        case["signal"] = signal_name(-done.returncode)
    else:
        case["exit"] = done.returncode
    for name, raw in (("stdout", done.stdout), ("stderr", done.stderr)):
        if raw:
            case[name] = raw.decode("utf-8", "backslashreplace")
    case["origin"] = os.environ.get("RECORD_VERSION", "unknown version")
    with open(os.environ["RECORD_FILE"], "a", encoding="utf-8") as file:
        file.write(fixed_names(json.dumps(case, ensure_ascii=False)) + "\n")
    return 0


def fixed_names(text: str) -> str:
    """Folders and ports of this run under the names they have in every recording."""
    text = text.replace(os.environ["RECORD_WORLD"], WORLD)
    names = Path(os.environ["RECORD_NAMES"])
    for line in names.read_text().splitlines() if names.exists() else []:
        actual, fixed = line.split("\t")
        text = text.replace(actual, fixed)
    return text


# A whole script


def run_script(tool: str) -> list[Plan]:
    """The cases that a script records now."""
    script = SCRIPTS / f"{tool}.sh"
    if not script.exists():
        sys.exit(f"there is no {script}")
    with tempfile.TemporaryDirectory(prefix="record-") as folder:
        Path(folder).chmod(0o755)  # servers that a script starts may run as another user
        world = Path(folder, "world")
        (world / "home").mkdir(parents=True)
        recordings = Path(folder, "cases.jsonl")
        env = os.environ | {
            "HOME": str(world / "home"),
            "RECORD_WORLD": str(world),
            "RECORD_FILE": str(recordings),
            "RECORD_NAMES": str(Path(folder, "names")),
            "RECORD_PYTHON": sys.executable,
            "PYTHONPATH": str(ROOT),
        }
        line = f"source {shlex.quote(str(SCRIPTS / 'lib.sh'))}; source {shlex.quote(str(script))}"
        done = subprocess.run(["bash", "-c", line], cwd=world, env=env, stdout=sys.stderr.fileno())
        if done.returncode == 77:
            return []  # the script has said which tool it lacks
        lines = recordings.read_text().splitlines() if recordings.exists() else []
        return [json.loads(each) for each in lines]


def plan_of(tool: str) -> Plan | None:
    path = ROOT / "adapters" / f"{tool}.yaml"
    if not path.exists():
        return None
    return loader.adapter(str(path))[1]


def judge(tool: str, case: Plan) -> Plan:
    evidence = Evidence(
        case["argv"],
        exit_code=case.get("exit"),
        signal=case.get("signal"),
        stdout=case.get("stdout", "").encode(),
        stderr=case.get("stderr", "").encode(),
    )
    evidence.report = cases.reported_in(evidence)
    return cases.classify(cases.choice_for(case["argv"], plan_of(tool)), evidence)


def judged(tool: str, case: Plan) -> Plan:
    found = judge(tool, case)
    wanted = ("code", "error", "rule", "redirect")
    shown = {key: found[key] for key in wanted if found.get(key)}
    return case | {"argv": shlex.join(case["argv"]), "expect": shown}


def compare(tool: str, found: list[Plan]) -> int:
    """How many cases of the adapter are judged otherwise by what the tool prints today."""
    path = ROOT / "adapters" / f"{tool}.yaml"
    known: dict[str, set[str]] = {}  # the same command may fail for several reasons
    for each in cases.load(str(path)):
        known.setdefault(shlex.join(each.argv), set()).add(each.expect["code"])
    changed = 0
    for case in found:
        line = shlex.join(case["argv"])
        if line not in known:
            print(f"{tool}: not in the adapter: {line}")
            continue
        code = judge(tool, case)["code"]
        if code not in known[line]:
            changed += 1
            expected = " or ".join(sorted(known[line]))
            print(f"{tool}: {line}: recorded as {expected}, now taken for {code}")
    print(f"{tool}: {len(found)} recorded again, {changed} judged otherwise")
    return changed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
