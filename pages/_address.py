"""The address of a view: which trace, which pass, which line, in the URL and in step with it."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping

import streamlit as st

from core.trace import Trace
from pages import _rooms as rooms

#: A query string that arrives within this time of our own change may be the one from before it:
#: the browser sends what it has with every click.
_SETTLING_SECONDS = 1.0
_LINES = re.compile(r"(\d{1,8})(?:-(\d{1,8}))?")
_WHOLE = re.compile(r"\d{1,8}")


def visit(page: str) -> None:
    """Say which page this is. What an address leaves out means the same as before where somebody
    comes back to a page, and nothing where the browser goes back within it."""
    st.session_state["at:stays"] = st.session_state.get("at:page") == page
    st.session_state["at:page"] = page


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
    """A whole number of the view, as `text`; what is no number counts as not asked."""
    value = _value(name, scope, default, whole(st.query_params.get(name)))
    return int(value)


def now(name: str, scope: str, default: int) -> int:
    """A number of the view as it is, from a callback."""
    return int(st.session_state.get(_key(name, scope), default))


def text(name: str, scope: str, default: str = "") -> str:
    """A text of the view. Session state owns it and the URL mirrors it: kept in the URL alone,
    quick key presses get lost, because the browser's stale query string overwrites them. The URL
    wins where somebody came in by a link, or by the browser's back button.
    """
    return str(_value(name, scope, default, st.query_params.get(name) or None))


def _value(name: str, scope: str, default: int | str, asked: int | str | None) -> int | str:
    key = _key(name, scope)
    mirrored, when = st.session_state.get(f"{key}:mirrored", (None, 0.0))
    settled = time.monotonic() - when > _SETTLING_SECONDS
    if key not in st.session_state:
        st.session_state[key] = default if asked is None else asked
    elif asked is not None and asked != mirrored and settled and not _just_set(key):
        st.session_state[key] = asked
    elif (
        asked is None
        and mirrored is not None
        and settled
        and st.session_state.get("at:stays")
        and not _just_set(key)
    ):
        st.session_state[key] = default  # the browser went back to before it was chosen
    st.session_state.pop(f"{key}:set", None)
    value: int | str = st.session_state[key]
    return value


def lines(scope: str) -> tuple[int, int]:
    """The lines that are chosen in a text, first and last; zeros without any. The URL says 12, or
    12-20."""
    found = _LINES.fullmatch(text("line", scope))
    if found is None:
        return 0, 0
    first = int(found[1])
    return first, max(int(found[2] or first), first)


def set_lines(scope: str, first: int, last: int | None = None) -> None:
    """Choose lines of a text, from a callback."""
    set_text("line", scope, lines_text(first, last or first))


def lines_text(first: int, last: int) -> str:
    """Lines as the URL says them; "" without any."""
    return "" if not first else str(first) if last <= first else f"{first}-{last}"


def set_number(name: str, scope: str, value: int) -> None:
    """Change a number of the view, from a callback."""
    _set(name, scope, value)


def set_text(name: str, scope: str, value: str) -> None:
    """Change a text of the view, from a callback."""
    _set(name, scope, value)


def _set(name: str, scope: str, value: int | str) -> None:
    key = _key(name, scope)
    st.session_state[key] = value
    st.session_state[f"{key}:set"] = True


def choose(key: str, value: object) -> None:
    """Set a widget that is bound to the URL by its key, from a callback."""
    st.session_state[key] = value


def begin_number(name: str, scope: str, value: int = 0) -> None:
    """Start a number of a view that nobody has been at, so that it is not read from the URL, which
    still has that of the view before."""
    st.session_state.setdefault(_key(name, scope), value)


def mirror(scope: str, values: Mapping[str, int | str | None]) -> None:
    """Write values of the view to the URL; None takes one out of it."""
    mirror_all({(name, scope): value for name, value in values.items()})


def mirror_all(values: Mapping[tuple[str, str], int | str | None]) -> None:
    """Write values of the view, by name and scope, to the URL; None takes one out of it.

    All at once, since the browser counts each change of the address as a step back.
    """
    now = time.monotonic()
    wanted: dict[str, str | list[str]] = {}
    for (name, scope), value in values.items():
        key = _key(name, scope)
        shown = st.query_params.get(name) or None
        asked = None if value is None else str(value)
        if shown != asked:
            # Streamlit has no way to change some and drop others in one: no value drops it.
            wanted[name] = [] if asked is None else asked
        if shown != asked or st.session_state.get(f"{key}:mirrored", (None,))[0] != value:
            st.session_state[f"{key}:mirrored"] = (value, now if shown != asked else 0.0)
    if wanted:
        st.query_params.update(wanted)


def opening(trace: Trace) -> int:
    """The pass at which a trace opens: where it failed, else the first that changed something."""
    # A pass that failed in an attempt that was done over is not what a person came for.
    compiles = trace.status.compiles
    failed = [] if compiles else [p.index for p in trace.passes if p.status != "ok"]
    return failed[-1] if failed else next((p.index for p in trace.passes if p.changed), 0)


def go(page: str, trace: str, **values: int | str) -> None:
    """Open a page on a trace. Ends the run of this page.

    The whole address at once: what the page added to it would be a further step back.
    """
    st.session_state["trace"] = trace
    if page == "passes.py" and "pass" not in values:
        values["pass"] = number("pass", trace, opening(rooms.trace(trace)))
    for name, value in values.items():
        _set(name, trace, value)
    st.switch_page(page, query_params={"trace": trace, **{k: str(v) for k, v in values.items()}})


def turn_to(trace: str) -> None:
    """Have this very page show another trace, from a callback: a link from a page to itself would
    leave the browser's address as it was."""
    st.session_state["trace"] = trace
    st.query_params["trace"] = trace


def _key(name: str, scope: str) -> str:
    return f"at:{name}:{scope}"


def _just_set(key: str) -> bool:
    return bool(st.session_state.get(f"{key}:set"))


def whole(text: str | None) -> int | None:
    """The number that a part of an address says; None of what is no number of a sensible size."""
    return int(text) if text is not None and _WHOLE.fullmatch(text) else None
