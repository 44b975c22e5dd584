"""Index arithmetic of MLIR worked out: what a value is, given the counters of the loops around."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.ir.arithmetic import Unknown, apply
from core.ir.mlir import Block, Operation, Value
from core.ir.mlir_memory import constant

Counters = Mapping[int, int]  #: by the id of the value that counts

#: Operations that give their operand as it is, as far as whole numbers go.
_SAME = frozenset(
    (
        "arith.index_cast",
        "arith.index_castui",
        "arith.extsi",
        "arith.extui",
        "arith.trunci",
        "index.casts",
        "index.castu",
    )
)
_BINARY = {
    "arith.addi": "+",
    "arith.subi": "-",
    "arith.muli": "*",
    "arith.divsi": "/",
    "arith.divui": "/",
    "arith.remsi": "%",
    "arith.remui": "%",
    "arith.floordivsi": "floordiv",
    "arith.minsi": "min",
    "arith.minui": "min",
    "arith.maxsi": "max",
    "arith.maxui": "max",
    "arith.andi": "&",
    "arith.ori": "|",
    "arith.xori": "^",
    "index.add": "+",
    "index.sub": "-",
    "index.mul": "*",
}
_COMPARED = {
    "eq": "==", "ne": "!=", "slt": "<", "sle": "<=", "sgt": ">", "sge": ">=",
    "ult": "<", "ule": "<=", "ugt": ">", "uge": ">=",
}  # fmt: skip
_GENERIC_COMPARED = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_PREDICATE = re.compile(r"\s*(\w+),")
_BOOLEAN = re.compile(r"\s*(true|false)\b")
_MAP = re.compile(r"affine_map<\(([^()]*)\)(?:\[([^\]]*)\])?\s*->\s*\((.*)\)>", re.DOTALL)
_APPLIED = re.compile(r"\s*(affine_map<.*?\)>|#[\w$.]+)\s*(?:\(([^()]*)\))?\s*(?:\[([^\]]*)\])?")
_TOKEN = re.compile(r"\d+|[a-z]\w*|[-+*()]|\S")
_FIRST_COMMA = re.compile(r",(?![^(]*\))")
_FORALL = re.compile(r"\(([^()]*)\)\s*in\s*\(([^()]*)\)")
_DEPTH = 200


@dataclass(frozen=True, slots=True)
class Counted:
    """A counter of a loop, and the operands or literals that bound it."""

    counter: Value
    start: Value | int
    stop: Value | int
    step: Value | int


def counters(loop: Operation) -> list[Counted]:
    """The counters of a loop; none where its bounds are not of a form that is read here."""
    if not loop.regions or not loop.regions[0]:
        return []
    arguments = loop.regions[0][0].arguments
    if loop.name == "scf.for" and arguments and len(loop.operands) >= 3:
        start, stop, step = loop.operands[:3]
        return [Counted(arguments[0], start, stop, step)]
    if loop.name == "scf.forall" and not loop.generic:
        found = _FORALL.search(loop.head)
        if found is None:
            return []
        names = {value.name: value for value in (*arguments, *loop.operands)}
        own = [names.get(name.strip()) for name in found[1].split(",")]
        ends = [_bound(text.strip(), names) for text in found[2].split(",")]
        if len(own) != len(ends):
            return []
        pairs = zip(own, ends, strict=True)
        return [Counted(c, 0, end, 1) for c, end in pairs if c is not None and end is not None]
    return []


def _bound(text: str, names: Mapping[str, Value]) -> Value | int | None:
    return int(text) if text.lstrip("-").isdigit() else names.get(text)


def trips(loop: Operation) -> int | None:
    """How often a loop runs, all its counters taken together; None where the text does not tell."""
    found = counters(loop)
    total = 1
    for one in found:
        try:
            start, stop, step = (number(bound, {}) for bound in (one.start, one.stop, one.step))
        except Unknown:
            return None
        if step <= 0:
            return None
        total *= max(0, -(-(stop - start) // step))
    return total if found else None


def number(bound: Value | int, known: Counters) -> int:
    """A bound of a loop. Raises Unknown."""
    return bound if isinstance(bound, int) else value_of(bound, known)


def value_of(value: Value, known: Counters, depth: int = 0) -> int:
    """The whole number that a value is. Raises Unknown where only running the code would tell."""
    if id(value) in known:
        return known[id(value)]
    operation = value.owner
    if not isinstance(operation, Operation) or depth > _DEPTH:
        raise Unknown
    name = operation.name
    if name == "arith.constant":
        return _constant(value, operation)
    operands = operation.operands
    if name in _SAME and len(operands) == 1:
        return value_of(operands[0], known, depth + 1)
    if name in _BINARY and len(operands) == 2:
        left, right = (value_of(operand, known, depth + 1) for operand in operands)
        return apply(_BINARY[name], left, right)
    if name == "arith.cmpi" and len(operands) == 2:
        left, right = (value_of(operand, known, depth + 1) for operand in operands)
        return apply(_comparison(operation), left, right)
    if name == "arith.select" and len(operands) == 3:
        taken = value_of(operands[0], known, depth + 1)
        return value_of(operands[1 if taken else 2], known, depth + 1)
    if name in ("affine.apply", "affine.min", "affine.max"):
        return _affine(operation, known, depth)
    raise Unknown


def _constant(value: Value, operation: Operation) -> int:
    known = constant(value)
    if known is not None:
        return known
    boolean = _BOOLEAN.match(operation.head)
    if boolean is None:
        raise Unknown
    return int(boolean[1] == "true")


def _comparison(operation: Operation) -> str:
    if operation.generic:
        place = operation.attributes.get("predicate", "").partition(" ")[0]
        known = int(place) if place.isdigit() else -1
        predicate = _GENERIC_COMPARED[known] if 0 <= known < len(_GENERIC_COMPARED) else ""
    else:
        found = _PREDICATE.match(operation.head)
        predicate = found[1] if found else ""
    return _COMPARED.get(predicate, "")


def _affine(operation: Operation, known: Counters, depth: int) -> int:
    applied = _APPLIED.match(operation.head)
    if operation.generic or applied is None:
        raise Unknown
    dimensions, symbols, results = affine_map(operation.module.resolved(applied[1]))
    names = {value.name: value for value in operation.operands}
    values: dict[str, int] = {}
    for own, given in ((dimensions, applied[2]), (symbols, applied[3])):
        handed = [name.strip() for name in (given or "").split(",") if name.strip()]
        if len(own) != len(handed):
            raise Unknown
        for name, text in zip(own, handed, strict=True):
            if text not in names:
                raise Unknown
            values[name] = value_of(names[text], known, depth + 1)
    numbers = [result(values) for result in results]
    if not numbers:
        raise Unknown
    return max(numbers) if operation.name == "affine.max" else min(numbers)


# --- affine maps ----------------------------------------------------------------------------------

_Result = Callable[[Mapping[str, int]], int]
_MULTIPLYING = {"*": "*", "floordiv": "floordiv", "mod": "floormod", "ceildiv": "ceildiv"}


@lru_cache(maxsize=1024)
def affine_map(text: str) -> tuple[Sequence[str], Sequence[str], Sequence[_Result]]:
    """Dimensions, symbols and results of `affine_map<(d0)[s0] -> (d0 + s0)>`. Raises Unknown."""
    found = _MAP.fullmatch(text.strip())
    if found is None:
        raise Unknown
    dimensions = [name.strip() for name in found[1].split(",") if name.strip()]
    symbols = [name.strip() for name in (found[2] or "").split(",") if name.strip()]
    return dimensions, symbols, [_result(part) for part in _FIRST_COMMA.split(found[3])]


def _result(text: str) -> _Result:
    tokens = _TOKEN.findall(text)
    tokens.append("")
    tokens.reverse()
    result = _sum(tokens)
    if tokens != [""]:
        raise Unknown
    return result


def _sum(tokens: list[str]) -> _Result:
    left = _product(tokens)
    while tokens[-1] in ("+", "-"):
        left = _combined(tokens.pop(), left, _product(tokens))
    return left


def _product(tokens: list[str]) -> _Result:
    left = _atom(tokens)
    while tokens[-1] in _MULTIPLYING:
        left = _combined(_MULTIPLYING[tokens.pop()], left, _atom(tokens))
    return left


def _atom(tokens: list[str]) -> _Result:
    token = tokens.pop()
    if token == "-":
        inside = _atom(tokens)
        return lambda values: -inside(values)
    if token == "(":
        inside = _sum(tokens)
        if tokens.pop() != ")":
            raise Unknown
        return inside
    if token.isdigit():
        constant_ = int(token)
        return lambda _: constant_
    if token.isidentifier():
        return _named(token)
    raise Unknown


def _named(name: str) -> _Result:
    def result(values: Mapping[str, int]) -> int:
        if name not in values:
            raise Unknown  # a map that names what it does not take
        return values[name]

    return result


def _combined(name: str, left: _Result, right: _Result) -> _Result:
    if name == "ceildiv":
        return lambda values: -apply("floordiv", -left(values), right(values))
    return lambda values: apply(name, left(values), right(values))


def around(operation: Operation) -> list[tuple[Operation, Block]]:
    """The operations around one, outermost first, each with the block of it that leads inside."""
    found: list[tuple[Operation, Block]] = []
    block = operation.parent
    while block.parent is not None:
        found.append((block.parent, block))
        block = block.parent.parent
    found.reverse()
    return found
