"""The map of a tile space: what its cells are, measured or predicted, and what they say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.analysis.estimate import Cost, seconds_text
from core.analysis.memory import shares
from core.analysis.sweep import Outcome
from core.hints import HintValue
from core.trace import MemoryPlan, Trace
from core.views.colouring import COLOURINGS, Colouring, Figures, Scale, scale_of
from core.views.colouring import measured as figure_of
from core.views.marks import failure_place, trace_mark
from core.views.wording import bytes_text, count, middle, percent, short_bytes, value_text

#: star: the compiler's own choice · diamond: the trace that is open · ring: asked for by the user
#: · frame: what was chosen in the table of best points.
MarkKind = Literal["star", "diamond", "ring", "frame"]
Look = Literal["measured", "failed", "over", "waiting", "running", "stopped", "blank"]
Place = tuple[int, int]  #: column and row, from 0, rows from the top
Grid = npt.NDArray[np.float64]

_WAITING: Mapping[str, Look] = {"queued": "waiting", "running": "running", "unknown": "blank"}
PEAK = "peak"  #: the row of a buffer map that holds the whole memory


@dataclass(frozen=True, slots=True)
class Square:
    """One measured or waiting cell. `column` and `row` count from 0, rows from the top."""

    column: int
    row: int
    look: Look
    value: float | str | None  #: what it is coloured by; None where nothing was measured
    hover: str
    marks: tuple[MarkKind, ...] = ()


@dataclass(frozen=True, slots=True)
class Predicted:
    """Every cell as a model has it; arrays of rows x columns, rows from the top."""

    values: Grid  #: what cells are coloured by, NaN where there is no figure
    fits: npt.NDArray[np.bool_]
    details: Grid  #: rows x columns x figures that the templates refer to
    fitting: str  #: template of what hovering over a cell says, where it fits
    not_fitting: str  #: and where it does not
    there: npt.NDArray[np.bool_] | None = None  #: False where values go together in no point


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A grid of cells with its labels, ready to be drawn."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    x_title: str
    y_title: str
    scale: Scale
    squares: tuple[Square, ...]
    predicted: Predicted | None = None
    marks: tuple[tuple[Place, MarkKind], ...] = ()  #: of cells that were not measured
    row_names: tuple[str, ...] = field(default=())  #: uncut, for hovering


def value_map(
    outcomes: Mapping[Place, Outcome],
    columns: Sequence[HintValue],
    rows: Sequence[HintValue],
    memory: str,
    *,
    titles: tuple[str, str] = ("", ""),
    marks: Mapping[MarkKind, Place] | None = None,
    by: Colouring = COLOURINGS[0],
    costs: Mapping[Place, Cost] | None = None,
    predicted: Predicted | None = None,
    classes: Sequence[str] = (),
) -> HeatMap:
    """Value against value: the cell at a place has the value of its column and of its row.

    `outcomes` are those of measured and waiting cells, `predicted` is about all cells, coloured by
    the same.
    """
    squares = []
    marked = set(outcomes)
    for place, each in outcomes.items():
        column, row = place
        at = f"{titles[0]} {value_text(columns[column])} · {titles[1]} {value_text(rows[row])}"
        cost = (costs or {}).get(place)
        squares.append(_square(place, each, at, memory, by, cost, _kinds(marks, place)))
    return HeatMap(
        tuple(map(value_text, columns)),
        tuple(map(value_text, rows)),
        titles[0],
        titles[1],
        _scale(by, memory, squares, predicted, classes, costs),
        tuple(squares),
        predicted,
        tuple((place, kind) for kind, place in (marks or {}).items() if place not in marked),
    )


def buffer_map(
    outcomes: Mapping[int, Outcome],
    columns: Sequence[HintValue],
    memory: str,
    *,
    title: str = "",
    marks: Mapping[MarkKind, int] | None = None,
    by: Colouring = COLOURINGS[0],
    costs: Mapping[int, Cost] | None = None,
    predicted: Predicted | None = None,
    classes: Sequence[str] = (),
    buffers: Mapping[str, Figures] | None = None,
    rows: int = 14,
) -> HeatMap:
    """Value against buffer: what each buffer, with its copies, takes of `memory`.

    The top row is the whole point, coloured by what was chosen; it is all there is unless that is
    occupancy. At most `rows` buffers, those that ever take most. `predicted` is about the top row,
    `buffers` about the others: shares of the memory by the name of the row, a figure a column.
    """
    largest: dict[str, float] = {}
    sized = {column: _buffer_bytes(o, memory) for column, o in outcomes.items()}
    for column, sizes in sized.items() if by.key == "occupancy" else ():
        room = _capacity(outcomes[column], memory)
        for name, size in sizes.items():
            largest[name] = max(largest.get(name, 0.0), size / room)
    if predicted is not None and by.key == "occupancy":
        for name, parts in (buffers or {}).items():
            fitting = parts[predicted.fits[0]]
            largest.setdefault(name, float(fitting.max()) if fitting.size else 0.0)
    names = sorted(largest, key=lambda name: (-largest[name], name))[:rows]
    if predicted is not None and buffers:
        predicted = _with_buffers(predicted, [buffers.get(name) for name in names])
    placed = {kind: (column, 0) for kind, column in (marks or {}).items()}
    squares = []
    for column, each in outcomes.items():
        at = f"{title} {value_text(columns[column])}"
        cost = (costs or {}).get(column)
        top = _square((column, 0), each, at, memory, by, cost, _kinds(placed, (column, 0)))
        squares.append(top)
        plan = each.trace.plan(memory) if each.trace else None
        for row, name in enumerate(names, start=1):
            taken = sized[column].get(name)
            if top.look != "measured" or taken is None or not plan or not plan.capacity_bytes:
                squares.append(Square(column, row, "blank", None, top.hover))
                continue
            part = taken / plan.capacity_bytes
            hover = f"<b>{at}</b><br>{name}<br>{bytes_text(taken)}, {percent(part)}"
            squares.append(Square(column, row, "measured", part, hover))
    first = PEAK if by.key == "occupancy" else by.label
    return HeatMap(
        tuple(map(value_text, columns)),
        (first, *(middle(name, 26) for name in names)),
        title,
        "",
        _scale(by, memory, squares, predicted, classes, costs),
        tuple(squares),
        predicted,
        tuple((place, kind) for kind, place in placed.items() if place[0] not in outcomes),
        (first, *names),
    )


def _capacity(outcome: Outcome, memory: str) -> int:
    plan = outcome.trace.plan(memory) if outcome.trace else None
    return (plan.capacity_bytes if plan else None) or 1


def _with_buffers(top: Predicted, rows: Sequence[Figures | None]) -> Predicted:
    """The predictions of the top row with those of buffers below it."""
    columns = top.values.shape[1]
    empty = np.full(columns, np.nan)
    below = [empty if parts is None else np.where(top.fits[0], parts, np.nan) for parts in rows]
    count_ = len(below) + 1
    values = np.vstack([top.values, *below])
    fits = np.repeat(top.fits, count_, axis=0)
    own = np.where(np.isnan(values), 0.0, values)[..., None] * 100
    details = np.concatenate([np.repeat(top.details, count_, axis=0), own], axis=-1)
    line = f"<br>%{{customdata[{details.shape[-1] - 1}]:.1f}} % in this row, buffers without copies"
    return Predicted(values, fits, details, top.fitting + line, top.not_fitting)


def _square(
    place: Place,
    outcome: Outcome,
    at: str,
    memory: str,
    by: Colouring,
    cost: Cost | None,
    marks: tuple[MarkKind, ...],
) -> Square:
    trace = outcome.trace
    value = figure_of(by, trace, memory, cost) if trace is not None else None
    hover = _hover(outcome, memory, at, cost)
    return Square(*place, _look(outcome), value, hover, marks)


def _scale(
    by: Colouring,
    memory: str,
    squares: Iterable[Square],
    predicted: Predicted | None,
    classes: Sequence[str],
    costs: Mapping[Place, Cost] | Mapping[int, Cost] | None,
) -> Scale:
    figures = [square.value for square in squares]
    if predicted is not None and by.kind != "class":
        known = predicted.values[np.isfinite(predicted.values)]
        figures += [float(known.min()), float(known.max())] if known.size else []
    cycles = any(
        cost.cycles is not None and cost.seconds is None for cost in (costs or {}).values()
    )
    return scale_of(by, memory, figures, classes, cycles=cycles)


def _kinds(marks: Mapping[MarkKind, Place] | None, place: Place) -> tuple[MarkKind, ...]:
    return tuple(kind for kind, where in (marks or {}).items() if where == place)


def _look(outcome: Outcome) -> Look:
    if outcome.trace is None:
        return _WAITING.get(outcome.state, "stopped")
    if outcome.compiles:
        return "measured"
    failure = outcome.trace.failure
    return "over" if failure is not None and failure.kind == "memory" else "failed"


def _buffer_bytes(outcome: Outcome, memory: str) -> dict[str, int]:
    """Bytes of each buffer with its copies, by what a row is called.

    Names of MLIR values count up, so one buffer has another name at each point: where the plan says
    from which lines of the kernel its buffers are, rows are those lines.
    """
    plan = outcome.trace.plan(memory) if outcome.trace and outcome.compiles else None
    if plan is None:
        return {}
    names = buffer_rows(plan)
    return {names[row.name]: row.bytes for row in shares(plan)}


def buffer_rows(plan: MemoryPlan) -> dict[str, str]:
    """What the row of each buffer is called, by its name."""
    sizes = {row.name: row.bytes for row in shares(plan)}
    lines = {b.copy_of or b.name: b.source for b in plan.buffers if b.source}
    if len(lines) < len(sizes):
        return {name: name for name in sizes}
    order = {b.copy_of or b.name: b.first_use or 0 for b in reversed(plan.buffers)}
    times: dict[str, int] = {}
    named = {}
    for name in sorted(sizes, key=lambda name: (order[name], -sizes[name])):
        line = lines[name].rpartition("/")[2]
        times[line] = times.get(line, 0) + 1
        named[name] = line if times[line] == 1 else f"{line} ({times[line]})"
    return named


def _hover(outcome: Outcome, memory: str, at: str, cost: Cost | None = None) -> str:
    trace = outcome.trace
    lines = [f"<b>{at}</b>"]
    if trace is None:
        state = "not measured" if outcome.state == "unknown" else outcome.state
        reason = [middle(outcome.error, 110)] if outcome.error else []
        return "<br>".join([*lines, state, *reason])
    said = _of_compiled(trace, cost) if outcome.compiles else _of_failed(trace, memory)
    return "<br>".join([*lines, *said])


def _of_failed(trace: Trace, memory: str) -> list[str]:
    place = failure_place(trace)
    word = trace_mark(trace).word
    lines = [f"{word} {'' if place.startswith('after') else 'in '}{place}".strip()]
    failure = trace.failure
    if failure is not None and failure.required_bytes and failure.available_bytes:
        lines.append(
            f"{failure.memory or memory}: needs {bytes_text(failure.required_bytes)}"
            f" of {bytes_text(failure.available_bytes)}"
        )
        for culprit in failure.culprits[:3]:
            lines.append(f"{middle(culprit.name, 40)}: {bytes_text(culprit.bytes)}")
    elif failure is not None:
        lines.append(middle(failure.message, 110))
    return lines


def _of_compiled(trace: Trace, cost: Cost | None) -> list[str]:
    lines = []
    for plan in trace.memory:
        share = f", {percent(plan.occupancy)}" if plan.occupancy is not None else ""
        lines.append(f"{plan.memory} {bytes_text(plan.peak_bytes)}{share}")
    if trace.block_dim:
        lines.append(f"{count(trace.block_dim)} cores")
    if trace.instructions:
        lines.append(f"{count(sum(trace.instructions.values()))} instructions per core")
    if cost is not None and not cost.work.why_not:
        lines += _of_cost(cost)
    return [*lines, "measured: a compile with these very values"]


def _of_cost(cost: Cost) -> list[str]:
    moved = f"{bytes_text(cost.bytes_in + cost.bytes_out)} moved per core"
    mean = cost.bytes_per_transfer
    lines = [moved + (f", {short_bytes(round(mean))} per transfer" if mean else "")]
    if cost.work.scalar_stores:
        lines.append(f"{count(cost.work.scalar_stores)} scalar stores")
    if cost.seconds is not None:
        lines.append(f"{seconds_text(cost.seconds)} at least (estimate)")
    elif cost.cycles is not None:
        lines.append(f"{cost.cycles:,.0f} cycles at least (estimate)")
    return lines
