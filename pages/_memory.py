"""The memory viewer: what fills one on-chip memory over the run of the kernel, and why."""

from __future__ import annotations

import streamlit as st

from core.analysis.memory import peak
from core.trace import MemoryPlan, Trace
from core.views.marks import result_name
from core.views.memory_map import memory_map, unplaced
from core.views.tables import buffers_table
from core.views.wording import bytes_text, count, middle, short_bytes
from pages import _header as header
from pages._table import table

_NO_BAR = {"displayModeBar": False}


def viewer(trace: Trace, plan: MemoryPlan) -> None:
    """One memory of a trace."""
    st.markdown(f"##### {plan.memory} over the run of the kernel")
    if not plan.buffers:
        st.caption(f"The {result_name(trace)} places no buffer here.")
        return
    moment = peak(plan)
    left, right = st.columns([6.2, 3.8], gap="medium")
    with left:
        st.plotly_chart(memory_map(plan), key="tiling:memory-map", config=_NO_BAR)
        missing = unplaced(plan)
        note = f" {len(missing)} buffers without an address are not drawn." if missing else ""
        names = ", ".join(middle(b.name, 30) for b in moment.culprits[:4])
        st.caption(
            header.escaped(
                f"Most is alive at {count(moment.at)} in program order (dotted): "
                f"{bytes_text(moment.live_bytes)}, by {names}.{note}"
                if moment.at is not None
                else f"The dump does not tell when buffers live.{note}"
            )
        )
    with right:
        _buffers(plan)


def _buffers(plan: MemoryPlan) -> None:
    frame = buffers_table(plan)
    sourced = any(frame["from"])
    rows = [
        (
            str(r["buffer"]),
            count(int(r["bytes"])),
            str(r["share"]),
            "–" if r["offset"] is None else count(int(r["offset"])),
            str(r["type"]),
            f"{_line_no(r['first use'])} to {_line_no(r['last use'])}",
            *([_place(str(r["from"]))] if sourced else []),
        )
        for _, r in frame.iterrows()
    ]
    with st.container(height=340 if len(rows) > 12 else "content", border=False):
        table(
            (
                "buffer",
                "bytes",
                "share",
                "offset",
                "type",
                "alive",
                *(["from line"] if sourced else []),
            ),
            rows,
            marked=[bool(culprit) for culprit in frame["at the peak"]],
            wide="buffer",
        )
    st.caption(f"Marked: alive at the peak. {_capacity(plan)}")


def _place(source: str) -> str:
    """Line and column of a place; the file is the kernel's own."""
    return ":".join(source.rsplit(":", 2)[-2:])


def _line_no(line: object) -> str:
    return "?" if line is None else str(line)


def _capacity(plan: MemoryPlan) -> str:
    if plan.capacity_bytes is None:
        return "The capacity is not known."
    return f"Shares are of the capacity, {short_bytes(plan.capacity_bytes)}."
