"""AKG's statement language (every pass file outside poly/): text to tree, with line numbers.

The structure is read eagerly, one statement a line; expressions are kept as text and read on demand
with `parse_expression`, because most of them are never looked at and a pass may have 20,000 lines.

Attributes, allocations, `let` and `assert` have no braces: their scope is the rest of the block
they stand in, so they are listed in it beside the statements that they govern.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.ir import MOST_NESTED, refusal
from core.ir.expression import StatementError, parse_expression

__all__ = [
    "Allocate",
    "Assert",
    "Attribute",
    "Evaluate",
    "For",
    "Free",
    "Function",
    "If",
    "Let",
    "Module",
    "Produce",
    "Provide",
    "Realize",
    "Statement",
    "StatementError",
    "Store",
    "blocks",
    "parse",
    "parse_expression",
    "walk",
]


@dataclass(frozen=True, slots=True)
class Node:
    """What every statement has: its first and last line in the text, from 1."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class For(Node):
    kind: str  #: for, parallel, vectorized, unrolled, reduce, invariant_for, swizzled
    variable: str
    minimum: str  #: expression
    extent: str  #: expression: how often it runs
    body: tuple[Statement, ...]

    @property
    def trips(self) -> int | None:
        """The extent where it is a constant."""
        return int(self.extent) if self.extent.isdigit() else None


@dataclass(frozen=True, slots=True)
class If(Node):
    """`} else if` is an If alone in `otherwise`, from its own line on."""

    condition: str  #: expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Produce(Node):
    name: str
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Realize(Node):
    """A tensor that exists while the body runs; its memory is the `realize_scope` before it."""

    name: str
    dtype: str
    bounds: tuple[tuple[str, str], ...]  #: (minimum, extent) expressions, one pair a dimension
    value_index: int | None  #: which of several outputs, where the text says so
    condition: str | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    target: str  #: what it is about: an expression, or (`hybrid(…`) a user's whole loop nest
    key: str
    value: str  #: expression


@dataclass(frozen=True, slots=True)
class Allocate(Node):
    """A flat buffer; its memory is the `storage_scope` attribute before it."""

    name: str
    dtype: str
    extents: tuple[str, ...]  #: expressions, in elements
    condition: str | None

    @property
    def elements(self) -> int | None:
        """How many elements it holds, where all extents are constants."""
        total = 1
        for extent in self.extents:
            if not extent.isdigit():
                return None
            total *= int(extent)
        return total


@dataclass(frozen=True, slots=True)
class Free(Node):
    name: str


@dataclass(frozen=True, slots=True)
class Let(Node):
    name: str
    value: str  #: expression


@dataclass(frozen=True, slots=True)
class Assert(Node):
    condition: str  #: expression
    message: str  #: expression, mostly a string


@dataclass(frozen=True, slots=True)
class Store(Node):
    """`buffer[index] = value`; the value may end in the store's own predicate."""

    buffer: str
    index: str  #: expression
    value: str  #: expression


@dataclass(frozen=True, slots=True)
class Provide(Node):
    """`tensor(indices) = value`; also one operator of a composite-stage text."""

    tensor: str
    indices: tuple[str, ...]  #: expressions
    value_index: int | None
    value: str  #: expression


@dataclass(frozen=True, slots=True)
class Evaluate(Node):
    """A call made for its effect: an instruction, a runtime function. Or a constant: no effect."""

    value: str  #: expression

    @property
    def callee(self) -> str:
        """The name that is called; "" for a constant."""
        name, parenthesis, _ = self.value.partition("(")
        return name if parenthesis else ""


Statement = (
    For
    | If
    | Produce
    | Realize
    | Attribute
    | Allocate
    | Free
    | Let
    | Assert
    | Store
    | Provide
    | Evaluate
)


