"""A project's adapters speak only once the user has trusted exactly that content."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from clawwrap import catalog, loader, packages, trust
from tests.conftest import Run

ADAPTER = """\
tool: sh
about: a project's own
env: {MOOD: {value: good, why: the project wants it}}
exit_codes: {SUCCESS: It ran, CONFLICT: It is there}
native: {9: CONFLICT}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project" / ".clawwrap" / "adapters"
    folder.mkdir(parents=True)
    (folder / "sh.yaml").write_text(ADAPTER)
    (tmp_path / "project" / "deep" / "inside").mkdir(parents=True)
    return tmp_path / "project"


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_CACHE_HOME": str(tmp_path / "cache")}


def test_it_is_ignored_with_a_warning_until_it_is_trusted(
    run: Run, project: Path, env: dict[str, str]
) -> None:
    before = run("sh", "-c", "echo $MOOD; exit 9", env=env, cwd=project)
    assert before.code == 1
    assert "adapter" not in before.meta
    assert "error" in before.envelope and before.error["output"] == {"stdout": "\n"}
    assert "adapters trust" in before.warnings[0]

    trusted = run("adapters", "trust", env=env, cwd=project).data["trusted"]
    assert trusted[0]["env"] == {"MOOD": "good"}
    after = run("sh", "-c", "echo $MOOD; exit 9", env=env, cwd=project / "deep" / "inside")
    assert (after.code, after.meta["adapter"]) == (6, "sh")
    assert after.error["output"] == {"stdout": "good\n"}
    assert after.warnings == []
    assert run("--cwd", str(project), "sh", "-c", "exit 9", env=env).code == 6


def test_a_changed_file_loses_it(run: Run, project: Path, env: dict[str, str]) -> None:
    file = project / ".clawwrap" / "adapters" / "sh.yaml"
    run("adapters", "trust", env=env, cwd=project)
    assert run("sh", "-c", "exit 9", env=env, cwd=project).code == 6
    old = file.stat()
    file.write_text(ADAPTER.replace("good", "evil"))  # the same length, and the same time stamps
    os.utime(file, ns=(old.st_atime_ns, old.st_mtime_ns))
    changed = run("sh", "-c", "echo $MOOD; exit 9", env=env, cwd=project)
    assert changed.code == 1
    assert "not trusted" in changed.warnings[0]
    assert changed.error["output"] == {"stdout": "\n"}


def test_trust_can_be_taken_back(run: Run, project: Path, env: dict[str, str]) -> None:
    run("adapters", "trust", env=env, cwd=project)
    run("adapters", "trust", "--remove", env=env, cwd=project)
    assert run("sh", "-c", "exit 9", env=env, cwd=project).code == 1


def test_a_broken_adapter_cannot_be_trusted(run: Run, project: Path, env: dict[str, str]) -> None:
    (project / ".clawwrap" / "adapters" / "sh.yaml").write_text("tool: sh\n")
    refused = run("adapters", "trust", env=env, cwd=project)
    assert refused.error["code"] == "INVALID_ADAPTER"
    assert run("sh", "-c", "exit 9", env=env, cwd=project).code == 1


def test_outside_of_a_project_there_is_nothing_to_trust(run: Run, env: dict[str, str]) -> None:
    assert run("adapters", "trust", env=env).code == 5


def test_a_store_that_others_could_have_written_is_not_believed(
    run: Run, project: Path, env: dict[str, str], tmp_path: Path
) -> None:
    run("adapters", "trust", env=env, cwd=project)
    store = tmp_path / "config" / "clawwrap" / "trusted"
    assert store.stat().st_mode & 0o077 == 0
    store.chmod(0o666)
    assert run("sh", "-c", "exit 9", env=env, cwd=project).code == 1


def test_a_hostile_file_is_not_even_parsed(run: Run, project: Path, env: dict[str, str]) -> None:
    # Ten aliases, each ten times the one before: parsing it would take all memory.
    bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{n}: &{n} [{','.join([f'*{chr(ord(n) - 1)}'] * 10)}]\n" for n in "bcdefghij"
    )
    (project / ".clawwrap" / "adapters" / "sh.yaml").write_text(bomb)
    assert run("sh", "-c", "true", env=env, cwd=project).code == 0


def test_doctor_names_what_is_not_trusted(run: Run, project: Path, env: dict[str, str]) -> None:
    assert any("is not trusted" in line for line in run("doctor", env=env, cwd=project).warnings)


def test_what_is_remembered_is_path_and_content(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    one, other = tmp_path / "one.yaml", tmp_path / "other.yaml"
    one.write_text("a")
    other.write_text("a")
    trust.add([str(one)], environ)
    rows = Path(trust.store(environ)).read_text().splitlines()
    assert rows == [f"{trust.fingerprint(str(one))}  {one}"]
    trust.add([str(other)], environ)
    trust.remove([str(one)], environ)
    assert Path(trust.store(environ)).read_text().endswith(f"  {other}\n")


# Packages


def test_a_package_ships_adapters_by_entry_point(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "parcel" / "adapters").mkdir(parents=True)
    (site / "parcel" / "__init__.py").write_text("raise SystemExit('imported')\n")
    (site / "parcel-1.0.dist-info").mkdir()
    (site / "parcel-1.0.dist-info" / "METADATA").write_text("Name: parcel\nVersion: 1.0\n")
    points = site / "parcel-1.0.dist-info" / "entry_points.txt"
    points.write_text("[clawwrap.adapters]\nparcel = parcel.adapters\ngone = parcel.nowhere\n")
    assert packages.folders(str(site)) == [str(site / "parcel" / "adapters")]
    assert loader.COMPILE["packages"](str(site))[0] == [str(site)]


def test_layers_in_order(tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    extra, package, yours = (tmp_path / name for name in ("extra", "package", "config"))
    for folder in (extra, package, yours / "clawwrap" / "adapters"):
        folder.mkdir(parents=True)
    monkeypatch.setattr(packages, "folders", lambda site: [str(package)])
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    environ = {"CLAWWRAP_ADAPTER_PATH": str(extra), "XDG_CONFIG_HOME": str(yours)}
    names = [layer for layer, _ in catalog.layers(environ, str(project))]
    assert names == ["path", "project", "yours", "package", "shipped"]
