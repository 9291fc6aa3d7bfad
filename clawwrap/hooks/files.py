"""Writes settings files: by one rename, through links, with the owner and mode they had.

What was inserted is remembered in the state folder, so that --uninstall finds every byte again.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Mapping
from typing import NoReturn

from clawwrap.errors import SettingsError
from clawwrap.hooks.editing import Edits


def read(path: str) -> str | None:
    """The text with every byte of it; None where there is no file."""
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None
    except OSError as error:
        _refuse(path, error)


def write(path: str, text: str | None) -> list[str]:
    """Replace the file, or remove it where `text` is None; the folders that had to be made."""
    real = os.path.realpath(path)
    made = _missing_folders(os.path.dirname(real))
    draft = f"{real}.{os.getpid()}.clawwrap"
    try:
        if text is None:
            os.unlink(real)
            return []
        os.makedirs(os.path.dirname(real), exist_ok=True)
        try:
            _write_draft(draft, real, text.encode("utf-8", "surrogateescape"))
            os.rename(draft, real)
        except OSError:
            if os.path.lexists(draft):
                os.unlink(draft)
            raise
    except OSError as error:
        _refuse(path, error)
    return made


def _write_draft(draft: str, real: str, content: bytes) -> None:
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        if os.path.exists(real):
            found = os.stat(real)
            if (found.st_uid, found.st_gid) != (os.geteuid(), os.getegid()):
                os.fchown(fd, found.st_uid, found.st_gid)
            os.fchmod(fd, found.st_mode & 0o7777)
        view = memoryview(content)
        while view:
            view = view[os.write(fd, view) :]
        os.fsync(fd)
    finally:
        os.close(fd)


def _missing_folders(folder: str) -> list[str]:
    missing = []
    while folder and not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    return missing


def back_up(path: str) -> str:
    """A copy of a file that we do not understand, beside it; its name."""
    copy = f"{os.path.realpath(path)}.clawwrap-backup"
    try:
        with open(path, "rb") as file:
            content = file.read()
        mode = os.stat(path).st_mode & 0o777
        with open(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
            file.write(content)
    except OSError:
        return ""
    return copy


def _refuse(path: str, error: OSError) -> NoReturn:
    code = {errno.EACCES: "FILE_PERMISSION", errno.EPERM: "FILE_PERMISSION"}.get(error.errno or 0)
    raise SettingsError(
        f"{path}: {(error.strerror or str(error)).lower()}; nothing was changed",
        code=code or ("READ_ONLY" if error.errno == errno.EROFS else "NOT_READY"),
        suggestion="Make that place writable, or choose another with --project or --user.",
    ) from error


# What was inserted


def _record_file(path: str, environ: Mapping[str, str]) -> str:
    home = environ.get("HOME") or os.path.expanduser("~")
    base = environ.get("XDG_STATE_HOME") or f"{home}/.local/state"
    name = hashlib.sha256(os.path.realpath(path).encode("utf-8", "surrogateescape")).hexdigest()
    return f"{base}/clawwrap/init/{name[:32]}.json"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def remember(
    path: str, after: str, changes: Edits, folders: list[str] | None, environ: Mapping[str, str]
) -> bool:
    """Note what was inserted; `folders` is None where the file was there before."""
    record = {"path": path, "after": _digest(after), "edits": changes, "folders": folders}
    file = _record_file(path, environ)
    try:
        os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as stream:
            json.dump(record, stream)
    except OSError:
        return False
    return True


def recall(
    path: str, text: str, environ: Mapping[str, str]
) -> tuple[Edits, list[str] | None] | None:
    """What was inserted, and the folders made for it, if the file is still what we left."""
    try:
        with open(_record_file(path, environ)) as stream:
            record = json.load(stream)
        if record["after"] != _digest(text):
            return None
        return [(int(place), str(piece)) for place, piece in record["edits"]], record["folders"]
    except (OSError, ValueError, TypeError, KeyError):
        return None


def forget(path: str, folders: list[str] | None, environ: Mapping[str, str]) -> None:
    """Drop the note, and the folders that were made for the file and are empty now."""
    for folder in folders or []:
        try:
            os.rmdir(folder)
        except OSError:
            break
    try:
        os.unlink(_record_file(path, environ))
    except OSError:
        pass
