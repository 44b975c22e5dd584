"""What is fetched: the compiler, and Triton for Ascend, which lowers Triton's kernels to it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from core.compilers.ascendnpu_ir import targets
from core.compilers.ascendnpu_ir.releases import NEWEST, RELEASES, Release
from core.compilers.toolchain import ALL, InstallError, Package, Recipe, Wheel

#: Variables that change what the compilers do, and those of the Python that started us.
_LEAKING_PREFIXES = ("BISHENG", "LLVM_", "MLIR_", "TRITON_", "PYTHON", "ASCEND_IR", "USE_IR_LOC")

#: The version that is taken where nobody asks for another.
VERSION = NEWEST.version

_PROGRAMS = ("ascendnpuir/bin/bishengir-compile", "ascendnpuir/bin/bishengir-opt")
_A5_PROGRAM = "ascendnpuir/bin/bishengir-compile-a5"

#: CANN's own last tools, one for each build of the compiler.
LAST_TOOLS = ("hivmc", "hivmc-a5")

_LAST_TOOL_STAND_IN = """#!/bin/sh
# Stands in for CANN's {name} where that is absent: makes an empty object file, no machine code.
if [ "$1" = --version ]; then
  echo "hivmc 0.2.0 (0000000 2026-01-01)"
  exit 0
