"""Views: what a person reads and sees, from values to words, colours and pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import plotly.graph_objects as go
import pytest

from core.analysis.checks.finding import Finding
from core.analysis.compare import Comparison, compare
from core.analysis.estimate import estimate
from core.analysis.studied import Report
from core.analysis.sweep import Outcome
from core.hints import WHOLE_AXIS, Hints, parse_dim
from core.kernel import load_kernel
from core.readers import Opened
from core.trace import Buffer, Culprit, Failure, MemoryPlan, Pass, Status, Trace
from core.views import comparison as sentences
from core.views import heatmap, heatmap_figure, palette
from core.views.colouring import COLOURINGS, Colouring
from core.views.figures import abandoned
from core.views.marks import attempts_sentence, failure_place, pass_title, status_mark
from core.views.memory_map import Drawn, memory_map, unplaced
from core.views.occupancy import memory_bars
from core.views.strip import strip
from core.views.tables import axes_table, buffers_table, instruction_kinds, memory_changes
from core.views.wording import (
    age,
    bytes_text,
    middle,
    percent,
    seconds_text,
    short_bytes,
    tile_text,
)
from tests.conftest import KERNELS


@pytest.fixture(scope="module")
def chain(compile_kernel: Callable[..., Opened]) -> dict[str, Opened]:
    """The elementwise kernel: tiled by the compiler, by us, and beyond what UB holds."""
    kernel = load_kernel(KERNELS / "elementwise_chain.json")
    dims = {"auto": "", "half": "0 0 8192 1", "over": "0 0 131072 1"}
    return {
        name: compile_kernel(kernel, Hints(parse_dim(dim)) if dim else Hints())
        for name, dim in dims.items()
    }


# Words


@pytest.mark.parametrize(
    ("size", "exact", "short"),
    [
        (0, "0 B", "0 B"),
        (1023, "1,023 B", "1,023 B"),
        (1024, "1,024 B (1 KiB)", "1 KiB"),
        (65536, "65,536 B (64 KiB)", "64 KiB"),
        (1572864, "1,572,864 B (1.5 MiB)", "1.5 MiB"),
    ],
)
def test_bytes_are_exact_first(size: int, exact: str, short: str) -> None:
    assert bytes_text(size) == exact
    assert short_bytes(size) == short


def test_shares_and_durations_have_the_digits_that_matter() -> None:
    assert [percent(x) for x in (0, 0.0004, 0.0625, 0.5, 0.999, 1)] == [
        "0 %",
        "<0.1 %",
        "6.2 %",
        "50 %",
        "100 %",
        "100 %",
    ]
    assert [seconds_text(x) for x in (0.0178, 1.3, 61.2)] == ["17.8 ms", "1.3 s", "1 min 01 s"]


def test_a_long_name_keeps_both_ends() -> None:
    name = "Fused_Mul_Add_Cast_Softmax_Cast_fusion_12316574558392985464"
    cut = middle(name, 24)
    assert len(cut) == 24
    assert name.startswith(cut.split("…")[0])
    assert name.endswith(cut.split("…")[1])
    assert middle("short", 24) == "short"


def test_age_has_one_unit() -> None:
    now = datetime(2026, 11, 30, 12, tzinfo=UTC)
    ages = [age(now - timedelta(seconds=s), now) for s in (5, 300, 7200, 1_000_000)]
    assert ages == ["just now", "5 min", "2 h", "11 d"]


def test_a_whole_axis_says_so() -> None:
    assert tile_text(1024, 1024) == "1,024 (whole)"
    assert tile_text(WHOLE_AXIS, 1024) == "whole"
    assert tile_text(16, 1024) == "16"


def test_status_is_never_told_by_colour_alone() -> None:
    marks = [status_mark(status) for status in Status]
    assert len({(m.word, m.icon) for m in marks}) == len(Status)
    assert status_mark(Status.CRASHED, "SIGSEGV").word == "crashed, SIGSEGV"


def test_a_failure_is_placed_no_surer_than_it_is() -> None:
    failure = Failure("crash", None, "84_LoopPartitionCCE", None, None, "", signal="SIGABRT")
    trace = Trace("k", "", None, "", Status.CRASHED, failure=failure)  # type: ignore[arg-type]
    assert failure_place(trace) == "after 84_LoopPartitionCCE"
    named = replace(trace, failure=replace(failure, pass_name="StorageRewriteCCE"))
    assert failure_place(named) == "StorageRewriteCCE"


# Colours


def test_occupancy_gets_darker_without_a_step_back() -> None:
    def lightness(colour: str) -> float:
        red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    steps = [lightness(palette.occupancy_colour(share / 20)) for share in range(21)]
    assert steps == sorted(steps, reverse=True)
    assert palette.occupancy_colour(1.7) == palette.occupancy_colour(1.0)
    assert len(set(palette.MEMORY.values())) == len(palette.MEMORY)


# The strip


def test_the_strip_has_every_pass_once_and_in_order(chain: dict[str, Opened]) -> None:
    trace = chain["auto"].trace
    segments = strip(trace)
    bars = [bar for segment in segments for bar in segment.bars]
    assert [bar.index for bar in bars] == list(range(len(trace.passes)))
    assert {bar.index for bar in bars if bar.look == "changed"} == {
        p.index for p in trace.passes if p.changed
    }
    assert max(bar.height for bar in bars) == 1.0
    assert segments[0].label == "composite"


def test_the_strip_shows_where_it_stopped(chain: dict[str, Opened]) -> None:
    trace = chain["over"].trace
    last = strip(trace)[-1].bars[-1]
    assert (last.index, last.look) == (len(trace.passes) - 1, "failed")
    assert "crashed" in last.title


def test_the_strip_keeps_attempts_apart() -> None:
    steps = [
        Pass(
            i, "lowering", "", attempt, "AutoPoly", None, "t", 9, 9, False, "statement", None, "ok"
        )
        for i, attempt in enumerate((1, 1, 2))
    ]
    trace = Trace("k", "", None, "", Status.OK, passes=tuple(steps))  # type: ignore[arg-type]
    assert [s.label for s in strip(trace)] == ["lowering · attempt 1", "lowering · attempt 2"]


def test_functions_that_take_turns_share_a_heading() -> None:
    units = ["", "f", "", "f", "g"]
    steps = [
        Pass(i, "hivm", unit, 1, "P", None, "t", 9, 9, True, "mlir", None, "ok")
        for i, unit in enumerate(units)
    ]
    trace = Trace("k", "", None, "", Status.OK, passes=tuple(steps))  # type: ignore[arg-type]
    assert [(s.label, len(s.bars)) for s in strip(trace)] == [("hivm", 5)]
    assert "f" in strip(trace)[0].bars[1].title.split(" · ")
    # Sub-kernels one after another keep headings of their own.
    apart = replace(trace, passes=tuple(steps[1:2] + steps[4:]))
    apart = replace(apart, passes=tuple(replace(p, index=i) for i, p in enumerate(apart.passes)))
    assert [s.label for s in strip(apart)] == ["hivm · f", "hivm · g"]


def test_an_empty_trace_has_an_empty_strip() -> None:
    assert strip(Trace("k", "", None, "", Status.FAILED)) == ()  # type: ignore[arg-type]


# Memories


def _plan(*sizes: int) -> MemoryPlan:
    buffers = tuple(
        Buffer(f"b{i}", size, sum(sizes[:i]), "float16", i, i + 2, "")
        for i, size in enumerate(sizes)
    )
    return MemoryPlan("UB", sum(sizes), 262144, buffers)


def test_bars_have_capacity_solid_and_aim_dashed(chain: dict[str, Opened]) -> None:
    plan = chain["auto"].trace.memory[0]
    figure = memory_bars([plan], 0.5)
    assert list(figure.data[0].x) == [plan.peak_bytes / plan.capacity_bytes * 100]
    lines = {(shape.x0, shape.line.dash) for shape in figure.layout.shapes}
    assert lines == {(100, None), (50, "dash")}
    assert figure.data[0].marker.color[0] == palette.MEMORY["UB"]


@pytest.mark.parametrize("peak_bytes", [100, 1000, 1300, 1500, 4000, 99_000])
def test_marks_under_the_bars_never_crowd(peak_bytes: int) -> None:
    axis = memory_bars([MemoryPlan("UB", peak_bytes, 1000, ())], None).layout.xaxis
    assert axis.tickvals[0] == 0 and len(axis.tickvals) == len(axis.ticktext) <= 6
    assert axis.tickvals[1] / axis.range[1] > 0.15


def test_an_unknown_capacity_is_said_and_not_made_up() -> None:
    figure = memory_bars([MemoryPlan("UB", 4096, None, ())], None)
    assert list(figure.data[0].x) == [0]
    assert figure.layout.annotations[0].text == "4 KiB, capacity unknown"


def test_the_map_draws_each_placed_buffer_once() -> None:
    plan = _plan(1024, 2048)
    lost = Buffer("lost", 64, None, "float16", 1, 2, "")
    plan = replace(plan, buffers=(*plan.buffers, lost))
    bars = next(t for t in memory_map(Drawn(plan)).data if t.name == "buffers")
    assert list(bars.customdata) == ["b0", "b1"]
    assert unplaced(plan) == (lost,)
    assert (bars.base[1], bars.base[1] + bars.y[1]) == (1024, 3072)
    left, right = bars.x[1] - bars.width[1] / 2, bars.x[1] + bars.width[1] / 2
    assert (left, right) == (1, 4)  # first use 1, last use 3, its line included


def test_buffers_are_listed_by_address_with_culprits_marked() -> None:
    frame = buffers_table(_plan(1024, 2048))
    assert list(frame["buffer"]) == ["b0", "b1"]
    assert list(frame["at the peak"]) == ["culprit", "culprit"]
    assert list(frame["offset"]) == [0, 1024]


def test_axes_say_what_the_search_proposed(chain: dict[str, Opened]) -> None:
    frame = axes_table(chain["auto"].trace)
    axis = chain["auto"].trace.tiling.axes[0]
    assert list(frame["extent"]) == [4096 * 1024]
    assert frame["chosen by"][0] == "symbolic tiling"
    assert axis.searched is not None
    assert axis.searched != axis.tile
    assert frame["search proposed"][0] == f"{axis.searched:,}, not used"


# The heatmap


def _outcomes(chain: dict[str, Opened]) -> dict[int, Outcome]:
    return {
        0: Outcome({"0.0": 8192}, "done", chain["half"].trace),
        1: Outcome({"0.0": 131072}, "done", chain["over"].trace),
        2: Outcome({"0.0": 262144}, "running"),
    }


_TILES = (8192, 131072, 262144, 524288)


def _square(heat: heatmap.HeatMap, column: int, row: int = 0) -> heatmap.Square:
    return next(s for s in heat.squares if (s.column, s.row) == (column, row))


def test_a_map_of_one_axis_has_the_memory_and_its_buffers(chain: dict[str, Opened]) -> None:
    heat = heatmap.buffer_map(
        _outcomes(chain), _TILES, "UB", title="tile", marks={"ring": 0, "star": 3}
    )
    plan = chain["half"].trace.plan("UB")
    assert plan is not None
    assert heat.columns == ("8,192", "131,072", "262,144", "524,288")
    assert heat.row_names[0] == heatmap.PEAK
    assert set(heat.row_names[1:]) == {b.copy_of or b.name for b in plan.buffers}
    assert [_square(heat, i).look for i in range(3)] == ["measured", "over", "running"]
    assert _square(heat, 0).value == plan.occupancy
    assert _square(heat, 0).marks == ("ring",)
    assert heat.marks == (((3, 0), "star"),)  # of a cell that nobody measured
    assert _square(heat, 1).value is None
    assert "crashed, SIGABRT in StorageRewriteCCE" in _square(heat, 1).hover
    assert all(s.value is None for s in heat.squares if s.column == 1)


def test_a_map_of_two_axes_has_its_rows_from_the_top(chain: dict[str, Opened]) -> None:
    done = Outcome({}, "done", chain["half"].trace)
    places = {(x, y): done for x in range(2) for y in range(3)}
    heat = heatmap.value_map(places, (8, 16), (128, 64, 32), "UB", titles=("a", "b"))
    assert (heat.columns, heat.rows) == (("8", "16"), ("128", "64", "32"))
    assert len(heat.squares) == 6
    assert _square(heat, 1).hover.startswith("<b>a 16 · b 128</b>")


def test_words_are_columns_too(chain: dict[str, Opened]) -> None:
    done = Outcome({}, "done", chain["half"].trace)
    heat = heatmap.value_map({(0, 0): done}, ("only-cube", "no-limit"), (16, -4), "UB")
    assert (heat.columns, heat.rows) == (("only-cube", "no-limit"), ("16", "-4"))


def test_rows_of_a_map_are_lines_of_the_kernel_where_the_plan_names_them() -> None:
    def point(tile: int, *names: str) -> Outcome:
        sources = ("a/add.mlir:8:1", "a/add.mlir:8:1", "a/add.mlir:9:1")
        buffers = tuple(
            Buffer(name, tile, i * tile, "f32", i, i, "", source)
            for i, (name, source) in enumerate(zip(names, sources, strict=True))
        )
        plan = MemoryPlan("UB", 3 * tile, 196608, buffers)
        trace = Trace("k", "", None, "", Status.OK, memory=(plan,))  # type: ignore[arg-type]
        return Outcome({"TILE": tile}, "done", trace)

    outcomes = {0: point(1024, "%0", "%1", "%2"), 1: point(2048, "%7", "%9", "%11")}
    heat = heatmap.buffer_map(outcomes, (1024, 2048), "UB")
    assert heat.row_names == (heatmap.PEAK, "add.mlir:8:1", "add.mlir:8:1 (2)", "add.mlir:9:1")
    assert all(square.value is not None for square in heat.squares)


def test_a_point_that_overflows_names_its_culprits_on_hover() -> None:
    failure = Failure(
        "memory", "PlanMemory", None, None, None, "ub overflow", memory="UB",
        required_bytes=262144, available_bytes=196608,
        culprits=(Culprit("%alloc", 131072, "add.mlir:8:13"),),
    )  # fmt: skip
    trace = Trace("k", "", None, "", Status.FAILED, failure=failure)  # type: ignore[arg-type]
    heat = heatmap.buffer_map({0: Outcome({"TILE": 32768}, "done", trace)}, (32768,), "UB")
    assert heat.squares[0].look == "over"
    assert "%alloc: 131,072 B (128 KiB)" in heat.squares[0].hover


def _predicted() -> heatmap.Predicted:
    values = np.array([[0.1, np.nan, np.nan, np.nan]])
    fits = np.array([[True, False, False, False]])
    return heatmap.Predicted(values, fits, np.zeros((1, 4, 1)), "fits", "does not")


def test_predicted_cells_are_told_from_measured_ones(chain: dict[str, Opened]) -> None:
    outcomes = {k: o for k, o in _outcomes(chain).items() if k}
    heat = heatmap.buffer_map(outcomes, _TILES, "UB", predicted=_predicted())
    figure = heatmap_figure.figure(heat)
    kinds = [type(trace) for trace in figure.data]
    assert kinds == [go.Heatmap, go.Heatmap, go.Heatmap, go.Scatter, go.Scatter, go.Scatter]
    _, pale, solid, dots, strokes, squares = figure.data
    assert pale.opacity < 1 and solid.opacity is None
    assert pale.z[0][0] == 0.1 and np.isnan(solid.z).all()
    assert pale.text[0][0] == "≈10"  # told apart without its colour
    assert list(dots.x) == [0] and dots.hovertemplate.startswith("fits")
    assert list(strokes.x) == [3] and strokes.hovertemplate.startswith("does not")
    assert sorted(set(squares.x)) == [1, 2]
    measured = heatmap.buffer_map(_outcomes(chain), _TILES, "UB", predicted=_predicted())
    _, pale, solid, *_ = heatmap_figure.figure(measured).data
    assert np.isnan(pale.z[0]).all()  # what is measured replaces what was predicted
    assert solid.text[0][0] == f"{_square(measured, 0).value * 100:.0f}"


def test_every_cell_takes_clicks(chain: dict[str, Opened]) -> None:
    heat = heatmap.buffer_map(_outcomes(chain), _TILES, "UB", predicted=_predicted())
    figure = heatmap_figure.figure(heat)
    taken = [
        (x, y)
        for trace in figure.data
        if isinstance(trace, go.Scatter)
        for x, y in zip(trace.x, trace.y, strict=True)
    ]
    assert {(column, 0) for column in range(4)} <= set(taken)
    assert len(taken) == len(set(taken))
    assert (figure.layout.hoverdistance, figure.layout.dragmode) == (-1, False)
    signs = [a.text for a in figure.layout.annotations]
    assert signs.count("✕") == 1
    assert (figure.layout.coloraxis.cmin, figure.layout.coloraxis.cmax) == (0, 1)


@pytest.mark.parametrize("by", COLOURINGS, ids=lambda by: by.key)
def test_every_colouring_has_figures_or_none_and_says_its_source(
    chain: dict[str, Opened], by: Colouring
) -> None:
    assert by.source.endswith(".")
    costs = {0: cost} if (cost := estimate(chain["half"].trace, chain["half"].texts)) else {}
    heat = heatmap.buffer_map(_outcomes(chain), _TILES, "UB", by=by, costs=costs)
    value = _square(heat, 0).value
    assert value is not None
    text = heat.scale.text(value)
    assert any(letter.isdigit() for letter in text) or by.kind == "class"
    assert (_square(heat, 1).value is None) == (by.key != "feasible")
    assert (len(heat.rows) > 1) == (by.key == "occupancy")
    place = heat.scale.place(value)
    assert place is not None and heat.scale.low <= place <= heat.scale.high
    assert len(heatmap_figure.figure(heat).data) == 3


def test_bars_show_what_is_predicted_beside_what_is_real() -> None:
    plan = MemoryPlan("UB", 65536, 262144, ())
    figure = memory_bars([plan], 0.5, {"UB": 131072, "L1": 1024}, {"L1": 1048576})
    real, pale = figure.data
    assert list(real.x) == [25, 0]
    assert list(pale.x) == [50, 1024 / 1048576 * 100]
    assert pale.opacity < 1
    assert [a.text for a in figure.layout.annotations] == [
        "64 KiB of 256 KiB · 25 %<br>≈ 128 KiB · 50 %",
        "≈ 1 KiB · <0.1 %",
    ]


# Comparison


def _compared(chain: dict[str, Opened], before: str, after: str) -> Comparison:
    a, b = chain[before], chain[after]
    return compare(a.trace, a.texts, b.trace, b.texts)


def test_a_comparison_says_what_changed_first(chain: dict[str, Opened]) -> None:
    said = sentences.headline(_compared(chain, "auto", "half"))
    assert said.tone == "changed"
    assert said.text.startswith("The emitted code changed, first in ")


def test_a_comparison_says_that_a_hint_changed_nothing(chain: dict[str, Opened]) -> None:
    comparison = _compared(chain, "half", "half")
    assert sentences.headline(comparison).text == (
        "Nothing changed: the emitted code is identical."
    )
    trace = chain["half"].trace
    asked = replace(trace.hints, asked={**trace.hints.asked, "enable_auto_inline": True})
    after = replace(trace, hints=asked)
    texts = chain["half"].texts
    said = sentences.headline(compare(trace, texts, after, texts))
    assert said == sentences.Headline(
        "This hint changed nothing: the emitted code is identical.", "same"
    )


def test_a_comparison_says_that_it_no_longer_compiles(chain: dict[str, Opened]) -> None:
    broken = sentences.headline(_compared(chain, "auto", "over"))
    assert broken.tone == "bad"
    assert broken.text.endswith("it crashed, SIGABRT in StorageRewriteCCE.")
    mended = sentences.headline(_compared(chain, "over", "auto"))
    assert mended.tone == "good"
    again = sentences.headline(_compared(chain, "over", "over"))
    assert again.tone == "same"


def test_a_comparison_tells_another_kernel_from_a_version_of_the_same(
    chain: dict[str, Opened],
) -> None:
    trace, texts = chain["half"].trace, chain["half"].texts
    other = replace(trace, kernel_hash="f" * 32)
    said = sentences.headline(compare(trace, texts, other, texts)).text
    assert said.startswith(f"These are two versions of {trace.kernel}: ")
    other = replace(other, kernel="another")
    said = sentences.headline(compare(trace, texts, other, texts)).text
    assert said.startswith("These are two different kernels;")


def test_where_earlier_attempts_stopped_is_said(chain: dict[str, Opened]) -> None:
    trace = chain["half"].trace
    assert attempts_sentence(trace) == ""
    first, second = trace.passes[0], trace.passes[1]
    again = replace(
        trace,
        passes=(replace(first, status="failed"), replace(second, attempt=2)),
    )
    assert attempts_sentence(again) == (
        f"Attempt 1 stopped in {pass_title(first)}; the compiler began again by itself."
    )


def test_what_an_abandoned_attempt_had_is_not_in_what_was_emitted(chain: dict[str, Opened]) -> None:
    trace = chain["half"].trace
    finding = Finding("bounds", "wrong", "x_local_UB", "x_local_UB is read at 9.", 1)
    assert not abandoned(trace, Report(finding, 0, 0))
    first, *others = trace.passes
    tried = replace(first, status="failed")
    twice = replace(trace, passes=(tried, *(replace(p, attempt=2) for p in others)))
    assert abandoned(twice, Report(finding, 0, 0))
    assert not abandoned(twice, Report(finding, 1, 1))
    assert not abandoned(twice, Report(finding, 1, len(trace.passes)))


def test_figures_of_a_comparison(chain: dict[str, Opened]) -> None:
    comparison = _compared(chain, "auto", "over")
    facts = {label: (a, b) for label, a, b in sentences.facts(comparison)}
    assert facts["status"] == ("ok to the last step", "crashed, SIGABRT")
    assert facts["cores"] == ("32", "–")
    assert list(memory_changes(comparison.memory)["after"]) == ["–"]


def test_instructions_add_up_by_kind(chain: dict[str, Opened]) -> None:
    counts = chain["auto"].trace.instructions
    kinds = instruction_kinds(counts)
    assert sum(kinds.values()) == sum(counts.values())
    assert {"transfer", "vector"} <= set(kinds)


def test_a_pass_is_named_as_its_file() -> None:
    step = Pass(0, "lowering", "", 1, "AutoPoly", 7, None, 0, 0, False, "statement", None, "ok")
    assert pass_title(step) == "07_AutoPoly"
    assert pass_title(replace(step, number=None)) == "AutoPoly"
