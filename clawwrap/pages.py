"""`--cursor TOKEN`: the next page of what an earlier run printed; nothing is run.

A token names the run, the stream, whether text or bytes are wanted, and where to go on. It is
no path: it must have exactly this form, and the last part proves that nobody wrote it by hand.
"""

from __future__ import annotations

import os
import re
from typing import Any, NamedTuple

from clawwrap import catalog, emit, fields, items, outcomes, payload, plain, portions, spool
from clawwrap.capture import Capture, Stream, write_all
from clawwrap.contract import ExitCode, Outcome
from clawwrap.errors import UsageError
from clawwrap.invocation import DEFAULTS, Invocation
from clawwrap.redact import Redactor

TOKEN = re.compile(r"([0-9a-f]{32})\.([oe])([tb])([0-9a-f]{1,15})\.([0-9a-f]{8})")
STREAMS = {letter: name for name, letter in spool.LETTERS.items()}
TEXT, BYTES = "t", "b"
CHUNK = 1 << 20


class Token(NamedTuple):
    """A place in a stream of an earlier run."""

    run: str
    letter: str  # of the stream
    mode: str  # the text or the items of it, or its bytes
    offset: int

    def written(self, key: str) -> str:
        return f"{self.run}.{self.letter}{self.mode}{self.offset:x}.{self.proof(key)}"

    def proof(self, key: str) -> str:
        place = f"{key} {self.letter}{self.mode}{self.offset:x}"
        return plain.digest(place.encode(), size=4)


# Keeping


class Part(NamedTuple):
    """One stream as the envelope shows it."""

    name: str
    stream: Stream
    rest: int | None  # where the next page starts; None where everything is shown
    is_exact: bool
    about: dict[str, Any]  # what a reader of the pages must know


class Cursors(NamedTuple):
    """What the envelope says about the rest."""

    cursor: str | None = None
    raw_cursor: str | None = None
    warnings: tuple[str, ...] = ()


def keep(capture: Capture, out: Part, err: Part, about: dict[str, Any]) -> Cursors:
    """Store what the envelope does not show to the letter; what it does is let go."""
    cursor = raw_cursor = None
    following = ""
    warnings: list[str] = []
    for part in (err, out):
        stream = part.stream
        if part.rest is None and part.is_exact:
            if stream.store:
                stream.store.discard()
            continue
        store = stream.store
        if store is None:
            store = capture.keep(part.name)
            store.write(stream.head + stream.tail)
        kept = store.kept
        told = {"total": stream.total, "lines": stream.lines, "then": following}
        if not store.finish(about | part.about | told):
            warnings += _lost(capture, part)
            continue
        assert capture.spool is not None
        start = Token(capture.spool.id, spool.LETTERS[part.name], TEXT, part.rest or 0)
        if part.rest is not None:
            cursor, following = start.written(capture.spool.key), following + TEXT
        if not part.is_exact:
            start = start._replace(mode=BYTES, offset=0)
            raw_cursor, following = start.written(capture.spool.key), following + BYTES
        if kept < stream.total:
            warnings.append(
                f"clawwrap: {part.name} has {stream.total} bytes, of which the first {kept} "
                "are kept for --cursor; the middle is lost (--spool allows more)"
            )
    if capture.spool:
        capture.spool.close()
    if cursor:
        warnings.append(f"clawwrap: this is not all; the next page: clawwrap --cursor {cursor}")
    return Cursors(cursor, raw_cursor, tuple(warnings))


def _lost(capture: Capture, part: Part) -> list[str]:
    """A word on what cannot be reached, unless only colours are lost and nobody wants a spool."""
    assert capture.spool is not None
    if part.rest is None and not capture.spool.limit:
        return []
    return [
        f"clawwrap: the rest of {part.name} could not be kept: {capture.spool.error}; "
        "--max-output 0 puts everything into the envelope"
    ]


# Reading


def answer(inv: Invocation) -> int:
    """Print the page that the token names."""
    inv.fill(catalog.config(os.environ))
    inv.fill(DEFAULTS)
    inv.settle_output(on_terminal=os.isatty(1))
    token, kept = find(inv.cursor or "")
    try:
        if inv.output == "raw":
            return _copy(kept)
        outcome = page(inv, token, kept)
    finally:
        kept.close()
    if inv.output != "human":
        return emit.write(inv, outcome)
    data = outcome.data or {}
    shown = data.get(STREAMS[token.letter]) if isinstance(data, dict) else None
    status = emit.write(inv, outcome, human_text=shown or emit.encode(data).decode() + "\n")
    if outcome.meta.cursor:
        more = f"clawwrap: there is more: clawwrap --cursor {outcome.meta.cursor}\n"
        write_all(2, more.encode())
    return status


