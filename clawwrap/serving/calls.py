"""What the tools do: arguments in, an envelope out, whatever the arguments are."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from clawwrap import api, catalog, commands, emit, invocation, json_text, pages
from clawwrap import schema as schemas
from clawwrap.contract import Outcome
from clawwrap.envelopes import response
from clawwrap.errors import ClawwrapError, UsageError
from clawwrap.invocation import DEFAULTS, Invocation
from clawwrap.redact import LineRedactor, Redactor
from clawwrap.serving import tools
from clawwrap.serving.allowed import Allowed

Arguments = Mapping[str, Any]
#: Some clients read JSON that is nested 128 deep, of which their own wrapping takes a few.
DEEPEST = 100
LONGEST_LINE = 200


class Answer(NamedTuple):
    """An envelope as the line that clawwrap would print, and as a value."""

    text: str
    envelope: dict[str, Any]
    effects: str | None = None  # of the command, where one was run


class Command:
    """One call of `run`; any thread may cancel it while another waits for its answer."""

    def __init__(self, given: Arguments, allowed: Allowed, progress: Progress | None) -> None:
        self._given = given
        self._allowed = allowed
        self._progress = progress
        self._running: api.Running | None = None
        self._cancelled = False
        self._kill_after_ms: int | None = None

    def answer(self) -> Answer:
        return _answered(self._outcome)

    def _outcome(self) -> tuple[Outcome[Any], str | None]:
        how = _how(self._given, self._allowed)
        hear = self._progress.hear if self._progress else None
        running = api.Running(how.pop("argv", ()), on_output=hear, **how)
        if self._progress:
            self._progress.guard(running)
        self._running = running
        if self._cancelled:
            running.cancel(kill_after_ms=self._kill_after_ms)
        return running.result(), commands.effects(running.choice.parts)

    def cancel(self, kill_after_ms: int | None = None) -> None:
        """End it with its whole tree; one that has not begun ends as soon as it has.

        Tools take a second SIGTERM for impatience, so only who is in a hurry sends one.
        """
        is_news = not self._cancelled or kill_after_ms is not None
        self._kill_after_ms = self._kill_after_ms if kill_after_ms is None else kill_after_ms
        self._cancelled = True
        if self._running and is_news:
            self._running.cancel(kill_after_ms=kill_after_ms)


class Progress:
    """The last line that a command has printed, without secrets."""

    def __init__(self) -> None:
        self.line = ""
        self._hide: dict[str, LineRedactor] = {}

    def guard(self, running: api.Running) -> None:
        """Learn what is a secret in this run; called before it says anything."""
        inv, choice = running.inv, running.choice
        plans = choice.plans
        guard = Redactor(inv.redact or "errors", choice.words, plans, choice.environ)
        self._hide = {name: guard.stream() for name in ("stdout", "stderr")}

    def hear(self, stream: str, text: str) -> None:
        lines = [line for line in self._hide[stream].feed(text).splitlines() if line.strip()]
        if lines:
            self.line = lines[-1].strip()[:LONGEST_LINE]


def answer(name: str, given: Arguments) -> Answer:
    """The answer of a tool that runs nothing."""
    return _answered(lambda: (ANSWERS[name](given), None))


def _page(given: Arguments) -> Outcome[Any]:
    _check(tools.PAGE, given)
    inv = Invocation(time.monotonic_ns())
    words = [f"--cursor={given['cursor']}"]
    if "max_output" in given:
        words.append(f"--max-output={given['max_output']}")
    invocation.parse(inv, words, os.environ)
    inv.output = "json"
    inv.fill(catalog.config(os.environ))
    inv.fill(DEFAULTS)
    token, kept = pages.find(inv.cursor or "")
    try:
        return pages.page(inv, token, kept)
    finally:
        kept.close()


def _explain(given: Arguments) -> Outcome[Any]:
    from clawwrap.admin import answer, explain  # not every client asks

    _check(tools.EXPLAIN, given)
    _one_of(given, "argv", "line", "code")
    inv = Invocation(time.monotonic_ns())
    if "code" in given:
        found = explain.code(given["code"])
        if found is None:
            raise UsageError(
                f"code: {given['code']!r} is neither an exit code nor an error.code",
                code="INVALID_ARGUMENT",
                suggestion="For instance 8, RATE_LIMITED or NO_MATCH; a command goes into argv.",
            )
    else:
        words = given["argv"] if "argv" in given else ["-c", given["line"]]
        found = explain.explain(["--", *words], None, None, None)
    return answer.outcome(inv, found, "clawwrap explain")


def _manifest(given: Arguments) -> Outcome[Any]:
    from clawwrap.admin import answer, manifest

    _check(tools.MANIFEST, given)
    inv = Invocation(time.monotonic_ns())
    words = [given["tool"]] if given.get("tool") else []
    if given.get("subcommand"):
        if not words:
            raise UsageError("subcommand: of which tool?", code="INVALID_ARGUMENT")
        words += given["subcommand"].split()
    found = manifest.manifest(words, everything=False, known_etag=given.get("etag"))
    return answer.outcome(inv, found, "clawwrap manifest")


ANSWERS: dict[str, Callable[[Arguments], Outcome[Any]]] = {
    "page": _page,
    "explain": _explain,
    "manifest": _manifest,
}


# Arguments


def _how(given: Arguments, allowed: Allowed) -> dict[str, Any]:
    """What the library wants to know, once the lists allow it."""
    how = dict(given)
    for name in ("timeout", "kill_after"):
        if isinstance(how.get(name), (int, float)) and not isinstance(how[name], bool):
            how[name] = str(how[name])  # seconds
    _check(tools.RUN, how)
    _one_of(how, "argv", "line")
    allowed.check(how)
    how["cwd"] = allowed.folder(how.get("cwd"))
    if "stdin" in how:
        how["stdin"] = how["stdin"].encode()
    if "env" in how:
        how["env"] = {**os.environ, **how["env"]}
    return how


def _check(tool: tools.Tool, given: Arguments) -> None:
    """Refuse what the tool's schema does not allow, and what no program can be given."""
    found = schemas.problems(given, tools.input_schema(tool))
    problems = [f"{one.place}: {one.message}" if one.path else one.message for one in found]
    for name, value in given.items():
        if name != "stdin" and "\0" in _as_text(value):
            problems.append(f"{name}: holds a NUL character")
    for name in given["env"] if isinstance(given.get("env"), dict) else ():
        if not name or "=" in name:
            problems.append(f"env: {name!r} is no name of a variable")
    if problems:
        raise UsageError(
            "; ".join(problems[:3]),
            code="INVALID_ARGUMENT",
            suggestion=f"The schema of the tool `{tool.name}` says what each argument is.",
        )


