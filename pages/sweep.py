"""Sweep: a kernel in many shapes with several sets of hints; what compiles, why the rest fails."""

from __future__ import annotations

import streamlit as st

from core.library import LibraryError
from core.trace import Trace
from core.views.wording import age, count, middle
from pages import _address as address
from pages import _asked_sweep as asked
from pages import _buckets as buckets
from pages import _header as header
from pages import _matrix as matrix
from pages import _rooms as rooms


def main() -> None:
    id, trace = _trace()
    chosen = matrix.chosen()
    address.mirror("", {"sweep": chosen or None})
    opened = st.expander(
        "New sweep", icon=":material/add:", expanded=not chosen, key="sweep:new", on_change="rerun"
    )
    of = None
    if opened.open:
        with opened:
            of = asked.form(id, trace)
    if chosen:
        matrix.show(chosen)
    _buckets(of, chosen)
    _earlier(chosen)


def _buckets(of: asked.Subject | None, chosen: str) -> None:
    """Few buckets for many shapes: of the sweep that is open, else of the kernel that is chosen."""
    if not chosen and of is None:
        return
    opened = st.expander(
        "Dynamic shapes: few buckets for many shapes",
        icon=":material/view_week:",
        expanded=buckets.GIVEN in st.session_state,
        key="sweep:buckets",
        on_change="rerun",
    )
    if not opened.open:
        return
    with opened:
        if chosen:
            buckets.of_sweep(chosen)
        elif of is not None:
            buckets.section(of.kernel, of.compiler, hints=of.hints, parent=of.trace)


def _trace() -> tuple[str | None, Trace | None]:
    """The open trace, which a sweep may start from; none is needed."""
    id = address.trace_id()
    if id is None:
        return None, None
    try:
        rooms.library().row(id)
    except LibraryError:
        return None, None
    return header.open_trace("sweeps", say_failure=False)


def _earlier(chosen: str) -> None:
    """The sweeps that were run before."""
    rows = [row for row in matrix.rows() if row.id != chosen]
    if not rows:
        if not chosen:
            st.caption(
                "No sweep has been run. Choose a kernel, list the shapes in which it occurs and "
                "the hints that you want to hold against each other, and press Run."
            )
        return

    def opened() -> None:
        click = st.session_state.get("sweep:earlier")
        if click is not None and 0 <= click.row < len(rows):
            matrix.choose(rows[click.row].id)

    st.markdown("##### Earlier sweeps")
    columns = st.column_config
    st.dataframe(
        [
            {
                "kernel": middle(matrix.name(row), 44),
                "shapes": len(row.axes["cases"]),
                "hint sets": ", ".join(each["name"] for each in row.axes["columns"]),
                "compiled": f"{count(row.points - row.waiting)} of {count(row.points)}"
                + (", stopped" if row.cancelled else ""),
                "when": age(row.created),
            }
            for row in rows
        ],
        hide_index=True,
        height=min(30 * (len(rows) + 1) + 4, 320),
        row_height=30,
        key="sweep:list",
        alt="Earlier sweeps",
        column_config={
            "kernel": columns.ButtonColumn(
                "kernel",
                key="sweep:earlier",
                on_click=opened,
                type="tertiary",
                alignment="left",
                width=300,
                help="Opens the sweep.",
            ),
            "shapes": columns.NumberColumn("shapes", width=64),
            "hint sets": columns.TextColumn("hint sets", width=360),
        },
    )


main()
