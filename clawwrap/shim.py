"""Called by the name of a tool: a link to clawwrap on PATH, as ccache stands in for a compiler.

All words belong to the tool. The tool itself is found on PATH past everything that is
clawwrap (`launch.find`); what else might call back in a circle is stopped here.
"""

import os

from clawwrap import launch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import MutableMapping

#: What a shim leaves to what it starts: its process, how often in a row, and what was called.
MARKER = "CLAWWRAP_SHIM"
MOST = 2
#: What a shell or a launcher changes every time, so that a circle would not look like one.
RESTLESS = (MARKER, "CLAWWRAP_ACTIVE", "CLAWWRAP_RUN", "PATH", "OLDPWD", "SHLVL", "_")


def enter(script: str, words: list[str], environ: "MutableMapping[str, str]") -> None:
    """Count this call; refuse it where what we started has called the same again and again."""
    try:
        launch.stand_in = os.stat(script)
    except OSError:
        pass  # removed while it was being started; links are known by where they lead
    call = fingerprint(words, environ)
    pid, _, rest = environ.get(MARKER, "").partition(":")
    depth, _, before = rest.partition(":")
    times = int(depth) if before == call and depth.isdigit() else 0
    if times >= MOST and _is_of_this_chain(pid):
        from clawwrap.errors import UsageError

        raise UsageError(
            f"{words[0]}: what the shim found on PATH calls the shim again, {times} times in a row",
            code="SHIM_LOOP",
            suggestion="Another stand-in for the tool looks for it on PATH as well: let it name "
            f"the tool by its path, or run `clawwrap shim remove {words[0]}`.",
        )
    environ[MARKER] = f"{os.getpid()}:{times + 1}:{call}"


def fingerprint(words: list[str], environ: "MutableMapping[str, str]") -> str:
    """The same for the same words, folder and environment: no progress, then, since last time.

    A tool that starts itself anew on purpose, as make does, tells itself so by a variable.
    """
    try:
        folder = os.getcwd()
    except OSError:
        folder = ""
    settled = [f"{name}={environ[name]}" for name in sorted(environ) if name not in RESTLESS]
    text = "\0".join([*words, folder, *settled])
    # Arithmetic in place of a hash: no module is loaded for it.
    return f"{int.from_bytes(os.fsencode(text), 'big') % ((1 << 61) - 1):x}"


def _is_of_this_chain(pid: str) -> bool:
    """Whether the shim before was this very process, or one of its ancestors."""
    from clawwrap.__main__ import is_nested

    return pid == str(os.getpid()) or is_nested(pid)
