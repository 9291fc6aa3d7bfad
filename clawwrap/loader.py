"""Checks adapters and tables against their schemas and compiles them into plain data.

Runs when a file was edited, or in a verb; never on a plain call. Every complaint names
the file, the line and the key.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from typing import Any

import yaml

from clawwrap import catalog, packages, patterns, schema, tables, trust
from clawwrap.adapter import speaks_of_success
from clawwrap.contract import Code, ExitCode, ToolCode
from clawwrap.document import Document
from clawwrap.entries import ExitCodeEntry, ExitCodes, SideEffects
from clawwrap.errors import ContractError, UsageError
from clawwrap.invocation import FLAGS, VALUED, Invocation, duration

Plan = dict[str, Any]

NAMES_BLOCK = re.compile(r"^names:.*\n(?:(?:[ \t#\]-].*)?\n)*", re.MULTILINE)
#: What an entry says of its code where the adapter gives only a description.
ENTRY_DEFAULTS: dict[ExitCode, tuple[bool, SideEffects]] = {
    ExitCode.SUCCESS: (False, SideEffects.COMPLETE),
    ExitCode.GENERAL_ERROR: (False, SideEffects.PARTIAL),
    ExitCode.PARTIAL_FAILURE: (False, SideEffects.PARTIAL),
    ExitCode.ARG_ERROR: (True, SideEffects.NONE),
    ExitCode.PRECONDITION: (False, SideEffects.NONE),
    ExitCode.NOT_FOUND: (False, SideEffects.NONE),
    ExitCode.CONFLICT: (False, SideEffects.NONE),
    ExitCode.PERMISSION_DENIED: (False, SideEffects.NONE),
    ExitCode.AUTH_REQUIRED: (True, SideEffects.NONE),
    ExitCode.PAYMENT_REQUIRED: (False, SideEffects.NONE),
    ExitCode.TIMEOUT: (False, SideEffects.PARTIAL),
    ExitCode.RATE_LIMITED: (True, SideEffects.NONE),
    ExitCode.UNAVAILABLE: (True, SideEffects.NONE),
    ExitCode.REDIRECTED: (True, SideEffects.NONE),
}


# Folders


def _aliases(folder: str) -> Plan:
    """The other names of the adapters in a folder, each with the file that speaks for it."""
    found: Plan = {}
    for file in sorted(os.listdir(folder)):
        stem, suffix = os.path.splitext(file)
        if suffix not in catalog.SUFFIXES or stem.startswith("."):
            continue
        for name in _names(os.path.join(folder, file)):
            found.setdefault(name, file)
    return found


def _names(path: str) -> list[str]:
    """The adapter's `names`. A broken file has none: it is refused when its tool is used.

    Only the block that says them is parsed: a folder holds a hundred files, most of them cases.
    """
    try:
        with open(path, encoding="utf-8") as file:
            block = NAMES_BLOCK.search(file.read())
        names = yaml.safe_load(block.group())["names"] if block else []
    except (OSError, ValueError, TypeError, yaml.YAMLError):
        return []
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


# Adapters


def adapter(path: str, seen: tuple[str, ...] = ()) -> tuple[list[str], Plan]:
    """An adapter, checked and compiled together with what it extends."""
    document = Document(path)
    document.check(schema.load("adapter"))
    data: Plan = document.data
    stem = os.path.splitext(os.path.basename(path))[0]
    if data["tool"] != stem and not seen:
        raise document.error(("tool",), f"the file is called {stem}, so it must say tool: {stem}")
    sources = [path]
    base: Plan = {}
    if "extends" in data:
        parent = _parent(document, data["extends"])
        if parent in seen or parent == path:
            raise document.error(("extends",), "an adapter cannot extend itself")
        more, base = adapter(parent, (*seen, path))
        sources += more
    exit_codes = _exit_codes(document, base)
    plan: Plan = {
        "tool": data["tool"],
        "file": path,
        "about": data["about"],
        "timeout": _milliseconds(data.get("timeout"), base.get("timeout")),
        "kill_after": _milliseconds(data.get("kill_after"), base.get("kill_after")),
        "env": base.get("env", []) + tables.compile_env(data.get("env", {})),
        "values": base.get("values", []) + data.get("value_options", []),
        "subcommands": data.get("subcommands", base.get("subcommands", False)),
        "shim": data.get("shim", base.get("shim", True)),
        "effects": data.get("effects", base.get("effects", "unknown")),
        "commands": base.get("commands", {}) | _commands(document),
        "exit_codes": exit_codes.to_json(),
        "retryable": base.get("retryable", {}) | _declared_retry(data),
        "native": base.get("native", {}) | _native(document, exit_codes),
        "redirects": _rules(document, "redirects", exit_codes),
        "rules": _rules(document, "rules", exit_codes),
        "data": _data(document) + base.get("data", []),
        "volatile": _volatile(document) + base.get("volatile", []),
        "secret_flags": _secret_flags(document) + base.get("secret_flags", []),
        "secrets": _secrets(document) + base.get("secrets", []),
    }
    _inherit_rules(document, plan, base)
    plan["doubts_success"] = any(map(speaks_of_success, plan["redirects"] + plan["rules"]))
    return sources, plan


def _parent(document: Document, extends: str) -> str:
    here = os.path.dirname(document.path)
    shipped = os.path.join(catalog.SHIPPED, f"{extends}.yaml")
    path = os.path.join(here, extends) if extends.endswith((".yaml", ".yml")) else shipped
    if not os.path.isfile(path):
        raise document.error(("extends",), f"there is no adapter {extends!r}")
    return os.path.abspath(path)


def _inherit_rules(document: Document, plan: Plan, base: Plan) -> None:
    """Our own rules come first, then those of the adapter below that are not switched off."""
    disabled = set(document.data.get("disable", []))
    below = [rule["id"] for part in ("redirects", "rules") for rule in base.get(part, [])]
    for index, name in enumerate(document.data.get("disable", [])):
        if name not in below:
            raise document.error(("disable", index), f"the extended adapter has no rule {name!r}")
    for part in ("redirects", "rules"):
        plan[part] += [rule for rule in base.get(part, []) if rule["id"] not in disabled]


def _milliseconds(text: str | None, inherited: int | None) -> int | None:
    return inherited if text is None else duration("", text)


def _commands(document: Document) -> Plan:
    effects: Plan = {}
    for effect, names in document.data.get("commands", {}).items():
        for index, name in enumerate(names):
            if name in effects:
                place = ("commands", effect, index)
                raise document.error(place, f"{name!r} is listed as {effects[name]} already")
            effects[name] = effect
    return effects


def _exit_codes(document: Document, base: Plan) -> ExitCodes:
    entries: dict[Code, ExitCodeEntry] = {}
    for value, old in base.get("exit_codes", {}).items():
        code: Code = ToolCode(int(value), old["name"]) if int(value) > 13 else ExitCode(int(value))
        effects = SideEffects(old["side_effects"])
        entries[code] = ExitCodeEntry(old["name"], old["description"], old["retryable"], effects)
    for key, spec in document.data["exit_codes"].items():
        place = ("exit_codes", key)
        fields = {"description": spec} if isinstance(spec, str) else dict(spec)
        try:
            code = _declared_code(key, fields)
            retryable, effects = _defaults(code, fields)
            name = fields.pop("name", "")
            entries[code] = ExitCodeEntry.declare(
                code,
                name=name,
                description=fields["description"],
                retryable=retryable,
                side_effects=effects,
            )
        except ContractError as error:
            raise document.error(place, error.message) from error
    try:
        return ExitCodes(entries)
    except ContractError as error:
        raise document.error(("exit_codes",), error.message) from error


def _declared_retry(data: Plan) -> dict[int, bool]:
    """What the adapter says in so many words about retrying a code; it wins over our defaults."""
    said: dict[int, bool] = {}
    for key, spec in data["exit_codes"].items():
        if isinstance(spec, dict) and "retryable" in spec:
            value = ExitCode[key].value if isinstance(key, str) else key
            said[value] = spec["retryable"]
    return said


def _declared_code(key: object, fields: Plan) -> Code:
    if isinstance(key, str) and key in ExitCode.__members__:
        return ExitCode[key]
    if isinstance(key, int) and not isinstance(key, bool):
        if key in range(14):
            return ExitCode(key)
        return ToolCode(key, fields.get("name", ""))
    raise ContractError(f"{key!r}: a key is the name of an ExitCode, or a number of 79–125")


def _defaults(code: Code, fields: Plan) -> tuple[bool, SideEffects]:
    retryable, effects = False, SideEffects.NONE
    if isinstance(code, ExitCode):
        retryable, effects = ENTRY_DEFAULTS[code]
    if "retryable" in fields:
        retryable = fields.pop("retryable")
    if "side_effects" in fields:
        effects = SideEffects(fields.pop("side_effects"))
    return retryable, effects


def _code_value(document: Document, place: schema.Path, name: str, declared: ExitCodes) -> int:
    if name == "SUCCESS":
        raise document.error(place, "a failure must not be mapped onto SUCCESS")
    for code in declared:
        if code.name == name:
            return int(code.value)
    if name in ExitCode.__members__:
        return int(ExitCode[name].value)
    own = [code.name for code in declared if isinstance(code, ToolCode)]
    known = ", ".join([*list(ExitCode.__members__)[1:], *own])
    raise document.error(place, f"unknown code {name!r}; expected one of {known}")


def _native(document: Document, declared: ExitCodes) -> dict[int, Plan]:
    compiled: dict[int, Plan] = {}
    for key, spec in document.data.get("native", {}).items():
        fields = {"code": spec} if isinstance(spec, str) else dict(spec)
        place = ("native", key)
        code = _code_value(document, place, fields["code"], declared)
        _refuse_redirected(document, place, code)
        compiled[int(key)] = {**fields, "code": code}
    return compiled


def _rules(document: Document, part: str, declared: ExitCodes) -> list[Plan]:
    compiled: list[Plan] = []
    ids: set[str] = set()
    for index, spec in enumerate(document.data.get(part, [])):
        place: schema.Path = (part, index)
        rule = dict(spec)
        if rule["id"] in ids:
            raise document.error((*place, "id"), f"the id {rule['id']!r} is used twice")
        ids.add(rule["id"])
        rule["line"] = document.lines[place]
        for side in ("when", "unless"):
            if side in rule:
                rule[side] = _condition(document, (*place, side), rule[side])
        if part == "rules":
            rule["code"] = _code_value(document, (*place, "code"), rule["code"], declared)
            _refuse_redirected(document, (*place, "code"), rule["code"])
            _check_rule(document, place, rule)
        else:
            _check_redirect(document, place, rule)
        compiled.append(rule)
    return compiled


def _refuse_redirected(document: Document, place: schema.Path, code: int) -> None:
    if code == ExitCode.REDIRECTED.value:
        raise document.error(place, "REDIRECTED belongs under `redirects`, which name the command")


def _check_rule(document: Document, place: schema.Path, rule: Plan) -> None:
    if speaks_of_success(rule) and not rule.get("overrides_success"):
        raise document.error(
            (*place, "when", "exit"),
            "a rule that turns exit 0 into a failure needs overrides_success: true",
        )
    retry = rule.get("retry")
    if retry:
        if retry["retryable"] is not True and ("after" in retry or "strategy" in retry):
            raise document.error((*place, "retry"), "a wait needs retryable: true")
        if retry["retryable"] is True and rule["code"] == ExitCode.PARTIAL_FAILURE.value:
            raise document.error((*place, "retry"), "PARTIAL_FAILURE is never retryable")
        retry["after"] = _milliseconds(retry.get("after"), None)


def _check_redirect(document: Document, place: schema.Path, rule: Plan) -> None:
    groups = {
        group
        for key in ("stderr", "stdout", "output")
        for matcher in rule["when"].get(key, [])
        for group in patterns.groups(matcher)
    }
    if "to" in rule:
        rule["to"] = shlex.split(rule["to"])
    elif not groups & {"right", "command"}:
        raise document.error(
            place, "needs `to`, or an expression with a group named `right` or `command`"
        )


def _data(document: Document) -> list[Plan]:
    """How stdout becomes `data`: conditions and expressions compiled."""
    compiled = []
    for index, spec in enumerate(document.data.get("data", [])):
        place: schema.Path = ("data", index)
        entry = dict(spec)
        for side in ("when", "unless"):
            if side in entry:
                entry[side] = _condition(document, (*place, side), entry[side])
        if (entry["as"] == "regex") != ("pattern" in entry):
            raise document.error(place, "`pattern` and `as: regex` belong together")
        if "separator" in entry and entry["as"] != "key-value":
            raise document.error((*place, "separator"), "`separator` belongs to `as: key-value`")
        if "pattern" in entry:
            pattern = entry["pattern"].removeprefix("/").removesuffix("/")
            entry["pattern"] = _matcher(document, (*place, "pattern"), f"/{pattern}/")
            if not patterns.groups(entry["pattern"]):
                raise document.error((*place, "pattern"), "needs groups with names: (?P<name>…)")
        compiled.append(entry)
    return compiled


def _secret_flags(document: Document) -> list[Plan]:
    """One entry for each flag whose value is secret; with a star the value is glued to it."""
    compiled = []
    for spec in document.data.get("secret_flags", []):
        fields = {"flags": [spec]} if isinstance(spec, str) else spec
        compiled += [
            {
                "flag": flag.removesuffix("*"),
                "glued": flag.endswith("*"),
                "commands": fields.get("commands", []),
                "after": fields.get("after", ""),
            }
            for flag in fields["flags"]
        ]
    return compiled


def _secrets(document: Document) -> list[Plan]:
    compiled = []
    for index, spec in enumerate(document.data.get("secrets", [])):
        pattern = spec["pattern"].removeprefix("/").removesuffix("/")
        place: schema.Path = ("secrets", index)
        compiled.append(tables.compile_secret(document, place, spec | {"pattern": pattern}))
    return compiled


def _volatile(document: Document) -> list[list[Any]]:
    """What changes in an output without the answer changing: ages, clocks."""
    return [
        _matcher(document, ("volatile", index), f"/{text}/")
        for index, text in enumerate(document.data.get("volatile", []))
    ]


def _condition(document: Document, place: schema.Path, spec: Plan) -> Plan:
    compiled: Plan = {}
    for key, value in spec.items():
        items = value if isinstance(value, list) else [value]
        if key == "exit":
            compiled[key] = [_exit_range(document, (*place, key), item) for item in items]
        elif key == "signal":
            compiled[key] = items
        else:
            compiled[key] = [_matcher(document, (*place, key), item) for item in items]
    return compiled


def _exit_range(document: Document, place: schema.Path, item: int | str) -> list[int]:
    low, _, high = str(item).partition("-")
    bounds = [int(low), int(high or low)]
    if bounds[0] > bounds[1] or bounds[1] > 255:
        raise document.error(place, f"{item} is no range of exit codes")
    return bounds


def _matcher(document: Document, place: schema.Path, text: str) -> list[Any]:
    try:
        return patterns.compile_matcher(text)
    except ValueError as error:
        raise document.error(
            place,
            str(error),
            "Expressions are RE2: no lookaround, no back-references; use `unless` for a guard.",
        ) from error


# Shared tables and the user's config


def _mapping(path: str) -> Plan:
    document = Document(path)
    name = os.path.splitext(os.path.basename(path))[0]
    shapes = schema.load("mappings")
    document.check({"$ref": f"#/$defs/{name}", "$defs": shapes["$defs"]})
    return tables.COMPILE[name](document)


def _config(path: str) -> Plan:
    """The user's defaults; keys are the names of options."""
    document = Document(path)
    if not isinstance(document.data, dict):
        raise document.error((), "expected a mapping of option names to values")
    inv = Invocation()
    known = set(VALUED) - {"adapter", "request-id", "cwd", "envelope-version"}
    known |= set(FLAGS) - {"no-adapter", "legacy-envelope"}
    for key, value in document.data.items():
        if key not in known:
            allowed = ", ".join(sorted(known))
            raise document.error((key,), f"unknown option {key!r}; expected one of {allowed}")
        text = str(value).lower() if isinstance(value, bool) else str(value)
        try:
            inv.set_option(key, key, text)
        except UsageError as error:
            raise document.error((key,), error.message, error.suggestion) from error
    return {key.replace("-", "_"): getattr(inv, key.replace("-", "_")) for key in document.data}


def _hook(path: str) -> Plan:
    """The user's wishes for the hooks of agents."""
    document = Document(path)
    names = {"type": "array", "items": {"type": "string", "minLength": 1}}
    shape = {"include": names, "exclude": names, "whole-line": {"type": "boolean"}}
    document.check({"type": "object", "additionalProperties": False, "properties": shape})
    return {key.replace("-", "_"): value for key, value in document.data.items()}


#: Who edits these edits every plan.
CODE = (__file__, tables.__file__, patterns.__file__)

#: How each kind of source becomes a plan, together with every file the plan was made from.
COMPILE: dict[str, Callable[[str], tuple[list[str], Plan]]] = {
    "adapter": adapter,
    "aliases": lambda path: ([path], _aliases(path)),
    "alarms": lambda path: ([path], tables.alarms(_mapping(path))),
    "config": lambda path: ([path], _config(path)),
    "hook": lambda path: ([path], _hook(path)),
    "mapping": lambda path: ([path], _mapping(path)),
    "packages": lambda path: ([path], {"folders": packages.folders(path)}),
    "trust": lambda path: ([path, trust.store(os.environ)], {"trusted": trust.is_trusted(path)}),
}
