"""Places that emitted code keeps beyond the lines that name their buffers, for loops come round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.analysis.memory import Held, overlap
from core.ir import cce
from core.trace import Buffer, MemoryPlan


@dataclass(frozen=True, slots=True)
class _Block:
    first: int
    last: int
    loop: bool  #: else one arm of a condition


def held(plan: MemoryPlan, code: str) -> tuple[Held, ...]:
    """What emitted CCE code keeps of a memory; () of other texts, whose readers see to it."""
    try:
        kernel = cce.parse(code)
    except cce.CceError:
        return ()
    blocks = list(_blocks(kernel.body))
    copies: dict[str, list[Buffer]] = {}
    found: dict[str, Held] = {}
    for buffer in plan.buffers:
        if None in (buffer.offset_bytes, buffer.first_use, buffer.last_use):
            continue
        copies.setdefault(buffer.copy_of or buffer.name, []).append(buffer)
        loop = _left_in(buffer, blocks)
        if loop is not None:
            found[buffer.name] = _kept(buffer, buffer.first_use or 0, loop.last, False)
    for same in copies.values():
        for buffer in same:
            spans = [
                span
                for other in same
                if other is not buffer
                and other.bytes == buffer.bytes
                and not overlap(buffer, other)
                and (span := _side_by_side(buffer, other, blocks)) is not None
            ]
            if spans:
                first, last = min(s[0] for s in spans), max(s[1] for s in spans)
                found[buffer.name] = _kept(buffer, first, last, True)
    return tuple(found.values())


def _kept(buffer: Buffer, first: int, last: int, doubled: bool) -> Held:
    start = buffer.offset_bytes or 0
    return Held(buffer.name, start, start + buffer.bytes, first, last, doubled)


def _blocks(body: Sequence[cce.Statement]) -> Iterator[_Block]:
    for node in cce.walk(body):
        match node:
            case cce.Loop():
                yield _Block(node.first, node.last, True)
            case cce.Branch():
                for arm in (node.then, node.otherwise):
                    if arm:
                        yield _Block(arm[0].first, arm[-1].last, False)


def _left_in(buffer: Buffer, blocks: Sequence[_Block]) -> _Block | None:
    """The outermost loop that last touches a buffer from before it."""
    first, last = buffer.first_use or 0, buffer.last_use or 0
    around = [b for b in blocks if b.loop and first < b.first <= last < b.last]
    return max(around, key=lambda b: b.last, default=None)


def _side_by_side(one: Buffer, other: Buffer, blocks: Sequence[_Block]) -> tuple[int, int] | None:
    """How long two copies are kept beside each other; None where one is the tail of the other.

    They stand in the same block: a loop keeps both until it ends, straight code from the first use
    of either to the last.
    """
    inner = _innermost(one, blocks)
    if inner != _innermost(other, blocks):
        return None
    if inner is not None and inner.loop:
        return inner.first, inner.last
    uses = [use or 0 for b in (one, other) for use in (b.first_use, b.last_use)]
    return min(uses), max(uses)


def _innermost(buffer: Buffer, blocks: Sequence[_Block]) -> _Block | None:
    """The block that a buffer lives in; None outside of all."""
    around = [
        b for b in blocks if b.first <= (buffer.first_use or 0) and (buffer.last_use or 0) <= b.last
    ]
    return min(around, key=lambda b: b.last - b.first, default=None)
