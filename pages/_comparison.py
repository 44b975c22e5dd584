"""Two traces compared: the sentence, the figures, and the passes that differ with their diff."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence

import streamlit as st

from core.analysis.compare import Comparison, PassPair, indented, numbered
from core.components import IrEvent, LineClick, Selection, Step, Text, ir_view
from core.ir.instructions import kind
from core.library import LibraryError
from core.views.comparison import (
    SAMENESS,
    Tone,
    facts,
    headline,
    masked_note,
    sameness_counts,
)
from core.views.marks import pass_title
from core.views.strip import Look, labels
from core.views.tables import instruction_kinds, memory_changes, tile_changes
from core.views.wording import count, hints_text
from pages import _address as address
from pages import _header as header
from pages import _rooms as rooms
from pages._rail import Group, Pick, list_document, pass_list
from pages._table import table

_TONE: dict[Tone, tuple[Callable[..., object], str]] = {
    "same": (st.info, ":material/equal:"),
    "changed": (st.info, ":material/compare_arrows:"),
    "good": (st.success, ":material/check:"),
    "bad": (st.error, ":material/close:"),
}


def show(before_id: str, after_id: str) -> None:
    """The comparison of two traces of the library, `before` being measured against."""
    try:
        comparison = rooms.comparison(before_id, after_id)
    except (LibraryError, KeyError) as wrong:
        st.error(
            str(wrong) if isinstance(wrong, LibraryError) else "A text of these traces is gone.",
            icon=":material/error:",
        )
        return
    said = headline(comparison)
    box, icon = _TONE[said.tone]
    box(f"**{header.escaped(said.text)}**", icon=icon)
    if not comparison.after.status.compiles:
        header.why_link(after_id)
        header.culprits(comparison.after)
    _figures(comparison)
    _passes(comparison, f"{before_id}:{after_id}")


def brief(before_id: str, after_id: str) -> None:
    """The sentence and the few figures that tell most, for a narrow place."""
    try:
        comparison = rooms.comparison(before_id, after_id)
    except (LibraryError, KeyError):
        st.caption("One of the two traces is no longer in the library.")
        return
    said = headline(comparison)
    box, icon = _TONE[said.tone]
    box(header.escaped(said.text), icon=icon)
    rows = [*_changed_tiles(comparison), *facts(comparison), *_changed_kinds(comparison)]
    table(("", "this trace", "the new one"), rows, marked=[a != b for _, a, b in rows])


def _changed_tiles(comparison: Comparison) -> list[tuple[str, str, str]]:
    frame = tile_changes(comparison)
    return [
        (f"tile of {row['axis']}", str(row["before"]), str(row["after"]))
        for (_, row), change in zip(frame.iterrows(), comparison.tiles, strict=True)
        if change.differs
    ]


def _changed_kinds(comparison: Comparison) -> list[tuple[str, str, str]]:
    before = instruction_kinds(comparison.before.instructions)
    after = instruction_kinds(comparison.after.instructions)
    if not before or not after:
        return []
    return [
        (f"of them {name}", count(before.get(name, 0)), count(after.get(name, 0)))
        for name in sorted({*before, *after})
        if before.get(name, 0) != after.get(name, 0)
    ]


def _figures(comparison: Comparison) -> None:
    overall, tiles, memory, instructions = st.columns([2.6, 2.6, 2.8, 2.6], gap="medium")
    with overall:
        rows = [
            ("hints", _hints(comparison.before.hints.asked), _hints(comparison.after.hints.asked)),
            *facts(comparison),
        ]
        table(("", "before", "after"), rows, marked=[a != b for _, a, b in rows])
    with tiles:
        frame = tile_changes(comparison)
        if frame.empty:
            notes = [comparison.before.tiling.note, comparison.after.tiling.note]
            st.caption(
                header.escaped(" ".join(dict.fromkeys(filter(None, notes))))
                or "Neither trace says how it was tiled."
            )
        else:
            changes = comparison.tiles
            table(
                ("axis", "before", "after"),
                [(r["axis"], r["before"], r["after"]) for _, r in frame.iterrows()],
                marked=[c.differs for c in changes],
            )
    with memory:
        frame = memory_changes(comparison.memory)
        if frame.empty:
            st.caption("Neither trace got as far as placing buffers.")
        else:
            table(
                ("memory", "before", "after"),
                [(r["memory"], r["before"], r["after"]) for _, r in frame.iterrows()],
                marked=[c.differs for c in comparison.memory],
            )
    with instructions:
        _instructions(comparison)


def _instructions(comparison: Comparison) -> None:
    before = instruction_kinds(comparison.before.instructions)
    after = instruction_kinds(comparison.after.instructions)
    if not before and not after:
        ended = comparison.before.status.compiles or comparison.after.status.compiles
        st.caption(
            "Neither trace counts instructions."
            if ended
            else "Neither trace got as far as emitting code."
        )
        return
    kinds = sorted({*before, *after}, key=lambda k: -max(before.get(k, 0), after.get(k, 0)))
    table(
        ("instructions per core", "before", "after"),
        [(k, count(before.get(k, 0)), count(after.get(k, 0))) for k in kinds],
        marked=[before.get(k, 0) != after.get(k, 0) for k in kinds],
        hovers=[_names(comparison, k) for k in kinds],
    )


def _names(comparison: Comparison, wanted: str) -> str:
    return "\n".join(
        f"{name}: {count(before or 0)} to {count(after or 0)}"
        for name, before, after in comparison.instructions
        if kind(name) == wanted
    )


def _hints(asked: object) -> str:
    return hints_text(asked) if isinstance(asked, dict) else str(asked or "none")


# Passes


def _passes(comparison: Comparison, scope: str) -> None:
    pairs = comparison.pairs
    if not pairs:
        return
    at = min(max(address.number("step", scope, _opening(pairs)), 0), len(pairs) - 1)

    def pick(chosen: int) -> None:
        chosen = min(max(chosen, 0), len(pairs) - 1)
        address.set_number("step", scope, chosen)
        address.begin_number("line", f"{scope}:{chosen}")

    left, right = st.columns([2.1, 8.9], gap="small")
    with left:
        only = st.toggle("Differing only", value=True, key="compare:differing")
        pass_list(
            list_document(_groups(comparison)),
            at,
            shown=[i for i, pair in enumerate(pairs) if pair.differs or not only],
            key="compare:list",
            steps=False,
            on_pick=pick,
            empty="No pass differs: switch “Differing only” off to see them all.",
        )
    with right:
        line = _pair(comparison, at, pick, scope)
    address.mirror_all({("step", scope): at, ("line", f"{scope}:{at}"): line or None})


def _opening(pairs: Sequence[PassPair]) -> int:
    """The pass that the address asks for by its place in the newer trace, else the first that
    differs."""
    asked = address.whole(st.query_params.get("pass"))
    if asked is not None:
        named = (i for i, pair in enumerate(pairs) if pair.after and pair.after.index == asked)
        if (found := next(named, None)) is not None:
            return found
    return next((i for i, pair in enumerate(pairs) if pair.differs), 0)


def _groups(comparison: Comparison) -> list[Group]:
    before, after = labels(comparison.before), labels(comparison.after)
    rows: list[tuple[int, str, str, str, str]] = []
    groups: list[Group] = []
    for at, pair in enumerate(comparison.pairs):
        step = pair.shown
        label = (after if pair.after else before)[step.index]
        if not groups or groups[-1][0] != label:
            rows = []
            groups.append((label, label, rows))
        note = "" if pair.before and pair.after else "after" if pair.after else "before"
        hover = f"{pass_title(step)}: {SAMENESS[pair.sameness]}"
        rows.append((at, pass_title(step), note, _look(pair), hover))
    return groups


def _look(pair: PassPair) -> Look:
    if any(step is not None and step.status != "ok" for step in (pair.before, pair.after)):
        return "failed"
    return "changed" if pair.differs else "same"


def _pair(comparison: Comparison, at: int, pick: Pick, scope: str) -> str:
    """Show a pass of both traces; the lines that are chosen in it, as the address says them."""
    pairs = comparison.pairs
    pair = pairs[at]
    differing = [i for i, each in enumerate(pairs) if each.differs]
    back = max((i for i in differing if i < at), default=None)
    on = min((i for i in differing if i > at), default=None)
    first = " · the first that differs" if differing and at == differing[0] else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(
            f'<div class="ts-cut"><span class="ts-name">{html.escape(pass_title(pair.shown))}'
            f'</span> <span class="ts-small">{html.escape(pair.shown.stage)} · '
            f"{html.escape(SAMENESS[pair.sameness])}{first} · "
            f"{html.escape(sameness_counts(comparison))}</span></div>",
            width="stretch",
        )
        for label, target, keys, icon in (
            ("Previous", back, "Left", ":material/arrow_back:"),
            ("Next", on, "Right", ":material/arrow_forward:"),
        ):
            st.button(
                label,
                key=f"compare:{label}",
                icon=icon,
                icon_position="left" if target is back and label == "Previous" else "right",
                disabled=target is None,
                shortcut=keys,
                help=f"{label} pass that differs",
                on_click=pick,
                args=(target,),
            )
        pass_link(comparison, pair)
    return _diff(comparison, at, (back, on), pick, scope)


def pass_link(comparison: Comparison, pair: PassPair) -> None:
    """The way to this pass among those of its own trace."""
    id = st.session_state.get("trace")
    step = pair.after
    if id is None or step is None:
        return
    if st.button("", icon=":material/layers:", key="compare:passes", help="Open it in Passes"):
        address.go("passes.py", str(id), **{"pass": step.index})


def _diff(
    comparison: Comparison,
    at: int,
    neighbours: tuple[int | None, int | None],
    pick: Pick,
    scope: str,
) -> str:
    pair = comparison.pairs[at]
    texts = [step for step in (pair.before, pair.after) if step is not None and step.text]
    if not texts:
        st.info("This pass left no text: the compiler stopped in it.", icon=":material/close:")
        return ""
    both = len(texts) == 2
    difference = None
    if both:
        a, b = texts[0].text or "", texts[1].text or ""
        language = texts[1].language
        difference = rooms.text_diff(
            a, b, numbered(language), indented=indented(language), alike=comparison.names
        )
    line_scope = f"{scope}:{at}"
    line, last = address.lines(line_scope)

    def on_event(event: IrEvent) -> None:
        if isinstance(event, Step):
            target = neighbours[0 if event.by < 0 else 1]
            if target is not None:
                pick(target)
        elif isinstance(event, LineClick) and event.side == "after":
            address.set_lines(line_scope, event.line, event.last)

    def as_text(place: int, note: str) -> Text:
        step = texts[place]
        return Text(f"blob/{step.text}", pass_title(step), step.language, note)

    only = "before" if pair.after is None or not pair.after.text else "after"
    ir_view(
        as_text(-1, "after" if both else f"{only} only"),
        as_text(0, "before") if both else None,
        difference,
        key="compare:text",
        selection=Selection(line, last=last) if line else None,
        steps=(neighbours[0] is not None, neighbours[1] is not None),
        masked=masked_note(difference, texts[-1].language) if difference else "",
        height="fill",
        on_event=on_event,
    )
    return address.lines_text(line, last)
