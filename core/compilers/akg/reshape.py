"""Another shape for a composite kernel: which axes belong together, and the kernel rewritten.

What ties axes is what each operator computes; an operator that is not known here fixes the sizes of
its tensors. Formats of the cube (FRACTAL_NZ) have the last two axes in blocks of 16, which stay.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

from core.compilers.akg.composite import LONGEST_NAME
from core.kernel import Kernel, KernelError, parse_kernel
from core.shapes import Dimension
from core.ties import Axis, Settled, SizeError, Ties

_Document: TypeAlias = dict[str, Any]
#: The size of an axis, or a number.
_Size: TypeAlias = Axis | int

_ONE_TO_ONE = """
    ACos Abs Acosh Add AddN Asin Asinh Assign Atan Atan2 CImag CReal Cast Complex Cos Div Equal Erf
    Exp Expm1 Floor FloorDiv FloorMod Greater GreaterEqual InplaceAssign IsFinite IsInf IsNan Less
    LessEqual Log LogicalAnd LogicalNot LogicalOr Maximum Minimum Mod Mul Neg NotEqual Pow RealDiv
    Reciprocal Round Rsqrt Select SelectGE SelectGT SelectLE SelectLT Sign Sin Sqrt Sub Tanh
    TensorAdd ZerosLike
"""
#: Operators whose result at a place depends on their operands at that place.
ELEMENTWISE = frozenset(_ONE_TO_ONE.split())
_REDUCED = "ReduceMax ReduceMin ReduceProd ReduceSum Argmax Argmin ElemAll ElemAny"
_REDUCTIONS = frozenset(_REDUCED.split())
_ALONG = frozenset(("CumSum", "CumProd"))
_FRACTAL = "FRACTAL_NZ"
_NAMED = re.compile(r"__(?:\d+(?:x\d+)*|[0-9a-f]{12})$")
_LONGEST_SUFFIX = 60


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of an operator: its axes by number, from the left."""

    name: str  #: "" for a constant
    shape: tuple[int, ...]
    format: str
    value: float | None = None  #: of a constant

    def axis(self, at: int) -> Axis:
        return self.name, at % len(self.shape)

    @property
    def axes(self) -> tuple[Axis, ...]:
        return tuple((self.name, at) for at in range(len(self.shape)))

    @property
    def fractal(self) -> bool:
        return self.format == _FRACTAL and len(self.shape) >= 4


@dataclass(frozen=True, slots=True)
class Operator:
    name: str
    inputs: tuple[Tensor, ...]  #: constants as well
    output: Tensor
    attributes: Mapping[str, Any]

    @property
    def given(self) -> tuple[Tensor, ...]:
        """The inputs that are no constants."""
        return tuple(each for each in self.inputs if each.name)


@dataclass
class Shape:
    """A composite kernel's axes, and the attributes that name sizes."""

    document: _Document
    operators: tuple[Operator, ...]
    settled: Settled
    names: Mapping[Axis, str]  #: of the free sizes, by root
    #: Attributes that name sizes, by the operator's place and their name: lists, and numbers.
    lists: Mapping[tuple[int, str], tuple[_Size, ...]]
    numbers: Mapping[tuple[int, str], Axis]


def shape_of(kernel: Kernel) -> Shape:
    """The axes of a composite kernel and how they are tied."""
    return _shape_of(kernel.source)


@lru_cache(256)
def _shape_of(source: str) -> Shape:
    document: _Document = json.loads(source)
    return _Reader(document).shape()