@dataclass(frozen=True, slots=True)
class Function(Node):
    """One body; `name` is "" where the text holds just one."""

    name: str
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Module:
    functions: tuple[Function, ...]
    extra: str  #: what follows the statement in AutoPoly's file, `[]` mostly; "" elsewhere

    @property
    def body(self) -> tuple[Statement, ...]:
        """The statements of all functions, in order."""
        if len(self.functions) == 1:
            return self.functions[0].body
        return tuple(s for function in self.functions for s in function.body)


_FUNCTION = "---------"
_ATTRIBUTE = re.compile(r"// attr \[(.*)\] ([^\s=]+) = (.*)")
_AFTER_TARGET = re.compile(r"\] ([^\s=]+) = (.*)")
_NESTED = "// attr [hybrid("
_TARGET_START = _NESTED.index("[")
_LONGEST_ATTRIBUTE = 2000  #: lines
_FOR = re.compile(r"(\w+) \(([^\s,]+), (.*)\) \{")
_FOR_KINDS = frozenset(
    ("for", "parallel", "vectorized", "unrolled", "reduce", "invariant_for", "swizzled")
)
_REALIZE = re.compile(r"realize (\S+?)<([^<>]+)>\(")
_AFTER_BOUNDS = re.compile(r"(?:\.value\[(\d+)\])?(?: if (.*))? \{")
_ALLOCATE = re.compile(r"allocate ([^\s\[]+)\[")
_TARGET = re.compile(r"[^\W\d][\w.]*(?=([\[(]))")
_AFTER_INDICES = re.compile(r"(?:\.value\[(\d+)\])? = ")
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\](){},]')
_EXTRA = re.compile(r"\n, (\[.*\])\]\s*\Z", re.DOTALL)

_Close = Callable[[int, tuple["Statement", ...]], "Statement"]


def parse(text: str) -> Module:
    """The statements of a pass file.

    Raises StatementError naming the line that does not belong to the language.
    """
    if why := refusal(text):
        raise StatementError(f"this text is not read: {why}", 0)
    extra = ""
    if text.startswith("["):
        tail = _EXTRA.search(text)
        if tail is None:
            raise StatementError("the text starts with '[' but does not end in ', [...]]'.", 1)
        text, extra = " " + text[1 : tail.start()], tail[1]
    return Module(_Reader(text).functions(), extra)


class _Open:
    """A block whose closing brace is still to come."""

    __slots__ = ("arms", "body", "close", "first", "otherwise")

    def __init__(self, first: int, close: _Close | None, condition: str = "") -> None:
        self.first = first
        self.close = close  #: None for an `if`
        self.body: list[Statement] = []
        #: earlier arms of an `if` and this one: (first line, condition, statements)
        self.arms: list[tuple[int, str, list[Statement]]] = []
        self.otherwise: list[Statement] | None = None
        if close is None:
            self.arms.append((first, condition, self.body))


