"""argv and CLAWWRAP_* become an `Invocation`; nobody else reads either.

Part of the hot path: imports nothing, so that the tool starts as early as it can.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NoReturn

VERBS = frozenset(
    [
        "migrate",
        "adapters",
        "explain",
        "manifest",
        "schema",
        "init",
        "shim",
        "hook",
        "mcp",
        "log",
        "stats",
        "doctor",
        "batch",
    ]
)

UNKNOWN_HINT = (
    "clawwrap's own options stand before the tool, and `--` ends them: clawwrap -- TOOL ARGS. "
    "`clawwrap --help` lists them."
)
UNITS_MS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000}
UNITS_BYTES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def refuse(message: str, suggestion: str, code: str = "INVALID_OPTION") -> "NoReturn":
    from clawwrap.errors import UsageError

    raise UsageError(message, suggestion=suggestion, code=code)


def split_number(text: str) -> tuple[str, str]:
    """The leading number of `text`, and what follows it."""
    end = 0
    while end < len(text) and (text[end] in "0123456789."):
        end += 1
    return text[:end], text[end:]


def duration(option: str, text: str) -> int:
    """Milliseconds from `500ms`, `30s`, `1m30s`, `2h`, or a bare number of seconds."""
    total, rest = 0.0, text.strip()
    while rest:
        number, rest = split_number(rest)
        unit = ""
        while rest and rest[0].isalpha():
            unit, rest = unit + rest[0], rest[1:]
        if number.count(".") > 1 or number in ("", ".") or (unit or "s") not in UNITS_MS:
            break
        total += float(number) * UNITS_MS[unit or "s"]
    else:
        if text.strip() and total < 10 * 365 * 24 * 3_600_000:
            return round(total)
    refuse(
        f"{option} wants a duration such as 500ms, 30s, 5m or 1h, got {text!r}",
        f"Give a number with one of the units ms, s, m, h, for example `{option} 30s`.",
        "INVALID_DURATION",
    )


def size(option: str, text: str) -> int:
    """Bytes from `24576`, `24K`, `24KiB` or `1M`."""
    number, unit = split_number(text.strip())
    unit = unit.strip().lower().removesuffix("b").removesuffix("i")
    if number.isdigit() and unit in UNITS_BYTES:
        return int(number) * UNITS_BYTES[unit]
    refuse(
        f"{option} wants a number of bytes such as 24576, 64K or 1M, got {text!r}",
        f"Give whole bytes with an optional K, M or G; `{option} 0` means no limit.",
        "INVALID_SIZE",
    )


def one_of(*allowed: str) -> "Callable[[str, str], str]":
    def check(option: str, text: str) -> str:
        if text in allowed:
            return text
        refuse(
            f"{option} wants one of {', '.join(allowed)}, got {text!r}",
            f"Use for example `{option} {allowed[0]}`.",
        )

    return check


def anything(option: str, text: str) -> str:
    if text and "\0" not in text:
        return text
    refuse(f"{option} wants a value that is not empty", f"Give {option} a value or leave it out.")


def whole_number(option: str, text: str) -> int:
    if text.isascii() and text.isdigit():
        return int(text)
    refuse(f"{option} wants a whole number, got {text!r}", f"Write for example `{option} 2`.")


def yes_or_no(option: str, text: str) -> bool:
    if text.lower() in ("1", "true", "yes", "on"):
        return True
    if text.lower() in ("", "0", "false", "no", "off"):
        return False
    refuse(f"{option} wants 1 or 0, got {text!r}", f"Set {option}=1, or unset it.")


#: Options with a value: name → how its text becomes a value. The attribute has the same name.
VALUED: "dict[str, Callable[[str, str], Any]]" = {
    "output": one_of("auto", "json", "jsonl", "human", "raw"),
    "envelope": one_of("response", "claw-2.0", "claw-1.0"),
    "envelope-version": one_of("2.0", "1.0"),
    "timeout": duration,
    "kill-after": duration,
    "max-output": size,
    "spool": size,
    "cursor": anything,
    "etag": anything,
    "retry": whole_number,
    "heartbeat": duration,
    "fields": anything,
    "redact": one_of("errors", "all", "none"),
    "adapter": anything,
    "exit": one_of("mapped", "native"),
    "cwd": anything,
    "request-id": anything,
}
FLAGS = ("legacy-envelope", "live", "no-adapter", "no-log", "otel", "dev")

#: What holds where neither a flag, a variable, the adapter nor the config file says otherwise.
DEFAULTS: "dict[str, Any]" = {
    "output": "auto",
    "envelope": "response",
    "timeout": 600_000,
    "kill_after": 5_000,
    "max_output": 24 << 10,
    "spool": 256 << 20,
    "retry": 0,
    "heartbeat": 0,
    "redact": "errors",
    "exit": "mapped",
    "live": False,
    "no_adapter": False,
    "no_log": False,
    "otel": False,
    "dev": False,
}


class Invocation:
    """What the caller asked for. A setting is None until something has decided it."""

    __slots__ = (
        "adapter",
        "cursor",
        "cwd",
        "dev",
        "envelope",
        "envelope_version",
        "etag",
        "exit",
        "fields",
        "heartbeat",
        "kill_after",
        "legacy_envelope",
        "line",
        "live",
        "max_output",
        "no_adapter",
        "no_log",
        "otel",
        "output",
        "own_words",
        "redact",
        "request_id",
        "retry",
        "spool",
        "started_ns",
        "timeout",
        "traceparent",
        "verb",
        "wants",
        "words",
    )

    def __init__(self, started_ns: int = 0) -> None:
        self.started_ns = started_ns
        self.words: list[str] = []  # the tool's argv, exactly as typed
        self.own_words: list[str] = []  # clawwrap's own options, as typed
        self.line: str | None = None  # of -c
        self.verb: str | None = None
        self.wants: str | None = None  # "help" or "version"
        self.output: str | None = None
        self.envelope: str | None = None
        self.envelope_version: str | None = None
        self.legacy_envelope: bool | None = None
        self.timeout: int | None = None
        self.kill_after: int | None = None
        self.max_output: int | None = None
        self.spool: int | None = None
        self.cursor: str | None = None
        self.etag: str | None = None
        self.retry: int | None = None
        self.heartbeat: int | None = None
        self.fields: str | None = None
        self.redact: str | None = None
        self.adapter: str | None = None
        self.exit: str | None = None
        self.cwd: str | None = None
        self.request_id: str | None = None
        self.live: bool | None = None
        self.no_adapter: bool | None = None
        self.no_log: bool | None = None
        self.otel: bool | None = None
        self.dev: bool | None = None
        self.traceparent: str | None = None  # of the run as a span, with --otel

    @property
    def argv(self) -> list[str]:
        """What is run: the tool's words, or bash with the line of -c."""
        return self.words if self.line is None else ["bash", "-o", "pipefail", "-c", self.line]

    def settle_output(self, *, on_terminal: bool) -> None:
        """Decide what `auto` means here."""
        if self.output in (None, "auto"):
            self.output = "human" if on_terminal else "json"

    def name_envelope(self) -> list[str]:
        """The shape by its one name, whichever of the three options asked for it."""
        asked = {self.envelope, self.envelope_version and f"claw-{self.envelope_version}"}
        asked |= {"claw-1.0"} if self.legacy_envelope else set()
        shapes = sorted(name for name in asked if name)
        self.envelope = shapes[0] if len(shapes) == 1 else None
        return shapes

    def settle_envelope(self) -> None:
        """Refuse options that ask for several shapes."""
        shapes = self.name_envelope()
        if len(shapes) > 1:
            self.envelope_version = self.legacy_envelope = None
            refuse(
                f"the options ask for {' and '.join(shapes)} at once",
                "Leave one of --envelope, --envelope-version and --legacy-envelope.",
            )

    def fill(self, settings: "Mapping[str, Any]") -> None:
        """Let `settings` decide whatever nothing has decided before."""
        for name, value in settings.items():
            if getattr(self, name) is None:
                setattr(self, name, value)

    def set_option(self, place: str, option: str, text: str) -> None:
        """Decide one setting from text; `place` is what an error message names."""
        check = VALUED.get(option) or yes_or_no
        setattr(self, option.replace("-", "_"), check(place, text))


