"""Buffers of the emitted code that share addresses while both still hold something.

Only the emitted code says where a buffer lies, and it does not say how large it is. So its
instructions are followed in their order, block by block of 32 bytes: which buffer wrote a block
last, and what was in it before. A read of a block that its buffer wrote, and another one has
written since, gets that one's data. Sharing that is meant has no such read: the result of an
instruction in the place of an operand, or buffers that take turns.

Of a loop the first iterations and the last one are followed, of a condition on the core's number
either side. Where an instruction is not known here, nothing is said about the whole kernel.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from core.analysis.checks.finding import Finding
from core.analysis.checks.names import originals
from core.ir import cce
from core.ir.arithmetic import CORE, Function, Unknown, Values, function
from core.ir.expression import Expression, Load, walk
from core.ir.instructions import kind
from core.ir.mlir_syntax import closing, split

if TYPE_CHECKING:
    from core.analysis.checks import Memories

_BLOCK = 32  #: bytes: what the vector unit and transfers count in
_LARGEST_FIELD = 0xFFFF  #: repetitions, strides and lengths have at most 16 bits
_FRACTAL = 512  #: bytes: what loads of the cube count in
_REPEAT = 256  #: bytes that a vector instruction works on in one repetition
_BUDGET = 60_000  #: instructions to be followed, about a second of Python
_BYTES = {"half": 2, "float": 4, "double": 8}
_BITS = re.compile(r"\D+(\d+)")
_OPERAND = re.compile(r"\(\(__\w+__\s+(\w+)\s*\*\s*\)(\w+) \+ ")
_ELEMENT = re.compile(r"([A-Za-z_]\w*)\[(.*)\]")
_MASKS = re.compile(r"\(uint64_t\)(\d+)(?:llu)?, \(uint64_t\)(\d+)(?:llu)?")
_ON_CORE = re.compile(r"\bblock_idx\)? *(?:<|<=|>|>=|==|!=) *(\d+)")
_ONE_A_REPEAT = frozenset(("vcadd", "vcmax", "vcmin"))
_EIGHT_A_REPEAT = frozenset(("vcgadd", "vcgmax", "vcgmin"))
_COPIES = re.compile(r"copy_(?:gm|ubuf|cbuf)_to_(?:gm|ubuf|cbuf)")

_Blocks = list[tuple[int, int]]  # half-open ranges of blocks


class _Foreign(Exception):
    """An instruction that is not known here."""


@dataclass(frozen=True, slots=True)
class _Operand:
    buffer: str
    offset: Function  #: in elements
    bytes: int  #: of an element


@dataclass(frozen=True, slots=True)
class _Range:
    """What one operand of an instruction touches: a buffer of an on-chip memory."""

    buffer: str
    memory: str
    blocks: Callable[[Values, int], _Blocks]  #: of loop variables and the vector mask


@dataclass(frozen=True, slots=True)
class _Step:
    line: int
    reads: tuple[_Range, ...]
    writes: tuple[_Range, ...]
    mask: int | None = None  #: sets the vector mask: one bit a lane

    @property
    def says_something(self) -> bool:
        return bool(self.reads or self.writes) or self.mask is not None


@dataclass(frozen=True, slots=True)
class _Loop:
    variable: str
    start: Function
    stop: Function
    body: tuple[_Part, ...]


@dataclass(frozen=True, slots=True)
class _Branch:
    condition: Function
    then: tuple[_Part, ...]
    otherwise: tuple[_Part, ...]


_Part = _Step | _Loop | _Branch


@dataclass(slots=True)
class _Clash:
    """A buffer that is read where another one has written."""

    buffer: str
    by: str
    memory: str
    lines: dict[int, int] = field(default_factory=dict)  #: of reads, and the write before each
    blocks: tuple[int, int] = (0, 0)


def in_code(kernel: cce.Kernel, memories: Memories) -> Iterator[Finding]:
    """Buffers that are overwritten before their last read."""
    try:
        parts = _Reader(kernel).parts(kernel.body)
    except (_Foreign, cce.CceError):
        return
    clashes: dict[tuple[str, str], _Clash] = {}
    left = _BUDGET
    for core in _cores(kernel):
        follower = _Follower(memories, left)
        try:
            follower.block(parts, {CORE: core})
        except _Enough:
            return
        left = follower.left
        for key, clash in follower.clashes.items():
            clashes.setdefault(key, clash)
    yield from _findings(clashes.values(), kernel)


def _cores(kernel: cce.Kernel) -> list[int]:
    """Numbers of cores on either side of what conditions compare the number with."""
    found = {0}
    for node in cce.walk(kernel.body):
        if isinstance(node, cce.Branch):
            for number in _ON_CORE.findall(node.condition):
                found.update((max(0, int(number) - 1), int(number), int(number) + 1))
    return sorted(found)[:8]


def _findings(clashes: Iterable[_Clash], kernel: cce.Kernel) -> Iterator[Finding]:
    roots = originals(pointer.name for pointer in kernel.pointers)
    places = {pointer.name: pointer.offset_bytes for pointer in kernel.pointers}
    groups: dict[str, list[_Clash]] = {}
    for clash in clashes:
        root = f"{roots[clash.buffer]} {roots[clash.by]} in {clash.memory}"
        groups.setdefault(root, []).append(clash)
    for root, group in groups.items():
        first = group[0]
        line, written = next(iter(first.lines.items()))
        start, end = first.blocks
        yield Finding(
            check="overlap",
            harm="wrong",
            line=line,
            subject=first.buffer,
            message=f"{first.buffer} (from byte {places[first.buffer]:,} of {first.memory}) is "
            f"read after {first.by} (from byte {places[first.by]:,}) was written over bytes "
            f"{start * _BLOCK:,} to {end * _BLOCK - 1:,} of {first.memory} in line {written}.",
            root=root,
            times=sum(len(clash.lines) for clash in group),
        )


# --- the code as steps ----------------------------------------------------------------------------


class _Reader:
    """Makes steps of statements."""

    def __init__(self, kernel: cce.Kernel) -> None:
        self.places = {p.name: (p.memory, p.offset_bytes) for p in kernel.pointers}
        self.dtypes = {p.name: p.dtype for p in kernel.pointers}
        self.outside = {p.name for p in kernel.parameters}

    def parts(self, body: Sequence[cce.Statement]) -> tuple[_Part, ...]:
        found = (part for node in body for part in self._parts(node))
        return tuple(part for part in found if not isinstance(part, _Step) or part.says_something)

    def _parts(self, node: cce.Statement) -> Iterator[_Part]:
        match node:
            case cce.Loop():
                body = self.parts(node.body)
                if body:
                    start, limit = _function(node.start), _function(node.limit)
                    yield _Loop(node.variable, start, limit, body)
            case cce.Branch():
                then, otherwise = self.parts(node.then), self.parts(node.otherwise)
                if then or otherwise:
                    yield _Branch(_function(node.condition), then, otherwise)
            case cce.Invoke():
                yield from self._call(node)
            case cce.Assign():
                yield self._store(node)
            case cce.Declare(value=value):
                yield _Step(node.first, self._loads_of(value), ())
            case cce.Other() if self._names(node.text):
                raise _Foreign

    def _call(self, node: cce.Invoke) -> Iterator[_Step]:
        if node.name == "set_vector_mask":
            mask = _MASKS.fullmatch(node.arguments)
            if mask is None:
                raise _Foreign
            yield _Step(node.first, (), (), (int(mask[1]) << 64) | int(mask[2]))
        elif kind(node.name) in ("transfer", "vector", "cube"):
            yield self._instruction(node)
        elif self._names(node.arguments):
            raise _Foreign

    def _names(self, text: str) -> bool:
        return any(word in self.places for word in re.findall(r"[A-Za-z_]\w*", text))

    def _store(self, node: cce.Assign) -> _Step:
        target = _ELEMENT.fullmatch(node.target)
        reads = self._loads_of(node.value)
        if target is None or target[1] not in self.places:
            if self._names(node.target):
                raise _Foreign
            return _Step(node.first, reads, ())
        written = self._element(target[1], _tree(target[2]))
        return _Step(node.first, (*reads, *self._loads_of(target[2])), (written,))

    def _loads_of(self, text: str) -> tuple[_Range, ...]:
        """Elements that an expression reads; none where it cannot be read."""
        if not self._names(text):
            return ()
        try:
            tree = _tree(text)
        except cce.CceError:
            return ()
        return tuple(
            self._element(node.buffer, node.index)
            for node in walk(tree)
            if isinstance(node, Load) and node.buffer in self.places
        )

    def _element(self, buffer: str, index: Expression) -> _Range:
        size = _size(self.dtypes[buffer])
        return self._range(_Operand(buffer, function(index), size), lambda at, _: [(at, at + size)])

    def _range(self, operand: _Operand, bytes_at: Callable[[int, int], _Blocks]) -> _Range:
        """A range given in bytes from where the operand begins, the mask being given too."""
        memory, place = self.places[operand.buffer]

        def blocks(values: Values, mask: int) -> _Blocks:
            at = place + operand.offset(values) * operand.bytes
            return [(a // _BLOCK, -(-b // _BLOCK)) for a, b in bytes_at(at, mask)]

        return _Range(operand.buffer, memory, blocks)

    def _instruction(self, node: cce.Invoke) -> _Step:
        operands: list[_Operand | None] = []  # None: in GM
        numbers: list[int | None] = []
        scalars: list[_Range] = []
        for argument in split(node.arguments):
            argument = argument.strip()
            found = _OPERAND.match(argument)
            if found:
                end = closing(argument, 0)
                if end != len(argument):
                    raise _Foreign
                name = found[2]
                if name in self.places:
                    offset = _function(argument[found.end() : -1])
                    operands.append(_Operand(name, offset, _size(found[1])))
                elif name in self.outside:
                    operands.append(None)
                else:
                    raise _Foreign
            else:
                scalars += self._loads_of(argument)
                numbers.append(int(argument) if argument.lstrip("-").isdigit() else None)
        touched = _touched(node.name, operands, numbers)
        if touched is None:
            raise _Foreign
        ranges = [
            self._range(operand, bytes_at) if operand and bytes_at else None
            for operand, bytes_at in zip(operands, touched, strict=True)
        ]
        reads = [each for each in ranges[1:] if each]
        if node.name == "mad" and numbers[-1] == 0 and ranges[0]:
            reads.append(ranges[0])
        return _Step(node.first, (*reads, *scalars), (ranges[0],) if ranges[0] else ())


@lru_cache(maxsize=4096)
def _tree(text: str) -> Expression:
    return cce.parse_expression(text)


@lru_cache(maxsize=4096)
def _function(text: str) -> Function:
    if text.isdigit():
        number = int(text)
        return lambda _: number
    return function(_tree(text))


def _size(ctype: str) -> int:
    found = _BITS.match(ctype)
    return _BYTES.get(ctype) or (max(1, int(found[1]) // 8) if found else 1)


_Touch = Callable[[int, int], _Blocks]  # byte address and mask to half-open byte ranges


def _touched(
    name: str, operands: Sequence[_Operand | None], numbers: Sequence[int | None]
) -> list[_Touch | None] | None:
    """What each operand of an instruction touches; None where the instruction is not known.

    Arguments are those of CANN's intrinsics: after the operands the repetitions, then strides
    between blocks, then strides between repetitions; of a transfer the number of bursts, their
    length in blocks, and the gaps of source and destination.
    """
    if _COPIES.fullmatch(name) and len(numbers) >= 5:
        _, bursts, length, source_gap, target_gap = numbers[:5]
        if not _fields(numbers[1:5]):
            return None
        assert bursts is not None and length is not None
        assert source_gap is not None and target_gap is not None
        return [_bursts(bursts, length, gap, _BLOCK) for gap in (target_gap, source_gap)]
    if name == "copy_matrix_cc_to_ubuf" and len(numbers) >= 5 and _fields(numbers[:5]):
        _, bursts, length, source_gap, target_gap = (n or 0 for n in numbers[:5])
        sizes = [256 * operand.bytes if operand else 0 for operand in operands]
        return [
            _matrix(bursts, length, sizes[0], target_gap * _BLOCK),
            _matrix(bursts, length, sizes[1], source_gap * sizes[1]),
        ]
    if name in ("load_cbuf_to_ca", "load_cbuf_to_cb") and _fields(numbers[:3]):
        first, repeats, gap = (n or 0 for n in numbers[:3])
        return [
            lambda at, _: [(at, at + repeats * _FRACTAL)],
            lambda at, _: [
                (at + (first + r * gap) * _FRACTAL, at + (first + r * gap + 1) * _FRACTAL)
                for r in range(repeats)
            ],
        ]
    if name == "mad" and len(numbers) == 4 and None not in numbers[:3] and len(operands) == 3:
        m, k, n = (number or 0 for number in numbers[:3])
        counts = (m * n, m * k, k * n)
        return [
            _whole(count * operand.bytes) if operand else None
            for count, operand in zip(counts, operands, strict=True)
        ]
    if name.startswith("v") and operands:
        return _vector(name, operands, numbers)
    return None


def _fields(numbers: Sequence[int | None]) -> bool:
    """Whether these may stand in an instruction: a damaged text may hold any number."""
    return all(number is not None and 0 <= number <= _LARGEST_FIELD for number in numbers)


def _bursts(bursts: int, length: int, gap: int, unit: int) -> _Touch:
    if not gap or bursts == 1:
        return _whole(bursts * length * unit)
    step = (length + gap) * unit
    return lambda at, _: [(at + b * step, at + b * step + length * unit) for b in range(bursts)]


def _matrix(bursts: int, length: int, fractal: int, gap: int) -> _Touch:
    size = length * fractal
    return lambda at, _: [
        (at + b * (size + gap), at + b * (size + gap) + size) for b in range(bursts)
    ]


def _whole(size: int) -> _Touch:
    return lambda at, _: [(at, at + size)]


def _vector(
    name: str, operands: Sequence[_Operand | None], numbers: Sequence[int | None]
) -> list[_Touch | None] | None:
    sizes = [operand.bytes if operand else 0 for operand in operands]
    lanes = _REPEAT // max(sizes)
    count = len(operands)
    if name in _ONE_A_REPEAT or name in _EIGHT_A_REPEAT:
        if count != 2 or len(numbers) != 4 or not _fields(numbers):
            return None
        repeats, target, block, step = (n or 0 for n in numbers)
        written = sizes[0] * (8 if name in _EIGHT_A_REPEAT else 1 if name == "vcadd" else 2)
        source = _strided(sizes[1], lanes, repeats, block, step)
        return [
            lambda at, _: [
                (at + r * target * written, at + r * target * written + written)
                for r in range(repeats)
            ],
            source,
        ]
    plain = list(numbers[-(1 + 2 * max(count, 2)) :])  # a scalar operand stands before them
    if name == "vector_dup":
        if count != 1 or len(plain) != 5 or not _fields(plain):
            return None
        repeats, block, _, step, _ = (n or 0 for n in plain)
        return [_strided(sizes[0], lanes, repeats, block, step)]
    if count not in (2, 3) or len(plain) != 1 + 2 * count or not _fields(plain):
        return None
    if len(numbers) - len(plain) > 1 or name == "vtranspose":
        return None
    repeats, *strides = (n or 0 for n in plain)
    return [
        _strided(size, lanes, repeats, strides[place], strides[count + place])
        for place, size in enumerate(sizes)
    ]


def _strided(size: int, lanes: int, repeats: int, block: int, step: int) -> _Touch:
    """Blocks of lanes that the mask lets through, `block` blocks from one another, repeated."""
    in_block = _BLOCK // size

    def touched(at: int, mask: int) -> _Blocks:
        used = mask & ((1 << lanes) - 1)
        if not used:
            return []
        first = ((used & -used).bit_length() - 1) // in_block
        last = (used.bit_length() - 1) // in_block
        count = repeats if step else min(repeats, 1)
        if block == 1 or first == last:
            start, length = first * block * _BLOCK, (last - first + 1) * _BLOCK
            if step * _BLOCK == length:
                return [(at + start, at + start + count * length)]
            return [
                (at + start + r * step * _BLOCK, at + start + r * step * _BLOCK + length)
                for r in range(count)
            ]
        return [
            (place, place + _BLOCK)
            for r in range(count)
            for b in range(first, last + 1)
            for place in (at + (r * step + b * block) * _BLOCK,)
        ]

    return touched


# --- following them -------------------------------------------------------------------------------


class _Enough(Exception):
    """The budget is used up."""


class _Memory:
    """What each block of a memory holds."""

    def __init__(self, blocks: int) -> None:
        self.writer: list[str] = [""] * blocks  #: the buffer that wrote a block last
        self.before: list[str] = [""] * blocks  #: whose data that overwrote
        self.line: list[int] = [0] * blocks  #: of that write


class _Follower:
    def __init__(self, memories: Memories, budget: int) -> None:
        self.sizes = {name: memory.capacity_bytes // _BLOCK for name, memory in memories.items()}
        self.memories: dict[str, _Memory] = {}
        self.mask = (1 << 128) - 1
        self.left = budget
        self.clashes: dict[tuple[str, str], _Clash] = {}

    def block(self, parts: Iterable[_Part], values: dict[str, int]) -> None:
        for part in parts:
            match part:
                case _Step():
                    self._step(part, values)
                case _Loop():
                    self._loop(part, values)
                case _Branch():
                    self._branch(part, values)

    def _loop(self, loop: _Loop, values: dict[str, int]) -> None:
        try:
            start, stop = loop.start(values), loop.stop(values)
        except Unknown:
            raise _Enough from None
        trips = stop - start
        followed = range(trips) if trips <= 4 else (0, 1, trips - 1)
        for trip in followed:
            values[loop.variable] = start + trip
            self.block(loop.body, values)
        values.pop(loop.variable, None)

    def _branch(self, branch: _Branch, values: dict[str, int]) -> None:
        try:
            taken = branch.condition(values)
        except Unknown:
            raise _Enough from None
        self.block(branch.then if taken else branch.otherwise, values)

    def _step(self, step: _Step, values: dict[str, int]) -> None:
        self.left -= 1
        if self.left < 0:
            raise _Enough
        if step.mask is not None:
            self.mask = step.mask
            return
        for touched in step.reads:
            try:
                blocks = touched.blocks(values, self.mask)
            except Unknown:
                continue
            self._read(touched, blocks, step.line)
        for touched in step.writes:
            try:
                blocks = touched.blocks(values, self.mask)
            except Unknown:
                self._forget(touched)
                continue
            self._write(touched, blocks, step.line)

    def _memory(self, name: str) -> _Memory:
        if name not in self.memories:
            self.memories[name] = _Memory(self.sizes.get(name, 0))
        return self.memories[name]

    def _read(self, touched: _Range, blocks: _Blocks, line: int) -> None:
        memory, name = self._memory(touched.memory), touched.buffer
        writer, before = memory.writer, memory.before
        for start, end in blocks:
            if writer[start:end].count(name) == end - start:
                continue
            for at in range(max(start, 0), min(end, len(writer))):
                if before[at] == name and writer[at] not in (name, ""):
                    self._clash(touched, writer[at], memory.line[at], line, at)

    def _clash(self, touched: _Range, by: str, written: int, line: int, at: int) -> None:
        clash = self.clashes.get((touched.buffer, by))
        if clash is None:
            clash = _Clash(touched.buffer, by, touched.memory, blocks=(at, at + 1))
            self.clashes[touched.buffer, by] = clash
        clash.lines.setdefault(line, written)
        clash.blocks = (min(clash.blocks[0], at), max(clash.blocks[1], at + 1))

    def _write(self, touched: _Range, blocks: _Blocks, line: int) -> None:
        memory, name = self._memory(touched.memory), touched.buffer
        writer, before = memory.writer, memory.before
        for start, end in blocks:
            start, end = max(start, 0), min(end, len(writer))
            if end <= start:
                continue
            now = writer[start:end]
            if now.count(name) == end - start:
                continue
            for at in range(start, end):
                if writer[at] != name:
                    before[at] = writer[at]
            writer[start:end] = [name] * (end - start)
            memory.line[start:end] = [line] * (end - start)

    def _forget(self, touched: _Range) -> None:
        """A buffer is written one does not know where: nothing of it is overwritten any more."""
        memory = self._memory(touched.memory)
        memory.before = ["" if name == touched.buffer else name for name in memory.before]
