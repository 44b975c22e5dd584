"""Which points a sweep compiles: tile lists per axis and the grid they span."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import isqrt

from core.analysis.tiling import AxisKey, with_tiles
from core.hints import HintError, Hints
from core.trace import Trace


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


def parse_tiles(text: str) -> tuple[int, ...]:
    """Read an edited tile list, "16, 32 64-66": numbers and ranges, in any order.

    Raises HintError naming the word that cannot be read.
    """
    tiles: set[int] = set()
    for word in re.split(r"[\s,;]+", text.strip()):
        if not word:
            continue
        match = re.fullmatch(r"(\d+)(?:(?:-|\.\.)(\d+))?", word)
        if not match:
            raise HintError(f"{word!r} is not a tile: write whole numbers, such as 16, 32, 64-66.")
        first, last = int(match[1]), int(match[2] or match[1])
        if first < 1:
            raise HintError(f"{word!r} is not a tile: a tile must be 1 or more.")
        if not first <= last <= first + 255:
            raise HintError(f"The range {word!r} must rise, by no more than 255 tiles.")
        tiles.update(range(first, last + 1))
    if not tiles:
        raise HintError("The list of tiles is empty: write at least one, such as 16, 32, 64.")
    return tuple(sorted(tiles))


def tiles_text(tiles: Iterable[int]) -> str:
    """The inverse of `parse_tiles`."""
    return ", ".join(str(tile) for tile in tiles)


def grid(trace: Trace, lists: Mapping[AxisKey, Sequence[int]]) -> tuple[Hints, ...]:
    """One point for each combination of tiles; axes not listed keep the tiles of the trace.

    Large tiles come first: they compile fastest and are where memory runs out, so the map shows its
    edge early.
    """
    keys = list(lists)
    combinations = product(*(sorted(lists[k], reverse=True) for k in keys))
    return tuple(with_tiles(trace, dict(zip(keys, tiles, strict=True))) for tiles in combinations)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One point of a sweep: what was asked, and what came of it so far."""

    tiles: Mapping[AxisKey, int]  #: outer tile asked for on each axis
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
    return Outcome({(t.band, t.axis): t.outer for t in hints.tiles}, state, trace, error)


def swept_axes(points: Iterable[Hints]) -> tuple[AxisKey, ...]:
    """The axes on which the points of a sweep differ, in order."""
    seen: dict[AxisKey, set[int]] = {}
    for hints in points:
        for tile in hints.tiles:
            seen.setdefault((tile.band, tile.axis), set()).add(tile.outer)
    return tuple(sorted(axis for axis, tiles in seen.items() if len(tiles) > 1))
