"""The best points of a kernel as a table and as a chart, and one cost with its formula."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go

from core.analysis.estimate import Cost, seconds_text
from core.analysis.rank import Candidate, Ranked, compared
from core.views import palette
from core.views.wording import bytes_text, count, percent, short_bytes, value_text

_UNKNOWN = "–"
#: Columns of the table with what each figure is and where it is from, for hovering.
ABOUT: Mapping[str, str] = {
    "place": "By what was picked; ties by time, waste, instructions, occupancy and cores.",
    "front": "● where no other point is as good in time, waste, occupancy and cores and better in "
    "one (the Pareto front).",
    "how": "Measured: compiled, and counted in the emitted code. Predicted: nobody compiled it.",
    "time": "Estimate: the least time at public rates of the chip; hover a point for its formula.",
    "wasteful": "Transfers of less than 16 KiB, or that begin off a multiple of 512 B in global "
    "memory, by one core; counted in the emitted code.",
    "fullest": "The memory that is fullest: peak bytes of its plan by its capacity.",
    "cores": "As the compiler wrote them down for the kernel.",
    "moved": "Bytes from and to global memory by one core; counted in the emitted code.",
    "transfers": "From and to global memory by one core; counted in the emitted code.",
    "instructions": "Executed by one core; counted in the emitted code.",
    "stores": "Scalar stores by one core; counted in the emitted code.",
    "against the compiler": "What it has over the compiler's own choice.",
}


def ranking_table(
    rows: Sequence[Ranked],
    labels: Mapping[str, str],
    chosen: Candidate | None = None,
    most: int = 20,
) -> pd.DataFrame:
    """One row a point, the best first: at most `most`, and the compiler's own choice in any case.

    `labels` are the axes by key, in the order of their columns.
    """
    shown = list(rows[:most])
    shown += [row for row in rows[most:] if row.candidate is chosen]
    return pd.DataFrame([_row(each, labels, chosen) for each in shown], dtype=object)


def _row(ranked: Ranked, labels: Mapping[str, str], chosen: Candidate | None) -> dict[str, object]:
    each = ranked.candidate
    own = chosen is not None and each is chosen
    return {
        "place": ranked.place,
        "front": "●" if ranked.front else "",
        **{
            label: value_text(each.values[key]) if key in each.values else _UNKNOWN
            for key, label in labels.items()
        },
        "how": each.how,
        "time": time_text(each),
        "wasteful": _count(each.wasteful),
        "fullest": occupancy_text(each),
        "cores": _count(each.cores),
        "moved": _UNKNOWN if each.bytes is None else short_bytes(each.bytes),
        "transfers": _count(each.transfers),
        "instructions": _count(each.instructions),
        "stores": _count(each.scalar_stores),
        "against the compiler": "its own choice"
        if own
        else compared(each, chosen)
        if chosen is not None
        else "",
    }


def time_text(each: Candidate) -> str:
    """The estimate with its unit: time where the clock is known, cycles where it is not."""
    if each.time is None:
        return _UNKNOWN
    if each.per == "KiB":
        return f"{each.time:,.0f} cycles a KiB written"
    if each.cost is not None and each.cost.seconds is not None:
        return seconds_text(each.cost.seconds)
    return f"{each.time:,.0f} cycles"


def occupancy_text(each: Candidate) -> str:
    if each.occupancy is None:
        return each.memory or _UNKNOWN
    return f"{each.memory} {percent(each.occupancy)}"


def _count(number: int | None) -> str:
    return _UNKNOWN if number is None else count(number)


def pareto_figure(
    rows: Sequence[Ranked], labels: Mapping[str, str], chosen: Candidate | None = None
) -> go.Figure:
    """Time estimate against occupancy, larger marks for more cores; the front is joined by a line.

    The compiler's own choice is a star. Points without a time or an occupancy are not drawn.
    `customdata` holds the values of a point in the order of `labels`.
    """
    drawn = [row for row in rows if row.candidate.time is not None]
    drawn = [row for row in drawn if row.candidate.occupancy is not None]
    most = max((row.candidate.cores or 1 for row in drawn), default=1)
    best = sorted((row.candidate for row in drawn if row.front), key=lambda each: each.time or 0.0)
    per_kib = any(row.candidate.per == "KiB" for row in drawn)
    title = "cycles a KiB written (estimate)" if per_kib else "cycles (estimate)"
    edge = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 100, "y1": 100}
    return go.Figure(
        data=[
            {
                "type": "scatter",
                "x": [each.time for each in best],
                "y": [_full(each) for each in best],
                "mode": "lines",
                "line": {"color": palette.NEUTRAL, "width": 1, "dash": "dot"},
                "hoverinfo": "skip",
            },
            {
                "type": "scatter",
                "x": [row.candidate.time for row in drawn],
                "y": [_full(row.candidate) for row in drawn],
                "mode": "markers",
                "marker": {
                    "symbol": [_symbol(row, chosen) for row in drawn],
                    "size": [7 + 9 * (row.candidate.cores or 1) / most for row in drawn],
                    "color": [palette.memory_colour(row.candidate.memory or "") for row in drawn],
                    "opacity": [1.0 if row.front else 0.45 for row in drawn],
                    "line": {"width": 0},
                },
                "customdata": [[row.candidate.values.get(key) for key in labels] for row in drawn],
                "hovertext": [_hover(row, labels, chosen) for row in drawn],
                "hovertemplate": "%{hovertext}<extra></extra>",
            },
        ],
        layout={
            "height": 300,
            "margin": {"l": 10, "r": 6, "t": 8, "b": 8},
            "showlegend": False,
            "hovermode": "closest",
            "dragmode": False,
            "shapes": [{**edge, "line": {"color": palette.NEUTRAL, "width": 1.5}}],
            "xaxis": {
                "title": {"text": title},
                "type": "log" if _wide(drawn) else "linear",
                "automargin": True,
                "fixedrange": True,
                "zeroline": False,
            },
            "yaxis": {
                "title": {"text": "of the fullest memory, %"},
                "automargin": True,
                "fixedrange": True,
                "rangemode": "tozero",
            },
        },
    )


def _full(each: Candidate) -> float:
    return (each.occupancy or 0.0) * 100


def _wide(drawn: Sequence[Ranked]) -> bool:
    times = [row.candidate.time for row in drawn if row.candidate.time]
    return bool(times) and max(times) > 20 * min(times)


def _symbol(row: Ranked, chosen: Candidate | None) -> str:
    if row.candidate is chosen:
        return "star"
    return "circle" if row.candidate.how == "measured" else "circle-open"


def _hover(row: Ranked, labels: Mapping[str, str], chosen: Candidate | None) -> str:
    each = row.candidate
    at = " · ".join(
        f"{label} {value_text(each.values[key])}"
        for key, label in labels.items()
        if key in each.values
    )
    lines = [f"<b>{at}</b>", each.how, f"{time_text(each)} (estimate)", occupancy_text(each)]
    if each.cores:
        lines.append(f"{count(each.cores)} cores")
    if each.wasteful is not None:
        lines.append(f"{count(each.wasteful)} small or unaligned transfers a core")
    if chosen is not None:
        own = "the compiler's own choice"
        lines.append(own if each is chosen else f"{compared(each, chosen)}, against {own}")
    return "<br>".join(lines)


def cost_table(cost: Cost) -> pd.DataFrame:
    """What one core does, a row a figure: its name, the figure with its unit, where it is from."""
    code = "counted in the emitted code" + ("" if cost.work.exact else ", sizes at their largest")
    rows: list[tuple[str, str, str]] = []
    for each in cost.work.traffic:
        size = bytes_text(each.smallest_bytes)
        if each.largest_bytes != each.smallest_bytes:
            size = f"{size} to {bytes_text(each.largest_bytes)}"
        rows.append(
            (each.path, f"{bytes_text(each.bytes)} in {count(each.transfers)} × {size}", code)
        )
    unaligned = cost.unaligned_transfers
    rows += [
        ("transfers under 16 KiB", count(cost.small_transfers), code),
        (
            "transfers off 512 B",
            "not known" if unaligned is None else count(unaligned),
            f"{code}, from the start of each tensor",
        ),
        ("vector steps of 256 B", count(cost.work.vector_steps), code),
        ("products of 16 × 16 × 16", count(cost.work.fractals), code),
        ("scalar stores", count(cost.work.scalar_stores), code),
        ("synchronisations", count(cost.work.syncs), code),
    ]
    for kind_, number in cost.instructions.items():
        rows.append((f"{kind_} instructions", count(number), code))
    if cost.cycles is None:
        rows.append(("time", "no estimate", cost.why_not))
    else:
        time = f"{cost.cycles:,.0f} cycles"
        if cost.seconds is not None:
            time = f"{seconds_text(cost.seconds)}, {time}"
        rows.append(("time (estimate)", time, cost.formula))
    return pd.DataFrame(rows, columns=["what", "figure", "source"])
