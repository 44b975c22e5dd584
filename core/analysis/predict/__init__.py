"""How full every memory would be at tiles that nobody compiled, and how far to trust that.

The prediction starts from one plan of memory: each buffer's bytes are a product of the tiles it
depends on, and the most that is alive at one time is what the plan needs (`predict.prior`). What
compilers add to that, two copies of a buffer where a loop repeats, buffers of a tail beside those
of the loop, is learned from the points that were measured (`predict.fit`). Where doubling does not
fit, compilers double less, so a plan takes what there is, down to what it needs (`predict.memory`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median
from typing import Literal, TypeVar

import numpy as np
import numpy.typing as npt

from core.analysis.predict.fit import likeness, squared, telling
from core.analysis.predict.memory import KnownMemory, capacity_of, forgoes_copies, known_memory
from core.analysis.predict.points import (
    Described,
    Floats,
    Variable,
    describe,
    located,
    row,
    rows,
    variables,
    whole_space,
)
from core.analysis.predict.prior import dependences, least, shapes
from core.analysis.sweep import Outcome
from core.hints import HintValue
from core.kernel import Kernel
from core.trace import Texts, Trace

__all__ = ["Error", "Model", "Prediction", "Space", "next_points", "whole_space"]

#: measured: this very point; near: points like it were measured; far: the formula stands alone.
Confidence = Literal["measured", "near", "far"]

_NEAR = 0.8  # part of the doubt that measured points have taken away
_ASKED = 3  # measured points that say together whether one like them fails
_EDGE = 1.0  # how much more points near the edge of what fits matter than any other
_CONSIDERED = 400  # points of a space that are weighed against each other
_UNLIKE = 3.0  # doublings that a trait which differs counts for

Bools = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]
_T = TypeVar("_T", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Prediction:
    """What is to be expected of one point."""

    values: Mapping[str, HintValue]  #: by the key of each axis
    peaks: Mapping[str, int]  #: bytes of each memory; of a point that does not fit, what it needs
    feasible: bool | None  #: None where nothing is known of its memory
    limiter: str | None  #: the memory that is fullest
    cores: int | None
    why_not: str  #: one sentence where it is not feasible, else ""
    confidence: Confidence
    how: str = ""  #: one sentence: how the figure of the limiter came about


@dataclass(frozen=True, slots=True)
class Error:
    """How far predictions were off for measured points, each predicted without itself."""

    points: int  #: that were judged
    median: float | None  #: of |predicted - measured| / measured over peaks; None without any
    worst: float | None
    feasible_right: float | None  #: share of the points
    worst_at: Mapping[str, HintValue] = field(default_factory=dict)


@dataclass(frozen=True)
class Space:
    """Predictions over every combination of the values of some axes; arrays of that shape."""

    lists: Mapping[str, tuple[HintValue, ...]]
    peaks: Mapping[str, Integers]  #: bytes of each memory
    feasible: Bools
    limiter: Integers  #: position in `peaks`; -1 where there is none
    cores: Integers  #: 0 where nothing is known
    trust: Floats  #: 0 = the formula alone, 1 = measured

    def values(self, place: tuple[int, ...]) -> dict[str, HintValue]:
        """What the point at a place of the arrays has of each axis."""
        return {
            key: values[at] for (key, values), at in zip(self.lists.items(), place, strict=True)
        }


@dataclass(frozen=True)
class _Judged:
    """What is expected of many points, a row or an entry each."""

    peaks: Mapping[str, Floats]
    fits: Bools
    trust: Floats


class Model:
    """Predictions for one kernel, from a trace and what was measured of the kernel besides.

    Points are those of tiles and parameters that are asked for; see `forgoes_copies`.
    """

    def __init__(
        self,
        of: tuple[Variable, ...],
        points: Floats,
        traces: Sequence[Trace],
        memories: Mapping[str, KnownMemory],
        cores: int | None,
    ) -> None:
        self.variables = of
        self.cores = cores  #: that the chip has, as far as anything told
        self._points = points
        self._traces = traces
        self._memories = memories
        self._at = describe(points, of, cores)

    @classmethod
    def fit(
        cls,
        trace: Trace,
        texts: Texts | None = None,
        outcomes: Iterable[Outcome] = (),
        capacities: Mapping[str, int] | None = None,
        *,
        kernel: Kernel | None = None,
        cores: int | None = None,
    ) -> Model:
        """Learn from the open trace and every measured point of its kernel.

        `capacities` are bytes by memory, those of the plans where nothing is given. Points without
        a trace are passed over, so queued ones may be among them.
        """
        measured = [o for o in outcomes if o.trace is not None]
        of = variables(trace, measured, kernel)
        kept: dict[tuple[float, ...], Trace] = {tuple(row({}, of)): trace}
        for outcome in measured:
            assert outcome.trace is not None
            place = tuple(located(outcome, of))
            if place not in kept or not forgoes_copies(outcome.trace):
                kept[place] = outcome.trace
        traces = list(kept.values())
        points = np.array(list(kept), dtype=float).reshape(len(traces), len(of))
        cores = cores or max((t.block_dim for t in traces if t.block_dim), default=None)
        at = describe(points, of, cores)
        shaped, told = shapes(trace, texts), dependences(trace, texts, of)
        memories = {}
        for name in dict.fromkeys(plan.memory for each in traces for plan in each.memory):
            capacity = (capacities or {}).get(name) or capacity_of(name, traces)
            found = known_memory(name, capacity, points, traces, at, of, shaped, told)
            if found:
                memories[name] = found
        return cls(of, points, traces, memories, cores)

    def predict(self, values: Mapping[str, HintValue]) -> Prediction:
        """What is to be expected at a point; axes that it leaves out are as in the open trace."""
        space = self.predict_all({key: (value,) for key, value in values.items()})
        place = (0,) * len(values)
        peaks = {name: int(bytes_[place]) for name, bytes_ in space.peaks.items()}
        limiter = list(peaks)[space.limiter[place]] if peaks else None
        here = np.array([row(values, self.variables)])
        same = self._measured(here)[0]
        trace = self._traces[same] if same >= 0 else None
        feasible = bool(space.feasible[place]) if peaks or trace else None
        near = space.trust[place] > _NEAR
        return Prediction(
            values=dict(values),
            peaks=peaks,
            feasible=feasible,
            limiter=limiter,
            cores=int(space.cores[place]) or None,
            why_not="" if feasible is not False else self._why_not(here, trace, peaks, limiter),
            confidence="measured" if trace else "near" if near else "far",
            how=self._how(here, trace, peaks, limiter, bool(near)),
        )

    def without_copies(self, values: Mapping[str, HintValue]) -> dict[str, int]:
        """Bytes of each memory at a point where no buffer is doubled."""
        grid = np.array([row(values, self.variables)])
        at = describe(grid, self.variables, self.cores)
        between = likeness(at, self._at)
        return {
            name: round(float(memory.least(grid, at, between)[0]))
            for name, memory in self._memories.items()
        }

    def buffers(
        self, memory: str, lists: Mapping[str, Sequence[HintValue]]
    ) -> dict[str, npt.NDArray[np.int64]]:
        """Bytes of one copy of each buffer of a memory, by name, over a space as `predict_all`."""
        if memory not in self._memories:
            return {}
        order = [v.key for v in self.variables if v.key in lists]
        shape = tuple(len(lists[key]) for key in order)
        axes = [order.index(key) for key in lists if key in order]
        sizes = self._memories[memory].layout.sizes(rows(lists, self.variables))
        return {
            name: column.astype(np.int64).reshape(shape).transpose(axes)
            for name, column in sizes.items()
        }

    def predict_all(self, lists: Mapping[str, Sequence[HintValue]]) -> Space:
        """Every combination of the values of some axes; the others are as in the open trace."""
        known = [v.key for v in self.variables if v.key in lists]
        order = [known.index(key) for key in lists if key in known]
        inner = tuple(len(lists[key]) for key in known)
        # An axis that the model does not know changes nothing.
        lone = tuple(len(values) if key in known else 1 for key, values in lists.items())
        whole = tuple(len(values) for values in lists.values())

        def shaped(column: npt.NDArray[_T]) -> npt.NDArray[_T]:
            return np.broadcast_to(column.reshape(inner).transpose(order).reshape(lone), whole)

        grid = rows(lists, self.variables)
        at = describe(grid, self.variables, self.cores)
        judged = self._judge(grid, at)
        limiter = np.full(len(grid), -1, dtype=np.int64)
        if judged.peaks:
            limiter = self._fullness(judged.peaks).argmax(axis=0).astype(np.int64)
        return Space(
            lists={key: tuple(values) for key, values in lists.items()},
            peaks={name: shaped(bytes_.astype(np.int64)) for name, bytes_ in judged.peaks.items()},
            feasible=shaped(judged.fits),
            limiter=shaped(limiter),
            cores=shaped(self._cores(grid, at)),
            trust=shaped(judged.trust),
        )

    @cached_property
    def error(self) -> Error:
        """How far off the predictions of the measured points are, each made without itself."""
        if len(self._traces) < 2:
            return Error(0, None, None, None)
        judged = self._without_each()
        offs = [
            (abs(float(judged.peaks[plan.memory][n]) / plan.peak_bytes - 1), n)
            for n, trace in enumerate(self._traces)
            if trace.status.compiles and not forgoes_copies(trace)
            for plan in trace.memory
            if plan.peak_bytes and plan.memory in judged.peaks
        ]
        right = [
            bool(f) == t.status.compiles for f, t in zip(judged.fits, self._traces, strict=True)
        ]
        worst, at = max(offs, default=(None, 0))
        return Error(
            points=len(right),
            median=median(off for off, _ in offs) if offs else None,
            worst=worst,
            feasible_right=sum(right) / len(right),
            worst_at=self._varied(at) if offs else {},
        )

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Where the model is known to be wrong for this kernel, a sentence each."""
        if not self._memories:
            return ("No plan of a memory is known of this kernel, so nothing is predicted.",)
        notes = []
        if forgoes_copies(self._traces[0]):
            notes.append(
                "The compiler's own tiling went without double buffers; tiles that are asked for "
                "get them, and that is what is predicted."
            )
        if exception := self._not_monotonic():
            larger, smaller = (self._worded(n) for n in exception)
            notes.append(
                f"What fits is not monotonic: {smaller} overflows, the larger {larger} compiles."
            )
        in_place = sum(
            plan.peak_bytes < 0.97 * least(plan)
            for trace in self._traces
            if trace.status.compiles
            for plan in trace.memory
        )
        if in_place:
            notes.append(
                f"In {in_place} of the measured plans buffers share places while they are alive, "
                "which no formula here foresees: there less is taken than predicted."
            )
        others = int(self._other_failures.sum())
        if others:
            notes.append(
                f"{others} of {len(self._traces)} measured points failed for another reason than "
                f"memory; that is foreseen only from the {_ASKED} nearest measured points."
            )
        return tuple(notes)

    def telling(self, candidates: Sequence[Mapping[str, HintValue]], limit: int) -> list[int]:
        """Which of these points to compile, by their place in the list, the most telling first.

        What matters is the part of the space that may be feasible, and its edge most of all.
        """
        if not candidates:
            return []
        grid = np.array([row(values, self.variables) for values in candidates])
        at = describe(grid, self.variables, self.cores)
        judged = self._judge(grid, at)
        fullness = np.zeros(len(grid))
        if judged.peaks:
            fullness = self._fullness(judged.peaks).max(axis=0)
        near = np.exp(-2.0 * np.abs(np.log(np.maximum(fullness, 1e-9))))
        weights = np.where(fullness <= 1.0, 1.0, near) + _EDGE * near
        # What fails for another reason tells nothing of memory.
        weights = np.where(self._fails_otherwise(at), 0.05, weights)
        # A plan without copies tells nothing of them.
        known = [n for n, trace in enumerate(self._traces) if not forgoes_copies(trace)]
        seen = self._at.some(np.array(known, dtype=np.intp))
        return telling(seen, at, at, weights, np.minimum(weights, 1.0), limit)

    # From here on arrays of points

    def _judge(self, grid: Floats, at: Described) -> _Judged:
        fits = np.ones(len(grid), dtype=bool)
        trust = np.ones(len(grid)) if self._memories else np.zeros(len(grid))
        peaks = {}
        between = likeness(at, self._at)
        for name, memory in self._memories.items():
            peaks[name], sure = memory.peaks(grid, at, between)
            trust = np.minimum(trust, sure)
            if memory.capacity:
                fits &= peaks[name] <= memory.capacity
        fits &= ~self._fails_otherwise(at)
        same = self._measured(grid)
        for place in np.flatnonzero(same >= 0):
            trace = self._traces[same[place]]
            trust[place] = 1.0
            fits[place] = trace.status.compiles
            for plan in trace.memory:
                if plan.memory in peaks:
                    peaks[plan.memory][place] = plan.peak_bytes
        return _Judged(peaks, fits, trust)

    def _without_each(self) -> _Judged:
        """What would be expected of the measured points, of each without itself."""
        fits = ~self._fails_otherwise(self._at, without_each=True)
        peaks = {}
        for name, memory in self._memories.items():
            peaks[name] = memory.peaks_without_each(self._points, self._at)
            if memory.capacity:
                fits &= peaks[name] <= memory.capacity
        return _Judged(peaks, fits, np.zeros(len(fits)))

    def _fullness(self, peaks: Mapping[str, Floats]) -> Floats:
        """Parts of the capacities, a row a memory; 0 where a capacity is not known."""
        return np.stack(
            [bytes_ / (self._memories[name].capacity or np.inf) for name, bytes_ in peaks.items()]
        )

    def _measured(self, grid: Floats) -> npt.NDArray[np.intp]:
        """For each point the measured one with the same values; -1 where there is none."""
        known = {
            tuple(point): number
            for number, (point, trace) in enumerate(zip(self._points, self._traces, strict=True))
            if not forgoes_copies(trace)
        }
        return np.array([known.get(tuple(point), -1) for point in grid.tolist()], dtype=np.intp)

    @cached_property
    def _other_failures(self) -> Bools:
        return np.array([_failed_otherwise(trace) for trace in self._traces])

    def _fails_otherwise(self, at: Described, without_each: bool = False) -> Bools:
        """Whether the nearest measured points failed, and not for want of memory."""
        failed = self._other_failures
        if not failed.any():
            return np.zeros(len(at.traits), dtype=bool)
        distance = _distances(at, self._at)
        distance[:, [_failed_for_memory(trace) for trace in self._traces]] = np.inf
        if without_each:
            np.fill_diagonal(distance, np.inf)
        asked = min(_ASKED, distance.shape[1])
        nearest = np.argpartition(distance, asked - 1, axis=1)[:, :asked]
        votes = 1.0 / (0.5 + np.take_along_axis(distance, nearest, axis=1))
        return np.asarray((votes * failed[nearest]).sum(axis=1) > 0.5 * votes.sum(axis=1))

    def _cores(self, grid: Floats, at: Described) -> Integers:
        """Cores used: parts of loops spread evenly, corrected as the nearest measured point is."""
        used = np.array([trace.block_dim or 0 for trace in self._traces], dtype=float)
        if not self.cores or not used.any():
            return np.zeros(len(at.traits), dtype=np.int64)
        for column in range(self._points.shape[1]):  # a parameter that says so itself
            if np.array_equal(self._points[used > 0, column], used[used > 0]) and len(used) > 2:
                return np.asarray(grid[:, column].astype(np.int64))
        distance = _distances(at, self._at)
        distance[:, used == 0] = np.inf
        nearest = distance.argmin(axis=1)
        ratio = used[nearest] / _spread(self._at.trips, self.cores)[nearest]
        found = np.round(_spread(at.trips, self.cores) * ratio)
        return np.asarray(np.clip(found, 1, self.cores).astype(np.int64))

    def _not_monotonic(self) -> tuple[int, int] | None:
        """A point that compiles and one that overflows although it is smaller in every way."""
        numbers = [c for c, v in enumerate(self.variables) if v.kind in ("tile", "l0", "number")]
        choices = [c for c, v in enumerate(self.variables) if v.kind in ("choice", "count")]
        for failed, trace in enumerate(self._traces):
            if not _failed_for_memory(trace):
                continue
            for fits, other in enumerate(self._traces):
                if not other.status.compiles:
                    continue
                large, small = self._points[fits], self._points[failed]
                if np.all(large[numbers] >= small[numbers]) and np.array_equal(
                    large[choices], small[choices]
                ):
                    return fits, failed
        return None

    # Words

    def _values(self, number: int) -> dict[str, HintValue]:
        """What a measured point has of each axis, choices in their own words."""
        found: dict[str, HintValue] = {}
        for each, value in zip(self.variables, self._points[number].tolist(), strict=True):
            if each.kind == "choice":
                named = next((v for v, code in each.codes.items() if code == value), None)
                if named not in (None, ""):
                    found[each.key] = named
            elif value >= 0:
                found[each.key] = int(value)
        return found

    def _varied(self, number: int) -> dict[str, HintValue]:
        """What a measured point has of the axes on which measured points differ."""
        varies = np.ptp(self._points, axis=0) > 0
        keys = {each.key for each, some in zip(self.variables, varies, strict=True) if some}
        return {key: value for key, value in self._values(number).items() if key in keys}

    def _worded(self, number: int) -> str:
        """The values of a measured point that vary, as text."""
        return ", ".join(
            f"{key} = {value:,}" if type(value) is int else f"{key} = {value}"
            for key, value in self._varied(number).items()
        )

    def _why_not(
        self, here: Floats, trace: Trace | None, peaks: Mapping[str, int], limiter: str | None
    ) -> str:
        if trace is not None:
            failure = trace.failure
            return f"Measured: {failure.message}" if failure else "Measured: it does not compile."
        capacity = self._memories[limiter].capacity if limiter else None
        if limiter and capacity and peaks[limiter] > capacity:
            return f"{limiter} would need {peaks[limiter]:,} B of {capacity:,} B."
        at = describe(here, self.variables, self.cores)
        distance = _distances(at, self._at)[0]
        nearest = int(np.where(self._other_failures, distance, np.inf).argmin())
        failure = self._traces[nearest].failure
        return f"Points like it failed, as at {self._worded(nearest)}" + (
            f": {failure.message}" if failure else "."
        )

    def _how(
        self,
        here: Floats,
        trace: Trace | None,
        peaks: Mapping[str, int],
        limiter: str | None,
        near: bool,
    ) -> str:
        if limiter is None:
            return ""
        if trace is not None and trace.plan(limiter):
            return "Measured: the plan of a compile with these very values."
        memory = self._memories[limiter]
        if memory.capacity and peaks[limiter] > memory.capacity:
            return (
                f"Predicted: {peaks[limiter]:,} B would be alive at one time here, nothing doubled."
            )
        base = float(memory.layout.needs(here)[0])
        factor = peaks[limiter] / base if base else 0.0
        whence = "as measured at points like it" if near else "which no measured point bears out"
        return (
            f"Predicted: {base:,.0f} B of the plan's buffers would be alive at one time here, "
            f"times {factor:.2f} for copies and tails, {whence}."
        )


