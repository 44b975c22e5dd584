"""What is compiled: a kernel, loaded, checked and hashed."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

#: composite, python: AKG's JSON and its Python language; mlir: the text of a module, perhaps with
#: places left open for parameters; triton: a Python file of Triton.
KernelKind = Literal["composite", "python", "mlir", "triton"]

#: The largest of 3,000 fused kernels of real networks has a quarter of a megabyte.
LARGEST_FILE_BYTES = 8 << 20


class KernelError(ValueError):
    """A kernel that no compiler should see: one sentence naming the field that is wrong."""


@dataclass(frozen=True, slots=True)
class Tensor:
    name: str
    shape: tuple[int, ...]  #: -1 where a size is only known when the kernel runs
    dtype: str
    role: Literal["input", "output"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a kernel leaves open for whoever compiles it, with the values worth trying."""

    name: str
    values: tuple[int | str, ...]
    default: int | str  #: one of `values`


@dataclass(frozen=True, slots=True)
class Kernel:
    """One kernel. `source` is the whole text of its file, parameters still open."""

    kind: KernelKind
    name: str
    source: str
    tensors: tuple[Tensor, ...]
    case: str = ""  #: which of the named shapes of a Python kernel; "" for JSON and MLIR
    about: str = ""  #: one line on what it shows
    parameters: tuple[Parameter, ...] = ()

    @property
    def digest(self) -> str:
        """Content hash: equal for kernels that mean the same to a compiler."""
        text = f"{self.kind}\0{self.case}\0{self.source}"
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def load_kernel(path: Path, case: str = "") -> Kernel:
    """Read and check a kernel file: see `parse_kernel`.

    Raises KernelError, also where the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE_BYTES + 1)
    except OSError as error:
        raise KernelError(f"{path}: cannot be read ({error.strerror}).") from None
    return parse_kernel(data, path.name, case)


def parse_kernel(data: bytes | str, filename: str, case: str = "") -> Kernel:
    """Check the text of a kernel file and say what is in it.

    `filename` tells Python (.py, Triton where the file imports it, else AKG's own language) and
    MLIR (.mlir, .ttadapter) from composite JSON (any other name); `case` picks one of the named
    shapes of a Python kernel, the first where it is "". A Python file is read, never run. Raises
    KernelError.
    """
    text = _decoded(data)
    name = _identifier(Path(filename).stem)
    if case and not _is_python(filename):
        raise KernelError(f"{filename} has no cases, so none is called {case!r}; leave it out.")
    # A compiler knows its own kernel formats; importing it here and not above keeps this module,
    # which every other one needs, free of it.
    if _is_mlir(filename):
        from core.compilers.ascendnpu_ir import mlir_kernel

        module = mlir_kernel.read_mlir_kernel(text)
        return Kernel(
            *("mlir", name, text, module.tensors),
            about=module.about,
            parameters=module.parameters,
        )
    if _is_python(filename):
        from core.compilers.ascendnpu_ir import triton_kernel

        if triton_kernel.imports_triton(text):
            program = triton_kernel.read_triton_kernel(text, case)
            return Kernel(
                *("triton", name, text, program.tensors, program.case, program.about),
                program.parameters,
            )
        from core.compilers.akg import python_kernel

        described = python_kernel.read_python_kernel(text, case)
        return Kernel("python", name, text, described.tensors, described.case, described.about)
    from core.compilers.akg import composite

    name, tensors = composite.read_composite(text)
    return Kernel("composite", name, text, tensors)


def kernel_cases(data: bytes | str, filename: str) -> tuple[str, ...]:
    """The named shapes of a Python kernel, in the order of the file; () for JSON and MLIR.

    Raises KernelError.
    """
    if not _is_python(filename):
        return ()
    from core.compilers.akg import python_kernel
    from core.compilers.ascendnpu_ir import triton_kernel

    text = _decoded(data)
    if triton_kernel.imports_triton(text):
        return triton_kernel.case_names(text)
    return python_kernel.case_names(text)


def example_kernels(folder: Path) -> list[Kernel]:
    """The kernels that `folder`/index.json lists, in its order, each with a line on what it shows.

    A key of the index is a file, or a file and one of its cases ("maxpool.py:stride_2"). Raises
    KernelError, naming the entry.
    """
    index = folder / "index.json"
    try:
        entries = json.loads(index.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise KernelError(f"{index}: cannot be read ({error}).") from None
    kernels = []
    for entry, about in entries.items():
        file, _, case = entry.partition(":")
        try:
            kernels.append(replace(load_kernel(folder / file, case), about=about))
        except KernelError as error:
            raise KernelError(f"{entry} in {index}: {error}") from None
    return kernels


def _decoded(data: bytes | str) -> str:
    raw = data if isinstance(data, bytes) else data.encode(errors="surrogatepass")
    if len(raw) > LARGEST_FILE_BYTES:
        raise KernelError(
            f"The file is larger than {LARGEST_FILE_BYTES >> 20} MiB, which no kernel is; "
            "choose the description of one kernel."
        )
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise KernelError(
            f"The file is not UTF-8 text (byte {error.start} is not), so it is no kernel."
        ) from None


def _is_python(filename: str) -> bool:
    return Path(filename).suffix == ".py"


def _is_mlir(filename: str) -> bool:
    return Path(filename).suffix in (".mlir", ".ttadapter")


def _identifier(stem: str) -> str:
    """A file's name as AKG can have it for a kernel's."""
    return re.sub(r"[^A-Za-z0-9_]", "_", stem) or "kernel"
