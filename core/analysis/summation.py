"""In which order and precision a device sums a row: read from the code that its compiler emitted.

Devices give different results mostly because they add the same numbers in another order, or in
another type. An order is a list of levels, innermost first, and can be carried out on numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.reference.emulator import tree_sum

Rows = NDArray[Any]
How = Literal["neighbours", "halves", "kahan", "one by one"]

_LANES = {"float": 64, "half": 128}
_TYPES = {"float": "float32", "half": "float16"}
_VCADD = re.compile(
    r"vcadd\(\(\(__ubuf__ \w+ \*\)(\w+) \+[^,]*\), "
    r"\(\(__ubuf__ (\w+) \*\)(\w+) \+.*?\), (\d+), 1, 1, 8\)"
)
_VADD = re.compile(r"vadd\(\(\(__ubuf__ (\w+) \*\)(\w+) \+ 0\), .*")
_LOOP = re.compile(r"for \(int\d*_?t? (\w+) = 0; \w+ < (\d+);")
_KAHAN = re.compile(r"AkgKahanAccumulation<(\w+)>\(.*&\(acc_\d+\[0\]\), (.*)\);")
_TREE = re.compile(r"AkgReduce<(\w+), ?akg_reduce::SumOp, ?(\d+), ?(\d+), ?akg_reduce::(\w+)>")
_PLAIN = re.compile(r"acc_\d+\[0\] = \(?\(?acc_\d+\[0\] \+")


@dataclass(frozen=True, slots=True)
class Level:
    """One step of a sum: how many values become one, and how."""

    how: How
    terms: int  #: values that become one
    dtype: str  #: in which each addition is rounded
    by: str  #: instruction or function
    line: int  #: of the emitted code, from 1


@dataclass(frozen=True, slots=True)
class Order:
    """How one device sums a row."""

    device: str
    levels: tuple[Level, ...]  #: innermost first
    words: str  #: one sentence
    result: str  #: type of the result
    note: str = ""  #: what it assumes


class NotRead(ValueError):
    """Code whose order is not read here: one sentence."""


def ascend_order(code: str, terms: int, result: str) -> Order:
    """The order in emitted CCE of a sum over the last axis of `terms` values. Raises NotRead."""
    lines = code.splitlines()
    found = [
        (at, match)
        for at, line in enumerate(lines, 1)
        if (match := _VCADD.search(line)) is not None
    ]
    if not found:
        raise NotRead("The code has no vcadd, so it does not sum along a row.")
    (first, lanes), *rest = found
    dtype, width = _TYPES[lanes[2]], _LANES[lanes[2]]
    repeats = int(lanes[4])
    levels = [Level("neighbours", width, dtype, "vcadd", first)]
    tile = width * repeats
    if repeats > 1:
        if not rest:
            raise NotRead("What adds the sums of the lanes is not found in the code.")
        levels.append(Level("neighbours", repeats, dtype, "vcadd", rest[0][0]))
    tiles, left = divmod(terms, tile)
    if left or tiles == 0:
        raise NotRead(
            f"A tile holds {tile:,} values of a row of {terms:,}, with a tail that is not followed."
        )
    after = next(
        (at for at, line in enumerate(lines, 1) if at > found[min(1, len(found) - 1)][0]
         and _VADD.search(line)),
        found[-1][0],
    )  # fmt: skip
    levels.append(Level("one by one", tiles, dtype, "vadd", after))
    second = f", then {repeats} of those sums likewise" if repeats > 1 else ""
    words = (
        f"{width} lanes at a time, neighbours first{second}; {tiles:,} "
        f"{'tile' if tiles == 1 else 'tiles'} of {tile:,} values one after the other; all in "
        f"{dtype}."
    )
    return Order(
        "Ascend", tuple(levels), words, result,
        "The order inside vcadd is not in the code: a binary tree over neighbours, as the guide to "
        "the instructions says.",
    )  # fmt: skip


def gpu_order(code: str, terms: int, result: str) -> Order:
    """The order in emitted CUDA of a sum over the last axis of `terms` values. Raises NotRead."""
    lines = code.splitlines()
    tree = next(((at, m) for at, line in enumerate(lines, 1) if (m := _TREE.search(line))), None)
    if tree is None or tree[1][4] == "REDUCE2D_Y":
        raise NotRead("The code does not sum a row over the threads of a block.")
    threads = int(tree[1][2])
    dtype = _TYPES.get(tree[1][1], tree[1][1])
    kahan = next(((at, m) for at, line in enumerate(lines, 1) if (m := _KAHAN.search(line))), None)
    each, left = divmod(terms, threads)
    if left or threads & (threads - 1):
        raise NotRead(
            f"{threads:,} threads share {terms:,} values unevenly, which is not followed."
        )
    levels: list[Level] = []
    if kahan is not None:
        stride = re.search(r"cc\d+ \* (\d+)\)", kahan[1][2])
        if each > 1 and (stride is None or int(stride[1]) != threads):
            raise NotRead("Which values a thread takes is not followed here.")
        levels.append(Level("kahan", each, dtype, "AkgKahanAccumulation", kahan[0]))
    elif each > 1:
        at = next((n for n, line in enumerate(lines, 1) if _PLAIN.search(line)), tree[0])
        levels.append(Level("one by one", each, dtype, "+", at))
    levels.append(Level("halves", threads, dtype, "AkgReduce", tree[0]))
    with_kahan = " with Kahan's correction" if kahan is not None else ""
    words = (
        f"Each of {threads:,} threads sums every {threads:,}th value, {each:,} of them"
        f"{with_kahan}; then halves are added onto each other over the threads; all in {dtype}."
    )
    return Order("GPU", tuple(levels), words, result)


def carried_out(order: Order, rows: Rows) -> Rows:
    """Each row summed in this order, in its precision: [rows, terms] to [rows]."""
    values = rows
    for level in order.levels:
        values = _HOW[level.how](_split(level, values).astype(level.dtype))
    return values.reshape(rows.shape[0]).astype(order.result)


def _split(level: Level, values: Rows) -> Rows:
    """The values of each sum last: [rows, sums, terms]."""
    rows = values.reshape(values.shape[0], -1)
    if level.how in ("kahan",):  # a thread takes every n-th value
        return np.swapaxes(rows.reshape(rows.shape[0], level.terms, -1), 1, 2)
    return rows.reshape(rows.shape[0], -1, level.terms)


def _neighbours(values: Rows) -> Rows:
    width = 1 << (values.shape[-1] - 1).bit_length()
    padded = np.zeros((*values.shape[:-1], width), values.dtype)
    padded[..., : values.shape[-1]] = values  # lanes that are off count as nothing
    return tree_sum(padded)


def _halves(values: Rows) -> Rows:
    while values.shape[-1] > 1:
        half = values.shape[-1] // 2
        values = (values[..., :half] + values[..., half:]).astype(values.dtype)
    return values[..., 0]


def _one_by_one(values: Rows) -> Rows:
    total = np.zeros(values.shape[:-1], values.dtype)
    for at in range(values.shape[-1]):
        total = (values[..., at] + total).astype(values.dtype)
    return total


def _kahan(values: Rows) -> Rows:
    total = np.zeros(values.shape[:-1], values.dtype)
    lost = np.zeros_like(total)
    for at in range(values.shape[-1]):
        y = (values[..., at] - lost).astype(values.dtype)
        t = (total + y).astype(values.dtype)
        lost = ((t - total).astype(values.dtype) - y).astype(values.dtype)
        total = t
    return total


_HOW: dict[How, Callable[[Rows], Rows]] = {
    "neighbours": _neighbours, "halves": _halves, "kahan": _kahan, "one by one": _one_by_one,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Estimate:
    """How far two orders are apart on the same numbers."""

    largest: float  #: difference between the two results
    first_error: float  #: largest error of the first against the exact sum
    second_error: float
    rows: int


def estimate(first: Order, second: Order, rows: Rows) -> Estimate:
    """Sum the same rows in both orders."""
    one, other = (carried_out(order, rows).astype(np.float64) for order in (first, second))
    exact = rows.astype(np.float64).sum(axis=1)
    return Estimate(
        largest=float(np.max(np.abs(one - other), initial=0.0)),
        first_error=float(np.max(np.abs(one - exact), initial=0.0)),
        second_error=float(np.max(np.abs(other - exact), initial=0.0)),
        rows=int(rows.shape[0]),
    )
