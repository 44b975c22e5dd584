"""The tiles that an AKG kernel uses, and who chose them.

AKG has two tilers. The classic search writes poly/tiling.log; by default (AKG 1.9 and later) the
symbolic one then chooses again, without a log. What the code uses is in poly/scop.log either way:
its section `dim_infos` lists band, axis and the two tiles, and its `schedule attrs` the `dim` text
that was handed in, empty where AKG tiled by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.ir.schedule import Member, ScheduleError, outer_bands
from core.readers.akg_search import Limits, read_tiling_log
from core.trace import Axis, Origin

#: What AKG writes for an axis that nobody tiled (MAX_STRIDE in src/poly/poly_util.h).
UNTILED = 65535

_SECTION = re.compile(r"^>>>>>>>>>> (.+) <<<<<<<<<<$", re.MULTILINE)
_DIM_INFO = re.compile(r"index=(\d+) axis=(\S+) c1_tiling_size=(-?\d+) c0_tiling_size=(-?\d+)")
_DIM_ATTRIBUTE = re.compile(r"^dim : ?(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Used:
    """One entry of dim_infos, as the compiler wrote it."""

    band: int
    label: str
    c1: int
    c0: int

    @property
    def axis(self) -> int | None:
        """The axis that the tiler meant, where it wrote its number."""
        return int(self.label) if self.label.isdigit() else None


@dataclass(frozen=True, slots=True)
class UnitTiling:
    """The tiling of one sub-kernel."""

    unit: str
    axes: tuple[Axis, ...]
    origin: Origin
    dim: str  #: what the compiler was handed
    unread: tuple[Used, ...]  #: entries for which there is no axis
    displaced: bool  #: the tiler left axes out, so tiles went to other axes than it meant
    bands: Mapping[int, int] = field(default_factory=dict)  #: band to its number of axes


def read_dim_infos(scop_log: str) -> tuple[list[Used], str]:
    """The tiles of a scop.log and the `dim` text that was handed in ("" where AKG tiled itself)."""
    sections = dict(_sections(scop_log))
    used = [
        Used(int(band), label, int(c1), int(c0))
        for band, label, c1, c0 in _DIM_INFO.findall(sections.get("dim_infos", ""))
    ]
    half = len(used) // 2
    if half and [(u.band, u.label) for u in used[:half]] == [
        (u.band, u.label) for u in used[half:]
    ]:
        # Some kernels are tiled twice, for vectors and again for scalars; the code is the second's.
        used = used[half:]
    handed = _DIM_ATTRIBUTE.search(sections.get("schedule attrs", ""))
    return used, handed[1].strip() if handed else ""


def unit_tiling(
    unit: str,
    scop_log: str,
    tiling_log: str,
    schedule: str,
    *,
    cube: bool,
    asked: str,
    handed_by: Origin,
    tiler: Origin | None,
) -> UnitTiling:
    """The axes of one sub-kernel with the tiles its code uses.

    `schedule`: the last tree before tiling. `asked`: the `dim` of the hints. `handed_by`: who gave
    a `dim` that is not that one. `tiler`: "symbolic" or "search" where it is known which of them
    chose, else None.
    """
    used, dim = read_dim_infos(scop_log)
    bands = _bands(schedule)
    searched, constraints = read_tiling_log(tiling_log)
    cube = cube or any(not u.label.isdigit() and not dim for u in used)
    by_band: dict[int, list[Used]] = {}
    for each in used:
        by_band.setdefault(each.band, []).append(each)
    origin: Origin = "unknown"
    if dim:
        origin = "hint" if dim.split() == asked.split() else handed_by
    elif used:
        origin = tiler or _tiler(by_band, searched)
    axes: list[Axis] = []
    unread: list[Used] = []
    for band in sorted(set(bands) | set(by_band)):
        entries = by_band.get(band, [])
        members: Sequence[Member | None] = bands.get(band, ())
        if not bands:  # no schedule that can be read: the entries alone say what axes there are
            members = [None] * len(entries)
        unread += entries[len(members) :]
        if not used:
            continue
        for number, member in enumerate(members):
            entry = entries[number] if number < len(entries) else None
            axes.append(
                _axis(
                    unit,
                    (band, number),
                    member,
                    entry,
                    dim=bool(dim),
                    origin=origin,
                    cube=cube,
                    searched=searched.get((band, number)),
                    limits=constraints.get((band, number)),
                )
            )
    return UnitTiling(
        unit,
        tuple(axes),
        origin,
        dim,
        tuple(unread),
        not dim and _displaced(by_band),
        {band: len(members) for band, members in bands.items()},
    )


def _displaced(by_band: Mapping[int, Sequence[Used]]) -> bool:
    """True where entries are not those of axis 0, 1, 2 …: the compiler reads them in order."""
    return any(
        entry.axis not in (None, number)
        for entries in by_band.values()
        for number, entry in enumerate(entries)
    )


def _axis(
    unit: str,
    place: tuple[int, int],
    member: Member | None,
    entry: Used | None,
    *,
    dim: bool,
    origin: Origin,
    cube: bool,
    searched: int | None,
    limits: Limits | None,
) -> Axis:
    band, number = place
    extent = member.extent if member else None
    c1 = entry.c1 if entry else UNTILED
    whole = c1 == UNTILED or (extent is not None and c1 > extent)
    tile = extent if whole and extent is not None else c1
    tile_l0 = min(entry.c0, tile) if entry and cube and entry.c0 > 0 else tile
    asked = dim and entry is not None and origin != "unknown"
    return Axis(
        band=band,
        axis=number,
        name=entry.label if entry and not dim and entry.axis is None else str(number),
        loops=member.loops if member else limits.loops if limits else (),
        extent=extent,
        tile=tile,
        tile_l0=tile_l0,
        origin="whole" if whole and not asked else origin,
        searched=min(searched, extent) if searched and extent else searched,
        constraints=limits.constraints if limits else None,
        unit=unit,
    )


def _tiler(
    by_band: Mapping[int, Sequence[Used]], searched: Mapping[tuple[int, int], int]
) -> Origin:
    """Who chose, where only the figures can tell: the search, unless it says something else."""
    chose = {
        (band, entry.axis if entry.axis is not None else number): entry.c1
        for band, entries in by_band.items()
        for number, entry in enumerate(entries)
    }
    if any(place in chose and chose[place] != tile for place, tile in searched.items()):
        return "symbolic"
    return "search" if searched else "unknown"


def describe(units: Iterable[UnitTiling]) -> str:
    """One sentence on who decided, "" where nothing was tiled."""
    tiled = [unit for unit in units if unit.axes]
    if not tiled:
        return ""
    if len(tiled) > 1:
        by: dict[str, list[str]] = {}
        for unit in tiled:
            by.setdefault(_who(unit), []).append(unit.unit)
        told = "; ".join(f"{who} for {', '.join(names)}" for who, names in by.items())
        return f"The tiles were chosen by {told}."
    unit = tiled[0]
    who = _who(unit)
    sentence = f"{who[0].upper()}{who[1:]} chose {_tiles(unit.axes, lambda axis: axis.tile)}"
    if unit.displaced:
        return (
            f"{sentence}; it left axes out of its list, which the compiler read in order, so tiles "
            "went to other axes than it meant."
        )
    if unit.origin != "symbolic" or not any(axis.searched for axis in unit.axes):
        return f"{sentence}."
    if all(axis.searched in (None, axis.tile) for axis in unit.axes):
        return f"{sentence}; the search log says the same."
    says = _tiles(unit.axes, lambda axis: axis.searched)
    return f"{sentence}; the search log says {says}, which is not what the code uses."


def _who(unit: UnitTiling) -> str:
    if unit.origin == "unknown" and unit.dim:
        return "a dim text from a hint, the kernel or AKG's repository"
    return _WHO[unit.origin]


def _tiles(axes: Sequence[Axis], tile: Callable[[Axis], int | None]) -> str:
    """The tiles of each band, "16 × 1,534 and 8 × 1,024"."""
    bands: dict[int, list[str]] = {}
    for axis in axes:
        figure = tile(axis)
        bands.setdefault(axis.band, []).append("?" if figure is None else f"{figure:,}")
    return " and ".join(" × ".join(tiles) for tiles in bands.values())


_WHO: Mapping[Origin, str] = {
    "hint": "the dim hint",
    "kernel": "the kernel's own dim attribute",
    "repository": "AKG's tiling repository",
    "symbolic": "symbolic tiling",
    "search": "the classic search",
    "whole": "no one",
    "unknown": "the compiler",
}


def _sections(text: str) -> Iterator[tuple[str, str]]:
    marks = list(_SECTION.finditer(text))
    for at, mark in enumerate(marks):
        end = marks[at + 1].start() if at + 1 < len(marks) else len(text)
        yield mark[1], text[mark.end() : end]


def _bands(schedule: str) -> dict[int, tuple[Member, ...]]:
    if not schedule:
        return {}
    try:
        return {band.index: band.members for band in outer_bands(schedule)}
    except ScheduleError:
        return {}
