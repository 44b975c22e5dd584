"""The graph of one pass's IR beside its text, line and node linked."""

from __future__ import annotations

import streamlit as st

from core.trace import Pass, Trace


def show(id: str, trace: Trace, step: Pass, line: int) -> None:
    """Draw the graph of a pass."""
    st.caption("graph")
