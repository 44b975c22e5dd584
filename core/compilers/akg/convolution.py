"""3-D convolutions written as one loop nest in AKG's Python language, and other ways to write them.

A convolution is known by its form: a sum of products, of which one factor moves with the output and
the kernel's window and the other is the window itself, with stride 1; the padding, where there is
any, is a Select of the input shifted by a size. The file is read, never run.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from core.cases import entries, value_of
from core.kernel import Kernel, KernelError, parse_kernel

_SPATIAL = 3
_HEAD = '''"""{about}"""

import akg.tvm as tvm

CASES = {{
    "{case}": {{
        "shapes": [{data}, {weight}],
        "dtypes": {dtypes},
        "attributes": [{attributes}],
    }},
}}

'''
#: The columns keep every axis, so that each loop nest is plain; as an output they are not inlined.
#: The axes of the window come first: with them behind, AKG 1.10 ends in "argInfo is incomplete" at
#: every other compile of the very same kernel.
_OUTSIDE = """
def kernel(x, weight):
    n, channels, depth, height, width = (size.value for size in x.shape)
    filters, _, kd, kh, kw = (size.value for size in weight.shape)
    out = (depth - kd + 1, height - kh + 1, width - kw + 1)
    columns = tvm.compute(
        (channels, kd, kh, kw, n, *out),
        lambda c, d, h, w, b, z, y, i: x[b, c, z + d, y + h, i + w],
        name="columns",
    )
    c = tvm.reduce_axis((0, channels), name="c")
    d = tvm.reduce_axis((0, kd), name="d")
    h = tvm.reduce_axis((0, kh), name="h")
    w = tvm.reduce_axis((0, kw), name="w")
    product = tvm.compute(
        (n, filters, *out),
        lambda b, o, z, y, i: tvm.sum(
            columns[c, d, h, w, b, z, y, i]{cast} * weight[o, c, d, h, w]{cast},
            axis=[c, d, h, w],
        ),
        name="product",
    )
    return product, columns
"""
#: With padding the eight axes never end in AKG's loop partition; as rows and taps they do.
_INSIDE = """
def kernel(x, weight, pad):
    n, channels, depth, height, width = (size.value for size in x.shape)
    filters, _, kd, kh, kw = (size.value for size in weight.shape)
    od, oh, ow = depth + 2 * pad - kd + 1, height + 2 * pad - kh + 1, width + 2 * pad - kw + 1
    rows, taps = n * od * oh * ow, channels * kd * kh * kw

    def window(tap):
        return tap // (kd * kh * kw), tap // (kh * kw) % kd, tap // kw % kh, tap % kw

    def tap_of(row, tap):
        b, z, y, i = row // (od * oh * ow), row // (oh * ow) % od, row // ow % oh, row % ow
        c, d, h, w = window(tap)
        at = z + d - pad, y + h - pad, i + w - pad
        inside = tvm.all(
            at[0] >= 0, at[0] < depth, at[1] >= 0, at[1] < height, at[2] >= 0, at[2] < width
        )
        return tvm.expr.Select(inside, x[(b, c, *at)], tvm.const(0, x.dtype))

    columns = tvm.compute((rows, taps), tap_of, name="columns")
    k = tvm.reduce_axis((0, taps), name="k")
    product = tvm.compute(
        (rows, filters),
        lambda row, o: tvm.sum(columns[row, k]{cast} * weight[(o, *window(k))]{cast}, axis=k),
        name="product",
    )
    return product, columns
