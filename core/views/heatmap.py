"""The heatmap of a sweep: which values fit, how full they make a memory, and which fail where."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import plotly.graph_objects as go

from core.analysis.memory import shares
from core.analysis.sweep import Outcome
from core.hints import HintValue
from core.views import palette
from core.views.marks import failure_place, trace_mark
from core.views.wording import bytes_text, count, middle, percent, value_text

#: star: the compiler's own choice · diamond: the trace that is open · ring: asked for by the user.
MarkKind = Literal["star", "diamond", "ring"]
Look = Literal["measured", "failed", "over", "waiting", "running", "stopped", "blank"]

_CELL = 30  #: pixels a row
_CLEAR = "rgba(0, 0, 0, 0)"
_NUMBERED_COLUMNS = 24  #: with more, the figures would not fit their cells
_MARK_TEXT: Mapping[MarkKind, str] = {
    "star": "the compiler's own choice",
    "diamond": "the trace that is open",
    "ring": "asked for by you",
}
_WAITING: Mapping[str, Look] = {"queued": "waiting", "running": "running", "unknown": "blank"}
PEAK = "peak"  #: the row of a buffer map that holds the whole memory


@dataclass(frozen=True, slots=True)
class Square:
    """One cell. `column` and `row` count from 0, rows from the top."""

    column: int
    row: int
    look: Look
    share: float | None  #: of the capacity; None where nothing was measured
    hover: str
    values: tuple[HintValue, ...]  #: what a click on it asks for, in the order of the axes
    marks: tuple[MarkKind, ...] = ()


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A grid of squares with its labels, ready to be drawn."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    x_title: str
    y_title: str
    memory: str
    squares: tuple[Square, ...]
    row_names: tuple[str, ...] = field(default=())  #: uncut, for hovering


def value_map(
    outcomes: Sequence[Outcome],
    x: str,
    y: str,
    memory: str,
    *,
    titles: tuple[str, str] = ("", ""),
    marks: Mapping[MarkKind, Mapping[str, HintValue]] | None = None,
) -> HeatMap:
    """Value against value, of two axes by their keys: how full `memory` gets."""
    xs = _ordered(o.values[x] for o in outcomes if x in o.values)
    ys = _ordered(o.values[y] for o in outcomes if y in o.values)[::-1]
    squares = []
    for o in outcomes:
        if x not in o.values or y not in o.values:
            continue
        values = (o.values[x], o.values[y])
        at = f"{titles[0]} {value_text(values[0])} · {titles[1]} {value_text(values[1])}"
        squares.append(
            Square(
                xs.index(values[0]),
                ys.index(values[1]),
                _look(o),
                _share(o, memory),
                _hover(o, memory, at),
                values,
                _marks(o.values, marks, (x, y)),
            )
        )
    return HeatMap(
        tuple(map(value_text, xs)),
        tuple(map(value_text, ys)),
        titles[0],
        titles[1],
        memory,
        tuple(squares),
    )


def buffer_map(
    outcomes: Sequence[Outcome],
    x: str,
    memory: str,
    *,
    title: str = "",
    marks: Mapping[MarkKind, Mapping[str, HintValue]] | None = None,
    rows: int = 14,
) -> HeatMap:
    """Value against buffer: what each buffer, with its copies, takes of `memory`.

    The top row is the whole memory. At most `rows` buffers, those that ever take most.
    """
    xs = _ordered(o.values[x] for o in outcomes if x in o.values)
    largest: dict[str, int] = {}
    for o in outcomes:
        for name, size in _buffer_bytes(o, memory).items():
            largest[name] = max(largest.get(name, 0), size)
    names = sorted(largest, key=lambda name: (-largest[name], name))[:rows]
    squares = []
    for o in outcomes:
        if x not in o.values:
            continue
        value = o.values[x]
        at = f"{title} {value_text(value)}"
        column, look = xs.index(value), _look(o)
        whole = _hover(o, memory, at)
        squares.append(
            Square(
                column, 0, look, _share(o, memory), whole, (value,), _marks(o.values, marks, (x,))
            )
        )
        sizes = _buffer_bytes(o, memory)
        plan = o.trace.plan(memory) if o.trace else None
        for row, name in enumerate(names, start=1):
            if look != "measured" or name not in sizes or not plan or not plan.capacity_bytes:
                squares.append(Square(column, row, "blank", None, whole, (value,)))
                continue
            part = sizes[name] / plan.capacity_bytes
            hover = f"<b>{at}</b><br>{name}<br>{bytes_text(sizes[name])}, {percent(part)}"
            squares.append(Square(column, row, "measured", part, hover, (value,)))
    return HeatMap(
        tuple(map(value_text, xs)),
        (PEAK, *(middle(name, 26) for name in names)),
        title,
        "",
        memory,
        tuple(squares),
        (PEAK, *names),
    )


def _ordered(values: Iterable[HintValue]) -> list[HintValue]:
    """Numbers by size, anything else in the order in which it was listed; each once."""
    found = list(dict.fromkeys(values))
    numbers = [value for value in found if type(value) is int]
    return sorted(numbers) if len(numbers) == len(found) else found


def figure(heat: HeatMap, height: int | None = None) -> go.Figure:
    """Draw a heatmap.

    Plotly reports no clicks on a heatmap to Streamlit, so an invisible scatter of squares lies on
    top: it takes the clicks (`customdata` holds the values) and the hovering.
    """
    columns, rows = len(heat.columns), len(heat.rows)
    shares: list[list[float | None]] = [[None] * columns for _ in range(rows)]
    texts = [[""] * columns for _ in range(rows)]
    for square in heat.squares:
        if square.look == "measured" and square.share is not None:
            shares[square.row][square.column] = square.share * 100
            texts[square.row][square.column] = f"{square.share * 100:.0f}"
    # Signs are shapes and annotations: a click would fade every scatter but its own.
    return go.Figure(
        data=[
            _ground(heat.squares, columns, rows),
            _heat(heat.memory, shares, texts, columns),
            _clicks(heat.squares),
        ],
        layout={
            "height": height or max(rows * _CELL + 96, 170),
            "margin": {"l": 10, "r": 6, "t": 8, "b": 8},
            "showlegend": False,
            "hovermode": "closest",
            "hoverdistance": -1,
            "dragmode": False,
            "shapes": _hatches(heat.squares),
            "annotations": [*_signs(heat.squares), *_symbols(heat.squares)],
            "xaxis": _axis(heat.columns, heat.x_title),
            "yaxis": {**_axis(heat.rows, heat.y_title), "range": [rows - 0.5, -0.5]},
        },
    )


def _heat(
    memory: str,
    shares: Sequence[Sequence[float | None]],
    texts: Sequence[Sequence[str]],
    columns: int,
) -> dict[str, object]:
    return {
        "type": "heatmap",
        "z": shares,
        "zmin": 0,
        "zmax": 100,
        "colorscale": _scale(),
        "text": texts,
        "texttemplate": "%{text}" if columns <= _NUMBERED_COLUMNS else "",
        "textfont": {"size": 11},
        "xgap": 2,
        "ygap": 2,
        "hoverinfo": "skip",
        "colorbar": {
            "thickness": 10,
            "outlinewidth": 0,
            "tickvals": [0, 25, 50, 75, 100],
            "ticktext": ["0", "25 %", "50 %", "75 %", "100 %"],
            "title": {"text": f"of {memory}", "side": "top"},
        },
    }


def legend(marks: Container[MarkKind]) -> tuple[tuple[str, str], ...]:
    """Looks, and those of the marks that a map has, with what each means: a line of small print."""
    signs: tuple[tuple[str, MarkKind], ...] = (("★", "star"), ("◆", "diamond"), ("○", "ring"))
    return (
        *((sign, _MARK_TEXT[kind]) for sign, kind in signs if kind in marks),
        ("✕", "failed, hover for the pass"),
        ("▨", "needs more than there is"),
    )


def _axis(labels: Sequence[str], title: str) -> dict[str, object]:
    return {
        "title": {"text": title, "standoff": 12},
        "tickvals": list(range(len(labels))),
        "ticktext": list(labels),
        "range": [-0.5, len(labels) - 0.5],
        "automargin": True,
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
        "tickangle": -45 if sum(map(len, labels)) > 90 and title else 0,
    }


def _scale() -> list[list[object]]:
    last = len(palette.OCCUPANCY) - 1
    return [[step / last, colour] for step, colour in enumerate(palette.OCCUPANCY)]


def _ground(squares: Iterable[Square], columns: int, rows: int) -> dict[str, object]:
    """Cells without a figure are faint rather than absent, so that the grid stays a grid."""
    bare: list[list[int | None]] = [[None] * columns for _ in range(rows)]
    for square in squares:
        if square.look != "measured" or square.share is None:
            bare[square.row][square.column] = 1
    faint = [[0, palette.FAINT], [1, palette.FAINT]]
    gaps = {"xgap": 2, "ygap": 2, "hoverinfo": "skip", "showscale": False}
    return {"type": "heatmap", "z": bare, "zmin": 0, "zmax": 1, "colorscale": faint, **gaps}


def _hatches(squares: Iterable[Square]) -> list[dict[str, object]]:
    lines: list[dict[str, object]] = []
    half = 0.44
    for square in squares:
        if square.look != "over":
            continue
        for at in (-half, 0.0, half):  # the line y = at - x, cut to the cell
            left, right = max(-half, at - half), min(half, at + half)
            lines.append(
                {
                    "type": "line",
                    "x0": square.column + left,
                    "x1": square.column + right,
                    "y0": square.row + at - left,
                    "y1": square.row + at - right,
                    "line": {"color": palette.NEUTRAL, "width": 1},
                }
            )
    return lines


_SIGNS: Mapping[Look, tuple[str, str, int]] = {
    "failed": ("✕", palette.STATUS["failed"], 14),
    "over": ("✕", palette.STATUS["failed"], 14),
    "waiting": ("·", palette.NEUTRAL, 14),
    "running": ("…", palette.NEUTRAL, 14),
    "stopped": ("–", palette.NEUTRAL, 12),
}


def _signs(squares: Iterable[Square]) -> list[dict[str, object]]:
    return [
        _annotation(square.column, square.row, *_SIGNS[square.look])
        for square in squares
        if square.look in _SIGNS
    ]


#: Sign, size, and place within the cell: star and diamond in a corner, the ring around the figure.
_MARKS: Mapping[MarkKind, tuple[str, int, float, float]] = {
    "star": ("★", 10, 0.32, -0.28),
    "diamond": ("◆", 10, -0.32, -0.28),
    "ring": ("◯", 22, 0.0, 0.0),
}


def _symbols(squares: Iterable[Square]) -> list[dict[str, object]]:
    made = []
    for square in squares:
        share = square.share
        ink = palette.NEUTRAL if share is None else palette.text_on(share)
        for kind in square.marks:
            sign, size, dx, dy = _MARKS[kind]
            made.append(_annotation(square.column + dx, square.row + dy, sign, ink, size))
    return made


def _annotation(x: float, y: float, text: str, colour: str, size: int) -> dict[str, object]:
    return {
        "x": x,
        "y": y,
        "text": text,
        "showarrow": False,
        "font": {"color": colour, "size": size},
        "captureevents": False,
    }


def _clicks(squares: Sequence[Square]) -> dict[str, object]:
    return {
        "type": "scatter",
        "x": [s.column for s in squares],
        "y": [s.row for s in squares],
        "mode": "markers",
        "marker": {"symbol": "square", "size": _CELL, "color": _CLEAR},
        "selected": {"marker": {"color": _CLEAR}},
        "unselected": {"marker": {"color": _CLEAR}},
        "customdata": [list(s.values) for s in squares],
        "hovertext": [s.hover for s in squares],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _look(outcome: Outcome) -> Look:
    if outcome.trace is None:
        return _WAITING.get(outcome.state, "stopped")
    if outcome.compiles:
        return "measured"
    failure = outcome.trace.failure
    return "over" if failure is not None and failure.kind == "memory" else "failed"


def _share(outcome: Outcome, memory: str) -> float | None:
    if not outcome.compiles or outcome.trace is None:
        return None
    plan = outcome.trace.plan(memory)
    return plan.occupancy if plan else 0.0


def _buffer_bytes(outcome: Outcome, memory: str) -> dict[str, int]:
    """Bytes of each buffer with its copies, by what a row is called.

    Names of MLIR values count up, so one buffer has another name at each point: where the plan says
    from which lines of the kernel its buffers are, rows are those lines.
    """
    plan = outcome.trace.plan(memory) if outcome.trace and outcome.compiles else None
    if plan is None:
        return {}
    sizes = {row.name: row.bytes for row in shares(plan)}
    lines = {b.copy_of or b.name: b.source for b in plan.buffers if b.source}
    if len(lines) < len(sizes):
        return sizes
    order = {b.copy_of or b.name: b.first_use or 0 for b in reversed(plan.buffers)}
    times: dict[str, int] = {}
    named = {}
    for name in sorted(sizes, key=lambda name: (order[name], -sizes[name])):
        line = lines[name].rpartition("/")[2]
        times[line] = times.get(line, 0) + 1
        named[line if times[line] == 1 else f"{line} ({times[line]})"] = sizes[name]
    return named


def _hover(outcome: Outcome, memory: str, at: str) -> str:
    lines = [f"<b>{at}</b>"]
    trace = outcome.trace
    if trace is None:
        state = "not measured" if outcome.state == "unknown" else outcome.state
        reason = [middle(outcome.error, 110)] if outcome.error else []
        return "<br>".join([*lines, state, *reason])
    mark = trace_mark(trace)
    if not outcome.compiles:
        place = failure_place(trace)
        lines.append(f"{mark.word} {'' if place.startswith('after') else 'in '}{place}".strip())
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
        return "<br>".join(lines)
    for plan in trace.memory:
        share = f", {percent(plan.occupancy)}" if plan.occupancy is not None else ""
        lines.append(f"{plan.memory} {bytes_text(plan.peak_bytes)}{share}")
    if trace.block_dim:
        lines.append(f"{count(trace.block_dim)} cores")
    if trace.instructions:
        lines.append(f"{count(sum(trace.instructions.values()))} instructions per core")
    return "<br>".join(lines)


def _marks(
    values: Mapping[str, HintValue],
    marks: Mapping[MarkKind, Mapping[str, HintValue]] | None,
    axes: Sequence[str],
) -> tuple[MarkKind, ...]:
    return tuple(
        kind
        for kind, where in (marks or {}).items()
        if where and all(where.get(axis) == values[axis] for axis in axes)
    )
