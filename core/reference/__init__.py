"""What a kernel should compute: its description run in NumPy, to hold a compiled kernel against.

"Compiles" is not "correct": the result of every operator is worked out in float64 from inputs in
their own types, and taken into the type that the description gives it only at the end, so that what
is left of a difference is the compiled kernel's own rounding, or its fault.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.kernel import Kernel
from core.reference.operators import OPERATORS, Array

#: Smallest step of a type relative to 1, by the names of descriptions.
_EPSILON = {"float16": 2.0**-10, "float32": 2.0**-23, "bfloat16": 2.0**-7}


class NoReference(ValueError):
    """A kernel that cannot be worked out here: one sentence saying which operator and why."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How far one output is from what it should be."""

    output: str
    shape: tuple[int, ...]
    dtype: str
    largest: float  #: absolute
    relative: float  #: of the largest, against the magnitude of the right value there
    steps: float  #: of the largest, in the spacing of its type at the largest right value
    at: tuple[int, ...]  #: where the largest is
    right: float  #: the value there that it should be
    got: float
    wrong: int  #: elements off by more than is allowed
    allowed: float  #: absolute difference that rounding may explain

    @property
    def agrees(self) -> bool:
        return self.wrong == 0


def inputs_for(kernel: Kernel, seed: int = 0) -> dict[str, Array]:
    """Random inputs, the same for the same kernel and seed: normal numbers, and whole ones from 0
    on where the type is whole, below the shortest axis that they may index."""
    random = np.random.default_rng(seed)
    smallest = min((s for t in kernel.tensors for s in t.shape if s > 1), default=2)
    made: dict[str, Array] = {}
    for tensor in kernel.tensors:
        if tensor.role == "input":
            made[tensor.name] = _random(random, tensor.shape, tensor.dtype, smallest)
    return made


def _random(random: np.random.Generator, shape: tuple[int, ...], dtype: str, below: int) -> Array:
    if dtype == "bool":
        return random.random(shape) < 0.5
    if dtype.startswith(("int", "uint")):
        return random.integers(0, below, shape).astype(dtype)
    return random.standard_normal(shape).astype("float32" if dtype == "bfloat16" else dtype)


def evaluate(kernel: Kernel, inputs: Mapping[str, Array]) -> dict[str, Array]:
    """The outputs by name, in float64 where they are floats. Raises NoReference."""
    if kernel.kind != "composite":
        raise NoReference("Only kernels described as composite JSON have a reference.")
    description: Mapping[str, Any] = json.loads(kernel.source)
    known: dict[str, Array] = {
        name: values.astype(np.float64) if values.dtype.kind == "f" else values
        for name, values in inputs.items()
    }
    with np.errstate(all="ignore"):
        for operator in description["op_desc"]:
            _run(operator, known)
    wanted = [tensor["tensor_name"] for tensor in description["output_desc"]]
    missing = next((name for name in wanted if name not in known), None)
    if missing is not None:
        raise NoReference(f"No operator makes the output {missing}.")
    return {name: known[name] for name in wanted}


def _run(operator: Mapping[str, Any], known: dict[str, Array]) -> None:
    name = operator["name"]
    function = OPERATORS.get(name)
    if function is None:
        raise NoReference(f"{name} is not among the operators that can be worked out here.")
    attributes = {each["name"]: each["value"] for each in operator.get("attr") or []}
    given = [_value(tensor, known) for group in operator["input_desc"] for tensor in group]
    (made, *others) = operator["output_desc"]
    if others:
        raise NoReference(f"{name} has {len(others) + 1} results, which is not known here.")
    try:
        result = function(given, attributes)
    except (ValueError, IndexError, KeyError, TypeError) as wrong:
        raise NoReference(f"{name} cannot be worked out: {wrong}.") from None
    known[made["tensor_name"]] = _typed(np.asarray(result), made)


def _value(tensor: Mapping[str, Any], known: Mapping[str, Array]) -> Array:
    if "value" in tensor and tensor["tensor_name"] not in known:
        return np.full([int(s) for s in tensor["shape"]], float(tensor["value"]))
    if tensor["tensor_name"] not in known:
        raise NoReference(f"Nothing makes the tensor {tensor['tensor_name']}.")
    return known[tensor["tensor_name"]]


def _typed(values: Array, tensor: Mapping[str, Any]) -> Array:
    """Values in the shape of a description, whole where its type is whole."""
    shape = [int(size) for size in tensor["shape"]]
    if values.size == int(np.prod(shape)):
        values = values.reshape(shape)
    dtype = tensor["data_type"]
    if dtype == "bool":
        return np.asarray(values != 0)
    if dtype.startswith(("int", "uint")):
        return np.trunc(values).astype(dtype) if values.dtype.kind == "f" else values.astype(dtype)
    return values.astype(np.float64)


def precision(kernel: Kernel) -> float:
    """The coarsest step, relative to 1, of the types that a kernel computes in; 0.0 of none."""
    description: Mapping[str, Any] = json.loads(kernel.source)
    made = [each["data_type"] for op in description["op_desc"] for each in op["output_desc"]]
    given = [tensor.dtype for tensor in kernel.tensors]
    return max((_EPSILON.get(dtype, 0.0) for dtype in (*made, *given)), default=0.0)


def difference(
    name: str, right: Array, got: Array, dtype: str, terms: int = 1, epsilon: float | None = None
) -> Difference:
    """How far `got` is from `right` (float64). `terms`: how many values were summed at most for one
    of them, which rounding grows with; `epsilon`: the step of the coarsest type on the way.

    Where the right value is none (the logarithm of a negative number), anything is right.
    """
    epsilon = _EPSILON.get(dtype, 0.0) if epsilon is None else epsilon
    exact, found = right.astype(np.float64), got.astype(np.float64)
    size = float(np.max(np.abs(exact), initial=0.0, where=np.isfinite(exact)))
    # A sum of n rounded values is off by n half steps at most, seldom by more than their root.
    allowed = epsilon * max(size, 1e-30) * (4.0 + 2.0 * np.sqrt(terms))
    off = np.abs(exact - found)
    same = (exact == found) | ~np.isfinite(exact)
    off = np.where(same, 0.0, np.where(np.isnan(off), np.inf, off))
    at = np.unravel_index(int(np.argmax(off)), off.shape) if off.size else ()
    largest = float(off[at]) if off.size else 0.0
    return Difference(
        output=name,
        shape=tuple(exact.shape),
        dtype=dtype,
        largest=largest,
        relative=largest / abs(float(exact[at])) if off.size and exact[at] else largest,
        steps=largest / (epsilon * size) if epsilon and size else 0.0,
        at=tuple(int(each) for each in at),
        right=float(exact[at]) if off.size else 0.0,
        got=float(found[at]) if off.size else 0.0,
        wrong=int(np.count_nonzero(off > allowed)),
        allowed=float(allowed),
    )