class _Reader:
    """One walk over the operators, which says of each what it ties."""

    def __init__(self, document: _Document) -> None:
        self._document = document
        self._ties = Ties()
        self._shapes: dict[str, tuple[int, ...]] = {}
        self._scalars: set[str] = set()
        self._lists: dict[tuple[int, str], tuple[_Size, ...]] = {}
        self._numbers: dict[tuple[int, str], Axis] = {}

    def shape(self) -> Shape:
        for tensor in _every_tensor(self._document):
            name, shape = tensor["tensor_name"], tuple(tensor["shape"])
            if not shape:
                self._scalars.add(name)
            if name not in self._shapes:
                self._shapes[name] = shape or (1,)
                self._ties.add(name, shape or (1,))
        for name in self._scalars:
            self._ties.fix((name, 0), f"{name} is a scalar")
        operators = []
        for at, entry in enumerate(self._document["op_desc"]):
            operator = self._operator(entry)
            operators.append(operator)
            self._blocks(operator)
            if operator is None or not self._tie(at, operator):
                self._fix_all(entry)
            self._own_shapes(at, entry, operator)
        given = {entry[0]["tensor_name"] for entry in self._document["input_desc"] or []}
        settled = self._ties.settled(given)
        return Shape(
            self._document,
            tuple(each for each in operators if each is not None),
            settled,
            self._names(settled),
            self._lists,
            self._numbers,
        )

    def _names(self, settled: Settled) -> dict[Axis, str]:
        """d0, d1 …: in the order of inputs and outputs, then of the rest."""
        document = self._document
        graph = [each[0] for each in document["input_desc"] or []] + document["output_desc"]
        order = [t["tensor_name"] for t in graph] + list(self._shapes)
        roots = [settled.roots[name, at] for name in order for at in range(len(self._shapes[name]))]
        free = [root for root in dict.fromkeys(roots) if settled.free(root)]
        return {root: f"d{number}" for number, root in enumerate(free)}

    def _operator(self, entry: _Document) -> Operator | None:
        if len(entry["output_desc"]) != 1:
            return None
        attributes = {each["name"]: each["value"] for each in entry.get("attr") or []}
        inputs = [self._tensor(tensor) for group in entry["input_desc"] for tensor in group]
        made = self._tensor(entry["output_desc"][0])
        return Operator(entry["name"], tuple(inputs), made, attributes)

    def _tensor(self, tensor: _Document) -> Tensor:
        form = tensor.get("format", "DefaultFormat")
        if tensor.get("value") is not None:
            return Tensor("", (1,), form, float(tensor["value"]))
        return Tensor(tensor["tensor_name"], self._shapes[tensor["tensor_name"]], form)

    def _blocks(self, operator: Operator | None) -> None:
        for tensor in (*operator.given, operator.output) if operator else ():
            if tensor.fractal:
                for at in (-2, -1):
                    self._ties.fix(tensor.axis(at), "the cube counts in blocks of 16")

    def _fix_all(self, entry: _Document) -> None:
        why = f"what {entry['name']} does with its axes is not known here"
        for group in (*entry["input_desc"], entry["output_desc"]):
            for tensor in group:
                if tensor.get("value") is None:
                    for axis in self._axes(tensor["tensor_name"]):
                        self._ties.fix(axis, why)

    def _axes(self, name: str) -> list[Axis]:
        return [(name, at) for at in range(len(self._shapes[name]))]

    def _own_shapes(self, at: int, entry: _Document, operator: Operator | None) -> None:
        """x_shape and y_shape, which MindSpore writes beside two operands."""
        operands = [t for group in entry["input_desc"] for t in group]
        for name, tensor in zip(("x_shape", "y_shape"), operands, strict=False):
            if operator is None or not isinstance(operator.attributes.get(name), list):
                continue
            if tensor.get("value") is None and tensor["tensor_name"] not in self._scalars:
                self._lists[at, name] = tuple(self._axes(tensor["tensor_name"]))

    # What each operator ties

    def _tie(self, at: int, operator: Operator) -> bool:
        """Whether the operator is known; where it is, its axes are tied."""
        name, ties = operator.name, _OPERATORS.get(operator.name)
        if name in ELEMENTWISE:
            return self._elementwise(operator)
        if name in _REDUCTIONS:
            return self._reduction(operator)
        if name in _ALONG:
            return self._elementwise(operator)
        return ties(self, at, operator) if ties else False

    def _equal(self, one: Sequence[Axis], other: Sequence[Axis]) -> bool:
        if len(one) != len(other):
            return False
        for first, second in zip(one, other, strict=True):
            self._ties.tie(first, second)
        return True

    def _elementwise(self, operator: Operator) -> bool:
        made = operator.output
        return all(self._operand(each, made) for each in operator.given)

    def _operand(self, tensor: Tensor, made: Tensor) -> bool:
        """An operand that is broadcast to a result."""
        if tensor.fractal != made.fractal:
            return self._mixed(tensor, made)
        fewer = len(made.shape) - len(tensor.shape)
        for at, size in enumerate(tensor.shape):
            if at + fewer < 0:
                self._ties.fix(tensor.axis(at), "the result has no such axis")
            elif size == made.shape[at + fewer]:
                self._ties.tie(tensor.axis(at), made.axis(at + fewer))
            elif size == 1:
                self._ties.fix(tensor.axis(at), "it is broadcast")
            else:
                return False
        return True

    def _mixed(self, tensor: Tensor, made: Tensor) -> bool:
        """One of the two in blocks of the cube, the other not."""
        plain, blocks = (made, tensor) if tensor.fractal else (tensor, made)
        if all(size == 1 for size in plain.shape):
            for axis in plain.axes:
                self._ties.fix(axis, "it is broadcast")
            return True
        *batches, columns, rows, _, _ = blocks.axes
        *own, last = plain.axes
        pairs: list[tuple[Axis, tuple[Axis, Axis]]] = [(last, (columns, blocks.axis(-1)))]
        if own:
            pairs.append((own.pop(), (rows, blocks.axis(-2))))
        for axis, parts in pairs:
            if self._ties.sizes[axis] == 1:
                self._ties.fix(axis, "it is broadcast")
            else:
                self._ties.multiply(axis, parts)
        for axis, batch in zip(reversed(own), reversed(batches), strict=False):
            if self._ties.sizes[axis] == self._ties.sizes[batch]:
                self._ties.tie(axis, batch)
            elif self._ties.sizes[axis] == 1:
                self._ties.fix(axis, "it is broadcast")
            else:
                return False
        return True

    def _reduction(self, operator: Operator) -> bool:
        (tensor, *others), made = operator.given, operator.output
        if others:
            return False
        reduced = reduced_axes(operator)
        kept = [at for at in range(len(tensor.shape)) if at not in reduced]
        if len(made.shape) == len(tensor.shape) and all(made.shape[at] == 1 for at in reduced):
            places = dict(zip(kept, kept, strict=True))
        elif len(made.shape) == len(kept):
            places = dict(zip(kept, range(len(kept)), strict=True))
        elif not kept and math.prod(made.shape) == 1:
            places = {}
        else:
            return False
        for at, there in places.items():
            self._ties.tie(tensor.axis(at), made.axis(there))
        for there in set(range(len(made.shape))) - set(places.values()):
            self._ties.fix(made.axis(there), "a reduction leaves one")
        return True

    def _attribute(self, at: int, operator: Operator, name: str, sizes: Sequence[_Size]) -> bool:
        """An attribute that lists sizes; -1 in it stays."""
        given = operator.attributes.get(name)
        if not isinstance(given, list) or len(given) != len(sizes):
            return False
        self._lists[at, name] = tuple(
            -1 if old == -1 else size for old, size in zip(given, sizes, strict=True)
        )
        return True

    def _reshape(self, at: int, operator: Operator) -> bool:
        (tensor,), made = operator.given, operator.output
        if tensor.fractal != made.fractal and made.format != "DefaultFormat":
            return False
        self._groups(tensor.axes, made.axes)
        written = operator.attributes.get("shape")
        return written is None or self._attribute(at, operator, "shape", made.axes)

    def _groups(self, before: Sequence[Axis], after: Sequence[Axis]) -> None:
        """Neighbouring axes with equal products are what becomes of each other."""
        sizes = self._ties.sizes
        at = there = 0
        while at < len(before) and there < len(after):
            start, begin = at, there
            one, other = sizes[before[at]], sizes[after[there]]
            at, there = at + 1, there + 1
            while (one < other and at < len(before)) or (other < one and there < len(after)):
                if one < other:
                    one, at = one * sizes[before[at]], at + 1
                else:
                    other, there = other * sizes[after[there]], there + 1
            self._group(before[start:at], after[begin:there])
        for axis in (*before[at:], *after[there:]):
            self._ties.fix(axis, "a Reshape adds or drops it")

    def _group(self, before: Sequence[Axis], after: Sequence[Axis]) -> None:
        if len(before) == 1 == len(after):
            self._ties.tie(before[0], after[0])
        elif len(before) == 1:
            self._ties.multiply(before[0], after)
        elif len(after) == 1:
            self._ties.multiply(after[0], before)
        else:
            for axis in (*before, *after):
                self._ties.fix(axis, "a Reshape mixes it with others")

    def _expand(self, at: int, operator: Operator) -> bool:
        (tensor,), made = operator.given, operator.output
        listed = operator.attributes.get("axis")
        added = [a for a in (listed if isinstance(listed, list) else [listed]) if a is not None]
        new = {int(axis) % len(made.shape) for axis in added}
        for axis in new:
            self._ties.fix(made.axis(axis), "ExpandDims adds it")
        return self._equal(tensor.axes, [a for a in made.axes if a[1] not in new])

    def _transpose(self, at: int, operator: Operator) -> bool:
        (tensor,), made = operator.given, operator.output
        order = operator.attributes.get("perm")
        if not isinstance(order, list) or len(order) != len(tensor.shape):
            return False
        return self._equal([tensor.axis(each) for each in order], made.axes)

    def _broadcast(self, at: int, operator: Operator) -> bool:
        made = operator.output
        if not all(self._operand(each, made) for each in operator.given):
            return False
        return self._attribute(at, operator, "shape", made.axes)

    def _tile(self, at: int, operator: Operator) -> bool:
        (tensor,), made = operator.given, operator.output
        times = operator.attributes.get("multiples")
        if not isinstance(times, list) or len(times) != len(made.shape):
            return False
        fewer = len(made.shape) - len(tensor.shape)
        sizes: list[_Size] = []
        for there, count in enumerate(times):
            axis = made.axis(there)
            size = tensor.shape[there - fewer] if there >= fewer else 1
            if there < fewer or (size == 1 and count > 1):
                if there >= fewer:
                    self._ties.fix(tensor.axis(there - fewer), "it is broadcast")
                sizes.append(axis)
            else:
                self._ties.multiply(axis, (tensor.axis(there - fewer), count))
                sizes.append(count)
        return self._attribute(at, operator, "multiples", sizes)

    def _concat(self, at: int, operator: Operator) -> bool:
        made = operator.output
        along = int(operator.attributes.get("axis", 0)) % len(made.shape)
        if len(operator.given) != len(operator.inputs):
            return False
        for tensor in operator.given:
            if len(tensor.shape) != len(made.shape):
                return False
            for axis in range(len(made.shape)):
                if axis != along:
                    self._ties.tie(tensor.axis(axis), made.axis(axis))
        self._ties.add_up(made.axis(along), [each.axis(along) for each in operator.given])
        return True

    def _slice(self, at: int, operator: Operator) -> bool:
        (tensor,), made = operator.given, operator.output
        begin, end, steps = (operator.attributes.get(n) for n in ("begin", "end", "strides"))
        rank = len(tensor.shape)
        if not all(isinstance(a, list) and len(a) == rank for a in (begin, end, steps)):
            return False
        assert begin is not None and end is not None and steps is not None
        if len(made.shape) != rank:
            return False
        sizes: list[_Size] = []
        for axis in range(rank):
            whole = (begin[axis], end[axis], steps[axis]) == (0, tensor.shape[axis], 1)
            if whole:
                self._ties.tie(tensor.axis(axis), made.axis(axis))
            else:
                for each in (tensor.axis(axis), made.axis(axis)):
                    self._ties.fix(each, "a part of it is taken")
            sizes.append(tensor.axis(axis) if whole else end[axis])
        return self._attribute(at, operator, "end", sizes)

    def _gather(self, at: int, operator: Operator) -> bool:
        if len(operator.given) != 2:
            return False
        (table, indices), made = operator.given, operator.output
        listed = operator.attributes.get("axis", 0)
        along = int(listed[0] if isinstance(listed, list) else listed) % len(table.shape)
        own = table.axes
        return self._equal([*own[:along], *indices.axes, *own[along + 1 :]], made.axes)

    def _segments(self, at: int, operator: Operator) -> bool:
        if len(operator.given) != 2:
            return False
        (data, segments), made = operator.given, operator.output
        rank = len(segments.shape)
        if not self._equal(data.axes[:rank], segments.axes):
            return False
        self._numbers[at, "num_segments"] = made.axis(0)
        return self._equal(data.axes[rank:], made.axes[1:])

    def _one_hot(self, at: int, operator: Operator) -> bool:
        tensor, made = operator.given[0], operator.output
        if len(operator.given) > 1 and any(t.shape != (1,) for t in operator.given[1:]):
            return False
        for each in operator.given[1:]:
            self._ties.fix(each.axis(0), "it is a scalar")
        along = int(operator.attributes.get("axis", -1)) % len(made.shape)
        self._numbers[at, "depth"] = made.axis(along)
        return self._equal(tensor.axes, [a for a in made.axes if a[1] != along])

    def _product(self, at: int, operator: Operator) -> bool:
        """A matrix product: the rows of the first, the columns of the second, both have the inner
        axis; what stands before those is the batch."""
        if len(operator.given) not in (2, 3):
            return False
        left, right, *bias = operator.given
        made = operator.output
        turned = [bool(operator.attributes.get(n)) for n in ("transpose_a", "transpose_b")]
        rows, inner = _matrix(left, turned[0])
        inner_too, columns = _matrix(right, turned[1])
        own_rows, own_columns = _matrix(made, False)
        for one, other in ((rows, own_rows), (inner, inner_too), (columns, own_columns)):
            if len(one) == len(other):
                self._equal(one, other)
            elif len(one) == 1:
                self._ties.multiply(one[0], other)
            else:
                self._ties.multiply(other[0], one)
        for each in bias:
            if len(each.shape) != 1 or made.fractal:
                return False
            self._ties.tie(each.axis(0), own_columns[0])
        batch = Tensor(made.name, made.shape[: -4 if made.fractal else -2], "")
        for each in (left, right):
            batches = each.shape[: -4 if each.fractal else -2]
            if not self._operand(Tensor(each.name, batches, ""), batch):
                return False
        return True

    def _into_blocks(self, at: int, operator: Operator) -> bool:
        (tensor,), made = operator.given, operator.output
        return tensor.fractal != made.fractal and self._mixed(tensor, made)


