"""Questions about a trace that take several compiles: asked, followed, stopped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.jobs.queue import QueueError
from core.jobs.work import InquiryRow, Point
from core.library import LibraryError
from core.views.wording import count
from pages import _header as header
from pages import _rooms as rooms

#: Kernel, hints, compiler and version: what tells one compile from another.
Key = tuple[str, str, str, str]


def asked(id: str) -> dict[str, InquiryRow]:
    """The newest inquiry of each kind about a trace."""
    return {row.kind: row for row in reversed(rooms.queue().inquiries(id))}


def points(row: InquiryRow | None) -> dict[Key, Point]:
    """The compiles of an inquiry, each by what it is of."""
    if row is None or row.sweep is None:
        return {}
    try:
        found = rooms.queue().sweep(row.sweep).points
    except QueueError:
        return {}
    return {(p.kernel_hash, p.hints.digest, p.compiler, p.version): p for p in found}


def button(
    id: str,
    kind: str,
    label: str,
    row: InquiryRow | None,
    *,
    icon: str,
    help: str,
    reason: str | None,
    options: Mapping[str, Any] | None = None,
    primary: bool = False,
) -> None:
    """The button that asks, or stops what is being asked."""
    if row is not None and not row.over:
        st.button(
            f"Stop after {count(row.answered)}" if row.answered else "Stop",
            key=f"why:{kind}:stop",
            icon=":material/stop_circle:",
            on_click=_stop,
            args=(row.id,),
            help=f"{label}: compiling. What is measured by then stays.",
        )
        return
    st.button(
        label,
        key=f"why:{kind}:ask",
        icon=icon,
        type="primary" if primary else "secondary",
        disabled=reason is not None,
        on_click=_ask,
        args=(id, kind, options),
        help=reason or help,
    )


def _ask(id: str, kind: str, options: Mapping[str, Any] | None) -> None:
    try:
        rooms.queue().inquire(kind, id, options)
    except (QueueError, LibraryError) as wrong:
        st.toast(str(wrong), icon=":material/error:")


def _stop(inquiry: str) -> None:
    try:
        rooms.queue().cancel_inquiry(inquiry)
    except QueueError as wrong:
        st.toast(str(wrong))


def progress_line(row: InquiryRow, doing: str, most: int | None = None) -> None:
    """How far an inquiry is. It asks in the light of what it is told, so its end is not known."""
    if row.state == "queued":
        st.html('<span class="ts-small">waiting for its turn…</span>', width="content")
        return
    over = f"{count(row.answered)} of {count(row.asked)} compiled"
    st.progress(
        row.answered / max(most or row.asked, row.asked, 1), text=f"{doing}: {over}, more may come"
    )


def problem(row: InquiryRow) -> None:
    """Why an inquiry found nothing, where that is so."""
    if row.state == "failed":
        st.warning(header.escaped(row.error or "It failed."), icon=":material/error:")
    elif row.state == "cancelled":
        st.caption(f"Stopped after {count(row.answered)} compiles.")
