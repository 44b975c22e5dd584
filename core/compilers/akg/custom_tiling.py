"""Constraints that a user puts on AKG's classic search of tiles, as one text.

Each is a name of AKG's own (`TileConstraint` in akg/utils/custom_tiling.py), an axis as band.axis,
and a number: "MAX 0.0 8, SET_MEM_RATIO 0.9". The search alone reads them: not the symbolic tiler,
and not where the tiles are given.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.hints import HintError

#: What AKG takes on an axis, and what was seen of each.
ON_AXES = ("MIN", "MAX", "MOD", "FACTOR", "CANDIDATE", "FORBID_ISOLATE", "SET_PRIORITY")
MEMORY_RATIO = "SET_MEM_RATIO"
_ENTRY = re.compile(r"(\w+)\s+(?:(\d{1,2})\.)?(\d{1,2})\s+(\d{1,9})")
_RATIO = re.compile(rf"{MEMORY_RATIO}\s+(0?\.\d{{1,6}}|1(?:\.0*)?)")
_EXAMPLE = "write them as in MAX 0.0 8, SET_MEM_RATIO 0.9"


@dataclass(frozen=True, slots=True)
class Constraint:
    """One constraint; of the memory ratio, which is of no axis, `ratio` alone counts."""

    name: str
    band: int = 0
    axis: int = 0
    value: int = 0
    ratio: float = 0.0


def parse_constraints(text: str) -> tuple[Constraint, ...]:
    """Read constraints with commas or semicolons between. Raises HintError naming the entry."""
    found = []
    for entry in filter(None, (part.strip() for part in re.split(r"[,;]", text))):
        ratio = _RATIO.fullmatch(entry)
        if ratio and float(ratio[1]) > 0:
            found.append(Constraint(MEMORY_RATIO, ratio=float(ratio[1])))
            continue
        named = _ENTRY.fullmatch(entry)
        if named is None or named[1] not in ON_AXES:
            raise HintError(
                f"custom_tiling entry {entry!r} is none of {', '.join(ON_AXES)} with band.axis and "
                f"a number, nor {MEMORY_RATIO} with a part of 1; {_EXAMPLE}."
            )
        found.append(Constraint(named[1], int(named[2] or 0), int(named[3]), int(named[4])))
    if not found:
        raise HintError(f"custom_tiling holds no constraint; {_EXAMPLE}.")
    return tuple(found)


def nodes(constraints: Sequence[Constraint]) -> list[Any]:
    """The constraints as objects of AKG, which must be loaded in this process."""
    ours: Any = importlib.import_module("akg.utils.custom_tiling")
    made: list[Any] = []
    for each in constraints:
        what = ours.TileConstraint[each.name]
        if each.name == MEMORY_RATIO:
            made.append(ours.modify_common_constraints(value=each.ratio, constraint=what))
        else:
            made += ours.create_constraint_on_axis(
                values=each.value, constraints=what, band=each.band, axis=each.axis
            )
    return made