_OPERATORS: Mapping[str, Callable[[_Reader, int, Operator], bool]] = {
    "BatchMatMul": _Reader._product,
    "BroadcastTo": _Reader._broadcast,
    "Concat": _Reader._concat,
    "ExpandDims": _Reader._expand,
    "Gather": _Reader._gather,
    "LayoutTransform": _Reader._into_blocks,
    "MatMul": _Reader._product,
    "OneHot": _Reader._one_hot,
    "Reshape": _Reader._reshape,
    "StridedSlice": _Reader._slice,
    "Tile": _Reader._tile,
    "TransData": _Reader._into_blocks,
    "Transpose": _Reader._transpose,
    "UnsortedSegmentSum": _Reader._segments,
}


def _matrix(tensor: Tensor, turned: bool) -> tuple[tuple[Axis, ...], tuple[Axis, ...]]:
    """The axes of rows and of columns. In blocks the columns' own axis comes first."""
    if tensor.fractal:
        column, row, within_row, within_column = tensor.axes[-4:]
        rows, columns = (row, within_row), (column, within_column)
        return (columns, rows) if turned else (rows, columns)
    return (
        ((tensor.axis(-1),), (tensor.axis(-2),))
        if turned
        else (
            (tensor.axis(-2),),
            (tensor.axis(-1),),
        )
    )


