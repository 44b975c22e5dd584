"""What is fetched: AKG out of the public mindspore-ascend wheels, in the versions that are known.

The wheels for aarch64 are tagged for any machine, yet hold aarch64 libraries.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from core.compilers.toolchain import InstallError, Package, Recipe, Wheel

#: The version that is taken where nobody asks for another.
VERSION = "1.10.0"

#: Variables that change what AKG does (read from its Python files and `strings libakg.so`), and
#: those of the Python that started us: none of them may leak into a compile.
_LEAKS = ("RUNTIME_MODE", "SYMBOLIC_TILING", "FORCE_SYMBOLIC_TILING")
_LEAKING_PREFIXES = ("MS_", "AKG_", "GLOG_", "DMLC_", "TVM_", "PYTHON", "OMP_")

#: AKG ignores ccec's exit status and reads the object file it should have made; an empty one is
#: enough for every pass to run and the kernel's description to be written.
_CCEC_STAND_IN = """#!/bin/sh
# Stands in for CANN's ccec where that is absent: makes an empty object file, no machine code.
while [ $# -gt 0 ]; do
  if [ "$1" = -o ]; then : > "$2"; fi
  shift
done
"""


#: Names a file of tilings that AKG reads in place of the one that it ships.
REPOSITORY_VARIABLE = "MS_GRAPH_KERNEL_TILING"


def child_environment(toolchain: Path) -> dict[str, str]:
    """The environment that a process with AKG gets: ours, without what changes a compile."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if name not in _LEAKS and not name.startswith(_LEAKING_PREFIXES)
    }
    if not real_ccec():
        clean["PATH"] = f"{toolchain / 'stand-in'}{os.pathsep}{clean.get('PATH', os.defpath)}"
    return clean | {
        "MS_DEV_DUMP_IR": "on",
        "MS_DEV_DUMP_CODE": "on",
        "OMP_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "LC_ALL": "C.UTF-8",
    }


def real_ccec() -> str | None:
    return shutil.which("ccec")


def _describe(version: str, toolchain: Path, python: Path) -> Sequence[Mapping[str, object]]:
    """Ask the unpacked compiler for its chip, in a process of its own."""
    asked = subprocess.run(
        [
            str(python),
            "-W",
            "ignore",
            "-m",
            "core.compilers.akg.child",
            str(toolchain),
            version,
        ],
        cwd=Path(__file__).resolve().parents[3],
        env=child_environment(toolchain),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if asked.returncode:
        said = asked.stderr.strip() or asked.stdout.strip()  # AKG's own hook prints to both
        last = (said.splitlines() or ["no reason given"])[-1]
        raise InstallError(f"AKG {version} was unpacked but does not start under {python}: {last}")
    facts: Mapping[str, object] = json.loads(asked.stdout.splitlines()[-1])
    return [facts]


_SHA256 = {  # of each version: for x86-64, for aarch64
    "1.10.0": (
        "cba0fa09d2008ffeb3dc7690009a5a8a1bfd415f4ee4dfab2fbf60654ab72ff4",
        "d795ed41a5e5cb1cb356eaa64684f60c88fc8a583187832edfe1a68d6e84902c",
    ),
    "1.9.0": (
        "dab792aed38eeb3b3c09b8dafa78037f99f27aab8fb647d5ef6e70344545d0c6",
        "dcf716ffda7ba8e4d310f5c6a104d121ff7e5747db403158d602538ed8a6bf39",
    ),
    "1.6.2": (
        "fac077f6d8ad92767967415c4caf73818571a7d1449ce04718a13dcd67cf4ddc",
        "06c7afeaa6aaa59684f2b306500d947a46da83395f10205e54293522ce49a8fe",
    ),
}


def _recipe(version: str) -> Recipe:
    x86_64, aarch64 = _SHA256[version]
    return Recipe(
        name="akg",
        version=version,
        packages=(
            Package(
                "mindspore-ascend",
                version,
                ("mindspore/_akg/", "mindspore/lib/libakg.so"),
                (
                    Wheel(("manylinux1_x86_64",), x86_64, "x86_64", "3.9"),
                    Wheel(("manylinux2014_aarch64",), aarch64, "aarch64", "3.9"),
                ),
            ),
        ),
        stand_ins={"ccec": _CCEC_STAND_IN},
        describe=partial(_describe, version),
        usual=version == VERSION,
    )


#: Newest first.
RECIPES: Mapping[str, Recipe] = {version: _recipe(version) for version in _SHA256}
RECIPE = RECIPES[VERSION]
