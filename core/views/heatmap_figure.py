"""The picture of a map: measured cells solid, predicted ones pale and dotted, failures crossed."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from core.views import palette
from core.views.colouring import Scale
from core.views.heatmap import Grid, HeatMap, Look, MarkKind, Place, Square

_CELL = 30  #: pixels a row, where there are few
_TALLEST = 400  #: pixels of all rows together, where there are many
_CLEAR = "rgba(0, 0, 0, 0)"
_NUMBERED_COLUMNS = 24  #: with more, the figures would not fit their cells
_NUMBERED_ROWS = 24
_PALE = 0.5  #: how much of its colour a predicted cell has
_MARK_TEXT: Mapping[MarkKind, str] = {
    "star": "the compiler's own choice",
    "diamond": "the trace that is open",
    "ring": "asked for by you",
    "frame": "chosen among the best",
}


def figure(heat: HeatMap, height: int | None = None, *, small: bool = False) -> go.Figure:
    """Draw a map; a small one has no colour bar and no titles.

    Plotly reports no clicks on a heatmap to Streamlit, so scatters of squares lie on top: they take
    the clicks, whose x and y are column and row, and the hovering.
    """
    rows = len(heat.rows)
    tall = height or min(max(rows * _CELL, 74), _TALLEST) + 96
    # Signs are shapes and annotations: a click would fade every scatter but its own.
    axes = {
        "xaxis": _axis(heat.columns, "" if small else heat.x_title),
        "yaxis": {
            **_axis(heat.rows, "" if small else heat.y_title),
            "range": [rows - 0.5, -0.5],
            "tickangle": 0,
        },
    }
    return go.Figure(
        data=[*_grounds(heat, small), *_hovered(heat, (tall - 96) / max(rows, 1))],
        layout={
            "height": tall,
            "margin": {"l": 10, "r": 6, "t": 8, "b": 8},
            "showlegend": False,
            "hovermode": "closest",
            "hoverdistance": -1,
            "dragmode": False,
            "shapes": _hatches(heat.squares),
            "annotations": [*_signs(heat.squares), *_symbols(heat)],
            "coloraxis": _colours(heat.scale, small),
            **axes,
        },
    )


def _grounds(heat: HeatMap, small: bool) -> list[dict[str, object]]:
    """The cells from below: faint ones without a figure, pale predicted ones, solid measured ones.

    Cells without a figure are faint rather than absent, so that the grid stays a grid.
    """
    shape = len(heat.rows), len(heat.columns)
    solid = np.full(shape, np.nan)
    texts = [[""] * shape[1] for _ in range(shape[0])]
    numbered = not small and shape[1] <= _NUMBERED_COLUMNS and shape[0] <= _NUMBERED_ROWS
    for square in heat.squares:
        at = heat.scale.place(square.value)
        if at is None or (square.look != "measured" and heat.scale.kind != "class"):
            continue
        solid[square.row, square.column] = at
        if numbered and not isinstance(square.value, str):
            texts[square.row][square.column] = heat.scale.cell(square.value)
    bare = np.where(np.isnan(solid), 1.0, np.nan)
    faint = [[0, palette.FAINT], [1, palette.FAINT]]
    gap = 2 if shape[1] <= 40 and not small else 1
    plain = {"type": "heatmap", "hoverinfo": "skip", "xgap": gap, "ygap": gap}
    ground = {"z": bare, "zmin": 0, "zmax": 1, "colorscale": faint, "showscale": False}
    found: list[dict[str, object]] = [{**plain, **ground}]
    coloured = {
        **plain,
        "coloraxis": "coloraxis",
        "textfont": {"size": 11},
        "texttemplate": "%{text}" if numbered else "",
    }
    if heat.predicted is not None:
        pale = np.full(shape, np.nan)
        values = heat.predicted.values
        part = pale[: values.shape[0], : values.shape[1]]
        part[:] = _placed(heat.scale, values)
        part[~np.isnan(solid[: values.shape[0], : values.shape[1]])] = np.nan
        words = [["" for _ in range(shape[1])] for _ in range(shape[0])]
        if numbered:
            for row, column in zip(*np.nonzero(np.isfinite(pale)), strict=True):
                words[row][column] = "≈" + heat.scale.cell(float(values[row, column]))
            if heat.scale.kind == "class":
                words = [["" for _ in row] for row in words]
        found.append({**coloured, "z": pale, "opacity": _PALE, "text": words})
    return [*found, {**coloured, "z": solid, "text": texts}]


def _colours(scale: Scale, small: bool) -> dict[str, object]:
    """The colour scale with its bar, of predicted and measured cells alike."""
    return {
        "cmin": scale.low,
        "cmax": scale.high if scale.high > scale.low else scale.low + 1,
        "colorscale": [list(step) for step in scale.colours],
        "showscale": not small and scale.kind != "class" and bool(scale.ticks),
        "colorbar": {
            "thickness": 10,
            "outlinewidth": 0,
            "tickvals": [at for at, _ in scale.ticks],
            "ticktext": [text for _, text in scale.ticks],
            "title": {"text": scale.title, "side": "top"},
        },
    }


def _placed(scale: Scale, values: Grid) -> Grid:
    """Where figures stand on a scale that is even in their magnitude."""
    if scale.kind in ("share", "class") or scale.low == scale.high == 0:
        return values
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(values > 0, np.log10(values), np.where(np.isnan(values), np.nan, scale.low))


def _hovered(heat: HeatMap, cell: float) -> list[dict[str, object]]:
    """What takes clicks and hovering. A dot on a cell says that it is predicted, a stroke that it
    would not fit."""
    layers: list[dict[str, object]] = []
    if heat.predicted is not None:
        taken = {(s.column, s.row) for s in heat.squares}
        p = heat.predicted
        free: npt.NDArray[np.bool_] = np.ones_like(p.fits) if p.there is None else p.there.copy()
        for column, row in taken:
            if row < free.shape[0] and column < free.shape[1]:
                free[row, column] = False
        dot = {"symbol": "circle", "size": 2, "color": palette.NEUTRAL}
        stroke = {
            "symbol": "line-ne-open",
            "size": max(min(cell * 0.6, 12), 3),
            "color": palette.NEUTRAL,
            "line": {"width": 1, "color": palette.NEUTRAL},
        }
        for of, marker, template in (
            (free & p.fits, dot, p.fitting),
            (free & ~p.fits, stroke, p.not_fitting),
        ):
            ys, xs = np.nonzero(of)
            layers.append(_layer(xs, ys, marker, template, customdata=p.details[ys, xs]))
    squares = {"symbol": "square", "size": min(max(cell, 5), _CELL), "color": _CLEAR}
    hovers = [s.hover for s in heat.squares]
    layers.append(
        _layer(
            np.array([s.column for s in heat.squares], dtype=int),
            np.array([s.row for s in heat.squares], dtype=int),
            squares,
            "%{hovertext}",
            hovertext=hovers,
        )
    )
    return layers


def _layer(
    xs: npt.NDArray[np.intp],
    ys: npt.NDArray[np.intp],
    marker: Mapping[str, object],
    template: str,
    **more: object,
) -> dict[str, object]:
    return {
        "type": "scatter",
        "x": xs,
        "y": ys,
        "mode": "markers",
        "marker": {**marker, "opacity": 0.75},
        "selected": {"marker": {"opacity": 0.75}},
        "unselected": {"marker": {"opacity": 0.75}},
        "hovertemplate": f"{template}<extra></extra>",
        **more,
    }


def legend(marks: Container[MarkKind], *, predicted: bool = False) -> tuple[tuple[str, str], ...]:
    """Looks, and those of the marks that a map has, with what each means: a line of small print."""
    signs: tuple[tuple[str, MarkKind], ...] = (
        ("★", "star"),
        ("◆", "diamond"),
        ("○", "ring"),
        ("▢", "frame"),
    )
    return (
        *((sign, _MARK_TEXT[kind]) for sign, kind in signs if kind in marks),
        *((("░", "predicted, dotted; solid: measured"),) if predicted else ()),
        ("✕", "failed, hover for the pass"),
        ("▨", "needs more than there is"),
    )


def _axis(labels: Sequence[str], title: str) -> dict[str, object]:
    step = -(-len(labels) // 28)  # labels that would not fit are left out, evenly
    shown = list(range(0, len(labels), step))
    if shown and shown[-1] != len(labels) - 1:  # the last one matters more than those before it
        shown = [at for at in shown if at + step < len(labels)] + [len(labels) - 1]
    texts = [labels[at] for at in shown]
    return {
        "title": {"text": title, "standoff": 12},
        "tickvals": shown,
        "ticktext": texts,
        "range": [-0.5, len(labels) - 0.5],
        "automargin": True,
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
        "tickangle": -45 if sum(map(len, texts)) > 90 and title else 0,
    }


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
    "frame": ("▢", 24, 0.0, 0.0),
}


def _symbols(heat: HeatMap) -> list[dict[str, object]]:
    made = []
    dense = len(heat.columns) > _NUMBERED_COLUMNS or len(heat.rows) > _NUMBERED_ROWS
    for square in heat.squares:
        value = square.value
        shown = isinstance(value, int | float) and heat.scale.kind == "share"
        ink = palette.text_on(float(value)) if shown and value is not None else palette.NEUTRAL
        for kind in square.marks:
            made.append(_sign((square.column, square.row), kind, ink, dense))
    for place, kind in heat.marks:
        made.append(_sign(place, kind, palette.NEUTRAL, dense))
    return made


def _sign(place: Place, kind: MarkKind, ink: str, dense: bool) -> dict[str, object]:
    sign, size, dx, dy = _MARKS[kind]
    if dense:  # a cell is too small for a corner; the sign is larger than it and has its own ground
        plate = {"bgcolor": "rgba(255, 255, 255, 0.8)", "borderpad": 0}
        return {**_annotation(*place, sign, "#10202c", 11), **plate}
    return _annotation(place[0] + dx, place[1] + dy, sign, ink, size)


def _annotation(x: float, y: float, text: str, colour: str, size: int) -> dict[str, object]:
    return {
        "x": x,
        "y": y,
        "text": text,
        "showarrow": False,
        "font": {"color": colour, "size": size},
        "captureevents": False,
    }
