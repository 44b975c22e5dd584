"""Which cases of a kernel compile with which hints: one row a case, one column a set of hints.

A case is the kernel in one of its shapes. A column may name a version of the compiler as well. The
share of cases that compile with a column is its pass rate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.analysis.matrix.cells import WAITING, Cell, cell
from core.analysis.matrix.layout import (
    Case,
    Column,
    Key,
    Layout,
    LayoutError,
    Place,
    is_matrix,
    laid_out,
)
from core.analysis.rank import ranked

__all__ = [
    "Case",
    "Cell",
    "Column",
    "Group",
    "Key",
    "Layout",
    "LayoutError",
    "Matrix",
    "Place",
    "Rate",
    "Share",
    "cell",
    "is_matrix",
    "laid_out",
]


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    part: int
    whole: int

    @property
    def value(self) -> float | None:
        return self.part / self.whole if self.whole else None

    def __str__(self) -> str:
        return f"{self.part / self.whole * 100:.0f} %" if self.whole else "–"


@dataclass(frozen=True, slots=True)
class Rate:
    """How many cases compile with a column, of those whose compile is over."""

    passes: Share
    #: The same two of the cases that are over in the first column as well.
    first: Share  #: with the first column
    here: Share  #: with this one
    fixed: int  #: cases that compile here and not in the first column
    broken: int  #: the reverse

    @property
    def text(self) -> str:
        """ "62 % → 94 %": from the first column to this one; the rate alone where it is the first
        or nothing compares."""
        if not self.first.whole:
            return str(self.passes)
        return f"{self.first} → {self.here}"


@dataclass(frozen=True, slots=True)
class Group:
    """Cases that fail in one way."""

    kind: str  #: fingerprint
    signature: str  #: id; "" where it is of no known kind
    title: str
    said: str  #: of the first
    places: tuple[Place, ...]
    example: Place  #: one whose whole trace is kept, else the first


class Matrix:
    """The cells of a layout, and what they say together."""

    def __init__(self, layout: Layout, cells: Mapping[Key, Cell]) -> None:
        """`cells` by what a compile is known by; those that are missing wait."""
        self.layout = layout
        rows, columns = range(len(layout.cases)), range(len(layout.columns))
        self.cells: Mapping[Place, Cell] = {
            (row, column): cells.get(layout.key((row, column)), WAITING)
            for row in rows
            for column in columns
        }

    def row(self, row: int) -> tuple[Cell, ...]:
        return tuple(self.cells[row, column] for column in range(len(self.layout.columns)))

    def column(self, column: int) -> tuple[Cell, ...]:
        return tuple(self.cells[row, column] for row in range(len(self.layout.cases)))

    @cached_property
    def over(self) -> bool:
        return all(each.over or each.verdict == "cancelled" for each in self.cells.values())

    @cached_property
    def rates(self) -> tuple[Rate, ...]:
        """The pass rate of each column, and how it compares with the first."""
        first = self.column(0)
        return tuple(_rate(first, self.column(at), at) for at in range(len(self.layout.columns)))

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """What fails, by the way in which it does; the most frequent first."""
        found: dict[str, list[Place]] = {}
        for place, each in self.cells.items():
            if each.fails:
                found.setdefault(each.kind, []).append(place)
        made = [self._group(kind, places) for kind, places in found.items()]
        return tuple(sorted(made, key=lambda group: (-len(group.places), group.title)))

    def _group(self, kind: str, places: Sequence[Place]) -> Group:
        first = self.cells[places[0]]
        example = next((at for at in places if self.cells[at].whole), places[0])
        return Group(kind, first.signature, first.title, first.said, tuple(places), example)

    @cached_property
    def best(self) -> Mapping[int, int]:
        """For each row that compiles at all, the best column: least time, then as `rank` breaks
        ties; the first of equals."""
        found: dict[int, int] = {}
        for row in range(len(self.layout.cases)):
            costs = [
                (each.candidate, at) for at, each in enumerate(self.row(row)) if each.candidate
            ]
            places = {id(candidate): at for candidate, at in reversed(costs) if candidate}
            order = ranked([candidate for candidate, _ in costs if candidate])
            if order:
                found[row] = min(places[id(r.candidate)] for r in order if r.place == 1)
        return found

    @cached_property
    def always(self) -> Share:
        """Cases that compile with some column, of those of which all or one that does is over."""
        rows = [self.row(at) for at in range(len(self.layout.cases))]
        known = [r for r in rows if any(c.compiles for c in r) or all(c.over for c in r)]
        return Share(sum(any(c.compiles for c in r) for r in known), len(known))


def _rate(first: Sequence[Cell], column: Sequence[Cell], at: int) -> Rate:
    over = [each for each in column if each.over]
    passes = Share(sum(each.compiles for each in over), len(over))
    if at == 0:
        return Rate(passes, Share(0, 0), Share(0, 0), 0, 0)
    both = [(a, b) for a, b in zip(first, column, strict=True) if a.over and b.over]
    return Rate(
        passes,
        Share(sum(a.compiles for a, _ in both), len(both)),
        Share(sum(b.compiles for _, b in both), len(both)),
        sum(b.compiles and not a.compiles for a, b in both),
        sum(a.compiles and not b.compiles for a, b in both),
    )
