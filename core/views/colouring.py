"""What a map of the tile space can be coloured by: what each is, and its figure of a point."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.analysis.estimate import Cost, seconds_text
from core.analysis.predict import Space
from core.trace import Trace
from core.views import palette
from core.views.wording import count, percent, short_bytes

#: share: of a capacity; size, number, time: magnitudes; class: one of a few words.
Kind = Literal["share", "size", "number", "time", "class"]
Figures = npt.NDArray[np.float64]

FITS, OTHERWISE = "fits", "fails otherwise"


@dataclass(frozen=True, slots=True)
class Colouring:
    """One choice of what the cells of a map show."""

    key: str  #: in addresses
    label: str
    kind: Kind
    source: str  #: where a measured figure comes from, for who hovers over the choice
    predicted: bool = False  #: whether there are figures of points that nobody compiled
    cost: bool = False  #: whether it comes from the work counted in the emitted code


COLOURINGS: tuple[Colouring, ...] = (
    Colouring(
        "occupancy",
        "occupancy",
        "share",
        "Highest address in use in the emitted code, as a part of the memory's capacity.",
        predicted=True,
    ),
    Colouring(
        "limiter",
        "limiter",
        "class",
        "The memory that is fullest, by its share in use.",
        predicted=True,
    ),
    Colouring(
        "feasible",
        "feasible or why not",
        "class",
        "Whether it compiles; else the memory that it overflows, or that it fails for another "
        "reason, which stands on the cell.",
        predicted=True,
    ),
    Colouring(
        "cores",
        "cores",
        "number",
        "Cores that the emitted code runs on (block_dim).",
        predicted=True,
    ),
    Colouring(
        "instructions",
        "instructions per core",
        "number",
        "Executed by one core, counted in the emitted code.",
    ),
    Colouring(
        "bytes",
        "bytes moved per core",
        "size",
        "Between global memory and the busiest core, counted in the emitted code.",
        cost=True,
    ),
    Colouring(
        "transfer",
        "bytes per transfer",
        "size",
        "Mean of the transfers from and to global memory. One of less than 16 KiB, or off a "
        "multiple of 512 B in global memory, wastes bandwidth.",
        cost=True,
    ),
    Colouring(
        "stores",
        "scalar stores",
        "number",
        "Single elements that the scalar unit writes, counted in the emitted code.",
        cost=True,
    ),
    Colouring(
        "time",
        "time (estimate)",
        "time",
        "Estimate: work counted in the emitted code, each unit at its full public rate. A least "
        "time, for comparing tiles of one kernel. Predicted: learned from measured points.",
        predicted=True,
        cost=True,
    ),
)


def colouring(key: str) -> Colouring:
    """A choice by its key; the first one where there is none of that key."""
    return next((each for each in COLOURINGS if each.key == key), COLOURINGS[0])


def measured(of: Colouring, trace: Trace, memory: str, cost: Cost | None) -> float | str | None:
    """The figure of a compiled point; None where it has none.

    Shares are of 1, sizes in bytes, times in seconds, or in cycles where the clock is not known.
    """
    if of.key == "feasible":
        if trace.status.compiles:
            return FITS
        failure = trace.failure
        short = failure is not None and failure.kind == "memory" and failure.memory
        return f"over {failure.memory}" if failure is not None and short else OTHERWISE
    if not trace.status.compiles:
        return None
    if of.cost:
        return None if cost is None or cost.work.why_not else _of_cost(of, cost)
    match of.key:
        case "occupancy":
            plan = trace.plan(memory)
            return plan.occupancy if plan else 0.0
        case "limiter":
            return trace.limiter.memory if trace.limiter else None
        case "cores":
            return trace.block_dim
    return sum(trace.instructions.values()) or None


def _of_cost(of: Colouring, cost: Cost) -> float | None:
    match of.key:
        case "bytes":
            return cost.bytes_in + cost.bytes_out
        case "transfer":
            return cost.bytes_per_transfer
        case "stores":
            return cost.work.scalar_stores
    return cost.cycles if cost.seconds is None else cost.seconds


def predicted(
    of: Colouring,
    space: Space,
    memory: str,
    capacities: Mapping[str, int],
    times: Figures | None = None,
) -> tuple[Figures, tuple[str, ...]] | None:
    """Figures of every point of a space, with what numbers of a class stand for.

    NaN where a point has none: that of an occupancy where the point does not fit. `times` are those
    of the points, where they are known.
    """
    if of.key == "time":
        if times is None:
            return None
        return np.where(space.feasible, times.reshape(space.feasible.shape), np.nan), ()
    if of.key == "cores":
        known = np.where(space.cores > 0, space.cores, np.nan)
        return np.where(space.feasible, known, np.nan), ()
    if not space.peaks:
        return None
    names = tuple(space.peaks)
    if of.key == "occupancy":
        if memory not in space.peaks or not capacities.get(memory):
            return None
        share = space.peaks[memory] / capacities[memory]
        return np.where(space.feasible, share, np.nan), ()
    if of.key == "limiter":
        return np.where(space.feasible & (space.limiter >= 0), space.limiter, np.nan), names
    if of.key == "feasible":
        over = np.zeros(space.feasible.shape, dtype=bool)
        for name in names:
            if capacities.get(name):
                over |= space.peaks[name] > capacities[name]
        kinds = np.where(space.feasible, 0, np.where(over, space.limiter + 1, len(names) + 1))
        return kinds.astype(float), (FITS, *(f"over {name}" for name in names), OTHERWISE)
    return None


@dataclass(frozen=True, slots=True)
class Scale:
    """How figures become colours, and what stands at the colour bar."""

    kind: Kind
    title: str
    low: float
    high: float
    colours: tuple[tuple[float, str], ...]
    ticks: tuple[tuple[float, str], ...]
    classes: tuple[str, ...] = ()  #: names of the numbers of a class
    cycles: bool = False  #: times are in cycles, as the clock is not known

    def place(self, value: float | str | None) -> float | None:
        """Where on the scale a figure stands."""
        if value is None:
            return None
        if isinstance(value, str):
            return float(self.classes.index(value)) if value in self.classes else None
        if self.kind in ("share", "class") or self.low == self.high == 0:
            return float(value)
        return math.log10(value) if value > 0 else self.low

    def text(self, value: float | str | None) -> str:
        """A figure as it stands in a sentence, with its unit."""
        if value is None:
            return "–"
        if isinstance(value, str):
            return value
        match self.kind:
            case "share":
                return percent(value)
            case "size":
                return short_bytes(round(value))
            case "time":
                return f"{value:,.0f} cycles" if self.cycles else seconds_text(value)
        return count(round(value))

    def cell(self, value: float | None) -> str:
        """A figure as short as a cell is wide."""
        if value is None or math.isnan(value):
            return ""
        match self.kind:
            case "share":
                return f"{value * 100:.0f}"
            case "class":
                return ""
            case "time":
                return _short(value) if self.cycles else seconds_text(value)
            case "size":
                return short_bytes(round(value)).replace("iB", "").replace(" ", "")
        return _short(value)


def _short(value: float) -> str:
    for size, sign in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if value >= size:
            return f"{value / (1e3 if sign == 'k' else size):.3g}{sign}"
    return f"{value:,.0f}"


def scale_of(
    of: Colouring,
    memory: str,
    figures: Sequence[float | str | None],
    classes: Sequence[str] = (),
    *,
    cycles: bool = False,
) -> Scale:
    """The scale that these figures, measured and predicted, span."""
    if of.kind == "share":
        ticks = tuple((share, f"{share * 100:.0f} %" if share else "0") for share in _QUARTERS)
        return Scale("share", f"of {memory}", 0, 1, _steps(), ticks)
    if of.kind == "class":
        names = tuple(dict.fromkeys([*classes, *(f for f in figures if isinstance(f, str))]))
        last = max(len(names) - 1, 1)
        colours = tuple((n / last, class_colour(name)) for n, name in enumerate(names))
        if len(colours) == 1:
            colours = ((0.0, colours[0][1]), (1.0, colours[0][1]))
        return Scale("class", of.label, 0, last, colours, (), names)
    numbers = [float(f) for f in figures if isinstance(f, int | float) and not math.isnan(f)]
    positive = [n for n in numbers if n > 0]
    if not positive:
        return Scale(of.kind, of.label, 0, 0, _steps(), (), cycles=cycles)
    low, high = math.log10(min(positive)), math.log10(max(positive))
    if high - low < 0.3:  # too little to tell apart: one colour in the middle
        low, high = low - 0.5, high + 0.5
    scale = Scale(of.kind, of.label, low, high, _steps(), (), cycles=cycles)
    ticks = tuple((low + (high - low) * part, "") for part in _QUARTERS)
    return Scale(
        of.kind,
        of.label + (", cycles" if cycles else ""),
        low,
        high,
        _steps(),
        tuple((at, scale.cell(10**at)) for at, _ in ticks),
        cycles=cycles,
    )


_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


def class_colour(name: str) -> str:
    """The colour of a class: memories have their own on every page."""
    if name == FITS:
        return palette.STATUS["ok"]
    if name == OTHERWISE:
        return palette.STATUS["failed"]
    return palette.memory_colour(name.removeprefix("over "))


def _steps() -> tuple[tuple[float, str], ...]:
    last = len(palette.OCCUPANCY) - 1
    return tuple((step / last, colour) for step, colour in enumerate(palette.OCCUPANCY))
