"""Predicted occupancy, against formulas that are known and against recorded sweeps.

The sweeps of data/sweeps are real compiles. Where a figure can be worked out by another way (a
matrix product's tiles in L1 and L0C, two vectors in UB), it is.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from benchmarks.predicting import KERNELS, OFF, RIGHT, chosen, fitted, judge, recorded, whole_map
from core.analysis.predict import Model, next_points, whole_space
from core.analysis.predict.memory import forgoes_copies
from core.analysis.predict.points import Variable, describe, rows
from core.analysis.predict.prior import least
from core.analysis.sweep import Outcome
from core.trace import Buffer, MemoryPlan, Status


@cache
def sweep(name):
    return recorded([name])[0]


@cache
def alone(name):
    return fitted(sweep(name), [])


@cache
def whole(name):
    return fitted(sweep(name), sweep(name).outcomes)


def at(name, **values):
    """The outcome of a recorded sweep with these values."""
    return next(o for o in sweep(name).outcomes if dict(o.values) == values)


# From one trace alone


def test_a_matrix_product_is_predicted_from_one_plan():
    # BM x BN floats in L0C; BM x BK and BK x BN halves in L1, each twice for multi-buffering.
    model = alone("triton_matmul-fp16")
    tiles = (16, 32, 64, 128)
    for bm, bn, bk in itertools.product(tiles, tiles, tiles):
        prediction = model.predict({"BM": bm, "BN": bn, "BK": bk})
        assert prediction.peaks["L0C"] == 4 * bm * bn
    off = judge(model, sweep("triton_matmul-fp16").outcomes)
    assert off.off < 0.1 and off.right >= 0.9


def test_two_vectors_fill_ub_to_the_last_element():
    model = alone("hivm_vadd")
    for tile in (256, 1000, 8192, 24576):
        prediction = model.predict({"TILE": tile})
        assert prediction.peaks["UB"] == 2 * 4 * -(-tile // 8) * 8
        assert prediction.feasible
    over = model.predict({"TILE": 24577})
    assert over.feasible is False
    assert over.why_not == "UB would need 196,672 B of 196,608 B."
    assert over.limiter == "UB"


def test_rows_of_a_fused_reduction_do_not_depend_on_the_axis_that_was_shifted():
    # Softmax keeps whole rows of 1,024 halves whatever the tile of the shifted axis is.
    model = alone("softmax_fp16")
    one, two = (model._memories["UB"].layout.needs(model_points(model, n))[0] for n in (16, 32))
    assert two == pytest.approx(2 * one, rel=0.01)
    some = model.predict({"0.0": 16, "0.1": 512}).peaks["UB"]
    assert some >= 16 * 1024 * 2 * 2


def model_points(model, rows_):
    return rows({"0.0": (rows_,)}, model.variables)


def test_tiling_without_double_buffers_says_nothing_of_hints():
    trace = sweep("elementwise_chain").opened.trace
    assert forgoes_copies(trace)
    assert trace.plan("UB").peak_bytes == 65536
    # Asked for, the very same tile takes twice that: a hint gets double buffers.
    measured = at("elementwise_chain", **{"0.0": 16384}).trace.plan("UB").peak_bytes
    assert measured == 2 * 65536
    prediction = alone("elementwise_chain").predict({"0.0": 16384})
    assert prediction.confidence != "measured"
    assert abs(prediction.peaks["UB"] / measured - 1) < 0.35
    assert "went without double buffers" in alone("elementwise_chain").notes[0]


# Measured points


def test_what_was_measured_is_told_as_it_was():
    name = "elementwise_chain"
    model = whole(name)
    for outcome in sweep(name).outcomes:
        prediction = model.predict(outcome.values)
        assert prediction.confidence == "measured"
        assert prediction.feasible == outcome.compiles
        assert bool(prediction.why_not) != outcome.compiles
        if outcome.compiles:
            assert prediction.peaks["UB"] == outcome.trace.plan("UB").peak_bytes
            assert prediction.cores == outcome.trace.block_dim


def test_each_point_is_judged_without_itself():
    # The short way that the error is worked out by, against models that never saw the point.
    name = "triton_matmul-fp16"
    outcomes = sweep(name).outcomes
    judged = whole(name)._without_each()
    compared = 0
    for outcome in outcomes:
        others = [o for o in outcomes if o is not outcome]
        prediction = fitted(sweep(name), others).predict(outcome.values)
        if not outcome.compiles or prediction.confidence == "measured":  # it is the open trace's
            continue
        place = next(n for n, t in enumerate(whole(name)._traces) if t is outcome.trace)
        for memory, bytes_ in prediction.peaks.items():
            assert judged.peaks[memory][place] == pytest.approx(bytes_, rel=0.02), outcome.values
            compared += 1
    assert compared >= 80


def test_twelve_compiles_tell_the_rest_for_ten_kernels():
    good = {}
    for each in recorded():
        model, left = chosen(each)
        assert len(left) == len(each.outcomes) - 12
        judged = judge(model, left)
        good[each.name] = judged.off < OFF and judged.right >= RIGHT
        assert judged.off < 0.2, each.name
        assert judged.right > 0.8, each.name
    assert sum(good.values()) >= KERNELS, good


def test_errors_of_whole_sweeps():
    errors = {each.name: whole(each.name).error for each in recorded()}
    assert all(error.points >= 40 for error in errors.values())
    met = [n for n, e in errors.items() if e.median < OFF and e.feasible_right >= RIGHT]
    assert len(met) >= KERNELS, errors
    worst = errors["elementwise_chain"]
    assert worst.worst_at == {"0.0": 65536}


def test_without_measured_points_there_is_no_error():
    error = alone("column_sum").error
    assert error.points == 0 and error.median is None and error.feasible_right is None


def test_cores_follow_the_parts():
    model, left = chosen(sweep("column_sum"))
    told = [(model.predict(o.values).cores, o.trace.block_dim) for o in left if o.compiles]
    assert sum(said == used for said, used in told) >= 0.9 * len(told)


def test_a_parameter_that_sets_the_cores_is_believed():
    model, left = chosen(sweep("hfusion_elementwise"))
    assert all(model.predict(o.values).cores == o.values["block-dim"] for o in left)


def test_notes_tell_what_was_seen():
    (note,) = [n for n in whole("elementwise_chain").notes if "not monotonic" in n]
    assert note.startswith("What fits is not monotonic: 0.0 = 49,587 overflows")
    assert not at("elementwise_chain", **{"0.0": 49587}).compiles
    assert at("elementwise_chain", **{"0.0": 65536}).compiles
    failed = sum(
        not o.compiles and o.trace.failure.kind != "memory" for o in sweep("softmax_fp16").outcomes
    )
    assert any(n.startswith(f"{failed} of ") for n in whole("softmax_fp16").notes)


def test_failures_other_than_of_memory_are_foreseen_from_points_like_them():
    name = "softmax_fp16"
    prediction = whole(name).predict({"0.0": 16, "0.1": 256})
    assert prediction.feasible is False
    assert prediction.why_not.startswith("Points like it failed, as at 0.0 = ")
    assert "Need to split the vector var" in prediction.why_not


# Spaces


def test_a_space_holds_what_its_points_are_predicted_to_be():
    model, _ = chosen(sweep("broadcast_exp_sum"))
    lists = {"0.1": (3, 96, 768), "0.0": (1, 8, 64, 1024)}
    space = model.predict_all(lists)
    assert space.feasible.shape == (3, 4)
    for place in itertools.product(range(3), range(4)):
        values = space.values(place)
        assert values == {"0.1": lists["0.1"][place[0]], "0.0": lists["0.0"][place[1]]}
        prediction = model.predict(values)
        assert prediction.peaks == {"UB": int(space.peaks["UB"][place])}
        assert prediction.feasible == space.feasible[place]
        assert (prediction.cores or 0) == space.cores[place]
        assert prediction.limiter == list(space.peaks)[space.limiter[place]]


def test_an_axis_that_the_model_does_not_know_changes_nothing():
    model = alone("column_sum")
    lone = model.predict_all({"0.0": (8, 64)})
    both = model.predict_all({"some hint": (1, 2, 3), "0.0": (8, 64)})
    assert both.feasible.shape == (3, 2)
    assert all(np.array_equal(line, lone.peaks["UB"]) for line in both.peaks["UB"])


def test_the_whole_space_of_an_axis():
    long = Variable("0.0", "tile", 16384, 4194304, unit=16)
    values = whole_space(long, 140)
    assert len(values) <= 140 and list(values) == sorted(set(values))
    assert {1, 16384, 4194304} <= set(values)
    assert all(v % 16 == 0 or 4194304 % v == 0 for v in values)
    gaps = [b / a for a, b in itertools.pairwise(values) if a >= 64]
    assert max(gaps) <= 2
    assert whole_space(replace(long, extent=12)) == tuple(range(1, 13))


def test_a_whole_map_is_quick():
    mapped = whole_map(whole("column_sum"))
    assert 5_000 < mapped.points <= 20_000
    assert mapped.processor < 1.0


def test_next_points_are_new_and_spread():
    model = alone("column_sum")
    lists = {"0.0": (1, 8, 48, 63, 64, 384, 768), "0.1": (1, 4, 16, 64, 98, 512, 4096)}
    first = next_points(model, lists, limit=8)
    assert len(first) == 8 == len({tuple(p.values()) for p in first})
    assert all(p["0.0"] in lists["0.0"] and p["0.1"] in lists["0.1"] for p in first)
    # Tails, unaligned tiles and divisors are all asked for before any is asked for twice over.
    assert {p["0.0"] % 8 == 0 for p in first} == {True, False}
    more = next_points(model, lists, first, limit=100)
    assert len(more) == 49 - 8
    assert not {tuple(p.values()) for p in first} & {tuple(p.values()) for p in more}


def test_chosen_points_tell_more_than_the_first_ones():
    name = "elementwise_chain"
    model, left = chosen(sweep(name))
    outcomes = sorted(sweep(name).outcomes, key=lambda o: o.values["0.0"])
    naive = judge(fitted(sweep(name), outcomes[:12]), outcomes[12:])
    assert judge(model, left).off < naive.off


# Parts


def test_traits():
    tile = Variable("0.0", "tile", 64, 1024, unit=16, multicore=True)
    flag = Variable("flag", "choice", False, codes={False: 0, True: 1})
    points = rows({"0.0": (1, 16, 48, 500, 1024), "flag": (True,)}, (tile, flag))
    found = describe(points, (tile, flag), cores=32)
    traits = {name: found.traits[:, n].tolist() for n, name in enumerate(found.names)}
    assert traits["0.0 is cut"] == [1, 1, 1, 1, 0]
    assert traits["0.0 leaves a tail"] == [0, 0, 1, 1, 0]
    assert traits["0.0 is not a multiple of 16"] == [1, 0, 0, 1, 0]
    assert traits["0.0 has more parts than 32 cores"] == [1, 1, 0, 0, 0]
    assert traits["flag is True"] == [1] * 5
    assert found.trips.tolist() == [1024, 64, 22, 3, 1]


def test_what_a_plan_needs_at_least():
    def buffer(name, size, first, last, copy_of=""):
        return Buffer(name, size, 0, "float16", first, last, copy_of)

    plan = MemoryPlan(
        "UB",
        512,
        1024,
        (
            buffer("a", 100, 1, 3),  # 128 with alignment
            buffer("b", 64, 3, 5),  # begins where a ends: in its place
            buffer("c", 32, 2, 5),
            buffer("a1", 100, 1, 3, copy_of="a"),
        ),
    )
    assert least(plan) == 128 + 32


def test_points_without_a_trace_are_passed_over():
    name = "column_sum"
    opened = sweep(name).opened
    waiting = Outcome({"0.0": 8, "0.1": 8}, "queued")
    model = Model.fit(opened.trace, opened.texts, [waiting], kernel=opened.kernel)
    assert model.error.points == 0


def test_without_a_plan_nothing_is_predicted():
    opened = sweep("column_sum").opened
    bare = replace(opened.trace, memory=(), status=Status.FAILED)
    model = Model.fit(bare, None, [], kernel=opened.kernel)
    prediction = model.predict({"0.0": 8})
    assert prediction.peaks == {} and prediction.limiter is None
    assert model.notes == ("No plan of a memory is known of this kernel, so nothing is predicted.",)
