"""Writing a graph part by part, frames around what is drawn inside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from core.views.graph import Edge, Frame, Graph, Lines, Node, Part

_TOOLTIP = 2000  # characters of one that are kept


class Drawing:
    """A graph being written."""

    def __init__(self) -> None:
        self._parts: dict[str, Part] = {}
        self._edges: list[Edge] = []
        self._stack = [""]

    def node(
        self,
        name: str,
        label: Iterable[str],
        *,
        classes: Iterable[str] = (),
        memory: str = "",
        lines: Lines | None = None,
        tooltip: str = "",
        shape: str = "box",
        bytes: int | None = None,
        subject: str = "",
        word: str = "",
        times: int = 1,
        key: str = "",
        says: str = "",
        folds: str = "",
    ) -> None:
        """A box inside the innermost open frame. The arguments are the fields of `Node`."""
        self._parts[name] = Node(
            name,
            tuple(part for part in label if part),
            self._stack[-1],
            tuple(classes),
            memory,
            lines,
            tooltip[:_TOOLTIP],
            shape,
            bytes,
            subject,
            word,
            times,
            key,
            says,
            folds,
        )

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
        self._edges.append(Edge(tail, head, tuple(classes), memory, tooltip, orders, both))

    def order(self, above: str, below: str) -> None:
        """Draw one node below another, with no arrow."""
        self._edges.append(Edge(above, below, seen=False))

    @contextmanager
    def cluster(
        self,
        name: str,
        label: Iterable[str],
        *,
        classes: Iterable[str] = (),
        lines: Lines | None = None,
        tooltip: str = "",
        subject: str = "",
        drawn: bool = True,
        key: str = "",
        says: str = "",
    ) -> Iterator[None]:
        """A frame around what is drawn inside the `with`. The arguments are those of `Frame`."""
        self._parts[name] = Frame(
            name,
            tuple(part for part in label if part),
            self._stack[-1],
            tuple(classes),
            lines,
            tooltip[:_TOOLTIP],
            subject,
            drawn,
            key,
            says,
        )
        self._stack.append(name)
        try:
            yield
        finally:
            self._stack.pop()

    def graph(
        self,
        note: str = "",
        links: Mapping[int, int] | None = None,
        *,
        noun: str = "statements",
    ) -> Graph:
        """What was drawn."""
        return Graph(self._parts, tuple(self._edges), note, links or {}, noun)


def safe(name: str) -> str:
    """A node name for a name of the user's: Graphviz reads a colon in it as a port."""
    return name.replace(":", "_").replace("\\", "_").replace('"', "_")
