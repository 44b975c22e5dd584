"""What one core moves and computes, counted in the final HIVM module of an MLIR kernel.

Sizes are those of memrefs, followed back through casts and views to where they are static; a view
whose size is known at run time only is taken as large as what it is a view of, so figures are those
of a full tile. Loops are run on core 0, or program 0 of a grid; of a long one the first iteration,
the one before the last and the last. Where a loop's bound is known at the launch only, nothing can
be counted.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterable

from core.ir import mlir
from core.ir.arithmetic import Unknown
from core.ir.mlir import Operation, Value
from core.ir.mlir_arithmetic import counters, number, value_of
from core.ir.mlir_instructions import instruction, library
from core.ir.mlir_memory import bits_of, memory_of, shape_of
from core.ir.mlir_syntax import element_type
from core.ir.work import FRACTAL, VECTOR_BYTES, Moved, traffic
from core.trace import Work

_HOST = "HOST"
_LOOPS = frozenset(("scf.for", "scf.forall"))
_OTHER_LOOPS = frozenset(("scf.while", "scf.parallel", "affine.for", "cf.br", "cf.cond_br"))
#: What gives another name, shape or type to the memory of its first operand.
_VIEWS = frozenset(
    (
        "memref.cast", "memref.subview", "memref.reinterpret_cast", "memref.view",
        "memref.collapse_shape", "memref.expand_shape", "memref.memory_space_cast",
        "hivm.hir.bitcast", "memref.transpose",
    )
)  # fmt: skip
_SIZED = frozenset(("memref.subview", "memref.view"))
_FIRST = 64  #: iterations up to which a loop is run whole
_DEPTH = 64
_BITS = 8


class _NotCounted(Exception):
    """Why nothing can be said: one sentence."""


def count_mlir_work(text: str) -> Work:
    """Count in a final module. Raises MlirError where the text is none.

    Where it cannot be counted, `why_not` says why.
    """
    module = mlir.parse(text, tolerant=True)
    counting = _Counting(library(module))
    try:
        for function in module.walk():
            if function.name.endswith(".func") and function.regions and _HOST not in function.head:
                counting.add(counting.block(function.regions[0][0].operations))
    except _NotCounted as reason:
        return Work(why_not=str(reason))
    except RecursionError:
        return Work(why_not="The code is nested too deeply to be counted.")
    tally = counting.total
    moved = [(key, n) for key, n in tally.items() if isinstance(key, Moved)]
    if not moved and not tally:
        return Work(why_not="The final IR holds no instruction whose size is known.")
    doubled = any(_doubles(operation) for operation in module.walk())
    return Work(
        traffic=traffic(moved),
        vector_steps=tally["vector"],
        fractals=tally["fractals"],
        scalar_stores=tally["store"],
        syncs=tally["sync"],
        double_buffered=doubled,
        exact=counting.exact,
        note="" if counting.exact else "Tiles are counted as full ones: sizes vary at run time.",
    )


def _doubles(operation: Operation) -> bool:
    """Whether it turns between two copies of a buffer: late passes make a select of them."""
    return operation.name == "arith.select" and any(
        memory_of(result.type) for result in operation.results
    )


class _Counting:
    """Amounts, on the way through the operations of a function."""

    def __init__(self, declared: Container[str]) -> None:
        self.declared = declared
        self.known: dict[int, int] = {}  # values of counters, by id
        self.total: Counter[Moved | str] = Counter()
        self.exact = True

    def add(self, tally: Counter[Moved | str]) -> None:
        self.total.update(tally)

    def block(self, operations: Iterable[Operation]) -> Counter[Moved | str]:
        tally: Counter[Moved | str] = Counter()
        for operation in operations:
            if operation.name in _LOOPS:
                tally.update(self._loop(operation))
            elif operation.name in _OTHER_LOOPS:
                raise _NotCounted(
                    f"Line {operation.first} of the final IR is a {operation.name}, which runs as "
                    "often as data say."
                )
            elif operation.name == "scf.if":
                tally.update(self._branch(operation))
            elif operation.name == "hivm.hir.get_block_idx" and operation.results:
                self.known[id(operation.results[0])] = 0
            elif operation.regions:
                for block in operation.regions[0]:
                    tally.update(self.block(block.operations))
            else:
                tally.update(self._instruction(operation))
        return tally

    def _loop(self, loop: Operation) -> Counter[Moved | str]:
        found = counters(loop)
        if len(found) != 1:
            return self._nest(loop)
        (one,) = found
        try:
            start, stop, step = (number(b, self.known) for b in (one.start, one.stop, one.step))
        except Unknown:
            bound = one.stop if isinstance(one.stop, Value) else one.start
            name = bound.name if isinstance(bound, Value) else str(bound)
            raise _NotCounted(
                f"The loop in line {loop.first} of the final IR runs until {name}, which is known "
                "at the launch only."
            ) from None
        trips = max(0, -(-(stop - start) // step)) if step > 0 else 0

        def turn(at: int) -> Counter[Moved | str]:
            self.known[id(one.counter)] = start + at * step
            return self.block(loop.regions[0][0].operations)

        tally: Counter[Moved | str] = Counter()
        if trips <= _FIRST:
            for at in range(trips):
                tally.update(turn(at))
            return tally
        first, before, last = turn(0), turn(trips - 2), turn(trips - 1)
        self.exact = self.exact and first == before
        for key, amount in first.items():
            tally[key] = amount * (trips - 1)
        tally.update(last)
        return tally

    def _nest(self, loop: Operation) -> Counter[Moved | str]:
        """A loop over several counters, all iterations taken as the first."""
        total = 1
        try:
            for one in counters(loop):
                start, stop, step = (number(b, self.known) for b in (one.start, one.stop, one.step))
                total *= max(0, -(-(stop - start) // step))
                self.known[id(one.counter)] = start
        except Unknown:
            total = 0
        if not counters(loop) or not total:
            raise _NotCounted(
                f"The bounds of the loop in line {loop.first} of the final IR are not known."
            )
        self.exact = False
        inside = self.block(loop.regions[0][0].operations)
        return Counter({key: amount * total for key, amount in inside.items()})

    def _branch(self, branch: Operation) -> Counter[Moved | str]:
        arms = [
            blocks[0].operations if blocks else []
            for blocks in (*branch.regions[:2], *([[]] * (2 - len(branch.regions[:2]))))
        ]
        try:
            taken = value_of(branch.operands[0], self.known) if branch.operands else 1
        except Unknown:
            self.exact = False
            if "unlikely_condition" in branch.text.rpartition("}")[0][-60:] + branch.head:
                return self.block(arms[1])
            return max((self.block(arm) for arm in arms), key=lambda t: t.total())
        return self.block(arms[0] if taken else arms[1])

    # One instruction

    def _instruction(self, operation: Operation) -> Counter[Moved | str]:
        found = instruction(operation, self.declared)
        if found is None:
            return Counter()
        name, what = found
        match what:
            case "transfer":
                return self._transfer(operation)
            case "vector":
                return Counter({"vector": self._steps(operation)})
            case "cube":
                return self._product(operation, name)
            case "scalar" if name.endswith(".store"):
                return Counter({"store": 1})
            case "sync":
                return Counter({"sync": 1})
            case _:
                return Counter()

    def _transfer(self, operation: Operation) -> Counter[Moved | str]:
        held = [v for v in operation.operands if v.type.startswith("memref<")][:2]
        if len(held) < 2:
            return Counter()
        spaces = [self._memory(value) for value in held]
        if "" in spaces:
            return Counter()
        sizes = [size for value in held if (size := self._bytes(value)) is not None]
        if not sizes:
            raise _NotCounted(
                f"How much line {operation.first} of the final IR moves is known at the launch "
                "only."
            )
        off = None if "GM" in spaces else False
        return Counter({Moved("→".join(spaces), min(sizes), 1, off): 1})

    def _steps(self, operation: Operation) -> int:
        sizes = [
            size
            for value in operation.operands
            if value.type.startswith("memref<") and (size := self._bytes(value)) is not None
        ]
        if not sizes:
            self.exact = False
            return 0
        return math.ceil(max(sizes) / VECTOR_BYTES)

    def _product(self, operation: Operation, name: str) -> Counter[Moved | str]:
        """A product with its loads into L0A and L0B, which the macro makes by itself."""
        held = [v for v in operation.operands if v.type.startswith("memref<")]
        extents = [v for v in operation.operands if v.type == "index"][:3]
        try:
            m, k, n = (value_of(value, self.known) for value in extents)
        except (Unknown, ValueError):
            raise _NotCounted(
                f"How large the product in line {operation.first} of the final IR ({name}) is, is "
                "known at the launch only."
            ) from None
        bits = (bits_of(element_type(held[0].type)) if held else None) or 16
        depth = FRACTAL * 2 if bits == _BITS else FRACTAL
        size = bits / _BITS
        tally: Counter[Moved | str] = Counter()
        tally["fractals"] = math.ceil(m / FRACTAL) * math.ceil(k / depth) * math.ceil(n / FRACTAL)
        tally[Moved("L1→L0A", int(m * k * size), 1, False)] += 1
        tally[Moved("L1→L0B", int(k * n * size), 1, False)] += 1
        return tally

    def _memory(self, value: Value) -> str:
        return memory_of(value.type)

    def _bytes(self, value: Value, depth: int = 0) -> int | None:
        """Bytes of the elements that a memref shows; the most that they can be where they vary."""
        bits = bits_of(element_type(value.type))
        if bits is None or depth > _DEPTH:
            return None
        shape = shape_of(value.type)
        if None not in shape:
            return -(-math.prod(each or 0 for each in shape) * bits // _BITS)
        owner = value.owner
        if not isinstance(owner, Operation):
            return None
        if owner.name == "arith.select" and len(owner.operands) == 3:
            return self._bytes(owner.operands[1], depth + 1)
        if owner.name not in _VIEWS or not owner.operands:
            return None
        if owner.name in _SIZED:
            exact = self._shown(owner, shape, bits)
            if exact is not None:
                return exact
            self.exact = False
        return self._bytes(owner.operands[0], depth + 1)

    def _shown(self, view: Operation, shape: tuple[int | None, ...], bits: int) -> int | None:
        """Bytes of a view whose sizes can be worked out."""
        unknown = sum(each is None for each in shape)
        handed = _sizes(view)
        if len(handed) != len(shape) and len(handed) != unknown:
            return None
        total = bits
        dynamic = iter(handed if len(handed) == unknown else [])
        for at, extent in enumerate(shape):
            if extent is not None:
                total *= extent
                continue
            size = handed[at] if len(handed) == len(shape) else next(dynamic)
            if isinstance(size, Value):
                try:
                    size = value_of(size, self.known)
                except Unknown:
                    return None
            total *= size
        return -(-total // _BITS)


def _sizes(view: Operation) -> list[Value | int]:
    """The sizes that a subview or a view is given: `%x[offsets] [sizes] [strides]`."""
    head = view.head
    lists: list[str] = []
    depth = 0
    start = 0
    for at, letter in enumerate(head):
        if letter == ":" and depth == 0:
            break
        if letter == "[":
            depth += 1
            start = at + 1
        elif letter == "]":
            depth -= 1
            lists.append(head[start:at])
    if len(lists) < 2:
        return []
    named = {value.name: value for value in view.operands}
    sizes: list[Value | int] = []
    for word in (part.strip() for part in lists[1].split(",") if part.strip()):
        if word in named:
            sizes.append(named[word])
        elif word.lstrip("-").isdigit():
            sizes.append(int(word))
        else:
            return []
    return sizes
