"""`clawwrap mcp`: what it is given on its command line. The server is in `serving`."""

from __future__ import annotations

import os
import sys

from clawwrap.admin.answer import Answer
from clawwrap.errors import UsageError

HELP = """\
Usage: clawwrap mcp [--allow TOOL]... [--folder DIR]...

Serve the Model Context Protocol on standard input and output: the tools run, page, explain and
manifest for any host. Needs the extra clawwrap[mcp].

  --allow TOOL    only run this tool, or this command of it: --allow git --allow 'kubectl get'
  --folder DIR    only run commands in this folder and below
  --help

Without them every call is allowed: the host asks its user, and the server adds no rights.
"""
EXAMPLE = "For instance: clawwrap mcp --allow git --allow 'kubectl get' --folder ~/src."


def serve(words: list[str]) -> Answer:
    """Serve until the client goes; stdout belongs to the protocol."""
    options: dict[str, list[str]] = {"--allow": [], "--folder": []}
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if word in ("-h", "--help"):
            return Answer({"help": HELP}, HELP)
        if name not in options:
            raise UsageError(f"mcp: unknown word {word!r}", suggestion=EXAMPLE)
        found = value if equals else next(rest, None)
        if found is None:
            raise UsageError(f"mcp: {name} needs a value", suggestion=EXAMPLE)
        options[name].append(found)
    from clawwrap.serving.allowed import Allowed

    allowed = Allowed(options["--allow"], options["--folder"])
    try:
        from clawwrap.serving import server
    except ImportError as error:
        raise UsageError(
            f"clawwrap mcp needs the package mcp, version 2 or newer: {error}",
            code="MISSING_DEPENDENCY",
            suggestion="Install clawwrap with it: pipx install 'clawwrap[mcp]', "
            "uv tool install 'clawwrap[mcp]' or pip install 'clawwrap[mcp]'.",
        ) from error
    if os.isatty(0):
        sys.stderr.write("clawwrap mcp: waiting for a client on standard input; ^D ends it\n")
    server.serve(allowed)
    return Answer({}, "").on_stderr()
