"""Compiles under way: one line each, with the passes that have arrived and a way to stop it."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from core.jobs import progress
from core.jobs.queue import QueueError
from core.jobs.work import Job
from core.views.marks import status_mark
from core.views.wording import count, hints_text, middle, seconds_text
from pages import _address as address
from pages import _header as header
from pages import _rooms as rooms

_MINE = "jobs:mine"


def remember(job: str) -> None:
    """Note a job of this browser tab, so that its end is told."""
    st.session_state.setdefault(_MINE, []).append(job)


def show_active() -> None:
    """The compiles that run or wait, refreshed while there are any."""
    active = bool(rooms.queue().jobs(active=True)) or _unfinished()
    st.fragment(run_every=0.7 if active else None)(_active)(active)


def _unfinished() -> bool:
    return bool(st.session_state.get(_MINE))


def _active(polling: bool) -> None:
    queue = rooms.queue()
    jobs = queue.jobs(active=True)
    ended = _ended()
    if ended or (polling and not jobs and not _unfinished()):
        st.session_state.setdefault("jobs:told", []).extend(ended)
        st.rerun()
    for job in jobs:
        _line(job)


def _ended() -> list[str]:
    """Jobs of this browser tab that are over since we last looked."""
    mine = st.session_state.get(_MINE, [])
    over = [id for id in mine if _over(id)]
    st.session_state[_MINE] = [id for id in mine if id not in over]
    return over


def _over(id: str) -> bool:
    try:
        return rooms.queue().job(id).over
    except QueueError:
        return True


def tell_ended() -> None:
    """Say how jobs of this browser tab ended, with a way to open their traces."""
    for id in st.session_state.get("jobs:told", [])[-3:]:
        try:
            job = rooms.queue().job(id)
        except QueueError:
            continue
        with st.container(horizontal=True, vertical_alignment="center", key=f"told:{id}"):
            if job.trace is None:
                st.badge("no trace", icon=":material/close:", color="red")
                name = header.escaped(middle(job.kernel, 40))
                st.markdown(f"{name}: {header.escaped(job.error or job.state)}", width="stretch")
            else:
                mark = status_mark(job.status) if job.status else None
                if mark:
                    st.badge(mark.word, icon=mark.badge_icon, color=mark.badge)
                asked = header.escaped(hints_text(job.hints.as_dict()))
                st.markdown(
                    f"{header.escaped(middle(job.kernel, 40))}, hints: {asked}", width="stretch"
                )
                if st.button("Open", key=f"told:open:{id}", icon=":material/layers:"):
                    address.go("passes.py", job.trace)
            if st.button("Dismiss", key=f"told:dismiss:{id}", type="tertiary"):
                st.session_state["jobs:told"].remove(id)
                st.rerun()


def _line(job: Job) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"job:{job.id}"):
        st.badge(
            job.state,
            icon=":material/progress_activity:"
            if job.state == "running"
            else ":material/schedule:",
            color="blue" if job.state == "running" else "gray",
        )
        st.markdown(job_text(job), width="stretch")
        if st.button("Cancel", key=f"job:cancel:{job.id}", icon=":material/stop_circle:"):
            cancel(job.id)


def job_text(job: Job) -> str:
    """A job in one line of Markdown: kernel, hints, how far it is."""
    parts = [f"**{header.escaped(middle(job.kernel, 40))}**"]
    parts.append(header.escaped(middle(hints_text(job.hints.as_dict()), 50)))
    if job.progress is not None and job.progress.passes:
        last = f", last {job.progress.last}" if job.progress.last else ""
        parts.append(header.escaped(f"{count(job.progress.passes)} passes{last}"))
    if job.started is not None:
        parts.append(seconds_text((datetime.now(UTC) - job.started).total_seconds()))
    return " · ".join(parts)


def cancel(id: str) -> None:
    """Cancel a job; one that is gone meanwhile needs no cancelling."""
    try:
        rooms.queue().cancel(id)
    except QueueError as wrong:
        st.toast(str(wrong))


def arrived(job: Job) -> list[str]:
    """The passes of a running compile so far, the newest first."""
    return progress.arrived(job.folder)[::-1] if job.folder is not None else []
