"""The corridor: one run from argv to exit status, top to bottom."""

import os

from clawwrap import catalog, launch
from clawwrap.invocation import DEFAULTS, Invocation, refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

#: Loaded one at a time while the tool runs, dependencies before dependants, small steps first.
WARM = (
    "enum",
    "collections",
    "re",
    "datetime",
    "typing",
    "ast",
    "inspect",
    "dataclasses",
    "uuid",
    "json",
    "orjson",
    "clawwrap.contract",
    "clawwrap.outcomes",
    "clawwrap.emit",
)


def run(inv: Invocation) -> int:
    """Run the tool and answer; returns our exit status."""
    choice = catalog.choose(inv, os.environ)
    inv.fill(choice.settings())
    inv.fill(catalog.config(os.environ))
    inv.fill(DEFAULTS)
    inv.settle_output(on_terminal=os.isatty(1))
    if inv.cwd:
        enter(inv.cwd)
    child = launch.spawn(request(inv, choice))

    # The tool runs: from here on imports cost nothing but idle time.
    import gc

    gc.disable()  # we end before there is garbage worth collecting, and imports are faster
    from clawwrap import watch

    capture = watch.finish(child, _import_step_by_step())
    from clawwrap import emit, outcomes

    try:
        outcome = outcomes.assemble(inv, choice, capture)
    except Exception as error:  # a bug of ours must not cost the tool's result
        outcome = outcomes.unjudged(inv, choice, capture, error)
    if inv.dev:
        from clawwrap import devcheck

        outcome = devcheck.checked(outcome, choice)
    status = emit.write(inv, outcome)
    if not outcome.ok and not inv.no_log:
        from clawwrap import log

        if log.is_miss(outcome):
            log.add(outcome, choice.words, os.environ)
    return status


def request(inv: Invocation, choice: catalog.Choice) -> launch.Request:
    """How the tool is to be started for this output."""
    env = launch.environment()
    made = launch.Request(choice.words, env)
    if inv.cwd:
        env[b"PWD"] = os.fsencode(os.getcwd())
    made.plain_env = dict(env)
    env[b"CLAWWRAP_ACTIVE"] = str(os.getpid()).encode()
    if inv.output == "json":
        for name, value in quiet_environment(choice, env).items():
            env[name] = value
        made.null_stdin = os.isatty(0)
        made.live = bool(inv.live)
    else:
        made.inherit_stdout = True
        if os.isatty(0) or os.isatty(1) or os.isatty(2):
            from clawwrap.terminal import Terminal

            made.terminal = Terminal.find()
    made.timeout_ms = inv.timeout or 0
    made.kill_after_ms = inv.kill_after or 0
    made.keep = 0 if inv.max_output == 0 else max(inv.max_output or 0, made.keep)
    return made


def quiet_environment(choice: catalog.Choice, env: "dict[bytes, bytes]") -> "dict[bytes, bytes]":
    """What keeps the tool from waiting for a person: the shared table, then the adapters'."""
    found: dict[bytes, bytes] = {}
    tables: list[Any] = [catalog.mapping("environment")["env"]]
    tables += [plan["env"] for _, plan in choice.parts if plan]
    for variable in (variable for table in tables for variable in table):
        if not any(name.encode() in env for name in variable["unless"]):
            found[variable["name"].encode()] = variable["value"].encode()
    return found


def enter(folder: str) -> None:
    try:
        os.chdir(folder)
    except OSError as error:
        refuse(
            f"--cwd {folder}: {(error.strerror or '').lower()}",
            "Name a folder that exists and may be entered.",
            "INVALID_OPTION",
        )


def _import_step_by_step() -> "Iterator[None]":
    """Each step loads one more module that the answer will need."""
    for name in WARM:
        __import__(name)
        yield
