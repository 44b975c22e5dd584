"""Predicted occupancy against measured sweeps: what a few chosen compiles tell of all the others.

The sweeps are real compiles, recorded in data/sweeps by `python -m tests.record_sweeps`: of each
kernel 40 to 64 points, half of them values that the Tiling page suggests and half drawn from the
whole space, so that tails, unaligned tiles and tiles of a few elements are among them.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from statistics import median
from typing import Any

import zstandard

from benchmarks.bench import PROJECT, Bench
from benchmarks.figures import Figure, milliseconds
from core.analysis.predict import Model, whole_space
from core.analysis.sweep import Outcome
from core.readers import Opened, open_trace
from core.trace_json import from_json

SWEEPS = PROJECT / "data" / "sweeps"
TRACES = PROJECT / "data" / "traces"
CHOSEN, AT_A_TIME = 12, 4  #: points that are compiled before the rest is judged
OFF, RIGHT, KERNELS = 0.10, 0.90, 10  #: what is aimed at, for how many kernels
MOST_POINTS, MOST_SECONDS = 20_000, 1.0  #: of a map of the whole space
MAPS = 5  #: of each kernel; the median counts


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded sweep, with the trace from which its kernel's model starts."""

    name: str
    opened: Opened
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """Predictions of points that the model had not seen."""

    peaks: int  #: that were judged
    off: float  #: median of |predicted - measured| / measured
    worst: float
    right: float  #: share of the points whose feasibility was right


def measure(bench: Bench) -> list[Figure]:
    alone, after = {}, {}
    slowest, processor, where = 0.0, 0.0, ""
    for sweep in recorded():
        alone[sweep.name] = judge(fitted(sweep, []), sweep.outcomes)
        model, left = chosen(sweep)
        after[sweep.name] = judge(model, left)
        model = fitted(sweep, sweep.outcomes)
        turns = [whole_map(model) for _ in range(MAPS)]
        seconds = median(turn.seconds for turn in turns)
        if seconds > slowest:
            slowest, processor = seconds, median(turn.processor for turn in turns)
            where = f"{turns[0].points:,} points of {sweep.name}"
        bench.remark(
            f"predicting {sweep.name}: after {CHOSEN} chosen compiles {_told(after[sweep.name])}; "
            f"from the open trace alone {_told(alone[sweep.name])}."
        )
    good = sum(each.off < OFF and each.right >= RIGHT for each in after.values())
    offs, rights = (
        [each.off for each in after.values()],
        [each.right for each in after.values()],
    )
    return [
        Figure(
            "predicted occupancy",
            f"from the open trace alone: {median(j.off for j in alone.values()):.1%} off, "
            f"{median(j.right for j in alone.values()):.0%} right (medians of kernels)",
            f"after {CHOSEN} compiles: {median(offs):.1%} off, {median(rights):.0%} right; "
            f"{good} of {len(after)} kernels under {OFF:.0%} off and {RIGHT:.0%} right",
            None,
            f"at least {KERNELS} kernels",
            good >= KERNELS,
        ),
        Figure(
            "map of the whole space",
            where,
            f"{milliseconds(slowest)}, of which processor {milliseconds(processor)}",
            None,
            f"under {MOST_SECONDS:g} s",
            slowest < MOST_SECONDS,
        ),
    ]


def _told(judged: Judged) -> str:
    return (
        f"{judged.off:.1%} off (worst {judged.worst:.0%}, {judged.peaks} peaks), "
        f"feasibility {judged.right:.0%} right"
    )


def recorded(names: Sequence[str] = ()) -> list[Recorded]:
    """The recorded sweeps, of these kernels or of all."""
    files = sorted(SWEEPS.glob("*.json.zst"))
    found = []
    for file in files:
        name = file.name.removesuffix(".json.zst")
        if not names or name in names:
            opened = open_trace(TRACES / f"{name}.zip")
            found.append(Recorded(name, opened, tuple(map(_outcome, points(file)))))
    return found


def points(file: Path) -> list[dict[str, Any]]:
    """The points of a recorded sweep: values, hints, error, and the trace as a document."""
    found: list[dict[str, Any]] = json.loads(zstandard.decompress(file.read_bytes()))
    return found


def _outcome(point: dict[str, Any]) -> Outcome:
    trace = from_json(json.dumps(point["trace"])) if point["trace"] else None
    return Outcome(point["values"], "done", trace, point["error"])


def fitted(sweep: Recorded, outcomes: Sequence[Outcome]) -> Model:
    """The model of a kernel that knows its open trace and these points."""
    opened = sweep.opened
    return Model.fit(opened.trace, opened.texts, outcomes, kernel=opened.kernel)


def chosen(sweep: Recorded, count: int = CHOSEN) -> tuple[Model, list[Outcome]]:
    """A model after the points that it asked for itself, and the points that it has not seen."""
    known: list[Outcome] = []
    left = list(sweep.outcomes)
    model = fitted(sweep, known)
    while len(known) < count:
        places = model.telling([o.values for o in left], min(AT_A_TIME, count - len(known)))
        known += [left[place] for place in places]
        left = [each for place, each in enumerate(left) if place not in places]
        model = fitted(sweep, known)
    return model, left


def judge(model: Model, outcomes: Sequence[Outcome]) -> Judged:
    """Compare predictions with what was measured; peaks of points that compiled."""
    offs, right = [], []
    for each in outcomes:
        if each.trace is None:
            continue
        prediction = model.predict(each.values)
        right.append(bool(prediction.feasible) == each.compiles)
        if each.compiles:
            offs += [
                abs(prediction.peaks.get(plan.memory, 0) / plan.peak_bytes - 1)
                for plan in each.trace.memory
            ]
    return Judged(len(offs), median(offs), max(offs), sum(right) / len(right))


@dataclass(frozen=True, slots=True)
class Mapped:
    """What predicting a whole map took: seconds by the clock, and of the processor."""

    seconds: float
    processor: float
    points: int


def whole_map(model: Model) -> Mapped:
    """Predict the whole space of the two longest axes."""
    axes = sorted(
        (v for v in model.variables if v.kind == "tile" and v.extent and v.extent > 1),
        key=lambda v: -(v.extent or 0),
    )[:2]
    lists = {axis.key: whole_space(axis) for axis in axes}
    if not lists:
        lists = {v.key: tuple(range(16, 157)) for v in model.variables if v.kind == "number"}
        lists = dict(list(lists.items())[:2])
    assert prod(len(values) for values in lists.values()) <= MOST_POINTS
    began, used = time.perf_counter(), time.process_time()
    space = model.predict_all(lists)
    return Mapped(time.perf_counter() - began, time.process_time() - used, int(space.feasible.size))