"""


@dataclass(frozen=True, slots=True)
class Convolution:
    """x[n, c, d, h, w] * weight[o, c, kd, kh, kw], stride 1."""

    data: tuple[int, ...]
    weight: tuple[int, ...]
    dtypes: tuple[str, str]
    pad: int  #: zeros on every side of the three axes
    summed_in: str  #: the type that sums are in; "" for that of the data


def convolution(kernel: Kernel) -> Convolution | None:
    """The convolution that a Python kernel is; None where it is none, or one of another form."""
    if kernel.kind != "python":
        return None
    data, weight = kernel.tensors if len(kernel.tensors) == 2 else (None, None)
    if data is None or weight is None or (len(data.shape), len(weight.shape)) != (5, 5):
        return None
    module = ast.parse(kernel.source)
    function = next(
        (n for n in module.body if isinstance(n, ast.FunctionDef) and n.name == "kernel"), None
    )
    if function is None or len(function.args.args) < 2 or weight.shape[1] != data.shape[1]:
        return None
    names = [each.arg for each in function.args.args]
    found = _sum_of_products(function, names[1])
    if found is None:
        return None
    moved, summed_in = found
    pad = 0
    if moved != names[0]:
        padding = _padding(function, moved, names)
        given = _attributes(kernel)
        at = names.index(padding) - 2 if padding in names[2:] else -1
        if not 0 <= at < len(given) or type(given[at]) is not int:
            return None
        pad = int(str(given[at]))
    return Convolution(data.shape, weight.shape, (data.dtype, weight.dtype), pad, summed_in)


def with_data_padded(kernel: Kernel, given: Convolution) -> Kernel | None:
    """As columns and a product, of data that come with their padding."""
    n, c, *sizes = given.data
    padded = [n, c, *(size + 2 * given.pad for size in sizes)]
    about = "3-D convolution as columns and a product, of data that are padded already."
    return _written(kernel, given, "_columns", about, padded, _OUTSIDE, "")


def with_padding_in_columns(kernel: Kernel, given: Convolution) -> Kernel | None:
    """As rows of columns and a product, the padding written into the columns."""
    about = "3-D convolution as rows and a product, padded while the rows are made."
    return _written(kernel, given, "_rows", about, given.data, _INSIDE, str(given.pad))


def _written(
    kernel: Kernel,
    given: Convolution,
    suffix: str,
    about: str,
    data: Sequence[int],
    body: str,
    attributes: str,
) -> Kernel | None:
    cast = f'.astype("{given.summed_in}")' if given.summed_in else ""
    head = _HEAD.format(
        about=about,
        case=kernel.case,
        data=list(data),
        weight=list(given.weight),
        dtypes=list(given.dtypes),
        attributes=attributes,
    )
    source = head + body.format(cast=cast)
    try:
        return parse_kernel(source, f"{kernel.name}{suffix}.py", kernel.case)
    except KernelError:
        return None


def _attributes(kernel: Kernel) -> list[object]:
    """The attributes of the kernel's case, which its function takes after the tensors."""
    try:
        case = entries(kernel.source)[kernel.case]
        listed = value_of(case, "attributes")
        found = ast.literal_eval(listed) if listed is not None else []
    except (KernelError, KeyError, ValueError):
        return []
    return list(found) if isinstance(found, list | tuple) else []


def _sum_of_products(function: ast.FunctionDef, weight: str) -> tuple[str, str] | None:
    """The tensor that a convolution moves over and the type of its sums, of what is returned."""
    last = function.body[-1]
    if not isinstance(last, ast.Return) or not isinstance(last.value, ast.Call):
        return None
    made = next((a for a in last.value.args if isinstance(a, ast.Lambda)), None)
    if made is None or not isinstance(made.body, ast.Call) or not made.body.args:
        return None
    total = made.body
    product = total.args[0]
    axes = next((k.value for k in total.keywords if k.arg == "axis"), None)
    out = [each.arg for each in made.args.args]
    if _called(total) != "sum" or not isinstance(axes, ast.List | ast.Tuple) or len(out) != 5:
        return None
    window = [each.id for each in axes.elts if isinstance(each, ast.Name)]
    if len(window) != 4 or not isinstance(product, ast.BinOp):
        return None
    if not isinstance(product.op, ast.Mult):
        return None
    factors = [_factor(product.left), _factor(product.right)]
    for (one, of_one), (other, of_other) in (factors, factors[::-1]):
        if one is None or other is None or of_one != of_other:
            continue
        moved = [
            out[0],
            window[0],
            *(f"{o} + {w}" for o, w in zip(out[2:], window[1:], strict=True)),
        ]
        if _indices(one) == moved and _indices(other) == [out[1], *window]:
            name = ast.unparse(one.value)
            return (name, of_one) if ast.unparse(other.value) == weight else None
    return None


def _padding(function: ast.FunctionDef, name: str, arguments: Sequence[str]) -> str:
    """The argument by which a padded tensor is wider than the input on every side; "" if none."""
    for node in function.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        targets = [each.id for each in node.targets if isinstance(each, ast.Name)]
        made = next((a for a in node.value.args if isinstance(a, ast.Lambda)), None)
        if name not in targets or made is None or not isinstance(made.body, ast.Call):
            continue
        if _called(made.body) not in ("Select", "if_then_else") or len(made.body.args) != 3:
            continue
        _, inside, outside = made.body.args
        if not isinstance(inside, ast.Subscript) or ast.unparse(inside.value) != arguments[0]:
            continue
        if not isinstance(outside, ast.Call) or not _zero(outside):
            continue
        by = [i.rpartition(" - ")[2] for i in _indices(inside)[-_SPATIAL:] if " - " in i]
        if len(by) == _SPATIAL and len(set(by)) == 1:
            return by[0]
    return ""


def _zero(node: ast.Call) -> bool:
    first = node.args[0] if node.args else None
    return isinstance(first, ast.Constant) and first.value == 0


def _factor(node: ast.expr) -> tuple[ast.Subscript | None, str]:
    """A factor and the type that it is taken into."""
    if isinstance(node, ast.Call) and _called(node) == "astype" and node.args:
        into = node.args[0]
        inner = node.func.value if isinstance(node.func, ast.Attribute) else None
        if isinstance(into, ast.Constant) and isinstance(inner, ast.Subscript):
            return inner, str(into.value)
        return None, ""
    return (node, "") if isinstance(node, ast.Subscript) else (None, "")


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _indices(node: ast.Subscript) -> list[str]:
    inner = node.slice
    parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    return [ast.unparse(each) for each in parts]
