"""The picture of an isl schedule tree: what is tiled, in which order, and where data is copied."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import ExitStack

from core.ir import schedule
from core.views.drawing import Drawing
from core.views.graph import Graph
from core.views.wording import middle

_WIDTH = 48  # characters of a line
_EXPRESSIONS = 4  # different expressions that a band's member shows
_MEMORIES = {
    "realize_UB": "UB",
    "realize_BUF": "UB",
    "realize_L1": "L1",
    "realize_C1": "L1",
    "realize_L0": "L0A",
    "realize_UBL0": "L0C",
}
_NAME = re.compile(r"[{;]\s*([^\W\d]\w*)\[")
_VALUE = re.compile(r"->\s*\[\((.*?)\)\](?=[;\s}])")
_COPY = re.compile(r"->\s*(\w+)\[\[.*?->\s*(\w+)\[.*?\]\s*->\s*(\w+)\[")


def of_tree(tree: schedule.Tree) -> Graph:
    """The tree from its domain down. What hangs below a branch can be folded."""
    drawing = Drawing()
    _draw(drawing, tree, "")
    return drawing.graph(noun="nodes")


def _draw(drawing: Drawing, tree: schedule.Tree, above: str) -> None:
    """A node and all below it: in a loop down to the next branching, as trees are deep."""
    with ExitStack() as frames:
        node: schedule.Tree | None = tree
        while node is not None:
            name = f"{type(node).__name__.lower()}.{node.first}"
            below = schedule.children(node)
            rest = f"cluster.{node.first}" if above and below and _ends_run(node) else ""
            label, memory = _described(node)
            text = _tooltip(node)
            drawing.node(
                name,
                label,
                classes=("loop" if isinstance(node, schedule.Band) else "op",),
                memory=memory,
                lines=(node.first, node.own),
                tooltip=text,
                word=label[0],
                key=_key(node, label),
                says="\n".join((*label, text)),
                folds=rest,
            )
            if above:
                drawing.edge(above, name)
            if rest:
                span = below[0].first, max(child.last for child in below)
                frames.enter_context(drawing.cluster(rest, (), lines=span, drawn=False))
            if len(below) > 1:
                for child in below:
                    _draw(drawing, child, name)
            node, above = below[0] if len(below) == 1 else None, name


def _ends_run(node: schedule.Tree) -> bool:
    """Whether what is below a node can be folded: below a branch, and where it branches."""
    return isinstance(node, schedule.Filter | schedule.Sequence | schedule.Mark)


def _key(node: schedule.Tree, label: Sequence[str]) -> str:
    """What a node is called in every tree: of a filter its statements, of a mark its name."""
    return "|".join(label) if isinstance(node, schedule.Filter | schedule.Mark) else label[0]


def _described(node: schedule.Tree) -> tuple[Sequence[str], str]:
    """Lines of the label, and the memory it is about."""
    match node:
        case schedule.Domain():
            names = _statements(node.set)
            return ("domain", _listed(names)), ""
        case schedule.Band():
            members = [_member(m, i, node) for i, m in enumerate(node.schedule)]
            return (f"band{' permutable' if node.permutable else ''}", *members), ""
        case schedule.Filter():
            return ("filter", _listed(_statements(node.set))), ""
        case schedule.Sequence():
            return (node.kind, f"{len(node.filters)} branches"), ""
        case schedule.Mark():
            return ("mark", node.name), _MEMORIES.get(node.name, "")
        case schedule.Extension():
            copies = _COPY.findall(node.relation)
            lines = [
                middle(f"{kind} {source} → {target}", _WIDTH) for kind, source, target in copies
            ]
            return ("extension", *lines[:3], *(["…"] if len(lines) > 3 else [])), ""
        case schedule.Expansion():
            return ("expansion", _listed(_statements(node.contraction))), ""
        case _:
            return (type(node).__name__.lower(), middle(node.set, _WIDTH)), ""


def _member(text: str, index: int, band: schedule.Band) -> str:
    values = list(dict.fromkeys(_VALUE.findall(text)))
    more = ["…"] if len(values) > _EXPRESSIONS else []
    parallel = " ∥" if index < len(band.coincident) and band.coincident[index] else ""
    return middle(f"{index}: {' | '.join(values[:_EXPRESSIONS] + more)}{parallel}", _WIDTH)


def _statements(text: str) -> list[str]:
    """Names of the statements in a set, in the order of their numbers."""
    names = set(_NAME.findall(text))
    return sorted(names, key=lambda name: (len(name), name))


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:5])
    return f"{shown}, … ({len(names)})" if len(names) > 5 else shown


def _tooltip(node: schedule.Tree) -> str:
    match node:
        case schedule.Domain() | schedule.Context() | schedule.Guard() | schedule.Filter():
            return node.set
        case schedule.Band():
            return "\n".join((*node.schedule, node.options))
        case schedule.Extension():
            return node.relation
        case schedule.Expansion():
            return f"{node.contraction}\n{node.expansion}"
        case _:
            return ""
