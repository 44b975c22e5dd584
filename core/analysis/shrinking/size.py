"""How large a kernel is, in figures that mean the same before and after it was shrunk."""

from __future__ import annotations

import ast
import json
import math
from dataclasses import dataclass
from functools import lru_cache

from core.compilers.ascendnpu_ir import mlir_kernel
from core.hints import HintValue
from core.ir import mlir
from core.kernel import Kernel

#: Of MLIR: what frames the operations, and what only says a number or makes room.
_FRAMES = (".func", ".return", ".yield", ".terminator", ".module", ".global")
_NUMBERS = ("arith.constant", "tensor.empty", "memref.alloc", "llvm.mlir.constant", "tt.make_range")


@dataclass(frozen=True, slots=True)
class Size:
    operators: int  #: of composite JSON and MLIR; of Python the statements of its functions
    elements: int | None  #: of inputs and outputs; None where the kernel leaves a size open


@lru_cache(maxsize=512)
def size_of(kernel: Kernel) -> Size:
    sizes = [each.shape for each in kernel.tensors]
    known = bool(sizes) and all(size >= 0 for shape in sizes for size in shape)
    elements = sum(math.prod(shape) for shape in sizes) if known else None
    return Size(_operators(kernel), elements)


def _operators(kernel: Kernel) -> int:
    match kernel.kind:
        case "composite":
            return len(json.loads(kernel.source)["op_desc"])
        case "mlir":
            values: dict[str, HintValue] = {p.name: p.default for p in kernel.parameters}
            text = mlir_kernel.instantiate(kernel.source, values)
            return sum(map(counts, mlir.parse(text, tolerant=True).walk()))
        case _:
            return len(statements(ast.parse(kernel.source)))


def counts(operation: mlir.Operation) -> bool:
    """True for an operation that does something: no frame, number or room for a result."""
    return not operation.name.endswith(_FRAMES) and operation.name not in _NUMBERS


def statements(module: ast.Module) -> list[ast.stmt]:
    """The statements of all functions of a Python file, docstrings aside, in order."""
    found: dict[tuple[int, int], ast.stmt] = {}
    for function in ast.walk(module):
        if isinstance(function, ast.FunctionDef):
            for each in ast.walk(function):
                if isinstance(each, ast.stmt) and each is not function and not is_text(each):
                    found[each.lineno, each.col_offset] = each
    return [found[place] for place in sorted(found)]


def is_text(statement: ast.stmt) -> bool:
    """True for a docstring."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
