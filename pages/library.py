"""Library: every trace that was compiled, imported or recorded, and the ways to get another."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

from core.compilers import Compiler
from core.compilers.registry import compiler_for
from core.hints import Hints
from core.jobs.queue import QueueError
from core.kernel import Kernel, KernelError, KernelKind, kernel_cases, parse_kernel
from core.library import LibraryError, TraceRow
from core.readers import ReadError, open_trace
from core.views.tables import STATUS_COLOURS, traces_table
from core.views.wording import shape_text, short_bytes, value_text
from pages import _address as address
from pages import _failures as failures
from pages import _jobs as jobs
from pages import _rooms as rooms

_EXPLAINING_SECONDS = 0.15


def main() -> None:
    notice = rooms.library().notice
    if notice:
        st.warning(notice, icon=":material/warning:")
    left, right = st.columns([7.7, 2.3], gap="small")
    with left:
        jobs.tell_ended()
        jobs.show_active()
        _traces()
    with right:
        _new_trace()
        _toolchain()


# The table


def _traces() -> None:
    rows = rooms.library().rows()
    bar = st.container(horizontal=True, vertical_alignment="center")
    words = bar.text_input(
        "Filter traces",
        key="find",
        bind="query-params",
        placeholder="Filter by kernel, status, hint",
        label_visibility="collapsed",
        type="search",
        live=True,
        width=320,
    )
    shown = matching(rows, words or "")
    if not rows:
        st.info(
            "The library is empty. Compile an example, paste a kernel of your own, or import a "
            "dump: all three are on the right.",
            icon=":material/inventory_2:",
        )
        return
    # A filter changes which rows there are, so a selection by row number must not outlive it.
    key = f"library:table:{hash(tuple(r.id for r in shown))}"
    state = st.session_state.get(key) or {}
    picked = [shown[i] for i in state.get("selection", {}).get("rows", []) if i < len(shown)]
    with bar:
        _actions(picked)
        many = (
            f"{len(shown)} of {len(rows)} traces"
            if len(shown) < len(rows)
            else f"{len(rows)} traces"
        )
        st.html(f'<span class="ts-small">{many}</span>', width="content")
    if not shown:
        st.info("No trace matches this filter.", icon=":material/search_off:")
        return

    def opened() -> None:
        click = st.session_state["library:open"]
        st.session_state["library:go"] = shown[click.row].id

    _table(shown, key, opened)
    wanted = st.session_state.pop("library:go", None)
    if wanted:
        address.go("passes.py", wanted)


def matching(rows: list[TraceRow], words: str) -> list[TraceRow]:
    """The rows that hold every word, in any letter case."""
    wanted = words.lower().split()
    fields = ("status", "hints", "target", "compiler", "origin", "failure", "limiter")

    def said(row: TraceRow) -> str:
        values = [rooms.kernel_label(row), *(str(getattr(row, name) or "") for name in fields)]
        kind = failures.kind(row, kept=True) if failures.failed(row) else None
        values += [kind.title] if kind is not None else []
        return " ".join(values).lower()

    return [row for row in rows if all(word in said(row) for word in wanted)]


def _table(rows: list[TraceRow], key: str, opened: Callable[[], None]) -> None:
    columns = st.column_config
    st.dataframe(
        traces_table(
            rows,
            [rooms.kernel_label(row) for row in rows],
            [rooms.reports(row) for row in rows],
            _failures(rows),
        ),
        key=key,
        on_select="rerun",
        selection_mode="multi-row",
        hide_index=True,
        height=min(32 * (len(rows) + 1) + 4, 745),
        row_height=32,
        alt="Traces in the library",
        column_config={
            "open": columns.ButtonColumn(
                "Kernel",
                key="library:open",
                on_click=opened,
                type="tertiary",
                alignment="left",
                width=230,
                help="Opens the trace in Passes.",
            ),
            "status": columns.MultiselectColumn(
                "Status",
                options=list(STATUS_COLOURS),
                color=list(STATUS_COLOURS.values()),
                width=132,
            ),
            "checks": columns.TextColumn(
                "Checks",
                width=104,
                help="Code that is wrong, or slow, though the compiler made it.",
            ),
            "hints": columns.TextColumn("Hints", width=160),
            "memory": columns.TextColumn("Fullest", width=62, help="The memory that is fullest."),
            "occupancy": columns.ProgressColumn(
                "Occupancy",
                format="%.0f %%",
                min_value=0,
                max_value=100,
                width=104,
                help="Peak bytes of the fullest memory as a part of its capacity.",
            ),
            "changed": columns.TextColumn(
                "Changed", width=78, help="Passes that changed something, of all passes."
            ),
            "cores": columns.TextColumn(
                "Cores", width=52, alignment="right", help="Cores used (block_dim)."
            ),
            "created": columns.DatetimeColumn("Age", format="distance", width=104),
            "compiler": columns.TextColumn("Compiler, target", width=205),
            "origin": columns.TextColumn("Origin", width=80),
            "failure": columns.TextColumn("Failure", width=220),
        },
    )


def _failures(rows: list[TraceRow]) -> list[str]:
    """In a few words why each of these failed; "" where that is not worked out yet, for which the
    page takes a moment each time and no more."""
    until = time.monotonic() + _EXPLAINING_SECONDS
    kinds = [
        failures.kind(row, kept=time.monotonic() > until) if failures.failed(row) else None
        for row in rows
    ]
    return [kind.title if kind is not None else "" for kind in kinds]


def _actions(picked: list[TraceRow]) -> None:
    one, two = len(picked) == 1, len(picked) == 2
    ids = [r.id for r in picked]
    if st.button("Open", icon=":material/layers:", disabled=not one, help="Select one trace."):
        address.go("passes.py", ids[0])
    if st.button(
        "Compare", icon=":material/compare_arrows:", disabled=not two, help="Select two traces."
    ):
        older, newer = sorted(picked, key=lambda r: r.created)
        st.session_state["trace"] = newer.id
        st.switch_page("compare.py", query_params={"trace": newer.id, "against": older.id})
    if one:
        st.link_button(
            "Export", f"export/{ids[0]}.zip", icon=":material/download:", help="As a zip."
        )
    else:
        st.button("Export", icon=":material/download:", disabled=True, help="Select one trace.")
    if st.button("Delete", icon=":material/delete:", disabled=not picked):
        _confirm_delete(picked)


@st.dialog("Delete traces", icon=":material/delete:")
def _confirm_delete(picked: list[TraceRow]) -> None:
    what = f"**{picked[0].kernel}**" if len(picked) == 1 else f"these **{len(picked)} traces**"
    st.markdown(
        f"Delete {what}? Texts that no other trace uses go with them. Export first to keep a copy."
    )
    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button("Keep"):
            st.rerun()
        if st.button(
            "Delete",
            type="primary",
            key="library:delete",
            on_click=_delete,
            args=([row.id for row in picked],),
        ):
            st.rerun()  # closes the dialog


def _delete(ids: list[str]) -> None:
    for id in ids:
        try:
            rooms.library().delete(id)
        except LibraryError as wrong:
            st.toast(str(wrong))
        if st.session_state.get("trace") == id:
            del st.session_state["trace"]


# A new trace


def _new_trace() -> None:
    way = st.segmented_control(
        "New trace",
        ["Example", "My kernel", "Import a dump"],
        default="Example",
        required=True,
        key="library:way",
        label_visibility="collapsed",
        width="stretch",
    )
    with st.container(border=True):
        if way == "Example":
            _example()
        elif way == "My kernel":
            _own_kernel()
        else:
            _import()


def _example() -> None:
    try:
        kernels = rooms.examples()
    except KernelError as wrong:
        st.error(str(wrong), icon=":material/error:")
        return
    if not kernels:
        st.caption("This installation has no example kernels.")
        return
    names = [k.name + (f", {k.case}" if k.case else "") for k in kernels]
    at = st.selectbox(
        "Example kernel", range(len(kernels)), format_func=lambda i: names[i], key="library:example"
    )
    kernel = kernels[at]
    st.caption(kernel.about)
    _tensors(kernel)
    _compile(kernel)


def _own_kernel() -> None:
    kinds = ["json", "info", "mlir", "ttadapter", *(["py"] if rooms.python_allowed() else [])]
    file = st.file_uploader(
        "Kernel file",
        type=kinds,
        key="library:kernel",
        help="Composite JSON or an .info file, or an MLIR module, perhaps with ${NAME} in it for "
        "the parameters that a line “// parameters: NAME = 1024, 2048” declares.",
    )
    text = st.text_area(
        "or paste its text",
        key="library:text",
        height=150,
        placeholder='{"composite": true, "op_desc": […], …}\nor: module { func.func @add(…) … }',
    )
    if not rooms.python_allowed():
        st.caption(
            "Python kernels run code on this machine, so they are off: start the server with "
            "TILESCOPE_ALLOW_PYTHON=1 to allow them."
        )
    data: bytes | str = file.getvalue() if file is not None else (text or "").strip()
    if not data:
        return
    name = file.name if file is not None else pasted_name(str(data))
    if name.endswith(".py") and not rooms.python_allowed():
        st.error("Python kernels are off on this server.", icon=":material/error:")
        return
    try:
        cases = kernel_cases(data, name)
        case = st.selectbox("Case", cases, key="library:case") if len(cases) > 1 else ""
        kernel = parse_kernel(data, name, case or "")
    except KernelError as wrong:
        st.error(str(wrong), icon=":material/error:")
        return
    st.markdown(f"**{kernel.name}**")
    _tensors(kernel)
    _compile(kernel)


def pasted_name(text: str) -> str:
    """A file name for a pasted kernel, which says of which kind it is."""
    if text.lstrip().startswith("{"):
        return "pasted.json"
    if re.search(r"^(?:import|from|def|@)\s?\w", text, re.MULTILINE):
        return "pasted.py"
    return "pasted.mlir" if re.search(r"\bfunc\.func\b|^\s*//", text) else "pasted.json"


def _tensors(kernel: Kernel) -> None:
    lines = [
        f"{'→' if t.role == 'output' else ' '} {t.dtype:8} {shape_text(t.shape)}"
        for t in kernel.tensors[:8]
    ]
    if len(kernel.tensors) > 8:
        lines.append(f"  and {len(kernel.tensors) - 8} more")
    if lines:
        st.code("\n".join(lines), language=None)
    if kernel.parameters:
        values = ", ".join(f"{p.name} {value_text(p.default)}" for p in kernel.parameters)
        st.caption(f"Parameters: {values}. Re-run changes them, Tiling sweeps them.")


def _chip(compiler: Compiler) -> Hints:
    """The chip to compile for, where there is a choice; the compiler's own needs no hint."""
    chips = next((s for s in compiler.catalogue if s.name == "target" and len(s.choices) > 1), None)
    if chips is None:
        return Hints()
    chosen = st.selectbox("Target", chips.choices, key=f"library:target:{compiler.name}")
    return Hints() if chosen == chips.default else Hints(attributes={chips.name: chosen})


