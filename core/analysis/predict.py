"""How full every memory would be at tiles that nobody compiled, and how far to trust that.

The prediction starts from one plan of memory: each buffer's bytes are a product of the tiles it
depends on, and the most that is alive at one time is what the plan needs (`predict_prior`). What
compilers add to that, two copies of a buffer where a loop repeats, buffers of a tail beside those
of the loop, is learned from the points that were measured (`predict_fit`). Where doubling does not
fit, compilers double less, so a plan takes what there is, down to what it needs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.analysis.predict_fit import Fitted, fit, telling
from core.analysis.predict_points import (
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
from core.analysis.predict_prior import Layout, dependences, layout, least, shapes
from core.analysis.sweep import Outcome
from core.hints import HintValue
from core.kernel import Kernel
from core.trace import MemoryPlan, Texts, Trace

__all__ = ["Error", "Model", "Prediction", "Space", "next_points", "whole_space"]

#: measured: this very point; near: points like it were measured; far: the formula stands alone.
Confidence = Literal["measured", "near", "far"]

_SHORT = 1.15  # times less than points like it take: a plan that went without copies
_ROUNDS = 3  # of telling which plans those are
_EDGE = 1.0  # how much more points near the edge of what fits matter than any other
_CONSIDERED = 600  # points of a space that are weighed against each other
_ASKED = 3  # measured points that say together whether one like them fails
_NEAR = 0.8  # part of the doubt that measured points have taken away


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
    feasible_right: float | None  #: share of points, of those whose end is known
    worst_at: Mapping[str, HintValue] = field(default_factory=dict)


@dataclass(frozen=True)
class Space:
    """Predictions over every combination of the values of some axes; arrays of that shape."""

    lists: Mapping[str, tuple[HintValue, ...]]
    peaks: Mapping[str, npt.NDArray[np.int64]]  #: bytes of each memory
    feasible: npt.NDArray[np.bool_]
    limiter: npt.NDArray[np.int64]  #: position in `peaks`; -1 where there is none
    cores: npt.NDArray[np.int64]  #: 0 where nothing is known
    trust: npt.NDArray[np.float64]  #: 0 = the formula alone, 1 = measured

    def values(self, place: tuple[int, ...]) -> dict[str, HintValue]:
        """What the point at a place of the arrays has of each axis."""
        return {
            key: values[at] for (key, values), at in zip(self.lists.items(), place, strict=True)
        }


@dataclass(frozen=True)
class _Memory:
    """What is known of one memory."""

    capacity: int | None
    layout: Layout
    wants: Fitted | None  #: peak with all doubling, over what the layout needs
    needs: Fitted | None  #: least bytes, over what the layout needs
    wanted: npt.NDArray[np.intp]  #: the measured points that `wants` learned from
    #: What plans take where all they want does not fit, from 0 (what they need) to 1 (all there is).
    thrift: float


class Model:
    """Predictions for one kernel, from a trace and what was measured of the kernel besides."""

    def __init__(
        self,
        of: tuple[Variable, ...],
        points: Floats,
        traces: Sequence[Trace],
        memories: Mapping[str, _Memory],
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
        here = row({}, of)
        kept: dict[tuple[float, ...], Trace] = {tuple(here): trace}
        for outcome in measured:
            assert outcome.trace is not None
            kept[tuple(located(outcome, of))] = outcome.trace
        points, traces = np.array(list(kept)), list(kept.values())
        if points.ndim < 2:
            points = points.reshape(len(traces), 0)
        used = [each.block_dim for each in traces if each.block_dim]
        cores = cores or max(used, default=None)
        at = describe(points, of, cores)
        names = dict.fromkeys(plan.memory for each in traces for plan in each.memory)
        shaped, told = shapes(trace, texts), dependences(trace, texts, of)
        memories = {}
        for name in names:
            capacity = (capacities or {}).get(name) or _capacity(name, traces)
            found = _memory(name, capacity, points, traces, at, of, shaped, told)
            if found:
                memories[name] = found
        return cls(of, points, traces, memories, cores)

    def predict(self, values: Mapping[str, HintValue]) -> Prediction:
        """What is to be expected at a point; axes that it leaves out are as in the open trace."""
        lists = {key: (value,) for key, value in values.items()}
        space = self.predict_all(lists)
        place = (0,) * len(lists)
        peaks = {name: int(bytes_[place]) for name, bytes_ in space.peaks.items()}
        names = list(peaks)
        limiter = names[space.limiter[place]] if names else None
        here = np.array([row(values, self.variables)])
        same = self._measured(here)[0]
        trace = self._traces[same] if same >= 0 else None
        feasible = bool(space.feasible[place]) if names or trace else None
        return Prediction(
            values=dict(values),
            peaks=peaks,
            feasible=feasible,
            limiter=limiter,
            cores=int(space.cores[place]) or None,
            why_not="" if feasible is not False else self._why_not(here, trace, peaks, limiter),
            confidence="measured" if trace else "near" if space.trust[place] > _NEAR else "far",
            how=self._how(here, trace, peaks, limiter),
        )

    def predict_all(self, lists: Mapping[str, Sequence[HintValue]]) -> Space:
        """Every combination of the values of some axes; the others are as in the open trace."""
        order = [v for v in self.variables if v.key in lists]
        grid = rows(lists, self.variables)
        peaks, fits, trust = self._judge(grid)
        shape = tuple(len(lists[v.key]) for v in order)
        axes = [[v.key for v in order].index(key) for key in lists if key in {v.key for v in order}]
        names = list(peaks)
        shares = np.stack(
            [peaks[name] / (self._memories[name].capacity or np.inf) for name in names]
        ) if names else np.zeros((0, len(grid)))  # fmt: skip
        limiter = shares.argmax(axis=0) if names else np.full(len(grid), -1)

        def shaped(column: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
            full = column.reshape(shape).transpose(axes)
            return full.reshape(tuple(len(values) for values in lists.values()))

        return Space(
            lists={key: tuple(values) for key, values in lists.items()},
            peaks={name: shaped(peaks[name].astype(np.int64)) for name in names},  # type: ignore[misc]
            feasible=shaped(fits),  # type: ignore[arg-type]
            limiter=shaped(limiter.astype(np.int64)),  # type: ignore[arg-type]
            cores=shaped(self._cores(grid)),  # type: ignore[arg-type]
            trust=shaped(trust),  # type: ignore[arg-type]
        )

    @cached_property
    def error(self) -> Error:
        """How far off the predictions of the measured points are, each made without itself."""
        return _judged(self, self._without_each())

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Where the model is known to be wrong for this kernel, a sentence each."""
        return ()

    def telling(self, candidates: Sequence[Mapping[str, HintValue]], limit: int) -> list[int]:
        """Which of these points to compile, by their place in the list, the most telling first.

        What matters is the part of the space that may be feasible, and its edge most of all.
        """
        if not candidates:
            return []
        grid = np.array([row(values, self.variables) for values in candidates])
        described = describe(grid, self.variables, self.cores)
        peaks, _, _ = self._judge(grid)
        fullness = np.max(
            [
                peaks[name] / memory.capacity
                for name, memory in self._memories.items()
                if memory.capacity
            ]
            or [np.zeros(len(grid))],
            axis=0,
        )
        distance = np.abs(np.log(np.maximum(fullness, 1e-9)))
        near = np.exp(-2.0 * distance)
        weights = np.where(fullness <= 1.0, 1.0, near) + _EDGE * near
        # What fails for another reason tells nothing of memory.
        weights = np.where(self._fails_otherwise(described), 0.05, weights)
        return telling(self._at, described, described, weights, np.minimum(weights, 1.0), limit)

    # From here on arrays of points

    def _judge(self, grid: Floats) -> tuple[dict[str, Floats], npt.NDArray[np.bool_], Floats]:
        """Peak bytes of each memory, whether the point is feasible, and trust."""
        described = describe(grid, self.variables, self.cores)
        fits = np.ones(len(grid), dtype=bool)
        trust = np.ones(len(grid)) if self._memories else np.zeros(len(grid))
        peaks = {}
        for name, memory in self._memories.items():
            base = memory.layout.needs(grid)
            wants, sure = _wanted(memory.wants, described, base)
            needs, _ = _corrected(memory.needs, described.without_usual(), base)
            peaks[name] = _settled(wants, needs, memory)
            trust = np.minimum(trust, sure)
            if memory.capacity:
                fits &= peaks[name] <= memory.capacity
        fits &= ~self._fails_otherwise(described)
        same = self._measured(grid)
        for place in np.flatnonzero(same >= 0):
            trace = self._traces[same[place]]
            trust[place] = 1.0
            fits[place] = trace.status.compiles
            for plan in trace.memory:
                peaks[plan.memory][place] = plan.peak_bytes
        return peaks, fits, trust

    def _measured(self, grid: Floats) -> npt.NDArray[np.intp]:
        """For each point the measured one with the same values; -1 where there is none."""
        known = {
            tuple(point): number
            for number, (point, trace) in enumerate(zip(self._points, self._traces, strict=True))
            if not _forgoes_copies(trace)
        }
        return np.array([known.get(tuple(point), -1) for point in grid], dtype=np.intp)

    @cached_property
    def _other_failures(self) -> npt.NDArray[np.bool_]:
        return np.array([_failed_otherwise(trace) for trace in self._traces])

    def _fails_otherwise(
        self, described: Described, besides: int | None = None
    ) -> npt.NDArray[np.bool_]:
        """Whether the nearest measured points like it failed, and not for want of memory."""
        failed = self._other_failures
        if not failed.any():
            return np.zeros(len(described.traits), dtype=bool)
        distance = _distances(described, self._at)
        distance[:, [_failed_for_memory(trace) for trace in self._traces]] = np.inf
        if besides is not None:
            distance[:, besides] = np.inf
        nearest = np.argsort(distance, axis=1, kind="stable")[:, :_ASKED]
        near = np.take_along_axis(distance, nearest, axis=1)
        votes = 1.0 / (0.5 + near)
        return np.asarray((votes * failed[nearest]).sum(axis=1) > 0.5 * votes.sum(axis=1))

    def _cores(self, grid: Floats) -> npt.NDArray[np.int64]:
        if not self.cores:
            return np.zeros(len(grid), dtype=np.int64)
        described = describe(grid, self.variables, self.cores)
        used = np.array([trace.block_dim or 0 for trace in self._traces], dtype=float)
        formula = _spread(self._at.trips, self.cores)
        distance = _distances(described, self._at)
        distance[:, used == 0] = np.inf
        nearest = distance.argmin(axis=1)
        mine = _spread(described.trips, self.cores)
        ratio = used[nearest] / formula[nearest]
        return np.asarray(np.clip(np.round(mine * ratio), 1, self.cores).astype(np.int64))

    def _without_each(self) -> tuple[dict[str, Floats], npt.NDArray[np.bool_]]:
        """Peaks and feasibility of the measured points, each judged without itself."""
        count = len(self._points)
        fits = np.ones(count, dtype=bool)
        peaks = {}
        for name, memory in self._memories.items():
            base = memory.layout.needs(self._points)
            wants, _ = _wanted(memory.wants, self._at, base)
            needs, _ = _corrected(memory.needs, self._at.without_usual(), base)
            if memory.wants is not None and len(memory.wanted) > 1:
                left = memory.wants.without_each()
                wants[memory.wanted] = base[memory.wanted] * np.exp(left)
            peaks[name] = _settled(wants, needs, memory)
            if memory.capacity:
                fits &= peaks[name] <= memory.capacity
        for number in range(count):
            one = describe(self._points[number : number + 1], self.variables, self.cores)
            fits[number] &= not self._fails_otherwise(one, besides=number)[0]
        return peaks, fits

    # Words

    def _why_not(
        self, here: Floats, trace: Trace | None, peaks: Mapping[str, int], limiter: str | None
    ) -> str:
        if trace is not None:
            failure = trace.failure
            return f"Measured: {failure.message}" if failure else "Measured: it does not compile."
        capacity = self._memories[limiter].capacity if limiter else None
        if limiter and capacity and peaks[limiter] > capacity:
            return f"{limiter} would need {peaks[limiter]:,} B of {capacity:,} B."
        described = describe(here, self.variables, self.cores)
        nearest = int(_distances(described, self._at)[0].argmin())
        failure = self._traces[nearest].failure
        return "The nearest point that was measured failed" + (
            f": {failure.message}" if failure else "."
        )

    def _how(
        self, here: Floats, trace: Trace | None, peaks: Mapping[str, int], limiter: str | None
    ) -> str:
        if limiter is None:
            return ""
        if trace is not None and trace.plan(limiter):
            return "Measured: the plan of a compile with these very values."
        memory = self._memories[limiter]
        base = float(memory.layout.needs(here)[0])
        factor = peaks[limiter] / base if base else 0.0
        return (
            f"Predicted: at most {base:,.0f} B of the plan's buffers are alive at one time here; "
            f"measured points like it take {factor:.2f} times that."
        )


