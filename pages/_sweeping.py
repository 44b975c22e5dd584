"""Sweeps on the Tiling page: how many points, which first, and how they get on."""

from __future__ import annotations

import html
from collections.abc import Mapping

import streamlit as st

from core.analysis.predict import next_points
from core.analysis.sweep import grid
from core.hints import Hints
from core.jobs.queue import QueueError
from core.jobs.work import Point, SweepRow
from core.kernel import Kernel
from core.library import LibraryError
from pages import _rooms as rooms
from pages import _space as space
from pages._space import Span

BUDGETS = ("12", "24", "48", "96", "200", "All")
_TELLING = 200  #: points whose order is worth working out


def waiting(kernel: Kernel | None) -> int:
    """Points of the kernel that are waited for."""
    return sum(row.waiting for row in _rows(kernel))


def _rows(kernel: Kernel | None) -> list[SweepRow]:
    return rooms.queue().sweeps(kernel.digest) if kernel is not None else []


def buttons(span: Span, measured: Mapping[str, Point], known: space.Known) -> None:
    """How many points, and the button that measures them; beside it why it cannot."""
    reason = rooms.why_no_compile(span.kernel, span.trace.compiler.name)
    if waiting(span.kernel):
        st.button("Sweeping", disabled=True, icon=":material/progress_activity:", key="tiling:busy")
        return
    on_map = space.cells(span, measured.values())
    left = span.size - sum(each.state in ("done", "queued", "running") for each in on_map.values())
    budget = st.selectbox(
        "Points",
        BUDGETS,
        index=BUDGETS.index("24") if span.whole else len(BUDGETS) - 1,
        key=f"tiling:budget:{'whole' if span.whole else 'listed'}",
        width=80,
        help="How many points to compile. Those whose result tells most of the others come first: "
        "near the edge of what fits, then spread.",
    )
    size = left if budget == "All" else min(int(budget), left)
    again = left < span.size
    label = f"Sweep {size} more" if again and not span.whole else f"Sweep {size} points"
    if st.button(
        label if left else "All measured",
        type="primary" if left else "secondary",
        icon=":material/grid_on:",
        disabled=reason is not None or not left,
        help="Compiles each point for real; those measured before are not compiled again.",
        key="tiling:sweep",
    ):
        _sweep(span, _next(span, measured, known, size))
    _resume(span)
    if reason:
        st.html(f'<span class="ts-small ts-why">{html.escape(reason)}</span>')


def _next(
    span: Span, measured: Mapping[str, Point], known: space.Known, size: int
) -> tuple[Hints, ...]:
    """Points of the map that are to be measured, the most telling first."""
    on_map = space.cells(span, measured.values())
    done = [span.values(place) for place, each in on_map.items() if each.state == "done"]
    if size >= span.size - len(done) and size <= 400:
        every = {hints.digest: hints for hints in grid(span.start, span.lists)}
        return tuple(
            hints
            for hints in every.values()
            if not space.settled(measured.get(space.named(span.kernel, hints).digest))
        )
    first = next_points(known.model, span.lists, done, min(size, _TELLING))
    chosen = {hints.digest: hints for hints in map(span.hints, first)}
    if len(chosen) < size:
        for hints in grid(span.start, span.lists):
            if not space.settled(measured.get(space.named(span.kernel, hints).digest)):
                chosen.setdefault(hints.digest, hints)
            if len(chosen) >= size:
                break
    return tuple(chosen.values())


def _sweep(span: Span, points: tuple[Hints, ...]) -> None:
    assert span.kernel is not None
    try:
        rooms.queue().submit_sweep(
            span.kernel,
            points,
            compiler=span.trace.compiler.name,
            parent=span.id,
            axes={"axes": [{"key": k, "values": list(v)} for k, v in span.lists.items()]},
        )
    except (QueueError, LibraryError) as wrong:
        st.toast(str(wrong), icon=":material/error:")
    st.rerun()


def _resume(span: Span) -> None:
    """Go on with the newest sweep where it was cancelled before its end."""
    newest = next(iter(_rows(span.kernel)), None)
    if newest is None or not newest.cancelled or newest.points <= newest.done:
        return
    if st.button(
        f"Resume {newest.points - newest.done}",
        icon=":material/resume:",
        key="tiling:resume",
        help="Queue the points again that were cancelled.",
    ):
        try:
            rooms.queue().resume_sweep(newest.id)
        except QueueError as wrong:
            st.toast(str(wrong), icon=":material/error:")
        st.rerun()


def progress(span: Span) -> None:
    """How far the sweeps of this kernel are, with a way to stop them."""
    active = [row for row in _rows(span.kernel) if row.waiting]
    ended = sum(row.points - row.waiting for row in active)
    every = sum(row.points for row in active)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(ended / max(every, 1), text=f"{ended} of {every} points measured")
        if st.button("Cancel", icon=":material/stop_circle:", key="tiling:cancel"):
            for row in active:
                rooms.queue().cancel_sweep(row.id)
