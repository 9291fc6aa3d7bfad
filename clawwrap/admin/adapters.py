"""`clawwrap adapters`: list, show, lint, test, new, record."""

from __future__ import annotations

import os
import shlex
from typing import Any

from clawwrap import cases, catalog, human, launch, lint, loader, log, trust, watch, wrap
from clawwrap.admin import draft
from clawwrap.admin.answer import Answer, failed
from clawwrap.document import Document
from clawwrap.errors import AdapterError, UsageError
from clawwrap.evidence import Evidence
from clawwrap.watch import signal_name

Plan = dict[str, Any]
WRONG_FLAG = "--no-such-flag"


def files(names: list[str]) -> list[str]:
    """The adapter files that are meant: those named, or all of all layers."""
    if names:
        return [catalog.adapter_file(name, os.environ) for name in names]
    found: dict[str, str] = {}
    for layer, folder in catalog.layers(os.environ):
        for path in _yaml_files(folder):
            if layer != "project" or trust.is_trusted(path):
                found.setdefault(os.path.splitext(os.path.basename(path))[0], path)
    return list(found.values())


def _yaml_files(folder: str) -> list[str]:
    names = sorted(os.listdir(folder))
    return [f"{folder}/{name}" for name in names if name.endswith((".yaml", ".yml"))]


def project_files() -> list[str]:
    """The adapters of the project around this folder, whether trusted or not."""
    folders = [folder for layer, folder in catalog.layers(os.environ) if layer == "project"]
    return [path for folder in folders for path in _yaml_files(folder)]


def layer_of(path: str) -> str:
    folder = os.path.dirname(path)
    return next((name for name, at in catalog.layers(os.environ) if at == folder), "file")


def loads(path: str) -> bool:
    try:
        catalog.read(path)
    except AdapterError:
        return False
    return True


def list_all() -> Answer:
    rows: list[Plan] = []
    for path in files([]):
        row: Plan = {"tool": os.path.splitext(os.path.basename(path))[0], "file": path}
        row["layer"] = layer_of(path)
        try:
            plan = catalog.read(path)
            rules = plan["rules"] + plan["redirects"]
            row |= {"ok": True, "rules": len(rules), "cases": len(cases.load(path))}
        except AdapterError as error:
            row |= {"ok": False, "problem": error.message}
        rows.append(row)
    table: list[tuple[str, ...]] = [("TOOL", "LAYER", "RULES", "CASES", "FILE")]
    for row in rows:
        counts = (str(row.get("rules", "-")), str(row.get("cases", "-")))
        table.append((row["tool"], row["layer"], *counts, str(row.get("problem") or row["file"])))
    return Answer({"adapters": rows}, human.table(table))


def show(name: str) -> Answer:
    path = catalog.adapter_file(name, os.environ)
    document = Document(path)
    loader.adapter(path)  # a broken one is refused, and says where
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return Answer({"file": path, "adapter": document.data}, f"# {path}\n{text}")


def lint_all(names: list[str]) -> Answer:
    paths = files(names)
    found = [finding for path in paths for finding in lint.check(path)]
    if not found:
        return Answer(
            {"files": len(paths), "findings": []}, f"{len(paths)} adapters, no findings\n"
        )
    rows = [finding._asdict() for finding in found]
    text = "".join(f"{finding}\n" for finding in found)
    return failed(
        "INVALID_ADAPTER",
        f"{len(found)} findings in {len({f.file for f in found})} of {len(paths)} adapters; "
        f"the first: {found[0]}",
        output={"files": len(paths), "findings": rows},
        text=text,
        suggestion="Correct the lines that error.output names, then lint again.",
    )


