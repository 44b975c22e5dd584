"""Expressions of AKG's statement language: text to tree, and walking that tree.

The language is fully parenthesised, so no precedence is needed: a binary operation is always
`(left op right)`, and what follows ` if ` is one operand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache


class StatementError(ValueError):
    """Text that is not of the statement language: one sentence, and the line where it was met."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(f"Line {line}: {message}" if line else message)
        self.message = message
        self.line = line  #: 1-based; 0 for an expression read by itself


@dataclass(frozen=True, slots=True)
class Number:
    """A constant. `dtype` is int32 for a bare whole number and float64 for a bare decimal one."""

    value: int | float
    dtype: str


@dataclass(frozen=True, slots=True)
class String:
    value: str


@dataclass(frozen=True, slots=True)
class Variable:
    """A name used as a value: a loop variable, a buffer handed to a call, a pointer."""

    name: str


@dataclass(frozen=True, slots=True)
class Not:
    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary:
    operator: str  #: + - * / % == != < <= > >= && ||
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Load:
    """`buffer[index]`; the predicate carries alignment in some passes (`if -2`)."""

    buffer: str
    index: Expression
    predicate: Expression | None


@dataclass(frozen=True, slots=True)
class Cast:
    dtype: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Call:
    """`name(arguments)`, with `:dtype:kind` after it for all but tensor reads and built-ins.

    `kind` is PI, I, EX, PE or ECPP (pure or impure intrinsic, external call …), "" where the text
    has none: then `name` is a tensor that is read, or min, max, select, floordiv, floormod, ramp,
    or `xN` for a value repeated N times.
    """

    name: str
    arguments: tuple[Expression, ...]
    dtype: str
    kind: str


@dataclass(frozen=True, slots=True)
class LetIn:
    name: str
    value: Expression
    body: Expression


@dataclass(frozen=True, slots=True)
class Sequence:
    """`[a, b]`, as attributes hold them."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """`{"key": value}`, as attributes hold them."""

    items: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class Keyword:
    """`name=value` inside `range(min=0, ext=32)`, `Tensor(shape=[4], op.name=x)`."""

    name: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Missing:
    """Nothing between two commas: `iter_var(blockIdx.x, , blockIdx.x)`."""


@dataclass(frozen=True, slots=True)
class Predicated:
    """A stored value with the store's own predicate, `value if predicate`."""

    value: Expression
    predicate: Expression


Expression = (
    Number
    | String
    | Variable
    | Not
    | Binary
    | Load
    | Cast
    | Call
    | LetIn
    | Sequence
    | Record
    | Keyword
    | Missing
    | Predicated
)

# Every alternative is free of groups, so that findall gives plain strings: one C call per text.
_TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"'
    r"|[^\W\d][\w.]*"
    r"|0x[0-9a-fA-F]+"
    r"|-?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|inf|nan)[fh]?"
    r"|&&|\|\||[=!<>]=|[-+*/%<>=!()\[\]{},:]"
    r"|\S"
)
_OPERATORS = frozenset(("+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||"))
_TYPE = re.compile(r"(?:u?int|float|bfloat|bool|handle)\d*(?:x\d+)?")
_FLOAT = re.compile(r"-?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|inf|nan)([fh]?)")
_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{2}|.)")
_ESCAPED = {"t": "\t", "r": "\r", "n": "\n"}
_FLOAT_SUFFIX = {"": "float64", "f": "float32", "h": "float16"}
_END = ""
_MISSING = Missing()


class _Unexpected(Exception):
    """A token that cannot stand where it was met."""


def parse_expression(text: str) -> Expression:
    """The tree of one expression. Raises StatementError (line 0) where the text is none."""
    return _parse(text)


@lru_cache(maxsize=8192)  # dumps repeat the same few texts over and over
def _parse(text: str) -> Expression:
    tokens = _TOKEN.findall(text)
    tokens.append(_END)
    tokens.reverse()
    try:
        tree = _read(tokens)
        if tokens[-1] == "if":
            tokens.pop()
            tree = Predicated(tree, _read(tokens))
        if tokens[-1] != _END:
            raise _Unexpected(tokens[-1])
    except _Unexpected as error:
        found = str(error)
        what = f"{found!r} is out of place" if found else "it ends too early"
        raise StatementError(f"cannot read the expression {_cut(text)!r}: {what}.", 0) from None
    except IndexError:  # read beyond the end
        message = f"cannot read the expression {_cut(text)!r}: it ends too early."
        raise StatementError(message, 0) from None
    except RecursionError:
        raise StatementError(f"the expression {_cut(text)!r} is nested too deeply.", 0) from None
    return tree


