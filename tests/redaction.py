"""How many secrets are found, and how many innocent texts are left alone.

    python -m tests.redaction [--wrong]

Every text of `redaction_cases.yaml` is filled in with several seeds; a case passes if each of
them comes out as it must, to the letter.
"""

from __future__ import annotations

import argparse
import random
import re
import string
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from clawwrap.redact import Redactor

CASES = Path(__file__).parent / "redaction_cases.yaml"
SEEDS = range(8)
#: Kinds that no vendor stands behind.
GENERAL = {
    "api-key",
    "authorization",
    "cookie",
    "credential",
    "high-entropy",
    "jwt",
    "key",
    "password",
    "private-key",
    "secret",
    "session",
    "signed-url",
    "token",
    "url-password",
    "url-token",
}
ALPHABETS = {
    "alnum": string.ascii_letters + string.digits,
    "base64": string.ascii_letters + string.digits + "+/",
    "base64url": string.ascii_letters + string.digits + "-_",
    "digits": string.digits,
    "hex": "0123456789abcdef",
    "lower": string.ascii_lowercase + "234567",
    "upper": string.ascii_uppercase + "234567",
}
FILLED = re.compile(r"\{(uuid|" + "|".join(ALPHABETS) + r")(?::(\d+))?\}")
SECRET = re.compile("«(.*?)»", re.DOTALL)


class Case(NamedTuple):
    """A text, what it holds, and whether we are known to get it wrong."""

    text: str
    kind: str  # of its secrets, or the group of an innocent text
    secret: bool
    known: str

    def filled(self, seed: int) -> tuple[str, str]:
        """The text that a tool prints, and what must come of it."""
        dice = random.Random(f"{seed} {self.text}")
        text = FILLED.sub(lambda match: _fill(dice, match[1], int(match[2] or 0)), self.text)
        return SECRET.sub(r"\1", text), SECRET.sub(f"[redacted:{self.kind}]", text)

    @property
    def passes(self) -> bool:
        return all(clean(given) == wanted for given, wanted in map(self.filled, SEEDS))


def _fill(dice: random.Random, what: str, length: int) -> str:
    if what == "uuid":
        return "-".join(_fill(dice, "hex", part) for part in (8, 4, 4, 4, 12))
    return "".join(dice.choices(ALPHABETS[what], k=length))


def clean(text: str) -> str:
    return Redactor(environ={}).text(text)


@cache
def cases() -> list[Case]:
    tables = yaml.safe_load(CASES.read_text())
    return [
        *_read(tables["secrets"], secret=True),
        *_read(tables["innocent"], secret=False),
    ]


def _read(table: dict[str, list[str | dict[str, str]]], *, secret: bool) -> Iterator[Case]:
    for kind, entries in table.items():
        for entry in entries:
            fields = {"text": entry} if isinstance(entry, str) else entry
            yield Case(fields["text"], kind, secret, fields.get("known", ""))


def rate(chosen: list[Case]) -> float:
    """Which share comes out as it must."""
    return sum(case.passes for case in chosen) / len(chosen)


def table() -> str:
    """The rates in Markdown; the tokens of vendors, which have a form of their own, together."""
    rows = ["| texts with or without a secret | how many | right |", "|---|---:|---:|"]
    for secret, title in ((True, "all secrets"), (False, "all innocent texts")):
        chosen = [case for case in cases() if case.secret is secret]
        for group in dict.fromkeys(_group(case) for case in chosen):
            rows.append(_row(group, [case for case in chosen if _group(case) == group]))
        rows.append(_row(f"**{title}**", chosen))
    return "\n".join(rows)


def _group(case: Case) -> str:
    return case.kind if not case.secret or case.kind in GENERAL else "tokens of vendors"


def _row(title: str, chosen: list[Case]) -> str:
    return f"| {title} | {len(chosen)} | {100 * rate(chosen):.1f} % |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wrong", action="store_true", help="show what came out otherwise")
    if parser.parse_args().wrong:
        for case in cases():
            for given, wanted in map(case.filled, SEEDS):
                if clean(given) != wanted:
                    print(f"{case.kind}: {case.known}\n  wanted {wanted}\n  got    {clean(given)}")
                    break
    print(table())
    return 0


if __name__ == "__main__":
    sys.exit(main())
