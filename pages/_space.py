"""What the map of the Tiling page spans: axes, values, what was measured, what is predicted."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import log2

import numpy as np
import numpy.typing as npt

from core.analysis.estimate import Cost, estimate, rates
from core.analysis.predict import Model, whole_space
from core.analysis.predict import Space as PredictedSpace
from core.analysis.predict.cost import CostModel
from core.analysis.predict.points import Variable
from core.analysis.retype import main_type, retyped
from core.analysis.sweep import (
    Outcome,
    SweepAxis,
    outcome,
    repeated,
    tile_key,
    values_of,
    with_values,
)
from core.analysis.tiling import chosen_by_compiler
from core.hints import Hints, HintValue
from core.jobs.queue import QueueError
from core.jobs.work import Point
from core.kernel import Kernel
from core.library import LibraryError
from core.trace import Trace
from core.views.colouring import Colouring
from core.views.heatmap import Place
from pages import _rooms as rooms

MOST_LONE, MOST_ACROSS, MOST_DOWN = 140, 56, 40  #: values of an axis on a map of the whole space
_MOST_EXTRA = 60  #: measured values that a map shows beside them
_SIBLINGS = 24  #: traces of the same kernel that are taken as measured
_MODELS_KEPT = 64


@dataclass(frozen=True, slots=True)
class Span:
    """What the map shows: one or two axes with the values on each, all else held."""

    id: str
    trace: Trace
    kernel: Kernel | None
    axes: tuple[SweepAxis, ...]  #: all that could be swept
    shown: tuple[SweepAxis, ...]  #: one or two of them: across, down
    lists: Mapping[str, tuple[HintValue, ...]]  #: the values on each, by its key, small ones first
    held: Mapping[str, HintValue]  #: what other axes were set to, where it is not as in the trace
    memory: str
    by: Colouring
    whole: bool  #: the whole space, rather than values that were listed
    start: Hints = field(init=False)  #: what each point asks for beside the axes that are shown

    def __post_init__(self) -> None:
        keys = [*self.keys, *self.held]
        object.__setattr__(self, "start", with_values(repeated(self.trace, keys), self.held))

    def digest(self, values: Mapping[str, HintValue]) -> str:
        """What a point of these values is known by; see `named`."""
        return named(self.kernel, self.hints(values)).digest

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(axis.key for axis in self.shown)

    @property
    def columns(self) -> tuple[HintValue, ...]:
        return self.lists[self.shown[0].key]

    @property
    def rows(self) -> tuple[HintValue, ...]:
        """From the top, so large ones first; () where only one axis is shown."""
        return self.lists[self.shown[1].key][::-1] if len(self.shown) > 1 else ()

    @property
    def there(self) -> npt.NDArray[np.bool_]:
        """Columns x values down, small ones first: where an L0 tile is larger than the tile around
        it there is no such point."""
        found: npt.NDArray[np.bool_] = np.ones((len(self.columns), max(len(self.rows), 1)), bool)
        if len(self.shown) > 1:
            across, down = self.shown
            if across.inner != down.inner and tile_key(across.key) == tile_key(down.key):
                xs = np.array(self.columns)[:, None]
                ys = np.array(self.lists[down.key])[None, :]
                found = xs <= ys if across.inner else ys <= xs
        return found

    @property
    def size(self) -> int:
        return int(self.there.sum())

    def values(self, place: Place) -> dict[str, HintValue]:
        """What the cell at a place has of the axes that are shown."""
        column, row = place
        values = {self.shown[0].key: self.columns[column]}
        if self.rows:
            values[self.shown[1].key] = self.rows[row]
        return values

    def hints(self, values: Mapping[str, HintValue]) -> Hints:
        return with_values(self.start, values)

    def place(self, values: Mapping[str, HintValue]) -> Place | None:
        """The cell of these values; None where the map has none."""
        found = []
        for key, listed in zip(self.keys, (self.columns, self.rows), strict=False):
            if key not in values or values[key] not in listed:
                return None
            found.append(listed.index(values[key]))
        return (found[0], found[1] if len(found) > 1 else 0)


def named(kernel: Kernel | None, hints: Hints) -> Hints:
    """Hints with every parameter of the kernel: what is left out is at its default."""
    if kernel is None or not kernel.parameters:
        return hints
    defaults = {each.name: each.default for each in kernel.parameters}
    return Hints(hints.tiles, {**defaults, **hints.attributes})


# What was measured


def points(kernel: Kernel | None) -> dict[str, Point]:
    """Every point of any sweep of a kernel, by its hints with all parameters named."""
    if kernel is None:
        return {}
    queue = rooms.queue()
    found: dict[str, Point] = {}
    for row in reversed(queue.sweeps(kernel.digest)):
        try:
            for point in queue.sweep(row.id).points:
                full = named(kernel, point.hints)
                found[full.digest] = replace(point, hints=full)
        except QueueError:
            continue  # deleted since it was listed
    return found


def compiled(id: str, trace: Trace, kernel: Kernel | None) -> dict[str, Point]:
    """The open trace and the others of its kernel as points, by hints that ask for them again.

    Those that the compiler tiled by itself are left out: a hint with the very same tiles may give
    another plan, as some of its tilers do without double buffers.
    """
    same = [id]
    if kernel is not None:
        same += [row.id for row in rooms.library().rows(trace.kernel)[:_SIBLINGS] if row.id != id]
    found: dict[str, Point] = {}
    for each in same:
        try:
            point = _compiled(rooms.known(each), kernel.digest if kernel else "", each == id)
        except LibraryError:
            continue  # deleted since it was listed
        if point is not None:
            found.setdefault(point.hints.digest, point)
    return found


@lru_cache(maxsize=512)
def _compiled(known: rooms.Known, digest: str, this: bool) -> Point | None:
    trace, kernel = rooms.library().trace(known.id), rooms.library().kernel(known.id)
    if not this and (kernel is None or kernel.digest != digest):
        return None
    if chosen_by_compiler(trace):
        return None
    if this:
        trace = counted(known)
    short = replace(trace, passes=(), logs=(), diagnostics=())
    hints = named(kernel, repeated(trace, ["0.0"]))
    return Point(known.id, hints, "done", short, None)


@lru_cache(maxsize=128)
def counted(known: rooms.Known) -> Trace:
    """A trace with its work, which is counted now where it was read before that was done."""
    trace = rooms.trace(known.id)
    cost = estimate(trace, rooms.library()) if trace.work is None else None
    return trace if cost is None else replace(trace, work=cost.work)


def without_copies(trace: Trace) -> bool:
    """Whether the compiler tiled by itself, and doubles no buffer."""
    copies = any(buffer.copy_of for plan in trace.memory for buffer in plan.buffers)
    return chosen_by_compiler(trace) and bool(trace.memory) and not copies


def settled(point: Point | None) -> bool:
    """Whether a point needs no asking for: it was measured, or will be."""
    return point is not None and point.state in ("done", "queued", "running")


def cells(span: Span, measured: Iterable[Point]) -> dict[Place, Outcome]:
    """The measured and waiting points that are on the map, with their cells."""
    found = {}
    known = {*named(span.kernel, span.start).attributes, *span.keys}
    for point in measured:
        place = span.place(values_of(point.hints))
        if place is None or point.hints.attributes.keys() - known:
            continue
        if span.digest(span.values(place)) == point.hints.digest:
            found[place] = outcome(point.hints, point.state, point.trace, point.error)
    return found


def own_choice(id: str, trace: Trace) -> tuple[str, Trace] | None:
    """The trace, or the nearest that it was made from, in which the compiler tiled by itself."""
    for _ in range(20):
        if chosen_by_compiler(trace):
            return id, trace
        try:
            parent = rooms.library().row(id).parent
            if parent is None:
                return None
            id, trace = parent, rooms.trace(parent)
        except LibraryError:
            return None
    return None


# What is predicted


@dataclass
class Known:
    """A model with what it was fitted from, and what was asked of it already."""

    version: frozenset[str]  #: hints of the measured points
    model: Model
    when: float
    seconds: float  #: that fitting it took
    outcomes: tuple[Outcome, ...] = ()  #: that it was fitted to
    spaces: dict[object, PredictedSpace] = field(default_factory=dict)
    retyped: dict[str, Model] = field(default_factory=dict)  #: as if numbers were of another type
    costs: CostModel | None = None  #: None where too few points were measured

    def space(self, lists: Mapping[str, Sequence[HintValue]]) -> PredictedSpace:
        """The predictions over these values."""
        key = tuple((name, tuple(values)) for name, values in lists.items())
        if key not in self.spaces:
            if len(self.spaces) > 12:
                self.spaces.clear()
            self.spaces[key] = self.model.predict_all(lists)
        return self.spaces[key]


_models: OrderedDict[rooms.Known, Known] = OrderedDict()


def model(
    id: str, trace: Trace, kernel: Kernel | None, measured: Mapping[str, Point], *, live: bool
) -> Known:
    """The model of a kernel, fitted to what was measured of it.

    While points arrive it is fitted again only now and then, so that a page stays quick.
    """
    done = {digest: p for digest, p in measured.items() if p.state == "done" and p.trace}
    version = frozenset(done)
    key = rooms.known(id)
    known = _models.get(key)
    if known is not None:
        soon = live and time.monotonic() - known.when < 1.0 + 4 * known.seconds
        if known.version == version or soon:
            return known
    began = time.monotonic()
    outcomes = tuple(outcome(p.hints, p.state, p.trace) for p in done.values())
    fitted = _fit(trace, kernel, outcomes)
    chip = rooms.target(trace)
    cores = chip.cores if chip else None
    costs = CostModel.fit(counted(key), None, outcomes, kernel=kernel, cores=cores)
    now = time.monotonic()
    _models[key] = Known(version, fitted, now, now - began, outcomes, costs=costs)
    while len(_models) > _MODELS_KEPT:
        _models.popitem(last=False)
    return _models[key]


def in_type(known: Known, trace: Trace, kernel: Kernel | None, dtype: str) -> Model:
    """The model as if most numbers were of another type; an estimate, see `retyped`."""
    if dtype not in known.retyped:
        of = main_type(trace)
        outcomes = [
            replace(o, trace=retyped(o.trace, of, dtype))
            for o in known.outcomes
            if o.trace is not None and o.compiles
        ]
        known.retyped[dtype] = _fit(retyped(trace, of, dtype), kernel, outcomes)
    return known.retyped[dtype]


def _fit(trace: Trace, kernel: Kernel | None, outcomes: Iterable[Outcome]) -> Model:
    chip = rooms.target(trace)
    return Model.fit(
        trace,
        rooms.library(),
        outcomes,
        {memory.name: memory.capacity_bytes for memory in chip.memories} if chip else None,
        kernel=kernel,
        cores=chip.cores if chip else None,
    )


def fitted(id: str) -> Known | None:
    """The model of a trace, where it was fitted already."""
    return _models.get(rooms.known(id))


def capacities(trace: Trace) -> dict[str, int]:
    """Bytes of each memory, as its plan or its chip has them."""
    chip = rooms.target(trace)
    found = {memory.name: memory.capacity_bytes for memory in chip.memories} if chip else {}
    told = {p.memory: p.capacity_bytes for p in trace.memory if p.capacity_bytes}
    return {**found, **told}


def predicted_over(known: Known, span: Span) -> PredictedSpace | None:
    """The predictions for every cell; None where the model does not know an axis that is shown."""
    variables = {each.key: each for each in known.model.variables}
    for axis in span.shown:
        each = variables.get(axis.key)
        if each is None or (
            each.kind == "choice" and any(v not in each.codes for v in span.lists[axis.key])
        ):
            return None
    return known.space(asked(known, span))


def times_over(known: Known, span: Span) -> npt.NDArray[np.float64] | None:
    """The time of every cell, in seconds, or in cycles where the clock of the chip is not known.

    None where it was not learned, or is of a program of a grid, so that times are for each KiB.
    """
    if known.costs is None or known.costs.per != "run":
        return None
    variables = {each.key for each in known.costs.variables}
    if any(key not in variables for key in span.keys):
        return None
    lists = {key: values for key, values in asked(known, span).items() if key in variables}
    cycles, _ = known.costs.predict_all(lists)
    chip = rates(span.trace.target)
    return cycles / chip.hertz if chip is not None and chip.hertz else cycles


def asked(known: Known, span: Span) -> dict[str, tuple[HintValue, ...]]:
    """The values of every cell, with what is held, as a model is asked for them."""
    variables = {each.key for each in known.model.variables}
    held = {key: (value,) for key, value in span.held.items() if key in variables}
    return {**span.lists, **held}


# Which values


def whole_values(
    axis: SweepAxis, variable: Variable | None, known: Iterable[HintValue], most: int
) -> tuple[HintValue, ...]:
    """The values of an axis on a map of the whole space, those that were measured among them."""
    values: set[HintValue]
    if variable is not None and axis.tile and variable.extent:
        values = set(whole_space(variable, most))
    elif axis.whole_numbers and variable is not None and variable.kind == "number":
        values = set(_around([int(v) for v in axis.values], variable, most))
    else:
        return axis.values
    extra = [value for value in known if value not in values][:_MOST_EXTRA]
    if axis.held is not None:
        extra.append(axis.held)
    return tuple(sorted({*values, *extra}, key=float))


def _around(declared: Sequence[int], variable: Variable | None, most: int) -> list[int]:
    """Values of a parameter: those declared, twice the largest, and some between them."""
    positive = [value for value in declared if value > 0]
    if not positive:
        return list(declared)
    low, high = min(positive), 2 * max(positive)
    if all(value & (value - 1) == 0 for value in positive):
        return sorted(
            {*declared, *(1 << k for k in range(low.bit_length() - 1, high.bit_length()))}
        )
    unit = variable.unit if variable is not None and low % variable.unit == 0 else 1
    span = log2(high / low)
    between = (low * 2 ** (span * step / most) for step in range(most + 1))
    return sorted({*declared, *(max(unit, round(value / unit) * unit) for value in between)})


# What it costs


def costs(outcomes: Mapping[Place, Outcome]) -> dict[Place, Cost]:
    """What a core does at each measured point, where it was counted."""
    found = {}
    for place, each in outcomes.items():
        cost = estimate(each.trace) if each.trace is not None else None
        if cost is not None:
            found[place] = cost
    return found
