"""Composite kernels that compute the same by other operators, where the chip has none of its own.

Along the last axis the chip takes the largest or smallest of float16 alone, and the sum of floats
(insn_builder_vector.cc: "reduce_last_axis only support float16", "dtype_.is_float()"). It takes two
tensors element by element, and reduces along any other axis, in all of these types. Comparing two
numbers, or adding two whole ones, rounds nothing, so what is made of these is exact.
"""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from core.kernel import Kernel, KernelError, parse_kernel

Document = dict[str, Any]
_Maker = Callable[[Document, Sequence[int]], Iterator[Document]]

_OF_TWO: Mapping[str, str] = {"ReduceMax": "Maximum", "ReduceMin": "Minimum", "ReduceSum": "Add"}
#: The types that each is not taken of along the last axis.
_REFUSED: Mapping[str, tuple[str, ...]] = {
    "ReduceMax": ("float32", "int32"),
    "ReduceMin": ("float32", "int32"),
    "ReduceSum": ("int32",),
}
_MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
_LANES = 8  # numbers of four bytes in the 32 bytes that a vector instruction reads at a time


def halved(kernel: Kernel) -> Kernel | None:
    """The largest, smallest or sum of a row by halves: of both element by element, and again.

    Halves of an odd length share an element, which changes no largest; sums need a power of two.
    None where no operator reduces along the last axis alone what the chip does not.
    """
    return _with_reductions(kernel, "_halved", _by_halves)


def in_lanes(kernel: Kernel) -> Kernel | None:
    """The same by lanes: along the other axes first, down to eight numbers a row, then turned.

    None where the last axis of none is a multiple of eight.
    """
    return _with_reductions(kernel, "_lanes", _by_lanes)


def summed_in_float(kernel: Kernel) -> Kernel | None:
    """Sums of int32 along the last axis taken in float32, with a cast on either side."""
    return _with_reductions(kernel, "_float", _by_casts)


def last_axis_reductions(document: Document) -> list[Document]:
    """The operators that reduce along the last axis alone, in a type that the chip does not."""
    return [op for op in document["op_desc"] if _row(op) is not None]


def _with_reductions(kernel: Kernel, suffix: str, make: _Maker) -> Kernel | None:
    if kernel.kind != "composite":
        return None
    document: Document = copy.deepcopy(json.loads(kernel.source))
    operators: list[Document] = []
    changed = False
    for operator in document["op_desc"]:
        row = _row(operator)
        made = list(make(operator, row)) if row is not None else []
        operators += made or [operator]
        changed = changed or bool(made)
    if not changed:
        return None
    document["op_desc"] = operators
    document["op"] = f"{document['op']}{suffix}"
    try:
        return parse_kernel(json.dumps(document, indent=1), f"{document['op']}.json")
    except KernelError:
        return None


def _row(operator: Document) -> Sequence[int] | None:
    """The shape of what an operator reduces along rows, where the chip cannot; None of others."""
    if operator["name"] not in _REFUSED:
        return None
    source = operator["input_desc"][0][0]
    shape = source["shape"]
    axes = next((a["value"] for a in operator["attr"] or [] if a["name"] == "axis"), None)
    axes = [axes] if isinstance(axes, int) else axes
    refused = source["data_type"] in _REFUSED[operator["name"]]
    if not refused or not isinstance(axes, list) or not shape:
        return None
    if [axis % len(shape) for axis in axes] != [len(shape) - 1] or shape[-1] < 2:
        return None
    return list(shape)


def _by_halves(operator: Document, shape: Sequence[int]) -> Iterator[Document]:
    source, result = operator["input_desc"][0][0], operator["output_desc"][0]
    *rows, length = shape
    if operator["name"] == "ReduceSum" and length & (length - 1):
        return
    part = source
    while length > 1:
        half = (length + 1) // 2
        name = f"{result['tensor_name']}_of_{half}"
        last = half == 1 and list(result["shape"]) == [*rows, 1]
        low, high = (_like(source, f"{name}_{side}", [*rows, half]) for side in ("low", "high"))
        larger = _like(source, result["tensor_name"] if last else name, [*rows, half])
        yield _slice(part, low, [0, half])
        yield _slice(part, high, [length - half, length])
        yield _operator(_OF_TWO[operator["name"]], [low, high], larger)
        part, length = larger, half
    if part["tensor_name"] != result["tensor_name"]:
        yield _reshape(part, result)


def _by_lanes(operator: Document, shape: Sequence[int]) -> Iterator[Document]:
    source, result = operator["input_desc"][0][0], operator["output_desc"][0]
    *rows, length = shape
    count = math.prod(rows)
    if length % _LANES or length <= _LANES or count < 2:
        return
    name = result["tensor_name"]
    reduce = operator["name"]
    viewed = _like(source, f"{name}_viewed", [count, length // _LANES, _LANES])
    lanes = _like(source, f"{name}_lanes", [count, _LANES])
    turned = _like(source, f"{name}_turned", [_LANES, count])
    row = _like(source, f"{name}_row", [1, count])
    yield _reshape(source, viewed)
    yield _operator(reduce, [viewed], lanes, axis=[1], keep_dims=False)
    yield _operator("Transpose", [lanes], turned, perm=[1, 0])
    yield _operator(reduce, [turned], row, axis=[0], keep_dims=True)
    yield _reshape(row, result)


def _by_casts(operator: Document, shape: Sequence[int]) -> Iterator[Document]:
    source, result = operator["input_desc"][0][0], operator["output_desc"][0]
    if operator["name"] != "ReduceSum":
        return
    name = result["tensor_name"]
    wide = {**_like(source, f"{name}_taken", shape), "data_type": "float32"}
    total = {**_like(result, f"{name}_total", result["shape"]), "data_type": "float32"}
    yield _operator("Cast", [source], wide, dst_type="float32")
    yield {**_operator("ReduceSum", [wide], total), "attr": operator["attr"]}
    yield _operator("Cast", [total], result, dst_type=result["data_type"])


def _slice(source: Document, result: Document, of_row: Sequence[int]) -> Document:
    *rows, _ = source["shape"]
    begin, end = of_row
    return _operator(
        "StridedSlice",
        [source],
        result,
        begin=[0] * len(rows) + [begin],
        end=[*rows, end],
        strides=[1] * (len(rows) + 1),
        **dict.fromkeys(_MASKS, 0),
    )


def _reshape(source: Document, result: Document) -> Document:
    return _operator("Reshape", [source], result, shape=list(result["shape"]))


def _like(tensor: Document, name: str, shape: Sequence[int]) -> Document:
    return {**tensor, "tensor_name": name, "shape": list(shape)}


def _operator(name: str, inputs: Sequence[Document], result: Document, **given: Any) -> Document:
    attributes = [
        {"name": key, "data_type": _type(value), "value": value} for key, value in given.items()
    ]
    return {
        "name": name,
        "attr": attributes or None,
        "impl_path": "",
        "input_desc": [[{**each, "name": f"input_{at}"}] for at, each in enumerate(inputs)],
        "output_desc": [{**result, "name": "output_0"}],
    }


def _type(value: object) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, str):
        return "str"
    return "int" if isinstance(value, int) else "listInt"
