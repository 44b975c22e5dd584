"""The graph viewer: an SVG that Graphviz drew, with pan, zoom, folding, search and clicks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from core.components.mount import Height, mount


@dataclass(frozen=True, slots=True)
class Legend:
    """One entry of the legend."""

    label: str
    colour: str  #: a memory ("UB") or a change ("added"), which follow the theme, or a CSS colour
    line: bool = False  #: it explains a line rather than a box


@dataclass(frozen=True, slots=True)
class Details:
    """What is said of the chosen node below the graph."""

    node: str
    title: str
    text: str = ""  #: what stands in the IR, cut where there is no room
    facts: tuple[str, ...] = ()
    follow: bool = False  #: it can be followed through the passes
    find: bool = False  #: it can be looked for in all passes


@dataclass(frozen=True, slots=True)
class NodeClick:
    """The user chose a node, or clicked beside all of them."""

    id: int
    node: str | None  #: its name in the Graphviz source; None: nothing is chosen any more


@dataclass(frozen=True, slots=True)
class NodeFold:
    """A frame is to be folded, or a folded one opened."""

    id: int
    node: str  #: a cluster, a node of class "folded", or one of class "handle"
    folded: bool  #: as it is to be


Ask = Literal["widen", "whole", "start", "marks", "made"]


@dataclass(frozen=True, slots=True)
class GraphAsk:
    """More of a large graph, all of it, what was shown at first; marks of changes on or off; the
    graph that was waited for."""

    id: int
    ask: Ask


@dataclass(frozen=True, slots=True)
class GraphSeek:
    """A text was looked for that no node in the drawing has."""

    id: int
    text: str


@dataclass(frozen=True, slots=True)
class NodeAction:
    """A button beside the details of the chosen node."""

    id: int
    node: str
    action: Literal["follow", "find"]


GraphEvent = NodeClick | NodeFold | GraphAsk | GraphSeek | NodeAction


def graph_view(
    url: str | None = None,
    *,
    key: str,
    svg: str | None = None,
    waiting: str = "",
    selected: Collection[str] = (),
    legend: Sequence[Legend] = (),
    note: str = "",
    asks: Collection[Ask] = (),
    marks: bool | None = None,
    details: Details | None = None,
    source: str | None = None,
    name: str = "graph",
    height: Height = 480,
    on_event: Callable[[GraphEvent], None] | None = None,
) -> tuple[GraphEvent, ...]:
    """Show the SVG at an address below the app's ("graph/<hash>"), or the one given as text.

    `waiting` says what the address first has to make: the viewer shows that sentence, and asks for
    the page again once the address answers. `selected` names nodes to mark; the view moves only
    where none of them can be seen. `note` says what is not drawn, with a button for each of `asks`;
    `marks` is whether changes are marked, None where they cannot be. `source` is the address of the
    Graphviz source; `name` that of the files which the download buttons save, without an ending.
    Events come as with `ir_view`. Nodes and edges take the classes that README.md lists ("UB",
    "changed", "faint" …), which both themes colour.

    Raises ValueError where neither or both of `url` and `svg` are given.
    """
    if (url is None) == (svg is None):
        raise ValueError("graph_view needs the address of an SVG or the SVG itself, and not both.")
    data: dict[str, Any] = {
        "url": url,
        "svg": svg,
        "waiting": waiting,
        "selected": sorted(selected),
        "legend": [[entry.label, entry.colour, entry.line] for entry in legend],
        "note": note,
        "asks": list(asks),
        "marks": marks,
        "details": asdict(details) if details else None,
        "source": source,
        "name": name,
        "height": height,
    }
    handle = None if on_event is None else lambda raw: on_event(_event(raw))
    return tuple(_event(raw) for raw in mount("graphview", key, data, handle))


def _event(raw: Mapping[str, Any]) -> GraphEvent:
    match raw["kind"]:
        case "fold":
            return NodeFold(raw["id"], raw["node"], raw["folded"])
        case "ask":
            return GraphAsk(raw["id"], raw["ask"])
        case "seek":
            return GraphSeek(raw["id"], raw["text"])
        case "action":
            return NodeAction(raw["id"], raw["node"], raw["action"])
        case _:
            return NodeClick(raw["id"], raw["node"])
