"""What a pass did to a graph: nodes added, changed and gone, marked on the graph after it.

Nodes of two graphs that say the same are matched where the text difference holds their lines for
the same, then in the order of the text; what is left, by what it is called, and at last by lines
that stand in each other's place. A node that is gone is drawn as a ghost in the frame around it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rapidfuzz.distance import Levenshtein

from core.analysis.diff import Diff, Hunk, mask_addresses
from core.views.graph import Edge, Frame, Graph, Node, Part

GHOST = "gone."  #: what the name of a node that is gone begins with


@dataclass(frozen=True, slots=True)
class Changes:
    """The graph after a pass with its changes marked, and how many of its nodes they are."""

    graph: Graph
    added: int
    removed: int
    changed: int


def compared(before: Graph, after: Graph, difference: Diff) -> Changes:
    """The graph `after` with the classes added, removed and changed on nodes, frames and edges.

    `difference` is that of the texts which the graphs were made from.
    """
    matched, different = _matched(before, after, difference)
    was = {old: new for new, old in matched.items()}
    parts: dict[str, Part] = {}
    for name, part in after.parts.items():
        change = "changed" if name in different else "" if name in matched else "added"
        if change and not (isinstance(part, Frame) and not part.drawn):
            part = replace(part, classes=(*part.classes, change))
        parts[name] = part
    for name, ghost in _ghosts(before, was).items():
        parts[ghost.name] = ghost
        was[name] = ghost.name
    edges = (*_edges_after(before, after, matched), *_edges_gone(before, after, was))
    counts = Counter(c for p in parts.values() if isinstance(p, Node) for c in p.classes)
    graph = replace(after, parts=parts, edges=edges)
    return Changes(graph, counts["added"], counts["removed"], counts["changed"])


# --- which is which -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Told:
    """What tells a part of a graph from others, the same in every pass."""

    name: str
    key: str  # what it is called
    says: str
    kind: str  # of node, and what a step does
    line: int


def _told(part: Part, line: int) -> _Told:
    kind = part.name.partition(".")[0]
    if isinstance(part, Node):
        kind = f"{kind} {part.word}"
    return _Told(
        part.name,
        part.key or (part.label[0] if part.label else part.name),
        mask_addresses(part.says or "\n".join((*part.label, part.tooltip))),
        kind,
        line,
    )


def _matched(before: Graph, after: Graph, difference: Diff) -> tuple[dict[str, str], set[str]]:
    """Names after to names before, and those names after that say something else now."""
    pairs: list[tuple[_Told, _Told]] = []
    lines = _Lines(difference)
    for old, new in zip(_sequences(before), _sequences(after), strict=True):
        pairs += _pairs(old, new, lines)
    matched = {other.name: one.name for one, other in pairs}
    for one, other in pairs:  # what hangs below a node of a tree is where the node is
        below, under = before.parts[one.name], after.parts[other.name]
        if isinstance(below, Node) and isinstance(under, Node) and below.folds and under.folds:
            matched[under.folds] = below.folds
    return matched, {other.name for one, other in pairs if one.says != other.says}


def _sequences(graph: Graph) -> tuple[list[_Told], list[_Told], list[_Told]]:
    """Buffers, other nodes and frames apart, each in the order of the text.

    A buffer stands where it is first touched: all that one buffer is in turn have the same line.
    """
    buffers: list[_Told] = []
    steps: list[_Told] = []
    frames: list[_Told] = []
    touched: dict[str, int] = {}
    for edge in graph.edges:
        for one, other in ((edge.tail, edge.head), (edge.head, edge.tail)):
            lines = graph.lines.get(other)
            if edge.seen and lines:
                touched[one] = min(touched.get(one, lines[0]), lines[0])
    for part in graph.parts.values():
        line = part.lines[0] if part.lines else 0
        if isinstance(part, Frame):
            if part.drawn:
                frames.append(_told(part, line))
        elif "tensor" in part.classes:
            buffers.append(_told(part, touched.get(part.name, line)))
        else:
            steps.append(_told(part, line))
    steps.sort(key=lambda told: told.line)
    return buffers, steps, frames


class _Lines:
    """Which line before a line after stands for. Lines count from 1."""

    def __init__(self, difference: Diff) -> None:
        self._hunks = difference.hunks
        self._starts = [hunk.b0 for hunk in difference.hunks]

    def same(self, line: int) -> int | None:
        """The line that does not differ; None where there is none."""
        hunk = self._hunk(line)
        if hunk is None:
            return line
        return line - hunk.b1 + hunk.a1 if line > hunk.b1 else None

    def replaced(self, line: int) -> int | None:
        """The line of an equally long run of others; None where there is none."""
        hunk = self._hunk(line)
        if hunk is None or line > hunk.b1 or hunk.a1 - hunk.a0 != hunk.b1 - hunk.b0:
            return None
        return line - hunk.b0 + hunk.a0

    def _hunk(self, line: int) -> Hunk | None:
        """The last hunk that begins at a line or before it."""
        at = bisect_right(self._starts, line - 1) - 1
        return self._hunks[at] if at >= 0 else None


def _pairs(
    before: Sequence[_Told], after: Sequence[_Told], lines: _Lines
) -> list[tuple[_Told, _Told]]:
    before, after, pairs = _in_place(before, after, lines)
    numbers: dict[tuple[str, str], int] = {}
    one = [numbers.setdefault((told.key, told.says), len(numbers)) for told in before]
    other = [numbers.setdefault((told.key, told.says), len(numbers)) for told in after]
    old: list[_Told] = []
    new: list[_Told] = []
    for op in Levenshtein.opcodes(one, other):
        gone, come = before[op.src_start : op.src_end], after[op.dest_start : op.dest_end]
        if op.tag == "equal":
            pairs += zip(gone, come, strict=True)
        else:  # what stands in each other's place and is called alike
            left, free = _called_alike(gone, come, pairs)
            old += left
            new += free
    old, new = _called_alike(old, new, pairs)  # what was moved
    pairs += _replaced(old, new, lines)
    return pairs


def _in_place(
    before: Sequence[_Told], after: Sequence[_Told], lines: _Lines
) -> tuple[list[_Told], list[_Told], list[tuple[_Told, _Told]]]:
    """Pair what says the same on a line that does not differ; what is left of both, the pairs."""
    waiting: defaultdict[tuple[int, str, str], deque[_Told]] = defaultdict(deque)
    for told in before:
        waiting[told.line, told.key, told.says].append(told)
    pairs: list[tuple[_Told, _Told]] = []
    free: list[_Told] = []
    for told in after:
        line = lines.same(told.line) if told.line else None
        queue = waiting.get((line, told.key, told.says)) if line is not None else None
        if queue:
            pairs.append((queue.popleft(), told))
        else:
            free.append(told)
    taken = {old.name for old, _ in pairs}
    return [told for told in before if told.name not in taken], free, pairs


def _called_alike(
    before: Sequence[_Told], after: Sequence[_Told], pairs: list[tuple[_Told, _Told]]
) -> tuple[list[_Told], list[_Told]]:
    """Pair what says the same, then what has the same key, in order; what is left of both."""
    old, new = list(before), list(after)
    for whole in (True, False):
        waiting: defaultdict[tuple[str, str], deque[_Told]] = defaultdict(deque)
        for told in old:
            waiting[told.key, told.says if whole else ""].append(told)
        free: list[_Told] = []
        for told in new:
            queue = waiting[told.key, told.says if whole else ""]
            if queue:
                pairs.append((queue.popleft(), told))
            else:
                free.append(told)
        kept = {told.name for queue in waiting.values() for told in queue}
        old, new = [told for told in old if told.name in kept], free
    return old, new


def _replaced(
    before: Iterable[_Told], after: Iterable[_Told], lines: _Lines
) -> Iterator[tuple[_Told, _Told]]:
    """Parts of one kind whose first lines stand in each other's place."""
    by_line = {(told.line, told.kind): told for told in before if told.line}
    for told in after:
        line = lines.replaced(told.line) if told.line else None
        old = by_line.pop((line, told.kind), None) if line is not None else None
        if old is not None:
            yield old, told


