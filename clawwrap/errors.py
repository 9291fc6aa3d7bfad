"""What can go wrong on our side.

ClawwrapError
├── UsageError      our options or a verb's arguments are wrong
├── AdapterError    a YAML file is wrong; names file, line and key
├── EnvelopeError   a record is no envelope, or a broken one
├── SettingsError   a settings file of an agent cannot be changed
└── ContractError   we built an impossible value; our bug

A tool that fails, or cannot even be started, is data and never an exception.
"""


class ClawwrapError(Exception):
    """A refusal of ours: one line for a person, a code for a program, a way out for both."""

    code = "INTERNAL_ERROR"

    def __init__(self, message: str, *, code: str = "", suggestion: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.suggestion = suggestion


class UsageError(ClawwrapError):
    """The caller used clawwrap wrongly; nothing was run."""

    code = "INVALID_OPTION"


class AdapterError(ClawwrapError):
    """A YAML file cannot be used; nothing was run."""

    code = "INVALID_ADAPTER"

    def __init__(self, file: str, line: int, path: str, problem: str, suggestion: str = "") -> None:
        place = f"{file}:{line}: " if line else f"{file}: "
        super().__init__(
            place + (f"{path}: " if path else "") + problem,
            suggestion=suggestion or "Correct that line; `clawwrap adapters lint FILE` checks it.",
        )
        self.file = file
        self.line = line
        self.path = path
        self.problem = problem


class EnvelopeError(ClawwrapError):
    """A record cannot be read as the envelope that it is taken for."""

    code = "INVALID_ENVELOPE"


class SettingsError(ClawwrapError):
    """A settings file of an agent cannot be changed; it is as it was."""

    code = "BROKEN_SETTINGS"


class ContractError(ClawwrapError):
    """A value would break the contract."""

    code = "CONTRACT_VIOLATION"
