"""The memory viewer: what fills one on-chip memory over the run of the kernel, and why."""

from __future__ import annotations

import html
from collections.abc import Sequence
from functools import lru_cache

import streamlit as st

from core.analysis.memory import bare_name
from core.analysis.placed import definition
from core.trace import Buffer, Trace
from core.views.exhibits import Exhibit, exhibits
from core.views.marks import result_name
from core.views.memory_facts import (
    Fact,
    buffer_facts,
    peak_table,
    plan_facts,
    remedy_sentences,
)
from core.views.memory_map import memory_map, shows_whole, unplaced
from core.views.wording import count, middle
from pages import _address as address
from pages import _header as header
from pages import _rooms as rooms

_NO_BAR = {"displayModeBar": False}
_MAP_HEIGHT = 452


def memory_switch(id: str, trace: Trace, names: Sequence[str], key: str) -> str:
    """The memory that a page is about, as a switch where there is a choice. Several switches of a
    page, each with a key of its own, choose the same."""
    if not names:
        return "UB"
    limiter = trace.limiter
    fullest = limiter.memory if limiter and limiter.memory in names else names[0]
    failed = trace.failure.memory if trace.failure else None
    first = failed if failed in names else fullest
    asked = address.text("memory", id)
    current = asked if asked in names else str(first)
    if len(names) > 1:
        _switch(id, "memory", names, current, key)
    address.mirror(id, {"memory": asked or None})
    return current


def _switch(id: str, name: str, options: Sequence[str], current: str, key: str) -> None:
    """A segmented control that owns one value of the address."""
    st.session_state[key] = current

    def changed() -> None:
        chosen = st.session_state.get(key)
        if chosen:  # a click on the one that is chosen would take it away
            address.set_text(name, id, str(chosen))

    st.segmented_control(
        name.capitalize(), options, key=key, on_change=changed, label_visibility="collapsed"
    )


def viewer(id: str, trace: Trace) -> None:
    """All memories of a trace, one at a time."""
    found = exhibits_of(rooms.known(id))
    names = list(dict.fromkeys(e.memory for e in found))
    title = f"##### {names[0] if len(names) == 1 else 'Memory'} over the run of the kernel"
    if not found:
        st.markdown(title)
        _nothing(trace)
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.markdown(title, width="content")
        shown = _choose(id, trace, found, names)
    _facts(plan_facts(shown))
    if shown.failed:
        _remedy(shown)
    chosen = _buffer(id, shown)
    left, right = st.columns([6, 4], gap="medium")
    with left:
        _map(id, shown, chosen)
    with right:
        if chosen is not None:
            _details(id, trace, shown, chosen)
        _list(id, shown, chosen)
    address.mirror(id, {"buffer": chosen.name if chosen else None})


@lru_cache(maxsize=32)
def exhibits_of(known: rooms.Known) -> tuple[Exhibit, ...]:
    """What there is to see of a trace's memories."""
    trace = rooms.trace(known.id)
    chip = rooms.target(trace)
    share = chip.tiling_share if chip is not None and chip.tiling_share < 1 else None
    return exhibits(trace, rooms.library(), chip.memories if chip else (), share)


def _nothing(trace: Trace) -> None:
    failure = trace.failure
    if failure is not None and failure.memory and failure.required_bytes:
        has = (
            f", and {count(failure.available_bytes)} B are there" if failure.available_bytes else ""
        )
        st.caption(
            f"{failure.memory} overflowed: the compiler says that {count(failure.required_bytes)} "
            f"B are needed{has}. Which buffers those are, nothing in this trace tells."
        )
        return
    st.caption(
        f"The {result_name(trace)} places no buffers by address."
        if trace.status.compiles
        else "The compiler stopped before it placed buffers."
    )


def _choose(id: str, trace: Trace, found: Sequence[Exhibit], names: Sequence[str]) -> Exhibit:
    """The memory, the function and the attempt to show."""
    memory = memory_switch(id, trace, names, f"memory:memory:{id}")
    found = [e for e in found if e.memory == memory]
    fullest = max(found, key=lambda e: e.drawn.plan.peak_bytes if not e.failed else 0)
    found = _narrowed(id, memory, found, "function", [e.function for e in found], fullest.function)
    return _narrowed(id, memory, found, "plan", [e.title for e in found], found[0].title)[0]


