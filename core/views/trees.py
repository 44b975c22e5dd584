"""The picture of an isl schedule tree: what is tiled, in which order, and where data is copied."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.ir import schedule
from core.views.drawing import Drawing, Graph
from core.views.wording import count, middle

#: Nodes that are drawn before branches are folded.
LIMIT = 250
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


def of_tree(tree: schedule.Tree, focus: int | None = None, limit: int = LIMIT) -> Graph:
    """The tree from its domain down; beyond `limit` nodes only the branches around `focus`."""
    drawing = Drawing()
    shown = _shown(tree, focus, limit)
    folded = 0
    pending: list[tuple[schedule.Tree, str | None]] = [(tree, None)]
    number = 0
    while pending:
        node, above = pending.pop()
        name = f"{type(node).__name__.lower()}.{node.first}"
        label, memory = _described(node)
        below = schedule.children(node)
        visible = [child for child in below if id(child) in shown]
        hidden = [child for child in below if id(child) not in shown]
        drawing.node(
            name,
            label,
            classes=("loop" if isinstance(node, schedule.Band) else "op",),
            memory=memory,
            lines=(node.first, node.own),
            tooltip=_tooltip(node),
        )
        number += 1
        if above:
            drawing.edge(above, name)
        if hidden:
            size = sum(1 for child in hidden for _ in schedule.walk(child))
            folded += size
            rest = f"rest.{hidden[0].first}"
            span = (min(c.first for c in hidden), max(c.last for c in hidden))
            drawing.node(rest, (f"… {count(size)} more",), classes=("faint",), lines=span)
            drawing.edge(name, rest, classes=("faint",))
        pending.extend((child, name) for child in reversed(visible))
    note = f"{count(number)} nodes are drawn, {count(folded)} folded." if folded else ""
    return drawing.graph(note)


def _shown(tree: schedule.Tree, focus: int | None, limit: int) -> set[int]:
    """The nodes that are drawn: those nearest to the focus, and all above them."""
    parents: dict[int, schedule.Tree] = {}
    nodes: list[schedule.Tree] = []
    for node in schedule.walk(tree):
        nodes.append(node)
        parents.update((id(child), node) for child in schedule.children(node))
    if len(nodes) <= limit:
        return {id(node) for node in nodes}
    line = focus or 1
    shown: set[int] = set()
    for node in sorted(nodes, key=lambda n: (abs(n.first - line), n.first)):
        path: list[schedule.Tree] = []
        step: schedule.Tree | None = node
        while step is not None and id(step) not in shown:
            path.append(step)
            step = parents.get(id(step))
        if shown and len(shown) + len(path) > limit:
            break
        shown.update(id(part) for part in path)
    return shown


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
