"""`clawwrap doctor`: is everything in place, and if not, what to do."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from clawwrap import __version__, catalog, human, launch, spool, trust
from clawwrap.admin import adapters, hook_checks, shim_checks
from clawwrap.admin.answer import Answer, failed
from clawwrap.errors import AdapterError
from clawwrap.journal import health
from clawwrap.screen import Screen

PACKAGES = ("google-re2", "orjson", "psutil", "pyyaml", "typer")
OK, WARNING, ERROR = "ok", "warning", "error"


class Check(NamedTuple):
    """One thing that was looked at; `fix` says what to do where it is not ok."""

    name: str
    level: str
    found: str
    fix: str = ""


def examine() -> Answer:
    checks = [
        _python(),
        *_packages(),
        _data(),
        *_adapters(),
        _config(),
        _cache(),
        _spool(),
        _bash(),
        _pidfd(),
        _finding("log", health.check(os.environ)),
        _finding("otel", health.export(os.environ)),
        *(Check(*row) for row in hook_checks.look(os.environ)),
        *(Check(*row) for row in shim_checks.look(os.environ)),
    ]
    rows = [("CHECK", "LEVEL", "FOUND")]
    rows += [(c.name, c.level, c.found + (f" — {c.fix}" if c.fix else "")) for c in checks]
    data = {"version": __version__, "checks": [check._asdict() for check in checks]}
    wrong = [check for check in checks if check.level == ERROR]
    if wrong:
        return failed(
            "NOT_READY",
            f"{wrong[0].name}: {wrong[0].found}",
            output=data,
            text=human.table(rows, Screen.of(1)),
            suggestion=wrong[0].fix,
        )
    warnings = tuple(f"{c.name}: {c.found}. {c.fix}" for c in checks if c.level == WARNING)
    return Answer(data, human.table(rows, Screen.of(1)), warnings=warnings)


def _finding(name: str, finding: health.Finding) -> Check:
    return Check(name, OK if finding.ok else WARNING, finding.found, finding.fix)


def _python() -> Check:
    found = f"{platform.python_implementation()} {platform.python_version()} at {sys.executable}"
    return Check("python", OK, found)


def _packages() -> list[Check]:
    checks = []
    for name in PACKAGES:
        try:
            checks.append(Check(name, OK, version(name)))
        except PackageNotFoundError:
            checks.append(Check(name, ERROR, "is not installed", f"Run: pip install {name}"))
    return checks


def _data() -> Check:
    if os.path.isdir(catalog.SHIPPED) and os.path.isdir(catalog.MAPPINGS):
        return Check("data", OK, catalog.DATA)
    return Check("data", ERROR, f"{catalog.DATA}: incomplete", "Install clawwrap again.")


def _adapters() -> list[Check]:
    paths = adapters.files([])
    checks = []
    for path in paths:
        try:
            catalog.read(path)
        except AdapterError as error:
            checks.append(Check("adapter", ERROR, error.message, error.suggestion))
    good = len(paths) - len(checks)
    folders = ", ".join(folder for _, folder in catalog.layers(os.environ))
    checks += [_untrusted(path) for path in adapters.project_files() if not trust.is_trusted(path)]
    return [Check("adapters", OK, f"{good} of {len(paths)} load, from {folders}"), *checks]


def _untrusted(path: str) -> Check:
    fix = "Read it, then run: clawwrap adapters trust"
    return Check("trust", WARNING, f"{path} is not trusted and is not used", fix)


def _config() -> Check:
    try:
        found = catalog.config(os.environ)
    except AdapterError as error:
        return Check("config", ERROR, error.message, error.suggestion)
    return Check("config", OK, ", ".join(found) or "none, the defaults hold")


def _cache() -> Check:
    folder = catalog.cache_folder()
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
    except OSError as error:
        reason = f"{folder}: {(error.strerror or '').lower()}"
        return Check("cache", WARNING, reason, "Set XDG_CACHE_HOME to a folder you can write to.")
    if not os.access(folder, os.W_OK):
        return Check(
            "cache", WARNING, f"{folder}: not writable", "Make it writable; runs are slower."
        )
    return Check("cache", OK, folder)


def _spool() -> Check:
    try:
        os.close(spool.open_folder(os.environ))
    except spool.SpoolError as error:
        if os.path.lexists(spool.folder(os.environ)):
            return Check("spool", WARNING, str(error), "Until then nothing is kept for --cursor.")
    return Check("spool", OK, spool.folder(os.environ))


def _bash() -> Check:
    try:
        return Check("bash", OK, launch.find("bash", launch.environment()))
    except launch.Fault:
        return Check("bash", WARNING, "is not installed", "clawwrap -c needs it: install bash.")


def _pidfd() -> Check:
    if hasattr(os, "pidfd_open"):
        return Check("pidfd", OK, "a tool's end is seen at once")
    return Check("pidfd", OK, "not on this system; a tool's end is seen by SIGCHLD")
