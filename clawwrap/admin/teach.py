"""`clawwrap manifest --skill` and `--agents-md`: what an agent must know, as a file for it."""

from __future__ import annotations

import os

from clawwrap import catalog, reader
from clawwrap.admin.answer import Answer
from clawwrap.contract import ExitCode
from clawwrap.errors import UsageError
from clawwrap.reader import Action

GUIDE = os.path.join(catalog.PACKAGE, "guide.md")
#: Front matter as the Agent Skills specification has it: https://agentskills.io/specification
SKILL = """\
---
name: clawwrap
description: >-
  Run shell commands through clawwrap: one JSON envelope and one exit code of fourteen for every
  tool. Use it for commands whose failure must be understood, retried, paged or timed out.
---

# clawwrap

"""
BEGIN, END = b"<!-- clawwrap:begin -->", b"<!-- clawwrap:end -->"


def guide() -> str:
    """The contract for an agent, in the words of its own tables."""
    with open(GUIDE, encoding="utf-8") as file:
        text = file.read()
    codes = "; ".join(f"{code.value} {code.name}: {_next(code)}" for code in ExitCode)
    return text.replace("@CODES@", f"{codes}.")


def _next(code: ExitCode) -> str:
    """What the reader's side makes of this code, when it has an envelope that holds no surprise."""
    known = {ExitCode.SUCCESS: Action.PROCEED, ExitCode.REDIRECTED: Action.CALL_INSTEAD}
    action = known.get(code) or reader.read_envelope(b"", code.value).action
    return action.value.replace("_", " ")


def skill(where: str) -> Answer:
    """The skill into DIR/clawwrap/SKILL.md, or as the answer itself."""
    text = SKILL + guide()
    if where == "-":
        return Answer({"text": text}, text)
    path = os.path.join(where, "clawwrap", "SKILL.md")
    old = _read(path)
    if old is not None and not old.startswith(b"---\nname: clawwrap\n"):
        raise UsageError(
            f"{path}: exists and is another skill",
            code="FILE_EXISTS",
            suggestion="It is left as it is: move it away, or name another folder.",
        )
    return _write(path, text.encode(), old)


def agents_md(where: str) -> Answer:
    """The section between its markers in AGENTS.md, the rest left alone, or as the answer."""
    text = f"{BEGIN.decode()}\n## Running commands\n\n{guide()}{END.decode()}\n"
    if where == "-":
        return Answer({"text": text}, text)
    path = os.path.join(where, "AGENTS.md") if os.path.isdir(where) else where
    old = _read(path)
    return _write(path, _with_section(old or b"", text.encode(), path), old)


def _with_section(old: bytes, section: bytes, path: str) -> bytes:
    """The file with this section in the place of the one it has, or at its end."""
    section = section.replace(b"\n", b"\r\n") if b"\r\n" in old else section
    begin, end = old.find(BEGIN), old.find(END)
    if begin == end == -1:
        gap = b"" if not old else b"\n" if old.endswith(b"\n") else b"\n\n"
        return old + (gap.replace(b"\n", b"\r\n") if b"\r\n" in old else gap) + section
    if not 0 <= begin < end or old.count(BEGIN) > 1 or old.count(END) > 1:
        raise UsageError(
            f"{path}: the markers of the section are not one pair: {BEGIN.decode()} {END.decode()}",
            code="NOT_READY",
            suggestion="It is left as it is: make them a pair around the section, or remove both.",
        )
    return old[:begin] + section.rstrip(b"\r\n") + old[end + len(END) :]


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _refused(path, error) from error


def _write(path: str, content: bytes, old: bytes | None) -> Answer:
    """Into its place at once; a link stays a link, and what is right already is not touched."""
    changed = content != old
    if changed:
        place = os.path.realpath(path)
        draft = f"{place}.{os.getpid()}"
        try:
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(draft, "xb") as file:
                file.write(content)
            if old is not None:
                os.chmod(draft, os.stat(place).st_mode & 0o7777)
            os.replace(draft, place)
        except OSError as error:
            if os.path.lexists(draft):
                os.unlink(draft)
            raise _refused(path, error) from error
    text = f"{'written' if changed else 'unchanged'}: {path}\n"
    return Answer({"file": os.path.abspath(path), "changed": changed}, text)


def _refused(path: str, error: OSError) -> UsageError:
    code = catalog.mapping("errno")["numbers"].get(error.errno, "NOT_READY")
    return UsageError(f"{path}: {(error.strerror or '').lower()}", code=code)
