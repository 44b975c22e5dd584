"""The graph of one text beside it: a line marks its node, a node its lines, a pass its changes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Unfinished
from dataclasses import dataclass, field, replace

import streamlit as st

from core.analysis.order import given_text
from core.components import (
    Ask,
    Details,
    GraphAsk,
    GraphEvent,
    GraphSeek,
    Legend,
    NodeAction,
    NodeClick,
    NodeFold,
    graph_view,
)
from core.trace import Pass, Trace
from core.views import palette
from core.views.folding import CHANGES
from core.views.graph import Graph, Node, Part
from core.views.graph_changes import Changes
from core.views.marks import pass_title, result_language, result_name
from core.views.neighbourhood import STUB
from core.views.window import LIMIT, View, Wish
from core.views.wording import bytes_text, count
from pages import _address as address
from pages import _drawings as drawings
from pages import _rooms as rooms
from pages._drawings import Source

Follow = Callable[[str, int], None]
Find = Callable[[str], None]

#: A graph that takes longer to make is made beside the page.
_PATIENCE_SECONDS = 0.08
_WORDS = {"GM": "global memory", "REG": "registers"}


@dataclass(slots=True)
class _State:
    """What a person did to one graph."""

    wish: Wish = field(default_factory=Wish)
    line: int = 0  #: that was chosen when the graph was last shown
    clicked: int = 0  #: the line that a click in the graph chose
    chosen: str = ""  #: the node that it chose


def show(
    id: str,
    trace: Trace,
    step: Pass,
    line: int,
    *,
    against: Pass | None = None,
    on_follow: Follow | None = None,
    on_find: Find | None = None,
) -> None:
    """Draw the graph of a pass, marked with what changed, or say why there is none.

    Changes are those since `against`, else since what the pass was given. The callbacks are for
    the name that the chosen node is about; where one is None, its button is not there.
    """
    if step.text is None:
        st.caption("This pass left no text to draw.")
        return
    text = Source(step.text, step.language)
    before = _before(trace, step, against)
    at = address.number("pass", id, step.index)  # a pass that failed shows the text before it
    _show(
        f"{id}:{at}",
        text,
        before if before != text else None,
        f"{trace.kernel}_{pass_title(step)}",
        step.lines,
        line,
        on_follow,
        on_find,
    )


def show_code(
    id: str,
    trace: Trace,
    line: int,
    *,
    on_follow: Follow | None = None,
    on_find: Find | None = None,
) -> None:
    """Draw the graph of what a compile ends with."""
    if trace.code is None:
        st.caption("This compile left no code to draw.")
        return
    text = Source(trace.code, result_language(trace))
    name = f"{trace.kernel}_{result_name(trace).replace(' ', '_')}"
    _show(f"{id}:{len(trace.passes)}", text, None, name, 0, line, on_follow, on_find)


def _before(trace: Trace, step: Pass, against: Pass | None) -> Source | None:
    if against is not None:
        if against.text is None or against.language != step.language:
            return None
        return Source(against.text, against.language)
    given = given_text(trace, step)
    return Source(given, step.language) if given is not None else None


def _show(
    scope: str,
    text: Source,
    before: Source | None,
    name: str,
    lines: int,
    line: int,
    on_follow: Follow | None,
    on_find: Find | None,
) -> None:
    marks = bool(address.number("marks", "graph", 1))
    address.mirror("graph", {"marks": None if marks else 0})
    compared = before if marks else None
    making = drawings.graph(text, compared)
    try:
        changes = making.result(timeout=_PATIENCE_SECONDS)
    except Unfinished:
        _wait(making, lines)
        return
    if changes is None:
        st.caption("There is no graph for this text; it is shown as it is.")
        return
    state = _state(scope, text, compared, changes.graph, line)
    shown = drawings.part(rooms.library().home, text, compared, state.wish)
    graph = shown.graph
    node = _selected(graph, state, line)
    digest = drawings.draw(graph.dot)
    graph_view(
        f"graph/{digest}",
        key="passes:graph",
        selected=[node] if node else [],
        legend=_legend(graph, changes if compared else None),
        note=_note(shown, changes if compared else None),
        asks=_asks(shown, state.wish),
        marks=marks if before else None,
        details=_details(graph.parts.get(node or ""), on_follow, on_find),
        source=f"graph/{digest}.dot",
        name=name,
        height="fill",
        on_event=lambda event: _on_event(
            event, scope, state, changes.graph, graph, on_follow, on_find
        ),
    )


def _wait(making: Future[Changes | None], lines: int) -> None:
    """Keep the place of a graph that is being made; the viewer runs the page again once it is."""
    of = f" of {count(lines)} lines" if lines else ""
    graph_view(
        f"graph/made/{drawings.ticket(making)}",
        key="passes:graph",
        waiting=f"Reading the text{of} …",
        height="fill",
        on_event=lambda _: None,
    )


# What a person did


def _state(scope: str, text: Source, before: Source | None, whole: Graph, line: int) -> _State:
    """The state of this graph, looking at the chosen line if that was not chosen in the graph."""
    key = f"graph:{scope}"
    state: _State = st.session_state.setdefault(key, _State())
    moved = line != state.line and line != state.clicked
    state.line = line
    if whole.size <= LIMIT:
        return state
    if moved and line:
        shown = drawings.part(rooms.library().home, text, before, state.wish).graph
        if not _in_view(whole, shown, line):
            state.wish = replace(state.wish, line=line, around=frozenset())
    return state


def _in_view(whole: Graph, shown: Graph, line: int) -> bool:
    """Whether what stands for a line is drawn by itself, in no folded frame."""
    node = whole.node_at(line)
    return node is None or type(shown.parts.get(node)) is type(whole.parts[node])


def _selected(graph: Graph, state: _State, line: int) -> str | None:
    part = graph.parts.get(state.chosen)
    if part is not None and (part.lines[0] if part.lines else 0) == line:
        return part.name
    return graph.node_at(line) if line else None


def _on_event(
    event: GraphEvent,
    scope: str,
    state: _State,
    whole: Graph,
    shown: Graph,
    on_follow: Follow | None,
    on_find: Find | None,
) -> None:
    wish = state.wish
    match event:
        case NodeClick(node=node) if node is not None and node.startswith(STUB):
            state.wish = replace(wish, around=wish.around | {node.removeprefix(STUB)})
        case NodeClick(node=node):
            _choose(scope, state, shown.parts.get(node or ""))
        case NodeFold(node=node, folded=folded):
            part = shown.parts.get(node)
            frame = part.folds if isinstance(part, Node) and part.folds else node
            folded = folded and not isinstance(shown.parts.get(frame), Node)
            state.wish = replace(
                wish,
                folded=wish.folded | {frame} if folded else wish.folded - {frame},
                opened=wish.opened - {frame} if folded else wish.opened | {frame},
            )
        case GraphAsk(ask="widen"):
            state.wish = replace(wish, widened=wish.widened + 1)
        case GraphAsk(ask="whole"):
            state.wish = replace(wish, whole=True)
        case GraphAsk(ask="start"):
            state.wish = Wish(line=state.line)
        case GraphAsk(ask="marks"):
            now = st.session_state.get("at:marks:graph", 1)
            address.set_number("marks", "graph", 0 if now else 1)
        case GraphSeek(text=text):
            _seek(scope, state, whole, text)
        case NodeAction(node=node, action=action):
            part = shown.parts.get(node)
            if part is not None and part.subject and action == "follow" and on_follow:
                on_follow(part.subject, part.lines[0] if part.lines else 0)
            elif part is not None and part.subject and action == "find" and on_find:
                on_find(part.subject)


def _choose(scope: str, state: _State, part: Part | None) -> None:
    state.chosen = part.name if part is not None else ""
    state.clicked = part.lines[0] if part is not None and part.lines else 0
    address.set_number("line", scope, state.clicked)


def _seek(scope: str, state: _State, whole: Graph, text: str) -> None:
    """Look at the first node or frame of the whole graph that has a text."""
    wanted = text.lower()
    having = (
        part
        for part in whole.parts.values()
        if wanted in "\n".join((*part.label, part.tooltip)).lower()
    )
    found = next(having, None)
    if found is None:
        st.toast(f"Nothing in this graph is called “{text}”.")
        return
    _choose(scope, state, found)
    if found.lines:
        state.wish = replace(state.wish, line=found.lines[0], around=frozenset())
    state.wish = replace(
        state.wish,
        opened=state.wish.opened | set(whole.around(found.name)),
        folded=state.wish.folded - set(whole.around(found.name)),
    )


# What is said of it


def _note(shown: View, changes: Changes | None) -> str:
    same = changes is not None and not (changes.added or changes.removed or changes.changed)
    return f"{shown.note} Nothing in the graph changed.".strip() if same else shown.note


def _asks(shown: View, wish: Wish) -> list[Ask]:
    asks: list[Ask] = []
    if shown.widens:
        asks.append("widen")
    if shown.whole:
        asks.append("whole")
    if wish.folded or wish.opened or wish.around or wish.widened or wish.whole:
        asks.append("start")
    return asks


def _legend(graph: Graph, changes: Changes | None) -> list[Legend]:
    """What changed, then the memories that occur, in the order of their distance from the core."""
    used = {node.memory for node in graph.nodes()}
    legend = [
        Legend(_WORDS.get(memory, memory), memory) for memory in palette.MEMORY if memory in used
    ]
    if changes is not None:
        numbers = zip(CHANGES, (changes.added, changes.removed, changes.changed), strict=True)
        legend = [Legend(f"{count(n)} {name}", name) for name, n in numbers if n] + legend
    return legend


def _details(part: Part | None, on_follow: Follow | None, on_find: Find | None) -> Details | None:
    if part is None:
        return None
    text = next((line for line in part.tooltip.split("\n") if line.strip()), "")
    title = part.subject if isinstance(part, Node) and "tensor" in part.classes else ""
    facts = [name for name in part.classes if name in CHANGES]
    if part.lines:
        facts.append(_span(part.lines))
    if isinstance(part, Node):
        if part.before:
            facts.append(f"{_span(part.before)} of the text before")
        if part.memory:
            facts.append(_WORDS.get(part.memory, part.memory))
        if part.bytes is not None:
            facts.append(bytes_text(part.bytes))
    named = part.subject if isinstance(part, Node) and "op" in part.classes else ""
    title = title or " · ".join(filter(None, (*part.label[:1], named)))
    return Details(
        part.name,
        title,
        text if text != title else "",
        tuple(facts),
        follow=bool(part.subject) and on_follow is not None,
        find=bool(part.subject) and on_find is not None,
    )


def _span(lines: tuple[int, int]) -> str:
    first, last = map(count, lines)
    return f"line {first}" if first == last else f"lines {first} to {last}"
