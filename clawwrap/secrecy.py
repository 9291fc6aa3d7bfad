"""What a name, a value or a flag says about being secret. Pure."""

from __future__ import annotations

from itertools import pairwise

from clawwrap import catalog

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Plan = dict[str, Any]

HEX = frozenset("0123456789abcdefABCDEF")
#: What is shorter than this is never taken for random.
LEAST_RANDOM = 16
#: Kinds of which some values are for everybody.
OFTEN_PUBLIC = ("token", "key", "high-entropy")
#: Parts of the names of types: SecretString, ApiKey.
TYPES = frozenset(("Bytes", "Key", "Password", "Secret", "Str", "String", "Token", "Type"))


def meaning(name: str, table: Plan) -> tuple[str, str]:
    camel = "".join(f"_{b}" if a.islower() and b.isupper() else b for a, b in pairwise(f"_{name}"))
    parted = camel.lower().replace("-", "_").replace(".", "_").rstrip("0123456789_")
    joined = parted.replace("_", "")
    if any(f"_{parted}".endswith(f"_{known}") for known in table["never"]):
        return "never", ""
    for strength in ("strong", "weak"):
        for kind, names in table[strength].items():
            for known in names:
                if (parted if known[0] == "_" else joined).endswith(known):
                    return strength, kind
    strong = ((kind, known) for kind, names in table["strong"].items() for known in names)
    return next((("weak", kind) for kind, known in strong if known in joined), ("", ""))


def repeats(name: str, value: str) -> bool:
    """Whether a value only says its name again, as in `password: password`."""
    return _plain(name).endswith(_plain(value.rstrip(",")))


def _plain(name: str, joint: str = "") -> str:
    return name.lower().replace("_", joint).replace("-", joint).replace(".", joint)


def passes(check: str, value: str, states: list[str]) -> bool:
    """Whether a value looks the way its surroundings demand."""
    if check == "word":
        if value.strip(".,!:;()").lower() in states or is_code(value):
            return False
        return not (is_type(value) and value.endswith((",", ";", "Str", "String")))
    if check == "code":
        return not is_code(value)
    if check == "mixed":
        inner = value[1:]
        mixed = any(map(str.isdigit, value)) or (inner != inner.lower() and inner != inner.upper())
        is_source = is_code(value) or is_type(value)
        return mixed and any(map(str.isalpha, value)) and not is_source
    if check in ("weak", "random"):
        return is_random(value, strict=check == "random")
    return True


def is_random(value: str, *, strict: bool) -> bool:
    """Whether nobody would have typed it: long, and of characters that keep changing their kind."""
    value = value.rstrip("=")
    if len(value) < LEAST_RANDOM or not set(value) - HEX - {"-", ":"}:
        return False  # hashes, object ids and UUIDs
    if any(len(part) > 31 and not set(part) - HEX for part in value.split("-")):
        return False  # a name with a hash in it
    kinds = [
        "a" if c.islower() else "A" if c.isupper() else "0" if c.isdigit() else "_" for c in value
    ]
    changes = sum(one != other for one, other in pairwise(kinds)) / len(value)
    if {"a", "A", "0"} <= set(kinds):
        return kinds.count("0") > 1 and changes > 0.35
    return not strict and {"a", "0"} <= set(kinds) and kinds.count("0") > 3 and changes > 0.25


def is_code(value: str) -> bool:
    """A call, an index or an attribute, as in a line of source: self.token, get_secret(name."""
    value = value.rstrip(",;)")
    head = value.partition("(")[0].partition("[")[0]
    if not head.replace(".", "_").isidentifier():
        return False
    return head != value or ("." in head and not any(map(str.isdigit, head)))


def is_type(value: str) -> bool:
    """The name of a type, as in `api_key: SecretString,`."""
    value = value.rstrip(",;")
    if not value.isalpha() or not value[0].isupper():
        return False
    parts = "".join(f" {char}" if char.isupper() else char for char in value).split()
    return not TYPES.isdisjoint(parts)


def is_placeholder(value: str, known: list[str], names: Plan) -> bool:
    """Whether a value stands for a secret and is none."""
    blank = value.strip("*.•…") if len(value) < 3 else value.strip("*.•…-_xX#?")
    if not blank or value[0] + value[-1] in ("<>", "{}", "[]", "()", "%%"):
        return True
    if value[0] == "$" and value[1:].isidentifier() and (value.isupper() or value.islower()):
        return True
    if len(value) > 15 and len(set(value)) < 7:
        return True
    words = [word for word in _plain(value, " ").split() if word.strip("x")]
    if value.lower() in known or "".join(words) in known:
        return True
    if not words or not all(map(str.isalpha, words)):
        return False
    if len(words) > 1 and (words[0] == "your" or words[-1] == "here"):
        return True
    return (value.isupper() or words[0] in known) and bool(meaning(value, names)[1])


def is_public(value: str, *, is_id: bool) -> bool:
    """Whether a value that looks random is for everybody: an address, an age key, an id."""
    body = value[2:] if value.startswith("0x") else ""
    if len(body) in (40, 64) and not set(body) - HEX:
        return True
    prefix, _, rest = value.partition("_")
    if is_id and 1 < len(prefix) < 7 and prefix.isalpha() and prefix.islower() and rest.isalnum():
        return True
    return value.startswith("age1") and len(value) == 62


def is_path(value: str) -> bool:
    is_one = value.startswith(("/", "./", "../", "~/")) or value[1:3] == ":\\"
    return is_one and not is_random(value, strict=True)


def is_telling(value: bytes) -> bool:
    """Whether a value is rare enough to be looked for everywhere."""
    return len(value) > 7 or (len(value) > 4 and not value.isalpha())


# Flags


def flags_for(plan: Plan, words: list[str]) -> list[Plan]:
    """The secret flags of an adapter that count for this call."""
    flags: list[Plan] = plan.get("secret_flags", [])
    if not any(flag["commands"] for flag in flags):
        return flags
    names = [catalog.tool_name(word) for word in words]
    at = names.index(plan["tool"]) + 1 if plan["tool"] in names else 1
    at = catalog.skip_options(words, at, plan)
    called = " ".join(words[at : at + 2]) + " "
    return [
        flag
        for flag in flags
        if not flag["commands"] or any(called.startswith(f"{c} ") for c in flag["commands"])
    ]


def value_of(flag: Plan, words: list[str], at: int) -> tuple[int, int] | None:
    """The word that holds the flag's value, and where in it the secret starts."""
    word, name = words[at], flag["flag"]
    if flag["glued"]:
        place = (at, len(name)) if len(word) > len(name) and not word.startswith("--") else None
    elif word == name:
        has_value = at + 1 < len(words) and not words[at + 1].startswith("--")
        place = (at + 1, 0) if has_value else None
    else:
        place = (at, len(name) + 1) if word.startswith(f"{name}=") else None
    if place and flag["after"]:
        found = words[place[0]].find(flag["after"], place[1])
        place = (place[0], found + len(flag["after"])) if found >= 0 else None
    return place if place and words[place[0]][place[1] :] else None
