"""Ranges of expressions hold whatever the expression can be, and are exact for single values."""

from __future__ import annotations

import itertools
import math
import random
import re

import pytest

from core.ir.interval import EVERY, ranged

NAMES = ("a", "b", "c")
BINARY = ("+", "-", "*", "/", "%", "<", "<=", "==", "!=", ">", ">=")
CALLS = ("min", "max", "floordiv", "floormod")


def expression(source: random.Random, depth: int) -> str:
    if depth == 0 or source.random() < 0.2:
        return source.choice((*NAMES, str(source.randint(-9, 9))))
    left = expression(source, depth - 1)
    right = expression(source, depth - 1)
    kind = source.random()
    if kind < 0.6:
        operator = source.choice(BINARY)
        divisor = str(source.randint(1, 7)) if operator in "/%" else right
        return f"({left} {operator} {divisor})"
    if kind < 0.85:
        name = source.choice(CALLS)
        divisor = str(source.randint(1, 7)) if name.startswith("floor") else right
        return f"{name}({left}, {divisor})"
    return f"select({left}, {right}, {expression(source, depth - 1)})"


def value(text: str, at: dict[str, int]) -> int:
    """The value by Python's own arithmetic."""

    class Whole(int):
        def __truediv__(self, other: int) -> Whole:
            return Whole(math.trunc(int(self) / int(other)))

        def __mod__(self, other: int) -> Whole:
            return Whole(int(math.fmod(int(self), int(other))))

        def __add__(self, other: int) -> Whole:
            return Whole(int(self) + int(other))

        def __sub__(self, other: int) -> Whole:
            return Whole(int(self) - int(other))

        def __mul__(self, other: int) -> Whole:
            return Whole(int(self) * int(other))

    scope = {
        **{name: Whole(number) for name, number in at.items()},
        "min": lambda left, right: Whole(min(int(left), int(right))),
        "max": lambda left, right: Whole(max(int(left), int(right))),
        "floordiv": lambda left, right: Whole(int(left) // int(right)),
        "floormod": lambda left, right: Whole(int(left) - int(left) // int(right) * int(right)),
        "select": lambda test, then, otherwise: then if int(test) else otherwise,
        "W": Whole,
    }
    return int(eval(_numbers(text), {"__builtins__": {}}, scope))


def _numbers(text: str) -> str:
    return re.sub(r"(?<![\w.])-?\d+", lambda found: f"W({found[0]})", text)


@pytest.mark.parametrize("seed", range(150))
def test_a_range_holds_every_value(seed):
    source = random.Random(seed)
    text = expression(source, 3)
    ends = {name: sorted(source.choices(range(-8, 9), k=2)) for name in NAMES}
    low, high = ranged(text).of({name: (a, b) for name, (a, b) in ends.items()})
    for point in itertools.product(*(range(a, b + 1) for a, b in ends.values())):
        at = dict(zip(NAMES, point, strict=True))
        exact = value(text, at)
        assert low <= exact <= high, (text, at)
        assert ranged(text).of({name: (n, n) for name, n in at.items()}) == (exact, exact)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("((a*8) + b)", (0, 63)),
        ("(240 - (a*16))", (128, 240)),
        ("shift_right(a, 1):int32:PI", (0, 3)),
        ("bitwise_and(b, 3):int32:PI", (0, 3)),
        ("ramp(a, 2, 8)", (0, 21)),
        ("x4(b)", (0, 7)),
        ("likely((a < 8))", (1, 1)),
        ("uint8(a)", (0, 7)),
        ("(let k = (a + 1) in (k*2))", (2, 16)),
        ("x[a]", EVERY),
        ("unknown", EVERY),
        ("(unknown % 8)", (-7, 7)),
        ("floormod(unknown, 8)", (0, 7)),
        ("min(unknown, 5)", (-math.inf, 5)),
        ("(unknown*0)", (0, 0)),
        ("int8(unknown)", (-128, 127)),
    ],
)
def test_what_the_language_has(text, expected):
    assert ranged(text).of({"a": (0, 7), "b": (0, 7)}) == expected