def test_all(names: list[str]) -> Answer:
    paths = files(names)
    results, gaps = [], []
    for path in paths:
        run = _run_cases(path)
        results += run
        gaps += list(lint.coverage(Document(path), run))
    wrong = [result for result in results if not result.passed]
    rows: list[Plan] = [
        {
            "file": result.case.file,
            "line": result.case.line,
            "argv": result.case.argv,
            "differences": result.differences,
            "found": result.found,
        }
        for result in wrong
    ]
    summary = {
        "files": len(paths),
        "cases": len(results),
        "failed": len(wrong),
        "uncovered": len(gaps),
    }
    if not wrong and not gaps:
        return Answer(summary, f"{len(results)} cases of {len(paths)} adapters pass\n")
    text = "".join(
        f"{row['file']}:{row['line']}: {shlex.join(row['argv'])}\n"
        + "".join(f"    {difference}\n" for difference in row["differences"])
        for row in rows
    )
    text += "".join(f"{gap}\n" for gap in gaps)
    said = [f"{len(wrong)} of {len(results)} cases are taken for something else"] if wrong else []
    said += [f"{len(gaps)} times a rule lacks a case or a near miss"] if gaps else []
    return failed(
        "INVALID_ADAPTER",
        ", ".join(said),
        output=summary | {"results": rows, "gaps": [gap._asdict() for gap in gaps]},
        text=text,
        suggestion="Correct the rules or cases that error.output names; record what is lacking.",
    )


def _run_cases(path: str) -> list[cases.Result]:
    """Every case twice: a verdict that depends on anything but its evidence is none."""
    _, plan = loader.adapter(path)
    results = []
    for case in cases.load(path):
        first, second = cases.run(case, plan), cases.run(case, plan)
        if first.found != second.found:
            first.differences.append("the second run gave another result")
        results.append(first)
    return results


def misses() -> Answer:
    """Which commands ended as GENERAL_ERROR without a rule, the most frequent first."""
    counted: dict[tuple[str, int | None, str], Plan] = {}
    for entry in log.read(os.environ):
        key = (str(entry.get("command")), entry.get("native"), str(entry.get("words")))
        row = counted.setdefault(key, {**entry, "count": 0})
        row |= {"count": row["count"] + 1, "time": entry.get("time")}
    rows = sorted(counted.values(), key=lambda row: -row["count"])
    table: list[tuple[str, ...]] = [("COUNT", "COMMAND", "EXIT", "ADAPTER", "WORDS")]
    for row in rows:
        cells = (row["command"], row["native"], row.get("adapter") or "-", row["words"])
        table.append((str(row["count"]), *map(str, cells)))
    return Answer({"misses": rows}, human.table(table) if rows else "no misses\n")


# Trust


def trust_files(names: list[str], *, remove: bool) -> Answer:
    """Trust the adapters of this project, or those named, as they are now; or no longer."""
    paths = [os.path.abspath(name) for name in names] or project_files()
    if not paths:
        return failed(
            "FILE_NOT_FOUND",
            "there is no .clawwrap/adapters in this folder or above it",
            suggestion="Run it inside the project, or name the files: adapters trust FILE.",
        )
    if remove:
        trust.remove(paths, os.environ)
        return Answer({"removed": paths}, "".join(f"no longer trusted: {p}\n" for p in paths))
    plans = {path: loader.adapter(path)[1] for path in paths}  # a broken one is refused here
    hashes = trust.add(paths, os.environ)
    rows: list[Plan] = [
        {
            "file": path,
            "sha256": hashes[path],
            "tool": plan["tool"],
            "env": {variable["name"]: variable["value"] for variable in plan["env"]},
            "rules": len(plan["rules"] + plan["redirects"]),
        }
        for path, plan in plans.items()
    ]
    text = "".join(
        f"trusted as it is now: {row['file']}\n"
        + "".join(f"    sets {name}={value}\n" for name, value in row["env"].items())
        for row in rows
    )
    return Answer({"trusted": rows}, text)


# Writing


