"""What MLIR says about memories: which one a value lies in, how many bytes, where it is placed.

Names of memories are HIVM's address spaces (its HIVMAttrs.td), in the words of this project.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from core.ir import mlir_syntax as syntax
from core.ir.mlir import Location, Module, Operation, Value

#: HIVM's address spaces and the memories they stand for.
MEMORIES: Mapping[str, str] = {
    "gm": "GM",
    "ub": "UB",
    "cbuf": "L1",
    "cc": "L0C",
    "ca": "L0A",
    "cb": "L0B",
}
_SPACE = re.compile(r"#hivm\.address_space<(\w+)>")
_ENTRY = re.compile(r'#dlti\.dl_entry<"(\w+)", (?:(-?\d+)(?: : \w+)?|"([^"]*)")')
_WIDTH = re.compile(r"(?:[su]?i|b?f)(\d+)|f(\d+)E\w+|tf(\d+)")
_STRIDES = re.compile(r"strided<\[([\d, ]*)\]")
_BITS = 8
PLACED = "hivm.hir.pointer_cast"
#: The second is what the chips of the 950 family get: `llvm.mlir.constant(4096 : i64)`.
_CONSTANTS = ("arith.constant", "llvm.mlir.constant")
_ALLOCATE = frozenset(("memref.alloc", "memref.alloca", PLACED))


@dataclass(frozen=True, slots=True)
class Allocation:
    """A buffer: a `memref.alloc`, or the `hivm.hir.pointer_cast` that planning makes of it."""

    name: str  #: of the value, with its %
    function: str  #: symbol of the function it is in; "" outside of all
    memory: str  #: GM, UB, L1, L0A, L0B, L0C; "" where its type names none yet
    bytes: int | None  #: of one copy; None where the text does not tell
    offsets: tuple[int, ...]  #: bytes, one a copy (two: double-buffered); () before planning
    dtype: str  #: of an element
    shape: tuple[int | None, ...]  #: None: known at run time
    line: int
    location: Location | None  #: in the kernel's source


def allocations(module: Module) -> list[Allocation]:
    """The buffers that a text makes, in its order."""
    return [
        allocation(operation)
        for operation in module.walk()
        if operation.name in _ALLOCATE and operation.results
    ]


def allocation(operation: Operation) -> Allocation:
    """The buffer that a memref.alloc or a hivm.hir.pointer_cast makes."""
    value = operation.results[0]
    size = bytes_of(value.type)
    return Allocation(
        value.name,
        function_of(operation),
        memory_of(value.type),
        size if size is not None else _marked(value),
        tuple(_addresses(operation)) if operation.name == PLACED else (),
        syntax.element_type(value.type),
        shape_of(value.type),
        operation.first,
        operation.location,
    )


def function_of(operation: Operation) -> str:
    """The symbol of the function that an operation is in; "" outside of all."""
    above = operation.parent.parent
    while above is not None:
        if above.name.endswith(".func"):
            return above.symbol
        above = above.parent.parent
    return ""


def _addresses(operation: Operation) -> Iterator[int]:
    """The constants among the addresses, which come first; sizes of a dynamic shape are last."""
    sizes = sum(extent is None for extent in shape_of(operation.results[0].type))
    for value in operation.operands[: len(operation.operands) - sizes]:
        number = constant(value)
        if number is not None:
            yield number


def constant(value: Value) -> int | None:
    """The integer that a value is; None where it is no constant of the text."""
    operation = value.owner
    if not isinstance(operation, Operation) or operation.name not in _CONSTANTS:
        return None
    text = operation.attributes.get("value", "") if operation.generic else operation.head
    found = re.match(r"\s*(?:\{[^}]*\}\s*)?\(?(-?\d+)\b(?![.])", text)
    return int(found[1]) if found and len(found[1]) < 40 else None


def _marked(value: Value) -> int | None:
    """The bound that the compiler put on a buffer whose shape is known at run time only."""
    for user in value.uses:
        if user.name == "annotation.mark":
            size = user.attributes.get("buffer_size_in_byte", "")
            if size.split(" ")[0].isdigit():
                return int(size.split(" ")[0])
    return None


@lru_cache(maxsize=4096)
def memory_of(type_: str) -> str:
    """The memory of a memref type: GM, UB, L1, L0A, L0B, L0C; "" where it names none."""
    space = _SPACE.search(type_) if type_.startswith("memref<") else None
    return MEMORIES.get(space[1], "") if space else ""


@lru_cache(maxsize=4096)
def shape_of(type_: str) -> tuple[int | None, ...]:
    """Extents of a tensor, memref or vector type; None for those known at run time."""
    found = syntax.SHAPE.match(type_)
    if found is None:
        return ()
    sizes = found[2].split("x")[:-1]
    return tuple(int(size) if size.isdigit() else None for size in sizes)


@lru_cache(maxsize=4096)
def bits_of(dtype: str) -> int | None:
    """Width of an element type; None of a type that has none of its own."""
    if dtype == "index":
        return 64
    found = _WIDTH.fullmatch(dtype)
    return int(found[1] or found[2] or found[3]) if found else None


@lru_cache(maxsize=4096)
def bytes_of(type_: str) -> int | None:
    """Bytes from the first element to the last; None where the shape is known at run time only."""
    bits = bits_of(syntax.element_type(type_))
    if bits is None:
        return None
    elements = _elements(shape_of(type_), _STRIDES.search(type_))
    return None if elements is None else -(-elements * bits // _BITS)


def _elements(shape: tuple[int | None, ...], strides: re.Match[str] | None) -> int | None:
    total = 1
    if strides is not None:
        steps = [int(step) for step in strides[1].split(",") if step.strip()]
        for size, step in zip(shape, steps, strict=False):
            if size is None:
                return None
            total += (size - 1) * step
        return 0 if 0 in shape else total
    for size in shape:
        if size is None:
            return None
        total *= size
    return total


def target_spec(module: Module) -> dict[str, int | str]:
    """What the compiler says of the chip, by its own names; sizes and alignments in bytes.

    AI_CORE_COUNT, UB_SIZE, L1_SIZE, L0A_SIZE, L0B_SIZE, L0C_SIZE, UB_ALIGN_SIZE, ARCH … from the
    module's `dlti.target_system_spec`, which counts sizes in bits. Empty where there is none.
    """
    found: dict[str, int | str] = {}
    for name, number, text in _ENTRY.findall(module.attributes.get("dlti.target_system_spec", "")):
        if not number:
            found[name] = text
        elif name.endswith("_SIZE"):
            found[name] = int(number) // _BITS
        else:
            found[name] = int(number)
    return found
