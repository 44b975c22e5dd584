"""Graphs for the pages, made beside them in threads: read, compared, laid out; and kept.

A page that waited for the graph of a long text would hold back the text itself.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Generic, Literal, TypeVar

from core.analysis.renaming import Naming
from core.trace import Language
from core.views.graph import Graph
from core.views.graph_changes import Changes, compared
from core.views.graphs import graph_of_text
from core.views.layout import render_svg
from core.views.window import View, Wish, view
from pages import _rooms as rooms

Made = TypeVar("Made")

#: Nodes and arrows of all graphs that are kept: half a kilobyte to one each.
_PARTS_KEPT = 30_000
#: Bytes of all drawings that are kept, compressed to about a tenth.
_BYTES_KEPT = 24 << 20

_builders = ThreadPoolExecutor(max_workers=2, thread_name_prefix="graph")
_painters = ThreadPoolExecutor(max_workers=os.cpu_count(), thread_name_prefix="painter")


@dataclass(frozen=True, slots=True)
class Source:
    """A text of the library that a graph is made of."""

    digest: str
    language: Language | Literal["cce"]


class _Kept(Generic[Made]):
    """What was begun, by key; the oldest is forgotten beyond a weight."""

    def __init__(self, room: int, weight: Callable[[Made], int]) -> None:
        self._room = room
        self._weight = weight
        self._lock = threading.Lock()
        self._begun: OrderedDict[Hashable, Future[Made]] = OrderedDict()

    def begin(
        self, key: Hashable, where: ThreadPoolExecutor, make: Callable[[], Made]
    ) -> Future[Made]:
        """What was begun under a key, else begin it there."""
        with self._lock:
            known = self._begun.get(key)
            return self._keep(key, known or where.submit(make))

    def here(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What was made under a key, else make it in this thread."""
        with self._lock:
            known = self._begun.get(key)
            begun = self._keep(key, known or Future())
        if known is None:
            try:
                begun.set_result(make())
            except Exception as wrong:  # noqa: BLE001 - it is told to all who wait for it
                begun.set_exception(wrong)
        return begun.result()

    def _keep(self, key: Hashable, begun: Future[Made]) -> Future[Made]:
        self._begun[key] = begun
        self._begun.move_to_end(key)
        weights = {old: self._weigh(future) for old, future in self._begun.items()}
        total = sum(weights.values())
        for old, weight in weights.items():
            if total <= self._room or old == key:
                break
            total -= weight
            del self._begun[old]
        return begun

    def get(self, key: Hashable) -> Future[Made] | None:
        with self._lock:
            return self._begun.get(key)

    def forget(self, key: Hashable) -> None:
        with self._lock:
            self._begun.pop(key, None)

    def _weigh(self, future: Future[Made]) -> int:
        if not future.done() or future.exception() is not None:
            return 0
        return self._weight(future.result())


_graphs: _Kept[Graph | None] = _Kept(_PARTS_KEPT, lambda made: _parts(made))
_marked: _Kept[Changes | None] = _Kept(
    _PARTS_KEPT, lambda made: _parts(made.graph) if made is not None else 0
)
_drawings: _Kept[tuple[bytes, bytes]] = _Kept(_BYTES_KEPT, lambda made: len(made[0]) + len(made[1]))
_waiting: OrderedDict[str, Future[Changes | None]] = OrderedDict()
_waiting_lock = threading.Lock()
_WAITING_KEPT = 64


# Graphs


def graph(text: Source, before: Source | None = None) -> Future[Changes | None]:
    """Begin to make the graph of a text, marked with what changed since the one before it.

    The future holds None where the text has no graph; it raises KeyError where the library no
    longer holds a text.
    """
    home = rooms.library().home
    return _marked.begin((home, text, before), _builders, lambda: _made(home, text, before))


def ticket(making: Future[Changes | None]) -> str:
    """A name under which `/graph/` answers once a graph is made."""
    name = f"{id(making):x}"
    with _waiting_lock:
        _waiting[name] = making
        _waiting.move_to_end(name)
        while len(_waiting) > _WAITING_KEPT:
            _waiting.popitem(last=False)
    return name


def awaited(name: str) -> bool:
    """Wait for the graph of a ticket; whether there was one to wait for."""
    with _waiting_lock:
        making = _waiting.get(name)
    if making is None:
        return False
    wait((making,))
    return True


def _made(home: Path, text: Source, before: Source | None) -> Changes | None:
    after = _whole(home, text)
    if after is None or before is None:
        return Changes(after, 0, 0, 0) if after is not None else None
    earlier = _whole(home, before)
    if earlier is None:
        return Changes(after, 0, 0, 0)
    # Values of MLIR are counted anew by every pass; other names mean what they say.
    naming: Naming = "values" if text.language == before.language == "mlir" else "exact"
    return compared(earlier, after, rooms.text_diff(before.digest, text.digest, naming))


def _whole(home: Path, text: Source) -> Graph | None:
    texts = rooms.library()
    return _graphs.here((home, text), lambda: graph_of_text(text.language, texts.get(text.digest)))


def _parts(graph: Graph | None) -> int:
    return len(graph.parts) + len(graph.edges) if graph is not None else 0


@lru_cache(maxsize=32)
def part(home: Path, text: Source, before: Source | None, wish: Wish) -> View:
    """What is shown of a graph that is made."""
    made = graph(text, before).result()
    assert made is not None, "only of a text that has a graph"
    return view(made.graph, wish)


# Drawings


def draw(dot: str) -> str:
    """Begin to lay out a graph; the hash under which `/graph/` serves it once that is done."""
    digest = hashlib.blake2b(dot.encode(), digest_size=16).hexdigest()
    _drawings.begin(digest, _painters, lambda: (_packed(render_svg(dot)), _packed(dot)))
    return digest


def drawn(digest: str) -> tuple[bytes, bytes] | None:
    """The SVG of a graph and its Graphviz source, waited for, both compressed by gzip.

    None where it is no longer kept. Raises LayoutError; the next to ask has it laid out again.
    """
    begun = _drawings.get(digest)
    if begun is None:
        return None
    try:
        return begun.result()
    except Exception:
        _drawings.forget(digest)
        raise


def _packed(text: str) -> bytes:
    return gzip.compress(text.encode(), compresslevel=5, mtime=0)
