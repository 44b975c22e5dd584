"""One page: the case that the address asks for, and what Python was told."""

from __future__ import annotations

import streamlit as st

from core.analysis.diff import Diff, diff
from core.analysis.search import Query
from core.components import (
    Legend,
    LineClick,
    LineMark,
    NodeClick,
    Selection,
    Setting,
    Side,
    Step,
    Text,
    WordChosen,
    graph_view,
    ir_view,
)
from core.trace import Language, Pass
from core.views.graphs import graph_of
from core.views.layout import render_svg
from tests.components_app import samples

st.set_page_config(layout="wide")
st.html("<style>.stMainBlockContainer {padding: 3.5rem 1rem 1rem}</style>")

GRAPHS: dict[str, tuple[str, Language]] = {
    "graph": ("42_StorageFlatten.cc", "statement"),
    "tree": ("poly_08_TileOuterBand.cc", "schedule"),
}
HOSTILE = """<svg viewBox="0 0 90 40" xmlns="http://www.w3.org/2000/svg"
  xmlns:xlink="http://www.w3.org/1999/xlink" onload="window.hostile = 1">
<script>window.hostile = 2</script><image href="x" onerror="window.hostile = 3"/>
<foreignObject><img src="x" onerror="window.hostile = 4"/></foreignObject>
<g class="node" onclick="window.hostile = 5"><title>n</title>
<a xlink:href="javascript:window.hostile=6"><text x="5" y="20" fill="url(http://x)">n</text></a>
</g></svg>"""
PASSES = ["68_SplitTail.cc", "69_EmitInsn.cc", "80_AutoDoubleBuffer.cc", "84_LoopPartitionCCE.cc"]
PAIRS = {
    "stmt": ("68_SplitTail.cc", "69_EmitInsn.cc", "statement"),
    "small": ("84_LoopPartitionCCE.cc", "85_StorageRewriteCCE.cc", "statement"),
    "poly": ("poly_07_AnalyzeSchedule.cc", "poly_08_TileOuterBand.cc", "schedule"),
    "same": ("69_EmitInsn.cc", "69_EmitInsn.cc", "statement"),
    "long": ("long-20000-a", "long-20000-b", "statement"),
    "mlir": ("mlir-17", "mlir-18", "mlir"),
    "missing": ("69_EmitInsn.cc", "none", "statement"),
}
SINGLES = {
    "cce": ("Fused_Softmax.cce", "cce"),
    "huge": ("long-100000-a", "statement"),
    "wide": ("wide", "statement"),
    "vast": ("vast", "statement"),
}


@st.cache_resource
def line_diff(a: str, b: str) -> Diff:
    return diff(samples.text(a), samples.text(b), "values" if a.startswith("mlir") else "exact")


@st.cache_resource
def drawing(name: str, language: Language) -> str:
    step = Pass(0, "", "", 1, name, None, None, 0, 0, True, language, None, "ok")
    graph = graph_of(step, samples.text(name))
    assert graph is not None
    return render_svg(graph.dot)


def on_event(event: LineClick | WordChosen | Step | Setting | NodeClick) -> None:
    st.session_state.setdefault("events", []).append(event)
    match event:
        case LineClick():
            st.query_params["line"] = (
                f"{event.line}-{event.last}" if event.last else str(event.line)
            )
            st.query_params["side"] = event.side
        case Step():
            # Not from the address, which lags behind: a step would be lost.
            st.session_state["pass"] = st.session_state.get("pass", 1) + event.by
            st.query_params.pop("line", None)
        case NodeClick():
            st.query_params["node"] = event.node or ""


def url(name: str) -> str:
    return f"blob/{name}"


case = st.query_params.get("case", "stmt")
line, _, last = st.query_params.get("line", "").partition("-")
side: Side = "before" if st.query_params.get("side") == "before" else "after"
selection = Selection(int(line), side, int(last) if last else None) if line else None
letters = st.query_params.get("findas", "")
find = Query(st.query_params.get("find", ""), "p" in letters, "c" in letters, "w" in letters)
names = st.query_params.get_all("name")
marks = [
    LineMark(int(at), "slow" if harm == "slow" else "wrong", message)
    for at, harm, message in (each.split(":", 2) for each in st.query_params.get_all("mark"))
]
events = st.session_state.get("events", [])
st.caption(f"events {len(events)}: {events[-1] if events else 'none'}")

if case in GRAPHS:
    node = st.query_params.get("node")
    graph_view(
        svg=drawing(*GRAPHS[case]),
        key="graph",
        selected=[node] if node else [],
        legend=[Legend("GM", "GM"), Legend("UB", "UB")],
        name="softmax",
        height="fill",
        on_event=on_event,
    )
elif case == "hostile":
    graph_view(svg=HOSTILE, key="graph")
elif case in SINGLES:
    name, language = SINGLES[case]
    ir_view(
        Text(url(name), name, language),
        key="ir",
        selection=selection,
        words=True,
        find=find,
        on_event=on_event,
    )
else:
    if case == "step":
        index = st.session_state.get("pass", 1)
        before, after, language = PASSES[index - 1], PASSES[index], "statement"
        steps = (index > 1, index < len(PASSES) - 1)
        ahead = [url(PASSES[i]) for i in (index - 2, index + 1) if 0 <= i < len(PASSES)]
    else:
        before, after, language = PAIRS[case]
        steps, ahead = (False, False), []
    operations = line_diff(before, after) if case != "missing" else line_diff(before, before)
    ir_view(
        Text(url(after), after.removesuffix(".cc"), language),
        Text(url(before), before.removesuffix(".cc"), language),
        operations,
        key="ir",
        selection=selection,
        steps=steps,
        prefetch=ahead,
        layout=st.query_params.get("layout"),
        words="words" in st.query_params,
        names=names,
        find=find,
        marks=marks,
        masked=st.query_params.get("masked", ""),
        on_event=on_event,
    )
