"""Buckets for shapes that vary: each shape is padded up to a bucket, so that few are compiled.

For 1, 2 … buckets the ones that waste least: elements of inputs and outputs that are padding, by
how often each shape occurs. With one dimension that varies they are the best there are; with more
they are where few buckets come in question, and else found by adding the one that saves most and
exchanging until nothing gets better.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.kernel import Kernel, KernelError
from core.shapes import elements, with_dimensions

#: Sizes in the order of the names of the dimensions that vary.
Sizes: TypeAlias = tuple[int, ...]
Outcome: TypeAlias = Literal["compiles", "fails", "unknown"]
_Floats: TypeAlias = NDArray[np.float64]

RULES = (
    "A shape goes to the bucket that holds it in every dimension with the fewest elements.",
    "Waste is elements of inputs and outputs that are padding, over those that are asked for, each "
    "shape as often as it occurs.",
    "A bucket is a size that occurs, the largest sizes of several shapes together, or, where those "
    "do not compile, the next multiple of 16, 32, 64 or 128 or the next power of two.",
    "A bucket that is known not to compile with any of the hints tried is never proposed; one that "
    "nobody compiled is, and says so.",
    "A bucket is compiled once: hits are all calls but one for each bucket, compiles saved are the "
    "shapes less the buckets.",
)
#: The number of buckets that is proposed: the fewest that waste no more than this, else the first
#: after which one more saves less than the other.
_LITTLE_WASTE, _LITTLE_GAIN = 0.10, 0.02
_MULTIPLES = (16, 32, 64, 128)
_MOST_CANDIDATES = 1500
_MOST_TRIED = 20_000  # sets of buckets that are tried one and all
_ROUNDS = 6  # of exchanges
#: Stands for a shape that no bucket holds: more than any waste, and still a number.
_UNSERVED = 1e30


@dataclass(frozen=True)
class Occurring:
    """The shapes that occur, of a kernel or of a function's arguments, as far as they differ."""

    names: tuple[str, ...]  #: of the dimensions that vary
    counts: Mapping[Sizes, int]  #: how often each occurs
    kernel: Kernel | None  #: in a shape whose other sizes are those that occur; None of a function
    #: Of a function: its arguments, an axis by the name of its dimension or by its size.
    arguments: tuple[tuple[str | int, ...], ...] = ()

    @property
    def calls(self) -> int:
        return sum(self.counts.values())

    def values(self, sizes: Sizes) -> dict[str, int]:
        return dict(zip(self.names, sizes, strict=True))

    def made(self, sizes: Sizes) -> Kernel:
        """The kernel in a shape. Raises KernelError."""
        if self.kernel is None:
            raise KernelError("These are shapes of a function, and there is no kernel to compile.")
        return with_dimensions(self.kernel, self.values(sizes))

    def elements(self, sizes: Iterable[Sizes]) -> _Floats:
        """Of inputs and outputs, for each of some shapes."""
        columns = np.array(list(sizes), dtype=np.float64).reshape(-1, len(self.names))
        given: dict[str, Any] = {name: columns[:, at] for at, name in enumerate(self.names)}
        found: Any = 0
        if self.kernel is not None:
            found = elements(self.kernel, given)
        for argument in self.arguments:
            found = found + math.prod(given.get(str(axis), axis) for axis in argument)
        return np.broadcast_to(np.asarray(found, dtype=np.float64), (len(columns),))


@dataclass(frozen=True, slots=True)
class Bucket:
    """One shape that others are padded to."""

    sizes: Sizes
    outcome: Outcome
    shapes: tuple[Sizes, ...]  #: that go to it
    calls: int
    padding: float  #: elements of all its calls that are padding
    needed: float  #: elements of all its calls that are asked for

    @property
    def waste(self) -> float:
        """Padding by what is asked for; 0 is none."""
        return self.padding / self.needed if self.needed else 0.0


@dataclass(frozen=True)
class Plan:
    """So many buckets and what they come to."""

    buckets: tuple[Bucket, ...]  #: by size
    calls: int
    shapes: int  #: that occur
    unserved: tuple[Sizes, ...] = ()  #: shapes that no bucket holds

    @cached_property
    def waste(self) -> float:
        """Padding by what is asked for, over all calls."""
        needed = sum(each.needed for each in self.buckets)
        return sum(each.padding for each in self.buckets) / needed if needed else 0.0

    @property
    def hits(self) -> int:
        """Calls that find their bucket compiled."""
        return sum(each.calls for each in self.buckets) - len(self.buckets)

    @property
    def saved(self) -> int:
        """Compiles that the buckets save."""
        return self.shapes - len(self.unserved) - len(self.buckets)

    @property
    def known(self) -> bool:
        """True where every bucket was compiled, and compiles."""
        return all(each.outcome == "compiles" for each in self.buckets)


