"""Other tiles: none, smaller ones, aligned ones, on the axes that are tiled by hand or at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.analysis.remedies.case import Case, Proposal, proposal
from core.analysis.tiling import axis_label, units, used_tiles
from core.hints import Hints, Tile
from core.trace import Axis

_MOST = 3  # tiles proposed on one axis
_INNER = (8, 4, 2)  # tiles of the L0 memories, in iterations
_BLOCK = 16  # rows and columns that the cube multiplies at a time
_ALIGNED = 16  # elements: 32 B of float16


def tiles(case: Case) -> Iterator[Proposal]:
    """Tiles that may fit where those of the compile did not."""
    if len(units(case.trace)) > 1:
        return  # one hint cannot tell the axes of several sub-kernels apart
    if case.asked.tiles:
        yield from _without(case)
        yield from _smaller(case, case.asked.tiles)
        if case.memory:
            yield from _all_smaller(case, case.asked.tiles)
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
    ordered = [t for t in ordered if not _fractal(t, _elements(t, axes.get((t.band, t.axis))))]
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


def _all_smaller(case: Case, used: tuple[Tile, ...]) -> Iterator[Proposal]:
    """Every tile a part of what it is, and the inner tiles of the cube unit alone."""
    axes = {(axis.band, axis.axis): axis for axis in case.trace.tiling.axes}
    now = {tile: _elements(tile, axes.get((tile.band, tile.axis))) for tile in used}
    if len([n for n in now.values() if n > 1]) > 1:
        for step, (part, word) in enumerate(((2, "half"), (4, "a quarter"))):
            made = tuple(
                tile
                if _fractal(tile, now[tile])
                else replace(
                    tile, outer=max(1, now[tile] // part), inner=max(1, tile.inner // part)
                )
                for tile in used
            )
            yield proposal(
                84.0 - 3 * step,
                "tile",
                f"every tile {word} of what it is",
                "What is computed at a time shrinks along all axes at once, so every buffer does.",
                case.request(hints=Hints(tuple(sorted(made)), case.asked.attributes)),
            )
    inner = [tile for tile in used if tile.inner > 1]
    if len(inner) > 1:
        for step, most in enumerate(_INNER):
            made = tuple(
                tile if _fractal(tile, now[tile]) else replace(tile, inner=min(tile.inner, most))
                for tile in used
            )
            if made == used:
                continue
            yield proposal(
                82.0 - 3 * step,
                "tile",
                f"L0 tiles of {most} at most",
                "L0A, L0B and L0C hold what the inner tiles multiply to, whatever the outer ones.",
                case.request(hints=Hints(tuple(sorted(made)), case.asked.attributes)),
            )


def _fractal(tile: Tile, elements: int) -> bool:
    """Whether it is an axis of the cube's own blocks, which takes no other tile.

    AKG refuses any ("transpose last two dims can not match blocksize").
    """
    return tile.inner == elements == _BLOCK


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
