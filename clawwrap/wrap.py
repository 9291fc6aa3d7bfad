"""The corridor: one run from argv to exit status, top to bottom."""

import os

from clawwrap import catalog, launch
from clawwrap.invocation import DEFAULTS, Invocation, refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from clawwrap.capture import Capture, Observer
    from clawwrap.contract import Outcome
    from clawwrap.retrying import Attempts

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
    "_blake2",
    "clawwrap.contract",
    "clawwrap.text",
    "clawwrap.redact",
    "clawwrap.outcomes",
    "clawwrap.etag",
    "clawwrap.emit",
    "clawwrap.envelopes.response",
    "clawwrap.log",
)


def run(inv: Invocation) -> int:
    """Run the tool and answer; returns our exit status."""
    choice = catalog.choose(inv, os.environ)
    inv.fill(choice.settings())
    inv.fill(catalog.config(os.environ))
    inv.fill(DEFAULTS)
    inv.settle_output(on_terminal=os.isatty(1))
    inv.request_id = inv.request_id or os.urandom(8).hex()
    if inv.cwd:
        enter(inv.cwd)
    if inv.otel:
        from clawwrap import trace

        trace.begin(inv, os.environ)
    attempts = _attempts(inv, choice) if inv.retry and inv.output != "raw" else None
    child = launch.spawn(request(inv, choice))

    # The tool runs: from here on imports cost nothing but idle time.
    import gc

    gc.disable()  # we end before there is garbage worth collecting, and imports are faster
    observer = _observer(inv, choice)
    outcome, capture = _attend(inv, choice, child, observer)
    if attempts:
        outcome, capture = _again(inv, choice, attempts, outcome, capture, child, observer)
    from clawwrap import emit

    if inv.dev:
        from clawwrap import devcheck

        outcome = devcheck.checked(outcome, choice)
    if inv.otel:
        from clawwrap import trace

        outcome = trace.noted(outcome, os.environ)
    status = emit.write(inv, outcome)
    if not inv.no_log or inv.traceparent:
        from clawwrap import log

        log.record(inv, choice, outcome, capture)
    return status


def _attend(
    inv: Invocation, choice: catalog.Choice, child: launch.Child, observer: "Observer | None"
) -> "tuple[Outcome[Any], Capture]":
    """Stay with one running tool until it ends, and say what came of it."""
    from clawwrap import watch

    if observer:
        observer.started(child)
    capture = watch.finish(child, _import_step_by_step(), observer)
    if observer:
        observer.ended()
    from clawwrap import outcomes

    try:
        return outcomes.assemble(inv, choice, capture), capture
    except Exception as error:  # a bug of ours must not cost the tool's result
        return outcomes.unjudged(inv, choice, capture, error), capture


def _observer(inv: Invocation, choice: catalog.Choice) -> "Observer | None":
    """Who is told what happens while it happens; most callers only want the answer."""
    if inv.output != "jsonl" and not (inv.live and inv.output == "json"):
        return None
    from clawwrap import events
    from clawwrap.adapter import command_name
    from clawwrap.redact import Redactor

    policy = inv.redact or "errors"
    guard = Redactor(policy, choice.words, [plan for _, plan in choice.parts if plan])
    if inv.output == "json":
        return events.Live(guard, policy)
    command = command_name(choice.parts, inv.line)
    return events.Events(inv.request_id or "", command, guard, policy, inv.heartbeat or 0)


def _attempts(inv: Invocation, choice: catalog.Choice) -> "Attempts":
    from clawwrap.retrying import Attempts

    return Attempts(inv, choice)


def _again(
    inv: Invocation,
    choice: catalog.Choice,
    attempts: "Attempts",
    outcome: "Outcome[Any]",
    capture: "Capture",
    child: launch.Child,
    observer: "Observer | None",
) -> "tuple[Outcome[Any], Capture]":
    """Try again for as long as the failure allows; the outcome is that of the last attempt."""
    from clawwrap import retrying

    attempts.add(outcome, capture)
    while (wait := attempts.wait_ms(outcome, capture, child.pid)) is not None:
        attempts.tell(observer)
        if signal := retrying.pause(wait, child):
            attempts.warnings.append(f"clawwrap: not tried again: {signal} came while waiting")
            break
        child = launch.spawn(request(inv, choice, attempts.left_ms()))
        outcome, capture = _attend(inv, choice, child, observer)
        attempts.add(outcome, capture)
    return attempts.noted(outcome), capture


def request(
    inv: Invocation, choice: catalog.Choice, timeout_ms: int | None = None
) -> launch.Request:
    """How the tool is to be started for this output."""
    env = launch.environment()
    made = launch.Request(choice.words, env)
    if inv.cwd:
        env[b"PWD"] = os.fsencode(os.getcwd())
    made.plain_env = dict(env)
    env[b"CLAWWRAP_ACTIVE"] = str(os.getpid()).encode()
    env[b"CLAWWRAP_REQUEST_ID"] = os.fsencode(inv.request_id or "")
    if inv.traceparent:
        from clawwrap import trace

        trace.pass_on(inv, env)
    if inv.output in ("json", "jsonl"):
        for name, value in quiet_environment(choice, env).items():
            env[name] = value
        made.null_stdin = os.isatty(0)
        made.spool = inv.spool or 0
        made.reader_fd = 1
    else:
        made.inherit_stdout = True
        if os.isatty(0) or os.isatty(1) or os.isatty(2):
            from clawwrap.terminal import Terminal

            made.terminal = Terminal.find()
    made.timeout_ms = (inv.timeout or 0) if timeout_ms is None else timeout_ms
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
