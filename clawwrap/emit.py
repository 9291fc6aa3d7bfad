"""The one writer to stdout, and the one place that picks our exit status."""

from __future__ import annotations

import os

from clawwrap.capture import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any

    from clawwrap.contract import Native, Outcome
    from clawwrap.invocation import Invocation

LEGACY_NOTICE = (
    b"clawwrap: --legacy-envelope is deprecated: v1.0 envelopes will go away; "
    b"read v2.0 (--envelope-version 2.0), `clawwrap migrate` converts stored ones\n"
)


def write(inv: Invocation, outcome: Outcome[Any], *, human_text: str = "") -> int:
    """Say what happened in the form that was asked for; returns the exit status."""
    from clawwrap import envelopes

    shape = envelopes.shape(inv.envelope or "response")
    status = shape.exit_status(outcome)
    if inv.legacy_envelope:
        write_all(2, LEGACY_NOTICE)
    if inv.output in ("human", "raw"):
        from clawwrap import human, screen

        if human_text:
            write_all(1, human_text.encode("utf-8", "backslashreplace"))
        if outcome.failure and (inv.output == "human" or outcome.failure.source == "clawwrap"):
            summary = human.summary(outcome, screen.Screen.of(2))
            write_all(2, summary.encode("utf-8", "backslashreplace"))
    else:
        failed = put(encode(shape.render(outcome)))
        if inv.envelope not in (None, "response"):
            from clawwrap import losses

            write_all(2, losses.told(outcome, shape).encode("utf-8", "backslashreplace"))
        status = failed if failed and outcome.ok else status
    native = outcome.meta.native
    return _native_status(native) if inv.exit == "native" and native else status


def put(line: bytes) -> int:
    """Write an envelope; 1 where that is impossible though somebody waits for it."""
    if write_all(1, line + b"\n") or _reader_is_gone():
        return 0
    write_all(2, b"clawwrap: the envelope could not be written to stdout\n")
    return 1


def write_beside(inv: Invocation, outcome: Outcome[Any], text: str) -> int:
    """The same where stdout holds something else: a few lines on stderr."""
    from clawwrap import envelopes, human, screen

    if outcome.failure:
        text += human.summary(outcome, screen.Screen.of(2))
    write_all(2, text.encode("utf-8", "backslashreplace"))
    return envelopes.shape(inv.envelope or "response").exit_status(outcome)


def _native_status(native: Native) -> int:
    """The tool's own code, or what a shell makes of its signal."""
    if native.exit_code is not None:
        return native.exit_code
    import signal

    return 128 + int(getattr(signal, native.signal or "", 0))


def encode(envelope: dict[str, Any]) -> bytes:
    """One line of JSON; what nobody can see, or what turns the order of text, is an escape in it.

    The value stays the same for a program, and whoever reads the line itself is not deceived.
    """
    from clawwrap.json_text import dumps

    try:
        line = dumps(envelope)
    except UnicodeEncodeError:
        line = dumps(_printable(envelope))
    if line.isascii():
        return line
    from clawwrap.cleaning import INVISIBLE

    return INVISIBLE.sub(_escaped, line.decode()).encode()


def _escaped(found: re.Match[str]) -> str:
    units = found.group().encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _printable(value: Any) -> Any:
    """The same without lone surrogates, which come from file names and are no UTF-8."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_printable(key): _printable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_printable(item) for item in value]
    return value


def _reader_is_gone() -> bool:
    """A closed pipe is the reader's choice; a full disk is a failure."""
    try:
        os.write(1, b"\n")
    except BrokenPipeError:
        return True
    except OSError:
        return False
    return False
