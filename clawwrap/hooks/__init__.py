"""`clawwrap hook AGENT`: reads an agent host's JSON on stdin and answers with a rewritten command.

It never grants, never blocks and never complains: where anything is odd it says nothing, exits
with 0, and the host runs what it would have run. What was odd is noted for `clawwrap doctor`.
Started for every command of an agent, so nothing is imported here that can wait.
"""

import os

from clawwrap.hooks.hosts import HOSTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import FrameType

    from clawwrap.hooks.hosts import Host
    from clawwrap.hooks.state import Note

#: For everything together, waiting included; the budget of the wishes is for the line alone, in
#: time of the processor, so that a busy machine does not make a difference to a line.
MOST_SECONDS = 4.0
MOST_INPUT = 16 << 20


class OutOfTime(Exception):
    """The budget is used up."""


def is_for(argv: list[str]) -> bool:
    """Whether these words call the hook of a host, which is answered without the other verbs."""
    return argv[:1] == ["hook"] and len(argv) > 1 and argv[1] in HOSTS and "--help" not in argv


def run(argv: list[str], environ: "Mapping[str, str]") -> int:
    """Answer the host; the status is 0 whatever happens."""
    import signal

    from clawwrap.hooks import state

    host, note, answer = HOSTS[argv[1]], state.Note(), ""
    signal.signal(signal.SIGALRM, _ring)
    signal.signal(signal.SIGVTALRM, _ring)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS)
            answer = _answer(host, argv[2:], environ, note)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
    except OutOfTime:
        note.error, note.changed, answer = "time: the budget was used up", False, ""
    except Exception as error:
        note.error, note.changed, answer = _reason(error), False, ""
    try:
        os.write(1, (answer or host.quiet).encode() + b"\n" if answer or host.quiet else b"")
    except OSError:
        note.error = "output: nobody reads the answer"
    state.record(argv[1], note, environ)
    return 0


def _ring(_number: int, _frame: "FrameType | None") -> None:
    raise OutOfTime


def _reason(error: Exception) -> str:
    """What went wrong, without a word of what came in."""
    from clawwrap.errors import ClawwrapError

    if isinstance(error, ClawwrapError):
        return error.message[:300]
    if isinstance(error, (ValueError, RecursionError)):
        return "input: not what the host is documented to send"
    return f"bug: {type(error).__name__}"


def _answer(host: "Host", options: list[str], environ: "Mapping[str, str]", note: "Note") -> str:
    import json
    import signal

    from clawwrap import catalog
    from clawwrap.hooks import permissions, wishes
    from clawwrap.shell import rewrite

    payload = json.loads(_read(), parse_constant=_refuse)
    call = host.read(payload)
    wanted = wishes.read(options, environ)
    if call.event != host.event:
        note.error = f"event: expected {host.event}, got {call.event[:40]!r}"
        return ""
    if call.tool not in host.shells:
        if call.tool not in host.others and not call.tool.startswith("mcp__"):
            note.unknown_tool = ascii(call.tool[:60])[1:-1]
        return ""
    line = call.arguments.get("command")
    if not isinstance(line, str) or environ.get("CLAWWRAP") == "off":
        return ""
    rules = wishes.rules(wanted, environ, permissions.denied(host, call.folder, environ))
    catalog.locate(host.event, environ)  # what is compiled once is compiled now, found or not
    # From here on the time depends on what the line is made of.
    signal.setitimer(signal.ITIMER_VIRTUAL, max(wanted["budget"], 1) / 1000)
    done = rewrite.rewrite(line, rules)
    if done.text == line:
        return ""
    answer = json.dumps(host.answer(call.arguments | {"command": done.text}), allow_nan=False)
    note.changed = True
    return answer


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _read() -> bytes:
    pieces, size = [], 0
    while piece := os.read(0, 1 << 16):
        pieces.append(piece)
        size += len(piece)
        if size > MOST_INPUT:
            raise ValueError("too much input")
    return b"".join(pieces)
