"""Rows of folded frames as one node: a hundred boxes in a row say less than their number."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import groupby

from core.views.graph import Frame, Graph, Part
from core.views.wording import count

RUN = "cluster.run."  #: what the name of a row begins with; the rest is that of its first frame
#: Folded frames side by side that stay apart.
ROW = 4


def gather(graph: Graph, folded: Collection[str]) -> tuple[Graph, set[str]]:
    """The graph with a frame around each long row of `folded` frames, and the names of those."""
    rows = [row for row in _rows(graph, folded) if len(row) > ROW]
    if not rows:
        return graph, set()
    frames = {row[0].name: _around(row) for row in rows}
    within = {frame.name: frames[row[0].name].name for row in rows for frame in row}
    parts: dict[str, Part] = {}
    for name, part in graph.parts.items():
        if name in frames:
            parts[frames[name].name] = frames[name]
        parts[name] = replace(part, within=within[name]) if name in within else part
    return replace(graph, parts=parts), {frame.name for frame in frames.values()}


def _rows(graph: Graph, folded: Collection[str]) -> Iterator[list[Frame]]:
    """Folded frames that follow one another in an open frame."""
    inside: dict[str, list[Part]] = {}
    for part in graph.parts.values():
        inside.setdefault(part.within, []).append(part)
    for name, parts in inside.items():
        if name in folded or any(frame in folded for frame in graph.around(name)):
            continue
        for gathered, row in groupby(parts, key=lambda part: part.name in folded):
            if gathered:
                yield [part for part in row if isinstance(part, Frame) and part.drawn]


def _around(row: list[Frame]) -> Frame:
    first, last = row[0], row[-1]
    lines = (first.lines[0], last.lines[1]) if first.lines and last.lines else None
    label = f"… lines {count(lines[0])} to {count(lines[1])}" if lines else f"… {len(row)} frames"
    name = f"{RUN}{first.name.removeprefix('cluster.')}"
    return Frame(name, (label,), first.within, ("loop",), lines)
