"""What can be tried on a failed trace: remedies, the hint that does it, a smaller kernel."""

from __future__ import annotations

import streamlit as st

from core.kernel import Kernel
from core.trace import Trace
from pages import _asking as asking
from pages import _bisect as bisect
from pages import _opening as opening
from pages import _remedies as remedies
from pages import _reproducer as reproducer
from pages import _rooms as rooms
from pages import _small as small


def show(id: str, trace: Trace) -> None:
    """All that can be tried, drawn again for as long as something is under way."""
    kernel = rooms.library().kernel(id)
    under_way = _under_way(id)
    st.fragment(run_every=0.7 if under_way else None)(_tried)(id, trace, kernel, under_way)


def _under_way(id: str) -> bool:
    return opening.waiting(id) or any(not row.over for row in asking.asked(id).values())


def _tried(id: str, trace: Trace, kernel: Kernel | None, polling: bool) -> None:
    rows = asking.asked(id)
    reason = rooms.why_no_compile(kernel, trace.compiler.name)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="why:ask"):
        st.markdown("##### What to try", width="content")
        asking.button(
            id,
            "remedies",
            "Try all",
            rows.get("remedies"),
            icon=":material/play_arrow:",
            reason=reason,
            primary=True,
            help="Compiles the changes below, the most promising first, until enough of them work.",
        )
        asking.button(
            id,
            "bisect",
            bisect.label(trace),
            rows.get("bisect"),
            icon=":material/target:",
            reason=reason,
            help="The smallest set of hints that fails this way, or the one switch of the compiler "
            "that makes it compile.",
        )
        asking.button(
            id,
            "shrink",
            "Make it small",
            rows.get("shrink"),
            icon=":material/compress:",
            reason=reason,
            help="Fewer operators, smaller shapes, fewer hints, for as long as it fails the same "
            "way: some dozens of compiles.",
        )
        reproducer.popover(id, trace, kernel, rows.get("shrink"))
    opening.follow(id)
    remedies.show(id, trace, kernel, rows.get("remedies"), reason)
    if "bisect" in rows:
        bisect.show(id, trace, rows["bisect"])
    if "shrink" in rows:
        small.show(id, trace, rows["shrink"])
    # Of the whole page: only there can the polling begin and end. Last, or a click that comes
    # with this run would be lost.
    if polling != _under_way(id):
        st.rerun()
