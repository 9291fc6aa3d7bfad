"""Picks the adapter for a command and hands out compiled YAML as plain data.

Part of the hot path. YAML is read once per edit: its compiled form is kept in the user's
cache folder, stamped with every file it was made from, and never a reason to fail.
"""

import marshal
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from clawwrap.invocation import Invocation

    Plan = dict[str, Any]

PACKAGE = os.path.dirname(os.path.abspath(__file__))
# In a wheel the data lies inside the package, in a source tree beside it.
DATA = PACKAGE + "/_data"
if not os.path.isdir(DATA):
    DATA = os.path.dirname(PACKAGE)
SHIPPED = DATA + "/adapters"
MAPPINGS = DATA + "/mappings"

#: What the shell takes for syntax where it stands for the first word of a command.
KEYWORDS = frozenset(
    [
        "!",
        "{",
        "}",
        "case",
        "do",
        "done",
        "elif",
        "else",
        "esac",
        "fi",
        "for",
        "if",
        "then",
        "time",
        "until",
        "while",
    ]
)
ENDS_COMMAND = ";|&()\n"
OPERATORS = ENDS_COMMAND + "<>"


class Choice:
    """The command to run, and the adapters that speak for it."""

    __slots__ = ("exit_is_of", "launchers", "parts", "words")

    def __init__(self, words: list[str], launchers: list[str]) -> None:
        self.words = words
        self.launchers = launchers  # what stands before the tool, such as env or timeout
        # Each tool's own words, with its adapter; with -c there may be several.
        self.parts: list[tuple[list[str], Plan | None]] = []
        # Whose exit code it will be; None where a line leaves that open.
        self.exit_is_of: int | None = 0

    def settings(self) -> "dict[str, int]":
        """The timeouts of the adapters: the longest, since with -c several may speak."""
        found: dict[str, int] = {}
        for _, plan in self.parts:
            for name in ("timeout", "kill_after"):
                value = plan[name] if plan else None
                if value is not None:
                    known = found.get(name, value)
                    found[name] = 0 if 0 in (known, value) else max(known, value)  # 0: no limit
        return found


# Compiled YAML


def read(path: str, kind: str = "adapter") -> "Plan":
    """The compiled form of a YAML file, or of a folder of adapters: a map of name to file."""
    name = os.path.abspath(path).replace("%", "%%").replace("/", "%")
    cached = f"{cache_folder()}/{kind}{name}.plan"
    plan = _read_cache(cached, path)
    if plan is None:
        from clawwrap import loader  # costs a YAML parse; only after an edit

        sources, plan = loader.COMPILE[kind](path)
        stamps = [stamp for stamp in map(_stamp, [loader.__file__, *sources]) if stamp]
        _write_cache(cached, marshal.dumps((stamps, plan), 4))
    return plan


_mappings: "dict[str, Plan]" = {}  # they do not change while we run


def mapping(name: str) -> "Plan":
    """The compiled form of one shipped table."""
    if name not in _mappings:
        _mappings[name] = read(f"{MAPPINGS}/{name}.yaml", "mapping")
    return _mappings[name]


def cache_folder() -> str:
    from clawwrap import __version__

    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return f"{base}/clawwrap/{__version__}"


def _stamp(path: str) -> "tuple[str, int, int] | None":
    try:
        found = os.stat(path)
    except OSError:
        return None
    return path, found.st_mtime_ns, found.st_size


def _read_cache(file: str, source: str) -> "Plan | None":
    try:
        fd = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        found = os.fstat(fd)
        # marshal trusts its input, so the file must be ours alone.
        if found.st_uid != os.geteuid() or found.st_mode & 0o022:
            return None
        stamps, plan = marshal.loads(os.read(fd, found.st_size))
        if stamps[1][0] != source or any(_stamp(stamp[0]) != stamp for stamp in stamps):
            return None
        return plan  # type: ignore[no-any-return]  # our own file, of the shape written below
    except (OSError, EOFError, ValueError, TypeError, LookupError):
        return None
    finally:
        os.close(fd)


def _write_cache(path: str, content: bytes) -> None:
    draft = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            os.write(fd, content)
        finally:
            os.close(fd)
        os.rename(draft, path)
    except OSError:
        pass  # read-only home, full disk: the next run compiles again


# Which adapter


def layers(environ: "Mapping[str, str]") -> list[str]:
    """The folders that hold adapters, the most specific first."""
    folders = [d for d in environ.get("CLAWWRAP_ADAPTER_PATH", "").split(os.pathsep) if d]
    folders.append(config_folder(environ) + "/adapters")
    return [folder for folder in folders if os.path.isdir(folder)] + [SHIPPED]


def config_folder(environ: "Mapping[str, str]") -> str:
    base = environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return base + "/clawwrap"


def config(environ: "Mapping[str, str]") -> "Plan":
    """The user's defaults for options, if there are any."""
    path = config_folder(environ) + "/config.yaml"
    return read(path, "config") if os.path.isfile(path) else {}


def locate(name: str, environ: "Mapping[str, str]") -> str | None:
    """The file of the adapter for a tool of this name, from the first layer that has one."""
    plain = name.rstrip("0123456789.").rstrip("-")  # python3.11, gcc-12
    for folder in layers(environ):
        names = read(folder, "folder")
        for known in (name, plain):
            if known in names:
                return f"{folder}/{names[known]}"
    return None


