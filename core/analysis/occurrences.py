"""Which shapes occur, and how often: read from what somebody types, a table, or MindSpore's log.

A line is a shape as `core.shapes` reads it, perhaps with a comma and how often it occurs: "512x64,
30". Where it is said how often, several shapes are those of one call's arguments; else each is one
of its own. Lines that are the same add up. A table has a line of names: `shape` and `count`, or
dimensions and tensors by name. A log tells of shapes by what was compiled for each
(`core.readers.logs`).
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.analysis.buckets import Occurring, Sizes
from core.kernel import Kernel, KernelError
from core.readers.logs import read_log
from core.readers.recompiles import Recompiled
from core.shapes import free_sizes, parse_shapes, with_dimensions, with_shapes

#: A shape and a count. A comma right behind a size by name begins another size: d0=256,512.
_COUNTED = re.compile(r"([^=,]*[^=,\s])\s*[,\t]\s*(\d+)|(.*=.*\S)(?:,\s+|\t)(\d+)")
_COUNT = ("count", "counts", "calls", "times", "n", "number")
_WHOLE = ("shape", "shapes", "case")
_LOG = re.compile(
    r"Start compiling, phase: |Generate a new compile key for new args|Start compiling '"
)
_LARGEST_COUNT = 10**12
_ONE_SHAPE = re.compile(r"\d+(?:x\d+)*")


@dataclass(frozen=True, slots=True)
class Read:
    """What a text tells of shapes."""

    shapes: tuple[tuple[Kernel, int], ...]  #: the kernel in each, with how often it occurs
    recompiled: tuple[Recompiled, ...] = ()  #: of a log: what was compiled more than once
    skipped: tuple[str, ...] = ()  #: what could not be taken, a sentence each


def is_log(text: str) -> bool:
    """Whether a text is a log that tells of compiles."""
    return bool(_LOG.search(text))


def read_occurrences(text: str, kernel: Kernel) -> Read:
    """The shapes of a text for a kernel. Raises KernelError where it holds none, or a wrong one."""
    if is_log(text):
        found = tuple(each for each in read_log(text).recompiled if each.count > 1)
        shapes, skipped = [], []
        for each in found:
            taken, left = of_recompiled(each, kernel)
            shapes += taken
            skipped += left
        if not found:
            raise KernelError("The log tells of nothing that was compiled again.")
        return Read(tuple(shapes), found, tuple(dict.fromkeys(skipped)))
    shapes = list(_lines(text, kernel))
    if not shapes:
        raise KernelError("Give shapes, one a line, as in 512x64 or 512x64, 30.")
    return Read(tuple(shapes))


def _lines(text: str, kernel: Kernel) -> Iterable[tuple[Kernel, int]]:
    known: dict[tuple[str, bool], tuple[Kernel, ...]] = {}
    for number, (said, count) in enumerate(_counted(text), 1):
        times = count if count is not None else 1
        if times > _LARGEST_COUNT:
            raise KernelError(f"Line {number}: {times} is more often than anything occurs.")
        key = said, count is not None
        if key not in known:
            try:
                known[key] = parse_shapes(_of_one_call(said, kernel) if key[1] else said, kernel)
            except KernelError as wrong:
                raise KernelError(f"Line {number}: {wrong}") from None
        for made in known[key]:
            yield made, times


def _of_one_call(said: str, kernel: Kernel) -> str:
    """Of the shapes of a call's arguments the one that is meant for the kernel: the first with as
    many axes as its largest input."""
    words = said.split()
    if len(words) < 2 or not all(_ONE_SHAPE.fullmatch(word) for word in words):
        return said
    inputs = [tensor for tensor in kernel.tensors if tensor.role == "input"]
    largest = max(inputs, key=lambda tensor: math.prod(tensor.shape), default=None)
    rank = len(largest.shape) if largest else 0
    return next((word for word in words if word.count("x") + 1 == rank), said)


def _counted(text: str) -> Iterable[tuple[str, int | None]]:
    """Shapes as they are written, and how often each occurs, where that is said."""
    lines = [line.strip() for line in text.replace("\ufeff", "").splitlines() if line.strip()]
    table = _table(lines)
    if table is not None:
        yield from table
        return
    for line in lines:
        counted = _COUNTED.fullmatch(line)
        if counted:
            shape, count = counted[1] or counted[3], counted[2] or counted[4]
            yield shape.strip(), int(count)
        else:
            yield line, None


def _table(lines: Sequence[str]) -> list[tuple[str, int]] | None:
    """The lines of a table by its line of names; None where it is none."""
    if len(lines) < 2 or "=" in lines[0]:
        return None
    mark = next((each for each in "\t;," if each in lines[0]), ",")
    rows = list(csv.reader(io.StringIO("\n".join(lines)), delimiter=mark))
    names = [name.strip() for name in rows[0]]
    if not all(re.fullmatch(r"[A-Za-z_][\w.]*", name) for name in names):
        return None
    if not any(name.lower() in (*_WHOLE, *_COUNT) for name in names) and len(names) < 2:
        return None
    found = []
    for number, row in enumerate(rows[1:], 2):
        said, count = [], 1
        for name, value in zip(names, (cell.strip() for cell in row), strict=False):
            if name.lower() in _COUNT:
                if not re.fullmatch(r"\d{1,12}(?:\.0+)?", value):
                    raise KernelError(f"Line {number}: {value!r} is no count; write a number.")
                count = int(float(value))
            elif value:
                said.append(value if name.lower() in _WHOLE else f"{name}={value}")
        if said and count:
            found.append((" ".join(said), count))
    return found


def occurring(kernel: Kernel, shapes: Iterable[tuple[Kernel, int]]) -> Occurring:
    """`shapes` are the kernel in each shape, and how often that occurs. Raises KernelError."""
    every = tuple(free_sizes(kernel))
    own: dict[str, Sizes] = {}
    counts: dict[Sizes, int] = {}
    for made, count in shapes:
        if made.digest not in own:
            sizes = free_sizes(made, kernel)
            own[made.digest] = tuple(sizes[name] for name in every)
        counts[own[made.digest]] = counts.get(own[made.digest], 0) + count
    if not counts or not every:
        raise KernelError(f"No size of {kernel.name} varies, so there is nothing to put together.")
    first = next(iter(counts))
    varying = [at for at in range(len(every)) if len({sizes[at] for sizes in counts}) > 1] or [0]
    # What is the same in every shape may yet be another size than the kernel's own.
    still = {name: first[at] for at, name in enumerate(every) if at not in varying}
    return Occurring(
        tuple(every[at] for at in varying),
        {tuple(sizes[at] for at in varying): count for sizes, count in counts.items()},
        with_dimensions(kernel, still),
    )


# Of a log


def of_recompiled(
    recompiled: Recompiled, kernel: Kernel
) -> tuple[list[tuple[Kernel, int]], list[str]]:
    """The kernel in each shape that a function was compiled for, and what could not be taken.

    An argument stands for the input of the kernel that has as many axes, the largest first.
    """
    shapes, skipped = [], []
    inputs = sorted(
        (tensor for tensor in kernel.tensors if tensor.role == "input"),
        key=lambda tensor: -len(tensor.shape),
    )
    for arguments, count in recompiled.shapes.items():
        if any(size < 1 for shape in arguments for size in shape):
            skipped.append(f"{recompiled.name} was compiled for sizes that stay open.")
            continue
        wanted: dict[str, tuple[int, ...]] = {}
        for shape in sorted(arguments, key=lambda shape: -len(shape)):
            tensor = next(
                (t for t in inputs if t.name not in wanted and len(t.shape) == len(shape)), None
            )
            if tensor is not None:
                wanted[tensor.name] = shape
                break
        if not wanted:
            skipped.append(
                f"No argument of {recompiled.name} has as many axes as an input of {kernel.name}."
            )
            continue
        try:
            shapes.append((with_shapes(kernel, wanted), count))
        except KernelError as wrong:
            skipped.append(f"{recompiled.name}: {wrong}")
    return shapes, skipped


def of_arguments(recompiled: Recompiled) -> Occurring | None:
    """The shapes of a function's own arguments; None where they do not vary.

    Axes that are equal in every shape are one dimension.
    """
    known = {
        shapes: count
        for shapes, count in recompiled.shapes.items()
        if all(size >= 1 for shape in shapes for size in shape)
    }
    ranks = {tuple(map(len, shapes)) for shapes in known}
    if len(ranks) != 1 or len(known) < 2:
        return None
    names: dict[Sizes, str] = {}
    arguments = []
    for at, rank in enumerate(next(iter(ranks))):
        axes: list[str | int] = []
        for axis in range(rank):
            sizes = tuple(shapes[at][axis] for shapes in known)
            varies = len(set(sizes)) > 1
            axes.append(names.setdefault(sizes, f"d{len(names)}") if varies else sizes[0])
        arguments.append(tuple(axes))
    counts: dict[Sizes, int] = {}
    for number, count in enumerate(known.values()):
        key = tuple(sizes[number] for sizes in names)
        counts[key] = counts.get(key, 0) + count
    return Occurring(tuple(names.values()), counts, None, tuple(arguments))


@dataclass(frozen=True, slots=True)
class Recompiles:
    """What compiling a function again and again comes to."""

    name: str
    compiles: int
    shapes: int  #: different ones
    seconds: float  #: all compiles; 0 where the log does not say
    varies: str  #: which sizes do: "d0: 4 to 9"


def recompiles(found: Iterable[Recompiled]) -> tuple[Recompiles, ...]:
    """The functions that were compiled more than once, the most often first."""
    rows = []
    for each in found:
        if each.count < 2:
            continue
        own = of_arguments(each)
        rows.append(Recompiles(each.name, each.count, len(each.shapes), each.seconds, _ranges(own)))
    return tuple(sorted(rows, key=lambda row: -row.compiles))


def _ranges(shapes: Occurring | None) -> str:
    if shapes is None:
        return ""
    columns: Mapping[str, list[int]] = {
        name: [sizes[at] for sizes in shapes.counts] for at, name in enumerate(shapes.names)
    }
    return ", ".join(f"{n}: {min(sizes)} to {max(sizes)}" for n, sizes in columns.items())
