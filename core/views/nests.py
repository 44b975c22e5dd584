"""The picture of a statement-language pass: its loops as frames, its statements and buffers.

A statement alone in its loops is one node that names them. Equal instructions in a row are one.
What orders the pipes and sets modes is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from core.ir import access, statement
from core.ir.expression import (
    Binary,
    Call,
    Cast,
    Expression,
    Load,
    Number,
    Predicated,
    children,
    parse_expression,
)
from core.ir.instructions import kind
from core.views.flow import CONDITION, WIDTH, Buffer, Item, Picture, block, inside, root
from core.views.graph import Graph
from core.views.wording import bytes_text, count, middle, short_bytes

_UNDRAWN = frozenset(("sync", "control"))
_DTYPE_BYTES = {"bool": 1, "handle": 8}

_WORDS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "modulo"}


def of_module(module: statement.Module) -> Graph:
    """The loop nest with buffers and data flow.

    Raises StatementError where an expression cannot be read.
    """
    reader = _Reader()
    if len(module.functions) == 1:
        items = reader.items(module.body)
    else:
        items = [reader.function(function) for function in module.functions]
    buffers = _buffers(items, access.declared(module))
    note = (
        f"{count(reader.undrawn)} statements that order the pipes or set modes are not drawn."
        if reader.undrawn
        else ""
    )
    return Picture(root(items), buffers).graph(note)


def _buffers(items: Sequence[Item], declared: Mapping[str, access.Declared]) -> dict[str, Buffer]:
    """All that is read or written; what nothing declares is handed to the kernel."""
    names = dict.fromkeys(name for item in inside(items) for name in (*item.reads, *item.writes))
    return {name: _buffer(name, declared.get(name)) for name in names}


def _buffer(name: str, declared: access.Declared | None) -> Buffer:
    memory = declared.memory if declared else access.GLOBAL
    label, about, lines, size = [middle(name, WIDTH)], f"{name}\n{memory}", None, None
    if declared:
        label.append(_size(declared, short_bytes))
        about += f" {_size(declared, bytes_text)}"
        lines = (declared.line, declared.line)
        size = _bytes(declared)
    home = "" if memory == access.GLOBAL else None
    return Buffer(memory, tuple(label), about, lines, home, size, name)


# --- statements to items --------------------------------------------------------------------------


class _Reader:
    def __init__(self) -> None:
        self.undrawn = 0  # statements that only order the pipes or set modes

    def function(self, function: statement.Function) -> Item:
        items = self.items(function.body)
        label = [f"function {middle(function.name, WIDTH)}"]
        return block(function.first, function.last, [(label, "", items)])

    def items(self, body: Sequence[statement.Statement]) -> list[Item]:
        found: list[Item] = []
        pragma = ""
        for position, node in enumerate(body):
            if isinstance(node, statement.Attribute):
                if node.key == "thread_extent" and node.value.isdigit() and int(node.value) > 1:
                    found.append(self._cores(node, body[position + 1 :]))
                    break
                if node.key == "pragma_emit_insn":
                    pragma = node.value.strip('"')
                continue
            found.extend(self._of(node, pragma))
            pragma = ""
        return _merged(found)

    def _cores(self, node: statement.Attribute, rest: Sequence[statement.Statement]) -> Item:
        last = max((s.last for s in rest), default=node.last)
        label = [f"blockIdx.x · {node.value} cores"]
        return block(node.first, last, [(label, "", self.items(rest))])

    def _of(self, node: statement.Statement, pragma: str) -> Iterator[Item]:
        match node:
            case statement.For():
                yield from self._loop(node, pragma)
            case statement.If():
                yield from self._branches(node)
            case statement.Produce() | statement.Realize():
                yield from self.items(node.body)
            case statement.Store(buffer=target) | statement.Provide(tensor=target):
                yield _step(node, _operation(node.value), target)
            case statement.Evaluate() if node.callee:
                if kind(node.callee) in _UNDRAWN or node.callee.startswith("cce.coproc"):
                    self.undrawn += 1
                else:
                    yield _step(node, node.callee, "")
            case _:
                return

    def _loop(self, node: statement.For, pragma: str) -> Iterator[Item]:
        loops = [node]
        while (inner := _only(loops[-1].body)) is not None:
            loops.append(inner)
        items = self.items(loops[-1].body)
        if len(items) == 1 and not items[0].arms:
            alone = [f"{loop.variable} {_times(loop)}" for loop in loops] + items[0].loops
            label = [*items[0].label, f"→ {pragma}"] if pragma else items[0].label
            yield replace(items[0], first=node.first, last=node.last, label=label, loops=alone)
        elif items:
            labels = [f"{loop.kind} {loop.variable} · {_times(loop)}×" for loop in loops]
            if pragma:
                labels.append(f"→ {pragma}")
            about = "\n".join(
                f"{loop.variable} from {loop.minimum}, {loop.extent} times" for loop in loops
            )
            yield block(node.first, node.last, [(labels, about, items)], node.variable)

    def _branches(self, node: statement.If) -> Iterator[Item]:
        arms: list[tuple[list[str], str, list[Item]]] = []
        word, arm = "if", node
        while True:
            label = [f"{word} {middle(arm.condition, CONDITION)}"]
            arms.append((label, arm.condition, self.items(arm.then)))
            rest = arm.otherwise
            if len(rest) != 1 or not isinstance(rest[0], statement.If):
                break
            word, arm = "else if", rest[0]
        arms.append((["else"], "", self.items(rest)))
        drawn = [arm for arm in arms if arm[2]]
        if drawn:
            yield block(node.first, node.last, drawn)


def _only(body: Sequence[statement.Statement]) -> statement.For | None:
    """The loop that is all a body holds."""
    inner = body[0] if len(body) == 1 else None
    return inner if isinstance(inner, statement.For) else None


def _times(loop: statement.For) -> str:
    return count(loop.trips) if loop.trips is not None else middle(loop.extent, WIDTH)


def _step(node: statement.Statement, word: str, target: str) -> Item:
    touched = access.access(node)
    text = node.value if isinstance(node, statement.Evaluate) else _assignment(node)
    subject = target or next(iter((*touched.writes, *touched.reads)), "")
    return Item(
        f"step.{node.first}",
        node.first,
        node.last,
        [middle(word, WIDTH), middle(target, WIDTH)],
        text,
        dict.fromkeys(touched.reads),
        dict.fromkeys(touched.writes),
        word=word,
        subject=subject,
        key=f"{word}|{subject}",
    )


def _assignment(node: statement.Statement) -> str:
    match node:
        case statement.Store():
            return f"{node.buffer}[{node.index}] = {node.value}"
        case statement.Provide():
            return f"{node.tensor}({', '.join(node.indices)}) = {node.value}"
        case _:
            return ""


def _merged(items: list[Item]) -> list[Item]:
    """Equal instructions in a row as one item."""
    merged: list[Item] = []
    for _, group in groupby(items, key=_alike):
        same = list(group)
        first, last = same[0], same[-1]
        if len(same) == 1:
            merged.append(first)
            continue
        label = [f"{first.label[0]} ×{count(len(same))}", *first.label[1:]]
        tooltip = f"{first.tooltip}\n…\n{last.tooltip}"
        says = "\n".join(item.tooltip for item in same)
        merged.append(
            replace(first, last=last.last, label=label, tooltip=tooltip, times=len(same), says=says)
        )
    return merged


def _alike(item: Item) -> object:
    if item.arms:
        return item.name
    return (tuple(item.label), tuple(item.loops), tuple(item.reads), tuple(item.writes))


def _operation(text: str) -> str:
    """What a value does, in a few words; indices apart."""
    words: dict[str, None] = {}
    tree = parse_expression(text)
    top = tree.value if isinstance(tree, Predicated) else tree
    if isinstance(top, Number):
        return f"set {top.value:g}"
    pending: list[Expression] = [top]
    while pending:
        node = pending.pop()
        match node:
            case Binary():
                words[_WORDS.get(node.operator, "compare")] = None
            case Cast():
                words[f"cast to {node.dtype}"] = None
            case Call() if node.kind or node.name in ("min", "max", "select"):
                words[node.name] = None
            case Load() | Call():
                continue
        pending.extend(reversed(children(node)))
    names = list(words) or ["copy"]
    return ", ".join(names[:3]) + (" …" if len(names) > 3 else "")


def _bytes(declared: access.Declared) -> int | None:
    if declared.elements is None:
        return None
    each = _DTYPE_BYTES.get(declared.dtype)
    if each is None:
        bits = "".join(c for c in declared.dtype if c.isdigit())
        each = int(bits) // 8 if bits else None
    return declared.elements * each if each else None


def _size(declared: access.Declared, written: Callable[[int], str]) -> str:
    """Type, elements and bytes of a buffer."""
    if declared.elements is None:
        return declared.dtype
    size = _bytes(declared)
    text = f" {written(size)}" if size else ""
    times = f" ×{declared.times}" if declared.times > 1 else ""
    return f"{declared.dtype} [{count(declared.elements)}]{text}{times}"
