"""What became of the values and operations of one MLIR text in the next one.

Values are numbered anew in every text, so that their names say nothing. What says it is what makes
a value: an operation that reads alike, is from the same place of the source, or does the same
between neighbours that are known.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence

from rapidfuzz.distance import LCSseq

from core.analysis.follow.mlir_sheet import MlirSheet
from core.analysis.follow.sheet import Item, Link, unique
from core.ir.mlir import Block, Operation, Value
from core.ir.mlir_access import ALLOCATES, VIEWS, access, is_function, is_pointer

_ALLOCATES = ALLOCATES | {"tensor.empty", "bufferization.alloc_tensor"}
_LOOPS = frozenset(("scf.for", "scf.forall", "scf.parallel", "affine.for", "scf.while"))
#: What stands beside an operation at the same place of the source and does not do its work.
_BESIDE = (
    VIEWS
    | _ALLOCATES
    | {
        "arith.constant", "arith.index_cast", "tensor.extract_slice", "tensor.dim", "memref.dim",
        "tensor.collapse_shape", "tensor.expand_shape", "annotation.mark", "affine.apply",
        "affine.min", "affine.max", "tensor.insert_slice", "hivm.hir.set_flag", "scf.yield",
        "hivm.hir.wait_flag", "hivm.hir.pipe_barrier", "tensor.cast", "llvm.mlir.constant",
    }
)  # fmt: skip
_FUNCTION_ATTRIBUTE = re.compile(r"<(\w+)>")
_VERB = re.compile(
    r"(?:^|[._])v?(add|sub|mul|div|max|min|exp|ln|log|sqrt|rsqrt|abs|rec|rcp|cast|reduce|mmad|matmul"
    r"|load|store|copy|brc|broadcast|fill|cmp|select|sel|transpose|fixpipe|nd2nz|relu|neg|erf|tanh"
    r"|interleave|concat|pad|gather|cumsum|not|and|or|xor|shl|shr)"
)
_SAME = {
    "log": "ln", "rcp": "rec", "matmul": "mmad", "brc": "fill", "broadcast": "fill",
    "sel": "select", "copy": "load",
}  # fmt: skip


class MlirLinks:
    """Between two MLIR texts."""

    def __init__(self, a: MlirSheet, b: MlirSheet) -> None:
        self.a, self.b = a, b
        self._to: dict[int, Link] = {}
        self._from: dict[int, Link] = {}
        self._located = a.located and b.located
        left_a, left_b = self._functions()
        self._left(left_a, left_b)

    # Operations

    def _functions(self) -> tuple[list[Item], list[Item]]:
        """Join what reads alike in functions of one name; what is left of all."""
        ours, theirs = _by_region(self.a), _by_region(self.b)
        left_a: list[Item] = []
        left_b: list[Item] = []
        for name in dict.fromkeys((*ours, *theirs)):
            mine, others = ours.get(name, []), theirs.get(name, [])
            if not mine or not others:
                left_a += mine
                left_b += others
                continue
            one, other = self._alike(mine, others)
            left_a += one
            left_b += other
        return left_a, left_b

    def _alike(self, ours: list[Item], theirs: list[Item]) -> tuple[list[Item], list[Item]]:
        heads_a = [self.a.masked(item) for item in ours]
        heads_b = [self.b.masked(item) for item in theirs]
        several = {h for h, n in (Counter(heads_a) | Counter(heads_b)).items() if n > 1}
        ids: dict[Hashable, int] = {}

        def key(sheet: MlirSheet, item: Item, head: str) -> int:
            full: Hashable = head
            if self._located and head in several:
                full = (head, sheet.source(item))
            return ids.setdefault(full, len(ids))

        a = [key(self.a, item, head) for item, head in zip(ours, heads_a, strict=True)]
        b = [key(self.b, item, head) for item, head in zip(theirs, heads_b, strict=True)]
        left_a: list[Item] = []
        left_b: list[Item] = []
        for op in LCSseq.opcodes(a, b):
            mine, others = ours[op.src_start : op.src_end], theirs[op.dest_start : op.dest_end]
            if op.tag == "equal":
                for one, other in zip(mine, others, strict=True):
                    self._join(one, other)
            else:
                left_a += mine
                left_b += others
        return left_a, left_b

    def _left(self, left_a: list[Item], left_b: list[Item]) -> None:
        """Join what reads otherwise now, more loosely from step to step."""
        for key in _KEYS if self._located else _KEYS_ALONE:
            left_a = [item for item in left_a if item.number not in self._to]
            left_b = [item for item in left_b if item.number not in self._from]
            if not left_a or not left_b:
                return
            loose = key in _LOOSE
            groups: dict[Hashable, tuple[list[Item], list[Item]]] = defaultdict(lambda: ([], []))
            for sheet, items, side in ((self.b, left_b, 1), (self.a, left_a, 0)):
                for item in items:
                    found = key(sheet, item, sheet.operation_of[item.number])
                    if found is not None and (side or found in groups):
                        groups[found][side].append(item)
            for ours, theirs in groups.values():
                sure = not loose and len(ours) == len(theirs)
                for one, other in zip(ours, theirs, strict=False):
                    self._join(one, other, sure)

    def _join(self, one: Item, other: Item, sure: bool = True) -> None:
        how = "" if one.word == other.word else f"{one.word} is {other.word} from here"
        if not sure:
            how = f"probably: {how}" if how else "probably: the same kind and place"
        self._to[one.number] = Link(other, sure, how)
        self._from[other.number] = Link(one, sure, how)

    # Values

    def of(self, item: Item) -> Sequence[Link]:
        return self._across(item, self.a, self.b, self._to)

    def back(self, item: Item) -> Sequence[Link]:
        return self._across(item, self.b, self.a, self._from)

    def tells(self, item: Item, forward: bool) -> bool:
        here, joined = (self.a, self._to) if forward else (self.b, self._from)
        near = [
            each.number
            for each in here.operations
            if each.region == item.region and each.number in joined
        ]
        return bool(near)

    def _across(
        self, item: Item, here: MlirSheet, there: MlirSheet, joined: dict[int, Link]
    ) -> Sequence[Link]:
        value = here.value_of.get(item.number)
        if value is None:
            link = joined.get(item.number)
            return [link] if link else []
        found = list(self._made(value, here, there, joined))
        if not found:
            found = list(self._used(value, here, there, joined))
        if is_pointer(value.type) and not any(_is_buffer(there, link.item) for link in found):
            found = list(self._filled(value, here, there, joined)) or found
        return unique(found)

    def _made(
        self, value: Value, here: MlirSheet, there: MlirSheet, joined: dict[int, Link]
    ) -> Iterable[Link]:
        """By what makes it."""
        owner = value.owner
        if isinstance(owner, Block):
            yield from self._argument(value, owner, here, there, joined)
            return
        if owner is None:
            return
        link = joined.get(here.item_of[id(owner)].number)
        if link is None:
            return
        other = there.operation_of[link.item.number]
        if len(other.results) == len(owner.results):
            yield Link(there.item_of[id(other.results[value.index])], link.sure, link.how)
            return
        if other.results:
            return
        for written in list(access(other).writes)[:1]:
            for origin in there.origins.of(written):
                known = there.item_of.get(id(origin))
                if known is not None:
                    yield Link(known, link.sure, f"{value.name} lies in {origin.name} from here")

    def _argument(
        self,
        value: Value,
        block: Block,
        here: MlirSheet,
        there: MlirSheet,
        joined: dict[int, Link],
    ) -> Iterable[Link]:
        parent = block.parent
        if parent is None:
            return
        link = joined.get(here.item_of[id(parent)].number)
        if link is None:
            return
        other = there.operation_of[link.item.number]
        ours, theirs = list(parent.blocks), list(other.blocks)
        place_of = ours.index(block)
        if place_of >= len(theirs):
            return
        twin = theirs[place_of]
        if len(block.arguments) == len(twin.arguments):
            yield Link(there.item_of[id(twin.arguments[value.index])], link.sure)
            return
        if is_function(parent):
            yield from _by_type(value, block, twin, there)
        elif value.index == 0 and twin.arguments:
            yield Link(there.item_of[id(twin.arguments[0])], link.sure)

    def _used(
        self, value: Value, here: MlirSheet, there: MlirSheet, joined: dict[int, Link]
    ) -> Iterable[Link]:
        """By what stands in its place where it is used."""
        votes: Counter[int] = Counter()
        for operation in dict.fromkeys(value.uses):
            link = joined.get(here.item_of[id(operation)].number)
            if link is None:
                continue
            other = there.operation_of[link.item.number]
            if len(other.operands) != len(operation.operands):
                continue
            for at, operand in enumerate(operation.operands):
                known = there.item_of.get(id(other.operands[at]))
                if operand is value and known is not None:
                    votes[known.number] += 1
        for number, _ in votes.most_common(1):
            yield Link(there.items[number], False, "probably: it is used in the same place")

    def _filled(
        self, value: Value, here: MlirSheet, there: MlirSheet, joined: dict[int, Link]
    ) -> Iterable[Link]:
        """A buffer by the values that are written into it."""
        parts = [here.item_of[id(value)], *here.parts(here.item_of[id(value)])]
        for part in parts:
            for operation in dict.fromkeys(here.value_of[part.number].uses):
                if here.value_of[part.number] not in access(operation).writes:
                    continue
                link = joined.get(here.item_of[id(operation)].number)
                results = there.operation_of[link.item.number].results if link else ()
                if link and len(results) == 1:
                    yield Link(there.item_of[id(results[0])], link.sure, "holds")


def _is_buffer(sheet: MlirSheet, item: Item) -> bool:
    return is_pointer(sheet.value_of[item.number].type)


def _by_type(value: Value, block: Block, twin: Block, there: MlirSheet) -> Iterable[Link]:
    """An argument of a function that has others now: in order among those of its type."""
    same = [v for v in block.arguments if _element(v) == _element(value)]
    other = [v for v in twin.arguments if _element(v) == _element(value)]
    if len(same) == len(other):
        yield Link(there.item_of[id(other[same.index(value)])])
    elif other:
        at = min(value.index + len(twin.arguments) - len(block.arguments), len(twin.arguments) - 1)
        yield Link(there.item_of[id(twin.arguments[max(at, 0)])], False, "probably: its position")


def _element(value: Value) -> str:
    """Its type without what bufferization and memories add."""
    found = re.sub(r",?\s*(?:strided<[^<>]*>|#hivm\.address_space<\w+>)", "", value.type)
    return found.replace("memref<", "tensor<").replace("!tt.ptr<", "tensor<?x")


def _by_region(sheet: MlirSheet) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = defaultdict(list)
    for item in sheet.operations:
        found[item.region].append(item)
    return found


def _class(operation: Operation) -> str:
    if operation.name in _ALLOCATES:
        return "allocates"
    if operation.name in _LOOPS:
        return "loop"
    if is_function(operation):
        return f"function {operation.symbol}"
    return operation.name


def _shape(operation: Operation) -> str:
    return _element(operation.results[0]) if operation.results else ""


def _verb(operation: Operation) -> str:
    """What it does in one word, whichever dialect says it."""
    text = operation.name.rpartition(".")[2]
    if operation.name in ("func.call", "llvm.call"):
        text = operation.symbol
    elif (named := _FUNCTION_ATTRIBUTE.search(operation.attributes.get("fun", ""))) is not None:
        text = named[1]
    found = _VERB.search(text)
    return _SAME.get(found[1], found[1]) if found else ""


# By what operations are lined up, from close to loose; None is lined up with nothing.

_Keyed = Callable[[MlirSheet, Item, Operation], Hashable]


def _alike(sheet: MlirSheet, item: Item, operation: Operation) -> Hashable:
    return sheet.masked(item), sheet.source(item)


def _kind_place_shape(sheet: MlirSheet, item: Item, operation: Operation) -> Hashable:
    return _class(operation), sheet.source(item), _shape(operation)


def _kind_place(sheet: MlirSheet, item: Item, operation: Operation) -> Hashable:
    return _class(operation), sheet.source(item)


def _verb_place(sheet: MlirSheet, item: Item, operation: Operation) -> Hashable:
    source = sheet.source(item)
    if not source or operation.name in _BESIDE:
        return None
    verb = _verb(operation)
    return (verb, source) if verb else None


def _place_shape(sheet: MlirSheet, item: Item, operation: Operation) -> Hashable:
    source = sheet.source(item)
    if not source or operation.name in _BESIDE:
        return None
    return source, _shape(operation)


def _text(sheet: MlirSheet, item: Item, operation: Operation) -> Hashable:
    return sheet.masked(item)


def _kind_shape(sheet: MlirSheet, item: Item, operation: Operation) -> Hashable:
    return _class(operation), _shape(operation)


def _verb_shape(sheet: MlirSheet, item: Item, operation: Operation) -> Hashable:
    verb = _verb(operation) if operation.name not in _BESIDE else ""
    return (verb, item.region) if verb else None


_KEYS: Sequence[_Keyed] = (_alike, _kind_place_shape, _kind_place, _verb_place, _place_shape)
_KEYS_ALONE: Sequence[_Keyed] = (_text, _kind_shape, _verb_shape)
_LOOSE: Sequence[_Keyed] = (_place_shape, _verb_shape)
