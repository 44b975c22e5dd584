"""The tiles that an AKG kernel uses, and who chose them.

AKG has two tilers. The classic search writes poly/tiling.log; by default (AKG 1.9 and later) the
symbolic one then chooses again, without a log. What the code uses is in poly/scop.log either way:
its section `dim_infos` lists band, axis and the two tiles, and its `schedule attrs` the `dim` text
that was handed in, empty where AKG tiled by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
_SEARCHED = re.compile(
    r"^(Begin) ::: mem ok"
    r"|^start to tile from \d+ to (\d+)"
    r"|\[Data within axis (\d+)_(\d+)\]"
    r"|^final factor (\d+)"
    r"|^MakeC1C0Consistency: axis ([a-z]+)(\d+) ->",
    re.MULTILINE,
)
_GEMM = re.compile(r"GEMM:(\w+)")


@dataclass(frozen=True, slots=True)
class Used:
    """One entry of dim_infos, as the compiler wrote it."""

    band: int
    label: str
    c1: int
    c0: int


@dataclass(frozen=True, slots=True)
class UnitTiling:
    """The tiling of one sub-kernel."""

    unit: str
    axes: tuple[Axis, ...]
    origin: Origin
    dim: str  #: what the compiler was handed
    unread: tuple[Used, ...]  #: entries for which there is no axis
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
        unit, tuple(axes), origin, dim, tuple(unread), {b: len(m) for b, m in bands.items()}
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
        name=entry.label if entry and not dim else str(number),
        loops=member.loops if member else limits.loops if limits else (),
        extent=extent,
        tile=tile,
        tile_l0=tile_l0,
        origin="whole" if whole and not asked else origin,
        searched=searched,
        constraints=limits.constraints if limits else None,
        unit=unit,
    )


def _tiler(
    by_band: Mapping[int, Sequence[Used]], searched: Mapping[tuple[int, int], int]
) -> Origin:
    """Who chose, where only the figures can tell: the search, unless it says something else."""
    for (band, axis), tile in searched.items():
        entries = by_band.get(band, ())
        if axis < len(entries) and entries[axis].c1 != tile:
            return "symbolic"
    return "search" if searched else "unknown"


def read_tiling_log(text: str) -> tuple[dict[tuple[int, int], int], dict[tuple[int, int], Limits]]:
    """By band and axis: the outer tile that the search settled on, and what constrained it."""
    limits: dict[tuple[int, int], Limits] = {}
    names: dict[str, tuple[int, int]] = {}
    searched: list[tuple[int, int, tuple[int, int], int]] = []  # band, priority, place, largest
    for match in _AXIS.finditer(text):
        band, axis, least, most, align, isolate, multicore, priority, loops, marks = match.groups()
        place = (int(band), int(axis))
        attributes = tuple(dict.fromkeys(_ATTRIBUTE.findall(marks or "")))
        figures = [_NUMBER.fullmatch(each.strip()) for each in (least, most, align)]
        constraints = None
        if all(figures):
            low, high, multiple = (int(f[1]) for f in figures if f)
            constraints = Constraints(
                low, high, multiple, int(priority), isolate == "1", multicore == "1", attributes
            )
            if low < high:
                searched.append((place[0], int(priority), place, high))
        limits[place] = Limits(
            constraints, tuple(dict.fromkeys(name for name in loops.split(",") if name))
        )
        names.update((name, place) for name in _GEMM.findall(marks or ""))
    order = [(place, high) for _, _, place, high in sorted(searched)]
    return _search_results(text, order, names), limits


def _search_results(
    text: str,
    order: Sequence[tuple[tuple[int, int], int]],
    names: Mapping[str, tuple[int, int]],
) -> dict[tuple[int, int], int]:
    """The outer tiles that `final factor` lines give.

    The search goes over the axes of a band by priority, leaving out those with one possible tile:
    it begins with each, and ends with the first that fits. It names the axis only sometimes, but
    the upper end of its range is that axis's largest tile. For a cube kernel a second round over
    the L0 tiles follows, which says what the outer tiles of mo and no became. (TraverseSolver in
    src/poly/tiling/tiling_solver.cc; checked against compiles with SYMBOLIC_TILING=0, whose code
    uses what the search found.)
    """
    found: dict[tuple[int, int], int] = {}
    at = -1
    upper: int | None = None
    named: tuple[int, int] | None = None
    for match in _SEARCHED.finditer(text):
        begins, high, band, axis, factor, gemm, outer = match.groups()
        if begins:
            at, upper, named = at + 1, None, None
        elif high:
            upper = int(high)
        elif band:
            named = (int(band), int(axis))
        elif gemm and gemm in names:
            found.setdefault(names[gemm], int(outer))
        elif factor and upper is not None:
            while at < len(order) and not (order[at][1] == upper and named in (None, order[at][0])):
                at += 1
            if at < len(order):
                found.setdefault(order[at][0], int(factor))
            upper = None
    return found


def describe(units: Iterable[UnitTiling]) -> str:
    """One sentence on who decided, "" where nothing was tiled."""
    tiled = [unit for unit in units if unit.axes]
    if not tiled:
        return ""
    if len(tiled) > 1:
        by: dict[Origin, list[str]] = {}
        for unit in tiled:
            by.setdefault(unit.origin, []).append(unit.unit)
        told = "; ".join(f"{_WHO[origin]} for {', '.join(names)}" for origin, names in by.items())
        return f"The tiles were chosen by {told}."
    unit = tiled[0]
    chosen = " × ".join(f"{axis.tile:,}" for axis in unit.axes)
    sentence = f"{_WHO[unit.origin][0].upper()}{_WHO[unit.origin][1:]} chose {chosen}"
    searched = [axis for axis in unit.axes if axis.searched is not None]
    if unit.origin != "symbolic" or not searched:
        return f"{sentence}."
    differing = [axis for axis in searched if axis.searched != axis.tile]
    if not differing:
        return f"{sentence}; the search log says the same."
    says = ", ".join(
        f"{axis.searched:,}" + (f" for axis {axis.name}" if len(unit.axes) > 1 else "")
        for axis in differing
    )
    return f"{sentence}; the search log says {says}, which is not what the code uses."


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
