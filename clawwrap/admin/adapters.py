"""`clawwrap adapters`: list, show, lint, test, misses, trust."""

from __future__ import annotations

import os
import shlex
from typing import Any

from clawwrap import cases, catalog, human, lint, loader, trust
from clawwrap.admin.answer import Answer, failed
from clawwrap.document import Document
from clawwrap.errors import AdapterError
from clawwrap.journal import reading
from clawwrap.screen import Screen, visible

Plan = dict[str, Any]
#: What `misses` tells of a run.
OF_A_MISS = ("command", "adapter", "code", "rule", "signal", "words", "request_id")


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
    return Answer({"adapters": rows}, human.table(table, Screen.of(1)))


def show(name: str) -> Answer:
    path = catalog.adapter_file(name, os.environ)
    document = Document(path)
    loader.adapter(path)  # a broken one is refused, and says where
    with open(path, encoding="utf-8") as file:
        text = "\n".join(map(visible, file.read().split("\n")))
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
    for entry in reading.read(os.environ):
        if not entry.get("miss"):
            continue
        key = (str(entry.get("command")), entry.get("native_exit"), str(entry.get("words")))
        row = {"native": key[1], "count": 0} | {name: entry.get(name) for name in OF_A_MISS}
        row = counted.setdefault(key, row)
        row |= {"count": row["count"] + 1, "time": entry["time"]}
    rows = sorted(counted.values(), key=lambda row: -row["count"])
    table: list[tuple[str, ...]] = [("COUNT", "COMMAND", "EXIT", "ADAPTER", "WORDS")]
    for row in rows:
        cells = (row["command"], row["native"], row.get("adapter") or "-", row["words"])
        table.append((str(row["count"]), *map(str, cells)))
    return Answer({"misses": rows}, human.table(table, Screen.of(1)) if rows else "no misses\n")


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
