"""Why the tiles are as they are: limits of each axis, both tilers, the search, what is shipped."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

import streamlit as st

from core.analysis.reasons import (
    AxisReasons,
    Reason,
    axis_reasons,
    constraint_reason,
    parameter_reasons,
    searches,
    share_reason,
    sides,
)
from core.analysis.shipped import shipped_reason
from core.analysis.sweep import outcome
from core.jobs.work import Point
from core.kernel import Kernel
from core.trace import Trace
from core.views.search_chart import search_figure, search_text, search_title, sides_table
from pages import _header as header
from pages import _rooms as rooms
from pages._table import table

_NO_BAR = {"displayModeBar": False}


def expander(id: str, trace: Trace, kernel: Kernel | None, measured: Mapping[str, Point]) -> None:
    """The reasons, read only where somebody opens them."""
    parameters = kernel is not None and bool(kernel.parameters) and not trace.tiling.axes
    if not trace.tiling.axes and not parameters:
        return
    title = "Why these values" if parameters else "Why these tiles"
    shown = st.expander(title, key=f"tiling:why:{id}", on_change="rerun", icon=":material/help:")
    if not shown.open:
        return
    with shown:
        if parameters and kernel is not None:
            outcomes = [outcome(p.hints, p.state, p.trace) for p in measured.values()]
            _columns(parameter_reasons(trace, kernel, outcomes))
            return
        _sides(trace)
        _columns(axis_reasons(trace))
        _general(trace, kernel)
        _searches(trace)


def _sides(trace: Trace) -> None:
    frame = sides_table(sides(trace))
    if frame.empty:
        return
    frame = frame.drop(columns=[c for c in ("L0", "agree") if not frame[c].any()])
    table(list(frame.columns), frame.astype(str).values.tolist())


def _columns(axes: Sequence[AxisReasons]) -> None:
    wide = min(len(axes), 3)
    for start in range(0, len(axes), wide or 1):
        columns = st.columns(wide, gap="medium")
        for axis, column in zip(axes[start : start + wide], columns, strict=False):
            with column:
                name = f"{axis.unit} {axis.label}".strip()
                st.html(f'<div class="ts-did">{html.escape(name)}</div>{_lines(axis.reasons)}')


def _lines(reasons: Sequence[Reason]) -> str:
    return "".join(
        f'<div class="ts-about" title="{html.escape(each.source)}"><b>{html.escape(each.about)}</b>'
        f" {html.escape(each.sentence)}</div>"
        for each in reasons
    )


def _general(trace: Trace, kernel: Kernel | None) -> None:
    chip = rooms.target(trace)
    found = [shipped_reason(trace, kernel)]
    if found[0] is not None:
        found.append(constraint_reason(trace))
        found.append(share_reason(chip.tiling_share) if chip and chip.tiling_share < 1 else None)
    titles = ("Tiling repository", "Constraints of your own", "Share of a memory")
    reasons = [(t, r) for t, r in zip(titles, found, strict=False) if r is not None]
    for (title, reason), column in zip(reasons, st.columns(3, gap="medium"), strict=False):
        with column:
            st.html(f'<div class="ts-did">{title}</div>{_lines([reason])}')


def _searches(trace: Trace) -> None:
    found = searches(trace, rooms.library())
    if not found:
        return
    bands = len({axis.band for axis in trace.tiling.axes})
    st.html('<div class="ts-did">What the classic search tried</div>')
    for start in range(0, len(found), 3):
        for number, column in enumerate(st.columns(3, gap="medium"), start):
            if number >= len(found):
                break
            search = found[number]
            with column:
                st.caption(header.escaped(f"{search_title(search, bands)}: {search_text(search)}"))
                if search.tries:
                    st.plotly_chart(
                        search_figure(search), key=f"tiling:search:{number}", config=_NO_BAR
                    )
