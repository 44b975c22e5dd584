"""What a pass did to a text of MLIR: operations, functions, buffers, addresses, attributes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from core.analysis import parsed
from core.analysis.changes.phrases import counted, cut, first, gone_and_new, memories, names, tally
from core.analysis.figures import figures
from core.analysis.studied import Figures
from core.ir.mlir import Module, Operation
from core.ir.mlir_instructions import instruction, library
from core.ir.mlir_memory import allocations

_LOOPS = ("scf.for", "scf.forall", "scf.parallel", "scf.while", "affine.for", "affine.parallel")
_VALUE = re.compile(r"%[\w$.#-]+")


@dataclass(slots=True)
class _Facts:
    module: Module
    figures: Figures
    operations: list[Operation]
    counts: Counter[str]  #: by name; calls by what they call
    functions: dict[str, int] = field(default_factory=dict)  #: with a body: operations inside
    declared: tuple[str, ...] = ()
    tensors: int = 0
    memrefs: int = 0
    syncs: Counter[str] = field(default_factory=Counter)
    placed: int = 0  #: buffers with an address
    buffers: int = 0


def phrases(before: str, after: str) -> tuple[str, ...]:
    """What is different, most telling first; none where that cannot be told."""
    old, new = facts(before), facts(after)
    if old is None or new is None:
        return ()
    said = first(
        _functions(old, new),
        _bufferized(old, new),
        _placed(old, new),
        _memories(old, new),
        _loops(old, new),
        _syncs(old, new),
        _operations(old, new),
    )
    return said or first(_same_operations(old, new))


@lru_cache(4)
def facts(text: str) -> _Facts | None:
    """What is compared of a text, kept for the next pass; None where it has no tree."""
    module = parsed.mlir_module(text)
    known = figures(text, "mlir")
    if module is None or known is None:
        return None
    operations = list(module.walk())
    declared = library(module)
    found = _Facts(
        module,
        known,
        operations,
        Counter(_name(operation) for operation in operations),
        {f.symbol: sum(1 for _ in _inside(f)) for f in module.functions},
        tuple(sorted(declared)),
        text.count("tensor<"),
        text.count("memref<"),
    )
    for operation in operations:
        step = instruction(operation, declared)
        if step and step[1] == "sync":
            found.syncs[_short(step[0])] += 1
    held = allocations(module)
    found.placed = sum(bool(each.offsets) for each in held)
    found.buffers = len(held)
    return found


def _inside(operation: Operation) -> Iterator[Operation]:
    for block in operation.blocks:
        for inner in block.operations:
            yield inner
            yield from _inside(inner)


def _name(operation: Operation) -> str:
    if operation.name.endswith(".call"):
        return f"{operation.name} @{operation.symbol}" if operation.symbol else operation.name
    return operation.name


def _short(name: str) -> str:
    return name.removeprefix("hivm.hir.")


# --- the whole ----------------------------------------------------------------------------------


def _functions(old: _Facts, new: _Facts) -> Iterator[str]:
    gone = [name for name in old.functions if name not in new.functions]
    come = [name for name in new.functions if name not in old.functions]
    if gone and come and len(gone) == len(come) == 1:
        yield f"function @{cut(gone[0])} → @{cut(come[0])}"
        return
    if come:
        called = {name.rpartition("@")[2] for name in new.counts if ".call @" in name}
        word = "outlined" if all(name in called for name in come) else "added"
        yield f"{counted(len(come), 'function')} {word}: {names([f'@{name}' for name in come])}"
    if gone:
        called = {name.rpartition("@")[2] for name in old.counts if ".call @" in name}
        word = "inlined" if all(name in called for name in gone) else "removed"
        yield f"{counted(len(gone), 'function')} {word}: {names([f'@{name}' for name in gone])}"


def _bufferized(old: _Facts, new: _Facts) -> Iterator[str]:
    if old.tensors > 4 * new.tensors and new.memrefs > old.memrefs:
        empty = old.counts["tensor.empty"] - new.counts["tensor.empty"]
        made = new.counts["memref.alloc"] - old.counts["memref.alloc"]
        if empty > 0 and made > 0:
            yield f"bufferized: {empty:,} tensor.empty → {made:,} memref.alloc"
        else:
            yield f"bufferized: tensors {old.tensors:,} → {new.tensors:,} in the text"


def _placed(old: _Facts, new: _Facts) -> Iterator[str]:
    fewer = (old.buffers - old.placed) - (new.buffers - new.placed)
    if new.placed > old.placed and fewer > 0:
        yield f"addresses assigned to {counted(min(fewer, new.placed - old.placed), 'buffer')}"


def _memories(old: _Facts, new: _Facts) -> Iterator[str]:
    before, after = _buffers(old), _buffers(new)
    left = before[""] - after[""]
    chosen = {m: after[m] - before[m] for m in after if m and after[m] > before[m]}
    if left > 0 and sum(chosen.values()) == left:
        where = ", ".join(f"{number:,} in {memory}" for memory, number in chosen.items())
        yield f"memories chosen for {counted(left, 'buffer')}: {where}"
        return
    yield from memories(old.figures, new.figures)
    if left < 0:
        yield f"{counted(-left, 'buffer')} allocated, no memory chosen yet"
    elif left > 0 and not chosen:
        yield f"{counted(left, 'buffer')} without a memory gone"


def _buffers(facts: _Facts) -> Counter[str]:
    return Counter({memory: held.buffers for memory, held in facts.figures.allocations.items()})


def _loops(old: _Facts, new: _Facts) -> Iterator[str]:
    gone, come = gone_and_new(
        Counter({name: old.counts[name] for name in _LOOPS}),
        Counter({name: new.counts[name] for name in _LOOPS}),
    )
    if gone and come:
        yield f"{tally(gone)} → {tally(come)}"
    elif come:
        yield f"{counted(come.total(), 'loop')} added ({tally(come)})"
    elif gone:
        yield f"{counted(gone.total(), 'loop')} removed ({tally(gone)})"


def _syncs(old: _Facts, new: _Facts) -> Iterator[str]:
    a, b = old.figures.syncs, new.figures.syncs
    gone, come = gone_and_new(old.syncs, new.syncs)
    if b > a:
        yield f"{counted(b - a, 'sync')} inserted ({tally(come)})"
    elif a > b:
        yield f"{counted(a - b, 'sync')} removed ({tally(gone)})"


# --- operations -----------------------------------------------------------------------------------


def _operations(old: _Facts, new: _Facts) -> Iterator[str]:
    """Operations that came and went, loops, syncs and functions apart."""
    gone, come = gone_and_new(_others(old), _others(new))
    constants = _taken(gone, "constant"), _taken(come, "constant")
    if gone and come:
        yield from _became(gone, come)
    elif come:
        yield f"{counted(come.total(), 'op')} added: {tally(come)}"
    elif gone:
        if constants[0]:
            gone["constants"] = constants[0]
        yield f"{counted(gone.total(), 'op')} folded away: {tally(gone)}"
        return
    if constants[0] > constants[1]:
        yield f"{counted(constants[0] - constants[1], 'constant')} removed"
    elif constants[1] > constants[0] and not (gone or come):
        yield f"{counted(constants[1] - constants[0], 'constant')} added"


def _others(facts: _Facts) -> Counter[str]:
    left = Counter(facts.counts)
    for name in list(left):
        plain = _short(name)
        if name in _LOOPS or plain in facts.syncs or name.endswith((".func", ".return")):
            del left[name]
    return left


def _taken(counts: Counter[str], what: str) -> int:
    """Take the operations with such a name out; how many there were."""
    names_ = [name for name in counts if name.endswith(f".{what}")]
    return sum(counts.pop(name) for name in names_)


def _became(gone: Counter[str], come: Counter[str]) -> Iterator[str]:
    """Pairs of as many operations, by dialect where that tells; else what went and what came."""
    pairs = _pairs(gone, come)
    for a, b, number in pairs[:2]:
        yield f"{a} → {b}" if number == 1 else f"{a} ({number:,}) → {b} ({number:,})"
        del gone[a], come[b]
    if gone and come:
        yield f"{tally(gone)} → {tally(come)}"
    elif come:
        yield f"{counted(come.total(), 'op')} added: {tally(come)}"
    elif gone:
        yield f"{counted(gone.total(), 'op')} gone: {tally(gone)}"


def _pairs(gone: Counter[str], come: Counter[str]) -> list[tuple[str, str, int]]:
    """Operations whose names share a word and of which as many went as came."""
    found = []
    free = dict(come)
    for name, number in sorted(gone.items(), key=lambda pair: (-pair[1], pair[0])):
        same = [other for other, n in free.items() if n == number and _akin(name, other)]
        if same:
            found.append((name, same[0], number))
            del free[same[0]]
    if not found and len(gone) == len(come) == 1:
        ((a, n),), ((b, m),) = gone.items(), come.items()
        if n == m:
            found.append((a, b, n))
    return found


def _akin(a: str, b: str) -> bool:
    """ "hfusion.load" and "hivm.hir.load", "linalg.fill" and "linalg.broadcast" not."""
    one, other = a.rpartition(".")[2].lower(), b.rpartition(".")[2].lower()
    return len(one) > 2 and len(other) > 2 and (one in other or other in one)


# --- the same operations --------------------------------------------------------------------------


def _same_operations(old: _Facts, new: _Facts) -> Iterator[str]:
    a = [operation.name for operation in old.operations]
    b = [operation.name for operation in new.operations]
    if a != b:
        moved = Counter(_plain(o) for o in old.operations) == Counter(
            _plain(o) for o in new.operations
        )
        yield "operations in another order" + ("" if moved else ", some changed")
        return
    pairs = list(zip(old.operations, new.operations, strict=True))
    changed = [(x, y) for x, y in pairs if _masked(x.headline) != _masked(y.headline)]
    if not changed:
        yield "names of values or locations changed only"
        return
    inside = [(x, y) for x, y in changed if _plain(x) != _plain(y)]
    if not inside:
        keys = Counter(
            key
            for x, y in changed
            for key in {*x.attributes, *y.attributes}
            if x.attributes.get(key) != y.attributes.get(key)
        )
        yield f"attributes changed only, of {counted(len(changed), 'op')}" + (
            f" ({tally(keys)})" if keys else ""
        )
        return
    if all(x.name.endswith(".func") for x, _ in inside):
        yield f"signature changed of {names([f'@{x.symbol}' for x, _ in inside])}"
        return
    found = Counter(x.name for x, _ in inside)
    types = all(_untyped(x) == _untyped(y) for x, y in inside)
    what = "types" if types else "operands"
    yield f"{what} of {counted(len(inside), 'op')} changed ({tally(found)})"


def _masked(text: str) -> str:
    """A text with its values named in the order of their first use."""
    known: dict[str, str] = {}
    return _VALUE.sub(lambda name: known.setdefault(name[0], f"%{len(known)}"), text)


def _plain(operation: Operation) -> str:
    """Without its attributes and without the names of values."""
    parts = (part.text for part in operation.parts if part.kind != "{" and part.text[:2] != "<{")
    return f"{operation.name} {_masked(' '.join(parts))}"


def _untyped(operation: Operation) -> str:
    """Its values and words alone."""
    return _masked(" ".join(_VALUE.findall(operation.headline.partition(" : ")[0])))
