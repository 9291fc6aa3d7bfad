"""The front door: becomes the tool when off or nested, else runs a verb or wraps a tool."""

import os
import sys
import time

from clawwrap import invocation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from clawwrap.invocation import Invocation


def main() -> None:
    inv = invocation.Invocation(time.monotonic_ns())
    try:
        status = enter(inv, sys.argv[1:])
    except KeyboardInterrupt:
        status = 1  # before the tool was started, so there is nothing to report on
    except Exception as error:
        status = report(inv, error)
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):
        pass  # closed descriptors, or a reader that went away
    os._exit(status)  # nothing is left to tidy up, and a normal exit costs milliseconds


def enter(inv: "Invocation", argv: list[str]) -> int:
    """Pick the way through the house."""
    tool = called_as(sys.argv[0])
    if argv[:1] == ["hook"] and not tool:
        from clawwrap import hooks

        if hooks.is_for(argv):
            return hooks.run(argv, os.environ)
    invocation.parse(inv, ["--", tool, *argv] if tool else argv, os.environ)
    if tool:
        from clawwrap import shim

        shim.enter(sys.argv[0], inv.words, os.environ)
    if inv.verb or inv.wants:
        from clawwrap import admin

        return admin.run(inv)
    if inv.cursor:
        from clawwrap import pages

        return pages.answer(inv)
    if os.environ.get("CLAWWRAP") == "off" or is_nested(os.environ.get("CLAWWRAP_ACTIVE", "")):
        return become(inv)
    from clawwrap import wrap

    return wrap.run(inv)


def called_as(script: str) -> str:
    """The tool for which we stand in on PATH, by the name of the link; empty where it is ours."""
    name = script.rpartition("/")[2]
    return "" if name.startswith("clawwrap") or name in ("__main__.py", "-c", "-m") else name


def become(inv: "Invocation") -> int:
    """Leave no trace: the tool takes our place."""
    from clawwrap import launch, wrap

    if inv.cwd:
        wrap.enter(inv.cwd)
    fault = launch.become(inv.argv)
    sys.stderr.write(f"clawwrap: {fault.detail}\n")
    return 127 if fault.kind == "absent" else 126


def is_nested(marker: str) -> bool:
    """Whether the process that set the marker is an ancestor of ours, and not one long gone."""
    if not marker.isdigit():
        return False
    pid = os.getppid()
    for _ in range(256):
        if pid == int(marker):
            return True
        if pid <= 1:
            return False
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                pid = int(file.read().rpartition(b")")[2].split()[1])
        except OSError:
            return _is_ancestor_without_proc(int(marker))
    return False


def _is_ancestor_without_proc(marker: int) -> bool:
    import psutil

    try:
        return marker in [parent.pid for parent in psutil.Process().parents()]
    except psutil.Error:
        return False


def report(inv: "Invocation", error: Exception) -> int:
    """Any exception of ours as an envelope with the code that belongs to it."""
    try:
        from clawwrap import emit, outcomes
        from clawwrap.errors import ClawwrapError

        if not isinstance(error, ClawwrapError):
            error = ClawwrapError(f"clawwrap has a bug: {type(error).__name__}: {error}")
        inv.settle_output(on_terminal=os.isatty(1))
        inv.name_envelope()
        return emit.write(inv, outcomes.refusal(inv, error))
    except Exception as second:  # a broken installation: say so without any of our rooms
        sys.stderr.write(f"clawwrap: {error}; and while reporting that: {second}\n")
        return 1


if __name__ == "__main__":
    main()