def choose(inv: "Invocation", environ: "Mapping[str, str]") -> Choice:
    """Find the tool among the words, and its adapter. A broken adapter is refused here."""
    table = mapping("launchers")
    choice = Choice(inv.argv, [])
    commands = [inv.words]
    if inv.line is not None:
        commands = [command for command in split_line(inv.line) if command]
    asked_for = read(adapter_file(inv.adapter, environ)) if inv.adapter else None
    for command in commands:
        *launchers, tool = see_through(command, table)
        plan = asked_for
        if not asked_for and not inv.no_adapter:
            plan = _adapter_of(command[tool], environ)
        choice.parts.append((command[tool:], plan))
        if inv.line is None:
            choice.launchers = [tool_name(command[at]) for at in launchers]
            if not asked_for and not inv.no_adapter:
                # What launches it may fail as well: `npm exec` that finds no package.
                found = [(command[at:], _adapter_of(command[at], environ)) for at in launchers]
                choice.parts += [part for part in found if part[1]]
    if inv.line is not None:
        # The last command answers for a pipe or a list, but after && and || anyone may have.
        branches = "&&" in inv.line or "||" in inv.line
        choice.exit_is_of = None if branches and len(commands) > 1 else len(commands) - 1
    return choice


def _adapter_of(word: str, environ: "Mapping[str, str]") -> "Plan | None":
    file = locate(tool_name(word), environ)
    return read(file) if file else None


def adapter_file(adapter: str, environ: "Mapping[str, str]") -> str:
    """The file that a person means by a name or a path; a refusal where there is none."""
    if "/" in adapter or adapter.endswith((".yaml", ".yml")):
        if os.path.isfile(adapter):
            return os.path.abspath(adapter)
        problem = f"{adapter}: there is no such file"
    else:
        found = locate(adapter, environ)
        if found:
            return found
        problem = f"there is no adapter {adapter!r} in any layer"
    from clawwrap.errors import UsageError

    raise UsageError(
        problem,
        code="UNKNOWN_ADAPTER",
        suggestion="`clawwrap adapters list` names them all, `adapters new TOOL` writes one.",
    )


# Which word is the tool


def tool_name(word: str) -> str:
    """`git` from `/usr/bin/git` or `git.exe`."""
    name = word.rsplit("/", 1)[-1]
    stem, dot, suffix = name.rpartition(".")
    return stem if dot and suffix.lower() in ("exe", "cmd", "bat", "ps1") else name


def see_through(words: list[str], table: "Plan") -> list[int]:
    """The places of the launchers in front (`env A=1`, `timeout 5`, `uv run`), then of the tool."""
    places = [0]
    while True:
        name = tool_name(words[places[-1]])
        launcher = table.get(name) or table.get(name.rstrip("0123456789."))
        behind = _behind(words, places[-1] + 1, launcher) if launcher else 0
        if not 0 < behind < len(words):
            return places
        places.append(behind)


def _behind(words: list[str], at: int, launcher: "Plan") -> int:
    """Where the launched command starts; 0 where this call launches nothing."""
    at = skip_options(words, at, launcher)
    if launcher["sub"]:
        if at >= len(words) or words[at] not in launcher["sub"]:
            return 0
        at = skip_options(words, at + 1, launcher)
    if launcher["flag"]:
        return at + 1 if at < len(words) and words[at] == launcher["flag"] else 0
    if at < len(words) and words[at] in launcher["stop"]:
        return 0
    if launcher["assignments"]:
        while at < len(words) and "=" in words[at]:
            at += 1
    return at + int(launcher["skip"])


def skip_options(words: list[str], at: int, grammar: "Plan") -> int:
    """Past the options at this place, each with its value where `grammar` says it takes one."""
    stop = (grammar.get("flag"), *grammar.get("stop", ()))
    while at < len(words) and words[at].startswith("-") and words[at] not in stop:
        if words[at] == "--":
            return at + 1
        at += 2 if words[at] in grammar["values"] else 1
    return at


def split_line(line: str) -> list[list[str]]:
    """The simple commands of a shell line, well enough to know which tools it names."""
    commands: list[list[str]] = [[]]
    word, quote, before = "", "", ""
    escaped = is_target = False
    for char in line + "\n":
        if escaped:
            word, escaped = word + char, False
        elif char == "\\" and quote != "'":
            escaped = True
        elif quote:
            word, quote = (word, "") if char == quote else (word + char, quote)
        elif char in "'\"":
            quote = char
        elif char.isspace() or char in OPERATORS:
            command = commands[-1]
            if word and not is_target and (command or not _is_syntax(word)):
                command.append(word)
            is_target = (is_target and not word) or char in "<>"  # a file, not a tool
            word = ""
            if char in ENDS_COMMAND and before not in "<>":
                commands.append([])
        else:
            word += char
        before = char
    return commands


def _is_syntax(word: str) -> bool:
    """Whether a word in front of a command is the shell's own: a keyword or an assignment."""
    name, equals, _ = word.partition("=")
    return word in KEYWORDS or (bool(equals) and name.isidentifier())
