"""The statement language and the emitted CCE code, read for following."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.analysis.diff import mask_addresses
from core.analysis.follow.sheet import Item, Sheet
from core.ir import cce
from core.ir.access import NOTHING, Access, access, declared
from core.ir.expression import (
    Binary,
    Call,
    Cast,
    Expression,
    Load,
    Number,
    Predicated,
    StatementError,
    Variable,
    children,
    parse_expression,
)
from core.ir.statement import (
    Allocate,
    Attribute,
    Evaluate,
    For,
    Free,
    If,
    Let,
    Module,
    Produce,
    Provide,
    Realize,
    Statement,
    Store,
    blocks,
    parse,
    walk,
)

_NAME = re.compile(r"[^\W\d][\w.]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
CORE = "blockIdx.x"
CORE_IN_CODE = "block_idx"


@dataclass(slots=True)
class _Frame:
    """A block that is being read."""

    rest: Iterator[Statement]
    region: str
    loops: tuple[int, ...]
    scope: dict[str, Item]  #: loops and variables by name
    last: int  #: line


def read_statements(text: str) -> Sheet:
    """The sheet of a text of the statement language. Raises StatementError."""
    return _Reader(text, parse(text)).sheet


class _Reader:
    def __init__(self, text: str, module: Module) -> None:
        self.sheet = Sheet(text)
        self.accesses: dict[int, Access] = {}
        self.facts = declared(module)
        self.names = set(self.facts)
        for node in walk(module.body):
            if isinstance(node, Store | Provide | Evaluate):
                found = self.accesses[id(node)] = _access(node)
                self.names.update(found.reads, found.writes)
        self.buffers: dict[tuple[str, str], Item] = {}
        several = len(module.functions) > 1
        for number, function in enumerate(module.functions):
            region = function.name or (str(number) if several else "")
            self._function(function.body, region, function.last)

    def _function(self, body: Sequence[Statement], region: str, last: int) -> None:
        stack = [_Frame(iter(body), region, (), {}, last)]
        while stack:
            frame = stack[-1]
            node = next(frame.rest, None)
            if node is None:
                stack.pop()
                continue
            self._tokens(node, frame)
            match node:
                case For():
                    inner = self._loop(node.variable, node.extent, frame, node.first, node.last)
                    stack.append(self._inside(frame, node.body, node.last, inner))
                case If() if len(stack) == 1 and CORE in node.condition:
                    stack.extend(reversed(list(self._arms(node, frame))))
                case If() | Produce() | Realize():
                    self._declares(node, frame)
                    stack.extend(
                        self._inside(frame, block, node.last) for block in reversed(blocks(node))
                    )
                case _:
                    self._leaf(node, frame)

    def _inside(
        self, frame: _Frame, body: Sequence[Statement], last: int, loop: Item | None = None
    ) -> _Frame:
        loops = (*frame.loops, loop.number) if loop else frame.loops
        scope = {**frame.scope, loop.name: loop} if loop else dict(frame.scope)
        return _Frame(iter(body), frame.region, loops, scope, last)

    def _arms(self, node: If, frame: _Frame) -> Iterator[_Frame]:
        """Branches for different cores are kernels of their own, with names of their own."""
        arms: list[Sequence[Statement]] = [node.then]
        rest = node.otherwise
        while len(rest) == 1 and isinstance(rest[0], If) and CORE in rest[0].condition:
            arms.append(rest[0].then)
            rest = rest[0].otherwise
        if rest:
            arms.append(rest)
        for number, arm in enumerate(arms):
            region = f"{frame.region}/{number}"
            yield _Frame(iter(arm), region, frame.loops, dict(frame.scope), node.last)

    def _loop(self, name: str, extent: str, frame: _Frame, first: int, last: int) -> Item:
        item = self.sheet.new(name, "loop", frame.region, first, last)
        item.extent = int(extent) if extent.isdigit() else None
        item.loops = frame.loops
        item.add(first, "defined")
        return item

    def _declares(self, node: Statement, frame: _Frame) -> None:
        match node:
            case Produce():
                self._buffer(node.name, frame.region, node.first)
            case Realize() | Allocate():
                item = self._buffer(node.name, frame.region, node.first)
                item.add(node.first, "allocated")
                item.times += 1

    def _buffer(self, name: str, region: str, line: int) -> Item:
        item = self.buffers.get((region, name))
        if item is None:
            item = self.sheet.new(name, "buffer", region, line, len(self.sheet.text))
            item.first = 0
            fact = self.facts.get(name)
            item.memory = fact.memory if fact else "GM"
            item.extent = fact.elements if fact else None
            self.buffers[region, name] = item
        return item

    def _leaf(self, node: Statement, frame: _Frame) -> None:
        match node:
            case Allocate():
                self._declares(node, frame)
            case Let():
                item = self.sheet.new(node.name, "variable", frame.region, node.first, frame.last)
                item.add(node.first, "defined")
                frame.scope[node.name] = item
            case Attribute(key="thread_extent") if CORE in node.target:
                loop = self._loop(CORE, node.value, frame, node.first, frame.last)
                frame.scope[CORE] = loop
                frame.loops = (*frame.loops, loop.number)
            case Store() | Provide():
                self._operation(node, word(node.value), frame)
            case Evaluate() if node.callee:
                self._operation(node, node.callee, frame)

    def _operation(self, node: Statement, does: str, frame: _Frame) -> None:
        found = self.accesses[id(node)]
        item = self.sheet.new(does, "operation", frame.region, node.first, node.last)
        item.word, item.loops = does, frame.loops
        item.text = mask_addresses(self.sheet.line(node.first))
        stands = found.writes[0] if found.writes and not item.text.startswith(does) else does
        item.add(node.first, "used", stands)
        reads = [self._buffer(name, frame.region, node.first) for name in found.reads]
        writes = [self._buffer(name, frame.region, node.first) for name in found.writes]
        for buffer in writes:
            buffer.add(node.first, "written")
        for buffer in reads:
            buffer.add(node.first, "read")
        item.reads = tuple(buffer.number for buffer in reads)
        item.writes = tuple(buffer.number for buffer in writes)

    def _tokens(self, node: Statement, frame: _Frame) -> None:
        """Whatever else of the line is a name: loops and variables, buffers of an attribute."""
        if not frame.scope and not isinstance(node, Attribute | Produce | Free | Let):
            return
        line = self.sheet.line(node.first)
        words = set(_NAME.findall(_STRING.sub("", line) if '"' in line else line))
        for name in words & frame.scope.keys():
            frame.scope[name].add(node.first, "used")
        if isinstance(node, Attribute | Produce | Free | Let):
            for name in words & self.names:
                self._buffer(name, frame.region, node.first).add(node.first, "used")


def _access(node: Statement) -> Access:
    try:
        return access(node)
    except StatementError:
        return NOTHING


@lru_cache(4096)
def word(value: str) -> str:
    """What a value is made by: "+", "exp", "cast"; "copy" of something read, "fill" of a number."""
    try:
        tree = parse_expression(value)
    except StatementError:
        return ""
    while isinstance(tree, Predicated):
        tree = tree.value
    match tree:
        case Call() if tree.kind or tree.name in ("min", "max", "select", "floordiv", "floormod"):
            return tree.name
        case Binary():
            return tree.operator
        case Cast():
            return "cast"
        case Number():
            return "fill"
        case _:
            return "copy"


# The emitted code


def read_code(text: str) -> Sheet:
    """The sheet of a CCE text. Raises CceError."""
    kernel = cce.parse(text)
    sheet = Sheet(text)
    last = text.count("\n") + 1
    buffers: dict[str, Item] = {}
    for parameter in kernel.parameters:
        item = buffers[parameter.name] = sheet.new(parameter.name, "buffer", "", 0, last)
        item.memory = "GM"
        item.add(parameter.line, "defined")
    for pointer in kernel.pointers:
        item = buffers[pointer.name] = sheet.new(pointer.name, "buffer", "", 0, last)
        item.memory, item.offset, item.times = pointer.memory, pointer.offset_bytes, 1
        item.add(pointer.line, "allocated")
    core = sheet.new(CORE_IN_CODE, "loop", "", 0, last)
    for line, content in enumerate(text.split("\n"), 1):
        if CORE_IN_CODE in content:
            core.add(line, "used")
    _code(sheet, kernel.body, buffers, {}, ())
    return sheet


def _code(
    sheet: Sheet,
    body: Sequence[cce.Statement],
    buffers: dict[str, Item],
    scope: dict[str, Item],
    loops: tuple[int, ...],
) -> None:
    for node in body:
        words = set(_NAME.findall(sheet.line(node.first)))
        for name in words & scope.keys():
            scope[name].add(node.first, "used")
        match node:
            case cce.Loop():
                item = sheet.new(node.variable, "loop", "", node.first, node.last)
                item.extent = int(node.limit) if node.limit.isdigit() else None
                item.loops = loops
                item.add(node.first, "defined")
                inner = {**scope, item.name: item}
                _code(sheet, node.body, buffers, inner, (*loops, item.number))
            case cce.Branch():
                _code(sheet, node.then, buffers, scope, loops)
                _code(sheet, node.otherwise, buffers, scope, loops)
            case cce.Invoke():
                _invoked(sheet, node, buffers, loops)
            case cce.Assign():
                target = [buffers[w] for w in _NAME.findall(node.target) if w in buffers][:1]
                read = [buffers[w] for w in _NAME.findall(node.value) if w in buffers]
                _code_operation(sheet, node, "=", target, read, loops)
            case cce.Declare():
                item = sheet.new(node.name, "variable", "", node.first, len(sheet.text))
                item.add(node.first, "defined")
                scope[node.name] = item
                for name in words & buffers.keys():
                    buffers[name].add(node.first, "read")
            case _:
                for name in words & buffers.keys():
                    buffers[name].add(node.first, "used")


def _invoked(
    sheet: Sheet, node: cce.Invoke, buffers: dict[str, Item], loops: tuple[int, ...]
) -> None:
    names = [w for w in _NAME.findall(node.arguments) if w in buffers]
    target = [buffers[name] for name in names[:1]]
    _code_operation(sheet, node, node.name, target, [buffers[n] for n in names[1:]], loops)


def _code_operation(
    sheet: Sheet,
    node: cce.Node,
    does: str,
    writes: Sequence[Item],
    reads: Sequence[Item],
    loops: tuple[int, ...],
) -> None:
    item = sheet.new(does, "operation", "", node.first, node.last)
    item.word, item.loops, item.text = does, loops, sheet.line(node.first)
    item.add(node.first, "used", writes[0].name if writes and does == "=" else does)
    for buffer in writes:
        buffer.add(node.first, "written")
    for buffer in reads:
        buffer.add(node.first, "read")
    item.reads = tuple(dict.fromkeys(buffer.number for buffer in reads))
    item.writes = tuple(buffer.number for buffer in writes)


# Where a loop stands in an index


@dataclass(frozen=True, slots=True)
class Term:
    """How a loop moves over one dimension of a buffer."""

    buffer: str
    dimension: int
    dimensions: int
    step: float  #: elements from one iteration to the next
    written: bool  #: it is what the line writes


@lru_cache(8192)
def terms(line: str) -> tuple[tuple[str, Term], ...]:
    """Loops of a line by name, with their part in the indices of what the line accesses."""
    found: list[tuple[str, Term]] = []
    for tree, written in _trees(line):
        for buffer, indices in _indices(tree):
            for dimension, index in enumerate(indices):
                for name, step in _linear(index).items():
                    if name and step:
                        term = Term(buffer, dimension, len(indices), abs(step), written)
                        found.append((name, term))
    return tuple(found)


def _indices(tree: Expression) -> Iterator[tuple[str, tuple[Expression, ...]]]:
    """The buffers that are accessed, each with its indices."""
    pending = [tree]
    while pending:
        node = pending.pop()
        match node:
            case Load():
                yield node.buffer, (node.index,)
            case Call(name="tvm_access_ptr", arguments=(_, Variable(name=name), offset, *_)):
                yield name, (offset,)
            case Call(kind="") if node.arguments:
                yield node.name, node.arguments
        pending.extend(children(node))


def _trees(line: str) -> Iterator[tuple[Expression, bool]]:
    """The expressions of a line, and whether they are what it writes."""
    target, equals, value = line.partition(" = ")
    try:
        if not equals or line.startswith("//"):
            yield parse_expression(line), False
        else:
            yield parse_expression(target), True
            yield parse_expression(value), False
    except ValueError:
        return


def _linear(tree: Expression) -> dict[str, float]:
    """Factors by variable, "" for the constant: of a quotient its mean, of a remainder the one
    inside a period. What is no linear part is left out."""
    match tree:
        case Number(value=int()):
            return {"": int(tree.value)}
        case Variable():
            return {tree.name: 1}
        case Cast():
            return _linear(tree.value)
        case Binary(operator="+" | "-"):
            sign = 1 if tree.operator == "+" else -1
            left, right = _linear(tree.left), _linear(tree.right)
            return {
                n: left.get(n, 0) + sign * right.get(n, 0) for n in dict.fromkeys((*left, *right))
            }
        case Binary(operator="*"):
            left, right = _linear(tree.left), _linear(tree.right)
            if set(right) <= {""}:
                return {name: value * right.get("", 0) for name, value in left.items()}
            if set(left) <= {""}:
                return {name: value * left.get("", 0) for name, value in right.items()}
        case Binary(operator="/", right=Number(value=int() as divisor)) if divisor:
            return {name: value / divisor for name, value in _linear(tree.left).items()}
        case Binary(operator="%"):
            return _linear(tree.left)
    return {}