def reduced_axes(operator: Operator) -> set[int]:
    """The axes that a reduction takes together; without any named, all."""
    rank = len(operator.given[0].shape)
    listed = operator.attributes.get("axis")
    if listed is None or listed == []:
        return set(range(rank))
    return {int(axis) % rank for axis in (listed if isinstance(listed, list) else [listed])}


def _every_tensor(document: _Document) -> Iterator[_Document]:
    """All places that describe a tensor which is no constant."""
    for entry in document["input_desc"] or []:
        yield from entry
    for operator in document["op_desc"]:
        for group in (*operator["input_desc"], operator["output_desc"]):
            yield from (tensor for tensor in group if tensor.get("value") is None)
    yield from document["output_desc"]


# The kernel as others see it


def dimensions(kernel: Kernel) -> tuple[Dimension, ...]:
    shape = shape_of(kernel)
    settled = shape.settled
    graph = [(t.name, at) for t in kernel.tensors for at in range(len(t.shape))]
    together: dict[Axis, list[Axis]] = {root: [] for root in shape.names}
    for axis in dict.fromkeys(graph):
        together.setdefault(settled.roots[axis], []).append(axis)
    follows: dict[Axis, list[str]] = {}
    for root, axes in together.items():
        if root in settled.rules and axes:
            said = f"{_place(axes[0])} = {_formula(shape, root)}"
            for leaf in settled.leaves(root):
                follows.setdefault(leaf, []).append(said)
    notes = _notes(shape)
    found = []
    for root, axes in together.items():
        free = root in shape.names
        why = settled.fixed.get(root, "")
        note = f"It stays, because {why}." if why else ""
        if root in settled.rules:
            note = f"It follows: {_formula(shape, root)}."
        found.append(
            Dimension(
                name=shape.names[root] if free else _place(axes[0]),
                value=settled.sizes[root],
                axes=tuple(axes),
                free=free,
                multiple_of=1 if root in settled.fixed else settled.multiple_of(root),
                follows=tuple(follows.get(root, ())),
                note=notes.get(root, "") if free else note,
            )
        )
    return tuple(found)


