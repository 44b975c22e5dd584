"""What a plan of memory would need at other tiles: each buffer a product of what it depends on.

A compiler's plan has the bytes of every buffer and when it is alive. A buffer holds a part of a
tensor, so its bytes are a constant times some of the tiles. Which ones is read off the sizes: of
one plan where nothing else is known, of several plans where points were measured.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.analysis.predict_points import Floats, Variable, dtype_bytes
from core.trace import Buffer, MemoryPlan

_ALIGNMENT = {"UB": 32, "L1": 32, "L0A": 512, "L0B": 512, "L0C": 512}  # bytes
_MOST_FACTORS = 4
_DIGITS = re.compile(r"\d+")

Identity = tuple[str, int]  #: a buffer's name without its numbers, and the how-manieth of that name


@dataclass(frozen=True, slots=True)
class Sized:
    """A buffer as a product: bytes = rounded up(coefficient x product of the values)."""

    name: str
    coefficient: float  #: bytes for each combination of the values it depends on
    columns: tuple[int, ...]  #: of the variables that it depends on
    first: float
    last: float

    def bytes(self, points: Floats, alignment: int) -> Floats:
        """Bytes at each point, rounded up to the memory's alignment."""
        product = self.coefficient * np.prod(points[:, self.columns], axis=1)
        return np.asarray(np.ceil(np.round(product, 6) / alignment) * alignment)


@dataclass(frozen=True, slots=True)
class Layout:
    """One memory of one plan, its buffers as products; copies of double buffers are left out."""

    memory: str
    buffers: tuple[Sized, ...]

    def needs(self, points: Floats) -> Floats:
        """The least bytes at each point: the most that is alive at one time, nothing doubled."""
        alignment = _ALIGNMENT.get(self.memory, 32)
        sizes = np.stack([b.bytes(points, alignment) for b in self.buffers], axis=1)
        alive = np.array(
            [[_alive(b, at) for b in self.buffers] for at in {b.first for b in self.buffers}]
        )
        return np.asarray((sizes @ alive.T.astype(float)).max(axis=1))


def _alive(buffer: Sized, at: float) -> bool:
    # What ends where another begins may lie in the same place: operations work in place.
    return buffer.first <= at and (at < buffer.last or buffer.first == buffer.last)


def originals(plan: MemoryPlan) -> list[Buffer]:
    """The buffers of a plan that are no second copy of another, in program order."""
    return sorted((b for b in plan.buffers if not b.copy_of), key=lambda b: b.first_use or 0)


def least(plan: MemoryPlan) -> int:
    """The most that is alive at one time, nothing doubled: what a plan could not do without."""
    alignment = _ALIGNMENT.get(plan.memory, 32)
    kept = originals(plan)
    spans = [(_start(b), _end(b), -(-b.bytes // alignment) * alignment) for b in kept]
    return max(
        (
            sum(size for first, last, size in spans if first <= at and (at < last or first == last))
            for at in {first for first, _, _ in spans}
        ),
        default=0,
    )


def _start(buffer: Buffer) -> float:
    return float("-inf") if buffer.first_use is None else float(buffer.first_use)


def _end(buffer: Buffer) -> float:
    return float("inf") if buffer.last_use is None else float(buffer.last_use)


def identities(plan: MemoryPlan) -> dict[Identity, Buffer]:
    """Buffers by what they are called in every plan of the kernel: values count up, names stay."""
    counted: dict[str, int] = defaultdict(int)
    found = {}
    for buffer in originals(plan):
        name = _DIGITS.sub("#", buffer.name)
        found[name, counted[name]] = buffer
        counted[name] += 1
    return found


def layout(
    plan: MemoryPlan,
    here: Sequence[float],
    others: Sequence[tuple[Sequence[float], MemoryPlan]],
    of: Sequence[Variable],
    told: Mapping[str, tuple[int, ...]],
) -> Layout:
    """The plan at the point `here` as products.

    `others` are plans of the same memory at other points; `told` the columns that a buffer depends
    on where the compiler says so itself, by its name.
    """
    samples: dict[Identity, list[tuple[Sequence[float], int]]] = defaultdict(list)
    for there, other in others:
        for identity, buffer in identities(other).items():
            samples[identity].append((there, buffer.bytes))
    buffers = []
    for identity, buffer in identities(plan).items():
        columns = told.get(buffer.name)
        if columns is None:
            columns = _columns(buffer, here, samples[identity], of)
        product = float(np.prod([here[c] for c in columns])) if columns else 1.0
        first, last = _start(buffer), _end(buffer)
        buffers.append(Sized(buffer.name, buffer.bytes / product, columns, first, last))
    return Layout(plan.memory, tuple(buffers))


def _columns(
    buffer: Buffer,
    here: Sequence[float],
    samples: Sequence[tuple[Sequence[float], int]],
    of: Sequence[Variable],
) -> tuple[int, ...]:
    """The variables that explain a buffer's bytes best."""
    numbers = [c for c, each in enumerate(of) if each.kind != "choice" and here[c] >= 1]
    least_bytes = dtype_bytes(buffer.dtype)
    best: tuple[float, ...] = (float("inf"),)
    chosen: tuple[int, ...] = ()
    points = np.array([here, *(there for there, _ in samples)])
    sizes = np.array([buffer.bytes, *(size for _, size in samples)], dtype=float)
    for count in range(min(_MOST_FACTORS, len(numbers)) + 1):
        for columns in combinations(numbers, count):
            products = np.prod(points[:, columns], axis=1) if columns else np.ones(len(points))
            if products[0] * least_bytes > buffer.bytes + 32:
                continue
            ratios = np.log(sizes / products)
            spread = float(np.abs(ratios - np.median(ratios)).mean())
            # Where one plan is all there is, the largest product that divides the size.
            uneven = float((sizes[0] % products[0]) != 0)
            score = (round(spread, 2), uneven, -products[0], count)
            if score < best:
                best, chosen = score, columns
    return chosen
