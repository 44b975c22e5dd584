"""The line at the top of every page about one trace, and what stands there without one."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence
from typing import NoReturn

import streamlit as st

from core.library import LibraryError, TraceRow
from core.trace import Status, Trace
from core.views.marks import failure_place, status_mark, trace_mark
from core.views.tables import culprits_table
from core.views.wording import (
    age,
    bytes_text,
    count,
    hints_text,
    middle,
    percent,
    seconds_text,
    shape_text,
)
from pages import _address as address
from pages import _handout as handout
from pages import _rooms as rooms
from pages._table import table


def open_trace(page: str, *, say_failure: bool = True) -> tuple[str, Trace]:
    """The trace of this page with its line drawn, or the page's empty state and its end."""
    id = address.trace_id()
    if id is None:
        empty("No trace is open.", f"Choose one in the Library to see its {page} here.")
    try:
        trace, row = rooms.trace(id), rooms.library().row(id)
    except LibraryError as wrong:
        st.session_state.pop("trace", None)
        empty(str(wrong), "The Library lists those that are there.")
    _line(id, trace, row)
    if say_failure and not trace.status.compiles:
        failure(trace, id)
    return id, trace


def empty(what: str, then: str) -> NoReturn:
    """Say that there is nothing to show and where to go; ends the page."""
    with st.container(border=True, horizontal_alignment="center"):
        st.markdown(f"**{what}** {then}", text_alignment="center")
        st.page_link("library.py", label="Open the Library", icon=":material/inventory_2:")
    st.stop()
    raise AssertionError  # st.stop() does not return


def _line(id: str, trace: Trace, row: TraceRow) -> None:
    mark = trace_mark(trace)
    limiter = trace.limiter
    facts = [f"{trace.target} · {trace.compiler.name} {trace.compiler.version}".strip(" ·")]
    if trace.block_dim:
        facts.append(f"{count(trace.block_dim)} {'core' if trace.block_dim == 1 else 'cores'}")
    if limiter is not None and limiter.occupancy is not None:
        facts.append(f"{limiter.memory} {percent(limiter.occupancy)}")
    facts.append(age(row.created))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="header:line"):
        name = rooms.kernel_label(row)
        st.html(
            f'<span class="ts-name" title="{html.escape(name)}">'
            f"{html.escape(middle(name, 44))}</span>",
            width="content",
        )
        st.badge(mark.word, icon=mark.badge_icon, color=mark.badge)
        wrong, _ = rooms.reports(row) or (0, 0)
        if wrong:
            st.badge(f"{wrong} wrong", icon=":material/dangerous:", color="red")
        said = html.escape(" · ".join(facts))
        st.html(f'<span class="ts-small ts-cut" title="{said}">{said}</span>', width="content")
        _siblings(id, trace, row)
        with st.popover("About", icon=":material/info:", key=f"header:about:{id}"):
            _about(id, trace)
        with st.popover("Take away", icon=":material/ios_share:", key=f"header:take:{id}"):
            _take_away(id, trace)


def _take_away(id: str, trace: Trace) -> None:
    """The trace as a file: one that a browser reads alone, one that any Tilescope opens."""
    st.download_button(
        "One page (HTML)",
        lambda: handout.page(id),
        f"{trace.kernel}.html",
        "text/html",
        key=f"header:handout:{id}",
        icon=":material/description:",
        on_click="ignore",
        width="stretch",
        help="Passes, differences, graphs, tiling, memory and failure in one file that opens "
        "without a server; its graphs take some seconds to draw.",
    )
    st.link_button(
        "The trace (zip)",
        f"export/{id}.zip",
        icon=":material/folder_zip:",
        width="stretch",
        help="Opens in any Tilescope: import it in the Library.",
    )
    st.caption(
        "The address of this page, as it stands, opens the same view for anybody who reaches this "
        "server."
    )


def _about(id: str, trace: Trace) -> None:
    """What else is known of a compile: kernel, hints and their fate, notes, what was printed."""
    kernel = rooms.library().kernel(id)
    if kernel is not None:
        st.markdown(f"**{escaped(kernel.name)}** {escaped(kernel.about)}")
        for tensor in kernel.tensors[:12]:
            shape = shape_text(tensor.shape)
            st.caption(escaped(f"{tensor.role} {tensor.name}: {tensor.dtype} {shape}"))
    hints = trace.hints
    st.markdown(f"**Hints asked**: {escaped(hints_text(hints.asked))}")
    if hints.honoured:
        st.markdown(f"**Honoured**: {escaped(hints_text(hints.honoured))}")
    for name, why in hints.ignored.items():
        st.markdown(f"**{escaped(name)} ignored**: {escaped(why)}")
    made = [trace.started.replace("T", " "), trace.host]
    if trace.seconds is not None:
        made.append(seconds_text(trace.seconds))
    st.markdown(f"**Compiled**: {escaped(', '.join(part for part in made if part))}")
    for note in trace.notes:
        st.markdown(escaped(note))
    for line in trace.diagnostics[:20]:
        st.caption(escaped(f"{line.level} {line.source} {line.component}: {line.message}"))


