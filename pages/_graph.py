"""The graph of one pass's IR beside its text: a line marks its node, a node its lines."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import streamlit as st

from core.components import GraphEvent, Legend, graph_view
from core.trace import Pass, Trace
from core.views import palette
from core.views.drawing import Graph
from core.views.graphs import graph_of
from core.views.marks import pass_title
from core.views.wording import count
from pages import _address as address
from pages import _header as header
from pages import _rooms as rooms

_LARGE = 1_000_000  #: bytes of text that take about a fifth of a second to parse
_CLASS = re.compile(r'class="?([A-Za-z0-9 ]+)')
_WORDS = {"GM": "global memory", "REG": "registers"}


def show(id: str, trace: Trace, step: Pass, line: int) -> None:
    """Draw the graph of a pass, or say why there is none."""
    if step.text is None:
        st.caption("This pass left no text to draw.")
        return
    if step.bytes > _LARGE and not st.session_state.get(f"graph:draw:{step.text}"):
        st.caption(f"This text has {count(step.lines)} lines; its graph takes a while to draw.")
        st.button(
            "Draw the graph",
            icon=":material/account_tree:",
            key="graph:draw",
            on_click=lambda: st.session_state.update({f"graph:draw:{step.text}": True}),
        )
        return
    graph = _graph(rooms.library().home, step, None)
    if graph is not None and graph.note and line:
        # Parts of a large graph are folded: unfold around the chosen line.
        graph = _graph(rooms.library().home, step, line)
    if graph is None:
        st.caption("There is no graph for this text; it is shown as it is.")
        return
    scope = f"{id}:{address.number('pass', id, step.index)}"  # a failed pass shows that before it

    def on_event(event: GraphEvent) -> None:
        lines = graph.lines.get(event.node or "")
        if lines or event.node is None:
            address.set_number("line", scope, lines[0] if lines else 0)

    if graph.note:
        st.caption(header.escaped(graph.note))
    node = graph.node_at(line) if line else None
    graph_view(
        f"graph/{rooms.draw(graph.dot)}",
        key="passes:graph",
        selected=[node] if node else [],
        legend=_legend(graph.dot),
        name=f"{trace.kernel}_{pass_title(step)}",
        height="fill",
        on_event=on_event,
    )


@lru_cache(maxsize=256)
def _graph(_home: Path, step: Pass, focus: int | None) -> Graph | None:
    assert step.text is not None
    return graph_of(step, rooms.library().get(step.text), focus=focus)


def _legend(dot: str) -> list[Legend]:
    """The memories that occur, in the order of their distance from the core."""
    used = {name for found in _CLASS.findall(dot) for name in found.split()}
    return [
        Legend(_WORDS.get(memory, memory), memory) for memory in palette.MEMORY if memory in used
    ]
