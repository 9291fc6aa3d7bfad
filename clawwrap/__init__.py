"""clawwrap: run any command, get one envelope and one exit code an agent can act on."""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from clawwrap.reader import Action as Action
    from clawwrap.reader import Decision as Decision
    from clawwrap.reader import read_envelope as read_envelope

__all__ = ["Action", "Decision", "__version__", "read_envelope"]


def __getattr__(name: str) -> object:
    """The library, loaded when it is asked for: a wrapped command must not pay for it."""
    if name in ("Action", "Decision", "read_envelope"):
        from clawwrap import reader

        return getattr(reader, name)
    raise AttributeError(f"module 'clawwrap' has no attribute {name!r}")