def parse(inv: Invocation, argv: list[str], environ: "Mapping[str, str]") -> None:
    """Read clawwrap's own words up to the first that is not its option; the rest is the tool's.

    Whatever was understood before a mistake stays in `inv`, so that the complaint can be
    made in the form that was asked for.
    """
    position = 0
    if argv and argv[0] in VERBS:
        inv.verb = argv[0]
        inv.words = argv
        position = len(argv)
    while position < len(argv):
        word = argv[position]
        if word == "--" or not word.startswith("-") or word == "-":
            break
        name, equals, value = word.partition("=")
        if not word.startswith("--") and len(word) > 2:
            name, equals, value = word[:2], "=", word[2:]
        name = {"-o": "--output"}.get(name, name)
        option = name[2:] if name.startswith("--") else name
        if name in ("-h", "--help"):
            inv.wants = "help"
        elif name in ("-V", "--version"):
            inv.wants = "version"
        elif option in FLAGS:
            if equals:
                refuse(f"{name} takes no value, got {value!r}", f"Write just `{name}`.")
            setattr(inv, option.replace("-", "_"), True)
        elif option in VALUED or name == "-c":
            if not equals:
                position += 1
                if position == len(argv):
                    refuse(f"{name} needs a value", f"Write `{name} VALUE` before the tool.")
                value = argv[position]
            if name == "-c":
                inv.line = value
                position += 1
                if position < len(argv):
                    refuse(
                        f"-c takes the whole line in one word; {argv[position]!r} is left over",
                        "Quote the line: clawwrap -c 'first | second'.",
                    )
                break
            inv.set_option(name, option, value)
        else:
            refuse(f"unknown option {name!r}{_closest(name)}", UNKNOWN_HINT)
        position += 1
    if inv.verb is None:
        inv.own_words = argv[:position]
        if position < len(argv) and argv[position] == "--":
            position += 1
        inv.words = argv[position:]
    inv.settle_envelope()
    named = inv.envelope is not None
    for option in (*VALUED, *FLAGS):
        variable = "CLAWWRAP_" + option.upper().replace("-", "_")
        if named and "envelope" in option:
            continue  # a flag has named the shape, whichever variable names another
        if variable in environ and getattr(inv, option.replace("-", "_")) is None:
            inv.set_option(variable, option, environ[variable])
    inv.settle_envelope()
    if inv.verb is None and inv.cursor is not None and (inv.words or inv.line is not None):
        refuse(
            "--cursor runs nothing, and there is a command behind it",
            "Leave the command out: clawwrap --cursor TOKEN; or unset CLAWWRAP_CURSOR.",
        )
    has_work = inv.verb or inv.words or inv.line is not None or inv.cursor or inv.wants
    if not has_work:
        refuse(
            "there is no command to run",
            "Put the command behind it: clawwrap git status. `clawwrap --help` lists the options.",
            "NO_COMMAND",
        )
    if inv.line is not None and not inv.line.strip():
        refuse("-c got an empty line", "Give it a command line: clawwrap -c 'make && make test'.")
    if inv.adapter and inv.no_adapter:
        refuse("--adapter and --no-adapter exclude each other", "Leave one of them out.")


def _closest(name: str) -> str:
    """The option that was probably meant, judged by the letters it starts with."""
    for option in (*VALUED, *FLAGS, "help", "version"):
        if len(name) > 3 and (option.startswith(name[2:6]) or name[2:].startswith(option)):
            return f"; did you mean --{option}?"
    return ""
