"""`clawwrap schema`: the shipped JSON Schemas."""

from __future__ import annotations

import json

from clawwrap import schema
from clawwrap.admin.answer import Answer
from clawwrap.errors import UsageError

ALIASES = {"response-envelope": "envelope", "response": "envelope", "exit-codes": "exit-code"}


def show(name: str | None) -> Answer:
    if name is None:
        return Answer({"schemas": schema.names()}, "\n".join(schema.names()) + "\n")
    known = ALIASES.get(name, name)
    if known not in schema.names():
        raise UsageError(
            f"there is no schema {name!r}",
            code="INVALID_ARGUMENT",
            suggestion=f"The schemas are {', '.join(schema.names())}.",
        )
    found = schema.load(known)
    return Answer(found, json.dumps(found, indent=2, ensure_ascii=False) + "\n")
