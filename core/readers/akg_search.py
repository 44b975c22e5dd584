"""AKG's search log, poly/tiling.log: what limits each axis, and the tiles that the search proposes.

The code does not always use these: see akg_tiling.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.trace import Constraints

_AXIS = re.compile(
    r"^\| Axis \(0x[0-9a-f]+\) (\d+)_(\d+)\|.*?"
    r"\| L1 Tile \[([^,\]]*),([^\]]*)\].*?\| Align to = ([^|]*)\|.*?"
    r"\| Forbid isolate = (\d+)\| Multi-core support = (\d+)\| Priority = (-?\d+)"
    r"\| Loops : \{([^}]*)\}[^\n]*\n"
    r"(?:\| Attrs:\{([^}]*)\} \|$)?",
    re.MULTILINE,
)
_ATTRIBUTE = re.compile(r"\(([^()]*)\)")
_NUMBER = re.compile(r"(?:\(u?int\d+\))?(-?\d+)")
#: The search takes an axis up; the tile that it settles on where the axis fits at all.
_SEARCHED = re.compile(r"^(?:(Begin) ::: mem ok|final factor (\d+)$)", re.MULTILINE)
#: The same of the other search, which solves inequalities instead of trying tiles.
_SOLVED = re.compile(
    r"^Start to solve tiling_var T1_(\d+)_(\d+)$|^\[Static shape final factor\]:.*-> (\d+)$",
    re.MULTILINE,
)


_LINES = re.compile(
    r"^Begin ::: mem ok = (?P<fits>\d) dev (?P<slack>-?\d+)$"
    r"|^start to tile from (?P<first>\d+) to (?P<last>\d+)$"
    r"|factor (?P<tried>\d+) has (?P<left>-?\d+) deviation, update to (?P<whole>no )?isolate factor"
    r"|factor (?P<over>\d+) exceed memory"
    r"|^ ?proposal range \((?P<low>-?\d+), (?P<high>-?\d+)\)"
    r"|^--> Adjust tiling factor (?P<from>\d+) to (?P<to>\d+) if valid\((?P<valid>\d)\) and "
    r"efficient\((?P<efficient>\d)\)"
    r"|^This axis is (?P<single>not suitable for multicore)"
    r"|^final factor (?P<final>\d+)$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Try:
    """One tile that the classic search tried."""

    tile: int
    slack_bytes: int | None  #: of its estimate to what it may take; None where it takes more
    divides: bool  #: the extent is a multiple of it, so no smaller tile is left at the end


@dataclass(frozen=True, slots=True)
class Search:
    """How the classic search settled on one tile."""

    band: int
    axis: int
    level: str  #: "outer", or "L0" in the second round of a cube kernel
    fits: bool  #: the smallest tile fits, so larger ones are tried; else it stays with that
    slack_bytes: int | None  #: at the smallest tile; None where that takes more than it may
    first: int | None  #: smallest tile tried
    last: int | None  #: largest that it would try
    tries: tuple[Try, ...]
    exceeded: int | None  #: the tile that took too much, which ended it
    proposed: tuple[int, int] | None  #: what the rule for several cores proposes: from, to
    adjusted: tuple[int, int] | None  #: for the cores' sake: from, to; None where it stayed
    several_cores: bool  #: False where the log calls the axis unsuitable for them
    final: int | None


@dataclass(frozen=True, slots=True)
class Limits:
    """What tiling.log says of one axis."""

    constraints: Constraints | None
    loops: tuple[str, ...]


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
    return _search_results(text, limits) or _solver_results(text, limits), limits


def read_search(text: str) -> tuple[Search, ...]:
    """What the classic search tried, in its order; () where it did not run, or in another way.

    It goes over axes as `_search_results` says. Which axis a part of the log is about, the log
    does not say: that follows from the order.
    """
    limits = read_tiling_log(text)[1]
    found: list[dict[str, object]] = []
    tries: list[list[Try]] = []
    for match in _LINES.finditer(text):
        said = {name: value for name, value in match.groupdict().items() if value is not None}
        if "fits" in said:
            found.append(dict(said))
            tries.append([])
        elif not found:
            continue
        elif "tried" in said:
            tries[-1].append(Try(int(said["tried"]), int(said["left"]), "whole" in said))
        else:
            found[-1].update(said)
    places = _places(limits, [each.get("final") is not None for each in found], "(GEMM:" in text)
    return tuple(
        _search(*place, each, tried)
        for place, each, tried in zip(places, found, tries, strict=False)
    )


def _places(
    limits: Mapping[tuple[int, int], Limits], settled: list[bool], cube: bool
) -> list[tuple[int, int, str]]:
    """Band, axis and level of each part of a log, where `settled` says that a search ended."""
    order: dict[int, list[tuple[int, int]]] = {}
    for (band, axis), limit in limits.items():
        if band >= 0 and limit.constraints:
            order.setdefault(band, []).append((limit.constraints.priority, axis))
    rounds = [(band, "outer") for band in sorted(order)]
    if cube:
        rounds = [(band, level) for band in sorted(order) for level in ("outer", "L0")]
    places: list[tuple[int, int, str]] = []
    for at, (band, level) in enumerate(rounds):
        for _, axis in sorted(order[band], reverse=True):
            if len(places) == len(settled):
                return places
            places.append((band, axis, level))
            if settled[len(places) - 1] and at + 1 < len(rounds):
                break
    return places


def _search(
    band: int, axis: int, level: str, said: Mapping[str, object], tries: list[Try]
) -> Search:
    number = {name: int(str(v)) for name, v in said.items() if str(v).lstrip("-").isdigit()}
    slack = number.get("slack", -1)
    accepted = number.get("valid") == 1 and number.get("efficient") == 1
    changed = "to" in number and accepted and number["from"] != number["to"]
    return Search(
        band,
        axis,
        level,
        fits=number.get("fits") == 1,
        slack_bytes=slack if slack >= 0 else None,
        first=number.get("first"),
        last=number.get("last"),
        tries=tuple(tries),
        exceeded=number.get("over"),
        proposed=(number["low"], number["high"]) if "low" in number else None,
        adjusted=(number["from"], number["to"]) if changed else None,
        several_cores="single" not in said,
        final=number.get("final"),
    )


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


def _solver_results(
    text: str, limits: Mapping[tuple[int, int], Limits]
) -> dict[tuple[int, int], int]:
    """The outer tiles that the search by inequalities settled on (InequalitySolver)."""
    found: dict[tuple[int, int], int] = {}
    place: tuple[int, int] | None = None
    for match in _SOLVED.finditer(text):
        if match[1]:
            place = (int(match[1]), int(match[2]))
        elif place is not None:
            found[place] = int(match[3])
            place = None
    if found:
        for fixed, limit in limits.items():
            allowed = limit.constraints
            if fixed[0] >= 0 and allowed and allowed.minimum == allowed.maximum:
                found.setdefault(fixed, allowed.maximum)
    return found


def _smallest(allowed: Constraints) -> int:
    """The tile at which the search begins (IsTilable in tiling_solver.cc)."""
    vectorized = any(mark.startswith("VECTORIZED") for mark in allowed.attributes)
    indivisible = allowed.forbid_isolate and allowed.maximum % allowed.multiple_of != 0
    if vectorized or indivisible or allowed.minimum == 1 or allowed.minimum > allowed.multiple_of:
        return allowed.minimum
    return allowed.multiple_of
