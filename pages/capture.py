"""Capture: a MindSpore network in, the kernels that it is fused into, and how each compiles."""

from __future__ import annotations

import html
import re
from pathlib import Path

import streamlit as st

from core.analysis.lines import operators_at
from core.capture import Capture, CapturedKernel, CaptureError, parse_input
from core.capture.kept import Kept, kept, newest
from core.capture.networks import Network, networks
from core.compilers.registry import compiler_for
from core.hints import Hints
from core.views.captures import (
    HELP,
    Compiled,
    became_rows,
    kernels_table,
    library_rows,
    marked_source,
    origin_rows,
    pass_rate,
    summary,
)
from core.views.wording import shape_text
from pages import _address as address
from pages import _capturing as capturing
from pages import _failures as failures
from pages import _header as header
from pages import _jobs as jobs
from pages import _recompiled as recompiled
from pages import _rooms as rooms
from pages import _run as run
from pages._table import table

_MOST_ROWS, _LONG_TABLE = 12, 440  # rows; pixels of a table with more


def main() -> None:
    left, right = st.columns([3, 9], gap="medium")
    with left:
        _choose()
        _earlier()
    with right:
        id = st.query_params.get("capture") or st.session_state.get("capture")
        if id is None:
            _empty()
            recompiled.show()
            return
        try:
            found = kept(rooms.library().home, id)
        except CaptureError as wrong:
            st.session_state.pop("capture", None)
            st.warning(header.escaped(str(wrong)), icon=":material/search_off:")
            recompiled.show()
            return
        st.query_params["capture"] = st.session_state["capture"] = id
        _captured(found)
        recompiled.show()


def _empty() -> None:
    with st.container(border=True, horizontal_alignment="center"):
        st.markdown(
            "**No network is captured.** Choose one on the left: MindSpore compiles it on the CPU "
            "and says which kernels it fuses; each of them is then compiled for Ascend.",
            text_alignment="center",
        )


# What is captured


def _choose() -> None:
    way = st.segmented_control(
        "Network",
        ["Example", "My network"],
        default="Example",
        required=True,
        key="capture:way",
        label_visibility="collapsed",
        width="stretch",
    )
    with st.container(border=True):
        if way == "Example":
            _example()
        else:
            _own()


def _example() -> None:
    try:
        ours = networks()
    except CaptureError as wrong:
        st.error(str(wrong), icon=":material/error:")
        return
    at = st.selectbox(
        "Example network",
        range(len(ours)),
        format_func=lambda i: f"{ours[i].name} ({ours[i].file.stem})",
        key="capture:example",
    )
    network = ours[at]
    st.caption(network.about)
    given = st.text_input("Inputs", _inputs_text(network), key=f"capture:inputs:{at}", help=_HELP)
    _begin(network.file, "", network.name, given)


_HELP = "Shape and type of each input, as in 32x64:float16; several with a space between."


def _inputs_text(network: Network) -> str:
    return " ".join(f"{'x'.join(map(str, each.shape))}:{each.dtype}" for each in network.inputs)


def _own() -> None:
    if not rooms.python_allowed():
        st.caption(
            "Capturing a network runs its Python on this machine, so it is off: start the server "
            "with TILESCOPE_ALLOW_PYTHON=1 to allow it."
        )
        return
    file = st.file_uploader("Python file", type=["py"], key="capture:file")
    text = st.text_area(
        "or paste it",
        key="capture:text",
        height=180,
        placeholder="from mindspore import nn, ops\n\nclass Net(nn.Cell): …",
    )
    source = file.getvalue().decode("utf-8", "replace") if file is not None else text or ""
    names = re.findall(r"^(?:class|def)\s+(\w+)", source, re.MULTILINE)
    name = st.selectbox(
        "Cell or function", names, key="capture:name", placeholder="in the file", index=None
    ) or (names[-1] if names else "")
    given = st.text_input("Inputs", "", key="capture:own:inputs", help=_HELP)
    if source.strip():
        _begin(None, source, name, given)


