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

#: Loaded one at a time while the tool runs, dependencies before dependants, small steps first:
#: what a failure needs, then what a long answer needs.
WARM = (
    "enum",
    "collections",
    "re",
    "clawwrap.contract",
    "clawwrap.outcomes",
    "clawwrap.envelopes.response",
    "clawwrap.evidence",
    "clawwrap.failures",
    "typing",
    "datetime",
    "ast",
    "inspect",
    "dataclasses",
    "re2",
    "uuid",
    "json",
    "orjson",
    "clawwrap.log",
)


def run(inv: Invocation) -> int:
    """Run the tool and answer; returns our exit status."""
    choice = prepare(inv)
    inv.settle_output(on_terminal=os.isatty(1))
    if inv.cwd:
        enter(inv.cwd)
    one = Run(inv, choice)

    # The tool runs: from here on imports cost nothing but idle time.
    import gc

    gc.disable()  # we end before there is garbage worth collecting, and imports are faster
    from clawwrap import emit, log, quick

    observer = _observer(inv, choice)
    capture = one.attend(observer)
    if plain := quick.answer(inv, choice, capture):
        status = 0 if plain.line is None else emit.put(plain.line)
        log.record_plain(inv, plain.meta, capture)
        return status
    outcome = one.outcome(capture, observer)
    if inv.dev:
        from clawwrap import devcheck

        outcome = devcheck.checked(outcome, choice)
    status = emit.write(inv, outcome)
    log.record(inv, choice, outcome, one.capture)
    return status


def prepare(inv: Invocation) -> catalog.Choice:
    """The command with its adapters, and every setting decided."""
    choice = catalog.choose(inv, os.environ)
    inv.fill(choice.settings())
    inv.fill(catalog.config(os.environ))
    inv.fill(DEFAULTS)
    inv.request_id = inv.request_id or os.urandom(8).hex()
    if inv.otel:
        from clawwrap import trace

        trace.begin(inv, os.environ)
    return choice


class Run:
    """One command from its spawn to its outcome, tried again where that was asked for."""

    stdin_fd = 0  # what the tool reads

    def __init__(self, inv: Invocation, choice: catalog.Choice) -> None:
        self.inv = inv
        self.choice = choice
        self._attempts: Attempts | None = None
        if inv.retry and inv.output != "raw":
            from clawwrap import retrying

            self._attempts = retrying.Attempts(inv, choice, self.stdin_fd)
        self.child = self.start(inv.timeout or 0)
        self.capture: Capture

    def start(self, timeout_ms: int) -> launch.Child:
        return launch.spawn(request(self.inv, self.choice, launch.environment(), timeout_ms))

    def attend(self, observer: "Observer | None" = None) -> "Capture":
        """Stay with the tool until it ends."""
        from clawwrap import watch

        if observer:
            observer.started(self.child)
        self.capture = watch.finish(self.child, self.meanwhile(), observer)
        if observer:
            observer.ended()
        return self.capture

    def meanwhile(self) -> "Iterator[None]":
        """What is done step by step while the tool runs: each loads one more module."""
        for name in WARM:
            __import__(name)
            yield

    def outcome(self, capture: "Capture", observer: "Observer | None" = None) -> "Outcome[Any]":
        """What came of it in the end."""
        outcome = self._judged(capture)
        if attempts := self._attempts:
            attempts.add(outcome, capture)
            while attempts.wait(outcome, capture, self.child, observer):
                self.child = self.start(attempts.left_ms())
                capture = self.attend(observer)
                outcome = self._judged(capture)
                attempts.add(outcome, capture)
            outcome = attempts.noted(outcome)
        if self.inv.otel:
            from clawwrap import trace

            outcome = trace.noted(outcome, os.environ)
        return outcome

    def _judged(self, capture: "Capture") -> "Outcome[Any]":
        from clawwrap import outcomes

        try:
            return outcomes.assemble(self.inv, self.choice, capture)
        except Exception as error:  # a bug of ours must not cost the tool's result
            return outcomes.unjudged(self.inv, self.choice, capture, error)


def _observer(inv: Invocation, choice: catalog.Choice) -> "Observer | None":
    """Who is told what happens while it happens; most callers only want the answer."""
    if inv.output != "jsonl" and not (inv.live and inv.output == "json"):
        return None
    from clawwrap import events
    from clawwrap.commands import command_name
    from clawwrap.redact import Redactor

    policy = inv.redact or "errors"
    guard = Redactor(policy, choice.words, choice.plans)
    if inv.output == "json":
        return events.Live(guard, policy)
    command = command_name(choice.parts, inv.line)
    return events.Events(inv.request_id or "", command, guard, policy, inv.heartbeat or 0)


def request(
    inv: Invocation, choice: catalog.Choice, env: "dict[bytes, bytes]", timeout_ms: int
) -> launch.Request:
    """How the tool is to be started for this output."""
    made = launch.Request(choice.words, env)
    if inv.cwd:
        env[b"PWD"] = os.fsencode(os.getcwd())
    made.plain_env = dict(env)
    made.mark(os.getpid())
    env[b"CLAWWRAP_REQUEST_ID"] = os.fsencode(inv.request_id or "")
    if inv.traceparent:
        from clawwrap import trace

        trace.pass_on(inv, env)
    if inv.output in ("json", "jsonl"):
        env.update(quiet_environment(choice, env))
        made.null_stdin = os.isatty(0)
        made.spool = inv.spool or 0
        made.reader_fd = 1
    else:
        made.inherit_stdout = True
        if os.isatty(0) or os.isatty(1) or os.isatty(2):
            from clawwrap.terminal import Terminal

            made.terminal = Terminal.find()
    made.timeout_ms = timeout_ms
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
