"""Passes: the pipeline pass by pass, what each changed, and what there is to know beside it.

Which pass did it: look for a name in all of them, follow it, sort them by what they did, and go
where the code broke.
"""

from __future__ import annotations

import streamlit as st

from core.views.marks import attempts_sentence
from pages import _address as address
from pages import _find as find
from pages import _header as header
from pages import _panel as panel
from pages import _passtext as passtext
from pages import _rooms as rooms
from pages import _sequence as sequence
from pages import _study as study
from pages._view import View, texts_beside


def main() -> None:
    id, trace = header.open_trace("passes")
    if not trace.passes:
        header.empty("This trace has no passes.", "The compiler stopped before its first one.")
    documents = texts_beside(trace)
    last = len(trace.passes) + len(documents) - 1
    index = min(max(address.number("pass", id, address.opening(trace)), 0), last)
    chosen = address.lines(f"{id}:{index}")
    view = View(id, rooms.known(id), trace, documents, index, *chosen, rooms.study(id))
    if max(step.attempt for step in trace.passes) > 1:
        again = " ".join(trace.notes) or attempts_sentence(trace)
        st.caption(header.escaped(again))  # why it began again
    study.banner(view)
    view = panel.followed(find.find_bar(view))
    marked = sequence.marks(view)
    sequence.show_strip(view, marked)
    left, right = st.columns([2.1, 8.9], gap="small")
    with left:
        sequence.show_list(view, marked)
    with right:
        _text_and_panel(view)
    study.arrive(view)
    panel.arrive(view)
    _mirror(view)


def _text_and_panel(view: View) -> None:
    step = view.step
    if step is not None:
        passtext.heading(view, step)
    with st.container(
        horizontal=True, vertical_alignment="bottom", gap="small", key="passes:about"
    ):
        if step is not None:
            passtext.purpose(view, step)
        else:
            passtext.document_heading(view)
        which = panel.panel_switch(view)
    columns = st.columns([5.6, 3.3], gap="small") if which else [st.container()]
    with columns[0]:
        if step is not None:
            passtext.text(view, step)
        else:
            passtext.document(view)
    if which:
        with columns[1]:
            panel.panel(view, which)


def _mirror(view: View) -> None:
    """The address says what is shown."""
    id = view.id
    compared = address.number("against", id, -1)
    address.mirror_all(
        {
            ("pass", id): view.index,
            ("line", view.scope): address.lines_text(view.line, view.last_line) or None,
            ("findas", id): address.text("findas", id) or None,
            ("follow", id): address.text("follow", id) or None,
            ("against", id): compared if compared >= 0 else None,
            ("exact", id): address.number("exact", id, 0) or None,
        }
    )


main()