def without_buckets(shapes: Occurring) -> tuple[int, int]:
    """Hits and compiles where every shape is compiled for itself."""
    return shapes.calls - len(shapes.counts), len(shapes.counts)


def curve(
    shapes: Occurring,
    most: int,
    outcome: Callable[[Sizes], Outcome] = lambda _: "unknown",
    *,
    multiple: int = 1,
    known_only: bool = False,
) -> tuple[Plan, ...]:
    """The best buckets for 1, 2 … `most`, as many as make a difference; () without a shape.

    `outcome` says of sizes what is known of their compile; `known_only` leaves out what nobody
    compiled. `multiple`: every size of a bucket is one of it.
    """
    if not shapes.counts:
        return ()
    problem = _Problem(shapes, outcome, multiple, known_only)
    plans: list[Plan] = []
    for chosen in problem.chosen(min(most, len(shapes.counts))):
        plan = problem.plan(chosen)
        before = plans[-1] if plans else None
        if before and (len(plan.unserved), plan.waste) >= (len(before.unserved), before.waste):
            break
        plans.append(plan)
    return tuple(plans)


def suggested(plans: Sequence[Plan]) -> Plan | None:
    """The plan that is proposed: the first that wastes little, else where more gain little."""
    for plan, after in itertools.pairwise(plans):
        if plan.unserved and len(after.unserved) < len(plan.unserved):
            continue
        if plan.waste <= _LITTLE_WASTE or plan.waste - after.waste < _LITTLE_GAIN:
            return plan
    return plans[-1] if plans else None


