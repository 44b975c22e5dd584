"""The CCE C text that AKG emits (akg_kernel_meta/<kernel>.cce): declarations, loops, calls.

The text is a machine's: one statement a line, blocks always in braces. What it says that no pass
file does is where each buffer lies in its memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.ir import MOST_NESTED, refusal
from core.ir.expression import Binary, Call, Cast, Expression, Load, Not, Number, String, Variable


class CceError(ValueError):
    """Text that is no CCE kernel: one sentence, and the line where it was met (0: unknown)."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(f"Line {line}: {message}" if line else message)
        self.message = message
        self.line = line


#: CCE's address-space qualifiers and the memories they stand for.
MEMORIES = {
    "__gm__": "GM",
    "__ubuf__": "UB",
    "__cbuf__": "L1",
    "__ca__": "L0A",
    "__cb__": "L0B",
    "__cc__": "L0C",
}
#: C types and the names that the compiler's own IR uses for them.
_DTYPES = {"half": "float16", "float": "float32", "double": "float64"}


@dataclass(frozen=True, slots=True)
class Pointer:
    """A buffer's place: `__ubuf__ half* a = (__ubuf__ half *)(65536);`."""

    name: str
    memory: str  #: UB, L1, L0A, L0B, L0C
    dtype: str  #: float16, float32, int32 …
    offset_bytes: int
    line: int


@dataclass(frozen=True, slots=True)
class Parameter:
    """A tensor in global memory, handed to the kernel."""

    name: str
    dtype: str
    line: int


@dataclass(frozen=True, slots=True)
class Use:
    """The first and last line that names a buffer, its declaration apart."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Node:
    first: int  #: first line, from 1
    last: int  #: last line


@dataclass(frozen=True, slots=True)
class Loop(Node):
    """`for (int32_t v = start; v < limit; ++v)`; start and limit are C expressions."""

    variable: str
    start: str
    limit: str
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Branch(Node):
    """`} else if` is a Branch alone in `otherwise`."""

    condition: str  #: C expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Invoke(Node):
    """A call made for its effect: an instruction."""

    name: str
    arguments: str  #: C expressions, with commas between


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """A scalar store: `a[i] = value;` or `*p = value;`."""

    target: str
    value: str


@dataclass(frozen=True, slots=True)
class Declare(Node):
    """A scalar variable of the kernel's own."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Other(Node):
    """A statement of no kind above, as it stands."""

    text: str


Statement = Loop | Branch | Invoke | Assign | Declare | Other


@dataclass(frozen=True, slots=True)
class Kernel:
    name: str
    parameters: tuple[Parameter, ...]
    pointers: tuple[Pointer, ...]
    uses: Mapping[str, Use]  #: of parameters and pointers that the body names
    body: tuple[Statement, ...]


_HEAD = re.compile(r"__aicore__\s+void\s+(\w+)\s*\((.*)\)\s*\{")
_PARAMETER = re.compile(r"__gm__\s+(\w+)\s*\*\s*(?:__restrict__\s+)?(\w+)")
_POINTER = re.compile(
    r"(__(?:ubuf|cbuf|ca|cb|cc)__)\s+(\w+)\s*\*\s*(\w+)\s*=\s*\([^()]*\*\s*\)\s*\(\s*(\w+)\s*\);"
)
_LOOP = re.compile(r"for \((?:\w+\s+)?(\w+) = (.*?); \1 < (.*); (?:\+\+\1|\1\+\+|\1 \+= 1)\) \{")
_INVOKE = re.compile(r"(\w+)\((.*)\);")
_DECLARE = re.compile(r"(?:const\s+)?\w+\s+\*?\s*(\w+)(?:\[[^=]*\])?(?:\s*=\s*(.*))?;")
_ASSIGN = re.compile(r"([*\w][^=]*?) = (.*);")
_NAME = re.compile(r"[A-Za-z_]\w*")


def parse(text: str) -> Kernel:
    """The kernel of a CCE text. Raises CceError naming the line."""
    if why := refusal(text):
        raise CceError(f"this code is not read: {why}", 0)
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        head = _HEAD.search(line)
        if head:
            parameters = tuple(
                Parameter(name, _dtype(ctype), number)
                for ctype, name in _PARAMETER.findall(head[2])
            )
            return _body(lines, number, head[1], parameters)
    raise CceError("no line declares an '__aicore__ void' kernel.", 0)


