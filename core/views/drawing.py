"""What every graph is made with: Graphviz source, and which lines each node stands for.

Nodes carry the classes that the graph viewer colours in both themes; the colours in the source are
those of the palette, translucent, so that the picture can be read without the viewer too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import graphviz

from core.views import palette


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph in Graphviz source, linked to the lines of the text it was made from."""

    dot: str
    lines: Mapping[str, tuple[int, int]]  #: node or cluster name: first and last line, from 1
    note: str  #: what is folded or left out, one sentence; "" where all is drawn
    links: Mapping[int, int] = field(default_factory=dict)  #: lines without a node: whose they show

    def node_at(self, line: int) -> str | None:
        """The node or cluster that stands for a line: the narrowest that holds it."""
        line = self.links.get(line, line)
        best: tuple[int, str] | None = None
        for name, (first, last) in self.lines.items():
            if first <= line <= last and (best is None or last - first < best[0]):
                best = last - first, name
        return best[1] if best else None


#: Longest tooltip, in characters.
_TOOLTIP = 600


class Drawing:
    """A Graphviz source being written. Names of clusters start with "cluster"."""

    def __init__(self, direction: str = "TB") -> None:
        self._lines: dict[str, tuple[int, int]] = {}
        root = graphviz.Digraph(
            graph_attr={
                "bgcolor": "transparent",
                "rankdir": direction,
                "fontname": "Courier",
                "fontsize": "10",
                "fontcolor": palette.NEUTRAL,
                "ranksep": "0.35",
                "nodesep": "0.22",
                "labeljust": "l",
                "tooltip": " ",
            },
            node_attr={
                "shape": "box",
                "style": "rounded,filled",
                "fontname": "Courier",
                "fontsize": "10",
                "fontcolor": palette.NEUTRAL,
                "color": palette.NEUTRAL,
                "fillcolor": palette.NEUTRAL + "18",
                "margin": "0.1,0.05",
                "height": "0.3",
            },
            edge_attr={
                "color": palette.NEUTRAL,
                "fontname": "Courier",
                "fontsize": "9",
                "fontcolor": palette.NEUTRAL,
                "arrowsize": "0.6",
            },
        )
        self._stack = [root]

    def node(
        self,
        name: str,
        label: Iterable[str],
        *,
        classes: Iterable[str] = (),
        memory: str = "",
        lines: tuple[int, int] | None = None,
        tooltip: str = "",
        shape: str = "box",
    ) -> None:
        """A box; `memory` gives its colour and its class."""
        attributes = {"shape": shape, "class": " ".join((*classes, *((memory,) if memory else ())))}
        if memory:
            colour = palette.memory_colour(memory)
            attributes |= {"color": colour, "fillcolor": colour + "2e"}
        if shape != "box":
            attributes["style"] = "filled"
        attributes["tooltip"] = _escaped(tooltip[:_TOOLTIP]) or " "
        self._stack[-1].node(name, _label(label), _attributes=attributes)
        if lines:
            self._lines[name] = lines

    def edge(
        self,
        tail: str,
        head: str,
        *,
        classes: Iterable[str] = (),
        memory: str = "",
        tooltip: str = "",
        orders: bool = True,
        both: bool = False,
    ) -> None:
        """An arrow. Where it `orders`, its head is drawn below its tail."""
        attributes = {"class": " ".join((*classes, *((memory,) if memory else ())))}
        if memory:
            attributes["color"] = palette.memory_colour(memory)
        if not orders:
            attributes["constraint"] = "false"
        if both:
            attributes["dir"] = "both"
        if tooltip:
            attributes["tooltip"] = _escaped(tooltip)
        self._stack[0].edge(tail, head, _attributes=attributes)

    def order(self, above: str, below: str) -> None:
        """Draw one node below another, with no arrow."""
        self._stack[0].edge(above, below, style="invis")

    @contextmanager
    def cluster(
        self,
        name: str,
        label: Iterable[str],
        *,
        classes: Iterable[str] = (),
        lines: tuple[int, int] | None = None,
        tooltip: str = "",
    ) -> Iterator[None]:
        """A frame around what is drawn inside the `with`."""
        attributes = {
            "label": _label(label),
            "class": " ".join(classes),
            "style": "rounded",
            "color": palette.NEUTRAL,
            "tooltip": _escaped(tooltip[:_TOOLTIP]) or " ",
        }
        inner = graphviz.Digraph(name)
        inner.attr("graph", _attributes=attributes)
        self._stack.append(inner)
        try:
            yield
        finally:
            self._stack.pop()
        self._stack[-1].subgraph(inner)
        if lines:
            self._lines[name] = lines

    def graph(self, note: str = "", links: Mapping[int, int] | None = None) -> Graph:
        """What was drawn."""
        return Graph(self._stack[0].source, dict(self._lines), note, links or {})


def safe(name: str) -> str:
    """A node name for a name of the user's: Graphviz reads a colon in it as a port."""
    return name.replace(":", "_").replace("\\", "_").replace('"', "_")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _label(parts: Iterable[str]) -> str:
    return "\\n".join(_escaped(part) for part in parts if part)
