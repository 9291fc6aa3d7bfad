"""Compiles the shared tables under mappings/ into the plain data that the warm rooms look up."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from clawwrap import patterns
from clawwrap.contract import ExitCode
from clawwrap.invocation import duration

if TYPE_CHECKING:
    from clawwrap.document import Document

Plan = dict[str, Any]


def _as_is(document: Document) -> Plan:
    return dict(document.data)


def _exit_codes(document: Document) -> Plan:
    for name in document.data:
        _exit_code(document, (name,), name)
    return {name: _with_wait(spec) for name, spec in document.data.items()}


def _errors(document: Document) -> Plan:
    for name, spec in document.data.items():
        _exit_code(document, (name, "exit"), spec["exit"])
    return {name: _with_wait(spec) for name, spec in document.data.items()}


def _exit_code(document: Document, place: tuple[str, ...], name: str) -> None:
    if name not in ExitCode.__members__:
        raise document.error(place, f"unknown code {name!r}")


def _with_wait(spec: Plan) -> Plan:
    return spec | {"after": duration("", spec["after"])} if "after" in spec else spec


def _errno(document: Document) -> Plan:
    """By symbol, by number, and by text in lower case."""
    table: Plan = {"names": {}, "numbers": {}, "texts": {}}
    for name, spec in document.data.items():
        table["names"][name] = spec["error"]
        table["texts"][spec["text"].lower()] = spec["error"]
        if "number" in spec:
            table["numbers"][spec["number"]] = spec["error"]
    return table


def _http(document: Document) -> Plan:
    return {
        "statuses": document.data["statuses"],
        "says": [
            _expression(document, ("says", index), text)
            for index, text in enumerate(document.data["says"])
        ],
    }


def _environment(document: Document) -> Plan:
    return {"env": compile_env(document.data)}


def compile_env(variables: Plan) -> list[Plan]:
    """What to set, and which variables of the user's stand in the way of it."""
    compiled = []
    for name, spec in variables.items():
        unless = spec.get("unless_set", False)
        names = unless if isinstance(unless, list) else [name] if unless else []
        compiled.append({"name": name, "value": spec["value"], "unless": names, "why": spec["why"]})
    return compiled


def _launchers(document: Document) -> Plan:
    defaults: Plan = {
        "values": [],
        "stop": [],
        "sub": [],
        "flag": "",
        "skip": 0,
        "assignments": False,
        "native": {},
    }
    return {name: defaults | spec for name, spec in document.data.items()}


def _hook(document: Document) -> Plan:
    defaults: Plan = {"flags": [], "values": [], "unless": [], "operands": None}
    tools = {name: defaults | spec for name, spec in document.data["interactive"].items()}
    return {**document.data, "interactive": tools}


def _renamed(document: Document) -> Plan:
    """By the tool's name; a tool may have renamed several of its commands."""
    compiled: Plan = {}
    for index, spec in enumerate(document.data):
        if not {"to", "advice"} & set(spec) and not spec["from"].split()[-1].startswith("-"):
            raise document.error((index,), "needs `to`, or `advice` where nothing took its place")
        tool, *rest = spec["from"].split()
        entry = {"drop": [], "bare": False, "advice": "", **spec}
        entry |= {"rest": rest, "to": shlex.split(spec.get("to", ""))}
        entry["says"] = [_expression(document, (index, "says"), s) for s in [spec.get("says")] if s]
        compiled.setdefault(tool, []).append(entry)
    return compiled


def _did_you_mean(document: Document) -> Plan:
    def compiled(key: str) -> list[patterns.Matcher]:
        texts = document.data[key]
        texts = texts if isinstance(texts, list) else [texts]
        return [_expression(document, (key, i), text) for i, text in enumerate(texts)]

    return {key: compiled(key) for key in document.data}


def _waits(document: Document) -> Plan:
    found = [_expression(document, (index,), text) for index, text in enumerate(document.data)]
    return {"waits": found}


