"""The server: `streamlit run app.py`. Serves the pages, and texts and pictures by their hash."""

from __future__ import annotations

import gc
import gzip
import logging
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio.to_thread
import psutil
import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from core.bundle.kept import bundle_of
from core.components import BUNDLES, PREFIX
from core.library import LibraryError
from core.views.layout import LayoutError
from pages import _drawings as drawings
from pages import _rooms as rooms
from pages._rail import script

ROOT = Path(__file__).resolve().parent
RECORDED = ROOT / "data" / "traces"

_FOR_GOOD = "public, max-age=31536000, immutable"
_log = logging.getLogger("tilescope")


def blob(request: Request) -> Response:
    """The text with this hash: an address always means the same text, so browsers may keep it."""
    try:
        data = rooms.library().blob(request.path_params["digest"])
    except KeyError:
        return Response("This text is no longer in the library.", 404, media_type="text/plain")
    return Response(
        data,
        media_type="text/plain; charset=utf-8",
        headers={"cache-control": _FOR_GOOD, "x-content-type-options": "nosniff"},
    )


def graph(request: Request) -> Response:
    """A graph that a page has asked to be laid out, or (.dot) its Graphviz source."""
    name: str = request.path_params["digest"]
    digest = name.removesuffix(".dot")
    try:
        made = drawings.drawn(digest)
    except LayoutError as wrong:
        return Response(str(wrong), 422, media_type="text/plain")
    if made is None:
        return Response("This graph is no longer at hand: reload the page.", 404)
    svg, source = made
    packed, kind = (svg, "image/svg+xml") if name == digest else (source, "text/vnd.graphviz")
    headers = {
        "cache-control": _FOR_GOOD,
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
        "vary": "accept-encoding",
        "x-content-type-options": "nosniff",
    }
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(gzip.decompress(packed), media_type=kind, headers=headers)
    return Response(packed, media_type=kind, headers=headers | {"content-encoding": "gzip"})


def graph_made(request: Request) -> Response:
    """Answers once a graph is made whose text takes long to read."""
    drawings.awaited(request.path_params["ticket"])
    return Response(status_code=204, headers={"cache-control": "no-store"})


def page(request: Request) -> Response:
    """A list or a strip of passes that a page has made."""
    document = rooms.kept_page(request.path_params["digest"])
    if document is None:
        return Response("This list is no longer at hand: reload the page.", 404)
    return Response(document, media_type="application/json", headers={"cache-control": _FOR_GOOD})


def rail(_: Request) -> Response:
    """The script of the strip and the lists of passes; its address carries its hash."""
    return Response(script(), media_type="text/javascript", headers={"cache-control": _FOR_GOOD})


def export(request: Request) -> Response:
    """A trace as a zip that any Tilescope opens."""
    trace = request.path_params["trace"]
    try:
        data = rooms.library().export(trace)
    except LibraryError as wrong:
        return Response(str(wrong), 404, media_type="text/plain")
    return Response(
        data,
        media_type="application/zip",
        headers={"content-disposition": f'attachment; filename="{trace}.zip"'},
    )


def reproducer(request: Request) -> Response:
    """A trace as a zip that stands alone, with a script that compiles its kernel again."""
    trace = request.path_params["trace"]
    try:
        data = bundle_of(rooms.queue(), trace)
    except LibraryError as wrong:
        return Response(str(wrong), 404, media_type="text/plain")
    return Response(
        data,
        media_type="application/zip",
        headers={"content-disposition": f'attachment; filename="{trace}-bundle.zip"'},
    )


class Bundles(StaticFiles):
    """The components' bundles. Their addresses carry their hash, so they may be kept for good."""

    async def get_response(self, path: str, scope: Any) -> Response:
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = _FOR_GOOD
        return response


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Open the library with its recorded traces and start compiling; end both with the server."""
    await anyio.to_thread.run_sync(rooms.open_rooms, RECORDED)
    # What the imports left behind lives as long as the server: no collection need walk it.
    gc.collect()
    gc.freeze()
    send_at_once()
    try:
        yield
    finally:
        await anyio.to_thread.run_sync(rooms.close_rooms)


def send_at_once() -> None:
    """Have TCP send small messages without waiting for an answer to the one before.

    Streamlit opens its socket in a way for which asyncio leaves that off. A rerun is a handful of
    small messages, so quick steps through passes would each wait 40 ms for a delayed
    acknowledgement. Connections inherit the setting of the socket that listens.
    """
    for connection in psutil.Process().net_connections("tcp"):
        if connection.status == psutil.CONN_LISTEN:
            with socket.socket(fileno=os.dup(connection.fd)) as listening:
                listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def on_script_error(wrong: Exception) -> bool:
    """No page ever shows a stack trace: one sentence there, the rest in the log."""
    _log.error("A page failed.", exc_info=wrong)
    st.error(
        "This page could not be built. The server's log says why; the Library and the other pages "
        "still work.",
        icon=":material/error:",
    )
    return True


routes: list[BaseRoute] = [
    Route("/blob/{digest}", blob),
    Route("/graph/{digest}", graph),
    Route("/graph/made/{ticket}", graph_made),
    Route("/page/{digest}", page),
    Route("/rail.js", rail),
    Route("/export/{trace}.zip", export),
    Route("/bundle/{trace}.zip", reproducer),
    Mount(f"/{PREFIX}", Bundles(directory=BUNDLES, check_dir=False)),
]

app = st.App(
    ROOT / "pages" / "_shell.py",
    routes=routes,
    lifespan=lifespan,
    on_script_error=on_script_error,
)
