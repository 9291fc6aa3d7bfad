"""Where each host keeps its settings, and what belongs there. The sources stand in `hosts`.

A target is one of three kinds: an entry in a JSON file, a block between marks in a text file, or
a file that is ours alone.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from clawwrap.hooks.hosts import HOSTS

SHELLS = ("bash", "zsh", "fish")
AGENTS = (*HOSTS, *SHELLS)
BEGIN, END = "# >>> clawwrap >>>", "# <<< clawwrap <<<"
#: By this a file is known as ours.
OURS = "Written by clawwrap init"
Scope = Literal["user", "project"]


class Target(NamedTuple):
    agent: str
    scope: Scope
    kind: Literal["json", "block", "file"]
    path: str
    text: str = ""  # of a block or a file
    keys: tuple[str, ...] = ()  # the array in a JSON file
    item: Any = None  # what belongs into it
    fresh: Mapping[str, Any] = {}  # what a new JSON file has beside it
    toml: bool = False
    note: str = ""  # what a person has to do beside


def find(agent: str, scope: Scope, options: list[str], environ: Mapping[str, str]) -> Target:
    """The target of a known agent; `options` are those of its hook."""
    home = environ.get("HOME") or os.path.expanduser("~")
    if agent in SHELLS:
        return _shell(agent, scope, home, environ)
    command = shlex.join(["clawwrap", "hook", agent, *options])
    user = scope == "user"
    if agent == "claude-code":
        folder = (environ.get("CLAUDE_CONFIG_DIR") or f"{home}/.claude") if user else ".claude"
        hook = {"type": "command", "command": command, "timeout": 5}
        return Target(
            agent, scope, "json", f"{folder}/settings.json",
            keys=("hooks", "PreToolUse"), item={"matcher": "Bash", "hooks": [hook]},
        )  # fmt: skip
    if agent == "gemini-cli":
        hook = {"name": "clawwrap", "type": "command", "command": command, "timeout": 5000}
        return Target(
            agent, scope, "json", f"{home if user else '.'}/.gemini/settings.json",
            keys=("hooks", "BeforeTool"), item={"matcher": "run_shell_command", "hooks": [hook]},
        )  # fmt: skip
    if agent == "cursor":
        return Target(
            agent, scope, "json", f"{home if user else '.'}/.cursor/hooks.json",
            keys=("hooks", "preToolUse"), fresh={"version": 1},
            item={"command": command, "matcher": "Shell", "timeout": 5},
        )  # fmt: skip
    if agent == "copilot-cli":
        folder = environ.get("COPILOT_HOME") or f"{home}/.copilot"
        return Target(
            agent, scope, "json",
            f"{folder}/settings.json" if user else ".github/hooks/clawwrap.json",
            keys=("hooks", "preToolUse"), fresh={} if user else {"version": 1},
            item={"type": "command", "bash": command, "timeoutSec": 5},
        )  # fmt: skip
    if agent == "codex":
        folder = (environ.get("CODEX_HOME") or f"{home}/.codex") if user else ".codex"
        return Target(
            agent, scope, "block", f"{folder}/config.toml", text=_codex(command), toml=True,
            note="Codex runs a new hook once you have reviewed and trusted it: type /hooks.",
        )  # fmt: skip
    config = environ.get("XDG_CONFIG_HOME") or f"{home}/.config"
    folder = f"{config}/opencode" if user else ".opencode"
    return Target(agent, scope, "file", f"{folder}/plugins/clawwrap.js", text=_opencode(options))


def _codex(command: str) -> str:
    quoted = command.replace("\\", "\\\\").replace('"', '\\"')
    return f"""\
[[hooks.PreToolUse]]
matcher = "^Bash$"

[[hooks.PreToolUse.hooks]]
type = "command"
command = "{quoted}"
timeout = 5
"""


def _opencode(options: list[str]) -> str:
    import json

    words = json.dumps(["hook", "opencode", *options])
    return f"""\
// {OURS} opencode; `clawwrap init opencode --uninstall` removes it.
// OpenCode 1.18.29 and later reads `server`, OpenCode 2 reads `setup`.
import {{ spawnSync }} from "node:child_process"

function rewritten(tool, args) {{
  if (!["bash", "shell"].includes(tool) || typeof args?.command !== "string") return undefined
  const input = JSON.stringify({{ tool, args, cwd: process.cwd() }})
  const done = spawnSync("clawwrap", {words}, {{ input, timeout: 5000, encoding: "utf8" }})
  if (done.status !== 0 || !done.stdout) return undefined
  try {{
    return JSON.parse(done.stdout).args.command
  }} catch {{
    return undefined
  }}
}}

export default {{
  id: "clawwrap",
  server: async () => ({{
    "tool.execute.before": async (input, output) => {{
      output.args.command = rewritten(input.tool, output.args) ?? output.args.command
    }},
  }}),
  setup: async (context) => {{
    await context.tool.hook("execute.before", async (event) => {{
      event.input.command = rewritten(event.tool, event.input) ?? event.input.command
    }})
  }},
}}
"""


def _shell(agent: str, scope: Scope, home: str, environ: Mapping[str, str]) -> Target:
    """A shell has no hook that could edit a command, so it gets the folder of shims on its PATH."""
    if agent == "fish":
        config = environ.get("XDG_CONFIG_HOME") or f"{home}/.config"
        return Target(agent, scope, "file", f"{config}/fish/conf.d/clawwrap.fish", text=FISH)
    folder = (environ.get("ZDOTDIR") or home) if agent == "zsh" else home
    note = "`clawwrap shim install TOOL` puts tools there."
    return Target(agent, scope, "block", f"{folder}/.{agent}rc", text=POSIX, note=note)


POSIX = """\
clawwrap_shims="${CLAWWRAP_SHIM_DIR:-${XDG_DATA_HOME:-$HOME/.local/share}/clawwrap/shims}"
case ":$PATH:" in
  *":$clawwrap_shims:"*) ;;
  *) export PATH="$clawwrap_shims:$PATH" ;;
esac
unset clawwrap_shims
"""
FISH = f"""\
# {OURS} fish; `clawwrap init fish --uninstall` removes it.
set -l shims $HOME/.local/share/clawwrap/shims
set -q XDG_DATA_HOME; and test -n "$XDG_DATA_HOME"; and set shims $XDG_DATA_HOME/clawwrap/shims
set -q CLAWWRAP_SHIM_DIR; and test -n "$CLAWWRAP_SHIM_DIR"; and set shims $CLAWWRAP_SHIM_DIR
contains -- $shims $PATH; or set -gx PATH $shims $PATH
"""
