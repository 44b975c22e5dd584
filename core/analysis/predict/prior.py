"""What a plan of memory would need at other tiles: each buffer a product of what it depends on.

A compiler's plan has the bytes of every buffer and when it is alive. A buffer holds a part of a
tensor, so its bytes are a constant times some of the tiles. Which ones is read off the sizes: of
one plan where nothing else is known, of several plans where points were measured.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.analysis.predict.points import L0, Floats, Variable, dtype_bytes
from core.trace import Buffer, MemoryPlan, Texts, Trace

_ALIGNMENT = {"UB": 32, "L1": 32, "L0A": 512, "L0B": 512, "L0C": 512}  # bytes
_MOST_FACTORS = 5
_BLOCK_BYTES = 32  # that a row of a buffer fills whole
_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(r"\d+(?=x)|\d+(?= |$)")
_NO_IDENTIFIER = re.compile(r"\W")
_AXIS_LOOPS = re.compile(
    r"^\| Axis \(0x[0-9a-f]+\) (\d+)_(\d+)\|.*?Loops : \{([^}]*)\}", re.MULTILINE
)
_CUT_BY = re.compile(r"^  (\S+): size=\S+, scope=\d+, tile=\{([^}]*)\}", re.MULTILINE)
_LOOP = re.compile(r"\w+(?=\()")
#: An allocation of the statement language, a name and sizes; one of MLIR, a value and a shape.
_ALLOCATED = re.compile(
    r"allocate (\S+)\[\w+((?: \* \d+)+)\]"
    r"|(%[\w$.-]+) = (?:hivm\.hir\.pointer_cast|memref\.alloc)\(.*?: memref<((?:\d+x)+)"
)

Identity = tuple[str, int]  #: a buffer's name without its numbers, and the how-manieth of that name


@dataclass(frozen=True, slots=True)
class Form:
    """What a buffer's bytes are a product of."""

    columns: tuple[int, ...]  #: of the variables
    innermost: int | None = None  #: the one that counts along a row, whose bytes fill whole blocks
    element: int = 1  #: bytes of one element of a row

    def product(self, points: Floats) -> Floats:
        """The product at each point, which a buffer's bytes are a constant times."""
        others = [column for column in self.columns if column != self.innermost]
        found = np.prod(points[:, others], axis=1) if others else np.ones(len(points))
        if self.innermost is not None:
            rows = points[:, self.innermost] * self.element
            found = found * np.ceil(rows / _BLOCK_BYTES) * _BLOCK_BYTES
        return np.asarray(found)


@dataclass(frozen=True, slots=True)
class Sized:
    """A buffer as a product: bytes = rounded up(coefficient x product of the values)."""

    name: str
    coefficient: float
    form: Form
    first: float
    last: float

    def bytes(self, points: Floats, alignment: int) -> Floats:
        """Bytes at each point, rounded up to the memory's alignment."""
        exact = np.round(self.coefficient * self.form.product(points), 6)
        return np.asarray(np.ceil(exact / alignment) * alignment)


@dataclass(frozen=True, slots=True)
class Layout:
    """One memory of one plan, its buffers as products; copies of double buffers are left out."""

    memory: str
    buffers: tuple[Sized, ...]

    def sizes(self, points: Floats) -> dict[str, Floats]:
        """Bytes of one copy of each buffer at each point."""
        alignment = _ALIGNMENT.get(self.memory, 32)
        return {buffer.name: buffer.bytes(points, alignment) for buffer in self.buffers}

    def needs(self, points: Floats) -> Floats:
        """The least bytes at each point: the most that is alive at one time, nothing doubled."""
        alignment = _ALIGNMENT.get(self.memory, 32)
        sizes = np.stack([b.bytes(points, alignment) for b in self.buffers], axis=1)
        alive = np.array(
            [[_alive(b, at) for b in self.buffers] for at in {b.first for b in self.buffers}]
        )
        return np.asarray((sizes @ alive.T.astype(float)).max(axis=1))