def find(text: str) -> tuple[Token, spool.Kept]:
    """The place and the file that a token names; a refusal where it is none of ours."""
    found = TOKEN.fullmatch(text)
    if not found:
        raise UsageError(
            f"--cursor wants meta.cursor of an earlier answer, got {text[:80]!r}",
            code="INVALID_CURSOR",
        )
    run, letter, mode, offset, proof = found.groups()
    token = Token(run, letter, mode, int(offset, 16))
    try:
        kept = spool.Kept(f"{run}.{letter}", os.environ)
    except spool.SpoolError as error:
        raise UsageError(
            f"nothing is kept under this cursor: {error}", code="CURSOR_NOT_FOUND"
        ) from None
    if proof != token.proof(kept.about["key"]) or token.offset > kept.size:
        kept.close()
        raise UsageError("--cursor: the token was changed by hand", code="INVALID_CURSOR")
    return token, kept


def _copy(kept: spool.Kept) -> int:
    """The whole stream as it was, from its first byte."""
    for at in range(0, kept.size, CHUNK):
        if not write_all(1, kept.read(at, CHUNK)):
            return ExitCode.GENERAL_ERROR.value
    return ExitCode.SUCCESS.value


def page(inv: Invocation, token: Token, kept: spool.Kept) -> Outcome[Any]:
    """One page as an outcome; a success, whatever came of the run itself."""
    about = kept.about
    name = STREAMS[token.letter]
    paths = fields.parse(inv.fields or about.get("fields") or "")
    facts: dict[str, Any] = {"offset": token.offset, "total_bytes": about["total"]}
    warnings = []
    data: Any
    if token.mode == BYTES or about["kind"] == payload.BYTES:
        data, end = _bytes(inv, token, kept)
    elif about["kind"] in (payload.ARRAY, payload.LINES):
        room = inv.max_output or kept.size
        data, end, more = items.take(about["kind"], kept.read, token.offset, room, paths)
        if inv.fields and not any(data):  # asked for now, and nothing of it is there
            data, end, more = items.take(about["kind"], kept.read, token.offset, room)
            warnings = fields.chosen(data, paths)[1]
        end = end if more else kept.size
        facts |= {"total_count": about["total_count"], "returned_count": len(data)}
    else:
        raw = kept.read(token.offset, 2 * inv.max_output if inv.max_output else kept.size)
        rendering, used = portions.take(raw, inv.max_output or 0, about["encoding"])
        data, end = {name: rendering.text}, token.offset + used
        facts["total_lines"] = about["lines"]
        if rendering.cleaned or about["encoding"] != "utf-8":
            facts["cleaned"] = rendering.cleaned
            facts["encoding"] = about["encoding"] if about["encoding"] != "utf-8" else None
            facts["raw_cursor"] = token._replace(mode=BYTES).written(about["key"])
    if follows := _following(token, kept, end):
        facts |= {"cursor": follows.written(about["key"]), "truncated": True}
    elif kept.size < about["total"] and end >= kept.size:
        facts["truncated"] = True
        warnings += [f"clawwrap: {about['total'] - kept.size} bytes that follow were not kept"]
    policy = "all" if "all" in (inv.redact, about["redact"]) else "none"
    return outcomes.respond(
        inv,
        ExitCode.SUCCESS,
        command=about["command"],
        data=Redactor(policy).value(data),
        warnings=warnings,
        untrusted=("data",),
        **facts,
    )


def _bytes(inv: Invocation, token: Token, kept: spool.Kept) -> tuple[dict[str, Any], int]:
    room = max(1, inv.max_output * 3 // 4) if inv.max_output else kept.size
    part = kept.read(token.offset, room)
    data = payload.as_base64(part, kept.about["total"], kept.read(0, 512))
    return {"stream": STREAMS[token.letter]} | data, token.offset + len(part)


def _following(token: Token, kept: spool.Kept, end: int) -> Token | None:
    """The next page of this stream, or the first of the one behind it."""
    if end < kept.size:
        return token._replace(offset=end)
    if token.letter == "o" and token.mode in kept.about["then"]:
        return token._replace(letter="e", offset=0)
    return None
