"""The sequence of passes on the Passes page: the strip above, the list at the left."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby

import streamlit as st

from core.analysis.search import Query
from core.trace import Pass, Trace
from core.views.figures import Column, series
from core.views.marks import pass_title, result_name
from core.views.strip import (
    beside_segment,
    labels,
    look,
    presence,
    signs,
    strip,
    trail_presence,
)
from core.views.wording import count, middle, short_bytes
from pages import _rooms as rooms
from pages._rail import (
    Group,
    figures_document,
    list_document,
    marks_document,
    pass_list,
    pass_strip,
    strip_document,
)
from pages._rooms import Known, Page
from pages._view import View, texts_beside

IN_ORDER, CHANGE = "in order", ", change"


def marks(view: View) -> Page | None:
    """What is marked on strip and list: where something is found or followed, what broke."""
    return _marks(*_scope(view), view.query, view.followed if view.trail else None)


@lru_cache(maxsize=64)
def _marks(
    known: Known, studied: bool, query: Query | None, followed: tuple[str, int, int] | None
) -> Page | None:
    presences = []
    if query is not None:
        presences.append(presence(rooms.found(known.id, query), middle(query.text, 40)))
    if followed is not None:
        name, index, line = followed
        trail = rooms.trail(known.id, index, line, name)
        presences += [trail_presence(trail)] if trail is not None else []
    study = rooms.study(known.id) if studied else None
    return marks_document(presences, signs(study) if study else ())


def show_strip(view: View, marked: Page | None) -> None:
    pass_strip(
        _strip(*_scope(view)), view.index, key="passes:strip", on_pick=view.pick, marks=marked
    )


def show_list(view: View, marked: Page | None) -> None:
    words = st.text_input(
        "Filter by name",
        key="filter",
        bind="query-params",
        placeholder="Filter by name",
        label_visibility="collapsed",
        type="search",
        live=True,
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        changed_only = st.toggle(
            "Changed",
            value=True,
            key="changed",
            bind="query-params",
            help="Only the passes that changed something: most change nothing. Memory addresses "
            "are not counted as a change.",
        )
        by = _sorting(view)
    shown = [s.index for s in chosen(view, words or "", changed_only)]
    if not by:
        wanted = (words or "").lower()
        names = {len(view.trace.passes) + i: d.name for i, d in enumerate(view.documents)}
        shown += [i for i, name in names.items() if wanted in name.lower() and _in(view, i)]
    pass_list(
        _list(*_scope(view), by),
        view.index,
        key="passes:list",
        on_pick=view.pick,
        empty=_why_none(view, changed_only),
        shown=shown,
        marks=marked,
    )


def _why_none(view: View, changed_only: bool) -> str:
    if limited(view):
        return "No such pass has it: switch “Only these” off to see the others."
    return "No pass of this name" + (
        " changed anything: switch “Changed” off." if changed_only else "."
    )


def limited(view: View) -> bool:
    """Whether the list is limited to the passes that have what is looked for."""
    return view.found is not None and bool(st.session_state.get("only"))


def _in(view: View, index: int) -> bool:
    return not limited(view) or view.found is None or index in {h.index for h in view.found.hits}


def chosen(view: View, words: str, changed_only: bool) -> tuple[Pass, ...]:
    """The passes that match every word of the filter, in any letter case. Without a filter the
    current one stays, and where the list is limited to hits, whether they changed is not asked."""
    wanted = words.lower().split()
    hits = {h.index for h in view.found.hits} if limited(view) and view.found else None
    broken = {r.index for r in view.study.reports} if view.study else set()

    def kept(step: Pass) -> bool:
        if any(w not in f"{pass_title(step)} {step.argument}".lower() for w in wanted):
            return False
        if hits is not None:
            return step.index in hits
        told = step.changed or step.status != "ok" or step.index in broken
        return not changed_only or told or (step.index == view.index and not wanted)

    return tuple(step for step in view.trace.passes if kept(step))


def _sorting(view: View) -> str:
    """The figure by which the list is sorted, as it is chosen; "": in the order of the passes."""
    if view.study is None:
        st.selectbox(
            "Sort", [IN_ORDER], disabled=True, key="passes:unsorted", label_visibility="collapsed"
        )
        return ""
    titles = [column_title(c) for c in columns_of(view)]
    chosen = st.selectbox(
        "Sort",
        [IN_ORDER, *(f"{title}{by}" for title in titles for by in ("", CHANGE))],
        key="sort",
        bind="query-params",
        label_visibility="collapsed",
        help="Sort the passes by a figure, or by how much they changed it, the largest first.",
    )
    return "" if chosen in (None, IN_ORDER) else str(chosen)


def column_title(column: Column) -> str:
    """A figure as a choice: its title, and that it is bytes."""
    return f"{column.title} bytes" if column.key.startswith("bytes") else column.title


def columns_of(view: View) -> tuple[Column, ...]:
    """The figures of this trace that differ between passes."""
    return _columns(*_scope(view))


# What is kept of each trace


def _scope(view: View) -> tuple[Known, bool]:
    return view.known, view.study is not None


def figures(view: View) -> Page | None:
    """The figures of this trace as a document; None where none differs between passes."""
    return _figures(*_scope(view))


@lru_cache(maxsize=64)
def _figures(known: Known, studied: bool) -> Page | None:
    columns = {column_title(c): c for c in _columns(known, studied)}
    return figures_document(rooms.trace(known.id), columns) if columns else None


@lru_cache(maxsize=64)
def _columns(known: Known, _studied: bool) -> tuple[Column, ...]:
    study = rooms.study(known.id)
    return series(rooms.trace(known.id), study) if study is not None else ()


@lru_cache(maxsize=64)
def _strip(known: Known, _studied: bool) -> Page:
    trace = rooms.trace(known.id)
    beside = [
        (len(trace.passes) + at, document.name, document.bytes)
        for at, document in enumerate(texts_beside(trace))
    ]
    return strip_document([*strip(trace), *([beside_segment(beside)] if beside else [])])


@lru_cache(maxsize=64)
def _list(known: Known, studied: bool, by: str) -> Page:
    trace = rooms.trace(known.id)
    title = by.removesuffix(CHANGE)
    column = next((c for c in _columns(known, studied) if column_title(c) == title), None)
    if column is not None:
        return list_document([_sorted(trace, column, title != by)])
    groups: list[Group] = []
    headings = labels(trace)
    for label, run in groupby(trace.passes, key=lambda s: headings[s.index]):
        rows = [_row(step, count(step.lines) if step.text else "") for step in run]
        groups.append((label, f"{label}: {len(rows)} passes", rows))
    beside = [
        (len(trace.passes) + at, d.name, short_bytes(d.bytes) if d.bytes else "", "same", d.name)
        for at, d in enumerate(texts_beside(trace))
    ]
    if beside:
        name = result_name(trace)
        title = f"{name[0].upper()}{name[1:]} and logs"
        groups.append((title, title, beside))
    return list_document(groups)


def _sorted(trace: Trace, column: Column, change: bool) -> Group:
    """The passes in the order of a figure, or of its change; equal ones as they ran."""
    ranked = column.changes if change else column.values
    order = sorted(
        range(len(trace.passes)), key=lambda i: (ranked[i] is None, -abs(ranked[i] or 0), i)
    )
    rows = []
    for index in order:
        value = column.values[index]
        said = count(value) if value is not None else ""
        rows.append(_row(trace.passes[index], column.change_text(index) if change else said))
    title = f"{column_title(column)}{CHANGE if change else ''}, largest first"
    return title, title, rows


def _row(step: Pass, print: str) -> tuple[int, str, str, str, str]:
    title = pass_title(step)
    lines = count(step.lines) if step.text else "no"
    said = (title, step.argument, step.unit, f"{lines} lines")
    return step.index, title, print, look(step), " · ".join(filter(None, said))
