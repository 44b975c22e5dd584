"""Comparing two traces: what counts as the same, and what is paired with what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from core.analysis.compare import align, compare, text_sameness
from core.hints import Hints, parse_dim
from core.kernel import load_kernel
from core.readers import Opened
from core.trace import Pass
from tests.conftest import KERNELS


@pytest.mark.parametrize(
    ("before", "after", "sameness"),
    [
        ("a = b", "a = b", "equal"),
        ("placeholder(x, 0x55d9)", "placeholder(x, 0x7fa0)", "addresses"),
        # A counter that ran on in one process: every number of a name moves alike.
        ("T_red_5 = T_red_6 + x_1", "T_red_9 = T_red_10 + x_1", "numbering"),
        ("T_red_5_UB = 0x55d912", "T_red_6_UB = 0x55d913", "numbering"),
        ("arith.constant 0xFF800000 : f32", "arith.constant 0x7F800000 : f32", "different"),
        # Two names that swap are no counter, though each has its number changed.
        ("y = input_0 - input_1", "y = input_1 - input_0", "different"),
        ("for (i, 0, 16)", "for (i, 0, 32)", "different"),
        ("a\nb", "a", "different"),
    ],
)
def test_sameness(before: str, after: str, sameness: str) -> None:
    assert text_sameness(before, after) == sameness
    assert text_sameness(after, before) == sameness


def _steps(names: Sequence[str], attempt: int = 1) -> list[Pass]:
    return [
        Pass(i, "lowering", "", attempt, name, i, name, 1, 1, True, "statement", None, "ok")
        for i, name in enumerate(names)
    ]


def test_passes_are_paired_by_name_though_their_numbers_shift() -> None:
    pairs = align(_steps("ABCDA"), _steps("ABXCDA"))
    names = [(a.name if a else None, b.name if b else None) for a, b in pairs]
    assert names == [("A", "A"), ("B", "B"), (None, "X"), ("C", "C"), ("D", "D"), ("A", "A")]


def test_another_attempt_is_another_pass() -> None:
    pairs = align(_steps("AB"), _steps("AB", attempt=2))
    assert all(a is None or b is None for a, b in pairs)
    assert len(pairs) == 4


@pytest.fixture(scope="module")
def compiled(compile_kernel: Callable[..., Opened]) -> Callable[[Hints], Opened]:
    kernel = load_kernel(KERNELS / "elementwise_chain.json")
    return lambda hints: compile_kernel(kernel, hints)


def test_the_same_compile_twice_is_the_same(compiled: Callable[[Hints], Opened]) -> None:
    first, second = compiled(Hints()), compiled(Hints())
    result = compare(first.trace, first.texts, second.trace, second.texts)
    assert result.same_code
    assert result.first_difference is None
    assert len(result.pairs) == len(first.trace.passes)


def test_another_tile_is_seen_where_it_is_applied(compiled: Callable[[Hints], Opened]) -> None:
    first, second = (
        compiled(Hints(parse_dim("0 0 8192 1"))),
        compiled(Hints(parse_dim("0 0 4096 1"))),
    )
    result = compare(first.trace, first.texts, second.trace, second.texts)
    assert result.code == "different"
    place = result.first_difference
    assert place is not None
    assert (place.shown.stage, place.shown.name) == ("poly", "TileOuterBand")
    assert [(t.before.tile, t.after.tile) for t in result.tiles if t.before and t.after] == [
        (8192, 4096)
    ]
    assert [(m.memory, m.differs) for m in result.memory] == [("UB", True)]
    changed = {name: (a, b) for name, a, b in result.instructions if a != b}
    assert changed["vadd"][0] == changed["vadd"][1] / 2


def test_a_kernel_of_another_name_is_compared_by_content(
    compiled: Callable[[Hints], Opened],
) -> None:
    opened = compiled(Hints())

    class Renamed:
        def get(self, digest: str) -> str:
            return opened.texts.get(digest).replace("elementwise_chain", "another_name")

    other = replace(
        opened.trace,
        kernel="another_name",
        code=f"{opened.trace.code}'",
        passes=tuple(
            replace(p, text=f"{p.text}'" if p.text else None) for p in opened.trace.passes
        ),
    )

    class Primed(Renamed):
        def get(self, digest: str) -> str:
            return super().get(digest.removesuffix("'"))

    result = compare(opened.trace, opened.texts, other, Primed())
    assert result.same_code
    assert result.first_difference is None
