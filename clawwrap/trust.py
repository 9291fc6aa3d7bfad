"""Which adapters of projects the user has trusted: by path and by the hash of the content.

An adapter sets variables in the environment of a tool, and so can make it run anything.
Who merely enters a folder has not agreed to that.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Mapping


def store(environ: Mapping[str, str]) -> str:
    """The file that remembers what was trusted: a line each, hash and path."""
    from clawwrap import catalog

    return catalog.config_folder(environ) + "/trusted"


def fingerprint(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def is_trusted(path: str) -> bool:
    """Whether the user trusts this file as it is now."""
    try:
        return fingerprint(path) in _known(store(os.environ)).get(os.path.abspath(path), ())
    except OSError:
        return False


def add(paths: Iterable[str], environ: Mapping[str, str]) -> dict[str, str]:
    """Trust these files as they are now; answers with their hashes."""
    file = store(environ)
    hashes = {os.path.abspath(path): fingerprint(path) for path in paths}
    _write(file, {path: {sha} for path, sha in hashes.items()}, keep=_known(file))
    return hashes


def remove(paths: Iterable[str], environ: Mapping[str, str]) -> None:
    file = store(environ)
    gone = {os.path.abspath(path) for path in paths}
    _write(file, {}, keep={path: sha for path, sha in _known(file).items() if path not in gone})


def _known(file: str) -> dict[str, set[str]]:
    """What the file says, if nobody but the user could have written it."""
    known: dict[str, set[str]] = {}
    try:
        fd = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return known
    with os.fdopen(fd, "rb") as opened:
        found = os.fstat(fd)
        if found.st_uid != os.geteuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return known
        for line in opened.read().decode("utf-8", "surrogateescape").splitlines():
            sha, _, path = line.partition("  ")
            if path:
                known.setdefault(path, set()).add(sha)
    return known


def _write(file: str, new: dict[str, set[str]], *, keep: dict[str, set[str]]) -> None:
    """A new content for a path takes the place of the old one, which is trusted no longer."""
    rows = [f"{sha}  {path}\n" for path, hashes in (keep | new).items() for sha in sorted(hashes)]
    os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
    draft = f"{file}.{os.getpid()}"
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "wb") as opened:
        opened.write("".join(rows).encode("utf-8", "surrogateescape"))
    os.replace(draft, file)
