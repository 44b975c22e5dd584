"""The address of a view: which trace, which pass, which line, in the URL and in step with it."""

from __future__ import annotations

import time
from collections.abc import Mapping

import streamlit as st

#: A query string that arrives within this time of our own change may be the one from before it:
#: the browser sends what it has with every click.
_SETTLING_SECONDS = 1.0


def trace_id() -> str | None:
    """The trace that is open: the URL's, else the one opened last in this tab."""
    asked = st.query_params.get("trace")
    if asked:
        st.session_state["trace"] = asked
        return asked
    known = st.session_state.get("trace")
    if known:
        st.query_params["trace"] = known
    return known


def number(name: str, scope: str, default: int) -> int:
    """A whole number of the view. Session state owns it and the URL mirrors it: kept in the URL
    alone, quick key presses get lost, because the browser's stale query string overwrites them.
    The URL wins where somebody came in by a link, or by the browser's back button.
    """
    key = _key(name, scope)
    asked = _whole(st.query_params.get(name))
    mirrored, when = st.session_state.get(f"{key}:mirrored", (None, 0.0))
    settled = time.monotonic() - when > _SETTLING_SECONDS
    if key not in st.session_state:
        st.session_state[key] = default if asked is None else asked
    elif asked is not None and asked != mirrored and settled and not _just_set(key):
        st.session_state[key] = asked
    st.session_state.pop(f"{key}:set", None)
    return int(st.session_state[key])


def set_number(name: str, scope: str, value: int) -> None:
    """Change a number of the view, from a callback."""
    key = _key(name, scope)
    st.session_state[key] = value
    st.session_state[f"{key}:set"] = True


def begin_number(name: str, scope: str, value: int = 0) -> None:
    """Start a number of a view that nobody has been at, so that it is not read from the URL, which
    still has that of the view before."""
    st.session_state.setdefault(_key(name, scope), value)


def mirror(scope: str, values: Mapping[str, int | None]) -> None:
    """Write numbers of the view to the URL; None takes one out of it."""
    for name, value in values.items():
        key = _key(name, scope)
        if value is None:
            if name in st.query_params:
                del st.query_params[name]
            continue
        if st.query_params.get(name) != str(value):
            st.query_params[name] = str(value)
            st.session_state[f"{key}:mirrored"] = (value, time.monotonic())
        elif st.session_state.get(f"{key}:mirrored", (None,))[0] != value:
            st.session_state[f"{key}:mirrored"] = (value, 0.0)


def go(page: str, trace: str, **numbers: int) -> None:
    """Open a page on a trace. Ends the run of this page."""
    st.session_state["trace"] = trace
    for name, value in numbers.items():
        set_number(name, trace, value)
    st.switch_page(page, query_params={"trace": trace, **{k: str(v) for k, v in numbers.items()}})


def _key(name: str, scope: str) -> str:
    return f"at:{name}:{scope}"


def _just_set(key: str) -> bool:
    return bool(st.session_state.get(f"{key}:set"))


def _whole(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdigit() and len(text) < 9 else None
