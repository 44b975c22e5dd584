"""The graph viewer: an SVG that Graphviz drew, with pan, zoom and clicks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.components.mount import Height, mount


@dataclass(frozen=True, slots=True)
class Legend:
    """One entry of the legend."""

    label: str
    colour: str  #: the name of a memory ("UB"), whose colour follows the theme, or any CSS colour
    line: bool = False  #: it explains a line rather than a box


@dataclass(frozen=True, slots=True)
class NodeClick:
    """The user chose a node, or clicked beside all of them."""

    id: int
    node: str | None  #: its name in the Graphviz source; None: nothing is chosen any more


GraphEvent = NodeClick


def graph_view(
    url: str | None = None,
    *,
    key: str,
    svg: str | None = None,
    selected: Collection[str] = (),
    legend: Sequence[Legend] = (),
    name: str = "graph",
    height: Height = 480,
    on_event: Callable[[GraphEvent], None] | None = None,
) -> tuple[GraphEvent, ...]:
    """Show the SVG at an address below the app's ("graph/<hash>"), or the one given as text.

    `selected` names nodes to mark; the view moves only where none of them can be seen. `name` is
    that of the file that the download button saves. Events come as with `ir_view`. Nodes and edges
    take the classes that README.md lists ("UB", "changed", "faint" …), which both themes colour.

    Raises ValueError where neither or both of `url` and `svg` are given.
    """
    if (url is None) == (svg is None):
        raise ValueError("graph_view needs the address of an SVG or the SVG itself, and not both.")
    data: dict[str, Any] = {
        "url": url,
        "svg": svg,
        "selected": sorted(selected),
        "legend": [[entry.label, entry.colour, entry.line] for entry in legend],
        "name": name,
        "height": height,
    }
    handle = None if on_event is None else lambda raw: on_event(_event(raw))
    return tuple(_event(raw) for raw in mount("graphview", key, data, handle))


def _event(raw: Mapping[str, Any]) -> GraphEvent:
    return NodeClick(raw["id"], raw["node"])
