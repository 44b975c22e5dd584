"""What fills a memory: which buffers live when, where the peak is, and who is to blame for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.trace import Buffer, MemoryPlan


@dataclass(frozen=True, slots=True)
class Peak:
    """The moment in program order at which most bytes are alive."""

    at: int | None  #: position in program order; None where the plan tells no lifetimes
    live_bytes: int  #: sum over the buffers alive then; at most the plan's `peak_bytes`
    culprits: tuple[Buffer, ...]  #: those buffers, largest first


@dataclass(frozen=True, slots=True)
class Share:
    """One buffer with its copies, taken together."""

    name: str
    bytes: int  #: that the buffer and its copies cover; what they share counts once
    copies: int  #: 1 = single, 2 = double-buffered …


def peak(plan: MemoryPlan) -> Peak:
    """Find the peak of one memory. Buffers without a known lifetime count as always alive."""
    starts = sorted({b.first_use for b in plan.buffers if b.first_use is not None})
    if not starts:
        return Peak(None, sum(b.bytes for b in plan.buffers), _largest_first(plan.buffers))
    best_at, best = starts[0], -1
    for at in starts:  # the live set only grows where a buffer starts
        total = sum(b.bytes for b in live(plan, at))
        if total > best:
            best_at, best = at, total
    return Peak(best_at, best, _largest_first(live(plan, best_at)))


def live(plan: MemoryPlan, at: int) -> tuple[Buffer, ...]:
    """The buffers alive at a position in program order."""
    return tuple(
        b
        for b in plan.buffers
        if (b.first_use is None or b.first_use <= at) and (b.last_use is None or at <= b.last_use)
    )


def shares(plan: MemoryPlan) -> tuple[Share, ...]:
    """What each buffer with its copies takes of the memory, largest first."""
    copies: dict[str, list[Buffer]] = {}
    for buffer in plan.buffers:
        copies.setdefault(buffer.copy_of or buffer.name, []).append(buffer)
    rows = [Share(name, _covered(same), len(same)) for name, same in copies.items()]
    return tuple(sorted(rows, key=lambda row: (-row.bytes, row.name)))


def _covered(buffers: Iterable[Buffer]) -> int:
    """Bytes of the union of address ranges; a buffer without an address counts in full."""
    placed = [b for b in buffers if b.offset_bytes is not None]
    total = sum(b.bytes for b in buffers if b.offset_bytes is None)
    end = 0
    for start, size in sorted((b.offset_bytes or 0, b.bytes) for b in placed):
        total += max(0, start + size - max(start, end))
        end = max(end, start + size)
    return total


def _largest_first(buffers: Iterable[Buffer]) -> tuple[Buffer, ...]:
    return tuple(sorted(buffers, key=lambda b: (-b.bytes, b.name)))
