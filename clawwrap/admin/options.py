"""clawwrap's own options as data: names and values as they are declared, texts from the help."""

from __future__ import annotations

import inspect
import re
from typing import Any, NamedTuple

from clawwrap.admin import HELP
from clawwrap.invocation import DEFAULTS, FLAGS, VALUED

SHORT = {"output": "-o"}
#: A line of the help: names, what stands for the value, and where it fits, the text.
ENTRY = re.compile(
    r" +(?:-\w, +)?--(?P<name>[a-z-]+)(?: (?P<value>[A-Za-z0-9|.-]+))?(?:  +(?P<text>\S.*))?"
)


class Option(NamedTuple):
    """One option: what it is called, what it takes, and what it is for."""

    name: str
    short: str
    value: str  # what stands for it in the help; empty for a flag
    allowed: tuple[str, ...]  # all that it takes, where that is a short list
    default: Any
    about: str

    @property
    def variable(self) -> str:
        return "CLAWWRAP_" + self.name.upper().replace("-", "_")

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "option": f"--{self.name}",
            "short": self.short,
            "value": self.value,
        }
        found |= {"allowed": list(self.allowed), "variable": self.variable}
        found |= {"default": self.default, "about": self.about}
        return {key: value for key, value in found.items() if value not in ("", [], None)}


def listed() -> list[Option]:
    """Every option, in the order in which they are declared."""
    texts = _texts()
    return [_option(name, *texts.get(name, ("", ""))) for name in (*VALUED, *FLAGS)]


def _option(name: str, value: str, about: str) -> Option:
    check = VALUED.get(name)
    # What `one_of` was given: the one list of what is allowed.
    allowed = inspect.getclosurevars(check).nonlocals.get("allowed", ()) if check else ()
    default = DEFAULTS.get(name.replace("-", "_"))
    value = (value or "VALUE") if check else ""
    return Option(name, SHORT.get(name, ""), value, allowed, default, about)


def _texts() -> dict[str, tuple[str, str]]:
    """What the help says of each option: what stands for its value, and its text in one line."""
    found: dict[str, tuple[str, str]] = {}
    name = ""
    for line in HELP.splitlines():
        if entry := ENTRY.fullmatch(line):
            name = entry["name"]
            found[name] = (entry["value"] or "", entry["text"] or "")
        elif name and line.startswith(" " * 20):
            value, text = found[name]
            found[name] = (value, f"{text} {line.strip()}".strip())
        else:
            name = ""
    return found
