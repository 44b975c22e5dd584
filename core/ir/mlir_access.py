"""What an operation of MLIR reads and writes, and which buffer or maker a value comes from.

Views of a buffer, values that a loop carries and results of branches are followed to what they
stand for, so that a picture shows data and not its renaming.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.ir.mlir import Block, Operation, Value

#: Operations whose results are other names of what their first operand is.
VIEWS = frozenset(
    (
        "memref.subview",
        "memref.cast",
        "memref.reinterpret_cast",
        "memref.collapse_shape",
        "memref.expand_shape",
        "memref.view",
        "memref.reshape",
        "memref.transpose",
        "memref.memory_space_cast",
        "memref.extract_strided_metadata",
        "bufferization.to_tensor",
        "builtin.unrealized_conversion_cast",
        "hivm.hir.bitcast",
        "hivm.hir.convert_layout",
        "llvm.getelementptr",
        "llvm.bitcast",
        "llvm.addrspacecast",
        "tt.addptr",
        "tt.advance",
        "tt.make_tensor_ptr",
    )
)
#: Operations that make a buffer and do nothing to it.
ALLOCATES = frozenset(
    (
        "memref.alloc",
        "memref.alloca",
        "memref.get_global",
        "memref_ext.alloc_workspace",
        "hivm.hir.pointer_cast",
        "llvm.alloca",
        "llvm.mlir.addressof",
    )
)
#: Operations that pass control on, with the values that their regions yield.
CONTROL = frozenset(
    (
        "scf.for",
        "scf.while",
        "scf.if",
        "scf.index_switch",
        "scf.execute_region",
        "scf.forall",
        "scf.parallel",
        "affine.for",
        "affine.if",
        "affine.parallel",
        "scope.scope",
    )
)
_NOTHING = frozenset(("tensor.empty",))
#: Operations that hold nothing where what they reshape holds nothing yet.
_RESHAPES = frozenset(
    ("tensor.extract_slice", "tensor.collapse_shape", "tensor.expand_shape", "tensor.cast")
)
#: Which operand is read and which is written.
_STORES = {
    "memref.store": (0, 1),
    "memref.copy": (0, 1),
    "affine.store": (0, 1),
    "llvm.store": (0, 1),
    "vector.store": (0, 1),
    "vector.transfer_write": (0, 1),
    "bufferization.materialize_in_destination": (0, 1),
    "tt.store": (1, 0),
}
_BOTH = frozenset(
    ("memref.atomic_rmw", "memref.generic_atomic_rmw", "tt.atomic_rmw", "tt.atomic_cas")
)
_SCALAR = re.compile(r"index|[su]?i\d+|b?f\d+\w*|tf32|none|")
_POINTER = re.compile(r"memref<|!llvm\.ptr|!ptr\.|(?:tensor<[^<>]*)?!tt\.ptr")
_DIRECTION = re.compile(r"_(gm|ubuf|ub|cbuf|cc|l0c|l1)_to_(gm|ubuf|ub|cbuf|cc|l0c|l1)_")
_SEGMENTS = re.compile(r"i32:\s*([\d,\s]+)")
_WRITTEN_GROUPS = ("outs", "temp_buffer", "tmp", "dst")


@dataclass(frozen=True, slots=True)
class Access:
    """Operands that are no scalars; those that are written may be read too."""

    reads: Sequence[Value]
    writes: Sequence[Value]


def is_scalar(type_: str) -> bool:
    """A number, or a type that the text does not tell."""
    return _SCALAR.fullmatch(type_) is not None


def is_pointer(type_: str) -> bool:
    """A buffer in some memory, or a pointer into one."""
    return _POINTER.match(type_) is not None


def is_function(operation: Operation) -> bool:
    """A function, of whatever dialect: what it is handed comes from outside."""
    return operation.name.endswith((".func", ".named_sequence"))


# --- access ---------------------------------------------------------------------------------------


def access(operation: Operation) -> Access:
    """What of its operands an operation reads and writes.

    Where neither its name nor its form says it, operands of an operation that has results are
    read, and those of one that has none are read and written.
    """
    operands = [value for value in operation.operands if not is_scalar(value.type)]
    pointers = [value for value in operands if is_pointer(value.type)]
    name = operation.name
    if not pointers:
        return Access(operands, ())
    if name in _STORES and len(operation.operands) > 1:
        source, target = (operation.operands[place] for place in _STORES[name])
        return Access([] if is_scalar(source.type) else [source], [target])
    written = [v for word in _WRITTEN_GROUPS for v in operation.group(word) if v in pointers]
    if written:
        read = operation.group("ins")
        return Access([v for v in operands if v not in written or v in read], written)
    if operation.generic and operation.dialect in ("hivm", "linalg", "hfusion"):
        return _by_segments(operation, operands, pointers)
    if name in _BOTH or (not operation.results and len(pointers) > 1):
        return Access(operands, pointers)
    return Access(operands, ())


def called(operation: Operation, filled: Iterable[Value]) -> Access:
    """What a call does to the buffers that it is handed, where others are `filled` before.

    A call does not say it. The library's names do in part (`load_gm_to_ubuf_…`); a buffer that
    nothing filled cannot be read; where neither helps, a buffer is read and written.
    """
    operands = [value for value in operation.operands if not is_scalar(value.type)]
    pointers = [value for value in operands if is_pointer(value.type)]
    others = [value for value in operands if value not in pointers]
    way = _DIRECTION.search(operation.symbol)
    if way and len(pointers) == 2:
        return Access([*others, pointers[0]], [pointers[1]])
    before = list(filled)
    fresh = [value for value in pointers if value not in before]
    known = [value for value in pointers if value in before]
    return Access([*others, *known], fresh or known)


def _by_segments(
    operation: Operation, operands: Sequence[Value], pointers: Sequence[Value]
) -> Access:
    """The generic form has no words: inputs, then what is written, as the sizes of groups say."""
    segments = _SEGMENTS.search(operation.attributes.get("operandSegmentSizes", ""))
    written: Sequence[Value] = pointers[-1:]
    if segments:
        sizes = [int(size) for size in re.findall(r"\d+", segments[1])]
        if len(sizes) in (2, 3):
            written = operation.operands[sizes[0] :]
    written = [value for value in written if value in pointers]
    return Access([value for value in operands if value not in written], written)


# --- origins --------------------------------------------------------------------------------------


class Origins:
    """Follows values to what they stand for. One for a module: it remembers."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[Value, ...]] = {}

    def of(self, value: Value) -> tuple[Value, ...]:
        """The values that this one stands for; none for constants and scalars of a caller."""
        known = self._found.get(id(value))
        if known is not None:
            return known
        seen: set[int] = set()
        origins: list[Value] = []
        pending = [value]
        while pending:
            step = pending.pop()
            if id(step) in seen:
                continue
            seen.add(id(step))
            sources = self._sources(step)
            if len(sources) == 1 and sources[0] is step:
                origins.append(step)
            else:
                pending.extend(reversed(sources))
        found = self._found[id(value)] = tuple(origins)
        return found

    def _sources(self, value: Value) -> Sequence[Value]:
        owner = value.owner
        if isinstance(owner, Operation):
            return self._of_result(value, owner)
        if isinstance(owner, Block):
            return _of_argument(value, owner)
        return ()

    def _is_empty(self, value: Value) -> bool:
        """Whether a tensor has a shape alone."""
        seen: set[int] = set()
        while isinstance(value.owner, Operation) and id(value) not in seen:
            if value.owner.name in _NOTHING:
                return True
            if value.owner.name not in _RESHAPES or not value.owner.operands:
                return False
            seen.add(id(value))
            value = value.owner.operands[0]
        return False

    def _of_result(self, value: Value, operation: Operation) -> Sequence[Value]:
        name = operation.name
        if name in VIEWS or (is_pointer(value.type) and name in _POINTER_MATH):
            return operation.operands[:1]
        if name == "arith.select" and is_pointer(value.type):
            return operation.operands[1:]
        if name in _NOTHING or name.endswith(".constant"):
            return ()
        if name in _RESHAPES and self._is_empty(value):
            return ()
        if name in CONTROL:
            return _yielded(operation, value.index)
        return (value,)


