"""Data flow in nested blocks as a graph: blocks as frames, steps and buffers as nodes.

Whoever reads a language makes items of its text; how buffers hang together is the same for all. A
buffer filled anew is a node anew, so that arrows need not run backwards. A value in no buffer is an
arrow from its maker to its user.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.views.drawing import Drawing, safe
from core.views.graph import Graph
from core.views.wording import middle

WIDTH = 34  #: characters of a name
CONDITION = 44  #: characters of a condition


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
    word: str = ""  #: what it does
    times: int = 1  #: statements that it stands for
    loops: list[str] = field(default_factory=list)  #: that a step is alone in, outermost first
    subject: str = ""  #: the name in the text that it is about
    key: str = ""  #: what it is called in every pass
    says: str = ""  #: what makes it another one when it differs
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
    subject: str = ""  #: of a loop, its variable


@dataclass(frozen=True, slots=True)
class Buffer:
    """What steps read and write."""

    memory: str  #: GM, UB, L1, L0A, L0B, L0C, REG; "" where it is not known
    label: tuple[str, ...]
    tooltip: str
    lines: tuple[int, int] | None
    home: str | None  #: the arm that it is drawn in, once, as it outlives what touches it; or None
    bytes: int | None = None
    subject: str = ""  #: its name in the text
    key: str = ""  #: what it is called in every pass; "": its label's first line
    says: str = ""  #: what makes it another one when it differs; "": label and tooltip


@dataclass(frozen=True, slots=True)
class Carried:
    """A value that lies in no buffer, as the tooltip of its arrows says it."""

    tooltip: str
    memory: str = ""


@dataclass(slots=True)
class _Step:
    """A step, and where it stands."""

    item: Item
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
    return Arm("", [], 1, max((item.last for item in items), default=1), items)


def block(
    first: int,
    last: int,
    arms: Sequence[tuple[list[str], str, list[Item]]],
    subject: str = "",
) -> Item:
    """A block of arms: (label, tooltip, items). Only the sole arm of a block has all its lines."""
    made: list[Arm] = []
    for number, (label, tooltip, items) in enumerate(arms):
        name = f"cluster.{first}.{number}" if number else f"cluster.{first}"
        start = items[0].first if number else first
        stop = items[-1].last if len(arms) > 1 else last
        made.append(Arm(name, label, start, stop, items, tooltip, subject))
    return Item(f"block.{first}", first, last, made[0].label, arms=made)


class Picture:
    """The graph of one nest."""

    def __init__(
        self,
        root: Arm,
        buffers: Mapping[str, Buffer],
        *,
        carried: Mapping[str, Carried] | None = None,
        noun: str = "statements",
        masked: Callable[[str], str] = str,
    ) -> None:
        """`masked` takes out of a frame's text what differs from pass to pass by itself."""
        self.root = root
        self.masked = masked
        self.buffers = buffers
        self.carried = carried or {}
        self.noun = noun
        self.steps: list[_Step] = []  # in the text's order
        self.arrows: list[_Arrow] = []
        self.orders: list[tuple[str, str]] = []
        self.versions: list[_Version] = []
        self.frames: set[str] = {root.name}
        self.homes: dict[str, list[_Version]] = {}  # by the frame that they are drawn in
        self.drawing = Drawing()

    def graph(self, note: str, links: Mapping[int, int] | None = None) -> Graph:
        """The graph. `note` says what the items leave out.

        `links` are lines that have no node: each leads to the node of another line.
        """
        self._collect(self.root, (self.root.name,))
        self._connect()
        self._carry()
        for version in self.versions:
            home = self.buffers[version.buffer].home
            if home in self.frames:
                self.homes.setdefault(home, []).append(version)
            elif version.path:
                self.homes.setdefault(version.path[-1], []).append(version)
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
        return self.drawing.graph(note, links, noun=self.noun)

    def _collect(self, arm: Arm, path: tuple[str, ...]) -> None:
        for item in arm.items:
            if not item.arms:
                self.steps.append(_Step(item, path))
                continue
            for inner in item.arms:
                self.frames.add(inner.name)
                self._collect(inner, (*path, inner.name))

    # how it hangs together

    def _connect(self) -> None:
        """Versions of the buffers and the arrows, in the order of the text."""
        current: dict[str, _Version] = {}
        made: Counter[str] = Counter()

        def version(buffer: str, step: _Step, *, fresh: bool) -> _Version:
            found = current.get(buffer)
            if found is None or fresh:
                made[buffer] += 1
                suffix = f".{made[buffer]}" if made[buffer] > 1 else ""
                found = current[buffer] = _Version(f"buffer.{safe(buffer)}{suffix}", buffer)
                self.versions.append(found)
            found.path = step.path if found.path is None else _common(found.path, step.path)
            return found

        for step in self.steps:
            item = step.item
            for buffer in item.reads:
                read = version(buffer, step, fresh=False)
                self._read(read, step, buffer in item.writes)
            for buffer in item.writes:
                if buffer not in item.reads:
                    before = current.get(buffer)
                    fresh = before is not None and before.read and not self._outlives(buffer)
                    self._write(version(buffer, step, fresh=fresh), step)

    def _read(self, version: _Version, step: _Step, writes: bool) -> None:
        name = step.item.name
        self.arrows.append(self._arrow(version.node, name, version.buffer, both=writes))
        if version.last and version.last != name:
            self.orders.append((version.last, name))
        if writes:
            version.last = name
        version.read = True

    def _write(self, version: _Version, step: _Step) -> None:
        orders = not version.read
        arrow = self._arrow(step.item.name, version.node, version.buffer, orders=orders)
        self.arrows.append(arrow)

    def _arrow(
        self, tail: str, head: str, buffer: str, *, both: bool = False, orders: bool = True
    ) -> _Arrow:
        about = self.buffers[buffer]
        return _Arrow(tail, head, about.subject or buffer, about.memory, both, orders)

    def _carry(self) -> None:
        """Arrows from the makers of values to their users; one where several go the same way."""
        makers: dict[str, tuple[int, str]] = {}
        for place, step in enumerate(self.steps):
            for value in step.item.makes:
                makers.setdefault(value, (place, step.item.name))
        arrows: dict[tuple[str, str], _Arrow] = {}
        for place, step in enumerate(self.steps):
            user = step.item.name
            for value in step.item.uses:
                made, maker = makers.get(value, (place, user))
                if maker == user:
                    continue
                about = self.carried.get(value) or Carried(value)
                before = arrows.get((maker, user))
                if before is None:
                    arrow = _Arrow(maker, user, about.tooltip, about.memory)
                    arrow.orders = made < place
                    arrows[maker, user] = arrow
                elif about.tooltip not in before.tooltip:
                    before.tooltip += f"\n{about.tooltip}"
        self.arrows.extend(arrows.values())

    def _outlives(self, name: str) -> bool:
        """Whether a buffer is drawn once, in a frame of its own choice."""
        return self.buffers[name].home in self.frames

    # the drawing

    def _draw(self, arm: Arm) -> None:
        for version in self.homes.get(arm.name, ()):
            self._draw_buffer(version)
        for item in arm.items:
            if item.arms:
                self._draw_frames(item)
                continue
            self.drawing.node(
                item.name,
                [*item.label, middle(" · ".join(item.loops), WIDTH)],
                classes=("op",),
                lines=(item.first, item.last),
                tooltip="\n".join([item.tooltip, *item.loops]),
                subject=item.subject,
                word=item.word,
                times=item.times,
                key=item.key or "|".join(item.label),
                says=item.says or "\n".join([*item.loops, item.tooltip]),
            )

    def _draw_frames(self, block: Item) -> None:
        for arm in block.arms:
            with self.drawing.cluster(
                arm.name,
                arm.label,
                classes=("loop",),
                lines=(arm.first, arm.last),
                tooltip=arm.tooltip,
                subject=arm.subject,
                key=self.masked(arm.subject or arm.label[0]),
                says=self.masked("\n".join((*arm.label, arm.tooltip))),
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
            bytes=buffer.bytes,
            subject=buffer.subject,
            key=buffer.key or version.buffer,
            says=buffer.says,
        )


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """The frames around both."""
    return tuple(a for a, b in zip(one, other, strict=False) if a == b)


def inside(items: Sequence[Item]) -> Iterator[Item]:
    """The steps of items, those in blocks too, in the order of the text."""
    for item in items:
        if item.arms:
            for arm in item.arms:
                yield from inside(arm.items)
        else:
            yield item
