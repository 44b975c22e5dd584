"""A sweep over shapes as tables: outcomes by case and hints, pass rates, ways to fail, changes."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import pandas as pd

from core.analysis.matrix import Cell, Matrix, Place
from core.analysis.matrix.comparison import Comparison
from core.trace import Status
from core.views import palette
from core.views.marks import status_mark
from core.views.ranking import occupancy_text, time_text
from core.views.wording import count, count_of, percent

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

CASE = "case"  #: the column that names a row
BEST = "★"
#: Which rows are shown, by what makes them worth a look.
Which = Literal["all", "fail somewhere", "differ", "fail everywhere"]
WHICH: tuple[Which, ...] = ("all", "fail somewhere", "differ", "fail everywhere")

_SIGN: Mapping[str, str] = {
    "compiles": "✓",
    "fails": "✕",
    "lost": "⊘",
    "running": "…",
    "queued": "·",
    "cancelled": "–",
}
_CRASHED, _TIMED_OUT = "⚡", "◔"
_TINT: Mapping[str, str] = {
    "compiles": f"{palette.STATUS['ok']}40",
    "fails": f"{palette.STATUS['failed']}33",
    "lost": f"{palette.NEUTRAL}33",
}
_CRASH_TINT = f"{palette.STATUS['crashed']}5c"
_CHANGES = {"fixed": "✓ fixed", "broken": "✕ broken", "changed": "≠ changed"}


def letters(matrix: Matrix) -> Mapping[str, str]:
    """A short name for each way to fail, by its kind: A, B … Z, AA …; the most frequent first."""
    return {group.kind: _letter(at) for at, group in enumerate(matrix.groups)}


def _letter(at: int) -> str:
    return (_letter(at // 26 - 1) if at >= 26 else "") + chr(ord("A") + at % 26)


def sign(cell: Cell) -> str:
    """How a cell ended, as one character that needs no colour."""
    if cell.status is Status.CRASHED:
        return _CRASHED
    if cell.status is Status.TIMED_OUT:
        return _TIMED_OUT
    return _SIGN[cell.verdict]


def cell_text(cell: Cell, letter: str = "", best: bool = False) -> str:
    """A cell in a few characters: "✓ UB 45 % ★", "✕ A"."""
    said = letter
    if cell.candidate is not None:
        said = occupancy_text(cell.candidate)
        said = "" if said == "–" else said
    return " ".join(part for part in (sign(cell), said, BEST if best else "") if part)


def rows_of(matrix: Matrix, which: Which, words: str = "") -> list[int]:
    """The rows to show, with every one of these words in their names."""
    wanted = words.lower().split()
    found = []
    for at, case in enumerate(matrix.layout.cases):
        row = matrix.row(at)
        fails, compiles = any(c.fails for c in row), any(c.compiles for c in row)
        shown = {
            "all": True,
            "fail somewhere": fails,
            "differ": fails and compiles,
            "fail everywhere": fails and all(c.fails for c in row),
        }[which]
        if shown and all(word in case.name.lower() for word in wanted):
            found.append(at)
    return found


def matrix_table(matrix: Matrix, rows: Sequence[int]) -> pd.DataFrame:
    """A line a case, a column a set of hints."""
    known, best = letters(matrix), matrix.best
    data: dict[str, list[str]] = {CASE: [matrix.layout.cases[row].name for row in rows]}
    for at, column in enumerate(matrix.layout.columns):
        data[heading(column.name)] = [
            cell_text(cell, known.get(cell.kind, ""), best.get(row) == at)
            for row in rows
            for cell in [matrix.cells[row, at]]
        ]
    return pd.DataFrame(data, dtype=object)


def heading(column: str) -> str:
    """A set of hints as a column is called: none is called as the one that names the row."""
    return f"{column} " if column == CASE else column


def styled(frame: pd.DataFrame, matrix: Matrix, rows: Sequence[int]) -> Styler:
    """The same with a tint that repeats what the signs say."""
    tints = pd.DataFrame("", index=frame.index, columns=frame.columns)
    for across, column in enumerate(matrix.layout.columns):
        tints[heading(column.name)] = [_tint(matrix.cells[row, across]) for row in rows]
    return frame.style.apply(lambda _: tints, axis=None)


def _tint(cell: Cell) -> str:
    colour = _CRASH_TINT if cell.status is Status.CRASHED else _TINT.get(cell.verdict, "")
    return f"background-color: {colour}" if colour else ""


def hover_text(matrix: Matrix, place: Place) -> str:
    """A cell in a sentence: how it ended, where, what it costs."""
    cell = matrix.cells[place]
    if cell.verdict == "lost":
        return cell.said
    if cell.status is None:
        return {"running": "compiling", "queued": "waits", "cancelled": "was stopped"}[cell.verdict]
    word = status_mark(cell.status).word
    if cell.candidate is None:
        where = "" if not cell.place else f" {cell.place}"
        where = where if cell.place.startswith("after") or not where else f" in{where}"
        return f"{word}{where}: {cell.said}" if cell.said else f"{word}{where}"
    cost = cell.candidate
    parts = [word, occupancy_text(cost), time_text(cost)]
    if cost.cores:
        parts.append(f"{count(cost.cores)} {'core' if cost.cores == 1 else 'cores'}")
    return ", ".join(part for part in parts if part != "–")


def rates_html(matrix: Matrix) -> str:
    """The pass rate of each column as a bar with its figures; the first is what others add to."""
    lines = []
    for column, rate in zip(matrix.layout.columns, matrix.rates, strict=True):
        value = rate.passes.value or 0.0
        asked = " ".join(f"{k}={v}" for k, v in column.hints.as_dict().items()) or "no hints"
        title = f"{asked} · {column.compiler} {column.version}"
        of = f"{count(rate.passes.part)} of {count(rate.passes.whole)}"
        change = ", ".join(
            f"{count(number)} {word}"
            for number, word in ((rate.fixed, "more"), (rate.broken, "no longer"))
            if number
        )
        behind = f" · {change}" if change else ""
        lines.append(
            f'<tr title="{html.escape(title)}"><td>{html.escape(column.name)}</td>'
            f'<td class="ts-rate"><b>{html.escape(rate.text)}</b></td>'
            f'<td class="ts-wide"><span class="ts-bar"><i style="width:{value * 100:.1f}%;'
            f'background:{palette.STATUS["ok"]}"></i></span></td>'
            f'<td class="ts-of">{of}{behind}</td></tr>'
        )
    return f'<table class="ts-table ts-rates"><tbody>{"".join(lines)}</tbody></table>'


def groups_table(matrix: Matrix) -> pd.DataFrame:
    """Ways to fail, the most frequent first."""
    known = letters(matrix)
    return pd.DataFrame(
        [
            {
                "": f"{sign(matrix.cells[group.places[0]])} {known[group.kind]}",
                "cases": len(group.places),
                "what": group.title,
                "in": matrix.cells[group.example].place,
                "first": where_text(matrix, group.example),
                "said": group.said,
            }
            for group in matrix.groups
        ],
        columns=["", "cases", "what", "in", "first", "said"],
        dtype=object,
    )


def where_text(matrix: Matrix, place: Place) -> str:
    """The case and the hints of a cell."""
    case, column = matrix.layout.cases[place[0]], matrix.layout.columns[place[1]]
    return f"{case.name} · {column.name}" if len(matrix.layout.columns) > 1 else case.name


def changes_table(comparison: Comparison) -> pd.DataFrame:
    """What differs between two sweeps: fixed first, then broken, then changed."""
    return pd.DataFrame(
        [
            {
                "": _CHANGES[each.change],
                "case": each.case,
                "hints": each.column,
                "before": _short(each.before),
                "after": _short(each.after),
            }
            for each in comparison.changes
        ],
        columns=["", "case", "hints", "before", "after"],
        dtype=object,
    )


def _short(cell: Cell) -> str:
    if cell.candidate is None:
        return f"{sign(cell)} {cell.title}"
    parts = [occupancy_text(cell.candidate), time_text(cell.candidate)]
    return f"{sign(cell)} {', '.join(p for p in parts if p != '–')}"


def comparison_text(comparison: Comparison) -> str:
    """Two sweeps in a sentence."""
    parts = [
        f"{comparison.before} → {comparison.after} of "
        f"{count(comparison.after.whole)} that both have"
    ]
    for word in ("fixed", "broken", "changed"):
        number = sum(each.change == word for each in comparison.changes)
        if number:
            parts.append(f"{count(number)} {word}")
    parts.append(f"{count(comparison.same)} the same")
    for number, which in ((comparison.only_before, "earlier"), (comparison.only_after, "later")):
        if number:
            parts.append(f"{count(number)} only in the {which}")
    return ", ".join(parts)


def summary_text(matrix: Matrix) -> str:
    """The whole matrix in a sentence."""
    cells = matrix.cells.values()
    over = sum(each.over for each in cells)
    cases, columns = len(matrix.layout.cases), len(matrix.layout.columns)
    said = f"{count_of(cases, 'shape')} × {count_of(columns, 'hint set')}"
    if over < len(matrix.cells):
        said += f", {count(over)} of {count(len(matrix.cells))} over"
    served = matrix.always
    if served.whole and len(matrix.layout.columns) > 1:
        share = percent(served.part / served.whole)
        said += f"; {share} of the shapes compile with some set"
    return said


LEGEND = (
    ("✓", "compiles, with the fullest memory"),
    (BEST, "least time of its case, an estimate"),
    ("✕ A", "failed, by the way in which it did"),
    (_CRASHED, "the compiler died"),
    (_TIMED_OUT, "took too long"),
    ("⊘", "could not be asked for"),
)
