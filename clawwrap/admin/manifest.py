"""`clawwrap manifest`: what can be called and what it may end with, so that a caller can plan."""

from __future__ import annotations

import hashlib
import os
import shlex
from typing import Any

from clawwrap import __version__, adapter, cases, catalog, commands, completion, human, json_text
from clawwrap.admin import AVAILABLE, adapters, options
from clawwrap.admin.answer import Answer
from clawwrap.contract import ExitCode
from clawwrap.errors import UsageError
from clawwrap.screen import NO_BREAK, Screen

Plan = dict[str, Any]
MOST_EXAMPLES = 5
#: What clawwrap reads from its environment, besides a variable for each option.
READS = {
    "CLAUDE_CONFIG_DIR": "where Claude Code keeps your settings",
    "CLAUDE_PROJECT_DIR": "the project that Claude Code works in",
    "CLAWWRAP": "off: become the tool, without a trace",
    "CLAWWRAP_ACTIVE": "set for the tool: who wraps it, so that calls inside are left alone",
    "CLAWWRAP_ADAPTER_PATH": "folders of adapters, the first to be asked",
    "CLAWWRAP_HOOK_BUDGET": "how long a hook may think about a line, in milliseconds",
    "CLAWWRAP_HOOK_WHOLE_LINE": "1: hooks also wrap lines with pipes and the like",
    "CLAWWRAP_NO_LOG": "1: nothing goes into the local log",
    "CLAWWRAP_OTEL": "1: every run is exported as a span",
    "CLAWWRAP_REQUEST_ID": "the request id; set for the tool, so that calls inside carry it",
    "CLAWWRAP_RUN": "set for the tool: which run it belongs to, so that its tree can be ended",
    "CLAWWRAP_SHIM": "set for the tool by a shim, against circles",
    "CLAWWRAP_SHIM_DIR": "the folder of shims",
    "CODEX_HOME": "where Codex keeps your settings",
    "COLUMNS": "how wide the screen is",
    "COPILOT_HOME": "where Copilot CLI keeps your settings",
    "HOME": "where agents and shells keep your settings",
    "NO_COLOR": "no colours for a person",
    "OTEL_SDK_DISABLED": "true: nothing is exported",
    "PATH": "where tools are found",
    "TERM": "dumb: no colours for a person",
    "TOOL_TRACE_ID": "goes to the tool and into meta.trace_id",
    "TRACEPARENT": "goes to the tool and into meta.trace_id",
    "TRACESTATE": "goes to the tool with TRACEPARENT",
    "XDG_CACHE_HOME": "the folder for compiled adapters and for what --cursor prints",
    "XDG_CONFIG_HOME": "the folder for your config and adapters",
    "XDG_DATA_HOME": "the folder for shims",
    "XDG_STATE_HOME": "the folder for the local log",
    "ZDOTDIR": "where zsh keeps your settings",
}


def manifest(words: list[str], *, everything: bool, known_etag: str | None) -> Answer:
    """A summary; all that is known of a tool, or of one of its commands; or everything."""
    if everything and words:
        raise UsageError(
            "--all is for every tool, and there is one named",
            code="INVALID_ARGUMENT",
            suggestion=f"Leave one of them out: clawwrap manifest {shlex.quote(words[0])}.",
        )
    if not words:
        paths = [path for path in adapters.files([]) if adapters.loads(path)]
        plans = {plan["tool"]: plan for plan in map(catalog.read, paths)}
        tell = _of_tool if everything else _in_short
        data: Plan = {
            "clawwrap": _of_clawwrap(),
            "tools": {name: tell(plans[name]) for name in plans},
        }
        rows: list[tuple[str, ...]] = [("TOOL", "COMMANDS", "EFFECTS")]
        rows += [(n, str(len(_names(plan)) - 1), plan["effects"]) for n, plan in plans.items()]
    else:
        plan = catalog.read(catalog.adapter_file(words[0], os.environ))
        data = _of_command(plan, words[1:]) if words[1:] else _of_tool(plan)
        data |= {"environment": _environment(plan), "examples": _examples(plan, words[1:])}
        rows = _rows(data)
    etag = hashlib.sha256(json_text.dumps(data)).hexdigest()[:16]
    if etag == known_etag:
        return Answer(None, f"not modified: {etag}\n", facts={"etag": etag, "not_modified": True})
    text = human.table(rows, Screen.of(1))
    return Answer({"version": __version__, "etag": etag, **data}, text, facts={"etag": etag})


