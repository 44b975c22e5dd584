"""Compare: any two traces side by side, by default a trace and the one it was made from."""

from __future__ import annotations

import streamlit as st

from core.library import LibraryError
from pages import _comparison as comparison
from pages import _header as header
from pages import _rooms as rooms


def main() -> None:
    id, trace = header.open_trace("comparison", say_failure=False)
    rows = {r.id: r for r in rooms.library().rows() if r.id != id}
    if not rows:
        header.empty("There is only this trace.", "Compile or import another to compare it with.")
    try:
        parent = rooms.library().row(id).parent
    except LibraryError:
        parent = None
    # Traces of the same kernel first: those are what a comparison is mostly about.
    order = sorted(rows, key=lambda other: rows[other].kernel != trace.kernel)
    plain = (o for o in order if rows[o].kernel == trace.kernel and not rows[o].hints)
    asked = st.query_params.get("against") or parent or next(plain, None)
    labels = header.trace_labels([rows[other] for other in order], kernels=True)
    if asked is not None and asked not in rows:
        st.warning(
            f"There is no other trace {asked} in the library; choose one to compare with.",
            icon=":material/search_off:",
        )
    bar = st.container(horizontal=True, vertical_alignment="center", gap="small")
    bar.html('<span class="ts-small">compared with</span>', width="content")
    against = bar.selectbox(
        "Compared with",
        order,
        index=order.index(asked) if asked in rows else None,
        format_func=lambda other: labels.get(other, other),
        placeholder="Choose the trace to measure against",
        key=f"compare:against:{id}",
        width=620,
        label_visibility="collapsed",
    )
    if against not in rows:
        st.info(
            "Choose the trace that this one is to be compared with. Re-runs are compared with the "
            "trace that they were made from by themselves.",
            icon=":material/compare_arrows:",
        )
        return
    if st.query_params.get("against") != against:
        st.query_params["against"] = against
    comparison.show(against, id)


main()
