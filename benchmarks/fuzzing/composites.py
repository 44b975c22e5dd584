"""Random fused kernels for AKG, as composite JSON."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from core.compilers.akg.catalogue import CATALOGUE
from core.hints import Hints, HintValue, Tile
from core.kernel import parse_kernel
from core.request import Request

Shape = list[int]

_SIZES = (
    *(1, 1, 2, 3, 4, 5, 7, 8, 13, 15, 16, 17, 30, 31, 32, 33, 48, 63, 64, 65, 96, 100, 127, 128),
    *(129, 200, 255, 256, 257, 384, 511, 512, 513, 768, 1000, 1023, 1024, 1025, 2048, 3000, 4096),
)
_MOST_ELEMENTS = 1 << 22
_FLOATS = ("float16", "float32")
_DTYPES = ("float16",) * 11 + ("float32",) * 7 + ("int32",) * 2 + ("int8", "uint8")
_UNARY_FLOAT = (
    *("Abs", "Exp", "Log", "Sqrt", "Rsqrt", "Neg", "Tanh", "Reciprocal") * 4,
    *("Floor", "Round", "Sign", "Erf", "Sin", "Cos", "Expm1", "Asinh", "Atan", "IsNan"),
)
_UNARY_ANY = ("Abs", "Neg")
_BINARY_FLOAT = (
    *("Add", "Sub", "Mul", "RealDiv", "Maximum", "Minimum", "Add", "Mul", "Sub") * 3,
    *("Pow", "Div", "FloorDiv", "Mod", "FloorMod"),
)
_BINARY_ANY = ("Add", "Sub", "Mul", "Maximum", "Minimum", "FloorDiv")
_COMPARISONS = ("Greater", "Less") * 4 + (
    "Greater",
    "GreaterEqual",
    "Less",
    "LessEqual",
    "Equal",
    "NotEqual",
)
#: How often a type is cast to float16, float32, int32 and int8, itself left out.
_CASTS = {
    "float16": (9, 1, 1), "float32": (9, 1, 1), "int32": (6, 3, 1), "int8": (8, 1, 1),
    "uint8": (8, 1, 1, 1), "bool": (8, 1, 1, 1),
}  # fmt: skip
_REDUCTIONS = ("ReduceSum", "ReduceSum", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd")
_TILES = (
    *(1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 64, 100, 127, 128, 129, 256, 500, 512, 1024, 2000),
    *(2048, 4096, 4097, 8192, 16384, 30000, 32768, 65535, 65536, 131072, 262144),
)
#: Ways to go on, by how often.
_STEPS = (
    *(("unary", 24), ("binary", 26), ("constant", 10), ("reduce", 14), ("cast", 7)),
    *(("reshape", 5), ("transpose", 5), ("broadcast", 4), ("select", 3), ("expand", 2)),
    *(("tile", 2), ("concat", 2), ("slice", 2), ("cumsum", 1), ("segments", 1), ("onehot", 1)),
    *(("gather", 1),),
)


@dataclass
class _Tensor:
    name: str
    shape: Shape
    dtype: str
    format: str = "DefaultFormat"

    def described(self, name: str = "") -> dict[str, Any]:
        entry: dict[str, Any] = {"name": name} if name else {}
        facts = {"shape": self.shape, "data_type": self.dtype, "format": self.format}
        return {**entry, "tensor_name": self.name, **facts}


#: A tensor, a constant as it is written, or several tensors as one input.
_Operand = _Tensor | dict[str, Any] | list[_Tensor]


@dataclass
class _Graph:
    dice: random.Random
    inputs: list[_Tensor] = field(default_factory=list)
    made: list[_Tensor] = field(default_factory=list)
    operators: list[dict[str, Any]] = field(default_factory=list)
    used: set[str] = field(default_factory=set)

    def input(self, shape: Shape, dtype: str) -> _Tensor:
        tensor = _Tensor(f"input_{len(self.inputs)}", list(shape), dtype)
        self.inputs.append(tensor)
        return tensor

    def add(
        self,
        name: str,
        operands: Sequence[_Operand],
        shape: Shape,
        dtype: str,
        attributes: Mapping[str, Any] = MappingProxyType({}),
        layout: str = "DefaultFormat",
    ) -> _Tensor:
        result = _Tensor(f"output_0_{len(self.operators)}", shape or [1], dtype, layout)
        described = []
        for at, operand in enumerate(operands):
            group = operand if isinstance(operand, list) else [operand]
            for each in group:
                if isinstance(each, _Tensor):
                    self.used.add(each.name)
            described.append(
                [
                    e.described(f"input_{at}")
                    if isinstance(e, _Tensor)
                    else {"name": f"input_{at}", **e}
                    for e in group
                ]
            )
        self.operators.append(
            {
                "name": name,
                "attr": [_attribute(*each) for each in attributes.items()] or None,
                "impl_path": "",
                "input_desc": described,
                "output_desc": [result.described("output")],
            }
        )
        self.made.append(result)
        return result

    def json(self, name: str) -> str:
        outputs = [t for t in self.made if t.name not in self.used]
        return json.dumps(
            {
                "composite": True,
                "composite_graph": "1",
                "id": 0,
                "op": name,
                "platform": "AKG",
                "process": "aicore",
                "version": 1,
                "input_desc": [[t.described()] for t in self.inputs],
                "op_desc": self.operators,
                "output_desc": [t.described() for t in outputs],
            },
            indent=1,
        )


def request(dice: random.Random, name: str, hinted: bool) -> Request:
    """One kernel with hints, or with none."""
    graph = _products(dice) if dice.random() < 0.05 else _fused(dice)
    kernel = parse_kernel(graph.json(name), f"{name}.json")
    return Request(kernel, _hints(dice, graph) if hinted else Hints())


def _fused(dice: random.Random) -> _Graph:
    graph = _Graph(dice)
    shape, dtype = _shape(dice), dice.choice(_DTYPES)
    current = graph.input(shape, dtype)
    names, weights = zip(*_STEPS, strict=True)
    length = dice.choices((1, 2, 3, 4, 5, 6, 8, 10), (10, 16, 18, 16, 14, 12, 8, 6))[0]
    while len(graph.operators) < length:
        if graph.made and dice.random() < 0.15:
            current = dice.choice(graph.made)
        step = dice.choices(names, weights)[0]
        current = _go_on(graph, current, step) or current
    return graph


def _go_on(graph: _Graph, tensor: _Tensor, step: str) -> _Tensor | None:
    """One more operator on a tensor; None where this step cannot be taken on it."""
    if tensor.dtype == "bool" and step not in ("select", "cast"):
        step = "cast"
    return _TAKEN[step](graph, tensor)


def _unary(graph: _Graph, tensor: _Tensor) -> _Tensor:
    name = graph.dice.choice(_UNARY_FLOAT if tensor.dtype in _FLOATS else _UNARY_ANY)
    made = "bool" if name in ("IsNan", "IsFinite") else tensor.dtype
    return graph.add(name, [tensor], tensor.shape, made)


def _binary(graph: _Graph, tensor: _Tensor) -> _Tensor:
    dice, made = graph.dice, tensor.dtype
    name = dice.choice(_BINARY_FLOAT if tensor.dtype in _FLOATS else _BINARY_ANY)
    other = _other(graph, tensor)
    if dice.random() < 0.04:
        name, made = dice.choice(_COMPARISONS), "bool"
    operands: list[_Operand] = [tensor, other]
    if dice.random() < 0.3:
        operands.reverse()
    return graph.add(name, operands, _broadcast(tensor.shape, other.shape), made)


def _constant(graph: _Graph, tensor: _Tensor) -> _Tensor:
    dice, number = graph.dice, tensor.dtype in _FLOATS
    name = dice.choice(("Add", "Mul", "Sub", "Maximum", "Minimum", "RealDiv", "Pow"))
    constant: dict[str, Any] = {
        "tensor_name": f"constant_{len(graph.operators)}",
        "shape": [1],
        "data_type": tensor.dtype,
        "value": dice.choice((0.5, 1.0, 2.0, -1.0, 3.0, 1e-5)) if number else dice.choice((1, 2)),
    }
    return graph.add(name if number else "Add", [tensor, constant], tensor.shape, tensor.dtype)


def _cast(graph: _Graph, tensor: _Tensor) -> _Tensor:
    kinds = ("float16", "float32", "int32", "int8")
    made = graph.dice.choices([t for t in kinds if t != tensor.dtype], _CASTS[tensor.dtype])[0]
    return graph.add("Cast", [tensor], tensor.shape, made, {"dst_type": made})


def _reshape(graph: _Graph, tensor: _Tensor) -> _Tensor:
    shape = _regrouped(graph.dice, tensor.shape)
    return graph.add("Reshape", [tensor], shape, tensor.dtype, {"shape": shape})


def _transpose(graph: _Graph, tensor: _Tensor) -> _Tensor | None:
    if len(tensor.shape) < 2:
        return None
    order = graph.dice.sample(range(len(tensor.shape)), len(tensor.shape))
    shape = [tensor.shape[axis] for axis in order]
    return graph.add("Transpose", [tensor], shape, tensor.dtype, {"perm": order})


def _widened(graph: _Graph, tensor: _Tensor) -> _Tensor | None:
    dice, shape = graph.dice, tensor.shape
    wide = [dice.choice((2, 16, 31, 64)) if size == 1 else size for size in shape]
    if wide == shape:
        wide = [dice.choice((2, 3, 16)), *shape]
    if not _small(wide):
        return None
    return graph.add("BroadcastTo", [tensor], wide, tensor.dtype, {"shape": wide})


def _select(graph: _Graph, tensor: _Tensor) -> _Tensor:
    dice, shape = graph.dice, tensor.shape
    if tensor.dtype != "bool":
        other = _other(graph, tensor, same=True)
        tensor = graph.add(dice.choice(_COMPARISONS), [tensor, other], shape, "bool")
    kind = dice.choice(_FLOATS)
    one, two = graph.input(shape, kind), graph.input(shape, kind)
    return graph.add("Select", [tensor, one, two], shape, kind)


def _expanded(graph: _Graph, tensor: _Tensor) -> _Tensor:
    axis = graph.dice.randrange(len(tensor.shape) + 1)
    shape = [*tensor.shape[:axis], 1, *tensor.shape[axis:]]
    return graph.add("ExpandDims", [tensor], shape, tensor.dtype, {"axis": [axis]})


def _tile(graph: _Graph, tensor: _Tensor) -> _Tensor | None:
    times = [graph.dice.choice((1, 1, 2, 3)) for _ in tensor.shape]
    wide = [size * n for size, n in zip(tensor.shape, times, strict=True)]
    if not _small(wide):
        return None
    return graph.add("Tile", [tensor], wide, tensor.dtype, {"multiples": times})


def _concat(graph: _Graph, tensor: _Tensor) -> _Tensor:
    axis = graph.dice.randrange(len(tensor.shape))
    wide = [size * (2 if at == axis else 1) for at, size in enumerate(tensor.shape)]
    operands = [tensor, graph.input(tensor.shape, tensor.dtype)]
    attributes = {"dyn_input_sizes": [2], "axis": axis, "N": 2, "inputNums": 2}
    return graph.add("Concat", [operands], wide, tensor.dtype, attributes)


def _slice(graph: _Graph, tensor: _Tensor) -> _Tensor:
    begin = [graph.dice.randrange(size) for size in tensor.shape]
    end = [graph.dice.randrange(b + 1, n + 1) for b, n in zip(begin, tensor.shape, strict=True)]
    shape = [e - b for b, e in zip(begin, end, strict=True)]
    where = {"begin": begin, "end": end, "strides": [1] * len(shape)}
    return graph.add("StridedSlice", [tensor], shape, tensor.dtype, where)


def _cumulated(graph: _Graph, tensor: _Tensor) -> _Tensor:
    axis = [graph.dice.randrange(len(tensor.shape))]
    return graph.add("CumSum", [tensor], tensor.shape, tensor.dtype, {"axis": axis})


def _segments(graph: _Graph, tensor: _Tensor) -> _Tensor:
    rows = graph.dice.choice((2, 16, 33))
    which = graph.input([tensor.shape[0]], "int32")
    shape = [rows, *tensor.shape[1:]]
    return graph.add("UnsortedSegmentSum", [tensor, which], shape, tensor.dtype,
                     {"num_segments": rows})  # fmt: skip


def _one_hot(graph: _Graph, tensor: _Tensor) -> _Tensor | None:
    depth = graph.dice.choice((2, 10, 100))
    wide = [*tensor.shape, depth]
    if tensor.dtype != "int32" or not _small(wide):
        return None
    on, off = (
        {"tensor_name": f"one_hot_{n}", "shape": [1], "data_type": "float16", "value": float(n)}
        for n in (1, 0)
    )
    return graph.add("OneHot", [tensor, on, off], wide, "float16", {"depth": depth, "axis": -1})


def _gather(graph: _Graph, tensor: _Tensor) -> _Tensor:
    rows = graph.dice.choice((1, 7, 64))
    which = graph.input([rows], "int32")
    return graph.add("Gather", [tensor, which], [rows, *tensor.shape[1:]], tensor.dtype,
                     {"axis": [0]})  # fmt: skip


def _reduce(graph: _Graph, tensor: _Tensor) -> _Tensor:
    dice, shape = graph.dice, tensor.shape
    axes = sorted(dice.sample(range(len(shape)), dice.randrange(1, len(shape) + 1)))
    keeps = dice.random() < 0.5
    left = [1 if at in axes else size for at, size in enumerate(shape)]
    if not keeps:
        left = [size for at, size in enumerate(shape) if at not in axes]
    extra = {"enable_atomic_add": True} if dice.random() < 0.05 else {}
    attributes = {"axis": axes, "keep_dims": keeps, **extra}
    return graph.add(dice.choice(_REDUCTIONS), [tensor], left, tensor.dtype, attributes)


def _products(dice: random.Random) -> _Graph:
    """A matrix product in the layout of the cube."""
    graph = _Graph(dice)
    rows, columns, inner = (dice.choice((1, 2, 3, 4, 7, 8, 16, 32)) for _ in range(3))
    batch = [dice.choice((2, 3, 8))] if dice.random() < 0.3 else []
    flip_a, flip_b = dice.random() < 0.3, dice.random() < 0.3
    nz = "FRACTAL_NZ"
    left = graph.input([*batch, *((rows, inner) if flip_a else (inner, rows)), 16, 16], "float16")
    right = graph.input(
        [*batch, *((inner, columns) if flip_b else (columns, inner)), 16, 16], "float16"
    )
    left.format = right.format = nz
    made = dice.choice(("float16", "float16", "float32"))
    attributes = {
        **{"transpose_a": flip_a, "transpose_b": flip_b, "dst_type": made},
        **{"left_format": nz, "right_format": nz, "pri_format": nz},
    }
    name, shape = "BatchMatMul" if batch else "MatMul", [*batch, columns, rows, 16, 16]
    result = graph.add(name, [left, right], shape, made, attributes, nz)
    if dice.random() < 0.4:
        after = dice.choice(("Exp", "Abs", "Tanh"))
        graph.add(after, [result], result.shape, made, layout=nz)
    return graph


def _shape(dice: random.Random) -> Shape:
    while True:
        rank = dice.choices((1, 2, 3, 4, 5), (15, 40, 25, 15, 5))[0]
        shape = [dice.choice(_SIZES) for _ in range(rank)]
        if _small(shape):
            return shape


def _small(shape: Shape) -> bool:
    return math.prod(shape) <= _MOST_ELEMENTS


def _other(graph: _Graph, tensor: _Tensor, *, same: bool = False) -> _Tensor:
    """A second operand: one that is there, or a new input that is broadcast."""
    dice = graph.dice
    alike = [t for t in (*graph.inputs, *graph.made)
             if (t.shape, t.dtype) == (tensor.shape, tensor.dtype)]  # fmt: skip
    if alike and dice.random() < 0.4:
        return dice.choice(alike)
    shape = list(tensor.shape)
    if not same and dice.random() < 0.45:
        shape = [1 if dice.random() < 0.5 else size for size in shape]
        if dice.random() < 0.4:
            shape = shape[dice.randrange(len(shape)) :]
    return graph.input(shape, tensor.dtype)


def _broadcast(one: Shape, two: Shape) -> Shape:
    rank = max(len(one), len(two))
    padded = ([1] * (rank - len(one)) + one, [1] * (rank - len(two)) + two)
    return [max(sizes) for sizes in zip(*padded, strict=True)]


def _regrouped(dice: random.Random, shape: Shape) -> Shape:
    """Another shape with as many elements."""
    merged = list(shape)
    if len(merged) > 1 and dice.random() < 0.6:
        at = dice.randrange(len(merged) - 1)
        merged[at : at + 2] = [merged[at] * merged[at + 1]]
        return merged
    at = dice.randrange(len(merged))
    parts = [n for n in (2, 3, 4, 5, 7, 8, 16) if merged[at] % n == 0]
    if parts:
        by = dice.choice(parts)
        merged[at : at + 1] = [by, merged[at] // by]
    return merged


def _attribute(name: str, value: Any) -> dict[str, Any]:
    kinds = {bool: "bool", int: "int", str: "str", list: "listInt"}
    return {"name": name, "data_type": kinds[type(value)], "value": value}


def _hints(dice: random.Random, graph: _Graph) -> Hints:
    """Tiles that somebody might try, and now and then an attribute of the catalogue."""
    tiles: tuple[Tile, ...] = ()
    attributes: dict[str, HintValue] = {}
    if dice.random() < 0.8:
        sizes = sorted({size for t in graph.inputs for size in t.shape} | set(_TILES))
        axes = dice.choices((1, 2, 3, 4), (50, 30, 15, 5))[0]
        tiles = tuple(
            Tile(0, axis, dice.choice(sizes), dice.choice((1, 1, 1, 16))) for axis in range(axes)
        )
    if not tiles or dice.random() < 0.35:
        for spec in dice.sample(_TRIED, dice.choice((1, 1, 2))):
            if spec.kind == "bool":
                attributes[spec.name] = not spec.default
            else:
                attributes[spec.name] = dice.choice(spec.tries)
    return Hints(tiles, attributes)


#: How each step is taken.
_TAKEN: Mapping[str, Callable[[_Graph, _Tensor], _Tensor | None]] = {
    **{"unary": _unary, "binary": _binary, "constant": _constant, "reduce": _reduce},
    **{"cast": _cast, "reshape": _reshape, "transpose": _transpose, "broadcast": _widened},
    **{"select": _select, "expand": _expanded, "tile": _tile, "concat": _concat},
    **{"slice": _slice, "cumsum": _cumulated, "segments": _segments, "onehot": _one_hot},
    **{"gather": _gather},
}
_TRIED = [
    spec
    for spec in CATALOGUE
    if spec.effect in ("honoured", "unsafe") and (spec.kind == "bool" or spec.tries)
]
