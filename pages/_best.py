"""The best points of the Tiling page, measured and predicted, each a click from a compile."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.estimate import seconds_text
from core.analysis.predict import Prediction
from core.analysis.rank import BY, Candidate, Ranked, candidates, ranked
from core.analysis.sweep import SweepAxis, outcome, values_of
from core.hints import Hints, HintValue
from core.jobs.work import Point
from core.views.wording import count, percent, short_bytes, tile_text, value_text
from pages import _address as address
from pages import _rooms as rooms
from pages import _run as run
from pages import _space as space
from pages._space import Span

_ROWS = 40
_PREDICTED = 60  #: points that nobody compiled, of those that are worth a look
_COMPILE, _HINT, _SHOW = "Compile", "Take as hint", "Show on the map"


def table(span: Span, measured: Mapping[str, Point], known: space.Known) -> None:
    """The ranked table with its choice of what counts."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("##### Best points", width="content")
        by = _by(span.id)
    rows = _ranked(span, measured, known, by)[:_ROWS]
    if not rows:
        st.caption("No point is known to compile: sweep some.")
        return
    name = f"tiling:best:{span.id}"
    st.dataframe(
        _frame(span, rows, by),
        hide_index=True,
        height=min(36 + 35 * len(rows), 330),
        row_height=30,
        key=f"{name}:table",
        column_config={
            "do": st.column_config.ButtonColumn(
                "",
                type="tertiary",
                key=f"{name}:compile",
                on_click=_compile,
                args=(span, rows, f"{name}:compile"),
                help="Compile this point in full; the result is compared with this trace.",
            ),
            "more": st.column_config.ButtonColumn(
                "",
                type="tertiary",
                key=f"{name}:more",
                on_click=_more,
                args=(span, rows, f"{name}:more"),
            ),
            "point": st.column_config.TextColumn(
                "point", help="The values of the axes that are shown, then those that differ."
            ),
            "●": st.column_config.TextColumn(
                "●",
                help="● measured, ○ predicted; ◆ measured, and no other point beats it in time, "
                "wasteful transfers, occupancy and cores together (Pareto front).",
                width=30,
            ),
        },
    )
    if "tiling:hinted" in st.session_state:
        trace = st.session_state.pop("tiling:hinted")
        st.switch_page("rerun.py", query_params={"trace": trace})


def _by(id: str) -> str:
    by = address.text("best", id)
    by = by if by in BY else BY[0]
    key = f"tiling:best-by:{id}"
    st.session_state[key] = by
    st.selectbox(
        "Best by",
        BY,
        key=key,
        label_visibility="collapsed",
        width=150,
        on_change=lambda: address.set_text("best", id, str(st.session_state[key])),
        help="What counts first. Time is an estimate; all but predicted occupancy and cores are "
        "counted in emitted code, so predicted points have only those.",
    )
    address.mirror(id, {"best": by if by != BY[0] else None})
    return by


def _ranked(span: Span, measured: Mapping[str, Point], known: space.Known, by: str) -> list[Ranked]:
    outcomes = [outcome(p.hints, p.state, p.trace) for p in measured.values() if p.trace]
    found = candidates(outcomes, _worth_a_look(span, known), space.capacities(span.trace))
    if by in ("occupancy", "cores"):
        return ranked(found, by)  # type: ignore[arg-type]
    # What else is ranked by is known of compiled points alone: the others follow as they are.
    compiled = [each for each in found if each.how == "measured"]
    others = [each for each in found if each.how != "measured"]
    return [
        *ranked(compiled, by),  # type: ignore[arg-type]
        *(Ranked(0, each, False) for each in others),
    ]


def _worth_a_look(span: Span, known: space.Known) -> list[Prediction]:
    """Predicted points on most cores, and of these the fullest ones."""
    predictions = space.predicted_over(known, span)
    if predictions is None or not predictions.peaks:
        return []
    room = space.capacities(span.trace)
    names = list(predictions.peaks)
    parts = [predictions.peaks[name] / room[name] for name in names if room.get(name)]
    if not parts:
        return []
    full = np.max(parts, axis=0).ravel()
    cores = predictions.cores.ravel()
    fits = predictions.feasible.ravel() & (predictions.trust.ravel() < 1)
    order = np.lexsort((-full, -cores, ~fits))[: min(_PREDICTED, int(fits.sum()))]
    shape = predictions.feasible.shape
    found = []
    for flat in order:
        place = tuple(int(at) for at in np.unravel_index(flat, shape))
        values = values_of(span.hints({k: predictions.values(place)[k] for k in span.keys}))
        limiter = int(predictions.limiter[place])
        found.append(
            Prediction(
                values,
                {name: int(predictions.peaks[name][place]) for name in names},
                True,
                names[limiter] if limiter >= 0 else None,
                int(predictions.cores[place]) or None,
                "",
                "near",
            )
        )
    return found


