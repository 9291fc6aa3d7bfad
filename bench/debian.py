"""Programs from Debian packages, unpacked into a folder: no root needed, nothing is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from bench.measure import BenchError

#: Program → the packages that it needs beyond a minimal Debian.
PACKAGES = {
    "chronic": ["moreutils", "libipc-run-perl"],
    "tini": ["tini"],
}
TOOLS = ("apt-get", "dpkg-deb")


def find(program: str, folder: Path) -> Path:
    """The program: where the system has it, else from its packages."""
    present = shutil.which(program)
    if present:
        return Path(present)
    unpacked = folder / program
    path = unpacked / "usr" / "bin" / program
    if not path.exists():
        _fetch(program, folder, unpacked)
    return path


def perl_path(folder: Path) -> dict[str, str]:
    """What a Perl program of ours needs in its environment."""
    library = folder / "chronic" / "usr" / "share" / "perl5"
    return {"PERL5LIB": str(library)} if library.exists() else {}


def _fetch(program: str, folder: Path, unpacked: Path) -> None:
    if not all(shutil.which(tool) for tool in TOOLS):
        raise BenchError(f"{program} is not installed, and there is no apt-get to fetch it with")
    folder.mkdir(parents=True, exist_ok=True)
    options = []
    for name, key in {"lists": "Dir::State::lists", "cache": "Dir::Cache"}.items():
        for part in ("partial", "archives/partial"):
            (folder / name / part).mkdir(parents=True, exist_ok=True)
        options += ["-o", f"{key}={folder / name}"]
    options += ["-o", "Debug::NoLocking=1", "-o", "APT::Sandbox::User="]
    packages = PACKAGES[program]
    try:
        _call(["apt-get", *options, "-qq", "update"], folder)
        _call(["apt-get", *options, "-qq", "download", *packages], folder)
        for package in packages:
            [archive] = folder.glob(f"{package}_*.deb")
            _call(["dpkg-deb", "-x", str(archive), str(unpacked)], folder)
    except (subprocess.SubprocessError, ValueError) as error:
        shutil.rmtree(unpacked, ignore_errors=True)
        raise BenchError(f"{program} is not installed and could not be fetched: {error}") from None


def _call(words: list[str], folder: Path) -> None:
    subprocess.run(words, cwd=folder, check=True, capture_output=True, timeout=120)
