"""Whole-number expressions worked out: as the compilers and C mean their operators."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from core.ir.expression import (
    Binary,
    Call,
    Cast,
    Expression,
    Not,
    Number,
    Predicated,
    Variable,
)

Values = Mapping[str, int]
Function = Callable[[Values], int]

#: The number of the core, by its names in the two languages.
CORE = "block_idx"
_CORES = frozenset(("blockIdx.x", "block_idx"))


class Unknown(Exception):
    """A value that only running the code would tell."""


def function(tree: Expression) -> Function:
    """An expression as a function of its variables, for many points of a loop nest.

    The function raises Unknown where it reads data, lacks a variable or divides by zero.
    """
    match tree:
        case Number(value=int()):
            number = int(tree.value)
            return lambda _: number
        case Variable():
            return _variable(CORE if tree.name in _CORES else tree.name)
        case Binary():
            return _binary(tree.operator, function(tree.left), function(tree.right))
        case Not():
            inside = function(tree.operand)
            return lambda values: int(not inside(values))
        case Cast():
            return function(tree.value) if "int" in tree.dtype else _unknown
        case Predicated():
            return function(tree.value)
        case Call(name="select", arguments=(condition, then, otherwise)):
            return _select(function(condition), function(then), function(otherwise))
        case Call(arguments=(left, right)):
            return _binary(tree.name, function(left), function(right))
        case _:
            return _unknown


def apply(operation: str, left: int, right: int) -> int:
    """One operation, by its operator or its name. Raises Unknown where it has no value."""
    known = OPERATIONS.get(operation)
    if known is None:
        raise Unknown
    return int(known(left, right))


def _unknown(_: Values) -> int:
    raise Unknown


def _variable(name: str) -> Function:
    def value(values: Values) -> int:
        try:
            return values[name]
        except KeyError:
            raise Unknown from None

    return value


def _select(condition: Function, then: Function, otherwise: Function) -> Function:
    return lambda values: then(values) if condition(values) else otherwise(values)


def _binary(name: str, left: Function, right: Function) -> Function:
    if name == "&&":
        return lambda values: int(bool(left(values)) and bool(right(values)))
    if name == "||":
        return lambda values: int(bool(left(values)) or bool(right(values)))
    known = OPERATIONS.get(name)
    if known is None:
        return _unknown
    return lambda values: int(known(left(values), right(values)))


def _quotient(left: int, right: int) -> int:
    """Division as C does it, towards zero."""
    if not right:
        raise Unknown
    size = abs(left) // abs(right)
    return size if (left < 0) == (right < 0) else -size


def _remainder(left: int, right: int) -> int:
    return left - right * _quotient(left, right)


def _floor(left: int, right: int) -> int:
    if not right:
        raise Unknown
    return left // right


def _left(value: int, by: int) -> int:
    if not 0 <= by < 64:
        raise Unknown
    return value << by


def _right(value: int, by: int) -> int:
    if not 0 <= by < 64:
        raise Unknown
    return value >> by


OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _quotient,
    "%": _remainder,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "<<": _left,
    ">>": _right,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    # the same and more, as the statement language calls them
    "min": min,
    "max": max,
    "floordiv": _floor,
    "floormod": lambda left, right: left - right * _floor(left, right),
    "shift_left": _left,
    "shift_right": _right,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
}
