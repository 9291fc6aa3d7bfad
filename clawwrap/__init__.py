"""clawwrap: run any command, get one envelope and one exit code an agent can act on."""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from clawwrap.api import Running as Running
    from clawwrap.api import run as run
    from clawwrap.api import run_async as run_async
    from clawwrap.contract import ExitCode as ExitCode
    from clawwrap.contract import Outcome as Outcome
    from clawwrap.reader import Action as Action
    from clawwrap.reader import Decision as Decision
    from clawwrap.reader import read_envelope as read_envelope

#: Where each name of the library lives.
_HOMES = {
    "Action": "reader",
    "Decision": "reader",
    "ExitCode": "contract",
    "Outcome": "contract",
    "Running": "api",
    "read_envelope": "reader",
    "run": "api",
    "run_async": "api",
}
__all__ = [
    "Action",
    "Decision",
    "ExitCode",
    "Outcome",
    "Running",
    "__version__",
    "read_envelope",
    "run",
    "run_async",
]


def __getattr__(name: str) -> object:
    """The library, loaded when it is asked for: a wrapped command must not pay for it."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"clawwrap.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'clawwrap' has no attribute {name!r}")