def _phrases(document: Document) -> Plan:
    data = document.data
    ranks = {}
    for index, name in enumerate(data["causes"]):
        _exit_code(document, ("causes",), name)
        ranks[name] = index
    families: list[Plan] = []
    words: dict[bytes, list[int]] = {}
    always: list[int] = []
    for index, family in enumerate(data["phrases"]):
        compiled = dict(family)
        for key in ("any", "unless", "explained_by"):
            compiled[key] = patterns.group(
                [
                    _expression(document, ("phrases", index, key, number), text)
                    for number, text in enumerate(family.get(key, []))
                ]
            )
        families.append(compiled)
        _, needed, rest = compiled["any"]
        for word in needed:
            words.setdefault(word, []).append(index)
        always += [index] if rest else []
    statements = {
        key: patterns.group(
            [_expression(document, ("statements", key, i), text) for i, text in enumerate(texts)]
        )
        for key, texts in data["statements"].items()
    }
    group = [families, words, always]
    return {"ranks": ranks, "families": group, "statements": statements}


def _expression(document: Document, place: tuple[str | int, ...], text: str) -> patterns.Matcher:
    try:
        return patterns.compile_matcher(f"/{text}/")
    except ValueError as error:
        raise document.error(place, str(error)) from error


def _secrets(document: Document) -> Plan:
    stems = document.data["names"]["stems"]
    name = f"(?P<name>[\\w.-]*(?i:{'|'.join(stems)})[\\w.-]*)"
    rules = []
    for index, spec in enumerate(document.data["rules"]):
        rule = spec | {"pattern": spec["pattern"].replace("{{name}}", name)}
        if "{{name}}" in spec["pattern"]:
            rule["words"] = stems
        rules.append(compile_secret(document, ("rules", index), rule))
    words = {word for rule in rules for word in (*rule["words"], rule["also"]) if word}
    return {**document.data, "rules": rules, "words": sorted(words)}


def alarms(secrets: Plan) -> Plan:
    """Words of which one is in every text that holds a secret, as short as they come."""
    words = {word for rule in secrets["rules"] for word in rule["words"]} - {b"="}
    words |= {flag.lstrip("-").encode() for flag in secrets["flags"]}
    words |= {stem.encode() for stem in secrets["names"]["stems"]}
    least = [word for word in words if not any(other in word for other in words - {word})]
    return {"words": sorted(least)}


def compile_secret(document: Document, place: tuple[str | int, ...], spec: Plan) -> Plan:
    """What a secret looks like, with the words that tell cheaply where it cannot be."""
    kind, pattern, literals = _expression(document, (*place, "pattern"), spec["pattern"])
    groups = patterns.expression(kind, pattern).groupindex
    if b"secret" not in groups:
        raise document.error((*place, "pattern"), "needs a group named `secret`: (?P<secret>…)")
    compiled = {"also": "", "unless": [], "each": "", "check": "", "any_name": False, **spec}
    compiled |= {"pattern": pattern, "secret": groups[b"secret"], "name": groups.get(b"name", 0)}
    words = [word.encode() for word in spec.get("words", ())]
    compiled["words"] = words or (literals[0] if literals else [b""])
    compiled["also"] = compiled["also"].encode()
    compiled["unless"] = [word.encode() for word in compiled["unless"]]
    if compiled["each"]:
        _expression(document, (*place, "each"), compiled["each"])
    return compiled


def _claw_kinds(document: Document) -> Plan:
    return {name: {"reads_text": False} | spec for name, spec in document.data.items()}


def _magic(document: Document) -> Plan:
    """Each kind with its marks: offset and bytes."""
    kinds: Plan = {}
    for kind, marks in document.data.items():
        split = [mark.partition("@") for mark in marks]
        kinds[kind] = [[int(offset or 0), bytes.fromhex(text)] for text, _, offset in split]
    return {"kinds": kinds}


COMPILE: dict[str, Callable[[Document], Plan]] = {
    "claw_commands": _as_is,
    "claw_kinds": _claw_kinds,
    "codes": _as_is,
    "did_you_mean": _did_you_mean,
    "environment": _environment,
    "errno": _errno,
    "errors": _errors,
    "exit_codes": _exit_codes,
    "hook": _hook,
    "http": _http,
    "launchers": _launchers,
    "magic": _magic,
    "phrases": _phrases,
    "redirect_words": _as_is,
    "renamed": _renamed,
    "secrets": _secrets,
    "shell": _as_is,
    "signals": _as_is,
    "sysexits": _as_is,
    "verbs": _as_is,
    "waits": _waits,
}
