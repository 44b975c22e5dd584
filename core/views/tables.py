"""Tables of the pages, as data frames whose columns are named as a person reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from core.analysis.compare import Comparison, MemoryChange
from core.analysis.memory import peak
from core.analysis.tiling import axis_label
from core.ir.instructions import kind
from core.kernel import Kernel
from core.library import TraceRow
from core.trace import Axis, Constraints, MemoryPlan, Status, Trace
from core.views.marks import ORIGIN, status_mark
from core.views.wording import bytes_text, count, middle, percent, tile_text, value_text

#: Status words as the table of traces shows them, with Streamlit's name of their colour.
STATUS_COLOURS: Mapping[str, str] = {status_mark(s).word: status_mark(s).badge for s in Status}


def reports_text(reports: tuple[int, int] | None) -> str:
    """How many reports there are of a trace's code, wrong before slow; "" where none is known."""
    wrong, slow = reports or (0, 0)
    return ", ".join(f"{many} {word}" for many, word in ((wrong, "wrong"), (slow, "slow")) if many)


def traces_table(
    rows: Sequence[TraceRow],
    kernels: Sequence[str],
    reports: Sequence[tuple[int, int] | None] = (),
    failures: Sequence[str] = (),
) -> pd.DataFrame:
    """One row a trace, in the order given; `kernels` names the kernel of each, `reports` says how
    many there are of wrong and of slow code, `failures` in a few words why each failed, "" where
    only the compiler's own are known."""
    return pd.DataFrame(
        {
            "open": [middle(kernel, 32) for kernel in kernels],
            "status": [[status_mark(Status(r.status)).word] for r in rows],
            "checks": [reports_text(r) for r in (reports or [None] * len(rows))],
            "hints": [r.hints if r.hints != "none" else "" for r in rows],
            "memory": [r.limiter or "" for r in rows],
            "occupancy": [None if r.occupancy is None else r.occupancy * 100 for r in rows],
            "changed": [f"{r.changed} of {r.passes}" for r in rows],
            "cores": [count(r.block_dim) if r.block_dim else "" for r in rows],
            "created": pd.to_datetime([r.created for r in rows], utc=True),
            "compiler": [f"{r.compiler}, {r.target}".strip(", ") for r in rows],
            "origin": [r.origin for r in rows],
            "failure": [
                said or r.failure or ""
                for r, said in zip(rows, failures or [""] * len(rows), strict=True)
            ],
        }
    )


def axes_table(trace: Trace) -> pd.DataFrame:
    """One row an axis: what it is, what constrained it, what was chosen and by whom."""
    bands = len({axis.band for axis in trace.tiling.axes})
    cube = any(axis.tile_l0 != axis.tile for axis in trace.tiling.axes)
    rows = []
    for axis in trace.tiling.axes:
        row: dict[str, object] = {
            "axis": axis_label(axis, bands),
            "loops": ", ".join(axis.loops),
            "extent": axis.extent,
            "tile": tile_text(axis.tile, axis.extent),
        }
        if cube:
            row["L0 tile"] = tile_text(axis.tile_l0, axis.extent)
        row["chosen by"] = ORIGIN.get(axis.origin, axis.origin)
        row["search proposed"] = searched(axis)
        row["constraints"] = constraints_text(axis.constraints)
        rows.append(row)
    columns = ["axis", "loops", "extent", "tile", "chosen by", "search proposed", "constraints"]
    return pd.DataFrame(rows, columns=None if rows else columns, dtype=object)


def parameters_table(trace: Trace, kernel: Kernel) -> pd.DataFrame:
    """One row a parameter of the kernel: what this trace has, and what else is worth trying."""
    rows = []
    for parameter in kernel.parameters:
        used = trace.hints.asked.get(parameter.name, parameter.default)
        asked = parameter.name in trace.hints.asked
        rows.append(
            {
                "parameter": parameter.name,
                "value": _value(used),
                "chosen by": ORIGIN["hint"] if asked else "the kernel's default",
                "values to try": " · ".join(map(_value, parameter.values)),
            }
        )
    return pd.DataFrame(rows, columns=["parameter", "value", "chosen by", "values to try"])


def _value(value: object) -> str:
    return value_text(value) if isinstance(value, bool | int | float | str) else str(value)


def searched(axis: Axis) -> str:
    """What the classic search proposed; it is not always what the code uses."""
    if axis.searched is None:
        return ""
    used = "" if axis.searched == axis.tile else ", not used"
    return f"{tile_text(axis.searched, axis.extent)}{used}"


