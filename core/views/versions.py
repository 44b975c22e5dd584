"""What several versions of a compiler made of one kernel, as a table of texts."""

from __future__ import annotations

from core.analysis.versions import Row, Versions
from core.trace import Status
from core.views.marks import status_mark
from core.views.wording import count, middle

COLUMNS = (
    "version",
    "result",
    "tiles",
    "memory, bytes",
    "cores",
    "instructions",
    "passes added",
    "passes gone",
)
_LONGEST = 200


def table_rows(table: Versions, states: dict[str, str]) -> list[list[str]]:
    """A row for each version; `states` says of those that are not over how far they are."""
    return [_row(table, row, states.get(row.version, "")) for row in table.rows]


def _row(table: Versions, row: Row, state: str) -> list[str]:
    reference = row.version == table.reference
    return [
        f"{row.version}{', of this trace' if reference else ''}",
        state or _result(row),
        row.tiling,
        ", ".join(f"{memory} {count(peak)}" for memory, peak in row.memory),
        count(row.cores) if row.cores else "",
        count(row.instructions) if row.instructions else "",
        "" if reference else _names(row.added),
        "" if reference else _names(row.removed),
    ]


def _result(row: Row) -> str:
    if row.status is None:
        return row.failure or "not tried"
    word = status_mark(Status(row.status)).word
    if row.same_code:
        word += ", the same code"
    return middle(f"{word}: {row.failure}", _LONGEST) if row.failure else word


def _names(passes: tuple[str, ...]) -> str:
    return ", ".join(passes)
