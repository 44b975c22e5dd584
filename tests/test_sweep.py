"""The points of a sweep: which tiles are worth a compile, and how a list of them is written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.analysis.sweep import (
    SweepAxis,
    grid,
    parse_tiles,
    parse_values,
    repeated,
    suggest,
    sweep_axes,
    values_of,
    values_text,
    with_values,
)
from core.analysis.tiling import chosen_by_compiler, used_tiles, uses_cube
from core.compilers.registry import COMPILERS
from core.hints import HintError, Hints, HintSpec, parse_dim
from core.kernel import Kernel, Parameter, load_kernel
from core.readers import Opened
from core.trace import Compiler, HintsOutcome, Status, Trace
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
    assert parse_tiles(values_text(tiles)) == tiles
    assert parse_tiles("64-66 16;32,, 16") == (16, 32, 64, 65, 66)


@pytest.mark.parametrize("text", ["", "16, x", "0", "9-3", "1-100000", "1.5", "-4"])
def test_a_list_that_cannot_be_read_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(HintError, match=r"^[^\n]+\.$"):
        parse_tiles(text)


@pytest.fixture(scope="module")
def softmax(compile_kernel: Callable[..., Opened]) -> Opened:
    return compile_kernel(load_kernel(KERNELS / "softmax_fp16.json"))


def test_a_point_repeats_the_trace_but_for_its_own_axes(softmax: Opened) -> None:
    start = repeated(softmax.trace, ["0.0"])
    points = grid(start, {"0.0": (8, 32)})
    assert [p.tiles[0].outer for p in points] == [32, 8]  # large ones first
    assert {p.tiles[1] for p in points} == {used_tiles(softmax.trace)[1]}
    assert {len(p.tiles) for p in points} == {2}
    assert len(grid(start, {"0.0": (8, 32), "0.1": (64, 128, 256)})) == 6


def test_tiles_come_before_the_hints_that_are_worth_a_sweep(softmax: Opened) -> None:
    axes = sweep_axes(softmax.trace, softmax.kernel, COMPILERS["akg"].catalogue)
    assert [a.key for a in axes[:2]] == ["0.0", "0.1"]
    assert [a.tile for a in axes] == [True] * 2 + [False] * (len(axes) - 2)
    cores = next(a for a in axes if a.key == "enable_multicore")
    assert cores.held == -1
    assert {0, 16, 32} <= set(cores.values)
    # A hint alone leaves the tiles to the compiler, as they were.
    assert repeated(softmax.trace, ["enable_multicore"]) == Hints()
    points = grid(repeated(softmax.trace, ["enable_multicore", "0.0"]), {"enable_multicore": (8,)})
    assert [p.as_dict()["enable_multicore"] for p in points] == [8]
    assert points[0].tiles == used_tiles(softmax.trace)


@pytest.fixture
def parametric() -> tuple[Trace, Kernel]:
    """A trace that names no axes, of a kernel with two parameters."""
    kernel = Kernel(
        *("mlir", "add", "", ()),
        parameters=(
            Parameter("TILE", (1024, 8192, 24577), 1024),
            Parameter("cube", ("128,64", "64,64"), "128,64"),
        ),
    )
    asked = HintsOutcome(asked={"TILE": 512, "switch": True})
    return Trace("add", "", Compiler("c", "1"), "chip", Status.FAILED, hints=asked), kernel


def test_parameters_of_a_kernel_are_axes(parametric: tuple[Trace, Kernel]) -> None:
    spec = HintSpec("count", "int", 0, "honoured", "Buffers.", "g", tries=(0, 2, 4))
    chip = HintSpec("chip", "choice", "a", "honoured", "Chip.", "g", choices=("a", "b"))
    lame = HintSpec("lame", "int", 0, "ignored", "Nothing.", "g", tries=(0, 1))
    axes = sweep_axes(*parametric, [spec, chip, lame])
    assert [a.key for a in axes] == ["TILE", "cube", "count", "chip"]
    assert [a.held for a in axes] == [512, "128,64", 0, "a"]
    assert axes[0].values == (512, 1024, 8192, 24577)
    start = repeated(parametric[0], ["TILE"])
    points = grid(start, {"TILE": (1024, 8192), "cube": ("128,64", "64,64")})
    assert values_of(points[0]) == {"TILE": 8192, "switch": True, "cube": "128,64"}
    differing = {(v["TILE"], v["cube"]) for v in map(values_of, points)}
    assert differing == {(t, c) for t in (1024, 8192) for c in ("128,64", "64,64")}
    assert {v["switch"] for v in map(values_of, points)} == {True}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1024, 8192", (1024, 8192)),
        ("-2..2", (-2, -1, 0, 1, 2)),
        ("on, off", (True, False)),
        ('"128,64" "64,64"', ("128,64", "64,64")),
        ("only-cube, no-limit", ("only-cube", "no-limit")),
    ],
)
def test_a_list_of_values_is_read_back_as_written(text: str, values: tuple[object, ...]) -> None:
    assert parse_values(text) == values
    assert parse_values(values_text(values)) == values  # type: ignore[arg-type]


def test_a_list_of_numbers_takes_nothing_else() -> None:
    axis = SweepAxis("TILE", "TILE", (1024, 8192), 1024)
    assert parse_values("8192 16", axis) == (16, 8192)
    with pytest.raises(HintError, match="'wide' is not a value of TILE"):
        parse_values("16, wide", axis)
    with pytest.raises(HintError, match="empty"):
        parse_values(" ")


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
    assert repeated(trace) == asked
    assert with_values(asked, {"0.0": 4096}) == Hints(
        parse_dim("0 0 4096 1"), {"enable_multicore": 0}
    )


def test_a_cube_kernel_keeps_its_l0_tiles(compile_kernel: Callable[..., Opened]) -> None:
    trace = compile_kernel(load_kernel(KERNELS / "matmul_cube.json")).trace
    assert uses_cube(trace)
    inner = {(t.band, t.axis): t.inner for t in used_tiles(trace)}
    assert inner == {(a.band, a.axis): a.tile_l0 for a in trace.tiling.axes}
    smaller = with_values(repeated(trace, ["0.0"]), {"0.0": 1}).tiles[0]
    assert (smaller.outer, smaller.inner) == (1, 1)  # an L0 tile fits into the one around it


def test_an_l0_tile_is_an_axis_of_its_own(compile_kernel: Callable[..., Opened]) -> None:
    opened = compile_kernel(load_kernel(KERNELS / "matmul_cube.json"))
    axes = {axis.key: axis for axis in sweep_axes(opened.trace, opened.kernel, ())}
    assert axes["0.1.l0"].label.endswith(" L0")
    assert axes["0.1.l0"].tile and axes["0.1.l0"].inner and not axes["0.1"].inner
    start = repeated(opened.trace, ["0.1", "0.1.l0"])
    point = with_values(start, {"0.1.l0": 4, "0.1": 8})
    assert values_of(point)["0.1"] == 8
    assert values_of(point)["0.1.l0"] == 4
    assert values_of(with_values(start, {"0.1.l0": 16, "0.1": 8}))["0.1.l0"] == 8
    others = {k: v for k, v in values_of(point).items() if not k.startswith("0.1")}
    assert others == {k: v for k, v in values_of(start).items() if not k.startswith("0.1")}
