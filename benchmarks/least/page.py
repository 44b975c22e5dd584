"""One button: what a rerun costs in Streamlit itself."""

from __future__ import annotations

import streamlit as st

st.button("Next")
