"""One memory of a kernel: what plans want, what they can do with, and what that comes to.

A plan wants two copies of what a repeated loop loads, and buffers for a tail beside those of the
loop. Where that does not fit, compilers leave copies out, down to what is alive at one time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.analysis.predict.fit import Fitted, fit, likeness
from core.analysis.predict.points import Described, Floats, Variable
from core.analysis.predict.prior import Layout, layout, least
from core.trace import MemoryPlan, Trace

Numbers = npt.NDArray[np.intp]

_SHORT = 1.15  # times less than points like it take: a plan that went without copies
_ROUNDS = 3  # of telling which plans those are
_THRIFT = 0.5  # where nothing was measured


@dataclass(frozen=True)
class Learned:
    """Corrections of the formula, and the measured points that they were learned from."""

    fitted: Fitted
    points: Numbers


@dataclass(frozen=True)
class KnownMemory:
    """What is known of one memory, from plans of the kernel at measured points."""

    capacity: int | None
    layout: Layout
    wants: Learned | None  #: peak with all copies, over what the layout needs
    needs: Learned | None  #: least bytes, over what the layout needs
    #: What plans take where all they want does not fit: 0 = the least they need, 1 = all there is.
    thrift: float

    def peaks(self, points: Floats, at: Described, between: Floats) -> tuple[Floats, Floats]:
        """Peak bytes of points, and how sure that is; of what does not fit, what it would need.

        `between` is the likeness of each point (a row) to each measured one (a column).
        """
        base = self.layout.needs(points)
        wants = _applied(self.wants, at, base, between)
        needs = _applied(self.needs, at.without_usual(), base, between)
        sure = np.zeros(len(points))
        if self.wants is not None:
            sure = self.wants.fitted.sure(between[:, self.wants.points], at)
        return self._settled(wants, needs), sure

    def least(self, points: Floats, at: Described, between: Floats) -> Floats:
        """Bytes of points with no copy of any buffer; `between` as for `peaks`."""
        needs = _applied(self.needs, at.without_usual(), self.layout.needs(points), between)
        return np.asarray(np.minimum(needs, self.peaks(points, at, between)[0]))

    def peaks_without_each(self, points: Floats, at: Described) -> Floats:
        """Peak bytes of the measured points, each as if it had not been measured."""
        base = self.layout.needs(points)
        between = likeness(at, at)
        wants = _applied(self.wants, at, base, between)
        needs = _applied(self.needs, at.without_usual(), base, between)
        for figures, learned in ((wants, self.wants), (needs, self.needs)):
            if learned is not None and len(learned.points) > 1:
                left = np.exp(learned.fitted.without_each())
                figures[learned.points] = base[learned.points] * left
        return self._settled(wants, needs)

    def _settled(self, wants: Floats, needs: Floats) -> Floats:
        needs = np.minimum(needs, wants)
        if not self.capacity:
            return np.asarray(np.round(wants))
        room = np.maximum(self.capacity / np.maximum(needs, 1.0), 1.0)
        tight = needs * room**self.thrift
        return np.asarray(np.round(np.where(wants <= self.capacity, wants, tight)))


def known_memory(
    name: str,
    capacity: int | None,
    points: Floats,
    traces: Sequence[Trace],
    at: Described,
    of: Sequence[Variable],
    shaped: Mapping[str, tuple[int, ...]],
    told: Mapping[str, tuple[int, ...]],
) -> KnownMemory | None:
    """Learn of one memory; None where no trace has a plan of it. The first trace is the open one.

    `shaped` and `told` are what the open trace's texts say of buffers (`predict.prior.layout`).
    """
    plans = [trace.plan(name) for trace in traces]
    compiled = [n for n, trace in enumerate(traces) if trace.status.compiles and plans[n]]
    # A plan that failed has its buffers, but not all of what a plan that fits would have.
    start = 0 if plans[0] and (0 in compiled or not compiled) else next(iter(compiled), None)
    first = plans[start] if start is not None else None
    if start is None or first is None:
        return None
    others = [(points[n], plan) for n in compiled if n != start and (plan := plans[n])]
    base = layout(first, points[start], others, of, shaped if start == 0 else {}, told)
    formula = base.needs(points)
    peaks = np.array([plan.peak_bytes if plan else 0 for plan in plans], dtype=float)
    fitting = np.isin(np.arange(len(traces)), compiled) & (peaks > 0)
    hinted = fitting & np.array([not forgoes_copies(trace) for trace in traces])
    single = np.array([not any(b.copy_of for b in p.buffers) if p else False for p in plans])
    wants, short = _wants(hinted, single, peaks, formula, at, capacity)
    bare = at.without_usual()
    needs = _needs(name, traces, plans, fitting, formula, bare)
    thrift = _THRIFT
    if capacity and short.any():
        least_there = _applied(needs, bare, formula, likeness(bare, bare))
        least_there = np.maximum(least_there[short], 1.0)
        room = np.log(np.maximum(capacity / least_there, 1.1))
        parts = np.clip(np.log(peaks[short] / least_there) / room, 0.0, 1.0)
        thrift = float(np.median([*parts, _THRIFT]))
    return KnownMemory(capacity, base, wants, needs, thrift)


def _wants(
    hinted: npt.NDArray[np.bool_],
    single: npt.NDArray[np.bool_],
    peaks: Floats,
    formula: Floats,
    at: Described,
    capacity: int | None,
) -> tuple[Learned | None, npt.NDArray[np.bool_]]:
    """What plans take where there is room, and which measured ones had to do with less."""
    short = np.zeros(len(peaks), dtype=bool)
    wants = _learned(at, np.flatnonzero(hinted), peaks, formula)
    between = likeness(at, at)
    if capacity is None:
        return wants, short
    for _ in range(_ROUNDS):
        # A plan much smaller than those of points like it, where theirs would not fit, did without.
        expected = _applied(wants, at, formula, between)
        if wants is not None and len(wants.points) > 1:
            left = np.exp(wants.fitted.without_each())
            expected[wants.points] = formula[wants.points] * left
        # The same where two of a plan without copies would not fit: it says nothing of copies.
        tight = (expected > capacity) | (single & (2 * peaks > capacity))
        short = hinted & tight & (peaks < expected / _SHORT)
        wants = _learned(at, np.flatnonzero(hinted & ~short), peaks, formula)
    return wants, short


def _needs(
    name: str,
    traces: Sequence[Trace],
    plans: Sequence[MemoryPlan | None],
    fitting: npt.NDArray[np.bool_],
    formula: Floats,
    at: Described,
) -> Learned | None:
    """The least that plans can do with, from those that fit and from those that were refused."""
    own = np.array([min(least(p), p.peak_bytes) if p else 0 for p in plans], dtype=float)
    compiled = np.flatnonzero(fitting & (own > 0))
    needs = _learned(at, compiled, own, formula)
    # What failed needed at least what it was refused.
    asked = np.array([_refused(trace, name) for trace in traces], dtype=float)
    expected = _applied(needs, at, formula, likeness(at, at))
    refused = np.flatnonzero((asked > 0) & (expected < asked))
    if not len(refused):
        return needs
    known = np.concatenate([compiled, refused])
    return _learned(at, known, np.where(asked > 0, asked, own), formula)


def _learned(at: Described, chosen: Numbers, measured: Floats, formula: Floats) -> Learned | None:
    if not len(chosen):
        return None
    return Learned(fit(at.some(chosen), np.log(measured[chosen] / formula[chosen])), chosen)


def _applied(learned: Learned | None, at: Described, base: Floats, between: Floats) -> Floats:
    if learned is None:
        return base * np.exp(at.usual)
    return base * np.exp(learned.fitted.correct(between[:, learned.points], at.usual))


def _refused(trace: Trace, memory: str) -> int:
    failure = trace.failure
    if trace.status.compiles or failure is None or failure.memory != memory:
        return 0
    return failure.required_bytes or 0


def forgoes_copies(trace: Trace) -> bool:
    """True where the compiler tiled by itself in a way that goes without double buffers.

    AKG's symbolic tiling switches them off for all but matrix products, so that its plans say
    nothing of what a hint with the very same tiles would take.
    """
    symbolic = any(axis.origin == "symbolic" for axis in trace.tiling.axes)
    return symbolic and not any(b.copy_of for plan in trace.memory for b in plan.buffers)


def capacity_of(name: str, traces: Iterable[Trace]) -> int | None:
    """Bytes of a memory, as a plan of it says."""
    plans = (trace.plan(name) for trace in traces)
    return next((plan.capacity_bytes for plan in plans if plan and plan.capacity_bytes), None)
