"""A graph as a value: nodes and arrows, frames around them, and the lines that each stands for.

Whoever reads a language makes one; folding, windows and comparison turn one into another; `dot.py`
writes the last of them for Graphviz. Names of frames start with "cluster", as Graphviz wants it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

Lines = tuple[int, int]  #: first and last line, from 1


@dataclass(frozen=True, slots=True)
class Node:
    """A box."""

    name: str
    label: tuple[str, ...]
    within: str = ""  #: the frame around it; "": none
    classes: tuple[str, ...] = ()
    memory: str = ""  #: GM, UB, L1, L0A, L0B, L0C, REG; gives the colour
    lines: Lines | None = None
    tooltip: str = ""
    shape: str = "box"
    bytes: int | None = None  #: that it holds, of a buffer
    subject: str = ""  #: the name in the text that can be followed through the passes
    word: str = ""  #: what it does, in the summary of a folded frame
    times: int = 1  #: statements that it stands for
    key: str = ""  #: what it is called in every pass; "": its label's first line
    says: str = ""  #: what makes it another one when it differs; "": label and tooltip
    folds: str = ""  #: the frame that hangs below it, of a tree
    before: Lines | None = None  #: lines of the text before, of a node that is gone


@dataclass(frozen=True, slots=True)
class Frame:
    """A box around others, which can be folded into one node."""

    name: str
    label: tuple[str, ...]
    within: str = ""
    classes: tuple[str, ...] = ()
    lines: Lines | None = None
    tooltip: str = ""
    subject: str = ""
    drawn: bool = True  #: False: it only says what is folded together
    key: str = ""
    says: str = ""


Part = Node | Frame


@dataclass(frozen=True, slots=True)
class Edge:
    """An arrow."""

    tail: str
    head: str
    classes: tuple[str, ...] = ()
    memory: str = ""
    tooltip: str = ""
    orders: bool = True  #: its head is drawn below its tail
    both: bool = False  #: it has a head at either end
    seen: bool = True  #: False: it only orders


@dataclass(frozen=True)
class Graph:
    """Parts by name, in the order in which they are drawn, frames before what they hold."""

    parts: Mapping[str, Part]
    edges: Sequence[Edge] = ()
    note: str = ""  #: what is left out, one sentence; "" where all is drawn
    links: Mapping[int, int] = field(default_factory=dict)  #: lines without a node: whose they show
    noun: str = "statements"  #: what its nodes stand for

    @cached_property
    def dot(self) -> str:
        """Its Graphviz source."""
        from core.views.dot import source  # which needs the values of this module

        return source(self)

    @cached_property
    def lines(self) -> Mapping[str, Lines]:
        """The lines of each part that is drawn and has some."""
        return {
            name: part.lines
            for name, part in self.parts.items()
            if part.lines and (isinstance(part, Node) or part.drawn)
        }

    @cached_property
    def size(self) -> int:
        """How many nodes it has."""
        return sum(isinstance(part, Node) for part in self.parts.values())

    def nodes(self) -> Iterator[Node]:
        """Its nodes, in the order in which they are drawn."""
        return (part for part in self.parts.values() if isinstance(part, Node))

    def frames(self) -> Iterator[Frame]:
        """Its frames, likewise."""
        return (part for part in self.parts.values() if isinstance(part, Frame))

    def around(self, name: str) -> Iterator[str]:
        """The frames around a part, innermost first."""
        part = self.parts.get(name)
        while part is not None and part.within:
            yield part.within
            part = self.parts.get(part.within)

    def node_at(self, line: int) -> str | None:
        """The node or frame that stands for a line: the narrowest that holds it."""
        line = self.links.get(line, line)
        best: tuple[int, str] | None = None
        for name, (first, last) in self.lines.items():
            if first <= line <= last and (best is None or last - first < best[0]):
                best = last - first, name
        return best[1] if best else None
