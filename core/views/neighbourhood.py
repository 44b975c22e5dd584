"""A part of a graph: what is near some of its nodes, with stubs where more hangs on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from core.views.graph import Edge, Graph, Node, Part
from core.views.wording import count

STUB = "more."  #: what the name of a stub begins with; the name of its node follows


def near(
    graph: Graph,
    centres: Iterable[str],
    *,
    room: int,
    hops: int | None = None,
    line: int = 0,
) -> list[str]:
    """Names of nodes around `centres`, nearest first, at most `room` of them.

    Nodes that are as many arrows away are taken in the order of their distance from `line`. Where
    `hops` is None, nodes that no arrow leads to come last, likewise.
    """
    neighbours: defaultdict[str, list[str]] = defaultdict(list)
    for edge in graph.edges:
        if edge.seen:
            neighbours[edge.tail].append(edge.head)
            neighbours[edge.head].append(edge.tail)

    def far(name: str) -> tuple[int, int]:
        lines = graph.lines.get(name)
        if lines is None:
            return 0, 0
        return max(lines[0] - line, line - lines[1], 0), lines[0]

    found: dict[str, None] = {}
    ring = sorted({name for name in centres if name in graph.parts}, key=far)
    depth = 0
    while ring and len(found) < room:
        found.update(dict.fromkeys(ring[: room - len(found)]))
        if depth == hops:
            break
        depth += 1
        ring = sorted(
            {other for name in ring for other in neighbours[name] if other not in found}, key=far
        )
    if hops is None and len(found) < room:
        rest = sorted((n.name for n in graph.nodes() if n.name not in found), key=far)
        found.update(dict.fromkeys(rest[: room - len(found)]))
    return list(found)


def cut(graph: Graph, names: Collection[str]) -> Graph:
    """The graph with these nodes alone, the frames around them, and stubs for what hangs on."""
    kept = set(names)
    frames = {frame for name in kept for frame in graph.around(name)}
    edges: list[Edge] = []
    hidden: defaultdict[str, set[str]] = defaultdict(set)
    above: Counter[str] = Counter()  # stubs whose hidden ends come before rather than after
    for edge in graph.edges:
        if edge.tail in kept and edge.head in kept:
            edges.append(edge)
        elif edge.seen and edge.tail in kept:
            hidden[edge.tail].add(edge.head)
            above[edge.tail] -= 1
        elif edge.seen and edge.head in kept:
            hidden[edge.head].add(edge.tail)
            above[edge.head] += 1
    parts: dict[str, Part] = {}
    for name, part in graph.parts.items():
        if name in frames or name in kept:
            parts[name] = part
        if name in kept and name in hidden:
            stub = _stub(part, len(hidden[name]))
            parts[stub.name] = stub
            ends = (stub.name, name) if above[name] > 0 else (name, stub.name)
            edges.append(Edge(*ends, classes=("faint", "stub")))
    return replace(graph, parts=parts, edges=tuple(edges))


def _stub(part: Part, hidden: int) -> Node:
    return Node(
        f"{STUB}{part.name}",
        (f"+{count(hidden)} more",),
        part.within,
        ("stub",),
        tooltip=f"{count(hidden)} more that it is connected with: click to show them.",
        shape="plaintext",
    )


def neighbours_of(graph: Graph, name: str) -> Mapping[str, None]:
    """The nodes that share an arrow with one, in the order of the arrows."""
    found: dict[str, None] = {}
    for edge in graph.edges:
        if edge.seen and edge.tail == name:
            found[edge.head] = None
        elif edge.seen and edge.head == name:
            found[edge.tail] = None
    return found
