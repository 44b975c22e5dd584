"""What fills a memory: which buffers live when, where the peak is, and what is lost on the way."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from core.trace import Buffer, MemoryPlan


@dataclass(frozen=True, slots=True)
class Peak:
    """The moment in program order at which most bytes are alive."""

    at: int | None  #: position in program order; None where the plan tells no lifetimes
    live_bytes: int  #: that the buffers alive then cover; at most the plan's `peak_bytes`
    culprits: tuple[Buffer, ...]  #: those buffers, largest first


@dataclass(frozen=True, slots=True)
class Share:
    """One buffer with its copies, taken together."""

    name: str
    bytes: int  #: that the buffer and its copies cover; what they share counts once
    copies: int  #: 1 = single, 2 = double-buffered …


@dataclass(frozen=True, slots=True)
class Held:
    """A place that stays taken beyond the lines that name its buffer.

    Halves of a double buffer take turns in a loop, so that neither place is free at any time of it;
    and what a loop reads from before it must be there until its last iteration ends.
    """

    name: str
    start: int  #: first byte
    stop: int  #: last byte + 1
    first: int  #: position in program order
    last: int
    doubled: bool  #: for the other half of a double buffer; else for the next iteration


@dataclass(frozen=True, slots=True)
class Level:
    """Bytes alive from a position in program order on, until the next level."""

    at: int
    live_bytes: int


@dataclass(frozen=True, slots=True)
class Hole:
    """A range of addresses that nothing alive covers; bytes, `stop` not included."""

    start: int
    stop: int

    @property
    def bytes(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True, slots=True)
class Fragmentation:
    """Bytes below the highest address in use that nothing alive covers at the peak."""

    at: int | None
    bytes: int
    holes: tuple[Hole, ...]  #: () where buffers without an address keep it from being known


@dataclass(frozen=True, slots=True)
class Loss:
    """What alignment costs one buffer."""

    name: str
    asked_bytes: int
    rounded_bytes: int

    @property
    def bytes(self) -> int:
        return self.rounded_bytes - self.asked_bytes


@dataclass(frozen=True, slots=True)
class Waste:
    alignment_bytes: int  #: 0 where nothing tells it, and then only what the compiler rounded
    losses: tuple[Loss, ...]  #: largest first; buffers that lose nothing are left out
    peak_bytes: int  #: lost by the buffers alive at the peak; shared places count once a buffer

    @property
    def bytes(self) -> int:
        return sum(loss.bytes for loss in self.losses)


@dataclass(frozen=True, slots=True)
class Turn:
    """Who had the place of a buffer before it, and who gets it."""

    after: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    in_place: tuple[str, ...] = ()  #: of `after`: still read by what writes this buffer first


def functions(plan: MemoryPlan) -> dict[str, MemoryPlan]:
    """A plan by the function that its buffers are in; {"": plan} where only one has any.

    Functions run apart, mostly on cores of their own, so that each has the whole memory.
    """
    found: dict[str, list[Buffer]] = {}
    for buffer in plan.buffers:
        found.setdefault(function_of(buffer), []).append(buffer)
    if len(found) < 2:
        return {"": plan}
    return {
        name: replace(plan, buffers=tuple(buffers), peak_bytes=end_of(buffers))
        for name, buffers in found.items()
    }


def function_of(buffer: Buffer) -> str:
    """The function that a buffer is in, where its plan has several; else ""."""
    function, found, _ = buffer.name.partition(" %")
    return function if found else ""


def end_of(buffers: Iterable[Buffer]) -> int:
    """The highest address in use + 1."""
    return max(((b.offset_bytes or 0) + b.bytes for b in buffers), default=0)


# When


def peak(plan: MemoryPlan, held: Sequence[Held] = ()) -> Peak:
    """Find the peak of one memory. Buffers without a known lifetime count as always alive."""
    levels = curve(plan, held)
    if not levels:
        return Peak(None, covered(plan.buffers), _largest_first(plan.buffers))
    number = max(range(len(levels)), key=lambda n: levels[n].live_bytes)  # the first of equals
    at = levels[number].at
    until = levels[number + 1].at if number + 1 < len(levels) else at + 1
    # A loop that keeps places is full from its head on: what it keeps shows where it is used.
    uses = [b.first_use for b in plan.buffers if b.first_use is not None]
    at = min((use for use in uses if at <= use < until), default=at)
    return Peak(at, levels[number].live_bytes, _largest_first(live(plan, at, held)))


def live(plan: MemoryPlan, at: int, held: Sequence[Held] = ()) -> tuple[Buffer, ...]:
    """The buffers alive at a position in program order.

    Of a place that is held for buffers that take turns in it, the one that is there first counts.
    """
    found = [
        b
        for b in plan.buffers
        if (b.first_use is None or b.first_use <= at) and (b.last_use is None or at <= b.last_use)
    ]
    kept = {h.name for h in held if h.first <= at <= h.last} - {b.name for b in found}
    for b in sorted((b for b in plan.buffers if b.name in kept), key=lambda b: b.first_use or 0):
        if not any(overlap(b, other) for other in found):
            found.append(b)
    return tuple(found)


def curve(plan: MemoryPlan, held: Sequence[Held] = ()) -> tuple[Level, ...]:
    """Bytes alive over program order, one level wherever that changes; () without lifetimes.

    What several buffers cover at once counts once: the result of an instruction may take the place
    of an operand.
    """
    return _curve(plan, tuple(held))


@lru_cache(maxsize=64)  # one look at a plan asks for its peak in several ways
def _curve(plan: MemoryPlan, held: tuple[Held, ...]) -> tuple[Level, ...]:
    known = [b.first_use for b in plan.buffers if b.first_use is not None]
    if not known:
        return ()
    start = min(known)
    end = max(b.last_use for b in plan.buffers if b.last_use is not None)
    spans = [
        (b.offset_bytes, b.bytes, b.first_use or start, end if b.last_use is None else b.last_use)
        for b in plan.buffers
    ]
    spans += [(h.start, h.stop - h.start, h.first, h.last) for h in held]
    edges = sorted({e for o, size, _, _ in spans if o is not None for e in (o, o + size)})
    widths = np.diff(np.array(edges or [0], dtype=np.int64))
    taken = np.zeros(len(widths), dtype=np.int64)
    changes: dict[int, list[tuple[int, int]]] = {}
    for number, (_, _, first, last) in enumerate(spans):
        changes.setdefault(first, []).append((1, number))
        changes.setdefault(last + 1, []).append((-1, number))
    total = 0
    levels: list[Level] = []
    for at in sorted(changes):
        for by, number in changes[at]:
            offset, size, _, _ = spans[number]
            if offset is None:
                total += by * size
                continue
            place = slice(bisect_left(edges, offset), bisect_left(edges, offset + size))
            before = taken[place] > 0
            taken[place] += by
            total += int((widths[place] * ((taken[place] > 0) ^ before)).sum()) * by
        if not levels or levels[-1].live_bytes != total:
            levels.append(Level(at, total))
    return tuple(levels)


# What is lost


def fragmentation(plan: MemoryPlan, held: Sequence[Held] = ()) -> Fragmentation:
    """What lies idle below the plan's end at its peak."""
    moment = peak(plan, held)
    if any(b.offset_bytes is None for b in plan.buffers):
        return Fragmentation(moment.at, 0, ())
    at = moment.at
    ranges = [(b.offset_bytes or 0, (b.offset_bytes or 0) + b.bytes) for b in moment.culprits]
    ranges += [(h.start, h.stop) for h in held if at is not None and h.first <= at <= h.last]
    holes = []
    end = 0
    for start, stop in [*sorted(ranges), (plan.peak_bytes, plan.peak_bytes)]:
        if start > end:
            holes.append(Hole(end, start))
        end = max(end, stop)
    return Fragmentation(moment.at, sum(h.bytes for h in holes), tuple(holes))


