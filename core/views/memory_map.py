"""One memory over the run of the code: address against program order, a box a buffer.

Above it the bytes alive over program order, with the capacity and the share that automatic tiling
aims at. All boxes are one trace of bars, so that thousands are drawn as fast as ten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

import plotly.graph_objects as go

from core.analysis.memory import (
    Held,
    Level,
    Peak,
    Turn,
    bare_name,
    curve,
    overlap,
    pairs,
    peak,
    rounded,
    turns,
)
from core.trace import Buffer, MemoryPlan
from core.views import palette
from core.views.wording import bytes_text, count, middle, percent, short_bytes

_SHADES = (0.95, 0.78, 0.88, 0.7, 0.83)  #: neighbouring boxes must not flow into one
_FADED = 0.22  #: of boxes that have nothing to do with the chosen one
_NAMED = 60  #: largest boxes, which may carry their name
_WHOLE = 0.5  #: from this occupancy on the whole memory is shown, below it the part in use
_TIED = 12  #: pairs up to which all are tied, beyond that only the chosen one
_APART = 0.1  #: part of the height that two labels need between them
_STRIP = 0.2  #: part of the height that the curve has
_SELECTED = "#8a63d2"
_BEYOND = "#d64545"


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is drawn of a memory, and in which words."""

    plan: MemoryPlan
    held: tuple[Held, ...] = ()
    alignment: int = 0  #: bytes; 0 where nothing tells it
    asked: Mapping[str, int] = field(default_factory=dict)  #: bytes before the compiler rounded
    share: float | None = None  #: of the capacity that automatic tiling aims at
    placed: bool = True  #: whether the addresses are the compiler's own
    lines_of: str = "emitted code"  #: the text whose lines are program order
    sources: Mapping[str, str] = field(default_factory=dict)  #: of "address", "bytes", "lines"


def unplaced(plan: MemoryPlan) -> tuple[Buffer, ...]:
    """The buffers that the map cannot draw, having no address or no lifetime."""
    return tuple(b for b in plan.buffers if not _placed(b))


def stacked(
    plan: MemoryPlan, counted: MemoryPlan | None = None, held: Sequence[Held] = ()
) -> tuple[MemoryPlan, tuple[Held, ...]]:
    """A plan without addresses with some for drawing, and what is held with them.

    Each buffer lies on the lowest room that is free for its life, which `counted` may say to be
    shorter: what is made of an operand lies in its place. The addresses say nothing of the
    compiler's; sizes and lifetimes are its own.
    """
    spans = {
        b.name: [(b.first_use or 0, b.last_use or 0)] for b in (counted or plan).buffers
    }  # fmt: skip
    for h in held:
        spans[h.name].append((h.first, h.last))
    at: dict[str, int] = {}
    sizes = {b.name: b.bytes for b in plan.buffers}
    for b in sorted(plan.buffers, key=lambda b: (spans[b.name][0], -b.bytes, b.name)):
        beside = sorted(
            (start, start + sizes[name])
            for name, start in at.items()
            if any(_together(mine, other) for mine in spans[b.name] for other in spans[name])
        )
        place = 0
        for start, stop in beside:
            if start - place >= b.bytes:
                break
            place = max(place, stop)
        at[b.name] = place
    top = max((at[name] + size for name, size in sizes.items()), default=0)
    buffers = tuple(replace(b, offset_bytes=at[b.name]) for b in plan.buffers)
    kept = tuple(replace(h, start=at[h.name], stop=at[h.name] + sizes[h.name]) for h in held)
    return replace(plan, buffers=buffers, peak_bytes=top), kept


