"""What Streamlit lacks: the IR viewer and the graph viewer, as typed functions.

This package is the one place under core/ that knows Streamlit. The browser side lives in src/ and
is built to dist/, which the server serves under `/components/`.
"""

from __future__ import annotations

from core.components.graph import (
    Ask,
    Details,
    GraphAsk,
    GraphEvent,
    GraphSeek,
    Legend,
    NodeAction,
    NodeClick,
    NodeFold,
    graph_view,
)
from core.components.ir import (
    IrEvent,
    Layout,
    LineClick,
    LineMark,
    Selection,
    Setting,
    Side,
    Step,
    Text,
    WordChosen,
    ir_view,
)
from core.components.mount import BUNDLES, PREFIX

__all__ = [
    "BUNDLES",
    "PREFIX",
    "Ask",
    "Details",
    "GraphAsk",
    "GraphEvent",
    "GraphSeek",
    "IrEvent",
    "Layout",
    "Legend",
    "LineClick",
    "LineMark",
    "NodeAction",
    "NodeClick",
    "NodeFold",
    "Selection",
    "Setting",
    "Side",
    "Step",
    "Text",
    "WordChosen",
    "graph_view",
    "ir_view",
]
