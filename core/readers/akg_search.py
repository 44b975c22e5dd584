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
