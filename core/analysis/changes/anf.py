"""What a pass of MindSpore did to its graphs: operators that came and went, subgraphs, calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from core.analysis.changes.phrases import came_or_went, first, gone_and_new, moved
from core.ir import anf

#: What arranges values and computes none; told of only where nothing else is different.
PLUMBING = frozenset(
    ("Load", "Depend", "UpdateState", "MakeTuple", "TupleGetItem", "Return", "call", "Partial")
)


@dataclass(slots=True)
class _Facts:
    operators: Counter[str] = field(default_factory=Counter)
    plumbing: Counter[str] = field(default_factory=Counter)
    fused: Counter[str] = field(default_factory=Counter)  #: subgraphs that shall be one kernel
    expanded: Counter[str] = field(default_factory=Counter)
    attributes: Counter[str] = field(default_factory=Counter)
    graphs: int = 0


def phrases(before: str, after: str) -> tuple[str, ...]:
    """What is different, most telling first."""
    old, new = facts(before), facts(after)
    said = first(_fused(old, new), _operators(old, new), _graphs(old, new))
    return said or first(_plumbing(old, new), _attributes(old, new))


@lru_cache(8)
def facts(text: str) -> _Facts:
    """What is compared of a text, kept for the next pass."""
    module = anf.parse(text)
    found = _Facts(graphs=len(module.graphs))
    for graph in module.graphs:
        if name := graph.attributes.get("graph_kernel"):
            found.fused[name] += 1
        for node in graph.nodes:
            bare = node.operator in PLUMBING or node.operator.startswith("%")
            (found.plumbing if bare else found.operators)[node.operator] += 1
            if expanded := node.attributes.get("expand_from", "").strip('"'):
                found.expanded[expanded] += 1
            found.attributes.update(f"{node.operator}.{name}" for name in node.attributes)
    return found


def _fused(old: _Facts, new: _Facts) -> Iterator[str]:
    gone, made = gone_and_new(old.fused, new.fused)
    if made:
        yield moved(made, "fused kernel", "made")
    if gone:
        yield moved(gone, "fused kernel", "taken apart")


def _operators(old: _Facts, new: _Facts) -> Iterator[str]:
    gone, came = gone_and_new(old.operators, new.operators)
    opened = {name for name in new.expanded if new.expanded[name] > old.expanded[name]}
    expanded = Counter({name: number for name, number in gone.items() if name in opened})
    if expanded:
        yield moved(expanded, "operator", "expanded")
        gone -= expanded
    if gone:
        yield moved(gone, "operator", "removed")
    if came:
        yield moved(came, "operator", "added")


def _graphs(old: _Facts, new: _Facts) -> Iterator[str]:
    yield from came_or_went(old.graphs, new.graphs, "subgraph")


def _plumbing(old: _Facts, new: _Facts) -> Iterator[str]:
    gone, came = gone_and_new(old.plumbing, new.plumbing)
    if gone:
        yield moved(gone, "ordering node", "removed")
    if came:
        yield moved(came, "ordering node", "added")


def _attributes(old: _Facts, new: _Facts) -> Iterator[str]:
    gone, came = gone_and_new(old.attributes, new.attributes)
    if gone:
        yield moved(gone, "attribute", "removed")
    if came:
        yield moved(came, "attribute", "set")
