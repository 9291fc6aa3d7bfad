"""What a shape has no place for: its names, and the tool's own words for stderr. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clawwrap.contract import Outcome
from clawwrap.envelopes import response
from clawwrap.envelopes.reading import Clues

if TYPE_CHECKING:
    from clawwrap.envelopes import Shape

#: What the claw shapes never hold, and what nobody would miss.
EXPECTED = frozenset(
    {"meta.duration_ms", "meta.request_id", "meta.untrusted", "meta.output_format"}
)


def of(outcome: Outcome[Any], shape: Shape) -> list[str]:
    """The fields of the response shape that do not survive the way through another shape."""
    clues = Clues(command=outcome.meta.command, timestamp=outcome.meta.timestamp)
    back = shape.parse(shape.render(outcome), clues).outcome
    before, after = response.render(outcome), response.render(back)
    lost = [name for name in ("data", "warnings") if before[name] != after[name]]
    for part in ("error", "meta"):
        held = after[part] or {}
        lost += [
            f"{part}.{name}"
            for name, value in (before[part] or {}).items()
            if name not in held or held[name] != value
        ]
    return [name for name in lost if name not in EXPECTED]


def told(outcome: Outcome[Any], shape: Shape) -> str:
    """For stderr: what the tool said and the shape cannot hold, and which fields it left out."""
    failure = outcome.failure
    lost = [name for name in of(outcome, shape) if not name.startswith("meta.")]
    lines = list(outcome.warnings)
    if failure and failure.detail.strip() not in ("", failure.message):
        lines.append(failure.detail.rstrip("\n"))
    elif "error.detail" in lost:
        lost.remove("error.detail")  # it says no more than the message
    if outcome.meta.cursor and f"--cursor {outcome.meta.cursor}" not in " ".join(lines):
        lines.append(f"clawwrap: the next page: clawwrap --cursor {outcome.meta.cursor}")
    if lost:
        lines.append(f"clawwrap: {shape.NAME} has no place for {', '.join(lost)}")
    return "".join(f"{line}\n" for line in lines)