class _Reader:
    """One pass over the lines."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.done: list[Function] = []
        self.name, self.first = "", 1  # of the function being read
        self.outermost: list[Statement] = []
        self.body = self.outermost  # the block being filled
        self.stack: list[_Open] = []

    def functions(self) -> tuple[Function, ...]:
        lines, number, count = self.lines, 0, len(self.lines)
        while number < count:
            line = lines[number].strip()
            number += 1
            if not line:
                continue
            if line == "}":
                self._close(number)
            elif line.startswith("// attr ["):
                number = self._attribute(line, number)
            elif line.endswith(" {"):
                self._open(line, number)
            elif line.startswith(_FUNCTION):
                self._end_function(number - 1)
                self.name, self.first = line[len(_FUNCTION) :], number
            else:
                self.body.append(_leaf(line, number))
        self._end_function(count)
        return tuple(self.done) or (Function(1, count, "", ()),)

    def _close(self, number: int) -> None:
        if not self.stack:
            raise StatementError("this '}' closes no block.", number)
        closed = _closed(self.stack.pop(), number)
        self.body = self.stack[-1].body if self.stack else self.outermost
        self.body.append(closed)

    def _open(self, line: str, number: int) -> None:
        if len(self.stack) >= MOST_NESTED:
            raise StatementError("blocks are nested too deeply.", number)
        if not line.startswith("} else "):
            self.stack.append(_opened(line, number))
            self.body = self.stack[-1].body
            return
        if not self.stack or self.stack[-1].close or self.stack[-1].otherwise is not None:
            raise StatementError("this 'else' has no 'if'.", number)
        if len(self.stack[-1].arms) >= MOST_NESTED:
            raise StatementError("this 'if' has too many arms.", number)
        self.body = _next_arm(self.stack[-1], line, number)

    def _end_function(self, last: int) -> None:
        if self.stack:
            raise StatementError("this block is never closed.", self.stack[-1].first)
        if self.outermost or self.name:
            self.done.append(Function(self.first, last, self.name, tuple(self.outermost)))
        self.outermost = self.body = []

    def _attribute(self, line: str, number: int) -> int:
        """An attribute; its last line, since it may hold the text of a user's own loop nest."""
        found = _ATTRIBUTE.fullmatch(line)
        if found and not line.startswith(_NESTED):
            self.body.append(Attribute(number, number, found[1], found[2], found[3]))
            return number
        rest = "\n".join((line, *self.lines[number : number + _LONGEST_ATTRIBUTE]))
        found = _AFTER_TARGET.match(rest, _closing(rest, _TARGET_START, number))
        if found is None:
            raise StatementError("an attribute without '] key = value'.", number)
        target = rest[_TARGET_START + 1 : found.start()]
        last = number + target.count("\n")
        self.body.append(Attribute(number, last, target, found[1], found[2].rstrip()))
        return last


def _opened(line: str, number: int) -> _Open:
    """The block that a line ending in ' {' opens."""
    if line.startswith("if (") and line.endswith(") {"):
        return _Open(number, None, line[4:-3])
    loop = _FOR.fullmatch(line)
    if loop and loop[1] in _FOR_KINDS:
        kind, variable, bounds = loop[1], loop[2], loop[3].split(", ")
        if len(bounds) != 2:
            bounds = _split(loop[3], number)
        if len(bounds) != 2:
            raise StatementError("a loop needs a variable, a minimum and an extent.", number)
        minimum, extent = bounds
        return _Open(
            number, lambda last, body: For(number, last, kind, variable, minimum, extent, body)
        )
    if line.startswith("produce "):
        name = line[8:-2]
        return _Open(number, lambda last, body: Produce(number, last, name, body))
    head = _REALIZE.match(line)
    if head is None:
        raise StatementError(f"{line[:60]!r} opens no block of the statement language.", number)
    name, dtype = head[1], head[2]
    end = _closing(line, head.end() - 1, number)
    tail = _AFTER_BOUNDS.fullmatch(line, end + 1)
    bounds = tuple(_bound(b, number) for b in _split(line[head.end() : end], number))
    if tail is None:
        raise StatementError("cannot read what follows the bounds of 'realize'.", number)
    value_index = int(tail[1]) if tail[1] else None
    condition = tail[2]
    return _Open(
        number,
        lambda last, body: Realize(number, last, name, dtype, bounds, value_index, condition, body),
    )


def _bound(text: str, line: int) -> tuple[str, str]:
    pair = _split(text[1:-1], line)
    if len(pair) != 2 or text[0] != "[":
        raise StatementError(f"{text!r} is no pair of minimum and extent.", line)
    return pair[0], pair[1]


def _next_arm(block: _Open, line: str, number: int) -> list[Statement]:
    block.body = []
    if line == "} else {":
        block.otherwise = block.body
    elif line.startswith("} else if (") and line.endswith(") {"):
        block.arms.append((number, line[11:-3], block.body))
    else:
        raise StatementError(f"{line[:60]!r} is no arm of an 'if'.", number)
    return block.body


def _closed(block: _Open, last: int) -> Statement:
    if block.close:
        return block.close(last, tuple(block.body))
    node: tuple[Statement, ...] = tuple(block.otherwise or ())
    for first, condition, body in reversed(block.arms):
        node = (If(first, last, condition, tuple(body), node),)
    return node[0]


