"""A trace as if its numbers were of another type: every buffer of that type larger or smaller."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from core.analysis.predict.points import dtype_bytes
from core.trace import Buffer, MemoryPlan, Trace

#: Types that a kernel is commonly written in, by the names that a compiler's plans have for them.
_ALIKE: tuple[tuple[str, ...], ...] = (
    ("float16", "float32", "int8"),
    ("f16", "f32", "i8"),
    ("bf16", "f32", "i8"),
)


def main_type(trace: Trace) -> str:
    """The type that most bytes of the plans are of; "" where there are no plans."""
    taken: Counter[str] = Counter()
    for plan in trace.memory:
        for buffer in plan.buffers:
            taken[buffer.dtype] += buffer.bytes
    return taken.most_common(1)[0][0] if taken else ""


def other_types(dtype: str) -> tuple[str, ...]:
    """Types that it could be instead; () where none is known."""
    names = next((names for names in _ALIKE if dtype in names), ())
    return tuple(name for name in names if name != dtype)


def retyped(trace: Trace, of: str, to: str) -> Trace:
    """The trace with every buffer of one type in another; a peak grows as the bytes at it do.

    An estimate: a compiler that meets the other type may fold, align and vectorise otherwise.
    """
    factor = dtype_bytes(to) / dtype_bytes(of)
    return replace(trace, memory=tuple(_plan(plan, {of: (to, factor)}) for plan in trace.memory))


def _plan(plan: MemoryPlan, types: Mapping[str, tuple[str, float]]) -> MemoryPlan:
    buffers = tuple(_buffer(buffer, types) for buffer in plan.buffers)
    before = sum(buffer.bytes for buffer in plan.buffers)
    after = sum(buffer.bytes for buffer in buffers)
    peak = round(plan.peak_bytes * after / before) if before else plan.peak_bytes
    return replace(plan, buffers=buffers, peak_bytes=peak)


def _buffer(buffer: Buffer, types: Mapping[str, tuple[str, float]]) -> Buffer:
    if buffer.dtype not in types:
        return buffer
    to, factor = types[buffer.dtype]
    return replace(buffer, bytes=round(buffer.bytes * factor), dtype=to)
