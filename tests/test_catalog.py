"""Which word is the tool, which adapter speaks for it, and a cache that is never in the way."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from clawwrap import catalog, commands, shell_line
from clawwrap.invocation import Invocation
from tests.conftest import CLAWWRAP, Run

THROUGH = {
    "git push": "git",
    "/usr/bin/git push": "git",
    "git.exe push": "git",
    "env A=1 B=2 git push": "git",
    "env -u HOME git push": "git",
    "timeout 5 git push": "git",
    "timeout -k 1 5 git push": "git",
    "timeout --signal=KILL 5 git push": "git",
    "nice git push": "git",
    "nice -n 10 git push": "git",
    "nohup git push": "git",
    "stdbuf -oL git push": "git",
    "sudo git push": "git",
    "sudo -u me -- git push": "git",
    "uv run pytest -q": "pytest",
    "uv run --with x pytest": "pytest",
    "uv --version": "uv",
    "uv sync": "uv",
    "npx eslint .": "eslint",
    "npx -p a b": "b",
    "npm exec -- eslint .": "eslint",
    "npm install": "npm",
    "poetry run pytest": "pytest",
    "python -m pip install x": "pip",
    "python3.11 -m pip install x": "pip",
    "python3 -X dev -m pytest": "pytest",
    "python script.py": "python",
    "python -c pass": "python",
    "env timeout 5 nice git push": "git",
    "env": "env",
    "timeout 5": "timeout",
    "bundle exec rake": "rake",
}


@pytest.mark.parametrize("line", THROUGH)
def test_the_tool_is_seen_through_what_launches_it(line: str) -> None:
    words = shlex.split(line)
    at = catalog.see_through(words, catalog.mapping("launchers"))[-1]
    assert catalog.tool_name(words[at]) == THROUGH[line]


SUBCOMMANDS = {
    "git push origin main": "push",
    "git -C dir push": "push",
    "git --no-pager -c a=b log": "log",
    "git --git-dir=x status": "status",
    "git": "",
    "git --version": "",
}


@pytest.mark.parametrize("line", SUBCOMMANDS)
def test_global_flags_before_the_subcommand(line: str) -> None:
    file = catalog.locate("git", {})
    assert file
    assert commands.subcommand(catalog.read(file), shlex.split(line)) == SUBCOMMANDS[line]


LINES = {
    "git push && npm test": ["git", "npm"],
    "cat f | grep x > out 2>&1": ["cat", "grep"],
    "A=1 git push; (cd x && make)": ["git", "cd", "make"],
    "if git diff --quiet; then echo 'a; b'; fi": ["git", "echo"],
    'echo "a | b" \\; c': ["echo"],
    "sort < git > npm && make": ["sort", "make"],
    "make &> log & wait": ["make", "wait"],
    "": [],
}


@pytest.mark.parametrize("line", LINES)
def test_the_tools_of_a_line(line: str) -> None:
    assert [command[0] for command in shell_line.split_line(line) if command] == LINES[line]


def test_versions_in_the_name_are_looked_past() -> None:
    assert catalog.locate("pip3.11", {}) == catalog.locate("pip", {}) is not None
    assert catalog.locate("no-such-tool", {}) is None


def write(folder: Path, name: str, more: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.yaml"
    path.write_text(f"tool: {name}\nabout: a test\nexit_codes: {{SUCCESS: It ran}}\n{more}")
    return path


def test_layers_from_the_most_specific_to_the_shipped(run: Run, tmp_path: Path) -> None:
    config = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    yours = write(tmp_path / "config" / "clawwrap" / "adapters", "git", "timeout: 1m\n")
    path = {"CLAWWRAP_ADAPTER_PATH": f"{tmp_path / 'absent'}:{tmp_path / 'first'}"}
    first = write(tmp_path / "first", "git", "timeout: 2m\n")
    file = write(tmp_path / "file", "git", "timeout: 3m\n")

    def timeout(env: dict[str, str], *words: str) -> int:
        found: int = run(*words, "git", "--version", env=env).meta["timeout_ms"]
        return found

    assert timeout(config) == 60_000
    assert timeout(config | path) == 120_000
    assert timeout(config | path, "--adapter", str(file)) == 180_000
    assert timeout(config | path, "--no-adapter") == 600_000
    assert first != yours
    assert "adapter" not in run("--no-adapter", "git", "--version").meta


def test_an_adapter_by_name_for_a_script(run: Run) -> None:
    result = run("--adapter", "grep", "sh", "-c", "exit 1")
    assert (result.code, result.error["code"]) == (5, "NO_MATCH")


def test_another_name_of_a_tool(tmp_path: Path) -> None:
    file = write(tmp_path, "thing", "names: [other]\n")
    env = {"CLAWWRAP_ADAPTER_PATH": str(tmp_path)}
    assert catalog.locate("other", env) == str(file)


def test_a_broken_adapter_of_one_tool_leaves_the_others_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "false.yaml").write_text("tool: [\n")
    env = {"CLAWWRAP_ADAPTER_PATH": str(tmp_path / "a")}
    assert run("true", env=env).code == 0
    assert run("false", env=env).error["code"] == "INVALID_ADAPTER"


# The cache


def test_an_edit_is_seen_at_once(run: Run, tmp_path: Path) -> None:
    file = write(tmp_path, "sh", "native: {9: CONFLICT}\n")
    for name, code in (("CONFLICT", 6), ("NOT_FOUND", 5), ("PRECONDITION", 4)):
        write(tmp_path, "sh", f"native: {{9: {name}}}\n")
        assert run("--adapter", str(file), "sh", "-c", "exit 9").code == code


def test_an_edit_of_the_extended_file_is_seen(run: Run, tmp_path: Path) -> None:
    write(tmp_path, "base", "native: {9: CONFLICT}\n")
    child = write(tmp_path, "sh", "extends: base.yaml\n")
    assert run("--adapter", str(child), "sh", "-c", "exit 9").code == 6
    write(tmp_path, "base", "native: {9: NOT_FOUND}\n")
    assert run("--adapter", str(child), "sh", "-c", "exit 9").code == 5


def plans(cache: Path) -> list[Path]:
    return list(cache.rglob("*.plan"))


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda plan: plan.write_bytes(b""), id="empty"),
        pytest.param(lambda plan: plan.write_bytes(b"garbage"), id="garbage"),
        pytest.param(lambda plan: plan.write_bytes(plan.read_bytes()[:-40]), id="cut"),
        pytest.param(
            lambda plan: replaced(plan, lambda: plan.symlink_to("/etc/passwd")), id="link"
        ),
        pytest.param(lambda plan: replaced(plan, lambda: os.mkfifo(plan)), id="fifo"),
        pytest.param(lambda plan: replaced(plan, plan.mkdir), id="folder"),
    ],
)
def test_a_damaged_cache_is_no_reason_to_fail(
    run: Run, tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    cache = tmp_path / "cache"
    env = {"XDG_CACHE_HOME": str(cache)}
    assert run("git", "statsu", env=env).code == 13
    assert plans(cache)
    for plan in plans(cache):
        damage(plan)
    assert run("git", "statsu", env=env).code == 13


def replaced(plan: Path, by: Callable[[], object]) -> None:
    plan.unlink()
    by()


def test_a_damaged_cold_half_is_compiled_again() -> None:
    file = catalog.locate("git", {})
    assert file
    plan = catalog.Folded({"tool": "git"}, b"garbage", file)
    assert plan["rules"] == catalog.read(file)["rules"]


@pytest.mark.parametrize("in_its_place", ["a file", "a link to nowhere"])
def test_without_a_place_for_the_cache_everything_works(
    run: Run, tmp_path: Path, in_its_place: str
) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    place = cache / "clawwrap"
    place.write_text("") if in_its_place == "a file" else place.symlink_to("/no/such/folder")
    result = run("git", "statsu", env={"XDG_CACHE_HOME": str(cache)})
    assert (result.code, result.warnings) == (13, [])


def test_many_who_make_the_same_cache_at_once(clean_env: dict[str, str], tmp_path: Path) -> None:
    env = clean_env | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    words = [*CLAWWRAP, "sh", "-c", "exit 7"]
    running = [
        subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(12)
    ]
    ended = [process.communicate() for process in running]
    assert [process.returncode for process in running] == [1] * 12
    assert all(not said for _, said in ended)
    assert not [path for path in (tmp_path / "cache").rglob("*") if ".plan." in path.name]


def test_a_cache_that_others_could_write_is_not_trusted(run: Run, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    env = {"XDG_CACHE_HOME": str(cache)}
    run("git", "--version", env=env)
    for plan in plans(cache):
        assert plan.stat().st_mode & 0o077 == 0
        plan.chmod(0o666)
    before = {plan: plan.stat().st_ino for plan in plans(cache)}
    run("git", "--version", env=env)
    assert all(
        plan.stat().st_ino != before[plan] for plan in plans(cache) if "launchers" in plan.name
    )


def test_the_compiled_form_is_the_same_from_cache_and_from_yaml(tmp_path: Path) -> None:
    file = catalog.locate("git", {})
    assert file
    first = catalog.read(file)
    assert catalog.read(file) == first


def test_choose_reads_only_the_adapter_it_needs(tmp_path: Path) -> None:
    inv = Invocation()
    inv.words = ["git", "status"]
    choice = catalog.choose(inv, os.environ)
    assert [plan["tool"] for _, plan in choice.parts if plan] == ["git"]


EFFECTS = {
    "curl http://x": "none",
    "curl -X POST http://x": "partial",
    "curl -sSkX POST http://x": "partial",
    "curl --data=x http://x": "partial",
    "curl -d x --help": "none",
    "kubectl get pods": "none",
    "kubectl apply -f x": "partial",
    "kubectl apply --dry-run=client -f x": "none",
    "kubectl exec p -- tool --dry-run": "partial",
    "git push": "partial",
    "git push --dry-run": "none",
    "git -C x status": "none",
}


@pytest.mark.parametrize("line", EFFECTS)
def test_effects(line: str) -> None:
    words = shlex.split(line)
    file = catalog.locate(words[0], {})
    assert file
    assert commands.effect(catalog.read(file), words) == EFFECTS[line]


def test_a_tool_called_like_our_config_file_has_an_adapter_all_the_same(
    run: Run, tmp_path: Path
) -> None:
    file = write(tmp_path / "a", "config", "native: {9: CONFLICT}\n")
    assert run("--adapter", str(file), "sh", "-c", "exit 9").code == 6
