"""What a pass did to a text of AKG's statement language: loops, buffers, instructions, marks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from core.analysis import parsed
from core.analysis.changes.phrases import (
    came_or_went,
    counted,
    cut,
    example,
    first,
    gone_and_new,
    memories,
    moved,
    names,
    tally,
)
from core.analysis.diff import diff, mask_addresses, split_lines
from core.analysis.figures import figures, size_of
from core.analysis.studied import Figures
from core.ir import statement
from core.ir.access import GLOBAL, SCOPES
from core.ir.instructions import hardware_name, kind

_SCOPED = re.compile(r"(?:(?:placeholder|compute|hybrid|extern)\()?([^\W\d][\w.]*)")
_CAST = re.compile(r"\b((?:u?int|float|bfloat)\d+)\(")
_CONVERTED = re.compile(r"vconv_([a-z]+\d+)2([a-z]+\d+)")
_WRITTEN = re.compile(
    r"(?<![\w.])(max|min|relu|exp|log|sqrt|rsqrt|select|reduce_\w+|vector_dup|\w*mad)\("
)
_WORD = re.compile(r"[A-Za-z_][\w.]*")
_ALIGNED = re.compile(r" if -?\d+(?![\w.])")
_SCOPE_KEYS = frozenset(("realize_scope", "storage_scope"))
_DTYPES = {"f": "float", "s": "int", "u": "uint"}
#: Kinds of lines, told by how a line begins.
_LINES = (
    ("// attr", "mark"),
    ("allocate ", "allocation"),
    ("realize ", "realize"),
    ("produce ", "produce"),
    ("if (", "condition"),
    ("} else", "condition"),
    ("for (", "loop"),
    ("unrolled (", "loop"),
    ("let ", "let"),
    ("assert(", "assertion"),
    ("---------", "function head"),
)
_CALL = re.compile(r"[\w.]+\(.*\)(?::\w+)*$")
_NAMED = 3  #: loops that are named when they come or go
#: A text that shrinks to less than this share of its lines, or grows as much, is worth saying.
_SMALL = 0.75


@dataclass(frozen=True, slots=True)
class _Loop:
    variable: str
    extent: str
    path: tuple[int, ...]  #: places of the loops around it, outermost first

    @property
    def trips(self) -> int:
        return int(self.extent) if self.extent.isdigit() else 0


@dataclass(frozen=True, slots=True)
class _Buffer:
    name: str
    memory: str
    dtype: str
    bytes: int | None
    flat: bool  #: an allocation rather than a realize
    depth: int  #: loops around it


@dataclass(slots=True)
class _Facts:
    """What there is to compare in a text."""

    figures: Figures
    loops: list[_Loop] = field(default_factory=list)
    buffers: list[_Buffer] = field(default_factory=list)
    assigned: int = 0
    calls: Counter[str] = field(default_factory=Counter)  #: by the hardware's names
    operators: Counter[str] = field(default_factory=Counter)  #: of a composite stage
    shapes: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)  #: likewise
    marks: Counter[tuple[str, str]] = field(default_factory=Counter)
    conditions: Counter[str] = field(default_factory=Counter)
    casts: Counter[str] = field(default_factory=Counter)
    aligned: int = 0
    pointers: int = 0  #: tvm_access_ptr
    cores: int = 0
    functions: tuple[str, ...] = ()
    extra: str = ""  #: what AutoPoly attaches
    written: Counter[str] = field(default_factory=Counter)  #: calls in assigned values
    host: bool = False  #: it holds the host's side
    kernel: bool = False  #: likewise, marked as the device's
    lines: Counter[str] = field(default_factory=Counter)


def phrases(before: str, after: str) -> tuple[str, ...]:
    """What is different, most telling first; none where that cannot be told."""
    old, new = facts(before), facts(after)
    if old is None or new is None:
        return ()
    if old.lines == new.lines:
        return _moved(old, new, before, after)
    if old.kernel != new.kernel or old.host != new.host:
        other = _other_side(old, new)
        if other:
            return other
    said = first(
        _functions(old, new),
        _operators(old, new),
        _emitted(old, new),
        _loops(old, new, after),
        _memories(old, new),
        _syncs(old, new),
        _instructions(old, new),
        _casts(old, new),
        _conditions(old, new),
        _flattened(old, new),
        _renamed(old, new),
        _alignment(old, new),
        _pointers(old, new),
        _written(old, new),
        _marks(old, new),
        _attached(old, new),
        _length(old, new),
    )
    return said or first(_rewritten(old, new, before, after))


# --- reading ------------------------------------------------------------------------------------


@lru_cache(8)
def facts(text: str) -> _Facts | None:
    """What is compared of a text, kept for the next pass; None where it has no tree."""
    module = parsed.statements(text)
    known = figures(text, "statement")
    if module is None or known is None:
        return None
    found = _Facts(
        known,
        functions=tuple(f.name for f in module.functions if f.name),
        extra=module.extra,
        host="tvm_struct_get(" in text,
        kernel="] device_scope = " in text,
    )
    scopes: dict[str, str] = {}
    pending: list[tuple[statement.Statement, tuple[int, ...]]] = [
        (node, ()) for node in reversed(module.body)
    ]
    while pending:
        node, path = pending.pop()
        if isinstance(node, statement.For):
            found.loops.append(_Loop(node.variable, node.extent, path))
            path = (*path, len(found.loops) - 1)
        else:
            _read(node, found, scopes, len(path))
        for block in reversed(statement.blocks(node)):
            pending.extend((inside, path) for inside in reversed(block))
    found.lines = Counter(line.strip() for line in mask_addresses(text).split("\n"))
    del found.lines[""]
    return found


def _read(node: statement.Statement, facts: _Facts, scopes: dict[str, str], depth: int) -> None:
    match node:
        case statement.Store():
            facts.assigned += 1
            _read_values(facts, node.index, node.value)
            facts.written.update(_WRITTEN.findall(node.value))
        case statement.Provide():
            facts.assigned += 1
            _read_values(facts, *node.indices, node.value)
            facts.written.update(_WRITTEN.findall(node.value))
            if node.value.endswith(":PI") and node.value[:1].isupper():
                facts.operators[node.value.partition("(")[0]] += 1
                facts.shapes.append((node.tensor, node.indices))
        case statement.Evaluate() if node.callee:
            name = hardware_name(node.callee)
            if not name.startswith("tvm_"):
                facts.calls[name] += 1
                found = _CONVERTED.match(name)
                if found:
                    facts.casts[f"{_dtype(found[1])} → {_dtype(found[2])}"] += 1
            _read_values(facts, node.value)
        case statement.If():
            facts.conditions[node.condition] += 1
        case statement.Attribute():
            _read_mark(node, facts, scopes)
        case statement.Realize():
            extents = [extent for _, extent in node.bounds]
            _read_buffer(facts, scopes, node.name, node.dtype, extents, depth, flat=False)
        case statement.Allocate():
            _read_buffer(facts, scopes, node.name, node.dtype, node.extents, depth, flat=True)


def _read_values(facts: _Facts, *texts: str) -> None:
    for text in texts:
        if "(" in text:
            facts.casts.update(f"to {dtype}" for dtype in _CAST.findall(text))
            facts.pointers += text.count("tvm_access_ptr(")
        if " if " in text:
            facts.aligned += len(_ALIGNED.findall(text))


def _read_mark(node: statement.Attribute, facts: _Facts, scopes: dict[str, str]) -> None:
    if node.key in _SCOPE_KEYS:
        name = _SCOPED.match(node.target)
        if name:
            scopes[name[1]] = SCOPES.get(node.value.strip('"'), GLOBAL)
    elif node.key == "thread_extent":
        facts.cores = int(node.value) if node.value.isdigit() else 0
    else:
        facts.marks[node.key, node.value] += 1


def _read_buffer(
    facts: _Facts,
    scopes: dict[str, str],
    name: str,
    dtype: str,
    extents: Sequence[str],
    depth: int,
    *,
    flat: bool,
) -> None:
    memory = scopes.get(name, GLOBAL)
    facts.buffers.append(_Buffer(name, memory, dtype, size_of(dtype, extents), flat, depth))


def _dtype(short: str) -> str:
    return f"{_DTYPES.get(short.rstrip('0123456789'), short)}{short.lstrip('fsub')}"


# --- the whole ----------------------------------------------------------------------------------


def _moved(old: _Facts, new: _Facts, before: str, after: str) -> tuple[str, ...]:
    """The same lines in another order, or with other nesting alone."""
    places = [Counter((b.name, b.depth) for b in each.buffers) for each in (old, new)]
    left = places[0] - places[1]
    if left:
        out = sum(b.depth for b in new.buffers) < sum(b.depth for b in old.buffers)
        return (f"{counted(left.total(), 'allocation')} moved {'out of' if out else 'into'} loops",)
    a, b = ([line.strip() for line in mask_addresses(t).split("\n")] for t in (before, after))
    changed = diff("\n".join(a), "\n".join(b))
    if changed.equal:
        return ("nesting changed, no line",)
    kinds: Counter[str] = Counter()
    for hunk in changed.hunks:
        kinds.update(_kind(line) for line in a[hunk.a0 : hunk.a1] if line not in ("", "}"))
    del kinds["scope"]
    if len(kinds) == 1:
        ((kind_, number),) = kinds.items()
        return (f"{counted(number, kind_)} moved",)
    return (f"lines in another order, {counted(kinds.total(), 'line')} moved",) if kinds else ()


def _other_side(old: _Facts, new: _Facts) -> tuple[str, ...]:
    """A text of the host's side after one of the kernel's, or the other way round."""
    if old.kernel and new.host and not new.kernel:
        return ("the kernel's side left out of the text",)
    if new.kernel and old.host and not old.kernel and not new.host:
        return ("the kernel's side shown, which the text before left out",)
    return ()


def _functions(old: _Facts, new: _Facts) -> Iterator[str]:
    if old.functions == new.functions:
        return
    if len(new.functions) > len(old.functions):
        yield f"split into {counted(len(new.functions), 'function')}: {names(new.functions)}"
    elif old.functions:
        left = [name for name in old.functions if name not in new.functions]
        if new.functions:
            yield f"{names(left)} left out of the text"
        else:
            yield f"one of {counted(len(old.functions), 'function')} left in the text"


def _operators(old: _Facts, new: _Facts) -> Iterator[str]:
    """Of a composite stage, where a line is an operator."""
    gone, come = gone_and_new(old.operators, new.operators)
    if old.operators and new.operators and (gone or come):
        if gone and come:
            yield f"{tally(gone)} → {tally(come)}"
        else:
            yield f"{tally(come)} added" if come else f"{tally(gone)} removed"
    if old.operators != new.operators or len(old.shapes) != len(new.shapes):
        return
    pairs = [
        (a, b)
        for (_, a), (_, b) in zip(old.shapes, new.shapes, strict=True)
        if a != b and all(x.isdigit() for x in (*a, *b))
    ]
    for a, b in dict.fromkeys(pairs):
        word = "folded" if len(b) < len(a) else "unfolded" if len(b) > len(a) else "changed"
        yield f"shape {word}: {' × '.join(_digits(a))} → {' × '.join(_digits(b)) or 'scalar'}"
        break


def _digits(numbers: Sequence[str]) -> list[str]:
    return [f"{int(number):,}" for number in numbers]


def _emitted(old: _Facts, new: _Facts) -> Iterator[str]:
    """Assignments that instructions stand for now."""
    fewer = old.assigned - new.assigned
    come = Counter(
        {n: c for n, c in (new.calls - old.calls).items() if kind(n) not in ("control", "sync")}
    )
    if fewer <= 0 or not come or sum(old.calls.values()) > sum(new.calls.values()):
        return
    kinds: Counter[str] = Counter()
    for name, number in come.items():
        kinds[kind(name)] += number
    parts = [
        counted(kinds[each], *words)
        for each, *words in (
            ("transfer", "transfer"),
            ("vector", "vector instruction"),
            ("cube", "cube instruction"),
            ("scalar", "scalar instruction"),
        )
        if kinds[each]
    ]
    yield f"{counted(fewer, 'assignment')} became {' and '.join(parts)} ({tally(come, 4)})"


def _attached(old: _Facts, new: _Facts) -> Iterator[str]:
    if old.extra and not new.extra:
        yield "nothing but how AutoPoly prints its text, as a list"


def _length(old: _Facts, new: _Facts) -> Iterator[str]:
    a, b = old.figures.lines, new.figures.lines
    if min(a, b) < _SMALL * max(a, b) and max(a, b) > 12:
        yield f"text {'shrinks' if b < a else 'grows'} {a:,} → {b:,} lines"


# --- loops --------------------------------------------------------------------------------------


def _loops(old: _Facts, new: _Facts, after: str) -> Iterator[str]:
    said = first(_spread(old, new), _doubled(old, new))
    if not said:
        said = first(_tiled(old, new, after), _merged(old, new), _interchanged(old, new))
    yield from said
    yield from _fewer_or_more(old, new)
    if not said:
        yield from _other_trips(old, new)


def _fewer_or_more(old: _Facts, new: _Facts) -> Iterator[str]:
    """By name where few went and none came, or the other way round."""
    gone, come = gone_and_new(
        Counter(loop.variable for loop in old.loops), Counter(loop.variable for loop in new.loops)
    )
    which = [] if gone and come else list((gone or come).elements())
    for phrase in came_or_went(len(old.loops), len(new.loops), "loop"):
        yield f"{phrase}: {names(which)}" if 0 < len(which) <= _NAMED else phrase


def _extents(facts: _Facts) -> Counter[int]:
    return Counter(loop.trips for loop in facts.loops if loop.trips > 1)


def _spread(old: _Facts, new: _Facts) -> Iterator[str]:
    """A loop that is run by many cores."""
    if not new.cores or new.cores == old.cores:
        return
    text = f"spread over {counted(new.cores, 'core')}"
    for a, b in zip(old.loops, new.loops, strict=False):
        if a.variable == b.variable and a.extent != b.extent and a.trips and b.trips:
            yield f"{a.variable} {text}: {a.trips:,} → {b.trips:,} iterations"
            return
    gone, _ = gone_and_new(
        Counter(f"{x.variable} of {x.extent}" for x in old.loops),
        Counter(f"{x.variable} of {x.extent}" for x in new.loops),
    )
    if sum(gone.values()) == 1:
        yield f"loop {next(iter(gone))} {text}"
    else:
        yield text


def _doubled(old: _Facts, new: _Facts) -> Iterator[str]:
    """AKG's own name for a loop that takes two iterations at a time."""
    known = {loop.variable: loop for loop in old.loops}
    done: set[str] = set()
    for loop in new.loops:
        base = loop.variable.removesuffix(".db")
        if base != loop.variable and loop.variable not in known and base in known:
            if base in done:
                continue
            done.add(base)
            trips = f": {known[base].extent} → {loop.extent} iterations" if loop.trips else ""
            yield f"two iterations of {base} at a time{trips}"


