"""Whether some texts surely hold no secret, found out without loading what knows them all."""

from __future__ import annotations

from clawwrap import catalog

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    Plan = dict[str, Any]

#: From this length on a word after an equals sign may be a value that nobody has typed.
LEAST_RANDOM = 16
#: Variables that say where we are, which is no secret.
PLACES = ("PWD", "OLDPWD")


def is_silent(
    texts: Iterable[str], flags: Iterable[str], plans: Sequence[Plan], environ: Mapping[str, str]
) -> bool:
    """True where no rule can find anything in these texts; `flags` are words that may be flags."""
    joined = "\n".join(texts)
    lowered = joined.lower().encode("utf-8", "surrogatepass")
    words = catalog.read(f"{catalog.MAPPINGS}/secrets.yaml", "alarms")["words"]
    if any(word in lowered for word in words):
        return False
    if b"=" in lowered and any(len(word) >= LEAST_RANDOM for word in lowered.split()):
        return False
    for plan in plans:
        own = tuple(flag["flag"] for flag in plan["secret_flags"])
        if plan["secrets"] or (own and any(word.startswith(own) for word in flags)):
            return False
    for name, value in environ.items():
        if len(value) > 7 and value in joined and name not in PLACES:
            called = name.lower().encode("utf-8", "surrogatepass")
            if any(word in called for word in words):
                return False
    return True
