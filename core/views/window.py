"""What is shown of a large graph at first, and how a person widens it.

Up to `LIMIT` nodes a graph is shown whole. Beyond, its frames are folded, those nearest to what is
looked at last, and rows of folded ones are one node. Where even that is too much, the neighbourhood
is shown of what is looked at: the chosen line, else what a pass changed, else the largest buffer.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from core.views.folding import CHANGES, fold
from core.views.gathering import ROW, gather
from core.views.graph import Frame, Graph, Node
from core.views.neighbourhood import cut, near, neighbours_of
from core.views.wording import count

#: Nodes beyond which a graph is not shown whole at first.
LIMIT = 300
#: Nodes that are shown at first of a graph beyond that: as many as can be read at a glance.
START = 120
#: Nodes beyond which Graphviz takes longer than 5 s for the graphs of passes.
MOST = 2000
_AT_ONCE = 40  # neighbours that a stub adds
_APART = 40  # frames that hold changes


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person asked of a graph."""

    line: int = 0  #: that is looked at; 0: none
    folded: frozenset[str] = frozenset()  #: frames folded by hand
    opened: frozenset[str] = frozenset()  #: frames opened by hand
    around: frozenset[str] = frozenset()  #: nodes whose neighbours were asked for
    widened: int = 0  #: how often; each time twice as many nodes are shown
    whole: bool = False  #: whatever its size, up to MOST


_NONE = Wish()


@dataclass(frozen=True, slots=True)
class View:
    """A graph as it is shown."""

    graph: Graph
    shown: int  #: nodes
    total: int  #: nodes of the whole
    note: str  #: what is not shown and why, one sentence; "" where all is
    widens: bool  #: more can be shown
    whole: bool  #: all of it can be shown


def view(graph: Graph, wish: Wish = _NONE, limit: int = LIMIT, start: int = START) -> View:
    """What is shown of a graph: all of it up to `limit` nodes, else about `start` nodes."""
    most = max(MOST, limit)
    room = limit if graph.size <= limit else min(start << min(wish.widened, 20), most)
    if wish.whole:
        room = most
    opening = _Opening(graph, wish)
    closed = opening.closed(room)
    if graph.size > room:
        gathered, rows = gather(graph, closed - opening.changed)
        part = fold(gathered, closed | (rows - wish.opened))
    else:
        part = fold(graph, closed)
    cut_off = part.size > room + room // 4
    if cut_off:
        part = _neighbourhood(graph, wish, opening, room)
    shown = sum("stub" not in node.classes for node in part.nodes())
    if cut_off:
        note = f"{count(shown)} of {count(graph.size)} nodes are shown: {opening.about}."
    else:
        note = _folded_note(part, wish)
    return View(
        part,
        shown,
        graph.size,
        f"{note} {graph.note}".strip(),
        widens=bool(note) and room < most,
        whole=bool(note) and graph.size <= most and not wish.whole,
    )


class _Opening:
    """Which frames stay open."""

    def __init__(self, graph: Graph, wish: Wish) -> None:
        self.graph = graph
        self.wish = wish
        self.inner: defaultdict[str, list[Frame]] = defaultdict(list)
        self.held: defaultdict[str, int] = defaultdict(int)  # nodes right inside a frame
        for part in graph.parts.values():
            if isinstance(part, Frame):
                self.inner[part.within].append(part)
            else:
                self.held[part.within] += 1
        self.centres, self.about = _centres(graph, wish)
        self.line = wish.line or next(
            (graph.lines[name][0] for name in self.centres if name in graph.lines), 1
        )
        self.wanted = {frame for name in self.centres for frame in graph.around(name)}
        changed = {frame for node in _changed(graph) for frame in graph.around(node)}
        #: frames that hold changes and so stay apart where they are folded; none if they are many
        self.changed = changed if len(changed) <= _APART else set()

    def closed(self, room: int) -> set[str]:
        """The frames to fold so that at most `room` nodes are left, if that is possible."""
        if self.graph.size <= room:
            return set(self.wish.folded)
        opened: set[str] = set()
        left = room - self._needed("")
        heap = [self._ranked(frame, 0) for frame in self.inner[""]]
        heapq.heapify(heap)
        while heap:
            rank, depth, _, frame = heapq.heappop(heap)
            if frame.name in self.wish.folded:
                continue
            needed = self._needed(frame.name)
            asked = rank[0] == 0 or (rank[0] == 1 and self.wish.line)
            if needed > left and not asked:
                continue
            opened.add(frame.name)
            left -= needed
            for inner in self.inner[frame.name]:
                heapq.heappush(heap, self._ranked(inner, depth + 1))
        return {frame.name for frame in self.graph.frames()} - opened

    def _needed(self, frame: str) -> int:
        """The nodes that stand right in a frame while those inside it are folded."""
        return self.held[frame] + min(len(self.inner[frame]), ROW)

    def _ranked(self, frame: Frame, depth: int) -> tuple[tuple[int, int], int, str, Frame]:
        """What is opened first: by hand, around what is looked at, near it, outermost."""
        by_hand = frame.name in self.wish.opened
        rank = 0 if by_hand else 1 if frame.name in self.wanted else 2
        return (rank, _distance(frame, self.line)), depth, frame.name, frame


