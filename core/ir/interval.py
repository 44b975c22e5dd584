"""Ranges of whole numbers: what an expression of the statement language can be, given its names.

A range is a pair (least, greatest), both included; an unknown end is an infinite one. A condition
is a range of 0 and 1. Operands are taken to vary independently, so a range may be wider than what
occurs; it is never narrower. Over names that have one value each, it is exact.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import inf, isinf

from core.ir.expression import (
    Binary,
    Call,
    Cast,
    Expression,
    LetIn,
    Not,
    Number,
    Predicated,
    Variable,
    parse_expression,
)
from core.ir.expression import walk as walk_expression

Interval = tuple[float, float]  #: least and greatest: whole numbers, or infinite
Ranges = Mapping[str, Interval]

EVERY: Interval = (-inf, inf)
TRUE: Interval = (1, 1)
FALSE: Interval = (0, 0)
EITHER: Interval = (0, 1)

_Evaluate = Callable[[Ranges], Interval]
_INTEGER = re.compile(r"(u?)int(\d+)|bool")
_REPEATED = re.compile(r"x\d+")


@dataclass(frozen=True, slots=True, eq=False)
class Ranged:
    """An expression made ready to be evaluated over ranges; equal to itself alone."""

    text: str
    names: tuple[str, ...]  #: the variables in it, each once, in the order of the text
    of: _Evaluate  #: its range; a name that is not among the ranges may be anything


@lru_cache(maxsize=16384)
def ranged(text: str) -> Ranged:
    """Read an expression. Raises StatementError where the text is none."""
    if text.isdigit():
        value = int(text)
        return Ranged(text, (), lambda ranges: (value, value))
    return ranged_tree(parse_expression(text), text)


def ranged_tree(tree: Expression, text: str = "") -> Ranged:
    """The same of a tree that has been read already."""
    found = (node.name for node in walk_expression(tree) if isinstance(node, Variable))
    return Ranged(text, tuple(dict.fromkeys(found)), _evaluation(tree))


def join(left: Interval, right: Interval) -> Interval:
    """The least range that holds both."""
    return min(left[0], right[0]), max(left[1], right[1])


def add(left: Interval, right: Interval) -> Interval:
    return left[0] + right[0], left[1] + right[1]


def subtract(left: Interval, right: Interval) -> Interval:
    return left[0] - right[1], left[1] - right[0]


def multiply(left: Interval, right: Interval) -> Interval:
    if left[0] >= 0 and right[0] >= 0:
        return _times(left[0], right[0]), _times(left[1], right[1])
    corners = [_times(a, b) for a in left for b in right]
    return min(corners), max(corners)


def divide(left: Interval, right: Interval) -> Interval:
    """Rounds towards zero, as the language's `/` does."""
    if right[0] <= 0 <= right[1]:
        return EVERY
    corners = [_quotient(a, b) for a in left for b in right]
    return min(corners), max(corners)


def floor_divide(left: Interval, right: Interval) -> Interval:
    if right[0] <= 0 <= right[1]:
        return EVERY
    corners = [_floor_quotient(a, b) for a in left for b in right]
    return min(corners), max(corners)


def remainder(left: Interval, right: Interval) -> Interval:
    """Has the sign of the dividend, as the language's `%` does."""
    low, high = left
    divisor = right[0]
    if divisor != right[1] or divisor <= 0 or isinf(divisor):
        return EVERY
    if low >= 0:
        return floor_remainder(left, right)
    if high <= 0:
        least, greatest = floor_remainder((-high, -low), right)
        return -greatest, -least
    return max(low, 1 - divisor), min(high, divisor - 1)


def floor_remainder(left: Interval, right: Interval) -> Interval:
    low, high = left
    divisor = right[0]
    if divisor != right[1] or divisor <= 0 or isinf(divisor):
        return EVERY
    if isinf(low) or isinf(high) or low // divisor != high // divisor:
        return 0, divisor - 1
    return low % divisor, high % divisor


def _times(left: float, right: float) -> float:
    return left * right if left and right else 0  # and not 0 * inf


def _quotient(left: float, right: float) -> float:
    if isinf(right):
        return 0
    if isinf(left):
        return left if right > 0 else -left
    whole = abs(left) // abs(right)
    return whole if (left < 0) == (right < 0) else -whole


def _floor_quotient(left: float, right: float) -> float:
    if isinf(right):
        return 0 if not left or (left > 0) == (right > 0) else -1
    if isinf(left):
        return left if right > 0 else -left
    return left // right


def _minimum(left: Interval, right: Interval) -> Interval:
    return min(left[0], right[0]), min(left[1], right[1])


def _maximum(left: Interval, right: Interval) -> Interval:
    return max(left[0], right[0]), max(left[1], right[1])


def _shift_right(left: Interval, right: Interval) -> Interval:
    if right[0] < 0 or right[1] > 62:
        return EVERY
    return floor_divide(left, (1 << int(right[0]), 1 << int(right[1])))


def _shift_left(left: Interval, right: Interval) -> Interval:
    if right[0] < 0 or right[1] > 62:
        return EVERY
    return multiply(left, (1 << int(right[0]), 1 << int(right[1])))


