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
SUFFIXES = (".yaml", ".yml")
SHIPPED = DATA + "/adapters"
MAPPINGS = DATA + "/mappings"
#: Where packages are installed that may bring adapters of their own.
BESIDE = os.path.dirname(PACKAGE)


class Choice:
    """The command to run, and the adapters that speak for it."""

    __slots__ = ("environ", "exit_is_of", "launchers", "parts", "untrusted", "words")

    def __init__(self, words: list[str], launchers: list[str]) -> None:
        self.words = words
        self.environ: Mapping[str, str] = os.environ  # the tool's, which may hold secrets
        self.launchers = launchers  # what stands before the tool, such as env or timeout
        # Each tool's own words, with its adapter; with -c there may be several.
        self.parts: list[tuple[list[str], Plan | None]] = []
        # Whose exit code it will be; None where a line leaves that open.
        self.exit_is_of: int | None = 0
        # Adapters of the project that would have spoken, had anybody trusted them.
        self.untrusted: list[str] = []

    @property
    def plans(self) -> "list[Plan]":
        """What the adapters that speak say."""
        return [plan for _, plan in self.parts if plan]

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

#: What of an adapter only a failure needs: most of it.
COLD = ("rules", "redirects", "exit_codes", "native", "about")


class Folded(dict[str, "Any"]):
    """A plan whose cold half is read once somebody asks for it."""

    def __init__(self, warm: "Plan", cold: bytes, source: str) -> None:
        super().__init__(warm)
        self._cold = cold
        self._source = source

    def __missing__(self, key: str) -> "Any":
        if not self._cold:
            raise KeyError(key)
        try:
            self.update(marshal.loads(self._cold))
        except (EOFError, ValueError, TypeError):  # damaged, which is no reason to fail
            from clawwrap import loader

            self.update(loader.adapter(self._source)[1])
        self._cold = b""
        return self[key]

    def get(self, key: str, default: "Any" = None) -> "Any":
        try:
            return self[key]
        except KeyError:
            return default


def read(path: str, kind: str = "adapter") -> "Plan":
    """The compiled form of a YAML file, a folder of adapters, or what else is slow to find out."""
    name = os.path.abspath(path).replace("%", "%%").replace("/", "%")
    cached = f"{cache_folder()}/{kind}{name}.plan"
    plan = _read_cache(cached, path)
    if plan is None:
        from clawwrap import loader  # costs a YAML parse; only after an edit

        sources, plan = loader.COMPILE[kind](path)
        stamps = [_stamp(source) for source in [*sources, *loader.CODE]]
        cold = {key: plan[key] for key in COLD if key in plan}
        warm = {key: value for key, value in plan.items() if key not in cold}
        _write_cache(cached, marshal.dumps((stamps, warm, marshal.dumps(cold)), 4))
    return plan


_mappings: "dict[str, Plan]" = {}  # they do not change while we run


def mapping(name: str) -> "Plan":
    """The compiled form of one shipped table."""
    if name not in _mappings:
        _mappings[name] = read(f"{MAPPINGS}/{name}.yaml", "mapping")
    return _mappings[name]


def cache_folder() -> str:
    from clawwrap import __version__

    return f"{cache_home(os.environ)}/clawwrap/{__version__}"


def cache_home(environ: "Mapping[str, str]") -> str:
    """Where caches go; a path that is not absolute is to be ignored, as the standard has it."""
    base = environ.get("XDG_CACHE_HOME", "")
    return base if base.startswith("/") else os.path.expanduser("~/.cache")


def _stamp(path: str) -> "tuple[str, int, int, int]":
    """What changes when a file does, also when one appears. Nobody can set the ctime back."""
    try:
        found = os.stat(path)
    except OSError:
        return path, -1, -1, -1
    return path, found.st_mtime_ns, found.st_ctime_ns, found.st_size


def _read_cache(file: str, source: str) -> "Plan | None":
    try:
        # A FIFO in its place must not make anybody wait.
        fd = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        found = os.fstat(fd)
        # marshal trusts its input, so the file must be ours alone.
        is_file = found.st_mode & 0o170000 == 0o100000
        if not is_file or found.st_uid != os.geteuid() or found.st_mode & 0o022:
            return None
        stamps, warm, cold = marshal.loads(os.read(fd, found.st_size))
        if stamps[0][0] != source or any(_stamp(stamp[0]) != stamp for stamp in stamps):
            return None
        return Folded(warm, cold, source)
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