_POINTER_MATH = frozenset(("tt.splat", "tt.broadcast", "tt.expand_dims", "tt.bitcast"))


def _yielded(operation: Operation, index: int) -> Sequence[Value]:
    """What the regions of an operation say its result is."""
    found: list[Value] = []
    regions = operation.regions[:1] if operation.name == "scf.while" else operation.regions
    for region in regions:
        last = region[-1].terminator if region else None
        if last is None:
            continue
        if last.name in ("scf.forall.in_parallel", "scf.in_parallel"):
            found.extend(_inserted(region[0], last, index))
            continue
        operands = last.operands[1:] if last.name == "scf.condition" else last.operands
        if index < len(operands):
            found.append(operands[index])
    return found


def _inserted(entry: Block, last: Operation, index: int) -> Sequence[Value]:
    """What the threads of a loop write into their shared result."""
    shared = [argument for argument in entry.arguments if argument.initial is not None]
    inserts = [op for block in last.blocks for op in block.operations if len(op.operands) > 1]
    if index >= len(shared):
        return ()
    return [op.operands[0] for op in inserts if op.operands[1] is shared[index]]


def _of_argument(value: Value, block: Block) -> Sequence[Value]:
    operation = block.parent
    if operation is None:
        return ()
    region = next(region for region in operation.regions if block in region)
    if block is not region[0]:
        return _branched(value, block, region)
    if is_function(operation):
        return () if is_scalar(value.type) else (value,)
    if operation.name not in CONTROL:
        same = len(operation.operands) == len(block.arguments)
        return operation.operands[value.index : value.index + 1] if same else operation.operands
    if operation.name == "scf.while":
        return _of_while(value, operation, region)
    return _of_loop(value, block, operation)


