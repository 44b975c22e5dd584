"""The picture of emitted CCE code: its loops as frames, its instructions and buffers.

As in the passes before it, a statement alone in its loops is one node, and what orders the pipes
or sets modes is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from core.ir import cce
from core.ir.instructions import kind
from core.views.flow import CONDITION, WIDTH, Buffer, Item, Picture, block, root
from core.views.graph import Graph
from core.views.wording import count, middle

_UNDRAWN = frozenset(("sync", "control"))
_NAME = re.compile(r"[A-Za-z_]\w*")


def of_kernel(kernel: cce.Kernel) -> Graph:
    """The loop nest of a kernel with its buffers and data flow."""
    reader = _Reader(kernel)
    items = reader.items(kernel.body)
    note = (
        f"{count(reader.undrawn)} statements that order the pipes or set modes are not drawn."
        if reader.undrawn
        else ""
    )
    return Picture(root(items), reader.buffers).graph(note)


class _Reader:
    def __init__(self, kernel: cce.Kernel) -> None:
        self.undrawn = 0  # statements that only order the pipes or set modes
        self.buffers = {p.name: _parameter(p) for p in kernel.parameters}
        self.buffers |= {p.name: _pointer(p) for p in kernel.pointers}

    def items(self, body: Sequence[cce.Statement]) -> list[Item]:
        found: list[Item] = []
        for node in body:
            found.extend(self.of(node))
        return _merged(found)

    def of(self, node: cce.Statement) -> Iterator[Item]:
        match node:
            case cce.Loop():
                yield from self.loop(node)
            case cce.Branch():
                yield from self.branches(node)
            case cce.Invoke() if kind(node.name) in _UNDRAWN:
                self.undrawn += 1
            case cce.Invoke():
                yield self.call(node)
            case cce.Assign():
                yield self.store(node)
            case _:
                self.undrawn += 1

    def loop(self, node: cce.Loop) -> Iterator[Item]:
        items = self.items(node.body)
        times = _times(node)
        if len(items) == 1 and not items[0].arms:
            loops = [f"{node.variable} {times}", *items[0].loops]
            yield replace(items[0], first=node.first, last=node.last, loops=loops)
        elif items:
            label = [f"for {node.variable} · {times}×"]
            about = f"{node.variable} from {node.start} below {node.limit}"
            yield block(node.first, node.last, [(label, about, items)], node.variable)

    def branches(self, node: cce.Branch) -> Iterator[Item]:
        arms: list[tuple[list[str], str, list[Item]]] = []
        word, arm = "if", node
        while True:
            label = [f"{word} {middle(arm.condition, CONDITION)}"]
            arms.append((label, arm.condition, self.items(arm.then)))
            rest = arm.otherwise
            if len(rest) != 1 or not isinstance(rest[0], cce.Branch):
                break
            word, arm = "else if", rest[0]
        arms.append((["else"], "", self.items(rest)))
        drawn = [arm for arm in arms if arm[2]]
        if drawn:
            yield block(node.first, node.last, drawn)

    def call(self, node: cce.Invoke) -> Item:
        """An instruction: of its pointers the first is written, the others are read."""
        touched = self.named(f"{node.name}({node.arguments})")
        item = self.step(node, node.name, touched[0] if touched else "")
        item.tooltip = item.says = f"{node.name}({node.arguments})"
        item.label = [middle(node.name, WIDTH)]
        item.writes = dict.fromkeys(touched[:1])
        item.reads = dict.fromkeys(touched[1:])
        return item

    def store(self, node: cce.Assign) -> Item:
        target = self.named(node.target)
        item = self.step(node, "store", target[0] if target else node.target)
        item.tooltip = item.says = f"{node.target} = {node.value}"
        item.writes = dict.fromkeys(target[:1])
        item.reads = dict.fromkeys(self.named(node.value))
        return item

    def step(self, node: cce.Statement, word: str, subject: str) -> Item:
        return Item(
            f"step.{node.first}",
            node.first,
            node.last,
            [middle(word, WIDTH), middle(subject, WIDTH)],
            word=word,
            subject=subject,
            key=f"{word}|{subject}",
        )

    def named(self, expression: str) -> list[str]:
        """The buffers that an expression names, in the order of the text."""
        names = dict.fromkeys(_NAME.findall(expression))
        return [name for name in names if name in self.buffers]


def _merged(items: list[Item]) -> list[Item]:
    """Equal instructions in a row as one item."""
    merged: list[Item] = []
    for _, group in groupby(items, key=_alike):
        same = list(group)
        first, last = same[0], same[-1]
        if len(same) > 1:
            first = replace(
                first,
                last=last.last,
                label=[f"{first.label[0]} ×{count(len(same))}", *first.label[1:]],
                tooltip=f"{first.tooltip}\n…\n{last.tooltip}",
                says="\n".join(item.tooltip for item in same),
                times=len(same),
            )
        merged.append(first)
    return merged


def _alike(item: Item) -> object:
    if item.arms:
        return item.name
    return (tuple(item.label), tuple(item.loops), tuple(item.reads), tuple(item.writes))


def _times(loop: cce.Loop) -> str:
    if loop.start.isdigit() and loop.limit.isdigit():
        return count(max(int(loop.limit) - int(loop.start), 0))
    return middle(loop.limit if loop.start == "0" else f"{loop.start} … {loop.limit}", WIDTH)


def _parameter(parameter: cce.Parameter) -> Buffer:
    label = (middle(parameter.name, WIDTH), parameter.dtype)
    about = f"{parameter.name}\nGM {parameter.dtype}"
    return Buffer("GM", label, about, None, "", subject=parameter.name)


def _pointer(pointer: cce.Pointer) -> Buffer:
    place = f"at {count(pointer.offset_bytes)} B"
    return Buffer(
        pointer.memory,
        (middle(pointer.name, WIDTH), f"{pointer.dtype} {place}"),
        f"{pointer.name}\n{pointer.memory} {pointer.dtype} {place}",
        (pointer.line, pointer.line),
        None,
        subject=pointer.name,
    )
