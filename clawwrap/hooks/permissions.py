"""The host's own rules about commands: what it denies or asks about is left to it.

A host judges the rewritten command, so a rule about `git push` would no longer see it behind a
prefix. Until there is a rule for the prefixed form as well, such a command gets no prefix.
`templates` writes those rules down for a person to take over; nothing is ever granted here.
"""

import glob
import os
import re

from clawwrap.errors import SettingsError
from clawwrap.hooks.hosts import HOSTS, Host
from clawwrap.shell.rewrite import PREFIX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    #: What the host does with it (deny, ask, allow), and the rule as it stands there.
    Rule = tuple[str, str]

QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|(\[)|(\])")
DECISION = re.compile(r"decision\s*=\s*[\"'](\w+)")


def name_of(host: Host) -> str:
    return next(name for name, known in HOSTS.items() if known is host)


def files(name: str, folder: str, environ: "Mapping[str, str]") -> list[str]:
    """Where a host keeps its rules: the project's, then the user's."""
    home = environ.get("HOME") or os.path.expanduser("~")
    config = environ.get("XDG_CONFIG_HOME") or f"{home}/.config"
    claude = environ.get("CLAUDE_CONFIG_DIR") or f"{home}/.claude"
    project = environ.get("CLAUDE_PROJECT_DIR") or folder
    codex = environ.get("CODEX_HOME") or f"{home}/.codex"
    return {
        "claude-code": [
            f"{project}/.claude/settings.json",
            f"{project}/.claude/settings.local.json",
            f"{claude}/settings.json",
            "/etc/claude-code/managed-settings.json",
        ],
        "codex": [
            *sorted(glob.glob(f"{glob.escape(folder)}/.codex/rules/*.rules")),
            *sorted(glob.glob(f"{glob.escape(codex)}/rules/*.rules")),
        ],
        "gemini-cli": [f"{folder}/.gemini/settings.json", f"{home}/.gemini/settings.json"],
        "cursor": [f"{folder}/.cursor/cli.json", f"{home}/.cursor/cli-config.json"],
        "opencode": [
            *(f"{folder}/opencode.{suffix}" for suffix in ("json", "jsonc")),
            *(f"{config}/opencode/opencode.{suffix}" for suffix in ("json", "jsonc")),
        ],
    }.get(name, [])


def rules(name: str, folder: str, environ: "Mapping[str, str]") -> "Iterator[Rule]":
    """Every rule about commands that the host will find; SettingsError where a file is broken."""
    for path in files(name, folder or ".", environ):
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read(1 << 20)
        except FileNotFoundError:
            continue
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"{path}: cannot be read: {error}") from error
        if name == "codex":
            yield from _of_starlark(text)
            continue
        from clawwrap.hooks import jsonc

        try:
            settings = jsonc.load(text)
        except jsonc.Broken as error:
            raise SettingsError(f"{path}: {error}") from error
        yield from _of_settings(name, settings)


def _of_settings(name: str, data: "Any") -> "Iterator[Rule]":
    if not isinstance(data, dict):
        return
    if name == "opencode":
        of_bash = _inside(data, "permission", "bash")
        if isinstance(of_bash, dict):
            for pattern, decision in of_bash.items():
                yield str(decision), str(pattern)
        return
    if name == "gemini-cli":
        lists = {
            "deny": _inside(data, "tools", "exclude"),
            "allow": _inside(data, "tools", "allowed"),
        }
        tools: tuple[str, ...] = ("run_shell_command", "ShellTool")
    else:
        lists = {kind: _inside(data, "permissions", kind) for kind in ("deny", "ask", "allow")}
        tools = ("Bash", "Shell")
    for kind, entries in lists.items():
        for entry in entries if isinstance(entries, list) else []:
            tool, parenthesis, rest = str(entry).partition("(")
            if parenthesis and tool in tools and rest.endswith(")"):
                yield kind, rest[:-1]


def _inside(data: "Any", *keys: str) -> "Any":
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _of_starlark(text: str) -> "Iterator[Rule]":
    """`prefix_rule(pattern = ["git", "push"], decision = "prompt")`, read for its first words."""
    for block in text.split("prefix_rule(")[1:]:
        decision = DECISION.search(block)
        kind = {"forbidden": "deny", "prompt": "ask"}.get(decision.group(1) if decision else "")
        words = []
        for double, single, opens, closes in QUOTED.findall(block.partition("[")[2]):
            if opens or closes:
                break
            words.append(double or single)
        yield kind or "allow", " ".join(words)


def beginning(rule: str) -> str:
    """The fixed words that a rule starts with; empty where it is about every command."""
    fixed = rule.removesuffix(":*").partition("*")[0]
    return " ".join(fixed.split()) + (" " if fixed.endswith(" ") else "")


def denied(host: Host, folder: str, environ: "Mapping[str, str]") -> tuple[str, ...]:
    """How the commands begin that the host denies or asks about, unless it knows them prefixed."""
    found = [rule for rule in rules(name_of(host), folder, environ) if rule[0] in ("deny", "ask")]
    texts = {(kind, beginning(rule)) for kind, rule in found}
    return tuple(
        text
        for kind, text in sorted(texts)
        if text and not text.startswith("clawwrap ") and (kind, PREFIX + text) not in texts
    )


# Rules for the prefixed form


#: How a host writes a rule about commands that begin like this, and where the rule belongs.
TEMPLATES = {
    "claude-code": ("permissions", "Bash({})"),
    "codex": ("rules", ""),
    "gemini-cli": ("tools", "run_shell_command({})"),
    "cursor": ("permissions", "Shell({})"),
    "opencode": ("permission", "{}"),
}
#: What is shown to somebody who has no rules yet.
SAMPLES = {
    "claude-code": ("deny", "git push:*"),
    "codex": ("deny", "git push"),
    "gemini-cli": ("deny", "git push"),
    "cursor": ("deny", "git"),
    "opencode": ("deny", "git push *"),
}


def templates(name: str, found: "list[Rule]") -> "tuple[list[str], Any]":
    """Each rule for the prefixed command, and all of them as they stand in the host's file."""
    wanted = [rule for rule in found if beginning(rule[1]) and not rule[1].startswith("clawwrap")]
    wanted = list(dict.fromkeys(wanted or [SAMPLES[name]]))
    section, form = TEMPLATES[name]
    if name == "codex":
        blocks = [_starlark(kind, PREFIX + rule) for kind, rule in wanted]
        return blocks, "\n".join(blocks)
    if name == "cursor":  # it judges the first word alone
        wanted = list(dict.fromkeys((kind, "clawwrap") for kind, _ in wanted if kind != "allow"))
    else:
        wanted = [(kind, PREFIX + rule) for kind, rule in wanted]
    rules = [form.format(rule) for _, rule in wanted]
    if name == "opencode":
        return rules, {section: {"bash": {rule: kind for kind, rule in wanted}}}
    names = {"deny": "exclude", "allow": "allowed"} if name == "gemini-cli" else {}
    lists: dict[str, list[str]] = {}
    for (kind, _), rule in zip(wanted, rules, strict=True):
        lists.setdefault(names.get(kind, kind), []).append(rule)
    return rules, {section: lists}


def _starlark(kind: str, rule: str) -> str:
    words = ", ".join(f'"{word}"' for word in rule.split())
    decision = {"deny": "forbidden", "ask": "prompt"}.get(kind, "allow")
    return f'prefix_rule(pattern = [{words}], decision = "{decision}")\n'
