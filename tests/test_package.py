"""What is built is what works: the wheel carries everything, and runs from any folder."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "build",
            "--wheel",
            "--no-isolation",
            "--outdir",
            str(folder),
            str(ROOT),
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    [path] = folder.glob("*.whl")
    return path


def test_the_wheel_carries_the_data(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("adapters", "mappings"):
        for path in (ROOT / folder).glob("*.yaml"):
            assert f"clawwrap/_data/{folder}/{path.name}" in names
    for path in (ROOT / "clawwrap" / "schemas").glob("*.json"):
        assert f"clawwrap/schemas/{path.name}" in names
    assert "clawwrap/py.typed" in names
    assert not any(name.startswith("tests/") for name in names)


def test_the_wheel_ships_a_script_that_imports_nothing_first(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    [name] = [name for name in archive.namelist() if name.endswith("scripts/clawwrap")]
    text = archive.read(name).decode()
    assert text.startswith("#!python\n")
    assert "import re" not in text


def test_an_unpacked_wheel_works_like_the_source_tree(
    wheel: Path, tmp_path: Path, clean_env: dict[str, str]
) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    # The packages it needs come from this environment; clawwrap itself only from the wheel.
    env = clean_env | {"PYTHONPATH": str(site), "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def call(*words: str) -> dict[str, object]:
        done = subprocess.run(
            [sys.executable, "-m", "clawwrap", *words], cwd=elsewhere, env=env, capture_output=True
        )
        found: dict[str, object] = json.loads(done.stdout)
        return found

    where = call("adapters", "show", "git")["data"]
    assert isinstance(where, dict)
    assert where["file"] == os.path.join(str(site), "clawwrap", "_data", "adapters", "git.yaml")
    result = call("git", "statsu")
    assert isinstance(result["error"], dict)
    assert result["error"]["redirect"]["command"] == "git status"


def test_no_path_of_one_machine_is_in_the_project() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    paths = re.compile(r"(?<![\w.-])/(?:work|root)/|[.]library\b")
    for name in listed.stdout.split():
        path = ROOT / name
        if path.is_file():
            text = path.read_text(errors="replace")
            assert not paths.search(text), name
