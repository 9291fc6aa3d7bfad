"""Where it is measured: fresh environments, a clean home, and the files that are needed.

Everything lies in one folder, and nothing outside it is changed. What is there is used again;
clawwrap itself is built and installed anew once any of its files has changed.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from bench.measure import BenchError, Command, note

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "build" / "bench"
#: What an installed clawwrap is made of.
SOURCES = ("pyproject.toml", "README.md", "clawwrap", "adapters", "mappings")
#: What the benchmark compares with, and installs with. In an environment of its own, because
#: some of it brings .pth files, which every start of an interpreter beside it would pay for.
PEERS = ("typer", "pyyaml", "jc", "setuptools<81", "thefuck", "uv", "pipx")


class Install(NamedTuple):
    """One installed clawwrap: its interpreter, its command, and what the environment adds."""

    python: str
    script: str
    env: dict[str, str]


class Place(AbstractContextManager["Place"]):
    """The folder, and everything in it by name."""

    def __init__(self, folder: Path, *, quick: bool, python: str | None = None) -> None:
        self.folder = folder
        self.quick = quick
        self.given = python
        self.missing: list[str] = []  # what is left out, and why
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = (folder / "lock").open("w")
        if python:
            self.main = self._given(python)
        else:
            fcntl.flock(self._lock, fcntl.LOCK_EX)  # two would install over each other
            self.main = self.installed("pip")
            for left in folder.glob("home-*"):  # of a run that was killed
                shutil.rmtree(left, ignore_errors=True)
        self.home = Path(tempfile.mkdtemp(prefix="home-", dir=None if python else folder))
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.home)}

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        shutil.rmtree(self.home, ignore_errors=True)
        self._lock.close()

    # Commands

    def bare(self, *words: str, code: int = 0, env: dict[str, str] | None = None) -> Command:
        """The tool itself; its first word is looked up here, so that nobody else has to."""
        return Command([program(words[0]), *words[1:]], self.env | (env or {}), code)

    def wrapped(
        self,
        *words: str,
        options: tuple[str, ...] = (),
        code: int = 0,
        env: dict[str, str] | None = None,
        install: Install | None = None,
    ) -> Command:
        """The same under clawwrap."""
        where = install or self.main
        argv = [where.script, *options, program(words[0]), *words[1:]]
        return Command(argv, self.env | where.env | (env or {}), code)

    def interpreter(self, install: Install | None = None) -> Command:
        """The unit of everything: a bare interpreter that starts and ends."""
        return Command([(install or self.main).python, "-I", "-c", "pass"], self.env)

    def file(self, name: str, content: bytes) -> str:
        """A file of data, for this run."""
        path = self.home / name
        if not path.exists():
            path.write_bytes(content)
        return str(path)

    def size(self, full: int) -> int:
        """How much data: all of it, or an eighth where it must be quick."""
        return full // 8 if self.quick else full

    # Environments

    def installed(self, kind: str) -> Install:
        """clawwrap as one of the installers leaves it."""
        if self.given:
            raise BenchError(f"{kind}: not with --python, which measures what is there")
        folder = self.folder / f"with-{kind}"
        stamp, wanted = folder / "stamp", self._fingerprint()
        if not stamp.exists() or stamp.read_text() != wanted:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            note(f"installing clawwrap with {kind}")
            INSTALLERS[kind](self, folder)
            stamp.write_text(wanted)
        env = {"PYTHONDONTWRITEBYTECODE": "1"} if kind == "pip-no-compile" else {}
        pipx = folder / "bin" / "clawwrap"
        venv = folder / "venvs" / "clawwrap" if pipx.exists() else folder / "venv"
        script = pipx if pipx.exists() else venv / "bin" / "clawwrap"
        return Install(str(venv / "bin" / "python"), str(script), env)

    def peers(self) -> Path:
        """The folder of commands in the environment of the peers."""
        if self.given:
            raise BenchError("the peers: not with --python, which installs nothing")
        venv, stamp = self.folder / "peers", self.folder / "peers" / "stamp"
        wanted = " ".join([*PEERS, sys.version])
        if not stamp.exists() or stamp.read_text() != wanted:
            shutil.rmtree(venv, ignore_errors=True)
            note("installing the peers")
            call([sys.executable, "-m", "venv", str(venv)])
            for package in PEERS:  # one by one: what cannot be had is missing, and the rest is not
                try:
                    call([str(venv / "bin" / "python"), *PIP, "install", package])
                except BenchError as error:
                    note(str(error))
            stamp.write_text(wanted)
        return venv / "bin"

    def wheelhouse(self) -> str:
        """clawwrap and what it depends on, as wheels, so that every installer gets the same."""
        folder = self.folder / "wheels"
        stamp, wanted = folder / "stamp", self._fingerprint()
        if not stamp.exists() or stamp.read_text() != wanted:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            python = str(self.peers() / "python")
            call([python, *PIP, "wheel", "--wheel-dir", str(folder), str(ROOT)])
            stamp.write_text(wanted)
        return str(folder)

    def _given(self, python: str) -> Install:
        script = Path(python).parent / "clawwrap"
        if not script.exists():
            raise BenchError(f"clawwrap is not installed beside {python}")
        return Install(python, str(script), {})

    def _fingerprint(self) -> str:
        digest = hashlib.sha256(sys.version.encode())
        for source in SOURCES:
            path = ROOT / source
            for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
                if file.is_file() and file.suffix != ".pyc":
                    digest.update(str(file.relative_to(ROOT)).encode() + file.read_bytes())
        return digest.hexdigest()


PIP = ["-m", "pip", "--quiet", "--disable-pip-version-check"]


def program(name: str) -> str:
    """Where a program is."""
    path = shutil.which(name)
    if path is None:
        raise BenchError(f"{name} is not installed")
    return path


def call(words: list[str], **env: str) -> None:
    """Run a step of the preparation; what it says is told only where it fails."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    clean.pop("VIRTUAL_ENV", None)
    done = subprocess.run(words, check=False, env=clean | env, capture_output=True, text=True)
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise BenchError(f"{' '.join(words)}: {' '.join(last)}")


