"""The text of one pass: what it is, the way to its neighbours, and what it changed."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from core.analysis.compare import indented, numbered
from core.analysis.diff import Diff
from core.analysis.order import given_text, previous_text
from core.analysis.renaming import Naming
from core.components import (
    IrEvent,
    LineClick,
    LineMark,
    Selection,
    Step,
    Text,
    WordChosen,
    ir_view,
)
from core.library import LibraryError
from core.trace import Pass, Trace
from core.views.about import about
from core.views.comparison import masked_note
from core.views.figures import place, sentence
from core.views.marks import pass_title
from core.views.strip import attempts, segment_label
from core.views.wording import count, middle, seconds_text
from pages import _address as address
from pages import _header as header
from pages import _rooms as rooms
from pages._view import View

_GIVEN = -1  #: compare with what the pass was given


def heading(view: View, step: Pass) -> None:
    """What this pass is, and the way to its neighbours."""
    trace = view.trace
    back, on = neighbours(trace, step)
    before = step.index - 1 if step.index else None
    after = step.index + 1 if step.index + 1 < len(trace.passes) else None
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="passes:heading"
    ):
        facts = " · ".join(_facts(trace, step))
        title = pass_title(step)
        st.html(
            f'<div class="ts-cut" title="{html.escape(f"{title} · {facts}")}">'
            f'<span class="ts-name">{html.escape(middle(title, 60))}</span> '
            f'<span class="ts-small">{html.escape(facts)}</span></div>',
            width="stretch",
        )
        _compare(view, step)
        # The strip has the keys: it loses none, however quickly they are pressed.
        for label, target, key, icon, help in (
            ("", before, "before", "chevron_left", "The pass before (Shift ←)"),
            ("Previous", back, "previous", "arrow_back", "Previous that changed something (←)"),
            ("Next", on, "next", "arrow_forward", "Next that changed something (→)"),
            ("", after, "after", "chevron_right", "The pass after (Shift →)"),
        ):
            st.button(
                label,
                key=f"passes:{key}",
                icon=f":material/{icon}:",
                icon_position="right" if label == "Next" else "left",
                disabled=target is None,
                help=help,
                on_click=view.pick,
                args=(target,),
            )


def _facts(trace: Trace, step: Pass) -> list[str]:
    facts = [step.argument] if step.argument else []
    facts.append(segment_label(step, attempts(trace)[step.stage, step.unit]))
    facts.append(f"pass {step.index + 1} of {len(trace.passes)}")
    if step.text:
        facts.append(f"{count(step.lines)} lines")
    if step.seconds is not None:
        facts.append(seconds_text(step.seconds))
    if step.status == "ok" and not step.changed:
        facts.append("changed nothing")
    return facts


def purpose(view: View, step: Pass) -> None:
    """What a pass is for, and what it did here: two lines, also where one is not known."""
    known = about(view.trace.compiler.name, step)
    what = known.what if known else ""
    source = f"\n{known.source}" if known and known.source else ""
    did = sentence(view.study.passes[step.index]) if view.study else ""
    st.html(
        f'<div class="ts-cut ts-about" title="{html.escape(what + source)}">'
        f"{html.escape(what)}&nbsp;</div>"
        f'<div class="ts-cut ts-did" title="{html.escape(did)}">{html.escape(did)}&nbsp;</div>',
        width="stretch",
    )


def neighbours(trace: Trace, step: Pass) -> tuple[int | None, int | None]:
    """The passes before and after that changed something."""
    changed = [s.index for s in trace.changed]
    return (
        max((i for i in changed if i < step.index), default=None),
        min((i for i in changed if i > step.index), default=None),
    )


# Compared with another pass


def against(view: View, step: Pass) -> Pass | None:
    """The pass to compare with where one was chosen; None: with what the pass was given."""
    at = address.number("against", view.id, _GIVEN)
    if 0 <= at < len(view.trace.passes) and at != step.index:
        other = view.trace.passes[at]
        return other if other.text is not None else None
    return None


def exact(view: View) -> bool:
    """Whether lines are compared with their numbering and indentation."""
    return bool(address.number("exact", view.id, 0))


def _compare(view: View, step: Pass) -> None:
    other = against(view, step)
    label = "Compare" if other is None else f"with {middle(pass_title(other), 22)}"
    popover = st.popover(
        label,
        icon=":material/compare_arrows:",
        key="passes:compare",
        on_change="rerun",
    )
    if popover.open:
        with popover:
            _choices(view, step, other)


def _choices(view: View, step: Pass, other: Pass | None) -> None:
    trace = view.trace
    options = [_GIVEN, *(p.index for p in trace.passes if p.text and p.index != step.index)]
    key = "passes:against"
    st.session_state[key] = other.index if other else _GIVEN

    def chosen() -> None:
        address.set_number("against", view.id, int(st.session_state[key]))

    def named(at: int) -> str:
        return "what it was given" if at == _GIVEN else place(trace, at)

    st.selectbox("Compare with", options, format_func=named, key=key, on_change=chosen, width=420)
    on = "passes:exact"
    st.session_state[on] = exact(view)
    st.toggle(
        "Exact",
        key=on,
        on_change=lambda: address.set_number("exact", view.id, int(st.session_state[on])),
        help="Lines that differ only by the numbering of their values, or by how far in they "
        "stand, are not shown as changes; with this on they are. Memory addresses never are.",
    )
    _elsewhere(view, step)


def _elsewhere(view: View, step: Pass) -> None:
    """The way to this pass of another trace."""
    try:
        rows = [r for r in rooms.library().rows(view.trace.kernel) if r.id != view.id][:100]
    except LibraryError:
        rows = []
    if not rows:
        return
    labels = header.trace_labels(rows)
    other = st.selectbox(
        "This pass in another trace",
        list(labels),
        index=None,
        format_func=lambda id: labels.get(id, id),
        placeholder="A trace of the same kernel",
        key=f"passes:elsewhere:{view.id}",
        width=420,
    )
    if other in labels:
        st.switch_page(
            "compare.py",
            query_params={"trace": view.id, "against": other, "pass": str(step.index)},
        )


# The text


def text(view: View, step: Pass) -> None:
    """The text, with its difference to what the pass was given or to the one compared with."""
    trace = view.trace
    chosen = against(view, step)
    before = as_text(chosen) if chosen is not None else given(trace, step)
    shown = as_text(step) if step.text else before
    if shown is None:
        st.info("This pass left no text, and none came before it.")
        return
    difference = None
    if step.text is None:
        st.caption(f"{header.escaped(pass_title(step))} left no text. This is what it was given.")
        before = None
    elif before is not None:
        difference = _difference(view, step, before)
    back, on = neighbours(trace, step)

    def on_step(by: int) -> None:
        # From where the page has come meanwhile: several may arrive at once.
        at = address.now("pass", view.id, step.index)
        moved = trace.passes[at] if at < len(trace.passes) else step
        target = neighbours(trace, moved)[0 if by < 0 else 1]
        if target is not None:
            view.pick(target)

    ir_view(
        shown,
        before,
        difference,
        steps=(back is not None, on is not None),
        prefetch=_prefetch(trace, (back, on)),
        masked=masked_note(difference, step.language) if difference else "",
        marks=marks(view),
        **_common(view, on_step, before=chosen or previous_text(trace, step)),
    )


def _common(
    view: View, on_step: Callable[[int], None], before: Pass | None = None
) -> dict[str, Any]:
    """What every text of the page shares: the lines, the names, and what a click on them does."""

    def on_event(event: IrEvent) -> None:
        match event:
            case Step():
                on_step(event.by)
            case LineClick(side="after"):
                view.choose(event.line, event.last)
            case WordChosen(action="find"):
                view.find(event.word)
            case WordChosen(side="before") if before is not None:
                view.follow(event.word, before.index, event.line)
            case WordChosen():
                line = event.line if event.side == "after" else 0
                view.follow(event.word, min(view.index, len(view.trace.passes)), line)

    stop = (
        next((s for s in view.trail.stops if s.index == view.index), None) if view.trail else None
    )
    return {
        "key": "passes:text",
        "selection": Selection(view.line, last=view.last_line) if view.line else None,
        "words": True,
        "names": stop.names if stop else (),
        "find": view.query,
        "height": "fill",
        "on_event": on_event,
    }


def marks(view: View) -> list[LineMark]:
    """The defects that the open text has brought in."""
    reports = view.study.reports if view.study else ()
    return [
        LineMark(r.finding.line, r.finding.harm, r.finding.message)
        for r in reports
        if r.index == view.index
    ]


def _difference(view: View, step: Pass, before: Text) -> Diff:
    """Within one trace counters do not run on: only MLIR is numbered anew."""
    texts = _digest(before), step.text or ""
    if exact(view) or before.language != step.language:
        return rooms.text_diff(*texts)
    naming: Naming = numbered(step.language) if step.language == "mlir" else "exact"
    return rooms.text_diff(*texts, naming, indented=indented(step.language))


def given(trace: Trace, step: Pass) -> Text | None:
    """What a pass started from: what its trace says it was given, else the text before it."""
    before = previous_text(trace, step)
    digest = given_text(trace, step)
    if digest is None or (before is not None and before.text == digest):
        return as_text(before) if before is not None else None
    return Text(f"blob/{digest}", "before it", step.language, step.unit)


def as_text(step: Pass) -> Text:
    note = f"attempt {step.attempt}" if step.attempt > 1 else ""
    return Text(f"blob/{step.text}", pass_title(step), step.language, note)


def _digest(text: Text) -> str:
    return text.url.removeprefix("blob/")


def _prefetch(trace: Trace, indices: Sequence[int | None]) -> list[str]:
    wanted = []
    for index in indices:
        if index is None:
            continue
        step = trace.passes[index]
        before = given(trace, step)
        wanted += [before.url] if before is not None else []
        wanted += [f"blob/{step.text}"] if step.text else []
    return wanted


def document_heading(view: View) -> None:
    """The name of a text that is no pass."""
    shown = view.documents[view.index - len(view.trace.passes)]
    st.html(f'<span class="ts-name">{html.escape(shown.name)}</span>', width="stretch")


def document(view: View) -> None:
    """A whole text that is no pass."""
    shown = view.documents[view.index - len(view.trace.passes)]

    ir_view(
        Text(f"blob/{shown.digest}", shown.name, shown.language),
        marks=marks(view),
        **_common(view, lambda _: None),
    )
