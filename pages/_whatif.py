"""What if: other tiles than those of the trace, and how full each memory would be, at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from core.analysis.predict import Prediction
from core.analysis.retype import main_type, other_types
from core.analysis.sweep import SweepAxis
from core.hints import HintValue
from core.kernel import Kernel
from core.trace import Trace
from core.views.marks import result_name
from core.views.occupancy import memory_bars
from core.views.wording import percent, tile_text, value_text
from pages import _header as header
from pages import _rooms as rooms
from pages import _space as space

_NO_BAR = {"displayModeBar": False}


def memories(id: str, trace: Trace, kernel: Kernel | None, axes: Sequence[SweepAxis]) -> None:
    """The bars of the memories, with sliders where asked for."""
    st.fragment(_memories)(id, trace, kernel, tuple(axes))


def _memories(id: str, trace: Trace, kernel: Kernel | None, axes: tuple[SweepAxis, ...]) -> None:
    known = space.fitted(id)
    movable = _movable(axes, known)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("##### Memories", width="stretch", help=_bars_help(trace))
        asked = bool(movable) and st.toggle(
            "What if",
            key=f"tiling:whatif:{id}",
            help="Move tiles and see at once how full each memory would be, before compiling: pale "
            "bars are predicted. Shapes are not among the sliders: a memory holds tiles, and a "
            "tile takes the same of a longer axis; how a kernel of another shape is tiled is known "
            "once the compiler has folded its loops.",
        )
    prediction = None
    if asked and known is not None:
        values = _sliders(id, movable)
        with st.container(horizontal=True, vertical_alignment="center"):
            dtype = _type(id, trace)
            doubled = _doubled(id, trace, known)
        model = space.in_type(known, trace, kernel, dtype) if dtype else known.model
        prediction = model.predict(values)
        if not doubled:
            prediction = _single(prediction, model.without_copies(values), trace)
        if dtype:
            prediction = _of_type(prediction, main_type(trace), dtype)
    _bars(id, trace, prediction)
    if prediction is not None and known is not None:
        _said(trace, prediction, known, all(values[a.key] == a.held for a in movable))


def _bars_help(trace: Trace) -> str:
    chip = rooms.target(trace)
    share = chip.tiling_share if chip is not None and chip.tiling_share < 1 else None
    aim = f"Dashed: the {percent(share)} that automatic tiling aims at. " if share else ""
    where = (
        f"in the {result_name(trace)}"
        if trace.status.compiles
        else "that the failed plan asked for"
    )
    return (
        f"{aim}Solid line: the capacity, as the compiler reports it. A bar is the highest address "
        f"in use {where}."
    )


def _movable(axes: Sequence[SweepAxis], known: space.Known | None) -> list[SweepAxis]:
    """The axes of which the model can tell."""
    if known is None:
        return []
    variables = {each.key: each for each in known.model.variables}
    found = []
    for axis in axes:
        each = variables.get(axis.key)
        codes = each is not None and (
            each.kind != "choice" or all(value in each.codes for value in axis.values)
        )
        if codes and axis.held is not None and len(axis.values) > 1:
            found.append(axis)
    return found


def _sliders(id: str, axes: Sequence[SweepAxis]) -> dict[str, HintValue]:
    values: dict[str, HintValue] = {}
    for start in range(0, len(axes), 2):
        for axis, column in zip(axes[start : start + 2], st.columns(2), strict=False):
            key = f"tiling:whatif:{id}:{axis.key}"
            held = axis.held
            if held is None:
                continue
            with column:
                values[axis.key] = st.select_slider(
                    axis.title,
                    list(axis.values),
                    value=held,
                    key=key,
                    format_func=lambda v, a=axis: (
                        tile_text(int(v), a.extent) if a.tile else value_text(v)
                    ),
                )
    return values


def _type(id: str, trace: Trace) -> str:
    """Another type for what most of the memory holds; "" where it stays as it is."""
    now = main_type(trace)
    others = other_types(now)
    if not others:
        return ""
    chosen = st.segmented_control(
        "Type",
        [now, *others],
        default=now,
        key=f"tiling:whatif:{id}:type",
        label_visibility="collapsed",
        help="As if every buffer of the type that most bytes are of were of another one.",
    )
    return "" if chosen in (None, now) else str(chosen)


def _of_type(prediction: Prediction, of: str, to: str) -> Prediction:
    """Words of a prediction for another type, which nothing measured bears out."""
    return replace(
        prediction,
        confidence="far",
        how=f"Estimate: every buffer of {of} in {to}, everything else as it is. A compiler that "
        f"meets {to} may fold, align and vectorise otherwise.",
    )


def _doubled(id: str, trace: Trace, known: space.Known) -> bool:
    """Whether buffers are to be doubled; a choice only where that makes a difference."""
    values = {each.key: each.held for each in known.model.variables if each.held is not None}
    full = known.model.predict(values).peaks
    if known.model.without_copies(values) == full and not space.without_copies(trace):
        return True
    return st.checkbox(
        "Double buffering",
        value=True,
        key=f"tiling:whatif:{id}:double",
        help="Two copies of a buffer, so that loading and computing overlap. Without it, a memory "
        "holds what is alive at one time.",
    )


def _single(prediction: Prediction, peaks: Mapping[str, int], trace: Trace) -> Prediction:
    """The prediction for a point without any second copy."""
    room = space.capacities(trace)
    over = [name for name, size in peaks.items() if room.get(name) and size > room[name]]
    return replace(
        prediction,
        peaks=peaks,
        feasible=not over,
        confidence="far" if prediction.confidence == "measured" else prediction.confidence,
        why_not=" ".join(
            f"{name} would need {peaks[name]:,} B of {room[name]:,} B, without any copy."
            for name in over
        ),
        how="Predicted: the most that is alive at one time, no buffer doubled.",
    )


def _bars(id: str, trace: Trace, prediction: Prediction | None) -> None:
    if not trace.memory and prediction is None:
        st.caption(
            f"The {result_name(trace)} places no buffers by address."
            if trace.status.compiles
            else "The compiler stopped before it placed buffers."
        )
        return
    chip = rooms.target(trace)
    share = chip.tiling_share if chip is not None and chip.tiling_share < 1 else None
    st.plotly_chart(
        memory_bars(
            trace.memory,
            share,
            prediction.peaks if prediction else None,
            space.capacities(trace),
        ),
        key=f"tiling:bars:{id}",
        config=_NO_BAR,
    )


def _said(trace: Trace, prediction: Prediction, known: space.Known, as_is: bool) -> None:
    """What is to be expected, and how sure that is."""
    error = known.model.error
    off = f", median error {percent(error.median)}" if error.median is not None else ""
    sure = {
        "measured": "",
        "near": f"Near points that were measured{off}.",
        "far": f"Far from any measured point{off}.",
    }[prediction.confidence]
    cores = f" {prediction.cores} cores." if prediction.cores else ""
    if prediction.feasible is False:
        st.warning(
            header.escaped(f"It would not compile. {prediction.why_not}"), icon=":material/block:"
        )
    own = (
        " The compiler, tiling by itself, doubled no buffer; asked for the same tiles it may."
        if as_is and space.without_copies(trace)
        else ""
    )
    st.caption(header.escaped(f"{sure}{cores} {prediction.how}{own}".strip()))
