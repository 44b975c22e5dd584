"""Data flow in nested blocks as a picture: blocks as frames, steps and buffers as nodes.

Whoever reads a language makes items of its text; what is drawn of them, how buffers hang together
and what is folded beyond a limit is the same for all. A buffer filled anew is a node anew, so that
arrows need not run backwards. A value in no buffer is an arrow from its maker to its user.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from core.views.drawing import Drawing, Graph, safe
from core.views.wording import count, middle

WIDTH = 34  #: characters of a name
CONDITION = 44  #: characters of a condition
_FOLDED_IN_A_ROW = 4  # more folded blocks in a row become one node


@dataclass(slots=True)
class Item:
    """A step, or a block of them."""

    name: str  #: of its node
    first: int  #: line
    last: int  #: line
    label: list[str]
    tooltip: str = ""
    reads: dict[str, None] = field(default_factory=dict)  #: buffers
    writes: dict[str, None] = field(default_factory=dict)  #: buffers
    uses: dict[str, None] = field(default_factory=dict)  #: values that lie in no buffer
    makes: dict[str, None] = field(default_factory=dict)  #: likewise
    words: Counter[str] = field(default_factory=Counter)  #: what it does, how often in the text
    loops: list[str] = field(default_factory=list)  #: that a step is alone in, outermost first
    arms: list[Arm] = field(default_factory=list)  #: of a block


@dataclass(slots=True)
class Arm:
    """One body of a block: of a loop, of a branch of an `if`."""

    name: str
    label: list[str]
    first: int
    last: int
    items: list[Item]
    tooltip: str = ""


@dataclass(frozen=True, slots=True)
class Buffer:
    """What steps read and write."""

    memory: str  #: GM, UB, L1, L0A, L0B, L0C, REG; "" where it is not known
    label: tuple[str, ...]
    tooltip: str
    lines: tuple[int, int] | None
    home: str | None  #: the arm that it is drawn in, once, as it outlives what touches it; or None


@dataclass(frozen=True, slots=True)
class Carried:
    """A value that lies in no buffer, as the tooltip of its arrows says it."""

    tooltip: str
    memory: str = ""


@dataclass(slots=True)
class _Shown:
    """A node that is drawn: a step, or a folded block."""

    name: str
    item: Item
    folded: bool
    path: tuple[str, ...]  # names of the frames around it, outermost first


@dataclass(slots=True)
class _Version:
    """A buffer from one filling to the next, so that arrows need not run backwards."""

    node: str
    buffer: str
    path: tuple[str, ...] | None = None  # the frames around all that touch it
    last: str = ""  # the node that changed it last
    read: bool = False


@dataclass(slots=True)
class _Arrow:
    tail: str
    head: str
    tooltip: str
    memory: str
    both: bool = False
    orders: bool = True


def root(items: list[Item]) -> Arm:
    """What holds everything and has no frame."""
    return Arm("root", [], 1, max((item.last for item in items), default=1), items)


def block(first: int, last: int, arms: Sequence[tuple[list[str], str, list[Item]]]) -> Item:
    """A block of arms: (label, tooltip, items). Only the sole arm of a block has all its lines."""
    made: list[Arm] = []
    for number, (label, tooltip, items) in enumerate(arms):
        name = f"cluster.{first}.{number}" if number else f"cluster.{first}"
        start = items[0].first if number else first
        stop = items[-1].last if len(arms) > 1 else last
        made.append(Arm(name, label, start, stop, items, tooltip))
    flows = [_flow(arm.items) for arm in made]
    inside = [item for arm in made for item in arm.items]
    return Item(
        f"block.{first}",
        first,
        last,
        made[0].label,
        "",
        {name: None for reads, _ in flows for name in reads},
        {name: None for _, writes in flows for name in writes},
        {name: None for item in inside for name in item.uses},
        {name: None for item in inside for name in item.makes},
        words(inside),
        arms=made,
    )


def _flow(items: Sequence[Item]) -> tuple[dict[str, None], dict[str, None]]:
    """What a run of items reads that it did not write before, and what it writes."""
    reads: dict[str, None] = {}
    writes: dict[str, None] = {}
    for item in items:
        reads.update((name, None) for name in item.reads if name not in writes)
        writes.update(item.writes)
    return reads, writes


def words(items: Sequence[Item]) -> Counter[str]:
    """What items do, how often."""
    total: Counter[str] = Counter()
    for item in items:
        total.update(item.words)
    return total


class Picture:
    """The drawing of one nest. Beyond `limit` nodes only what is near the line `focus` is open."""

    def __init__(
        self,
        root: Arm,
        buffers: Mapping[str, Buffer],
        focus: int | None,
        limit: int,
        *,
        carried: Mapping[str, Carried] | None = None,
        noun: str = "statements",
    ) -> None:
        self.root = root
        self.buffers = buffers
        self.carried = carried or {}
        self.noun = noun
        self.focus = focus or 1
        self.limit = limit
        self.open: set[str] = set()  # blocks that are drawn as frames
        self.windows: dict[str, tuple[int, int]] = {}  # arms of which only a part is drawn
        self.nodes: list[_Shown] = []  # in the text's order
        self.arrows: list[_Arrow] = []
        self.orders: list[tuple[str, str]] = []
        self.versions: list[_Version] = []
        self.frames: set[str] = {root.name}  # arms that are drawn
        self.drawing = Drawing()

    def graph(self, note: str, links: Mapping[int, int] | None = None) -> Graph:
        """Draw it. `note` says what the items leave out.

        `links` are lines that have no node: each leads to the node of another line.
        """
        self._choose()
        self._collect(self.root, (self.root.name,))
        self.frames.update(name for shown in self.nodes for name in shown.path)
        self._connect()
        self._carry()
        self._draw(self.root)
        for arrow in self.arrows:
            self.drawing.edge(
                arrow.tail,
                arrow.head,
                memory=arrow.memory,
                tooltip=arrow.tooltip,
                both=arrow.both,
                orders=arrow.orders,
            )
        for above, below in self.orders:
            self.drawing.order(above, below)
        return self.drawing.graph(self._note(note), links or {})

    # which part is drawn

    def _choose(self) -> None:
        """Open blocks, nearest to the focus and outermost first, while nodes are left."""
        left = self.limit - self._window(self.root, self.limit)
        heap: list[tuple[int, int, int, Item]] = []
        self._offer(heap, self.root, 0)
        while heap:
            _, depth, _, block = heapq.heappop(heap)
            needed = sum(len(arm.items) for arm in block.arms) - 1
            if needed > left and (len(block.arms) > 1 or left < 3):
                continue
            self.open.add(block.name)
            left -= sum(self._window(arm, left + 1) for arm in block.arms) - 1
            for arm in block.arms:
                self._offer(heap, arm, depth + 1)

    def _offer(self, heap: list[tuple[int, int, int, Item]], arm: Arm, depth: int) -> None:
        start, stop = self.windows.get(arm.name, (0, len(arm.items)))
        for item in arm.items[start:stop]:
            if item.arms:
                heapq.heappush(heap, (self._distance(item), depth, item.first, item))

    def _window(self, arm: Arm, room: int) -> int:
        """Limit an arm to `room` nodes around the focus; how many it takes."""
        if len(arm.items) <= room:
            return len(arm.items)
        size = max(room - 2, 1)  # two nodes stand for what is before and after
        nearest = min(range(len(arm.items)), key=lambda i: (self._distance(arm.items[i]), i))
        start = max(0, min(nearest - size // 2, len(arm.items) - size))
        self.windows[arm.name] = (start, start + size)
        return size + (start > 0) + (start + size < len(arm.items))

    def _distance(self, item: Item) -> int:
        if item.first <= self.focus <= item.last:
            return 0
        return min(abs(item.first - self.focus), abs(item.last - self.focus))

    def _parts(self, arm: Arm) -> Iterator[tuple[Item, bool]]:
        """What is drawn of an arm: an item, and whether it is folded."""
        start, stop = self.windows.get(arm.name, (0, len(arm.items)))
        if start > 0:
            yield _rest(arm.items[:start]), True
        for folded, group in groupby(arm.items[start:stop], key=self._is_folded):
            items = list(group)
            if folded and len(items) > _FOLDED_IN_A_ROW:
                yield _rest(items), True
            else:
                yield from ((item, folded) for item in items)
        if stop < len(arm.items):
            yield _rest(arm.items[stop:]), True

    def _is_folded(self, item: Item) -> bool:
        return bool(item.arms) and item.name not in self.open

    def _collect(self, arm: Arm, path: tuple[str, ...]) -> None:
        for item, folded in self._parts(arm):
            if folded or not item.arms:
                self.nodes.append(_Shown(item.name, item, folded, path))
                continue
            for inner in item.arms:
                self._collect(inner, (*path, inner.name))

    # how it hangs together

    def _connect(self) -> None:
        """Versions of the buffers and the arrows, in the order of the text."""
        wanted = self._wanted()
        current: dict[str, _Version] = {}
        made: Counter[str] = Counter()

        def version(buffer: str, shown: _Shown, *, fresh: bool) -> _Version:
            found = current.get(buffer)
            if found is None or fresh:
                made[buffer] += 1
                suffix = f".{made[buffer]}" if made[buffer] > 1 else ""
                found = current[buffer] = _Version(f"buffer.{safe(buffer)}{suffix}", buffer)
                self.versions.append(found)
            found.path = shown.path if found.path is None else _common(found.path, shown.path)
            return found

        for shown in self.nodes:
            item = shown.item
            for buffer in item.reads:
                if buffer in wanted:
                    read = version(buffer, shown, fresh=False)
                    self._read(read, shown, buffer in item.writes)
            for buffer in item.writes:
                if buffer in wanted and buffer not in item.reads:
                    before = current.get(buffer)
                    fresh = before is not None and before.read and not self._outlives(buffer)
                    self._write(version(buffer, shown, fresh=fresh), shown)

        self._prune()

    def _prune(self) -> None:
        """Leave out what happens inside folded nodes: buffers that just one of them touches."""
        folded = {shown.name for shown in self.nodes if shown.folded}
        touched: dict[str, set[str]] = {version.node: set() for version in self.versions}
        for arrow in self.arrows:
            for buffer, node in ((arrow.tail, arrow.head), (arrow.head, arrow.tail)):
                if buffer in touched:
                    touched[buffer].add(node)
        kept = {
            version.node
            for version in self.versions
            if len(touched[version.node]) > 1
            or not touched[version.node] <= folded
            or self._outlives(version.buffer)
        }
        self.versions = [version for version in self.versions if version.node in kept]
        self.arrows = [arrow for arrow in self.arrows if arrow.tail in kept or arrow.head in kept]

    def _read(self, version: _Version, shown: _Shown, writes: bool) -> None:
        self.arrows.append(self._arrow(version.node, shown.name, version.buffer, both=writes))
        if version.last and version.last != shown.name:
            self.orders.append((version.last, shown.name))
        if writes:
            version.last = shown.name
        version.read = True

    def _write(self, version: _Version, shown: _Shown) -> None:
        self.arrows.append(
            self._arrow(shown.name, version.node, version.buffer, orders=not version.read)
        )
        # a folded block mostly reads what it writes: the next to write fills the buffer anew
        version.read = version.read or shown.folded

    def _arrow(
        self, tail: str, head: str, buffer: str, *, both: bool = False, orders: bool = True
    ) -> _Arrow:
        return _Arrow(tail, head, buffer, self.buffers[buffer].memory, both, orders)

    def _carry(self) -> None:
        """Arrows from the makers of values to their users; one where several go the same way."""
        makers: dict[str, tuple[int, str]] = {}
        for place, shown in enumerate(self.nodes):
            for value in shown.item.makes:
                makers.setdefault(value, (place, shown.name))
        arrows: dict[tuple[str, str], _Arrow] = {}
        for place, shown in enumerate(self.nodes):
            for value in shown.item.uses:
                made, maker = makers.get(value, (place, shown.name))
                if maker == shown.name:
                    continue
                about = self.carried.get(value) or Carried(value)
                before = arrows.get((maker, shown.name))
                if before is None:
                    arrow = _Arrow(maker, shown.name, about.tooltip, about.memory)
                    arrow.orders = made < place
                    arrows[maker, shown.name] = arrow
                elif about.tooltip not in before.tooltip:
                    before.tooltip += f"\n{about.tooltip}"
        self.arrows.extend(arrows.values())

    def _wanted(self) -> set[str]:
        """Buffers that are drawn: all that an open step touches, and those nodes share."""
        touched: Counter[str] = Counter()
        by_step: dict[str, None] = {}
        for shown in self.nodes:
            names = shown.item.reads | shown.item.writes
            touched.update(names.keys())
            if not shown.folded:
                by_step |= names
        shared = [
            name
            for name, times in touched.items()
            if name not in by_step and (times > 1 or self._outlives(name))
        ]
        return {*by_step, *shared[: max(self.limit - len(by_step), 10)]}

    def _outlives(self, name: str) -> bool:
        """Whether a buffer is drawn once, in a frame of its own choice."""
        return self.buffers[name].home in self.frames

    # the drawing

    def _draw(self, arm: Arm) -> None:
        for version in self.versions:
            home = self.buffers[version.buffer].home
            path = (home,) if home in self.frames else version.path
            if path and path[-1] == arm.name:
                self._draw_buffer(version)
        for item, folded in self._parts(arm):
            span = (item.first, item.last)
            if folded:
                label = [*item.label, *self._summary(item.words)]
                self.drawing.node(
                    item.name, label, classes=("loop", "faint"), lines=span, shape="box3d"
                )
            elif not item.arms:
                label = [*item.label, middle(" · ".join(item.loops), WIDTH)]
                self.drawing.node(
                    item.name, label, classes=("op",), lines=span, tooltip=item.tooltip
                )
            else:
                self._draw_frames(item)

    def _draw_frames(self, block: Item) -> None:
        for arm in block.arms:
            with self.drawing.cluster(
                arm.name,
                arm.label,
                classes=("loop",),
                lines=(arm.first, arm.last),
                tooltip=arm.tooltip,
            ):
                self._draw(arm)

    def _draw_buffer(self, version: _Version) -> None:
        buffer = self.buffers[version.buffer]
        self.drawing.node(
            version.node,
            buffer.label,
            classes=("tensor",),
            memory=buffer.memory,
            lines=buffer.lines,
            tooltip=buffer.tooltip,
            shape="cylinder" if buffer.home is not None else "box",
        )

    def _note(self, note: str) -> str:
        folded = [shown.item for shown in self.nodes if shown.folded]
        if not folded:
            return note
        inside = sum(item.words.total() for item in folded)
        nodes = "1 node" if len(folded) == 1 else f"{len(folded)} nodes"
        about = (
            f"{count(inside)} {self.noun} away from line {count(self.focus)} are folded into "
            f"{nodes}."
        )
        return f"{about} {note}" if note else about

    def _summary(self, words: Counter[str]) -> list[str]:
        total = words.total()
        common = [f"{word} ×{count(n)}" for word, n in words.most_common(3)]
        more = " …" if len(words) > 3 else ""
        return [f"{count(total)} {self.noun}", middle(", ".join(common) + more, CONDITION)]


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """The frames around both."""
    return tuple(a for a, b in zip(one, other, strict=False) if a == b)


def _rest(items: Sequence[Item]) -> Item:
    """One item for several that are left out."""
    first, last = items[0].first, items[-1].last
    reads, writes = _flow(items)
    uses = {name: None for item in items for name in item.uses}
    makes = {name: None for item in items for name in item.makes}
    label = [f"… lines {count(first)} to {count(last)}"]
    return Item(f"rest.{first}", first, last, label, "", reads, writes, uses, makes, words(items))
