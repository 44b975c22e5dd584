"""Another shape for a kernel in AKG's Python language: another case, written into the file's text.

Nothing is run, so nothing says which axes belong together but the cases: axes that are equal in
every case are taken for one dimension. Shapes by name are taken as they are given. The attributes
of a case are those of the case that it is made from.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.cases import MADE, entries, value_of, written
from core.compilers.akg.python_kernel import case_names, read_python_kernel
from core.kernel import Kernel, Tensor, parse_kernel
from core.shapes import Dimension


def dimensions(kernel: Kernel) -> tuple[Dimension, ...]:
    sizes = {tensor.name: tensor.shape for tensor in kernel.tensors}
    note = (
        "Its axes are equal in every case of the file and never of another size, so that they "
        "belong together is a guess; shapes by name are free of it."
    )
    return tuple(
        Dimension(
            f"d{at}",
            sizes[axes[0][0]][axes[0][1]],
            axes,
            True,
            note=note if len(axes) > 1 and not varies else "",
        )
        for at, (axes, varies) in enumerate(_groups(kernel))
    )


def why_fixed(kernel: Kernel) -> str:
    return "It has no tensor."


def _groups(kernel: Kernel) -> list[tuple[tuple[tuple[str, int], ...], bool]]:
    """Axes that are equal in every case in which the tensors have the ranks that they have here;
    and whether their size differs between cases."""
    ranks = {tensor.name: len(tensor.shape) for tensor in kernel.tensors}
    cases = [{tensor.name: tensor.shape for tensor in kernel.tensors}]
    for case in case_names(kernel.source):
        shapes = {t.name: t.shape for t in read_python_kernel(kernel.source, case).tensors}
        if {name: len(shape) for name, shape in shapes.items()} == ranks:
            cases.append(shapes)
    found: dict[object, list[tuple[str, int]]] = {}
    varies = {}
    for name, rank in ranks.items():
        for at in range(rank):
            sizes = tuple(shapes[name][at] for shapes in cases)
            key: object = sizes
            if set(sizes) == {1}:
                # It may be there to be broadcast: it goes with the same axis of shapes as its own.
                key = (*(shapes[name] for shapes in cases), at)
            found.setdefault(key, []).append((name, at))
            varies[key] = len(set(sizes)) > 1
    return [(tuple(axes), varies[key]) for key, axes in found.items()]


def with_dimensions(kernel: Kernel, values: Mapping[str, int]) -> Kernel:
    shapes = {tensor.name: list(tensor.shape) for tensor in kernel.tensors}
    for each in dimensions(kernel):
        for name, at in each.axes:
            shapes[name][at] = values.get(each.name, each.value)
    return with_shapes(kernel, shapes)


def with_shapes(kernel: Kernel, shapes: Mapping[str, Sequence[int]]) -> Kernel:
    """A case with these shapes that the file has already, else one that is written into it."""
    tensors = tuple(
        replace(tensor, shape=tuple(shapes.get(tensor.name, tensor.shape)))
        for tensor in kernel.tensors
    )
    if tensors == kernel.tensors:
        return kernel
    cases = entries(kernel.source)
    filename = f"{kernel.name}.py"
    for case in cases:
        same = read_python_kernel(kernel.source, case).tensors == tensors
        if same and _attributes(cases[case]) == _attributes(cases[kernel.case]):
            return replace(parse_kernel(kernel.source, filename, case), about=kernel.about)
    name = MADE + "_".join("x".join(map(str, tensor.shape)) for tensor in tensors)
    shapes_now = _text(tensors, cases[kernel.case])
    source = written(kernel.source, kernel.case, name, "shapes", shapes_now)
    return replace(parse_kernel(source, filename, name), about=kernel.about)


def _text(tensors: Sequence[Tensor], case: ast.Dict) -> str:
    """Shapes as the case wrote them: a list of them where an argument is a list of tensors."""
    left = [list(tensor.shape) for tensor in tensors]
    given = value_of(case, "shapes")
    nested: list[object] = []
    for shape in ast.literal_eval(given) if given else []:
        if shape and isinstance(shape[0], list | tuple):
            nested.append([left.pop(0) for _ in shape])
        else:
            nested.append(left.pop(0))
    return repr(nested)


def _attributes(case: ast.Dict) -> object:
    found = value_of(case, "attributes")
    return list(ast.literal_eval(found)) if found else []
