"""What was measured, and the one table of it."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table."""

    what: str
    baseline: str  #: what it is held against, with its figure
    measured: str
    ratio: float | None  #: above 1 = more than the baseline; None where that means nothing
    aim: str = ""  #: "" where nobody set one
    met: bool | None = None  #: None where there is no aim


def table(figures: Sequence[Figure]) -> str:
    """The figures as text, a line each."""
    rows = [("what", "baseline", "measured", "ratio", "aim", "")]
    for figure in figures:
        ratio = "" if figure.ratio is None else f"{figure.ratio:.2f} x"
        verdict = "" if figure.met is None else "met" if figure.met else "NOT MET"
        rows.append((figure.what, figure.baseline, figure.measured, ratio, figure.aim, verdict))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def percentile(values: Sequence[float], part: float) -> float:
    """The smallest value that at least this part (0 to 1) of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, -(-len(ordered) * part // 1).__int__() - 1))]


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:,.0f} ms" if seconds >= 0.1 else f"{seconds * 1000:,.1f} ms"


def mebibytes(size: float) -> str:
    return f"{size / (1 << 20):,.1f} MiB"
