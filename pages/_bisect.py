"""What a failure hangs on: the smallest set of hints, or the one switch, found by compiling."""

from __future__ import annotations

import streamlit as st

from core.analysis.bisecting import Bisected
from core.jobs.work import InquiryRow
from core.trace import Trace
from pages import _asking as asking
from pages import _header as header
from pages import _opening as opening
from pages import _remedies as remedies
from pages._table import table


def label(trace: Trace) -> str:
    """What the button asks: of hints where there are any, else of the compiler's switches."""
    asked = any(name != "target" for name in trace.hints.asked)
    return "Which hint does it?" if asked else "Which switch flips it?"


def show(id: str, trace: Trace, row: InquiryRow) -> None:
    """The newest bisection of a trace."""
    st.markdown(f"##### {label(trace)}")
    if not row.over:
        asking.progress_line(row, "Looking")
        return
    if row.result is None:
        asking.problem(row)
        return
    found: Bisected = row.result
    box, icon = (st.success, ":material/target:") if found.cure else (st.info, ":material/remove:")
    box(f"**{header.escaped(found.sentence)}**", icon=icon)
    with st.container(horizontal=True, gap="small"):
        if found.cure is not None:
            st.button(
                "Open what compiles",
                icon=":material/layers:",
                key="why:bisect:open",
                on_click=opening.compile_in_full,
                args=(id, found.cure, "open"),
            )
            st.button(
                "Take over into Re-run",
                icon=":material/replay:",
                key="why:bisect:hint",
                on_click=remedies.hint,
                args=(id, found.cure.hints),
            )
        if found.steps:
            with st.popover(f"{len(found.steps)} compiles", icon=":material/list:"):
                ended = [
                    "compiles" if s.compiles else "fails the same way" if s.fails else "fails else"
                    for s in found.steps
                ]
                table(
                    ("asked", "ended"),
                    [(s.asked, e) for s, e in zip(found.steps, ended, strict=True)],
                )