def _dtype(ctype: str) -> str:
    return _DTYPES.get(ctype, ctype.removesuffix("_t"))


class _Open:
    """A block whose closing brace is still to come."""

    __slots__ = ("arm", "body", "condition", "first", "loop", "otherwise_of")

    def __init__(self, first: int, loop: re.Match[str] | None, condition: str | None) -> None:
        self.first = first
        self.loop = loop
        self.condition = condition  #: None for a loop, an `else`, a bare block
        self.body: list[Statement] = []
        self.otherwise_of: _Open | None = None  #: the `if` whose other branch this is
        self.arm = 1  #: which one of an `if` with several


def _body(lines: list[str], head: int, name: str, parameters: tuple[Parameter, ...]) -> Kernel:
    pointers: list[Pointer] = []
    names = {p.name for p in parameters}
    uses: dict[str, Use] = {}
    stack = [_Open(head, None, None)]
    for number in range(head + 1, len(lines) + 1):
        line = lines[number - 1].strip()
        if not line or line.startswith(("#", "//")):
            continue
        pointer = _POINTER.fullmatch(line) if line.startswith("__") else None
        if pointer:
            pointers.append(_pointer(pointer, number))
            names.add(pointer[3])
            continue
        for word in names.intersection(_NAME.findall(line)):
            uses[word] = Use(uses[word].first if word in uses else number, number)
        if line.startswith("}"):
            if line == "}" and len(stack) == 1:
                return Kernel(name, parameters, tuple(pointers), uses, tuple(stack[0].body))
            _close(stack, line, number)
        elif line.endswith("{"):
            if len(stack) > MOST_NESTED:
                raise CceError("blocks are nested too deeply.", number)
            stack.append(_opened(line, number))
        else:
            stack[-1].body.append(_simple(line, number))
    raise CceError("this block is never closed.", stack[-1].first)


def _pointer(found: re.Match[str], line: int) -> Pointer:
    qualifier, ctype, name, offset = found.groups()
    try:
        place = int(offset.rstrip("uUlL"), 0)
    except ValueError:
        raise CceError(f"the offset {offset[:40]!r} of {name[:40]} is no number.", line) from None
    return Pointer(name, MEMORIES[qualifier], _dtype(ctype), place, line)


def _opened(line: str, number: int) -> _Open:
    if line.startswith("if ("):
        return _Open(number, None, line[4:].removesuffix("{").rstrip().removesuffix(")"))
    loop = _LOOP.fullmatch(line)
    if loop is None and line != "{":
        raise CceError(f"{line[:60]!r} opens no block known here.", number)
    return _Open(number, loop, None)


def _close(stack: list[_Open], line: str, number: int) -> None:
    if line == "}":
        _finish(stack, number)
        return
    if stack[-1].condition is None or not line.endswith("{"):
        raise CceError(f"{line[:60]!r} continues no 'if'.", number)
    arm = line.removeprefix("}").strip().removeprefix("else").strip()
    block = _Open(number, None, None) if arm == "{" else _opened(arm, number)
    block.otherwise_of = stack.pop()
    block.arm = block.otherwise_of.arm + 1
    if block.arm > MOST_NESTED:
        raise CceError("an 'if' has too many arms.", number)
    stack.append(block)


def _finish(stack: list[_Open], last: int) -> None:
    """Close the innermost block, and every `if` that it is the other branch of."""
    block = stack.pop()
    done = _done(block, last, ())
    while block.otherwise_of:
        block = block.otherwise_of
        done = _done(block, last, done)
    stack[-1].body.extend(done)


def _done(block: _Open, last: int, otherwise: tuple[Statement, ...]) -> tuple[Statement, ...]:
    body = tuple(block.body)
    if block.loop:
        variable, start, limit = block.loop.groups()
        return (Loop(block.first, last, variable, start, limit, body),)
    if block.condition is not None:
        return (Branch(block.first, last, block.condition, body, otherwise),)
    return body


def _simple(line: str, number: int) -> Statement:
    call = _INVOKE.fullmatch(line)
    if call:
        return Invoke(number, number, call[1], call[2])
    declared = _DECLARE.fullmatch(line)
    if declared:
        return Declare(number, number, declared[1], declared[2] or "")
    assigned = _ASSIGN.fullmatch(line)
    if assigned:
        return Assign(number, number, assigned[1], assigned[2])
    return Other(number, number, line)