def _frame(span: Span, rows: list[Ranked], by: str) -> pd.DataFrame:
    columns: dict[str, list[str]] = {"": [], "●": [], "point": []}
    figures: dict[str, Callable[[Candidate], str]] = {
        "time": _time,
        "occupancy": _full,
        "cores": _cores,
    }
    if by not in figures:
        figures = {by: lambda c: _other(c, by), **figures}
    columns |= {name: [] for name in figures}
    for row in rows:
        each = row.candidate
        columns[""].append(str(row.place or "–"))
        columns["●"].append("◆" if row.front else "●" if each.how == "measured" else "○")
        columns["point"].append(_point(span, each.values))
        for name, figure in figures.items():
            columns[name].append(figure(each))
    frame = pd.DataFrame(columns)
    frame["do"] = _COMPILE
    frame["more"] = [[_HINT, _SHOW]] * len(rows)
    return frame


def _point(span: Span, values: Mapping[str, HintValue]) -> str:
    held = {axis.key: axis.held for axis in span.axes}
    shown = [_word(axis, values[axis.key]) for axis in span.shown if axis.key in values]
    others = [
        f"{axis.label} {_word(axis, values[axis.key])}"
        for axis in span.axes
        if axis.key not in span.keys
        and axis.key in values
        and values[axis.key] != span.held.get(axis.key, held[axis.key])
    ]
    return " × ".join(shown) + (f" ({', '.join(others)})" if others else "")


def _word(axis: SweepAxis, value: HintValue) -> str:
    whole = axis.tile and axis.extent is not None and int(value) >= axis.extent
    return "whole" if whole else tile_text(int(value), None) if axis.tile else value_text(value)


def _time(each: Candidate) -> str:
    if each.time is None:
        return "–"
    seconds = each.cost.seconds if each.cost else None
    if seconds is not None and each.per == "run":
        return seconds_text(seconds)
    return f"{each.time:,.0f} cycles" + ("/KiB" if each.per == "KiB" else "")


def _full(each: Candidate) -> str:
    return "–" if each.occupancy is None else f"{each.memory} {percent(each.occupancy)}"


def _cores(each: Candidate) -> str:
    return "–" if each.cores is None else count(each.cores)


def _other(each: Candidate, by: str) -> str:
    value = {
        "bytes": each.bytes,
        "transfers": each.transfers,
        "instructions": each.instructions,
        "scalar stores": each.scalar_stores,
    }.get(by)
    return "–" if value is None else short_bytes(value) if by == "bytes" else count(value)


def _clicked(rows: list[Ranked], key: str) -> tuple[Candidate, str] | None:
    click = st.session_state.get(key)
    if not click or not 0 <= click["row"] < len(rows):
        return None
    return rows[click["row"]].candidate, str(click["label"])


def _hints(span: Span, values: Mapping[str, HintValue]) -> Hints:
    return span.hints(values)


def _compile(span: Span, rows: list[Ranked], key: str) -> None:
    clicked = _clicked(rows, key)
    if clicked is None:
        return
    hints = _hints(span, clicked[0].values)
    st.session_state[f"tiling:cell:{span.id}"] = hints
    if rooms.why_no_compile(span.kernel, span.trace.compiler.name) is None:
        assert span.kernel is not None
        st.session_state[f"tiling:job:{span.id}"] = run.start(
            span.kernel, hints, span.id, span.trace.compiler.name
        )


def _more(span: Span, rows: list[Ranked], key: str) -> None:
    clicked = _clicked(rows, key)
    if clicked is None:
        return
    point, label = clicked
    if label == _SHOW:
        show_on_map(span, point.values)
    else:
        take_as_hint(span, _hints(span, point.values))


def show_on_map(span: Span, values: Mapping[str, HintValue]) -> None:
    """Frame a point on the map, all that is not shown held as it has it; from a callback."""
    st.session_state[f"tiling:frame:{span.id}"] = dict(values)
    held = {
        axis.key: values[axis.key]
        for axis in span.axes
        if axis.key not in span.keys
        and not axis.about
        and axis.key in values
        and values[axis.key] != axis.held
    }
    address.set_text("hold", span.id, ",".join(f"{k}:{v}" for k, v in held.items()))


def take_as_hint(span: Span, hints: Hints) -> None:
    """Fill in the form of Re-run and go there; from a callback."""
    st.session_state[f"rerun:{span.id}:asked"] = {
        "dim": hints.dim if hints.tiles else "",
        "attributes": dict(hints.attributes),
    }
    st.session_state[f"rerun:{span.id}:unread"] = ""
    st.session_state["tiling:hinted"] = span.id
