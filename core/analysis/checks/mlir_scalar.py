"""Elements stored one at a time in MLIR that has been lowered to HIVM.

HIVM falls back on loops of loads and stores where the hardware has no vector instruction for an
operation and its element type (HIVMLowerToLoops.cpp says so itself, in a warning that the driver
does not print), and unstructured accesses of Triton come as such loops.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from core.analysis.checks.finding import Finding
from core.analysis.checks.mlir_text import LOOPS, Gathered, place_of, root_of
from core.ir.mlir import Block, Operation, Value
from core.ir.mlir_access import Origins
from core.ir.mlir_arithmetic import around, counters, trips
from core.ir.mlir_memory import bits_of, memory_of
from core.ir.mlir_syntax import element_type

_STORES = ("memref.store", "affine.store")
_HIVM = "hivm.hir."
_VECTOR_BYTES = 256  #: what a vector instruction works on at once
_BLOCK = 32  #: bytes
_HOST = "HOST"


@dataclass(frozen=True, slots=True)
class _Stored:
    operation: Operation
    buffer: Value
    loops: tuple[Operation, ...]
    times: int | None


def scalar_stores(gathered: Gathered) -> Iterator[Finding]:
    """Loops of scalar stores in functions of the device."""
    stores = [operation for name in _STORES for operation in gathered.named.get(name, ())]
    lowered = any(name.startswith(_HIVM) for name in gathered.named)
    if not stores or not lowered:
        return
    origins = Origins()
    found: dict[str, list[_Stored]] = defaultdict(list)
    for operation in stores:
        one = _stored(operation, origins)
        if one:
            found[root_of(one.buffer, "stored")].append(one)
    for root, group in found.items():
        yield _finding(root, group)


def _stored(operation: Operation, origins: Origins) -> _Stored | None:
    if len(operation.operands) < 2:
        return None
    outer = [above for above, _ in around(operation)]
    function = next((above for above in outer if above.name.endswith(".func")), None)
    if function is None or _HOST in function.attributes.get("hacc.function_kind", ""):
        return None
    loops = tuple(above for above in outer if above.name in LOOPS)
    target = operation.operands[1]
    used = _leads(operation.operands[2:])
    own = [loop for loop in loops if any(id(c.counter) in used for c in counters(loop))]
    if not own:
        return None
    sizes = [trips(loop) for loop in own]
    known = [size for size in sizes if size is not None]
    bits = bits_of(element_type(target.type)) or 8
    if len(known) == len(sizes) and prod(known) * bits <= _BLOCK * 8:
        return None
    runs = [trips(loop) for loop in loops]
    each = [run for run in runs if run is not None]
    buffer = next(iter(origins.of(target)), target)
    return _Stored(operation, buffer, loops, prod(each) if len(each) == len(runs) else None)


def _leads(values: Sequence[Value]) -> set[int]:
    """The values that an index is worked out from, by id."""
    seen: set[int] = set()
    pending = list(values)
    while pending:
        value = pending.pop()
        if id(value) not in seen:
            seen.add(id(value))
            if isinstance(value.owner, Operation):
                pending += value.owner.operands
    return seen


def _finding(root: str, group: Sequence[_Stored]) -> Finding:
    first = group[0]
    known = [one.times for one in group if one.times is not None]
    lanes = _VECTOR_BYTES * 8 // (bits_of(element_type(first.buffer.type)) or 8)
    names = " × ".join(c.counter.name for loop in first.loops for c in counters(loop))
    outside = isinstance(first.buffer.owner, Block) and not memory_of(first.buffer.type)
    where = " in GM" if outside else ""
    nests = "the loops" if len(group) == 1 else f"{len(group)} nests of loops like"
    what = f"Elements of {place_of(first.buffer)}{where} are stored"
    if len(known) == len(group):
        what = f"{sum(known):,} times an element of {place_of(first.buffer)}{where} is stored"
    return Finding(
        check="scalar",
        harm="slow",
        line=first.operation.first,
        subject=first.buffer.name,
        message=f"{what} by the scalar unit, in {nests} {names}; "
        f"a vector instruction would store {lanes} at a time.",
        root=root,
        times=len(group),
    )
