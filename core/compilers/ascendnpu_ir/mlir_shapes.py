"""Another shape for a kernel of MLIR: parameters that its text has a place for, or sizes of types.

All values of one type are taken to have the same sizes, and operations tie types where what they do
with each axis is known. Whatever else touches a type fixes its sizes, so that what is offered can
be rewritten throughout.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from core.compilers.ascendnpu_ir import mlir_kernel
from core.ir import mlir
from core.ir.mlir import Operation, Value
from core.kernel import Kernel, KernelError, parse_kernel
from core.shapes import Dimension
from core.ties import Axis, Settled, SizeError, Ties

_TYPE = re.compile(r"\b(tensor|memref) *<((?:(?:\d+|\?)x)+)([\w.]+)")
_STRIDES = re.compile(r"\bstrided<")
_DECLARED = re.compile(r"(//\s*parameters:)([^\n]*)", re.IGNORECASE)
_LINALG = """
    abs add ceil copy div div_unsigned elemwise_binary elemwise_unary erf exp fill floor log max min
    mul negf powf reciprocal round rsqrt select sqrt square sub tanh
"""
_HFUSION = "bitcast cast compare elemwise_binary elemwise_unary select"
_ONE_TO_ONE = {f"linalg.{name}" for name in _LINALG.split()} | {
    f"hfusion.{name}" for name in _HFUSION.split()
}
_FREE = ("tensor.empty", "memref.alloc", "builtin.module", "module")
#: Rows, columns and inner axis of the two operands and the result, from the left.
_PRODUCTS: Mapping[str, tuple[str, str, str]] = {
    "linalg.matmul": ("mk", "kn", "mn"),
    "linalg.matmul_transpose_a": ("km", "kn", "mn"),
    "linalg.matmul_transpose_b": ("mk", "nk", "mn"),
    "linalg.batch_matmul": ("bmk", "bkn", "bmn"),
    "linalg.batch_matmul_transpose_a": ("bkm", "bkn", "bmn"),
    "linalg.batch_matmul_transpose_b": ("bmk", "bnk", "bmn"),
    "linalg.matvec": ("mk", "k", "m"),
}


def dimensions(kernel: Kernel) -> tuple[Dimension, ...]:
    placed = mlir_kernel.places(kernel.source)
    if placed:
        return tuple(
            Dimension(each.name, each.default, (), True, note="A parameter of the kernel.")
            for each in kernel.parameters
            if each.name in placed and isinstance(each.default, int) and each.default > 0
        )
    settled, arguments = _tied(kernel.source)
    together: dict[Axis, list[Axis]] = {}
    for tensor in kernel.tensors:
        key = arguments.get(tensor.name)
        for at, size in enumerate(tensor.shape):
            if key is not None and size > 0:
                together.setdefault(settled.roots[key, at], []).append((tensor.name, at))
    found, number = [], 0
    for root, axes in together.items():
        free = settled.free(root)
        name = f"d{number}" if free else f"{axes[0][0]}[{axes[0][1]}]"
        number += free
        why = settled.fixed.get(root, "")
        note = f"It stays, because {why}." if why else ""
        found.append(Dimension(name, settled.sizes[root], tuple(axes), free, note=note))
    return tuple(found)


def why_fixed(kernel: Kernel) -> str:
    found = [each.note for each in dimensions(kernel) if each.note]
    if found:
        return found[0]
    open_sizes = any(size < 0 for tensor in kernel.tensors for size in tensor.shape)
    return (
        "Its sizes are only known when it runs, so one compile does for all of them."
        if open_sizes
        else "No argument of its function has a size."
    )


def with_dimensions(kernel: Kernel, values: Mapping[str, int]) -> Kernel:
    if mlir_kernel.places(kernel.source):
        source = kernel.source
        for name, value in values.items():
            source = _declaring(source, name, value)
        return _parsed(kernel, source)
    settled, arguments = _tied(kernel.source)
    free = {}
    for each in dimensions(kernel):
        if each.name in values:
            name, at = each.axes[0]
            free[settled.roots[arguments[name], at]] = values[each.name]
    return _parsed(kernel, _rewritten(kernel.source, settled, free))


def with_shapes(kernel: Kernel, shapes: Mapping[str, Sequence[int]]) -> Kernel:
    settled, arguments = _tied(kernel.source)
    if mlir_kernel.places(kernel.source) or any(name not in arguments for name in shapes):
        raise KernelError(
            f"Shapes of {kernel.name} are written with parameters; give those by name: "
            f"{', '.join(each.name for each in dimensions(kernel)) or 'it has none'}."
        )
    wanted: dict[Axis, int] = {}
    for name, shape in shapes.items():
        for at, size in enumerate(shape):
            axis = (arguments[name], at)
            if wanted.setdefault(axis, size) != size:
                raise KernelError(
                    f"{name} cannot have {size} at axis {at}: another tensor of the same type is "
                    f"given {wanted[axis]}."
                )
    try:
        free = settled.solve(wanted)
    except SizeError as wrong:
        raise KernelError(f"{wrong}.") from None
    return _parsed(kernel, _rewritten(kernel.source, settled, free))


def _declaring(source: str, name: str, value: int) -> str:
    """The text with another default for one parameter."""
    return _DECLARED.sub(lambda found: found[1] + _first(found[2], name, value), source)


def _first(listed: str, name: str, value: int) -> str:
    """The declarations of a line with another default for one parameter."""
    parts = []
    for part in listed.split(";"):
        declared, equals, values = part.partition("=")
        if declared.strip() == name and equals:
            kept = [v for v in mlir_kernel.parse_values(values) if v != value]
            said = ", ".join(str(v) if isinstance(v, int) else f'"{v}"' for v in (value, *kept))
            part = f"{declared}= {said}"
        parts.append(part)
    return ";".join(parts)


def _parsed(kernel: Kernel, source: str) -> Kernel:
    return replace(parse_kernel(source, f"{kernel.name}.mlir"), about=kernel.about)


def _rewritten(source: str, settled: Settled, free: Mapping[Axis, int]) -> str:
    def other(found: re.Match[str]) -> str:
        key = _key(found)
        if (key, 0) not in settled.roots:
            return found[0]
        written = found[2].split("x")[:-1]
        sizes = [
            size if size == "?" else str(settled.value(settled.roots[key, at], free))
            for at, size in enumerate(written)
        ]
        return f"{found[1]}<{'x'.join(sizes)}x{found[3]}"

    return _TYPE.sub(other, source)


def _key(found: re.Match[str]) -> str:
    return f"{found[1]}<{found[2]}{found[3]}"


@lru_cache(256)
def _tied(source: str) -> tuple[Settled, Mapping[str, str]]:
    """The axes of all types in a text, and the type of each argument of a function, by name."""
    module = mlir.parse(source, tolerant=True)
    ties = Ties()
    for found in dict.fromkeys(map(_key, _TYPE.finditer(source))):
        _, _, extents = found.partition("<")
        sizes = [0 if size == "?" else int(size) for size in extents.split("x")[:-1]]
        ties.add(found, sizes)
        for at, size in enumerate(sizes):
            if size == 0:
                ties.fix((found, at), "it is only known when it runs")
    arguments: dict[str, str] = {}
    for function in module.functions:
        for value in function.regions[0][0].arguments:
            key = _type(value)
            if key:
                arguments[value.name.lstrip("%")] = key
    if module.unread or _STRIDES.search(source):
        _fix_all(ties, "the text has lines or layouts that are not understood here")
    for operation in module.walk():
        _tie(ties, operation)
    return ties.settled(set(arguments.values())), arguments


def _type(value: Value) -> str:
    found = _TYPE.match(value.type)
    return _key(found) if found else ""


def _fix_all(ties: Ties, why: str) -> None:
    for axis in ties.sizes:
        ties.fix(axis, why)


def _tie(ties: Ties, operation: Operation) -> None:
    shaped = [key for value in (*operation.operands, *operation.results) if (key := _type(value))]
    if operation.name in _FREE or operation.name.endswith((".func", "return", ".yield")):
        return
    if operation.name == "arith.constant":
        # dense<0.0> is one value for all; a list of them has the size of its type.
        if shaped and "dense<[" in operation.text.replace(" ", ""):
            _fix(ties, shaped, "a constant lists its values")
        return
    if not shaped:
        # A type that only an attribute or a region names would not be seen here.
        if _TYPE.search(operation.head):
            _fix_text(ties, operation)
        return
    known = _known(ties, operation, shaped)
    if not known:
        _fix(ties, shaped, f"what {operation.name} does with its axes is not known here")
        _fix_text(ties, operation)


def _fix(ties: Ties, keys: Sequence[str], why: str) -> None:
    for key in keys:
        for at in range(key.count("x")):
            if (key, at) in ties.sizes:
                ties.fix((key, at), why)


def _fix_text(ties: Ties, operation: Operation) -> None:
    keys = [_key(found) for found in _TYPE.finditer(operation.head)]
    _fix(ties, keys, f"what {operation.name} does with its axes is not known here")


def _known(ties: Ties, operation: Operation, shaped: Sequence[str]) -> bool:
    """Whether what the operation does with its axes is known; where it is, they are tied."""
    name = operation.name
    if name in _ONE_TO_ONE or operation.dialect in ("arith", "math"):
        return all(_equal(ties, shaped[0], other) for other in shaped[1:])
    given = [_type(value) for value in operation.group("ins")]
    made = [_type(value) for value in operation.group("outs")]
    if not all((*given, *made)) or not given or not made:
        return False
    if name in _PRODUCTS and len(given) == 2 and len(made) == 1:
        return _product(ties, _PRODUCTS[name], (*given, *made))
    if name == "linalg.reduce":
        axes = _axes(operation, "dimensions")
        return axes is not None and all(_without(ties, g, made[0], axes) for g in given)
    if name == "linalg.broadcast":
        axes = _axes(operation, "dimensions")
        return axes is not None and _without(ties, made[0], given[0], axes)
    if name == "linalg.transpose":
        order = _axes(operation, "permutation")
        if order is None or len(order) != _rank(given[0]) or len(order) != _rank(made[0]):
            return False
        for at, there in enumerate(order):
            ties.tie((given[0], there), (made[0], at))
        return True
    return False


def _rank(key: str) -> int:
    return len(key.partition("<")[2].split("x")) - 1


def _equal(ties: Ties, one: str, other: str) -> bool:
    if _rank(one) != _rank(other):
        return False
    for at in range(_rank(one)):
        ties.tie((one, at), (other, at))
    return True


def _without(ties: Ties, wide: str, narrow: str, axes: Sequence[int]) -> bool:
    """The narrow type has the axes of the wide one but for some."""
    kept = [at for at in range(_rank(wide)) if at not in axes]
    if len(kept) != _rank(narrow):
        return False
    for there, at in enumerate(kept):
        ties.tie((wide, at), (narrow, there))
    return True


def _product(ties: Ties, letters: Sequence[str], keys: Sequence[str]) -> bool:
    first: dict[str, Axis] = {}
    for named, key in zip(letters, keys, strict=True):
        if _rank(key) != len(named):
            return False
        for at, letter in enumerate(named):
            ties.tie(first.setdefault(letter, (key, at)), (key, at))
    return True


def _axes(operation: Operation, word: str) -> list[int] | None:
    """The numbers that stand behind a word: `dimensions = [1]`."""
    found = re.search(rf"\b{word}\s*=\s*(?:array<i64:)?\s*\[?([\d,\s]*)", operation.text)
    return [int(each) for each in found[1].split(",") if each.strip()] if found else None
