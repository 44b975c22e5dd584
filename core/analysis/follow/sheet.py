"""What one text has that can be followed: its buffers, loops, variables, values and operations."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from core.analysis.follow.trail import Place, Role

Kind = Literal["buffer", "loop", "variable", "value", "operation", "function"]


@dataclass(slots=True)
class Item:
    """One thing of one text. `first` to `last` are the lines in which its name means it."""

    number: int
    name: str
    kind: Kind
    region: str  #: the function, or the branch for one core, that it is in
    first: int
    last: int
    places: list[Place] = field(default_factory=list)
    loops: tuple[int, ...] = ()  #: around it, outermost first: numbers of items
    reads: tuple[int, ...] = ()  #: by an operation
    writes: tuple[int, ...] = ()
    word: str = ""  #: what an operation does: "+", "vadd", "hivm.hir.load"
    text: str = ""  #: of an operation, without what a pass changes by the way
    extent: int | None = None  #: iterations of a loop; elements of a buffer
    memory: str = ""  #: of a buffer
    offset: int | None = None  #: bytes, of a buffer that has its place
    times: int = 0  #: how often a buffer is declared

    def add(self, line: int, role: Role, name: str = "") -> None:
        """One more line that has to do with it; written counts more than read there."""
        if self.places and self.places[-1].line == line:
            if _RANK[role] > _RANK[self.places[-1].role]:
                self.places[-1] = Place(line, role, name or self.name)
            return
        self.places.append(Place(line, role, name or self.name))


_RANK: dict[Role, int] = {"used": 0, "read": 1, "written": 2, "allocated": 3, "defined": 4}


class Sheet:
    """The items of a text, by number and by name."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.items: list[Item] = []
        self.by_name: dict[str, list[int]] = {}
        self.operations: list[Item] = []
        self._lines: Sequence[str] | None = None

    def new(self, name: str, kind: Kind, region: str, first: int, last: int) -> Item:
        item = Item(len(self.items), name, kind, region, first, last)
        self.items.append(item)
        self.by_name.setdefault(name, []).append(item.number)
        if kind == "operation":
            self.operations.append(item)
        return item

    def line(self, number: int) -> str:
        """A line of the text, without what is around it; "" where there is none."""
        if self._lines is None:
            self._lines = self.text.split("\n")
        return self._lines[number - 1].strip() if 0 < number <= len(self._lines) else ""

    def places(self, item: Item) -> tuple[Place, ...]:
        """The lines that have to do with an item, in order."""
        return tuple(sorted(item.places, key=lambda place: place.line))

    def parts(self, item: Item) -> Sequence[Item]:
        """Other names of what an item is, or of parts of it."""
        return ()

    def named(self, name: str, line: int = 0) -> list[Item]:
        """What a name means in a line: the innermost of the loops and variables, all buffers."""
        found = [self.items[number] for number in self.by_name.get(name, ())]
        around = [item for item in found if item.first <= line <= item.last]
        inner = [item for item in around if item.kind in ("loop", "variable", "value")]
        if inner:
            return [max(inner, key=lambda item: (item.first, item.number))]
        return around or found

    def at(self, line: int) -> list[Item]:
        """The operations that begin in a line."""
        starts = [item.first for item in self.operations]
        place = bisect_right(starts, line)
        return [item for item in self.operations[max(place - 8, 0) : place] if item.first == line]


@dataclass(frozen=True, slots=True)
class Link:
    """One item of the next text that an item of a text became."""

    item: Item
    sure: bool = True
    #: "" where it is the same, else what happened: "renamed", "copy" (a buffer that holds it
    #: too), "holds" (a buffer of a value), or in words.
    how: str = ""


class Links(Protocol):
    """Between two texts, the first before the second."""

    def of(self, item: Item) -> Sequence[Link]:
        """What an item of the first is in the second."""
        ...

    def back(self, item: Item) -> Sequence[Link]:
        """What an item of the second was in the first."""
        ...

    def tells(self, item: Item, forward: bool) -> bool:
        """Whether the other text has what is around an item, so that it would have it too."""
        ...


def unique(links: Iterable[Link]) -> list[Link]:
    """Each item once, as it was first said."""
    return list({link.item.number: link for link in reversed(list(links))}.values())[::-1]
