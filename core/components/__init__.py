"""What Streamlit lacks: the IR viewer and the graph viewer, as typed functions.

This package is the one place under core/ that knows Streamlit. The browser side lives in src/ and
is built to dist/, which the server serves under `/components/`.
"""

from __future__ import annotations

from core.components.graph import GraphEvent, Legend, NodeClick, graph_view
from core.components.ir import (
    IrEvent,
    Layout,
    LineClick,
    Selection,
    Setting,
    Side,
    Step,
    Text,
    ir_view,
)
from core.components.mount import BUNDLES, PREFIX

__all__ = [
    "BUNDLES",
    "PREFIX",
    "GraphEvent",
    "IrEvent",
    "Layout",
    "Legend",
    "LineClick",
    "NodeClick",
    "Selection",
    "Setting",
    "Side",
    "Step",
    "Text",
    "graph_view",
    "ir_view",
]
