"""Which operations of MLIR are instructions of the chip, by kind, and which convert a type.

Names are those of the HIVM and AVE dialects (their .td files), of the intrinsics that both become,
and of the vector library's functions, which late passes call instead (`load_gm_to_ubuf_1d_float`).
"""

from __future__ import annotations

import re
from collections.abc import Container

from core.ir.instructions import Kind
from core.ir.mlir import Module, Operation

_HIVM = "hivm.hir."
_VECTOR_DIALECTS = ("ave.hir.", "hivm_regbaseintrins.intr.")
_SYNC = re.compile(r"set_flag|wait_flag|pipe_barrier|sync_block\w*")
_TRANSFER = re.compile(
    r"(?:load|store|copy|fixpipe|nd2nz|nz2nd|dma|gather_load)(?:_\w+|$)|\w+_to_gm"
)
_CUBE = re.compile(r"(?:mma|matmul|batch_?mma|mix_matmul|conv)\w*", re.IGNORECASE)
_CONTROL = re.compile(r"(?:set|get|init)_\w+")
_VECTOR = re.compile(r"v\w+|enablevc_\w+|broadcast\w*|transpose\w*|\w*reduce\w*")
#: Of the HIVM dialect, what makes or names a buffer, or says something to the compiler alone.
_NO_INSTRUCTIONS = frozenset(
    ("pointer_cast", "bitcast", "convert_layout", "anchor", "debug", "custom_macro")
)
_SCALAR_STORES = frozenset(("memref.store", "affine.store"))
_CASTS = re.compile(
    r"arith\.(?:ext[fsu]i?|trunc[fi]|[su]itofp|fpto[su]i)|hfusion\.cast|tt\.fp_to_fp"
    r"|hivm\.hir\.vcast|ave\.hir\.v(?:trunc|ext)[fiu]\w*|hivm_\w+\.intr\.hivm\.vcvt\w*(?:\.\w+)*"
)


def library(module: Module) -> frozenset[str]:
    """The functions that a text only declares: those of the vector library."""
    return frozenset(
        operation.symbol
        for operation in module.walk()
        if operation.name.endswith(".func") and not operation.regions
    )


def instruction(operation: Operation, declared: Container[str]) -> tuple[str, Kind] | None:
    """The instruction that an operation is, and its kind; None where it is none.

    `declared` are the functions of which the text has no body, as `library` gives them.
    """
    name = operation.name
    if name.startswith(_HIVM):
        short = name[len(_HIVM) :]
        return None if short in _NO_INSTRUCTIONS else (name, _kind(short))
    if name.startswith(_VECTOR_DIALECTS):
        return name, "vector"
    if name in _SCALAR_STORES:
        return name, "scalar"
    if name.endswith(".call") and operation.symbol in declared:
        return operation.symbol, _kind(operation.symbol)
    return None


def is_cast(operation: Operation) -> bool:
    """Whether it converts elements from one type to another; views and indices are not meant."""
    name = operation.name
    return _CASTS.fullmatch(name) is not None or (
        name.endswith(".call") and operation.symbol.startswith("vcast_")
    )


def _kind(name: str) -> Kind:
    if _SYNC.fullmatch(name):
        return "sync"
    if _TRANSFER.fullmatch(name):
        return "transfer"
    if _CUBE.fullmatch(name):
        return "cube"
    if _CONTROL.fullmatch(name):
        return "control"
    return "vector" if _VECTOR.fullmatch(name) else "scalar"
