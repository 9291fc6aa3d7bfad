"""init: settings of every agent, changed by what is ours and not by a byte more."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawwrap.admin import init as admin_init
from clawwrap.admin.answer import Answer
from clawwrap.hooks import editing, jsonc, targets
from tests.conftest import CLAWWRAP, Result, needs

GOLDEN = Path(__file__).parent / "golden" / "hosts"
PLACES = {
    ("claude-code", "user"): ".claude/settings.json",
    ("claude-code", "project"): "project/.claude/settings.json",
    ("codex", "user"): ".codex/config.toml",
    ("codex", "project"): "project/.codex/config.toml",
    ("gemini-cli", "user"): ".gemini/settings.json",
    ("gemini-cli", "project"): "project/.gemini/settings.json",
    ("cursor", "user"): ".cursor/hooks.json",
    ("cursor", "project"): "project/.cursor/hooks.json",
    ("copilot-cli", "user"): ".copilot/settings.json",
    ("copilot-cli", "project"): "project/.github/hooks/clawwrap.json",
    ("opencode", "user"): ".config/opencode/plugins/clawwrap.js",
    ("opencode", "project"): "project/.opencode/plugins/clawwrap.js",
    ("bash", "user"): ".bashrc",
    ("zsh", "user"): ".zshrc",
    ("fish", "user"): ".config/fish/conf.d/clawwrap.fish",
}
IDS = ["-".join(key) for key in PLACES]
JSON_AGENTS = ["claude-code", "gemini-cli", "cursor", "copilot-cli"]
Init = Callable[..., Result]


@pytest.fixture
def init(clean_env: dict[str, str], tmp_path: Path) -> Init:
    """Call init in an empty home, from a project in it."""
    (tmp_path / "project").mkdir()
    env = clean_env | {"HOME": str(tmp_path), "XDG_CACHE_HOME": clean_env["HOME"] + "/.cache"}

    def call(*words: str, **more: str) -> Result:
        done = subprocess.run(
            [*CLAWWRAP, "init", *words],
            cwd=tmp_path / "project",
            env=env | more,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
        )
        assert b"Traceback" not in done.stderr
        return Result(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture
def inside(clean_env: dict[str, str], tmp_path: Path) -> Callable[..., Answer]:
    """The same without a process of its own, for the long tables."""

    def call(agent: str, *, uninstall: bool = False) -> Answer:
        return admin_init.run(
            agent, admin_init.Wish("user", [], uninstall), {"HOME": str(tmp_path)}
        )

    return call


def tree(folder: Path) -> dict[str, bytes]:
    """Every file of the home but the records of clawwrap itself."""
    files = (path for path in folder.rglob("*") if path.is_file())
    found = {str(path.relative_to(folder)): path.read_bytes() for path in files}
    return {name: text for name, text in found.items() if not name.startswith(".local/state")}


@pytest.mark.parametrize(("agent", "scope"), PLACES, ids=IDS)
def test_a_new_file_and_back(agent: str, scope: str, init: Init, tmp_path: Path) -> None:
    words = [agent, *(["--project"] if scope == "project" else [])]
    path = tmp_path / PLACES[agent, scope]
    shown = init(*words, "--dry-run")
    assert (shown.data["changed"], tree(tmp_path)) == (False, {})
    done = init(*words)
    assert (done.code, done.data["changed"], done.data["installed"]) == (0, True, True)
    assert done.data["diff"] == shown.data["diff"]
    assert tree(tmp_path) == {PLACES[agent, scope]: path.read_bytes()}
    golden = GOLDEN / f"{agent}.{scope}{path.suffix or '.sh'}"
    assert path.read_bytes() == golden.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o644
    again = init(*words)
    assert (again.data["changed"], again.data["diff"]) == (False, "")
    assert path.read_bytes() == golden.read_bytes()
    gone = init(*words, "--uninstall")
    assert (gone.code, gone.data["changed"]) == (0, True)
    assert tree(tmp_path) == {}
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [".local", "project"]
    assert init(*words, "--uninstall").data["changed"] is False


SETTINGS = {
    "comments": '// mine\n{\n  /* a */ "model": "x", // why\n  "n": 1e3 // last\n}\n',
    "trailing commas": '{\n\t"a": [1, 2,],\n\t"b": {},\n}',
    "trailing comma and comment": '{\n  "a": 1, // one\n  // two\n}\n',
    "one line": '{"a":1,"b":[1,2]}',
    "empty": "{}",
    "empty and open": "{\n}\n",
    "blank": "{ }",
    "only a comment": "{\n  // nothing yet\n}\n",
    "no bytes": "",
    "only blanks": "\n \n",
    "windows": '{\r\n    "a": 1\r\n}\r\n',
    "byte order mark": '\ufeff{\n  "a": 1\n}\n',
    "odd layout": '{ "a"\n:1\n   ,"b" :\n[\n]}',
    "comma on the next line": '{\n  "a": 1\n  , "b": 2\n  ,\n}\n',
    "unicode": '{\n  "ключ": "значение 🚀",\n  "x": "\\u00e9 // no comment"\n}',
    "no newline at the end": '{\n  "a": 1\n}',
    "four blanks": '{\n    "a": {\n        "b": 1\n    }\n}\n',
    "hooks of others": '{\n  "hooks": {\n    "Stop": [{"hooks": []}]\n  }\n}\n',
    "an empty list": '{"hooks": {"PreToolUse": [], "BeforeTool": [], "preToolUse": []}}',
    "a list of others": """{
  "hooks": {
    "PreToolUse": [
      {"matcher": "Bash", "hooks": [{"type": "command", "command": "mine.sh"}]} // first
    ],
    "BeforeTool": [{"matcher": "x", "hooks": []},],
    "preToolUse": [
      {"command": "mine clawwrap hook"},
    ]
  }
}
""",
}


@pytest.mark.parametrize("agent", JSON_AGENTS)
@pytest.mark.parametrize("name", SETTINGS)
def test_what_is_there_survives_byte_for_byte(
    agent: str,
    name: str,
    inside: Callable[..., Answer],
    tmp_path: Path,
) -> None:
    path = tmp_path / PLACES[agent, "user"]
    path.parent.mkdir()
    before = SETTINGS[name].encode()
    path.write_bytes(before)
    path.chmod(0o640)
    assert inside(agent).data["changed"] is True
    after = path.read_bytes()
    assert is_woven_into(before, after)
    assert path.stat().st_mode & 0o777 == 0o640
    plain, was = jsonc.load(after.decode()), jsonc.load(before.decode())
    target = targets.find(agent, "user", [], {"HOME": "/h"})
    items = plain["hooks"].pop(target.keys[1])
    assert items[-1] == target.item
    assert items[:-1] == was.get("hooks", {}).pop(target.keys[1], [])
    for key, value in was.items():
        assert plain[key] == value
    assert inside(agent).data["changed"] is False
    assert inside(agent, uninstall=True).data["changed"] is True
    assert path.read_bytes() == before


def is_woven_into(before: bytes, after: bytes) -> bool:
    """Whether all of `before` stands in `after`, in its order."""
    at = 0
    for byte in before:
        at = after.find(bytes([byte]), at) + 1
        if not at:
            return False
    return True


@pytest.mark.parametrize(
    "text", ['{\n  "a": 1 // one\n}\n', '{"a": 1, // one\n}', '{"a": 1 /* one */}']
)
@pytest.mark.parametrize("agent", JSON_AGENTS)
def test_what_was_edited_since_stays_when_ours_goes(
    agent: str, text: str, inside: Callable[..., Answer], tmp_path: Path
) -> None:
    path = tmp_path / PLACES[agent, "user"]
    path.parent.mkdir()
    path.write_text(text)
    inside(agent)
    path.write_text(path.read_text().replace("one", "two").replace('"a"', '"b"'))
    inside(agent, uninstall=True)
    assert path.read_text() == text.replace("one", "two").replace('"a"', '"b"')


def test_other_options_replace_the_entry(init: Init, tmp_path: Path) -> None:
    path = tmp_path / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text('{"a": 1}')
    init("claude-code")
    init("claude-code", "--whole-line", "--exclude", "git push,vim")
    hooks = json.loads(path.read_text())["hooks"]["PreToolUse"]
    [command] = [hook["command"] for entry in hooks for hook in entry["hooks"]]
    assert command == "clawwrap hook claude-code --whole-line --exclude 'git push,vim'"
    init("claude-code", "--uninstall")
    assert path.read_text() == '{"a": 1}'


@pytest.mark.parametrize(
    ("agent", "text", "place"),
    [
        ("claude-code", '{\n  "a": 1\n  "b": 2\n}', "line 3 column 3"),
        ("claude-code", '{"a": [1, 2}', "line 1 column 12"),
        ("claude-code", "[]", "expected an object"),
        ("claude-code", '{"hooks": []}', "hooks: expected an object"),
        ("claude-code", '{"hooks": {"PreToolUse": {}}}', "hooks.PreToolUse: expected an array"),
        ("gemini-cli", "hooks: yes", "line 1 column 1"),
        ("cursor", '{"a": /* open', "line 1"),
        ("copilot-cli", '{"a": 01x}', "line 1 column 7"),
        ("codex", "a = [1\nb = 2\n", "line 2"),
        ("codex", "[hooks]\nPreToolUse = 1\n", "hooks"),
    ],
)
def test_a_broken_file_is_never_overwritten(
    agent: str, text: str, place: str, init: Init, tmp_path: Path
) -> None:
    path = tmp_path / PLACES[agent, "user"]
    path.parent.mkdir()
    path.write_text(text)
    assert init(agent, "--dry-run").code == 4
    assert list(path.parent.iterdir()) == [path]
    for words in ([], ["--uninstall"]):
        result = init(agent, *words)
        if words and result.code == 0:
            continue  # readable, and nothing of ours in it
        assert (result.code, result.error["code"]) == (4, "BROKEN_SETTINGS")
        assert place.lower() in result.error["message"].lower()
        assert str(path) in result.error["message"]
        assert Path(f"{path}.clawwrap-backup").read_text() == text
    assert path.read_text() == text


@pytest.mark.parametrize("agent", ["opencode", "fish"])
def test_a_file_of_somebody_else_is_left(agent: str, init: Init, tmp_path: Path) -> None:
    path = tmp_path / PLACES[agent, "user"]
    path.parent.mkdir(parents=True)
    path.write_text("mine\n")
    for words in ([], ["--uninstall"]):
        result = init(agent, *words)
        assert (result.code, result.error["code"]) == (6, "FILE_EXISTS")
    assert path.read_text() == "mine\n"


def test_an_older_file_of_ours_is_replaced(init: Init, tmp_path: Path) -> None:
    path = tmp_path / PLACES["opencode", "user"]
    path.parent.mkdir(parents=True)
    path.write_text("// Written by clawwrap init opencode, long ago\n")
    assert init("opencode").data["changed"] is True
    assert path.read_bytes() == (GOLDEN / "opencode.user.js").read_bytes()


@pytest.mark.parametrize(
    "words",
    [["nope"], ["bash", "--project"], ["zsh", "--whole-line"], ["claude-code", "--bogus"], []],
    ids=str,
)
def test_wrong_arguments_change_nothing(words: list[str], init: Init, tmp_path: Path) -> None:
    result = init(*words)
    assert (result.code, result.error["phase"]) == (3, "validation")
    assert tree(tmp_path) == {}
    if words == ["nope"]:
        assert "claude-code, codex" in result.error["message"]


def test_a_place_that_cannot_be_written_is_said(init: Init, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for home in (str(tmp_path / "file"), "/proc/nowhere"):
        for agent in ("claude-code", "bash", "opencode"):
            result = init(agent, HOME=home, XDG_CONFIG_HOME=home, XDG_STATE_HOME="/proc/nowhere")
            assert result.code in (4, 7), result
            assert "nothing was changed" in result.error["message"]
    assert tree(tmp_path) == {"file": b"x"}


def test_a_state_that_cannot_be_written_is_a_warning(init: Init, tmp_path: Path) -> None:
    result = init("claude-code", XDG_STATE_HOME="/proc/nowhere")
    assert (result.code, result.data["changed"]) == (0, True)
    assert "may leave traces" in result.warnings[0]
    assert init("claude-code", "--uninstall").code == 0
    assert jsonc.load((tmp_path / ".claude/settings.json").read_text()) == {}


def test_a_link_is_written_through(init: Init, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text('{"a": 1}')
    link = tmp_path / ".claude" / "settings.json"
    link.parent.mkdir()
    link.symlink_to("../dotfiles/claude.json")
    assert init("claude-code").code == 0
    assert link.is_symlink()
    assert "clawwrap" in real.read_text()
    assert init("claude-code", "--uninstall").code == 0
    assert (link.is_symlink(), real.read_text()) == (True, '{"a": 1}')


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_stays(init: Init, tmp_path: Path) -> None:
    path = tmp_path / ".bashrc"
    path.write_text("alias x=y\n")
    os.chown(path, 12345, 23456)
    assert init("bash").code == 0
    found = path.stat()
    assert (found.st_uid, found.st_gid) == (12345, 23456)


@pytest.mark.parametrize("before", ["", "x=1", "x=1\n", "x=1\n\n", "\udcff\r\n"], ids=ascii)
@pytest.mark.parametrize("agent", ["bash", "zsh"])
def test_shell_files_keep_every_byte(
    agent: str, before: str, inside: Callable[..., Answer], tmp_path: Path
) -> None:
    path = tmp_path / PLACES[agent, "user"]
    raw = before.encode("utf-8", "surrogateescape")
    path.write_bytes(raw)
    inside(agent)
    assert path.read_bytes().startswith(raw)
    assert path.read_text(errors="replace").count(targets.BEGIN) == 1
    path.write_bytes(path.read_bytes() + b"# later\n")
    assert inside(agent).data["changed"] is False
    inside(agent, uninstall=True)
    after = path.read_bytes()
    assert after in (raw + b"# later\n", raw + b"\n# later\n")


@pytest.mark.parametrize(
    "before", ["", 'model = "x"', '[a]\nb = 1\n[[hooks.Stop]]\nmatcher = ""\n']
)
def test_codex_settings_stay_toml(before: str, init: Init, tmp_path: Path) -> None:
    path = tmp_path / ".codex/config.toml"
    path.parent.mkdir()
    path.write_text(before)
    done = init("codex", "--exclude", 'a "b" \\c')
    assert "/hooks" in done.data["note"]
    found = tomllib.loads(path.read_text())
    [entry] = found["hooks"]["PreToolUse"]
    assert entry["matcher"] == "^Bash$"
    assert entry["hooks"][0]["command"] == "clawwrap hook codex --exclude 'a \"b\" \\c'"
    init("codex", "--uninstall")
    assert path.read_text() == before


@needs("bash")
def test_bash_finds_the_shims_first_and_once(init: Init, tmp_path: Path) -> None:
    init("bash")
    script = f". {tmp_path}/.bashrc; . {tmp_path}/.bashrc; echo $PATH"
    for env, shims in (
        ({}, f"{tmp_path}/.local/share/clawwrap/shims"),
        ({"CLAWWRAP_SHIM_DIR": "/my shims"}, "/my shims"),
    ):
        done = subprocess.run(
            ["bash", "-c", script],
            env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"} | env,
            capture_output=True,
            text=True,
        )
        assert (done.stdout, done.stderr) == (f"{shims}:/usr/bin:/bin\n", "")


@needs("fish")
def test_fish_finds_the_shims_first_and_once(init: Init, tmp_path: Path) -> None:
    init("fish")
    file = tmp_path / ".config/fish/conf.d/clawwrap.fish"
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source {file}; source {file}; string join : $PATH"],
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert done.stdout == f"{tmp_path}/.local/share/clawwrap/shims:/usr/bin:/bin\n"


@needs("zsh")
def test_zsh_reads_the_block(init: Init, tmp_path: Path) -> None:
    init("zsh")
    done = subprocess.run(
        ["zsh", "-f", "-c", f". {tmp_path}/.zshrc; echo $PATH"],
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert done.stdout == f"{tmp_path}/.local/share/clawwrap/shims:/usr/bin:/bin\n"


@needs("node")
@pytest.mark.parametrize("version", [1, 2])
def test_the_plugin_of_opencode_rewrites_in_both_versions(
    version: int, init: Init, tmp_path: Path, clean_env: dict[str, str]
) -> None:
    init("opencode")
    plugin = tmp_path / "plugin.mjs"
    shutil.copy(tmp_path / PLACES["opencode", "user"], plugin)
    bin = tmp_path / "bin"
    bin.mkdir()
    (bin / "clawwrap").write_text("#!/bin/sh\nexec " + " ".join(CLAWWRAP) + ' "$@"\n')
    (bin / "clawwrap").chmod(0o755)
    program = {
        1: """
