"""Passes: the pipeline pass by pass, what each changed, and the graph of its IR beside it."""

from __future__ import annotations

import html
from itertools import groupby

import streamlit as st

from core.components import IrEvent, LineClick, Selection, Step, Text, ir_view
from core.trace import Pass, Trace
from core.views.marks import pass_title
from core.views.strip import look, segment_label, strip
from core.views.wording import count, seconds_text
from pages import _address as address
from pages import _graph
from pages import _header as header
from pages import _rooms as rooms
from pages._rail import Group, Pick, pass_list, pass_strip


def main() -> None:
    id, trace = header.open_trace("passes")
    if not trace.passes:
        header.empty("This trace has no passes.", "The compiler stopped before its first one.")
    failed = [p.index for p in trace.passes if p.status != "ok"]
    first = failed[-1] if failed else next((p.index for p in trace.passes if p.changed), 0)
    index = min(max(address.number("pass", id, first), 0), len(trace.passes) - 1)
    line = address.number("line", f"{id}:{index}", 0)
    step = trace.passes[index]

    def pick(chosen: int) -> None:
        address.set_number("pass", id, min(max(chosen, 0), len(trace.passes) - 1))

    pass_strip(strip(trace), index, key="passes:strip", on_pick=pick)
    left, right = st.columns([2.1, 8.9], gap="small")
    with left:
        _list(trace, index, pick)
    with right:
        _heading(trace, step, pick)
        if st.session_state.get("graph", True):
            text, graph = st.columns([5.6, 3.3], gap="small")
            with graph:
                _graph.show(id, trace, step, line)
        else:
            text = st.container()
        with text:
            _text(id, trace, step, line, pick)
    address.mirror(id, {"pass": index})
    address.mirror(f"{id}:{index}", {"line": line or None})


def _list(trace: Trace, index: int, pick: Pick) -> None:
    words = st.text_input(
        "Filter by name",
        key="filter",
        bind="query-params",
        placeholder="Filter by name",
        label_visibility="collapsed",
        type="search",
        live=True,
    )
    st.session_state.setdefault("changed", True)
    changed_only = st.toggle(
        "Changed only",
        key="changed",
        bind="query-params",
        help="Most passes change nothing. Memory addresses are not counted as a change.",
    )
    steps = shown(trace, words or "", changed_only)
    pass_list(
        _groups(trace, steps),
        index,
        key="passes:list",
        on_pick=pick,
        empty="No pass of this name"
        + (" changed anything: switch “Changed only” off." if changed_only else "."),
    )


def shown(trace: Trace, words: str, changed_only: bool) -> tuple[Pass, ...]:
    """The passes that match every word of the filter, in any letter case."""
    wanted = words.lower().split()
    steps = trace.changed if changed_only else trace.passes
    return tuple(s for s in steps if all(w in pass_title(s).lower() for w in wanted))


def _groups(trace: Trace, steps: tuple[Pass, ...]) -> list[Group]:
    attempts = max((s.attempt for s in trace.passes), default=1)
    groups: list[Group] = []
    for _, run in groupby(steps, key=lambda s: (s.stage, s.unit, s.attempt)):
        rows = []
        for step in run:
            lines = count(step.lines) if step.text else ""
            title = pass_title(step)
            rows.append((step.index, title, lines, look(step), f"{title} · {lines or 'no'} lines"))
        label = segment_label(trace.passes[rows[0][0]], attempts)
        groups.append((label, f"{label}: {len(rows)} shown", rows))
    return groups


def _heading(trace: Trace, step: Pass, pick: Pick) -> None:
    changed = [s.index for s in trace.changed]
    back = max((i for i in changed if i < step.index), default=None)
    on = min((i for i in changed if i > step.index), default=None)
    facts = [segment_label(step, max(s.attempt for s in trace.passes))]
    facts.append(f"pass {step.index + 1} of {len(trace.passes)}")
    if step.text:
        facts.append(f"{count(step.lines)} lines")
    if step.seconds is not None:
        facts.append(seconds_text(step.seconds))
    if step.status == "ok" and not step.changed:
        facts.append("changed nothing")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(
            f'<span class="ts-name">{html.escape(pass_title(step))}</span> '
            f'<span class="ts-small">{html.escape(" · ".join(facts))}</span>',
            width="stretch",
        )
        st.toggle("Graph", value=True, key="graph", help="Show the graph of this pass's IR.")
        for label, target, key, keys, help in (
            ("Previous", back, "previous", "Left", "Previous pass that changed something"),
            ("Next", on, "next", "Right", "Next pass that changed something"),
        ):
            st.button(
                label,
                key=f"passes:{key}",
                icon=":material/arrow_back:" if key == "previous" else ":material/arrow_forward:",
                icon_position="left" if key == "previous" else "right",
                disabled=target is None,
                shortcut=keys,
                help=help,
                on_click=pick,
                args=(target,),
            )


def _text(id: str, trace: Trace, step: Pass, line: int, pick: Pick) -> None:
    before = previous_text(trace, step)
    shown = step
    if step.text is None:
        if before is None:
            st.info("This pass left no text, and none came before it.")
            return
        st.caption(f"{pass_title(step)} left no text. This is the last one before it.")
        shown, before = before, None
    assert shown.text is not None
    difference = None
    if before is not None and before.text is not None:
        difference = rooms.text_diff(before.text, shown.text)
    changed = [s.index for s in trace.changed]
    neighbours = [max((i for i in changed if i < step.index), default=None),
                  min((i for i in changed if i > step.index), default=None)]  # fmt: skip

    def on_event(event: IrEvent) -> None:
        if isinstance(event, Step):
            target = neighbours[0] if event.by < 0 else neighbours[1]
            if target is not None:
                pick(target)
        elif isinstance(event, LineClick) and event.side == "after":
            address.set_number("line", f"{id}:{step.index}", event.line)

    ir_view(
        _as_text(shown),
        _as_text(before) if before is not None else None,
        difference,
        key="passes:text",
        selection=Selection(line) if line else None,
        steps=(neighbours[0] is not None, neighbours[1] is not None),
        prefetch=_prefetch(trace, neighbours),
        height="fill",
        on_event=on_event,
    )


def previous_text(trace: Trace, step: Pass) -> Pass | None:
    """The pass whose text this one started from: the one before it in its stage and attempt."""
    for other in reversed(trace.passes[: step.index]):
        same = (other.stage, other.unit, other.attempt) == (step.stage, step.unit, step.attempt)
        if same and other.text is not None:
            return other
    return None


def _prefetch(trace: Trace, neighbours: list[int | None]) -> list[str]:
    wanted = []
    for index in neighbours:
        if index is None:
            continue
        step = trace.passes[index]
        before = previous_text(trace, step)
        wanted += [f"blob/{s.text}" for s in (before, step) if s is not None and s.text]
    return wanted


def _as_text(step: Pass) -> Text:
    note = f"attempt {step.attempt}" if step.attempt > 1 else ""
    return Text(f"blob/{step.text}", pass_title(step), step.language, note)


main()
