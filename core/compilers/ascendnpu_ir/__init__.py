"""AscendNPU IR: bishengir-compile for 910B, A3 and 950, out of the public ascendnpu-ir wheel.

Kernels are MLIR text, or Triton files that Triton for Ascend lowers to it first.
"""

from __future__ import annotations

import json
import platform
from dataclasses import asdict
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from core.compilers import Limits
from core.compilers.ascendnpu_ir import child, command
from core.compilers.ascendnpu_ir.catalogue import (
    TARGET,
    catalogue,
    check_hints,
    parse_attribute,
)
from core.compilers.ascendnpu_ir.recipes import (
    RECIPE,
    RECIPES,
    TRITON_RECIPE,
    VERSION,
    binaries,
    environment,
    real,
)
from core.compilers.ascendnpu_ir.releases import RELEASES
from core.compilers.ascendnpu_ir.targets import is_a5
from core.compilers.toolchain import Recipe
from core.compilers.warm import RunningChild, WarmProcess
from core.hints import HintError, Hints, HintSpec, HintValue
from core.kernel import Kernel, KernelKind
from core.target import Target

__all__ = ["RECIPE", "TRITON_RECIPE", "AscendNpuIr", "AscendNpuIrSession"]

_CHILD = str(Path(child.__file__).resolve())


@lru_cache(maxsize=8)
def _recorded(recipe: str, facts: Path, modified: int) -> tuple[Target, ...]:
    """The chips of an install; read once as long as its file stays the same."""
    return RECIPES[recipe].targets()


class AscendNpuIr:
    """The compiler `bishengir-compile` (the `Compiler` protocol)."""

    name = RECIPE.name
    kinds: tuple[KernelKind, ...] = ("mlir", "triton")

    def __init__(self, version: str = VERSION) -> None:
        """One of the versions that `recipes` knows."""
        self.recipe = RECIPES[version]
        self.release = RELEASES[version]

    @property
    def version(self) -> str:
        return self.recipe.version

    @property
    def catalogue(self) -> tuple[HintSpec, ...]:
        return catalogue(self._names(), self.release)

    def installed(self) -> bool:
        return self.recipe.installed()

    def lacks(self, kernel: Kernel) -> str | None:
        needed: list[Recipe] = [self.recipe]
        if kernel.kind == "triton":
            needed.append(TRITON_RECIPE)
        return next((recipe.key for recipe in needed if not recipe.installed()), None)

    def targets(self) -> tuple[Target, ...]:
        facts = self.recipe.folder / "toolchain.json"
        modified = facts.stat().st_mtime_ns if facts.exists() else 0
        return _recorded(self.version, facts, modified)

    def target(self, name: str = "") -> Target:
        targets = self.targets()
        if not name:
            return targets[0]
        found = next((target for target in targets if target.name == name), None)
        if found is None:
            raise HintError(
                f"{name} is no chip that bishengir-compile knows; it knows "
                f"{', '.join(target.name for target in targets)}."
            )
        return found

    def parse_attribute(self, text: str, kernel: Kernel) -> tuple[str, HintValue]:
        return parse_attribute(text, kernel, self._names(), self.release)

    def check(self, hints: Hints, kernel: Kernel) -> None:
        check_hints(hints, kernel, self._names(), self.release)

    def session(self) -> AscendNpuIrSession:
        return AscendNpuIrSession(self)

    def _names(self) -> tuple[str, ...]:
        return tuple(target.name for target in self.targets()) if self.installed() else ()


class AscendNpuIrSession:
    """The processes that start compiles (the `Session` protocol): one, and one with Triton."""

    def __init__(self, compiler: AscendNpuIr) -> None:
        self._compiler = compiler
        self._targets = {target.name: target for target in compiler.targets()}
        self._environment = environment(compiler.recipe.folder)
        self._warm = WarmProcess(f"{__name__}.child", [], self._environment)
        self._triton: WarmProcess | None = None

    @property
    def pid(self) -> int:
        return self._warm.pid

    @property
    def triton_pid(self) -> int | None:
        """The process with Triton loaded; None before the first kernel that needs it."""
        return self._triton.pid if self._triton else None

    def start(
        self, folder: Path, kernel: Kernel, hints: Hints, limits: Limits, *, full: bool = True
    ) -> RunningChild:
        check_hints(hints, kernel, tuple(self._targets), self._compiler.release)
        target = self._targets[str(hints.attributes.get(TARGET, next(iter(self._targets))))]
        where, release = binaries(self._compiler.recipe.folder), self._compiler.release
        plan = command.plan(kernel, hints, target.name, where, full=full, release=release)
        warm = self._with_triton() if plan.triton else self._warm
        last_tool = "hivmc-a5" if is_a5(target.name) else "hivmc"
        job = {
            "kernel": asdict(kernel),
            "hints": hints.as_dict(),
            "compiler": {"name": self._compiler.name, "version": self._compiler.version},
            "target": asdict(target),
            "started": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "host": platform.machine(),
            "limits": asdict(limits),
            "last_step": "present" if real(last_tool) else "absent",
        }
        (folder / "job.json").write_text(json.dumps(job))
        (folder / "command.json").write_text(json.dumps(plan.as_dict()))
        (folder / "dump").mkdir()
        for name, text in plan.files.items():
            (folder / "dump" / name).write_text(text)
        return warm.start(folder, limits)

    def close(self) -> None:
        self._warm.close()
        if self._triton is not None:
            self._triton.close()

    def _with_triton(self) -> WarmProcess:
        """The process that has Triton loaded, started for the first kernel that needs it."""
        if self._triton is None:
            python = TRITON_RECIPE.python()
            self._triton = WarmProcess(
                _CHILD, [str(TRITON_RECIPE.folder)], self._environment, python
            )
        return self._triton
