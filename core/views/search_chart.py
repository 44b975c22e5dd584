"""How a compiler searched for a tile, drawn: each tile that it tried and what it left free."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from core.analysis.reasons import Search, Sides, Try
from core.views import palette
from core.views.wording import bytes_text, count, tile_text


def search_title(search: Search, bands: int = 1) -> str:
    """Which axis a search is about: "axis 0", "band 1 axis 2, L0 tile"."""
    axis = f"axis {search.axis}" if bands < 2 else f"band {search.band} axis {search.axis}"
    return f"{axis}, L0 tile" if search.level == "L0" else axis


def search_text(search: Search) -> str:
    """What came of a search, one sentence."""
    if not search.fits:
        return "The smallest tile takes more than the search may, so the axis keeps that."
    tried = len(search.tries)
    said = f"{count(tried)} tile{'' if tried == 1 else 's'} tried"
    if search.exceeded is not None:
        said += f" until {count(search.exceeded)} took more than it may"
    if search.adjusted:
        before, after = search.adjusted
        said += f"; {count(before)} became {count(after)} for the sake of the cores"
    if search.final is not None:
        said += f"; it settled on {count(search.final)}"
    return f"{said}."


def search_figure(search: Search) -> go.Figure:
    """Bytes that each tried tile leaves free of what the search may take.

    Full marks divide the extent, hollow ones leave a smaller tile at the end. The tile that took
    too much is a cross on the zero line, what the search settled on a star; the shaded part is
    what the rule for several cores proposes.
    """
    whole = [each for each in search.tries if each.divides]
    rest = [each for each in search.tries if not each.divides]
    marks = [
        _marks(rest, "circle-open", "leaves a smaller tile at the end"),
        _marks(whole, "circle", "divides the extent"),
    ]
    if search.exceeded is not None:
        over = f"{count(search.exceeded)}: takes more than it may"
        marks.append(_mark([search.exceeded], [0], "x", palette.STATUS["failed"], [over]))
    if search.final is not None:
        left = next((t.slack_bytes for t in search.tries if t.tile == search.final), None)
        said = f"{count(search.final)}: what the search settled on"
        marks.append(
            _mark([search.final], [left or 0], "star", palette.STATUS["ok"], [said], size=13)
        )
    shapes: list[dict[str, object]] = []
    if search.proposed and search.proposed[0] < search.proposed[1]:
        low, high = search.proposed
        area = {"type": "rect", "yref": "paper", "y0": 0, "y1": 1, "line": {"width": 0}}
        largest = max([each.tile for each in search.tries] + [search.exceeded or 0])
        shapes.append({**area, "x0": low, "x1": min(high, largest), "fillcolor": palette.FAINT})
    return go.Figure(
        data=[trace for trace in marks if trace["x"]],
        layout={
            "height": 210,
            "margin": {"l": 10, "r": 6, "t": 8, "b": 8},
            "showlegend": False,
            "hovermode": "closest",
            "dragmode": False,
            "shapes": shapes,
            "xaxis": {"title": {"text": "tile"}, "automargin": True, "fixedrange": True},
            "yaxis": {
                "title": {"text": "left free, B"},
                "automargin": True,
                "fixedrange": True,
                "rangemode": "tozero",
            },
        },
    )


def _marks(tries: Sequence[Try], symbol: str, meaning: str) -> dict[str, object]:
    hover = [
        f"<b>{count(each.tile)}</b><br>{bytes_text(each.slack_bytes or 0)} left<br>{meaning}"
        for each in tries
    ]
    tiles = [each.tile for each in tries]
    left = [each.slack_bytes or 0 for each in tries]
    return _mark(tiles, left, symbol, palette.MEMORY["UB"], hover)


def _mark(
    tiles: Sequence[int],
    left: Sequence[int],
    symbol: str,
    colour: str,
    hover: Sequence[str],
    size: int = 7,
) -> dict[str, object]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": list(tiles),
        "y": list(left),
        "marker": {"symbol": symbol, "size": size, "color": colour},
        "hovertext": list(hover),
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def sides_table(sides: Sequence[Sides]) -> pd.DataFrame:
    """Both tilers and the code, one row an axis."""
    return pd.DataFrame(
        [
            {
                "axis": side.label,
                "classic search": _tile(side.searched, side.extent),
                "symbolic tiler": _tile(side.symbolic, side.extent),
                "the code uses": tile_text(side.used, side.extent),
                "L0": "" if side.used_l0 is None else count(side.used_l0),
                "agree": "" if side.agree is None else "yes" if side.agree else "no",
            }
            for side in sides
        ],
        columns=["axis", "classic search", "symbolic tiler", "the code uses", "L0", "agree"],
        dtype=object,
    )


def _tile(tile: int | None, extent: int | None) -> str:
    return "–" if tile is None else tile_text(tile, extent)
