"""A graph as Graphviz source.

Nodes carry the classes that the graph viewer colours in both themes; the colours in the source are
those of the palette, translucent, so that the picture can be read without the viewer too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import graphviz

from core.views import palette
from core.views.graph import Edge, Frame, Graph, Node, Part

_TOOLTIP = 600  # characters
_GRAPH = {
    "bgcolor": "transparent",
    "rankdir": "TB",
    "fontname": "Courier",
    "fontsize": "10",
    "fontcolor": palette.NEUTRAL,
    "ranksep": "0.35",
    "nodesep": "0.22",
    "labeljust": "l",
    "tooltip": " ",
}
_NODE = {
    "shape": "box",
    "style": "rounded,filled",
    "fontname": "Courier",
    "fontsize": "10",
    "fontcolor": palette.NEUTRAL,
    "color": palette.NEUTRAL,
    "fillcolor": palette.NEUTRAL + "18",
    "margin": "0.1,0.05",
    "height": "0.3",
}
_EDGE = {
    "color": palette.NEUTRAL,
    "fontname": "Courier",
    "fontsize": "9",
    "fontcolor": palette.NEUTRAL,
    "arrowsize": "0.6",
}


def source(graph: Graph) -> str:
    """The Graphviz source of a graph; names of nodes and frames are those of its parts."""
    root = graphviz.Digraph(graph_attr=_GRAPH, node_attr=_NODE, edge_attr=_EDGE)
    inside: dict[str, list[Part]] = {}
    for part in graph.parts.values():
        inside.setdefault(part.within, []).append(part)
    _fill(root, "", inside, {frame.name for frame in graph.frames()})
    for edge in graph.edges:
        _edge(root, edge)
    return str(root.source)


def _fill(
    place: graphviz.Digraph,
    name: str,
    inside: Mapping[str, list[Part]],
    frames: Collection[str],
) -> None:
    for part in inside.get(name, ()):
        if not isinstance(part, Frame):
            _node(place, part, frames)
        elif not part.drawn:
            _fill(place, part.name, inside, frames)
        else:
            inner = graphviz.Digraph(part.name)
            inner.attr("graph", _attributes=_frame(part))
            _fill(inner, part.name, inside, frames)
            place.subgraph(inner)


def _node(place: graphviz.Digraph, node: Node, frames: Collection[str]) -> None:
    handle = ("handle",) if node.folds in frames else ()
    classes = _classes((*node.classes, *handle), node.memory)
    attributes = {"shape": node.shape, "class": classes}
    if node.memory:
        colour = palette.memory_colour(node.memory)
        attributes |= {"color": colour, "fillcolor": colour + "2e"}
    if node.shape == "plaintext":
        attributes["style"] = ""
    elif node.shape != "box":
        attributes["style"] = "filled"
    change = _change(node.classes)
    if change:
        attributes |= {"color": change, "penwidth": "2"}
    attributes["tooltip"] = _tooltip(node.tooltip)
    place.node(node.name, _label(node.label), _attributes=attributes)


def _frame(frame: Frame) -> dict[str, str]:
    return {
        "label": _label(frame.label),
        "class": " ".join(frame.classes),
        "style": "rounded",
        "color": _change(frame.classes) or palette.NEUTRAL,
        "tooltip": _tooltip(frame.tooltip),
    }


def _edge(root: graphviz.Digraph, edge: Edge) -> None:
    if not edge.seen:
        root.edge(edge.tail, edge.head, style="invis")
        return
    attributes = {"class": _classes(edge.classes, edge.memory)}
    if edge.memory:
        attributes["color"] = palette.memory_colour(edge.memory)
    change = _change(edge.classes)
    if change:
        attributes["color"] = change
    if "removed" in edge.classes or "stub" in edge.classes:
        attributes["style"] = "dashed"
    if "stub" in edge.classes:
        attributes["arrowhead"] = "none"
    if not edge.orders:
        attributes["constraint"] = "false"
    if edge.both:
        attributes["dir"] = "both"
    if edge.tooltip:
        attributes["tooltip"] = _tooltip(edge.tooltip)
    root.edge(edge.tail, edge.head, _attributes=attributes)


def _classes(classes: Iterable[str], memory: str) -> str:
    return " ".join((*classes, *((memory,) if memory else ())))


def _change(classes: Iterable[str]) -> str:
    return next((palette.CHANGE[name] for name in classes if name in palette.CHANGE), "")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _tooltip(text: str) -> str:
    return _escaped(text if len(text) <= _TOOLTIP else f"{text[: _TOOLTIP - 1]}…") or " "


def _label(parts: Iterable[str]) -> str:
    return "\\n".join(_escaped(part) for part in parts if part)
