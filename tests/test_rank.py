"""Which points are best: order, ties, what nobody knows, and those that no other beats."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import pytest

from core.analysis.estimate import cost
from core.analysis.predict.cost import LEAST, CostModel
from core.analysis.rank import (
    BY,
    Candidate,
    beats,
    candidates,
    compared,
    front,
    measured,
    not_worse,
    ranked,
)
from core.analysis.sweep import Outcome
from core.hints import Hints, HintValue, Tile
from core.kernel import load_kernel
from core.readers import Opened, open_trace
from core.trace import Traffic, Work
from core.views.ranking import ABOUT, cost_table, pareto_figure, ranking_table
from tests.conftest import KERNELS, PROJECT

TRACES = PROJECT / "data" / "traces"


def candidate(name: str) -> Candidate:
    found = open_trace(TRACES / f"{name}.zip")
    return measured(found.trace, {"0.0": name}, found.texts)


def point(tile: int, time: float | None, full: float | None = 0.5, cores: int = 32) -> Candidate:
    return Candidate({"0.0": tile}, "measured", True, "UB", full, cores, time=time)


def tiles(rows: object) -> list[HintValue]:
    return [row.candidate.values["0.0"] for row in rows]  # type: ignore[attr-defined]


@dataclass
class Foreseen:
    values: Mapping[str, HintValue]
    peaks: Mapping[str, int] = field(default_factory=lambda: {"UB": 65536})
    feasible: bool | None = True
    limiter: str | None = "UB"
    cores: int | None = 32
    why_not: str = ""


def test_the_quickest_is_first_and_the_unknown_last() -> None:
    rows = ranked([point(1, None), point(2, 300.0), point(3, 100.0), point(4, 200.0)])
    assert tiles(rows) == [3, 4, 2, 1]
    assert [row.place for row in rows] == [1, 2, 3, 4]


def test_equal_points_share_a_place() -> None:
    rows = ranked([point(1, 200.0), point(2, 100.0), point(3, 100.0), point(4, 300.0)])
    assert [row.place for row in rows] == [1, 1, 3, 4]
    assert tiles(rows) == [2, 3, 1, 4]


def test_ties_of_time_are_broken_by_wasteful_transfers() -> None:
    def moved(times: int) -> Candidate:
        work = Work((Traffic("GM→UB", times, 32768, 1, 1, times, 0, times, times),))
        return replace(point(times, 100.0), cost=cost(work, "Ascend910", 32))

    assert tiles(ranked([moved(8), moved(2), moved(4)])) == [2, 4, 8]


def test_points_that_do_not_fit_are_left_out() -> None:
    over = replace(point(1, 1.0), feasible=False)
    unsure = replace(point(2, 1.0), feasible=None)
    assert tiles(ranked([over, unsure, point(3, 9.0)])) == [3]


@pytest.mark.parametrize(
    ("by", "first"), [("time", 1), ("occupancy", 2), ("cores", 3)], ids=("time", "UB", "cores")
)
def test_what_is_picked_decides(by: str, first: int) -> None:
    points = [point(1, 10.0, 0.9, 8), point(2, 20.0, 0.1, 8), point(3, 30.0, 0.5, 32)]
    assert tiles(ranked(points, by))[0] == first  # type: ignore[arg-type]


def test_the_front_is_what_no_other_beats() -> None:
    draw = random.Random(7)
    points = [
        point(n, draw.choice((10.0, 20.0, 30.0)), draw.choice((0.2, 0.4)), draw.choice((8, 32)))
        for n in range(60)
    ]
    best = {id(each) for each in front(points)}
    figures = {id(each): (each.time, each.occupancy, -(each.cores or 0)) for each in points}
    for one in points:
        mine = figures[id(one)]
        worse = [
            theirs
            for theirs in figures.values()
            if theirs != mine and all(a <= b for a, b in zip(theirs, mine, strict=True))
        ]
        assert (id(one) in best) is not bool(worse)
    assert {id(row.candidate) for row in ranked(points) if row.front} == best


def test_what_is_not_known_of_both_decides_nothing() -> None:
    assert not beats(point(1, 1.0, None), point(2, None, 0.9))
    assert beats(point(1, None, 0.2), point(2, 5.0, 0.4))
    per_kib = replace(point(1, 1.0, 0.5), per="KiB")
    assert not beats(per_kib, point(2, 9.0, 0.5))
    assert front([point(1, None), point(2, 1.0, None)]) == []


def test_a_proposal_is_worse_where_the_other_is_as_good_in_everything() -> None:
    own = point(1, 100.0, 0.5)
    assert not_worse(own, own)
    assert not_worse(point(2, 90.0, 0.9), own)
    assert not not_worse(point(2, 110.0, 0.1), own)
    assert not not_worse(point(2, 100.0, 0.6), own)
    assert not_worse(point(2, 110.0, 0.1), own, "occupancy")
    assert not not_worse(replace(point(2, 1.0), feasible=False), own)


def test_two_points_in_words() -> None:
    one, other = point(1, 100.0, 0.25, 32), point(2, 180.0, 0.5, 16)
    assert compared(one, other) == (
        "1.8 × fewer cycles (estimate), UB 25 % instead of 50 %, 32 cores instead of 16"
    )
    assert compared(other, one).startswith("1.8 × more cycles (estimate)")
    assert compared(one, one) == "as many cycles (estimate)"
    assert compared(point(1, None, None, 0), point(2, 1.0)) == "the same in everything that counts"


def test_a_measured_point_takes_the_place_of_its_prediction() -> None:
    found = open_trace(TRACES / "elementwise_chain.zip")
    outcome = Outcome({"0.0": 16384}, "done", found.trace)
    points = candidates(
        [outcome, Outcome({"0.0": 1}, "queued")],
        [Foreseen({"0.0": 16384}), Foreseen({"0.0": 8192})],
        {"UB": 262144},
    )
    assert [(each.values["0.0"], each.how) for each in points] == [
        (16384, "measured"),
        (8192, "predicted"),
    ]
    assert points[1].occupancy == 0.25 and points[1].time is None
    assert "compiled" in points[1].why_not
    # nothing counted it: an earlier version read the trace, and no text is kept of a point
    assert points[0].cost is None and points[0].why_not == "It was not counted."


def test_recorded_traces_compare_as_their_formulas_say() -> None:
    own, doubled = candidate("elementwise_chain"), candidate("elementwise_chain-tile_8192")
    assert own.time is not None and doubled.time is not None
    assert doubled.time < own.time  # double buffering hides all but the loads
    assert tiles(ranked([own, doubled])) == ["elementwise_chain-tile_8192", "elementwise_chain"]
    assert f"{own.time / doubled.time:.3g} × fewer cycles" in compared(doubled, own)


def test_programs_of_a_grid_compare_by_what_they_write() -> None:
    wide = candidate("triton_add-fp32")
    assert wide.per == "KiB"
    assert wide.cost is not None and wide.time is not None and wide.cost.cycles is not None
    assert wide.time == pytest.approx(wide.cost.cycles / 4)  # 1,024 float32 are 4 KiB


def test_a_failed_compile_says_why() -> None:
    failed = candidate("elementwise_chain-tile_131072")
    assert failed.feasible is False and failed.why_not and failed.time is None


@pytest.mark.parametrize("make", [ranking_table, pareto_figure])
def test_every_point_is_shown(make: Callable[..., object]) -> None:
    points = [candidate("elementwise_chain"), candidate("elementwise_chain-tile_8192")]
    rows = ranked([*points, replace(points[0], how="predicted", time=None, cost=None)])
    made = make(rows, {"0.0": "axis 0"}, points[0])
    if make is ranking_table:
        assert list(made["axis 0"])[:2] == [  # type: ignore[index]
            "elementwise_chain-tile_8192",
            "elementwise_chain",
        ]
        assert list(made["against the compiler"])[1] == "its own choice"  # type: ignore[index]
        assert set(made.columns) <= {*ABOUT, "axis 0"}  # type: ignore[attr-defined]
        assert list(made["time"])[2] == "–"  # type: ignore[index]
    else:
        drawn = made.data[1]  # type: ignore[attr-defined]
        assert len(drawn.x) == 2 and list(drawn.marker.symbol) == ["circle", "star"]
        assert [list(each) for each in drawn.customdata] == [
            ["elementwise_chain-tile_8192"],
            ["elementwise_chain"],
        ]


def test_every_figure_of_a_cost_has_a_source() -> None:
    found = candidate("matmul_cube").cost
    assert found is not None
    table = cost_table(found)
    assert all(table["source"]) and all(table["figure"])
    figures = dict(zip(table["what"], table["figure"], strict=True))
    assert figures["products of 16 × 16 × 16"] == "1,024"
    assert figures["GM→L1"].startswith("294,912 B (288 KiB) in 16 × ")
    assert dict(zip(table["what"], table["source"], strict=True))["time (estimate)"].startswith(
        "Estimate: "
    )


def test_there_is_a_figure_for_everything_that_can_be_picked() -> None:
    points = [candidate("elementwise_chain"), candidate("softmax_fp16")]
    for by in BY:
        assert len(ranked(points, by)) == 2


# --- times of points that nobody compiled ---------------------------------------------------------


@pytest.fixture(scope="module")
def chains(compile_all: Callable[..., Iterator[Opened]]) -> dict[int, Opened]:
    """The elementwise chain with tiles that divide its extent, compiled for real."""
    kernel = load_kernel(KERNELS / "elementwise_chain.json")
    tiles = [1 << power for power in range(8, 16)]
    jobs = [(kernel, Hints((Tile(0, 0, tile),))) for tile in tiles]
    return dict(zip(tiles, compile_all(jobs), strict=True))


def learned(chains: dict[int, Opened], without: int = 0) -> CostModel | None:
    first = chains[32768]
    outcomes = [
        Outcome({"0.0": tile}, "done", one.trace) for tile, one in chains.items() if tile != without
    ]
    return CostModel.fit(first.trace, first.texts, outcomes, kernel=first.kernel, cores=32)


def test_the_time_of_a_point_left_out_is_near_what_its_code_says(
    chains: dict[int, Opened],
) -> None:
    for tile in (1024, 4096, 8192):
        model = learned(chains, without=tile)
        assert model is not None
        counted = measured(chains[tile].trace, {}).time
        assert model.predict({"0.0": tile}) == pytest.approx(counted, rel=0.2)


def test_the_error_is_that_of_points_left_out(chains: dict[int, Opened]) -> None:
    model = learned(chains)
    assert model is not None and model.error.points == len(chains)
    assert model.error.median < 0.1
    assert model.error.median <= model.error.worst


def test_times_over_a_space_have_its_shape(chains: dict[int, Opened]) -> None:
    model = learned(chains)
    assert model is not None
    tiles = (256, 512, 700, 4096)
    cycles, sure = model.predict_all({"0.0": tiles})
    assert cycles.shape == sure.shape == (4,)
    assert [model.predict({"0.0": tile}) for tile in tiles] == pytest.approx(cycles.tolist())
    assert sure[2] < min(sure[0], sure[1], sure[3])  # of a tile with a tail nothing was measured


def test_predicted_points_are_ranked_by_the_time_that_was_learned(
    chains: dict[int, Opened],
) -> None:
    model = learned(chains, without=4096)
    assert model is not None
    outcomes = [Outcome({"0.0": 256}, "done", chains[256].trace)]
    points = candidates(outcomes, [Foreseen({"0.0": 4096})], {"UB": 262144}, model)
    assert points[1].time == model.predict({"0.0": 4096}) and points[1].why_not == ""
    assert tiles(ranked(points)) == [4096, 256]


def test_nothing_is_predicted_from_a_few_points(chains: dict[int, Opened]) -> None:
    few = dict(list(chains.items())[-(LEAST - 1) :])
    assert len(few) < LEAST and learned(few) is None