def _of_loop(value: Value, block: Block, operation: Operation) -> Sequence[Value]:
    """Before the loop what it begins with, then what its body yields."""
    if is_scalar(value.type) and value.index == 0:
        return ()  # the counter
    before = [value.initial] if value.initial is not None else []
    if operation.generic and operation.name == "scf.for":
        before = operation.operands[value.index + 2 : value.index + 3]
    last = block.terminator
    carried = len(block.arguments) - (len(last.operands) if last else 0)
    after = last.operands[value.index - carried : value.index - carried + 1] if last else []
    return [*before, *(after if value.index >= carried else [])]


def _of_while(value: Value, operation: Operation, region: list[Block]) -> Sequence[Value]:
    if region is operation.regions[0]:
        before = [value.initial] if value.initial is not None else []
        if operation.generic:
            before = operation.operands[value.index : value.index + 1]
        other = operation.regions[1][-1].terminator if len(operation.regions) > 1 else None
        return [*before, *(other.operands[value.index : value.index + 1] if other else [])]
    condition = operation.regions[0][-1].terminator
    return condition.operands[value.index + 1 : value.index + 2] if condition else ()


def _branched(value: Value, block: Block, region: list[Block]) -> Sequence[Value]:
    """What the branches to a block hand it: `cf.br ^bb1(%a, %b : …)`."""
    found: list[Value] = []
    call = re.compile(rf"{re.escape(block.label)}\(([^:)]*)")
    for other in region:
        last = other.terminator
        if last is None:
            continue
        for handed in call.findall(last.head):
            names = [name.strip() for name in handed.split(",")]
            if value.index < len(names):
                name = names[value.index]
                found.extend(operand for operand in last.operands if operand.name == name)
    return list(dict.fromkeys(found))
