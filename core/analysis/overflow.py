"""Memories that overflowed, in every attempt of a compile, with what was to be in them.

Some compilers leave a plan that does not fit. Where one only says how many bytes were too many, the
text that its planner was given lists the buffers, with their sizes and where they are used, yet
without addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

from core.analysis.memory import Held
from core.analysis.order import previous_text
from core.analysis.shrink import need
from core.ir import statement
from core.ir.access import SCOPES, access
from core.ir.instructions import hardware_name, kind
from core.ir.statement import StatementError
from core.target import Memory
from core.trace import Buffer, MemoryPlan, Pass, Texts, Trace

#: AKG's passes that give buffers their place, and end where they do not fit: a buffer alone larger
#: than its memory (storage_flatten.cc), all of them together (storage_rewrite_cce.cc).
_PLANNERS = ("StorageFlatten", "StorageRewriteCCE")
_BITS = re.compile(r"(?:u?int|float|bool)(\d*)")
_CALL = re.compile(r"(\w+)\(")
_TARGET = re.compile(r"(?:placeholder\()?([^\W\d][\w.]*)")


@dataclass(frozen=True, slots=True)
class Overflow:
    """One attempt to fit a kernel into a memory."""

    memory: str
    required_bytes: int | None  #: as the compiler says; None of an attempt that it says nothing of
    available_bytes: int | None
    attempt: int
    step: int | None  #: the pass that failed
    index: int | None  #: the pass whose lines are the lifetimes of the plan
    plan: MemoryPlan | None  #: None where no text lists the buffers
    placed: bool  #: whether the addresses are the compiler's own
    wanted: Wanted | None = None  #: what the plan was read as, where it has no addresses
    last: bool = True  #: the attempt that ended the compile


@dataclass(frozen=True, slots=True)
class Wanted:
    """The buffers of a text that has not been planned yet.

    What has to be there at a time is at least what `counted` and `held` say: the result of an
    instruction may take the place of an operand that is not read after it, and the halves of a
    double buffer are there together.
    """

    plan: MemoryPlan  #: lifetimes are lines of the text, first use to last
    counted: MemoryPlan  #: an operand's life ends where a result may take its place
    held: tuple[Held, ...]

    def need_bytes(self, alignment: int) -> int:
        """Bytes that have to be there at the worst moment, at least."""
        return need(self.counted, alignment=alignment, held=self.held)


def overflows(trace: Trace, texts: Texts, memories: Sequence[Memory] = ()) -> tuple[Overflow, ...]:
    """Every overflow that a trace tells of, in the order of the attempts.

    `memories` are those of the chip. Of an attempt of which the compiler says nothing, the memories
    are those that its buffers do not fit in.
    """
    failure = trace.failure
    found = [
        each
        for step in trace.passes
        if _failed_planner(step)
        for each in _of_text(trace, texts, step, {m.name: m for m in memories})
    ]
    if failure is not None and failure.memory and not any(each.last for each in found):
        plan = trace.plan(failure.memory)
        step = max((p.index for p in trace.passes if p.status != "ok"), default=None)
        found.append(
            Overflow(
                memory=failure.memory,
                required_bytes=failure.required_bytes,
                available_bytes=failure.available_bytes,
                attempt=failure.attempts,
                step=step,
                index=step,
                plan=plan,
                placed=plan is not None and all(b.offset_bytes is not None for b in plan.buffers),
            )
        )
    return tuple(found)


def _failed_planner(step: Pass) -> bool:
    return step.name in _PLANNERS and step.status != "ok"


def _of_text(
    trace: Trace, texts: Texts, step: Pass, memories: Mapping[str, Memory]
) -> Iterator[Overflow]:
    """What the text before a pass that failed says of the memories that are too small for it."""
    before = previous_text(trace, step)
    plans = {} if before is None or before.text is None else unplaced(texts.get(before.text))
    failure = trace.failure
    last = step.index == max(p.index for p in trace.passes if p.status != "ok")
    last = last and not trace.status.compiles
    said = failure if failure is not None and failure.memory and last else None
    for memory in [said.memory or ""] if said is not None else list(plans):
        wanted = plans.get(memory)
        chip = memories.get(memory)
        available = said.available_bytes if said else chip.capacity_bytes if chip else None
        if said is None and not (
            chip and wanted and wanted.need_bytes(chip.alignment_bytes) > chip.capacity_bytes
        ):
            continue
        yield Overflow(
            memory=memory,
            required_bytes=said.required_bytes if said else None,
            available_bytes=available if available or not chip else chip.capacity_bytes,
            attempt=step.attempt,
            step=step.index,
            index=before.index if before is not None else None,
            plan=wanted.plan if wanted else None,
            placed=False,
            wanted=wanted,
            last=last,
        )


# Buffers of a text before planning


_Span = tuple[int, int]  # first and last line of a statement with the loops since a declaration


@dataclass(slots=True)
class _Found:
    """A buffer of the text, as far as it has been read."""

    name: str
    memory: str
    dtype: str
    bytes: int
    loops: tuple[statement.For, ...]  #: around the declaration
    block: tuple[int, ...]  #: that the declaration stands in
    reads: dict[_Span, str] = field(default_factory=dict)  #: instruction by its span; "" of others
    writes: dict[_Span, str] = field(default_factory=dict)

    @property
    def uses(self) -> list[_Span]:
        return sorted({*self.reads, *self.writes})


def unplaced(text: str) -> dict[str, Wanted]:
    """The buffers of a text whose planner has not run, by memory.

    Of the statement language alone; {} of what cannot be read.
    """
    try:
        reader = _Reader()
        reader.read(statement.parse(text).body, (), (), {})
    except StatementError:
        return {}
    by_memory: dict[str, list[_Found]] = {}
    for each in reader.found:
        if each.bytes and each.uses and each.memory not in ("", "REG", "GM"):
            by_memory.setdefault(each.memory, []).append(each)
    return {memory: _wanted(memory, found) for memory, found in by_memory.items()}


class _Reader:
    def __init__(self) -> None:
        self.found: list[_Found] = []
        self.scopes: dict[str, str] = {}

    def read(
        self,
        body: Sequence[statement.Statement],
        loops: tuple[statement.For, ...],
        block: tuple[int, ...],
        known: dict[str, _Found],
    ) -> None:
        """Read a block; `known` are the buffers that it sees by name."""
        for node in body:
            match node:
                case statement.Attribute(key="realize_scope" | "storage_scope"):
                    if name := _TARGET.match(node.target):
                        self.scopes[name[1]] = SCOPES.get(node.value.strip('"'), "")
                case statement.Allocate():
                    size = _bytes(node.dtype, node.elements)
                    known[node.name] = self._declared(node.name, node.dtype, size, loops, block)
                case statement.Realize():
                    elements = [int(e) if e.isdigit() else 0 for _, e in node.bounds]
                    size = _bytes(node.dtype, prod(elements))
                    inside = {
                        **known,
                        node.name: self._declared(node.name, node.dtype, size, loops, block),
                    }
                    self.read(node.body, loops, block, inside)
                case _:
                    self._touched(node, loops, known)
                    for number, inner in enumerate(statement.blocks(node)):
                        around = (*loops, node) if isinstance(node, statement.For) else loops
                        self.read(inner, around, (*block, node.first, number), dict(known))

    def _declared(
        self,
        name: str,
        dtype: str,
        size: int,
        loops: tuple[statement.For, ...],
        block: tuple[int, ...],
    ) -> _Found:
        new = _Found(name, self.scopes.get(name, ""), dtype, size, loops, block)
        self.found.append(new)
        return new

    def _touched(
        self,
        node: statement.Statement,
        loops: tuple[statement.For, ...],
        known: dict[str, _Found],
    ) -> None:
        touched = access(node)
        name = _instruction(node)
        for names, writes in ((touched.reads, False), (touched.writes, True)):
            for buffer in names:
                if each := known.get(buffer):
                    since = loops[len(each.loops) :]
                    # A loop that comes round to a buffer of before needs it until it ends.
                    span = (since[0].first, since[0].last) if since else (node.first, node.last)
                    uses = each.writes if writes else each.reads
                    uses[span] = name if uses.get(span, name) == name else ""


def _instruction(node: statement.Statement) -> str:
    """The instruction that a statement is; "" of what is none."""
    found = _CALL.match(node.value) if isinstance(node, statement.Evaluate) else None
    return hardware_name(found[1]) if found else ""


def _bytes(dtype: str, elements: int | None) -> int:
    found = _BITS.match(dtype)
    bits = int(found[1]) if found and found[1] else 8
    return (elements or 0) * max(1, bits // 8)


def _wanted(memory: str, found: Sequence[_Found]) -> Wanted:
    counts: dict[str, int] = {}
    blocks: dict[tuple[str, tuple[int, ...], int], Buffer] = {}
    buffers: list[Buffer] = []
    counted: list[Buffer] = []
    held: list[Held] = []
    begins: dict[_Span, list[_Found]] = {}
    for each in found:
        begins.setdefault(each.uses[0], []).append(each)
    for each in found:
        counts[each.name] = number = counts.get(each.name, 0) + 1
        name = each.name if number == 1 else f"{each.name} ({number})"
        first, last = each.uses[0][0], max(last for _, last in each.uses)
        copy_of = each.name if number > 1 else ""
        buffer = Buffer(name, each.bytes, None, each.dtype, first, last, copy_of)
        buffers.append(buffer)
        buffer = replace(buffer, last_use=_until(each, last, begins))
        counted.append(buffer)
        key = (each.name, each.block, each.bytes)
        other = blocks.setdefault(key, buffer)
        doubled = kind(each.writes.get(each.uses[0], "")) == "transfer" and other is not buffer
        if doubled and other.first_use is not None and other.last_use is not None:
            # The halves take turns, and each is as full as the other at the same point of its turn.
            held.append(Held(name, 0, each.bytes, other.first_use, other.last_use, True))
    most = max((b.bytes for b in buffers), default=0)
    plan = MemoryPlan(memory, most, None, tuple(buffers))
    return Wanted(plan, replace(plan, buffers=tuple(counted)), tuple(held))


def _until(each: _Found, last: int, begins: Mapping[_Span, Sequence[_Found]]) -> int:
    """Where an operand's life ends at the latest if a result of the same size takes its place.

    All that still reads it must be vector instructions that write that result, as the parts of one
    operation are.
    """
    uses = each.uses
    for at, span in enumerate(uses):
        left = set(uses[at:])
        if left & each.writes.keys() or any(not _vector(each.reads[s]) for s in left):
            continue
        for result in begins.get(span, ()):
            if result is not each and result.bytes == each.bytes and left <= result.writes.keys():
                return span[0]
    return last


def _vector(name: str) -> bool:
    return kind(name) == "vector" and "transpose" not in name
