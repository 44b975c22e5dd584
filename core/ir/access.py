"""Which buffers a statement reads and writes, and the memory each buffer lies in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from core.ir.expression import (
    Call,
    Expression,
    Load,
    Number,
    Variable,
    children,
    parse_expression,
)
from core.ir.statement import (
    Allocate,
    Attribute,
    Evaluate,
    Module,
    Provide,
    Realize,
    Statement,
    Store,
    walk,
)

#: The compiler's scopes and the memories they stand for, in the words of several versions of it.
SCOPES = {
    "local.UB": "UB",
    "local.BUF": "UB",
    "local.L1": "L1",
    "local.C1": "L1",
    "local.L0A": "L0A",
    "local.C0A": "L0A",
    "local.L0B": "L0B",
    "local.C0B": "L0B",
    "local.L0C": "L0C",
    "local.C0C": "L0C",
    "local.REG": "REG",
}
GLOBAL = "GM"

_BUILT_IN = frozenset(
    ("min", "max", "select", "floordiv", "floormod", "ramp", "likely", "iter_var", "range")
)
_REPEATED = re.compile(r"x\d+")
_POINTERS = frozenset(("tvm_access_ptr", "tvm_address_of"))
_TARGET = re.compile(r"(?:(?:placeholder|compute|hybrid|extern)\()?([^\W\d][\w.]*)")
_READ, _WRITTEN = 1, 2  # bits of the fifth argument of tvm_access_ptr


@dataclass(frozen=True, slots=True)
class Access:
    """Names of buffers, each once, in the order of the text."""

    reads: tuple[str, ...]
    writes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Declared:
    """A buffer as a realize or an allocation declares it."""

    name: str
    memory: str  #: GM, UB, L1, L0A, L0B, L0C, REG
    dtype: str
    elements: int | None  #: None where an extent is no constant
    line: int
    times: int  #: how often the text declares this name: copies for double buffering and tails


NOTHING = Access((), ())


def access(statement: Statement) -> Access:
    """Reads and writes of one statement, those inside its blocks apart.

    Of an instruction the first pointer is written and the others are read, unless the pointer says
    itself which it is. Raises StatementError where an expression of it cannot be read.
    """
    match statement:
        case Store():
            reads = _names(_reads(statement.index), _reads(statement.value))
            return Access(reads, (statement.buffer,))
        case Provide():
            texts = (*statement.indices, statement.value)
            return Access(_names(*(_reads(text) for text in texts)), (statement.tensor,))
        case Evaluate() if statement.callee:
            return _call(statement.value)
        case _:
            return NOTHING


def declared(module: Module) -> dict[str, Declared]:
    """The buffers that a text declares, by name, in the order of their first declaration."""
    scopes: dict[str, str] = {}
    found: dict[str, Declared] = {}
    for node in walk(module.body):
        match node:
            case Attribute(key="realize_scope" | "storage_scope"):
                name = _TARGET.match(node.target)
                if name:
                    scopes[name[1]] = SCOPES.get(node.value.strip('"'), GLOBAL)
            case Realize():
                extents = tuple(extent for _, extent in node.bounds)
                _add(found, scopes, node.name, node.dtype, _product(extents), node.first)
            case Allocate():
                _add(found, scopes, node.name, node.dtype, node.elements, node.first)
    return found


def _add(
    found: dict[str, Declared],
    scopes: Mapping[str, str],
    name: str,
    dtype: str,
    elements: int | None,
    line: int,
) -> None:
    before = found.get(name)
    if before is None:
        found[name] = Declared(name, scopes.get(name, GLOBAL), dtype, elements, line, 1)
        return
    size = None if elements is None or before.elements is None else max(elements, before.elements)
    found[name] = Declared(name, before.memory, before.dtype, size, before.line, before.times + 1)


def _product(extents: Iterable[str]) -> int | None:
    total = 1
    for extent in extents:
        if not extent.isdigit():
            return None
        total *= int(extent)
    return total


def _names(*groups: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for group in groups for name in group))


@lru_cache(maxsize=8192)
def _reads(text: str) -> tuple[str, ...]:
    if text.lstrip("-").isdigit():
        return ()
    return _loaded(parse_expression(text))


def _loaded(*trees: Expression) -> tuple[str, ...]:
    """Buffers and tensors that are read anywhere inside."""
    names: dict[str, None] = {}
    pending = list(reversed(trees))
    while pending:
        node = pending.pop()
        if isinstance(node, Load):
            names[node.buffer] = None
        elif isinstance(node, Call) and _is_tensor(node):
            names[node.name] = None
        pending.extend(reversed(children(node)))
    return tuple(names)


def _is_tensor(call: Call) -> bool:
    return not call.kind and call.name not in _BUILT_IN and not _REPEATED.fullmatch(call.name)


@lru_cache(maxsize=8192)
def _call(text: str) -> Access:
    tree = parse_expression(text)
    if not isinstance(tree, Call):
        return NOTHING
    reads: dict[str, None] = {}
    writes: dict[str, None] = {}
    first = True
    for argument in tree.arguments:
        pointer = _pointer(argument)
        if pointer is None:
            reads.update(dict.fromkeys(_loaded(argument)))
            continue
        name, mode = pointer
        mode = mode or (_WRITTEN if first else _READ)
        first = False
        if mode & _READ:
            reads[name] = None
        if mode & _WRITTEN:
            writes[name] = None
        reads.update(dict.fromkeys(_loaded(*_offsets(argument))))
    return Access(tuple(reads), tuple(writes))


def _pointer(argument: Expression) -> tuple[str, int] | None:
    """The buffer that an argument points at, and the bits of what is done with it, 0 if unsaid."""
    if not isinstance(argument, Call) or argument.name not in _POINTERS:
        return None
    match argument.arguments:
        case (Load(buffer=name),):
            return name, 0
        case (_, Variable(name=name), _, _, Number(value=mode), *_):
            return name, int(mode) & (_READ | _WRITTEN)
    return None


def _offsets(pointer: Expression) -> tuple[Expression, ...]:
    match pointer:
        case Call(arguments=(Load(index=index),)):
            return (index,)
        case Call(arguments=(_, Variable(), offset, *_)):
            return (offset,)
        case _:
            return ()
