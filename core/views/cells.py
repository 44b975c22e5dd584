"""The graph of MindSpore's own IR: operators as nodes, subgraphs as frames, values as arrows."""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.ir import anf
from core.views.drawing import Drawing, safe
from core.views.graph import Graph
from core.views.wording import middle

_WIDTH = 34  # characters of a name
#: What orders effects and gives no value that anyone computes with.
_ORDERS = frozenset(("UpdateState", "Depend", "Load"))
_SHAPE = re.compile(r"\(([\d, ]*)\)")
_DTYPE = re.compile(r"Tensor\[(\w+)\]")
_CONSTANT = re.compile(r"value=([^\]\)]{1,24})[\])]")


def of_module(module: anf.Module) -> Graph | None:
    """The whole module; None where it holds no subgraph."""
    if not module.graphs:
        return None
    drawing = Drawing()
    names = {graph.name: safe(f"g{at}") for at, graph in enumerate(module.graphs)}
    for graph in module.graphs:
        _graph(drawing, graph, names, entry=graph.name == module.entry)
    return drawing.graph(noun="operators")


def _graph(drawing: Drawing, graph: anf.Graph, names: Mapping[str, str], *, entry: bool) -> None:
    prefix = names[graph.name]
    fused = graph.attributes.get("graph_kernel", "")
    label = [middle(fused or graph.name, _WIDTH)]
    if fused:
        label.append("fused kernel")
    elif entry:
        label.append("entry")
    tooltip = "\n".join((graph.name, *(f"{k}: {v}" for k, v in graph.attributes.items())))
    known: dict[str, str] = {}
    with drawing.cluster(
        f"cluster_{prefix}",
        label,
        classes=("subgraph", *(("fused",) if fused else ())),
        lines=(graph.line + 1, graph.last + 1),
        tooltip=tooltip,
        key=fused or subgraph_name(graph.name),
    ):
        for parameter in graph.parameters:
            node = f"{prefix}_{safe(parameter.id)}"
            known[parameter.id] = node
            drawing.node(
                node,
                (middle(parameter.name, _WIDTH),),
                classes=("input",),
                lines=(graph.line + 1, graph.line + 1),
                shape="ellipse",
                key=parameter.name,
            )
        for at, each in enumerate(graph.nodes):
            known[each.id or "return"] = f"{prefix}_n{at}"
            _node(drawing, each, f"{prefix}_n{at}", names)
    for at, each in enumerate(graph.nodes):
        for source in dict.fromkeys(each.inputs):
            tail = known.get(source)
            if tail is not None:
                classes = ("orders",) if each.operator in _ORDERS else ()
                drawing.edge(tail, f"{prefix}_n{at}", classes=classes)


def _node(drawing: Drawing, node: anf.Node, name: str, names: Mapping[str, str]) -> None:
    called = [names[each] for each in node.graphs if each in names]
    label = [middle(node.operator if not called else _called(node), _WIDTH), result(node.type)]
    constants = [
        found[1] for argument in node.arguments if (found := _CONSTANT.search(argument)) is not None
    ]
    if constants:
        label.insert(1, middle(", ".join(constants), _WIDTH))
    lines = [node.scope, node.type]
    lines += [f"{place.file}:{place.line}  {place.text.strip()}" for place in node.places[-2:]]
    lines += [f"{key}: {value}" for key, value in node.attributes.items()]
    kind = "orders" if node.operator in _ORDERS else "call" if called else "op"
    drawing.node(
        name,
        label,
        classes=(kind,),
        lines=(node.line + 1, node.last + 1),
        tooltip="\n".join(filter(None, lines)),
        word=node.operator,
        key=node.scope or node.label or node.operator,
        says="|".join((node.operator, node.type)),
    )


def _called(node: anf.Node) -> str:
    return f"call {subgraph_name(node.graphs[0])}"


def subgraph_name(name: str) -> str:
    """A subgraph's name without its running numbers."""
    return re.sub(r"^(?:\d+_?)+|_\d+$", "", name) or name


def result(type_: str) -> str:
    """ "float32 32×128" of a type as MindSpore writes it; "" where it is no tensor."""
    dtype, shape = _DTYPE.search(type_), _SHAPE.search(type_[1:])
    if dtype is None or shape is None:
        return ""
    sizes = [each for each in shape[1].replace(" ", "").split(",") if each]
    return f"{dtype[1].lower()} {'×'.join(sizes) or 'scalar'}"
