"""The tools that a line for the shell names. Loaded only with -c."""

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