class _Problem:
    """Shapes, buckets that come in question, and what each of these wastes on each of those."""

    def __init__(
        self,
        shapes: Occurring,
        outcome: Callable[[Sizes], Outcome],
        multiple: int,
        known_only: bool,
    ) -> None:
        self._shapes = shapes
        self._outcome = outcome
        self._points = sorted(shapes.counts)
        self._weights = np.array([shapes.counts[p] for p in self._points], dtype=np.float64)
        self._needed = shapes.elements(self._points)
        found = _candidates(self._points, outcome, multiple)
        self._buckets = [
            each
            for each in found
            if outcome(each) == "compiles" or (not known_only and outcome(each) == "unknown")
        ]
        held = shapes.elements(self._buckets) if self._buckets else np.zeros(0)
        points = np.array(self._points).reshape(len(self._points), -1)
        buckets = np.array(self._buckets).reshape(len(self._buckets), points.shape[1])
        fits = np.ones((len(points), len(buckets)), dtype=bool)
        for axis in range(points.shape[1]):
            fits &= points[:, axis, None] <= buckets[None, :, axis]
        waste = (held[None, :] - self._needed[:, None]) * self._weights[:, None]
        self._waste: _Floats = np.where(fits, waste, _UNSERVED)

    def chosen(self, most: int) -> Iterable[list[int]]:
        """For 1, 2 … buckets the best, by their places."""
        if not self._buckets:
            yield []
        elif len(self._shapes.names) == 1:
            yield from self._in_order(most)
        else:
            yield from self._by_adding(most)

    def _in_order(self, most: int) -> Iterable[list[int]]:
        """The best there are, where one dimension varies.

        With the buckets in order, each serves what lies between the one below and itself: the best
        set that ends at a bucket is that of one less that ends below, and what the bucket serves.
        """
        order = sorted(range(len(self._buckets)), key=lambda at: self._buckets[at])
        sizes = np.array([self._buckets[at][0] for at in order])
        points = np.array([point[0] for point in self._points])
        held = self._shapes.elements([self._buckets[at] for at in order])
        # Weight and weighted elements of all shapes up to each bucket.
        upto = np.searchsorted(points, sizes, side="right")
        weight = np.concatenate(([0.0], np.cumsum(self._weights)))[upto]
        needed = np.concatenate(([0.0], np.cumsum(self._weights * self._needed)))[upto]
        count = len(order)
        ends = np.flatnonzero(upto == upto[-1])  # the buckets that hold all that one can hold
        # cost[i, j]: what bucket j wastes on what is above bucket i; i = -1 is below all.
        below_weight = np.concatenate(([0.0], weight))
        below_needed = np.concatenate(([0.0], needed))
        cost = held[None, :] * (weight[None, :] - below_weight[:, None]) - (
            needed[None, :] - below_needed[:, None]
        )
        cost = np.where(np.arange(-1, count)[:, None] < np.arange(count)[None, :], cost, np.inf)
        best = cost[0].copy()
        came: list[NDArray[np.intp]] = [np.full(count, -1)]
        for number in range(1, min(most, count) + 1):
            if number > 1:
                total = best[:, None] + cost[1:]
                came.append(total.argmin(axis=0))
                best = total.min(axis=0)
            at = int(ends[best[ends].argmin()])
            if not math.isfinite(best[at]):
                return
            places = []
            for back in reversed(came):
                places.append(order[at])
                at = int(back[at])
            yield places[::-1]

    def _by_adding(self, most: int) -> Iterable[list[int]]:
        chosen: list[int] = []
        for number in range(1, most + 1):
            if math.comb(len(self._buckets), number) <= _MOST_TRIED:
                chosen = self._of_all(number)
            else:
                current = self._total(chosen)
                after = np.minimum(current[:, None], self._waste).sum(axis=0)
                chosen = self._exchanged([*chosen, int(after.argmin())])
            yield list(chosen)

    def _of_all(self, number: int) -> list[int]:
        every = map(list, itertools.combinations(range(len(self._buckets)), number))
        return min(every, key=lambda each: float(self._total(each).sum()))

    def _total(self, chosen: Sequence[int]) -> _Floats:
        if not chosen:
            return np.full(len(self._points), _UNSERVED)
        return np.asarray(self._waste[:, list(chosen)].min(axis=1))

    def _exchanged(self, chosen: list[int]) -> list[int]:
        """Each in turn against the one in its place that wastes least."""
        for _ in range(_ROUNDS):
            before = float(self._total(chosen).sum())
            for at in range(len(chosen)):
                others = chosen[:at] + chosen[at + 1 :]
                after = np.minimum(self._total(others)[:, None], self._waste).sum(axis=0)
                chosen[at] = int(after.argmin())
            if float(self._total(chosen).sum()) >= before * (1 - 1e-9):
                break
        return chosen

    def plan(self, chosen: Sequence[int]) -> Plan:
        places = list(chosen)
        own = self._waste[:, places] if places else np.full((len(self._points), 1), _UNSERVED)
        best = own.argmin(axis=1)
        served = own.min(axis=1) < _UNSERVED
        buckets = []
        for number, place in enumerate(places):
            mine = served & (best == number)
            if not mine.any():
                continue
            sizes = self._buckets[place]
            buckets.append(
                Bucket(
                    sizes,
                    self._outcome(sizes),
                    tuple(p for p, is_mine in zip(self._points, mine, strict=True) if is_mine),
                    int(self._weights[mine].sum()),
                    float(self._waste[mine, place].sum()),
                    float((self._needed * self._weights)[mine].sum()),
                )
            )
        left = tuple(p for p, is_in in zip(self._points, served, strict=True) if not is_in)
        buckets.sort(key=lambda each: each.sizes)
        return Plan(tuple(buckets), self._shapes.calls, len(self._points), left)


def _candidates(
    points: Sequence[Sizes], outcome: Callable[[Sizes], Outcome], multiple: int
) -> list[Sizes]:
    """Sizes that may be a bucket: those that occur, the largest of several, and next to those that
    fail a rounder one."""

    def up(sizes: Sizes) -> Sizes:
        return tuple(-(-size // multiple) * multiple for size in sizes)

    joined: dict[Sizes, None] = dict.fromkeys(up(point) for point in points)
    columns = [sorted({point[at] for point in points}) for at in range(len(points[0]))]
    if math.prod(map(len, columns)) <= _MOST_CANDIDATES:
        joined |= dict.fromkeys(up(each) for each in itertools.product(*columns))
    else:
        for one, other in itertools.combinations(points, 2):
            if len(joined) >= _MOST_CANDIDATES:
                break
            joined.setdefault(up(tuple(map(max, one, other))))
    joined.setdefault(up(tuple(column[-1] for column in columns)))
    found = dict(joined)
    for sizes in joined:
        if outcome(sizes) == "fails":
            found |= dict.fromkeys(up(each) for each in _rounder(sizes))
    return list(found)


def _rounder(sizes: Sizes) -> Iterable[Sizes]:
    for step in _MULTIPLES:
        yield tuple(-(-size // step) * step for size in sizes)
        for at, size in enumerate(sizes):
            yield (*sizes[:at], -(-size // step) * step, *sizes[at + 1 :])
    yield tuple(1 << (size - 1).bit_length() for size in sizes)
