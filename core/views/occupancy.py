"""How full each on-chip memory is: one bar a memory, with the share tiling aims at and the edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

import plotly.graph_objects as go

from core.trace import MemoryPlan
from core.views import palette
from core.views.wording import bytes_text, percent, short_bytes

_ROW = 38  #: pixels a bar
_CROWDED = 130  #: per cent of the capacity beyond which marks 25 apart do not fit


def memory_bars(
    plans: Sequence[MemoryPlan],
    share: float | None,
    predicted: Mapping[str, int] | None = None,
    capacities: Mapping[str, int] | None = None,
) -> go.Figure:
    """Peak bytes of each memory as a part of its capacity.

    `share` is the part that automatic tiling aims at (dashed); the capacity is the solid line at
    100 %. A memory whose capacity nobody told has no bar, only its bytes. `predicted` peaks, bytes
    by memory, are pale bars below the real ones, of `capacities` where no plan has one.
    """
    real = {plan.memory: plan for plan in plans}
    names = list(dict.fromkeys([*real, *(predicted or {})]))
    room = {**(capacities or {}), **{p.memory: p.capacity_bytes for p in plans if p.capacity_bytes}}
    shares = [(real[name].occupancy or 0.0) if name in real else 0.0 for name in names]
    wanted = [
        predicted[name] / room[name] if predicted and name in predicted and room.get(name) else 0.0
        for name in names
    ]
    edge = max([100.0, *(value * 100 for value in (*shares, *wanted))])
    # Beyond the capacity marks stand further apart: they would lie over each other else.
    step = 25 if edge <= _CROWDED else 100 * ceil(edge / 400)
    ticks = list(range(0, int(max(edge, 100)) + 1, step))
    line: dict[str, object] = {"type": "line", "x0": 100, "x1": 100}
    line |= {"y0": -0.5, "y1": len(names) - 0.5}
    shapes = [{**line, "line": {"color": palette.NEUTRAL, "width": 1.5}}]
    if share:
        dashed = {"color": palette.NEUTRAL, "width": 1, "dash": "dash"}
        shapes.append({**line, "x0": share * 100, "x1": share * 100, "line": dashed})
    colours = [palette.memory_colour(name) for name in names]
    bars = [_bar(names, shares, colours, [_hover(real[n]) if n in real else n for n in names])]
    if predicted is not None:
        hovers = [_expected(name, predicted.get(name), room.get(name)) for name in names]
        pale = _bar(names, wanted, colours, hovers)
        bars.append({**pale, "opacity": 0.45})
    row = _ROW if predicted is None else _ROW + 8
    return go.Figure(
        data=bars,
        layout={
            "height": row * max(len(names), 1) + 34,
            "margin": {"l": 42, "r": 178, "t": 4, "b": 26},
            "bargap": 0.35 if predicted is None else 0.2,
            "showlegend": False,
            "dragmode": False,
            "shapes": shapes,
            "annotations": [
                _figures(row, _labels(name, real.get(name), predicted, room.get(name)))
                for row, name in enumerate(names)
            ],
            "xaxis": {
                "range": [0, edge * 1.005],
                "tickvals": ticks,
                "ticktext": [f"{tick:,} %" if tick else "0" for tick in ticks],
                "tickangle": 0,
                "fixedrange": True,
                "showgrid": False,
                "zeroline": False,
            },
            "yaxis": {"autorange": "reversed", "fixedrange": True, "type": "category"},
        },
    )


def _bar(
    names: Sequence[str], shares: Sequence[float], colours: Sequence[str], hovers: Sequence[str]
) -> dict[str, object]:
    return {
        "type": "bar",
        "y": names,
        "x": [value * 100 for value in shares],
        "orientation": "h",
        "marker": {"color": colours, "line": {"width": 0}},
        "hovertext": hovers,
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _labels(
    name: str, plan: MemoryPlan | None, predicted: Mapping[str, int] | None, room: int | None
) -> str:
    """What stands beside the bars of a memory: the real figure, then the predicted one."""
    lines = [_label(plan)] if plan is not None else []
    if predicted is not None and name in predicted:
        size = predicted[name]
        part = f" · {percent(size / room)}" if room else ""
        lines.append(f"≈ {short_bytes(size)}{part}")
    return "<br>".join(lines)


def _expected(name: str, size: int | None, room: int | None) -> str:
    if size is None:
        return f"<b>{name}</b><br>not predicted"
    part = f" of {bytes_text(room)}" if room else ""
    return f"<b>{name}</b>, predicted<br>peak {bytes_text(size)}{part}"


def _figures(row: int, text: str) -> dict[str, object]:
    return {
        "x": 1,
        "xref": "paper",
        "y": row,
        "text": text,
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
