"""The map of the Tiling page: its controls, the picture as points arrive, what a click brings."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import streamlit as st

from core.analysis.estimate import Cost, estimate, rates
from core.analysis.predict import Error
from core.analysis.predict import Space as PredictedSpace
from core.analysis.sweep import (
    Outcome,
    SweepAxis,
    parse_values,
    repeated,
    sweep_axes,
    values_of,
    values_text,
    with_values,
)
from core.analysis.tiling import asked_tiles
from core.hints import HintError, Hints, HintValue
from core.jobs.work import Point
from core.kernel import Kernel
from core.trace import Trace
from core.views.colouring import (
    COLOURINGS,
    FITS,
    OTHERWISE,
    class_colour,
    colouring,
)
from core.views.colouring import predicted as figures_of
from core.views.heatmap import (
    HeatMap,
    MarkKind,
    Place,
    Predicted,
    buffer_map,
    buffer_rows,
    value_map,
)
from core.views.heatmap_figure import figure, legend
from core.views.ranking import cost_table
from core.views.wording import percent, tile_text, value_text
from pages import _address as address
from pages import _best as best
from pages import _header as header
from pages import _jobs as jobs
from pages import _rooms as rooms
from pages import _run as run
from pages import _space as space
from pages import _sweeping as sweeping
from pages._comparison import brief
from pages._space import Span
from pages._table import table

_NO_BAR = {"displayModeBar": False}
_MOST_ONE, _MOST_TWO = 24, 10  #: values suggested on a lone axis, and on each of two
ALL = "all"  #: of the memories
_BUFFERS = "buffers"


def show(id: str, trace: Trace, kernel: Kernel | None, axes: tuple[SweepAxis, ...]) -> None:
    """The map with its controls."""
    measured = {**space.compiled(id, trace, kernel), **space.points(kernel)}
    waiting = sweeping.waiting(kernel)
    known = space.model(id, trace, kernel, measured, live=waiting > 0)
    span = _controls(id, trace, kernel, axes, measured, known)
    if span is None:
        return
    job = run.follow(st.session_state.get(f"tiling:job:{id}"))
    polling = waiting > 0 or (job is not None and not job.over)
    st.fragment(run_every=0.7 if polling else None)(_map)(span, polling)


# Choices, which live in the URL


def _chosen(
    name: str, label: str, id: str, options: Sequence[str], first: str, **more: object
) -> str:
    """A select box whose choice is in the URL, and comes back with it."""
    value = address.text(name, id)
    value = value if value in options else first
    key = f"tiling:{name}:{id}"
    st.session_state[key] = value

    def changed() -> None:
        address.set_text(name, id, str(st.session_state[key]))

    st.selectbox(label, list(options), key=key, on_change=changed, **more)  # type: ignore[call-overload]
    return value


def _choose_memory(id: str, names: Sequence[str], trace: Trace) -> str:
    """The memory that map and buffers are about; a choice only where there is one."""
    if len(names) < 2:
        return names[0] if names else "UB"
    limiter = trace.limiter
    failed = trace.failure.memory if trace.failure else None
    fullest = limiter.memory if limiter and limiter.memory in names else names[0]
    first = failed if failed is not None and failed in names else fullest
    value = _chosen(
        "memory",
        "Memory",
        id,
        [*names, ALL],
        first,
        width=90,
        help="All: the same map for each memory, side by side.",
    )
    address.mirror(id, {"memory": address.text("memory", id) or None})
    return value


def _controls(
    id: str,
    trace: Trace,
    kernel: Kernel | None,
    axes: tuple[SweepAxis, ...],
    measured: Mapping[str, Point],
    known: space.Known,
) -> Span | None:
    swept = [p.memory for point in measured.values() if point.trace for p in point.trace.memory]
    memories = list(dict.fromkeys([*(plan.memory for plan in trace.memory), *swept]))
    by_key = {axis.key: axis for axis in axes}
    wide = 130 if max(len(axis.label) for axis in axes) < 16 else 190
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        whole = _view(id)
        by = colouring(
            _chosen(
                "colour",
                "Colour by",
                id,
                [each.key for each in COLOURINGS],
                COLOURINGS[0].key,
                format_func=lambda key: colouring(key).label,
                width=165,
                help="\n".join(f"- {each.label}: {each.source}" for each in COLOURINGS),
            )
        )
        memory = _choose_memory(id, memories, trace)
        across, down = _axes_shown(id, axes, wide)
        shown = [by_key[key] for key in (across, down) if key != _BUFFERS]
        held = _held(id, axes, [axis.key for axis in shown])
        lists, wrong = _lists(id, trace, kernel, shown, held, measured, known, whole)
        slot = st.container(
            horizontal=True, vertical_alignment="bottom", gap="small", width="content"
        )
    address.mirror(
        id,
        {
            "x": across if across != axes[0].key else None,
            "y": down if down != _first_down(axes, across) else None,
            "colour": by.key if by.key != COLOURINGS[0].key else None,
            "view": None if whole else "listed",
            "hold": ",".join(f"{k}:{v}" for k, v in held.items()) or None,
        },
    )
    if wrong:
        st.error(header.escaped(wrong), icon=":material/edit:")
        return None
    span = Span(id, trace, kernel, axes, tuple(shown), lists, held, memory, by, whole)
    with slot:
        sweeping.buttons(span, measured, known)
    return span


def _view(id: str) -> bool:
    """Whether the whole space is shown, rather than listed values."""
    value = _chosen(
        "view",
        "Values",
        id,
        ["whole", "listed"],
        "whole",
        format_func=lambda v: "whole space" if v == "whole" else "listed",
        width=125,
        help="The whole space of values, or those that you list.",
    )
    return value == "whole"


def _first_down(axes: Sequence[SweepAxis], across: str) -> str:
    """Two tiles, or two parameters, are what is mostly looked at; a hint only where chosen."""
    usual = [axis for axis in axes if axis.tile] or [axis for axis in axes if not axis.about]
    if across not in [axis.key for axis in usual]:
        return _BUFFERS
    return next((axis.key for axis in usual if axis.key != across), _BUFFERS)


def _axes_shown(id: str, axes: Sequence[SweepAxis], wide: int) -> tuple[str, str]:
    names = {axis.key: axis.label for axis in axes} | {_BUFFERS: "buffers"}
    across = _chosen(
        "x",
        "Across",
        id,
        [axis.key for axis in axes],
        axes[0].key,
        format_func=lambda key: names[key],
        width=wide,
    )
    down = _chosen(
        "y",
        "Down",
        id,
        [_BUFFERS, *(axis.key for axis in axes if axis.key != across)],
        _first_down(axes, across),
        format_func=lambda key: names[key],
        width=wide,
        help="Buffers: what each of them takes of the memory. An axis: its values.",
    )
    return across, down


def _held(id: str, axes: Sequence[SweepAxis], shown: Sequence[str]) -> dict[str, HintValue]:
    """What axes that are not shown are held at, where that is not as in the trace."""
    others = [a for a in axes if a.key not in shown and not a.about and a.held is not None]
    if not others:
        return {}
    asked = dict(
        part.rpartition(":")[::2] for part in address.text("hold", id).split(",") if ":" in part
    )
    values: dict[str, HintValue] = {}
    for axis in others:
        value = next((v for v in axis.values if str(v) == asked.get(axis.key)), axis.held)
        if value is not None and value != axis.held:
            values[axis.key] = value

    def changed(axis: SweepAxis) -> None:
        now = {**asked, axis.key: str(st.session_state[f"tiling:hold:{id}:{axis.key}"])}
        held = [f"{k}:{v}" for k, v in now.items() if k not in shown]
        address.set_text("hold", id, ",".join(held))

    label = "Hold" if not values else f"Hold, {len(values)} changed"
    with st.popover(label, icon=":material/push_pin:", key=f"tiling:held:{id}"):
        st.caption("What the axes that are not shown stay at; ◆ as in the trace that is open.")
        for start in range(0, len(others), 3):
            for axis, column in zip(others[start : start + 3], st.columns(3), strict=False):
                key = f"tiling:hold:{id}:{axis.key}"
                st.session_state[key] = values.get(axis.key, axis.held)
                column.selectbox(
                    axis.label,
                    [*axis.values],
                    key=key,
                    format_func=partial(_held_value, axis),
                    on_change=changed,
                    args=(axis,),
                )
    return values


def _held_value(axis: SweepAxis, value: HintValue) -> str:
    return shown_value(axis, value) + (" ◆" if value == axis.held else "")


def _lists(
    id: str,
    trace: Trace,
    kernel: Kernel | None,
    shown: Sequence[SweepAxis],
    held: Mapping[str, HintValue],
    measured: Mapping[str, Point],
    known: space.Known,
    whole: bool,
) -> tuple[dict[str, tuple[HintValue, ...]], str]:
    """The values on each axis, and why they cannot be read, or ""."""
    start = with_values(repeated(trace, [*(axis.key for axis in shown), *held]), held)
    met = {axis.key: _known_values(axis, kernel, start, shown, measured) for axis in shown}
    if whole:
        variables = {each.key: each for each in known.model.variables}
        most = (space.MOST_ACROSS, space.MOST_DOWN) if len(shown) > 1 else (space.MOST_LONE, 0)
        return {
            axis.key: space.whole_values(axis, variables.get(axis.key), met[axis.key], limit)
            for axis, limit in zip(shown, most, strict=False)
        }, ""
    few = {
        axis.key: axis
        for axis in sweep_axes(
            trace,
            kernel,
            rooms.catalogue(trace.compiler.name),
            _MOST_TWO if len(shown) > 1 else _MOST_ONE,
        )
    }
    found = {}
    try:
        texts = [_value_list(id, few[axis.key], len(shown), met[axis.key]) for axis in shown]
        for axis, text in zip(shown, texts, strict=True):
            found[axis.key] = parse_values(text, axis)
    except HintError as wrong:
        return {}, str(wrong)
    return found, ""


def _value_list(id: str, axis: SweepAxis, shown: int, known: list[HintValue]) -> str:
    """The values of one axis: as edited, else those measured before, else a suggestion."""
    suggested = values_text(axis.values)
    name = f"tiling:list:{id}:{axis.key}:{shown}"
    if not st.session_state.get(name):
        again = name in st.session_state  # emptied by the user
        if axis.held is not None and axis.held not in known:
            known.append(axis.held)
        if axis.tile:
            known.sort()
        st.session_state[name] = (
            values_text(known) if axis.tile and len(known) > 2 and not again else suggested
        )
    return str(
        st.text_input(
            f"Tiles of {axis.label}" if axis.tile else f"Values of {axis.label}",
            key=name,
            help=(
                (
                    "Powers of two, divisors of the extent, and a few neighbours on purpose: which "
                    "tiles compile is not monotonic."
                    if axis.tile
                    else axis.about
                    or "The values that the kernel declares as worth trying; any other goes too."
                )
                + " Edit it: 16, 32, 64-66. Empty it to get the suggestion back."
            ),
            width="stretch",
        )
    )


def _known_values(
    axis: SweepAxis,
    kernel: Kernel | None,
    start: Hints,
    shown: Sequence[SweepAxis],
    measured: Mapping[str, Point],
) -> list[HintValue]:
    """Values of an axis measured by earlier sweeps in which all that is not shown was as here."""
    known: dict[HintValue, None] = {}
    for digest, point in measured.items():
        values = values_of(point.hints)
        chosen = {each.key: values[each.key] for each in shown if each.key in values}
        if (
            space.settled(point)
            and len(chosen) == len(shown)
            and space.named(kernel, with_values(start, chosen)).digest == digest
        ):
            known[chosen[axis.key]] = None
    return list(known)


# The picture


def _map(span: Span, polling: bool) -> None:
    waiting = sweeping.waiting(span.kernel)
    job = run.follow(st.session_state.get(f"tiling:job:{span.id}"))
    if polling != (waiting > 0 or (job is not None and not job.over)):
        st.rerun()  # of the whole page: only there can the polling begin and end
    measured = {
        **space.compiled(span.id, span.trace, span.kernel),
        **space.points(span.kernel),
    }
    known = space.model(span.id, span.trace, span.kernel, measured, live=waiting > 0)
    outcomes = space.cells(span, measured.values())
    left, right = st.columns([6.9, 3.1], gap="medium")
    with left:
        with st.container(height=44, border=False):  # always there, so that the map never jumps
            if waiting:
                sweeping.progress(span)
            else:
                _legend(span, known)
        _pictures(span, outcomes, known)
        if span.by.key == "time":
            _formula(span.trace)
    with right:
        _result(span)
        best.table(span, measured, known)


def _pictures(span: Span, outcomes: Mapping[Place, Outcome], known: space.Known) -> None:
    costs = space.costs(outcomes)
    predictions = space.predicted_over(known, span)
    if span.memory != ALL:
        heat = _heat(span, outcomes, costs, predictions, known, span.memory)
        _picture(span, heat, "", None)
        return
    names = list(space.capacities(span.trace)) or [plan.memory for plan in span.trace.memory]
    used = set(predictions.peaks if predictions else ()) | {p.memory for p in span.trace.memory}
    shown = [name for name in names if name in used]
    for start in range(0, len(shown), 3):
        for name, column in zip(shown[start : start + 3], st.columns(3), strict=False):
            with column:
                st.markdown(f"**{name}**")
                heat = _heat(span, outcomes, costs, predictions, known, name)
                _picture(span, heat, f":{name}", 230)


def _picture(span: Span, heat: HeatMap, suffix: str, height: int | None) -> None:
    key = f"tiling:map:{span.id}{suffix}"
    st.plotly_chart(
        figure(heat, height, small=height is not None),
        key=key,
        on_select=lambda: _clicked(span, key),
        selection_mode="points",
        config=_NO_BAR,
    )


def _heat(
    span: Span,
    outcomes: Mapping[Place, Outcome],
    costs: Mapping[Place, Cost],
    predictions: PredictedSpace | None,
    known: space.Known,
    memory: str,
) -> HeatMap:
    marks = {kind: place for kind, values in _marks(span).items() if (place := span.place(values))}
    predicted: Predicted | None = None
    classes: tuple[str, ...] = ()
    if predictions is not None:
        predicted, classes = _predicted(span, predictions, known, memory)
    if len(span.shown) == 1:
        return buffer_map(
            {place[0]: each for place, each in outcomes.items()},
            span.columns,
            memory,
            title=span.shown[0].title,
            marks={kind: place[0] for kind, place in marks.items()},
            by=span.by,
            costs={place[0]: each for place, each in costs.items()},
            predicted=predicted,
            classes=classes,
            buffers=_buffers(span, known, memory) if predicted is not None else None,
        )
    return value_map(
        outcomes,
        span.columns,
        span.rows,
        memory,
        titles=(span.shown[0].title, span.shown[1].title),
        marks=marks,
        by=span.by,
        costs=costs,
        predicted=predicted,
        classes=classes,
    )


def _predicted(
    span: Span, predictions: PredictedSpace, known: space.Known, memory: str
) -> tuple[Predicted | None, tuple[str, ...]]:
    """The predictions as the map draws them, and what numbers of a class stand for."""
    room = space.capacities(span.trace)
    times = space.times_over(known, span)
    found = figures_of(span.by, predictions, memory, room, times)
    values, classes = found if found is not None else (None, ())
    shape = len(span.columns), max(len(span.rows), 1)

    def turned(array: np.ndarray) -> np.ndarray:
        return array.reshape(shape).T[::-1]

    if values is None:  # no figure of what the map shows, yet what hovering says is known
        values = np.full(shape, np.nan)
    details: list[np.ndarray] = []
    at = []
    for number, axis in enumerate(span.shown):
        listed = span.columns if number == 0 else span.lists[axis.key]
        if not all(type(value) is int for value in listed):
            continue
        axes = np.array(listed, dtype=float)
        details.append(np.broadcast_to(axes[:, None] if number == 0 else axes[None, :], shape))
        at.append(f"{axis.title} %{{customdata[{len(details) - 1}]:,}}")
    lines = [f"<b>{' · '.join(at)}</b>" if at else ""]
    for name, peaks in predictions.peaks.items():
        details.append(peaks.reshape(shape).astype(float))
        line = f"{name} %{{customdata[{len(details) - 1}]:,}} B"
        if room.get(name):
            details.append(details[-1] / room[name] * 100)
            line += f", %{{customdata[{len(details) - 1}]:.0f}} %"
        lines.append(line)
    if predictions.cores.any():
        details.append(predictions.cores.reshape(shape).astype(float))
        lines.append(f"%{{customdata[{len(details) - 1}]}} cores")
    if times is not None and known.costs is not None:
        chip = rates(span.trace.target)
        seconds = chip is not None and bool(chip.hertz)
        details.append(times.reshape(shape) * (1e6 if seconds else 1))
        unit = "µs" if seconds else "cycles"
        lines.append(
            f"%{{customdata[{len(details) - 1}]:,.4g}} {unit} at least (estimate, learned from "
            f"{known.costs.error.points} points; median error {percent(known.costs.error.median)})"
        )
    how = how_predicted(known.model.error)
    fitting = "<br>".join([*lines, f"predicted, {how}"])
    not_fitting = "<br>".join([*lines, f"predicted not to compile, {how}"])
    stacked = np.stack([turned(each) for each in details], axis=-1)
    fits = turned(predictions.feasible)
    there = turned(span.there)
    shown = np.where(there, turned(values), np.nan)
    return Predicted(shown, fits, stacked, fitting, not_fitting, there), classes


def _buffers(span: Span, known: space.Known, memory: str) -> dict[str, np.ndarray]:
    """Shares of the memory that each buffer of the open trace would take, by its row."""
    plan, room = span.trace.plan(memory), space.capacities(span.trace).get(memory)
    if plan is None or not room or not span.trace.status.compiles or span.by.key != "occupancy":
        return {}
    names = buffer_rows(plan)
    sizes = known.model.buffers(memory, space.asked(known, span))
    return {names[name]: size.ravel() / room for name, size in sizes.items() if name in names}


def how_predicted(error: Error) -> str:
    """Where predictions come from and how far they are off, in a few words."""
    if not error.points or error.median is None:
        return "from this trace's own plan; its error is known once points are measured"
    return f"from the plan and {error.points} measured points; median error {percent(error.median)}"


def _marks(span: Span) -> dict[MarkKind, Mapping[str, HintValue]]:
    marks: dict[MarkKind, Mapping[str, HintValue]] = {}
    now = {**_as_in(span.axes), **span.held}

    def add(kind: MarkKind, values: Mapping[str, HintValue]) -> None:
        # A mark is on this map only where all that is held is as it has it.
        if values and all(values.get(key, value) == value for key, value in span.held.items()):
            marks[kind] = values

    add("diamond", _as_in(span.axes))
    own = space.own_choice(span.id, span.trace)
    if own is not None:
        catalogue = rooms.catalogue(own[1].compiler.name)
        add("star", _as_in(sweep_axes(own[1], span.kernel, catalogue)))
    asked = asked_tiles(span.trace)
    add("ring", values_of(Hints(tuple(asked.values()), repeated(span.trace).attributes)))
    frame = st.session_state.get(f"tiling:frame:{span.id}")
    if frame:
        add("frame", {**now, **frame})
    return marks


def _as_in(axes: Sequence[SweepAxis]) -> dict[str, HintValue]:
    return {axis.key: axis.held for axis in axes if axis.held is not None}


def _legend(span: Span, known: space.Known) -> None:
    predicted = space.predicted_over(known, span) is not None
    signs = "   ".join(f"{sign} {what}" for sign, what in legend(_marks(span), predicted=predicted))
    classes = ""
    if span.by.kind == "class":
        names = [plan.memory for plan in span.trace.memory]
        shown = (
            names if span.by.key == "limiter" else [FITS, *(f"over {n}" for n in names), OTHERWISE]
        )
        classes = " ".join(
            f'<span style="color:{class_colour(name)}">■</span> {html.escape(name)}'
            for name in shown
        )
    only = "" if span.by.predicted or not predicted else " · measured cells alone have this figure"
    lines = [(classes, signs + only)]
    if predicted:
        lines.append(("", error_text(span, known)))
    st.html(
        "".join(
            f'<div class="ts-small ts-cut" title="{html.escape(text)}">{before} '
            f"{html.escape(text)}</div>"
            for before, text in lines
        )
    )


def error_text(span: Span, known: space.Known) -> str:
    """The error of the predictions in a sentence or two."""
    error, notes = known.model.error, " ".join(known.model.notes)
    if not error.points:
        return (
            "Predicted from the plan of this trace alone. Sweep some points to see how far it is "
            f"off. {notes}"
        )
    parts = []
    if error.median is not None:
        parts.append(f"median error {percent(error.median)}")
    right = error.feasible_right
    if right is not None:
        parts.append(f"feasibility right for {round(right * error.points)} of {error.points}")
    worst = ""
    if error.worst is not None and error.worst > 0.02 and error.worst_at:
        labels = {axis.key: axis.label for axis in span.axes}
        at = ", ".join(f"{labels.get(k, k)} {value_text(v)}" for k, v in error.worst_at.items())
        worst = f" Worst: {percent(error.worst)} at {at}."
    times = ""
    if known.costs is not None:
        times = f" Times: median error {percent(known.costs.error.median)}."
    return (
        f"Predicted: {', '.join(parts)}, on {error.points} measured points, each predicted "
        f"without itself.{times}{worst} {notes}"
    )


def _formula(trace: Trace) -> None:
    cost = estimate(trace, rooms.library())
    with st.expander("How the time is estimated", key="tiling:formula"):
        if cost is None:
            st.caption("This trace made no code, so there is no work to count.")
            return
        st.caption(header.escaped(cost.formula or cost.why_not))
        frame = cost_table(cost)
        table(list(frame.columns), frame.astype(str).values.tolist(), wide="source")
        for source in cost.sources:
            st.caption(header.escaped(f"{source}."))


def shown_value(axis: SweepAxis, value: HintValue) -> str:
    """A value of an axis as a person reads it."""
    return tile_text(int(value), axis.extent) if axis.tile else value_text(value)


# A click


def _clicked(span: Span, key: str) -> None:
    state = st.session_state.get(key) or {}
    chosen = state.get("selection", {}).get("points", [])
    if not chosen:
        return
    column, row = round(chosen[0]["x"]), round(chosen[0]["y"])
    if not 0 <= column < len(span.columns):
        return
    compile_point(span, span.hints(span.values((column, min(row, max(len(span.rows) - 1, 0))))))


def compile_point(span: Span, hints: Hints) -> None:
    """Compile one point in full, from a callback."""
    st.session_state[f"tiling:cell:{span.id}"] = hints
    if rooms.why_no_compile(span.kernel, span.trace.compiler.name) is None:
        assert span.kernel is not None
        st.session_state[f"tiling:job:{span.id}"] = run.start(
            span.kernel, hints, span.id, span.trace.compiler.name
        )


def _result(span: Span) -> None:
    """What came of the cell that was clicked, against the trace that is open."""
    hints = st.session_state.get(f"tiling:cell:{span.id}")
    if hints is None:
        return
    values = values_of(hints)
    chosen = [f"{a.label}: {shown_value(a, values[a.key])}" for a in span.axes if a.key in values]
    st.markdown(f"**{header.escaped(', '.join(chosen[:6]))}**")
    job = run.follow(st.session_state.get(f"tiling:job:{span.id}"))
    if job is None:
        reason = rooms.why_no_compile(span.kernel, span.trace.compiler.name)
        st.caption(header.escaped(reason or "This compile is gone from the queue: click again."))
        return
    if not job.over:
        st.markdown(jobs.job_text(job))
        if st.button("Cancel", icon=":material/stop_circle:", key="tiling:cancel-cell"):
            jobs.cancel(job.id)
        return
    if job.trace is None:
        st.error(
            header.escaped(job.error or f"The compile was {job.state}."), icon=":material/close:"
        )
        return
    if job.trace == span.id:
        st.caption("This is the trace that is open.")
        return
    brief(span.id, job.trace)
    with st.container(horizontal=True):
        if st.button("Open", icon=":material/layers:", key="tiling:open"):
            address.go("passes.py", job.trace)
        if st.button("Compare in full", icon=":material/compare_arrows:", key="tiling:compare"):
            st.session_state["trace"] = job.trace
            st.switch_page("compare.py", query_params={"trace": job.trace, "against": span.id})