def next_points(
    model: Model,
    lists: Mapping[str, Sequence[HintValue]],
    measured: Iterable[Mapping[str, HintValue]] = (),
    limit: int = 12,
) -> list[dict[str, HintValue]]:
    """The points whose compile would tell most of the rest of the map, the most telling first.

    `measured` are those that need no compile, with a value for each axis of `lists`.
    """
    shape = tuple(len(values) for values in lists.values())
    done = {tuple(each.get(key) for key in lists) for each in measured}
    every = math.prod(shape)
    candidates = []
    for flat in range(0, every, max(1, -(-every // _CONSIDERED))):
        place = np.unravel_index(flat, shape)
        values = {key: lists[key][int(at)] for key, at in zip(lists, place, strict=True)}
        if tuple(values.values()) not in done:
            candidates.append(values)
    return [candidates[at] for at in model.telling(candidates, limit)]


def _failed_for_memory(trace: Trace) -> bool:
    return trace.failure is not None and trace.failure.kind == "memory"


def _failed_otherwise(trace: Trace) -> bool:
    return not trace.status.compiles and not _failed_for_memory(trace)


def _distances(some: Described, others: Described) -> Floats:
    """How unlike points are: doublings between them, and more for each trait that differs."""
    far = np.sqrt(squared(some.places, others.places))
    return np.asarray(far + _UNLIKE * squared(some.traits, others.traits))


def _spread(trips: Floats, cores: int) -> Floats:
    """Cores that so many parts go to when each takes the same number, rounded up."""
    return np.asarray(np.ceil(trips / np.ceil(trips / cores)))