def _bits_in_both(left: Interval, right: Interval) -> Interval:
    if left[0] == left[1] and right[0] == right[1] and not isinf(left[0] + right[0]):
        value = int(left[0]) & int(right[0])
        return value, value
    if left[0] < 0 or right[0] < 0:
        return EVERY
    return 0, min(left[1], right[1])


def _less(left: Interval, right: Interval) -> Interval:
    if left[1] < right[0]:
        return TRUE
    return FALSE if left[0] >= right[1] else EITHER


def _at_most(left: Interval, right: Interval) -> Interval:
    if left[1] <= right[0]:
        return TRUE
    return FALSE if left[0] > right[1] else EITHER


def _equal(left: Interval, right: Interval) -> Interval:
    if left[1] < right[0] or right[1] < left[0]:
        return FALSE
    return TRUE if left[0] == left[1] == right[0] == right[1] else EITHER


def _inverse(value: Interval) -> Interval:
    if value[0] > 0 or value[1] < 0:
        return FALSE
    return TRUE if value == FALSE else EITHER


def _both(left: Interval, right: Interval) -> Interval:
    if FALSE in (left, right):
        return FALSE
    return TRUE if left[0] > 0 and right[0] > 0 else EITHER


def _one_of(left: Interval, right: Interval) -> Interval:
    if left[0] > 0 or right[0] > 0:
        return TRUE
    return FALSE if left == right == FALSE else EITHER


_OPERATORS: Mapping[str, Callable[[Interval, Interval], Interval]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "%": remainder,
    "<": _less,
    "<=": _at_most,
    ">": lambda left, right: _less(right, left),
    ">=": lambda left, right: _at_most(right, left),
    "==": _equal,
    "!=": lambda left, right: _inverse(_equal(left, right)),
    "&&": _both,
    "||": _one_of,
}
_CALLS: Mapping[str, Callable[[Interval, Interval], Interval]] = {
    "min": _minimum,
    "max": _maximum,
    "floordiv": floor_divide,
    "floormod": floor_remainder,
    "shift_right": _shift_right,
    "shift_left": _shift_left,
    "bitwise_and": _bits_in_both,
}
_CHOICES = frozenset(("select", "tvm_if_then_else", "if_then_else"))


def _evaluation(tree: Expression) -> _Evaluate:
    match tree:
        case Number(value=int() as value):
            constant = (value, value)
            return lambda ranges: constant
        case Variable(name=name):
            return lambda ranges: ranges.get(name, EVERY)
        case Binary() if tree.operator in _OPERATORS:
            apply = _OPERATORS[tree.operator]
            return _pairwise(apply, _evaluation(tree.left), _evaluation(tree.right))
        case Call(name=name, arguments=(left, right)) if name in _CALLS:
            return _pairwise(_CALLS[name], _evaluation(left), _evaluation(right))
        case Call(name=name, arguments=(condition, then, otherwise)) if name in _CHOICES:
            return _choice(_evaluation(condition), _evaluation(then), _evaluation(otherwise))
        case Call(name="ramp", arguments=(base, stride, Number(value=lanes))):
            return _lanes(_evaluation(base), _evaluation(stride), int(lanes))
        case Call(name=name, arguments=(value,)) if name == "likely" or _REPEATED.fullmatch(name):
            return _evaluation(value)
        case Not():
            operand = _evaluation(tree.operand)
            return lambda ranges: _inverse(operand(ranges))
        case Cast():
            return _cast(tree.dtype, _evaluation(tree.value))
        case Predicated():
            return _evaluation(tree.value)
        case LetIn():
            return _binding(tree.name, _evaluation(tree.value), _evaluation(tree.body))
        case _:
            return lambda ranges: EVERY


def _pairwise(
    apply: Callable[[Interval, Interval], Interval], left: _Evaluate, right: _Evaluate
) -> _Evaluate:
    return lambda ranges: apply(left(ranges), right(ranges))


def _choice(condition: _Evaluate, then: _Evaluate, otherwise: _Evaluate) -> _Evaluate:
    def evaluate(ranges: Ranges) -> Interval:
        least, greatest = condition(ranges)
        if least > 0 or greatest < 0:
            return then(ranges)
        if least == greatest == 0:
            return otherwise(ranges)
        return join(then(ranges), otherwise(ranges))

    return evaluate


def _lanes(base: _Evaluate, stride: _Evaluate, lanes: int) -> _Evaluate:
    return lambda ranges: add(base(ranges), multiply(stride(ranges), (0, lanes - 1)))


def _cast(dtype: str, value: _Evaluate) -> _Evaluate:
    limits = integers(dtype)
    if limits is None:
        return lambda ranges: EVERY
    least, greatest = limits

    def evaluate(ranges: Ranges) -> Interval:
        low, high = value(ranges)
        return (low, high) if least <= low and high <= greatest else limits

    return evaluate


def _binding(name: str, value: _Evaluate, body: _Evaluate) -> _Evaluate:
    return lambda ranges: body({**ranges, name: value(ranges)})


def integers(dtype: str) -> Interval | None:
    """The least and the greatest number of a type; None of one that holds no whole numbers."""
    found = _INTEGER.fullmatch(dtype)
    if found is None:
        return None
    if not found[2]:
        return EITHER
    bits = int(found[2])
    return (0, 2**bits - 1) if found[1] else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