def _cut(text: str, limit: int = 80) -> str:
    return text if len(text) <= limit else text[: limit // 2] + " … " + text[-limit // 2 :]


def _expect(tokens: list[str], wanted: str) -> None:
    found = tokens.pop()
    if found != wanted:
        raise _Unexpected(found)


def _read(tokens: list[str]) -> Expression:
    """One operand, taken off the end of the reversed tokens. One frame a level of nesting."""
    token = tokens.pop()
    if token == "(":
        following = tokens[-1]
        if following == "let" and tokens[-3] == "=":
            return _read_let(tokens)
        if tokens[-2:-1] == [")"] and _TYPE.fullmatch(following):
            del tokens[-2:]
            return _read_constant(tokens.pop(), following)
        left = _read(tokens)
        operator = tokens.pop()
        if operator == ")":
            return left
        if operator not in _OPERATORS:
            raise _Unexpected(operator)
        right = _read(tokens)
        if tokens.pop() != ")":
            raise _Unexpected(operator)
        return Binary(operator, left, right)
    first = token[:1]
    if first.isalpha() or first == "_":
        return _read_name(token, tokens)
    return _read_plain(token, tokens)


def _read_plain(token: str, tokens: list[str]) -> Expression:
    """An operand that is neither in parentheses nor starts with a name."""
    first = token[:1]
    if first.isdigit() or (first == "-" and len(token) > 1):
        return _read_constant(token, "")
    if first == '"':
        return String(_unquote(token))
    if token == "!":
        return Not(_read(tokens))
    if token == "[":
        return Sequence(tuple(_read_list(tokens, "]")))
    if token == "{":
        return _read_record(tokens)
    raise _Unexpected(token)


def _read_name(name: str, tokens: list[str]) -> Expression:
    following = tokens[-1]
    if following == "(":
        tokens.pop()
        arguments = tuple(_read_list(tokens, ")"))
        if tokens[-1] == ":":
            _expect(tokens, ":")
            dtype = tokens.pop()
            _expect(tokens, ":")
            return Call(name, arguments, dtype, tokens.pop())
        if len(arguments) == 1 and _TYPE.fullmatch(name):
            return Cast(name, arguments[0])
        return Call(name, arguments, "", "")
    if following == "[":
        tokens.pop()
        index = _read(tokens)
        _expect(tokens, "]")
        if tokens[-1] == "if":
            tokens.pop()
            return Load(name, index, _read(tokens))
        return Load(name, index, None)
    if following == "=":
        tokens.pop()
        return Keyword(name, _read(tokens))
    suffix = _FLOAT.fullmatch(name)
    if suffix:
        return Number(float(name[:3]), _FLOAT_SUFFIX[suffix[1]])
    return Variable(name)


def _read_list(tokens: list[str], end: str) -> list[Expression]:
    items: list[Expression] = []
    if tokens[-1] == end:
        tokens.pop()
        return items
    while True:
        if tokens[-1] == ",":
            items.append(_MISSING)
        else:
            items.append(_read(tokens))
        separator = tokens.pop()
        if separator == end:
            return items
        if separator != ",":
            raise _Unexpected(separator)


def _read_record(tokens: list[str]) -> Record:
    items: list[tuple[str, Expression]] = []
    while tokens[-1] != "}":
        key = tokens.pop()
        _expect(tokens, ":")
        items.append((_unquote(key) if key[:1] == '"' else key, _read(tokens)))
        if tokens[-1] == ",":
            tokens.pop()
    tokens.pop()
    return Record(tuple(items))


def _read_let(tokens: list[str]) -> LetIn:
    tokens.pop()
    name = tokens.pop()
    _expect(tokens, "=")
    value = _read(tokens)
    _expect(tokens, "in")
    body = _read(tokens)
    _expect(tokens, ")")
    return LetIn(name, value, body)


def _read_constant(token: str, dtype: str) -> Expression:
    try:
        if token.startswith("0x"):
            return Variable(token)
        if token.lstrip("-").isdigit():
            return Number(int(token), dtype or "int32")
        suffix = _FLOAT.fullmatch(token)
        if suffix:
            digits = token[:-1] if suffix[1] else token
            return Number(float(digits), dtype or _FLOAT_SUFFIX[suffix[1]])
    except ValueError:
        pass
    raise _Unexpected(token)


def _unquote(token: str) -> str:
    if "\\" not in token:
        return token[1:-1]
    return _ESCAPE.sub(
        lambda m: chr(int(m[1][1:], 16)) if m[1][0] == "x" else _ESCAPED.get(m[1], m[1]),
        token[1:-1],
    )


def children(tree: Expression) -> tuple[Expression, ...]:
    """The direct operands, in the order of the text."""
    match tree:
        case Binary():
            return (tree.left, tree.right)
        case Call():
            return tree.arguments
        case Load():
            return (tree.index,) if tree.predicate is None else (tree.index, tree.predicate)
        case Cast() | Keyword():
            return (tree.value,)
        case Not():
            return (tree.operand,)
        case LetIn():
            return (tree.value, tree.body)
        case Sequence():
            return tree.items
        case Record():
            return tuple(value for _, value in tree.items)
        case Predicated():
            return (tree.value, tree.predicate)
        case _:
            return ()


def walk(tree: Expression) -> Iterator[Expression]:
    """The tree's nodes, each before its operands, in the order of the text."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(children(node)))
