"""Dynamic shapes: the many that occur, the few buckets that serve them, the table of both."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from functools import lru_cache

import streamlit as st

from core.analysis.bucketing import Bucketing
from core.analysis.buckets import RULES, Occurring, Plan, suggested
from core.analysis.dispatch import Dispatch, as_json, as_python, as_repository
from core.analysis.matrix import LayoutError, laid_out
from core.analysis.matrix.hint_sets import NO_HINTS, distinct, parse_hint_set, written_hints
from core.analysis.occurrences import Read, occurring, read_occurrences, recompiles
from core.compilers import Compiler
from core.hints import HintError, Hints
from core.jobs.queue import QueueError
from core.kernel import Kernel, KernelError
from core.library import LibraryError
from core.readers.source import ReadError
from core.request import Request
from core.shapes import shape_label, why_fixed
from core.trace import Trace
from core.views.buckets import curve_figure, plan_table, plan_text, recompiles_rows
from core.views.wording import count, count_of
from pages import _header as header
from pages import _matrix as matrix
from pages import _rooms as rooms
from pages._table import table

#: Where other pages leave the shapes that buckets are to be made of.
GIVEN = "buckets:given"
_MOST, _MULTIPLES = 12, (1, 8, 16, 32, 64, 128)
_POLL = 0.7  #: seconds
_ROW = 30  #: pixels
_NO_BAR = {"displayModeBar": False}


def of_sweep(id: str) -> None:
    """Buckets for the shapes of a sweep, with its sets of hints to begin with."""
    try:
        layout = matrix.followed(id).layout
        kernel = rooms.queue().kernel(id)
    except (QueueError, LayoutError, LibraryError):
        return
    column = layout.columns[0]
    known = rooms.compiler(column.compiler)
    if known is None:
        return
    st.session_state.setdefault(
        f"buckets:shapes:{kernel.digest}", "\n".join(case.name for case in layout.cases)
    )
    section(kernel, known, sets=[(each.name, each.hints) for each in layout.columns])


def section(
    kernel: Kernel,
    compiler: Compiler,
    *,
    hints: Hints | None = None,
    parent: str | None = None,
    sets: Sequence[tuple[str, Hints]] = (),
) -> None:
    """Shapes in, buckets out. `hints` are those of the open trace, `parent` is its id; `sets` are
    sets of hints by name to begin with."""
    fixed = why_fixed(kernel)
    if fixed:
        st.caption(header.escaped(f"{kernel.name} can have no other shape. {fixed}"))
        return
    left, right = st.columns([4.4, 5.6], gap="medium")
    with left:
        text = _shapes(kernel)
        asked = _sets(kernel, compiler, [*_usual(hints), *sets])
        most, multiple = _limits()
    with right:
        if not asked:
            return
        try:
            read, shapes = _occurring(kernel, text)
        except (KernelError, ReadError) as wrong:
            st.info(header.escaped(str(wrong)), icon=":material/straighten:")
            return
        bucketing = _bucketing(shapes, asked, compiler)
        plans = bucketing.plans(most, multiple=multiple)
        chosen = _curve(bucketing, plans, read)
    if chosen is not None:
        _plan(bucketing, chosen, kernel, compiler, parent)


def _usual(hints: Hints | None) -> list[tuple[str, Hints]]:
    asked = [(NO_HINTS, Hints())]
    if hints is not None and hints.as_dict():
        asked.insert(0, ("as the open trace", hints))
    return asked


# What is asked


def _shapes(kernel: Kernel) -> str:
    st.markdown("##### Shapes that occur")
    key = f"buckets:shapes:{kernel.digest}"
    if given := st.session_state.pop(GIVEN, None):
        st.session_state[key] = given
    st.session_state.setdefault(key, shape_label(kernel))
    file = st.file_uploader(
        "From a file",
        type=["csv", "txt", "log", "out", "gz"],
        key=f"{key}:file",
        label_visibility="collapsed",
        help="CSV with the columns shape and count, or MindSpore's log at GLOG_v=1, in which the "
        "shapes are found that functions were compiled again for.",
    )
    written = st.text_area(
        "Shapes that occur",
        key=key,
        height=150,
        label_visibility="collapsed",
        help="One a line, perhaps with a comma and how often it occurs: 512x64, 30. Tensors and "
        "dimensions may be named: input_0=512x64, d0=512. A log may be pasted as well.",
    )
    if file is None:
        return written or ""
    data = file.getvalue()
    if data.startswith(b"\x1f\x8b"):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError):
            st.warning("The file is packed and damaged.", icon=":material/error:")
            return ""
    return data.decode("utf-8-sig", "replace")


def _sets(
    kernel: Kernel, compiler: Compiler, usual: Sequence[tuple[str, Hints]]
) -> tuple[tuple[str, Hints], ...]:
    """Sets of hints that every bucket is compiled with; () where one cannot be read."""
    own = {hints.digest: f"{name}: {written_hints(hints)}" for name, hints in reversed(usual)}
    written = st.text_area(
        "Sets of hints",
        value="\n".join(reversed(own.values())),
        key=f"buckets:sets:{kernel.digest}",
        height=80,
        help='One a line, as in big tiles: dim="0 0 8192 1". Each bucket is compiled with each of '
        "them, and the table has the one that takes the least time.",
    )
    try:
        read = [
            parse_hint_set(line, compiler, kernel)
            for line in (written or NO_HINTS + ":").splitlines()
            if line.strip()
        ]
        return tuple(distinct(read))
    except HintError as wrong:
        st.warning(header.escaped(str(wrong)), icon=":material/error:")
        return ()


def _limits() -> tuple[int, int]:
    with st.container(horizontal=True, gap="small"):
        most = st.number_input(
            "Buckets at most", 1, 40, _MOST, key="buckets:most", width=150,
            help="How far the curve goes.",
        )  # fmt: skip
        multiple = st.selectbox(
            "Sizes in steps of", _MULTIPLES, key="buckets:multiple", width=150,
            help="Every size of a bucket is a multiple of this: whole blocks of 32 bytes are 16 "
            "elements of float16.",
        )  # fmt: skip
    return int(most), int(multiple)


@lru_cache(maxsize=16)
def _occurring(kernel: Kernel, text: str) -> tuple[Read, Occurring]:
    read = read_occurrences(text, kernel)
    return read, occurring(kernel, read.shapes)


def _bucketing(
    shapes: Occurring, sets: tuple[tuple[str, Hints], ...], compiler: Compiler
) -> Bucketing:
    """What is known of the shapes, kept while the same is asked."""
    named = tuple((name, hints.digest) for name, hints in sets)
    key = (id(shapes), named, compiler.name, rooms.library().home)
    known: tuple[object, Bucketing] | None = st.session_state.get("buckets:known")
    if known is None or known[0] != key:
        known = (key, Bucketing(shapes, sets, _look, compiler=compiler.name))
        st.session_state["buckets:known"] = known
    return known[1]


def _look(requests: Sequence[Request]) -> Mapping[str, Trace | None]:
    try:
        found = rooms.queue().known(requests)
    except QueueError:
        return {}
    return {digest: p.trace for digest, p in found.items() if p.state in ("done", "lost")}


# What comes of it


def _curve(bucketing: Bucketing, plans: Sequence[Plan], read: Read) -> Plan | None:
    """The curve and the slider; the plan that is chosen."""
    again = recompiles(read.recompiled)
    if again:
        table(["function", "compiles", "shapes", "time", "varies"], recompiles_rows(again))
    for sentence in read.skipped[:3]:
        st.caption(header.escaped(sentence))
    plans = [plan for plan in plans if plan.buckets]
    if not plans:
        st.warning(
            "No bucket is left: each that comes in question fails with all these hints; add "
            "another set.",
            icon=":material/block:",
        )
        return None
    proposed = suggested(plans) or plans[-1]
    numbers = [len(plan.buckets) for plan in plans]
    key = "buckets:number"
    # Other shapes are another question; a bucket that fails is not.
    of = bucketing.shapes.counts
    if st.session_state.get(key) not in numbers or st.session_state.get(f"{key}:of") != of:
        st.session_state[key] = len(proposed.buckets)
        st.session_state[f"{key}:of"] = of
    chosen = plans[0]
    figure = st.container()
    if len(numbers) > 1:
        number = st.select_slider(
            "Buckets", numbers, key=key, help="; ".join(RULES[:2]), label_visibility="collapsed"
        )
        chosen = plans[numbers.index(number)]
    with figure:
        st.plotly_chart(curve_figure(plans, chosen), key="buckets:curve", config=_NO_BAR)
    st.markdown(header.escaped(plan_text(bucketing, chosen)))
    return chosen


def _plan(
    bucketing: Bucketing, plan: Plan, kernel: Kernel, compiler: Compiler, parent: str | None
) -> None:
    frame = plan_table(bucketing, plan)
    columns = st.column_config
    st.dataframe(
        frame,
        hide_index=True,
        height=min(_ROW * (len(frame) + 1) + 4, 360),
        row_height=_ROW,
        key="buckets:table",
        alt="Buckets with status, hints and padding",
        column_config={
            "padding": columns.TextColumn("padding", help=RULES[1]),
            "hints": columns.TextColumn("hints", help="Of those that compile the least time."),
            "status": columns.TextColumn("status", help=RULES[3]),
        },
    )
    made: Dispatch | None = None
    try:
        made = bucketing.table(plan)
    except KernelError as wrong:
        st.warning(header.escaped(str(wrong)), icon=":material/error:")
    if made is not None:
        icon = {"any": ":material/check:", "no": ":material/warning:"}.get(
            made.padding.verdict, ":material/info:"
        )
        st.caption(f"{icon} {header.escaped(made.padding.why)}")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _compile(bucketing, plan, kernel, compiler, parent)
        if made is not None:
            _downloads(made)
    _progress()
    with st.expander("How buckets are chosen"):
        st.markdown("\n".join(f"- {rule}" for rule in RULES))


def _compile(
    bucketing: Bucketing, plan: Plan, kernel: Kernel, compiler: Compiler, parent: str | None
) -> None:
    missing = bucketing.missing(plan)
    reason = rooms.why_no_compile(kernel, compiler.name)
    running = _running() is not None
    label = f"Compile all buckets ({count(len(missing))})" if missing else "All compiled"
    if st.button(
        label,
        type="primary" if missing else "secondary",
        icon=":material/play_arrow:",
        disabled=reason is not None or running or not missing,
        key="buckets:compile",
        help=reason or "Each bucket with each set of hints; what fails is replaced by others.",
    ):
        layout, requests = laid_out(
            bucketing.cases(plan),
            bucketing.sets,
            [compiler.version],
            compiler.name,
            called=kernel.name,
        )
        try:
            id = rooms.queue().submit_requests(requests, axes=layout.as_axes(), parent=parent)
        except (QueueError, LibraryError) as wrong:
            st.toast(str(wrong), icon=":material/error:")
            return
        st.session_state["buckets:sweep"] = id
        st.rerun()


def _running() -> str | None:
    """The sweep that compiles buckets at the moment."""
    id: str | None = st.session_state.get("buckets:sweep")
    if id is None:
        return None
    try:
        return id if rooms.queue().sweep_row(id).waiting else None
    except QueueError:
        return None


def _progress() -> None:
    id: str | None = st.session_state.get("buckets:sweep")
    if id is None:
        return
    if _running() is not None:
        st.fragment(run_every=_POLL)(_following)(id)
    else:
        st.button(
            "Show as a sweep",
            icon=":material/grid_on:",
            type="tertiary",
            key="buckets:show",
            on_click=matrix.choose,
            args=(id,),
            help="The buckets with every set of hints, and why some fail.",
        )


def _following(id: str) -> None:
    try:
        row = rooms.queue().sweep_row(id)
    except QueueError as wrong:
        st.caption(header.escaped(str(wrong)))
        return
    if not row.waiting:
        st.rerun()  # of the whole page: the curve may be another by now
    over = row.points - row.waiting
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(
            over / max(row.points, 1), text=f"{count(over)} of {count_of(row.points, 'compile')}"
        )
        if st.button("Stop", icon=":material/stop_circle:", key="buckets:stop"):
            rooms.queue().cancel_sweep(id)
            st.rerun()


def _downloads(made: Dispatch) -> None:
    name = made.kernel.name
    kinds = [
        ("JSON", f"{name}-buckets.json", "application/json", as_json, "The dispatch table."),
        (
            "Python",
            f"{name}_buckets.py",
            "text/x-python",
            as_python,
            "The dispatch table as a function that needs nothing else.",
        ),
    ]
    try:
        as_repository(made)
    except KernelError:
        pass  # only what has a description has a place there
    else:
        kinds.append(
            (
                "Repository",
                f"{name}-repository.json",
                "application/json",
                as_repository,
                "The hints of all buckets, for the tiling repository that MindSpore reads: name "
                "the file in MS_GRAPH_KERNEL_TILING.",
            )
        )
    for label, file, mime, write, about in kinds:
        st.download_button(
            label,
            write(made).encode(),
            file,
            mime,
            key=f"buckets:{label}",
            icon=":material/download:",
            on_click="ignore",
            help=about,
        )