def _memory(
    name: str,
    capacity: int | None,
    points: Floats,
    traces: Sequence[Trace],
    at: Described,
    of: tuple[Variable, ...],
    shaped: Mapping[str, tuple[int, ...]],
    told: Mapping[str, frozenset[int]],
) -> _Memory | None:
    plans = [trace.plan(name) for trace in traces]
    whole = [n for n, trace in enumerate(traces) if trace.status.compiles and plans[n]]
    start = 0 if plans[0] and (0 in whole or not whole) else next(iter(whole), None)
    if start is None:
        return None
    first = plans[start]
    assert first is not None
    others = [(list(points[n]), plan) for n in whole if n != start and (plan := plans[n])]
    base = layout(first, list(points[start]), others, of, shaped if start == 0 else {}, told)
    needed = base.needs(points)
    peaks = np.array([plan.peak_bytes if plan else 0 for plan in plans], dtype=float)
    fitting = np.isin(np.arange(len(traces)), whole)
    hinted = np.array([not _forgoes_copies(trace) for trace in traces])
    wanted = np.flatnonzero(fitting & hinted & (peaks > 0))
    wants = _fitted(at, wanted, peaks, needed)
    short = np.zeros(len(traces), dtype=bool)
    for _ in range(_ROUNDS if capacity else 0):
        # A plan much smaller than those of points like it, where theirs would not fit, did without.
        expected, _ = _wanted(wants, at, needed)
        if wants is not None and len(wanted) > 1:
            expected[wanted] = needed[wanted] * np.exp(wants.without_each())
        short = fitting & hinted & (expected > capacity) & (peaks < expected / _SHORT)
        wanted = np.flatnonzero(fitting & hinted & ~short & (peaks > 0))
        wants = _fitted(at, wanted, peaks, needed)
    own = np.array([_least(plan) for plan in plans], dtype=float)
    least_known = np.flatnonzero(fitting & (own > 0))
    bare = at.without_usual()
    needs = _fitted(bare, least_known, own, needed)
    # What failed needed at least what it was refused.
    asked = np.array([_required(trace, name) for trace in traces], dtype=float)
    expected, _ = _corrected(needs, bare, needed)
    refused = np.flatnonzero((asked > 0) & (expected < asked))
    if len(refused):
        known = np.concatenate([least_known, refused])
        needs = _fitted(bare, known, np.where(asked > 0, asked, own), needed)
    thrift = 0.5
    if capacity and short.any():
        least_there, _ = _corrected(needs, bare, needed)
        room = np.log(np.maximum(capacity / least_there[short], 1.1))
        parts = np.clip(np.log(peaks[short] / least_there[short]) / room, 0.0, 1.0)
        thrift = float(np.median([*parts, thrift]))
    return _Memory(capacity, base, wants, needs, wanted, thrift)


