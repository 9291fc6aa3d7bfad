"""Links on PATH named after tools: they find the tool past themselves and never call in circles."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from clawwrap import shims
from clawwrap.__main__ import called_as
from tests.conftest import FAKES, Result, Run, check_envelope, needs
from tests.test_imports import AT_EXIT, AT_SPAWN, OURS, bare, modules

SCRIPT = Path(sys.executable).parent / "clawwrap"
Call = Callable[..., Result]


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder with a tool of its own, the last one on PATH."""
    folder = tmp_path / "tools"
    folder.mkdir()
    shutil.copy(FAKES / "argspy", folder / "argspy")
    return folder


@pytest.fixture
def env(clean_env: dict[str, str], tmp_path: Path, tools: Path) -> dict[str, str]:
    """A home with shims in front of PATH."""
    at = tmp_path / "shims"
    path = f"{at}:{clean_env['PATH']}:{tools}"
    return clean_env | {"PATH": path, "CLAWWRAP_SHIM_DIR": str(at)}


@pytest.fixture
def linked(tmp_path: Path) -> Callable[..., Path]:
    """Make a link to clawwrap by hand, as anybody may."""

    def link(name: str, folder: str = "shims") -> Path:
        path = tmp_path / folder / name
        path.parent.mkdir(exist_ok=True)
        path.symlink_to(SCRIPT)
        return path

    return link


@pytest.fixture
def call(env: dict[str, str], tmp_path: Path) -> Call:
    """Run a command as a shell would find it."""

    def run(*words: str | bytes, more: dict[str, str] | None = None, check: bool = True) -> Result:
        full = env | (more or {})
        program = shutil.which(os.fsdecode(words[0]), path=full["PATH"]) or words[0]
        done = subprocess.run(
            [program, *words[1:]],
            env=full,
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
        )
        assert b"Traceback" not in done.stderr
        result = Result(done.returncode, done.stdout, done.stderr)
        if check:
            check_envelope(result.envelope, result.code)
        return result

    return run


