"""A failed trace explained: what happened, where, what does not fit, the compiler's own words."""

from __future__ import annotations

import html
from collections.abc import Sequence

import streamlit as st

from core.analysis.explained import Explanation
from core.analysis.placed import definition
from core.library import TraceRow
from core.trace import Pass, Status, Trace
from core.views.exhibits import Exhibit
from core.views.explanation import (
    alike_text,
    last_good,
    memory_sentence,
    own_words,
    sentences,
    stopped,
)
from core.views.figures import place
from core.views.marks import pass_title, status_mark, trace_mark
from core.views.memory_facts import peak_table, remedy_sentences
from core.views.wording import count, middle
from pages import _address as address
from pages import _failures as failures
from pages import _header as header
from pages import _memory as memory
from pages import _rooms as rooms
from pages import _study as study
from pages._said import grid

_BUFFERS = 6  #: rows of the list of culprits
_FAILED_SHOWN = 12
_WORDS_SHOWN = 16  #: lines of the compiler's own words before they scroll


def show(id: str, trace: Trace) -> None:
    """All that is known of the failure of a trace."""
    found = failures.explanation(id)
    if found is None:
        header.failure(trace)
        return
    _headline(trace, found)
    full = _overfull(id, trace)
    left, right = st.columns([6, 4], gap="medium") if full else (st.container(), None)
    with left:
        st.html(grid(sentences(trace, found)))
        _alike(id, found)
        _own_words(id, trace, found)
    if right is not None and full is not None:
        with right:
            _culprits(id, trace, full)


def _headline(trace: Trace, found: Explanation) -> None:
    mark = trace_mark(trace)
    need = memory_sentence(trace)
    cause = found.cause if not need or _says(found.cause, trace) else f"{found.cause} {need}"
    st.error(
        f"**{header.escaped(found.title.rstrip('.'))}.** {header.escaped(cause)}",
        icon=mark.badge_icon,
    )


def _says(cause: str, trace: Trace) -> bool:
    """Whether a sentence has the bytes in it already."""
    needed = trace.failure.required_bytes if trace.failure else None
    return needed is not None and f"{needed:,}" in cause


def places(id: str, trace: Trace) -> None:
    """The way to the pass that failed, to the last text before it, to what was wrong by then."""
    failed, good = stopped(trace), last_good(trace)
    if failed is not None:
        _to_pass("Failed in", id, failed, ":material/close:")
    if good is not None:
        _to_pass("Last good IR", id, good, ":material/check:")
    reports = study.wrong_reports(rooms.study(id))
    if reports:
        first = reports[0]
        where = {"pass": first.index, "line": first.finding.line, "panel": "checks"}
        st.page_link(
            "passes.py",
            label=f"Wrong already in {header.escaped(place(trace, first.index))}",
            icon=":material/dangerous:",
            query_params={"trace": id, **{k: str(v) for k, v in where.items()}},
            help=first.finding.message,
        )
    source = trace.failure.source if trace.failure else None
    if source:
        st.html(f'<span class="ts-small">at {html.escape(source)}</span>', width="content")
    if trace.failure is not None and trace.failure.attempts > 1:
        many = f"{count(trace.failure.attempts)} attempts"
        st.html(f'<span class="ts-small">{many}</span>', width="content")


def _to_pass(what: str, id: str, step: Pass, icon: str) -> None:
    st.page_link(
        "passes.py",
        label=f"{what}: **{header.escaped(pass_title(step))}**",
        icon=icon,
        query_params={"trace": id, "pass": str(step.index)},
        help="Opens it in Passes.",
    )


def _alike(id: str, found: Explanation) -> None:
    same = failures.alike(id)
    known = found.signature is not None
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="why:alike"):
        named = found.signature.id if found.signature is not None else "a kind not described yet"
        st.html(
            f'<span class="ts-small">{html.escape(named)} · fingerprint '
            f"{html.escape(found.fingerprint)}</span>",
            width="content",
        )
        said = alike_text(same, known)
        if same:
            with st.popover(said, icon=":material/account_tree:", key=f"why:alike:{id}"):
                _links(same)
        elif said:
            st.html(f'<span class="ts-small">{html.escape(said)}</span>', width="content")


def _links(rows: Sequence[TraceRow]) -> None:
    labels = header.trace_labels(rows[:30], kernels=True)
    for other, label in labels.items():
        _turn(label, other)
    if len(rows) > 30:
        st.caption(f"and {len(rows) - 30} more")


