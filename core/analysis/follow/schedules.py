"""Schedule trees: they name statements by number, loops as their statements do, and buffers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core.analysis.follow.sheet import Item, Sheet
from core.analysis.follow.trail import Place, Role

_STATEMENT = re.compile(r"\bS_(\d+)\[([^\[\]]*)\]")
_NAME = re.compile(r"[^\W\d][\w.]*")


def asked_in(text: str, line: int, name: str, sheet: Sheet) -> list[Item]:
    """What a name in a line of a schedule means in a text of the statement language beside it."""
    numbered = re.fullmatch(r"S_(\d+)", name)
    statements = _statements(text, sheet)
    if numbered:
        found = statements.get(int(numbered[1]))
        return [found] if found else []
    buffers = [i for i in sheet.named(name) if i.kind == "buffer"]
    if buffers and re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", text):
        return buffers
    lines = text.split("\n")
    here = lines[line - 1] if 0 < line <= len(lines) else ""
    loops: dict[int, Item] = {}
    for number, dimensions in _STATEMENT.findall(here):
        operation = statements.get(int(number))
        if operation is not None and name in _NAME.findall(dimensions):
            for loop in operation.loops:
                if sheet.items[loop].name == name:
                    loops[loop] = sheet.items[loop]
    return list(loops.values())


def mentions(
    text: str, ground: Sheet | None, wanted: Sequence[tuple[Sheet, Item]]
) -> tuple[tuple[str, ...], tuple[Place, ...]]:
    """The lines of a schedule that name one of these, with the names they have there.

    `ground` is the text that the schedule is of: its statements are numbered in their order.
    """
    statements = _statements(text, ground) if ground else {}
    buffers = [item for _, item in wanted if item.kind == "buffer"]
    words = {item.name: item for item in buffers}
    numbers: dict[int, Role] = {}
    loops: dict[int, str] = {}
    for sheet, item in wanted:
        if sheet is ground:
            for number, operation in statements.items():
                role = _role(item, operation)
                if role and item.kind == "loop":
                    loops[number] = item.name
                elif role:
                    numbers[number] = role
    places = list(_places(text, words, numbers, loops))
    return tuple(dict.fromkeys(place.name for place in places)), tuple(places)


def _places(
    text: str, words: dict[str, Item], numbers: dict[int, Role], loops: dict[int, str]
) -> Iterable[Place]:
    for line, content in enumerate(text.split("\n"), 1):
        named = words.keys() & set(_NAME.findall(content))
        role: Role = "used"
        if named:
            name = max(named, key=len)
            role = "read" if "GMread" in content else "written" if "GMwrite" in content else "used"
            yield Place(line, role, name)
            continue
        for number, dimensions in _STATEMENT.findall(content):
            known = numbers.get(int(number))
            if known:
                yield Place(line, known, f"S_{number}")
                break
            if loops.get(int(number)) in _NAME.findall(dimensions):
                yield Place(line, "used", loops[int(number)])
                break


def _role(item: Item, operation: Item) -> Role | None:
    if item.kind == "loop":
        return "used" if item.number in operation.loops else None
    if item.number == operation.number:
        return "used"
    if item.number in operation.writes:
        return "written"
    return "read" if item.number in operation.reads else None


def _statements(text: str, ground: Sheet) -> dict[int, Item]:
    """The statements of a schedule by number: they are counted as they stand in the text that it
    is of. None, where their loops are not those of the statements so counted."""
    operations = [item for item in ground.operations if item.writes and ") = " in item.text]
    found: dict[int, Item] = {}
    for number, dimensions in _STATEMENT.findall(text):
        place = int(number)
        if place in found:
            continue
        if place >= len(operations):
            return {}
        names = _NAME.findall(dimensions.partition("=")[0])
        loops = {ground.items[loop].name for loop in operations[place].loops}
        if "=" not in dimensions and not set(names) <= loops:
            return {}
        found[place] = operations[place]
    return found
