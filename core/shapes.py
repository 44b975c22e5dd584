"""Another shape for a kernel: what sizes it has, which can be changed, and the kernel with others.

What users type for a shape:

    512x64                          the largest input; what is tied to it follows
    input_0=512x64 input_1=64       tensors by name
    d0=512 d1=64                    dimensions by name; d0=256,512 for each of several
    stride_2                        a case of a Python kernel

Several are separated by semicolons or lines. Sizes that follow from others need not be given.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from core.kernel import Kernel, KernelError, Tensor, kernel_cases, parse_kernel

__all__ = [
    "Dimension", "Shaping", "dimensions", "elements", "free_sizes", "parse_shape",
    "parse_shapes", "shape_label", "why_fixed", "with_dimensions", "with_shapes",
]  # fmt: skip

#: As many shapes as one text may stand for.
MOST_SHAPES = 5000
_MOST_NAMED = 3
_SIZES = re.compile(r"\d+(?:[xX×*]\d+)*")
_WORD = re.compile(r"[^\s=]+\s*=\s*[^\s=]+(?=\s|$)|[^\s=]+")


@dataclass(frozen=True, slots=True)
class Dimension:
    """One size of a kernel, with all axes of its inputs and outputs that have it."""

    name: str  #: d0, d1 … where it can be changed, a parameter's own name, else "input_1[0]"
    value: int
    axes: tuple[tuple[str, int], ...]  #: tensor and number of the axis
    free: bool  #: whether it can be changed
    multiple_of: int = 1  #: what it always is a multiple of
    follows: tuple[str, ...] = ()  #: what changes with it, as in "output_0[0] = 16 × d0"
    note: str = ""  #: why it cannot be changed, or what to know before; a sentence


class Shaping(Protocol):
    """How the kernels of one kind get another shape."""

    def dimensions(self, kernel: Kernel) -> tuple[Dimension, ...]: ...

    def with_dimensions(self, kernel: Kernel, values: Mapping[str, int]) -> Kernel:
        """`values` are of free dimensions, each 1 or more. Raises KernelError."""
        ...

    def with_shapes(self, kernel: Kernel, shapes: Mapping[str, Sequence[int]]) -> Kernel:
        """`shapes` are of the kernel's own tensors, of their rank. Raises KernelError."""
        ...

    def why_fixed(self, kernel: Kernel) -> str:
        """Where nothing can be changed: why, a sentence."""
        ...


def _shaping(kernel: Kernel) -> Shaping:
    # A compiler knows its own kernels, see `parse_kernel`.
    if kernel.kind == "composite":
        from core.compilers.akg import reshape

        return reshape
    if kernel.kind == "python":
        from core.compilers.akg import python_shapes

        return python_shapes
    if kernel.kind == "mlir":
        from core.compilers.ascendnpu_ir import mlir_shapes

        return mlir_shapes
    from core.compilers.ascendnpu_ir import triton_shapes

    return triton_shapes


def dimensions(kernel: Kernel) -> tuple[Dimension, ...]:
    """The sizes of a kernel's inputs and outputs; those that can be changed first."""
    found = _shaping(kernel).dimensions(kernel)
    return tuple(sorted(found, key=lambda each: not each.free))


def free_sizes(kernel: Kernel, given: Kernel | None = None) -> dict[str, int]:
    """The sizes that can be changed, by name; by those of the kernel as `given`, where this one was
    made from it: sizes that happen to be equal may be told apart there alone."""
    if given is None or given is kernel:
        return {each.name: each.value for each in dimensions(kernel) if each.free}
    shapes = {tensor.name: tensor.shape for tensor in kernel.tensors}
    own: dict[str, int] | None = None
    found = {}
    for each in dimensions(given):
        if each.free and each.axes:
            name, at = each.axes[0]
            found[each.name] = shapes[name][at]
        elif each.free:
            own = own if own is not None else free_sizes(kernel)
            found[each.name] = own.get(each.name, each.value)
    return found


def elements(kernel: Kernel, values: Mapping[str, Any]) -> Any:
    """Elements of all inputs and outputs where dimensions have these values.

    A value may be an array, and so is then what comes back; nothing is checked. Of a kernel whose
    dimensions are no axes the product of the dimensions.
    """
    if kernel.kind == "composite":
        from core.compilers.akg import reshape

        sizes: Mapping[str, Sequence[Any]] = reshape.axis_sizes(kernel, values)
    else:
        found = dimensions(kernel)
        if any(each.free and not each.axes for each in found):
            return math.prod(values.get(each.name, each.value) for each in found if each.free)
        at = {a: values.get(d.name, d.value) for d in found for a in d.axes}
        sizes = {
            tensor.name: [at.get((tensor.name, n), size) for n, size in enumerate(tensor.shape)]
            for tensor in kernel.tensors
        }
    return sum(math.prod(shape) for shape in sizes.values())


