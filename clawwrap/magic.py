"""What kind of file some bytes are, by how they begin."""

from __future__ import annotations

from clawwrap import catalog

UNKNOWN = "application/octet-stream"


def kind_of(head: bytes) -> str:
    """The media type, as mappings/magic.yaml knows it."""
    for kind, marks in catalog.mapping("magic")["kinds"].items():
        for offset, mark in marks:
            if head[offset : offset + len(mark)] == mark:
                return str(kind)
    return UNKNOWN
