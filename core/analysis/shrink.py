"""What would have to shrink, and by how much, for a memory plan to fit.

A plan fits where at no moment more is alive than the memory holds. Buffers that belong together
shrink together: the copies of one, and those that share a place while both live. The smallest set
is found by trying all sets, from one buffer up, of those alive at a moment that is too full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from core.analysis.memory import Held, overlap, rounded
from core.trace import Buffer, MemoryPlan

_TRIES = 200_000  #: sets looked at before the search is cut short
_SHOWN = 400  #: smallest sets that are compared to find the one that loses least


@dataclass(frozen=True, slots=True)
class Cut:
    """One buffer that has to shrink."""

    name: str
    with_it: tuple[str, ...]  #: its copies, and who shares its place: they shrink with it
    copies: int  #: places of it that are there at a time
    bytes: int  #: of one copy, as it is
    to_bytes: int  #: of one copy, at most, for all to fit
    source: str  #: the kernel's own line, or ""
    first_use: int | None

    @property
    def less_bytes(self) -> int:
        """Bytes that its copies have to lose together."""
        return (self.bytes - self.to_bytes) * self.copies


@dataclass(frozen=True, slots=True)
class Remedy:
    """The smallest set of buffers whose shrinking makes a plan fit."""

    need_bytes: int  #: at the worst moment, places rounded to the memory's alignment
    capacity_bytes: int
    at: int | None  #: the worst moment
    cuts: tuple[
        Cut, ...
    ]  #: of all sets as small, the one that loses the smallest share; () if none
    others: tuple[tuple[str, ...], ...]  #: other sets as small, by name
    of: int  #: buffers with their copies alive at a moment that is too full
    proven: bool  #: every smaller set was tried, in vain
    single: tuple[
        str, ...
    ]  #: fits without their second copies (fewest); () where that is too little
    scale: float  #: to what part all of them would have to shrink alike; 0.0: nothing helps


@dataclass(frozen=True, slots=True)
class _Group:
    name: str
    members: tuple[Buffer, ...]
    bytes: int  #: of one copy


_Places = tuple[int, ...]  #: sizes of the places that a group covers at a moment
_Moment = dict[int, _Places]


def shrink(
    plan: MemoryPlan, capacity: int, *, alignment: int = 1, held: Sequence[Held] = ()
) -> Remedy | None:
    """What has to shrink for a plan to fit into `capacity` bytes; None where it does.

    As far as lifetimes tell: how a compiler places what is alive may cost more. Where buffers have
    no place yet, the result of an operation counts in the place of an operand that dies there.
    """
    groups = _groups(plan.buffers)
    full: dict[tuple[tuple[int, _Places], ...], tuple[int, int | None, _Moment]] = {}
    for at, moment in _moments(plan, groups, held):
        need = _need(moment, {}, alignment)
        if need > capacity:
            full.setdefault(tuple(sorted(moment.items())), (need, at, moment))
    if not full:
        return None
    need, at, _ = max(full.values(), key=lambda each: each[0])
    moments = [moment for _, _, moment in full.values()]
    sizes = [group.bytes for group in groups]

    def fits(to: Mapping[int, int]) -> bool:
        return all(_need(moment, to, alignment) <= capacity for moment in moments)

    there = sorted({g for moment in moments for g in moment}, key=lambda g: (-sizes[g], g))
    unit = max(alignment, 1)  # what the smallest buffer takes
    sets, proven = _smallest(there, lambda chosen: fits(dict.fromkeys(chosen, unit)))
    levels = [(chosen, _level(chosen, sizes, alignment, fits)) for chosen in sets[:_SHOWN]]
    best, (_, to) = max(levels, key=lambda each: each[1][0], default=((), (0.0, {})))
    doubled = [g for g in there if any(len(m.get(g, ())) > 1 for m in moments)]

    def fits_single(chosen: Iterable[int]) -> bool:
        halved = [
            {g: (max(p),) if g in chosen else p for g, p in moment.items()} for moment in moments
        ]
        return all(_need(moment, {}, alignment) <= capacity for moment in halved)

    single, _ = _smallest(doubled, fits_single) if doubled else ([], True)
    return Remedy(
        need_bytes=need,
        capacity_bytes=capacity,
        at=at,
        cuts=tuple(_cut(groups[g], to[g], moments, g) for g in best),
        others=tuple(
            tuple(groups[g].name for g in chosen) for chosen in sets[:_SHOWN] if chosen != best
        ),
        of=len(there),
        proven=proven,
        single=tuple(groups[g].name for g in single[0]) if single else (),
        scale=_level(there, sizes, alignment, fits)[0] if sets else 0.0,
    )


def need(plan: MemoryPlan, *, alignment: int = 1, held: Sequence[Held] = ()) -> int:
    """Bytes that have to be there at the worst moment, places rounded to the alignment."""
    groups = _groups(plan.buffers)
    return max(
        (_need(moment, {}, alignment) for _, moment in _moments(plan, groups, held)), default=0
    )


def _smallest(
    there: Sequence[int], enough: Callable[[tuple[int, ...]], bool]
) -> tuple[list[tuple[int, ...]], bool]:
    """All smallest sets that are enough; where trying all takes too long, one that is, unproven."""
    tries = 0
    if not enough(tuple(there)):
        return [], True
    for size in range(1, len(there) + 1):
        tries += comb(len(there), size)
        if tries > _TRIES:
            break
        found = [chosen for chosen in combinations(there, size) if enough(chosen)]
        if found:
            return found, True
    chosen = tuple(there)
    for each in reversed(there):  # the smallest first: what is not needed stays as it is
        fewer = tuple(g for g in chosen if g != each)
        if enough(fewer):
            chosen = fewer
    return [chosen], False


def _level(
    chosen: Sequence[int],
    sizes: Sequence[int],
    alignment: int,
    fits: Callable[[Mapping[int, int]], bool],
) -> tuple[float, dict[int, int]]:
    """The largest part of its size that each may keep, the same for all, and the sizes."""
    unit = max(alignment, 1)
    most = max(sizes[g] for g in chosen)
    low, high = 1, max(-(-most // unit), 1)

    def at(steps: int) -> dict[int, int]:
        kept = min(steps * unit, most)
        return {g: _part(sizes[g], kept, most, unit) for g in chosen}

    while low < high:  # low fits, if anything does
        middle = (low + high + 1) // 2
        if fits(at(middle)):
            low = middle
        else:
            high = middle - 1
    return min(low * unit / most, 1.0) if most else 0.0, at(low)


def _part(size: int, kept: int, most: int, unit: int) -> int:
    """A size in the ratio of `kept` to `most`, in whole units; what is less than one stays."""
    return min(size, max(size * kept // most // unit, 1) * unit)


def _cut(group: _Group, to: int, moments: Sequence[_Moment], number: int) -> Cut:
    first = min(group.members, key=lambda b: (b.name != group.name, b.name))
    return Cut(
        name=group.name,
        with_it=tuple(b.name for b in group.members if b.name != group.name),
        copies=max((len(m.get(number, ())) for m in moments), default=1),
        bytes=group.bytes,
        to_bytes=to,
        source=first.source,
        first_use=first.first_use,
    )


def _need(moment: _Moment, to: Mapping[int, int], alignment: int) -> int:
    return sum(
        rounded(min(place, to.get(group, place)), alignment)
        for group, places in moment.items()
        for place in places
    )


def _groups(buffers: Sequence[Buffer]) -> list[_Group]:
    """Buffers that shrink together."""
    leader = list(range(len(buffers)))

    def find(number: int) -> int:
        while leader[number] != number:
            leader[number] = number = leader[leader[number]]
        return number

    named = {b.name: number for number, b in enumerate(buffers)}
    for number, b in enumerate(buffers):
        if b.copy_of in named:
            leader[find(number)] = find(named[b.copy_of])
    order = sorted(range(len(buffers)), key=lambda n: buffers[n].first_use or 0)
    alive: list[int] = []
    for number in order:
        b = buffers[number]
        alive = [n for n in alive if _still(buffers[n], b)]
        for other in alive:
            if overlap(buffers[other], b):
                leader[find(number)] = find(other)
        alive.append(number)
    found: dict[int, list[Buffer]] = {}
    for number, b in enumerate(buffers):
        found.setdefault(find(number), []).append(b)
    return [_group(members) for members in found.values()]


def _still(earlier: Buffer, later: Buffer) -> bool:
    return (
        earlier.last_use is None or later.first_use is None or earlier.last_use >= later.first_use
    )


def _group(members: Sequence[Buffer]) -> _Group:
    largest = max(b.bytes for b in members)
    named = min(
        (b for b in members if b.bytes == largest),
        key=lambda b: (bool(b.copy_of), b.first_use or 0),
    )
    return _Group(named.name, tuple(members), largest)


def _moments(
    plan: MemoryPlan, groups: Sequence[_Group], held: Sequence[Held]
) -> Iterator[tuple[int | None, _Moment]]:
    """What each group covers at every moment at which that grows."""
    of = {b.name: number for number, group in enumerate(groups) for b in group.members}
    spans = [(b, b.first_use, b.last_use) for b in plan.buffers]
    named = {b.name: b for b in plan.buffers}
    spans += [(named[h.name], h.first, h.last) for h in held if h.name in named]
    starts = sorted({first for _, first, _ in spans if first is not None})
    placed = all(b.offset_bytes is not None for b in plan.buffers)
    moments: list[int | None] = [*starts] or [None]
    for at in moments:
        alive = [(b, f, x) for b, f, x in spans if _alive(f, x, at)]
        if placed or at is None:
            yield at, _covered([b for b, _, _ in alive], of)
            continue
        # Without places: what dies at a moment may give its own to what is born there.
        yield at, _covered([b for b, f, x in alive if f != at or f == x], of)
        yield at, _covered([b for b, f, x in alive if x != at or f == x], of)


def _alive(first: int | None, last: int | None, at: int | None) -> bool:
    return at is None or ((first is None or first <= at) and (last is None or at <= last))


def _covered(alive: Iterable[Buffer], of: Mapping[str, int]) -> _Moment:
    """The sizes of the places of each group; what overlaps is one place."""
    ranges: dict[int, list[tuple[int, int]]] = {}
    loose: dict[int, dict[str, int]] = {}
    for b in alive:
        if b.offset_bytes is None:
            loose.setdefault(of[b.name], {})[b.name] = b.bytes
        else:
            ranges.setdefault(of[b.name], []).append((b.offset_bytes, b.offset_bytes + b.bytes))
    found: _Moment = {}
    for group, taken in ranges.items():
        places: list[list[int]] = []
        for start, stop in sorted(taken):
            if places and start < places[-1][1]:
                places[-1][1] = max(places[-1][1], stop)
            else:
                places.append([start, stop])
        found[group] = tuple(stop - start for start, stop in places)
    for group, sizes in loose.items():
        found[group] = (*found.get(group, ()), *sizes.values())
    return found
