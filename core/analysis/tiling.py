"""What was asked of a trace and what it was tiled with: where re-runs and sweeps start from."""

from __future__ import annotations

from core.hints import HintError, HintValue, Tile, parse_dim
from core.trace import Axis, Trace

_CUBE = ("L0A", "L0B", "L0C")

AxisKey = tuple[int, int]  #: band, axis


def key(axis: Axis) -> AxisKey:
    """How a hint names an axis."""
    return axis.band, axis.axis


def axis_label(axis: Axis, bands: int = 1) -> str:
    """Name an axis the way its hint does; the band only where there are several."""
    number = f"axis {axis.axis}" if bands < 2 else f"band {axis.band} axis {axis.axis}"
    named = f"{number} ({axis.name})" if axis.name and axis.name != str(axis.axis) else number
    return f"{axis.unit} {named}" if axis.unit else named


def uses_cube(trace: Trace) -> bool:
    """True where the kernel runs on the matrix unit, whose hints have a second, L0 tile."""
    return any(trace.plan(memory) for memory in _CUBE) or any(
        axis.tile_l0 != axis.tile for axis in trace.tiling.axes
    )


def units(trace: Trace) -> tuple[str, ...]:
    """The sub-kernels that have axes, in order; ("",) where the kernel is one."""
    return tuple(dict.fromkeys(axis.unit for axis in trace.tiling.axes))


def used_tiles(trace: Trace) -> tuple[Tile, ...]:
    """The tiles that the emitted code of a trace uses, as a hint that asks for exactly these.

    A tile that was asked for is repeated as it was written. One of a whole axis is what the
    compiler's tiler used, which may be an aligned size just above the extent: 3,072 for 3,070.
    """
    cube = uses_cube(trace)
    asked = asked_tiles(trace)
    tiles = []
    for axis in trace.tiling.axes:
        written = asked.get(key(axis))
        if written is not None and axis.origin == "hint":
            tiles.append(written)
            continue
        outer = max(axis.tile, 1)
        if axis.extent is not None and outer >= axis.extent and axis.constraints is not None:
            outer = max(outer, axis.constraints.maximum)
        tiles.append(Tile(axis.band, axis.axis, outer, max(axis.tile_l0, 1) if cube else 1))
    return tuple(sorted(tiles))


def asked_tiles(trace: Trace) -> dict[AxisKey, Tile]:
    """The tiles that were asked for, as written; none where nothing was, or cannot be read."""
    text = trace.hints.asked.get("dim")
    try:
        tiles = parse_dim(text) if isinstance(text, str) else ()
    except HintError:
        return {}
    return {(tile.band, tile.axis): tile for tile in tiles}


def asked_attributes(trace: Trace) -> dict[str, HintValue]:
    """The attributes that were asked for, without the tiles."""
    return {
        name: value
        for name, value in trace.hints.asked.items()
        if name != "dim" and isinstance(value, bool | int | float | str)
    }


def chosen_by_compiler(trace: Trace) -> bool:
    """True where the compiler tiled by itself, so that its tiles may be marked as its choice."""
    origins = {axis.origin for axis in trace.tiling.axes}
    return bool(origins) and origins <= {"symbolic", "search", "repository", "whole"}
