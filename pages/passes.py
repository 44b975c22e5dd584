"""Passes: the pipeline pass by pass, what each changed, and the graph of its IR beside it."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

import streamlit as st

from core.components import IrEvent, LineClick, Selection, Step, Text, ir_view
from core.trace import Pass, Trace
from core.views.marks import pass_title, result_language, result_name
from core.views.strip import attempts, labels, look, segment_label, strip
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
    documents = texts_beside(trace)
    last = len(trace.passes) + len(documents) - 1
    index = min(max(address.number("pass", id, first), 0), last)
    line = address.number("line", f"{id}:{index}", 0)

    def pick(chosen: int) -> None:
        chosen = min(max(chosen, 0), last)
        address.set_number("pass", id, chosen)
        address.begin_number("line", f"{id}:{chosen}")

    if max(step.attempt for step in trace.passes) > 1:
        st.caption(header.escaped(" ".join(trace.notes)))  # which say why it began again
    pass_strip(strip(trace), index, key="passes:strip", on_pick=pick)
    left, right = st.columns([2.1, 8.9], gap="small")
    with left:
        _list(trace, documents, index, pick)
    with right:
        if index >= len(trace.passes):
            _document(id, documents[index - len(trace.passes)], index, line)
        else:
            _pass(id, trace, trace.passes[index], line, pick)
    address.mirror(id, {"pass": index})
    address.mirror(f"{id}:{index}", {"line": line or None})


def _pass(id: str, trace: Trace, step: Pass, line: int, pick: Pick) -> None:
    if not _heading(trace, step, pick):
        _text(id, trace, step, line, pick)
        return
    text, graph = st.columns([5.6, 3.3], gap="small")
    with text:
        _text(id, trace, step, line, pick)
    with graph:
        _graph.show(id, trace, _drawn(trace, step), line)


def _drawn(trace: Trace, step: Pass) -> Pass:
    """The pass whose graph is shown: of one that left no text, what it was given."""
    if step.text is not None:
        return step
    if step.given is not None:
        return replace(step, text=step.given)
    return previous_text(trace, step) or step


@dataclass(frozen=True, slots=True)
class Document:
    """A whole text of a trace that is no pass."""

    name: str
    digest: str
    language: Literal["mlir", "cce", "text"]


def texts_beside(trace: Trace) -> tuple[Document, ...]:
    """The emitted code and the logs; they follow the passes in the list and in the address."""
    code = Document(result_name(trace), trace.code or "", result_language(trace))
    logs = (Document(log.name, log.text, _language(log.name)) for log in trace.logs)
    return (*([code] if trace.code else []), *logs)


def _language(name: str) -> Literal["mlir", "text"]:
    return "mlir" if name.endswith(".mlir") else "text"


def _document(id: str, document: Document, index: int, line: int) -> None:
    st.html(f'<span class="ts-name">{html.escape(document.name)}</span>')

    def on_event(event: IrEvent) -> None:
        if isinstance(event, LineClick):
            address.set_number("line", f"{id}:{index}", event.line)

    ir_view(
        Text(f"blob/{document.digest}", document.name, document.language),
        key="passes:text",
        selection=Selection(line) if line else None,
        height="fill",
        on_event=on_event,
    )


def _list(trace: Trace, documents: Sequence[Document], index: int, pick: Pick) -> None:
    words = st.text_input(
        "Filter by name",
        key="filter",
        bind="query-params",
        placeholder="Filter by name",
        label_visibility="collapsed",
        type="search",
        live=True,
    )
    changed_only = st.toggle(
        "Changed only",
        value=True,
        key="changed",
        bind="query-params",
        help="Most passes change nothing. Memory addresses are not counted as a change.",
    )
    steps = shown(trace, words or "", changed_only, index)
    beside = [
        (len(trace.passes) + at, document.name, "", "same", document.name)
        for at, document in enumerate(documents)
        if (words or "").lower() in document.name.lower()
    ]
    name = result_name(trace)
    pass_list(
        [
            *_groups(trace, steps),
            *([("texts", f"{name[0].upper()}{name[1:]} and logs", beside)] if beside else []),
        ],
        index,
        key="passes:list",
        on_pick=pick,
        empty="No pass of this name"
        + (" changed anything: switch “Changed only” off." if changed_only else "."),
    )


def shown(trace: Trace, words: str, changed_only: bool, current: int) -> tuple[Pass, ...]:
    """The passes that match every word of the filter, in any letter case; the current one stays."""
    wanted = words.lower().split()
    return tuple(
        s
        for s in trace.passes
        if all(w in f"{pass_title(s)} {s.argument}".lower() for w in wanted)
        and (
            not changed_only or s.changed or s.status != "ok" or (s.index == current and not wanted)
        )
    )


def _groups(trace: Trace, steps: tuple[Pass, ...]) -> list[Group]:
    headings = labels(trace)
    groups: list[Group] = []
    for label, run in groupby(steps, key=lambda s: headings[s.index]):
        rows = []
        for step in run:
            lines = count(step.lines) if step.text else ""
            title = pass_title(step)
            said = (title, step.argument, step.unit, f"{lines or 'no'} lines")
            rows.append((step.index, title, lines, look(step), " · ".join(filter(None, said))))
        groups.append((label, f"{label}: {len(rows)} shown", rows))
    return groups


def _heading(trace: Trace, step: Pass, pick: Pick) -> bool:
    """What this pass is, and the way to its neighbours; whether its graph is wanted."""
    changed = [s.index for s in trace.changed]
    back = max((i for i in changed if i < step.index), default=None)
    on = min((i for i in changed if i > step.index), default=None)
    facts = [step.argument] if step.argument else []
    facts.append(segment_label(step, attempts(trace)[step.stage, step.unit]))
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
        graph = st.toggle(
            "Graph",
            value=True,
            key="graph",
            bind="query-params",
            help="Show the graph of this pass's IR.",
        )
        before = step.index - 1 if step.index else None
        after = step.index + 1 if step.index + 1 < len(trace.passes) else None
        for label, target, key, icon, keys, help in (
            ("", before, "before", "chevron_left", "Shift+Left", "The pass before"),
            ("Previous", back, "previous", "arrow_back", "Left", "Previous that changed something"),
            ("Next", on, "next", "arrow_forward", "Right", "Next that changed something"),
            ("", after, "after", "chevron_right", "Shift+Right", "The pass after"),
        ):
            st.button(
                label,
                key=f"passes:{key}",
                icon=f":material/{icon}:",
                icon_position="right" if label == "Next" else "left",
                disabled=target is None,
                shortcut=keys,
                help=help,
                on_click=pick,
                args=(target,),
            )
    return graph


def _text(id: str, trace: Trace, step: Pass, line: int, pick: Pick) -> None:
    before = given_text(trace, step)
    shown = _as_text(step) if step.text else before
    if shown is None:
        st.info("This pass left no text, and none came before it.")
        return
    difference = None
    if step.text is None:
        st.caption(f"{header.escaped(pass_title(step))} left no text. This is what it was given.")
        before = None
    elif before is not None:
        difference = rooms.text_diff(_digest(before), step.text)
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
        shown,
        before,
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


def given_text(trace: Trace, step: Pass) -> Text | None:
    """What a pass started from: what its trace says it was given, else the text before it."""
    before = previous_text(trace, step)
    if step.given is None or (before is not None and before.text == step.given):
        return _as_text(before) if before is not None else None
    return Text(f"blob/{step.given}", "before it", step.language, step.unit)


def _digest(text: Text) -> str:
    return text.url.removeprefix("blob/")


def _prefetch(trace: Trace, neighbours: list[int | None]) -> list[str]:
    wanted = []
    for index in neighbours:
        if index is None:
            continue
        step = trace.passes[index]
        before = given_text(trace, step)
        wanted += [before.url] if before is not None else []
        wanted += [f"blob/{step.text}"] if step.text else []
    return wanted


def _as_text(step: Pass) -> Text:
    note = f"attempt {step.attempt}" if step.attempt > 1 else ""
    return Text(f"blob/{step.text}", pass_title(step), step.language, note)


main()
