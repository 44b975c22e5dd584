"""Elements stored one at a time in a loop, where the code around them uses vector instructions.

The compiler emits instructions for the loop nests whose pattern it knows; a nest that it does not
know stays a loop of scalar stores, which the emitted code then runs element by element. Before
instructions are emitted every text is made of such loops, so only texts that hold instructions are
looked at. A nest that fills one block of its memory is left out: that is how the compiler aligns
the end of a row, and a vector instruction would move no less than a block either.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.analysis.checks.finding import Finding
from core.analysis.checks.names import identifier, originals
from core.ir import cce, statement
from core.ir.access import GLOBAL, declared
from core.ir.instructions import kind

if TYPE_CHECKING:
    from core.analysis.checks import Memories

_EMITTED = frozenset(("transfer", "vector", "cube"))
_VECTOR_BYTES = 256  #: what a vector instruction works on at once
_BLOCK = 32  #: bytes; of a memory whose alignment is not known
_BITS = re.compile(r"\D+(\d+)")
_WORD = re.compile(r"[^\W\d]\w*(?:\.\w+)*")
_ELEMENT = re.compile(r"([A-Za-z_]\w*)\[(.*)\]")


@dataclass(frozen=True, slots=True)
class _Loop:
    variable: str
    trips: int | None


@dataclass(frozen=True, slots=True)
class _Stored:
    """A store inside of loops, outermost first."""

    buffer: str
    root: str
    memory: str
    dtype: str
    index: str
    line: int
    loops: tuple[_Loop, ...]


def in_statements(module: statement.Module, memories: Memories) -> Iterator[Finding]:
    """Loops of scalar stores in a text of the statement language that holds instructions."""
    emitted = any(
        isinstance(node, statement.Evaluate) and kind(node.callee) in _EMITTED
        for node in statement.walk(module.body)
    )
    if not emitted:
        return iter(())
    buffers = declared(module)
    found = [
        _Stored(
            node.buffer,
            identifier(node.buffer),
            buffers[node.buffer].memory if node.buffer in buffers else GLOBAL,
            buffers[node.buffer].dtype if node.buffer in buffers else "",
            node.index,
            node.first,
            loops,
        )
        for node, loops in _stores(module.body)
    ]
    return _findings(found, memories)


def _stores(
    body: Sequence[statement.Statement], loops: tuple[_Loop, ...] = ()
) -> Iterator[tuple[statement.Store, tuple[_Loop, ...]]]:
    for node in body:
        if isinstance(node, statement.Store):
            if loops:
                yield node, loops
        elif isinstance(node, statement.For):
            yield from _stores(node.body, (*loops, _Loop(node.variable, node.trips)))
        else:
            for block in statement.blocks(node):
                yield from _stores(block, loops)


def in_code(kernel: cce.Kernel, memories: Memories) -> Iterator[Finding]:
    """Loops of scalar stores in emitted code."""
    places = {pointer.name: (pointer.memory, pointer.dtype) for pointer in kernel.pointers}
    places |= {parameter.name: (GLOBAL, parameter.dtype) for parameter in kernel.parameters}
    roots = originals(places)
    found = [
        _Stored(name, roots[name], *places[name], index, line, loops)
        for name, index, line, loops in _assigned(kernel.body)
        if name in places
    ]
    return _findings(found, memories)


def _assigned(
    body: Sequence[cce.Statement], loops: tuple[_Loop, ...] = ()
) -> Iterator[tuple[str, str, int, tuple[_Loop, ...]]]:
    for node in body:
        match node:
            case cce.Assign() if loops:
                element = _ELEMENT.fullmatch(node.target)
                if element:
                    yield element[1], element[2], node.first, loops
            case cce.Loop():
                yield from _assigned(node.body, (*loops, _Loop(node.variable, _trips(node))))
            case cce.Branch():
                yield from _assigned(node.then, loops)
                yield from _assigned(node.otherwise, loops)


def _trips(loop: cce.Loop) -> int | None:
    if not (loop.start.isdigit() and loop.limit.isdigit()):
        return None
    return max(0, int(loop.limit) - int(loop.start))


def _findings(stored: Iterable[_Stored], memories: Memories) -> Iterator[Finding]:
    by_root: dict[str, list[_Stored]] = defaultdict(list)
    for one in stored:
        if one.memory != "REG" and not _fills_a_block(one, memories):
            by_root[one.root].append(one)
    for root, group in by_root.items():
        yield _finding(root, group)


def _fills_a_block(one: _Stored, memories: Memories) -> bool:
    """Whether all the stores of a nest go to one block, so that no vector would do it faster."""
    used = set(_WORD.findall(one.index))
    elements = _product(loop for loop in one.loops if loop.variable in used)
    memory = memories.get(one.memory)
    block = memory.alignment_bytes if one.memory == "UB" and memory else _BLOCK
    return elements is not None and elements * _bytes(one.dtype) <= (block or _BLOCK)


def _product(loops: Iterable[_Loop]) -> int | None:
    total = 1
    for loop in loops:
        if loop.trips is None:
            return None
        total *= loop.trips
    return total


def _bytes(dtype: str) -> int:
    found = _BITS.match(dtype)
    return max(1, int(found[1]) // 8) if found else 4


def _finding(root: str, group: Sequence[_Stored]) -> Finding:
    first = group[0]
    counts = [_product(one.loops) for one in group]
    known = [count for count in counts if count is not None]
    names = " × ".join(dict.fromkeys(loop.variable for one in group for loop in one.loops))
    nests = "the loops" if len(group) == 1 else f"{len(group)} nests of the loops"
    if len(known) == len(counts):
        what = f"{sum(known):,} times an element of {first.buffer} in {first.memory} is stored"
    else:
        what = f"Elements of {first.buffer} in {first.memory} are stored"
    lanes = _VECTOR_BYTES // _bytes(first.dtype)
    return Finding(
        check="scalar",
        harm="slow",
        line=first.line,
        subject=first.buffer,
        message=f"{what} by the scalar unit, in {nests} {names}; "
        f"a vector instruction would store {lanes} at a time.",
        root=root,
        times=len(group),
    )
