"""Runs inside the process that has AKG loaded: load it, describe its chip, compile one job."""

from __future__ import annotations

import collections
import collections.abc
import contextlib
import importlib
import json
import os
import re
import sys
from collections.abc import Sequence
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

#: AKG 1.10 itself rebuilds these for composite kernels from the environment of the process.
_ENVIRONMENT_HINTS = ("SYMBOLIC_TILING", "FORCE_SYMBOLIC_TILING")

_PLACE = re.compile(r" \(/[^()]*\)$")  #: where the module lies on this machine


class _AkgNames(Loader):
    """Maps akg.tvm.* and akg.topi.* to the modules tvm.* and topi.*.

    The wheel brings a finder of its own for this, written for `find_module`, which Python 3.12 no
    longer calls.
    """

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if name.partition(".")[2].partition(".")[0] in (
            "tvm",
            "topi",
        ) and name.startswith("akg."):
            return ModuleSpec(name, self)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return importlib.import_module(spec.name.removeprefix("akg."))

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: the module was executed under its own name."""


def restore_names() -> None:
    """Give back what Python 3.10 took away and AKG 1.6 imports: collections.Iterable and its like.

    Only this process sees it: the files of AKG stay as they were published.
    """
    for name in collections.abc.__all__:
        if not hasattr(collections, name):
            setattr(collections, name, getattr(collections.abc, name))


def prepare(arguments: Sequence[str]) -> None:
    """Load AKG from the toolchain folder given; its version may follow."""
    root = Path(arguments[0]) / "mindspore" / "_akg"
    sys.path[:0] = [str(root / "akg"), str(root)]
    if len(arguments) > 1 and arguments[1].startswith("1.6."):
        restore_names()
    if sys.version_info >= (3, 12):
        sys.meta_path.insert(0, _AkgNames())
    importlib.import_module("akg")
    importlib.import_module("akg.composite.build_module")
    importlib.import_module("akg.utils.kernel_exec")
    # AKG and this module import the rest only while compiling. Loaded here it is loaded once, not
    # in every child, where it takes longer than a small kernel's whole compile.
    for late in ("akg.ms.info_version_adapt", "akg.ops"):
        with contextlib.suppress(ModuleNotFoundError):  # 1.6 has not all of them
            importlib.import_module(late)
    importlib.import_module("core.compilers.akg.python_kernel")


def compile_job(folder: Path) -> None:
    """Compile what `folder/job.json` describes; the dump lands in `folder/dump`."""
    job = json.loads((folder / "job.json").read_text())
    attributes: dict[str, Any] = dict(job["hints"])
    for name in _ENVIRONMENT_HINTS:
        if name in attributes:
            os.environ[name] = str(int(attributes.pop(name)))
    os.chdir(folder / "dump")
    kernel = job["kernel"]
    received = dict(attributes)
    if "custom_tiling" in attributes:
        from core.compilers.akg.custom_tiling import nodes, parse_constraints

        attributes["custom_tiling"] = nodes(parse_constraints(attributes["custom_tiling"]))
    if kernel["kind"] == "python":
        from core.compilers.akg.python_kernel import build_python_kernel

        _write_received(folder, [received])
        try:
            build_python_kernel(kernel["source"], kernel["name"], kernel["case"], attributes)
        except ImportError as error:  # what another version of AKG calls otherwise, or has not
            raise type(error)(_PLACE.sub("", str(error))) from None
    else:
        build_module: Any = importlib.import_module("akg.composite.build_module")
        _record_received(build_module, folder)
        build_module.build(kernel["source"], attributes)


def _record_received(build_module: Any, folder: Path) -> None:
    """Write down the attributes that AKG's front end hands to its C++ part.

    They are not those that were asked for: build_module.py overwrites some and takes others from
    the kernel's own operators or from the tiling repository.
    """
    construct = build_module.get_construct_args

    def recording(*given: Any) -> Any:
        tree, infos = construct(*given)
        leaves = [leaf for leaf in infos[build_module.ConstructType.P] if "attrs" in leaf]
        _write_received(folder, [_plain(leaf["attrs"]) for leaf in leaves])
        return tree, infos

    build_module.get_construct_args = recording


def _plain(attributes: dict[str, Any]) -> dict[str, Any]:
    """The attributes of one sub-kernel that JSON can hold."""
    return {k: v for k, v in attributes.items() if isinstance(v, bool | int | float | str)}


def _write_received(folder: Path, attributes: list[dict[str, Any]]) -> None:
    (folder / "received.json").write_text(json.dumps(attributes))


def _target() -> dict[str, object]:
    """The chip AKG compiles for, in AKG's own figures (product 1.6, its default "cloud")."""
    tvm: Any = importlib.import_module("akg.tvm")
    memories = []
    for name in ("UB", "L1", "L0A", "L0B", "L0C"):
        info = tvm.get_global_func(f"tvm.info.mem.local.{name}")()
        memories.append(
            {
                "name": name,
                "capacity_bytes": int(info.max_num_bits) // 8,
                "alignment_bytes": int(info.unit_bits) // 8,
            }
        )
    product = "1.6"
    return {
        "name": "Ascend910",
        "architecture": str(
            tvm.get_global_func("cce.product_conf_compiler")(product, "Compiler_arch")
        ),
        "cores": int(tvm.get_global_func("cce.product_conf_core")(product, "Core_num")),
        "memories": memories,
        # ALLOCATION_PERCENTAGE in AKG's src/poly/tiling/tiling_analyzer.h; its tiling.log shows
        # the limit that follows from it.
        "tiling_share": 0.5,
        "source": "tvm.info.mem.local.* and cce.product_conf_* of libakg.so, product 1.6",
    }


if __name__ == "__main__":
    prepare(sys.argv[1:])
    print(json.dumps(_target()))