def _tiled(old: _Facts, new: _Facts, after: str) -> Iterator[str]:
    """A loop of N that is a loop of outer × inner now, as its indices say too."""
    gone, come = gone_and_new(_as_text(_extents(old)), _as_text(_extents(new)))
    wanted = {int(extent) for extent in gone}
    found: dict[int, str] = {}
    for inner in new.loops:
        size = inner.trips
        if size < 2 or str(size) not in come:
            continue
        for outer in (new.loops[place] for place in inner.path):
            whole = next(
                (n for n in wanted if n not in found and n > size and outer.trips == -(-n // size)),
                None,
            )
            name = outer.variable
            if whole is None or not any(
                text in after for text in (f"({size}*{name})", f"({name}*{size})")
            ):
                continue
            loops = names(list(dict.fromkeys(x.variable for x in old.loops if x.trips == whole)))
            sign = "=" if outer.trips * size == whole else "≤"
            found[whole] = f"tiled {loops} by {size:,}: {whole:,} {sign} {outer.trips:,} × {size:,}"
    yield from (found[whole] for whole in sorted(found, reverse=True))


def _as_text(extents: Counter[int]) -> Counter[str]:
    return Counter({str(extent): number for extent, number in extents.items()})


def _merged(old: _Facts, new: _Facts) -> Iterator[str]:
    """Loops one inside the other that are a single one now."""
    gone, come = gone_and_new(_as_text(_extents(old)), _as_text(_extents(new)))
    wanted = {int(extent) for extent in come}
    found: dict[int, str] = {}
    for loop in old.loops:
        chain = [old.loops[place] for place in loop.path] + [loop]
        for start in range(len(chain) - 1):
            part = chain[start:]
            product = 1
            for each in part:
                product *= each.trips
            whole = product in wanted and all(str(each.trips) in gone for each in part)
            if whole and product not in found:
                loops = " × ".join(each.variable for each in part)
                trips = " × ".join(f"{each.trips:,}" for each in part)
                found[product] = f"loops {loops} merged into one: {trips} = {product:,}"
    yield from found.values()


def _interchanged(old: _Facts, new: _Facts) -> Iterator[str]:
    """The same loops, one now around the other where it was inside."""
    if _names_of(old) != _names_of(new):
        return
    before = _nested(old) - _nested(new)
    after = _nested(new) - _nested(old)
    turned = [(a, b) for a, b in after if (b, a) in before]
    if turned:
        a, b = sorted(turned)[0]
        also = f" and {counted(len(turned) - 1, 'more pair')}" if len(turned) > 1 else ""
        yield f"loops interchanged: {a[0]} is outside {b[0]} now{also}"


_Named = tuple[str, str]  #: variable and extent of a loop


def _names_of(facts: _Facts) -> Counter[tuple[str, str]]:
    return Counter((loop.variable, loop.extent) for loop in facts.loops)


def _nested(facts: _Facts) -> set[tuple[_Named, _Named]]:
    return {
        ((facts.loops[p].variable, facts.loops[p].extent), (loop.variable, loop.extent))
        for loop in facts.loops
        for p in loop.path
    }


def _other_trips(old: _Facts, new: _Facts) -> Iterator[str]:
    """The same loops with other extents."""
    if [x.variable for x in old.loops] != [x.variable for x in new.loops]:
        return
    pairs = dict.fromkeys(
        (a.variable, a.extent, b.extent)
        for a, b in zip(old.loops, new.loops, strict=True)
        if a.extent != b.extent
    )
    for variable, a, b in list(pairs)[:2]:
        yield f"{variable}: {cut(a, 24)} → {cut(b, 24)} iterations"


# --- buffers ------------------------------------------------------------------------------------


def _memories(old: _Facts, new: _Facts) -> Iterator[str]:
    resized = _resized(old, new)
    if resized:
        yield from resized
        return
    yield from memories(old.figures, new.figures)


def _resized(old: _Facts, new: _Facts) -> list[str]:
    """Buffers that take more or less now, where their number is the same."""
    before, after = _sizes(old), _sizes(new)
    if before.keys() != after.keys():
        return []
    changed = [name for name in before if before[name] != after[name]]
    if not changed or any(len(before[n]) != 1 or len(after[n]) != 1 for n in changed):
        return []
    if len(changed) > 2:
        return []
    found = []
    for name in changed:
        (a,), (b,) = before[name], after[name]
        if a is not None and b is not None:
            found.append(f"{cut(name)} {'shrinks' if b < a else 'grows'}: {a:,} → {b:,} bytes")
    return found


def _sizes(facts: _Facts) -> dict[str, list[int | None]]:
    found: dict[str, list[int | None]] = {}
    for buffer in facts.buffers:
        if buffer.memory != GLOBAL:
            found.setdefault(buffer.name, []).append(buffer.bytes)
    return found


def _flattened(old: _Facts, new: _Facts) -> Iterator[str]:
    realized = [sum(not b.flat for b in facts.buffers) for facts in (old, new)]
    flat = [sum(b.flat for b in facts.buffers) for facts in (old, new)]
    if realized[0] and not realized[1] and flat[1] > flat[0]:
        flat_ones = "a flat buffer" if realized[0] == 1 else "flat buffers"
        yield f"{counted(realized[0], 'tensor')} became {flat_ones}"


def _renamed(old: _Facts, new: _Facts) -> Iterator[str]:
    if len(old.loops) == len(new.loops) and [x.extent for x in old.loops] == [
        x.extent for x in new.loops
    ]:
        yield from _pairs(
            [(a.variable, b.variable) for a, b in zip(old.loops, new.loops, strict=True)],
            "loop variable",
        )
    same = [(b.memory, b.dtype, b.bytes) for b in old.buffers] == [
        (b.memory, b.dtype, b.bytes) for b in new.buffers
    ]
    if same:
        yield from _pairs(
            [(a.name, b.name) for a, b in zip(old.buffers, new.buffers, strict=True)], "buffer"
        )


def _pairs(pairs: Sequence[tuple[str, str]], word: str) -> Iterator[str]:
    changed = [(a, b) for a, b in pairs if a != b]
    # The same names in another order are moved, not renamed.
    if not changed or {a for a, _ in changed} & {b for _, b in pairs}:
        return
    shown = names([f"{cut(a, 30)} → {cut(b, 30)}" for a, b in dict.fromkeys(changed)], 2)
    yield f"{counted(len(changed), word)} renamed: {shown}"


# --- instructions -------------------------------------------------------------------------------


def _syncs(old: _Facts, new: _Facts) -> Iterator[str]:
    a, b = old.figures.syncs, new.figures.syncs
    if a == b:
        return
    gone, come = gone_and_new(
        Counter({n: c for n, c in old.calls.items() if kind(n) == "sync"}),
        Counter({n: c for n, c in new.calls.items() if kind(n) == "sync"}),
    )
    said = come if b > a else gone
    yield f"{counted(abs(b - a), 'sync')} {'inserted' if b > a else 'removed'} ({tally(said)})"


def _instructions(old: _Facts, new: _Facts) -> Iterator[str]:
    """Instructions that came or went, where they stand for no assignments."""
    gone, come = gone_and_new(
        Counter({n: c for n, c in old.calls.items() if kind(n) != "sync"}),
        Counter({n: c for n, c in new.calls.items() if kind(n) != "sync"}),
    )
    if not old.calls or not (gone or come) or next(_emitted(old, new), None):
        return
    if gone and come:
        yield f"{tally(gone)} → {tally(come)}"
    elif come:
        yield moved(come, "instruction", "added")
    else:
        yield moved(gone, "instruction", "removed")


def _casts(old: _Facts, new: _Facts) -> Iterator[str]:
    gone, come = gone_and_new(old.casts, new.casts)
    if gone and come:
        return  # written in another way: an instruction instead of an expression
    for found, word in ((come, "added"), (gone, "removed")):
        for what, number in found.most_common(2):
            yield f"{counted(number, 'cast')} {what} {word}"


def _conditions(old: _Facts, new: _Facts) -> Iterator[str]:
    gone, come = gone_and_new(old.conditions, new.conditions)
    fewer = gone.total() - come.total()
    if gone and come:
        if fewer > 0:
            yield f"{counted(fewer, 'condition')} removed"
        elif fewer < 0:
            yield f"{counted(-fewer, 'condition')} added"
        else:
            a, b = next(iter(gone)), next(iter(come))
            also = f" and {gone.total() - 1:,} more" if gone.total() > 1 else ""
            yield f"if ({cut(a, 32)}) became if ({cut(b, 32)}){also}"
        return
    for found, word in ((gone, "removed"), (come, "added")):
        if found.total() == 1:
            yield f"if ({cut(next(iter(found)))}) {word}"
        elif found:
            yield f"{counted(found.total(), 'condition')} {word}: if ({cut(next(iter(found)))}) …"


def _pointers(old: _Facts, new: _Facts) -> Iterator[str]:
    if old.pointers and not new.pointers:
        yield f"{counted(old.pointers, 'tvm_access_ptr', 'tvm_access_ptr')} became addresses"


# --- marks --------------------------------------------------------------------------------------


def _marks(old: _Facts, new: _Facts) -> Iterator[str]:
    """Attributes that say something to later passes."""
    keys = dict.fromkeys(key for key, _ in (*old.marks, *new.marks))
    found: list[tuple[int, str]] = []
    for key in keys:
        a = Counter({v.strip('"'): n for (k, v), n in old.marks.items() if k == key})
        b = Counter({v.strip('"'): n for (k, v), n in new.marks.items() if k == key})
        gone, come = gone_and_new(a, b)
        size = gone.total() + come.total()
        if not size:
            continue
        if gone.total() == come.total():
            found.append((size, f"{key}: {tally(gone)} → {tally(come)}"))
        elif not gone:
            plain = all(_WORD.fullmatch(value) and len(value) < 30 for value in come)
            values = f" ({tally(come)})" if plain else ""
            found.append((size, f"{counted(come.total(), 'mark')} {key} added{values}"))
        elif not come:
            found.append((size, f"{counted(gone.total(), 'mark')} {key} removed"))
        else:
            found.append((size, f"{key}: {a.total():,} → {counted(b.total(), 'mark')}"))
    found.sort(key=lambda each: -each[0])
    yield from (phrase for _, phrase in found[:2])


def _alignment(old: _Facts, new: _Facts) -> Iterator[str]:
    if new.aligned > old.aligned:
        yield f"alignment noted on {counted(new.aligned - old.aligned, 'access', 'accesses')}"
    elif new.aligned < old.aligned:
        noted = counted(old.aligned - new.aligned, "access", "accesses")
        yield f"alignment no longer noted on {noted}"


# --- what is left -------------------------------------------------------------------------------


def _kind(line: str) -> str:
    if "_scope = " in line and line.startswith("// attr"):
        return "scope"
    for start, found in _LINES:
        if line.startswith(start):
            return found
    if _CALL.match(line) and " = " not in line.partition("(")[0] and ") = " not in line:
        return "instruction"
    return "assignment" if " = " in line else "line"


def _written(old: _Facts, new: _Facts) -> Iterator[str]:
    """What assignments compute, where they stay assignments."""
    gone, come = gone_and_new(old.written, new.written)
    if old.assigned == new.assigned and gone and gone.total() == come.total():
        yield f"{tally(gone)} → {tally(come)}"


def _rewritten(old: _Facts, new: _Facts, before: str, after: str) -> Iterator[str]:
    """Statements of which there are as many as before, written differently."""
    gone: Counter[str] = Counter()
    come: Counter[str] = Counter()
    for lines, found in ((old.lines - new.lines, gone), (new.lines - old.lines, come)):
        for line, number in lines.items():
            found[_kind(line)] += number
    for name, word in (("assignment", "assignment"), ("instruction", "call"), ("let", "let")):
        both = min(gone[name], come[name])
        if both:
            shown = _example(before, after, name)
            yield f"{counted(both, word)} rewritten" + (f": {shown}" if shown else "")


def _example(before: str, after: str, kind_: str) -> str:
    a, b = split_lines(mask_addresses(before)), split_lines(mask_addresses(after))
    for hunk in diff(before, after).hunks:
        if hunk.a1 - hunk.a0 == hunk.b1 - hunk.b0:
            for x, y in zip(a[hunk.a0 : hunk.a1], b[hunk.b0 : hunk.b1], strict=True):
                if x != y and _kind(x.strip()) == _kind(y.strip()) == kind_:
                    return example(x, y)
    return ""
