"""Addresses that are no multiple of what the memory or the instruction asks for.

The compiler reports an alignment for each memory (UB 32 bytes, L1 and L0 512 on Ascend910): a
buffer begins at a multiple of it. An operand has to begin at a multiple of what the memory's own
restrictions say (CANN's reference of Ascend C, "General Restrictions"): 32 bytes in UB and L1, 512
in L0A and L0B, 64 in L0C, none in GM. Reductions alone may write single elements (vcadd, vcmax,
vcmin) or 16 bytes (vcgadd, vcgmax, vcgmin).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from core.analysis.checks.finding import Finding
from core.analysis.checks.names import identifier, originals
from core.ir import cce, statement
from core.ir.access import GLOBAL, declared
from core.ir.arithmetic import CORE, Function, Unknown, Values, function
from core.ir.expression import Call, Expression, Load, Number, Variable
from core.ir.instructions import kind, thread_extent
from core.ir.mlir_syntax import closing

if TYPE_CHECKING:
    from core.analysis.checks import Memories

_L0C = 64  #: bytes
_SINGLE = frozenset(("vcadd", "vcmax", "vcmin"))
_GROUP = 16  #: bytes
_GROUPED = frozenset(("vcgadd", "vcgmax", "vcgmin"))
_BITS = re.compile(r"\D+(\d+)")
_PLAIN = re.compile(r"tvm_access_ptr\(type_annotation\(\):(\w+):PI, ([^\s,()]+), (\d+), ")
_POINTER = re.compile(r"\(\(__\w+__\s+(\w+)\s*\*\s*\)(\w+) \+ ")
_ON_CORE = re.compile(r"\bblock_idx\)? *(?:<|<=|>|>=|==|!=) *(\d+)")
_C_BITS = {"half": 16, "float": 32, "double": 64}


@dataclass(frozen=True, slots=True)
class _Around:
    """A loop or a condition around an instruction."""

    variable: str  #: "" of a condition
    start: Function | None  #: None of a condition
    stop: Function  #: behind the last value; of a condition the condition itself


@dataclass(frozen=True, slots=True)
class _Operand:
    buffer: str
    offset: int | Function  #: in elements
    bytes: int  #: of an element; 0: as the buffer's


@dataclass(frozen=True, slots=True)
class _Instruction:
    name: str
    operands: tuple[_Operand, ...]
    line: int
    around: tuple[_Around, ...]


@dataclass(frozen=True, slots=True)
class _Buffer:
    name: str
    root: str
    memory: str
    element: int  #: bytes


@dataclass(frozen=True, slots=True)
class _Off:
    """An operand that is off, in which instruction, at which values of the loop variables."""

    instruction: _Instruction
    buffer: _Buffer
    bytes: int
    unit: int
    where: str


def in_statements(module: statement.Module, memories: Memories) -> Iterator[Finding]:
    """Operands of instructions that are off in their buffers."""
    buffers = {
        name: _Buffer(name, identifier(name), one.memory, _bytes(one.dtype))
        for name, one in declared(module).items()
        if one.memory != GLOBAL
    }
    if not buffers:
        return
    instructions = _of_statements(module.body, (_cores(thread_extent(module) or 1),))
    yield from _findings(_off(instructions, buffers, memories))


def in_code(kernel: cce.Kernel, memories: Memories) -> Iterator[Finding]:
    """Buffers that are off in their memories, and operands that are off in their buffers."""
    roots = originals(pointer.name for pointer in kernel.pointers)
    buffers = {
        p.name: _Buffer(p.name, roots[p.name], p.memory, _bytes(p.dtype)) for p in kernel.pointers
    }
    misplaced: set[str] = set()
    for pointer in kernel.pointers:
        memory = memories.get(pointer.memory)
        unit = memory.alignment_bytes if memory else 0
        if unit and pointer.offset_bytes % unit:
            misplaced.add(pointer.name)
            yield Finding(
                check="alignment",
                harm="wrong",
                line=pointer.line,
                subject=pointer.name,
                message=f"{pointer.name} begins at byte {pointer.offset_bytes:,} of "
                f"{pointer.memory}, which is no multiple of {unit:,}.",
                root=f"{roots[pointer.name]} in {pointer.memory}",
            )
    rest = {name: buffer for name, buffer in buffers.items() if name not in misplaced}
    yield from _findings(_off(_of_code(kernel.body, (_cores(_named(kernel)),)), rest, memories))


def _cores(count: int) -> _Around:
    """The cores, as a loop around everything."""
    return _Around(CORE, lambda _: 0, lambda _: count)


def _named(kernel: cce.Kernel) -> int:
    """How many cores emitted code tells apart: it does not say how many there are."""
    conditions = (n.condition for n in cce.walk(kernel.body) if isinstance(n, cce.Branch))
    numbers = (int(n) for condition in conditions for n in _ON_CORE.findall(condition))
    return max(numbers, default=1) + 1


# --- instructions of both languages ---------------------------------------------------------------


def _of_statements(
    body: Sequence[statement.Statement], around: tuple[_Around, ...]
) -> Iterator[_Instruction]:
    for node in body:
        match node:
            case statement.Evaluate():
                if "tvm_a" in node.value and kind(node.callee) in ("transfer", "vector", "cube"):
                    operands = tuple(_statement_operands(node.value))
                    yield _Instruction(node.callee, operands, node.first, around)
            case statement.For():
                start, extent = _in_statement(node.minimum), _in_statement(node.extent)
                loop = _Around(node.variable, start, _sum(start, extent))
                yield from _of_statements(node.body, (*around, loop))
            case statement.If():
                condition = _in_statement(node.condition)
                then = _Around("", None, condition)
                otherwise = _Around("", None, _not(condition))
                yield from _of_statements(node.then, (*around, then))
                yield from _of_statements(node.otherwise, (*around, otherwise))
            case _:
                for block in statement.blocks(node):
                    yield from _of_statements(block, around)


def _statement_operands(text: str) -> Iterator[_Operand]:
    pointers = text.count("tvm_access_ptr(") + text.count("tvm_address_of(")
    plain = _PLAIN.findall(text)
    if len(plain) == pointers:
        for dtype, name, offset in plain:
            yield _Operand(name, int(offset), _bytes(dtype))
        return
    yield from _parsed_operands(text)


@lru_cache(maxsize=8192)
def _parsed_operands(text: str) -> tuple[_Operand, ...]:
    call = statement.parse_expression(text)
    found: list[_Operand] = []
    for argument in call.arguments if isinstance(call, Call) else ():
        match argument:
            case Call(
                name="tvm_access_ptr", arguments=(Call(dtype=dtype), Variable(name), offset, *_)
            ):
                found.append(_Operand(name, _offset(offset), _bytes(dtype)))
            case Call(name="tvm_address_of", arguments=(Load(name, offset, _),)):
                found.append(_Operand(name, _offset(offset), 0))
    return tuple(found)


def _of_code(body: Sequence[cce.Statement], around: tuple[_Around, ...]) -> Iterator[_Instruction]:
    for node in body:
        match node:
            case cce.Invoke() if kind(node.name) in ("transfer", "vector", "cube"):
                operands = tuple(_code_operands(node.arguments))
                yield _Instruction(node.name, operands, node.first, around)
            case cce.Loop():
                loop = _Around(node.variable, _in_code(node.start), _in_code(node.limit))
                yield from _of_code(node.body, (*around, loop))
            case cce.Branch():
                condition = _in_code(node.condition)
                then, otherwise = _Around("", None, condition), _Around("", None, _not(condition))
                yield from _of_code(node.then, (*around, then))
                yield from _of_code(node.otherwise, (*around, otherwise))
            case _:
                continue


def _code_operands(arguments: str) -> Iterator[_Operand]:
    for found in _POINTER.finditer(arguments):
        end = closing(arguments, found.start())
        ctype, name = found.groups()
        text = arguments[found.end() : end - 1] if end else ""
        yield _Operand(name, int(text) if text.isdigit() else _in_code(text), _bytes(ctype))


def _offset(tree: Expression) -> int | Function:
    return int(tree.value) if isinstance(tree, Number) else function(tree)


@lru_cache(maxsize=4096)
def _in_statement(text: str) -> Function:
    try:
        return function(statement.parse_expression(text))
    except statement.StatementError:
        return _unreadable


@lru_cache(maxsize=4096)
def _in_code(text: str) -> Function:
    try:
        return function(cce.parse_expression(text))
    except cce.CceError:
        return _unreadable


def _unreadable(_: Values) -> int:
    raise Unknown


def _not(condition: Function) -> Function:
    return lambda values: int(not condition(values))


def _sum(left: Function, right: Function) -> Function:
    return lambda values: left(values) + right(values)


def _bytes(dtype: str) -> int:
    bits = _C_BITS.get(dtype) or (int(found[1]) if (found := _BITS.match(dtype)) else 8)
    return max(1, bits // 8)


# --- what is off ----------------------------------------------------------------------------------


def _off(
    instructions: Iterable[_Instruction], buffers: Mapping[str, _Buffer], memories: Memories
) -> Iterator[_Off]:
    for instruction in instructions:
        points: list[_Point] | None = None
        for place, operand in enumerate(instruction.operands):
            buffer = buffers.get(operand.buffer)
            unit = _unit(instruction.name, place, operand, buffer, memories)
            if buffer is None or unit <= 1:
                continue
            size = operand.bytes or buffer.element
            if isinstance(operand.offset, int):
                offset = operand.offset * size
                if offset % unit and (points or _points(instruction.around)):
                    yield _Off(instruction, buffer, offset, unit, "")
                continue
            if points is None:
                points = _points(instruction.around)
            for point in points:
                try:
                    offset = operand.offset(point.values) * size
                except Unknown:
                    break
                if offset % unit:
                    yield _Off(instruction, buffer, offset, unit, point.where)
                    break


def _unit(
    name: str, place: int, operand: _Operand, buffer: _Buffer | None, memories: Memories
) -> int:
    """Bytes of which an operand's place in its buffer has to be a multiple; 0 where unknown."""
    if buffer is None:
        return 0
    if place == 0 and name in _SINGLE:
        return 0
    if place == 0 and name in _GROUPED:
        return _GROUP
    if buffer.memory == "L0C":
        return _L0C
    memory = memories.get("UB" if buffer.memory == "L1" else buffer.memory)
    return memory.alignment_bytes if memory else 0


