"""The space of a kernel's tiles and parameters as numbers: what can vary, and what a value means.

A point is a row with a column for each `Variable`. Everything here works on whole columns, so that
twenty thousand points cost what twenty do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log2
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.analysis.sweep import Outcome, tile_key
from core.analysis.tiling import asked_attributes, units, used_tiles, uses_cube
from core.hints import HintValue
from core.kernel import Kernel
from core.trace import Axis, Trace

Floats = npt.NDArray[np.float64]
#: tile: of a loop; l0: its inner tile on the cube unit; number: a parameter, which sizes may be
#: multiples of; count: a hint that is a number; choice: anything else.
Kind = Literal["tile", "l0", "number", "count", "choice"]
L0 = ".l0"  #: what the key of an L0 tile has after that of its outer tile

_BLOCK_BYTES = 32  # what the vector unit and its memory work in, on every chip of the family
#: Logarithms of peak bytes over the least that a plan could do with, on average over the sweeps of
#: AKG's kernels in data/sweeps: of any of them, where a core takes several parts, for a tail.
_LEVEL, _REPEATED, _TAIL = 0.4, 0.3, 0.15
_NOT_GIVEN = -1.0
_BITS = re.compile(r"[a-z]+(\d+)")


@dataclass(frozen=True, slots=True)
class Variable:
    """One thing that a point has a value of."""

    key: str
    kind: Kind
    held: HintValue | None  #: what the open trace has
    extent: int | None = None  #: of the loop that a tile is of
    unit: int = 1  #: values that are a multiple of it fill whole blocks of memory
    multicore: bool = False  #: whether parts of the loop may run on several cores
    codes: Mapping[HintValue, int] = field(default_factory=dict)  #: of a choice: value to number

    def number(self, value: HintValue | None) -> float:
        """The value as a column holds it; NaN where it has none."""
        if self.kind == "choice":
            return float(self.codes.get("" if value is None else value, -1))
        if value is None or isinstance(value, str):
            return _NOT_GIVEN if self.kind == "count" else float("nan")
        number = float(value)
        return min(number, float(self.extent)) if self.extent else number


def variables(
    trace: Trace, outcomes: Iterable[Outcome] = (), kernel: Kernel | None = None
) -> tuple[Variable, ...]:
    """What points of this kernel differ in: tiles, L0 tiles, parameters, hints that were varied."""
    found = _tiles(trace) if len(units(trace)) == 1 else []
    asked = asked_attributes(trace)
    known = {each.key for each in found}
    seen: dict[str, list[HintValue]] = {}
    for parameter in kernel.parameters if kernel else ():
        value = asked.get(parameter.name, parameter.default)
        seen[parameter.name] = [value, *parameter.values]
    for name, value in asked.items():
        seen.setdefault(name, [value])
    for outcome in outcomes:
        for name, value in outcome.values.items():
            if name not in known and not tile_key(name.removesuffix(L0)):
                # What was not asked for is the compiler's default, which is a value of its own.
                seen.setdefault(name, [""] if name not in asked else []).append(value)
    parameters = {each.name for each in kernel.parameters} if kernel else set()
    unit = _BLOCK_BYTES // _least_bytes(trace)
    for name, values in seen.items():
        numbers = [value for value in values if value != ""]
        if name in parameters and all(type(value) is int and value > 0 for value in numbers):
            found.append(Variable(name, "number", values[0], unit=unit))
        elif all(type(value) is int and value >= 0 for value in numbers):
            found.append(Variable(name, "count", values[0]))
        else:
            codes = {value: code for code, value in enumerate(dict.fromkeys(values))}
            found.append(Variable(name, "choice", values[0], codes=codes))
    return tuple(found)


def _tiles(trace: Trace) -> list[Variable]:
    cube = uses_cube(trace)
    held = {(tile.band, tile.axis): tile for tile in used_tiles(trace)}
    block = 1 if cube else _BLOCK_BYTES // _least_bytes(trace)
    found = []
    for axis in trace.tiling.axes:
        tile = held[axis.band, axis.axis]
        key = f"{axis.band}.{axis.axis}"
        multicore = _multicore(axis)
        found.append(Variable(key, "tile", tile.outer, axis.extent, block, multicore))
        if cube:
            found.append(Variable(key + L0, "l0", tile.inner, axis.extent))
    return found


def _multicore(axis: Axis) -> bool:
    return axis.constraints.multicore if axis.constraints else True


def _least_bytes(trace: Trace) -> int:
    """Bytes of the smallest type in the plan, which decides when a tile fills whole blocks."""
    sizes = [dtype_bytes(b.dtype) for plan in trace.memory for b in plan.buffers]
    return min(sizes, default=2)


def dtype_bytes(dtype: str) -> int:
    """Bytes of one element of a type, 1 for booleans and what is not known."""
    found = _BITS.match(dtype)
    return max(1, int(found[1]) // 8) if found else 1


def located(outcome: Outcome, of: Sequence[Variable]) -> list[float]:
    """The row of a measured point: what was asked for, else what the compiler then used."""
    trace = outcome.trace
    used: dict[str, HintValue] = {}
    if trace is not None and len(units(trace)) == 1:
        for axis in trace.tiling.axes:
            used[f"{axis.band}.{axis.axis}"] = axis.tile
            used[f"{axis.band}.{axis.axis}{L0}"] = axis.tile_l0
    return row({**used, **outcome.values}, of)


def row(values: Mapping[str, HintValue], of: Sequence[Variable]) -> list[float]:
    """A point as numbers; what it has no value of is as in the open trace.

    An L0 tile is never larger than the tile around it.
    """
    numbers = {v.key: v.number(values.get(v.key, v.held)) for v in of}
    for each in of:
        outer = numbers.get(each.key.removesuffix(L0))
        if each.kind == "l0" and outer is not None:
            numbers[each.key] = min(numbers[each.key], outer)
    return list(numbers.values())


def rows(lists: Mapping[str, Sequence[HintValue]], of: Sequence[Variable]) -> Floats:
    """Every combination of the values of some variables, the last one varying fastest."""
    columns = []
    for each in of:
        values = lists.get(each.key, (each.held,))
        columns.append(np.array([each.number(value) for value in values]))
    grid = np.stack([axis.ravel() for axis in np.meshgrid(*columns, indexing="ij")], axis=1)
    order = [each.key for each in of]
    for place, each in enumerate(of):
        outer = each.key.removesuffix(L0)
        if each.kind == "l0" and outer in order:
            grid[:, place] = np.minimum(grid[:, place], grid[:, order.index(outer)])
    return grid


@dataclass(frozen=True, slots=True)
class Described:
    """What matters of points besides their values: how tiles cut their loops, and what repeats."""

    traits: Floats  #: a row a point, 0 or 1 each
    names: tuple[str, ...]  #: of the columns of `traits`, in words
    places: Floats  #: log2 of what is a number, a row a point
    trips: Floats  #: parts that may go to different cores
    usual: Floats  #: logarithm of the copies that plans of kernels with these traits usually have

    def some(self, chosen: npt.NDArray[np.intp]) -> Described:
        """Those of the points, by number."""
        return Described(
            self.traits[chosen],
            self.names,
            self.places[chosen],
            self.trips[chosen],
            self.usual[chosen],
        )

    def without_usual(self) -> Described:
        """The same points, for figures that copies do not enter."""
        return replace(self, usual=np.zeros(len(self.usual)))


def describe(points: Floats, of: Sequence[Variable], cores: int | None) -> Described:
    """The traits of points, by which those that behave alike are told."""
    count = len(points)
    columns: list[Floats] = []
    names: list[str] = []
    places = []
    usual = np.zeros(count)
    spread = np.ones(count)
    order = [each.key for each in of]
    for column, each in enumerate(of):
        value = points[:, column]
        if each.kind == "choice":
            for known, code in each.codes.items():
                columns.append((value == code).astype(float))
                names.append(f"{each.key} is {known}")
            continue
        if each.kind == "count":
            columns.append((value == _NOT_GIVEN).astype(float))
            names.append(f"{each.key} is not given")
            places.append(np.log2(1.0 + np.maximum(value, 0.0)))
            continue
        safe = np.where(value > 0, value, 1.0)
        places.append(np.log2(safe))
        if each.kind in ("tile", "number"):
            columns.append((safe == 1).astype(float))
            names.append(f"{each.key} is 1")
        if each.kind == "tile" and each.extent:
            trips = np.ceil(each.extent / safe)
            spread = spread * (trips if each.multicore else 1.0)
            columns.append((trips > 1).astype(float))
            names.append(f"{each.key} is cut")
            columns.append((each.extent % safe != 0).astype(float))
            names.append(f"{each.key} leaves a tail")
            usual = usual + _TAIL * columns[-1]
            turns = np.ceil(trips / cores) if each.multicore and cores else trips
            columns.append(((turns > 1) & (turns % 2 == 1)).astype(float))
            names.append(f"a core takes an odd number of parts of {each.key}")
            if each.multicore and cores:
                columns.append((trips > cores).astype(float))
                names.append(f"{each.key} has more parts than {cores} cores")
                columns.append(((cores % trips != 0) & (trips % cores != 0)).astype(float))
                names.append(f"the parts of {each.key} spread unevenly over {cores} cores")
        if each.kind == "l0":
            outer = points[:, order.index(each.key.removesuffix(L0))]
            columns.append((outer > safe).astype(float))
            names.append(f"{each.key} is cut")
            columns.append((outer % safe != 0).astype(float))
            names.append(f"{each.key} leaves a tail")
        if each.unit > 1:
            columns.append((safe % each.unit != 0).astype(float))
            names.append(f"{each.key} is not a multiple of {each.unit}")
    if cores:
        columns.append((spread > cores).astype(float))
        names.append(f"more parts than {cores} cores")
        usual = usual + _REPEATED * columns[-1]
    return Described(
        np.stack(columns, axis=1) if columns else np.zeros((count, 0)),
        tuple(names),
        np.stack(places, axis=1) if places else np.zeros((count, 0)),
        spread,
        usual + _LEVEL * any(each.kind == "tile" for each in of),
    )


def whole_space(each: Variable, most: int = 140) -> tuple[HintValue, ...]:
    """The values of an axis that a map of the whole space shows, ascending, at most `most`.

    A short axis in full. Of a long one the divisors, the powers of two and multiples of the
    alignment; where these are too many, those that are spread evenly by their size.
    """
    top = each.extent or 0
    if top <= most:
        return tuple(range(1, top + 1))
    divisors = {d for d in range(1, int(top**0.5) + 1) if top % d == 0}
    divisors |= {top // d for d in divisors}
    powers = {1 << k for k in range(top.bit_length())}
    fixed = sorted(divisors | powers)
    if len(fixed) > most // 2:
        fixed = _thinned(fixed, most // 2)
    step = each.unit if each.unit > 1 else 1
    between = (
        max(step, round(2 ** (log2(top) * k / (2 * most)) / step) * step)
        for k in range(2 * most + 1)
    )
    spread = [value for value in dict.fromkeys(between) if value <= top and value not in fixed]
    return tuple(sorted({*fixed, *_thinned(spread, most - len(fixed)), top}))


def _thinned(values: Sequence[int], most: int) -> list[int]:
    """Some of ascending values, the first and the last among them."""
    if len(values) <= most:
        return list(values)
    picked = np.unique(np.linspace(0, len(values) - 1, max(most, 2)).round().astype(int))
    return [values[at] for at in picked]