def _forgoes_copies(trace: Trace) -> bool:
    """True where the compiler tiled by itself in a way that goes without double buffers.

    AKG's symbolic tiling switches them off for all but matrix products, so that its plans say
    nothing of what a hint with the very same tiles would take.
    """
    origins = {axis.origin for axis in trace.tiling.axes}
    return "symbolic" in origins and not any(b.copy_of for p in trace.memory for b in p.buffers)


def _least(plan: MemoryPlan | None) -> int:
    return min(least(plan), plan.peak_bytes) if plan else 0


def _fitted(
    at: Described, chosen: npt.NDArray[np.intp], measured: Floats, formula: Floats
) -> Fitted | None:
    if not len(chosen):
        return None
    return fit(at.some(chosen), np.log(measured[chosen] / formula[chosen]))


def _wanted(fitted: Fitted | None, points: Described, base: Floats) -> tuple[Floats, Floats]:
    if fitted is None:
        return base * np.exp(points.usual), np.zeros(len(base))
    return _corrected(fitted, points, base)


def _corrected(fitted: Fitted | None, points: Described, base: Floats) -> tuple[Floats, Floats]:
    if fitted is None:
        return base.copy(), np.zeros(len(base))
    logs, sure = fitted.correct(points)
    return base * np.exp(logs), sure