def _alive(buffer: Sized, at: float) -> bool:
    # What ends where another begins may lie in the same place: operations work in place.
    return buffer.first <= at and (at < buffer.last or buffer.first == buffer.last)


def originals(plan: MemoryPlan) -> list[Buffer]:
    """The buffers of a plan that are no second copy of another, in program order."""
    return sorted((b for b in plan.buffers if not b.copy_of), key=lambda b: b.first_use or 0)


def least(plan: MemoryPlan) -> int:
    """The most that is alive at one time, nothing doubled: what a plan could not do without."""
    alignment = _ALIGNMENT.get(plan.memory, 32)
    kept = originals(plan)
    spans = [(_start(b), _end(b), -(-b.bytes // alignment) * alignment) for b in kept]
    return max(
        (
            sum(size for first, last, size in spans if first <= at and (at < last or first == last))
            for at in {first for first, _, _ in spans}
        ),
        default=0,
    )


def _start(buffer: Buffer) -> float:
    return float("-inf") if buffer.first_use is None else float(buffer.first_use)


def _end(buffer: Buffer) -> float:
    return float("inf") if buffer.last_use is None else float(buffer.last_use)


def identities(plan: MemoryPlan) -> dict[Identity, Buffer]:
    """Buffers by what they are called in every plan of the kernel: values count up, names stay."""
    counted: dict[str, int] = defaultdict(int)
    found = {}
    for buffer in originals(plan):
        name = " ".join((_DIGITS.sub("#", buffer.name), buffer.source, buffer.dtype))
        found[name, counted[name]] = buffer
        counted[name] += 1
    return found


def shapes(trace: Trace, texts: Texts | None) -> dict[str, tuple[int, ...]]:
    """The dimensions of buffers by name, from the last text that allocates them."""
    names = {b.name.rpartition(" ")[2] for plan in trace.memory for b in plan.buffers}
    if not names or texts is None:
        return {}
    for each in reversed(trace.passes):
        if each.text is None:
            continue
        try:
            found = _ALLOCATED.findall(texts.get(each.text))
        except KeyError:
            continue
        dimensions = {
            _NO_IDENTIFIER.sub("_", name) if sizes else value: tuple(
                int(size) for size in _NUMBER.findall(sizes or shape)
            )
            for name, sizes, value, shape in reversed(found)
        }
        if names & dimensions.keys():
            return dimensions
    return {}


def dependences(
    trace: Trace, texts: Texts | None, of: Sequence[Variable]
) -> dict[str, tuple[int, ...]]:
    """The columns of the tiles that buffers depend on, by name, as AKG's search log lists them.

    They are in the order of the buffer's dimensions, the innermost last.

    The section `[buffer]` of poly/tiling.log names the loops that a buffer's size is cut by, and
    each axis of its tiling space the loops that it stands for.
    """
    log = next((log for log in trace.logs if log.name == "tiling.log"), None)
    if log is None or texts is None:
        return {}
    try:
        text = texts.get(log.text)
    except KeyError:
        return {}
    columns = {each.key: column for column, each in enumerate(of)}
    loops: dict[str, int] = {}
    for band, axis, names in _AXIS_LOOPS.findall(text):
        column = columns.get(f"{band}.{axis}")
        if column is not None:
            loops.update((name, column) for name in names.split(",") if name)
    found = {}
    for name, cut in _CUT_BY.findall(text):
        found[name.removesuffix("_0")] = tuple(
            dict.fromkeys(loops[loop] for loop in _LOOP.findall(cut) if loop in loops)
        )
    return found


def layout(
    plan: MemoryPlan,
    here: Sequence[float],
    others: Sequence[tuple[Sequence[float], MemoryPlan]],
    of: Sequence[Variable],
    shaped: Mapping[str, tuple[int, ...]],
    told: Mapping[str, tuple[int, ...]],
) -> Layout:
    """The plan at the point `here` as products.

    `others` are plans of the same memory at other points. `shaped` are the dimensions of buffers
    at this one, `told` the columns that they depend on, where a text has them.
    """
    samples: dict[Identity, list[tuple[Sequence[float], int]]] = defaultdict(list)
    for there, other in others:
        for identity, buffer in identities(other).items():
            samples[identity].append((there, buffer.bytes))
    usable = [c for c, each in enumerate(of) if here[c] >= 1 and _at_level(each, plan.memory, of)]
    buffers = []
    for identity, buffer in identities(plan).items():
        name = buffer.name.rpartition(" ")[2]
        points = np.array([here, *(there for there, _ in samples[identity])])
        sizes = np.array([buffer.bytes, *(size for _, size in samples[identity])], dtype=float)
        known = told.get(name)
        considered = [c for c in usable if known is None or _outer(c, of) in known]
        dimensions = shaped.get(name, ())
        form, coefficient = _formed(buffer, points, sizes, considered, of, dimensions, known)
        buffers.append(Sized(buffer.name, coefficient, form, _start(buffer), _end(buffer)))
    return Layout(plan.memory, tuple(buffers))


def _at_level(each: Variable, memory: str, of: Sequence[Variable]) -> bool:
    """Whether buffers of a memory may depend on a variable: those of L1 on outer tiles of a cube
    kernel, the others on L0 tiles."""
    if each.kind not in ("tile", "l0") or not any(v.kind == "l0" for v in of):
        return each.kind not in ("choice", "count")
    return (each.kind == "tile") == (memory == "L1")


def _outer(column: int, of: Sequence[Variable]) -> int:
    """The column of the outer tile that a tile is of."""
    key = of[column].key.removesuffix(L0)
    return next(c for c, each in enumerate(of) if each.key == key)


def _formed(
    buffer: Buffer,
    points: Floats,
    sizes: Floats,
    usable: Sequence[int],
    of: Sequence[Variable],
    dimensions: Sequence[int],
    told: tuple[int, ...] | None,
) -> tuple[Form, float]:
    """The form that explains a buffer's bytes best, and the constant that goes with it."""
    element = dtype_bytes(buffer.dtype)
    best: tuple[float, ...] = (float("inf"),)
    chosen, constant = Form(()), float(sizes[0])
    for columns in _subsets(usable):
        # Rows are counted by the last of the tiles, unless a shape says another.
        for innermost in (None, *(c for c in columns if of[c].unit > 1)):
            form = Form(columns, innermost, element)
            products = form.product(points)
            if products[0] > sizes[0] + _BLOCK_BYTES:
                continue
            ratios = np.log(sizes / products)
            spread = float(np.abs(ratios - np.median(ratios)).mean())
            # Where one plan is all there is: what texts say, else the largest product that
            # divides the size.
            score = (
                round(spread, 2),
                _contradicts(form, points[0], of, dimensions, told),
                float(len(usable) - len(columns)) if told is not None else 0.0,
                float(sizes[0] % products[0] != 0),
                -float(np.prod(points[0, list(columns)])),
                float(innermost is None),
                float(len(columns)),
            )
            if score < best:
                best, chosen, constant = score, form, float(np.exp(np.median(ratios)))
    return chosen, constant


def _subsets(columns: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for count in range(min(_MOST_FACTORS, len(columns)) + 1):
        yield from combinations(columns, count)


def _contradicts(
    form: Form,
    here: Floats,
    of: Sequence[Variable],
    dimensions: Sequence[int],
    told: tuple[int, ...] | None,
) -> float:
    """How many of a form's variables are not found among the dimensions of the buffer."""
    if not dimensions:
        return float(form.innermost is not None)
    left = list(dimensions)
    wrong = 0.0
    for column in form.columns:
        if of[column].kind == "number":
            continue
        if here[column] in left:
            left.remove(int(here[column]))
        else:
            wrong += 1
    inner = here[form.innermost] if form.innermost is not None else None
    if inner is not None and (dimensions[-1] != inner or (told and form.innermost != told[-1])):
        wrong += 1
    return wrong
