"""An on-chip buffer that is indexed beyond what is allocated for it.

Ranges of the indices single out what may be wrong; then one execution is looked for that is: a
value for each loop around, within its extent and with every condition met, whose index lies
outside. Only that is reported, so what a range merely cannot exclude never is. An index that is
read from data is wrong where the buffer holds but the one row that AutoPoly saw: it is right only
if the tensor in global memory has no second row, which no text of a pass tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, NamedTuple

from core.analysis.checks.finding import Finding
from core.analysis.checks.order import Step, steps
from core.analysis.checks.touched import (
    WRITTEN,
    Room,
    Touch,
    bytes_of,
    in_expression,
    room,
    root,
    scope,
    touches,
)
from core.ir.expression import Binary, Call, Expression, Not, Number, Variable, parse_expression
from core.ir.interval import EVERY, FALSE, TRUE, Interval, Ranged, Ranges, ranged, ranged_tree
from core.ir.statement import (
    Allocate,
    Attribute,
    Evaluate,
    For,
    If,
    Let,
    Module,
    Provide,
    Realize,
    Statement,
    Store,
)

#: Boxes of loop values that are looked into before an index counts as not proven wrong.
_BUDGET = 400

#: Before StorageFlatten the cube's memories are indexed in another order of dimensions than they
#: are realized in.
_UNLIMITED = (-(2**62), 2**63)
_INDEXED_AS_REALIZED = frozenset(("UB", "REG"))


def in_statements(module: Module, memories: object) -> Iterator[Finding]:
    """Findings of the buffers that an index leaves, one for each buffer."""
    for function in module.functions:
        walk = _Walk()
        walk.run(function.body)
        yield from walk.found.values()


@dataclass(frozen=True, slots=True)
class _Level:
    """One thing around a statement that its indices depend on."""

    kind: Literal["loop", "let", "when", "unless"]
    name: str
    first: Ranged  #: minimum of a loop, value of a let, the condition
    extent: Ranged | None  #: of a loop


class _State(NamedTuple):
    """What holds inside a block, and again after the blocks in it."""

    ranges: dict[str, Interval]
    rooms: dict[str, Room | None]
    realizes: dict[str, Realize]  # the innermost of each name
    depth: int  # how many levels there are
    runs: bool  # False where the block never does


class _Walk:
    def __init__(self) -> None:
        self.found: dict[str, Finding] = {}
        self.levels: list[_Level] = []
        self.scopes: dict[str, str] = {}
        self.ranges: dict[str, Interval] = {}
        self.rooms: dict[str, Room | None] = {}
        self.realizes: dict[str, Realize] = {}
        self.runs = True

    def run(self, body: Sequence[Statement]) -> None:
        outer: list[_State] = []
        for step, statement in steps(body):
            if step is Step.LEAF:
                self.leaf(statement)
            elif step is Step.ENTER:
                depth = len(self.levels)
                outer.append(_State(self.ranges, self.rooms, self.realizes, depth, self.runs))
                self.opens(statement)
            elif step is Step.OTHERWISE and isinstance(statement, If):
                self.restore(outer[-1])
                self.arm(statement.condition, False)
            else:
                self.restore(outer.pop())

    def restore(self, state: _State) -> None:
        self.ranges, self.rooms, self.realizes, depth, self.runs = state
        del self.levels[depth:]

    def opens(self, statement: Statement) -> None:
        match statement:
            case For():
                first, extent = ranged(statement.minimum), ranged(statement.extent)
                self.level("loop", statement.variable, first, extent)
                least, greatest = self.ranges[statement.variable]
                self.runs &= least <= greatest
            case If():
                self.check(statement, in_expression(statement.condition))
                self.arm(statement.condition, True)
            case Realize():
                self.rooms = {**self.rooms, statement.name: room(statement, self.scopes)}
                self.realizes = {**self.realizes, statement.name: statement}

    def leaf(self, statement: Statement) -> None:
        match statement:
            case Store() | Provide() | Evaluate():
                self.check(statement, touches(statement))
            case Allocate():
                self.allocate(statement)
            case Attribute(key="thread_extent"):
                name = statement.target.removeprefix("iter_var(").partition(",")[0]
                self.level("loop", name, ranged("0"), ranged(statement.value))
            case Attribute():
                given = scope(statement)
                if given:
                    self.scopes[given[0]] = given[1]
            case Let():
                self.check(statement, in_expression(statement.value))
                self.level("let", statement.name, ranged(statement.value), None)

    def allocate(self, statement: Allocate) -> None:
        """A name may stand for several buffers, for double buffering and tails: the largest."""
        new, before = room(statement, self.scopes), self.rooms.get(statement.name)
        if new and before:
            sizes = before.elements, new.elements
            if sizes[0] is None or sizes[1] is None or sizes[0] > sizes[1]:
                new = before
        self.rooms = {**self.rooms, statement.name: new}

    def level(
        self, kind: Literal["loop", "let"], name: str, first: Ranged, extent: Ranged | None
    ) -> None:
        value = first.of(self.ranges)
        if extent is not None:
            value = value[0], value[1] + extent.of(self.ranges)[1] - 1
        self.levels.append(_Level(kind, name, first, extent))
        self.ranges = {**self.ranges, name: value}

    def arm(self, condition: str, holds: bool) -> None:
        test = ranged(condition)
        self.runs &= test.of(self.ranges) != (FALSE if holds else TRUE)
        self.levels.append(_Level("when" if holds else "unless", "", test, None))
        found = narrowed(parse_expression(condition), self.ranges, holds)
        self.ranges = {**self.ranges, **found}

    def check(self, statement: Statement, found: Sequence[Touch]) -> None:
        if not self.runs:
            return
        for touch in found:
            held = self.rooms.get(touch.buffer)
            if held is None or (held.realized and held.memory not in _INDEXED_AS_REALIZED):
                continue
            size = _size(held, touch)
            if size is None or _within(touch, held, size, self.ranges):
                continue
            message = self.beyond(touch, held, size)
            if message:
                self.report(statement, touch, message)

    def report(self, statement: Statement, touch: Touch, message: str) -> None:
        before = self.found.get(root(touch.buffer))
        if before is None:
            self.found[root(touch.buffer)] = Finding(
                "bounds", "wrong", statement.first, touch.buffer, message, root(touch.buffer)
            )
        elif before.line != statement.first:
            self.found[before.root] = replace(before, times=before.times + 1)

    def beyond(self, touch: Touch, held: Room, size: _Size) -> str:
        """What is wrong about an index; "" where nothing certainly is."""
        if touch.row is not None:
            return self.any_row(touch, held, size)
        if held.realized:
            kept = _kept(self.realizes[held.name])
            # A dimension without a limit stands for one that is still to be sized.
            size = tuple(
                pair if fixed else _UNLIMITED for pair, fixed in zip(size, kept, strict=True)
            )
        levels, further = tuple(self.levels), _further(touch, held)
        reached = _witness(levels, touch, size, further)
        if reached is None:
            return ""
        last = _last_rounds(levels, touch, size, further)
        if last and last.dimension == reached.dimension and last.index > reached.index:
            reached = last
        return self.message(touch, held, size, reached)

    def message(self, touch: Touch, held: Room, size: _Size, reached: _Reached) -> str:
        low, high = touch.indices[reached.dimension].of(self.ranges)
        least, elements = size[reached.dimension]
        high += _further(touch, held)
        # The range is stated where its end is met; else it may be wider than what occurs.
        whole = reached.index == high and low >= least
        index = f"indices {low:,} to {high:,}" if whole else f"index {reached.index:,}"
        verb = "written" if touch.mode & WRITTEN else "read"
        which = f" of dimension {reached.dimension}" if len(size) > 1 else ""
        met = ", ".join(f"{name} = {value}" for name, value in reached.at)
        at = f" ({'the last ' if whole else ''}at {met})" if met else ""
        room = f"{held.size} of it, {least:,} to {least + elements - 1:,}{which}"
        return f"{touch.buffer} is {verb} at {index}{which}{at}, while {held.memory} holds {room}."

    def any_row(self, touch: Touch, held: Room, size: _Size) -> str:
        row = touch.row
        assert row is not None
        least, rows = size[row.dimension]
        if rows > row.reach:
            return ""
        # A condition may be what keeps the index inside; not if it lets the next row pass.
        other = least + rows if len(size) > 1 else 1
        conditions = [(guard.tree, guard.holds) for guard in touch.guards]
        for level in self.levels:
            if level.kind in ("when", "unless"):
                conditions.append((parse_expression(level.first.text), level.kind == "when"))
        for condition, holds in conditions:
            truth = ranged_tree(row.put(other, condition)).of(self.ranges)
            if truth != (TRUE if holds else FALSE):
                return ""
        what = "row" if row.dimension == 0 else f"index of dimension {row.dimension}"
        held_in = what.partition(" ")[0]
        kept = f"{held_in} {least}"
        if rows > 1 and len(size) > 1:
            kept = f"{'rows' if held_in == 'row' else 'indices'} {least} to {least + rows - 1}"
        verb = "written" if touch.mode & WRITTEN else "read"
        return (
            f"{touch.buffer} is {verb} at any {what} that {row.source} holds, while {held.memory} "
            f"keeps {kept} only: {held.size}."
        )


_Size = tuple[tuple[int, int], ...]  #: (least index, elements) of each dimension


def _size(held: Room, touch: Touch) -> _Size | None:
    """What the indices have to stay within, in their own unit; None where it cannot be told."""
    if held.dimensions is None:
        return None
    if len(touch.indices) == len(held.dimensions) and not _flat(touch, held):
        return held.dimensions
    if len(touch.indices) != 1 or held.elements is None:
        return None
    elements = held.elements
    if touch.dtype and touch.dtype != held.dtype:
        own, other = bytes_of(touch.dtype), bytes_of(held.dtype)
        if own is None or other is None:
            return None
        elements = elements * other // own
    return ((0, elements),)


def _flat(touch: Touch, held: Room) -> bool:
    return bool(touch.dtype) and touch.dtype != held.dtype


def _within(touch: Touch, held: Room, size: _Size, ranges: Ranges) -> bool:
    further = _further(touch, held)
    for index, (least, elements) in zip(touch.indices, size, strict=True):
        low, high = index.of(ranges)
        if low < least or high + further >= least + elements:
            return False
    return touch.row is None or size[touch.row.dimension][1] > touch.row.reach


def _kept(realize: Realize) -> tuple[bool, ...]:
    """Which dimensions RealizeCompress leaves as they are realized.

    It sizes a dimension anew by the loop over it, or by the constants in it, where all statements
    that write index it by the same loop, or by constants (realize_compress.cc).
    """
    wholes: list[set[tuple[str, str]]] = [set() for _ in realize.bounds]
    loops: dict[str, list[tuple[str, str]]] = {}
    for step, statement in steps(realize.body):
        match statement:
            case For(variable=name) if step is Step.ENTER:
                loops.setdefault(name, []).append((statement.minimum, statement.extent))
            case For(variable=name):
                loops[name].pop()
            case Provide() if statement.tensor == realize.name:
                for index, whole in zip(statement.indices, wholes, strict=False):
                    around = loops.get(index)
                    if around:
                        whole.add(around[-1])
                    else:
                        whole.add(("", "") if index.isdigit() else (index, ""))
    return tuple(
        len(whole) > 1 or any(not extent and first for first, extent in whole) for whole in wholes
    )


def _further(touch: Touch, held: Room) -> int:
    """Elements from the index to the last block that is touched."""
    width = bytes_of(touch.dtype or held.dtype) if touch.blocks else None
    return touch.blocks * 32 // width if width else 0


@dataclass(frozen=True, slots=True)
class _Reached:
    """An index outside, and the loop values at which it is met."""

    dimension: int
    index: int
    at: tuple[tuple[str, int], ...]


@lru_cache(maxsize=4096)  # the same nest stands in pass after pass
def _witness(
    levels: tuple[_Level, ...], touch: Touch, size: _Size, further: int
) -> _Reached | None:
    """One execution with an index outside, found by halving the ranges of the loops."""
    boxes: list[dict[str, Interval]] = [{}]
    for _ in range(_BUDGET):
        if not boxes:
            return None
        box = boxes.pop()
        state = _Box(levels, touch, size, further, box)
        if state.outcome == "outside":
            return state.reached()
        if state.outcome == "open" and state.undecided is not None:
            name, (low, high) = state.undecided
            middle = (low + high) // 2
            boxes.append({**box, name: (low, middle)})
            boxes.append({**box, name: (middle + 1, high)})
    return None


class _Box:
    """What is certain while every loop's value stays within a range of its own."""

    def __init__(
        self,
        levels: tuple[_Level, ...],
        touch: Touch,
        size: _Size,
        further: int,
        box: Mapping[str, Interval],
    ) -> None:
        self.ranges: dict[str, Interval] = {}
        self.touch, self.size, self.further = touch, size, further
        self.loops: list[str] = []
        self.unsure: list[Ranged] = []  # what has to be narrowed before anything is certain
        self.undecided: tuple[str, Interval] | None = None
        self.outcome: Literal["never", "outside", "open"] = "never"
        self.outside: tuple[int, int] | None = None
        for level in levels:
            if not self.enter(level, box):
                return
        for _, test, holds in touch.guards:
            if not self.holds(test, holds):
                return
        self.judge()

    def enter(self, level: _Level, box: Mapping[str, Interval]) -> bool:
        """Whether the level may be passed at all."""
        if level.kind == "when" or level.kind == "unless":
            return self.holds(level.first, level.kind == "when")
        value = level.first.of(self.ranges)
        if level.extent is not None:
            extent = level.extent.of(self.ranges)
            if value[0] != value[1]:
                self.unsure.append(level.first)
            if extent[0] != extent[1]:
                self.unsure.append(level.extent)
            low, high = value[0], value[1] + extent[1] - 1
            given = box.get(level.name, EVERY)
            value = max(low, given[0]), min(high, given[1])
            if value[0] > value[1]:
                return False
            self.loops.append(level.name)
        self.ranges[level.name] = value
        return True

    def holds(self, test: Ranged, wanted: bool) -> bool:
        low, high = test.of(self.ranges)
        if (high <= 0) if wanted else (low > 0):
            return False
        if (low <= 0) if wanted else (high > 0):
            self.unsure.append(test)
        return True

    def judge(self) -> None:
        inside, unsure = True, []
        for place, (index, (least, elements)) in enumerate(
            zip(self.touch.indices, self.size, strict=True)
        ):
            low, high = index.of(self.ranges)
            if high < least:
                inside, self.outside = False, (place, int(high))
                continue
            low, high = low + self.further, high + self.further
            if low >= least + elements:
                inside, self.outside = False, (place, int(low))
            elif low - self.further < least or high >= least + elements:
                inside = False
                unsure.append(index)
        if inside:
            return
        if self.outside is None:
            self.unsure += unsure
        if not self.unsure:
            self.outcome = "outside"
            return
        self.outcome = "open"
        wanted = {name for test in self.unsure for name in test.names}
        # What an undecided name depends on stands further out and has to be narrowed first.
        for name in self.loops:
            low, high = self.ranges[name]
            if low != high and low != -float("inf") and high != float("inf") and name in wanted:
                self.undecided = name, (low, high)
                return

    def reached(self) -> _Reached:
        assert self.outside is not None
        place, index = self.outside
        names = {name for part in self.touch.indices for name in part.names}
        at = tuple((n, int(self.ranges[n][0])) for n in dict.fromkeys(self.loops) if n in names)
        return _Reached(place, index, at)


