"""What each operator of a composite kernel computes, in NumPy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Attributes: TypeAlias = Mapping[str, Any]
Operator: TypeAlias = Callable[[Sequence[Array], Attributes], Array]


def _axes(attributes: Attributes, rank: int) -> tuple[int, ...]:
    """Axes that an attribute lists; none means all."""
    listed = attributes.get("axis")
    if listed is None or listed == []:
        return tuple(range(rank))
    numbers = listed if isinstance(listed, list) else [listed]
    return tuple(int(axis) % rank for axis in numbers)


def _reduced(how: Callable[..., Array]) -> Operator:
    def reduce(inputs: Sequence[Array], attributes: Attributes) -> Array:
        axes = _axes(attributes, inputs[0].ndim)
        result = how(inputs[0], axis=axes, keepdims=bool(attributes.get("keep_dims", False)))
        return result if result.ndim else result.reshape(1)

    return reduce


def _one(function: Callable[[Array], Array]) -> Operator:
    return lambda inputs, _: function(inputs[0])


def _two(function: Callable[[Array, Array], Array]) -> Operator:
    return lambda inputs, _: function(inputs[0], inputs[1])


def _matmul(inputs: Sequence[Array], attributes: Attributes) -> Array:
    first, second = inputs[0], inputs[1]
    if "FRACTAL_NZ" in (attributes.get("left_format"), attributes.get("right_format")):
        raise ValueError("the order of its elements (FRACTAL_NZ) is not followed here")
    if attributes.get("transpose_a"):
        first = np.swapaxes(first, -1, -2)
    if attributes.get("transpose_b"):
        second = np.swapaxes(second, -1, -2)
    result = first @ second
    return result + inputs[2] if len(inputs) > 2 else result


def _reshape(inputs: Sequence[Array], attributes: Attributes) -> Array:
    return inputs[0].reshape([int(size) for size in attributes["shape"]])


def _expand(inputs: Sequence[Array], attributes: Attributes) -> Array:
    listed = attributes["axis"]
    for axis in listed if isinstance(listed, list) else [listed]:
        inputs = [np.expand_dims(inputs[0], int(axis))]
    return inputs[0]


def _broadcast(inputs: Sequence[Array], attributes: Attributes) -> Array:
    wanted = [int(size) for size in attributes["shape"]]
    have = inputs[0].shape
    whole = [
        have[at - len(wanted) + len(have)] if size == -1 else size for at, size in enumerate(wanted)
    ]
    return np.broadcast_to(inputs[0], whole)


def _slice(inputs: Sequence[Array], attributes: Attributes) -> Array:
    parts = zip(attributes["begin"], attributes["end"], attributes["strides"], strict=True)
    return inputs[0][tuple(slice(int(b), int(e), int(s)) for b, e, s in parts)]


def _one_hot(inputs: Sequence[Array], attributes: Attributes) -> Array:
    depth, axis = int(attributes["depth"]), int(attributes.get("axis", -1))
    on, off = (inputs[1], inputs[2]) if len(inputs) > 2 else (np.float64(1), np.float64(0))
    hit = np.expand_dims(inputs[0], axis) == np.arange(depth).reshape(
        [depth if at == (axis % (inputs[0].ndim + 1)) else 1 for at in range(inputs[0].ndim + 1)]
    )
    return np.where(hit, on, off)


def _gather(inputs: Sequence[Array], attributes: Attributes) -> Array:
    axis = attributes.get("axis", 0)
    at = int(axis[0] if isinstance(axis, list) else axis)
    return np.take(inputs[0], inputs[1].astype(np.int64), axis=at)


def _segment_sum(inputs: Sequence[Array], attributes: Attributes) -> Array:
    data, segments = inputs[0], inputs[1].astype(np.int64)
    number = int(attributes["num_segments"])
    result = np.zeros((number, *data.shape[segments.ndim :]), dtype=data.dtype)
    np.add.at(result, segments, data)
    return result


def _concatenated(inputs: Sequence[Array], attributes: Attributes) -> Array:
    return np.concatenate(list(inputs), axis=int(attributes.get("axis", 0)))


def _transposed(inputs: Sequence[Array], attributes: Attributes) -> Array:
    return np.transpose(inputs[0], [int(axis) for axis in attributes["perm"]])


def _cumulated(inputs: Sequence[Array], attributes: Attributes) -> Array:
    return np.cumsum(inputs[0], axis=_axes(attributes, inputs[0].ndim)[0])


def _added(inputs: Sequence[Array], _: Attributes) -> Array:
    total = inputs[0]
    for each in inputs[1:]:
        total = total + each
    return total


def _selected(compare: Callable[[Array, Array], Array]) -> Operator:
    def select(inputs: Sequence[Array], _: Attributes) -> Array:
        return np.where(compare(inputs[0], inputs[1]), inputs[2], inputs[3])

    return select


def _error_function(values: Array) -> Array:
    from scipy.special import erf  # scipy comes with MindSpore; little else needs it

    return np.asarray(erf(values))


OPERATORS: dict[str, Operator] = {
    "Abs": _one(np.abs),
    "ACos": _one(np.arccos),
    "Acosh": _one(np.arccosh),
    "Add": _two(np.add),
    "TensorAdd": _two(np.add),
    "AddN": _added,
    "Argmax": lambda inputs, a: np.argmax(inputs[0], axis=_axes(a, inputs[0].ndim)[0]),
    "Argmin": lambda inputs, a: np.argmin(inputs[0], axis=_axes(a, inputs[0].ndim)[0]),
    "Asin": _one(np.arcsin),
    "Asinh": _one(np.arcsinh),
    "Assign": lambda inputs, _: inputs[1],
    "Atan": _one(np.arctan),
    "Atan2": _two(np.arctan2),
    "BatchMatMul": _matmul,
    "BroadcastTo": _broadcast,
    "Cast": lambda inputs, _: inputs[0],  # its result is taken into its type like every other
    "Concat": _concatenated,
    "Cos": _one(np.cos),
    "CumSum": _cumulated,
    "Div": _two(np.divide),
    "Equal": _two(np.equal),
    "Erf": _one(_error_function),
    "Exp": _one(np.exp),
    "ExpandDims": _expand,
    "Expm1": _one(np.expm1),
    "Floor": _one(np.floor),
    "FloorDiv": _two(np.floor_divide),
    "FloorMod": _two(np.mod),
    "Gather": _gather,
    "Greater": _two(np.greater),
    "GreaterEqual": _two(np.greater_equal),
    "InplaceAssign": lambda inputs, _: inputs[2] if len(inputs) > 2 else inputs[1],
    "IsFinite": _one(np.isfinite),
    "IsInf": _one(np.isinf),
    "IsNan": _one(np.isnan),
    "Less": _two(np.less),
    "LessEqual": _two(np.less_equal),
    "Log": _one(np.log),
    "LogicalAnd": _two(np.logical_and),
    "LogicalNot": _one(np.logical_not),
    "LogicalOr": _two(np.logical_or),
    "MatMul": _matmul,
    "Maximum": _two(np.maximum),
    "Minimum": _two(np.minimum),
    "Mod": _two(np.fmod),
    "Mul": _two(np.multiply),
    "Neg": _one(np.negative),
    "NotEqual": _two(np.not_equal),
    "OneHot": _one_hot,
    "Pow": _two(np.power),
    "RealDiv": _two(np.divide),
    "Reciprocal": _one(np.reciprocal),
    "ReduceMax": _reduced(np.max),
    "ReduceMin": _reduced(np.min),
    "ReduceProd": _reduced(np.prod),
    "ReduceSum": _reduced(np.sum),
    "Reshape": _reshape,
    "Round": _one(np.round),
    "Rsqrt": _one(lambda values: 1.0 / np.sqrt(values)),
    "Select": lambda inputs, _: np.where(inputs[0] != 0, inputs[1], inputs[2]),
    "SelectGE": _selected(np.greater_equal),
    "SelectGT": _selected(np.greater),
    "SelectLE": _selected(np.less_equal),
    "SelectLT": _selected(np.less),
    "Sign": _one(np.sign),
    "Sin": _one(np.sin),
    "Sqrt": _one(np.sqrt),
    "StridedSlice": _slice,
    "Sub": _two(np.subtract),
    "Tanh": _one(np.tanh),
    "Tile": lambda inputs, a: np.tile(inputs[0], [int(times) for times in a["multiples"]]),
    "Transpose": _transposed,
    "UnsortedSegmentSum": _segment_sum,
    "ZerosLike": _one(np.zeros_like),
}
