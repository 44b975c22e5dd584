"""Elements and parts of buffers beyond what a type or a memory holds, in MLIR.

Every place is worked out for iterations that really run: the first and the last one of each loop
around, where the text tells them, and under the conditions around, where those can be worked out.
What depends on anything else is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from core.analysis.checks.finding import Finding
from core.analysis.checks.mlir_text import LOOPS, Gathered, place_of, root_of
from core.ir import mlir_syntax as syntax
from core.ir.arithmetic import Unknown
from core.ir.mlir import Operation, Value
from core.ir.mlir_arithmetic import Counters, around, counters, number, value_of
from core.ir.mlir_memory import PLACED, allocation, shape_of

#: Accesses of one element, and which operand is accessed.
_ELEMENTS = {"memref.load": 0, "memref.store": 1, "tensor.extract": 0}
#: Parts, and which operand they are parts of.
_PARTS = {"memref.subview": 0, "tensor.extract_slice": 0, "tensor.insert_slice": 1}
_LOOPS = 4  #: of more than that the outer ones are held at their first iteration

_Index = int | Value


def beyond(gathered: Gathered) -> Iterator[Finding]:
    """Accesses out of bounds, and buffers that reach beyond their memory."""
    yield from _beyond_memory(gathered)
    found: dict[str, list[tuple[Operation, Value, str]]] = {}
    for name, place in _ELEMENTS.items():
        for operation in gathered.named.get(name, ()):
            said = _element(operation, place)
            if said:
                value = operation.operands[place]
                found.setdefault(root_of(value, name), []).append((operation, value, said))
    for name, place in _PARTS.items():
        for operation in gathered.named.get(name, ()):
            said = _part(operation, place)
            if said:
                value = operation.operands[place]
                found.setdefault(root_of(value, name), []).append((operation, value, said))
    for root, group in found.items():
        operation, value, said = group[0]
        yield Finding(
            check="bounds",
            harm="wrong",
            line=operation.first,
            subject=value.name,
            message=f"{operation.name} of {place_of(value)} {said}.",
            root=root,
            times=len(group),
        )


def _beyond_memory(gathered: Gathered) -> Iterator[Finding]:
    found: dict[str, list[Finding]] = {}
    for operation in gathered.named.get(PLACED, ()):
        if not operation.results:
            continue
        value = operation.results[0]
        each = allocation(operation)
        limits = gathered.limits.get(each.memory)
        if not limits or not limits.capacity or not each.bytes or not each.offsets:
            continue
        last = max(each.offsets) + each.bytes
        if last > limits.capacity:
            root = root_of(value, "capacity")
            found.setdefault(root, []).append(
                Finding(
                    check="bounds",
                    harm="wrong",
                    line=operation.first,
                    subject=value.name,
                    message=f"{place_of(value)} ends at byte {last:,}, and {each.memory} at "
                    f"{limits.capacity:,}.",
                    root=root,
                )
            )
    for group in found.values():
        yield replace(group[0], times=len(group))


def _element(operation: Operation, place: int) -> str:
    """What is wrong with the place of an element; "" where nothing is."""
    if len(operation.operands) <= place:
        return ""
    shape = shape_of(operation.operands[place].type)
    indices: Sequence[_Index] = operation.operands[place + 1 :]
    if not shape or len(shape) != len(indices) or None in shape:
        return ""
    for counted in _iterations(operation, indices):
        for axis, (index, size) in enumerate(zip(indices, shape, strict=True)):
            try:
                at = number(index, counted)
            except Unknown:
                continue
            if size is not None and not 0 <= at < size:
                return f"is at {at:,} of axis {axis}, which has {size:,} elements"
    return ""


def _part(operation: Operation, place: int) -> str:
    """What is wrong with a part of something; "" where nothing is."""
    if operation.generic or len(operation.operands) <= place:
        return ""
    groups = [part.text[1:-1] for part in operation.parts if part.kind == "["][:3]
    names = {value.name: value for value in operation.operands}
    listed = [[_index(text.strip(), names) for text in syntax.split(group)] for group in groups]
    shape = shape_of(operation.operands[place].type)
    if len(listed) != 3 or any(len(group) != len(shape) for group in listed) or not shape:
        return ""
    axes = [
        (axis, offset, size, stride, extent)
        for axis, (offset, size, stride, extent) in enumerate(zip(*listed, shape, strict=True))
        if extent is not None and not (offset == 0 and stride == 1 and size == extent)
    ]
    used = [each for group in listed for each in group if each is not None]
    for counted in _iterations(operation, used) if axes else ():
        told = []
        for each in axes:
            said = _beyond_axis(*each, counted)
            if said:
                return said
            if said is not None:
                told.append(each)
        if not told:
            return ""  # nor is it in another iteration
        axes = told
    return ""


def _beyond_axis(
    axis: int,
    offset: _Index | None,
    size: _Index | None,
    stride: _Index | None,
    extent: int,
    counted: Counters,
) -> str | None:
    """What is wrong with a part along one axis, "" where nothing is; None where that is unknown."""
    if offset is None or size is None or stride is None:
        return None
    try:
        first = number(offset, counted)
        count = number(size, counted)
        last = first + (count - 1) * number(stride, counted)
    except Unknown:
        return None
    if count <= 0 or (first >= 0 and 0 <= last < extent):
        return ""
    return f"takes {first:,} to {last:,} of axis {axis}, which has {extent:,} elements"


def _index(text: str, names: dict[str, Value]) -> _Index | None:
    return int(text) if text.lstrip("-").isdigit() else names.get(text)


def _iterations(operation: Operation, used: Sequence[_Index]) -> Iterator[Counters]:
    """Values of the counters around an operation at which it runs for certain.

    Only the first of them is given where nothing that is used has to be worked out.
    """
    outer = around(operation)
    constant = all(isinstance(index, int) or _is_constant(index) for index in used)
    loops = [above for above, _ in outer if above.name in LOOPS]
    free = 0 if constant else min(len(loops), _LOOPS)
    for corner in product((False, True), repeat=free):
        at_last = dict(zip((id(loop) for loop in loops[len(loops) - free :]), corner, strict=True))
        counted: dict[int, int] = {}
        if all(_enters(above, block, counted, at_last) for above, block in outer):
            yield counted


def _is_constant(value: Value) -> bool:
    return isinstance(value.owner, Operation) and value.owner.name.endswith(".constant")


def _enters(
    above: Operation, block: object, counted: dict[int, int], last: dict[int, bool]
) -> bool:
    """Whether control certainly gets into a block; enters the counters of a loop."""
    if above.name == "scf.if":
        try:
            condition = value_of(above.operands[0], counted)
        except (Unknown, IndexError):
            return False
        return bool(condition) == (block in above.regions[0])
    if above.name not in LOOPS:
        return above.name not in ("scf.index_switch", "affine.if")
    for one in counters(above):
        try:
            start, stop, step = (number(b, counted) for b in (one.start, one.stop, one.step))
        except Unknown:
            continue  # its counter stays unknown
        if step <= 0 or stop <= start:
            return False
        end = start + (stop - start - 1) // step * step
        counted[id(one.counter)] = end if last.get(id(above)) else start
    return True
