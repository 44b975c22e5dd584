"""The points of a sweep: which tiles are worth a compile, and how a list of them is written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.analysis.sweep import grid, parse_tiles, suggest, swept_axes, tiles_text
from core.analysis.tiling import chosen_by_compiler, used_tiles, uses_cube, with_tiles
from core.hints import HintError, Hints, parse_dim
from core.kernel import load_kernel
from core.readers import Opened
from tests.conftest import KERNELS


def test_a_suggestion_has_powers_divisors_and_neighbours() -> None:
    tiles = suggest(3072, keep=(16,), limit=24)
    assert len(tiles) <= 24
    assert {16, 3072, 128} <= set(tiles)  # the tile in use, the whole axis, a power of two
    assert {15, 17, 24} <= set(tiles)  # beside the tile in use, on purpose
    assert any(3072 % t == 0 and t & (t - 1) for t in tiles)  # a divisor that is no power
    assert list(tiles) == sorted(set(tiles))


def test_a_suggestion_stays_near_the_tile_in_use() -> None:
    tiles = suggest(4194304, keep=(32768,))
    assert [t for t in tiles if t > 8 * 32768] == [4194304]
    assert {32768, 65536, 65535} <= set(tiles)


@pytest.mark.parametrize("extent", [1, 2, 7, 97, 1000])
def test_a_suggestion_never_leaves_the_axis(extent: int) -> None:
    tiles = suggest(extent, keep=(5, 10**6))
    assert tiles
    assert all(1 <= t <= extent for t in tiles)
    assert extent in tiles


def test_a_suggestion_keeps_to_the_compilers_multiple_but_for_neighbours() -> None:
    tiles = suggest(512, keep=(16,), limit=12, multiple_of=16)
    odd = [t for t in tiles if t % 16]
    assert {15, 17} <= set(odd) <= {15, 17, 24, 31, 33}


def test_an_axis_of_unknown_extent_gets_tiles_too() -> None:
    assert {16, 32, 64} <= set(suggest(None, keep=(16,)))


def test_a_list_of_tiles_is_read_back_as_written() -> None:
    tiles = suggest(1000, keep=(40,))
    assert parse_tiles(tiles_text(tiles)) == tiles
    assert parse_tiles("64-66 16;32,, 16") == (16, 32, 64, 65, 66)


@pytest.mark.parametrize("text", ["", "16, x", "0", "9-3", "1-100000", "1.5", "-4"])
def test_a_list_that_cannot_be_read_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(HintError, match=r"^[^\n]+\.$"):
        parse_tiles(text)


@pytest.fixture(scope="module")
def softmax(compile_kernel: Callable[..., Opened]) -> Opened:
    return compile_kernel(load_kernel(KERNELS / "softmax_fp16.json"))


def test_a_point_repeats_the_trace_but_for_its_own_axes(softmax: Opened) -> None:
    trace = softmax.trace
    points = grid(trace, {(0, 0): (8, 32)})
    assert [p.tiles[0].outer for p in points] == [32, 8]  # large ones first
    assert {p.tiles[1] for p in points} == {used_tiles(trace)[1]}
    assert swept_axes(points) == ((0, 0),)
    assert len(grid(trace, {(0, 0): (8, 32), (0, 1): (64, 128, 256)})) == 6


def test_asking_for_the_tiles_in_use_gives_the_same_tiles(
    softmax: Opened, compile_kernel: Callable[..., Opened]
) -> None:
    assert chosen_by_compiler(softmax.trace)
    again = compile_kernel(
        load_kernel(KERNELS / "softmax_fp16.json"), Hints(used_tiles(softmax.trace))
    )
    assert [a.tile for a in again.trace.tiling.axes] == [a.tile for a in softmax.trace.tiling.axes]
    assert again.trace.plan("UB").peak_bytes == softmax.trace.plan("UB").peak_bytes
    assert not chosen_by_compiler(again.trace)
    assert used_tiles(again.trace) == used_tiles(softmax.trace)


def test_hints_of_a_trace_are_kept_when_its_tiles_change(
    compile_kernel: Callable[..., Opened],
) -> None:
    kernel = load_kernel(KERNELS / "elementwise_chain.json")
    asked = Hints(parse_dim("0 0 8192 1"), {"enable_multicore": 0})
    trace = compile_kernel(kernel, asked).trace
    assert trace.block_dim == 1
    assert with_tiles(trace, {}) == asked
    assert with_tiles(trace, {(0, 0): 4096}) == Hints(
        parse_dim("0 0 4096 1"), {"enable_multicore": 0}
    )


def test_a_cube_kernel_keeps_its_l0_tiles(compile_kernel: Callable[..., Opened]) -> None:
    trace = compile_kernel(load_kernel(KERNELS / "matmul_cube.json")).trace
    assert uses_cube(trace)
    inner = {(t.band, t.axis): t.inner for t in used_tiles(trace)}
    assert inner == {(a.band, a.axis): a.tile_l0 for a in trace.tiling.axes}
    smaller = with_tiles(trace, {(0, 0): 1}).tiles[0]
    assert (smaller.outer, smaller.inner) == (1, 1)  # an L0 tile fits into the one around it
