"""Puts `clawwrap --` in front of the commands of a line, or leaves the line as it is.

The answer is the line with prefixes inserted and nothing else, so whoever takes them out again
has the line that came in. In doubt a command stays, and in greater doubt the whole line.
"""

from clawwrap import catalog
from clawwrap.shell.commands import ASSIGNMENT, Command
from clawwrap.shell.grammar import Reader
from clawwrap.shell.words import Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from clawwrap.shell.words import Word

PREFIX = "clawwrap -- "
WHOLE = "clawwrap -c "
#: Longer lines are data in a script; nobody gains from reading them.
LONGEST = 64 << 10
#: What a line may not have, the first that is there being the reason that is given.
LEAVES = (
    "history", "background", "heredoc", "pipe", "redirection", "substitution", "compound", "status",
)  # fmt: skip
#: Of these, what also a line for `-c` may not have, because it is about the shell that runs it.
LEAVES_WHOLE = ("history", "background", "assignment", "status", "own")
NEVER = "\0"  # stands for a word whose text depends on the moment


class Rules:
    """What to touch: the user's lists, the tables, and who knows which words are programs."""

    __slots__ = ("denied", "exclude", "include", "is_program", "table", "whole_line")

    def __init__(
        self,
        is_program: "Callable[[str], bool]",
        *,
        include: "tuple[str, ...]" = (),
        exclude: "tuple[str, ...]" = (),
        denied: "tuple[str, ...]" = (),
        whole_line: bool = False,
    ) -> None:
        self.is_program = is_program
        self.include = tuple(tuple(entry.split()) for entry in include if entry.strip())
        self.exclude = tuple(tuple(entry.split()) for entry in exclude if entry.strip())
        self.denied = denied  # how the commands begin that the host's own rules deny or ask about
        self.whole_line = whole_line
        self.table: dict[str, Any] = catalog.mapping("hook")


class Rewriting:
    """What became of a line: the text, the places of the prefixes, and why others have none."""

    __slots__ = ("left", "places", "reason", "text", "whole")

    def __init__(self, text: str, reason: str = "") -> None:
        self.text = text
        self.reason = reason  # why the whole line stays as it is
        self.whole = False
        self.places: list[int] = []  # of the prefixes, in the line as it was
        self.left: list[tuple[str, str]] = []  # commands that stay, and why


def rewrite(line: str, rules: Rules) -> Rewriting:
    """The line with its prefixes, or the line and the reason why it has none."""
    if len(line) > LONGEST:
        return Rewriting(line, "length")
    try:
        reader = Reader(line).read()
    except Unreadable as problem:
        return Rewriting(line, problem.reason)
    if reason := _forbids(reader.commands, rules):
        return Rewriting(line, reason)
    reason = next((feature for feature in LEAVES if feature in reader.found), "")
    if reason:
        return _as_a_whole(line, reader, rules) if rules.whole_line else Rewriting(line, reason)
    return _one_by_one(line, reader.commands, rules)


def _one_by_one(line: str, commands: list[Command], rules: Rules) -> Rewriting:
    done = Rewriting(line)
    pieces, end = [], 0
    for command in commands:
        if why := stays(command, rules):
            done.left.append((line[command.start : command.end], why))
            continue
        place = command.words[0].start
        pieces += [line[end:place], PREFIX]
        done.places.append(place)
        end = place
    done.text = "".join([*pieces, line[end:]])
    if not done.places:
        done.reason = done.left[0][1] if done.left else "empty"
    return done


def _as_a_whole(line: str, reader: Reader, rules: Rules) -> Rewriting:
    """The line for `-c`, where nothing in it is about the shell that runs it."""
    if why := next((feature for feature in LEAVES_WHOLE if feature in reader.found), ""):
        return Rewriting(line, why)
    reasons = [(command, stays(command, rules)) for command in reader.commands]
    for command, why in reasons:
        changes_shell = why in ("shell", "assignment", "word", "function")
        if why in ("clawwrap", "denied", "excluded", "interactive", "unknown", "variable"):
            return Rewriting(line, why)
        if changes_shell and not command.isolated and not _is_harmless(command):
            return Rewriting(line, why)
    if all(why for _, why in reasons):
        return Rewriting(line, reasons[0][1] if reasons else "empty")
    done = Rewriting(WHOLE + "'" + line.replace("'", "'\\''") + "'")
    done.whole = True
    return done


