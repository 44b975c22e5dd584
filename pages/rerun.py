"""Re-run: the hints as a form, the same as text, the compile as it happens, and what it changed."""

from __future__ import annotations

import streamlit as st

from core.analysis.tiling import units, used_tiles
from core.hints import Hints
from core.jobs.work import Job
from core.kernel import Kernel
from core.trace import Trace
from core.views.wording import seconds_text
from pages import _address as address
from pages import _channels as channels
from pages import _comparison as comparison
from pages import _header as header
from pages import _jobs as jobs
from pages import _rooms as rooms
from pages import _run as run
from pages import _versions as versions
from pages._form import Form


def main() -> None:
    id, trace = header.open_trace("re-run form")
    kernel = rooms.library().kernel(id)
    version = _version(id, trace)
    reason = rooms.why_no_compile(kernel, trace.compiler.name, version)
    if reason:
        st.warning(header.escaped(reason), icon=":material/block:")
    form = Form(id, trace, kernel, version)
    left, right = st.columns([4.6, 5.4], gap="medium")
    with left:
        form.fields()
    with right:
        st.markdown("##### As text")
        form.texts()
        _run_part(id, trace, kernel, form, reason)
        channels.show(kernel, None if form.problem else form.hints())
    if kernel is not None and len(rooms.known_versions(trace.compiler.name)) > 1:
        versions.show(id, trace, kernel)


def _version(id: str, trace: Trace) -> str:
    """The version of the compiler that is chosen."""
    chosen = st.session_state.get(f"rerun:{id}:version")
    return str(chosen) if chosen else rooms.version_of(trace)


def _version_field(id: str, trace: Trace) -> None:
    name, key = trace.compiler.name, f"rerun:{id}:version"
    known = rooms.known_versions(name)
    if len(known) < 2:
        return
    if key not in st.session_state:
        st.session_state[key] = rooms.version_of(trace)
    st.selectbox(
        "Version",
        known,
        key=key,
        format_func=lambda version: versions.label(name, version, trace.compiler.version),
        label_visibility="collapsed",
        width=210,
        help="The version of the compiler to run. What is not installed says how to have it.",
    )


def _run_part(id: str, trace: Trace, kernel: Kernel | None, form: Form, reason: str | None) -> None:
    problem = form.problem
    same = not problem and form.hints().as_dict() == dict(trace.hints.asked)
    same = same and form.version == trace.compiler.version
    with st.container(horizontal=True, vertical_alignment="center"):
        _version_field(id, trace)
        if st.button(
            "Run",
            type="primary",
            icon=":material/play_arrow:",
            disabled=reason is not None or bool(problem),
            key="rerun:run",
            shortcut="Ctrl+Enter",
            help=reason
            or problem
            or "Compile with these hints; the result has this trace as parent.",
        ):
            assert kernel is not None
            started = run.start(kernel, form.hints(), id, trace.compiler.name, form.version)
            if started is not None:
                st.session_state[f"rerun:job:{id}"] = started
                st.rerun()
        st.button(
            "No hints",
            icon=":material/backspace:",
            on_click=lambda: form.ask("", {}),
            key="rerun:clear",
            help="Empty the form: leave everything to the compiler.",
        )
        if form.takes_tiles:
            st.button(
                "This trace's tiles",
                icon=":material/grid_on:",
                on_click=lambda: form.ask(_used_dim(trace)),
                disabled=not trace.tiling.axes or len(units(trace)) > 1,
                key="rerun:pin",
                help="Fill in the tiles that this trace uses, to change them from there.",
            )
        if same:
            st.html('<span class="ts-small">as in this trace</span>', width="content")
    job = run.follow(st.session_state.get(f"rerun:job:{id}"))
    polling = job is not None and not job.over
    st.fragment(run_every=0.5 if polling else None)(_outcome)(id, polling)


def _used_dim(trace: Trace) -> str:
    return Hints(used_tiles(trace)).dim


def _outcome(id: str, polling: bool) -> None:
    job = run.follow(st.session_state.get(f"rerun:job:{id}"))
    if job is None:
        st.caption(
            "Change something on the left and press Run. The passes appear here as the compiler "
            "writes them, then what became different."
        )
        return
    if polling == job.over:
        st.rerun()  # of the whole page: only there can the polling begin and end
    if not job.over:
        _live(job)
        return
    if job.trace is None:
        st.error(
            header.escaped(job.error or f"The compile was {job.state}; nothing of it was kept."),
            icon=":material/close:",
        )
        return
    if job.trace == id:
        st.info("This is the compile that is open.", icon=":material/equal:")
        return
    comparison.brief(id, job.trace)
    _honoured(job.trace)
    with st.container(horizontal=True):
        if st.button("Open", icon=":material/layers:", key="rerun:open"):
            address.go("passes.py", job.trace)
        if not rooms.trace(job.trace).status.compiles:
            header.why_link(job.trace)
        if st.button("Compare in full", icon=":material/compare_arrows:", key="rerun:compare"):
            st.session_state["trace"] = job.trace
            st.switch_page("compare.py", query_params={"trace": job.trace, "against": id})


def _live(job: Job) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(jobs.job_text(job), width="stretch")
        if st.button("Cancel", icon=":material/stop_circle:", key="rerun:cancel"):
            jobs.cancel(job.id)
    arrived = jobs.arrived(job)
    with st.container(height=420, border=False):
        if arrived:
            st.code("\n".join(arrived), language=None)
        elif job.state == "queued":
            st.caption("Waiting for a free slot.")
        else:
            st.caption("The compiler starts.")


def _honoured(id: str) -> None:
    """What became of the hints: ignored ones are what people look for."""
    trace = rooms.trace(id)
    if trace.hints.ignored:
        for name, why in trace.hints.ignored.items():
            st.warning(header.escaped(f"{name} was ignored: {why}"), icon=":material/block:")
    took = f" in {seconds_text(trace.seconds)}" if trace.seconds else ""
    honoured = ", ".join(f"{k}={v}" for k, v in trace.hints.honoured.items())
    st.caption(header.escaped(f"Compiled{took}. " + (f"Honoured: {honoured}." if honoured else "")))


main()
