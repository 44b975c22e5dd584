"""One memory over the run of the emitted code: address against program order, a box a buffer."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from core.analysis.memory import Peak, peak
from core.trace import Buffer, MemoryPlan
from core.views import palette
from core.views.wording import bytes_text, count, middle, short_bytes

_SHADES = (0.95, 0.8, 0.88, 0.74, 0.84)  #: neighbouring boxes must not flow into one


def unplaced(plan: MemoryPlan) -> tuple[Buffer, ...]:
    """The buffers that the map cannot draw, having no address or no lifetime."""
    return tuple(b for b in plan.buffers if not _placed(b))


def memory_map(plan: MemoryPlan, height: int = 320) -> go.Figure:
    """Boxes from first to last use (x, position in program order) and over their addresses (y).

    The dotted line is the moment at which most bytes are alive; the solid one is the capacity.
    """
    placed = [b for b in plan.buffers if _placed(b)]
    moment = peak(plan)
    colour = palette.memory_colour(plan.memory)
    end = max((b.last_use or 0 for b in placed), default=1)
    start = min((b.first_use or 0 for b in placed), default=0)
    top = max([plan.peak_bytes, plan.capacity_bytes or 0, 1])
    names = sorted({b.copy_of or b.name for b in placed})
    # All at once: adding traces and shapes one by one costs Plotly milliseconds each.
    return go.Figure(
        data=[
            _box(buffer, colour, _SHADES[names.index(buffer.copy_of or buffer.name) % 5])
            for buffer in placed
        ],
        layout={
            "height": height,
            "margin": {"l": 64, "r": 10, "t": 8, "b": 36},
            "showlegend": False,
            "dragmode": False,
            "hovermode": "closest",
            "annotations": _labels(plan.memory, placed, end - start or 1, top),
            "shapes": _lines(plan, moment, start, end, top),
            "xaxis": {
                "title": {"text": "program order", "standoff": 4},
                "range": [start - 0.5, end + 1.5],
                "fixedrange": True,
                "showgrid": False,
                "zeroline": False,
            },
            "yaxis": {
                "range": [0, top * 1.04],
                "tickvals": [top * step / 4 for step in range(5)],
                "ticktext": [short_bytes(round(top * step / 4)) for step in range(5)],
                "fixedrange": True,
                "zeroline": False,
            },
        },
    )


def _placed(buffer: Buffer) -> bool:
    return None not in (buffer.offset_bytes, buffer.first_use, buffer.last_use)


def _box(buffer: Buffer, colour: str, shade: float) -> dict[str, object]:
    x0, x1 = buffer.first_use or 0, (buffer.last_use or 0) + 1
    y0 = buffer.offset_bytes or 0
    y1 = y0 + buffer.bytes
    edge = {"width": 1, "color": "rgba(255, 255, 255, 0.65)"}
    return {
        "type": "scatter",
        "x": [x0, x1, x1, x0, x0],
        "y": [y0, y0, y1, y1, y0],
        "fill": "toself",
        "mode": "lines",
        "line": {**edge, "dash": "dot" if buffer.copy_of else "solid"},
        "fillcolor": _translucent(colour, shade),
        "hoveron": "fills",
        "hoverinfo": "text",
        "text": _hover(buffer),
        "name": buffer.name,
    }


def _hover(buffer: Buffer) -> str:
    lines = [
        f"<b>{buffer.name}</b> {buffer.dtype}",
        bytes_text(buffer.bytes),
        f"at {count(buffer.offset_bytes or 0)} B",
        f"alive from {buffer.first_use} to {buffer.last_use}",
    ]
    if buffer.source:
        lines.append(f"from {buffer.source}")
    if buffer.copy_of:
        lines.append(f"copy of {buffer.copy_of}")
    return "<br>".join(lines)


def _labels(memory: str, placed: Sequence[Buffer], width: int, top: int) -> list[dict[str, object]]:
    """Names inside the boxes that have room for them."""
    ink = "#10202c" if memory in ("L1", "L0B", "GM") else "#ffffff"
    labels: list[dict[str, object]] = []
    for buffer in placed:
        x0 = buffer.first_use or 0
        # A box drawn later lies over this one: the name ends where that one begins.
        covered = [b.first_use or 0 for b in placed if _lies_over(b, buffer)]
        x1 = min([(buffer.last_use or 0) + 1, *covered])
        if buffer.bytes / top < 0.05 or (x1 - x0) / width < 0.06:
            continue
        labels.append(
            {
                "x": x0,
                "xanchor": "left",
                "xshift": 2,
                "y": (buffer.offset_bytes or 0) + buffer.bytes / 2,
                "text": middle(buffer.name, max(5, int((x1 - x0) / width * 95))),
                "showarrow": False,
                "font": {"size": 11, "family": "monospace", "color": ink},
            }
        )
    return labels


def _lies_over(other: Buffer, buffer: Buffer) -> bool:
    """Whether a box that begins later covers part of a box."""
    start, end = buffer.offset_bytes or 0, (buffer.offset_bytes or 0) + buffer.bytes
    low, high = other.offset_bytes or 0, (other.offset_bytes or 0) + other.bytes
    later = (other.first_use or 0) > (buffer.first_use or 0)
    return later and low < end and start < high


def _lines(
    plan: MemoryPlan, moment: Peak, start: int, end: int, top: int
) -> list[dict[str, object]]:
    lines: list[dict[str, object]] = []
    if plan.capacity_bytes:
        lines.append(
            {
                "type": "line",
                "x0": start - 0.5,
                "x1": end + 1.5,
                "y0": plan.capacity_bytes,
                "y1": plan.capacity_bytes,
                "line": {"color": palette.NEUTRAL, "width": 1.5},
            }
        )
    if moment.at is not None:
        lines.append(
            {
                "type": "line",
                "x0": moment.at + 0.5,
                "x1": moment.at + 0.5,
                "y0": 0,
                "y1": top,
                "line": {"color": palette.NEUTRAL, "width": 1, "dash": "dot"},
            }
        )
    return lines


def _translucent(colour: str, alpha: float) -> str:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {alpha})"
