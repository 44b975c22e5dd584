"""Mounting a bundle: where it is served, how it is loaded, and how its events come back once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

import streamlit as st

#: The folder of built bundles that the server has to serve under PREFIX.
BUNDLES = Path(__file__).parent / "dist"
#: Address of that folder, below the address of the app.
PREFIX = "components"

Height = int | Literal["fill"]  #: pixels, or down to the lower edge of the window

_HTML = '<div class="tilescope-root" style="min-height:120px"></div>'

# Streamlit takes a one-line script for a file path, so this has to keep its line breaks. The bundle
# itself comes over HTTP, where the browser caches it, not with every message of the session.
_SHIM = """
const entry = document.querySelector('script[type="module"][src*="static/js/"]');
const base = entry ? new URL("../..", entry.src) : new URL("./", location.href);
const bundle = import(new URL("{path}", base).href);
export default function (component) {{
  const root = component.parentElement.querySelector(".tilescope-root");
  const height = component.data && component.data.height;
  if (root && typeof height === "number") root.style.minHeight = height + "px";
  const view = bundle.then(
    (module) => module.mount(component, base.href),
    (error) => {{
      if (root) root.textContent = "The server did not send the viewer. Reload the page.";
      throw error;
    }},
  );
  return () => view.then((close) => close());
}}
"""


@cache
def _renderer(name: str) -> Any:
    """Register a bundle once. Any: Streamlit's own type of it is private."""
    bundle = BUNDLES / f"{name}.js"
    version = hashlib.blake2b(bundle.read_bytes(), digest_size=8).hexdigest()
    return st.components.v2.component(
        f"tilescope_{name}",
        html=_HTML,
        js=_SHIM.format(path=f"{PREFIX}/{bundle.name}?v={version}"),
    )


def mount(
    name: str,
    key: str,
    data: Mapping[str, Any],
    handle: Callable[[Mapping[str, Any]], None] | None,
) -> list[Mapping[str, Any]]:
    """Show a bundle, and give each event of it once, oldest first.

    The browser numbers its events upwards and sends the last few of them as state, not as a
    trigger, because Streamlit keeps only the last trigger where several come during one rerun.
    With `handle`, new events go there before the page runs, and none is returned.
    """
    seen_key = f"{key}:seen"

    def take(state: Any) -> list[Mapping[str, Any]]:
        events = (state or {}).get("events") or []
        seen = st.session_state.get(seen_key, 0)
        new = [event for event in events if event["id"] > seen]
        if new:
            st.session_state[seen_key] = new[-1]["id"]
        return new

    def on_events() -> None:
        if handle is not None:
            for event in take(st.session_state.get(key)):
                handle(event)

    result = _renderer(name)(key=key, data=dict(data), on_events_change=on_events)
    return take(result)
