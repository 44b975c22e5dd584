"""What each on-chip memory holds: offsets out of the emitted code, sizes out of the last pass.

The emitted CCE text declares every buffer with its place in its memory (`__ubuf__ half* a =
(__ubuf__ half *)(65536);`) but not its size; the last pass that holds allocations has sizes
(`allocate a[float16 * 32768]`) but no place. Both list the same buffers in the same order; where a
name repeats, the emitted text numbers the repetitions (a, a1, a2 …).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

from core.ir.cce import Kernel, Pointer
from core.trace import Buffer, MemoryPlan

_ORDER = ("UB", "L1", "L0A", "L0B", "L0C")
_ALLOCATE = re.compile(
    r"// attr \[0\] (device_scope) = 0"
    r'|// attr \[(\S+)\] storage_scope = "local\.(\w+)"\n\s*allocate \2\[(\w+)((?: \* \d+)+)\]'
)
_NO_IDENTIFIER = re.compile(r"\W")
_BITS = re.compile(r"(?:u?int|float|bool|handle)(\d*)")


@dataclass(frozen=True, slots=True)
class Allocation:
    """One allocation of the last pass."""

    name: str
    memory: str
    dtype: str
    bytes: int
    body: int  #: which of the bodies that parallel fusion puts side by side, from 1


def allocations(text: str) -> list[Allocation]:
    """The allocations in on-chip memories, in the order of the text."""
    found: list[Allocation] = []
    body = 0
    for scope, name, memory, dtype, sizes in _ALLOCATE.findall(text):
        if scope:
            body += 1
        elif memory in _ORDER:
            found.append(Allocation(name, memory, dtype, _bytes(dtype, sizes), body))
    return found


def memory_plans(
    code: Kernel, allocated: Sequence[Allocation], capacities: dict[str, int]
) -> tuple[tuple[MemoryPlan, ...], int]:
    """The plan of every memory that the code uses, and how many buffers have no known size.

    A buffer of unknown size is left out: a figure is never made up.
    """
    buffers: dict[str, list[Buffer]] = {}
    unknown = 0
    for pointer, found in _joined(code.pointers, allocated):
        if found is None:
            unknown += 1
            continue
        allocation, copy_of = found
        use = code.uses.get(pointer.name)
        buffers.setdefault(pointer.memory, []).append(
            Buffer(
                name=pointer.name,
                bytes=allocation.bytes,
                offset_bytes=pointer.offset_bytes,
                dtype=pointer.dtype,
                first_use=use.first if use else None,
                last_use=use.last if use else None,
                copy_of=copy_of,
            )
        )
    plans = tuple(
        MemoryPlan(
            memory,
            max(b.bytes + (b.offset_bytes or 0) for b in buffers[memory]),
            capacities.get(memory),
            tuple(buffers[memory]),
        )
        for memory in _ORDER
        if memory in buffers
    )
    return plans, unknown


def _joined(
    pointers: Sequence[Pointer], allocated: Sequence[Allocation]
) -> Iterable[tuple[Pointer, tuple[Allocation, str] | None]]:
    """Each declaration with its allocation and the name of the buffer that it repeats."""
    named: dict[str, tuple[Allocation, str]] = {}
    repeated: dict[str, int] = {}
    first: dict[tuple[int, str], str] = {}
    taken = {_identifier(a.name) for a in allocated}
    for allocation in allocated:
        base = name = _identifier(allocation.name)
        count = repeated.get(base, 0)
        while count and (name in named or name in taken):
            name = f"{base}{count}"
            count += 1
        repeated[base] = max(count, 1)
        original = first.setdefault((allocation.body, base), name)
        named[name] = (allocation, "" if original == name else original)
    same_order = len(pointers) == len(allocated)
    for at, pointer in enumerate(pointers):
        found = named.get(pointer.name)
        if found is None and same_order and allocated[at].memory == pointer.memory:
            found = (allocated[at], "")
        yield pointer, found if found and found[0].memory == pointer.memory else None


def _identifier(name: str) -> str:
    """A name of the IR as the emitted C text spells it."""
    return _NO_IDENTIFIER.sub("_", name)


def _bytes(dtype: str, sizes: str) -> int:
    found = _BITS.match(dtype)
    bits = int(found[1]) if found and found[1] else 8
    return prod(int(size) for size in sizes.split("*")[1:]) * max(1, bits // 8)