def program(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def warm(clean_env: dict[str, str]) -> None:
    modules(AT_EXIT.format(words=["git", "--version"]), clean_env)


# Called by the name of a tool


@pytest.mark.parametrize(
    ("script", "tool"),
    [
        ("/home/bob/.local/share/clawwrap/shims/git", "git"),
        ("./git", "git"),
        ("d/python3.11", "python3.11"),
        ("/usr/bin/clawwrap", ""),
        ("/opt/clawwrap-2.0", ""),
        ("clawwrap.pyz", ""),
        ("/x/site-packages/clawwrap/__main__.py", ""),
        ("-c", ""),
        ("-m", ""),
    ],
)
def test_the_name_decides(script: str, tool: str) -> None:
    assert called_as(script) == tool


def test_a_link_made_by_hand_wraps_the_tool(call: Call, linked: Callable[..., Path]) -> None:
    linked("sh", "d")
    path = f"{linked('sh', 'd2').parent}:{os.environ['PATH']}"
    result = call("sh", "-c", "echo hi; exit 66", more={"PATH": path})
    assert (result.code, result.meta["native"]["exit_code"]) == (5, 66)
    assert result.error["output"] == {"stdout": "hi\n"}


@pytest.mark.parametrize(
    "words",
    [
        ["-h"],
        ["--version"],
        ["migrate"],
        ["doctor", "x"],
        ["--", "-o", "raw"],
        ["--timeout", "soon"],
        ["-c", "echo no"],
        ["--cursor"],
        [],
        ["a b", "", "'", '"$(x)"', "\n"],
        [b"\xff\xfe", "é"],
    ],
    ids=repr,
)
def test_all_words_are_the_tools(
    call: Call, linked: Callable[..., Path], words: list[str | bytes]
) -> None:
    linked("argspy")
    result = call("argspy", *words)
    assert result.data == [os.fsencode(word).hex() for word in words]
    assert result.meta["command"] == "argspy"


def test_the_tool_sees_the_name_it_was_called_by(
    call: Call, linked: Callable[..., Path], tools: Path
) -> None:
    program(tools, "counts-words", "#!/bin/sh\necho $#\n")
    shim = linked("counts-words")
    assert call(str(shim), "a").data == {"stdout": "1\n"}
    assert call(str(shim), "a").meta["argv"] == ["counts-words", "a"]


def test_variables_hold_for_shims(call: Call, linked: Callable[..., Path], tools: Path) -> None:
    program(tools, "slow", "#!/bin/sh\nsleep 60\n")
    linked("slow")
    assert call("slow", more={"CLAWWRAP_TIMEOUT": "300ms"}).code == 10


def test_off_becomes_the_tool(call: Call, linked: Callable[..., Path]) -> None:
    linked("argspy")
    result = call("argspy", "x", more={"CLAWWRAP": "off"}, check=False)
    assert json.loads(result.stdout) == [b"x".hex()]


def test_a_tool_that_has_vanished_is_not_found(call: Call, linked: Callable[..., Path]) -> None:
    linked("no-such-tool-x")
    result = call("no-such-tool-x", "--help")
    assert (result.code, result.error["code"]) == (5, "COMMAND_NOT_FOUND")
    assert "Similar programs" not in result.error["suggestion"]
    result = call("no-such-tool-x", more={"CLAWWRAP": "off"}, check=False)
    assert (result.code, result.stdout) == (127, b"")


def test_nested_calls_are_untouched(call: Call, linked: Callable[..., Path], tools: Path) -> None:
    program(tools, "outer", "#!/bin/sh\nargspy inner\necho after\n")
    linked("outer")
    linked("argspy")
    assert call("outer").data["stdout"].splitlines()[1:] == ["after"]
    assert json.loads(call("outer").data["stdout"].splitlines()[0]) == [b"inner".hex()]


def test_clawwrap_itself_looks_past_the_shims(
    env: dict[str, str], linked: Callable[..., Path], tools: Path, tmp_path: Path
) -> None:
    """One start of Python and not two; a shim would have left its marker."""
    program(tools, "marked", '#!/bin/sh\necho "${CLAWWRAP_SHIM-no}"\n')
    linked("marked")
    for clawwrap in ([SCRIPT], [sys.executable, "-m", "clawwrap"]):
        done = subprocess.run([*clawwrap, "marked"], env=env, cwd=tmp_path, capture_output=True)
        assert json.loads(done.stdout)["data"] == {"stdout": "no\n"}


def test_a_fresh_shell_that_the_tool_starts_still_works(
    call: Call, linked: Callable[..., Path], tools: Path, tmp_path: Path, env: dict[str, str]
) -> None:
    """What a shim leaves behind ends with its own processes."""
    program(tools, "leaves", "#!/bin/sh\nenv\n")
    linked("leaves")
    linked("argspy")
    left = dict(
        line.split("=", 1) for line in call("leaves").data["stdout"].splitlines() if "=" in line
    )
    assert left["CLAWWRAP_ACTIVE"] and left["CLAWWRAP_SHIM"]
    assert call("argspy", "x", more=left).data == [b"x".hex()]


def test_what_is_loaded_before_the_tool_runs(warm: None, clean_env: dict[str, str]) -> None:
    program = AT_SPAWN.replace('["clawwrap", "git", "status"]', '["/x/git", "status"]')
    assert modules(program, clean_env) - bare(clean_env) == OURS | {"clawwrap.shim"}


# No circles


def test_a_copy_is_known_by_its_inode(call: Call, tmp_path: Path) -> None:
    folder = tmp_path / "shims"
    folder.mkdir()
    shutil.copy(SCRIPT, folder / "argspy")
    os.link(folder / "argspy", tmp_path / "argspy")
    path = f"{folder}:{tmp_path}:{tmp_path / 'tools'}:{os.environ['PATH']}"
    assert call("argspy", "x", more={"PATH": path}).data == [b"x".hex()]


def test_several_folders_of_shims(call: Call, linked: Callable[..., Path], tmp_path: Path) -> None:
    folders = [linked("argspy", name).parent for name in ("a", "b", "c")]
    path = ":".join(map(str, [*folders, tmp_path / "tools", os.environ["PATH"]]))
    assert call("argspy", more={"PATH": path}).data == []


def test_only_shims_and_no_tool(call: Call, linked: Callable[..., Path]) -> None:
    folders = [str(linked("argspy", name).parent) for name in ("a", "b")]
    assert call("argspy", more={"PATH": ":".join(folders)}).code == 5


@pytest.mark.parametrize(
    "text",
    ['exec argspy "$@"', 'argspy "$@"', 'sh -c \'argspy "$@"\' sh "$@"'],
    ids=["exec", "fork", "sh"],
)
@pytest.mark.parametrize("more", [{}, {"CLAWWRAP": "off"}], ids=["wrapped", "off"])
def test_another_stand_in_that_calls_back_is_stopped(
    call: Call, linked: Callable[..., Path], tmp_path: Path, text: str, more: dict[str, str]
) -> None:
    linked("argspy")
    other = tmp_path / "other"
    other.mkdir()
    program(other, "argspy", f"#!/bin/sh\necho . >>{tmp_path}/calls\n{text}\n")
    path = f"{tmp_path / 'shims'}:{other}:{os.environ['PATH']}"
    result = call("argspy", "x", more={"PATH": path} | more)
    assert (result.code, result.error["code"]) == (4, "SHIM_LOOP")
    assert len((tmp_path / "calls").read_text().splitlines()) <= 3


def test_two_copies_that_find_each_other_are_stopped(call: Call, tmp_path: Path) -> None:
    folders = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        shutil.copy(SCRIPT, tmp_path / name / "argspy")
        folders.append(str(tmp_path / name))
    result = call("argspy", more={"PATH": ":".join([*folders, os.environ["PATH"]])})
    assert (result.code, result.error["code"]) == (4, "SHIM_LOOP")


def test_launchers_of_launchers_are_no_circle(call: Call, linked: Callable[..., Path]) -> None:
    linked("env")
    words = ["env"] * 6
    assert call(*words, "echo", "deep").data == {"stdout": "deep\n"}


@needs("make")
def test_a_tool_that_starts_itself_anew_is_no_circle(
    call: Call, linked: Callable[..., Path], tmp_path: Path
) -> None:
    linked("make")
    (tmp_path / "Makefile").write_text(
        "all:\n\t@echo restarts $(MAKE_RESTARTS)\n"
        "-include made.mk\n"
        "made.mk: FORCE\n"
        '\t@if [ "$(MAKE_RESTARTS)" != 4 ]; then echo "# $$$$" >made.mk; sleep 0.01; fi\n'
        "FORCE:\n"
    )
    assert call("make").data == {"stdout": "restarts 4\n"}


# On a terminal


def test_the_tool_has_the_terminal(
    env: dict[str, str], linked: Callable[..., Path], tools: Path, tmp_path: Path
) -> None:
    program(tools, "asks", "#!/bin/sh\ntest -t 0 && test -t 1 && echo at a terminal\n")
    shim = linked("asks")
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.execve(shim, ["asks"], env)
    seen = b""
    try:
        while chunk := os.read(fd, 4096):
            seen += chunk
    except OSError:
        pass  # the other end is closed
    os.close(fd)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert seen == b"at a terminal\r\n"


# The verb


@pytest.fixture
def shim(run: Run, env: dict[str, str]) -> Call:
    def call(*words: str, more: dict[str, str] | None = None) -> Result:
        return run("shim", *words, env=env | (more or {}))

    return call


def test_install_list_remove(shim: Call, call: Call, tmp_path: Path) -> None:
    made = shim("install", "argspy", "sh")
    assert made.data["installed"] == ["argspy", "sh"]
    assert made.data["folder"] == str(tmp_path / "shims")
    assert made.warnings == []
    assert call("argspy", "x").data == [b"x".hex()]
    rows = {row["tool"]: row for row in shim("list").data["shims"]}
    assert rows["argspy"]["state"] == rows["sh"]["state"] == "ok"
    assert rows["argspy"]["program"] == str(tmp_path / "tools" / "argspy")
    again = shim("install", "argspy", "sh").data
    assert (again["installed"], again["unchanged"]) == ([], ["argspy", "sh"])
    assert shim("remove", "sh").data["removed"] == ["sh"]
    assert [row["tool"] for row in shim("list").data["shims"]] == ["argspy"]
    assert shim("remove", "--all").data["removed"] == ["argspy"]
    assert shim("list").data["shims"] == []


def test_install_mends_a_link_to_a_clawwrap_that_is_gone(shim: Call, tmp_path: Path) -> None:
    (tmp_path / "shims").mkdir()
    (tmp_path / "shims" / "sh").symlink_to(tmp_path / "gone" / "clawwrap")
    assert shim("list").data["shims"][0]["state"] == "its clawwrap is gone"
    assert shim("install", "sh").data["installed"] == ["sh"]
    assert shim("list").data["shims"][0]["state"] == "ok"


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (["install", "no-such-tool"], 5, "COMMAND_NOT_FOUND"),
        (["install", "sh", "no-such-tool"], 5, "COMMAND_NOT_FOUND"),
        (["install"], 3, "MISSING_ARGUMENT"),
        (["install", "--all", "sh"], 3, "INVALID_ARGUMENT"),
        (["install", "/bin/sh"], 3, "INVALID_ARGUMENT"),
        (["install", ""], 3, "INVALID_ARGUMENT"),
        (["install", "clawwrap"], 3, "INVALID_ARGUMENT"),
        (["remove"], 3, "MISSING_ARGUMENT"),
        (["remove", "sh"], 5, "RESOURCE_NOT_FOUND"),
        (["remove", "../sh"], 3, "INVALID_ARGUMENT"),
        (["instal", "sh"], 3, "INVALID_ARGUMENT"),
    ],
    ids=repr,
)
def test_what_cannot_be_done(
    shim: Call, tmp_path: Path, words: list[str], code: int, error: str
) -> None:
    result = shim(*words)
    assert (result.code, result.error["code"]) == (code, error)
    assert result.error["suggestion"]
    assert not (tmp_path / "shims").exists()