def _begin(file: Path | None, source: str, name: str, given: str) -> None:
    with st.expander("Options"):
        train = st.checkbox("with the gradient", key="capture:train")
        whole = st.checkbox(
            "whole clusters",
            key="capture:whole",
            help="Keep what fusion put together; for the CPU it is split at reductions.",
        )
        level = st.segmented_control(
            "Graphs kept", [1, 2, 3], default=2, required=True, key="capture:level",
            help="How many graphs MindSpore writes down: more levels, more passes to look at.",
        )  # fmt: skip
    words = given.replace(";", " ").split()
    problem = "" if name else "Name the cell or function."
    try:
        for word in words:
            parse_input(word)
    except CaptureError as wrong:
        problem = str(wrong)
        st.caption(header.escaped(problem))
    options = [part for word in words for part in ("--shape", word)]
    options += [*(["--train"] if train else []), *(["--whole"] if whole else [])]
    options += ["--level", str(level)]
    running = capturing.current()
    if st.button(
        "Capture",
        type="primary",
        icon=":material/center_focus_strong:",
        disabled=bool(problem) or (running is not None and not running.over),
        help=problem or "MindSpore compiles the network in a process of its own, some seconds.",
        width="stretch",
    ):
        capturing.start(file, source, name, options)
        st.rerun()
    if running is not None:
        st.fragment(run_every=None if running.over else 0.5)(_progress)()


def _progress() -> None:
    running = capturing.current()
    if running is None:
        return
    if not running.over:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f":material/progress_activity: MindSpore compiles {header.escaped(running.name)}, "
                f"{running.seconds:.0f} s",
                width="stretch",
            )
            st.button("Stop", icon=":material/stop_circle:", on_click=capturing.stop)
        return
    if running.capture is not None:
        st.session_state["capture"] = st.query_params["capture"] = running.capture
        capturing.forget()
        st.rerun()
    st.error(header.escaped(running.problem or "The capture failed."), icon=":material/close:")


def _earlier() -> None:
    ids = newest(rooms.library().home)
    if not ids:
        return
    with st.expander("Captured before"):
        for id in ids:
            try:
                found = kept(rooms.library().home, id).capture
            except CaptureError:
                continue
            shapes = ", ".join(shape_text(each.shape) for each in found.inputs)
            if st.button(f"{found.network} · {shapes}", key=f"capture:open:{id}", type="tertiary"):
                st.session_state["capture"] = st.query_params["capture"] = id
                st.rerun()


# What came of it


def _captured(found: Kept) -> None:
    made = found.capture
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        name = f"{made.network} ({made.file})"
        st.html(f'<span class="ts-name">{html.escape(name)}</span>', width="content")
        said = html.escape(summary(made))
        st.html(f'<span class="ts-small ts-cut" title="{said}">{said}</span>', width="stretch")
        if found.trace and st.button(
            "MindSpore's passes", icon=":material/layers:", key="capture:passes"
        ):
            address.go("passes.py", found.trace)
    for sentence in (made.problem, *made.notes):
        if sentence:
            st.caption(header.escaped(sentence))
    waiting = _waiting(made)
    st.fragment(run_every=0.7 if waiting else None)(_kernels)(found, waiting)
    if made.library:
        st.html('<div class="ts-did">What stays a kernel of MindSpore\'s library</div>')
        table(["operator", "times", "line", "instead"], library_rows(made))


def _job_key(captured: CapturedKernel) -> str:
    return f"capture:job:{captured.kernel.digest}"


def _waiting(made: Capture) -> bool:
    found = [run.follow(st.session_state.get(_job_key(each))) for each in made.kernels]
    return any(job is not None and not job.over for job in found)


def _compiled(captured: CapturedKernel) -> Compiled:
    job = run.follow(st.session_state.get(_job_key(captured)))
    rows = rooms.library().rows(captured.kernel.name)
    row = next(
        (
            each
            for each in rows
            if each.compiler.startswith(f"{compiler_for(captured.kernel).name} ")
        ),
        None,
    )
    title = failures.title(row) if row is not None and row.failure else ""
    return Compiled(captured, row, job is not None and not job.over, title)