def why_fixed(kernel: Kernel) -> str:
    """Why no size of a kernel can be changed, a sentence; "" where one can."""
    return "" if free_sizes(kernel) else _shaping(kernel).why_fixed(kernel)


def with_dimensions(kernel: Kernel, values: Mapping[str, int]) -> Kernel:
    """The kernel with other sizes; itself where they are its own.

    Sizes are meant against the kernel as given: reshape that one for every shape, since a kernel
    whose axis became 1 no longer tells that axis from a broadcast one. Raises KernelError.
    """
    known = {each.name: each for each in dimensions(kernel)}
    for name, value in values.items():
        if name not in known:
            free = ", ".join(each for each, is_free in _listed(known) if is_free)
            raise KernelError(
                f"{kernel.name} has no dimension {name!r}; it has {free}."
                if free
                else f"No size of {kernel.name} can be changed: {why_fixed(kernel)}"
            )
        if not known[name].free and value != known[name].value:
            raise KernelError(
                f"{name} of {kernel.name} stays {known[name].value}: {known[name].note}"
            )
        _check_size(name, value)
    changed = {n: v for n, v in values.items() if known[n].free and v != known[n].value}
    return _shaping(kernel).with_dimensions(kernel, changed) if changed else kernel


def _listed(known: Mapping[str, Dimension]) -> list[tuple[str, bool]]:
    return [(f"{each.name} ({each.value})", each.free) for each in known.values()]


def _check_size(name: str, value: int) -> None:
    if value < 1:
        raise KernelError(f"{name} cannot be {value}; a size is a whole number from 1 up.")


def with_shapes(kernel: Kernel, shapes: Mapping[str, Sequence[int]]) -> Kernel:
    """The kernel with other shapes for some of its tensors; what is tied to them follows.

    Raises KernelError.
    """
    known = {tensor.name: tensor for tensor in kernel.tensors}
    for name, shape in shapes.items():
        if name not in known:
            raise KernelError(
                f"{kernel.name} has no input or output {name!r}; it has "
                f"{', '.join(known) or 'none'}."
            )
        if len(shape) != len(known[name].shape):
            raise KernelError(
                f"{name} has {len(known[name].shape)} axes ({_by_x(known[name].shape)}), so "
                f"{_by_x(shape)} cannot be its shape."
            )
        for size in shape:
            _check_size(name, size)
    if all(tuple(shape) == known[name].shape for name, shape in shapes.items()):
        return kernel
    return _shaping(kernel).with_shapes(kernel, shapes)


def parse_shape(text: str, kernel: Kernel) -> Kernel:
    """The kernel in a shape as users write it, see above. Raises KernelError."""
    found = parse_shapes(text, kernel)
    if len(found) != 1:
        raise KernelError(f"{text.strip()!r} stands for {len(found)} shapes; give one.")
    return found[0]


def parse_shapes(text: str, kernel: Kernel) -> tuple[Kernel, ...]:
    """The kernel in every shape of a text, each once, in its order.

    Raises KernelError, with the shape that is wrong.
    """
    found: dict[str, Kernel] = {}
    for part in re.split(r"[;\n]", text):
        if part.strip():
            for made in _each(part.strip(), kernel):
                found.setdefault(made.digest, made)
                if len(found) > MOST_SHAPES:
                    raise KernelError(f"These are more than {MOST_SHAPES} shapes; give fewer.")
    if not found:
        raise KernelError("Give a shape, as in 512x64, or d0=512 d1=64.")
    return tuple(found.values())


def _each(text: str, kernel: Kernel) -> list[Kernel]:
    try:
        cases = kernel_cases(kernel.source, f"{kernel.name}{_SUFFIX[kernel.kind]}")
    except KernelError:
        cases = ()
    if text in cases:
        made = parse_kernel(kernel.source, f"{kernel.name}{_SUFFIX[kernel.kind]}", text)
        return [replace(made, about=kernel.about)]
    bare = re.split(r"[,\s]+", text)
    if all(_SIZES.fullmatch(word) for word in bare):
        return [_whole(_read(word), kernel) for word in bare]
    names = {tensor.name for tensor in kernel.tensors}
    shapes: dict[str, tuple[int, ...]] = {}
    values: dict[str, list[int]] = {}
    for word in _WORD.findall(text):
        name, equals, given = (part.strip() for part in word.partition("="))
        if not equals:
            raise KernelError(_what(text, kernel, cases))
        if name in names and _SIZES.fullmatch(given):
            shapes[name] = _read(given)
        elif re.fullmatch(r"\d+(,\d+)*", given):
            values[name] = [int(each) for each in given.split(",")]
        else:
            raise KernelError(_what(text, kernel, cases))
    if math.prod(map(len, values.values())) > MOST_SHAPES:
        raise KernelError(f"{text!r} stands for more than {MOST_SHAPES} shapes; give fewer.")
    found = []
    for chosen in itertools.product(*values.values()):
        made = with_shapes(kernel, shapes)
        found.append(with_dimensions(made, dict(zip(values, chosen, strict=True))))
    return found


