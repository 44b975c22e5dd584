"""A server with the two components and a few real pass texts; started by test_components.py."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from core.components import BUNDLES, PREFIX
from tests.components_app import samples


async def blob(request: Request) -> PlainTextResponse:
    name = request.path_params["name"]
    try:
        text = samples.text(name)
    except KeyError:
        return PlainTextResponse("This text is no longer in the library.", status_code=404)
    return PlainTextResponse(text, headers={"cache-control": "public, max-age=31536000, immutable"})


app = st.App(
    Path(__file__).parent / "page.py",
    routes=[
        Route("/blob/{name}", blob),
        Mount(f"/{PREFIX}", StaticFiles(directory=BUNDLES)),
    ],
)