def _settled(wants: Floats, needs: Floats, memory: _Memory) -> Floats:
    """What a plan takes that wants one size, can do with another, and has so much room."""
    needs = np.minimum(needs, wants)
    if not memory.capacity:
        return np.asarray(np.round(wants))
    room = np.maximum(memory.capacity / np.maximum(needs, 1.0), 1.0)
    tight = needs * room**memory.thrift
    return np.asarray(np.round(np.where(wants <= memory.capacity, wants, tight)))


def _capacity(name: str, traces: Iterable[Trace]) -> int | None:
    return next(
        (
            plan.capacity_bytes
            for trace in traces
            if (plan := trace.plan(name)) and plan.capacity_bytes
        ),
        None,
    )


def _required(trace: Trace, memory: str) -> int:
    failure = trace.failure
    if trace.status.compiles or failure is None or failure.memory != memory:
        return 0
    return failure.required_bytes or 0


def _failed_for_memory(trace: Trace) -> bool:
    return trace.failure is not None and trace.failure.kind == "memory"


def _failed_otherwise(trace: Trace) -> bool:
    return not trace.status.compiles and not _failed_for_memory(trace)


def _distances(some: Described, others: Described) -> Floats:
    """How unlike points are: doublings between them, and three for each trait that differs."""
    far = ((some.places[:, None, :] - others.places[None, :, :]) ** 2).sum(2) ** 0.5
    unlike = np.abs(some.traits[:, None, :] - others.traits[None, :, :]).sum(2)
    return np.asarray(far + 3.0 * unlike)


