"""What happened to a followed thing, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.analysis.follow.mlir_sheet import MlirSheet
from core.analysis.follow.sheet import Item, Link, Links, Sheet
from core.analysis.follow.statements import CORE, CORE_IN_CODE
from core.analysis.follow.trail import Place
from core.ir.mlir_access import VIEWS

_SHOWN = 90  #: letters of a line
_LISTED = 4


def happened(before: Sequence[Item], pairs: Sequence[tuple[Item, Link]]) -> str:
    """What a pass did to it; "" where it is as it was."""
    if not pairs:
        return ""
    kind = pairs[0][0].kind
    if kind == "loop":
        return _loops(before, pairs)
    if kind == "buffer":
        return _buffers(pairs)
    held = list(dict.fromkeys(item.name for item, link in pairs if link.how == "holds"))
    if held:
        return f"{pairs[0][1].item.name} holds {_list(held)} from here"
    said = [link.how for _, link in pairs if link.how]
    return "; ".join(list(dict.fromkeys(said))[:2])


def _buffers(pairs: Sequence[tuple[Item, Link]]) -> str:
    said: list[str] = []
    for item, link in pairs:
        other = link.item
        if link.how == "copy":
            where = f"in {other.memory}" if other.memory != item.memory else "as well"
            said.append(f"{other.name} holds it {where}")
        elif other.name != item.name and link.how.startswith("probably"):
            said.append(f"{link.how}, {item.name} before")
        elif other.name != item.name and link.how:
            where = f", in {other.memory}" if other.memory != item.memory else ""
            said.append(f"renamed from {item.name}{where}")
        elif other.times > item.times > 0:
            said.append("two copies" if other.times == 2 else f"{other.times} copies")
        elif other.extent != item.extent and other.extent and item.extent:
            said.append(f"holds {other.extent:,} elements, {item.extent:,} before")
    return "; ".join(dict.fromkeys(said))


def _loops(before: Sequence[Item], pairs: Sequence[tuple[Item, Link]]) -> str:
    old = {(item.name, item.extent) for item in before}
    if any(name == CORE for name, _ in old):
        before = [item for item in before if item.name != CORE]
        pairs = [(i, x) for i, x in pairs if x.item.name not in (CORE, CORE_IN_CODE)]
        old = {(item.name, item.extent) for item in before}
    new = dict.fromkeys((link.item.name, link.item.extent) for _, link in pairs)
    if set(new) == old:
        return ""
    kept = {item.number for item, _ in pairs}
    lost = list(dict.fromkeys(item.name for item in before if item.number not in kept))
    lost = [name for name in lost if name not in {name for name, _ in new}]
    if lost and set(new) < old:
        return f"{_list(lost)} {'is' if len(lost) == 1 else 'are'} gone"
    named = list(dict.fromkeys(item.name for item, _ in pairs))
    doubt = "" if all(link.sure for _, link in pairs) else "probably "
    cores = [extent for name, extent in new if name == CORE]
    rest = [(name, extent) for name, extent in new if name != CORE]
    if cores:
        each = f", {_times(rest)} on each" if rest else ""
        return f"{doubt}shared among {cores[0]} cores ({CORE}){each}"
    if len(new) == 1 and not lost:
        ((name, extent),) = new
        if name in named:
            was = next(extent for name, extent in old)
            return f"{doubt}{_count(extent)} iterations, {_count(was)} before"
        return f"{doubt}{'fused of' if len(named) > 1 else 'renamed from'} {_list(named)}"
    if len(pairs) == len(kept) and not lost:
        return f"{doubt}renamed from {_list(named)}"
    return f"{doubt}split into {_times(rest)}"


def _times(loops: Iterable[tuple[str, int | None]]) -> str:
    return _list([f"{name} ({_count(extent)})" for name, extent in loops])


def _count(extent: int | None) -> str:
    return f"{extent:,}" if extent is not None else "?"


def _list(names: Sequence[str]) -> str:
    if len(names) > _LISTED:
        names = [*names[:_LISTED], "others"]
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""


# The end


def arrived(name: str, sheet: Sheet, items: Sequence[Item]) -> str:
    """What it is in the emitted code."""
    kind = items[0].kind
    if kind == "buffer":
        return _emitted_buffers(sheet, items)
    if kind == "loop":
        loops = [
            f"the loop {i.name} in line {i.first} ({_count(i.extent)} times)"
            if i.name != CORE_IN_CODE
            else f"the number of the core, {i.name}"
            for i in items
        ]
        return f"In the emitted code it is {_list(loops)}."
    if kind in ("operation", "function"):
        done = [f"{_call(sheet, i)} in line {i.first}" for i in items]
        return f"It becomes {_list(done)} of the emitted code."
    if isinstance(sheet, MlirSheet):
        return _emitted_values(sheet, items)
    return f"In the emitted code it is {items[0].name}, line {items[0].first}."


def _emitted_buffers(sheet: Sheet, items: Sequence[Item]) -> str:
    where = []
    for item in items:
        if item.offset is not None:
            where.append(f"{item.name} at byte {item.offset:,} of {item.memory}")
        else:
            where.append(f"the parameter {item.name}")
    lines = [place for item in items for place in sheet.places(item)]
    return f"In the emitted code it is {_list(where)}{_used(sheet, lines)}."


def _emitted_values(sheet: MlirSheet, items: Sequence[Item]) -> str:
    where = []
    for item in items:
        value = sheet.value_of[item.number]
        if item.offset is not None:
            where.append(f"{item.name} at byte {item.offset:,} of {item.memory}")
        else:
            where.append(f"{item.name}{f' ({value.type})' if value.type else ''}")
    whole = [part for item in items for part in (item, *sheet.parts(item))]
    lines = [place for item in whole for place in sheet.places(item)]
    return f"In the emitted code it is {_list(where)}{_used(sheet, lines)}."


def _used(sheet: Sheet, places: Iterable[Place]) -> str:
    """By which instructions, in which lines."""
    said = ""
    for role in ("written", "read", "used"):
        by: dict[str, list[int]] = {}
        for place in places:
            if place.role != role:
                continue
            for operation in sheet.at(place.line):
                if not isinstance(sheet, MlirSheet) or _does(operation):
                    lines = by.setdefault(_call(sheet, operation), [])
                    if place.line not in lines:
                        lines.append(place.line)
        if by:
            done = [f"{call} in line{_lines(lines)}" for call, lines in by.items()]
            said += f"; {role} by {_list(done)}"
    return said


def _does(operation: Item) -> bool:
    return operation.word not in VIEWS and operation.word != "annotation.mark"


def _call(sheet: Sheet, operation: Item) -> str:
    if isinstance(sheet, MlirSheet) and operation.word in ("func.call", "llvm.call"):
        return sheet.operation_of[operation.number].symbol
    return "a store" if operation.word == "=" else operation.word


def _lines(lines: Sequence[int]) -> str:
    return f" {lines[0]}" if len(lines) == 1 else f"s {_list([str(line) for line in lines])}"


def gone(items: Sequence[Item], where: str, before: Sheet, after: Sheet, links: Links) -> str:
    """In which pass it is there no more, and what stands in its place."""
    item = items[0]
    users = [op for op in before.operations if _touches(op, item)]
    said = f"{item.name} is gone in {where}"
    for operation in users:
        for link in links.of(operation):
            if item.kind == "buffer" and item.number in operation.reads:
                had = {before.items[n].name for n in operation.reads}
                now = [after.items[n].name for n in link.item.reads]
                other = [name for name in now if name not in had]
                if other:
                    return (
                        f"{said}: what read it reads {_list(other)} there (line {link.item.first})."
                    )
            if item.kind == "loop":
                text = _cut(after.line(link.item.first))
                return f"{said}: what it repeated is line {link.item.first} there, {text}."
    place = next(iter(before.places(item)), None)
    text = _cut(before.line(place.line)) if place else ""
    return (
        f"{said}: of the pass before, line {place.line} ({text}) has no counterpart."
        if (place)
        else f"{said}."
    )


def _touches(operation: Item, item: Item) -> bool:
    return item.number in (*operation.reads, *operation.loops)


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
