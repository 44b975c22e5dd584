"""Two sweeps over the same cases: what was fixed between them, what was broken, what changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.analysis.matrix import Cell, Matrix, Place, Share

Change = Literal["fixed", "broken", "changed", "same"]


@dataclass(frozen=True, slots=True)
class Changed:
    """One case with one set of hints, in two sweeps."""

    case: str
    column: str
    change: Change
    before: Cell
    after: Cell
    place: Place  #: in the later one


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between two sweeps, where both have the same case with the same hints."""

    changes: tuple[Changed, ...]  #: but the same ones; fixed first, then broken
    same: int
    before: Share  #: of those that both have
    after: Share
    only_before: int  #: compiles that are over in one of them alone
    only_after: int


def compare(before: Matrix, after: Matrix) -> Comparison:
    """Hold a sweep against an earlier one.

    Cases are the same by their kernel, or else by name; columns by name, or else by hints, whatever
    the version of the compiler. "changed" is another code that is emitted, or another failure.
    """
    rows = _matched(
        [(case.kernel_hash, case.name) for case in before.layout.cases],
        [(case.kernel_hash, case.name) for case in after.layout.cases],
    )
    columns = _matched(
        [(column.name, column.hints.digest) for column in before.layout.columns],
        [(column.name, column.hints.digest) for column in after.layout.columns],
    )
    found: list[Changed] = []
    for here, there in rows.items():
        for across, back in columns.items():
            one, other = before.cells[there, back], after.cells[here, across]
            if one.over and other.over:
                case, column = after.layout.cases[here], after.layout.columns[across]
                kind = _change(one, other)
                found.append(Changed(case.name, column.name, kind, one, other, (here, across)))
    order: Sequence[Change] = ("fixed", "broken", "changed")
    differing = [each for kind in order for each in found if each.change == kind]
    return Comparison(
        tuple(differing),
        len(found) - len(differing),
        Share(sum(each.before.compiles for each in found), len(found)),
        Share(sum(each.after.compiles for each in found), len(found)),
        sum(each.over for each in before.cells.values()) - len(found),
        sum(each.over for each in after.cells.values()) - len(found),
    )


def _matched(before: Sequence[tuple[str, str]], after: Sequence[tuple[str, str]]) -> dict[int, int]:
    """For each of the later ones its place among the earlier: by the first name, else the second.

    Each of the earlier ones is taken once.
    """
    found: dict[int, int] = {}
    taken: set[int] = set()
    for which in (0, 1):
        for at, names in enumerate(after):
            if at in found:
                continue
            same = (
                there
                for there, others in enumerate(before)
                if there not in taken and others[which] == names[which]
            )
            if (there := next(same, None)) is not None:
                found[at] = there
                taken.add(there)
    return found


def _change(before: Cell, after: Cell) -> Change:
    if before.compiles != after.compiles:
        return "fixed" if after.compiles else "broken"
    if before.compiles:
        return "same" if before.code == after.code else "changed"
    return "same" if before.kind == after.kind else "changed"
