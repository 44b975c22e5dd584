"""A failing kernel made small: how far it is, what is left, and the ways on from there."""

from __future__ import annotations

import streamlit as st

from core.analysis.shrinking import Shrunk
from core.jobs.work import InquiryRow
from core.kernel import Kernel
from core.request import Request
from core.trace import Trace
from core.views.wording import count, hints_text
from pages import _asking as asking
from pages import _header as header
from pages import _opening as opening
from pages._table import table

_SUFFIX = {"composite": "json", "mlir": "mlir", "python": "py", "triton": "py"}


def show(id: str, trace: Trace, row: InquiryRow) -> None:
    """The newest shrinking of a trace."""
    st.markdown("##### Made small")
    if not row.over:
        asking.progress_line(row, "Making it small")
        return
    if row.result is None:
        asking.problem(row)
        return
    found: Shrunk = row.result
    if not found.reproduced:
        st.warning(
            "The kernel as it was given did not fail this way any more when it was compiled again, "
            "so there was nothing to keep.",
            icon=":material/question_mark:",
        )
        return
    st.success(headline(found), icon=":material/compress:")
    left, right = st.columns([4, 6], gap="medium")
    with left:
        table(
            ("left", "operators", "elements", "hints", "compiles"),
            [
                (
                    step.what,
                    count(step.operators),
                    "–" if step.elements is None else count(step.elements),
                    str(step.hints),
                    count(step.compiles),
                )
                for step in found.steps
            ],
        )
        st.caption(
            header.escaped(f"Hints: {hints_text(found.hints.as_dict())}.")
            + ("" if found.complete else " It stopped at its limit of compiles: run it again.")
        )
        _ways(id, trace, found)
    with right:
        st.code(found.kernel.source, language=None, height=320)


def headline(found: Shrunk) -> str:
    """What is left of the kernel, in a sentence of Markdown."""
    parts = [f"{_from(found.operators_before, found.operators)} operators"]
    if found.elements_before is not None and found.elements is not None:
        parts.append(f"{_from(found.elements_before, found.elements)} elements")
    hints = len(found.hints.as_dict())
    if found.hints_before != hints:
        parts.append(f"{_from(found.hints_before, hints)} hints")
    return (
        f"**{', '.join(parts)}**, and it fails the same way. It took {count(found.compiles)} "
        "compiles."
    )


def _from(before: int, after: int) -> str:
    return count(after) if before == after else f"{count(before)} → {count(after)}"


def _ways(id: str, trace: Trace, found: Shrunk) -> None:
    kernel = found.kernel
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "Download",
            kernel.source,
            file_name(kernel),
            key=f"why:small:download:{id}",
            icon=":material/download:",
            on_click="ignore",
        )
        if st.button(
            "Open as a trace",
            key="why:small:open",
            icon=":material/layers:",
            help="Compiles the small kernel in full.",
        ):
            opening.compile_in_full(id, Request(kernel, found.hints, *_compiler(trace)), "open")
            st.rerun()


def _compiler(trace: Trace) -> tuple[str, str]:
    return trace.compiler.name, opening.version_of(trace)


def file_name(kernel: Kernel) -> str:
    """What the small kernel is called as a file."""
    return f"{kernel.name}_small.{_SUFFIX[kernel.kind]}"
