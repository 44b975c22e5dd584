"""The dashboard's routes around a page with nothing but a graph, for test_graph_viewer.py."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

import app as dashboard

served = st.App(Path(__file__).parent / "page.py", routes=dashboard.routes)
