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
from core.trace import Axis, Constraints, Origin

#: What AKG writes for an axis that nobody tiled (MAX_STRIDE in src/poly/poly_util.h).
UNTILED = 65535

_SECTION = re.compile(r"^>>>>>>>>>> (.+) <<<<<<<<<<$", re.MULTILINE)
_DIM_INFO = re.compile(r"index=(\d+) axis=(\S+) c1_tiling_size=(-?\d+) c0_tiling_size=(-?\d+)")
_DIM_ATTRIBUTE = re.compile(r"^dim : ?(.*)$", re.MULTILINE)
_BAND = re.compile(r"^=+ Band (\d+) schedule tree", re.MULTILINE)
_AXIS = re.compile(
    r"^\| Axis \(0x[0-9a-f]+\) (\d+)_(\d+)\|.*?"
    r"\| L1 Tile \[([^,\]]*),([^\]]*)\].*?\| Align to = ([^|]*)\|.*?"
    r"\| Forbid isolate = (\d+)\| Multi-core support = (\d+)\| Priority = (-?\d+)"
    r"\| Loops : \{([^}]*)\}[^\n]*\n"
    r"(?:\| Attrs:\{((?:[^}]|\n)*?)\} \|$)?",
    re.MULTILINE,
)
_ATTRIBUTE = re.compile(r"\(([^()]*)\)")
_NUMBER = re.compile(r"(?:\(u?int\d+\))?(-?\d+)")
#: The search takes an axis up; the tile that it settles on where the axis fits at all.
_SEARCHED = re.compile(r"^(?:(Begin) ::: mem ok|final factor (\d+)$)", re.MULTILINE)


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


@dataclass(frozen=True, slots=True)
class Limits:
    """What tiling.log says of one axis."""

    constraints: Constraints | None
    loops: tuple[str, ...]


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


def read_tiling_log(text: str) -> tuple[dict[tuple[int, int], int], dict[tuple[int, int], Limits]]:
    """By band and axis: the outer tile that the search settled on, and what constrained it."""
    limits: dict[tuple[int, int], Limits] = {}
    for match in _AXIS.finditer(text):
        band, axis, least, most, align, isolate, multicore, priority, loops, marks = match.groups()
        attributes = tuple(dict.fromkeys(_ATTRIBUTE.findall(marks or "")))
        figures = [_NUMBER.fullmatch(each.strip()) for each in (least, most, align)]
        constraints = None
        if all(figures):
            low, high, multiple = (int(f[1]) for f in figures if f)
            constraints = Constraints(
                low, high, multiple, int(priority), isolate == "1", multicore == "1", attributes
            )
        limits[int(band), int(axis)] = Limits(
            constraints, tuple(dict.fromkeys(name for name in loops.split(",") if name))
        )
    return _search_results(text, limits), limits


def _search_results(
    text: str, limits: Mapping[tuple[int, int], Limits]
) -> dict[tuple[int, int], int]:
    """The outer tiles that the search settled on.

    It goes over the axes of a band from the highest priority to the lowest: an axis that does not
    fit at its smallest tile keeps that, the first one that fits is searched, and the others stay
    as large as they may be. For a cube kernel a second round over the L0 tiles follows.
    (TraverseSolver in src/poly/tiling/tiling_solver.cc; with SYMBOLIC_TILING=0 the code uses
    exactly these.)
    """
    taken_up: list[int | None] = []
    for match in _SEARCHED.finditer(text):
        if match[1]:
            taken_up.append(None)
        elif taken_up:
            taken_up[-1] = int(match[2])
    order: dict[int, list[tuple[int, Constraints]]] = {}
    for (band, axis), limit in limits.items():
        if band >= 0 and limit.constraints:
            order.setdefault(band, []).append((axis, limit.constraints))
    if not taken_up:
        return {}
    cube = "(GEMM:" in text
    found: dict[tuple[int, int], int] = {}
    for band in sorted(order):
        axes = sorted(order[band], key=lambda each: -each[1].priority)
        found.update(((band, axis), allowed.maximum) for axis, allowed in axes)
        for axis, allowed in axes:
            if not taken_up:
                return found
            settled = taken_up.pop(0)
            found[band, axis] = _smallest(allowed) if settled is None else settled
            if settled is not None and (cube or band != max(order)):
                break
        if cube:
            break
    return found


def _smallest(allowed: Constraints) -> int:
    """The tile at which the search begins (IsTilable in tiling_solver.cc)."""
    vectorized = any(mark.startswith("VECTORIZED") for mark in allowed.attributes)
    indivisible = allowed.forbid_isolate and allowed.maximum % allowed.multiple_of != 0
    if vectorized or indivisible or allowed.minimum == 1 or allowed.minimum > allowed.multiple_of:
        return allowed.minimum
    return allowed.multiple_of


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
