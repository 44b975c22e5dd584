"""The cells of a matrix as one table for other programs: CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping

from core.analysis.matrix import Layout, Matrix

#: The columns of a table of all compiles, with what each says. Sizes stand behind `case`.
CSV_COLUMNS: Mapping[str, str] = {
    "case": "the shape, as it was given",
    "hints": "name of the set of hints",
    "asked": "the hints themselves, name=value, separated by spaces",
    "compiler": "its name",
    "version": "its version",
    "state": "compiles, fails, lost (there never will be a compile), running, queued, cancelled",
    "status": "how the compile ended: ok, ok_to_last_step, failed, crashed, timed_out",
    "signature": "id of the kind of failure; empty where it is of no known kind",
    "failure": "the kind of failure in a few words",
    "pass": "the pass that failed, or after which the compiler stopped",
    "said": "the compiler's words",
    "memory": "the memory that is fullest",
    "peak_bytes": "what its plan needs at most",
    "occupancy": "peak by capacity, 1 is full",
    "cores": "as the compiler wrote them down",
    "cycles": "least time of the emitted code, an estimate",
    "per": "what the cycles are for: a whole run, or each KiB that is written",
    "best": "1 at the best compile of its case, else empty",
    "seconds": "that the compile took",
    "trace": "id of the whole trace in the library, where it is kept",
}


def csv_rows(matrix: Matrix) -> list[dict[str, object]]:
    """One row a cell, row by row of the matrix; the keys are `CSV_COLUMNS` and the sizes' names."""
    names = size_names(matrix.layout)
    best = {(row, column) for row, column in matrix.best.items()}
    rows = []
    for (row, column), each in matrix.cells.items():
        case, asked = matrix.layout.cases[row], matrix.layout.columns[column]
        cost = each.candidate
        flat = asked.hints.as_dict()
        values: Iterable[object] = (
            asked.name,
            " ".join(f"{name}={value}" for name, value in flat.items()),
            asked.compiler,
            asked.version,
            each.verdict,
            each.status.value if each.status else "",
            each.signature,
            each.title,
            each.place,
            each.said,
            cost.memory if cost else "",
            each.peak_bytes,
            None if cost is None or cost.occupancy is None else round(cost.occupancy, 4),
            cost.cores if cost else None,
            None if cost is None or cost.time is None else round(cost.time, 1),
            cost.per if cost and cost.time is not None else "",
            1 if (row, column) in best else None,
            None if each.seconds is None else round(each.seconds, 3),
            each.whole or "",
        )
        sizes = {name: case.sizes.get(name) for name in names}
        rows.append(
            {"case": case.name, **sizes, **dict(zip(list(CSV_COLUMNS)[1:], values, strict=True))}
        )
    return rows


def size_names(layout: Layout) -> tuple[str, ...]:
    """The dimensions that the cases name, in the order in which they do, but those that are called
    as a column of the table is."""
    names = dict.fromkeys(name for case in layout.cases for name in case.sizes)
    return tuple(name for name in names if name not in CSV_COLUMNS)


def csv_text(matrix: Matrix) -> str:
    """All cells as CSV, in UTF-8 with a line of names; what is not known is empty."""
    file = io.StringIO()
    names = ["case", *size_names(matrix.layout), *list(CSV_COLUMNS)[1:]]
    writer = csv.DictWriter(file, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(csv_rows(matrix))
    return file.getvalue()