def constraints_text(limits: Constraints | None) -> str:
    """What the compiler's tiler allowed on an axis, in words."""
    if limits is None:
        return ""
    parts = [f"{count(limits.minimum)} to {count(limits.maximum)}"]
    if limits.multiple_of > 1:
        parts.append(f"multiple of {count(limits.multiple_of)}")
    if limits.forbid_isolate:
        parts.append("must divide the extent")
    if not limits.multicore:
        parts.append("one core only")
    return ", ".join(parts)


def buffers_table(plan: MemoryPlan) -> pd.DataFrame:
    """One row a buffer, in address order; culprits are those alive at the peak."""
    culprits = {buffer.name for buffer in peak(plan).culprits}
    capacity = plan.capacity_bytes
    rows = [
        {
            "buffer": b.name,
            "bytes": b.bytes,
            "share": percent(b.bytes / capacity) if capacity else "",
            "offset": b.offset_bytes,
            "type": b.dtype,
            "first use": b.first_use,
            "last use": b.last_use,
            "at the peak": "culprit" if b.name in culprits else "",
            "copy of": b.copy_of,
            "from": b.source,
        }
        for b in sorted(plan.buffers, key=lambda b: (b.offset_bytes or 0, b.name))
    ]
    columns = [
        "buffer", "bytes", "share", "offset", "type",
        "first use", "last use", "at the peak", "copy of", "from",
    ]  # fmt: skip
    # As objects: a column of whole numbers with a gap would turn into fractions.
    return pd.DataFrame(rows, columns=columns, dtype=object)


def culprits_table(trace: Trace) -> pd.DataFrame:
    """One row a buffer that was alive where a memory overflowed, with the kernel's line of it."""
    failure = trace.failure
    available = failure.available_bytes if failure else None
    rows = [
        {
            "buffer": culprit.name,
            "bytes": bytes_text(culprit.bytes),
            "share": percent(culprit.bytes / available) if available else "",
            "from": culprit.source,
        }
        for culprit in (failure.culprits if failure else ())
    ]
    return pd.DataFrame(rows, columns=["buffer", "bytes", "share", "from"])


def memory_changes(changes: Iterable[MemoryChange]) -> pd.DataFrame:
    """Peak of each memory before and after, with what it means for occupancy."""
    rows = [
        {
            "memory": change.memory,
            "before": _bytes(change.before_bytes, change.capacity_bytes),
            "after": _bytes(change.after_bytes, change.capacity_bytes),
            "difference": _difference(change.before_bytes, change.after_bytes, " B"),
        }
        for change in changes
    ]
    return pd.DataFrame(rows, columns=["memory", "before", "after", "difference"])


def tile_changes(comparison: Comparison) -> pd.DataFrame:
    """Tile of each axis before and after; "–" where a trace has no such axis."""
    bands = len({(change.after or change.before).band for change in comparison.tiles  # type: ignore[union-attr]
                 if change.after or change.before})  # fmt: skip
    rows = []
    for change in comparison.tiles:
        axis = change.after or change.before
        assert axis is not None
        rows.append(
            {
                "axis": axis_label(axis, bands),
                "before": _tile(change.before),
                "after": _tile(change.after),
                "chosen by": ORIGIN.get(axis.origin, axis.origin),
                "": "changed" if change.differs else "",
            }
        )
    return pd.DataFrame(rows, columns=["axis", "before", "after", "chosen by", ""])


def instruction_kinds(counts: Mapping[str, int]) -> dict[str, int]:
    """Instructions added up by kind."""
    kinds: dict[str, int] = {}
    for name, number in counts.items():
        kinds[kind(name)] = kinds.get(kind(name), 0) + number
    return kinds


def _tile(axis: Axis | None) -> str:
    if axis is None:
        return "–"
    text = tile_text(axis.tile, axis.extent)
    return text if axis.tile_l0 == axis.tile else f"{text} / {count(axis.tile_l0)}"


def _bytes(number: int | None, capacity: int | None) -> str:
    if number is None:
        return "–"
    return f"{number:,} B" + (f"  {percent(number / capacity)}" if capacity else "")


def _difference(before: int | None, after: int | None, unit: str = "") -> str:
    if before is None or after is None:
        return ""
    if before == after:
        return "same"
    return f"{after - before:+,}{unit}"
