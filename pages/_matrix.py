"""A sweep over shapes as it fills: pass rates, ways to fail, the matrix, where a cell leads to."""

from __future__ import annotations

import html
import threading
from collections import OrderedDict
from pathlib import Path

import streamlit as st

from core.analysis.matrix import LayoutError, Matrix, Place, is_matrix
from core.analysis.matrix.comparison import compare
from core.analysis.matrix.table import csv_text
from core.analysis.signatures import explain
from core.jobs.matrices import SweepMatrix
from core.jobs.queue import QueueError
from core.jobs.work import SweepRow
from core.views.matrix import (
    BEST,
    CASE,
    LEGEND,
    WHICH,
    changes_table,
    comparison_text,
    groups_table,
    heading,
    hover_text,
    letters,
    matrix_table,
    rates_html,
    rows_of,
    sign,
    styled,
    summary_text,
    where_text,
)
from core.views.wording import age, count, middle
from pages import _address as address
from pages import _header as header
from pages import _jobs as jobs
from pages import _rooms as rooms
from pages import _run as run

_KEPT = 16  #: sweeps whose cells are held in memory
_ROW, _TALLEST = 30, 560  #: pixels
_POLL = 0.7  #: seconds

_followed: OrderedDict[tuple[Path, str], SweepMatrix] = OrderedDict()
_lock = threading.Lock()


def chosen() -> str:
    """The sweep that is open, by its id; "" without any."""
    return address.text("sweep", "")


def choose(id: str) -> None:
    """Open another sweep, or none; from a callback or before the address is written."""
    address.set_text("sweep", "", id)


def followed(id: str) -> SweepMatrix:
    """The matrix of a sweep, kept while it is looked at. Raises QueueError, LayoutError."""
    key = (rooms.library().home, id)
    with _lock:
        if key in _followed:
            _followed.move_to_end(key)
            return _followed[key]
    made = SweepMatrix(rooms.queue(), id, explain)
    with _lock:
        _followed[key] = made
        while len(_followed) > _KEPT:
            _followed.popitem(last=False)
    return made


def rows() -> list[SweepRow]:
    """The sweeps over shapes, newest first."""
    return [row for row in rooms.queue().sweeps() if is_matrix(row.axes)]


def show(id: str) -> bool:
    """A sweep with all that it says; False where there is no such sweep, which then is said."""
    try:
        of = followed(id)
        row = of.row()
    except (QueueError, LayoutError) as wrong:
        st.warning(header.escaped(str(wrong)), icon=":material/search_off:")
        return False
    polling = row.waiting > 0 or _full(id) is not None
    st.fragment(run_every=_POLL if polling else None)(_live)(of, polling)
    return True


def _live(of: SweepMatrix, polling: bool) -> None:
    try:
        row, matrix = of.row(), of.look()
    except QueueError as wrong:
        st.warning(header.escaped(str(wrong)), icon=":material/search_off:")
        return
    _drawn(of, row, matrix)
    # Of the whole page: only there can the polling begin and end. Last, or a click that comes
    # with this run would be lost.
    if polling != (row.waiting > 0 or _full(of.id) is not None):
        st.rerun()


def _drawn(of: SweepMatrix, row: SweepRow, matrix: Matrix) -> None:
    _head(of, row, matrix)
    if not any(each.over for each in matrix.cells.values()):
        if row.waiting:
            st.caption("The first compiles are under way; cells appear here as they end.")
        return
    left, right = st.columns([4.6, 5.4], gap="medium")
    with left:
        st.markdown("##### Pass rates")
        st.html(rates_html(matrix))
        _compared(of, matrix)
    with right:
        _groups(of, matrix)
    _table(of, matrix)