# --- what is drawn of it --------------------------------------------------------------------------


def _ghosts(before: Graph, was: Mapping[str, str]) -> dict[str, Part]:
    """What is gone, by its name before.

    A frame of which something is left is a node that says so; one of which all is gone stays a
    frame around it.
    """
    alive = {frame for name in before.parts if name in was for frame in before.around(name)}
    ghosts: dict[str, Part] = {}
    for name, part in before.parts.items():
        if name in was or (isinstance(part, Frame) and not part.drawn):
            continue
        within = _place(before, name, was, ghosts)
        classes = (*part.classes, "removed")
        if isinstance(part, Node):
            ghosts[name] = replace(
                part,
                name=f"{GHOST}{name}",
                within=within,
                classes=classes,
                lines=None,
                before=part.lines,
                folds="",
            )
        elif name in alive:
            ghosts[name] = Node(
                f"{GHOST}{name}",
                part.label,
                within,
                classes,
                tooltip=part.tooltip,
                subject=part.subject,
                before=part.lines,
            )
        else:
            inner = f"cluster.{GHOST}{name.removeprefix('cluster.')}"
            ghosts[name] = replace(part, name=inner, within=within, classes=classes, lines=None)
    return ghosts


def _place(before: Graph, name: str, was: Mapping[str, str], ghosts: Mapping[str, Part]) -> str:
    """The innermost frame around a part that is still there, or is itself drawn as a ghost."""
    for frame in before.around(name):
        if frame in was:
            return was[frame]
        ghost = ghosts.get(frame)
        if isinstance(ghost, Frame):
            return ghost.name
    return ""


def _edges_after(before: Graph, after: Graph, matched: Mapping[str, str]) -> Iterator[Edge]:
    known = _ends(before)
    for edge in after.edges:
        ends = matched.get(edge.tail, ""), matched.get(edge.head, "")
        new = edge.seen and ends not in known
        yield replace(edge, classes=(*edge.classes, "added")) if new else edge


def _edges_gone(before: Graph, after: Graph, was: Mapping[str, str]) -> Iterator[Edge]:
    known = _ends(after)
    for edge in before.edges:
        tail, head = was.get(edge.tail, ""), was.get(edge.head, "")
        if edge.seen and tail and head and (tail, head) not in known:
            yield replace(edge, tail=tail, head=head, classes=(*edge.classes, "removed"), memory="")


def _ends(graph: Graph) -> set[tuple[str, str]]:
    ends = {(edge.tail, edge.head) for edge in graph.edges if edge.seen}
    return ends | {(edge.head, edge.tail) for edge in graph.edges if edge.seen and edge.both}