fi
while [ $# -gt 0 ]; do
  if [ "$1" = -o ]; then : > "$2"; fi
  shift
done
"""

_KEEPER = """#!/bin/sh
# Keeps the module that bishengir-compile hands to CANN's {name}, then runs that.
PATH=${{PATH#"$(dirname "$0")":}}
[ "$1" = --version ] || cp "$1" module.hivm.opt.mlir
exec {name} "$@"
"""
_KEEPERS = "keep"  # folder among the stand-ins


def binaries(toolchain: Path) -> Path:
    """Where the compiler's programs are in a toolchain's folder."""
    return toolchain / "ascendnpuir" / "bin"


def environment(toolchain: Path) -> dict[str, str]:
    """The environment that a compile gets: ours, without what changes a compile.

    The stand-ins come last on the PATH, so that the real tools are taken where there are any; what
    only keeps the module that is handed to them comes first.
    """
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith(_LEAKING_PREFIXES)
    }
    stand_ins = toolchain / "stand-in"
    path = [clean.get("PATH", os.defpath), str(stand_ins)]
    if (stand_ins / _KEEPERS).is_dir():
        path.insert(0, str(stand_ins / _KEEPERS))
    return clean | {
        "PATH": os.pathsep.join(path),
        "LC_ALL": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        # Triton writes source lines into what it lowers only where this says so.
        "TRITON_DISABLE_LINE_INFO": "0",
        "TRITON_CACHE_DIR": str(toolchain / "cache"),
    }


def real(tool: str) -> bool:
    """True where one of CANN's last tools is on this machine."""
    return shutil.which(tool) is not None


def _stand_ins(release: Release) -> dict[str, str]:
    scripts = {name: _LAST_TOOL_STAND_IN.format(name=name) for name in LAST_TOOLS}
    if not release.saves_module:
        for name in LAST_TOOLS:
            scripts[f"{_KEEPERS}/{name}"] = _KEEPER.format(name=name)
    return scripts


def _describe(release: Release, toolchain: Path, _: Path) -> Sequence[Mapping[str, object]]:
    try:
        return targets.describe(binaries(toolchain), environment(toolchain), release)
    except targets.DescribeError as error:
        raise InstallError(str(error)) from None


def _start_triton(toolchain: Path, python: Path) -> Sequence[Mapping[str, object]]:
    """Triton has no chips of its own; it is only made sure that it can be loaded."""
    load = "import sys; sys.path.insert(0, sys.argv[1]); import triton.backends.ascend.compiler"
    asked = subprocess.run(
        [str(python), "-I", "-S", "-c", load, str(toolchain)],
        env=environment(toolchain),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if asked.returncode:
        last = (asked.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise InstallError(f"Triton was unpacked but does not load under {python}: {last}")
    return ()


_WHEELS = {  # of each version: pip's platform, what is unpacked, SHA-256 for x86-64 and aarch64
    "1.2.0": (
        "manylinux_2_28",
        (*_PROGRAMS, _A5_PROGRAM, "ascendnpuir/lib/"),
        "d4e5bfab877ee4ba7b312885f4f5bf646072fd47c88d5aa96f6a11f67d3e8522",
        "76aaaedd3c4a08148a690f1bdddf2e2668f484989ab261fdb7e19cdba5d0f957",
    ),
    "1.1.0": (
        "manylinux_2_28",
        (*_PROGRAMS, _A5_PROGRAM, "ascendnpuir/lib/"),
        "b1726fe74952b2a6c3c0d8d001c500441db6f4d36239217f5c6809480d1a7318",
        "3a4321110af5cc3aae854a69f2184292016237f09d79944c5e8b552cbc844347",
    ),
    "1.0.0": (
        "manylinux2014",
        _PROGRAMS,
        "8d51853c50f70d435d7badde1acb901b533b3dcafdd7f958341d958c777b9c06",
        "2bacd8e523b52c7a69df13dc4dd349893800229202d17511e287aa9fbad2f79f",
    ),
}


def _recipe(version: str) -> Recipe:
    platform, members, x86_64, aarch64 = _WHEELS[version]
    return Recipe(
        name="ascendnpu-ir",
        version=version,
        packages=(
            Package(
                "ascendnpu-ir",
                version,
                (*members, f"ascendnpu_ir-{version}.dist-info/METADATA"),
                tuple(
                    Wheel((f"{platform}_{machine}",), sha256, machine, "3.11")
                    for machine, sha256 in (("x86_64", x86_64), ("aarch64", aarch64))
                ),
            ),
        ),
        stand_ins=_stand_ins(RELEASES[version]),
        describe=partial(_describe, RELEASES[version]),
        usual=version == VERSION,
    )


#: Newest first.
RECIPES: Mapping[str, Recipe] = {version: _recipe(version) for version in _WHEELS}
RECIPE = RECIPES[VERSION]

_TRITON_WHEELS = {
    ("x86_64", "3.11"): "17c8d7161eed1e96a286281963fe04d3113ee85affaa5d82c7dd0c35803962f0",
    ("x86_64", "3.10"): "35e0ef063e4ec917028adc7f21274fd8cd5fd948c2cd9922c526d6a0dabe31f9",
    ("x86_64", "3.9"): "ff858efa9344a77b1e1a2b320bbe3e4b27c3b3705193bdbc962d648cffe92b2b",
    ("aarch64", "3.11"): "69a9aecd6fa8b0beb798d16989bb24bc8a1ad61ded71526d6099d4179c428043",
    ("aarch64", "3.10"): "430d4d30265fc8baa8ab75d09a6282002ce2ec2a7a82eb427cbf8521a7975795",
    ("aarch64", "3.9"): "b8e85e0028a7b22468b5582c6b066e9543e5e8905c0d718748cabd7ed678d567",
}
TRITON_RECIPE = Recipe(
    name="triton-ascend",
    version="3.2.0",
    packages=(
        Package(
            "triton-ascend",
            "3.2.0",
            ALL,
            tuple(
                Wheel((f"manylinux_2_28_{machine}",), sha256, machine, python)
                for (machine, python), sha256 in _TRITON_WHEELS.items()
            ),
        ),
        Package(  # triton-ascend imports it and does not bring it
            "pybind11",
            "3.1.0",
            ALL,
            (
                Wheel(
                    (),
                    "b8488090f8acffbcb6b5d6a85571a6827a0a2981ffb75e5a0b27b87c4a6b7dd0",
                    "",
                    "",
                ),
            ),
        ),
    ),
    stand_ins={},
    describe=_start_triton,
    pythons=("3.11", "3.10", "3.9"),
)
