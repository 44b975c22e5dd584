"""Line operations: they rebuild one text from the other, on random and on real texts, fast."""

from __future__ import annotations

import random
import time
from itertools import pairwise
from pathlib import Path

import pytest

from core.analysis.diff import Diff, diff, mask_addresses, split_lines
from tests.components_app import samples

PASSES = sorted(path.name for path in samples.TEXTS.glob("*.cc"))


def rebuilt(a: str, b: str, result: Diff) -> list[str]:
    """b made of the lines of a that stay and the lines of b that the hunks bring."""
    lines_a, lines_b = split_lines(a), split_lines(b)
    made: list[str] = []
    at = 0
    for hunk in result.hunks:
        made += lines_a[at : hunk.a0]
        assert len(made) == hunk.b0
        made += lines_b[hunk.b0 : hunk.b1]
        at = hunk.a1
    return made + lines_a[at:]


def assert_sound(a: str, b: str) -> Diff:
    result = diff(a, b)
    assert [mask_addresses(x) for x in rebuilt(a, b, result)] == [
        mask_addresses(x) for x in split_lines(b)
    ]
    assert (result.lines_a, result.lines_b) == (len(split_lines(a)), len(split_lines(b)))
    assert result.lines_b - result.lines_a == result.added - result.removed
    ends = (-1, -1)
    for hunk in result.hunks:
        # Two hunks never touch, and none is empty or says what it is not.
        assert hunk.a0 > ends[0] and hunk.b0 > ends[1]
        ends = (hunk.a1, hunk.b1)
        empty_a, empty_b = hunk.a0 == hunk.a1, hunk.b0 == hunk.b1
        kind = {(True, False): "insert", (False, True): "delete", (False, False): "replace"}
        assert hunk.tag == kind[empty_a, empty_b]
    return result


def test_random_edits_are_rebuilt() -> None:
    source = random.Random(7)
    for _ in range(400):
        words = [source.choice("abcd") * source.randint(0, 2) for _ in range(source.randint(0, 30))]
        edited = list(words)
        for _ in range(source.randint(0, 8)):
            at = source.randint(0, len(edited))
            match source.choice(("add", "drop", "change")):
                case "add":
                    edited.insert(at, source.choice("abcdef"))
                case "drop" if edited:
                    del edited[at % len(edited)]
                case "change" if edited:
                    edited[at % len(edited)] = source.choice("xyz")
        end = source.choice(("", "\n"))
        assert_sound("\n".join(words) + end, "\n".join(edited) + source.choice(("", "\n")))


@pytest.mark.parametrize(("before", "after"), list(pairwise(PASSES)))
def test_real_passes_are_rebuilt(before: str, after: str) -> None:
    assert not assert_sound(samples.text(before), samples.text(after)).equal


def test_counts_of_a_real_pass() -> None:
    """EmitInsn of a softmax turns 89 lines of loops into 113 lines of instructions."""
    result = diff(samples.text("68_SplitTail.cc"), samples.text("69_EmitInsn.cc"))
    assert (result.lines_a, result.lines_b) == (89, 113)
    assert result.added - result.removed == 24


def test_an_equal_text_has_no_hunk() -> None:
    text = samples.text("69_EmitInsn.cc")
    result = diff(text, text)
    assert result.equal and (result.added, result.removed, result.changed) == (0, 0, 0)


def test_addresses_are_no_change() -> None:
    before = "attr [placeholder(x, 0x55675f66bf50)] a = 1\nallocate x\n"
    after = "attr [placeholder(x, 0x7f01aa)] a = 1\nallocate y\n"
    assert mask_addresses(before) == "attr [placeholder(x, 0x)] a = 1\nallocate x\n"
    result = diff(before, after)
    assert [(h.tag, h.a0, h.a1, h.b0, h.b1) for h in result.hunks] == [("replace", 1, 2, 1, 2)]
    assert result.changed == 1


def test_a_loop_that_comes_around_lines_is_two_lines() -> None:
    body = ["a = 1", "if (a) {", "  b = 0x55675f66bf50", "}", "c = 2"]
    before = "\n".join(["head", *body, "tail"])
    inner = [f"  {line}".replace("55675f66bf50", "7f01aa00") for line in body]
    after = "\n".join(["head", "for (i, 0, 4) {", *inner, "}", "tail"])
    assert diff(before, after).changed >= 3
    result = diff(before, after, indented=False)
    assert (result.added, result.removed, result.changed) == (2, 0, 0)
    assert (result.reindented, result.readdressed, result.renumbered) == (5, 0, 0)
    assert diff("  a\n\tb", "a\n b", indented=False).equal
    assert not diff("a  b", "a b", indented=False).equal


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("\n", [""]),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\n", ["a", ""]),
        ("a\r\nb\rc\n", ["a", "b", "c"]),
        ("form\x0cfeed\u2028separator\n", ["form\x0cfeed\u2028separator"]),
    ],
)
def test_lines_are_those_of_the_viewer(text: str, lines: list[str]) -> None:
    assert split_lines(text) == lines


def test_from_nothing_and_to_nothing() -> None:
    assert [h.tag for h in assert_sound("", "a\nb\n").hunks] == ["insert"]
    assert [h.tag for h in assert_sound("a\nb\n", "").hunks] == ["delete"]


def test_repetitive_code_is_not_slow() -> None:
    """Where difflib needs minutes: 20,000 lines of only a few kinds, a part of them moved."""
    loop = split_lines(samples.text("69_EmitInsn.cc"))[2:10]
    a = "\n".join(loop * 2500)
    b = "\n".join((loop * 2500)[3000:] + [line.replace("16", "32") for line in loop * 375])
    started = time.perf_counter()
    assert_sound(a, b)
    seconds = time.perf_counter() - started
    print(f"\n20,000 repetitive lines: {seconds * 1000:.0f} ms with the checks")
    assert seconds < 10


def test_the_samples_are_real_dumps() -> None:
    """The texts are as the compiler wrote them: statement IR, schedule trees and CCE C."""
    assert len(PASSES) >= 10
    assert Path(samples.TEXTS, "Fused_Softmax.cce").read_text().count("__ubuf__") > 100