def _last_rounds(
    levels: tuple[_Level, ...], touch: Touch, size: _Size, further: int
) -> _Reached | None:
    """The execution in which every loop is in its last round, if that has an index outside."""
    box: dict[str, Interval] = {}
    ranges: dict[str, Interval] = {}
    for level in levels:
        if level.kind in ("loop", "let"):
            value = level.first.of(ranges)
            if level.extent is not None:
                at = value[1] + level.extent.of(ranges)[1] - 1
                value = box[level.name] = at, at
            ranges[level.name] = value
    state = _Box(levels, touch, size, further, box)
    return state.reached() if state.outcome == "outside" else None


def narrowed(tree: Expression, ranges: Ranges, holds: bool) -> dict[str, Interval]:
    """Ranges of names for which a condition holds, or does not; only those that it tells of."""
    match tree:
        case Call(name="likely", arguments=(inner,)):
            return narrowed(inner, ranges, holds)
        case Not():
            return narrowed(tree.operand, ranges, not holds)
        case Binary(operator="&&") if holds:
            left = narrowed(tree.left, ranges, True)
            return {**left, **narrowed(tree.right, {**ranges, **left}, True)}
        case Binary(operator="||") if not holds:
            left = narrowed(tree.left, ranges, False)
            return {**left, **narrowed(tree.right, {**ranges, **left}, False)}
        case Binary(left=Variable(name=name), right=Number(value=int() as value)):
            limit = _limit(tree.operator if holds else _OPPOSITE.get(tree.operator, ""), value)
        case Binary(left=Number(value=int() as value), right=Variable(name=name)):
            operator = _MIRRORED.get(tree.operator, tree.operator)
            limit = _limit(operator if holds else _OPPOSITE.get(operator, ""), value)
        case _:
            return {}
    low, high = ranges.get(name, EVERY)
    return {name: (max(low, limit[0]), min(high, limit[1]))}


_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _limit(operator: str, value: int) -> Interval:
    """What a name is within where `name operator value` holds."""
    match operator:
        case "<":
            return EVERY[0], value - 1
        case "<=":
            return EVERY[0], value
        case ">":
            return value + 1, EVERY[1]
        case ">=":
            return value, EVERY[1]
        case "==":
            return value, value
        case _:
            return EVERY