def _distance(part: Frame | Node, line: int) -> int:
    if part.lines is None:
        return 0
    return max(part.lines[0] - line, line - part.lines[1], 0)


def _centres(graph: Graph, wish: Wish) -> tuple[list[str], str]:
    """What is looked at: the node of the line, else what changed, else the largest buffer.

    And what is shown then, in words.
    """
    at = graph.node_at(wish.line) if wish.line else None
    if at is not None:
        return [at], f"those near line {count(wish.line)}"
    changed = _changed(graph)
    if changed:
        return changed, "what changed, and what is near it"
    sized = [n for n in graph.nodes() if n.bytes and n.memory != "GM"]
    if sized:
        largest = max(sized, key=lambda n: n.bytes or 0)
        return [largest.name], f"those near the largest buffer, {largest.subject}"
    return [next((n.name for n in graph.nodes()), "")], "the first ones"


def _changed(graph: Graph) -> list[str]:
    return [n.name for n in graph.nodes() if any(c in CHANGES for c in n.classes)]


def _neighbourhood(graph: Graph, wish: Wish, opening: _Opening, room: int) -> Graph:
    """What is near the centres in a graph whose frames, folded, are too many by themselves."""
    frames = {frame.name for frame in graph.frames()}
    path = (opening.wanted | wish.opened) - wish.folded
    coarse = fold(graph, frames - path)
    centres = [name for name in opening.centres if name in coarse.parts]
    # a centre that is a frame, or in a folded one, is looked at through what stands for it
    centres += [frame for frame in wish.opened if frame in coarse.parts]
    starts = _nodes_of(coarse, centres) or _nodes_of(coarse, opening.wanted)
    order = near(coarse, starts, room=room, line=opening.line)
    names = order[: max(room * 2 // 3, 1)]
    further = order[len(names) :]
    # what room is left opens frames near the centres
    left = room - len(names)
    opened: set[str] = set()
    for name in names:
        frame = graph.parts.get(name)
        if not isinstance(frame, Frame) or name in wish.folded:
            continue
        needed = opening.held[name] + len(opening.inner[name]) - 1
        if needed <= left:
            opened.add(name)
            left -= needed
    names += further[:left]
    for name in sorted(wish.around):  # which may take more room
        missing = [other for other in neighbours_of(coarse, name) if other not in set(names)]
        missing.sort(key=lambda other: _distance(coarse.parts[other], opening.line))
        names += missing[:_AT_ONCE]
    if not opened:
        return cut(coarse, names)
    finer = fold(graph, frames - path - opened)
    kept = {name for name in names if name not in opened}
    kept.update(node.name for node in finer.nodes() if node.within in opened)
    return cut(finer, kept)


def _nodes_of(graph: Graph, names: Iterable[str]) -> list[str]:
    """The nodes among names, and those right inside the frames among them."""
    wanted = set(names)
    return [n.name for n in graph.nodes() if n.name in wanted or n.within in wanted]


def _folded_note(shown: Graph, wish: Wish) -> str:
    """One sentence on what is folded, but for what was folded by hand."""
    folded = [n for n in shown.nodes() if "folded" in n.classes and n.name not in wish.folded]
    if not folded:
        return ""
    inside = sum(node.times for node in folded)
    nodes = "1 node" if len(folded) == 1 else f"{len(folded)} nodes"
    away = f" away from line {count(wish.line)}" if wish.line else ""
    return f"{count(inside)} {shown.noun}{away} are folded into {nodes}."
