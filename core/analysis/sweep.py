"""What a sweep goes through: its axes, the values worth a compile on each, the grid they span.

An axis is the tile of a loop, a parameter of the kernel, or a hint of the compiler. Its key names
it in hints: "0.1" is the tile of axis 1 in band 0, "0.1.l0" its inner tile on the cube unit; every
other key is the name of an attribute.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import isqrt

from core.analysis.tiling import (
    AxisKey,
    asked_attributes,
    asked_tiles,
    axis_label,
    units,
    used_tiles,
    uses_cube,
)
from core.hints import HintError, Hints, HintSpec, HintValue, Tile
from core.kernel import Kernel
from core.trace import Axis, Trace

_TILE = re.compile(r"(\d+)\.(\d+)(?:\.l0)?")
_L0 = ".l0"


@dataclass(frozen=True, slots=True)
class SweepAxis:
    """Something that a sweep can vary."""

    key: str  #: how hints name it: see above
    label: str
    values: tuple[HintValue, ...]  #: worth compiling, the value in use among them
    held: HintValue | None  #: what the trace has; None where nothing says so
    extent: int | None = None  #: of the loop that a tile is of
    about: str = ""  #: what a hint does

    @property
    def tile(self) -> bool:
        return tile_key(self.key) is not None

    @property
    def inner(self) -> bool:
        """True for the L0 tile of a loop."""
        return self.tile and self.key.endswith(_L0)

    @property
    def title(self) -> str:
        return f"tile of {self.label}" if self.tile else self.label

    @property
    def whole_numbers(self) -> bool:
        """True where every value worth compiling is a whole number."""
        return _numbers_alone(self.values)


def sweep_axes(
    trace: Trace, kernel: Kernel | None, catalogue: Iterable[HintSpec], most: int = 24
) -> tuple[SweepAxis, ...]:
    """What can be swept from a trace: tiles first, then parameters, then hints worth sweeping.

    `most` values are suggested on an axis. The tiles of a kernel fused from several sub-kernels are
    left out, as one hint cannot tell them apart.
    """
    asked = asked_attributes(trace)
    axes = []
    if len(units(trace)) == 1:
        held = {(tile.band, tile.axis): tile for tile in used_tiles(trace)}
        bands = len({axis.band for axis in trace.tiling.axes})
        for inner in (False, True) if uses_cube(trace) else (False,):
            axes += [
                _tile_axis(axis, held[axis.band, axis.axis], bands, most, inner)
                for axis in trace.tiling.axes
            ]
    parameters = kernel.parameters if kernel else ()
    for parameter in parameters:
        value = asked.get(parameter.name, parameter.default)
        values = _with_held(parameter.values, value)
        axes.append(SweepAxis(parameter.name, parameter.name, values, value))
    known = {parameter.name for parameter in parameters}
    for spec in catalogue:
        worth = spec.tries or spec.choices
        if spec.effect == "honoured" and len(worth) > 1 and spec.name not in known:
            used = asked.get(spec.name, spec.default)
            values = _with_held(worth[:most], used)
            axes.append(SweepAxis(spec.name, spec.name, values, used, about=spec.does))
    return tuple(axes)


def _tile_axis(axis: Axis, used: Tile, bands: int, most: int, inner: bool) -> SweepAxis:
    held = used.inner if inner else used.outer
    extent = None if axis.extent is None else max(axis.extent, held)
    multiple = axis.constraints.multiple_of if axis.constraints else 1
    values = suggest(extent, {held}, most, multiple)
    key, label = f"{axis.band}.{axis.axis}", axis_label(axis, bands)
    if inner:
        key, label = key + _L0, f"{label} L0"
    return SweepAxis(key, label, values, held, axis.extent)


def _with_held(values: Sequence[HintValue], held: HintValue | None) -> tuple[HintValue, ...]:
    found = tuple(values) if held is None or held in values else (*values, held)
    return tuple(_large_first(found))[::-1] if _numbers_alone(found) else found


def suggest(
    extent: int | None, keep: Iterable[int] = (), limit: int = 24, multiple_of: int = 1
) -> tuple[int, ...]:
    """Tiles worth compiling on an axis, ascending, at most `limit` plus those in `keep`.

    Powers of two and divisors of the extent, from the largest down, since memory runs out at that
    end; far above the tile in use only the whole axis is kept. Then a few neighbours of the tile in
    use and of its double, because feasibility is not monotonic: AKG compiles 57,344 where 43,690
    aborts. `keep` (the compiler's choice, the tile in use) is always there. `multiple_of` leaves
    out tiles that a compiler's own constraint forbids; the neighbours break the rule on purpose.
    """
    keep = tuple(keep)
    top = extent or max(keep, default=64) * 4
    kept = sorted({tile for tile in keep if 1 <= tile <= top}, reverse=True)
    ceiling = 8 * kept[0] if kept else top
    powers = [p for k in range(top.bit_length()) if (p := 1 << k) <= min(top, ceiling)]
    divisors = [d for d in _divisors(extent or 1) if d <= ceiling]
    picked = list(kept)
    _add(picked, [top, *(p for p in reversed(powers) if p % multiple_of == 0)], limit * 2 // 3)
    _add(picked, (d for d in reversed(divisors) if d % multiple_of == 0), limit * 5 // 6)
    for tile in kept[:2] or powers[-1:]:
        near = (tile + 1, tile - 1, tile * 3 // 2, tile * 2 - 1, tile * 2 + 1)
        _add(picked, (n for n in near if 1 <= n <= top), limit)
    return tuple(sorted(picked))


def _add(picked: list[int], tiles: Iterable[int], limit: int) -> None:
    for tile in tiles:
        if len(picked) >= limit:
            return
        if tile not in picked:
            picked.append(tile)


def _divisors(number: int) -> list[int]:
    low = [d for d in range(1, isqrt(number) + 1) if number % d == 0]
    return sorted({*low, *(number // d for d in low)})


def tile_key(key: str) -> AxisKey | None:
    """Band and axis, where the key of an axis is that of a tile, outer or inner."""
    found = _TILE.fullmatch(key)
    return (int(found[1]), int(found[2])) if found else None


def parse_tiles(text: str) -> tuple[int, ...]:
    """Read an edited list of tiles, "16, 32 64-66": numbers and ranges, in any order.

    Raises HintError naming the word that cannot be read.
    """
    return _numbers(text, "tile", least=1)


def parse_values(text: str, axis: SweepAxis | None = None) -> tuple[HintValue, ...]:
    """Read an edited list of values, such as "16, 32, 64-66" or `on, off` or `"128,64", "64,64"`.

    Values that hold a comma or a space stand in quotation marks. With an axis, the list must be of
    its kind of values: tiles, or whole numbers. Raises HintError naming what cannot be read.
    """
    if axis is not None and axis.tile:
        return parse_tiles(text)
    if axis is not None and axis.whole_numbers:
        return _numbers(text, f"value of {axis.label}")
    values: list[HintValue] = []
    for quoted, plain in re.findall(r'"([^"]*)"|([^\s,;"]+)', text):
        for value in [quoted] if quoted else _plain(plain):
            if value not in values or type(value) is not type(values[values.index(value)]):
                values.append(value)
    if not values:
        raise HintError("The list of values is empty: write at least one.")
    return tuple(values)


def _plain(word: str) -> Sequence[HintValue]:
    if word.lower() in ("on", "true", "off", "false"):
        return [word.lower() in ("on", "true")]
    return _numbers(word, "value") if re.fullmatch(r"-?\d+(?:(?:-|\.\.)\d+)?", word) else [word]


def _numbers(text: str, what: str, least: int | None = None) -> tuple[int, ...]:
    numbers: set[int] = set()
    for word in re.split(r"[\s,;]+", text.strip()):
        if not word:
            continue
        match = re.fullmatch(r"(-?\d{1,18})(?:(?:-|\.\.)(-?\d{1,18}))?", word)
        if not match:
            raise HintError(
                f"{word!r} is not a {what}: write whole numbers, such as 16, 32, 64-66."
            )
        first, last = int(match[1]), int(match[2] or match[1])
        if least is not None and first < least:
            raise HintError(f"{word!r} is not a {what}: a {what} must be {least} or more.")
        if not first <= last <= first + 255:
            raise HintError(f"The range {word!r} must rise, by no more than 255 {what}s.")
        numbers.update(range(first, last + 1))
    if not numbers:
        raise HintError(f"The list of {what}s is empty: write at least one, such as 16, 32, 64.")
    return tuple(sorted(numbers))


def values_text(values: Iterable[HintValue]) -> str:
    """The inverse of `parse_values`."""
    return ", ".join(map(_written, values))


def _written(value: HintValue) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f'"{value}"' if isinstance(value, str) and re.search(r"[\s,;]", value) else str(value)


def repeated(trace: Trace, keys: Iterable[str] = ()) -> Hints:
    """Hints that ask for the compile of a trace again.

    Where a tile is among the `keys` that are to vary, all tiles in use are asked for, so that the
    others stay as they are; else only those that were asked for.
    """
    pinned = any(tile_key(key) for key in keys)
    tiles = used_tiles(trace) if pinned else tuple(sorted(asked_tiles(trace).values()))
    return Hints(tiles, asked_attributes(trace))


def with_values(hints: Hints, values: Mapping[str, HintValue]) -> Hints:
    """Hints with other values on some axes, by their keys.

    An L0 tile never is larger than the outer tile around it.
    """
    tiles = {(tile.band, tile.axis): tile for tile in hints.tiles}
    attributes = dict(hints.attributes)
    for key in sorted(values):  # an outer tile before the L0 tile in it
        place, value = tile_key(key), values[key]
        if place is None:
            attributes[key] = value
            continue
        outer, inner = (
            (tiles[place].outer, tiles[place].inner) if place in tiles else (int(value), 1)
        )
        if key.endswith(_L0):
            inner = int(value)
        else:
            outer = int(value)
        tiles[place] = Tile(*place, outer, min(inner, outer))
    return Hints(tuple(sorted(tiles.values())), attributes)


def values_of(hints: Hints) -> dict[str, HintValue]:
    """What hints ask for, by the keys of axes; an L0 tile of 1 is one that nobody asked for."""
    tiles: dict[str, HintValue] = {f"{t.band}.{t.axis}": t.outer for t in hints.tiles}
    inner = {f"{t.band}.{t.axis}{_L0}": t.inner for t in hints.tiles if t.inner > 1}
    return {**tiles, **inner, **hints.attributes}


def grid(start: Hints, lists: Mapping[str, Sequence[HintValue]]) -> tuple[Hints, ...]:
    """One point for each combination of values; all else is asked for as in `start`.

    Large tiles come first: they compile fastest and are where memory runs out, so the map shows its
    edge early.
    """
    combinations = product(*(_large_first(values) for values in lists.values()))
    return tuple(with_values(start, dict(zip(lists, each, strict=True))) for each in combinations)


def _large_first(values: Sequence[HintValue]) -> Sequence[HintValue]:
    numbers = [value for value in values if type(value) is int]
    return sorted(numbers, reverse=True) if _numbers_alone(values) else values


def _numbers_alone(values: Iterable[HintValue]) -> bool:
    return all(type(value) is int for value in values)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One point of a sweep: what was asked, and what came of it so far."""

    values: Mapping[str, HintValue]  #: asked for, by the key of each axis
    state: str  #: queued, running, done, cancelled, lost
    trace: Trace | None = None  #: once done; passes may have been left out
    error: str | None = None  #: one sentence: why there never will be a trace

    @property
    def compiles(self) -> bool:
        return self.trace is not None and self.trace.status.compiles


def outcome(
    hints: Hints, state: str, trace: Trace | None = None, error: str | None = None
) -> Outcome:
    """An outcome from the hints of its point."""
    return Outcome(values_of(hints), state, trace, error)