def _place(axis: Axis) -> str:
    return f"{axis[0]}[{axis[1]}]"


def _formula(shape: Shape, root: Axis, *, bracket: bool = False) -> str:
    settled = shape.settled
    if root in shape.names:
        return shape.names[root]
    rule = settled.rules.get(root)
    if rule is None:
        return str(settled.sizes[root])
    sign = " × " if rule.kind == "product" else " + "
    parts = [
        str(part)
        if isinstance(part, int)
        else _formula(shape, part, bracket=rule.kind == "product")
        for part in rule.parts
    ]
    said = sign.join(parts)
    return f"({said})" if bracket and rule.kind == "sum" else said


def _notes(shape: Shape) -> dict[Axis, str]:
    """Numbers in the kernel that look as if they were made of a size: 1/768 of a mean."""
    constants = {
        tensor["value"]
        for operator in shape.document["op_desc"]
        for group in operator["input_desc"]
        for tensor in group
        if isinstance(tensor.get("value"), float) and 0 < tensor["value"] < 0.1
    }
    found: dict[Axis, str] = {}
    for root in shape.names:
        size = shape.settled.sizes[root]
        for value in sorted(constants):
            if size > 8 and math.isclose(value * size, 1.0, rel_tol=1e-4):
                found[root] = (
                    f"The constant {value:.6g} of the kernel is 1/{size} and stays as it is."
                )
    return found


