"""A small table of figures, denser than Streamlit's own."""

from __future__ import annotations

import html
from collections.abc import Sequence

import streamlit as st


def table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    marked: Sequence[bool] = (),
    hovers: Sequence[str] = (),
    wide: str = "",
) -> None:
    """A small table of figures; marked rows stand out, the first column names the row, and the
    column called `wide` gets more room than the others."""
    head = "".join(
        f"<th{' class=ts-wide' if c == wide else ''}>{html.escape(c)}</th>" for c in columns
    )
    body = []
    for at, row in enumerate(rows):
        mark = ' class="ts-changed"' if at < len(marked) and marked[at] else ""
        hover = f' title="{html.escape(hovers[at])}"' if at < len(hovers) else ""
        cells = "".join(f'<td title="{html.escape(cell)}">{html.escape(cell)}</td>' for cell in row)
        body.append(f"<tr{mark}{hover}>{cells}</tr>")
    st.html(
        f'<table class="ts-table"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table>"
    )