def _spread(trips: Floats, cores: int) -> Floats:
    """Cores that so many parts go to when each takes the same number, rounded up."""
    return np.asarray(np.ceil(trips / np.ceil(trips / cores)))


def _judged(model: Model, without: tuple[Mapping[str, Floats], npt.NDArray[np.bool_]]) -> Error:
    peaks, fits = without
    offs: list[tuple[float, int]] = []
    right = []
    for number, trace in enumerate(model._traces):
        right.append(bool(fits[number]) == trace.status.compiles)
        if not trace.status.compiles:
            continue
        for plan in trace.memory:
            off = abs(peaks[plan.memory][number] - plan.peak_bytes) / plan.peak_bytes
            offs.append((float(off), number))
    if len(model._traces) < 2:
        return Error(0, None, None, None)
    worst, place = max(offs, default=(None, 0))
    keys = [v.key for v in model.variables if v.kind != "choice"]
    numbers = [
        int(value)
        for v, value in zip(model.variables, model._points[place], strict=True)
        if v.kind != "choice"
    ]
    return Error(
        points=len(right),
        median=median(off for off, _ in offs) if offs else None,
        worst=worst,
        feasible_right=sum(right) / len(right),
        worst_at=dict(zip(keys, numbers, strict=True)),
    )


def next_points(
    model: Model,
    lists: Mapping[str, Sequence[HintValue]],
    measured: Iterable[Mapping[str, HintValue]] = (),
    limit: int = 12,
) -> list[dict[str, HintValue]]:
    """The points whose compile would tell most of the rest of the map, the most telling first."""
    shape = tuple(len(values) for values in lists.values())
    done = {tuple(sorted(each.items())) for each in measured}
    picked: list[dict[str, HintValue]] = []
    keys = list(lists)
    every = range(math.prod(shape))
    step = max(1, len(every) // _CONSIDERED)
    candidates = []
    for flat in every[::step]:
        place = np.unravel_index(flat, shape)
        values = {key: lists[key][at] for key, at in zip(keys, place, strict=True)}
        if tuple(sorted(values.items())) not in done:
            candidates.append(values)
    picked = [candidates[at] for at in model.telling(candidates, limit)]
    return picked
