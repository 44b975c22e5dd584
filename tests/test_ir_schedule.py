"""isl schedule trees: against PyYAML and isl themselves, and the bands that tiling works on."""

from __future__ import annotations

import re
from collections.abc import Iterator

import islpy as isl
import pytest
import yaml

from core.ir import schedule as t
from tests.dumped import dump_folders, files_of, is_schedule, recorded, recorded_files

TREES = [path for path in recorded_files(".cc") if is_schedule(path)]


def joined(text: str) -> str:
    return re.sub(r'"\s*\n\s*"', "", text)


def texts_of(node: object) -> Iterator[str]:
    """The quoted texts of the YAML, in order, children after their parents."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key != "child":
                yield from texts_of(value)
        yield from texts_of(node.get("child"))
    elif isinstance(node, list):
        for item in node:
            yield from texts_of(item)
    elif isinstance(node, str):
        yield node


def texts_of_tree(tree: t.Tree) -> Iterator[str]:
    for node in t.walk(tree):
        match node:
            case t.Domain() | t.Context() | t.Guard() | t.Filter():
                yield node.set
            case t.Band():
                yield "[" + ", ".join(node.schedule) + "]"
                if node.options:
                    yield node.options
            case t.Mark():
                yield node.name
            case t.Extension():
                yield node.relation
            case t.Expansion():
                yield node.contraction
                yield node.expansion


def check(text: str) -> None:
    """The same texts as YAML has, which isl reads; every node on its own lines."""
    tree = t.parse(text)
    without_spaces = [re.sub(r"\s", "", x) for x in texts_of_tree(tree)]
    expected = [re.sub(r"\s", "", x) for x in texts_of(yaml.safe_load(joined(text)))]
    assert without_spaces == expected
    # isl prints a mark above a leaf without a child, and cannot read that again itself
    if not any(isinstance(node, t.Mark) and node.child is None for node in t.walk(tree)):
        isl.Schedule.read_from_str(isl.Context(), joined(text))
    lines = text.split("\n")
    claimed: set[int] = set()
    for node in t.walk(tree):
        own = range(node.first, node.own + 1)
        assert node.first <= node.own <= node.last <= len(lines)
        assert claimed.isdisjoint(own)
        claimed.update(own)
        match node:
            case t.Band():
                assert "schedule:" in lines[node.first - 1]
            case t.Sequence():
                assert f"{node.kind}:" in lines[node.first - 1]
            case _:
                assert f"{type(node).__name__.lower()}:" in lines[node.first - 1].replace(
                    "contraction:", "expansion:"
                )
    missed = {n for n, line in enumerate(lines, 1) if line.strip()} - claimed
    assert all(lines[n - 1].strip() == "child:" for n in missed)


@pytest.mark.parametrize("path", TREES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_recorded_dump(path):
    check(path.read_text())


def test_every_tree_of_the_users_dumps():
    files = [path for path in files_of(dump_folders(), ".cc") if is_schedule(path)]
    assert files
    for path in files:
        try:
            check(path.read_text())
        except (AssertionError, t.ScheduleError) as error:
            raise AssertionError(f"{path}: {error}") from error


def test_elementwise_is_one_axis():
    (band,) = t.outer_bands(recorded("elementwise/poly_07_AnalyzeSchedule.cc"))
    (member,) = band.members
    assert member.extent == 4096 * 1024
    assert member.coincident
    assert band.permutable
    assert (band.index, band.position) == (0, 0)


def test_softmax_has_a_shifted_second_axis():
    # Three reductions over 1,024 columns, fused by shifting: 3 × 1,023 + 1 values.
    (band,) = t.outer_bands(recorded("softmax/poly_07_AnalyzeSchedule.cc"))
    assert [m.extent for m in band.members] == [256, 3070]
    assert band.members[0].loops == ("ax0",)
    assert set(band.members[1].loops) == {"k1", "ax1"}
    assert [m.coincident for m in band.members] == [True, False]


def test_matmul_has_the_cube_axes():
    (band,) = t.outer_bands(recorded("matmul/AnalyzeSchedule.cc"))
    assert [m.extent for m in band.members] == [32, 32, 16, 16, 32]
    assert band.members[4].loops == ("ko",)


def test_a_sequence_has_a_band_a_branch():
    bands = t.outer_bands(recorded("maxpool/AnalyzeSchedule.cc"))
    assert [(b.index, b.position) for b in bands] == [(0, 0), (1, 1)]
    assert [m.extent for m in bands[1].members] == [7, 8, 2]


def test_branches_without_a_band_are_counted_as_positions_only():
    text = (
        'domain: "{ S_0[]; S_1[i] : 0 <= i <= 9 }"\nchild:\n  sequence:\n'
        '  - filter: "{ S_0[] }"\n  - filter: "{ S_1[i] }"\n    child:\n'
        '      schedule: "[{ S_1[i] -> [(2i)] }]"\n'
    )
    (band,) = t.outer_bands(text)
    assert (band.index, band.position) == (0, 1)
    assert band.members == (t.Member(19, ("i",), False),)


def test_a_band_counts_the_statements_of_its_branch_only():
    text = (
        'domain: "{ S_0[i] : 0 <= i <= 4; S_1[j] : 0 <= j <= 99 }"\nchild:\n  sequence:\n'
        '  - filter: "{ S_0[i] }"\n    child:\n'
        '      schedule: "[{ S_0[i] -> [(i)]; S_1[j] -> [(j)] }]"\n  - filter: "{ S_1[j] }"\n'
    )
    (band,) = t.outer_bands(text)
    assert band.members == (t.Member(5, ("i",), False),)


def test_an_extent_that_depends_on_a_parameter_is_unknown():
    text = (
        'domain: "[n] -> { S_0[i] : 0 <= i < n }"\nchild:\n'
        '  schedule: "[n] -> [{ S_0[i] -> [(i)] }]"\n  coincident: [ 1 ]\n'
    )
    (band,) = t.outer_bands(text)
    assert band.members == (t.Member(None, ("i",), True),)


def test_tiled_bands_are_cut():
    before = t.outer_bands(recorded("elementwise/poly_07_AnalyzeSchedule.cc"))
    after = t.outer_bands(recorded("elementwise/TileOuterBand.cc"))
    assert after[0].members[0].extent == before[0].members[0].extent / 16384


def test_every_kind_of_node():
    text = (
        'domain: "{ S[i] : 0 <= i < 4 }"\nchild:\n  context: "{ [] }"\n  child:\n'
        '    guard: "{ : }"\n    child:\n      set:\n      - filter: "{ S[i] }"\n        child:\n'
        '          contraction: "{ S[i] -> T[i] }"\n          expansion: "{ T[i] -> S[i] }"\n'
    )
    kinds = [type(node).__name__ for node in t.walk(t.parse(text))]
    assert kinds == ["Domain", "Context", "Guard", "Sequence", "Filter", "Expansion"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 0),
        ('domain: "{ S[] }"\nchild:\n  thing: "x"\n', 3),
        ('domain: "{ S[] }"\nchild: 7\n', 2),
        ('domain: "{ S[] }"\nchild:\n  sequence:\n  - mark: "x"\n', 4),
        ('domain: "{ S[] }"\nchild: "\n', 3),
    ],
)
def test_errors_name_the_line(text, line):
    with pytest.raises(t.ScheduleError) as caught:
        t.parse(text)
    assert caught.value.line == line


@pytest.mark.parametrize("text", ['mark: "x"\n', 'domain: "{ S[i : }"\n'])
def test_bands_of_what_is_no_schedule(text):
    with pytest.raises(t.ScheduleError):
        t.outer_bands(text)
