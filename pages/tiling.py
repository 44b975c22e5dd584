"""Tiling: the axes and what was chosen, how full each memory is, and the map of what else fits."""

from __future__ import annotations

import streamlit as st

from core.analysis.sweep import sweep_axes
from core.analysis.tiling import units
from core.kernel import Kernel
from core.trace import Trace
from core.views.tables import axes_table, parameters_table
from core.views.wording import count
from pages import _header as header
from pages import _map as maps
from pages import _reasons as reasons
from pages import _rooms as rooms
from pages import _space as space
from pages import _whatif as whatif
from pages._memory import viewer
from pages._table import table


def main() -> None:
    id, trace = header.open_trace("tiling")
    kernel = rooms.library().kernel(id)
    axes = sweep_axes(trace, kernel, rooms.catalogue(trace.compiler.name))
    if not axes and not trace.tiling.axes and not trace.memory:
        header.empty(
            "This trace says nothing of tiling.",
            "The compiler stopped before it, or the dump lacks what it writes of it.",
        )
    left, right = st.columns([6.2, 3.8], gap="medium")
    with left:
        if trace.tiling.axes or kernel is None or not kernel.parameters:
            _axes(trace)
        else:
            _parameters(trace, kernel)
        below = st.container()
    bars = right.container()
    if len(units(trace)) > 1:
        st.caption(
            "This kernel was fused from several sub-kernels, each with axes of its own, which "
            "one hint cannot tell apart: sweep the tiles of the sub-kernels by themselves."
        )
    if axes:
        maps.show(id, trace, kernel, axes)
    with below:
        reasons.expander(id, trace, kernel, space.points(kernel))
    with bars:  # after the map, which fits the model that the sliders ask
        whatif.memories(id, trace, kernel, axes)
    viewer(id, trace)


# What was chosen


def _parameters(trace: Trace, kernel: Kernel) -> None:
    st.markdown("##### Parameters")
    frame = parameters_table(trace, kernel)
    table(list(frame.columns), frame.astype(str).values.tolist(), wide="values to try")
    declared = "Declared by the kernel; a value that is not listed can be tried as well."
    note = f"{trace.tiling.note} " if trace.tiling.note else ""
    st.caption(header.escaped(f"{note}{declared}"))


def _axes(trace: Trace) -> None:
    st.markdown("##### Axes")
    frame = axes_table(trace)
    if frame.empty:
        st.caption(
            header.escaped(
                trace.tiling.note
                or (
                    "This trace names no axes that were tiled."
                    if trace.status.compiles
                    else "The compiler stopped before it tiled."
                )
            )
        )
        return
    empty = [c for c in ("search proposed", "constraints", "loops") if not frame[c].any()]
    frame = frame.drop(columns=empty)
    rows = [
        ["–" if cell is None else count(cell) if isinstance(cell, int) else str(cell) for cell in r]
        for r in frame.itertuples(index=False, name=None)
    ]
    table(list(frame.columns), rows, wide="constraints")
    folded = (
        "Axes are numbered after the compiler folded and fused loops, as a dim hint counts them."
    )
    note = f"{trace.tiling.note} " if trace.tiling.note else ""
    st.caption(header.escaped(f"{note}{folded}"))


main()