def _head(of: SweepMatrix, row: SweepRow, matrix: Matrix) -> None:
    """What is swept and how far it is, with the ways to stop it and to go on."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sweep:head"):
        st.html(
            f'<span class="ts-name">{html.escape(middle(name(row), 44))}</span>', width="content"
        )
        said = f"{summary_text(matrix)} · {row.compiler} · {age(row.created)}"
        st.html(f'<span class="ts-small">{html.escape(said)}</span>', width="stretch")
        left = sum(of.counts[s] for s in ("cancelled", "lost") if s in of.counts)
        if row.waiting:
            if st.button("Stop", icon=":material/stop_circle:", key="sweep:stop"):
                _do(rooms.queue().cancel_sweep, of.id)
        elif left and st.button(
            f"Go on with {count(left)}",
            icon=":material/resume:",
            key="sweep:resume",
            help="Queue again what was stopped or could not be run.",
        ):
            _do(rooms.queue().resume_sweep, of.id)
        st.download_button(
            "CSV",
            lambda: csv_text(matrix).encode(),
            f"{name(row)}-sweep.csv",
            "text/csv",
            key="sweep:csv",
            icon=":material/download:",
            on_click="ignore",
            help="A line a compile: outcome, kind of failure, memory, cores, cycles.",
        )
        with st.popover("", icon=":material/delete:", key="sweep:delete"):
            st.markdown("Delete this sweep, and what only it has measured?")
            st.button("Delete", key="sweep:delete:yes", on_click=_delete, args=(of.id,))
    if row.waiting:
        over = row.points - row.waiting
        st.progress(
            over / max(row.points, 1), text=f"{count(over)} of {count(row.points)} compiled"
        )


def _do(what: object, id: str) -> None:
    try:
        what(id)  # type: ignore[operator]
    except QueueError as wrong:
        st.toast(str(wrong), icon=":material/error:")
    st.rerun()


def _delete(id: str) -> None:
    try:
        rooms.queue().delete_sweep(id)
    except QueueError as wrong:
        st.toast(str(wrong), icon=":material/error:")
    choose("")


# Ways to fail


def _groups(of: SweepMatrix, matrix: Matrix) -> None:
    st.markdown("##### Why they fail")
    if not matrix.groups:
        st.caption("Nothing fails." if matrix.over else "Nothing has failed so far.")
        return
    frame = groups_table(matrix)

    def opened() -> None:
        click = st.session_state.get("sweep:group")
        if click is not None and 0 <= click.row < len(matrix.groups):
            st.session_state["sweep:at"] = matrix.groups[click.row].example

    columns = st.column_config
    st.dataframe(
        frame,
        hide_index=True,
        height=_ROW * (min(len(frame), 6) + 1) + 4,
        row_height=_ROW,
        key=f"sweep:groups:{of.id}",
        alt="Ways in which cases fail",
        column_config={
            "": columns.TextColumn("", width=44, help="As the matrix calls it."),
            "cases": columns.NumberColumn("cells", width=52),
            "what": columns.TextColumn("what", width=230),
            "in": columns.TextColumn("in", width=120, help="The pass that failed."),
            "said": columns.TextColumn("the compiler's words"),
            "first": columns.ButtonColumn(
                "for example",
                key="sweep:group",
                type="tertiary",
                alignment="left",
                width=170,
                on_click=opened,
                help="Shows this cell below, with the way to why it failed.",
            ),
        },
    )


# The matrix


def _table(of: SweepMatrix, matrix: Matrix) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sweep:which"):
        which = st.segmented_control(
            "Rows",
            WHICH,
            default=WHICH[0],
            key=f"sweep:rows:{of.id}",
            required=True,
            label_visibility="collapsed",
        )
        words = st.text_input(
            "Find a case",
            key=f"sweep:find:{of.id}",
            placeholder="Find a case",
            label_visibility="collapsed",
            type="search",
            width=180,
        )
        legend = " · ".join(f"{mark} {html.escape(means)}" for mark, means in LEGEND)
        st.html(f'<span class="ts-small">{legend}</span>', width="stretch")
    shown = rows_of(matrix, which or WHICH[0], words or "")
    if not shown:
        st.caption("No case is like that.")
        return
    frame = matrix_table(matrix, shown)
    columns = st.column_config
    best = f"{BEST}: least time of its row."
    picked = st.dataframe(
        styled(frame, matrix, shown),
        hide_index=True,
        width="content",
        height=min(_ROW * (len(frame) + 1) + 4, _TALLEST),
        row_height=_ROW,
        key=f"sweep:matrix:{of.id}:{which}:{words}",
        on_select="rerun",
        selection_mode="single-cell",
        alt="Outcome of each case with each set of hints",
        column_config={
            CASE: columns.TextColumn(CASE, pinned=True, width=200),
            **{
                heading(column.name): columns.TextColumn(column.name, width=140, help=best)
                for column in matrix.layout.columns
            },
        },
    )
    cells = picked.selection.cells
    names = [heading(column.name) for column in matrix.layout.columns]
    place: Place | None = st.session_state.get("sweep:at")
    if cells and cells[0][1] in names and cells[0][0] < len(shown):
        here = (shown[cells[0][0]], names.index(cells[0][1]))
        if st.session_state.get("sweep:picked") != here:
            st.session_state["sweep:picked"] = st.session_state["sweep:at"] = place = here
    if place is not None and place in matrix.cells:
        _cell(of, matrix, place)


def _cell(of: SweepMatrix, matrix: Matrix, place: Place) -> None:
    """The cell that was clicked: what came of it, and the way to its trace."""
    each = matrix.cells[place]
    with st.container(border=True, key="sweep:cell"):
        known = letters(matrix).get(each.kind, "")
        name = f"{sign(each)} {known} {where_text(matrix, place)}".replace("  ", " ")
        st.markdown(f"**{header.escaped(name)}**: {header.escaped(hover_text(matrix, place))}")
        if each.title and each.fails:
            st.caption(header.escaped(each.title))
        _ways(of, matrix, place)


def _ways(of: SweepMatrix, matrix: Matrix, place: Place) -> None:
    each = matrix.cells[place]
    waits = _full(of.id)
    if waits is not None and waits[1] == each.point:
        _compiling(of, waits[0], each.point)
        return
    if each.verdict not in ("compiles", "fails"):
        return
    page = "passes.py" if each.compiles else "why.py"
    with st.container(horizontal=True, gap="small"):
        label, icon = (
            ("Open", ":material/layers:")
            if each.compiles
            else ("Why, and what to try", ":material/troubleshoot:")
        )
        about = (
            "Its whole trace is kept."
            if each.whole
            else "Compiles it in full, with every pass, and opens it."
        )
        if st.button(label, icon=icon, key="sweep:open", type="primary", help=about):
            if each.whole:
                address.go(page, each.whole)
            _compile(of, each.point)


def _compile(of: SweepMatrix, point: str) -> None:
    """Compile a point in full, from the kernel and the hints that it was asked for with."""
    queue = rooms.queue()
    try:
        asked, kernel, parent = queue.job(point), queue.kernel(point), of.row().parent
    except QueueError as wrong:
        st.toast(str(wrong), icon=":material/error:")
        return
    job = run.start(kernel, asked.hints, parent, asked.compiler, asked.version)
    if job is not None:
        st.session_state[f"sweep:full:{of.id}"] = (job, point)
        st.rerun()


def _full(id: str) -> tuple[str, str] | None:
    """The job that compiles a point in full at the moment, and the point."""
    waits: tuple[str, str] | None = st.session_state.get(f"sweep:full:{id}")
    return waits


def _compiling(of: SweepMatrix, number: str, point: str) -> None:
    job = run.follow(number)
    if job is not None and not job.over:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge("compiling in full", icon=":material/progress_activity:", color="blue")
            st.markdown(jobs.job_text(job), width="stretch")
            if st.button("Cancel", icon=":material/stop_circle:", key="sweep:full:cancel"):
                jobs.cancel(job.id)
        return
    del st.session_state[f"sweep:full:{of.id}"]
    if job is None or job.trace is None or job.status is None:
        said = (job.error if job else None) or "The compile was stopped."
        st.toast(said, icon=":material/close:")
        st.rerun()
    rooms.queue().keep_whole(point, job.trace)
    of.kept(point, job.trace)
    address.go("passes.py" if job.status.compiles else "why.py", job.trace)


# Another sweep


def _compared(of: SweepMatrix, matrix: Matrix) -> None:
    """This sweep held against an earlier one."""
    others = {row.id: row for row in rows() if row.id != of.id}
    if not others:
        return
    labels = {id: label(row) for id, row in others.items()}
    against = st.selectbox(
        "Compare with",
        list(others),
        index=None,
        format_func=lambda id: labels.get(id, id),
        placeholder="Compare with another sweep",
        key=f"sweep:against:{of.id}",
        label_visibility="collapsed",
    )
    if against not in others:
        return
    try:
        found = compare(followed(against).look(), matrix)
    except (QueueError, LayoutError) as wrong:
        st.warning(header.escaped(str(wrong)), icon=":material/search_off:")
        return
    if not found.after.whole:
        st.caption("The two have no case with the same hints that is over in both.")
        return
    st.markdown(header.escaped(comparison_text(found)))
    frame = changes_table(found)
    if not frame.empty:
        st.dataframe(
            frame,
            hide_index=True,
            height=min(_ROW * (len(frame) + 1) + 4, 240),
            row_height=_ROW,
            key=f"sweep:changes:{of.id}:{against}",
            alt="What differs between the two sweeps",
        )


def name(row: SweepRow) -> str:
    """What the kernel of a sweep is called, whatever its shape."""
    return str(row.axes.get("kernel") or row.kernel)


def label(row: SweepRow) -> str:
    """A sweep as a choice of a list; no two are alike."""
    cases, columns = len(row.axes["cases"]), len(row.axes["columns"])
    when = row.created.astimezone().strftime("%d %b %H:%M:%S")
    return f"{middle(name(row), 30)} · {count(cases)} × {count(columns)} · {when} · {row.id[:4]}"
