"""What MindSpore compiled again: read from a log, with what would stop it."""

from __future__ import annotations

import streamlit as st

from core.analysis.recompiling import set_inputs, why
from core.readers.logs import Recompiled, read_log
from core.readers.source import ReadError
from core.views.wording import count, seconds_text, shape_text
from pages import _header as header
from pages._table import table

_SHAPES = 8  # shown of one cell
#: Where the Sweep page looks for shapes to make buckets of.
SHAPES = "buckets:given"


def show() -> None:
    """The box for a log, and what was compiled again in it."""
    with st.expander("Recompiles: which cell, how often, for which shapes"):
        st.caption(
            "A log of MindSpore at GLOG_v=1: at the level it has by default it says nothing of "
            "recompiles."
        )
        file = st.file_uploader("Log", key="capture:log", type=["log", "txt", "out", "gz"])
        text = st.text_area("or paste it", key="capture:logtext", height=120)
        data: bytes | str = file.getvalue() if file is not None else text or ""
        if not data:
            return
        try:
            found = read_log(data).recompiled
        except ReadError as wrong:
            st.error(header.escaped(str(wrong)), icon=":material/error:")
            return
        if not found:
            st.info(
                "No compile is told of in this log; set GLOG_v=1 where MindSpore runs.",
                icon=":material/search_off:",
            )
            return
        _table(found)
        for each in found:
            _cure(each)


def _table(found: tuple[Recompiled, ...]) -> None:
    table(
        ["cell", "compiles", "shapes", "seconds", "objects"],
        [
            (
                each.name,
                count(each.count),
                count(len(each.shapes)),
                seconds_text(each.seconds) if each.seconds else "",
                count(each.objects),
            )
            for each in found
        ],
        wide="cell",
    )


def _cure(each: Recompiled) -> None:
    reason = why(each)
    if not reason:
        return
    st.markdown(f"**{header.escaped(each.name)}** {header.escaped(reason)}")
    line = set_inputs(each)
    if line:
        st.caption("One compile for all of them, where the network can do without fixed shapes:")
        st.code(line, language="python")
    shown = "; ".join(
        f"{', '.join(map(shape_text, shapes))} ×{times}"
        for shapes, times in list(each.shapes.items())[:_SHAPES]
    )
    more = f" and {len(each.shapes) - _SHAPES} more" if len(each.shapes) > _SHAPES else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(header.escaped(f"{shown}{more}"))
        if st.button(
            "Plan buckets", icon=":material/view_week:", key=f"capture:buckets:{each.name}",
            help="Hand these shapes to the Sweep page, which proposes buckets that compile.",
        ):  # fmt: skip
            st.session_state[SHAPES] = "\n".join(
                f"{' '.join('x'.join(map(str, shape)) for shape in shapes)},{times}"
                for shapes, times in each.shapes.items()
            )
            st.switch_page("sweep.py")
