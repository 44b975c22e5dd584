"""Why: what a failure means, what was tried and what compiles, and what a pasted log says."""

from __future__ import annotations

import streamlit as st

from core.trace import Status
from pages import _address as address
from pages import _explained as explained
from pages import _header as header
from pages import _logbox as logbox
from pages import _opening as opening
from pages import _study as study
from pages import _trying as trying

_TRACE, _LOG = "This compile", "A log"


def main() -> None:
    opening.arrive("")
    if address.trace_id() is None:
        if not logbox.there():
            st.markdown("**No trace is open.** Choose one in the Library, or paste a log.")
        logbox.show()
        if not logbox.there():
            explained.failed_ones()
        return
    opening.arrive(str(address.trace_id()))
    id, trace = header.open_trace("failure", say_failure=False)
    if trace.status.compiles or trace.status is Status.CANCELLED:
        explained.compiles(id, trace)
        logbox.show()
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="why:places"):
        about = _about(id)
        if about == _TRACE:
            explained.places(id, trace)
    if about == _LOG:
        logbox.show()
    else:
        explained.show(id, trace)
        trying.show(id, trace)
    study.come(id)


def _about(id: str) -> str:
    """Whether the page is about the trace or about a log."""
    key = "why:of"
    st.session_state[key] = _LOG if address.text("of", id) == "log" else _TRACE

    def changed() -> None:
        address.set_text("of", id, "log" if st.session_state[key] == _LOG else "")

    chosen = st.segmented_control(
        "About",
        [_TRACE, _LOG],
        key=key,
        required=True,
        on_change=changed,
        label_visibility="collapsed",
    )
    address.mirror(id, {"of": address.text("of", id) or None})
    return str(chosen)


main()
