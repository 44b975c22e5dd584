"""What a step of the polyhedral pass did to the schedule tree: bands, tiles, marks, copies."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from core.analysis import parsed
from core.analysis.changes.phrases import came_or_went, counted, first, gone_and_new, names, tally
from core.ir import schedule

_STATEMENT = re.compile(r"([^\W\d]\w*)\[")
_FLOOR = re.compile(r"floor\(\((.+?)\)/(\d+)\)")
_LOOP = re.compile(r"[^\W\d]\w*'*")
_COPIED = re.compile(r"(GMread|GMwrite|\w*[Rr]ead|\w*[Ww]rite)\[\[\[.*?\] -> ([\w.]+)\[")
_PARTS = re.compile(r"[^;{}]+")


@dataclass(slots=True)
class _Facts:
    kinds: Counter[str] = field(default_factory=Counter)
    marks: Counter[str] = field(default_factory=Counter)
    marked: list[tuple[str, int]] = field(default_factory=list)  #: name, members of bands above
    statements: set[str] = field(default_factory=set)
    tiles: list[tuple[str, int]] = field(default_factory=list)  #: loop, size; in order, each once
    members: int = 0
    copies: Counter[str] = field(default_factory=Counter)  #: buffers that are filled or emptied
    schedules: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)
    options: Counter[str] = field(default_factory=Counter)
    order: list[str] = field(default_factory=list)  #: of the filters
    sets: Counter[str] = field(default_factory=Counter)  #: of domain, context and guards


def phrases(before: str, after: str) -> tuple[str, ...]:
    """What is different, most telling first; none where that cannot be told."""
    old, new = facts(before), facts(after)
    if old is None or new is None:
        return ()
    said = first(
        _domain(old, new),
        _tiles(old, new),
        _copies(old, new),
        _marks(old, new),
        _bands(old, new),
        _nodes(old, new),
    )
    return said or first(_details(old, new))


@lru_cache(8)
def facts(text: str) -> _Facts | None:
    """What is compared of a text, kept for the next pass; None where it has no tree."""
    tree = parsed.schedule_tree(text)
    if tree is None:
        return None
    found = _Facts()
    pending: list[tuple[schedule.Tree, int]] = [(tree, 0)]
    while pending:
        node, depth = pending.pop()
        found.kinds[type(node).__name__] += 1
        depth = _read(node, depth, found)
        pending.extend((child, depth) for child in reversed(schedule.children(node)))
    found.tiles = list(dict.fromkeys(found.tiles))
    return found


def _read(node: schedule.Tree, depth: int, facts: _Facts) -> int:
    match node:
        case schedule.Domain():
            facts.statements = set(_STATEMENT.findall(node.set))
            facts.sets.update(_in_order(node.set))
        case schedule.Context() | schedule.Guard():
            facts.sets[node.set] += 1
        case schedule.Mark():
            facts.marks[node.name] += 1
            facts.marked.append((node.name, depth))
        case schedule.Extension():
            facts.copies.update({name for _, name in _COPIED.findall(node.relation)})
        case schedule.Filter():
            facts.order.append(" ".join(sorted(_STATEMENT.findall(node.set))))
        case schedule.Band():
            facts.members += len(node.schedule)
            for member in node.schedule:
                facts.schedules.update(_in_order(member))
                for inside, size in _FLOOR.findall(member):
                    loop = _LOOP.findall(inside)
                    facts.tiles.append((loop[0] if loop else inside, int(size)))
            facts.flags[f"permutable {int(node.permutable)} {node.coincident}"] += 1
            if node.options:
                facts.options[node.options] += 1
            return depth + len(node.schedule)
    return depth


def _in_order(union: str) -> list[str]:
    """The pieces of a set or relation: isl prints them in no order of its own."""
    return [part.strip() for part in _PARTS.findall(union) if part.strip()]


def _domain(old: _Facts, new: _Facts) -> Iterator[str]:
    gone, come = old.statements - new.statements, new.statements - old.statements
    if not gone and not come:
        return
    a, b = counted(len(old.statements), "statement"), counted(len(new.statements), "statement")
    also = f" ({names(sorted(come))} new)" if come else f" ({names(sorted(gone))} gone)"
    yield f"{a} → {b}{also}"


def _tiles(old: _Facts, new: _Facts) -> Iterator[str]:
    come = [tile for tile in new.tiles if tile not in old.tiles]
    gone = [tile for tile in old.tiles if tile not in new.tiles]
    sizes = list(dict.fromkeys(size for _, size in come))
    if sizes:
        loops = {
            size: names(sorted({loop for loop, each in come if each == size}, key=_natural))
            for size in sizes
        }
        text = "; ".join(f"{loops[size]} by {size:,}" for size in sizes[:3])
        yield f"tiled {text}"
    elif gone and not new.tiles:
        yield "tiling undone"


def _natural(name: str) -> tuple[int, str]:
    return len(name), name  # cc2 before cc10


def _copies(old: _Facts, new: _Facts) -> Iterator[str]:
    gone, come = gone_and_new(old.copies, new.copies)
    a, b = old.kinds["Extension"], new.kinds["Extension"]
    if b > a:
        what = f": copies of {names(list(come))}" if come else ""
        yield f"{counted(b - a, 'extension')} added{what}"
    elif a > b:
        yield f"{counted(a - b, 'extension')} removed"
    elif come and gone:
        yield f"copies changed: {names(list(gone))} → {names(list(come))}"


def _marks(old: _Facts, new: _Facts) -> Iterator[str]:
    gone, come = gone_and_new(old.marks, new.marks)
    if come:
        yield (
            f"mark {tally(come)} inserted"
            if come.total() == 1
            else (f"{counted(come.total(), 'mark')} inserted: {tally(come)}")
        )
    if gone:
        yield (
            f"mark {tally(gone)} removed"
            if gone.total() == 1
            else (f"{counted(gone.total(), 'mark')} removed: {tally(gone)}")
        )
    for name in old.marks & new.marks:
        above = [d for n, d in old.marked if n == name]
        below = [d for n, d in new.marked if n == name]
        if len(above) == len(below) == 1 and above != below:
            way = "further in" if below > above else "further out"
            yield f"mark {name} moved {way}: below {above[0]} → {counted(below[0], 'loop')}"


def _bands(old: _Facts, new: _Facts) -> Iterator[str]:
    a, b = old.kinds["Band"], new.kinds["Band"]
    if b < a:
        fused = old.members > new.members and b
        yield f"{a:,} bands fused into {b:,}" if fused else f"{counted(a - b, 'band')} removed"
    elif b > a:
        yield f"{counted(b - a, 'band')} added"
    elif old.members != new.members:
        yield from came_or_went(old.members, new.members, "loop of a band", "loops of bands")


def _nodes(old: _Facts, new: _Facts) -> Iterator[str]:
    for kind, one in (("Sequence", "sequence"), ("Filter", "filter"), ("Guard", "guard")):
        yield from came_or_went(old.kinds[kind], new.kinds[kind], one)


def _details(old: _Facts, new: _Facts) -> Iterator[str]:
    if old.order != new.order:
        same = sorted(old.order) == sorted(new.order)
        yield "order of statements changed" if same else "filters changed"
    gone, come = gone_and_new(old.schedules, new.schedules)
    if gone or come:
        yield f"schedule of {counted(max(gone.total(), come.total()), 'statement')} changed"
    if old.flags != new.flags:
        yield "what may run in parallel changed (permutable, coincident)"
    if old.options != new.options:
        yield "options of bands changed"
    if old.sets != new.sets:
        yield "bounds of statements changed"
    shown = (old.order, old.schedules, old.flags, old.options, old.sets)
    if shown == (new.order, new.schedules, new.flags, new.options, new.sets):
        yield "the same tree, printed in another order"
