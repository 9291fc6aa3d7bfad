"""`clawwrap manifest`: what each command may end with, so that a caller can plan before calling."""

from __future__ import annotations

import hashlib
import os
from typing import Any

from clawwrap import __version__, adapter, catalog, commands, human, json_text
from clawwrap.admin import adapters
from clawwrap.admin.answer import Answer
from clawwrap.screen import NO_BREAK, Screen

Plan = dict[str, Any]


def manifest(tool: str | None) -> Answer:
    if tool is not None:
        plans = [catalog.read(catalog.adapter_file(tool, os.environ))]
    else:
        plans = [catalog.read(path) for path in adapters.files([]) if adapters.loads(path)]
    commands = {name: spec for plan in plans for name, spec in _commands(plan).items()}
    etag = hashlib.sha256(json_text.dumps(commands)).hexdigest()[:16]
    data = {"version": __version__, "etag": etag, "commands": commands}
    return Answer(data, _text(commands), facts={"etag": etag})


def _commands(plan: Plan) -> Plan:
    """The tool itself, and each subcommand the adapter knows."""
    names = [name for name in plan["commands"] if not name.startswith("-")]
    return {
        " ".join([plan["tool"], name]).rstrip(): {
            "effects": commands.effect(plan, [plan["tool"], *name.split()]),
            "exit_codes": adapter.exit_codes(plan, [plan["tool"], *name.split()]).to_json(),
        }
        for name in ["", *sorted(names)]
    }


def _text(commands: Plan) -> str:
    rows = [("COMMAND", "EFFECTS", "EXIT CODES")]
    for name, spec in commands.items():
        codes = [value + NO_BREAK + entry["name"] for value, entry in spec["exit_codes"].items()]
        rows.append((name, spec["effects"], ", ".join(codes)))
    return human.table(rows, Screen.of(1))