def _kernels(found: Kept, polling: bool) -> None:
    made = found.capture
    listed = [_compiled(each) for each in made.kernels]
    reason = _why_not(made)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(
            "Compile all for Ascend",
            type="primary",
            icon=":material/play_arrow:",
            disabled=reason is not None or polling or not made.kernels,
            help=reason or "Every kernel, each with its whole trace.",
            key="capture:compile",
        ):
            _compile_all(listed)
            st.rerun()
        rate = pass_rate(listed)
        if rate:
            st.markdown(f"**{rate}**")
    chosen = st.dataframe(
        kernels_table(listed),
        key="capture:kernels",
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            name: st.column_config.Column(name, help=said) for name, said in HELP.items()
        },
        height="content" if len(listed) <= _MOST_ROWS else _LONG_TABLE,
    )
    rows = chosen["selection"]["rows"]
    at = rows[0] if rows else 0
    if at < len(listed):
        _one(found, listed[at])
    # Of the whole page: only there can the polling begin and end. Last, or a click that comes
    # with this run would be lost.
    if polling != _waiting(made):
        st.rerun()


def _why_not(made: Capture) -> str | None:
    if not made.kernels:
        return None
    kernel = made.kernels[0].kernel
    return rooms.why_no_compile(kernel, compiler_for(kernel).name)


def _compile_all(listed: list[Compiled]) -> None:
    for each in listed:
        if each.captured.problem or each.compiles or each.waiting:
            continue
        kernel = each.captured.kernel
        job = run.made_before(kernel, Hints(), compiler_for(kernel).name) or rooms.queue().submit(
            kernel, Hints(), compiler=compiler_for(kernel).name
        )
        st.session_state[_job_key(each.captured)] = job
        jobs.remember(job)


def _one(found: Kept, each: Compiled) -> None:
    """The kernel of the chosen row: where it goes from here, and where it comes from."""
    captured, row = each.captured, each.row
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(
            f'<span class="ts-small ts-cut" title="{html.escape(captured.kernel.name)}">'
            f"{html.escape(captured.kernel.name)}</span>",
            width="stretch",
        )
        if row is not None:
            if st.button("Open", icon=":material/layers:", key="capture:open"):
                address.go("passes.py", row.id)
            if not each.compiles and st.button("Why", icon=":material/help:", key="capture:why"):
                address.go("why.py", row.id)
            if st.button("Devices", icon=":material/devices:", key="capture:devices"):
                address.go("devices.py", row.id)
        elif st.button("Compile", icon=":material/play_arrow:", key="capture:one"):
            _compile_all([each])
            st.rerun()
        st.download_button(
            "Kernel",
            captured.kernel.source,
            f"{captured.kernel.name}.json",
            "application/json",
            icon=":material/download:",
            key="capture:download",
        )
    if row is not None and each.compiles:
        _into_the_code(row.id)
    lines, operators = st.columns([5, 5], gap="medium")
    with lines:
        st.html(_source(found, captured))
    with operators:
        table(["operator", "of", "scope", "line"], origin_rows(captured), wide="line")
        for sentence in captured.conversions:
            st.caption(header.escaped(sentence))


def _into_the_code(id: str) -> None:
    """Which buffers and instructions each operator, and so each line, became."""
    with st.expander("Into the emitted code, and back", icon=":material/conversion_path:"):
        if not st.toggle("Follow every operator", key=f"capture:follow:{id}"):
            st.caption("Each result is followed through every pass, which takes some seconds.")
            return
        with st.spinner("Following every operator through the passes…"):
            found = rooms.became(id)
        table(
            ["operator", "line of the network", "is held in", "written in line"],
            became_rows(found),
            wide="is held in",
        )
        at = st.number_input(
            "Line of the emitted code", 1, value=None, key=f"capture:line:{id}", placeholder="none"
        )
        if at is not None:
            back = operators_at(found, int(at))
            said = "; ".join(
                f"{each.operator.operator}, {each.operator.line.file}:{each.operator.line.line} "
                f"({each.operator.line.text})"
                for each in back
                if each.operator.line
            )
            st.markdown(header.escaped(said or f"Line {at} is of no operator of the network."))


def _source(found: Kept, captured: CapturedKernel) -> str:
    """The network's file with the kernel's lines marked."""
    body = "".join(
        f'<div class="ts-line{" ts-marked" if marked else ""}">'
        f'<span class="ts-number">{at}</span>{html.escape(text) or " "}</div>'
        for at, text, marked in marked_source(found.source, captured.lines, found.capture.file)
    )
    return f'<div class="ts-listing">{body}</div>'


main()
