"""The figures of a pass with their change, each with its course over the sequence."""

from __future__ import annotations

import streamlit as st

from pages import _address as address
from pages._rail import figures_list
from pages._sequence import figures
from pages._view import View


def figures_panel(view: View) -> None:
    """One row a figure: what it is now, its change, and a chart to click."""
    document = figures(view)
    if document is None:
        st.caption("No figure differs between the passes of this trace.")
        return
    figures_list(
        document,
        view.index,
        key="passes:figures",
        on_pick=view.pick,
        on_sort=lambda title: address.choose("sort", title),
    )