const hooks = await plugin.server({})
for (const [tool, args] of calls) {
  const output = { args }
  await hooks["tool.execute.before"]({ tool }, output)
  console.log(JSON.stringify(output.args))
}""",
        2: """
let hook
await plugin.setup({ tool: { hook: async (name, f) => { hook = f } } })
for (const [tool, input] of calls) {
  const event = { tool, input }
  await hook(event)
  console.log(JSON.stringify(event.input))
}""",
    }[version]
    calls = [
        ["bash", {"command": "git status", "timeout": 5}],
        ["bash", {"command": "git log | head"}],
        ["read", {"filePath": "x"}],
    ]
    head = f"import plugin from {json.dumps(str(plugin))}\nconst calls = {json.dumps(calls)}\n"
    done = subprocess.run(
        ["node", "--input-type=module", "-e", head + program],
        env=clean_env | {"PATH": f"{bin}:{clean_env['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert found[0] == {"command": "clawwrap -- git status", "timeout": 5}
    assert found[1:] == [call[1] for call in calls[1:]]


# The reader of settings, by chance

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(
    value=st.dictionaries(
        st.text(max_size=6).filter(lambda key: key != "hooks"), VALUES, max_size=4
    ),
    indent=st.sampled_from([None, 0, 2, 4, "\t"]),
    comment=st.sampled_from(["", "// c\n", "/* c, ] } */", "\n\n"]),
)
def test_any_settings_take_the_entry_and_give_it_back(
    value: dict[str, Any], indent: Any, comment: str
) -> None:
    text = comment + json.dumps(value, indent=indent).replace("\n", f"{comment}\n", 1) + comment
    assert jsonc.load(text) == value
    target = targets.find("claude-code", "user", [], {"HOME": "/h"})
    changes = editing.edits(target, text)
    after = editing.apply(text, changes)
    assert jsonc.load(after) == value | {"hooks": {"PreToolUse": [target.item]}}
    assert editing.installed(target, after)
    assert editing.undo(after, changes) == text
    assert jsonc.load(editing.without(target, after) or "") == value


@settings(max_examples=200, deadline=None)
@given(text=st.text(alphabet='{}[]",:/*\n ab1', max_size=20))
def test_the_reader_of_settings_takes_json_or_says_where_it_breaks(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        expected = None
    try:
        found = jsonc.parse(text).plain()
    except jsonc.Broken as problem:
        assert expected is None
        assert str(problem).startswith("line ")
    else:
        assert expected is None or found == expected
