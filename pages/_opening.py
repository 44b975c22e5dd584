"""From a compact outcome to its whole trace: compiled in full, and opened when it is there."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from core.compilers.registry import compiler_for, versions
from core.request import Request
from core.trace import Trace
from pages import _address as address
from pages import _jobs as jobs
from pages import _run as run

#: Where to go once it is there: to its passes, to what differs, to the form of Re-run, nowhere.
Then = Literal["open", "compare", "hint", "stay"]


def compile_in_full(id: str, request: Request, then: Then) -> None:
    """Compile with this trace as parent, or with none where there is none, and go on from there
    when it is done."""
    compiler = request.compiler or compiler_for(request.kernel).name
    job = run.start(request.kernel, request.hints, id or None, compiler, request.version)
    if job is not None:
        st.session_state[_key(id)] = (job, then)


def go_to(id: str, trace: str, then: Then) -> None:
    """Open a trace that is there, in the run that follows; from a callback."""
    st.session_state[f"why:go:{id}"] = (trace, then)


def waiting(id: str) -> bool:
    """Whether a whole trace is waited for."""
    return _key(id) in st.session_state


def show(id: str) -> None:
    """The same, drawn again for as long as there is something to wait for."""
    polling = waiting(id)
    st.fragment(run_every=0.7 if polling else None)(_shown)(id, polling)


def _shown(id: str, polling: bool) -> None:
    follow(id)
    if polling != waiting(id):
        st.rerun()


def follow(id: str) -> None:
    """How far the compile is that is waited for."""
    if f"why:go:{id}" in st.session_state:
        st.rerun()  # of the whole page, which goes there
    if not waiting(id):
        return
    number, then = st.session_state[_key(id)]
    job = run.follow(number)
    if job is not None and not job.over:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge("compiling in full", icon=":material/progress_activity:", color="blue")
            st.markdown(jobs.job_text(job), width="stretch")
            if st.button("Cancel", icon=":material/stop_circle:", key="why:full:cancel"):
                jobs.cancel(job.id)
        return
    del st.session_state[_key(id)]
    if job is None or job.trace is None:
        said = (job.error if job else None) or "The compile was stopped."
        st.toast(said, icon=":material/close:")
        return
    go_to(id, job.trace, then)
    st.rerun()


def arrive(id: str) -> None:
    """Go to what somebody chose, where that is there by now. Called before a page draws anything,
    and outside its fragments: a fragment would leave a step of its own in the browser's history."""
    if f"why:go:{id}" not in st.session_state:
        return
    trace, then = st.session_state.pop(f"why:go:{id}")
    if then == "open":
        address.go("passes.py", trace)
    elif then == "compare" and trace != id:
        st.session_state["trace"] = trace
        st.switch_page("compare.py", query_params={"trace": trace, "against": id})
    elif then == "hint":
        st.switch_page("rerun.py", query_params={"trace": id})


def version_of(trace: Trace) -> str:
    """The version of its compiler that a trace was made by, where it can be had here; else ""."""
    known = trace.compiler.version in versions(trace.compiler.name)
    return trace.compiler.version if known else ""


def _key(id: str) -> str:
    return f"why:full:{id}"
