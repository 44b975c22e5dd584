"""What each on-chip memory holds: places out of the final IR, sources and failed plans beside it.

`hivm-plan-memory` (PlanMemory.cpp) makes of every `memref.alloc` in an on-chip memory a
`hivm.hir.pointer_cast` with its address: the final IR is the truth. With --enable-memory-display
the pass also writes memory_info_aiv.json and _aic.json (MemoryDisplay.cpp) of the last function
planned for each kind of core, also where it does not fit: offsets in bytes, `extent` in bits, a
buffer that shares the place of others as often as it does.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.ir import mlir
from core.ir.mlir_memory import MEMORIES, PLACED, Allocation, allocation, allocations, memory_of
from core.readers.mlir_words import short_source
from core.trace import Buffer, Culprit, MemoryPlan

ORDER = ("UB", "L1", "L0A", "L0B", "L0C")
_MULTI = "hivm.multi_buffer"
_LOOPS = ("scf.for", "scf.while", "scf.parallel", "scf.forall", "affine.for", "affine.parallel")


@dataclass(frozen=True, slots=True)
class Shown:
    """One buffer of a memory display."""

    name: str  #: of the value, with its %
    bytes: int  #: of one copy
    offsets: tuple[int, ...]
    first: int  #: operation of the function at which its life begins, counted by the planner
    last: int
    source: str


@dataclass(frozen=True, slots=True)
class Display:
    """One memory of one function, as the planner says it planned or failed to plan it."""

    function: str
    memory: str
    failed: bool  #: said of some plans that do not fit, but not of all
    buffers: tuple[Shown, ...]

    @property
    def end(self) -> int:
        """Bytes up to the end of whatever reaches furthest."""
        return max((o + each.bytes for each in self.buffers for o in each.offsets), default=0)


@dataclass(frozen=True, slots=True)
class _Span:
    first: int | None
    last: int | None


@dataclass(frozen=True, slots=True)
class _Alive:
    """A place that buffers share, or one without a place, in a plan that failed."""

    culprit: Culprit
    first: int
    last: int
    end: int  #: offset of its last byte + 1; 0 where it has no place


def read_display(texts: Iterable[str]) -> list[Display]:
    """The displays of memory_info*.json files; what cannot be read of them is passed over."""
    return [each for text in texts for each in _read_display(text)]


def _read_display(text: str) -> Iterator[Display]:
    try:
        facts = json.loads(text)
        function = str(facts["Header"]["KernelName"])
        for record in facts["Record"]:
            shown = dict.fromkeys(_shown(each) for each in record["memory_info_array"])
            memory = MEMORIES.get(record["scope"], str(record["scope"]).upper())
            yield Display(function, memory, record["status"] == "fail", tuple(shown))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return


def _shown(record: Mapping[str, Any]) -> Shown:
    first, last = record["life_time_in_ir"]
    return Shown(
        str(record["buffer"]).partition(" ")[0],
        -(-int(record["extent"]) // 8),
        tuple(int(offset) for offset in record["offset"]),
        int(first),
        int(last),
        short_source(str(record["source_location"])),
    )


# A plan that fits


def read_plans(
    text: str,
    planned: Sequence[str],
    displays: Sequence[Display],
    capacities: Mapping[str, int],
) -> tuple[tuple[MemoryPlan, ...], int]:
    """The plan of every memory that the final IR uses, and how many buffers have no known size.

    `planned` are texts of the functions as PlanMemory made them: they say where a buffer is from
    and which of them double each other, as far as the final IR no longer does. A buffer of unknown
    size is left out. Lifetimes are lines of the final IR. Raises MlirError.
    """
    module = mlir.parse(text, tolerant=True)
    origins = _Origins(planned, displays)
    found: dict[str, list[tuple[Allocation, Buffer]]] = defaultdict(list)
    unknown = 0
    for operation in module.walk():
        if operation.name != PLACED or not operation.results:
            continue
        each = allocation(operation)
        if each.memory not in ORDER or each.bytes == 0:
            continue
        if each.bytes is None or not each.offsets:
            unknown += 1
            continue
        span = _span(operation.results[0])
        found[each.memory] += [(each, b) for b in _buffers(each, span, origins)]
    plans = []
    for memory in ORDER:
        if buffers := found.get(memory):
            several = len({a.function for a, _ in buffers}) > 1
            named = [_in_function(b, a.function) if several else b for a, b in buffers]
            peak = max(b.bytes + (b.offset_bytes or 0) for b in named)
            plans.append(MemoryPlan(memory, peak, capacities.get(memory), tuple(named)))
    return tuple(plans), unknown


def _in_function(buffer: Buffer, function: str) -> Buffer:
    copy_of = f"{function} {buffer.copy_of}" if buffer.copy_of else ""
    return replace(buffer, name=f"{function} {buffer.name}", copy_of=copy_of)


def _buffers(each: Allocation, span: _Span, origins: _Origins) -> Iterator[Buffer]:
    """One buffer a copy; the second copy of a double buffer is named after the first."""
    assert each.bytes is not None
    for number, offset in enumerate(each.offsets):
        source, first_copy = origins.take(each, offset)
        own = each.name if number == 0 else f"{each.name} ({number + 1})"
        copy_of = each.name if number else first_copy
        yield Buffer(
            name=own,
            bytes=each.bytes,
            offset_bytes=offset,
            dtype=each.dtype,
            first_use=span.first,
            last_use=span.last,
            copy_of="" if copy_of == own else copy_of,
            source=each.location.short if each.location else source,
        )


class _Origins:
    """Where buffers are from, found again by function, memory, size and place."""

    def __init__(self, planned: Sequence[str], displays: Sequence[Display]) -> None:
        self._left: dict[tuple[str, str, int, int], list[tuple[str, int]]] = defaultdict(list)
        self._names: dict[int, str] = {}  # of the first copy in the final IR, by group
        groups = 0
        for text in planned:
            try:
                made = allocations(mlir.parse(text, tolerant=True))
            except mlir.MlirError:
                continue
            for each in made:
                if each.offsets and each.bytes:
                    groups += 1
                    source = each.location.short if each.location else ""
                    for offset in each.offsets:
                        key = (each.function, each.memory, each.bytes, offset)
                        self._left[key].append((source, groups if len(each.offsets) > 1 else 0))
        known = {(function, memory) for function, memory, _, _ in self._left}
        sources = {key: any(s for s, _ in found) for key, found in self._left.items()}
        for display in displays:
            if display.failed:
                continue
            for shown in sorted(display.buffers, key=lambda each: _number(each.name)):
                groups += 1
                for offset in shown.offsets:
                    key = (display.function, display.memory, shown.bytes, offset)
                    if (display.function, display.memory) not in known:
                        group = groups if len(shown.offsets) > 1 else 0
                        self._left[key].append((shown.source, group))
                    elif key in sources and not sources[key]:
                        self._left[key] = [(shown.source, g) for _, g in self._left[key]]

    def take(self, each: Allocation, offset: int) -> tuple[str, str]:
        """The source of a buffer, and the name of the one that it doubles or is doubled by."""
        assert each.bytes is not None
        left = self._left.get((each.function, each.memory, each.bytes, offset))
        if not left:
            return "", ""
        source, group = left.pop(0)
        return source, self._names.setdefault(group, each.name) if group else ""


def _number(name: str) -> int:
    """Which of the values of its kind one is in the text: %alloc, %alloc_0, %alloc_1 …"""
    number = name.rpartition("_")[2]
    return int(number) if number.isdecimal() else -1


def _span(value: mlir.Value) -> _Span:
    """Lines of the first and the last operation that touch a buffer, also by other names.

    A buffer from outside of a loop that is touched in it is held to the end of the loop.
    """
    seen = {id(value)}
    pending = [value]
    lines: list[int] = []
    owner = value.owner
    while pending:
        for user in pending.pop().uses:
            others = list(_aliases(user, seen))
            if not others or user.name.endswith(".yield"):  # a view alone touches nothing
                lines.append(user.first)
            lines += [loop.last for loop in _loops_around(user, owner)]
            seen.update(id(other) for other in others)
            pending += others
    return _Span(min(lines), max(lines)) if lines else _Span(value.line, value.line)


def _aliases(user: mlir.Operation, seen: set[int]) -> Iterator[mlir.Value]:
    """Other names that an operation gives to the buffers that it is handed."""
    for result in user.results:
        if id(result) not in seen and memory_of(result.type):
            yield result
    for region in user.regions:
        for block in region:
            for argument in block.arguments:
                first = argument.initial
                if first is not None and id(first) in seen and id(argument) not in seen:
                    yield argument
    if user.name.endswith(".yield") and user.parent.parent is not None:
        for place, given in enumerate(user.operands):
            results = user.parent.parent.results
            if id(given) in seen and place < len(results) and id(results[place]) not in seen:
                yield results[place]


def _loops_around(user: mlir.Operation, owner: object) -> Iterator[mlir.Operation]:
    """The loops around an operation that are not around the one that made the buffer."""
    around: set[int] = set()
    above = owner if isinstance(owner, mlir.Operation) else None
    while above is not None:
        around.add(id(above))
        above = above.parent.parent
    loop = user.parent.parent
    while loop is not None and id(loop) not in around:
        if loop.name in _LOOPS:
            yield loop
        loop = loop.parent.parent


# A plan that does not fit


def read_failed_plans(
    text: str,
    function: str,
    displays: Sequence[Display],
    capacities: Mapping[str, int],
    memory: str,
    required: int,
) -> tuple[tuple[MemoryPlan, ...], tuple[Culprit, ...]]:
    """The plans of a function whose buffers did not fit, and who was there at the worst moment.

    `text` holds the function as the planner was given it, and lifetimes are its lines; it is ""
    where that was not printed, and lifetimes are then those of the memory display. Where there is
    no display, sizes are those of the text, and no buffer has a place.
    """
    allocated = _allocated(text, function)
    mine = [d for d in displays if d.memory == memory]
    failed = {d.function for d in mine if d.failed or d.end >= required}
    shown = [d for d in displays if d.function in failed]
    if not shown:
        return _without_display(allocated, capacities, memory, required)
    plans = []
    culprits: tuple[Culprit, ...] = ()
    for display in sorted(shown, key=lambda d: ORDER.index(d.memory) if d.memory in ORDER else 9):
        buffers = [buffer for each in display.buffers for buffer in _of_display(each, allocated)]
        peak = display.end
        if display.memory == memory:
            peak = max(peak, required)
            culprits = _culprits(_slots(display), required)
        plans.append(MemoryPlan(display.memory, peak, capacities.get(display.memory), (*buffers,)))
    return tuple(plans), culprits


@dataclass(frozen=True, slots=True)
class _Allocated:
    """A buffer before it has a place."""

    each: Allocation
    span: _Span
    copies: int


def _allocated(text: str, function: str) -> dict[str, _Allocated]:
    if not text:
        return {}
    try:
        module = mlir.parse(text, tolerant=True)
    except mlir.MlirError:
        return {}
    found: dict[str, _Allocated] = {}
    for operation in module.walk():
        if operation.name in ("memref.alloc", "memref.alloca") and operation.results:
            each = allocation(operation)
            if each.memory in ORDER and function in ("", each.function):
                value = operation.results[0]
                found[each.name] = _Allocated(each, _span(value), _copies(value))
    return found


def _copies(value: mlir.Value) -> int:
    """How often a buffer is there at a time: the compiler marks what it means to double."""
    for user in value.uses:
        mark = user.attributes.get(_MULTI, "") if user.name == "annotation.mark" else ""
        if mark.partition(" ")[0].isdigit():
            return int(mark.partition(" ")[0])
    return 1


def _of_display(shown: Shown, allocated: Mapping[str, _Allocated]) -> Iterator[Buffer]:
    known = allocated.get(shown.name)
    span = known.span if known else None if allocated else _Span(shown.first, shown.last)
    for number, offset in enumerate(shown.offsets or (None,)):
        yield Buffer(
            name=shown.name if number == 0 else f"{shown.name} ({number + 1})",
            bytes=shown.bytes,
            offset_bytes=offset,
            dtype=known.each.dtype if known else "",
            first_use=span.first if span else None,
            last_use=span.last if span else None,
            copy_of=shown.name if number else "",
            source=shown.source,
        )


def _slots(display: Display) -> list[_Alive]:
    """The places of a plan: buffers that share one for the same time are one place."""
    places: dict[tuple[tuple[int, ...], int, int, int], Shown] = {}
    for each in sorted(display.buffers, key=lambda shown: _number(shown.name)):
        places.setdefault((each.offsets, each.bytes, each.first, each.last), each)
    return [
        _Alive(
            Culprit(each.name, each.bytes * max(1, len(each.offsets)), each.source),
            each.first,
            each.last,
            max((offset + each.bytes for offset in each.offsets), default=0),
        )
        for each in places.values()
    ]


def _culprits(alive: Sequence[_Alive], required: int) -> tuple[Culprit, ...]:
    """Who is alive at the worst moment in the life of whatever reaches furthest.

    The planner lets the result of some operations take the place of an operand. Where that is not
    known, those that begin at a moment are left out if what is needed is exactly what the others
    take.
    """
    furthest = max((each.end for each in alive), default=0)
    moments = {
        each.first
        for top in alive
        if top.end == furthest
        for each in alive
        if top.first <= each.first <= top.last
    }
    groups = [[a for a in alive if a.first <= at <= a.last] for at in sorted(moments)]
    worst = max(groups, key=_total, default=[])
    if _total(worst) > required:
        before = [[a for a in alive if a.first < at <= a.last] for at in sorted(moments)]
        worst = next((group for group in before if _total(group) == required), worst)
    found = (each.culprit for each in worst)
    return tuple(sorted(found, key=lambda c: (-c.bytes, len(c.name), c.name)))


def _total(alive: Iterable[_Alive]) -> int:
    return sum(each.culprit.bytes for each in alive)


def _without_display(
    allocated: Mapping[str, _Allocated],
    capacities: Mapping[str, int],
    memory: str,
    required: int,
) -> tuple[tuple[MemoryPlan, ...], tuple[Culprit, ...]]:
    buffers: list[Buffer] = []
    alive: list[_Alive] = []
    for name, one in allocated.items():
        each = one.each
        if each.memory != memory or not each.bytes:
            continue
        source = each.location.short if each.location else ""
        for number in range(one.copies):
            buffers.append(
                Buffer(
                    name=name if number == 0 else f"{name} ({number + 1})",
                    bytes=each.bytes,
                    offset_bytes=None,
                    dtype=each.dtype,
                    first_use=one.span.first,
                    last_use=one.span.last,
                    copy_of=name if number else "",
                    source=source,
                )
            )
        first, last = one.span.first or each.line, one.span.last or each.line
        alive.append(_Alive(Culprit(name, each.bytes * one.copies, source), first, last, 0))
    if not buffers:
        return (), ()
    plan = MemoryPlan(memory, required, capacities.get(memory), tuple(buffers))
    return (plan,), _culprits(alive, required)
