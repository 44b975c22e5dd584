"""AKG, MindSpore's kernel compiler, out of the public mindspore-ascend wheel."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from core.compilers import Limits, ToolMissing
from core.compilers.akg.catalogue import CATALOGUE, check_hints, parse_attribute
from core.compilers.toolchain import InstallError, Package, Recipe, Wheel
from core.compilers.warm import RunningChild, WarmProcess
from core.hints import HintError, Hints, HintSpec, HintValue
from core.kernel import Kernel, KernelKind
from core.target import Target

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


def child_environment(toolchain: Path) -> dict[str, str]:
    """The environment that a process with AKG gets: ours, without what changes a compile."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if name not in _LEAKS and not name.startswith(_LEAKING_PREFIXES)
    }
    if not _real_ccec():
        clean["PATH"] = f"{toolchain / 'stand-in'}{os.pathsep}{clean.get('PATH', os.defpath)}"
    return clean | {
        "MS_DEV_DUMP_IR": "on",
        "MS_DEV_DUMP_CODE": "on",
        "OMP_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "LC_ALL": "C.UTF-8",
    }


def _real_ccec() -> str | None:
    return shutil.which("ccec")


def _describe(toolchain: Path, python: Path) -> Sequence[Mapping[str, object]]:
    """Ask the unpacked compiler for its chip, in a process of its own."""
    asked = subprocess.run(
        [
            str(python),
            "-W",
            "ignore",
            "-m",
            "core.compilers.akg.child",
            str(toolchain),
        ],
        cwd=Path(__file__).resolve().parents[3],
        env=child_environment(toolchain),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if asked.returncode:
        last = (asked.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise InstallError(f"AKG was unpacked but does not start under {python}: {last}")
    facts: Mapping[str, object] = json.loads(asked.stdout.splitlines()[-1])
    return [facts]


RECIPE = Recipe(
    name="akg",
    version="1.10.0",
    packages=(
        Package(
            "mindspore-ascend",
            "1.10.0",
            ("mindspore/_akg/", "mindspore/lib/libakg.so"),
            (
                Wheel(
                    ("manylinux1_x86_64",),
                    "cba0fa09d2008ffeb3dc7690009a5a8a1bfd415f4ee4dfab2fbf60654ab72ff4",
                    "x86_64",
                    "3.9",
                ),
                Wheel(
                    ("manylinux2014_aarch64",),
                    "d795ed41a5e5cb1cb356eaa64684f60c88fc8a583187832edfe1a68d6e84902c",
                    "aarch64",
                    "3.9",
                ),
            ),
        ),
    ),
    stand_ins={"ccec": _CCEC_STAND_IN},
    describe=_describe,
)


class Akg:
    """The AKG compiler for Ascend 910 (the `Compiler` protocol)."""

    name = RECIPE.name
    version = RECIPE.version
    kinds: tuple[KernelKind, ...] = ("composite", "python")

    @property
    def catalogue(self) -> tuple[HintSpec, ...]:
        return CATALOGUE

    def installed(self) -> bool:
        return RECIPE.installed()

    def lacks(self, kernel: Kernel) -> str | None:
        return None if self.installed() else RECIPE.name

    def targets(self) -> tuple[Target, ...]:
        return RECIPE.targets()

    def target(self, name: str = "") -> Target:
        (only,) = self.targets()
        if name not in ("", only.name):
            raise HintError(f"AKG compiles for {only.name} alone, not for {name}.")
        return only

    def parse_attribute(self, text: str, kernel: Kernel) -> tuple[str, HintValue]:
        return parse_attribute(text)

    def check(self, hints: Hints, kernel: Kernel) -> None:
        check_hints(hints)

    def session(self) -> AkgSession:
        if not self.installed():
            raise ToolMissing(
                "The akg compiler is not installed; run: "
                ".venv/bin/python -m core toolchain install akg"
            )
        return AkgSession(self)


class AkgSession:
    """A process with AKG loaded (the `Session` protocol)."""

    def __init__(self, akg: Akg) -> None:
        self._version = akg.version
        self._target = akg.target()
        self._last_step = "present" if _real_ccec() else "absent"
        self._warm = WarmProcess(
            "core.compilers.akg.child",
            [str(RECIPE.folder)],
            child_environment(RECIPE.folder),
        )

    @property
    def pid(self) -> int:
        return self._warm.pid

    def start(
        self, folder: Path, kernel: Kernel, hints: Hints, limits: Limits, *, full: bool = True
    ) -> RunningChild:
        check_hints(hints)  # AKG writes its dumps in any case: `full` changes nothing
        job = {
            "kernel": asdict(kernel),
            "hints": hints.as_dict(),
            "compiler": {"name": "akg", "version": self._version},
            "target": asdict(self._target),
            "started": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "host": platform.machine(),
            "limits": asdict(limits),
            "last_step": self._last_step,
        }
        (folder / "job.json").write_text(json.dumps(job))
        (folder / "dump").mkdir()
        return self._warm.start(folder, limits)

    def close(self) -> None:
        self._warm.close()
