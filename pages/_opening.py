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

#: Where to go once it is compiled: to its passes, to what differs, nowhere.
Then = Literal["open", "compare", "stay"]


def compile_in_full(id: str, request: Request, then: Then) -> None:
    """Compile with this trace as parent, and go on from there when it is done."""
    compiler = request.compiler or compiler_for(request.kernel).name
    job = run.start(request.kernel, request.hints, id, compiler, request.version)
    if job is not None:
        st.session_state[_key(id)] = (job, then)


def waiting(id: str) -> bool:
    """Whether a whole trace is waited for."""
    return _key(id) in st.session_state


def line(id: str) -> None:
    """How far the compile is that is waited for; goes on when it is over."""
    if not waiting(id):
        return
    number, then = st.session_state[_key(id)]
    job = run.follow(number)
    if job is None or (job.over and job.trace is None):
        del st.session_state[_key(id)]
        st.toast(
            (job.error if job else None) or "The compile was stopped.", icon=":material/close:"
        )
        return
    if not job.over:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge("compiling in full", icon=":material/progress_activity:", color="blue")
            st.markdown(jobs.job_text(job), width="stretch")
            if st.button("Cancel", icon=":material/stop_circle:", key="why:full:cancel"):
                jobs.cancel(job.id)
        return
    del st.session_state[_key(id)]
    assert job.trace is not None
    if then == "open":
        address.go("passes.py", job.trace)
    if then == "compare" and job.trace != id:
        st.session_state["trace"] = job.trace
        st.switch_page("compare.py", query_params={"trace": job.trace, "against": id})
    st.rerun()


def version_of(trace: Trace) -> str:
    """The version of its compiler that a trace was made by, where it can be had here; else ""."""
    known = trace.compiler.version in versions(trace.compiler.name)
    return trace.compiler.version if known else ""


def _key(id: str) -> str:
    return f"why:full:{id}"