def _together(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two lives need places of their own: what ends where the other begins makes room."""
    if one[0] == one[1] or other[0] == other[1]:
        return one[0] <= other[1] and other[0] <= one[1]
    return one[0] < other[1] and other[0] < one[1]


def shows_whole(plan: MemoryPlan) -> bool:
    """Whether a plan fills enough of its memory for all of it to be shown."""
    return plan.occupancy is None or plan.occupancy >= _WHOLE


def memory_map(
    drawn: Drawn, *, selected: str = "", whole: bool | None = None, height: int = 430
) -> go.Figure:
    """Boxes from first to last use (x, position in program order) and over their addresses (y).

    The dotted line is the moment at which most bytes are alive; the solid one is the capacity, the
    dashed one the share that automatic tiling aims at.
    """
    plan = drawn.plan
    placed = sorted((b for b in plan.buffers if _placed(b)), key=_order)
    moment = peak(plan, drawn.held)
    start = min([b.first_use or 0 for b in placed] + [h.first for h in drawn.held], default=0)
    end = max([b.last_use or 0 for b in placed] + [h.last for h in drawn.held], default=1) + 1
    capacity = plan.capacity_bytes or 0
    whole = shows_whole(plan) if whole is None else whole
    top = max(plan.peak_bytes, capacity if whole else 0, 1)
    relations = turns(plan)
    doubled = pairs(plan, drawn.held)
    near = _related(selected, relations, doubled)
    tied = [same for same in doubled if not near or any(b.name == selected for b in same)]
    tied = tied if sum(len(same) - 1 for same in tied) <= _TIED else []
    spans = _spans(placed, relations)
    colour = palette.memory_colour(plan.memory)
    data = [
        _curve(drawn, curve(plan, drawn.held), start, end, colour),
        _kept(drawn.held, colour),
        _boxes(drawn, placed, spans, relations, doubled, selected, near, (end - start) or 1, top),
        *([_beyond(placed, spans, capacity)] if capacity and plan.peak_bytes > capacity else []),
        *([_ties(tied, spans)] if tied else []),
    ]
    pad = (end - start) * 0.01 + 0.5
    # All at once: adding traces and shapes one by one costs Plotly milliseconds each.
    return go.Figure(
        data=data,
        layout={
            "height": height,
            "margin": {"l": 64, "r": 78, "t": 16, "b": 36},
            "showlegend": False,
            "dragmode": "zoom",
            "hovermode": "closest",
            "barmode": "overlay",
            "uniformtext": {"mode": "hide", "minsize": 10},
            "shapes": _lines(drawn, moment, top, capacity),
            "annotations": _notes(drawn, moment, top, capacity),
            "xaxis": {
                "title": {"text": f"program order: line of the {drawn.lines_of}", "standoff": 4},
                "range": [start - pad, end + pad],
                "anchor": "y",
                "showgrid": False,
                "zeroline": False,
            },
            "yaxis": {
                "domain": [0, 1 - _STRIP - 0.05],
                "range": [0, top * 1.03],
                "tickvals": [top * step / 4 for step in range(5)],
                "ticktext": [short_bytes(round(top * step / 4)) for step in range(5)],
                "zeroline": False,
            },
            "yaxis2": {
                "domain": [1 - _STRIP, 1],
                "range": [0, max(moment.live_bytes, capacity, 1) * 1.15],
                "tickvals": [moment.live_bytes],
                "ticktext": [short_bytes(moment.live_bytes)],
                "fixedrange": True,
                "showgrid": False,
                "zeroline": False,
                "anchor": "x",
            },
        },
    )


def _placed(buffer: Buffer) -> bool:
    return None not in (buffer.offset_bytes, buffer.first_use, buffer.last_use)


def _order(buffer: Buffer) -> tuple[int, int]:
    return buffer.first_use or 0, -(buffer.last_use or 0)


def _start(buffer: Buffer) -> int:
    return buffer.offset_bytes or 0


def _related(
    selected: str, relations: Mapping[str, Turn], doubled: Iterable[Sequence[Buffer]]
) -> set[str]:
    """Who has to do with the chosen buffer: its copies, and all that have its place in turn."""
    if not selected:
        return set()
    found = {selected}
    for same in doubled:
        if any(b.name == selected for b in same):
            found.update(b.name for b in same)
    turn = relations.get(selected, Turn())
    return found | {*turn.after, *turn.before}


def _boxes(
    drawn: Drawn,
    placed: Sequence[Buffer],
    spans: Mapping[str, tuple[float, float]],
    relations: Mapping[str, Turn],
    doubled: Sequence[Sequence[Buffer]],
    selected: str,
    near: set[str],
    width: int,
    top: int,
) -> dict[str, object]:
    colour = palette.memory_colour(drawn.plan.memory)
    families = {n: at for at, n in enumerate(dict.fromkeys(b.copy_of or b.name for b in placed))}
    twins = {b.name: [o.name for o in same if o is not b] for same in doubled for b in same}
    names = _labels(placed, width, top)

    def shade(b: Buffer) -> str:
        if near and b.name not in near:
            return _translucent(colour, _FADED)
        return _translucent(colour, _SHADES[families[b.copy_of or b.name] % len(_SHADES)])

    return {
        **_bars([(*spans[b.name], _start(b), _start(b) + b.bytes) for b in placed]),
        "name": "buffers",
        "customdata": [b.name for b in placed],
        "hovertext": [
            _hover(drawn, b, relations.get(b.name, Turn()), twins.get(b.name, [])) for b in placed
        ],
        "text": [names.get(b.name, "") for b in placed],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "textfont": {
            "family": "monospace",
            "size": 11,
            "color": [
                palette.NEUTRAL if near and b.name not in near else _ink(drawn.plan.memory)
                for b in placed
            ],
        },
        "marker": {
            "color": [shade(b) for b in placed],
            "line": {
                "color": [_edge(b.name, selected, near) for b in placed],
                "width": [3 if b.name == selected else 2 if b.name in near else 1 for b in placed],
            },
        },
        # A click chooses a box by a new run of the page, which marks it: nothing fades by itself.
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }


def _spans(
    placed: Iterable[Buffer], relations: Mapping[str, Turn]
) -> dict[str, tuple[float, float]]:
    """Where the boxes begin and end: on the line on which one takes over from another, both."""
    found = {b.name: (float(b.first_use or 0), float((b.last_use or 0) + 1)) for b in placed}
    for name, turn in relations.items():
        for earlier in turn.after:
            first, last = found[name][0], found[earlier][1]
            if found[earlier][0] < first < last:
                found[earlier] = (found[earlier][0], first + 0.5)
                found[name] = (first + 0.5, found[name][1])
    return found


def _bars(spans: Sequence[tuple[float, float, float, float]]) -> dict[str, object]:
    """Rectangles (x0, x1, y0, y1) as one trace."""
    return {
        "type": "bar",
        "x": [(x0 + x1) / 2 for x0, x1, _, _ in spans],
        "width": [x1 - x0 for x0, x1, _, _ in spans],
        "base": [y0 for _, _, y0, _ in spans],
        "y": [y1 - y0 for _, _, y0, y1 in spans],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _edge(name: str, selected: str, near: set[str]) -> str:
    return _SELECTED if name == selected or name in near else "rgba(255, 255, 255, 0.75)"


def _ink(memory: str) -> str:
    return "#10202c" if memory in ("L1", "L0B", "GM") else "#ffffff"


def _hover(drawn: Drawn, b: Buffer, turn: Turn, twins: Sequence[str]) -> str:
    takes = rounded(b.bytes, drawn.alignment)
    wanted = drawn.asked.get(b.name, b.bytes)
    lines = [f"<b>{middle(bare_name(b.name), 60)}</b> {b.dtype}", bytes_text(b.bytes)]
    if takes > wanted:
        lines[-1] += f", {count(wanted)} B asked for"
    if takes > b.bytes:
        lines[-1] += f", {count(takes)} B rounded to {drawn.alignment} B"
    if drawn.placed:
        lines.append(f"addresses {count(_start(b))} to {count(_start(b) + b.bytes - 1)} B")
    else:
        lines.append("no address: the compiler placed nothing")
    lines.append(f"lines {b.first_use} to {b.last_use} of the {drawn.lines_of}")
    if turn.after and drawn.placed:
        how = "in place of" if turn.in_place else "after"
        lines.append(f"{how} {_listed(turn.after)}")
    if turn.before and drawn.placed:
        lines.append(f"then {_listed(turn.before)}")
    if twins:
        lines.append(f"double-buffered with {_listed(twins)}")
    elif b.copy_of:
        lines.append(f"copy of {middle(bare_name(b.copy_of), 40)}")
    if b.source:
        lines.append(f"from {b.source}")
    if drawn.sources.get("hover"):
        lines.append(f"<i>{drawn.sources['hover']}</i>")
    return "<br>".join(lines)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - 2} more" if len(names) > 2 else ""
    return ", ".join(middle(bare_name(name), 40) for name in names[:2]) + more


def _labels(placed: Sequence[Buffer], width: int, top: int) -> dict[str, str]:
    """Names inside the boxes that have room for them."""
    large = [b for b in placed if b.bytes / top >= 0.05]
    large = sorted(large, key=lambda b: -b.bytes * (_length(b)))[:_NAMED]
    labels = {}
    for b in large:
        # A box drawn later lies over this one: a name that would be cut is left out.
        if any(_lies_over(other, b) for other in large if other is not b):
            continue
        if _length(b) / width >= 0.06:
            labels[b.name] = middle(bare_name(b.name), max(5, int(_length(b) / width * 88)))
    return labels


def _length(b: Buffer) -> int:
    return (b.last_use or 0) + 1 - (b.first_use or 0)


def _lies_over(other: Buffer, b: Buffer) -> bool:
    """Whether a box that begins later covers the middle of a box."""
    middle_of = ((b.first_use or 0) + (b.last_use or 0) + 1) / 2
    covers = (other.first_use or 0) <= middle_of <= (other.last_use or 0) + 1
    return covers and _order(other) > _order(b) and overlap(other, b)


def _kept(held: Iterable[Held], colour: str) -> dict[str, object]:
    """Places that stay taken beyond the lines of their buffers, behind the boxes."""
    spans: dict[tuple[int, int, int, int], Held] = {}
    for h in held:
        spans.setdefault((h.first, h.last + 1, h.start, h.stop), h)
    if not spans:
        return {"type": "bar", "x": [], "y": [], "name": "held"}
    return {
        **_bars(list(spans)),
        "name": "held",
        "hovertext": [
            f"kept from line {h.first} to {h.last} "
            + ("for the other half of a double buffer" if h.doubled else "for the next iteration")
            for h in spans.values()
        ],
        "marker": {
            "color": _translucent(colour, 0.14),
            "line": {"color": _translucent(colour, 0.5), "width": 1},
        },
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }


def _beyond(
    placed: Sequence[Buffer], spans: Mapping[str, tuple[float, float]], capacity: int
) -> dict[str, object]:
    """The parts of boxes that lie beyond what the memory has."""
    over = [b for b in placed if _start(b) + b.bytes > capacity]
    return {
        **_bars([(*spans[b.name], max(_start(b), capacity), _start(b) + b.bytes) for b in over]),
        "name": "beyond",
        "customdata": [b.name for b in over],
        "hovertext": [
            f"<b>{middle(bare_name(b.name), 60)}</b><br>"
            f"{bytes_text(_start(b) + b.bytes - max(_start(b), capacity))} beyond the capacity"
            for b in over
        ],
        "marker": {
            "color": "rgba(0, 0, 0, 0)",
            "line": {"color": _BEYOND, "width": 1.5},
            "pattern": {"shape": "/", "fgcolor": _BEYOND, "bgcolor": "rgba(0, 0, 0, 0)", "size": 8},
        },
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }


def _ties(
    doubled: Iterable[Sequence[Buffer]], spans: Mapping[str, tuple[float, float]]
) -> dict[str, object]:
    """A line from each half of a double buffer to the next, between the sides that face."""
    x: list[float | None] = []
    y: list[float | None] = []
    for same in doubled:
        for one, other in pairwise(same):
            if one.name not in spans or other.name not in spans:
                continue
            left, right = spans[one.name], spans[other.name]
            if left[1] <= right[0]:
                x += [left[1], right[0], None]
            else:
                x += [sum(left) / 2, sum(right) / 2, None]
            y += [_start(one) + one.bytes / 2, _start(other) + other.bytes / 2, None]
    return {
        "type": "scatter",
        "name": "ties",
        "mode": "lines+markers",
        "x": x,
        "y": y,
        "hoverinfo": "skip",
        "line": {"color": palette.NEUTRAL, "width": 1.2, "dash": "dot"},
        "marker": {"size": 5, "color": "#ffffff", "line": {"width": 1, "color": palette.NEUTRAL}},
    }


def _curve(
    drawn: Drawn, levels: Sequence[Level], start: int, end: int, colour: str
) -> dict[str, object]:
    steps = [*levels, Level(end, levels[-1].live_bytes)] if levels else [Level(start, 0)]
    capacity = drawn.plan.capacity_bytes

    def said(level: Level) -> str:
        part = f", {percent(level.live_bytes / capacity)} of the capacity" if capacity else ""
        return f"from line {level.at}: {bytes_text(level.live_bytes)} alive{part}"

    return {
        "type": "scatter",
        "name": "alive",
        "mode": "lines",
        "x": [level.at for level in steps],
        "y": [level.live_bytes for level in steps],
        "yaxis": "y2",
        "line": {"shape": "hv", "color": colour, "width": 1.5},
        "fill": "tozeroy",
        "fillcolor": _translucent(colour, 0.25),
        "hovertext": [said(level) for level in steps],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _lines(drawn: Drawn, moment: Peak, top: int, capacity: int) -> list[dict[str, object]]:
    lines: list[dict[str, object]] = []

    def across(axis: str, at: float, dash: str, colour: str = palette.NEUTRAL) -> None:
        lines.append(
            {
                "type": "line", "xref": "paper", "x0": 0, "x1": 1, "yref": axis, "y0": at, "y1": at,
                "line": {"color": colour, "width": 1.5, "dash": dash},
            }
        )  # fmt: skip

    for axis in ("y", "y2"):
        if capacity:
            over = drawn.plan.peak_bytes > capacity
            across(axis, capacity, "solid", _BEYOND if over else palette.NEUTRAL)
        if capacity and drawn.share:
            across(axis, capacity * drawn.share, "dash")
    if capacity and drawn.plan.peak_bytes > capacity:
        lines.append(
            {
                "type": "rect", "xref": "paper", "x0": 0, "x1": 1, "yref": "y", "y0": capacity,
                "y1": top * 1.03, "fillcolor": _translucent(_BEYOND, 0.07), "line": {"width": 0},
                "layer": "below",
            }
        )  # fmt: skip
    if moment.at is not None:
        lines.append(
            {
                "type": "line", "x0": moment.at + 0.5, "x1": moment.at + 0.5,
                "yref": "paper", "y0": 0, "y1": 1,
                "line": {"color": palette.NEUTRAL, "width": 1.2, "dash": "dot"},
            }
        )  # fmt: skip
    return lines


def _notes(drawn: Drawn, moment: Peak, top: int, capacity: int) -> list[dict[str, object]]:
    small = {"showarrow": False, "font": {"size": 11, "color": palette.NEUTRAL}}
    notes: list[dict[str, object]] = []
    if moment.at is not None:
        notes.append(
            {
                **small, "x": moment.at + 0.5, "xanchor": "auto", "yref": "paper", "y": 1.0,
                "yanchor": "bottom", "text": f"peak {short_bytes(moment.live_bytes)}",
            }
        )  # fmt: skip
    marks = [(capacity, "capacity")]
    aim = round(capacity * drawn.share) if drawn.share else 0
    if aim and (capacity - aim) / (top if capacity <= top else capacity) > _APART:
        marks.append((aim, "tiling aims"))
    for at, what in marks:
        if at:
            notes.append(
                {
                    **small, "xref": "paper", "x": 1, "xanchor": "left", "xshift": 4, "y": at,
                    "yref": "y" if at <= top else "y2", "align": "left",
                    "text": f"{what}<br>{short_bytes(at)}",
                }
            )  # fmt: skip
    return notes


@lru_cache(maxsize=256)
def _translucent(colour: str, alpha: float) -> str:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {alpha})"