def test_what_is_not_ours_is_never_touched(shim: Call, tmp_path: Path) -> None:
    folder = tmp_path / "shims"
    folder.mkdir()
    mine = program(folder, "argspy", "#!/bin/sh\necho mine\n")
    (folder / "cat").symlink_to("/bin/cat")
    for words in (["install", "sh", "argspy"], ["install", "cat"], ["remove", "argspy"]):
        result = shim(*words)
        assert (result.code, result.error["code"]) == (6, "FILE_EXISTS")
    assert mine.read_text() == "#!/bin/sh\necho mine\n"
    assert sorted(os.listdir(folder)) == ["argspy", "cat"]
    shim("remove", "--all")
    assert sorted(os.listdir(folder)) == ["argspy", "cat"]


def test_a_folder_that_cannot_be_made(shim: Call, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = shim("install", "sh", more={"CLAWWRAP_SHIM_DIR": str(tmp_path / "file" / "x")})
    assert result.code in (3, 7)
    assert str(tmp_path / "file") in result.error["message"]
    if Path("/proc/self").exists():
        result = shim("install", "sh", more={"CLAWWRAP_SHIM_DIR": "/proc/shims"})
        assert not result.envelope["ok"] and "/proc/shims" in result.error["message"]


def test_path_order_is_told(shim: Call, env: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "shims"
    off = shim("install", "sh", more={"PATH": os.environ["PATH"]})
    assert off.data["path_hint"] == f'{folder} is not on PATH: export PATH={folder}:"$PATH"'
    assert off.warnings == [f"clawwrap: {off.data['path_hint']}"]
    behind = shim("install", "sh", more={"PATH": f"{os.environ['PATH']}:{folder}"})
    assert "the shim sh does nothing" in behind.warnings[1]


def test_all_is_every_adapter_whose_tool_is_here(shim: Call, tmp_path: Path) -> None:
    tools = tmp_path / "few"
    tools.mkdir()
    for name in ("git", "docker", "python", "grep", "ssh", "unknown-tool", "npm"):
        program(tools, name, "#!/bin/sh\n")
    path = {"PATH": f"{tmp_path / 'shims'}:{tools}"}
    assert shim("install", "--all", more=path).data["installed"] == ["docker", "git", "npm"]


def test_the_folder(tmp_path: Path) -> None:
    assert shims.folder({"CLAWWRAP_SHIM_DIR": "/s", "XDG_DATA_HOME": "/d"}) == "/s"
    assert shims.folder({"XDG_DATA_HOME": "/d"}) == "/d/clawwrap/shims"
    assert shims.folder({}) == os.path.expanduser("~/.local/share/clawwrap/shims")


# doctor


def test_doctor_looks_at_shims(run: Run, env: dict[str, str], tmp_path: Path) -> None:
    def rows(path: str) -> list[tuple[str, str, str]]:
        data = run("doctor", env=env | {"PATH": path}).data
        return [
            (c["level"], c["found"], c["fix"]) for c in data["checks"] if c["name"][:4] == "shim"
        ]

    folder, usual = tmp_path / "shims", os.environ["PATH"]
    assert rows(usual) == [("ok", "none", "")]
    folder.mkdir()
    (folder / "sh").symlink_to(SCRIPT)
    well = f"1 of 1 at work in {folder}, entry 1 of PATH"
    assert rows(f"{folder}:{usual}") == [("ok", well, "")]
    [(level, _, fix)] = rows(usual)
    assert (level, fix) == ("warning", f'Run: export PATH={folder}:"$PATH"')
    behind = rows(f"{usual}:{folder}")
    assert behind[1][2] == "Put the folder of shims in front of PATH."
    (folder / "ls").symlink_to(tmp_path / "gone" / "clawwrap")
    (folder / "gone-tool").symlink_to(SCRIPT)
    (folder / "foreign").touch()
    assert [(found, fix) for _, found, fix in rows(f"{folder}:{usual}")[1:]] == [
        ("foreign: not a shim", "Move it out of that folder."),
        ("gone-tool: its tool is gone", "Run: clawwrap shim remove gone-tool"),
        ("ls: its clawwrap is gone", "Run: clawwrap shim install ls"),
    ]
