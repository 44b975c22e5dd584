"""The best point of a small sweep, by the page's own criteria, against the compiler's choice."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.bench import KERNELS, Bench
from benchmarks.figures import Figure
from core.analysis.estimate import rates
from core.analysis.predict.cost import CostError, CostModel
from core.analysis.rank import Candidate, compared, measured, not_worse, ranked
from core.analysis.sweep import SweepAxis, grid, outcome, repeated, sweep_axes, values_of
from core.compilers import Limits, Session
from core.compilers.registry import COMPILERS, compiler_for
from core.hints import Hints, HintValue
from core.jobs.queue import Queue
from core.jobs.supervise import Supervisor
from core.kernel import Kernel, load_kernel
from core.library import Library
from core.readers import Opened, open_trace

NAMES = (
    "elementwise_chain.json", "broadcast_exp_sum.json", "column_sum.json", "softmax_fp16.json",
    "layer_norm.json", "matmul_cube.json", "batch_matmul.json", "triton_add.py",
    "triton_softmax.py", "hfusion_elementwise.mlir",
)  # fmt: skip
POINTS = 20  #: of one kernel at most
LEAST = 8  #: kernels of ten whose proposal must be as good
SLOTS = 2
_SAME = 0.005  # of an estimate, which is no finer
_FEWEST = 2  # values that make an axis worth a sweep
_EACH = ((20,), (5, 4), (3, 3, 2))  # values on each of one, two or three axes
_BLOCK = 16  # rows and columns of a block of the cube


@dataclass(frozen=True, slots=True)
class Judged:
    """One kernel: the compiler's own choice, what the ranking proposes, what came of that."""

    kernel: str
    points: int
    own: Candidate
    proposed: Candidate | None
    compiles: bool  #: compiled again, whole
    as_good: bool
    error: CostError | None = None  #: of times predicted for points that were left out


def measure(bench: Bench) -> list[Figure]:
    judged = judge(bench, NAMES)
    good = sum(each.compiles and each.as_good for each in judged)
    better = sum(each.proposed is not None and _quicker(each) for each in judged)
    bench.remark(
        "ranking: by the time estimate; the compiler's own choice is one of the points that are "
        "ranked, and what is proposed instead of it is compiled once more."
    )
    for each in judged:
        bench.remark(_told(each))
    return [
        Figure(
            "best point of a ranking",
            "the compiler's own choice",
            f"compiles and is not worse for {good} of {len(judged)} kernels, quicker for {better}",
            None,
            f"at least {LEAST} of {len(NAMES)}",
            good >= LEAST,
        )
    ]


def judge(bench: Bench, names: Sequence[str]) -> list[Judged]:
    """Compile each kernel as its compiler likes, sweep it, rank, compile the best again."""
    home = bench.home("ranking")
    library = Library(home)
    queue = Queue(library)
    sessions: dict[str, Session] = {}
    judged = []
    try:
        with Supervisor(home, slots=SLOTS):
            for name in names:
                kernel = load_kernel(KERNELS / name)
                compiler = compiler_for(kernel).name
                if compiler not in sessions:
                    sessions[compiler] = COMPILERS[compiler].session()
                judged.append(_judge(bench, queue, sessions[compiler], kernel))
    finally:
        for session in sessions.values():
            session.close()
        library.close()
    return judged


def _judge(bench: Bench, queue: Queue, session: Session, kernel: Kernel) -> Judged:
    own = _compile(bench, session, kernel, Hints())
    lists = value_lists(own, kernel)
    points = grid(repeated(own.trace, lists), lists)
    chosen = measured(own.trace, {key: values[0] for key, values in lists.items()})
    id = queue.submit_sweep(kernel, points, compiler=own.trace.compiler.name)
    while not queue.sweep(id).over:
        time.sleep(0.05)
    hints = {0: Hints()}
    found = [chosen]
    swept = queue.sweep(id).points
    for point in swept:
        if point.trace is not None:
            hints[len(found)] = point.hints
            found.append(measured(point.trace, values_of(point.hints)))
    rows = ranked(found)
    best = rows[0].candidate if rows else None
    if best is None:
        return Judged(kernel.name, len(points), chosen, None, False, False)
    at = next(at for at, each in enumerate(found) if each is best)
    again = _compile(bench, session, kernel, hints[at]).trace.status.compiles
    known = rates(own.trace.target)
    model = CostModel.fit(
        own.trace,
        own.texts,
        [outcome(p.hints, p.state, p.trace) for p in swept],
        kernel=kernel,
        cores=known.cores if known else None,
    )
    error = model.error if model else None
    return Judged(kernel.name, len(points), chosen, best, again, not_worse(best, chosen), error)


def value_lists(own: Opened, kernel: Kernel) -> dict[str, tuple[HintValue, ...]]:
    """At most POINTS combinations of values: what is in use first, the others spread out."""
    every = sweep_axes(own.trace, kernel, (), most=POINTS)
    axes = [axis for axis in every if len(_worth(axis)) >= _FEWEST][: len(_EACH)]
    sizes = _EACH[len(axes) - 1] if axes else ()
    return {axis.key: _spread(axis, size) for axis, size in zip(axes, sizes, strict=True)}


def _worth(axis: SweepAxis) -> Sequence[HintValue]:
    # The tiles within a block of the cube are of one size alone: 16.
    return () if axis.tile and axis.extent == _BLOCK else axis.values


def _spread(axis: SweepAxis, size: int) -> tuple[HintValue, ...]:
    others = [value for value in axis.values if value != axis.held]
    held = [] if axis.held is None else [axis.held]
    room = min(size - len(held), len(others))
    picked = [others[at * (len(others) - 1) // max(room - 1, 1)] for at in range(room)]
    return tuple(dict.fromkeys([*held, *picked]))


def _compile(bench: Bench, session: Session, kernel: Kernel, hints: Hints) -> Opened:
    folder = Path(tempfile.mkdtemp(prefix="ranking-", dir=bench.folder))
    session.start(folder, kernel, hints, Limits()).wait()
    return open_trace(folder)


def _quicker(each: Judged) -> bool:
    """Whether the estimate of what is proposed is below that of the compiler's choice."""
    assert each.proposed is not None
    if each.proposed.time is None or each.own.time is None:
        return False
    return each.proposed.time < each.own.time * (1 - _SAME)


def _told(each: Judged) -> str:
    if each.proposed is None:
        return f"ranking, {each.kernel}: none of {each.points} points compiles."
    values = ", ".join(f"{key} = {value}" for key, value in each.proposed.values.items())
    verdict = "not worse" if each.as_good else "WORSE"
    again = "compiles" if each.compiles else "DOES NOT COMPILE"
    error = (
        f" Times of points left out are predicted {each.error.median:.0%} off in the median."
        if each.error
        else ""
    )
    return (
        f"ranking, {each.kernel}: of {each.points} points {values} is proposed, which {again} and "
        f"is {verdict} than the compiler's choice: {compared(each.proposed, each.own)}.{error}"
    )