def _leaf(line: str, number: int) -> Statement:
    """A statement that opens no block."""
    if line.startswith("allocate "):
        return _allocate(line, number)
    if line.startswith("let "):
        name, equals, value = line[4:].partition(" = ")
        if not equals:
            raise StatementError("'let' without ' = '.", number)
        return Let(number, number, name, value)
    if line.startswith("assert(") and line.endswith(")"):
        parts = _split(line[7:-1], number)
        if len(parts) != 2:
            raise StatementError("'assert' needs a condition and a message.", number)
        return Assert(number, number, parts[0], parts[1])
    if line.startswith("free ") and " " not in line[5:]:
        return Free(number, number, line[5:])
    target = _TARGET.match(line)
    if target and " = " in line:
        return _assignment(line, target, number)
    return Evaluate(number, number, line)


def _assignment(line: str, target: re.Match[str], number: int) -> Statement:
    """A store, a provide, or a call that merely has ' = ' inside (a `let`, a text)."""
    start = target.end()
    store = target[1] == "["
    end = line.find("] = " if store else ") = ", start)
    if end < 0 or '"' in line[:end]:
        end = _closing(line, start, number)
    if store:
        if line.startswith(" = ", end + 1):
            return Store(number, number, target[0], line[start + 1 : end], line[end + 4 :])
        return Evaluate(number, number, line)
    tail = _AFTER_INDICES.match(line, end + 1)
    if tail is None:
        return Evaluate(number, number, line)
    indices = tuple(_split(line[start + 1 : end], number))
    value_index = int(tail[1]) if tail[1] else None
    return Provide(number, number, target[0], indices, value_index, line[tail.end() :])


def _allocate(line: str, number: int) -> Allocate:
    head = _ALLOCATE.match(line)
    if head is None:
        raise StatementError("'allocate' without a name and '['.", number)
    end = _closing(line, head.end() - 1, number)
    dtype, *extents = line[head.end() : end].split(" * ")
    rest = line[end + 1 :]
    if rest and not rest.startswith(" if "):
        raise StatementError(f"cannot read {rest[:60]!r} after an allocation.", number)
    return Allocate(number, number, head[1], dtype, tuple(extents), rest[4:] or None)


def _split(text: str, line: int) -> list[str]:
    """Cut at the commas that stand in no bracket."""
    if not text:
        return []
    if "(" not in text and "[" not in text and '"' not in text and "{" not in text:
        return text.split(", ")
    parts: list[str] = []
    depth = start = 0
    for found in _BRACKETS.finditer(text):
        token = found[0]
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
            if depth < 0:
                raise StatementError(f"a {token!r} too many.", line)
        elif token == "," and depth == 0:
            parts.append(text[start : found.start()])
            start = found.end() + 1
    if depth:
        raise StatementError("a bracket is never closed.", line)
    parts.append(text[start:])
    return parts


def _closing(text: str, start: int, line: int) -> int:
    """Where the bracket that opens at `start` closes."""
    depth = 0
    for found in _BRACKETS.finditer(text, start):
        token = found[0]
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
            if depth == 0:
                return found.start()
    raise StatementError("a bracket is never closed.", line)


def blocks(statement: Statement) -> tuple[tuple[Statement, ...], ...]:
    """The blocks that a statement holds, in the order of the text; none for a leaf."""
    match statement:
        case For() | Produce() | Realize():
            return (statement.body,)
        case If():
            return (
                (statement.then, statement.otherwise) if statement.otherwise else (statement.then,)
            )
        case _:
            return ()


def walk(statements: Sequence[Statement]) -> Iterator[Statement]:
    """All statements, each before those inside it, in the order of the text."""
    pending = list(reversed(statements))
    while pending:
        statement = pending.pop()
        yield statement
        for block in reversed(blocks(statement)):
            pending.extend(reversed(block))
