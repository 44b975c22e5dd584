"""The dispatch table of a kernel: which bucket a shape is padded to, and with which hints that is
compiled; as values, as JSON, and as Python that runs by itself."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from core.analysis.buckets import Bucket, Occurring, Plan
from core.analysis.padding import Padding, padding
from core.compilers.akg import channels
from core.hints import Hints, HintValue
from core.kernel import Kernel, KernelError
from core.shapes import dimensions, free_sizes


@dataclass(frozen=True, slots=True)
class Entry:
    """One bucket of a table."""

    bucket: Bucket
    sizes: Mapping[str, int]  #: of the dimensions that vary
    kernel: Kernel  #: in the bucket's shape
    hints: Hints


@dataclass(frozen=True, slots=True)
class Dispatch:
    """What a shape is padded to and how that is compiled, the smallest bucket first."""

    kernel: Kernel  #: as given
    names: tuple[str, ...]  #: of the dimensions that vary
    axes: Mapping[str, tuple[tuple[str, int], ...]]  #: of each: tensors and axes that have it
    fixed: Mapping[str, int]  #: the other dimensions
    entries: tuple[Entry, ...]
    padding: Padding


def dispatch(shapes: Occurring, plan: Plan, hints: Callable[[Bucket], Hints]) -> Dispatch:
    """The table of a plan; `hints` says with which each bucket is compiled. Raises KernelError."""
    kernel = shapes.kernel
    if kernel is None:
        raise KernelError("Choose the kernel that these shapes are for: a table names its hints.")
    entries = [
        Entry(each, shapes.values(each.sizes), shapes.made(each.sizes), hints(each))
        for each in plan.buckets
    ]
    volume = {e.bucket.sizes: float(shapes.elements([e.bucket.sizes])[0]) for e in entries}
    entries.sort(key=lambda entry: (volume[entry.bucket.sizes], entry.bucket.sizes))
    named = {each.name: each.axes for each in dimensions(kernel)}
    fixed = {n: v for n, v in free_sizes(kernel).items() if n not in shapes.names}
    return Dispatch(
        kernel,
        shapes.names,
        {name: named[name] for name in shapes.names},
        fixed,
        tuple(entries),
        padding(kernel, shapes.names),
    )


def as_document(table: Dispatch) -> dict[str, Any]:
    """The table as values of JSON."""
    return {
        "kernel": table.kernel.name,
        "dimensions": {
            name: [{"tensor": tensor, "axis": at} for tensor, at in axes]
            for name, axes in table.axes.items()
        },
        "fixed": dict(table.fixed),
        "padding": {
            "verdict": table.padding.verdict,
            "why": table.padding.why,
            "fill": {name: _number(value) for name, value in table.padding.fill.items()},
        },
        "buckets": [
            {
                "sizes": dict(entry.sizes),
                "tensors": {t.name: list(t.shape) for t in entry.kernel.tensors},
                "kernel": entry.kernel.name,
                "case": entry.kernel.case,
                "outcome": entry.bucket.outcome,
                "calls": entry.bucket.calls,
                "shapes": [
                    dict(zip(table.names, sizes, strict=True)) for sizes in entry.bucket.shapes
                ],
                "waste": round(entry.bucket.waste, 6),
                "hints": entry.hints.as_dict(),
            }
            for entry in table.entries
        ],
    }


def as_json(table: Dispatch) -> str:
    return json.dumps(as_document(table), indent=1)


def _number(value: float) -> float | str:
    """Infinity as JSON can have it."""
    return str(value) if value in (float("inf"), float("-inf")) else value


def compile_attributes(entry: Entry) -> dict[str, HintValue]:
    """What AKG takes for a bucket as `compile_attrs`."""
    return channels.compile_attributes(entry.hints)


def as_repository(table: Dispatch) -> str:
    """The hints of all buckets as a tiling repository of AKG, a JSON text.

    Raises KernelError for a kernel without a description.
    """
    return channels.repository((entry.kernel, entry.hints) for entry in table.entries)


def as_python(table: Dispatch) -> str:
    """The table as a module of Python that needs nothing else."""
    buckets = ",\n".join(
        f"    ({dict(entry.sizes)!r}, {entry.hints.as_dict()!r})" for entry in table.entries
    )
    sizes = ", ".join(f"{name}: int" for name in table.names)
    asked = ", ".join(f'"{name}": {name}' for name in table.names)
    where = "\n".join(
        f"    {name}: " + (", ".join(f"axis {at} of {tensor}" for tensor, at in axes) or "constant")
        for name, axes in table.axes.items()
    )
    fill = {name: _number(value) for name, value in table.padding.fill.items()}
    words = textwrap.fill(table.padding.why, 96)
    return _PYTHON.format(
        kernel=table.kernel.name,
        where=where,
        words=words,
        buckets=buckets,
        fill=repr(fill),
        sizes=sizes,
        asked=asked,
        names=", ".join(table.names),
    )


_PYTHON = '''"""Buckets of {kernel}: what shapes are padded to, and the hints of each.

{where}

{words}
"""

from __future__ import annotations

#: Sizes and hints of every bucket, the smallest first.
BUCKETS: list[tuple[dict[str, int], dict[str, object]]] = [
{buckets},
]
#: What the padding of an input must hold; of one that is not named anything.
FILL: dict[str, object] = {fill}


def bucket_for({sizes}) -> tuple[dict[str, int], dict[str, object]]:
    """Sizes and hints of the smallest bucket that holds a shape. Raises ValueError."""
    asked = {{{asked}}}
    for sizes, hints in BUCKETS:
        if all(asked[name] <= size for name, size in sizes.items()):
            return sizes, hints
    raise ValueError(f"No bucket holds {{asked}}; compile it for itself.")


def padding_for({sizes}) -> dict[str, int]:
    """By how much each size grows. Raises ValueError."""
    sizes, _ = bucket_for({names})
    asked = {{{asked}}}
    return {{name: size - asked[name] for name, size in sizes.items()}}
'''