def why_fixed(kernel: Kernel) -> str:
    reasons = [each.note for each in dimensions(kernel) if each.note]
    return reasons[0] if reasons else "It has no axis."


def with_dimensions(kernel: Kernel, values: Mapping[str, int]) -> Kernel:
    shape = shape_of(kernel)
    roots = {name: root for root, name in shape.names.items()}
    return _rewritten(kernel, shape, {roots[name]: value for name, value in values.items()})


def with_shapes(kernel: Kernel, shapes: Mapping[str, Sequence[int]]) -> Kernel:
    shape = shape_of(kernel)
    wanted = {(name, at): size for name, each in shapes.items() for at, size in enumerate(each)}
    try:
        free = shape.settled.solve(wanted)
    except SizeError as wrong:
        raise KernelError(f"{wrong}.") from None
    changed = {root: size for root, size in free.items() if size != shape.settled.sizes[root]}
    return _rewritten(kernel, shape, changed) if changed else kernel


def _rewritten(kernel: Kernel, shape: Shape, free: Mapping[Axis, int]) -> Kernel:
    settled = shape.settled

    def size(of: _Size) -> int:
        return of if isinstance(of, int) else settled.value(settled.roots[of], free)

    document: _Document = json.loads(kernel.source)
    for tensor in _every_tensor(document):
        tensor["shape"] = [size((tensor["tensor_name"], at)) for at in range(len(tensor["shape"]))]
    for (at, name), sizes in shape.lists.items():
        _set(document, at, name, [size(each) for each in sizes])
    for (at, name), one in shape.numbers.items():
        _set(document, at, name, size(one))
    suffix = "__" + "x".join(str(size(root)) for root in shape.names)
    if len(suffix) > _LONGEST_SUFFIX:
        suffix = f"__{hashlib.blake2b(suffix.encode(), digest_size=6).hexdigest()}"
    document["op"] = _NAMED.sub("", document["op"])[: LONGEST_NAME - len(suffix)] + suffix
    made = parse_kernel(written(document), f"{document['op']}.json")
    return replace(made, about=kernel.about)


def _set(document: _Document, at: int, name: str, value: object) -> None:
    for attribute in document["op_desc"][at]["attr"]:
        if attribute["name"] == name:
            attribute["value"] = value


def written(document: _Document) -> str:
    """A kernel's description with a line for each operator."""
    operators = ",\n".join(f"  {json.dumps(operator)}" for operator in document["op_desc"])
    entries = [
        f' "{key}": [\n{operators}\n ]' if key == "op_desc" else f' "{key}": {json.dumps(value)}'
        for key, value in document.items()
    ]
    return "{\n" + ",\n".join(entries) + "\n}\n"


def axis_sizes(kernel: Kernel, values: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The sizes of all inputs and outputs where dimensions have these values, arrays among them."""
    shape = shape_of(kernel)
    free = {root: values[name] for root, name in shape.names.items() if name in values}
    return {
        tensor.name: [
            shape.settled.value(shape.settled.roots[tensor.name, at], free)
            for at in range(len(tensor.shape))
        ]
        for tensor in kernel.tensors
    }
