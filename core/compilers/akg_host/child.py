"""Runs inside the process that has MindSpore's own AKG loaded: compiles one job for CPU or GPU."""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.compilers.akg.child import _AkgNames


def prepare(arguments: Sequence[str]) -> None:
    """Load AKG from the folder of the MindSpore package given, which is not imported itself."""
    root = Path(arguments[0]) / "_akg"
    sys.path[:0] = [str(root / "akg"), str(root)]
    if sys.version_info >= (3, 12):
        sys.meta_path.insert(0, _AkgNames())
    importlib.import_module("akg")
    importlib.import_module("akg.composite.build_module")
    importlib.import_module("akg.ms.info_version_adapt")


def compile_job(folder: Path) -> None:
    """Compile what `folder/job.json` describes; the dump lands in `folder/dump`."""
    job = json.loads((folder / "job.json").read_text())
    os.chdir(folder / "dump")
    description = json.loads(job["kernel"]["source"])
    description |= job["described"]
    name = description["op"]
    meta = Path("akg_kernel_meta")
    if description["process"] == "cuda":
        _keep_cuda_text(meta / f"{name}.cu")
    build: Any = importlib.import_module("akg.composite.build_module")
    (folder / "received.json").write_text(json.dumps([job["hints"]]))
    made = build.build(json.dumps(description), dict(job["hints"]))
    if description["process"] == "cpu" and hasattr(made, "get_source"):
        meta.mkdir(exist_ok=True)
        (meta / f"{name}.ll").write_text(made.get_source("ll"))


def _keep_cuda_text(file: Path) -> None:
    """Have AKG hand its CUDA text to us: nvcc, which would make PTX of it, may be absent."""
    tvm: Any = importlib.import_module("akg.tvm")

    def keep(code: str, *_: object) -> bytearray:
        file.parent.mkdir(exist_ok=True)
        file.write_text(str(code))
        return bytearray(b"// the CUDA text is beside this file; PTX needs nvcc\n")

    tvm.register_func("tvm_callback_cuda_compile", keep, override=True)
