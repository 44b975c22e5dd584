"""The study of a trace: asked for, waited for, and said where it found the code to be wrong."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.analysis.studied import Report, Study
from core.trace import Trace
from core.views.figures import abandoned, place
from pages import _header as header
from pages import _rooms as rooms
from pages._view import View

WORKING = "Working out figures…"
_EVERY_SECONDS = 1.0


def wrong_reports(study: Study | None) -> Sequence[Report]:
    """The reports of code that computes something else, or crashes."""
    return [r for r in study.reports if r.finding.harm == "wrong"] if study else []


def banner(view: View) -> None:
    """Where the code is wrong: said first of all of a compile that ended well, and below its
    failure of one that did not."""
    found = wrong_reports(view.study)
    # What only an attempt had that was done over comes last, and not at all where one went well.
    reports = [r for r in found if not abandoned(view.trace, r)]
    if not reports and not view.trace.status.compiles:
        reports = list(found)
    if not reports:
        return
    first = reports[0]
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="passes:wrong"
    ):
        sentence = said(first, view.trace, len(reports))
        if view.trace.status.compiles:
            st.error(sentence, icon=":material/dangerous:")
        else:
            st.warning(sentence, icon=":material/dangerous:")
        st.button(
            "Go there",
            key="passes:wrong:go",
            icon=":material/arrow_forward:",
            icon_position="right",
            on_click=view.go,
            args=(first.index, first.finding.line),
        )


def said(first: Report, trace: Trace, many: int) -> str:
    """The sentence of the banner, in Markdown."""
    message = header.escaped(first.finding.message.rstrip("."))
    where = header.escaped(f"{place(trace, first.index)}, line {first.finding.line:,}")
    more = f" And {many - 1} more: see Checks." if many > 1 else ""
    what = f"It compiles, but {_lower(message)}"
    if not trace.status.compiles:
        what = f"Wrong before it stopped: {_lower(message)}"
    return f"**{what}:** {where}.{more}"


def _lower(sentence: str) -> str:
    """Begin a sentence small, unless it begins with a name."""
    first = sentence.split(" ", 1)[0]
    return sentence[0].lower() + sentence[1:] if first[1:].islower() else sentence


def waiting(view: View) -> bool:
    """Whether the study is still to come, or will never; says so."""
    if view.study is not None:
        return False
    problem = rooms.want_study(view.id)
    st.caption(
        f"There are no figures of this trace: {header.escaped(problem)}" if problem else WORKING
    )
    return True


def arrive(view: View) -> None:
    """Ask for a study that is not there; the page is drawn again as soon as it is."""
    if view.study is None:
        come(view.id)


def come(id: str) -> None:
    """The same for a page that has no view of passes."""
    if rooms.study(id) is None and not rooms.want_study(id):
        _arriving(id)


@st.fragment(run_every=_EVERY_SECONDS)
def _arriving(id: str) -> None:
    if rooms.study(id) is not None or rooms.want_study(id):
        st.rerun()
