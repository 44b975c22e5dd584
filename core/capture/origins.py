"""From an operator of a fused kernel back to the network: scope, operator as written, line.

Graph kernel fusion moves nodes between subgraphs and renames them, but keeps the number in a node's
label ("CNode_223", later "seg_trans_CNode_223"), and an expanded operator's call stands where the
operator stood. So the way back is by label to the graph after expansion, by place to the one
before, and there the node has its stack of source lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from core.capture.captured import LibraryKernel, Origin
from core.ir import anf
from core.source_lines import SourceLine

_LABEL = re.compile(r"CNode_\d+$")
_RUNNING = re.compile(r"_\d+$")
_EXPANDED = re.compile(r"GraphKernel_(\w+)-op\d+$")
#: What arranges values and computes none.
_PLUMBING = frozenset(
    (
        "Load", "Depend", "UpdateState", "MakeTuple", "TupleGetItem", "Return", "call", "Partial",
        "Switch", "StopGradient", "RealMakeTuple", "RealTupleGetItem",
    )
)  # fmt: skip


class Origins:
    """The way back, for one network's graphs."""

    def __init__(self, before: anf.Module, after: anf.Module, split: anf.Module, own: Path) -> None:
        """`before` and `after` expansion, and as it was split; `own`: the network's folder."""
        self._own = own
        self._split = {graph.name: graph for graph in split.graphs}
        self._after = {
            found[0]: graph.name
            for graph in after.graphs
            for node in graph.nodes
            if (found := _LABEL.search(node.label))
        }
        self._expanded = _expanded(before, after)
        named: dict[str, list[anf.Node]] = {}
        for each in _root(before):
            named.setdefault(each.operator, []).append(each)
        self._only = {name: nodes[0] for name, nodes in named.items() if len(nodes) == 1}

    def of(self, graph: str, address: str, operator: str) -> Origin:
        """An operator's origin, by the names that a kernel's description has (composite_graph and
        ptr_address)."""
        scope = _RUNNING.sub("", address)
        found = self._split.get(graph)
        node = next((n for n in found.nodes if n.scope == scope), None) if found else None
        if node is None:
            return Origin(operator, scope, "", None)
        expanded = node.attributes.get("expand_from", "").strip('"')
        label = _LABEL.search(node.label)
        known = self._after.get(label[0]) if label else None
        if not node.places and known is not None:
            original = self._expanded.get(known)
            if original is not None:
                return Origin(operator, original.scope, expanded, self.line(original.places))
        if not node.places and expanded in self._only:  # one that was taken apart in its cluster
            original = self._only[expanded]
            return Origin(operator, original.scope, expanded, self.line(original.places))
        return Origin(operator, node.scope, expanded, self.line(node.places))

    def line(self, places: Sequence[anf.Place]) -> SourceLine | None:
        """The innermost line in the network's own files."""
        for place in reversed(places):
            path = PurePosixPath(place.file)
            if path.is_relative_to(self._own) and "site-packages" not in path.parts:
                name = str(path.relative_to(self._own))
                return SourceLine(name, place.line, place.text.strip())
        return None


def _expanded(before: anf.Module, after: anf.Module) -> Mapping[str, anf.Node]:
    """By subgraph: the operator that was expanded into it.

    The calls of an operator's expansions stand in the order in which the operators stood.
    """
    originals: dict[str, list[anf.Node]] = {}
    for node in _root(before):
        originals.setdefault(node.operator, []).append(node)
    kept: Counter[str] = Counter(node.operator for node in _root(after))
    found: dict[str, anf.Node] = {}
    met: Counter[str] = Counter()
    for node in _root(after):
        call = _EXPANDED.search(node.scope)
        if node.operator != "call" or call is None or not node.graphs:
            continue
        name = call[1]
        there = originals.get(name, [])
        # Where some of them were not expanded, which ones is not known.
        if kept[name] == 0 and met[name] < len(there):
            found[node.graphs[0]] = there[met[name]]
        met[name] += 1
    return found


def _root(module: anf.Module) -> Iterable[anf.Node]:
    graph = module.graph(module.entry)
    return graph.nodes if graph else ()


def library_kernels(
    split: anf.Module, origins: Origins, instead: Mapping[str, str]
) -> tuple[LibraryKernel, ...]:
    """The operators outside of every fused kernel; `instead`: an example of ours by operator."""
    nodes = [node for node in _root(split) if node.operator not in _PLUMBING]
    times = Counter(node.operator for node in nodes)
    first = {node.operator: node for node in reversed(nodes)}
    return tuple(
        LibraryKernel(
            operator=operator,
            times=number,
            shapes=(first[operator].type,),
            line=origins.line(first[operator].places),
            instead=instead.get(operator, ""),
        )
        for operator, number in times.items()
    )