def _narrowed(
    id: str,
    memory: str,
    found: Sequence[Exhibit],
    name: str,
    values: Sequence[str],
    first: str,
) -> list[Exhibit]:
    """Those of one value, which a switch chooses where there are several."""
    options = list(dict.fromkeys(values))
    asked = address.text(name, id)
    current = asked if asked in options else first
    if len(options) > 1:
        _switch(id, name, options, current, f"memory:{name}:{id}:{memory}")
    address.mirror(id, {name: current if current != first else None})
    return [e for e, value in zip(found, values, strict=True) if value == current]


def _facts(facts: Sequence[Fact]) -> None:
    """Figures in a row, each with its source on hover."""
    cells = "".join(
        f'<div title="{html.escape(f.source)}"><div class="ts-small">{html.escape(f.label)}</div>'
        f'<div class="ts">{html.escape(f.value)}</div></div>'
        for f in facts
    )
    st.html(f'<div style="display:flex;flex-wrap:wrap;gap:0.2rem 1.7rem">{cells}</div>')


def _remedy(shown: Exhibit) -> None:
    first, *rest = remedy_sentences(shown)
    st.error(
        f"**{header.escaped(first)}** {header.escaped(' '.join(rest))}", icon=":material/compress:"
    )


# The map


def _buffer(id: str, shown: Exhibit) -> Buffer | None:
    """The buffer that is chosen, where this memory has it."""
    asked = address.text("buffer", id)
    return next((b for b in shown.drawn.plan.buffers if b.name == asked), None) if asked else None


def _map(id: str, shown: Exhibit, chosen: Buffer | None) -> None:
    plan = shown.drawn.plan
    known = plan.occupancy is not None and not shown.failed
    first = int(not shows_whole(plan))
    scope = f"{id}:{shown.memory}:{shown.function}"
    zoom = address.number("zoom", scope, first) if known else 0
    # Its key changes with what is shown, so that a click never outlives the boxes it was on.
    key = f"memory:map:{id}:{shown.memory}:{shown.function}:{shown.title}"

    def clicked() -> None:
        state = st.session_state.get(key) or {}
        points = state.get("selection", {}).get("points", [])
        named = [p.get("customdata") for p in points if p.get("customdata")]
        name = named[0] if named else None
        if isinstance(name, list | tuple):
            name = name[0] if name else None
        if name:
            address.set_text("buffer", id, str(name))

    st.plotly_chart(
        memory_map(
            shown.drawn, selected=chosen.name if chosen else "", whole=not zoom, height=_MAP_HEIGHT
        ),
        key=key,
        on_select=clicked,
        selection_mode="points",
        config=_NO_BAR,
    )
    _caption(shown)
    if known and (plan.occupancy or 1) < 0.9:
        _zoom(scope, zoom)
        address.mirror(scope, {"zoom": zoom if zoom != first else None})


def _zoom(scope: str, zoom: int) -> None:
    on = f"memory:zoom:{scope}"
    st.session_state[on] = bool(zoom)
    st.toggle(
        "Only the part in use",
        key=on,
        on_change=lambda: address.set_number("zoom", scope, int(st.session_state[on])),
        help="Off: up to the capacity. Drag over the map to enlarge a part of it, double-click to "
        "get all of it back.",
    )


def _caption(shown: Exhibit) -> None:
    drawn = shown.drawn
    missing = unplaced(drawn.plan)
    parts = []
    if drawn.placed:
        parts.append(
            "One box a buffer, from its first to its last use. Pale: kept by a loop. Tied: halves "
            "of a double buffer. Dotted upright: most is alive. Click a box."
        )
    else:
        parts.append(
            "The compiler gave these buffers no addresses: sizes and lines are its own, boxes are "
            "stacked, a result in the place of an operand that is not read after it."
        )
    if missing:
        parts.append(f"{len(missing)} buffers without an address or lines are not drawn.")
    st.caption(" ".join(parts))


# One buffer


