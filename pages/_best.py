"""The best points of the Tiling page, measured and predicted, each a click from a compile."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.estimate import rates, seconds_text
from core.analysis.predict import Prediction
from core.analysis.rank import BY, By, Candidate, Ranked, candidates, ranked
from core.analysis.rank import measured as compiled
from core.analysis.sweep import outcome, repeated, values_of
from core.hints import Hints, HintValue
from core.jobs.work import Point
from core.views.ranking import ABOUT, pareto_figure, ranking_table
from pages import _address as address
from pages import _rooms as rooms
from pages import _run as run
from pages import _space as space
from pages._space import Span

_ROWS = 40
_PREDICTED = 24  #: points that nobody compiled, of those that are worth a look
_TIME_ERROR = 0.25  #: median, above which predicted times are not ranked among measured ones
_COMPILE, _HINT, _SHOW = "Compile", "Take as hint", "Show on the map"
_NO_BAR = {"displayModeBar": False}
_FIRST = ("time", "fullest", "cores", "wasteful", "how", "against the compiler")


def table(span: Span, measured: Mapping[str, Point], known: space.Known) -> None:
    """The ranked table with its choice of what counts."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("##### Best points", width="content")
        by = _by(span.id)
        drawn = st.toggle("Chart", key=f"tiling:best-chart:{span.id}", help=_CHART)
    found = _candidates(span, measured, known)
    rows = _ranked(found, by, _trusted(known))[:_ROWS]
    if not rows:
        st.caption("No point is known to compile: sweep some.")
        return
    chosen = _own(span)
    if drawn:
        labels = {axis.key: axis.label for axis in span.axes}
        st.plotly_chart(
            pareto_figure(rows, labels, chosen), key=f"tiling:pareto:{span.id}", config=_NO_BAR
        )
        return
    name = f"tiling:best:{span.id}"
    frame = _frame(span, rows, chosen)
    about = {
        column: st.column_config.TextColumn(column, help=ABOUT.get(column))
        for column in frame.columns
    }
    st.dataframe(
        frame,
        hide_index=True,
        height=min(36 + 30 * len(rows), 340),
        row_height=30,
        key=f"{name}:table",
        column_config={
            **about,
            "place": st.column_config.TextColumn("", width=32, help=ABOUT["place"]),
            "front": st.column_config.TextColumn("best", width=38, help=ABOUT["front"]),
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
        },
    )
    if "tiling:hinted" in st.session_state:
        trace = st.session_state.pop("tiling:hinted")
        st.switch_page("rerun.py", query_params={"trace": trace})


_CHART = "Time estimate against occupancy; the line joins the points that no other beats."


def _by(id: str) -> By:
    asked = address.text("best", id)
    by = next((each for each in BY if each == asked), BY[0])
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


def _candidates(span: Span, measured: Mapping[str, Point], known: space.Known) -> list[Candidate]:
    outcomes = [outcome(p.hints, p.state, p.trace) for p in measured.values() if p.trace]
    found = candidates(
        outcomes, _worth_a_look(span, known), space.capacities(span.trace), known.costs
    )
    own = _own(span)
    return [*found, own] if own is not None else found


def _trusted(known: space.Known) -> bool:
    """Whether predicted times are good enough to stand among measured ones."""
    return known.costs is not None and known.costs.error.median <= _TIME_ERROR


def _ranked(found: list[Candidate], by: By, timed: bool) -> list[Ranked]:
    if by in ("occupancy", "cores") or (by == "time" and timed):
        return ranked(found, by)
    # What else there is to rank by is known well of compiled points alone: the others follow.
    counted = [each for each in found if each.how == "measured"]
    others = [each for each in found if each.how != "measured"]
    return [*ranked(counted, by), *(Ranked(0, each, False) for each in others)]


def _own(span: Span) -> Candidate | None:
    """The compiler's own choice, which is a point of its own beside a hint with the same tiles."""
    own = space.own_choice(span.id, span.trace)
    return _own_candidate(rooms.known(own[0])) if own is not None else None


@lru_cache(maxsize=128)
def _own_candidate(known: rooms.Known) -> Candidate:
    trace = space.counted(known)
    return compiled(trace, values_of(repeated(trace, ["0.0"])))


def _worth_a_look(span: Span, known: space.Known) -> list[Prediction]:
    """Predicted points that take least time; where that is not known, those on most cores, and of
    these the fullest ones."""
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
    fits = predictions.feasible.ravel() & (predictions.trust.ravel() < 1) & span.there.ravel()
    times = space.times_over(known, span)
    first = times.ravel() if times is not None else -cores
    order = np.lexsort((-full, first, ~fits))[: min(_PREDICTED, int(fits.sum()))]
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


def _frame(span: Span, rows: list[Ranked], chosen: Candidate | None) -> pd.DataFrame:
    """The table with the axes that tell its points apart, and a way to compile each of them."""
    apart = [
        axis
        for axis in span.axes
        if axis.key in span.keys
        or len({row.candidate.values.get(axis.key, axis.held) for row in rows}) > 1
    ]
    labels = {axis.key: axis.label for axis in apart}
    frame = ranking_table(rows, labels, chosen, len(rows))
    frame["place"] = ["★" if row.candidate is chosen else str(row.place or "–") for row in rows]
    frame["time"] = [
        _predicted_time(span, row.candidate) or str(text)
        for row, text in zip(rows, frame["time"], strict=True)
    ]
    for column in ("time", "fullest", "cores"):
        frame[column] = [
            f"≈ {text}" if row.candidate.how == "predicted" and text != "–" else str(text)
            for row, text in zip(rows, frame[column], strict=True)
        ]
    frame["do"] = _COMPILE
    frame["more"] = [[_HINT, _SHOW]] * len(rows)
    shown = [*labels.values()]
    rest = [c for c in frame.columns if c not in (*_FIRST, "place", "front", *shown, "do", "more")]
    return frame[["place", *shown, "do", *_FIRST[:3], "front", "more", *_FIRST[3:], *rest]]


def _predicted_time(span: Span, each: Candidate) -> str:
    """The time of a predicted point, in the unit of the measured ones; "" where that is cycles."""
    chip = rates(span.trace.target)
    if each.how != "predicted" or each.time is None or each.per != "run":
        return ""
    return seconds_text(each.time / chip.hertz) if chip is not None and chip.hertz else ""


def _clicked(rows: list[Ranked], key: str) -> tuple[Candidate, str] | None:
    click = st.session_state.get(key)
    if not click or not 0 <= click["row"] < len(rows):
        return None
    return rows[click["row"]].candidate, str(click["label"])


def _compile(span: Span, rows: list[Ranked], key: str) -> None:
    clicked = _clicked(rows, key)
    if clicked is None:
        return
    hints = span.hints(clicked[0].values)
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
        take_as_hint(span, span.hints(point.values))


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
