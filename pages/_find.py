"""The find bar of the Passes page: look for a text in all passes at once, and go from one to the
next that has it."""

from __future__ import annotations

import html
from dataclasses import replace

import streamlit as st

from core.analysis.search import Hits, Query, QueryError
from core.views.found import found_sentence
from pages import _address as address
from pages import _rooms as rooms
from pages._view import View

_HOW = {"c": "Aa", "w": "Word", "p": ".*"}
_SAID = "Aa: letter case matters. Word: whole names only. .*: a regular expression, line by line."


def find_bar(view: View) -> View:
    """Show the bar; the view with what it found."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="passes:find"):
        text = st.text_input(
            "Find in all passes",
            key="find",
            bind="query-params",
            placeholder="Find in all passes",
            label_visibility="collapsed",
            icon=":material/search:",
            type="search",
            live=True,
            width=270,
        )
        query = _query(text or "", _how(view))
        if query is None:
            st.html(
                '<span class="ts-small">A name, a text or a pattern: the strip shows in which '
                "passes it is. Click a name in the text to find or to follow it.</span>",
                width="stretch",
            )
            return view
        try:
            found = rooms.found(view.id, query)
        except QueryError as wrong:
            st.html(
                f'<span class="ts-small ts-wrong">{html.escape(str(wrong))}</span>', width="stretch"
            )
            return view
        except KeyError:
            st.html('<span class="ts-small ts-wrong">A text of this trace is gone.</span>')
            return view
        view = replace(view, query=query, found=found)
        said = found_sentence(found, view.trace)
        st.html(
            f'<span class="ts-small ts-cut" title="{html.escape(said)}">{html.escape(said)}</span>',
            width="stretch",
        )
        _steps(view)
    return view


def _how(view: View) -> str:
    """The letters of how to look: c, w, p."""
    letters = address.text("findas", view.id)
    letters = "".join(letter for letter in _HOW if letter in letters)
    key = "passes:as"
    if "".join(st.session_state.get(key, ())) != letters:
        st.session_state[key] = list(letters)

    def switched() -> None:
        now = st.session_state.get(key) or []
        address.set_text("findas", view.id, "".join(x for x in _HOW if x in now))

    st.segmented_control(
        "How to look",
        list(_HOW),
        selection_mode="multi",
        format_func=lambda letter: _HOW[letter],
        key=key,
        on_change=switched,
        label_visibility="collapsed",
        help=_SAID,
    )
    return letters


def _query(text: str, how: str) -> Query | None:
    return Query(text, pattern="p" in how, case="c" in how, word="w" in how) if text else None


def _steps(view: View) -> None:
    """Only these; the first, previous, next and last text that has it."""
    hits = view.found.hits if view.found else ()
    st.toggle(
        "Only these",
        key="only",
        bind="query-params",
        help="List only the passes that have it.",
        disabled=not hits,
    )
    before = [h for h in hits if h.index < view.index]
    after = [h for h in hits if h.index > view.index]
    for name, icon, target, help in (
        ("first", "first_page", hits[0] if hits else None, "The first text that has it"),
        ("previous", "chevron_left", before[-1] if before else None, "The text before that has it"),
        ("next", "chevron_right", after[0] if after else None, "The next text that has it"),
        ("last", "last_page", hits[-1] if hits else None, "The last text that has it"),
    ):
        st.button(
            "",
            key=f"find:{name}",
            icon=f":material/{icon}:",
            disabled=target is None,
            help=help,
            on_click=_go,
            args=(view, target),
        )


def _go(view: View, target: Hits) -> None:
    view.go(target.index, target.lines[0] if target.lines else 0)