def _compile(kernel: Kernel) -> None:
    compiler = compiler_for(kernel)
    reason = rooms.why_no_compile(kernel, compiler.name)
    hints = _chip(compiler)
    if st.button(
        "Compile",
        type="primary",
        icon=":material/play_arrow:",
        disabled=reason is not None,
        width="stretch",
        key="library:compile",
        help=reason,
    ):
        try:
            jobs.remember(rooms.queue().submit(kernel, hints, compiler=compiler.name))
        except (QueueError, LibraryError) as wrong:
            st.error(str(wrong), icon=":material/error:")
            return
        st.rerun()


def _import() -> None:
    st.caption(
        "What a compile dumped: the folders that MS_DEV_DUMP_IR makes, a log or a tree of files "
        "with the IR that an MLIR tool printed after its passes, or a trace exported from here."
    )
    file = st.file_uploader(
        "Zip or log",
        type=["zip", "log", "txt", "mlir", "gz"],
        key="library:zip",
        help="A log is what --mlir-print-ir-after-all and its kin print, gzipped or not.",
    )
    path = st.text_input(
        "or a folder or file on this machine",
        key="library:path",
        placeholder="/home/me/dump",
    )
    if not st.button(
        "Import",
        type="primary",
        icon=":material/upload:",
        width="stretch",
        disabled=file is None and not (path or "").strip(),
        key="library:import",
    ):
        return
    try:
        if file is not None:
            with tempfile.TemporaryDirectory() as folder:
                kept = Path(folder) / Path(file.name).name
                kept.write_bytes(file.getvalue())
                id = _take_in(kept)
        else:
            id = _take_in(Path(path.strip()).expanduser())
    except (ReadError, LibraryError) as wrong:
        st.error(str(wrong), icon=":material/error:")
        return
    address.go("passes.py", id)


