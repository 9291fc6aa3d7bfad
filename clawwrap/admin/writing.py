"""`clawwrap adapters new` and `record`: what a tool really prints goes into a file."""

from __future__ import annotations

import os
import shlex
from typing import Any

from clawwrap import cases, catalog, launch, loader, watch, wrap
from clawwrap.admin import draft
from clawwrap.admin.adapters import loads
from clawwrap.admin.answer import Answer, failed
from clawwrap.capture import Capture, Stream, signal_name
from clawwrap.errors import UsageError
from clawwrap.evidence import Evidence

Plan = dict[str, Any]
WRONG_FLAG = "--no-such-flag"


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


def run_quietly(words: list[str], timeout_ms: int = 60_000) -> Capture:
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


def _text(stream: Stream) -> str:
    return (stream.head + stream.tail).decode("utf-8", "backslashreplace")


def _append(path: str, case: Plan) -> None:
    """Add the case as text, so that the author's comments and order stay as they are."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lines = text.splitlines()
    if not any(line.startswith("cases:") for line in lines):
        text = text.rstrip("\n") + "\ncases:\n"
    text = text.replace("cases: []\n", "cases:\n")
    body = as_yaml([case])
    draft = f"{path}.{os.getpid()}.new"
    with open(draft, "w", encoding="utf-8") as file:
        file.write(text.rstrip("\n") + "\n" + body)
    os.replace(draft, path)


def as_yaml(found: list[Plan]) -> str:
    """Cases as they stand under `cases:`, what a tool printed as blocks."""
    import yaml

    class Dumper(yaml.SafeDumper):
        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
            return super().increase_indent(flow, False)

    def as_block(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
        style = "|" if "\n" in text else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Dumper.add_representer(str, as_block)
    text = yaml.dump(found, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=1000)
    return "".join(f"  {line}\n" if line else "\n" for line in text.splitlines())
