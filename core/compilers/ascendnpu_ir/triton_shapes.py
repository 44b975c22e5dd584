"""Another size for a Triton kernel: the numbers that are fixed when it is compiled.

How large its tensors are is only known when it is launched, so one compile does for all of them;
what a compile fixes are its `tl.constexpr` arguments: blocks, and sizes that a case holds constant.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.cases import MADE, entries, literal, replaced, value_of, written
from core.compilers.ascendnpu_ir.triton_kernel import specialise
from core.kernel import Kernel, KernelError, parse_kernel
from core.shapes import Dimension

_OPEN = "sizes of its tensors are given at launch, so one compile does for all of them"


def dimensions(kernel: Kernel) -> tuple[Dimension, ...]:
    listed = {parameter.name: parameter.values for parameter in kernel.parameters}
    fixed = specialise(kernel.source, kernel.case, _defaults(kernel)).constants
    constants = {name: fixed[name] for name in (*listed, *fixed) if name in fixed}
    found = []
    for name, value in constants.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            continue
        tried = ", ".join(map(str, sorted(v for v in listed.get(name, ()) if isinstance(v, int))))
        note = f"The file tries {tried}; the {_OPEN}." if tried else f"The {_OPEN}."
        found.append(Dimension(name, value, (), True, note=note))
    return tuple(found)


def _defaults(kernel: Kernel) -> dict[str, int | str]:
    return {parameter.name: parameter.default for parameter in kernel.parameters}


def why_fixed(kernel: Kernel) -> str:
    return f"The {_OPEN}, and it has no constant of the compile."


def with_dimensions(kernel: Kernel, values: Mapping[str, int]) -> Kernel:
    """The kernel with a case that holds these constants, and lists of values that have them."""
    source = kernel.source
    for name, value in values.items():
        source = _listing(source, name, value)
    held = value_of(entries(source)[kernel.case], "constants")
    constants = {**(ast.literal_eval(held) if held else {}), **values}
    name = MADE + "_".join(f"{key}{value}" for key, value in {**_sizes(kernel), **values}.items())
    made = written(source, kernel.case, name, "constants", repr(constants))
    return replace(parse_kernel(made, f"{kernel.name}.py", name), about=kernel.about)


def _sizes(kernel: Kernel) -> dict[str, int]:
    return {each.name: each.value for each in dimensions(kernel)}


def with_shapes(kernel: Kernel, shapes: Mapping[str, Sequence[int]]) -> Kernel:
    del shapes
    raise KernelError(
        f"{kernel.name} is written in Triton: the {_OPEN}; give its constants by name."
    )


def _listing(source: str, name: str, value: int) -> str:
    """The text with a value among those that PARAMETERS lists for a name, where it lists any."""
    parameters = literal(source, "PARAMETERS")
    listed = value_of(parameters, name) if parameters else None
    known = list(ast.literal_eval(listed)) if listed else []
    if listed is None or value in known:
        return source
    return replaced(source, listed, repr([*known, value]))