def _as_text(value: Any) -> str:
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        return "".join(map(_as_text, value))
    return value if isinstance(value, str) else ""


def _one_of(given: Arguments, *names: str) -> None:
    if sum(name in given for name in names) != 1:
        told = f"{', '.join(names[:-1])} and {names[-1]}"
        got = " and ".join(name for name in names if name in given) or "none of them"
        raise UsageError(
            f"expected one of {told}; got {got}",
            code="MISSING_ARGUMENT" if got == "none of them" else "INVALID_ARGUMENT",
            suggestion='For instance {"argv": ["git", "status"]}.',
        )


# Answers


def _answered(work: Callable[[], tuple[Outcome[Any], str | None]]) -> Answer:
    """What came of it as an envelope, also where it was refused or is a bug of ours."""
    effects = None
    try:
        outcome, effects = work()
    except ClawwrapError as error:
        outcome = api.refused(error)
    except Exception as error:
        bug = ClawwrapError(f"clawwrap has a bug: {type(error).__name__}: {error}")
        outcome = api.refused(bug)
    envelope = response.render(outcome)
    if json_text.is_too_deep(envelope, DEEPEST):
        note = f"clawwrap: what is nested more than {DEEPEST} deep is given as text"
        envelope = _shallow(envelope, DEEPEST) | {"warnings": [*envelope["warnings"], note]}
    line = emit.encode(envelope)
    return Answer(line.decode(), json_text.loads(line), effects)


def _shallow(value: Any, levels: int) -> Any:
    """The value, with what lies deeper as the JSON that it is."""
    if not isinstance(value, (dict, list)):
        return value
    if not levels:
        return json.dumps(value)
    if isinstance(value, list):
        return [_shallow(item, levels - 1) for item in value]
    return {key: _shallow(item, levels - 1) for key, item in value.items()}