def _details(id: str, trace: Trace, shown: Exhibit, chosen: Buffer) -> None:
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(
                f'<div class="ts-name ts-cut" title="{html.escape(chosen.name)}">'
                f"{html.escape(middle(bare_name(chosen.name), 42))}</div>",
                width="stretch",
            )
            st.button(
                "",
                icon=":material/close:",
                key="memory:close",
                type="tertiary",
                help="Choose no buffer",
                on_click=lambda: address.set_text("buffer", id, ""),
            )
        rows = "".join(
            f'<tr title="{html.escape(f.source)}"><td>{html.escape(f.label)}</td>'
            f'<td title="{html.escape(f.value)}&#10;{html.escape(f.source)}">'
            f"{html.escape(f.value)}</td></tr>"
            for f in buffer_facts(shown, chosen)
        )
        st.html(
            '<table class="ts-table"><colgroup><col style="width:6.2rem"><col></colgroup>'
            f"<tbody>{rows}</tbody></table>"
        )
        if shown.index is not None and shown.digest is not None:
            _ways(id, trace, shown, chosen)


def _ways(id: str, trace: Trace, shown: Exhibit, chosen: Buffer) -> None:
    """The ways from a buffer to its code."""
    assert shown.digest is not None and shown.index is not None
    with st.container(horizontal=True, gap="small"):
        code = st.button("Show in the code", icon=":material/code:", key="memory:code")
        followed = st.button(
            "Follow",
            icon=":material/route:",
            key="memory:follow",
            help="Through all passes, its renames included.",
        )
    if not (code or followed):
        return
    try:
        place = definition(rooms.library(), shown.digest, shown.index, chosen)
    except KeyError:
        st.toast("The text of this pass is no longer kept.", icon=":material/error:")
        return
    address.set_lines(f"{id}:{place.index}", place.line)
    values: dict[str, int | str] = {"pass": place.index, "line": place.line}
    if followed:
        values |= {"follow": f"{place.name}@{place.index}:{place.line}", "panel": "follow"}
    address.choose("panel", "follow" if followed else "graph")
    address.go("passes.py", id, **values)


def _list(id: str, shown: Exhibit, chosen: Buffer | None) -> None:
    everything = f"memory:all:{id}"
    alive = peak_table(shown)
    total = len(shown.drawn.plan.buffers)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        on = len(alive) < total and bool(st.session_state.get(everything))
        what = f"All {count(total)} buffers" if on else f"{count(len(alive))} at the peak"
        st.html(f'<span class="ts-name">{what}, largest first</span>', width="stretch")
        if len(alive) < total:
            st.toggle(f"All {count(total)}", key=everything)
    frame = peak_table(shown, everything=True) if on else alive
    names = list(frame["buffer"])
    columns = st.column_config

    def opened() -> None:
        click = st.session_state.get("memory:pick")
        if click is not None and 0 <= click.row < len(names):
            address.set_text("buffer", id, str(names[click.row]))

    frame["buffer"] = [middle(bare_name(name), 24) for name in names]
    rows = 5 if chosen is not None else 13
    st.dataframe(
        frame,
        key=f"memory:list:{id}:{shown.memory}:{shown.function}:{shown.title}",
        hide_index=True,
        height=30 * (min(len(frame), rows) + 1) + 4,
        row_height=30,
        column_config={
            "buffer": columns.ButtonColumn(
                "buffer",
                key="memory:pick",
                on_click=opened,
                type="tertiary",
                alignment="left",
                width=150,
                help="Chooses it in the map.",
            ),
            "bytes": columns.NumberColumn("bytes", format="localized", width=72),
            "share": columns.NumberColumn(
                "share", format="%.1f %%", width=58, help="Of the capacity of the memory."
            ),
            "waste": columns.NumberColumn(
                "waste", format="localized", width=56, help="Lost to alignment, in bytes."
            ),
            "address": columns.NumberColumn(
                "address", format="localized", width=70, help="First byte."
            ),
            "lines": columns.TextColumn(
                "lines", width=66, help=f"First and last use in the {shown.drawn.lines_of}."
            ),
            "copies": columns.NumberColumn(
                "copies", width=54, help="Halves of a double buffer that are there together."
            ),
            "from": columns.TextColumn("from", width=58, help="Line and column of the kernel."),
        },
    )