def new(tool: str, folder: str | None) -> Answer:
    name = catalog.tool_name(tool)
    folder = folder or os.path.join(catalog.config_folder(os.environ), "adapters")
    path = os.path.join(folder, f"{name}.yaml")
    if os.path.exists(path):
        return failed(
            "FILE_EXISTS",
            f"{path}: exists already",
            suggestion="Edit that file, or write elsewhere with --dir DIR.",
        )
    version = _version(tool)
    drafted = draft.read_help(name, version, _help(tool))
    os.makedirs(folder, exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(draft.render(drafted))
    case = _record([tool, WRONG_FLAG], path, None, version)
    commands = {"none": drafted.reads, "partial": drafted.writes, "unsorted": drafted.others}
    return Answer(
        {"file": path, "version": version, "commands": commands, "case": case},
        f"{path}\nNext: record its failures with `clawwrap adapters record -- {name} …`.\n",
    )


def _help(tool: str) -> str:
    """What the tool says of itself; most answer one of these."""
    for words in (["--help"], ["help"], ["-h"]):
        capture = run_quietly([tool, *words], 10_000)
        text = _text(capture.stdout) or _text(capture.stderr)
        if capture.exit_code == 0 and text.strip():
            return text
    return ""


def record(words: list[str], adapter: str | None, near: str | None) -> Answer:
    words = words[1:] if words[:1] == ["--"] else words
    if not words:
        raise UsageError(
            "adapters record needs a command to run",
            code="MISSING_ARGUMENT",
            suggestion="Write it behind `--`: clawwrap adapters record -- git push.",
        )
    at = catalog.see_through(words, catalog.mapping("launchers"))[-1]
    path = catalog.adapter_file(adapter or catalog.tool_name(words[at]), os.environ)
    loader.adapter(path)
    case = _record(words, path, near, _version(words[at]))
    return Answer(
        {"file": path, "case": case},
        f"{path}: a case of {case['expect']['code']} was added; confirm or correct it there.\n",
    )


def run_quietly(words: list[str], timeout_ms: int = 60_000) -> watch.Capture:
    """Run a tool in the environment it would have under clawwrap."""
    env = launch.environment()
    choice = cases.choice_for(words, None)
    path = catalog.locate(catalog.tool_name(choice.parts[0][0][0]), os.environ)
    if path and loads(path):
        choice.parts = [(choice.parts[0][0], catalog.read(path))]
    request = launch.Request(words, env)
    request.env = env | wrap.quiet_environment(choice, env)
    request.null_stdin = True
    request.timeout_ms = timeout_ms
    return watch.finish(launch.spawn(request), iter(()))


def _version(tool: str) -> str:
    """The tool and version as it calls itself: `git 2.39.5`."""
    name = catalog.tool_name(tool)
    for flag in ("--version", "version", "-V"):
        capture = run_quietly([tool, flag], 10_000)
        if capture.exit_code == 0:
            words = (capture.stdout.head + capture.stderr.head).decode("utf-8", "replace").split()
            number = next(
                (w.strip("v,()") for w in words[:12] if w.strip("v,()")[:1].isdigit()), ""
            )
            if number:
                return f"{name} {number}"
    return f"{name} (unknown version)"


def _record(words: list[str], path: str, near: str | None, version: str) -> Plan:
    capture = run_quietly(words)
    if capture.fault:
        raise UsageError(
            capture.fault_detail, code="INVALID_ARGUMENT", suggestion="Name a tool that can be run."
        )
    stdout, stderr = _text(capture.stdout), _text(capture.stderr)
    signal = signal_name(capture.signal) if capture.signal else None
    evidence = Evidence(
        words,
        exit_code=capture.exit_code,
        signal=signal,
        stdout=stdout.encode(),
        stderr=stderr.encode(),
    )
    _, plan = loader.adapter(path)
    found = cases.classify(cases.choice_for(words, plan), evidence)
    case: Plan = {"argv": shlex.join(words)}
    case |= {"signal": signal} if signal else {"exit": capture.exit_code}
    case |= {"stdout": stdout} if stdout else {}
    case |= {"stderr": stderr} if stderr else {}
    case["origin"] = version
    case |= {"near": near} if near else {}
    wanted = ("code", "error", "rule", "redirect")
    case["expect"] = {key: found[key] for key in wanted if found.get(key)}
    _append(path, case)
    return case


def _text(stream: watch.Stream) -> str:
    return (stream.head + stream.tail).decode("utf-8", "backslashreplace")


def _append(path: str, case: Plan) -> None:
    """Add the case as text, so that the author's comments and order stay as they are."""
    import yaml

    class Dumper(yaml.SafeDumper):
        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
            return super().increase_indent(flow, False)

    def as_block(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
        style = "|" if "\n" in text else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Dumper.add_representer(str, as_block)
    added = yaml.dump([case], Dumper=Dumper, sort_keys=False, allow_unicode=True, width=1000)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lines = text.splitlines()
    if not any(line.startswith("cases:") for line in lines):
        text = text.rstrip("\n") + "\ncases:\n"
    text = text.replace("cases: []\n", "cases:\n")
    body = "".join(f"  {line}\n" if line else "\n" for line in added.splitlines())
    draft = f"{path}.{os.getpid()}.new"
    with open(draft, "w", encoding="utf-8") as file:
        file.write(text.rstrip("\n") + "\n" + body)
    os.replace(draft, path)