def _siblings(id: str, trace: Trace, row: TraceRow) -> None:
    """Other traces of the same kernel, one step away."""
    name = rooms.kernel_label(row)
    same = rooms.library().rows(trace.kernel)
    rows = [r for r in same if rooms.kernel_label(r) == name][:100]
    if id not in [r.id for r in rows]:
        rows.append(row)
    labels = trace_labels(rows)
    key = f"header:sibling:{id}"

    def switch() -> None:
        chosen = st.session_state[key]
        if chosen in labels and chosen != id:
            st.session_state["trace"] = chosen
            st.query_params["trace"] = chosen

    st.selectbox(
        "Trace of this kernel",
        list(labels),
        index=list(labels).index(id),
        format_func=lambda other: labels.get(other, other),
        key=key,
        label_visibility="collapsed",
        on_change=switch,
        width=420,
        help=f"Hints asked: {hints_text(trace.hints.asked)}",
    )


def trace_labels(rows: Sequence[TraceRow], *, kernels: bool = False) -> dict[str, str]:
    """Traces as choices of a list, by id: what was asked, how it ended, when.

    No two are alike and none ever changes, since Streamlit knows a choice by its label.
    """
    labels = {}
    for row in rows:
        asked = middle(row.hints, 40) if row.hints and row.hints != "none" else "no hints"
        when = row.created.astimezone().strftime("%d %b %H:%M:%S")
        parts = [asked, status_mark(Status(row.status)).word, when]
        name = middle(rooms.kernel_label(row), 36)
        labels[row.id] = " · ".join([name, *parts] if kernels else parts)
    times = Counter(labels.values())
    return {id: f"{text} · {id}" if times[text] > 1 else text for id, text in labels.items()}


def failure(trace: Trace, id: str = "") -> None:
    """Why the compile did not end well, in the compiler's own words; with the way to what that
    means, where the trace is given by its id."""
    problem = trace.failure
    mark = trace_mark(trace)
    if problem is None:
        st.error(f"The compile {mark.word}; the compiler left no reason.", icon=mark.badge_icon)
        return
    place = failure_place(trace)
    where = "" if not place else f" {place}" if place.startswith("after") else f" in {place}"
    source = f" ({problem.source})" if problem.source else ""
    attempts = f", after {problem.attempts} attempts" if problem.attempts > 1 else ""
    message = problem.message.strip() or "The compiler left no message."
    what = f"**{mark.word[0].upper()}{mark.word[1:]}{where}{attempts}.**"
    need = ""
    told = f"{problem.required_bytes:,} " in message if problem.required_bytes else False
    if problem.required_bytes and problem.available_bytes and not told:
        need = (
            f" {problem.memory or 'Memory'}: {bytes_text(problem.required_bytes)} needed, "
            f"{bytes_text(problem.available_bytes)} there."
        )
    said = f"{what} {escaped(message)}{escaped(source)}{escaped(need)}"
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="header:failure"
    ):
        st.error(said, icon=mark.badge_icon)
        if id:
            why_link(id)
    culprits(trace)


def why_link(id: str) -> None:
    """The way to what a failure means and what can be done."""
    st.page_link(
        "why.py",
        label="Why, and what to try",
        icon=":material/troubleshoot:",
        query_params={"trace": id},
    )


def culprits(trace: Trace) -> None:
    """The buffers that do not fit together, where the compiler ran out of a memory."""
    frame = culprits_table(trace)
    if frame.empty:
        return
    with st.container(key="header:culprits", width=820):
        memory = trace.failure.memory if trace.failure else None
        st.markdown(f"**Alive at once{f' in {memory}' if memory else ''}, largest first**")
        with st.container(height=240 if len(frame) > 7 else "content", border=False):
            table(list(frame.columns), frame.astype(str).values.tolist(), wide="buffer")


def escaped(text: str) -> str:
    """Text of a compiler, which must not be taken for Markdown."""
    for sign in "\\`*_{}[]<>#$~:|":
        text = text.replace(sign, f"\\{sign}")
    return text