def completions(shell: str) -> Answer:
    """The script that makes a shell complete clawwrap's words, and the tool's behind them."""
    if shell not in completion.SHELLS:
        raise UsageError(
            f"--completion wants one of {', '.join(completion.SHELLS)}, got {shell!r}",
            code="INVALID_ARGUMENT",
            suggestion="For instance: clawwrap manifest --completion bash -o raw.",
        )
    script = completion.script(shell)
    return Answer({"shell": shell, "script": script}, script)


def _of_clawwrap() -> Plan:
    """Its own command line, exit codes and variables."""
    return {
        "calls": ["clawwrap [OPTIONS] [--] TOOL [ARGS…]", "clawwrap [OPTIONS] -c LINE"],
        "options": [option.to_json() for option in options.listed()],
        "verbs": list(AVAILABLE),
        "exit_codes": {str(code.value): _code(code) for code in ExitCode},
        "environment": {
            "reads": READS,
            "sets": {v["name"]: v["value"] for v in catalog.mapping("environment")["env"]},
        },
    }


def _code(code: ExitCode) -> Plan:
    return {"name": code.name, "group": code.group, "description": code.description}


def _in_short(plan: Plan) -> Plan:
    own = {value: e["name"] for value, e in plan["exit_codes"].items() if int(value) > 13}
    found: Plan = {"commands": len(_names(plan)) - 1, "effects": plan["effects"]}
    return found | ({"own_codes": own} if own else {})


def _of_tool(plan: Plan) -> Plan:
    """Codes stand once, and beside them those that are others for commands of some effects."""
    shared = adapter.exit_codes(plan).to_json()
    called = {" ".join([plan["tool"], name]).rstrip(): name.split() for name in _names(plan)}
    known: Plan = {}
    others: Plan = {}
    for name, rest in called.items():
        words = [plan["tool"], *rest]
        effects = commands.effect(plan, words)
        codes = adapter.exit_codes(plan, words).to_json()
        known[name] = {"effects": effects}
        others[effects] = {value: e for value, e in codes.items() if e != shared[value]}
    return {
        "tool": plan["tool"],
        "about": plan["about"],
        "layer": adapters.layer_of(plan["file"]),
        "timeout_ms": plan["timeout"],
        "exit_codes": shared,
        "exit_codes_by_effects": {effects: codes for effects, codes in others.items() if codes},
        "commands": known,
        "flags": _flags(plan),
    }


def _of_command(plan: Plan, rest: list[str]) -> Plan:
    """One command, complete: what its reader needs to judge any exit code of it."""
    words = [plan["tool"], *rest]
    name = commands.subcommand(plan, words)
    return {
        "tool": plan["tool"],
        "command": f"{plan['tool']} {name}".rstrip(),
        "known": name in plan["commands"],
        "effects": commands.effect(plan, words),
        "timeout_ms": plan["timeout"],
        "exit_codes": adapter.exit_codes(plan, words).to_json(),
        "flags": _flags(plan),
    }


def _names(plan: Plan) -> list[str]:
    """The tool itself, and each command the adapter knows."""
    return ["", *sorted(name for name in plan["commands"] if not name.startswith("-"))]


def _flags(plan: Plan) -> Plan:
    """Flags that decide what a command does to the world, whatever command it is."""
    return {name: effect for name, effect in plan["commands"].items() if name.startswith("-")}


def _environment(plan: Plan) -> Plan:
    """What the tool's adapter sets besides what every tool gets, and what it looks at first."""
    sets = [{key: v[key] for key in ("name", "value", "why")} for v in plan["env"]]
    return {"sets": sets, "reads": sorted({name for v in plan["env"] for name in v["unless"]})}


def _examples(plan: Plan, rest: list[str]) -> list[Plan]:
    """Recorded calls and what became of them, as different as possible, the shortest first."""
    wanted = commands.subcommand(plan, [plan["tool"], *rest]) if rest else None
    found: dict[str, Plan] = {}
    for case in sorted(cases.load(plan["file"]), key=lambda case: len(shlex.join(case.argv))):
        if wanted is None or commands.subcommand(plan, case.argv) == wanted:
            found.setdefault(f"{case.expect['code']} {case.expect.get('error')}", _example(case))
    return list(found.values())[:MOST_EXAMPLES]


def _example(case: cases.Case) -> Plan:
    shown = {
        "command": shlex.join(case.argv),
        "native": case.exit_code,
        "code": case.expect["code"],
    }
    return shown | {key: case.expect[key] for key in ("error", "redirect") if key in case.expect}


def _rows(data: Plan) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("COMMAND", "EFFECTS", "EXIT CODES")]
    codes = [value + NO_BREAK + entry["name"] for value, entry in data["exit_codes"].items()]
    for name, spec in data.get("commands", {data.get("command"): data}).items():
        rows.append((str(name), spec["effects"], ", ".join(codes)))
    return rows
