"""MLIR, read for following: values, and the operations that make and use them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.analysis.follow.sheet import Item, Sheet
from core.analysis.follow.trail import Place, Role
from core.ir.mlir import Module, Operation, Value, parse
from core.ir.mlir_access import (
    ALLOCATES,
    VIEWS,
    Origins,
    access,
    called,
    is_function,
    is_pointer,
)
from core.ir.mlir_memory import PLACED, allocation, memory_of
from core.ir.mlir_syntax import location

_LOCATION = re.compile(r"\bloc\((.*)\)$")
_SSA = re.compile(r"%[\w$.-]+(?:#\d+)?")


class MlirSheet(Sheet):
    """With what an item is in the tree."""

    def __init__(self, text: str, module: Module) -> None:
        super().__init__(text)
        self.module = module
        self.origins = Origins()
        self.operation_of: dict[int, Operation] = {}  #: by number of the item
        self.value_of: dict[int, Value] = {}
        self.item_of: dict[int, Item] = {}  #: by id of an operation or a value
        self._masked: dict[int, str] = {}
        self._sources: dict[str, str] = {}
        self.located = "loc(" in text  #: whether it says where things are from

    def masked(self, item: Item) -> str:
        """The text of an operation without the names of values and without its location."""
        found = self._masked.get(item.number)
        if found is None:
            operation = self.operation_of[item.number]
            head = _SSA.sub("%", operation.head)
            found = self._masked[item.number] = f"{item.word}{head}/{len(operation.results)}"
        return found

    def source(self, item: Item) -> str:
        """Where in the kernel's source an operation is from; "" where the text does not say."""
        if not self.located:
            return ""
        found = _LOCATION.search(self.line(item.last))
        if found is None:
            return ""
        if found[1] not in self._sources:
            place = location(found[1], self.module.aliases)
            self._sources[found[1]] = f"{place.file}:{place.line}:{place.column}" if place else ""
        return self._sources[found[1]]

    def places(self, item: Item) -> tuple[Place, ...]:
        value = self.value_of.get(item.number)
        if value is not None and len(item.places) == 1:
            for operation in dict.fromkeys(value.uses):
                item.add(operation.first, _role(operation, value))
        return super().places(item)

    def parts(self, item: Item) -> Sequence[Item]:
        value = self.value_of.get(item.number)
        if value is None or not is_pointer(value.type):
            return ()
        found: dict[int, Item] = {}
        pending = [value]
        while pending:
            for operation in pending.pop().uses:
                if operation.name not in VIEWS or not operation.results:
                    continue
                part = operation.results[0]
                known = self.item_of.get(id(part))
                if known is not None and known.number not in found:
                    found[known.number] = known
                    pending.append(part)
        return list(found.values())


def read_mlir(text: str) -> MlirSheet:
    """The sheet of an MLIR text. Raises MlirError."""
    module = parse(text, tolerant=True)
    sheet = MlirSheet(text, module)
    _enter(sheet, module.operations, "", ())
    return sheet


def _enter(
    sheet: MlirSheet, operations: Sequence[Operation], region: str, loops: tuple[int, ...]
) -> None:
    pending = [(operation, region, loops) for operation in reversed(operations)]
    while pending:
        operation, region, loops = pending.pop()
        function = is_function(operation)
        name = f"@{operation.symbol}" if function else operation.name
        kind = "function" if function else "operation"
        inner = operation.symbol if function else region
        item = sheet.new(name, "function" if kind == "function" else "operation", inner,
                         operation.first, operation.last)  # fmt: skip
        item.word, item.loops = operation.name, loops
        stands = name if name in sheet.line(operation.first) else name.rpartition(".")[2]
        item.add(operation.first, "defined" if function else "used", stands)
        if function:
            sheet.operations.append(item)
        sheet.operation_of[item.number] = operation
        sheet.item_of[id(operation)] = item
        for value in operation.results:
            _value(sheet, value, region, operation.first, _end(operation))
        inside = (*loops, item.number) if operation.regions else loops
        for block in operation.blocks:
            for value in block.arguments:
                _value(sheet, value, inner, block.first, operation.last)
        for block in reversed(list(operation.blocks)):
            pending.extend((each, inner, inside) for each in reversed(block.operations))


def _end(operation: Operation) -> int:
    """The last line where the name of its results may mean them."""
    parent = operation.parent.parent
    return parent.last if parent is not None else 1 << 30


def _value(sheet: MlirSheet, value: Value, region: str, first: int, last: int) -> None:
    item = sheet.new(value.name, "value", region, first, last)
    sheet.value_of[item.number] = value
    sheet.item_of[id(value)] = item
    owner = value.owner
    made = isinstance(owner, Operation) and owner.name in ALLOCATES
    item.add(first, "allocated" if made else "defined")
    if made and isinstance(owner, Operation) and owner.name == PLACED:
        item.offset = (allocation(owner).offsets or (None,))[0]
        item.memory = memory_of(value.type)


def _role(operation: Operation, value: Value) -> Role:
    if operation.name in VIEWS or operation.name == "annotation.mark":
        return "used"
    if operation.name in ("func.call", "llvm.call"):
        done = called(operation, ())
        if len(done.writes) == 1:
            return "written" if value in done.writes else "read"
        return "used"
    done = access(operation)
    if value in done.writes:
        return "written"
    return "read" if value in done.reads else "used"
