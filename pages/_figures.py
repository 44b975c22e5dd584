"""The figures of a pass with their change, each with its course over the sequence."""

from __future__ import annotations

import streamlit as st

from pages import _address as address
from pages._rail import figures_document, figures_list
from pages._sequence import column_title, columns_of
from pages._view import View


def figures_panel(view: View) -> None:
    """One row a figure: what it is now, its change, and a chart to click."""
    columns = columns_of(view)
    if not columns:
        st.caption("No figure differs between the passes of this trace.")
        return
    by_title = {column_title(column): column for column in columns}
    figures_list(
        figures_document(view.trace, by_title),
        view.index,
        key="passes:figures",
        on_pick=view.pick,
        on_sort=lambda title: address.choose("sort", title),
    )