@dataclass(frozen=True, slots=True)
class _Point:
    """Values of the loop variables at which an instruction runs."""

    values: Mapping[str, int]
    where: str  #: the variables that are not 0, and their values


def _points(around: Sequence[_Around]) -> list[_Point]:
    """Iterations at which an instruction runs for certain: the first one of all loops and the
    last one, and from each of them one step of every loop.

    An offset is a sum of multiples of the loop variables, so what is aligned there is everywhere.
    """
    loops = [one.variable for one in around if one.start is not None]
    found = (_point(around, last, step) for last in (False, True) for step in ("", *loops))
    return [point for point in found if point is not None]


def _point(around: Sequence[_Around], last: bool, step: str) -> _Point | None:
    values: dict[str, int] = {}
    try:
        for one in around:
            if one.start is None:
                if not one.stop(values):
                    return None
                continue
            start, end = one.start(values), one.stop(values) - 1
            value = end - int(one.variable == step) if last else start + int(one.variable == step)
            if not start <= value <= end:
                return None
            values[one.variable] = value
    except Unknown:
        return None
    told = [f"{name} = {value}" for name, value in values.items() if value and name != CORE]
    return _Point(values, ", ".join(told))


def _findings(off: Iterable[_Off]) -> Iterator[Finding]:
    groups: dict[str, list[_Off]] = defaultdict(list)
    for one in off:
        groups[f"{one.buffer.root} {one.instruction.name}"].append(one)
    for root, group in groups.items():
        first = group[0]
        buffer, instruction = first.buffer, first.instruction
        where = f" where {first.where}" if first.where else ""
        yield Finding(
            check="alignment",
            harm="wrong",
            line=instruction.line,
            subject=buffer.name,
            message=f"{instruction.name} works on {buffer.name} in {buffer.memory} from byte "
            f"{first.bytes:,}{where}, which is no multiple of {first.unit:,}.",
            root=root,
            times=len({one.instruction.line for one in group}),
        )
