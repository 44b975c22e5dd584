"""AKG, MindSpore's kernel compiler, out of the public mindspore-ascend wheel."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from core.compilers import Limits
from core.compilers.akg.catalogue import catalogue, check_hints, parse_attribute
from core.compilers.akg.recipes import (
    RECIPE,
    RECIPES,
    REPOSITORY_VARIABLE,
    VERSION,
    child_environment,
    real_ccec,
)
from core.compilers.warm import RunningChild, WarmProcess
from core.hints import HintError, Hints, HintSpec, HintValue
from core.kernel import Kernel, KernelKind
from core.target import Target

__all__ = ["RECIPE", "Akg", "AkgSession", "child_environment"]


class Akg:
    """The AKG compiler for Ascend 910 (the `Compiler` protocol)."""

    name = RECIPE.name
    kinds: tuple[KernelKind, ...] = ("composite", "python")

    def __init__(self, version: str = VERSION) -> None:
        """One of the versions that `recipes` knows."""
        self.recipe = RECIPES[version]

    @property
    def version(self) -> str:
        return self.recipe.version

    @property
    def catalogue(self) -> tuple[HintSpec, ...]:
        return catalogue(self.version)

    def installed(self) -> bool:
        return self.recipe.installed()

    def lacks(self, kernel: Kernel) -> str | None:
        return None if self.installed() else self.recipe.key

    def targets(self) -> tuple[Target, ...]:
        return self.recipe.targets()

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
        self.recipe.facts()  # raises ToolMissing, with the command that installs it
        return AkgSession(self)


class AkgSession:
    """A process with AKG loaded (the `Session` protocol)."""

    def __init__(self, akg: Akg, repository: Path | None = None) -> None:
        """`repository`: a file of tilings in place of the one that AKG ships."""
        self._version = akg.version
        self._target = akg.target()
        self._last_step = "present" if real_ccec() else "absent"
        clean = child_environment(akg.recipe.folder)
        if repository is not None:
            clean[REPOSITORY_VARIABLE] = str(repository)
        self._warm = WarmProcess(
            "core.compilers.akg.child", [str(akg.recipe.folder), akg.version], clean
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