def layers(environ: "Mapping[str, str]", cwd: str | None = None) -> list[tuple[str, str]]:
    """The folders that hold adapters, the most specific first, each with its layer's name."""
    found = [("path", d) for d in environ.get("CLAWWRAP_ADAPTER_PATH", "").split(os.pathsep) if d]
    found.append(("project", _project(cwd)))
    found.append(("yours", config_folder(environ) + "/adapters"))
    found += [("package", folder) for folder in read(BESIDE, "packages")["folders"]]
    found = [(layer, folder) for layer, folder in found if folder and os.path.isdir(folder)]
    return [*found, ("shipped", SHIPPED)]


def _project(cwd: str | None) -> str:
    """The adapters of the project around a folder; empty where there are none."""
    try:
        at = os.path.abspath(cwd or os.getcwd())
    except OSError:  # the folder was deleted under us
        return ""
    while True:
        folder = at.rstrip("/") + "/.clawwrap/adapters"
        if os.path.isdir(folder):
            return folder
        if at == "/":
            return ""
        at = os.path.dirname(at)


def config_folder(environ: "Mapping[str, str]") -> str:
    base = environ.get("XDG_CONFIG_HOME", "")
    if not base.startswith("/"):
        base = os.path.expanduser("~/.config")
    return base + "/clawwrap"


def config(environ: "Mapping[str, str]") -> "Plan":
    """The user's defaults for options, if there are any."""
    path = config_folder(environ) + "/config.yaml"
    return read(path, "config") if os.path.isfile(path) else {}


def locate(
    name: str,
    environ: "Mapping[str, str]",
    cwd: str | None = None,
    untrusted: "list[str] | None" = None,
) -> str | None:
    """The file of the adapter for a tool of this name, from the first layer that has one.

    What lies in a project speaks only once the user has trusted exactly that content; the
    others are collected in `untrusted`.
    """
    plain = name.rstrip("0123456789.").rstrip("-")  # python3.11, gcc-12
    for layer, folder in layers(environ, cwd):
        for known in (name, plain) if plain != name else (name,):
            file = _file(folder, known)
            # Nothing in a project's folder is read before it is trusted, not even for other names.
            if not file and layer != "project":
                file = _file_of_alias(folder, known)
            if not file:
                continue
            if layer != "project" or read(file, "trust")["trusted"]:
                return file
            if untrusted is not None and file not in untrusted:
                untrusted.append(file)
            break
    return None


def _file(folder: str, name: str) -> str:
    """An adapter by its file name, however many others there are."""
    for suffix in SUFFIXES if name and not name.startswith(".") else ():
        if os.path.isfile(path := f"{folder}/{name}{suffix}"):
            return path
    return ""


def _file_of_alias(folder: str, name: str) -> str:
    aliases = read(folder, "aliases")
    return f"{folder}/{aliases[name]}" if name in aliases else ""


def choose(inv: "Invocation", environ: "Mapping[str, str]") -> Choice:
    """Find the tool among the words, and its adapter. A broken adapter is refused here."""
    table = mapping("launchers")
    choice = Choice(inv.argv, [])
    commands = [inv.words]
    if inv.line is not None:
        from clawwrap.shell_line import split_line

        commands = [command for command in split_line(inv.line) if command]
    asked_for = read(adapter_file(inv.adapter, environ)) if inv.adapter else None
    for command in commands:
        *launchers, tool = see_through(command, table)
        plan = asked_for
        if not asked_for and not inv.no_adapter:
            plan = _adapter_of(command[tool], inv, environ, choice)
        choice.parts.append((command[tool:], plan))
        if inv.line is None:
            choice.launchers = [tool_name(command[at]) for at in launchers]
            if not asked_for and not inv.no_adapter:
                # What launches it may fail as well: `npm exec` that finds no package.
                for at in launchers:
                    if speaks := _adapter_of(command[at], inv, environ, choice):
                        choice.parts.append((command[at:], speaks))
    if inv.line is not None:
        # The last command answers for a pipe or a list, but after && and || anyone may have.
        branches = "&&" in inv.line or "||" in inv.line
        choice.exit_is_of = None if branches and len(commands) > 1 else len(commands) - 1
    return choice


def _adapter_of(
    word: str, inv: "Invocation", environ: "Mapping[str, str]", choice: Choice
) -> "Plan | None":
    file = locate(tool_name(word), environ, inv.cwd, choice.untrusted)
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
