"""The verbs: everything that is not running a tool. Typer is imported here and nowhere else."""

from __future__ import annotations

import contextlib
import io
import os
from typing import Any

from clawwrap import __version__, catalog, emit, outcomes
from clawwrap.admin.answer import Answer
from clawwrap.admin.answer import outcome as as_outcome
from clawwrap.errors import ClawwrapError, UsageError
from clawwrap.invocation import DEFAULTS, Invocation

HELP = """\
Usage: clawwrap [OPTIONS] [--] TOOL [ARGS…]    run TOOL and answer with one envelope
       clawwrap [OPTIONS] -c LINE              the same for a whole line of bash
       clawwrap VERB …                         adapters, batch, doctor, explain, hook, init, log,
                                               manifest, mcp, migrate, schema, shim, stats

Options stand before the tool. Each has a variable CLAWWRAP_<NAME>, for instance CLAWWRAP_TIMEOUT.
  -o, --output auto|json|jsonl|human|raw
                                     auto: json where stdout is no terminal, else human;
                                     jsonl: events while it runs, the envelope last
      --envelope response|claw-2.0|claw-1.0
                                     the shape of the answer (default: response)
      --envelope-version 2.0|1.0     the same as --envelope claw-2.0 or claw-1.0
      --legacy-envelope              the same as --envelope claw-1.0; deprecated
      --timeout DURATION             end the tool after this long; 0 is never (default: 10m)
      --kill-after DURATION          from SIGTERM to SIGKILL of its whole tree (default: 5s)
      --max-output BYTES             cap on the tool's text in the answer; 0 is none (default: 24K)
      --spool BYTES                  most that is kept of a stream for --cursor; 0 is nothing
                                     (default: 256M)
      --cursor TOKEN                 print the next page of an earlier answer; run nothing
      --etag TAG                     leave data out where it is still what had this meta.etag
      --fields LIST                  only these fields of data, such as name,status.phase
      --redact errors|all|none       where secrets are masked: everywhere but in data, everywhere,
                                     nowhere (default: errors)
      --retry N                      try again, at most 3 times, where that is safe and may help
      --live                         also copy the tool's output to stderr as it comes
      --heartbeat DURATION           with jsonl: an event after this long a silence (default: off)
      --adapter NAME|FILE            use this adapter instead of the one found by name
      --no-adapter                   use none
      --no-log                       keep this run out of the local log
      --otel                         export the run as a span by OTLP; needs clawwrap[otel] and
                                     OTEL_EXPORTER_OTLP_ENDPOINT
      --exit mapped|native           which code to exit with (default: mapped)
      --cwd DIR                      change into DIR first
      --request-id ID                put ID into meta.request_id
      --dev                          check the envelope against the contract; findings are warnings
  -h, --help     -V, --version

CLAWWRAP=off turns clawwrap into the tool itself. `clawwrap VERB --help` tells more of a verb.
"""

#: The verbs of the closed list that this version has.
AVAILABLE = (
    "adapters",
    "batch",
    "doctor",
    "explain",
    "hook",
    "init",
    "log",
    "manifest",
    "mcp",
    "migrate",
    "schema",
    "shim",
    "stats",
)
#: Those that have actions.
GROUPS = ("adapters", "shim")


def run(inv: Invocation) -> int:
    """Answer a verb, --help or --version in the form that was asked for."""
    words = _take_output(inv, list(inv.words)) if inv.verb else []
    inv.fill(catalog.config(os.environ) if inv.output is None else {})
    inv.fill(DEFAULTS)
    inv.settle_output(on_terminal=os.isatty(1))
    command = " ".join(["clawwrap", *_path(words)]) if inv.verb else "clawwrap"
    try:
        answer = _answer(inv, words)
    except ClawwrapError as error:
        return emit.write(inv, outcomes.refusal(inv, error, command))
    outcome = as_outcome(inv, answer, command)
    if answer.stdout_is_taken:
        return emit.write_beside(inv, outcome, answer.text)
    return emit.write(inv, outcome, human_text=answer.text)


def _answer(inv: Invocation, words: list[str]) -> Answer:
    if inv.wants == "help":
        return Answer({"help": HELP}, HELP)
    if inv.wants == "version":
        return Answer({"version": __version__}, f"clawwrap {__version__}\n")
    if inv.verb not in AVAILABLE:
        others = ", ".join(AVAILABLE)
        raise UsageError(
            f"the verb {inv.verb!r} is reserved, and this version does not have it",
            code="UNKNOWN_SUBCOMMAND",
            suggestion=f"The verbs are {others}. A tool of that name: clawwrap -- {inv.verb} …",
        )
    return _call(inv, words)


def _take_output(inv: Invocation, words: list[str]) -> list[str]:
    """The words without --output, which every verb understands at any place before `--`."""
    kept: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            return [*kept, word, *rest]
        if word in ("-o", "--output"):
            inv.set_option("--output", "output", next(rest, ""))
        elif word.startswith("--output="):
            inv.set_option("--output", "output", word.partition("=")[2])
        else:
            kept.append(word)
    return kept


def _path(words: list[str]) -> list[str]:
    """The verb, and the action where the verb has actions."""
    return [w for w in words[:2] if not w.startswith("-")] if words[0] in GROUPS else words[:1]


def _call(inv: Invocation, words: list[str]) -> Answer:
    if words[0] == "mcp":
        from clawwrap.admin import mcp  # a server that stays does not carry Typer with it

        return mcp.serve(words[1:])
    from clawwrap.admin import app

    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            result: Any = app.command(words, inv)
    except ClawwrapError:
        raise
    except Exception as error:
        # Typer's own complaints; its classes moved between versions, their method did not.
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        verb = words[0]
        raise UsageError(
            f"{verb}: {message()}".replace("\n", " "),
            code="INVALID_ARGUMENT",
            suggestion=f"`clawwrap {verb} --help` shows how it is called; "
            f"a tool of that name runs as `clawwrap -- {verb} …`.",
        ) from error
    if isinstance(result, Answer):
        return result
    return Answer({"help": printed.getvalue()}, printed.getvalue())
