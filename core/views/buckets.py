"""Buckets as a picture and as tables: waste and hits for 1 to N of them, and each of a plan."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from core.analysis.bucketing import Bucketing
from core.analysis.buckets import Outcome, Plan, without_buckets
from core.analysis.occurrences import Recompiles
from core.views import palette
from core.views.ranking import occupancy_text, time_text
from core.views.wording import count, count_of, percent, seconds_text

_SAID: dict[Outcome, str] = {
    "compiles": "✓ compiles",
    "fails": "✕ fails",
    "unknown": "· not compiled",
}


def curve_figure(plans: Sequence[Plan], chosen: Plan) -> go.Figure:
    """Padding and compiles for 1 to N buckets; the chosen number is a full mark."""
    numbers = [len(plan.buckets) for plan in plans]
    hover = [
        f"<b>{count_of(len(plan.buckets), 'bucket')}</b><br>{percent(plan.waste)} padding<br>"
        f"{count(plan.hits)} of {count(plan.calls)} calls find theirs compiled<br>"
        f"{count_of(plan.saved, 'compile')} saved"
        + (f"<br>{count_of(len(plan.unserved), 'shape')} without one" if plan.unserved else "")
        for plan in plans
    ]
    colour = palette.MEMORY["UB"]
    line = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": numbers,
        "y": [plan.waste for plan in plans],
        "line": {"color": colour},
        "marker": {
            "size": [12 if plan is chosen else 7 for plan in plans],
            "color": colour,
            "symbol": ["circle" if plan.known else "circle-open" for plan in plans],
        },
        "hovertext": hover,
        "hovertemplate": "%{hovertext}<extra></extra>",
    }
    saved = {
        "type": "bar",
        "x": numbers,
        "y": [plan.hits / plan.calls if plan.calls else 0 for plan in plans],
        "yaxis": "y2",
        "marker": {"color": palette.FAINT},
        "hoverinfo": "skip",
    }
    return go.Figure(
        data=[saved, line],
        layout={
            "height": 230,
            "margin": {"l": 10, "r": 10, "t": 8, "b": 8},
            "showlegend": False,
            "hovermode": "closest",
            "dragmode": False,
            "xaxis": {
                "title": {"text": "buckets"},
                "dtick": 1,
                "automargin": True,
                "fixedrange": True,
            },
            "yaxis": {
                "title": {"text": "padding (line)"},
                "tickformat": ".0%",
                "rangemode": "tozero",
                "automargin": True,
                "fixedrange": True,
                "overlaying": "y2",
            },
            "yaxis2": {
                "title": {"text": "hits (bars)"},
                "tickformat": ".0%",
                "range": [0, 1],
                "side": "right",
                "showgrid": False,
                "automargin": True,
                "fixedrange": True,
            },
        },
    )


def plan_text(bucketing: Bucketing, plan: Plan) -> str:
    """What a plan comes to, against compiling every shape for itself."""
    hits, compiles = without_buckets(bucketing.shapes)
    calls = bucketing.shapes.calls
    said = (
        f"{count_of(compiles, 'shape')} in {count_of(calls, 'call')}: "
        f"{count_of(len(plan.buckets), 'compile')} instead of {count(compiles)}, "
        f"{count(plan.hits)} calls find theirs compiled instead of {count(hits)}, "
        f"{percent(plan.waste)} padding."
    )
    if plan.unserved:
        said += f" {count_of(len(plan.unserved), 'shape')} fit no bucket that may compile."
    return said


def plan_table(bucketing: Bucketing, plan: Plan) -> pd.DataFrame:
    """The buckets of a plan, one a row."""
    rows = []
    for bucket in plan.buckets:
        best = bucketing.best(bucket.sizes)
        sizes = bucketing.shapes.values(bucket.sizes)
        cost = bucketing.candidate(bucket.sizes)
        rows.append(
            {
                "bucket": " ".join(f"{name}={size}" for name, size in sizes.items()),
                "status": _SAID[bucket.outcome],
                "hints": best.name if best else "",
                "shapes": len(bucket.shapes),
                "calls": bucket.calls,
                "padding": percent(bucket.waste),
                "time": time_text(cost) if cost else "",
                "memory": occupancy_text(cost) if cost else "",
                "cores": cost.cores if cost else None,
            }
        )
    return pd.DataFrame(
        rows,
        columns=[
            "bucket", "status", "hints", "shapes", "calls", "padding", "time", "memory", "cores",
        ],
        dtype=object,
    )  # fmt: skip


def recompiles_rows(found: Sequence[Recompiles]) -> list[tuple[str, ...]]:
    """What a log says was compiled again: name, compiles, shapes, time, what varies."""
    return [
        (
            each.name,
            count(each.compiles),
            count(each.shapes),
            seconds_text(each.seconds) if each.seconds else "",
            each.varies,
        )
        for each in found
    ]