def walk(statements: Sequence[Statement]) -> Iterator[Statement]:
    """All statements, each before those inside it, in the order of the text."""
    pending = list(reversed(statements))
    while pending:
        statement = pending.pop()
        yield statement
        match statement:
            case Loop():
                pending.extend(reversed(statement.body))
            case Branch():
                pending.extend(reversed(statement.otherwise))
                pending.extend(reversed(statement.then))


_TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*'
    r"|0[xX][0-9a-fA-F]+[uUlL]*|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?[fFuUlL]*"
    r"|<<|>>|&&|\|\||[=!<>]=|[-+*/%<>&|^~!=()\[\],?:.]|\S"
)
_PRECEDENCE = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip
_TYPE = re.compile(r"(?:u?int\d*_t|u?int|half|float|double|bool|char|long|short|void|__\w+__)")
_END = ""


@lru_cache(maxsize=4096)
def parse_expression(text: str) -> Expression:
    """The tree of a C expression; pointer casts are dropped. Raises CceError (line 0)."""
    tokens = _TOKEN.findall(text)
    tokens.append(_END)
    tokens.reverse()
    try:
        tree = _binary(tokens, 0)
    except RecursionError:
        raise CceError("an expression is nested too deeply.", 0) from None
    if tokens != [_END]:
        raise CceError(f"cannot read the C expression {text[:80]!r} at {tokens[-1]!r}.", 0)
    return tree


def _binary(tokens: list[str], level: int) -> Expression:
    left = _unary(tokens)
    while _PRECEDENCE.get(tokens[-1], 0) > level:
        operator = tokens.pop()
        left = Binary(operator, left, _binary(tokens, _PRECEDENCE[operator]))
    return left


def _unary(tokens: list[str]) -> Expression:
    token = tokens.pop()
    match token:
        case "!":
            return Not(_unary(tokens))
        case "-":
            value = _unary(tokens)
            if isinstance(value, Number):
                return Number(-value.value, value.dtype)
            return Binary("-", Number(0, "int32"), value)
        case "*" | "&" | "~":
            return Call(token, (_unary(tokens),), "", "")
        case "(":
            return _parenthesis(tokens)
    return _postfix(_atom(token), tokens)


def _parenthesis(tokens: list[str]) -> Expression:
    if not _TYPE.fullmatch(tokens[-1]):
        inside = _binary(tokens, 0)
        _expect(tokens, ")")
        return _postfix(inside, tokens)
    words: list[str] = []
    while tokens[-1] not in (")", _END):
        words.append(tokens.pop())
    _expect(tokens, ")")
    value = _unary(tokens)
    return value if "*" in words else Cast(_dtype(words[-1]), value)


def _postfix(value: Expression, tokens: list[str]) -> Expression:
    if not isinstance(value, Variable):
        return value
    if tokens[-1] == "(":
        tokens.pop()
        arguments: list[Expression] = []
        while tokens[-1] != ")":
            arguments.append(_binary(tokens, 0))
            if tokens[-1] == ",":
                tokens.pop()
            elif tokens[-1] != ")":
                raise CceError(f"{tokens[-1]!r} is out of place in a C expression.", 0)
        tokens.pop()
        return Call(value.name, tuple(arguments), "", "")
    if tokens[-1] == "[":
        tokens.pop()
        index = _binary(tokens, 0)
        _expect(tokens, "]")
        return Load(value.name, index, None)
    return value


def _atom(token: str) -> Expression:
    first = token[:1]
    if first.isdigit():
        return _number(token)
    if first.isalpha() or first == "_":
        return Variable(token)
    if first == '"':
        return String(token[1:-1])
    what = f"{token!r} is out of place in" if token else "something is missing at the end of"
    raise CceError(f"{what} a C expression.", 0)


def _number(token: str) -> Number:
    if token[:2] in ("0x", "0X"):
        return Number(int(token.rstrip("uUlL"), 16), "int64")
    digits = token.rstrip("fFuUlL")
    if digits.isdigit() and "f" not in token.lower():
        return Number(int(digits), "int32")
    return Number(float(digits), "float32" if token[-1] in "fF" else "float64")


def _expect(tokens: list[str], wanted: str) -> None:
    if tokens.pop() != wanted:
        raise CceError(f"{wanted!r} is missing in a C expression.", 0)