def _is_harmless(command: Command) -> bool:
    """Whether a builtin only prints or tests, so that any shell may run it."""
    printing = (":", "[", "echo", "false", "printf", "pwd", "test", "true")
    if command.name not in printing or command.assignments:
        return False
    return command.name != "printf" or all(word.text != "-v" for word in command.words)


def _forbids(commands: list[Command], rules: Rules) -> str:
    """Why one of the commands keeps the whole line from being touched."""
    for command in commands:
        texts = _texts(command)
        if any(text in rules.table["privilege"] for text in texts):
            return "privilege"
        if any(words[0] in rules.table["never"] for words in _behind(texts)):
            return "meaning"
        if command.name == "set" and any(_traces(text) for text in texts[1:]):
            return "trace"  # it would print the prefixes as well
        if not command.words or command.name in ("export", "declare", "typeset", "readonly"):
            for name in [_assigned(word) for word in [*command.assignments, *command.words]]:
                if _is_listed(name, rules.table["variables"]):
                    return "variable"
    return ""


def stays(command: Command, rules: Rules) -> str:
    """Why a command gets no prefix; empty where it gets one."""
    if not command.words:
        return "assignment" if command.assignments else "redirection"
    texts = _texts(command)
    name = catalog.tool_name(texts[0])
    if command.words[0].text is None or not name:
        return "word"
    if any(_assigned(word) == "CLAWWRAP" for word in command.assignments) or name == "clawwrap":
        return "clawwrap"
    if any(_is_listed(_assigned(word), rules.table["variables"]) for word in command.assignments):
        return "variable"
    if texts[0] in rules.table["stay"] or texts[0] in catalog.mapping("shell")["builtins"]:
        return "shell"
    functions = rules.table["functions"].get(texts[0])
    if functions is not None and (not functions or set(texts[1:2]) & set(functions)):
        return "function"
    behind = _behind(texts)
    if why := _chosen(behind, rules):
        return why
    if any(is_interactive(words, rules.table["interactive"]) for words in behind):
        return "interactive"
    return "" if rules.is_program(texts[0]) else "unknown"


def _chosen(behind: list[list[str]], rules: Rules) -> str:
    """What the user's lists and the host's own rules say of a command and what it launches."""

    def listed(entries: "tuple[tuple[str, ...], ...]") -> bool:
        return any(
            (catalog.tool_name(words[0]), *words[1 : len(entry)]) == entry
            for entry in entries
            for words in behind
        )

    if listed(rules.exclude):
        return "excluded"
    if rules.include and not listed(rules.include):
        return "not included"
    texts = [" ".join([catalog.tool_name(words[0]), *words[1:]]) + " " for words in behind]
    for rule in rules.denied:
        if any(text.startswith(rule) for text in texts):
            return "denied"
    return ""


def is_interactive(words: list[str], table: "dict[str, Any]") -> bool:
    """Whether a call wants a person at a terminal."""
    name = catalog.tool_name(words[0])
    spec = table.get(name) or table.get(name.rstrip("0123456789."))
    if not spec:
        return False
    operands, at = 0, 1
    while at < len(words):
        word = words[at]
        if word.partition("=")[0] in spec["unless"]:
            return False
        if word in spec["flags"]:
            return True
        if not word.startswith("-") or word == "-":
            operands += 1
            if spec["operands"] is not None and operands > spec["operands"]:
                break
        at += 2 if word in spec["values"] else 1
    return spec["operands"] is not None and operands <= spec["operands"]


def _texts(command: Command) -> list[str]:
    return [NEVER if word.text is None else word.text for word in command.words]


def _behind(texts: list[str]) -> list[list[str]]:
    """The command itself, and what it launches: `timeout 5 git push`, then `git push`."""
    if not texts:
        return []
    return [texts[at:] for at in catalog.see_through(texts, catalog.mapping("launchers"))]


def _traces(option: str) -> bool:
    """Whether an option of `set` makes the shell print what it runs."""
    if option in ("xtrace", "verbose"):
        return True
    return option.startswith("-") and ("x" in option or "v" in option)


def _assigned(word: "Word") -> str:
    """The variable that a word sets; empty where it is no assignment."""
    match = ASSIGNMENT.match(word.raw) or ASSIGNMENT.match(word.text or "")
    return match.group(1) if match else ""


def _is_listed(name: str, entries: list[str]) -> bool:
    return any(
        name == entry or (entry.endswith("*") and name and name.startswith(entry[:-1]))
        for entry in entries
    )
