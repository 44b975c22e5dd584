"""Smaller shapes: dimensions as the kernel ties them, then whatever has the same size."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

from core.analysis.shrinking.search import Asking, Form, Search
from core.analysis.shrinking.text import dumped, replaced
from core.kernel import Kernel, KernelError
from core.shapes import dimensions, with_dimensions

#: What is tried of a size, the smallest first: sixteenths of it; 0 is a single element.
_SIXTEENTHS = (0, 1, 4, 8, 12)
#: A size in a type or a shape of MLIR, and a number that stands alone.
_IN_TYPE = r"(?<=[<x]){}(?=x)"
_ALONE = r"(?<![\w%#@.$\"-]){}(?![\w.:\"])|(?<![\w%#@.$\"-]){}(?= : (?:index|i\d+))"
#: Attributes of composite operators that hold sizes.
_SIZES = ("shape", "size", "end", "depth", "multiples")


def smaller_shapes(search: Search) -> Asking[None]:
    """Each dimension, then each size, the largest first, as small as it may be."""
    yield from _smaller_dimensions(search)
    yield from _smaller_sizes(search)


def _smaller_dimensions(search: Search) -> Asking[None]:
    """Where the kernel tells which sizes belong together, products of them included."""
    if search.best.kernel.kind not in ("composite", "mlir"):
        return  # the sizes of the others stand in one place each
    values = _free(search.best.kernel)
    for name in sorted(values, key=lambda each: (-values[each], each)):
        while not search.spent:
            # An axis that became 1 may have taken the name of another: sizes are read anew.
            here = _free(search.best.kernel).get(name, 1)
            tries = [(less, _with_dimension(search, name, less)) for less in _less(here)]
            if (yield from search.first("shapes", tries)) is None:
                break


def _free(kernel: Kernel) -> dict[str, int]:
    return {each.name: each.value for each in dimensions(kernel) if each.free and each.axes}


def _with_dimension(search: Search, name: str, value: int) -> Form | None:
    kernel = search.best.kernel
    try:
        made = with_dimensions(kernel, {name: value}).source
    except KernelError:
        return None
    if kernel.kind == "composite":  # it names itself, by its shape as well
        made = dumped({**json.loads(made), "op": kernel.name})
    return search.with_source(made)


def _smaller_sizes(search: Search) -> Asking[None]:
    going = True
    while going and not search.spent:
        going = False
        for size in _sizes(search.best.kernel):
            while not search.spent:
                tries = [(less, _with_size(search, size, less)) for less in _less(size)]
                found = yield from search.first("shapes", tries)
                if found is None:
                    break
                size, going = found, True


def _less(size: int) -> Iterator[int]:
    values = (size * share // 16 or 1 for share in _SIXTEENTHS)
    yield from dict.fromkeys(value for value in values if 1 <= value < size)


def _sizes(kernel: Kernel) -> list[int]:
    if kernel.kind == "mlir":
        found = {int(n) for n in re.findall(_IN_TYPE.format(r"(\d+)"), kernel.source)}
    else:
        found = {size for tensor in kernel.tensors for size in tensor.shape}
    return sorted((size for size in found if size > 1), reverse=True)


def _with_size(search: Search, size: int, less: int) -> Form | None:
    source = search.best.kernel.source
    match search.best.kernel.kind:
        case "mlir":
            pattern = f"{_IN_TYPE.format(size)}|{_ALONE.format(size, size)}"
            return search.with_source(re.sub(pattern, str(less), source))
        case "composite":
            return search.with_source(_composite(source, size, less))
        case "python":
            return search.with_source(_case(source, search.best.kernel.case, size, less))
        case _:
            return None


def _composite(source: str, size: int, less: int) -> str:
    def other(name: str, value: object) -> object:
        if name in _SIZES and isinstance(value, list):
            return [less if each == size else each for each in value]
        return less if name in _SIZES and value == size else value

    def walk(value: dict[str, object]) -> dict[str, object]:
        if "name" in value and "value" in value:  # an attribute
            return {**value, "value": other(str(value["name"]), value["value"])}
        return {key: other(key, each) for key, each in value.items()}

    return dumped(json.loads(source, object_hook=walk))


def _case(source: str, case: str, size: int, less: int) -> str:
    """The text with other numbers in the shapes of one case of a Python file."""
    found = [
        number
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Dict)
        for name, facts in zip(node.keys, node.values, strict=True)
        if isinstance(name, ast.Constant) and name.value == case and isinstance(facts, ast.Dict)
        for key, shapes in zip(facts.keys, facts.values, strict=True)
        if isinstance(key, ast.Constant) and key.value == "shapes"
        for number in ast.walk(shapes)
        if isinstance(number, ast.Constant) and number.value == size
    ]
    for number in sorted(found, key=lambda n: (n.lineno, n.col_offset), reverse=True):
        source = replaced(source, number, str(less))
    return source