def _own_words(id: str, trace: Trace, found: Explanation) -> None:
    words = own_words(trace, found)
    if not words:
        return
    native = " and native stack" if trace.failure is not None and trace.failure.stack else ""
    with st.expander(f"The compiler's own words{native}", icon=":material/terminal:"):
        long = words.count("\n") > _WORDS_SHOWN
        st.code(words, language=None, wrap_lines=True, height=320 if long else "content")


# What does not fit


def _overfull(id: str, trace: Trace) -> Exhibit | None:
    """The memory that overflowed, with what is in it, as far as the texts tell."""
    failure = trace.failure
    if failure is None or failure.memory is None:
        return None
    found = [e for e in memory.exhibits_of(rooms.known(id)) if e.failed]
    return next((e for e in found if e.memory == failure.memory), next(iter(found), None))


def _culprits(id: str, trace: Trace, full: Exhibit) -> None:
    frame = peak_table(full)
    names = list(frame["buffer"])
    buffers = {b.name: b for b in full.drawn.plan.buffers}
    st.html(f'<div class="ts-did">Alive at once in {html.escape(full.memory)}, largest first</div>')

    def opened() -> None:
        click = st.session_state.get("why:buffer")
        if click is not None and 0 <= click.row < len(names):
            st.session_state["why:to"] = names[click.row]

    frame = frame[[c for c in ("buffer", "bytes", "share", "lines", "from") if c in frame]]
    frame["buffer"] = [middle(name, 24) for name in names]
    columns = st.column_config
    st.dataframe(
        frame,
        key=f"why:culprits:{id}",
        hide_index=True,
        height=28 * (min(len(frame), _BUFFERS) + 1) + 4,
        row_height=28,
        column_config={
            "buffer": columns.ButtonColumn(
                "buffer",
                key="why:buffer",
                on_click=opened,
                type="tertiary",
                alignment="left",
                width=150,
                help="Opens the line of the IR that makes it.",
            ),
            "bytes": columns.NumberColumn("bytes", format="localized", width=80),
            "share": columns.NumberColumn("share", format="%.1f %%", width=66),
            "lines": columns.TextColumn("lines", width=70),
            "from": columns.TextColumn("from", width=70, help="Line and column of the kernel."),
        },
    )
    first, *rest = remedy_sentences(full)
    st.html(
        f'<div class="ts-about"><b>{html.escape(first)}</b> {html.escape(" ".join(rest))}</div>'
    )
    wanted = st.session_state.pop("why:to", None)
    if wanted in buffers and full.digest is not None and full.index is not None:
        made = definition(rooms.library(), full.digest, full.index, buffers[wanted])
        address.set_lines(f"{id}:{made.index}", made.line)
        address.go("passes.py", id, **{"pass": made.index, "line": made.line})


# No trace, or one that did not fail


def failed_ones() -> None:
    """The newest failed traces of the library, to be opened here."""
    rows = [row for row in rooms.library().rows() if failures.failed(row)][:_FAILED_SHOWN]
    if not rows:
        return
    st.markdown("##### Failed in this library")
    labels = header.trace_labels(rows, kernels=True)
    with st.container(gap=None):
        for row in rows:
            said = failures.title(row) or middle(row.failure or "", 90)
            icon = status_mark(Status(row.status)).badge_icon
            _turn(f"{said} · {labels[row.id]}" if said else labels[row.id], row.id, icon)


def _turn(label: str, trace: str, icon: str | None = None) -> None:
    """The way to why another trace failed."""
    st.button(
        header.escaped(label),
        icon=icon,
        key=f"why:turn:{trace}",
        type="tertiary",
        on_click=address.turn_to,
        args=(trace,),
    )


def _tried_for(id: str) -> None:
    """The way back to the failed trace that this one was tried for."""
    parent = rooms.library().row(id).parent
    if parent is None or not rooms.there(parent):
        return
    row = rooms.library().row(parent)
    if failures.failed(row):
        said = failures.title(row) or row.failure or ""
        _turn(f"Made from one that failed: {said}", parent, ":material/arrow_back:")


def compiles(id: str, trace: Trace) -> None:
    """Nothing failed: say so, and what may be wrong all the same."""
    mark = trace_mark(trace)
    _tried_for(id)
    reports = study.wrong_reports(rooms.study(id))
    if not reports:
        st.success(f"This compile ended **{mark.word}**: nothing failed.", icon=mark.badge_icon)
        return
    first = reports[0]
    st.error(study.said(first, trace, len(reports)), icon=":material/dangerous:")
    st.page_link(
        "passes.py",
        label="Go to the pass that broke it",
        icon=":material/arrow_forward:",
        query_params={
            "trace": id,
            "pass": str(first.index),
            "line": str(first.finding.line),
            "panel": "checks",
        },
    )
