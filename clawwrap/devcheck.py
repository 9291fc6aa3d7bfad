"""The contract's self-checks for `--dev` and for tests: schema, invariants, declared codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clawwrap import adapter, schema
from clawwrap.catalog import Choice
from clawwrap.contract import Outcome
from clawwrap.envelopes import response
from clawwrap.record import replace


def checked(outcome: Outcome[Any], choice: Choice) -> Outcome[Any]:
    """The outcome with everything the self-checks have to say about it among its warnings."""
    found = problems(response.render(outcome), outcome.code.value)
    found = [f"clawwrap: contract: {problem}" for problem in found]
    found += undeclared(outcome, choice.parts)
    return replace(outcome, warnings=(*outcome.warnings, *found))


def problems(envelope: dict[str, Any], exit_code: int) -> list[str]:
    """What is wrong with an envelope of the response shape, given the exit code beside it."""
    found = [
        f"{p.place or 'envelope'}: {p.message}"
        for p in schema.problems(envelope, schema.load("envelope"))
    ]
    if found:
        return found
    error, meta = envelope["error"], envelope["meta"]
    if envelope["ok"] != (exit_code == 0):
        found.append(f"ok is {envelope['ok']} but the exit code is {exit_code}")
    if meta["exit_code"] != exit_code:
        found.append(f"meta.exit_code is {meta['exit_code']} but the exit code is {exit_code}")
    if envelope["data"] is None and error is None and not meta.get("not_modified"):
        found.append("data and error are both null")
    if error is not None:
        if (exit_code == 13) != ("redirect" in error):
            found.append("REDIRECTED (13) and error.redirect come together")
        after, after_ms = error.get("retry_after"), error.get("retry_after_ms")
        if (after is None) != (after_ms is None) or (
            after is not None and after != -(-after_ms // 1000)
        ):
            found.append(f"retry_after {after} and retry_after_ms {after_ms} disagree")
        if exit_code == 11 and error["retryable"] is True and not after_ms:
            found.append("RATE_LIMITED needs retry_after_ms above 0")
    return found


def undeclared(outcome: Outcome[Any], parts: Sequence[tuple[list[str], Any]]) -> list[str]:
    """A code that the tool's adapter does not declare, which callers could not plan for."""
    plan = next((plan for _, plan in parts if plan), None)
    if plan is None or (outcome.failure and outcome.failure.source == "clawwrap"):
        return []
    if outcome.code in adapter.exit_codes(plan):
        return []
    return [
        f"clawwrap: exit code {outcome.code.value} ({outcome.code.name}) is not declared "
        f"for {outcome.meta.command!r} in {plan['file']}"
    ]
