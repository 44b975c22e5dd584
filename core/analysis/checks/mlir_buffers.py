"""Buffers of MLIR that are read before anything wrote them, or after another one overwrote them.

What each function does to its buffers is followed in the order of its text, loops twice, so that
what one iteration leaves is seen by the next; views, carried values and selections are followed to
the buffers that they stand for. Buffers share addresses once the planner has placed them: results
in the place of operands and buffers that take turns are no finding, a read of what another buffer
has overwritten is. What an operation that is not known here does to a buffer, a call above all, is
taken to be right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from core.analysis.checks.finding import Finding
from core.analysis.checks.mlir_text import Gathered, place_of, root_of
from core.ir.mlir import Block, Operation, Value
from core.ir.mlir_access import VIEWS, access
from core.ir.mlir_arithmetic import trips
from core.ir.mlir_memory import PLACED, allocation, bits_of, constant
from core.ir.mlir_syntax import element_type

_MAKES = ("memref.alloc", "memref.alloca", PLACED)
#: Views that may show a part only.
_PARTIAL = frozenset(("memref.subview", "memref.reinterpret_cast", "memref.view"))
#: Operations that touch no data of the buffers that they name.
_IDLE = frozenset(
    (
        "annotation.mark",
        "func.return",
        "memref.assume_alignment",
        "memref.dealloc",
        "memref.dim",
        "memref.extract_aligned_pointer_as_index",
    )
)
#: Operations whose operands say what is read and what is written.
_TELLING = frozenset(
    (
        "affine.load",
        "affine.store",
        "memref.copy",
        "memref.load",
        "memref.store",
        "vector.load",
        "vector.store",
        "vector.transfer_read",
        "vector.transfer_write",
    )
)
_OF_SOME = _TELLING - {"memref.copy"}
_STRUCTURED = ("hfusion", "hivm", "linalg")
_LOOPS = frozenset(("affine.for", "affine.parallel", "scf.for", "scf.forall", "scf.parallel"))
_BRANCHES = frozenset(("affine.if", "scf.if"))
_ONCE = frozenset(("scf.execute_region", "scope.scope"))
_WAIT = "hivm.hir.sync_block_wait"
_ALL = 1 << 62  #: bytes: no less than there are
_BUDGET = 20_000  #: operations to be followed in one function


class _Lost(Exception):
    """Control goes ways that are not followed here, or there is too much of it."""


@dataclass(slots=True)
class _Buffer:
    value: Value
    memory: str
    bytes: int  #: of one copy; 0 where the text does not tell
    ranges: tuple[tuple[int, int], ...]  #: bytes, one a copy; () before planning
    sharing: list[int] = field(default_factory=list)  #: buffers with some of its addresses


@dataclass(frozen=True, slots=True)
class _Stands:
    """Which buffers a value stands for, and how much of them it shows for certain."""

    buffers: frozenset[int]
    certain: int  #: bytes from where a buffer begins; 0 where it may begin anywhere in it

    def merged(self, other: _Stands) -> _Stands:
        return _Stands(self.buffers | other.buffers, min(self.certain, other.certain))


@dataclass(frozen=True, slots=True)
class _Touch:
    """What an operation does to buffers; `may` are those of which that is not known."""

    reads: tuple[_Stands, ...]
    writes: tuple[_Stands, ...]
    may: tuple[_Stands, ...]


#: Where control is: the loops and arms around, outermost first, each with the number of its visit.
_Path = tuple[tuple[int, int, bool], ...]  # id of the operation, visit, whether it is an arm


@dataclass(frozen=True, slots=True)
class _Overwritten:
    by: int
    certain: int  #: bytes, from where the other buffer begins
    operation: Operation
    path: _Path


_State = bool | _Overwritten  # False: nothing wrote it yet; True: it holds what was written


def misread(gathered: Gathered) -> Iterator[Finding]:
    """Buffers that are read before anything wrote them, or after another one overwrote them."""
    functions: dict[int, list[Value]] = defaultdict(list)
    above: dict[int, Operation] = {}
    for name in _MAKES:
        for operation in gathered.named.get(name, ()):
            function = _function(operation)
            if function is not None and operation.results:
                above[id(function)] = function
                functions[id(function)].append(operation.results[0])
    waiting = {id(_function(each)) for each in gathered.named.get(_WAIT, ())}
    found: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    for key, values in functions.items():
        try:
            follower = _Follower(values, key in waiting)
            follower.follow(above[key])
        except _Lost:
            continue
        for finding in follower.findings:
            found[finding.identity].append(finding)
    for group in found.values():
        first = min(group, key=lambda finding: finding.line)
        yield replace(first, times=len({finding.line for finding in group}))


def _function(operation: Operation) -> Operation | None:
    above = operation.parent.parent
    while above is not None and not above.name.endswith(".func"):
        above = above.parent.parent
    return above


class _Follower:
    """Follows one function."""

    def __init__(self, values: Sequence[Value], waits: bool) -> None:
        self.waits = waits  # for the other kind of core, which may fill buffers of this one
        self.buffers = [_buffer(value) for value in values]
        _find_sharing(self.buffers)
        self.stands: dict[int, _Stands] = {}
        self.touching: dict[int, Operation] = {}
        self._find_names(values)
        self.touches = {key: self._touch(each) for key, each in self.touching.items()}
        self.inside: dict[int, list[Operation]] = {}  # what is followed of a block, by its id
        self._find_inside()
        self.state: list[_State] = [False] * len(values)
        self.left = _BUDGET
        self.visits = 0
        self.findings: list[Finding] = []
        self.said: set[tuple[str, int, int]] = set()

    # which buffers a value stands for

    def _find_names(self, values: Sequence[Value]) -> None:
        pending: list[Value] = []
        for number, value in enumerate(values):
            size = self.buffers[number].bytes
            self.stands[id(value)] = _Stands(frozenset((number,)), size)
            pending.append(value)
        while pending:
            value = pending.pop()
            stands = self.stands[id(value)]
            for user in value.uses:
                for other, certain in self._others(value, user):
                    new = _Stands(stands.buffers, min(stands.certain, certain))
                    old = self.stands.get(id(other))
                    if old is not None:
                        new = new.merged(old)
                    if new != old:
                        self.stands[id(other)] = new
                        pending.append(other)

    def _others(self, value: Value, user: Operation) -> Iterator[tuple[Value, int]]:
        """Other values that an operation makes stand for the same; it touches them if none."""
        name = user.name
        if name in VIEWS and user.results and user.operands[:1] == [value]:
            yield user.results[0], _shown(user) if name in _PARTIAL else _ALL
        elif name == "arith.select" and user.results:
            yield user.results[0], _ALL
        elif name.endswith(".yield"):
            yield from ((other, _ALL) for other in _yielded(value, user))
        elif name in _LOOPS and user.regions:
            yield from ((other, _ALL) for other in _carried(value, user))
        elif name in ("scf.while", "scf.condition", "scf.index_switch") or name.startswith("cf."):
            raise _Lost
        elif name not in _IDLE:
            self.touching[id(user)] = user

    # what an operation does to them

    def _touch(self, operation: Operation) -> _Touch:
        known = operation.name in _TELLING or (
            operation.dialect in _STRUCTURED and (operation.generic or operation.group("outs"))
        )
        if not known:
            return _Touch((), (), tuple(self._all(operation.operands)))
        done = access(operation)
        reads, writes = tuple(self._all(done.reads)), tuple(self._all(done.writes))
        if operation.name in _OF_SOME:
            reads = tuple(_Stands(each.buffers, 0) for each in reads)
            writes = tuple(_Stands(each.buffers, 0) for each in writes)
        return _Touch(reads, writes, ())

    def _all(self, values: Iterable[Value]) -> Iterator[_Stands]:
        for value in values:
            if id(value) in self.stands:
                yield self.stands[id(value)]

    def _find_inside(self) -> None:
        order: dict[int, Block] = {}
        kept: set[int] = set(self.touching)
        for operation in self.touching.values():
            block: Block | None = operation.parent
            while block is not None and id(block) not in order:
                order[id(block)] = block
                if block.parent is None:
                    break
                kept.add(id(block.parent))
                block = block.parent.parent
        for key, block in order.items():
            self.inside[key] = [each for each in block.operations if id(each) in kept]

    # following

    def follow(self, function: Operation) -> None:
        """Raises _Lost."""
        self._region(function.regions[0], ())

    def _region(self, region: Sequence[Block], path: _Path) -> None:
        if len(region) > 1:
            raise _Lost
        for block in region:
            for operation in self.inside.get(id(block), ()):
                self._operation(operation, path)

    def _operation(self, operation: Operation, path: _Path) -> None:
        self.left -= 1
        if self.left < 0:
            raise _Lost
        touch = self.touches.get(id(operation))
        if touch is not None:
            self._follow(operation, touch, path)
        elif not operation.regions:
            raise _Lost
        elif operation.name in _LOOPS:
            runs = trips(operation)
            for _ in range(2 if runs is None else min(runs, 2)):
                self._region(operation.regions[0], (*path, self._visit(operation, False)))
        elif operation.name in _BRANCHES:
            self._branch(operation, path)
        elif operation.name in _ONCE:
            self._region(operation.regions[0], path)
        else:
            raise _Lost

    def _visit(self, operation: Operation, arm: bool) -> tuple[int, int, bool]:
        self.visits += 1
        return id(operation), self.visits, arm

    def _branch(self, operation: Operation, path: _Path) -> None:
        before = self.state
        after: list[list[_State]] = []
        for region in (*operation.regions, [])[:2]:
            self.state = list(before)
            self._region(region, (*path, self._visit(operation, True)))
            after.append(self.state)
        self.state = [_joined(left, right) for left, right in zip(*after, strict=True)]

    def _follow(self, operation: Operation, touch: _Touch, path: _Path) -> None:
        for stands in touch.reads:
            self._read(operation, stands, path)
        for stands in touch.may:
            for number in stands.buffers:
                self.state[number] = True
        for stands in touch.writes:
            self._write(operation, stands, path)

    def _write(self, operation: Operation, stands: _Stands, path: _Path) -> None:
        for number in stands.buffers:
            self.state[number] = True
        if len(stands.buffers) > 1 or not stands.certain:
            return
        by = next(iter(stands.buffers))
        for number in self.buffers[by].sharing:
            if self.state[number] is True:
                self.state[number] = _Overwritten(by, stands.certain, operation, path)

    def _read(self, operation: Operation, stands: _Stands, path: _Path) -> None:
        states = [(number, self.state[number]) for number in sorted(stands.buffers)]
        if any(state is True for _, state in states):
            return
        number, state = states[0]
        if all(isinstance(state, _Overwritten) for _, state in states):
            assert isinstance(state, _Overwritten)
            one, other = self.buffers[number], self.buffers[state.by]
            if _meet(one, stands.certain, other, state.certain) and _certain(state.path, path):
                self._say_overlap(operation, number, state)
        elif all(state is False for _, state in states):
            shared = any(self.state[other] for other in self.buffers[number].sharing)
            guarded = any(arm for _, _, arm in path)
            written = self._written(stands)
            if not shared and not (guarded if written else self.waits or self._is_remote(stands)):
                self._say_unwritten(operation, number)

    def _is_remote(self, stands: _Stands) -> bool:
        """Whether the other kind of core fills one of some buffers, as the compiler marks it."""
        return any(
            user.name == "annotation.mark" and "hivm.tightly_coupled_buffer" in user.attributes
            for number in stands.buffers
            for user in self.buffers[number].value.uses
        )

    def _written(self, stands: _Stands) -> bool:
        """Whether anything in the function may write one of some buffers."""
        return any(
            each.buffers & stands.buffers
            for touch in self.touches.values()
            for each in (*touch.writes, *touch.may)
        )

    # findings

    def _say_unwritten(self, operation: Operation, number: int) -> None:
        value = self.buffers[number].value
        if ("unwritten", number, operation.first) in self.said:
            return
        self.said.add(("unwritten", number, operation.first))
        self.findings.append(
            Finding(
                check="unwritten",
                harm="wrong",
                line=operation.first,
                subject=value.name,
                message=f"{operation.name} reads {place_of(value)}, which nothing has written.",
                root=root_of(value),
            )
        )

    def _say_overlap(self, operation: Operation, number: int, state: _Overwritten) -> None:
        value, other = self.buffers[number].value, self.buffers[state.by].value
        if ("overlap", number, operation.first) in self.said:
            return
        self.said.add(("overlap", number, operation.first))
        self.findings.append(
            Finding(
                check="overlap",
                harm="wrong",
                line=operation.first,
                subject=value.name,
                message=f"{operation.name} reads {place_of(value)}, which begins at byte "
                f"{_starts(self.buffers[number])}, after {place_of(other)}, which begins at byte "
                f"{_starts(self.buffers[state.by])}, was written over it in line "
                f"{state.operation.first}.",
                root=f"{root_of(value)} under {root_of(other)}",
            )
        )


def _starts(buffer: _Buffer) -> str:
    return " and ".join(f"{start:,}" for start, _ in buffer.ranges)


def _buffer(value: Value) -> _Buffer:
    assert isinstance(value.owner, Operation)
    each = allocation(value.owner)
    size = each.bytes or 0
    ranges = tuple((offset, offset + size) for offset in each.offsets) if size else ()
    return _Buffer(value, each.memory, size, ranges)


def _find_sharing(buffers: Sequence[_Buffer]) -> None:
    """Enter which buffers have addresses of one another."""
    placed = [(number, buffer) for number, buffer in enumerate(buffers) if buffer.ranges]
    for at, (number, buffer) in enumerate(placed):
        for other_number, other in placed[at + 1 :]:
            if buffer.memory == other.memory and _overlap(buffer, other):
                buffer.sharing.append(other_number)
                other.sharing.append(number)


def _pairs(one: _Buffer, other: _Buffer) -> Iterator[tuple[int, int]]:
    """Where copies of two buffers begin that are used at one time: those of double buffers take
    turns together."""
    left = [start for start, _ in one.ranges]
    right = [start for start, _ in other.ranges]
    if len(left) == len(right):
        yield from zip(left, right, strict=True)
    else:
        yield from product(left, right)


def _overlap(one: _Buffer, other: _Buffer) -> bool:
    return any(a < b + other.bytes and b < a + one.bytes for a, b in _pairs(one, other))


def _meet(read: _Buffer, shown: int, by: _Buffer, written: int) -> bool:
    """Whether a part that is read has certainly bytes of what was written over the buffer.

    Of a part that may be anywhere in the buffer that is so where all of it was written over.
    """
    if not shown:
        return all(b <= a and a + read.bytes <= b + written for a, b in _pairs(read, by))
    return any(a < b + written and b < a + shown for a, b in _pairs(read, by))


def _shown(view: Operation) -> int:
    """Bytes that a view shows from where its buffer begins; 0 where it may begin further on."""
    groups = [part.text[1:-1] for part in view.parts if part.kind == "["]
    if view.generic or not groups:
        return 0
    starts = {text.strip() for text in groups[0].split(",")}
    zeros = {value.name for value in view.operands if constant(value) == 0} | {"0"}
    bits = bits_of(element_type(view.results[0].type)) or 0
    return max(1, bits // 8) if starts <= zeros else 0


def _yielded(value: Value, user: Operation) -> Iterator[Value]:
    """What a yielded value is outside of its region, and in the loop's next iteration."""
    parent = user.parent.parent
    if parent is None:
        return
    if parent.name not in _LOOPS | _BRANCHES | _ONCE or not parent.regions:
        raise _Lost
    entry = parent.regions[0][0]
    carried = len(entry.arguments) - len(user.operands)
    for place, given in enumerate(user.operands):
        if given is not value:
            continue
        if place < len(parent.results):
            yield parent.results[place]
        if parent.name in _LOOPS and 0 <= carried + place < len(entry.arguments):
            yield entry.arguments[carried + place]


def _carried(value: Value, loop: Operation) -> Iterator[Value]:
    """What a loop calls a value that it begins with."""
    entry = loop.regions[0][0]
    for argument in entry.arguments:
        if argument.initial is value:
            yield argument
    if loop.generic:
        yield from (
            entry.arguments[place - 2]
            for place, given in enumerate(loop.operands)
            if given is value and 3 <= place < len(entry.arguments) + 2
        )
    first = len(loop.operands) - len(loop.results)
    for place, result in enumerate(loop.results):
        if first + place >= 0 and loop.operands[first + place] is value:
            yield result


def _joined(left: _State, right: _State) -> _State:
    """What is known behind two arms: only what both of them leave."""
    if left is right or (isinstance(left, _Overwritten) and isinstance(right, _Overwritten)):
        return left
    return True


def _certain(written: _Path, read: _Path) -> bool:
    """Whether a read certainly follows a write: both run in one visit of all that is around both,
    and what leads from there to the read is no condition that an earlier iteration decides."""
    common = 0
    while common < min(len(written), len(read)) and written[common] == read[common]:
        common += 1
    if common == len(read) or common == len(written):
        return True
    if written[common][0] != read[common][0]:
        return True
    return not any(arm for _, _, arm in read[common:])
