"""Completion in real shells: what is typed before TAB, and what stands there after it."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clawwrap import completion
from clawwrap.admin import AVAILABLE, options
from clawwrap.invocation import DEFAULTS, FLAGS, VALUED, VERBS
from tests.conftest import Run, needs

BASH_COMPLETION = Path("/usr/share/bash-completion")
#: With which keys each shell shows what stands on its line: ^T, between brackets.
SHOW = {
    "bash": """bind -x '"\\C-t": echo "[[$READLINE_LINE]]"'\n""",
    "zsh": "autoload -Uz compinit; compinit -u -D\n{script}\n"
    'show() {{ print -r -- "[[$BUFFER]]" }}; zle -N show; bindkey "^T" show\n',
    "fish": 'bind \\ct \'echo "[["(commandline)"]]"\'\n',
}
#: What is typed, and what TAB makes of it.
LINES = {
    "clawwrap git checko": "clawwrap git checkout",
    "clawwrap --timeout 5s git checko": "clawwrap --timeout 5s git checkout",
    "clawwrap --timeout=5s --live git checko": "clawwrap --timeout=5s --live git checkout",
    "clawwrap -o json -- git checko": "clawwrap -o json -- git checkout",
    "clawwrap git checkout --trac": "clawwrap git checkout --track",
    "clawwrap explain -- git checko": "clawwrap explain -- git checkout",
    "clawwrap git-upload-arc": "clawwrap git-upload-archive",
    "clawwrap --no-ada": "clawwrap --no-adapter",
    "clawwrap --live --kill-": "clawwrap --live --kill-after",
    "clawwrap -o hum": "clawwrap -o human",
    "clawwrap --output=hum": "clawwrap --output=human",
    "clawwrap --redact non": "clawwrap --redact none",
    "clawwrap --cwd only-fo": "clawwrap --cwd only-folder/",
    "clawwrap --adapter only-fi": "clawwrap --adapter only-file.yaml",
    "clawwrap manif": "clawwrap manifest",
    "clawwrap shim inst": "clawwrap shim install",
    "clawwrap shim install --al": "clawwrap shim install --all",
    "clawwrap adapters new --di": "clawwrap adapters new --dir",
    "clawwrap migrate --in-": "clawwrap migrate --in-place",
    # Not a verb, since it is not the first word; and what a verb takes is no tool's.
    "clawwrap -- manif": "clawwrap -- manif",
    "clawwrap --live manif": "clawwrap --live manif",
}


class Shell:
    """An interactive shell on a pseudo-terminal."""

    def __init__(self, words: list[str], env: dict[str, str], folder: Path) -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, env)
        self.seen = b""

    def after_tab(self, text: str) -> str:
        """What stands on the line once this was typed and TAB pressed."""
        self.seen = b""
        os.write(self.fd, text.encode() + b"\t\x14")
        end = time.monotonic() + 60
        while not (found := re.findall(rb"\[\[(.*?)\]\]", self.seen)):
            assert time.monotonic() < end, self.seen
            if select.select([self.fd], [], [], 0.1)[0]:
                self.seen += os.read(self.fd, 65536)
        os.write(self.fd, b"\x15")  # ^U empties the line
        line: str = found[-1].decode().rstrip()
        return line

    def close(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.close(self.fd)
        os.waitpid(self.pid, 0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=False)  # git completes more in one
    (tmp_path / "only-folder").mkdir()
    (tmp_path / "only-file.yaml").touch()
    (tmp_path / "bin").mkdir()
    for name in ("clawwrap", "git-upload-archive"):
        (tmp_path / "bin" / name).write_text("#!/bin/sh\n")
        (tmp_path / "bin" / name).chmod(0o755)
    return tmp_path


Start = Callable[..., Shell]


@pytest.fixture
def start(folder: Path, clean_env: dict[str, str]) -> Iterator[Start]:
    """Start a shell that has loaded the script; `before` are lines of its own for that."""
    opened: list[Shell] = []

    def call(name: str, before: str = "") -> Shell:
        script = folder / f"clawwrap.{name}"
        script.write_text(completion.script(name))
        source = f"{before}source {script}\n"
        setup = SHOW[name].format(script=source) if name == "zsh" else source + SHOW[name]
        setup += "" if name == "fish" else "PS1='> '\n"
        rc = folder / (".zshrc" if name == "zsh" else "rc")
        rc.write_text(setup)
        env = clean_env | {"TERM": "xterm", "HOME": str(folder), "ZDOTDIR": str(folder)}
        env |= {"PATH": f"{folder / 'bin'}:{clean_env['PATH']}", "XDG_CONFIG_HOME": str(folder)}
        words = {
            "bash": ["bash", "--noprofile", "--rcfile", str(rc), "-i"],
            "zsh": ["zsh", "-d", "-i"],
            "fish": ["fish", "-i", "--init-command", f"source {rc}"],
        }
        opened.append(Shell(words[name], env, folder))
        return opened[-1]

    yield call
    for shell in opened:
        shell.close()


def completes(shell: Shell) -> None:
    wrong = {}
    for text, expected in LINES.items():
        found = shell.after_tab(text)
        if found != expected:
            wrong[text] = found
    assert wrong == {}


@needs("bash")
@needs("git")
def test_bash_with_bash_completion(start: Start) -> None:
    if not (BASH_COMPLETION / "bash_completion").exists():
        pytest.skip("the package bash-completion is not installed")
    completes(start("bash", f"source {BASH_COMPLETION}/bash_completion\n"))


@needs("bash")
@needs("git")
def test_bash_without_bash_completion(start: Start) -> None:
    if not (BASH_COMPLETION / "completions" / "git").exists():
        pytest.skip("the completion of git for bash is not installed")
    completes(start("bash", f"source {BASH_COMPLETION}/completions/git\n"))


@needs("zsh")
@needs("git")
def test_zsh(start: Start) -> None:
    completes(start("zsh"))


@needs("fish")
@needs("git")
def test_fish(start: Start) -> None:
    completes(start("fish"))


@needs("zsh")
def test_zsh_loads_it_from_its_folder_of_functions(start: Start, folder: Path) -> None:
    (folder / "_clawwrap").write_text(completion.script("zsh"))
    before = f"fpath=({folder} $fpath); compinit -u -D; false &&\\\n"
    assert start("zsh", before).after_tab("clawwrap manif") == "clawwrap manifest"


# One place where words are declared


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_the_script_has_every_word(shell: str) -> None:
    text = completion.script(shell)
    words = set(re.findall(r"(?<![\w-])[\w-]+", text))
    assert {f"--{name}" for name in (*VALUED, *FLAGS)} <= words
    assert set(AVAILABLE) <= words
    assert not re.search(r"@[A-Z]+@", text)
    for option in options.listed():
        assert set(option.allowed) <= set(re.split(r"[\s']+", text))


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_the_shell_can_read_it(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "script").write_text(completion.script(shell))
    done = subprocess.run([shell, "-n", str(tmp_path / "script")], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def test_options_are_described_where_they_are_declared() -> None:
    found = {option.name: option for option in options.listed()}
    assert list(found) == [*VALUED, *FLAGS]
    for name, option in found.items():
        assert option.about, f"the help has no text for --{name}"
        assert bool(option.value) == (name in VALUED)
        assert option.value != "VALUE", f"the help does not say what --{name} takes"
        assert option.default == DEFAULTS.get(name.replace("-", "_"))
        if option.allowed:
            assert option.value == "|".join(option.allowed)
    assert set(AVAILABLE) <= VERBS


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_manifest_prints_the_script(run: Run, shell: str) -> None:
    raw = run("manifest", "--completion", shell, "-o", "raw", check=False)
    assert raw.stdout.decode() == completion.script(shell)
    data = run("manifest", "--completion", shell).data
    assert data == {"shell": shell, "script": completion.script(shell)}


def test_another_shell_is_refused(run: Run) -> None:
    result = run("manifest", "--completion", "tcsh")
    assert (result.code, result.error["code"]) == (3, "INVALID_ARGUMENT")
    assert "bash, zsh, fish" in result.error["message"]
