"""AKG for the processor and for GPUs, out of the MindSpore package that is installed beside us.

It compiles the same fused kernels as AKG for Ascend, so that the three can be held beside each
other: for this machine's processor to machine code that runs, for a GPU to CUDA text, which needs
no GPU. It lives in MindSpore 2.10 (mindspore/_akg and lib/plugin/*/libakg.so).
"""

from __future__ import annotations

import importlib.util
import json
import os
import platform
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from core.compilers import Limits, ToolMissing
from core.compilers.akg import child_environment
from core.compilers.akg.catalogue import parse_attribute
from core.compilers.warm import RunningChild, WarmProcess
from core.hints import HintError, Hints, HintSpec, HintValue
from core.kernel import Kernel, KernelError, KernelKind
from core.target import Target

TARGET = "target"  #: the hint that names the chip

_SOURCE = "mindspore 2.10, akg/composite/build_module.py"
#: What a description says of the chip (MindSpore's graph kernel fusion writes it).
_GPU: dict[str, Any] = {
    "process": "cuda",
    "target_info": {"compute_capability": "8.0", "sm_count": 108},
}
CPU, GPU = "CPU", "CUDA sm_80"
_LIBRARIES = {GPU: "gpu11.6", CPU: "cpu"}

_CATALOGUE = (
    HintSpec(
        name=TARGET,
        kind="choice",
        default=CPU,
        effect="honoured",
        does="The chip to compile for: this machine's processor, or a GPU, as CUDA text.",
        group="Target",
        choices=(CPU, GPU),
        tries=(CPU, GPU),
    ),
)


@cache
def package() -> Path | None:
    """The folder of the MindSpore package; found without importing it."""
    found = importlib.util.find_spec("mindspore")
    places = found.submodule_search_locations if found else None
    return Path(next(iter(places))) if places else None


def _library(target: str) -> Path | None:
    """The folder with the library for a target. The one for GPUs compiles for processors too."""
    root = package()
    folders = [_LIBRARIES[target], _LIBRARIES[GPU]]
    if root is None:
        return None
    return next(
        (
            root / "lib" / "plugin" / name
            for name in folders
            if (root / "lib" / "plugin" / name / "libakg.so").is_file()
        ),
        None,
    )


def _targets() -> tuple[Target, ...]:
    cores = os.cpu_count() or 1
    known = [Target(CPU, platform.machine(), cores, (), 1.0, _SOURCE)]
    if _library(GPU) is not None:
        known.append(Target(GPU, "sm_80", 108, (), 1.0, _SOURCE))
    return tuple(known)


class AkgHost:
    """The AKG of MindSpore itself (the `Compiler` protocol)."""

    name = "akg-host"
    kinds: tuple[KernelKind, ...] = ("composite",)

    @property
    def version(self) -> str:
        try:
            return metadata.version("mindspore")
        except metadata.PackageNotFoundError:
            return "2.10.0"

    @property
    def catalogue(self) -> tuple[HintSpec, ...]:
        return _CATALOGUE

    def installed(self) -> bool:
        return package() is not None and _library(CPU) is not None

    def lacks(self, kernel: Kernel) -> str | None:
        return None if self.installed() else "mindspore"

    def targets(self) -> tuple[Target, ...]:
        if not self.installed():
            raise ToolMissing(
                "MindSpore is not installed beside Tilescope, or has no AKG for this machine; "
                "install the package mindspore."
            )
        return _targets()

    def target(self, name: str = "") -> Target:
        targets = self.targets()
        found = next((each for each in targets if each.name == (name or CPU)), None)
        if found is None:
            raise HintError(f"{name} is none of: {', '.join(each.name for each in targets)}.")
        return found

    def parse_attribute(self, text: str, kernel: Kernel) -> tuple[str, HintValue]:
        return parse_attribute(text)

    def check(self, hints: Hints, kernel: Kernel) -> None:
        self.target(str(hints.attributes.get(TARGET, "")))

    def session(self) -> AkgHostSession:
        return AkgHostSession(self)


class AkgHostSession:
    """A process with that AKG loaded for each kind of target (the `Session` protocol)."""

    def __init__(self, compiler: AkgHost) -> None:
        self._compiler = compiler
        self._warm: dict[str, WarmProcess] = {}
        compiler.targets()  # raises ToolMissing

    def start(
        self, folder: Path, kernel: Kernel, hints: Hints, limits: Limits, *, full: bool = True
    ) -> RunningChild:
        target = self._compiler.target(str(hints.attributes.get(TARGET, "")))
        others = {k: v for k, v in hints.as_dict().items() if k != TARGET}
        job = {
            "kernel": asdict(kernel),
            "hints": others,
            "described": described(kernel, target),
            "compiler": {"name": self._compiler.name, "version": self._compiler.version},
            "target": asdict(target),
            "started": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "host": platform.machine(),
            "limits": asdict(limits),
            # For the processor everything is made; of a GPU's code PTX needs nvcc.
            "last_step": "present" if target.name == CPU else "absent",
        }
        (folder / "job.json").write_text(json.dumps(job))
        (folder / "dump").mkdir()
        return self._process(target.name).start(folder, limits)

    def close(self) -> None:
        for process in self._warm.values():
            process.close()

    def _process(self, target: str) -> WarmProcess:
        if target not in self._warm:
            root, library = package(), _library(target)
            assert root is not None and library is not None  # `targets` has looked
            environment = child_environment(Path(os.devnull).parent)
            self._warm[target] = WarmProcess(
                f"{__name__}.child",
                [str(root)],
                environment | {"TVM_LIBRARY_PATH": str(library)},
            )
        return self._warm[target]


def described(kernel: Kernel, target: Target) -> dict[str, Any]:
    """What a kernel's description says of another chip. Raises KernelError."""
    if kernel.kind != "composite":
        raise KernelError("Only kernels described as composite JSON can be compiled for a host.")
    if target.name == GPU:
        return _GPU
    x86 = target.architecture == "x86_64"
    return {
        "process": "cpu",
        "target_info": {
            "arch": target.architecture,
            "cpu": "core-avx2" if x86 else "cortex-a72",
            "feature": "avx" if x86 else "neon",
            "system": "linux",
        },
    }
