"""Other tiles: none, smaller ones, aligned ones, on the axes that are tiled by hand or at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.analysis.remedies.case import Case, Proposal, proposal
from core.analysis.tiling import axis_label, units, used_tiles
from core.hints import Hints, Tile
from core.trace import Axis

_MOST = 3  # tiles proposed on one axis
_ALIGNED = 16  # elements: 32 B of float16


def tiles(case: Case) -> Iterator[Proposal]:
    """Tiles that may fit where those of the compile did not."""
    if len(units(case.trace)) > 1:
        return  # one hint cannot tell the axes of several sub-kernels apart
    if case.asked.tiles:
        yield from _without(case)
        yield from _smaller(case, case.asked.tiles)
    elif case.failure.kind in ("memory", "error") and case.trace.tiling.axes:
        yield from _smaller(case, used_tiles(case.trace), pinned=True)


def _without(case: Case) -> Iterator[Proposal]:
    promise = 92.0 if case.memory else 66.0
    yield proposal(
        promise,
        "tile",
        "no tiles of your own",
        "Without hints the compiler searches for tiles itself and tries smaller ones where they "
        "do not fit; with a dim text it never tries again.",
        case.request(hints=case.asked.with_tiles(())),
    )


def _smaller(case: Case, used: tuple[Tile, ...], *, pinned: bool = False) -> Iterator[Proposal]:
    axes = {(axis.band, axis.axis): axis for axis in case.trace.tiling.axes}
    bands = len({axis.band for axis in case.trace.tiling.axes})
    ordered = sorted(used, key=lambda tile: -_elements(tile, axes.get((tile.band, tile.axis))))
    for rank, tile in enumerate(ordered):
        axis = axes.get((tile.band, tile.axis))
        now = _elements(tile, axis)
        for step, wanted in enumerate(_steps(now, axis, case.room if case.memory else 0.5)):
            others = tuple(
                replace(each, outer=wanted, inner=min(each.inner, wanted)) if each == tile else each
                for each in used
            )
            label = axis_label(axis, bands) if axis else f"axis {tile.axis}"
            promise = 88.0 - 4 * rank - 3 * step if case.memory else 40.0 - 4 * rank - 3 * step
            if pinned:
                promise -= 20
            yield proposal(
                promise,
                "tile",
                f"tile of {label}: {wanted:,} for {now:,}",
                _reason(case, wanted, now),
                case.request(hints=Hints(tuple(sorted(others)), case.asked.attributes)),
            )


def _elements(tile: Tile, axis: Axis | None) -> int:
    extent = axis.extent if axis and axis.extent else None
    return min(tile.outer, extent) if extent else tile.outer


def _steps(now: int, axis: Axis | None, room: float) -> list[int]:
    """Tiles below the one in use: the largest that should fit first."""
    extent = axis.extent if axis and axis.extent else now
    multiple = axis.constraints.multiple_of if axis and axis.constraints else 1
    limit = max(1, int(now * room))
    power = 1 << max(0, limit.bit_length() - 1)
    divisors = [d for d in range(1, int(extent**0.5) + 1) if extent % d == 0]
    divisors = sorted({*divisors, *(extent // d for d in divisors)})
    below = [d for d in divisors if d <= limit]
    aligned = limit // _ALIGNED * _ALIGNED
    found = [power, below[-1] if below else 1, aligned, power // 2, power // 4]
    kept: list[int] = []
    for value in found:
        if 1 <= value < now and value not in kept and (value % multiple == 0 or value == power):
            kept.append(value)
    return sorted(kept[:_MOST], reverse=True)


def _reason(case: Case, wanted: int, now: int) -> str:
    failure = case.failure
    if case.memory and failure.required_bytes and failure.available_bytes:
        return (
            f"{failure.memory} had to hold {failure.required_bytes:,} B at once and has "
            f"{failure.available_bytes:,} B; buffers along this axis shrink with it."
        )
    if case.memory:
        return "Buffers along this axis shrink with the tile."
    return "A smaller or aligned tile leads the later passes another way."
