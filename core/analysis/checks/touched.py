"""Where a statement touches buffers: index by index, with what must hold for it to happen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from core.ir.access import GLOBAL, SCOPES
from core.ir.expression import (
    Binary,
    Call,
    Expression,
    Load,
    Not,
    Number,
    Predicated,
    Variable,
    children,
    parse_expression,
)
from core.ir.interval import Ranged, ranged, ranged_tree
from core.ir.statement import Allocate, Attribute, Evaluate, Provide, Realize, Statement, Store

READ, WRITTEN = 1, 2

_BYTES = re.compile(r"(?:u?int|float|bfloat)(\d+)")
_TARGET = re.compile(r"(?:(?:placeholder|compute|hybrid|extern)\()?([^\W\d][\w.]*)")
_BUILT_IN = frozenset(
    ("min", "max", "select", "floordiv", "floormod", "ramp", "likely", "iter_var", "range")
)
_REPEATED = re.compile(r"x\d+")
_CHOICES = frozenset(("select", "tvm_if_then_else", "if_then_else"))
#: Instructions whose first pointer is written and whose others are read.
_INSTRUCTION = re.compile(r"v[a-z]|copy_|load_|img2col|mad$|scatter_v")
#: Vector instructions by the number of their pointers: those that end in a repeat count, a block
#: stride for each pointer and a repeat stride for each, in blocks.
_UNARY = re.compile(r"v(?:exp|ln|abs|rec|r?sqrt|relu|not|adds|muls|conv_\w+)")
_BINARY = re.compile(r"v(?:add|sub|mul|div|max|min|and|or)")
#: Transfers whose own count is in blocks of 32 bytes: how many bursts, how long, and the gap after
#: each at the source and at the destination.
_TRANSFER = re.compile(r"copy_(?:gm|ubuf|cbuf)_to_(?:gm|ubuf|cbuf)")
_MEMORY_SUFFIX = re.compile(r"_local_UB$")
_COPY_SUFFIX = re.compile(r"\.db\d*$")


@dataclass(frozen=True, slots=True)
class Row:
    """An index that is read from data, and so may be any row of what the buffer was filled from."""

    dimension: int  #: that it is in
    source: str  #: the tensor or buffer that holds the indices, as an expression
    reach: int  #: indices of the dimension that hold no second row, as far as the text tells
    tree: Expression  #: what is read

    def put(self, value: int, into: Expression) -> Expression:
        """An expression with a value in the place of what is read."""
        return _put(into, self.tree, Number(value, "int32"))


class Guard(NamedTuple):
    """A condition that chooses between two operands."""

    tree: Expression
    test: Ranged
    holds: bool  #: whether the operand is the one of where it holds


@dataclass(frozen=True, slots=True)
class Touch:
    """One place at which an expression or a statement reads or writes a buffer."""

    buffer: str
    indices: tuple[Ranged, ...]  #: one a dimension; a flat buffer has one
    mode: int  #: READ, WRITTEN or both
    guards: tuple[Guard, ...]  #: what chooses this operand and no other
    row: Row | None  #: where an index is read from data
    dtype: str  #: of what a pointer points at; "" where it is that of the buffer
    #: Blocks of 32 bytes from the index to the last one that an instruction certainly touches.
    blocks: int


@dataclass(frozen=True, slots=True)
class Room:
    """What a text allocates for a buffer on the chip."""

    name: str
    memory: str  #: UB, L1, L0A, L0B, L0C, REG
    dtype: str
    #: (least index, elements) of each dimension; None where they are no constants
    dimensions: tuple[tuple[int, int], ...] | None
    line: int
    realized: bool  #: a tensor of before StorageFlatten, with its own dimensions

    @property
    def elements(self) -> int | None:
        if self.dimensions is None:
            return None
        total = 1
        for _, extent in self.dimensions:
            total *= extent
        return total

    @property
    def bytes(self) -> int | None:
        """None where the text does not tell."""
        if self.elements is None or (width := bytes_of(self.dtype)) is None:
            return None
        return self.elements * width

    @property
    def size(self) -> str:
        """In words."""
        if self.elements is None:
            return "room"
        noun = "element" if self.elements == 1 else "elements"
        size = f" ({self.bytes:,} B)" if self.bytes is not None else ""
        return f"{self.elements:,} {noun}{size}"


def bytes_of(dtype: str) -> int | None:
    """Bytes of one element, None of a type without a width in whole bytes."""
    if dtype == "bool":
        return 1
    found = _BYTES.fullmatch(dtype)
    return int(found[1]) // 8 if found and int(found[1]) >= 8 else None


def root(buffer: str) -> str:
    """The name as no pass renames it: without the mark of UB and of copies for double buffering."""
    return _MEMORY_SUFFIX.sub("", _COPY_SUFFIX.sub("", buffer))


def scope(attribute: Attribute) -> tuple[str, str] | None:
    """The name and the memory that a scope attribute gives to it."""
    if attribute.key not in ("realize_scope", "storage_scope"):
        return None
    found = _TARGET.match(attribute.target)
    return (found[1], SCOPES.get(attribute.value.strip('"'), GLOBAL)) if found else None


def room(statement: Allocate | Realize, scopes: Mapping[str, str]) -> Room | None:
    """What is allocated by a statement; None of a tensor in global memory."""
    memory = scopes.get(statement.name, GLOBAL)
    if memory == GLOBAL:
        return None
    pairs = (
        tuple(("0", extent) for extent in statement.extents)
        if isinstance(statement, Allocate)
        else statement.bounds
    )
    dimensions = tuple(
        (int(least), int(extent))
        for least, extent in pairs
        if extent.isdigit() and least.lstrip("-").isdigit()
    )
    known = len(dimensions) == len(pairs)
    return Room(
        statement.name,
        memory,
        statement.dtype,
        dimensions if known else None,
        statement.first,
        isinstance(statement, Realize),
    )


def touches(statement: Statement) -> tuple[Touch, ...]:
    """Where a statement reads and writes, in the order in which it does: reads first.

    The blocks of the statement are left out. Raises StatementError where an expression of it
    cannot be read.
    """
    match statement:
        case Store():
            return (*_read_in(statement.value, statement.index), _stored(statement))
        case Provide():
            texts = (statement.value, *statement.indices)
            return (*_read_in(*texts), _provided(statement.tensor, statement.indices))
        case Evaluate():
            return _in_expression(statement.value) if statement.callee else ()
        case _:
            return ()


def _read_in(*texts: str) -> tuple[Touch, ...]:
    found = [touch for text in texts for touch in in_expression(text)]
    return tuple(found)


def _stored(statement: Store) -> Touch:
    return _flat_write(statement.buffer, statement.index)


@lru_cache(maxsize=16384)
def _flat_write(buffer: str, index: str) -> Touch:
    return _write(buffer, (index,))


@lru_cache(maxsize=16384)
def _provided(tensor: str, indices: tuple[str, ...]) -> Touch:
    return _write(tensor, indices)


def _write(buffer: str, indices: tuple[str, ...]) -> Touch:
    trees = tuple(parse_expression(index) for index in indices)
    return Touch(buffer, tuple(ranged(index) for index in indices), WRITTEN, (), _row(trees), "", 0)


def in_expression(text: str) -> tuple[Touch, ...]:
    """Where an expression reads, and what the pointers in it point at."""
    if text.lstrip("-").isdigit():
        return ()
    return _in_expression(text)


@lru_cache(maxsize=16384)
def _in_expression(text: str) -> tuple[Touch, ...]:
    reader = _Reader()
    reader.read(parse_expression(text), ())
    return tuple(reader.found)


_Guards = tuple[Guard, ...]
_Pointer = tuple[str, Ranged, str, int]  #: buffer, index, type, mode; 0 where it does not say which


class _Reader:
    def __init__(self) -> None:
        self.found: list[Touch] = []

    def read(self, tree: Expression, guards: _Guards) -> None:
        match tree:
            case Load():
                self.read(tree.index, guards)
                self.add(tree.buffer, (tree.index,), READ, guards)
            case Call(name=name, arguments=(condition, then, otherwise)) if name in _CHOICES:
                self.read(condition, guards)
                chosen = ranged_tree(condition)
                self.read(then, (*guards, Guard(condition, chosen, True)))
                self.read(otherwise, (*guards, Guard(condition, chosen, False)))
            case Binary(operator="&&" | "||" as joint):
                self.read(tree.left, guards)
                self.read(
                    tree.right, (*guards, Guard(tree.left, ranged_tree(tree.left), joint == "&&"))
                )
            case Call(name="with"):
                self.substituted(tree, guards)
            case Call() if _is_tensor(tree):
                for argument in tree.arguments:
                    self.read(argument, guards)
                self.add(tree.name, tree.arguments, READ, guards)
            case Call():
                self.call(tree, guards)
            case Predicated():  # the predicate tells of alignment, not whether it happens
                self.read(tree.value, guards)
            case _:
                for operand in children(tree):
                    self.read(operand, guards)

    def add(self, buffer: str, indices: tuple[Expression, ...], mode: int, guards: _Guards) -> None:
        ranges = tuple(ranged_tree(index) for index in indices)
        self.found.append(Touch(buffer, ranges, mode, guards, _row(indices), "", 0))

    def call(self, tree: Call, guards: _Guards) -> None:
        """Its pointers: the first of an instruction is written, unless they say so themselves."""
        known = bool(_INSTRUCTION.match(tree.name))
        pointers: list[_Pointer] = []
        others: list[Expression] = []
        for argument in tree.arguments:
            pointer = self.pointer(argument, guards)
            if pointer is None:
                self.read(argument, guards)
                others.append(argument)
            else:
                pointers.append(pointer)
        blocks = _blocks(tree.name, len(pointers), others)
        for place, (buffer, index, dtype, mode) in enumerate(pointers):
            if not mode:
                mode = (READ if place else WRITTEN) if known else READ | WRITTEN
            reach = blocks[place] if place < len(blocks) else 0
            self.found.append(Touch(buffer, (index,), mode, guards, None, dtype, reach))

    def pointer(self, argument: Expression, guards: _Guards) -> _Pointer | None:
        match argument:
            case Call(name="tvm_address_of", arguments=(Load() as load,)):
                self.read(load.index, guards)
                return load.buffer, ranged_tree(load.index), "", 0
            case Call(
                name="tvm_access_ptr",
                arguments=(Call() as of, Variable(name=name), offset, _, Number() as mode, *_),
            ):
                self.read(offset, guards)
                return name, ranged_tree(offset), of.dtype, int(mode.value) & (READ | WRITTEN)
        return None

    def substituted(self, tree: Call, guards: _Guards) -> None:
        """`with(rhs(index, position, stand-in), orig(x(0, c)))` is x(index, c) (LowerWith)."""
        rows: list[Row] = []
        for part in tree.arguments:
            match part:
                case Call(name="rhs", arguments=(index, Number() as position, Number() as known)):
                    self.read(index, guards)
                    reach = int(known.value) + 1
                    rows.append(Row(int(position.value), _worded(index), reach, index))
                case Call(name="orig", arguments=(Call() as read,)) if _is_tensor(read) and rows:
                    for argument in read.arguments:
                        self.read(argument, guards)
                    ranges = tuple(ranged_tree(index) for index in read.arguments)
                    row = rows[0] if len(rows) == 1 else None
                    self.found.append(Touch(read.name, ranges, READ, guards, row, "", 0))
                case _:
                    self.read(part, guards)


def _blocks(name: str, pointers: int, others: list[Expression]) -> tuple[int, ...]:
    """Blocks of 32 bytes from where each pointer points to the last that is certainly touched.

    An extent that a pointer states is no help: the compiler leaves it too long in places.
    """
    if _TRANSFER.fullmatch(name) and pointers == 2:
        bursts = _numbers(others[1:5])
        if len(bursts) == 4 and min(bursts) >= 0 and bursts[0] and bursts[1]:
            times, length, source, destination = bursts
            return tuple((times - 1) * (length + gap) + length - 1 for gap in (destination, source))
    elif (pointers == 3 and _BINARY.fullmatch(name)) or (pointers == 2 and _UNARY.fullmatch(name)):
        last = _numbers(others[-2 * pointers - 1 :])
        if len(last) == 2 * pointers + 1 and min(last) >= 0 and last[0]:
            return tuple((last[0] - 1) * step for step in last[-pointers:])
    elif name == "vector_dup" and pointers == 1:
        last = _numbers(others[-5:])
        if len(last) == 5 and min(last) >= 0 and last[0]:
            return ((last[0] - 1) * last[3],)
    return ()


def _numbers(trees: list[Expression]) -> tuple[int, ...]:
    values = (tree.value for tree in trees if isinstance(tree, Number))
    return tuple(value for value in values if isinstance(value, int))


def _is_tensor(call: Call) -> bool:
    return not call.kind and call.name not in _BUILT_IN and not _REPEATED.fullmatch(call.name)


def _row(indices: tuple[Expression, ...]) -> Row | None:
    """The index that is read from data, where it is the only one."""
    found = [(place, part) for place, index in enumerate(indices) for part in _loaded(index)]
    if len(found) != 1:
        return None
    place, part = found[0]
    factor = _factor(indices[place], part)
    return Row(place, _worded(part), abs(factor), part) if factor else None


def _loaded(tree: Expression) -> list[Expression]:
    """The reads in an index, those inside them apart."""
    if isinstance(tree, Load) or (isinstance(tree, Call) and _is_tensor(tree)):
        return [tree]
    return [part for operand in children(tree) for part in _loaded(operand)]


def _put(tree: Expression, part: Expression, value: Expression) -> Expression:
    if tree == part:
        return value
    match tree:
        case Binary():
            left, right = _put(tree.left, part, value), _put(tree.right, part, value)
            return Binary(tree.operator, left, right)
        case Not():
            return Not(_put(tree.operand, part, value))
        case Predicated():
            return _put(tree.value, part, value)
        case Call(name="likely" | "min" | "max"):
            arguments = tuple(_put(argument, part, value) for argument in tree.arguments)
            return Call(tree.name, arguments, tree.dtype, tree.kind)
        case _:
            return tree


def _factor(tree: Expression, part: Expression) -> int | None:
    """By what a part of a sum is multiplied; 0 where it is not in it, None where it is no sum."""
    if tree is part:
        return 1
    match tree:
        case Binary(operator="+" | "-" as sign):
            left, right = _factor(tree.left, part), _factor(tree.right, part)
            if left is None or right is None:
                return None
            return left + right if sign == "+" else left - right
        case (
            Binary(operator="*", left=left, right=Number(value=int() as times))
            | Binary(operator="*", left=Number(value=int() as times), right=left)
        ):
            inner = _factor(left, part)
            return None if inner is None else inner * times
        case Predicated():
            return _factor(tree.value, part)
        case _:
            return 0 if all(part is not node for node in _loaded(tree)) else None


def _worded(tree: Expression) -> str:
    match tree:
        case Load():
            return f"{tree.buffer}[{_worded(tree.index)}]"
        case Call():
            return f"{tree.name}({', '.join(_worded(part) for part in tree.arguments)})"
        case Variable():
            return tree.name
        case Number():
            return str(tree.value)
        case Binary():
            return f"({_worded(tree.left)} {tree.operator} {_worded(tree.right)})"
        case _:
            return "…"
