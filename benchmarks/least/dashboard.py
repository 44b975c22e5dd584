"""Serves the page of one button with the settings of the dashboard's own server."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st

from app import send_at_once


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """What the dashboard does before it serves, but for its library and its worker."""
    gc.collect()
    gc.freeze()
    send_at_once()
    yield


app = st.App(Path(__file__).with_name("page.py"), lifespan=lifespan)