def _fresh_venv(folder: Path) -> str:
    """An environment without pip, and so without anything that starts with every interpreter."""
    call([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")])
    return str(folder / "venv" / "bin" / "python")


def _with_pip(place: Place, folder: Path, *options: str) -> str:
    python = _fresh_venv(folder)
    pip = [str(place.peers() / "python"), *PIP, "--python", python, "install", *options]
    call([*pip, "--no-index", "--find-links", place.wheelhouse(), "clawwrap"])
    return python


def _compiled(place: Place, folder: Path) -> None:
    python = _with_pip(place, folder)
    call([python, "-m", "compileall", "-q", str(folder / "venv" / "lib")])


def _with_uv(place: Place, folder: Path) -> None:
    python = _fresh_venv(folder)
    uv = [str(place.peers() / "uv"), "pip", "install", "--offline", "--no-index"]
    wheels = ["--find-links", place.wheelhouse(), "--no-cache"]
    call([*uv, *wheels, "--python", python, "clawwrap"])


def _with_pipx(place: Place, folder: Path) -> None:
    pipx = [str(place.peers() / "pipx"), "install", "--python", sys.executable]
    wheels = f"--pip-args=--no-index --find-links {place.wheelhouse()}"
    where = {"PIPX_HOME": str(folder), "PIPX_BIN_DIR": str(folder / "bin")}
    call([*pipx, wheels, "clawwrap"], **where, PIPX_MAN_DIR=str(folder / "man"))


INSTALLERS: dict[str, Callable[[Place, Path], object]] = {
    "pip": _compiled,
    "pip-no-compile": lambda place, folder: _with_pip(place, folder, "--no-compile"),
    "uv": _with_uv,
    "pipx": _with_pipx,
}
