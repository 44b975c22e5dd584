"""Tiling: the axes and what was chosen, how full each memory is, and the map of what else fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from core.analysis.sweep import (
    Outcome,
    SweepAxis,
    grid,
    outcome,
    parse_values,
    repeated,
    sweep_axes,
    values_of,
    values_text,
    with_values,
)
from core.analysis.tiling import asked_tiles, chosen_by_compiler, units
from core.hints import HintError, Hints, HintValue
from core.jobs.queue import QueueError
from core.jobs.work import Point
from core.kernel import Kernel
from core.library import LibraryError
from core.trace import Trace
from core.views.heatmap import HeatMap, MarkKind, buffer_map, figure, legend, value_map
from core.views.marks import result_name
from core.views.occupancy import memory_bars
from core.views.tables import axes_table, parameters_table
from core.views.wording import count, tile_text, value_text
from pages import _address as address
from pages import _header as header
from pages import _jobs as jobs
from pages import _rooms as rooms
from pages import _run as run
from pages._comparison import brief
from pages._memory import viewer
from pages._table import table

_NO_BAR = {"displayModeBar": False}
_MOST_ONE, _MOST_TWO = 24, 10  # values suggested on a lone axis, and on each of two


def main() -> None:
    id, trace = header.open_trace("tiling")
    kernel = rooms.library().kernel(id)
    axes = sweep_axes(trace, kernel, rooms.catalogue(trace.compiler.name))
    if not axes and not trace.tiling.axes and not trace.memory:
        header.empty(
            "This trace says nothing of tiling.",
            "The compiler stopped before it, or the dump lacks what it writes of it.",
        )
    left, right = st.columns([6.2, 3.8], gap="medium")
    with left:
        if trace.tiling.axes or kernel is None or not kernel.parameters:
            _axes(trace)
        else:
            _parameters(trace, kernel)
    with right:
        _memories(trace)
    if len(units(trace)) > 1:
        st.caption(
            "This kernel was fused from several sub-kernels, each with axes of its own, which "
            "one hint cannot tell apart: sweep the tiles of the sub-kernels by themselves."
        )
    if axes:
        memory = _sweep(id, trace, kernel, axes)
    else:
        memory = _choose_memory(id, [plan.memory for plan in trace.memory], trace)
    held = trace.plan(memory)
    if held is not None:
        viewer(trace, held)


# What was chosen


def _parameters(trace: Trace, kernel: Kernel) -> None:
    st.markdown("##### Parameters")
    frame = parameters_table(trace, kernel)
    table(list(frame.columns), frame.astype(str).values.tolist(), wide="values to try")
    declared = "Declared by the kernel; a value that is not listed can be tried as well."
    note = f"{trace.tiling.note} " if trace.tiling.note else ""
    st.caption(header.escaped(f"{note}{declared}"))


def _axes(trace: Trace) -> None:
    st.markdown("##### Axes")
    frame = axes_table(trace)
    if frame.empty:
        st.caption(
            header.escaped(
                trace.tiling.note
                or (
                    "This trace names no axes that were tiled."
                    if trace.status.compiles
                    else "The compiler stopped before it tiled."
                )
            )
        )
        return
    empty = [c for c in ("search proposed", "constraints", "loops") if not frame[c].any()]
    frame = frame.drop(columns=empty)
    rows = [
        ["–" if cell is None else count(cell) if isinstance(cell, int) else str(cell) for cell in r]
        for r in frame.itertuples(index=False, name=None)
    ]
    table(list(frame.columns), rows, wide="constraints")
    folded = (
        "Axes are numbered after the compiler folded and fused loops, as a dim hint counts them."
    )
    note = f"{trace.tiling.note} " if trace.tiling.note else ""
    st.caption(header.escaped(f"{note}{folded}"))


def _memories(trace: Trace) -> None:
    st.markdown("##### Memories")
    if not trace.memory:
        st.caption(
            f"The {result_name(trace)} places no buffers by address."
            if trace.status.compiles
            else "The compiler stopped before it placed buffers."
        )
        return
    chip = rooms.target(trace)
    share = chip.tiling_share if chip is not None and chip.tiling_share < 1 else None
    st.plotly_chart(memory_bars(trace.memory, share), key="tiling:bars", config=_NO_BAR)
    aim = f"Dashed: the {share:.0%} that automatic tiling aims at. " if share else ""
    where = (
        f"in the {result_name(trace)}"
        if trace.status.compiles
        else "that the failed plan asked for"
    )
    st.caption(
        f"{aim}Solid: capacity, as the compiler reports it. Peak is the highest address in use "
        f"{where}."
    )


def _choose_memory(id: str, names: Sequence[str], trace: Trace) -> str:
    """The memory that map and buffers are about; a choice only where there is one."""
    if len(names) < 2:
        return names[0] if names else "UB"
    asked = st.query_params.get("memory")
    limiter = trace.limiter
    first = asked if asked in names else limiter.memory if limiter else names[0]
    chosen = st.selectbox(
        "Memory", names, index=names.index(first), key=f"tiling:memory:{id}", width=90
    )
    if chosen != asked:
        st.query_params["memory"] = str(chosen)
    return str(chosen)


# The heatmap


@dataclass(frozen=True, slots=True)
class Plan:
    """What the map shows: one or two axes with the values on each."""

    id: str
    trace: Trace
    kernel: Kernel | None
    axes: tuple[SweepAxis, ...]  #: all that could be swept
    shown: tuple[SweepAxis, ...]  #: one or two of them
    lists: Mapping[str, tuple[HintValue, ...]]  #: the values on each, by its key
    start: Hints  #: what each point asks for beside them
    points: tuple[Hints, ...]
    memory: str
    measured: Mapping[str, Point]  #: of any sweep of this kernel, by hints

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(axis.key for axis in self.shown)


def _sweep(id: str, trace: Trace, kernel: Kernel | None, axes: tuple[SweepAxis, ...]) -> str:
    """The map with its controls; the memory that it shows."""
    st.markdown("##### What else fits")
    measured = _points(kernel)
    plan, memory = _controls(id, trace, kernel, axes, measured)
    if plan is None:
        return memory
    job = run.follow(st.session_state.get(f"tiling:job:{id}"))
    polling = _waiting(plan) > 0 or (job is not None and not job.over)
    st.fragment(run_every=0.7 if polling else None)(_map)(plan, polling)
    return memory


def _controls(
    id: str,
    trace: Trace,
    kernel: Kernel | None,
    axes: tuple[SweepAxis, ...],
    measured: Mapping[str, Point],
) -> tuple[Plan | None, str]:
    names = [axis.label for axis in axes]
    tiles = sum(axis.tile for axis in axes) or sum(not axis.about for axis in axes)
    swept = [p.memory for point in measured.values() if point.trace for p in point.trace.memory]
    memories = list(dict.fromkeys([*(plan.memory for plan in trace.memory), *swept]))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        memory = _choose_memory(id, memories, trace)
        at = st.selectbox(
            "Across",
            range(len(axes)),
            index=min(address.number("x", id, 0), len(axes) - 1),
            format_func=lambda i: names[i],
            key=f"tiling:x:{id}",
            width=130 if max(map(len, names)) < 16 else 210,
        )
        others = [-1, *(i for i in range(len(axes)) if i != at)]
        # Two tiles, or two parameters, are what is mostly swept; a hint only where it is chosen.
        first = 0 if tiles < 2 or at >= tiles else (1 if at != 1 else 0) + 1
        asked = address.number("y", id, first) - 1
        down = st.selectbox(
            "Down",
            others,
            index=others.index(asked) if asked in others else 0,
            format_func=lambda i: "buffers" if i < 0 else names[i],
            key=f"tiling:y:{id}:{at}",
            width=130 if max(map(len, names)) < 16 else 210,
            help="Buffers: what each of them takes of the memory. An axis: its values.",
        )
        if down >= 0:
            fewer = sweep_axes(trace, kernel, rooms.catalogue(trace.compiler.name), _MOST_TWO)
            shown = [fewer[at], fewer[down]]
        else:
            shown = [axes[at]]
        start = repeated(trace, [axis.key for axis in shown])
        texts = [_value_list(id, axis, start, shown, measured) for axis in shown]
        slot = st.container(width="content")
    address.set_number("x", id, at)
    address.set_number("y", id, down + 1)
    address.mirror(id, {"x": at or None, "y": down + 1})
    try:
        lists = {
            axis.key: parse_values(text, axis) for axis, text in zip(shown, texts, strict=True)
        }
    except HintError as wrong:
        st.error(header.escaped(str(wrong)), icon=":material/edit:")
        return None, memory
    points = grid(start, lists)
    plan = Plan(id, trace, kernel, axes, tuple(shown), lists, start, points, memory, measured)
    with slot:
        _sweep_button(plan)
    return plan, memory


def _value_list(
    id: str,
    axis: SweepAxis,
    start: Hints,
    shown: Sequence[SweepAxis],
    measured: Mapping[str, Point],
) -> str:
    """The values of one axis: as edited, else those measured before, else a suggestion."""
    suggested = values_text(axis.values)
    known = _known(axis, start, shown, measured)
    name = f"tiling:list:{id}:{axis.key}:{len(shown)}"
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
                    "tiles compile is not monotonic. "
                    if axis.tile
                    else axis.about
                    or "The values that the kernel declares as worth trying; any other goes too. "
                )
                + " Edit it: 16, 32, 64-66. Empty it to get the suggestion back."
            ).replace("  ", " "),
            width="stretch",
        )
    )


def _sweep_button(plan: Plan) -> None:
    reason = rooms.why_no_compile(plan.kernel, plan.trace.compiler.name)
    left = [p for p in plan.points if not _settled(plan.measured.get(p.digest))]
    waiting = _waiting(plan)
    if waiting:
        st.button("Sweeping", disabled=True, icon=":material/progress_activity:", key="tiling:busy")
        return
    again = len(left) < len(plan.points)
    label = f"Sweep {len(left)} more" if again and left else f"Sweep {len(plan.points)} points"
    if st.button(
        label if left else "All measured",
        type="primary" if left else "secondary",
        icon=":material/grid_on:",
        disabled=reason is not None or not left,
        help=reason
        or "Compiles each point for real; those measured before are not compiled again.",
        key="tiling:sweep",
    ):
        assert plan.kernel is not None
        try:
            rooms.queue().submit_sweep(
                plan.kernel,
                plan.points,
                compiler=plan.trace.compiler.name,
                parent=plan.id,
                axes={"axes": [{"key": k, "values": list(v)} for k, v in plan.lists.items()]},
            )
        except (QueueError, LibraryError) as wrong:
            st.toast(str(wrong), icon=":material/error:")
        st.rerun()


def _settled(point: Point | None) -> bool:
    return point is not None and point.state in ("done", "queued", "running")


def _points(kernel: Kernel | None) -> dict[str, Point]:
    if kernel is None:
        return {}
    queue = rooms.queue()
    found: dict[str, Point] = {}
    for row in reversed(queue.sweeps(kernel.digest)):
        try:
            found.update((point.hints.digest, point) for point in queue.sweep(row.id).points)
        except QueueError:
            continue  # deleted since it was listed
    return found


def _known(
    axis: SweepAxis, start: Hints, shown: Sequence[SweepAxis], measured: Mapping[str, Point]
) -> list[HintValue]:
    """Values of an axis measured by earlier sweeps in which all that is not shown was as here."""
    known: dict[HintValue, None] = {}
    for point in measured.values():
        values = values_of(point.hints)
        chosen = {each.key: values[each.key] for each in shown if each.key in values}
        if (
            _settled(point)
            and axis.key in chosen
            and len(chosen) == len(shown)
            and with_values(start, chosen).digest == point.hints.digest
        ):
            known[chosen[axis.key]] = None
    return list(known)


def _waiting(plan: Plan) -> int:
    if plan.kernel is None:
        return 0
    return sum(row.waiting for row in rooms.queue().sweeps(plan.kernel.digest))


def _map(plan: Plan, polling: bool) -> None:
    waiting = _waiting(plan)
    job = run.follow(st.session_state.get(f"tiling:job:{plan.id}"))
    if polling != (waiting > 0 or (job is not None and not job.over)):
        st.rerun()  # of the whole page: only there can the polling begin and end
    found = _points(plan.kernel)
    outcomes = [_outcome(hints, found.get(hints.digest)) for hints in plan.points]
    left, right = st.columns([7.2, 2.8], gap="medium")
    with left:
        with st.container(height=44, border=False):  # always there, so that the map never jumps
            if waiting:
                _progress(plan, outcomes)
            else:
                _legend(plan)
        st.plotly_chart(
            figure(_heat(plan, outcomes)),
            key=f"tiling:map:{plan.id}",
            on_select=lambda: _clicked(plan),
            selection_mode="points",
            config=_NO_BAR,
        )
    with right:
        _result(plan, outcomes)


def _outcome(hints: Hints, point: Point | None) -> Outcome:
    if point is None:
        return outcome(hints, "unknown")
    return outcome(hints, point.state, point.trace, point.error)


def _heat(plan: Plan, outcomes: Sequence[Outcome]) -> HeatMap:
    marks = _marks(plan)
    x = plan.shown[0]
    if len(plan.shown) == 1:
        return buffer_map(outcomes, x.key, plan.memory, title=x.title, marks=marks)
    y = plan.shown[1]
    titles = (x.title, y.title)
    return value_map(outcomes, x.key, y.key, plan.memory, titles=titles, marks=marks)


def _marks(plan: Plan) -> dict[MarkKind, dict[str, HintValue]]:
    marks: dict[MarkKind, dict[str, HintValue]] = {"diamond": _held(plan.axes)}
    own = _own_choice(plan.id, plan.trace)
    if own is not None:
        catalogue = rooms.catalogue(own.compiler.name)
        marks["star"] = _held(sweep_axes(own, plan.kernel, catalogue))
    asked = asked_tiles(plan.trace)
    ring = values_of(Hints(tuple(asked.values()), repeated(plan.trace).attributes))
    if ring:
        marks["ring"] = ring
    return marks


def _held(axes: Sequence[SweepAxis]) -> dict[str, HintValue]:
    return {axis.key: axis.held for axis in axes if axis.held is not None}


def _own_choice(id: str, trace: Trace) -> Trace | None:
    """The trace, or the nearest that it was made from, in which the compiler tiled by itself."""
    for _ in range(20):
        if chosen_by_compiler(trace):
            return trace
        try:
            parent = rooms.library().row(id).parent
            if parent is None:
                return None
            id, trace = parent, rooms.trace(parent)
        except LibraryError:
            return None
    return None


def _progress(plan: Plan, outcomes: Sequence[Outcome]) -> None:
    ended = sum(o.state not in ("queued", "running") for o in outcomes)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(
            ended / max(len(outcomes), 1), text=f"{ended} of {len(outcomes)} points measured"
        )
        if st.button("Cancel", icon=":material/stop_circle:", key="tiling:cancel"):
            assert plan.kernel is not None
            for row in rooms.queue().sweeps(plan.kernel.digest):
                if row.waiting:
                    rooms.queue().cancel_sweep(row.id)


def _legend(plan: Plan) -> None:
    signs = "   ".join(f"{sign} {what}" for sign, what in legend(_marks(plan)))
    held = [
        f"{axis.label} stays at {_shown(axis, axis.held)}"
        for axis in plan.axes
        if not axis.about and axis.key not in plan.keys and axis.held is not None
    ]
    if len(held) > 1:
        held = ["all else stays as in this trace"]
    st.caption(header.escaped("; ".join([signs, *held])))


def _shown(axis: SweepAxis, value: HintValue) -> str:
    return tile_text(int(value), axis.extent) if axis.tile else value_text(value)


# A click


def _clicked(plan: Plan) -> None:
    state = st.session_state.get(f"tiling:map:{plan.id}") or {}
    points = state.get("selection", {}).get("points", [])
    values = points[0].get("customdata") if points else None
    if not values:
        return
    hints = with_values(plan.start, dict(zip(plan.keys, values, strict=True)))
    st.session_state[f"tiling:cell:{plan.id}"] = hints
    if rooms.why_no_compile(plan.kernel, plan.trace.compiler.name) is None:
        assert plan.kernel is not None
        st.session_state[f"tiling:job:{plan.id}"] = run.start(
            plan.kernel, hints, plan.id, plan.trace.compiler.name
        )


def _result(plan: Plan, outcomes: Sequence[Outcome]) -> None:
    """What came of the cell that was clicked, against the trace that is open."""
    hints = st.session_state.get(f"tiling:cell:{plan.id}")
    if hints is None:
        st.caption(
            "Click a cell to compile that point in full. The result is a trace of its own, "
            "compared with this one."
        )
        return
    values = values_of(hints)
    chosen = [f"{a.label}: {_shown(a, values[a.key])}" for a in plan.shown if a.key in values]
    st.markdown(f"**{header.escaped(', '.join(chosen))}**")
    job = run.follow(st.session_state.get(f"tiling:job:{plan.id}"))
    if job is None:
        reason = rooms.why_no_compile(plan.kernel, plan.trace.compiler.name)
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
    if job.trace == plan.id:
        st.caption("This is the trace that is open.")
        return
    brief(plan.id, job.trace)
    with st.container(horizontal=True):
        if st.button("Open", icon=":material/layers:", key="tiling:open"):
            address.go("passes.py", job.trace)
        if st.button("Compare in full", icon=":material/compare_arrows:", key="tiling:compare"):
            st.session_state["trace"] = job.trace
            st.switch_page("compare.py", query_params={"trace": job.trace, "against": plan.id})


main()
