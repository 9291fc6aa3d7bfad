"""What each agent host sends to a hook, and the answer that rewrites a command and grants nothing.

Looked up in each host's own documentation, and in its program where that can be read:

claude-code  https://code.claude.com/docs/en/hooks#pretooluse-decision-control: `updatedInput`
             replaces the whole input, and rules are evaluated against it. Without
             `permissionDecision` the usual permission flow goes on.
codex        https://developers.openai.com/codex/hooks: takes `updatedInput` only together with
             `permissionDecision: "allow"`, and from that only the input: its parser
             (codex-rs/hooks/src/engine/output_parser.rs) keeps no decision but deny, so rules
             and approvals judge the new command as any other.
gemini-cli   https://geminicli.com/docs/hooks/reference#beforetool: `hookSpecificOutput.tool_input`;
             without `decision` its policies judge the new input.
cursor       https://cursor.com/docs/agent/hooks, preToolUse: `updated_input`; only
             `permission: "deny"` stops a call, and approval comes behind the hook.
copilot-cli  https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference:
             `modifiedArgs`; without `permissionDecision` the default behaviour holds.
opencode     https://opencode.ai/docs/plugins and /v2/docs/build/plugins: a plugin changes the
             arguments; ours asks this hook, so the shape on the pipe is our own.
"""

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Json = dict[str, Any]


class Call:
    """A call of a tool, as the host tells of it."""

    __slots__ = ("arguments", "event", "folder", "tool")

    def __init__(self, event: str, tool: str, arguments: "Json", folder: str) -> None:
        self.event = event
        self.tool = tool
        self.arguments = arguments
        self.folder = folder


class Host:
    """One agent host: the names in its JSON, and its answer."""

    __slots__ = ("_keys", "answer", "event", "others", "quiet", "shells")

    def __init__(
        self,
        *,
        event: str,
        shells: tuple[str, ...],
        answer: "Callable[[Json], Json]",
        keys: tuple[str, str] = ("tool_name", "tool_input"),
        others: tuple[str, ...] = (),
        quiet: str = "",
    ) -> None:
        self.event = event
        self.shells = shells
        self.answer = answer
        self.others = others  # tools that it also tells us of, and that are no shell
        self.quiet = quiet  # what it wants to read where nothing is to be changed
        self._keys = keys

    def read(self, payload: "Any") -> Call:
        """The call in a payload; ValueError where there is none."""
        if not isinstance(payload, dict):
            raise ValueError("not an object")
        name, inputs = self._keys
        tool, arguments = payload.get(name), payload.get(inputs)
        if isinstance(arguments, str):  # JSON within JSON
            arguments = json.loads(arguments)
        if not isinstance(tool, str) or not isinstance(arguments, dict):
            raise ValueError(f"no {name} or no {inputs}")
        event, folder = payload.get("hook_event_name", self.event), payload.get("cwd", "")
        return Call(str(event), tool, arguments, folder if isinstance(folder, str) else "")


def _claude_code(arguments: "Json") -> "Json":
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": arguments}}


def _codex(arguments: "Json") -> "Json":
    output = {"hookEventName": "PreToolUse", "permissionDecision": "allow"}
    return {"hookSpecificOutput": {**output, "updatedInput": arguments}}


def _gemini_cli(arguments: "Json") -> "Json":
    return {"hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": arguments}}


HOSTS = {
    "claude-code": Host(event="PreToolUse", shells=("Bash",), answer=_claude_code),
    "codex": Host(event="PreToolUse", shells=("Bash",), answer=_codex),
    "gemini-cli": Host(event="BeforeTool", shells=("run_shell_command",), answer=_gemini_cli),
    "cursor": Host(
        event="preToolUse",
        shells=("Shell",),
        answer=lambda arguments: {"updated_input": arguments},
        quiet="{}",  # it takes silence for a hook that failed
    ),
    "copilot-cli": Host(
        event="preToolUse",
        keys=("toolName", "toolArgs"),
        shells=("bash",),
        answer=lambda arguments: {"modifiedArgs": arguments},
        others=(
            "ask_user",
            "create",
            "edit",
            "glob",
            "grep",
            "powershell",
            "task",
            "view",
            "web_fetch",
        ),
    ),
    "opencode": Host(
        event="tool.execute.before",
        keys=("tool", "args"),
        shells=("bash", "shell"),
        answer=lambda arguments: {"args": arguments},
    ),
}