def _take_in(path: Path) -> str:
    if not path.exists():
        raise ReadError(f"{path} is not there: check the path on the machine that runs the server.")
    opened = open_trace(path)
    return rooms.library().add(opened.trace, opened.texts, opened.kernel, origin="imported")


def _toolchain() -> None:
    missing = [each for each in rooms.compilers() if not each.installed()]
    for compiler in rooms.compilers():
        if compiler not in missing:
            _ready(compiler)
    if len(missing) == len(rooms.compilers()):
        st.warning(
            "No compiler is installed. Traces can be read; to compile, run one of these once:",
            icon=":material/download:",
        )
    for compiler in missing:
        kinds = " and ".join(_KINDS[kind] for kind in compiler.kinds)
        st.caption(f"To compile {kinds}, once:")
        st.code(f".venv/bin/python -m core toolchain install {compiler.name}", language=None)
    if len(missing) < len(rooms.compilers()) and rooms.worker_problem():
        st.warning(rooms.worker_problem(), icon=":material/warning:")


_KINDS: Mapping[KernelKind, str] = {
    "composite": "fused kernels (JSON)",
    "python": "Python kernels",
    "mlir": "MLIR",
    "triton": "Triton kernels",
}


def _ready(compiler: Compiler) -> None:
    chips = compiler.targets()
    first = chips[0]
    memories = ", ".join(f"{m.name} {short_bytes(m.capacity_bytes)}" for m in first.memories)
    others = f" and {len(chips) - 1} others" if len(chips) > 1 else ""
    st.caption(
        f":material/check: {compiler.name} {compiler.version} for {first.name}{others}: "
        f"{first.cores} cores; {memories}."
    )


main()
