"""Folding frames of a graph: each becomes one node that keeps its arrows and says what it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace

from core.views.graph import Edge, Frame, Graph, Node, Part
from core.views.wording import count, middle

CHANGES = ("added", "removed", "changed")
_WIDTH = 44  # characters of a line
_WORDS = 3  # that a folded frame lists


def fold(graph: Graph, names: Collection[str]) -> Graph:
    """The graph with these frames folded; a frame inside a folded one is gone with it.

    The node that stands for a frame has its name. Arrows that went into it and out of it end at
    that node, those that share both ends are one.
    """
    holders = holders_of(graph, names)
    if not any(holders.values()):
        return graph
    inside: dict[str, list[Node]] = {}
    for name, part in graph.parts.items():
        if holders[name] and isinstance(part, Node):
            inside.setdefault(holders[name], []).append(part)
    parts: dict[str, Part] = {}
    for name, part in graph.parts.items():
        if not holders[name]:
            parts[name] = part
        elif holders[name] == name and isinstance(part, Frame):
            parts[name] = _folded(part, inside.get(name, ()), graph.noun)
    return replace(graph, parts=parts, edges=merged(graph.edges, holders))


def holders_of(graph: Graph, names: Collection[str]) -> dict[str, str]:
    """For each part the outermost frame of `names` that holds it or that it is; "": none."""
    holders: dict[str, str] = {}
    for name, part in graph.parts.items():
        holders[name] = holders.get(part.within, "") or (
            name if name in names and isinstance(part, Frame) else ""
        )
    return holders


def merged(edges: Iterable[Edge], holders: dict[str, str]) -> tuple[Edge, ...]:
    """Arrows between what stands for their ends; those within one are gone."""
    kept: dict[tuple[str, str, bool], Edge] = {}
    for edge in edges:
        tail = holders.get(edge.tail) or edge.tail
        head = holders.get(edge.head) or edge.head
        if tail == head:
            continue
        moved = tail != edge.tail or head != edge.head
        there, back = (tail, head, edge.seen), (head, tail, edge.seen)
        if not moved:
            kept.setdefault(there, edge)
        elif there in kept:
            kept[there] = _joined(kept[there], edge)
        elif back in kept and edge.seen:
            kept[back] = replace(_joined(kept[back], edge), both=True, orders=kept[back].orders)
        else:
            kept[there] = replace(edge, tail=tail, head=head)
    return tuple(kept.values())


def _joined(one: Edge, other: Edge) -> Edge:
    lines = dict.fromkeys((*one.tooltip.split("\n"), *other.tooltip.split("\n")))
    return replace(
        one,
        memory=one.memory if one.memory == other.memory else "",
        classes=one.classes if one.classes == other.classes else (),
        tooltip="\n".join(line for line in lines if line),
        orders=one.orders or other.orders,
        both=one.both or other.both,
    )


def _folded(frame: Frame, inside: Iterable[Node], noun: str) -> Node:
    words: Counter[str] = Counter()
    changes: Counter[str] = Counter()
    for node in inside:
        if node.word:
            words[node.word] += node.times
        change = next((name for name in node.classes if name in CHANGES), "")
        changes[change] += 1
    total = words.total()
    about = f"{count(total)} {noun if total != 1 else noun.removesuffix('s')}"
    head = frame.label or ("…",)
    common = ", ".join(f"{word} ×{count(times)}" for word, times in words.most_common(_WORDS))
    more = " …" if len(words) > _WORDS else ""
    said = [f"{count(changes[name])} {name}" for name in CHANGES if changes[name]]
    own = next((name for name in frame.classes if name in CHANGES), "")
    sole = next(iter(changes), "") if len(changes) == 1 else ""
    mark = own or sole or ("changed" if said else "")
    lines = (*head, about, middle(common + more, _WIDTH), ", ".join(said))
    return Node(
        frame.name,
        tuple(line for line in lines if line),
        frame.within,
        ("loop", "folded", *((mark,) if mark else ())),
        lines=frame.lines,
        tooltip=frame.tooltip,
        shape="box3d",
        subject=frame.subject,
        times=total,
        key=frame.key,
        says=frame.says,
    )
