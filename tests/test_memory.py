"""What fills a memory: the peak, its culprits, and what a buffer takes with its copies."""

from __future__ import annotations

from collections.abc import Callable

from core.analysis.memory import live, peak, shares
from core.hints import Hints, parse_dim
from core.kernel import load_kernel
from core.readers import Opened
from core.trace import Buffer, MemoryPlan
from tests.conftest import KERNELS


def _buffer(
    name: str, size: int, offset: int | None, first: int | None, last: int | None, copy_of: str = ""
) -> Buffer:
    return Buffer(name, size, offset, "float16", first, last, copy_of)


def _plan(*buffers: Buffer) -> MemoryPlan:
    top = max(((b.offset_bytes or 0) + b.bytes for b in buffers), default=0)
    return MemoryPlan("UB", top, 262144, buffers)


def test_the_peak_is_where_most_is_alive() -> None:
    plan = _plan(_buffer("a", 100, 0, 1, 4), _buffer("b", 50, 100, 3, 6), _buffer("c", 70, 0, 5, 9))
    found = peak(plan)
    assert (found.at, found.live_bytes) == (3, 150)
    assert [b.name for b in found.culprits] == ["a", "b"]
    assert [b.name for b in live(plan, 5)] == ["b", "c"]


def test_a_buffer_without_a_lifetime_counts_as_alive() -> None:
    found = peak(_plan(_buffer("a", 100, 0, 1, 2), _buffer("b", 9, 100, None, None)))
    assert (found.live_bytes, len(found.culprits)) == (109, 2)
    nothing_known = peak(_plan(_buffer("b", 9, 0, None, None)))
    assert (nothing_known.at, nothing_known.live_bytes) == (None, 9)
    assert peak(_plan()).live_bytes == 0


def test_copies_count_once_where_they_share_addresses() -> None:
    plan = _plan(
        _buffer("a", 64, 0, 1, 2),
        _buffer("a1", 64, 64, 3, 4, "a"),
        _buffer("a2", 64, 32, 5, 6, "a"),
        _buffer("b", 10, None, 1, 9),
    )
    assert [(s.name, s.bytes, s.copies) for s in shares(plan)] == [("a", 128, 3), ("b", 10, 1)]


def test_the_peak_of_a_compiled_kernel_fits_into_what_it_occupies(
    compile_kernel: Callable[..., Opened],
) -> None:
    kernel = load_kernel(KERNELS / "elementwise_chain.json")
    plan = compile_kernel(kernel, Hints(parse_dim("0 0 8192 1"))).trace.plan("UB")
    assert plan is not None
    found = peak(plan)
    assert 0 < found.live_bytes <= plan.peak_bytes
    assert found.at is not None
    assert max(s.copies for s in shares(plan)) == 2  # double-buffered
    assert max(s.bytes for s in shares(plan)) <= plan.peak_bytes