#: What a kernel of each kind is called as a file.
_SUFFIX = {"composite": ".json", "python": ".py", "mlir": ".mlir", "triton": ".py"}


def _what(text: str, kernel: Kernel, cases: Sequence[str]) -> str:
    free = " ".join(f"{name}={value}" for name, value in free_sizes(kernel).items())
    tensor = _main(kernel)
    ways = [_by_x(tensor.shape)] if tensor else []
    ways += [f"{tensor.name}={_by_x(tensor.shape)}"] if tensor else []
    ways += [free] if free else []
    ways += [f"a case ({', '.join(cases)})"] if cases else []
    return f"{text!r} is no shape of {kernel.name}; write {' or '.join(ways) or 'another kernel'}."


def _read(text: str) -> tuple[int, ...]:
    return tuple(int(size) for size in re.split(r"[xX×*]", text))


def _main(kernel: Kernel) -> Tensor | None:
    """The tensor that a shape without a name is meant for: the largest input."""
    known = [each for each in kernel.tensors if all(size > 0 for size in each.shape)]
    inputs = [each for each in known if each.role == "input"] or known
    return max(inputs, key=lambda each: math.prod(each.shape), default=None)


def _whole(shape: tuple[int, ...], kernel: Kernel) -> Kernel:
    main = _main(kernel)
    if main is None:
        raise KernelError(
            f"{kernel.name} has no input of a known shape; give sizes by name, as in "
            f"{' '.join(f'{n}={v}' for n, v in free_sizes(kernel).items()) or 'd0=512'}."
        )
    if len(shape) != len(main.shape):
        raise KernelError(
            f"{_by_x(shape)} has {len(shape)} axes, and {main.name}, the largest input of "
            f"{kernel.name}, has {len(main.shape)} ({_by_x(main.shape)})."
        )
    if kernel.kind == "composite":
        return with_shapes(kernel, {main.name: shape})
    # Nothing in a Python kernel says which shapes belong together: equal ones do.
    same = {t.name: shape for t in kernel.tensors if t.shape == main.shape and t.role == main.role}
    return with_shapes(kernel, same)


def _by_x(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape)) or "no axis"


def shape_label(kernel: Kernel) -> str:
    """A kernel's shape in a few words, which `parse_shape` reads: "512x64", "a=512x64 b=64x8".

    As many tensors as have all sizes that can be changed; "d0=8 d1=4 …" where those were many.
    """
    found = [each for each in dimensions(kernel) if each.free]
    sizes = " ".join(f"{each.name}={each.value}" for each in found)
    if any(not each.axes for each in found):
        return sizes
    known = [each for each in kernel.tensors if all(size > 0 for size in each.shape)]
    inputs = [each for each in known if each.role == "input"]
    wide = {each.shape for each in inputs if math.prod(each.shape) > 1}
    missing = {each.name for each in found}
    has = {axis: each.name for each in found for axis in each.axes}
    chosen: list[Tensor] = []
    largest = sorted(inputs, key=lambda each: -math.prod(each.shape))
    for tensor in (*largest, *(each for each in known if each.role == "output")):
        new = {has.get((tensor.name, at)) for at in range(len(tensor.shape))} & missing
        # Nothing but the cases ties the shapes of a Python kernel, so each of them has to be said.
        if new or (not chosen and not found) or (kernel.kind == "python" and tensor in inputs):
            chosen.append(tensor)
            missing -= new
    alone = len(chosen) == 1 or kernel.kind == "python"
    if len(wide) == 1 and alone and len({each.shape for each in chosen}) == 1:
        return _by_x(chosen[0].shape)
    if len(chosen) > _MOST_NAMED and sizes:
        return sizes
    said = " ".join(f"{each.name}={_by_x(each.shape)}" for each in chosen)
    return said or kernel.case or kernel.name
