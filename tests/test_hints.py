"""Hints: the dim text and the tiles are one value, and the compiler agrees on what a gap means."""

from __future__ import annotations

import random

import pytest

from core.hints import (
    LARGEST_TILE,
    WHOLE_AXIS,
    HintError,
    Hints,
    Tile,
    parse_dim,
    parse_tile,
)
from core.kernel import load_kernel
from core.trace import Status
from tests.conftest import KERNELS


def random_tiles(seed: int) -> tuple[Tile, ...]:
    """Tiles on some axes of some bands, in any order, each axis at most once."""
    dice = random.Random(seed)
    axes = {(dice.randrange(16), dice.randrange(8)) for _ in range(dice.randrange(1, 9))}
    tiles = [
        Tile(band, axis, dice.randint(1, LARGEST_TILE), dice.randint(1, 512)) for band, axis in axes
    ]
    dice.shuffle(tiles)
    return tuple(tiles)


@pytest.mark.parametrize("seed", range(200))
def test_the_dim_text_and_the_tiles_are_one_value(seed):
    hints = Hints(random_tiles(seed))
    again = Hints(parse_dim(hints.dim))
    assert again.dim == hints.dim
    assert again.digest == hints.digest
    assert set(hints.tiles) <= set(again.tiles)
    added = set(again.tiles) - set(hints.tiles)
    assert all(tile.outer == WHOLE_AXIS for tile in added)
    assert {(t.band, t.axis) for t in added}.isdisjoint((t.band, t.axis) for t in hints.tiles)


def test_axes_left_out_before_the_last_are_whole():
    assert Hints((Tile(0, 2, 8),)).dim == ("0 0 1073741824 65535 0 1 1073741824 65535 0 2 8 1")


def test_bands_are_written_in_order():
    assert Hints((Tile(1, 0, 4), Tile(0, 0, 8, 2))).dim == "0 0 8 2 1 0 4 1"


def test_whitespace_does_not_matter():
    assert parse_dim("\n0 0  8\t1 ") == (Tile(0, 0, 8),)


def test_no_tiles_is_an_empty_text():
    assert Hints().dim == ""
    assert parse_dim("") == ()
    assert Hints().as_dict() == {}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0 0 8", "has 3 numbers"),
        ("0 0 8 1 0", "has 5 numbers"),
        ("0 0 8 b0", "not four whole numbers"),
        ("0 0 8.0 1", "not four whole numbers"),
        ("0 0 0x8 1", "not four whole numbers"),
        ("0 0 1_000 1", "not four whole numbers"),
        ("0 0 +8 1", "not four whole numbers"),
        ("0 0 ٣ 1", "not four whole numbers"),
        ("0 0 99999999999 1", "not four whole numbers"),
        ("16 0 8 1", "band must be from 0 to 15"),
        ("-1 0 8 1", "band must be from 0 to 15"),
        ("0 -1 8 1", "axis must be 0 or more"),
        ("0 0 0 1", "from 1 to 2147483647"),
        ("0 0 -8 1", "from 1 to 2147483647"),
        ("0 0 8 0", "from 1 to 2147483647"),
        ("0 0 2147483648 1", "from 1 to 2147483647"),
        ("0 1 8 1", "out of place"),
        ("0 0 8 1 0 2 8 1", "out of place"),
        ("0 0 8 1 0 0 8 1", "out of place"),
        ("0 1 8 1 0 0 8 1", "out of place"),
        ("1 0 8 1 0 0 8 1", "out of place"),
    ],
)
def test_a_malformed_dim_text_is_refused_in_one_sentence(text, says):
    with pytest.raises(HintError, match=says) as refused:
        parse_dim(text)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "tile"),
    [
        ("0=64", Tile(0, 0, 64, 1)),
        ("2=64:16", Tile(0, 2, 64, 16)),
        ("1.0=8", Tile(1, 0, 8, 1)),
        ("15.3=8:4", Tile(15, 3, 8, 4)),
        (" 0=2147483647 ", Tile(0, 0, LARGEST_TILE, 1)),
    ],
)
def test_a_tile_on_the_command_line(text, tile):
    assert parse_tile(text) == tile


@pytest.mark.parametrize(
    "text",
    [
        "", "64", "=64", "0=", "0=a", "a=64", "0:1=64", "0=64:", "0=64:0", "0=0", "0=-1", "0=1.5",
        "16.0=8", "0.0.0=8", "0=2147483648", "0 = 64", "0=64,0=32", "0=1_0", "64=8", "9999999999=8",
        "٠=8",
    ],
)  # fmt: skip
def test_a_tile_that_is_none_is_refused_in_one_sentence(text):
    with pytest.raises(HintError) as refused:
        parse_tile(text)
    assert repr(text) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_digest_does_not_depend_on_the_order():
    one = Hints((Tile(0, 0, 8), Tile(0, 1, 4)), {"a": 1, "b": 2})
    other = Hints((Tile(0, 1, 4), Tile(0, 0, 8)), {"b": 2, "a": 1})
    assert one.digest == other.digest
    assert one.digest != Hints((Tile(0, 0, 8), Tile(0, 1, 5)), {"a": 1, "b": 2}).digest


# What the compiler makes of a gap


@pytest.mark.parametrize(
    ("kernel", "tiles", "dim"),
    [
        ("broadcast_exp_sum.json", [Tile(0, 1, 4)], "0 0 1024 1 0 1 4 1"),
        ("broadcast_exp_sum.json", [Tile(0, 0, 32), Tile(0, 1, WHOLE_AXIS)], "0 0 32 1 0 1 768 1"),
        (
            "matmul_cube.json",
            [Tile(0, 0, 8, 4), Tile(0, 1, 2, 2), Tile(0, 4, 4, 4)],
            "0 0 8 4 0 1 2 2 0 2 16 16 0 3 16 16 0 4 4 4",
        ),
    ],
    ids=["first axis", "second axis", "inner axes of the cube"],
)
def test_a_gap_makes_the_code_of_a_whole_axis(compile_kernel, kernel, tiles, dim):
    chosen = load_kernel(KERNELS / kernel)
    gap = compile_kernel(chosen, Hints(tuple(tiles))).trace
    whole = compile_kernel(chosen, Hints(parse_dim(dim))).trace
    assert gap.status is whole.status is Status.OK_TO_LAST_STEP
    assert gap.code is not None
    assert gap.code == whole.code


def test_a_whole_axis_of_four_million_iterations_is_not_cut(compile_kernel):
    # A tile of 65,535, AKG's own mark for "not given", would cut it; both here ask for all of it.
    chosen = load_kernel(KERNELS / "elementwise_chain.json")
    asked = [Hints((Tile(0, 0, tile),)) for tile in (WHOLE_AXIS, 4096 * 1024)]
    failures = [compile_kernel(chosen, hints).trace.failure for hints in asked]
    assert [failure.required_bytes for failure in failures] == [4096 * 1024 * 2] * 2
