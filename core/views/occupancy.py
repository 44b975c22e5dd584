"""How full each on-chip memory is: one bar a memory, with the share tiling aims at and the edge."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from core.trace import MemoryPlan
from core.views import palette
from core.views.wording import bytes_text, percent, short_bytes

_ROW = 38  #: pixels a bar


def memory_bars(plans: Sequence[MemoryPlan], share: float | None) -> go.Figure:
    """Peak bytes of each memory as a part of its capacity.

    `share` is the part that automatic tiling aims at (dashed); the capacity is the solid line at
    100 %. A memory whose capacity nobody told has no bar, only its bytes.
    """
    names = [plan.memory for plan in plans]
    shares = [plan.occupancy or 0.0 for plan in plans]
    edge = max([100.0, *(value * 100 for value in shares)])
    line: dict[str, object] = {"type": "line", "x0": 100, "x1": 100}
    line |= {"y0": -0.5, "y1": len(names) - 0.5}
    shapes = [{**line, "line": {"color": palette.NEUTRAL, "width": 1.5}}]
    if share:
        dashed = {"color": palette.NEUTRAL, "width": 1, "dash": "dash"}
        shapes.append({**line, "x0": share * 100, "x1": share * 100, "line": dashed})
    return go.Figure(
        data=[
            {
                "type": "bar",
                "y": names,
                "x": [value * 100 for value in shares],
                "orientation": "h",
                "marker": {
                    "color": [palette.memory_colour(name) for name in names],
                    "line": {"width": 0},
                },
                "hovertext": [_hover(plan) for plan in plans],
                "hovertemplate": "%{hovertext}<extra></extra>",
            }
        ],
        layout={
            "height": _ROW * max(len(names), 1) + 34,
            "margin": {"l": 42, "r": 178, "t": 4, "b": 26},
            "bargap": 0.35,
            "showlegend": False,
            "dragmode": False,
            "shapes": shapes,
            "annotations": [_figures(row, plan) for row, plan in enumerate(plans)],
            "xaxis": {
                "range": [0, edge * 1.005],
                "tickvals": [0, 25, 50, 75, 100],
                "ticktext": ["0", "25 %", "50 %", "75 %", "100 %"],
                "fixedrange": True,
                "showgrid": False,
                "zeroline": False,
            },
            "yaxis": {"autorange": "reversed", "fixedrange": True, "type": "category"},
        },
    )


def _figures(row: int, plan: MemoryPlan) -> dict[str, object]:
    return {
        "x": 1,
        "xref": "paper",
        "y": row,
        "text": _label(plan),
        "showarrow": False,
        "xanchor": "left",
        "xshift": 10,
        "align": "left",
    }


def _label(plan: MemoryPlan) -> str:
    if plan.occupancy is None or plan.capacity_bytes is None:
        return f"{short_bytes(plan.peak_bytes)}, capacity unknown"
    part = f"{short_bytes(plan.peak_bytes)} of {short_bytes(plan.capacity_bytes)}"
    return f"{part} · {percent(plan.occupancy)}"


def _hover(plan: MemoryPlan) -> str:
    lines = [f"<b>{plan.memory}</b>", f"peak {bytes_text(plan.peak_bytes)}"]
    if plan.capacity_bytes is not None:
        free = plan.capacity_bytes - plan.peak_bytes
        lines += [f"capacity {bytes_text(plan.capacity_bytes)}", f"free {bytes_text(free)}"]
    lines.append(f"{len(plan.buffers)} allocations")
    return "<br>".join(lines)
