"""The picture of a statement-language pass: its loops as frames, its statements and buffers.

A statement alone in its loops is one node that names them. Equal instructions in a row are one.
What orders the pipes and sets modes is left out. Beyond a limit, whole blocks are folded, so that
the lines around the focus stay open.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from core.ir import access, statement
from core.ir.expression import (
    Binary,
    Call,
    Cast,
    Expression,
    Load,
    Number,
    Predicated,
    children,
    parse_expression,
)
from core.ir.instructions import kind
from core.views.drawing import Drawing, Graph, safe
from core.views.wording import bytes_text, count, middle, short_bytes

#: Statements and folded blocks that are drawn before more is folded.
LIMIT = 120
_WIDTH = 34  # characters of a name
_CONDITION = 44  # characters of a condition
_FOLDED_IN_A_ROW = 4  # more folded blocks in a row become one node
_UNDRAWN = frozenset(("sync", "control"))
_DTYPE_BYTES = {"bool": 1, "handle": 8}

_WORDS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "modulo"}


@dataclass(slots=True)
class _Item:
    """A statement, or a block of them."""

    name: str
    first: int
    last: int
    label: list[str]
    tooltip: str = ""
    reads: dict[str, None] = field(default_factory=dict)
    writes: dict[str, None] = field(default_factory=dict)
    words: Counter[str] = field(default_factory=Counter)  # what it does, how often in the text
    loops: list[str] = field(default_factory=list)  # that a statement is alone in, outermost first
    arms: list[_Arm] = field(default_factory=list)  # of a block


@dataclass(slots=True)
class _Arm:
    """One body of a block: of a loop, of a branch of an `if`."""

    name: str
    label: list[str]
    first: int
    last: int
    items: list[_Item]
    tooltip: str = ""


def of_module(module: statement.Module, focus: int | None = None, limit: int = LIMIT) -> Graph:
    """The loop nest with buffers and data flow; beyond `limit` nodes only what is near `focus`.

    `focus` is a line of the text. Raises StatementError where an expression cannot be read.
    """
    reader = _Reader()
    if len(module.functions) == 1:
        items = reader.items(module.body)
    else:
        items = [reader.function(function) for function in module.functions]
    root = _Arm("root", [], 1, max((item.last for item in items), default=1), items)
    picture = _Picture(root, access.declared(module), focus, limit)
    return picture.graph(reader.undrawn)


# --- statements to items --------------------------------------------------------------------------


class _Reader:
    def __init__(self) -> None:
        self.undrawn = 0  # statements that only order the pipes or set modes

    def function(self, function: statement.Function) -> _Item:
        items = self.items(function.body)
        label = [f"function {middle(function.name, _WIDTH)}"]
        return _block(function.first, function.last, [(label, "", items)])

    def items(self, body: Sequence[statement.Statement]) -> list[_Item]:
        found: list[_Item] = []
        pragma = ""
        for position, node in enumerate(body):
            if isinstance(node, statement.Attribute):
                if node.key == "thread_extent" and node.value.isdigit() and int(node.value) > 1:
                    found.append(self._cores(node, body[position + 1 :]))
                    break
                if node.key == "pragma_emit_insn":
                    pragma = node.value.strip('"')
                continue
            found.extend(self._of(node, pragma))
            pragma = ""
        return _merged(found)

    def _cores(self, node: statement.Attribute, rest: Sequence[statement.Statement]) -> _Item:
        last = max((s.last for s in rest), default=node.last)
        label = [f"blockIdx.x · {node.value} cores"]
        return _block(node.first, last, [(label, "", self.items(rest))])

    def _of(self, node: statement.Statement, pragma: str) -> Iterator[_Item]:
        match node:
            case statement.For():
                yield from self._loop(node, pragma)
            case statement.If():
                yield from self._branches(node)
            case statement.Produce() | statement.Realize():
                yield from self.items(node.body)
            case statement.Store(buffer=target) | statement.Provide(tensor=target):
                yield _step(node, _operation(node.value), target)
            case statement.Evaluate() if node.callee:
                if kind(node.callee) in _UNDRAWN or node.callee.startswith("cce.coproc"):
                    self.undrawn += 1
                else:
                    yield _step(node, node.callee, "")
            case _:
                return

    def _loop(self, node: statement.For, pragma: str) -> Iterator[_Item]:
        loops = [node]
        while (inner := _only(loops[-1].body)) is not None:
            loops.append(inner)
        items = self.items(loops[-1].body)
        if len(items) == 1 and not items[0].arms:
            alone = [f"{loop.variable} {_times(loop)}" for loop in loops] + items[0].loops
            label = [*items[0].label, f"→ {pragma}"] if pragma else items[0].label
            yield replace(items[0], first=node.first, last=node.last, label=label, loops=alone)
        elif items:
            labels = [f"{loop.kind} {loop.variable} · {_times(loop)}×" for loop in loops]
            if pragma:
                labels.append(f"→ {pragma}")
            yield _block(node.first, node.last, [(labels, "", items)])

    def _branches(self, node: statement.If) -> Iterator[_Item]:
        arms: list[tuple[list[str], str, list[_Item]]] = []
        word, arm = "if", node
        while True:
            label = [f"{word} {middle(arm.condition, _CONDITION)}"]
            arms.append((label, arm.condition, self.items(arm.then)))
            rest = arm.otherwise
            if len(rest) != 1 or not isinstance(rest[0], statement.If):
                break
            word, arm = "else if", rest[0]
        arms.append((["else"], "", self.items(rest)))
        drawn = [arm for arm in arms if arm[2]]
        if drawn:
            yield _block(node.first, node.last, drawn)


def _only(body: Sequence[statement.Statement]) -> statement.For | None:
    """The loop that is all a body holds."""
    inner = body[0] if len(body) == 1 else None
    return inner if isinstance(inner, statement.For) else None


def _times(loop: statement.For) -> str:
    return count(loop.trips) if loop.trips is not None else middle(loop.extent, _WIDTH)


def _step(node: statement.Statement, word: str, target: str) -> _Item:
    touched = access.access(node)
    text = node.value if isinstance(node, statement.Evaluate) else _assignment(node)
    return _Item(
        f"step.{node.first}",
        node.first,
        node.last,
        [middle(word, _WIDTH), middle(target, _WIDTH)],
        text,
        dict.fromkeys(touched.reads),
        dict.fromkeys(touched.writes),
        Counter((word,)),
    )


def _assignment(node: statement.Statement) -> str:
    match node:
        case statement.Store():
            return f"{node.buffer}[{node.index}] = {node.value}"
        case statement.Provide():
            return f"{node.tensor}({', '.join(node.indices)}) = {node.value}"
        case _:
            return ""


def _block(first: int, last: int, arms: Sequence[tuple[list[str], str, list[_Item]]]) -> _Item:
    """A block of arms: (label, tooltip, items). Only the sole arm of a block has all its lines."""
    made: list[_Arm] = []
    for number, (label, tooltip, items) in enumerate(arms):
        name = f"cluster.{first}.{number}" if number else f"cluster.{first}"
        start = items[0].first if number else first
        stop = items[-1].last if len(arms) > 1 else last
        made.append(_Arm(name, label, start, stop, items, tooltip))
    flows = [_flow(arm.items) for arm in made]
    words: Counter[str] = Counter()
    for arm in made:
        words.update(_words(arm.items))
    return _Item(
        f"block.{first}",
        first,
        last,
        made[0].label,
        "",
        {name: None for reads, _ in flows for name in reads},
        {name: None for _, writes in flows for name in writes},
        words,
        arms=made,
    )


def _flow(items: Sequence[_Item]) -> tuple[dict[str, None], dict[str, None]]:
    """What a run of items reads that it did not write before, and what it writes."""
    reads: dict[str, None] = {}
    writes: dict[str, None] = {}
    for item in items:
        reads.update((name, None) for name in item.reads if name not in writes)
        writes.update(item.writes)
    return reads, writes


def _words(items: Sequence[_Item]) -> Counter[str]:
    words: Counter[str] = Counter()
    for item in items:
        words.update(item.words)
    return words


def _merged(items: list[_Item]) -> list[_Item]:
    """Equal instructions in a row as one item."""
    merged: list[_Item] = []
    for _, group in groupby(items, key=_alike):
        same = list(group)
        first, last = same[0], same[-1]
        if len(same) == 1:
            merged.append(first)
            continue
        label = [f"{first.label[0]} ×{count(len(same))}", *first.label[1:]]
        tooltip = f"{first.tooltip}\n…\n{last.tooltip}"
        merged.append(
            replace(first, last=last.last, label=label, tooltip=tooltip, words=_words(same))
        )
    return merged


def _alike(item: _Item) -> object:
    if item.arms:
        return item.name
    return (tuple(item.label), tuple(item.loops), tuple(item.reads), tuple(item.writes))


def _operation(text: str) -> str:
    """What a value does, in a few words; indices apart."""
    words: dict[str, None] = {}
    tree = parse_expression(text)
    top = tree.value if isinstance(tree, Predicated) else tree
    if isinstance(top, Number):
        return f"set {top.value:g}"
    pending: list[Expression] = [top]
    while pending:
        node = pending.pop()
        match node:
            case Binary():
                words[_WORDS.get(node.operator, "compare")] = None
            case Cast():
                words[f"cast to {node.dtype}"] = None
            case Call() if node.kind or node.name in ("min", "max", "select"):
                words[node.name] = None
            case Load() | Call():
                continue
        pending.extend(reversed(children(node)))
    names = list(words) or ["copy"]
    return ", ".join(names[:3]) + (" …" if len(names) > 3 else "")


# --- items to a picture ---------------------------------------------------------------------------


@dataclass(slots=True)
class _Shown:
    """A node that is drawn: a statement, or a folded block."""

    name: str
    item: _Item
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
    buffer: str
    both: bool = False
    orders: bool = True


class _Picture:
    def __init__(
        self,
        root: _Arm,
        buffers: dict[str, access.Declared],
        focus: int | None,
        limit: int,
    ) -> None:
        self.root = root
        self.buffers = buffers
        self.focus = focus or 1
        self.limit = limit
        self.open: set[str] = set()  # blocks that are drawn as frames
        self.windows: dict[str, tuple[int, int]] = {}  # arms of which only a part is drawn
        self.nodes: list[_Shown] = []  # in the text's order
        self.arrows: list[_Arrow] = []
        self.orders: list[tuple[str, str]] = []
        self.versions: list[_Version] = []
        self.drawing = Drawing()

    def graph(self, undrawn: int) -> Graph:
        self._choose()
        self._collect(self.root, (self.root.name,))
        self._connect()
        self._draw(self.root)
        for arrow in self.arrows:
            self.drawing.edge(
                arrow.tail,
                arrow.head,
                memory=self._memory(arrow.buffer),
                tooltip=arrow.buffer,
                both=arrow.both,
                orders=arrow.orders,
            )
        for above, below in self.orders:
            self.drawing.order(above, below)
        return self.drawing.graph(self._note(undrawn))

    # which part is drawn

    def _choose(self) -> None:
        """Open blocks, nearest to the focus and outermost first, while nodes are left."""
        left = self.limit - self._window(self.root, self.limit)
        heap: list[tuple[int, int, int, _Item]] = []
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

    def _offer(self, heap: list[tuple[int, int, int, _Item]], arm: _Arm, depth: int) -> None:
        start, stop = self.windows.get(arm.name, (0, len(arm.items)))
        for item in arm.items[start:stop]:
            if item.arms:
                heapq.heappush(heap, (self._distance(item), depth, item.first, item))

    def _window(self, arm: _Arm, room: int) -> int:
        """Limit an arm to `room` nodes around the focus; how many it takes."""
        if len(arm.items) <= room:
            return len(arm.items)
        size = max(room - 2, 1)  # two nodes stand for what is before and after
        nearest = min(range(len(arm.items)), key=lambda i: (self._distance(arm.items[i]), i))
        start = max(0, min(nearest - size // 2, len(arm.items) - size))
        self.windows[arm.name] = (start, start + size)
        return size + (start > 0) + (start + size < len(arm.items))

    def _distance(self, item: _Item) -> int:
        if item.first <= self.focus <= item.last:
            return 0
        return min(abs(item.first - self.focus), abs(item.last - self.focus))

    def _parts(self, arm: _Arm) -> Iterator[tuple[_Item, bool]]:
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

    def _is_folded(self, item: _Item) -> bool:
        return bool(item.arms) and item.name not in self.open

    def _collect(self, arm: _Arm, path: tuple[str, ...]) -> None:
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
                    fresh = before is not None and before.read and not self._is_global(buffer)
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
            or self._is_global(version.buffer)
        }
        self.versions = [version for version in self.versions if version.node in kept]
        self.arrows = [arrow for arrow in self.arrows if arrow.tail in kept or arrow.head in kept]

    def _read(self, version: _Version, shown: _Shown, writes: bool) -> None:
        self.arrows.append(_Arrow(version.node, shown.name, version.buffer, both=writes))
        if version.last and version.last != shown.name:
            self.orders.append((version.last, shown.name))
        if writes:
            version.last = shown.name
        version.read = True

    def _write(self, version: _Version, shown: _Shown) -> None:
        self.arrows.append(
            _Arrow(shown.name, version.node, version.buffer, orders=not version.read)
        )
        # a folded block mostly reads what it writes: the next to write fills the buffer anew
        version.read = version.read or shown.folded

    def _wanted(self) -> set[str]:
        """Buffers that are drawn: all that an open statement touches, and those nodes share."""
        touched: Counter[str] = Counter()
        by_statement: dict[str, None] = {}
        for shown in self.nodes:
            names = shown.item.reads | shown.item.writes
            touched.update(names.keys())
            if not shown.folded:
                by_statement |= names
        shared = [
            name
            for name, times in touched.items()
            if name not in by_statement and (times > 1 or self._is_global(name))
        ]
        return {*by_statement, *shared[: max(self.limit - len(by_statement), 10)]}

    def _memory(self, name: str) -> str:
        return self.buffers[name].memory if name in self.buffers else access.GLOBAL

    def _is_global(self, name: str) -> bool:
        return self._memory(name) == access.GLOBAL

    # the drawing

    def _draw(self, arm: _Arm) -> None:
        for version in self.versions:
            path = (self.root.name,) if self._is_global(version.buffer) else version.path
            if path and path[-1] == arm.name:
                self._draw_buffer(version)
        for item, folded in self._parts(arm):
            span = (item.first, item.last)
            if folded:
                label = [*item.label, *_summary(item.words)]
                self.drawing.node(
                    item.name, label, classes=("loop", "faint"), lines=span, shape="box3d"
                )
            elif not item.arms:
                label = [*item.label, middle(" · ".join(item.loops), _WIDTH)]
                self.drawing.node(
                    item.name, label, classes=("op",), lines=span, tooltip=item.tooltip
                )
            else:
                self._draw_frames(item)

    def _draw_frames(self, block: _Item) -> None:
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
        name, memory = version.buffer, self._memory(version.buffer)
        declared = self.buffers.get(name)
        label, about, lines = [middle(name, _WIDTH)], f"{name}\n{memory}", None
        if declared:
            label.append(_size(declared, short_bytes))
            about += f" {_size(declared, bytes_text)}"
            lines = (declared.line, declared.line)
        shape = "cylinder" if memory == access.GLOBAL else "box"
        self.drawing.node(
            version.node,
            label,
            classes=("tensor",),
            memory=memory,
            lines=lines,
            tooltip=about,
            shape=shape,
        )

    def _note(self, undrawn: int) -> str:
        folded = [shown.item for shown in self.nodes if shown.folded]
        parts: list[str] = []
        if folded:
            inside = sum(item.words.total() for item in folded)
            nodes = "1 node" if len(folded) == 1 else f"{len(folded)} nodes"
            parts.append(
                f"{count(inside)} statements away from line {count(self.focus)} are folded into "
                f"{nodes}."
            )
        if undrawn:
            parts.append(
                f"{count(undrawn)} statements that order the pipes or set modes are not drawn."
            )
        return " ".join(parts)


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """The frames around both."""
    return tuple(a for a, b in zip(one, other, strict=False) if a == b)


def _rest(items: Sequence[_Item]) -> _Item:
    """One item for several that are left out."""
    first, last = items[0].first, items[-1].last
    reads, writes = _flow(items)
    label = [f"… lines {count(first)} to {count(last)}"]
    return _Item(f"rest.{first}", first, last, label, "", reads, writes, _words(items))


def _summary(words: Counter[str]) -> list[str]:
    total = words.total()
    common = [f"{word} ×{count(n)}" for word, n in words.most_common(3)]
    more = " …" if len(words) > 3 else ""
    return [f"{count(total)} statements", middle(", ".join(common) + more, _CONDITION)]


def _size(declared: access.Declared, written: Callable[[int], str]) -> str:
    """Type, elements and bytes of a buffer."""
    if declared.elements is None:
        return declared.dtype
    each = _DTYPE_BYTES.get(declared.dtype)
    if each is None:
        bits = "".join(c for c in declared.dtype if c.isdigit())
        each = int(bits) // 8 if bits else None
    size = f" {written(declared.elements * each)}" if each else ""
    times = f" ×{declared.times}" if declared.times > 1 else ""
    return f"{declared.dtype} [{count(declared.elements)}]{size}{times}"
