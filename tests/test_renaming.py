"""Differences with names lined up: numbering is no change, wherever lines came in; swaps are."""

from __future__ import annotations

import random
import re
import time

import pytest

from core.analysis.diff import Diff, diff, mask_addresses, renamed, split_lines
from core.analysis.renaming import Naming, read
from core.readers import open_trace
from core.trace import Pass
from tests.conftest import PROJECT

TRACES = PROJECT / "data" / "traces"

MODULE = """\
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 * 2)>
func.func @f(%arg0: memref<16xf32>, %arg1: index) {
  %c0 = arith.constant 0 : index
  %0 = arith.addi %arg1, %c0 : index
  %1 = arith.muli %0, %0 : index
  scf.for %arg2 = %c0 to %1 step %0 {
    %2 = affine.apply #map(%arg2)
    %3 = affine.apply #map1(%2)
    memref.store %3, %arg0[%arg2] : memref<16xf32>
  }
  %2:2 = "two"(%1) : (index) -> (index, index)
  %3 = arith.subi %2#0, %2#1 : index
  return %3 : index
}
"""


def _hunks(result: Diff) -> list[tuple[str, int, int, int, int]]:
    return [(h.tag, h.a0, h.a1, h.b0, h.b1) for h in result.hunks]


def _insert(text: str, line: int, new: str) -> str:
    """A line more, and the numbers of the values below it one higher, as MLIR prints them."""
    lines = split_lines(text)
    tail = [
        re.sub(r"%(\d+)", lambda m: f"%{int(m[1]) + (int(m[1]) >= 1)}", each)
        for each in lines[line:]
    ]
    return "\n".join([*lines[:line], new, *tail]) + "\n"


def test_a_value_more_is_one_line_more() -> None:
    after = _insert(MODULE, 5, "  %1 = arith.constant 7 : index")
    assert diff(MODULE, after).changed == 8  # all of it to the return
    result = diff(MODULE, after, "values")
    assert _hunks(result) == [("insert", 5, 5, 5, 6)]
    assert (result.added, result.removed, result.changed) == (1, 0, 0)
    assert (result.renumbered, result.readdressed) == (8, 0)


def test_values_that_trade_places_are_a_change() -> None:
    swapped = MODULE.replace("%2#0, %2#1", "%2#1, %2#0")
    assert _hunks(diff(MODULE, swapped, "values")) == [("replace", 12, 13, 12, 13)]
    other = MODULE.replace("store %3, %arg0[%arg2]", "store %2, %arg0[%arg2]")
    assert _hunks(diff(MODULE, other, "values")) == [("replace", 9, 10, 9, 10)]


def test_a_swap_is_seen_among_renumbered_lines() -> None:
    after = _insert(MODULE, 5, "  %1 = arith.constant 7 : index")
    after = after.replace("muli %0, %0", "muli %0, %1")
    assert _hunks(diff(MODULE, after, "values")) == [("replace", 5, 6, 5, 7)]


def test_operations_in_another_order_are_moved_not_rewritten() -> None:
    before = "%0 = a\n%1 = b\nuse %0, %1\nuse %1\n"
    after = "%0 = b\n%1 = a\nuse %1, %0\nuse %0\n"
    result = diff(before, after, "values")
    assert (result.added, result.removed, result.changed) in ((1, 1, 0), (0, 0, 2))
    assert all(h.a1 <= 2 and h.b1 <= 2 for h in result.hunks)


def test_an_alias_may_stand_before_its_definition() -> None:
    before = "%0 = a loc(#loc1)\n%1 = b loc(#loc2)\n#loc1 = loc(1)\n#loc2 = loc(2)\n"
    after = "%1 = b loc(#loc1)\n#loc1 = loc(2)\n"
    assert _hunks(diff(before, after, "values")) == [
        ("delete", 0, 1, 0, 0),
        ("delete", 2, 3, 1, 1),
    ]


def test_the_copy_that_goes_is_the_one_that_is_told() -> None:
    """Lines that are the same but for their names: which of them went, the names tell."""
    before = "".join(f"%{i} = add %arg{i // 2}\n" for i in range(8)) + "use %0, %2, %4, %6\n"
    after = "%0 = add %arg0\n%1 = add %arg1\n%2 = add %arg2\n%3 = add %arg3\nuse %0, %1, %2, %3\n"
    result = diff(before, after, "values")
    assert (result.removed, result.added) == (4, 0)
    assert result.changed <= 1  # of two copies next to each other, either may be the one that went


@pytest.mark.parametrize(
    ("line", "defined"),
    [
        ("%a, %b = op", [True, True]),
        ("  %5:2 = op %a", [True, False]),
        ("scf.for %i = %lo to %hi step %s iter_args(%x = %y) {", [True, *[False] * 3, True, False]),
        ("scf.forall (%i, %j) in (%a, %b) {", [True, True, False, False]),
        ("func.func @f(%arg0: i32, %arg1: i32) {", [True, True]),
        ("^bb0(%in: f32, %out: f32):", [True, True]),
        ("op %a, %b : i32", [False, False]),
        ("ins(%a, %b : f32, f32) outs(%c : f32)", [False] * 3),
        ("#map = affine_map<(d0) -> (d0)>", [True]),
        ("memref<4xf32, #hivm.address_space<ub>>, #map", [False]),
    ],
)
def test_definitions_are_told_from_uses(line: str, defined: list[bool]) -> None:
    assert read(line, "values").defines.tolist() == defined


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("T_red_5 = x_1\nT_red_6 = x_1", "T_red_9 = x_1\nT_red_10 = x_1", True),
        ("T_red_5 = a\nT_red_6 = b", "T_red_5 = a\nT_red_7 = b", True),
        ("T_red_5 = a\nT_red_6 = b", "T_red_6 = a\nT_red_5 = b", False),
        ("T_red_5 = a\nT_red_6 = b", "T_red_8 = a\nT_red_7 = b", False),
        ("cc1 = cc2", "cc3 = cc3", False),
        # Numbers that are no counters: types, memories, pipes, conversions.
        ("allocate x[float16 * 4]", "allocate x[float32 * 4]", False),
        ("x_local_L1 = y", "x_local_L0 = y", False),
        ("wait(PIPE_MTE2)", "wait(PIPE_MTE3)", False),
        ("vconv_f162f32(a)", "vconv_f322f16(a)", False),
        ("for (i, 0, 16)", "for (i, 0, 32)", False),
    ],
)
def test_counters(before: str, after: str, same: bool) -> None:
    assert renamed(before, after, "counters") is same
    assert diff(before, after, "counters").equal is same