def rounded(size: int, alignment: int) -> int:
    """Bytes that a buffer takes where every place begins at a multiple of the alignment."""
    return -(-size // alignment) * alignment if alignment > 1 else size


def waste(
    plan: MemoryPlan,
    alignment: int,
    asked: Mapping[str, int] | None = None,
    held: Sequence[Held] = (),
) -> Waste:
    """What rounding to the memory's alignment costs, in bytes.

    `asked` says of buffers that the compiler has rounded already what they were before.
    """
    losses = []
    for b in plan.buffers:
        wanted = min((asked or {}).get(b.name, b.bytes), b.bytes)
        loss = Loss(b.name, wanted, rounded(b.bytes, alignment))
        if loss.bytes:
            losses.append(loss)
    losses.sort(key=lambda loss: (-loss.bytes, loss.name))
    alive = {b.name for b in peak(plan, held).culprits}
    return Waste(alignment, tuple(losses), sum(x.bytes for x in losses if x.name in alive))


# Who belongs to whom


def shares(plan: MemoryPlan) -> tuple[Share, ...]:
    """What each buffer with its copies takes of the memory, largest first."""
    copies: dict[str, list[Buffer]] = {}
    for buffer in plan.buffers:
        copies.setdefault(buffer.copy_of or buffer.name, []).append(buffer)
    rows = [Share(name, covered(same), len(same)) for name, same in copies.items()]
    return tuple(sorted(rows, key=lambda row: (-row.bytes, row.name)))


def pairs(plan: MemoryPlan, held: Sequence[Held] = ()) -> tuple[tuple[Buffer, ...], ...]:
    """The buffers that are doubled, each with the copies beside it, in the order of the plan.

    Copies double each other where they are there at a time: they have places of their own, and
    share a loop or a lifetime. Other copies are tails. Code that repeats a loop has pairs in each.
    """
    loops = {h.name: (h.first, h.last) for h in held if h.doubled}
    copies: dict[tuple[str, tuple[int, int] | None], list[Buffer]] = {}
    for buffer in plan.buffers:
        copies.setdefault((buffer.copy_of or buffer.name, loops.get(buffer.name)), []).append(
            buffer
        )
    found = []
    for (_, loop), same in copies.items():
        apart = same if loop else [b for b in same if any(_beside(b, o) for o in same)]
        if len(apart) > 1:
            found.append(tuple(apart))
    return tuple(found)


def bare_name(name: str) -> str:
    """The name of a buffer without the function that it is in."""
    return name.partition(" ")[2] if " %" in name else name


@lru_cache(maxsize=64)
def turns(plan: MemoryPlan) -> Mapping[str, Turn]:
    """Whose place each placed buffer takes over, and who takes it next, by name."""
    placed = [b for b in plan.buffers if None not in (b.offset_bytes, b.first_use, b.last_use)]
    placed.sort(key=lambda b: (b.first_use or 0, b.last_use or 0, b.offset_bytes or 0))
    edges = sorted(
        {e for b in placed for e in (b.offset_bytes or 0, (b.offset_bytes or 0) + b.bytes)}
    )
    owner = np.full(max(len(edges) - 1, 0), -1, dtype=np.int64)
    after: dict[str, list[str]] = {}
    before: dict[str, list[str]] = {}
    in_place: dict[str, list[str]] = {}
    for number, b in enumerate(placed):
        offset = b.offset_bytes or 0
        place = slice(bisect_left(edges, offset), bisect_left(edges, offset + b.bytes))
        for earlier in dict.fromkeys(owner[place].tolist()):
            if earlier < 0:
                continue
            other = placed[earlier]
            after.setdefault(b.name, []).append(other.name)
            before.setdefault(other.name, []).append(b.name)
            if other.last_use == b.first_use:
                in_place.setdefault(b.name, []).append(other.name)
        owner[place] = number
    return {
        b.name: Turn(
            tuple(after.get(b.name, ())),
            tuple(before.get(b.name, ())),
            tuple(in_place.get(b.name, ())),
        )
        for b in placed
    }


def chains(plan: MemoryPlan) -> tuple[tuple[str, ...], ...]:
    """Buffers that follow each other in one place, two or more, longest first.

    Each buffer is in one chain at most: it goes on with the first that takes its place over.
    """
    known = turns(plan)
    found: list[tuple[str, ...]] = []
    seen: set[str] = set()
    for name in known:
        chain = []
        at: str | None = name
        while at is not None and at not in seen:
            seen.add(at)
            chain.append(at)
            at = next(iter(known[at].before), None)
        if len(chain) > 1:
            found.append(tuple(chain))
    return tuple(sorted(found, key=lambda chain: -len(chain)))


def _beside(one: Buffer, other: Buffer) -> bool:
    """Whether two buffers are there at a time, each at a place of its own."""
    if one is other or None in (one.first_use, one.last_use, other.first_use, other.last_use):
        return False
    together = (one.first_use or 0) <= (other.last_use or 0) and (other.first_use or 0) <= (
        one.last_use or 0
    )
    return together and not overlap(one, other)


def overlap(one: Buffer, other: Buffer) -> bool:
    """Whether two buffers have addresses in common; what has no address has none."""
    if one.offset_bytes is None or other.offset_bytes is None:
        return False
    return (
        one.offset_bytes < other.offset_bytes + other.bytes
        and other.offset_bytes < one.offset_bytes + one.bytes
    )


def covered(buffers: Iterable[Buffer]) -> int:
    """Bytes of the union of address ranges; a buffer without an address counts in full."""
    buffers = tuple(buffers)
    placed = [b for b in buffers if b.offset_bytes is not None]
    total = sum(b.bytes for b in buffers if b.offset_bytes is None)
    end = 0
    for start, size in sorted((b.offset_bytes or 0, b.bytes) for b in placed):
        total += max(0, start + size - max(start, end))
        end = max(end, start + size)
    return total


def _largest_first(buffers: Iterable[Buffer]) -> tuple[Buffer, ...]:
    return tuple(sorted(buffers, key=lambda b: (-b.bytes, b.name)))