def test_counters_run_on_past_a_line_that_came_in() -> None:
    before = "\n".join(f"T_red_{i} = cc{i} + input_0" for i in range(20))
    after = "\n".join(f"T_red_{i + (i >= 7)} = cc{i} + input_0" for i in range(20))
    after = after.replace("T_red_8 =", "T_red_7 = realize\nT_red_8 =", 1)
    assert _hunks(diff(before, after, "counters")) == [("insert", 7, 7, 7, 8)]


def _rebuilds(before: str, after: str, naming: Naming) -> Diff:
    """The hunks turn one text into the other, but for names and addresses of lines that stay."""
    result = diff(before, after, naming)
    a, b = split_lines(before), split_lines(after)
    assert (result.lines_a, result.lines_b) == (len(a), len(b))
    at = made = 0
    for hunk in result.hunks:
        assert hunk.a0 - at == hunk.b0 - made
        pairs = zip(a[at : hunk.a0], b[made : hunk.b0], strict=True)
        assert all(_bare(x) == _bare(y) for x, y in pairs)
        at, made = hunk.a1, hunk.b1
    assert [_bare(x) for x in a[at:]] == [_bare(y) for y in b[made:]]
    assert result.lines_b - result.lines_a == result.added - result.removed
    return result


def _bare(line: str) -> str:
    return re.sub(r"[%#][\w$.-]+|(?<=[A-Za-z_])\d+", "", mask_addresses(line))


def test_random_programs_keep_only_their_edits() -> None:
    """Values renumbered all through, a few lines taken out: nothing but those differs."""
    chance = random.Random(3)
    for _ in range(150):
        lines: list[tuple[str, list[int]]] = []
        for value in range(chance.randint(3, 40)):
            operands = [chance.randrange(value) for _ in range(min(value, 2))]
            lines.append((f"op{chance.randrange(4)}.{chance.randrange(50)}", operands))
        used = {o for _, operands in lines for o in operands}
        unused = [i for i in range(len(lines)) if i not in used]
        gone = set(chance.sample(unused, min(len(unused), 3)))

        def printed(kept: list[int], program: list[tuple[str, list[int]]] = lines) -> str:
            number = {value: i for i, value in enumerate(kept)}
            return "".join(
                f"%{number[i]} = {program[i][0]} {[f'%{number[o]}' for o in program[i][1]]}\n"
                for i in kept
            )

        whole = list(range(len(lines)))
        result = _rebuilds(printed(whole), printed([i for i in whole if i not in gone]), "values")
        assert result.removed + result.changed + result.added <= 3 * len(gone)


@pytest.mark.parametrize("name", ["triton_softmax-fp32", "hfusion_rms_norm", "layer_norm"])
def test_real_passes_lose_the_numbering_alone(name: str) -> None:
    opened = open_trace(TRACES / f"{name}.zip")
    exact = lined_up = 0
    last: dict[tuple[str, str], Pass] = {}
    for after in opened.trace.passes:
        before = last.get((after.stage, after.unit), after)
        last[after.stage, after.unit] = after
        if before.text is None or after.text is None or before.text == after.text:
            continue
        naming: Naming = "values" if after.language == "mlir" else "counters"
        texts = opened.texts.get(before.text), opened.texts.get(after.text)
        plain, result = diff(*texts), _rebuilds(*texts, naming)
        exact += plain.added + plain.removed + plain.changed
        lined_up += result.added + result.removed + result.changed
    assert lined_up <= exact
    if after.language == "mlir":
        assert lined_up < 0.7 * exact


def test_damaged_text_is_compared_all_the_same() -> None:
    for broken in ("", "%", "%, %", "#", "\x01%0 = \x01", "%0 = a\r\n%1 = b\r", "forall (%i, %j"):
        for other in ("%0 = x", "", "#map\n\n", "%a, %b\x01"):
            for naming in ("values", "counters"):
                assert diff(broken, other, naming).lines_a == len(split_lines(broken))


def test_twenty_thousand_renumbered_lines_are_not_slow() -> None:
    loop = [f"  %{{{i}}} = arith.addi %{{{max(i - 1, 0)}}}, %arg0 : i{i + 1}" for i in range(10)]
    numbers = iter(range(30_000))
    lines = []
    for _ in range(2000):
        block = [next(numbers) for _ in loop]
        lines += [line.format(*block) for line in loop]
    before = "\n".join(lines)
    after = re.sub(r"%(\d+)", lambda m: f"%{int(m[1]) + 1}", before)
    after = "  %0 = arith.constant 1 : index\n" + after
    started = time.perf_counter()
    result = diff(before, after, "values")
    seconds = time.perf_counter() - started
    print(f"\n20,000 lines, every one renumbered: {seconds * 1000:.0f} ms")
    assert (result.added, result.changed, result.removed) == (1, 0, 0)
    assert seconds < 3
